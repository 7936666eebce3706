"""Files that hold, though they look unusual: what the crimes are held against."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from mbp.chain import settle
from mbp.match import Match
from mbp.times import format_time
from tests.vectors import matches
from tests.vectors.changes import Tree
from tests.vectors.crimes_beside import DROPPED, number
from tests.vectors.forging import card_secret, lie, plain_entry
from tests.vectors.players import identity
from tests.vectors.vector import Vector, file_tree, of_bytes, of_tree


def vectors() -> Iterator[Vector]:
    """All of this page."""
    yield from whole()
    yield from left()
    yield from times()
    yield from spellings()


def good(name: str, what: str, tree: Tree, base: str = "short") -> Vector:
    """A vector that holds."""
    return of_tree(f"good-{name}", what, None, "", tree, base=base)


def whole() -> Iterator[Vector]:
    """The good matches themselves, beginnings, and what may stand beside."""
    short, long = matches.short(), matches.long()
    yield good("short", "a match in progress", file_tree(short))
    yield good("long", "a whole match with three piles", file_tree(long), "long")
    yield good("other", "a match without pace", file_tree(matches.other()), "other")
    yield good("invitation", "an invitation alone", file_tree(short.at(0)))
    yield good("accepted", "an invitation and its acceptance", file_tree(short.at(1)))
    yield good("closed-cup", "a scored match whose last cup is closed", file_tree(long.at(95)),
               "long")  # fmt: skip
    secrets: dict[str, Any] = {seat: number(card_secret(long, {"by": seat})) for seat in ("A", "B")}
    yield good("disclosed", "both card secrets after the end", file_tree(long, disclosed=secrets),
               "long")  # fmt: skip
    kept = short.log[4].id
    items = [settle(seat, kept, DROPPED, short.id, identity(seat)) for seat in ("A", "B")]
    yield good("settled", "both players have dropped a history", file_tree(short, settled=items))


def after(match: Match, *steps: tuple[str, str, dict[str, str]]) -> Tree:
    """The file of a match with entries that have no cards: (seat, act, fields)."""
    for seat, act, fields in steps:
        tree = plain_entry(match, "A" if seat == "A" else "B", act, **fields)
        match = matches.extended(match, tree)
    return file_tree(match)


def left() -> Iterator[Vector]:
    """Protocol 9."""
    short, long = matches.short(), matches.long()

    def late(match: Match, days: int) -> dict[str, str]:
        return {"time": format_time(match.position.time + timedelta(days=days, seconds=1))}

    before, offered, scored = short.at(5), short.at(matches.OFFER), long.at(95)
    yield good("resign", "a match that was resigned", after(before, ("B", "resign", {})))
    yield good("agree", "an offer and its agreement", after(offered, ("A", "agree", {})))
    yield good("claim", "a claim one second after the pace", after(
        before, ("A", "claim", late(before, 7))))  # fmt: skip
    yield good("claim-before-begin", "a claim by the guest", after(
        short.at(1), ("B", "claim", late(short.at(1), 7))))  # fmt: skip
    yield good("claim-after-vacation", "a claim that waited for the vacation", after(
        before, ("B", "vacation 4", {}),
        ("A", "claim", {"time": format_time(
            before.position.time + timedelta(days=11, hours=1, seconds=1))})))  # fmt: skip
    yield good("claim-of-cups", "a claim that closes cups", after(
        scored, ("A", "claim", late(scored, 7))), "long")  # fmt: skip
    yield good("vacation-used-up", "9 days of 9 in two parts", after(
        before, ("B", "vacation 4", {}), ("B", "vacation 5", {})))  # fmt: skip


def times() -> Iterator[Vector]:
    """Protocol 2.4."""
    match = matches.short()
    before, act = match.at(4), match.log[5].act
    early = lie(before, act, lambda tree: tree.update(time="2026-11-30T15:45:00Z"))
    yield good("time-back", "a time exactly 15 minutes back",
               file_tree(matches.extended(before, early)))  # fmt: skip
    last = lie(before, act, lambda tree: tree.update(time="9999-12-31T23:59:59Z"))
    yield good("time-9999", "the last second that there is",
               file_tree(matches.extended(before, last)))  # fmt: skip
    long = lie(before, act, lambda tree: tree.update(note=1_000 * "\U0001f642"))
    yield good("note-1000", "a note of 1,000 characters",
               file_tree(matches.extended(before, long)))  # fmt: skip


def spellings() -> Iterator[Vector]:
    """Other ways to write the same tree (10)."""
    top = 'mbp: "1"\n'
    for name, what, edit in (
        ("comment", "comments and an empty line", {"find": top, "put": f"# a\n\n{top}# b\n"}),
        ("plain", "a scalar without quotes", {"find": top, "put": "mbp: 1\n"}),
        ("octal", "a scalar that looks like a number is a string", {
            "find": '  outcome: "open"\n', "put": '  outcome: "open"\n  x: 0o7\n  y: ~\n'}),
        ("document-marks", "a document with its marks", {"find": top, "put": f"---\n{top}"}),
        ("wrapped", "a signature on two lines", {"find": 'nonce: "', "put": 'nonce: "\n   '}),
    ):  # fmt: skip
        yield of_bytes(f"good-yaml-{name}", what, None, "", edit)
