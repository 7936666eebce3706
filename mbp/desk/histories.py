"""Two states of one match: which one stands (protocol 2.5, 4.3, 9.3). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mbp.chain import Entry, Relation, compare
from mbp.match import Match
from mbp.match.verify import TOLERANCE


@dataclass(frozen=True)
class Choice:
    """The match that stands, and what the known one (`a`) is to the given one (`b`)."""

    match: Match
    relation: Relation

    @property
    def split(self) -> bool:
        """Whether there are two histories, so that the known one stands until its owner decides."""
        return self.relation.kind in ("fork", "authors")


def choose(known: Match, given: Match) -> Choice:
    """The newer of two states of one game; of two histories the known one.

    What stands beside the log is joined, each item checked alone.
    """
    relation = compare(known.log, given.log)
    newer = relation.kind == "older" or relation.counts == "b"
    stands, falls = (given, known) if newer else (known, given)
    joined, _ = stands.with_extras(falls.record)
    return Choice(joined, relation)


def hold_back(given: Match, known: int, now: datetime) -> tuple[Match, Entry | None]:
    """The match up to the first new entry that is ahead of the clock, and that entry (2.4).

    `known` entries were seen before and are never held back. An invitation stays, for there is no
    match before it; whoever gets it back as held must not take it.
    """
    for number, moment in enumerate(given.moments):
        if number >= known and moment.position.time - now > TOLERANCE:
            return given.at(max(number - 1, 0)), moment.entry
    return given, None


def answers_dropped(known: Match, seq: int, key: bytes) -> bool:
    """Whether the own key has signed anything in a history from entry `seq` on.

    Whoever drops such a history and plays on would answer one turn twice, and an answer in a second
    history opens cards of the first (protocol 4.3). A claim opens none.
    """
    seat = known.seat_of(key)
    return any(entry.by == seat and entry.verb != "claim" for entry in known.log[seq:])
