"""A match of Patterns between Anna and Bert, in all its states and with second histories.

It has no hidden cards, so that it costs no proofs: for what is about histories, not about cards.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from itertools import count

from mbp import gamefile
from mbp.chain import settle
from mbp.match import Match
from mbp.rules import GAMES
from mbp.rules.contract import Seat
from tests.duel import START, Duel, file_of, identity_of

LONG = 14  # entries


class Tiles:
    """One match: `upto` its first entries, `fork` another history of it."""

    def __init__(self, label: str = "tiles") -> None:
        options = {"start": "inviter", "pace": "7", "vacation": "9"}
        for number in count():  # now and then a match is over sooner
            self.duel = Duel(f"{label} {number}", options, game=GAMES["patterns"])
            self.duel.time = START.replace(year=2020)  # long ago, whatever the clock here says
            match = self.duel.begun()
            while match.pen is not None and len(match.log) < LONG:
                match = self.duel.step(match)
            if match.pen is not None:
                break
        self.whole = match

    def upto(self, number: int) -> Match:
        """The first entries."""
        return self.whole.at(number - 1)

    def fork(self, start: int, more: int = 0) -> Match:
        """The first `start` entries, another one by the same player, and `more` behind it."""
        before, act = self.upto(start), self.whole.log[start].act
        other = next(text for text in self.duel.texts(before) if text != act)
        match = self.duel.play(before, other)
        for _ in range(more):
            match = self.duel.step(match)
        return match

    def twin(self, start: int, note: str) -> Match:
        """The first `start` entries, and entry `start` once more, in other words."""
        before, entry = self.upto(start), self.whole.log[start]
        return before.played(entry.by, entry.act, self.duel.pen(entry.by), note)

    def author(self, seq: int) -> Seat:
        """Who wrote an entry."""
        return self.whole.log[seq].by

    def first_by(self, seat: Seat, start: int = 5) -> int:
        """The first entry from `start` on that this player wrote."""
        return next(n for n in range(start, LONG) if self.author(n) == seat)


def settled(kept: Match, dropped: Match, *seats: Seat) -> Match:
    """The first history, with the signatures of these players that the second one is dropped."""
    logs = zip(kept.log, dropped.log, strict=False)
    keep, drop = next((a.id, b.id) for a, b in logs if a.id != b.id)
    for seat in seats:
        key = identity_of(kept.players[seat].name)
        kept = kept.with_settled(settle(seat, keep, drop, kept.id, key))
    return kept


def many_settled(match: Match, seat: Seat, label: str, many: int) -> bytes:
    """A game file with so many settlements of one player, each of which holds."""
    key = identity_of(match.players[seat].name)
    drops = [sha256(f"{label} {number}".encode()).hexdigest() for number in range(many)]
    items = tuple(settle(seat, match.log[3].id, drop, match.id, key) for drop in drops)
    return gamefile.dump(replace(match.record, settled=items))


def files(*matches: Match) -> list[bytes]:
    """Their game files."""
    return [file_of(match) for match in matches]


def evidence(one: Match, two: Match) -> bytes:
    """The evidence file of two histories."""
    return gamefile.dump_evidence(one.record, two.record)
