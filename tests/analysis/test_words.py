import pytest

from pipeline.analysis.wordlists import SHIPPED, shipped


def test_the_lists_that_stages_name_are_shipped():
    assert {"connectives", "hedges", "questions"} <= set(shipped())


@pytest.mark.parametrize("name", shipped())
def test_every_list_says_where_it_is_from_and_holds_each_word_once(name):
    lines = (SHIPPED / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    words = [line for line in lines if not line.startswith("#")]
    assert lines[: len(head)] == head
    assert "Source:" in " ".join(head)
    assert "Licence:" in " ".join(head)
    assert words == [word.strip().lower() for word in words]
    assert len(set(words)) == len(words) > 0
