"""A position: all that the verified entries so far make known to everybody (protocol 3, 7, 9).

Frozen, derived, never trusted from a file. `match.verify` makes the next one of an entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from mbp.match.table import Table
from mbp.rules.contract import AnyGame, Outcome, Seat, State, other

Duty = Literal["accept", "begin", "deal", "play"]


@dataclass(frozen=True)
class Player:
    """Who sits in a seat: the claimed name and address, and the identity key that signs."""

    name: str
    key: bytes
    key_text: str
    mail: str = ""
    card_key: bytes = b""


@dataclass(frozen=True)
class Left:
    """How a player left the table (protocol 9): `resign`, `abort` or `claim`, and who wins."""

    termination: Literal["resign", "abort", "claim"]
    winner: Seat | None


@dataclass(frozen=True)
class Position:
    """The match after `count` entries. `state` is None before `begin`."""

    game: AnyGame
    game_id: str
    options: Mapping[str, str]
    guest: str
    nonce: bytes
    commitment: bytes
    players: Mapping[Seat, Player]
    count: int
    head: str
    time: datetime  # of the newest entry
    latest: datetime  # of all entries
    table: Table
    coin_b: bytes = b""
    joint: bytes = b""
    state: State | None = None
    left: Left | None = None
    closed_by_claim: bool = False
    offered_by: Seat | None = None
    pause: int = 0  # days of the newest entry, if it is a vacation
    vacation_taken: Mapping[Seat, int] = field(default_factory=lambda: {"A": 0, "B": 0})

    @property
    def scored(self) -> bool:
        """Whether the rules ended play, so that the score decides (M8.6)."""
        return self.left is None and self.state is not None and self.state.termination is not None

    @property
    def play_over(self) -> bool:
        """Whether play is over, by the rules or by leaving (protocol 9)."""
        return self.left is not None or self.scored

    @property
    def duty(self) -> Duty | None:
        """What the next entry is, None when nothing may follow (protocol 7.1)."""
        return self._pen[1]

    @property
    def pen(self) -> Seat | None:
        """Who may write the next entry, None when nothing may follow (protocol 7.1)."""
        return self._pen[0]

    @property
    def _pen(self) -> tuple[Seat | None, Duty | None]:
        if self.count == 1:
            return "B", "accept"
        if self.play_over:
            return self._closing_pen()
        if self.state is None or self.state.mover is None:
            return "A", "begin"
        mover = self.state.mover
        if not self.table.waits(mover):
            return mover, "play"
        opponent = other(mover)
        return (opponent if self.table.pays(opponent) else mover), "deal"

    def _closing_pen(self) -> tuple[Seat | None, Duty | None]:
        """Behind a scored end, only closed cups are still opened (7.1)."""
        if self.scored and not self.closed_by_claim:
            seats: tuple[Seat, Seat] = ("A", "B")
            for seat in seats:
                if self.table.cups_due(seat):
                    return seat, "deal"
        return None, None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, None while the match is open: in play, or scored with closed cups (10)."""
        if not self.play_over or self.pen is not None:
            return None
        if self.left is not None:  # by a claim perhaps before there is a state (protocol 3)
            return Outcome(self.left.termination, self.left.winner, self.scores)
        return Outcome(self.termination or "", self.game.winner(self.state), self.scores)

    @property
    def claimed(self) -> bool:
        """Whether a claim ended play or closed the cups; a chain cannot prove it (9.3)."""
        return self.closed_by_claim or (self.left is not None and self.left.termination == "claim")

    @property
    def termination(self) -> str | None:
        """Why play is over, None while it is not; known before closed cups are opened."""
        if self.left is not None:
            return self.left.termination
        return self.state.termination if self.state is not None else None

    @property
    def scores(self) -> tuple[int, int]:
        """The score as it stands, A's first."""
        return (0, 0) if self.state is None else self.game.scores(self.state)

    @property
    def pace(self) -> int:
        """Days an entry may take before a claim is possible; 0: no claims (protocol 9.3)."""
        return int(self.options["pace"])

    @property
    def claimable_after(self) -> datetime | None:
        """The time that a claim's own time must be later than, None if there can be no claim."""
        if not self.pace or self.pen is None or self.count < 2:
            return None
        try:
            return self.time + timedelta(days=self.pace + self.pause)
        except OverflowError:  # behind the year 9999 no entry has a time
            return None

    def vacation_left(self, seat: Seat) -> int:
        """The days of vacation that a player may still take (protocol 3.4, 9.4)."""
        return int(self.options.get("vacation", "0")) - self.vacation_taken[seat]

    def with_player(self, seat: Seat, player: Player) -> Position:
        """The position with one more player at the table."""
        return replace(self, players={**self.players, seat: player})
