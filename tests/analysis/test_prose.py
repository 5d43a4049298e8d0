import pytest

from pipeline.analysis.prose import sentences, syllables, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ('He said "No." Then he left...', ['He said "No.', "Then he left..."]),
        ("It costs 3.50 on example.org today", ["It costs 3.50 on example.org today"]),
        ("A heading\n\nand a line\nthat goes on", ["A heading", "and a line\nthat goes on"]),
        ("?! . ...", []),
        ("", []),
    ],
)
def test_sentences(text, expected):
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't, e-cigarettes!", ["Don't", "e", "cigarettes"]),
        ("don\u2019t", ["don't"]),
        ("'quoted' 1,000 naïve_x", ["quoted", "1", "000", "naïve", "x"]),
        ("--- ...", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("count", "found"),
    [
        (1, "the whole cat rules 42 called hoped games Strengths b"),
        (2, "table settled argue boxes changes wanted happy believes"),
        (3, "argument government parliament's"),
        (5, "university"),
    ],
)
def test_syllables(count, found):
    wrong = {word: syllables(word) for word in found.split() if syllables(word) != count}
    assert not wrong
