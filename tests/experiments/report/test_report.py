"""The page as a whole: its numbers, its safety, what is missing from it, what is refused."""

import base64
import hashlib
import json
import re
from math import log2

import pytest

from pipeline.cli import main
from pipeline.errors import InputError
from pipeline.experiments.report import report

IDEAL_1, IDEAL_2 = 2 + 1 / log2(3), 1 + 1 / log2(3)
SECOND = {"1": (1 / log2(3) + 2 / log2(4)) / IDEAL_1, "2": 1 / IDEAL_2}
"""nDCG@5 of the second run, whose rankings are c b a d and b."""


def cells(page, name):
    """The texts of the cells of a row of the leaderboard, by what it is headed with."""
    at = next(
        i for i, one in enumerate(page.all) if one.get("class") == "who" and name in one["text"]
    )
    row = []
    for one in page.all[at:]:
        if one["tag"] == "tr":
            break
        if one["tag"] in ("th", "td"):
            row.append(one)
    return row


def test_runs_by_hand(by_hand, runs, qrels, collection, tmp_path):
    written, notes = report(runs, tmp_path / "page.html", qrels, collection)
    assert [file.name for file in written] == ["page.html", "page.tex"]
    assert notes == []
    page = by_hand.page(written[0])
    data = page.data
    assert data["systems"] == ["first", "second"]
    assert data["columns"][0] == "nDCG@5 zoos"
    assert data["values"][0][0] == [1, 1]
    assert data["values"][1][0] == pytest.approx([SECOND["1"], SECOND["2"]], abs=1e-4)
    mean = (SECOND["1"] + SECOND["2"]) / 2
    scores = [one for one in cells(page, "second") if one.get("class") == "score"]
    assert float(scores[0]["data-v"]) == pytest.approx(mean)
    assert f"{mean:.3f}" in scores[0]["text"]
    share = next(one for one in cells(page, "second") if one.get("class") == "number")
    assert float(share["data-v"]) == (3 / 4 + 1 / 1) / 2  # d is not judged
    bars = [(one["data-t"], one["text"]) for one in page.find("li") if "data-t" in one]
    assert [qid for qid, _ in bars] == ["1", "2"]
    assert bars[0][1].endswith(f"\u2212{1 - SECOND['1']:.3f}")


def test_rankings(by_hand, runs, qrels, collection, tmp_path):
    report(runs, tmp_path / "page.html", qrels, collection)
    data = by_hand.page(tmp_path / "page.html").data
    docnos = [doc[0] for doc in data["docs"]]
    assert docnos == ["a", "b", "c", "d"]
    assert data["topics"] == [
        ["1", by_hand.TOPICS["1"], ""],
        ["2", " ".join(by_hand.TOPICS["2"].split()), ""],
    ]
    assert data["runs"][0] == [[[0, 1, 2], [1, 2, 3], [9, 8, 7]], [[2, 1], [1, 2], [9, 8]]]
    assert data["runs"][1][1] == [[1], [1], [9]]
    assert data["judgements"][0]["grades"] == [{"0": 2, "1": 1, "2": 0}, {"1": 1, "2": 1}]
    for docno, stance, conclusion, text in data["docs"]:
        assert (stance, conclusion, text) == by_hand.DOCUMENTS[docno]


def test_texts_cannot_become_part_of_the_page(by_hand, runs, swept, qrels, collection, tmp_path):
    by_hand.run(runs / "evil" / "run.txt", {"1": "ab", "2": "b"}, "<b>&\"'x")
    report(runs, tmp_path / "page.html", qrels, collection)
    report(swept, tmp_path / "sweep.html")
    for name in ("page.html", "sweep.html"):
        page = by_hand.page(tmp_path / name)
        assert len(page.find("script")) == 2
        assert not page.find("img")
        assert not [key for one in page.all for key in one if key.startswith("on")]
        raw = (tmp_path / name).read_text()
        data = raw[raw.index('id="data">') + 10 :]
        data = data[: data.index("</script>")]
        assert not set("<>&") & set(data)
    assert "<b>&\"'x" in by_hand.page(tmp_path / "page.html").data["systems"]


def test_nothing_is_fetched(by_hand, swept):
    report(swept)
    page = by_hand.page(swept / "report.html")
    text = (swept / "report.html").read_text()
    assert all(one.get("href", "#").startswith(("#", "data:,")) for one in page.all)
    assert not [one for one in page.all if "src" in one]
    assert "url(" not in text
    assert "@import" not in text
    script = page.find("script")[1]["text"]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = page.find("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"]
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_same_input_same_bytes(swept, tmp_path):
    for name in ("a", "b"):
        report(swept, tmp_path / f"{name}.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert (tmp_path / "a.tex").read_bytes() == (tmp_path / "b.tex").read_bytes()


def test_sweep(by_hand, swept):
    report(swept)
    page = by_hand.page(swept / "report.html")
    choice = page.find("div", class_="choice")[0]["text"]
    for said in (
        "tune chose #2",
        "0.900",
        "0.800 to 1.000",
        "0.700",
        "2 folds",
        "0.200 less",
        "Mind the gap.",
    ):
        assert said in choice
    rows = [one["text"] for one in page.find("th", class_="who", scope="row")]
    assert [re.match(r"#\d", row)[0] for row in rows] == ["#2", "#1", "#3", "#4"]
    assert "chosen" in rows[0]
    assert "baseline" in rows[1]
    assert [one["text"] for one in page.find("td", style="--p")] == [
        "0.500",
        "0.375",
        "0.875",
        "0.250",
    ]  # b to the right, k1 downwards
    assert "grid over b, k1, 4 points on default" in page.find("dl", class_="facts")[0]["text"]
    assert "Some Processor, 2 cores, 8 GB" in page.find("dl", class_="facts")[0]["text"]


def test_baseline(by_hand, swept):
    report(swept, baseline="3")
    assert by_hand.page(swept / "report.html").data["baseline"] == "#3"
    with pytest.raises(InputError, match=r"--baseline 9: no such system; there is #1, #2, #3, #4"):
        report(swept, baseline="9")


def test_the_base_is_the_baseline_where_it_is_a_point(by_hand, tmp_path, collection, qrels):
    default = [((0.2, 3.2), {"1": "ab"}, {"1": 0.5, "2": 0.5})]
    out = by_hand.sweep(tmp_path / "tune", collection, qrels, [*by_hand.POINTS, *default])
    report(out)
    assert by_hand.page(out / "report.html").data["baseline"] == "#5"


def test_several_sweeps(by_hand, tmp_path, collection, qrels):
    for name in ("one", "two"):
        out = by_hand.sweep(tmp_path / "all" / name, collection, qrels, by_hand.POINTS, chosen=2)
        about = json.loads((out / "sweep.json").read_text())
        (out / "sweep.json").write_text(json.dumps({**about, "name": name}))
    report(tmp_path / "all")
    page = by_hand.page(tmp_path / "all" / "report.html")
    assert page.data["systems"][:3] == ["one #2", "two #2", "one #1"]
    assert len(page.find("section", id="sweep-")) == 2


def test_points_that_failed_are_left_out(by_hand, tmp_path, collection, qrels):
    points = [*by_hand.POINTS[:3], (by_hand.POINTS[3][0], None, None)]
    out = by_hand.sweep(tmp_path / "tune", collection, qrels, points)
    report(out)
    page = by_hand.page(out / "report.html")
    assert "tune: 3 of 4 points finished" in page.find("div", class_="choice")[0]["text"]
    assert [one["text"] for one in page.find("td", title="no score")] == ["\u2013"]
    assert "1 point not finished" in page.find("section", id="sweep-1")[0]["text"]


def test_no_judgements(by_hand, runs, collection, tmp_path):
    written, notes = report(runs, tmp_path / "page.html", None, collection)
    assert [file.name for file in written] == ["page.html"]
    assert notes[0].startswith("No judgements of these topics were given")
    page = by_hand.page(written[0])
    assert [one["id"] for one in page.find("section")] == ["rankings"]
    assert page.data["judgements"] == []
    assert notes[0] in page.find("div", class_="notes")[0]["text"]


def test_collection_that_is_gone(by_hand, swept, collection):
    collection.rename(collection.with_name("elsewhere"))
    _, notes = report(swept)
    assert notes == [f"Texts are left out: {collection}: no such folder"]
    page = by_hand.page(swept / "report.html")
    assert page.data["docs"] == [["a"], ["b"], ["c"], ["d"]]
    assert page.data["topics"][0][1] == by_hand.TOPICS["1"]


def test_judgements_that_are_gone(by_hand, swept, qrels):
    qrels.unlink()
    _, notes = report(swept)
    assert notes[0].startswith(f"Grades by zoos are left out of the rankings: {qrels}")
    assert by_hand.page(swept / "report.html").data["judgements"] == []


def test_what_is_no_run_is_left_out(runs, qrels, collection, tmp_path):
    (runs / "notes.txt").write_text("nothing\n")
    _, notes = report(runs, tmp_path / "page.html", qrels, collection)
    assert notes == [
        f"Left out: {runs / 'notes.txt'}: no line of a run in it; qid Q0 docno rank score tag expected"
    ]


@pytest.mark.parametrize("name", ["nothing", "missing", "file"])
def test_nothing_to_report(tmp_path, capfd, name):
    (tmp_path / "nothing").mkdir()
    (tmp_path / "nothing" / "page.pdf").touch()
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit) as left:
        main(["report", str(tmp_path / name)])
    assert left.value.code == 2
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"{tmp_path / name}: ")
    assert "expected is the output of a sweep (sweep.json)" in said


@pytest.mark.parametrize(
    "held", ["", "[]", "{}", '{"name": "x", "places": [], "points": [{}], "judgements": []}']
)
def test_broken_sweep(tmp_path, held):
    (tmp_path / "sweep.json").write_text(held)
    with pytest.raises(InputError, match=r"sweep\.json: not "):
        report(tmp_path)


def test_sweep_without_a_finished_point(by_hand, tmp_path, collection, qrels):
    out = by_hand.sweep(tmp_path / "tune", collection, qrels, [((0.1, 1), None, None)])
    with pytest.raises(InputError, match="no point of the sweep is finished; call sweep again"):
        report(out)


def test_verb(swept, tmp_path, capfd):
    main(["report", str(swept), "-o", str(tmp_path / "new" / "page.html")])
    said = capfd.readouterr()
    assert said.out.split() == [
        str(tmp_path / "new" / "page.html"),
        str(tmp_path / "new" / "page.tex"),
    ]
    assert said.err == ""


def test_latex(swept):
    report(swept)
    table = (swept / "report.tex").read_text()
    begun, ended = re.findall(r"\\begin{(\w+)}", table), re.findall(r"\\end{(\w+)}", table)
    assert begun == ended == ["tabular"]
    rows = [
        line for line in table.splitlines() if line.endswith(r"\\") and not line.startswith("%")
    ]
    columns = len(re.search(r"\\begin{tabular}{(\w+)}", table)[1])
    assert all(
        sum(int(n) for n in re.findall(r"\\multicolumn{(\d+)}", row))
        + len(re.sub(r"\\multicolumn{\d+}.*?}{.*?}", "x", row).split("&"))
        - len(re.findall(r"\\multicolumn", row))
        == columns
        for row in rows
    )
    assert r"\#1 (b 0.1, k1 1) & 0.5000" in table
    assert "3 comparisons" in table


def test_size(by_hand, tmp_path):
    """Fifty topics, ten systems that agree on nothing, long texts: well below 5 MB."""
    folder, texts = (
        tmp_path / "in",
        ["Ein \u00e4rgerlich langer Text. " * n for n in range(200, 700)],
    )
    folder.mkdir()
    arguments = [
        {
            "id": f"d{n:05}",
            "conclusion": f"Number {n}",
            "premises": [{"text": texts[n % 500], "stance": "PRO"}],
        }
        for n in range(5000)
    ]
    (folder / "debates.json").write_text(json.dumps({"arguments": arguments}))
    for system in range(10):
        rankings = {
            str(topic): [f"d{(topic * 100 + system * 10 + rank):05}" for rank in range(10)]
            for topic in range(50)
        }
        by_hand.run(tmp_path / "runs" / f"s{system}.txt", rankings, f"s{system}")
    rows = "".join(
        f"{topic} 0 d{topic * 100 + doc:05} {doc % 3}\n"
        for topic in range(50)
        for doc in range(0, 100, 2)
    )
    (tmp_path / "zoos.qrels").write_text(rows)
    report(tmp_path / "runs", tmp_path / "page.html", tmp_path / "zoos.qrels", folder)
    size = (tmp_path / "page.html").stat().st_size
    assert 3_500_000 < size < 4_600_000
    data = by_hand.page(tmp_path / "page.html").data
    assert len(data["docs"]) == 5000
    assert re.fullmatch(
        r"Texts are cut after [\d,]+ characters; 5,000 of 5,000 are longer\.", data["cut"]
    )
    longest = max(len(doc[3]) for doc in data["docs"])
    assert (
        longest == int(re.search(r"after ([\d,]+)", data["cut"])[1].replace(",", "")) + 1
    )  # an ellipsis
