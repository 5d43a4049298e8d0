import pytest

from pipeline.errors import InputError
from pipeline.evaluation.names import SOME, Measure, parse


@pytest.mark.parametrize(
    ("given", "name", "cutoff"),
    [
        ("nDCG@5", "nDCG@5", 5),
        (" NDCG@10 ", "nDCG@10", 10),
        ("nDCG_organisers@5", "nDCG_organisers@5", 5),
        ("nDCG_condensed@20", "nDCG_condensed@20", 20),
        ("P(rel=2)@10", "P(rel=2)@10", 10),
        ("MAP", "AP", None),
        ("AP@100", "AP@100", 100),
        ("RR", "RR", None),
        ("IPrec@0.1", "IPrec@0.1", None),
        ("Judged@5", "Judged@5", 5),
        ("nDCG(judged_only=True)@5", "nDCG(judged_only=True)@5", 5),
        ("Compat(p=0.8)", "Compat(p=0.8)", None),
    ],
)
def test_measures(given, name, cutoff):
    assert parse(given) == Measure(name, cutoff)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("ndcg@5", "nDCG@5"),
        ("nDGC@5", "nDCG@5"),
        ("ndcg_cut_10", "nDCG@10"),
        ("map", "AP"),
        ("p@10", "P@10"),
        ("precison@10", "P@10"),
        ("nDCG_organizers@5", "nDCG_organisers@5"),
        ("ndcg_condensd@5", "nDCG_condensed@5"),
    ],
)
def test_what_was_meant(given, meant):
    with pytest.raises(InputError) as caught:
        parse(given)
    line = f"no measure {given!r}, did you mean {meant!r}?; there is {SOME} and more"
    assert caught.value.lines == (line,)
    assert parse(meant).name == meant


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("xyz", f"no measure 'xyz'; there is {SOME} and more"),
        ("", "no measure ''; one looks like P@10, P(rel=2)@10, IPrec@0.1 or AP"),
        ("P", "no measure 'P'; one looks like P@10, P(rel=2)@10, IPrec@0.1 or AP"),
        ("nDCG@x", "no measure 'nDCG@x'; one looks like P@10, P(rel=2)@10, IPrec@0.1 or AP"),
        ("P(a=1)@5", "no measure 'P(a=1)@5'; one looks like P@10, P(rel=2)@10, IPrec@0.1 or AP"),
        ("a b", "no measure 'a b'; one looks like P@10, P(rel=2)@10, IPrec@0.1 or AP"),
        ("nDCG@0", "no measure 'nDCG@0'; a cutoff is at least 1"),
        (
            "nDCG_organisers",
            "no measure 'nDCG_organisers'; it takes a cutoff, as in nDCG_organisers@5",
        ),
        (
            "nDCG_condensed@0",
            "no measure 'nDCG_condensed@0'; it takes a cutoff, as in nDCG_organisers@5",
        ),
    ],
)
def test_what_is_none(given, line):
    with pytest.raises(InputError) as caught:
        parse(given)
    assert caught.value.lines == (line,)


def test_what_nothing_computes():
    with pytest.raises(InputError, match="'Accuracy@5': nothing here computes it; there is nDCG@5"):
        parse("Accuracy@5")


def test_what_needs_another_library():
    try:
        import pyndeval  # noqa: F401
    except ImportError:
        with pytest.raises(
            InputError, match="it needs pyndeval, which is not here; there is nDCG@5"
        ):
            parse("alpha_nDCG@5")
