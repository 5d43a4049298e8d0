"""Some topics out of many, as a sweep names them: ``1-25, 30``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


class Topics(str):
    """Topics by their ids and by ranges of numbers, from and to included; empty: all topics."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, __: GetCoreSchemaHandler) -> CoreSchema:
        read = core_schema.no_info_after_validator_function(_topics, core_schema.str_schema())
        return core_schema.no_info_before_validator_function(_text, read)

    def of(self, qids: Iterable[str]) -> list[str]:
        """Those of ``qids`` that are named here, in their order; all where nothing is named."""
        if not self:
            return list(qids)
        ids, ranges = self._parts()
        return [
            qid
            for qid in qids
            if qid in ids
            or (qid.isdecimal() and any(low <= int(qid) <= high for low, high in ranges))
        ]

    def unknown(self, qids: Iterable[str]) -> list[str]:
        """What names nothing of ``qids``: ids and ranges, as written."""
        known = list(qids)
        return [part for part in self._written() if not Topics(part).of(known)]

    def meet(self, other: Topics) -> bool:
        """Whether some topic may be named by both."""
        if not self or not other:
            return True
        (ids, ranges), (other_ids, other_ranges) = self._parts(), other._parts()
        return bool(
            other.of(ids)
            or self.of(other_ids)
            or any(a <= d and c <= b for a, b in ranges for c, d in other_ranges)
        )

    def _written(self) -> list[str]:
        return [part for part in re.split(r"[,\s]+", self) if part]

    def _parts(self) -> tuple[list[str], list[tuple[int, int]]]:
        """Ids, and the two ends of ranges."""
        ranges = {part: _RANGE.fullmatch(part) for part in self._written()}
        return (
            [part for part, found in ranges.items() if not found],
            [(int(found[1]), int(found[2])) for found in ranges.values() if found],
        )


_RANGE = re.compile(r"([0-9]+)-([0-9]+)")


def _text(given: Any) -> Any:
    """A single number is an id, too, and a list is what it lists."""
    if isinstance(given, list) and given and all(isinstance(part, (int, str)) for part in given):
        return ", ".join(map(str, given))
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


def _topics(text: str) -> Topics:
    topics = Topics(re.sub(r"\s*-\s*", "-", text))
    for low, high in topics._parts()[1]:
        if low > high:
            raise ValueError(f"{low}-{high} ends before it begins")
    return topics
