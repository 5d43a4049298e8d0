import pytest

from pipeline.collection.releases import RELEASES, differences, release_of

PORTALS = {
    "debateorg.json": 338_620,
    "debatepedia.json": 21_197,
    "debatewise.json": 14_353,
    "idebate.json": 13_522,
    "parliamentary.json": 48,
}


def test_published_totals():
    totals = {release.name: sum(release.arguments.values()) for release in RELEASES}
    assert totals == {"1.0": 387_692, "1.0-cleaned": 382_545, "2020-04-01": 387_740}


@pytest.mark.parametrize(
    "arguments",
    [
        PORTALS,
        {f"{name}.gz": number for name, number in PORTALS.items()},
        {"args-me.json": 387_692},
        {"args-me-1.0-cleaned.json": 382_545},
        {"mine.json": 400_000},
        {"debateorg.json": 400, "debatewise.json": 20},
    ],
)
def test_nothing_to_say_of_a_whole_release_other_files_or_a_sample(arguments):
    assert differences(arguments) == []


def test_other_counts_and_missing_files_are_named():
    arguments = {**PORTALS, "debatewise.json": 14_000, "more.json": 5}
    del arguments["parliamentary.json"]
    assert differences(arguments) == [
        "this is not args.me 2020-04-01 as published: "
        "debatewise.json has 14,000 of 14,353, parliamentary.json is not there"
    ]


def test_release_of_files():
    assert release_of(PORTALS, 387_740) == "args.me 2020-04-01"
    assert release_of(["args-me.json.gz"], 387_692) == "args.me 1.0"
    assert release_of(["args-me.json"], 387_691) == ""
    assert release_of(["debateorg.json"], 387_740) == ""
