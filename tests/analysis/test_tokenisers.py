# ruff: noqa: RUF001 - letters of many scripts
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis.characters import JAPANESE, KNOWN, characters
from pipeline.analysis.tokenisers import english, utf

BOTH = [
    ("Don't e-mail U.S.A. <b>", ["don", "t", "e", "mail", "u", "s", "a", "b"]),
    ("1,000,000 covid19 1234", ["1", "000", "000", "covid19", "1234"]),
    ("12345 a1b2c3d4e5 x1234", ["x1234"]),
    ("aaaa baaaab aaab AAaa 1111 111", ["aaab", "aaaa", "111"]),
    ("a" * 3 + "b" * 3 + "c" * 3 + "defghijklmn", ["aaabbbcccdefghijklmn"]),
    ("a" * 3 + "b" * 3 + "c" * 3 + "defghijklmno", []),
    ("snake_case\tnew\nline\0end", ["snake", "case", "new", "line", "end"]),
    ("don\u2019t zero\u200bwidth so\u00adft", ["don", "t", "zero", "width", "so", "ft"]),
    ("\U0001f600a\U00010400b\U00020000c\ud800d", ["a", "b", "c", "d"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "tokens"), BOTH)
@pytest.mark.parametrize("tokenise", [english, utf])
def test_what_both_do(tokenise, text, tokens):
    assert tokenise(text) == tokens


@pytest.mark.parametrize(
    ("text", "by_english", "by_utf"),
    [
        ("café Naïve", ["caf", "na", "ve"], ["café", "naïve"]),
        ("cafe\u0301", ["cafe"], ["cafe\u0301"]),
        ("日本語 x²½ⅳ", ["x"], ["日本語", "x"]),
        ("٣٣٣٤٤ ٣٣٣٤", [], ["٣٣٣٤"]),
        ("ÀÀÀÀ ÀÀàà", [], ["àààà"]),
        ("İSTANBUL ẞ Ⱥ", ["stanbul"], ["i\u0307stanbul", "ß", "ⱥ"]),
        ("\u0cf3\u0ece \u0897a \ua7dc", ["a"], ["\u0cf3\u0ece", "a"]),
    ],
)
def test_beyond_ascii(text, by_english, by_utf):
    assert (english(text), utf(text)) == (by_english, by_utf)


@pytest.mark.parametrize(
    ("capitals", "small"),
    [
        ("ΟΔΟΣ", "οδος"),
        ("ΣΟΦΟΣ", "σοφος"),
        ("ΣΑΣ", "σας"),
        ("Σ", "σ"),
        ("1Σ", "1σ"),
        ("Α1Σ2", "α1ς2"),
        ("ΑΣ2Β", "ασ2β"),
        ("ΑΣ\u0301Β", "ασ\u0301β"),
        ("ΑΣ漢Β", "ας漢β"),
        ("Α漢Σ", "α漢σ"),
        ("א\u0345Σ", "א\u0345ς"),
        ("\u0345Σ", "\u0345σ"),
    ],
)
def test_a_sigma_at_the_end_of_a_word_is_another(capitals, small):
    assert utf(capitals) == [small]


def test_it_is_the_unicode_of_java_21_in_every_python():
    assert characters().digest() == KNOWN


@given(st.text(st.characters(codec="ascii")))
def test_both_agree_on_ascii(text):
    assert english(text) == utf(text)


@given(st.text(), st.text(), st.sampled_from([english, utf]))
def test_a_blank_separates(one, other, tokenise):
    assert tokenise(f"{one} {other}") == tokenise(one) + tokenise(other)


@given(st.text() | st.text("İẞȺ日aB1", max_size=30))
def test_no_token_outgrows_the_room_that_terrier_has_for_a_term(text):
    assert all(len(token.encode()) <= 60 for token in utf(text))


# ---------------------------------------------------------------------------- against Terrier

PLANE = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
JAVA = {"English": english, "UTF": utf}


@pytest.mark.terrier
@pytest.mark.parametrize("name", JAVA)
def test_every_character_of_the_plane_is_what_it_is_in_java(terrier_tokens, name):
    """Inside of a word, where it is a letter, a digit, or separates; and its small letter."""
    text = "".join(f"x{character}y5678{character} " for character in PLANE)
    assert JAVA[name](text) == terrier_tokens(name, text)


def nasty(generator):
    """A text of what is near the limits, or told apart with care."""
    letters, digits = string.ascii_letters, string.digits
    japanese = "".join(end for part in JAPANESE.split("-") for end in part)
    pool = generator.choice(
        [
            letters + " ",
            "aA1 ",
            "aAbB12-_'’.  ",
            letters * 2 + digits + " ",
            "ΣΑσβ1\u0301\u0345 אʰ",
            f"ΣA1a\u3099\u309a\u0345{japanese} ",
            "İıiIßẞéÉȺ\u0307 ",
            "\U0001f600\U00010400\U00020000aΣ\0\ufffd\uffff",
            PLANE,
        ]
    )
    size = generator.choice([3, 12, 12, 30])
    return "".join(generator.choice(pool) for _ in range(generator.randint(1, size)))


@pytest.mark.terrier
@pytest.mark.parametrize("name", JAVA)
def test_nasty_texts_are_cut_as_by_terrier(terrier_tokens, name):
    generator = random.Random(name)
    texts = [nasty(generator) for _ in range(20_000)]
    ours = [JAVA[name](text) for text in texts]
    assert len({token for tokens in ours for token in tokens}) > 4_000
    theirs = terrier_tokens(name, " ".join(texts))
    if [token for tokens in ours for token in tokens] != theirs:
        each = zip(texts, ours, strict=True)
        wrong = [(text, got) for text, got in each if got != terrier_tokens(name, text)]
        pytest.fail(f"{len(wrong)} texts are cut otherwise: {wrong[:5]!a}")
