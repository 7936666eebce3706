"""Two states of one match: which one stands (protocol 2.5, 4.3, 9.3). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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


def answered_elsewhere(
    histories: Iterable[Sequence[Entry]], standing: Match, seat: Seat | None
) -> bool:
    """Whether the own seat has signed in a history that splits from the standing one, behind it.

    Whoever plays on in the standing one would answer one turn twice, and an answer in a second
    history opens cards of the first (protocol 4.3). A claim opens none.
    """
    for log in histories:
        relation = compare(standing.log, log)
        if relation.kind in SPLIT and any(
            entry.by == seat and entry.verb != "claim" for entry in log[relation.seq :]
        ):
            return True
    return False


def settled_by(standing: Match, log: Sequence[Entry]) -> set[str]:
    """Who has signed that the standing history stands and this other one is dropped (9.6).

    Every settlement of a `Match` was verified: its `keep` is in the log, its `drop` is not.
    """
    dropped = {entry.id for entry in log}
    return {item["by"] for item in standing.settled if item["drop"] in dropped}
