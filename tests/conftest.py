"""Fixtures that tests of several layers share."""

import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.append(str(Path(__file__).parent))  # for what several folders of tests import

SHARED = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is not there")
    return SHARED


@pytest.fixture
def ranking() -> pd.DataFrame:
    """Two topics; in each, the retriever put the shorter argument first."""
    return pd.DataFrame(
        [
            ["1", "ban zoos", "short", 9.0, 0],
            ["1", "ban zoos", "long", 5.0, 1],
            ["2", "tax sugar", "short", 3.0, 0],
            ["2", "tax sugar", "long", 1.0, 1],
        ],
        columns=["qid", "query", "docno", "score", "rank"],
    )


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many shards were taken of those that others read, each time that there were others."""
    from pipeline.index.arrays import reading
    from pipeline.index.arrays.shards import Others

    seen: list[int] = []

    class Seen(Others):
        def __exit__(self, *error: object) -> None:
            seen.append(len(self.works))
            super().__exit__(*error)

    monkeypatch.setattr(reading, "Others", Seen)
    return seen


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Quick tests first, then those with Java, on a cluster, with the image."""
    items.sort(
        key=lambda item: [bool(item.get_closest_marker(m)) for m in ("image", "cluster", "terrier")]
    )
