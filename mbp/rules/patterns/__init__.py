"""Patterns, a tile game for two without hidden tiles: the rules P1 to P5 (see README.md here)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mbp.rules.contract import (
    Colour,
    Drawn,
    Event,
    Game,
    Happened,
    Line,
    Option,
    Seat,
    Sight,
    Step,
    Zone,
)
from mbp.rules.patterns import heuristic, notation, picture, rules, view
from mbp.rules.patterns.sight import tree
from mbp.rules.patterns.state import Move, State
from mbp.rules.picture import Picture
from mbp.rules.text import told


class PatternsGame:
    """Patterns as the seam of the rules wants it; each method is one function of this package."""

    name: str = "patterns"
    version: str = "patterns/1"
    options: tuple[Option, ...] = (
        Option("start", ("coin", "inviter", "guest"), "the rulebook leaves it to the players"),
    )
    acts: tuple[str, ...] = ("bowl", "found", "swap", "flip")
    forms: str = notation.FORMS
    copies: int = 0
    zones: Mapping[str, Zone] = {}
    hands: Mapping[Seat, str] = {}
    deal: tuple[Drawn, ...] = ()
    terminations: tuple[str, ...] = ("blocked",)

    def start(self, options: Mapping[str, str], first: Seat, below: Callable[[int], int]) -> State:
        """The state after the tiles are laid (P2.1, P2.2); `first` is the start player."""
        return rules.start(first, below)

    def parse(self, state: State, text: str) -> Move:
        """Reads what a person types. Raises NotationError, AmbiguousMoveError."""
        return notation.parse(state, text)

    def parse_long(self, state: State, text: str) -> Move:
        """Reads the long notation of an act (protocol 8). Raises NotationError."""
        return notation.parse_long(text)

    def format(self, state: State, move: Move) -> str:
        """The long notation."""
        return notation.format_move(move)

    def short(self, state: State, move: Move) -> str:
        """The short notation."""
        return notation.short_move(move)

    def apply(self, state: State, move: Move) -> Step[State]:
        """Plays a move of the mover. Raises IllegalMoveError."""
        return rules.apply(state, move)

    def legal_moves(self, state: State, hand: Sequence[Colour]) -> tuple[Move, ...]:
        """The mover's legal moves; there are no hands."""
        return rules.legal_moves(state)

    def reveal(self, state: State, zone: str, colour: Colour) -> State:
        """Raises LookupError: nothing is hidden here (P1)."""
        raise LookupError(f"no face-down card in zone {zone!r}")

    def scores(self, state: State) -> tuple[int, int]:
        """The points as they stand, A's first (P5.1)."""
        return rules.scores(state)

    def winner(self, state: State) -> Seat | None:
        """Who wins by the score (P5.2)."""
        return rules.winner(state)

    def rank(self, state: State, hand: Sequence[Colour], move: Move) -> float:
        """How good a sensible player finds a legal move."""
        return heuristic.rank(state, move)

    def left(self, state: State, termination: str) -> State:
        """The state without a mover."""
        return replace(state, mover=None, termination=termination)

    def tell(self, event: Event, seat: Seat, names: Mapping[Seat, str]) -> str | None:
        """An event in a few words; this game has no card events."""
        return told(event, names) if isinstance(event, Happened) else None

    def board(
        self, state: State, sight: Sight, seat: Seat | None, names: Mapping[Seat, str], width: int
    ) -> tuple[Line, ...]:
        """The board for a terminal."""
        return view.board(state, seat, names, width)

    def json(self, state: State, sight: Sight) -> dict[str, Any]:
        """The board for programs."""
        return tree(state)

    def picture(self, state: State, sight: Sight, names: Mapping[Seat, str]) -> Picture:
        """The board as shapes."""
        return picture.picture(state, names)


PATTERNS: Game[State, Move] = PatternsGame()
