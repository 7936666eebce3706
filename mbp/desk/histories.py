"""Two states of one match: which one stands (protocol 2.5, 4.3, 9.3). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mbp.chain import Entry, Relation, compare
from mbp.match import Match
from mbp.match.verify import TOLERANCE
from mbp.rules.contract import Seat

MOST_SETTLEMENTS = 20  # of each seat; an honest match has one for each slip
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


def answered_elsewhere(
    histories: Iterable[Sequence[Entry]], standing: Sequence[Entry], seat: str | None
) -> bool:
    """Whether the own seat has signed in another history than the standing log, behind their split.

    A history that goes on where the standing log ends is another one too. Whoever plays on in the
    standing one would answer one turn twice, and an answer in a second history opens cards of the
    first (protocol 4.3). A claim opens none.
    """
    for log in histories:
        relation = compare(standing, log)
        if relation.kind in (*SPLIT, "older") and any(
            entry.by == seat and entry.verb != "claim" for entry in log[relation.seq :]
        ):
            return True
    return False


def with_few_settlements(match: Match) -> Match:
    """The match with the first settlements of each seat only: an opponent can sign thousands.

    He could fill a file with them until there is no room for an own entry any more.
    """
    kept: list[Mapping[str, str]] = []
    for item in match.settled:
        if sum(one["by"] == item["by"] for one in kept) < MOST_SETTLEMENTS:
            kept.append(item)
    return match if len(kept) == len(match.settled) else replace(match, settled=tuple(kept))


def settled_by(standing: Match, log: Sequence[Entry]) -> set[str]:
    """Who has signed that the standing history stands and this other one is dropped (9.6).

    Every settlement of a `Match` was verified: its `keep` is in the log, its `drop` is not.
    """
    dropped = {entry.id for entry in log}
    return {item["by"] for item in standing.settled if item["drop"] in dropped}
