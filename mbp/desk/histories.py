"""Two states of one match: which one stands (protocol 2.5, 4.3, 9.3). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mbp.chain import Entry, Relation, compare
from mbp.match import Match
from mbp.match.verify import TOLERANCE
from mbp.rules.contract import Seat

SPLIT = ("fork", "authors")  # two histories, of which the owner has to choose one


@dataclass(frozen=True)
class Choice:
    """The match that stands, and what the known one (`a`) is to the given one (`b`)."""

    match: Match
    relation: Relation

    @property
    def split(self) -> bool:
        """Whether there are two histories, so that the known one stands until its owner decides."""
        return self.relation.kind in SPLIT


def choose(known: Match, given: Match) -> Choice:
    """The newer of two states of one game; of two histories the known one.

    What stands beside the log is joined, each item checked alone.
    """
    relation = compare(known.log, given.log)
    newer = relation.kind == "older" or relation.counts == "b"
    stands, falls = (given, known) if newer else (known, given)
    joined, _ = stands.with_extras(falls.record)
    # What was known comes first: of what is new there may be too much (`match.settled.few`).
    settled = sorted(joined.settled, key=lambda item: item not in known.settled)
    return Choice(replace(joined, settled=tuple(settled)), relation)


def hold_back(
    given: Match, known: Sequence[Entry], seat: Seat | None, now: datetime
) -> tuple[Match, Entry | None]:
    """The match up to the first new entry that is ahead of the clock, and that entry (2.4).

    What is in the `known` log was seen before and is never held back, nor is an entry of the own
    seat with all before it: whoever forgets what he has signed signs it twice (4.3). An invitation
    stays, for there is no match before it; whoever gets it back as held must not take it.
    """
    pairs = zip(known, given.log, strict=False)
    shared = next((n for n, (a, b) in enumerate(pairs) if a.id != b.id), len(known))
    own = max((n + 1 for n, entry in enumerate(given.log) if entry.by == seat), default=0)
    for number, moment in enumerate(given.moments):
        if number >= max(shared, own) and moment.position.time - now > TOLERANCE:
            return given.at(max(number - 1, 0)), moment.entry
    return given, None


def answers(log: Sequence[Entry], standing: Sequence[Entry], seat: str | None) -> bool:
    """Whether the own seat has signed in a history beside the standing one, behind their split.

    A history that goes on where the standing log ends is another one too. Whoever plays on in the
    standing one would answer one turn twice, and an answer in a second history opens cards of the
    first (protocol 4.3). A claim opens none.
    """
    relation = compare(standing, log)
    behind = {"older": relation.seq, "twins": len(standing)}.get(relation.kind)
    if relation.kind in SPLIT:
        behind = relation.seq
    return behind is not None and any(
        entry.by == seat and entry.verb != "claim" for entry in log[behind:]
    )
