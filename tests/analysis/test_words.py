import zipfile

import pytest
from pydantic import ValidationError

from pipeline import resources
from pipeline.analysis.wordlists import SHIPPED, read, shipped
from pipeline.index.settings import IndexSettings


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


@pytest.mark.terrier
def test_terriers_stop_words_are_those_of_its_jar():
    with zipfile.ZipFile(resources.home() / resources.TERRIER.file) as jar:
        words = jar.read("stopword-list.txt").decode().split()
    assert list(read(SHIPPED / "terrier.txt")) == words
    assert len(words) == 733


def test_a_list_is_offered_once():
    with pytest.raises(ValidationError) as refused:
        IndexSettings(stopwords="terier")
    assert str(refused.value).count("terrier") == str(refused.value).count("'terrier'") + 1
    assert IndexSettings(stopwords="terrier").stopwords == "terrier"
