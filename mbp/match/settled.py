"""Settlements beside a log: who has signed for which of two histories (protocol 9.6). Pure.

An item names two entries with one `prev`: the one that it keeps and the one that it drops. So it
speaks of two histories that part at just this place, and of no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mbp.chain import Entry

MOST = 20  # items of an opponent that a home keeps; an honest match has one for each slip

Item = Mapping[str, str]


def settlers(log: Sequence[Entry], items: Sequence[Item], other: Sequence[Entry]) -> set[str]:
    """Who has signed that the history `log` stands and `other` is dropped.

    `items` stand beside `log` and were verified.
    """
    return {item["by"] for item in items if speaks_of(item, log, other)}


def speaks_of(item: Item, log: Sequence[Entry], other: Sequence[Entry]) -> bool:
    """Whether an item keeps an entry of `log` and drops the one that `other` has in its place."""
    for kept, dropped in zip(log, other, strict=False):
        if kept.id != dropped.id:  # the first difference: both have one `prev`
            return (kept.id, dropped.id) == (item["keep"], item["drop"])
    return False


def few(items: Sequence[Item], own: str | None) -> tuple[Item, ...]:
    """The items that a home keeps: the first of each seat, but all of the seat `own`.

    An opponent can sign thousands, and fill the file until no entry has room in it any more. Those
    that agree with an own one are kept in any case.
    """
    agreed = {(item["keep"], item["drop"]) for item in items if item["by"] == own}
    counted: Counter[str] = Counter()
    kept = []
    for item in items:
        if (item["keep"], item["drop"]) not in agreed:
            counted[item["by"]] += 1
            if counted[item["by"]] > MOST:
                continue
        kept.append(item)
    return tuple(kept)


def taken_out(before: Sequence[Item], now: Sequence[Item]) -> bool:
    """Whether an item is gone, and not only one of those for which a home has no room (`few`)."""
    left = Counter(item["by"] for item in now)
    return any(item not in now and left[item["by"]] < MOST for item in before)
