from pathlib import Path

import pytest

from pipeline.collection.topics import Topic, find, frame, read, read_all
from pipeline.errors import InputError


@pytest.fixture
def given(tmp_path):
    """Writes a file of topics."""

    def write(content: str | bytes, name: str = "topics.xml") -> Path:
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


def problems(file: Path) -> list[str]:
    with pytest.raises(InputError) as raised:
        read(file)
    return [line.replace(f"{file}", file.name) for line in raised.value.lines]


def xml(*topics: str) -> str:
    """A file with a topic a line, the first one in line 2."""
    return "\n".join(["<topics>", *(f"<topic>{topic}</topic>" for topic in topics), "</topics>"])


ZOOS = "<number>2</number><title>Close zoos?</title>"


def test_all_parts_in_any_order_with_padding(given):
    file = given(
        xml(
            "\n<narrative>\n Says why.\n</narrative>\n<title>\n\tBan \n bags?\n</title>"
            "<objects>bag</objects><description>A shopper\nasks.</description><number> 7 </number>"
        )
    )
    assert read(file) == [Topic("7", "Ban bags?", "A shopper asks.", "Says why.")]


@pytest.mark.parametrize(
    "topic",
    ["<num>7</num><title>Bags?</title>", "<title>Bags?</title><number>7</number>"],
)
def test_number_or_num(given, topic):
    assert read(given(xml(topic))) == [Topic("7", "Bags?")]


def test_the_number_as_an_attribute_and_the_texts_of_tirex(given):
    file = given(
        '<topics ir-datasets-id="x"><topic number="7"><query>Bags?</query><original_query>'
        "<query_id>7</query_id><title>Bags, or not?</title><description>Who asks.</description>"
        "</original_query></topic></topics>"
    )
    assert read(file) == [Topic("7", "Bags?", "Who asks.")]


def test_file_order_is_kept(given):
    topics = read(given(xml(*(f"<num>{n}</num><title>t</title>" for n in (10, 9, 1)))))
    assert [topic.number for topic in topics] == ["10", "9", "1"]


def test_text_is_text(given):
    title = "Cats &amp; <![CDATA[<dogs>]]><!-- no --> un<b>believ</b>able"
    file = given(xml(f"<num>1</num><title>{title}</title>"))
    assert read(file)[0].title == "Cats & <dogs> unbelievable"


def test_a_byte_order_mark_and_other_declared_encodings(given):
    assert read(given("\ufeff" + xml(ZOOS))) == [Topic("2", "Close zoos?")]
    latin = '<?xml version="1.0" encoding="ISO-8859-1"?>' + xml("<num>1</num><title>Café</title>")
    assert read(given(latin.encode("latin-1"))) == [Topic("1", "Café")]


def test_queries_in_the_spellings_that_exist(given):
    file = given(
        '{"qid": 1, "query": "Close  zoos?", "original_query": {"title": "x", "narrative": "n"}}\n'
        "\n"
        '{"query_id": "b", "text": "Ban bags?", "unknown": [1]}\r\n'
        '{"number": "7", "title": "Helmets?", "description": " d ", "narrative": null}',
        "queries.jsonl",
    )
    assert read(file) == [
        Topic("1", "Close zoos?", "", "n"),
        Topic("b", "Ban bags?"),
        Topic("7", "Helmets?", "d"),
    ]


def test_every_problem_of_a_file_with_its_line(given):
    file = given(
        xml(
            "<title>Bags?</title>",
            "<number>1</number>",
            "<number>2 3</number><title>Zoos?</title>",
            "<number>5</number><title>Helmets?</title>",
            "<number>5</number><title>Homework?</title>",
            "<number>6</number><num>8</num><title>Uniforms?</title>",
        )
    )
    assert problems(file) == [
        "topics.xml:2: a topic with the title 'Bags?' has no number, one expected",
        "topics.xml:3: topic 1 has no title, one expected",
        "topics.xml:4: topic number '2 3' is not one word, one word expected",
        "topics.xml:6: topic 5 is there twice, first in line 5",
        "topics.xml:7: a topic has the numbers 6 and 8, one expected",
    ]


def test_every_problem_of_queries_with_its_line(given):
    file = given(
        b'{"qid": 1, "query": 5}\n{"qid": true, "query": "a"}\n{"qid": 1\n[1]\n'
        b'{"qid": 1, "query": "caf\xe9"}\n{"query": "a"}\n',
        "queries.jsonl",
    )
    assert problems(file) == [
        "queries.jsonl:1: not a query: Expected str, got int - at $.query",
        "queries.jsonl:2: not a query: Expected int | str, got bool - at $.qid",
        "queries.jsonl:3: not a query: Input data was truncated",
        "queries.jsonl:4: not a query: Expected object, got array",
        "queries.jsonl:5: not UTF-8",
        "queries.jsonl:6: a topic with the title 'a' has no number, one expected",
    ]


def test_many_problems_are_counted(given):
    found = problems(given(xml(*["<number>1</number>"] * 12)))
    assert found[0] == "topics.xml:2: topic 1 has no title, one expected"
    assert len(found) == 10 + 1
    assert found[-1] == "topics.xml: 2 more problems"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ": the file is empty"),
        (" \n", ": the file is empty"),
        ("<topics></topics>", ": no topics in it"),
        ("<topics>\n<topic>", ":2: not well-formed XML: Premature end of data"),
        ("<topics>\n<topic></topics>", ":2: not well-formed XML: Opening and ending tag"),
        (b"<topics>\n<topic><title>\xff</title>", ":2: not well-formed XML: Invalid bytes"),
        ("<topics>\0</topics>", ":1: not well-formed XML: Invalid character"),
        (xml("<num>1</num><title>&nbsp;</title>"), ":2: not well-formed XML: Entity 'nbsp'"),
        ("not xml", ":1: not well-formed XML: Start tag expected"),
    ],
)  # fmt: skip
def test_broken_files(given, content, words):
    found = problems(given(content))
    assert len(found) == 1
    assert "\n" not in found[0]
    assert found[0].startswith(f"topics.xml{words}")


def bomb(levels: int) -> str:
    """Entities that end in 10 to the ``levels`` words."""
    entities = (f'<!ENTITY x{n} "{f"&x{n - 1};" * 10}">' for n in range(1, levels))
    return f'<!ENTITY x0 "ha">{"".join(entities)}<!ENTITY x "{f"&x{levels - 1};" * 10}">'


@pytest.mark.parametrize(
    "subset",
    [
        bomb(9),
        bomb(60),
        '<!ENTITY x SYSTEM "file:///etc/hostname">',
        '<!ENTITY x SYSTEM "http://127.0.0.1:9/x">',
        '<!ENTITY % y SYSTEM "file:///etc/hostname"> %y; <!ENTITY x "z">',
    ],
    ids=["bomb", "deep bomb", "file", "address", "parameter"],
)
@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16"])
def test_entities_are_refused(given, subset, encoding):
    start = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE topics [{subset}]>'
    text = start + xml("<num>1</num><title>&x;</title>")
    [found] = problems(given(text.encode(encoding)))
    refused = "topics.xml:1: a DOCTYPE with entities is never read, text expected"
    assert found == refused or found.startswith("topics.xml:1: not well-formed XML: Maximum entity")


def test_an_attribute_with_entities_is_refused(given):
    file = given('<!DOCTYPE t [<!ENTITY a "1">]><topics><topic number="&a;"/></topics>')
    assert problems(file) == ["topics.xml:1: a DOCTYPE with entities is never read, text expected"]


def test_an_external_document_type_is_not_fetched(given, tmp_path):
    (tmp_path / "t.dtd").write_text('<!ENTITY x "from outside">')
    start = f'<!DOCTYPE topics SYSTEM "{tmp_path / "t.dtd"}">\n'
    assert read(given(start + xml(ZOOS))) == [Topic("2", "Close zoos?")]
    file = given(start + xml("<num>1</num><title>&x;</title>"))
    assert "topics.xml:3: unknown entity &x;, text expected" in problems(file)


def test_a_huge_tree_is_refused(given):
    [found] = problems(given(xml(f"<num>1</num><title>{'x' * 10_500_000}</title>")))
    assert found.startswith("topics.xml:2: not well-formed XML: ")


def test_find_prefers_topics_xml(tmp_path):
    (tmp_path / "queries.jsonl").touch()
    assert find(tmp_path) == tmp_path / "queries.jsonl"
    (tmp_path / "topics.xml").touch()
    assert find(tmp_path) == tmp_path / "topics.xml"


def test_a_folder_without_topics_says_what_it_holds(tmp_path):
    with pytest.raises(InputError) as raised:
        find(tmp_path)
    nothing = "no topics.xml or queries.jsonl; the folder holds"
    assert raised.value.lines == (f"{tmp_path}: {nothing} nothing",)
    for name in ("debatewise.json", "debateorg.json"):
        (tmp_path / name).touch()
    with pytest.raises(InputError) as raised:
        find(tmp_path)
    assert raised.value.lines == (f"{tmp_path}: {nothing} debateorg.json, debatewise.json",)
    for n in range(10):
        (tmp_path / f"{n}.txt").touch()
    with pytest.raises(InputError, match=r"9\.txt, 2 more$"):
        find(tmp_path)


@pytest.mark.parametrize("call", [find, read])
def test_what_is_not_there(tmp_path, call):
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        call(tmp_path / "absent")


def test_frame_starts_a_pipeline():
    queries = frame([Topic("1", "Bags?", "d", "n"), Topic("2", "Zoos?")])
    assert list(queries.columns) == ["qid", "query", "title", "description", "narrative"]
    assert queries.to_numpy().tolist() == [
        ["1", "Bags?", "Bags?", "d", "n"],
        ["2", "Zoos?", "Zoos?", "", ""],
    ]
    assert frame([]).dtypes.astype(str).tolist() == ["str"] * 5


@pytest.mark.parametrize(
    ("file", "number", "first"),
    [
        ("argsme-mini/topics.xml", 49, "Should teachers get tenure?"),
        ("touche-2020/topics-automatic-runs-task-1.xml", 50, "Should Teachers Get Tenure?"),
        ("touche-2021/topics.xml", 50, "Do we need sex education in schools?"),
        ("touche-2020-task2/topics-task-2.xml", 50, "What is the difference between sex and love?"),
        ("touche-2023-images/sample/queries.jsonl", 2, "Are social networking sites good for our"),
    ],
)
def test_official_topics(shared, file, number, first):
    topics = read(shared / file)
    assert len(topics) == number
    assert topics[0].title.startswith(first)
    if file.startswith("argsme"):
        assert topics[0].description.startswith("A user has heard that some countries do")
        assert topics[0].narrative.endswith("the situation of teachers' financial independence.")


def test_several_files_are_one_list(tmp_path):
    topic = "<topic><number>{}</number><title>{}</title></topic>"
    first, second, third = (tmp_path / f"{number}.xml" for number in "123")
    for file, numbers in ((first, "21"), (second, "13")):
        rows = "".join(topic.format(number, f"title {number}") for number in numbers)
        file.write_text(f"<topics>{rows}</topics>")
    assert [t.number for t in read_all([first, second])] == ["2", "1", "3"]
    third.write_text(f"<topics>{topic.format(1, 'zoos')}</topics>")
    with pytest.raises(InputError, match=r"3.xml: topic 1 is 'zoos', and in .*1.xml it is 'title"):
        read_all([first, third])
