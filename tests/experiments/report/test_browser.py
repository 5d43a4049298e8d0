"""The page in a real browser: what the script does, by mouse and by keyboard."""

import re

import pytest

from pipeline.experiments.report import report


@pytest.fixture
def browser(browser, swept):
    """With the page of the small sweep open."""
    report(swept)
    browser.url = f"file://{swept / 'report.html'}"
    browser.resize(1280, 1000)
    browser.open(browser.url)
    return browser


def docs(browser, side):
    return browser.run(f"[...document.querySelectorAll('.side')][{side}].innerText")


def test_first_sight(browser):
    assert browser.run("document.title") == "tune"
    assert [one.split("\n")[0] for one in browser.texts(".doc .rank")] == ["1", "2", "3", "4"] * 2
    left, right = docs(browser, 0), docs(browser, 1)
    assert left.startswith("#1 (b 0.1, k1 1)")
    assert right.startswith("#2 (b 0.1, k1 2)")
    assert browser.texts(".side:first-child .moved") == ["\u25bc\u20091", "\u25b2\u20091", "=", "="]
    assert browser.texts(".side:last-of-type .moved") == [
        "\u25b2\u20091",
        "\u25bc\u20091",
        "=",
        "=",
    ]
    assert browser.texts(".side:first-child .grade") == [
        "grade 2",
        "grade 1",
        "grade 0",
        "not judged",
    ]
    assert browser.texts(".side:first-child .stance") == ["PRO", "CON", "PRO", "CON"]
    assert browser.run("document.querySelectorAll('.moves path').length") == 4
    assert [line for line in browser.log() if line["level"] == "SEVERE"] == []


def test_texts_stay_texts(browser, by_hand):
    assert by_hand.EVIL in docs(browser, 0)
    browser.choose("#topic", "2")
    assert by_hand.EVIL in browser.run("document.getElementById('shown-topic').innerText")
    assert browser.run("document.title") == "tune"
    assert browser.run("document.querySelectorAll('img').length") == 0
    assert browser.run("document.scripts.length") == 2


def test_address(browser):
    browser.open(f"{browser.url}#t=2&a=%233&b=%234")
    assert browser.run("document.getElementById('topic').value") == "2"
    assert docs(browser, 0).startswith("#3")
    assert "\u2715 gone" in docs(browser, 0)
    assert "\u2605 new" in docs(browser, 1)
    browser.choose("#left", "#1")
    assert browser.run("location.hash") == "#t=2&a=%231&b=%234"


def test_arrow_keys(browser):
    browser.run("document.getElementById('rankings').scrollIntoView()")
    browser.press("right")
    assert browser.run("document.getElementById('topic').value") == "2"
    assert browser.run("document.getElementById('after').disabled")
    browser.press("right")
    assert browser.run("document.getElementById('topic').value") == "2"
    browser.press("left")
    assert browser.run("document.getElementById('topic').value") == "1"


def test_bars_by_keyboard(browser):
    assert browser.texts("#bars .n") == ["2", "1"]
    browser.run("document.querySelector('#bars a').focus()")
    assert browser.run("[...document.querySelectorAll('#bars a')].map(a => a.tabIndex)") == [0, -1]
    browser.press("down")
    assert browser.run("document.activeElement.innerText").startswith("1")
    browser.press("enter")
    assert browser.run("document.getElementById('topic').value") == "1"
    assert browser.run("document.activeElement.id") == "topic"


def test_bars_of_another_system(browser):
    browser.choose("#bars-system", "#4")
    assert browser.texts("#bars .n") == ["2", "1"]
    assert browser.texts("#bars .d") == ["0.000", "\u22120.500"]
    assert browser.texts("#bars-better, #bars-equal, #bars-worse") == ["0", "1", "1"]
    assert "#4 (b 0.4, k1 2)" in browser.texts("#bars-name")
    assert "against #1 on 2 topics" in browser.texts("#bars-said")[0]


def test_sorting(browser):
    names = "tbody .who a"
    assert browser.texts(f"#board {names}") == ["#2", "#1", "#3", "#4"]
    sort = "document.querySelectorAll('#board thead button')[{}].click()"
    browser.run(sort.format(0))
    assert browser.texts(f"#board {names}") == ["#1", "#2", "#3", "#4"]
    browser.run(sort.format(1))
    assert browser.texts(f"#board {names}") == ["#3", "#4", "#1", "#2"]
    assert (
        browser.run("document.querySelectorAll('#board thead th')[1].getAttribute('aria-sort')")
        == "descending"
    )
    browser.run(sort.format(1))
    assert browser.texts(f"#board {names}") == ["#1", "#2", "#3", "#4"]


def test_more_of_a_text(browser):
    more = "document.querySelector('.doc .more')"
    before = browser.run("document.querySelector('.doc').offsetHeight")
    browser.run(f"{more}.focus()")
    browser.press("enter")
    assert browser.run(f"{more}.getAttribute('aria-expanded')") == "true"
    assert browser.run("document.querySelector('.doc').offsetHeight") > before
    assert browser.texts(".doc .more")[0] == "less"


def test_everything_is_reached_by_tab(browser):
    browser.run("document.body.focus()")
    seen = []
    for _ in range(60):
        browser.press("tab")
        seen.append(
            browser.run(
                "document.activeElement.id || document.activeElement.className || document.activeElement.tagName"
            )
        )
    for wanted in ("skip", "scroll", "bars-system", "topic", "left", "right", "after", "more"):
        assert wanted in seen


@pytest.mark.parametrize("width", [320, 390, 768])
def test_no_page_is_wider_than_its_screen(browser, width):
    browser.resize(width, 800)
    browser.open(browser.url)
    assert browser.run("document.documentElement.scrollWidth") == width


def test_slices_of_three_axes(browser, by_hand, tmp_path, collection, qrels):
    points = [
        ((a, b, c), {"1": "abcd"}, {"1": a + b + c, "2": a})
        for a in (0.1, 0.2) for b in (0.1, 0.2, 0.3) for c in (0.0, 0.1)
    ]  # fmt: skip
    out = by_hand.sweep(
        tmp_path / "tune", collection, qrels, points, chosen=1, places=("x.a", "x.b", "x.c")
    )
    report(out)
    browser.open(f"file://{out / 'report.html'}")
    shown = "[...document.querySelectorAll('.figure:not([hidden])')].filter(f => f.querySelector('.heat')).map(f => f.dataset.axes + ' ' + f.dataset.rest)"
    assert browser.run(shown) == ["0-1 2:0"]
    browser.choose("[data-axis='2'] select", "1")
    assert browser.run(shown) == ["0-1 2:1"]
    browser.choose("[data-part='axes']", "1-2")
    assert browser.run(shown) == ["1-2 0:0"]
    assert browser.run("[...document.querySelectorAll('[data-axis]')].map(l => l.hidden)") == [
        False,
        True,
        True,
    ]


def test_long_boards_are_folded(browser, by_hand, tmp_path, collection, qrels):
    points = [((n, 1), {"1": "abcd"}, {"1": n / 40, "2": 0.5}) for n in range(40)]
    out = by_hand.sweep(tmp_path / "tune", collection, qrels, points, chosen=3)
    report(out)
    browser.open(f"file://{out / 'report.html'}")
    rows = "[...document.querySelectorAll('#board tbody tr')].filter(r => !r.hidden).length"
    assert browser.run(rows) == 17  # fifteen, the chosen one and the baseline
    browser.run("document.querySelector('[data-more]').click()")
    assert browser.run(rows) == 40
    assert browser.texts("[data-more]") == ["Only the first 15"]


def test_print(browser):
    held = browser.pdf()
    assert held.startswith(b"%PDF")
    assert 3 <= len(re.findall(rb"/Type\s*/Page\b", held)) <= 8
