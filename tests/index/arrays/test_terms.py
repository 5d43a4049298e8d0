from bisect import bisect_left

from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.arrays.terms import Terms

WORDS = st.sets(st.text("ab\u00e9\u4e2d\U0001f600", min_size=1, max_size=4), max_size=30)


def by_bytes(words):
    return sorted(words, key=str.encode)


@given(words=WORDS, other=st.text(max_size=4))
def test_a_term_is_found_by_its_name_and_named_by_its_number(words, other):
    names = by_bytes(words)
    terms = Terms.of(names)
    assert len(terms) == len(names)
    assert [terms.name(number) for number in range(len(names))] == names
    assert [terms.find(name) for name in names] == list(range(len(names)))
    assert terms.find(other) == (names.index(other) if other in words else -1)


def test_terms_are_kept(tmp_path):
    for number, names in enumerate(([], ["a", "zoo", "\u00e9t\u00e9"])):
        folder = tmp_path / str(number)
        folder.mkdir()
        Terms.of(names).save(folder)
        kept = Terms.open(folder)
        assert [kept.name(number) for number in range(len(kept))] == names
        assert kept.find("zoo") == bisect_left(names, "zoo") if names else -1
