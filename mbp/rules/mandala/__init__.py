"""Mandala, a card game for two with hidden hands: the rules M1 to M9 (see README.md here)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mbp.rules.contract import (
    SEATS,
    Colour,
    Drawn,
    Event,
    Game,
    Line,
    Option,
    Seat,
    Sight,
    Step,
    Zone,
)
from mbp.rules.mandala import heuristic, notation, picture, rules, view
from mbp.rules.mandala.sight import tree
from mbp.rules.mandala.state import COPIES, DEAL, ZONES, Move, State
from mbp.rules.picture import Picture


class MandalaGame:
    """Mandala as the seam of the rules wants it; each method is one function of this package."""

    name: str = "mandala"
    version: str = "mandala/1"
    options: tuple[Option, ...] = (
        Option("start", ("coin", "inviter", "guest"), "the rulebook leaves it to the players"),
        Option("draw", ("full", "up_to"), "some sources say three cards, some up to three"),
        Option(
            "deck_end",
            ("last_mandala", "immediate"),
            "some descriptions end the game at once when the deck is empty",
        ),
    )
    acts: tuple[str, ...] = ("mountain", "field", "discard", "take")
    forms: str = notation.FORMS
    copies: int = COPIES
    zones: Mapping[str, Zone] = ZONES
    hands: Mapping[Seat, str] = {seat: f"hand {seat}" for seat in SEATS}
    deal: tuple[Drawn, ...] = DEAL
    terminations: tuple[str, ...] = ("river", "last_mandala", "deck", "turn_limit")

    def start(self, options: Mapping[str, str], first: Seat, below: Callable[[int], int]) -> State:
        """The state after set-up (M2.1); Mandala needs no public chance."""
        return rules.start(options, first)

    def parse(self, state: State, text: str) -> Move:
        """Reads what a person types. Raises NotationError, AmbiguousMoveError."""
        return notation.parse(state, text)

    def parse_long(self, state: State, text: str) -> Move:
        """Reads the long notation of an act (protocol 8). Raises NotationError."""
        return notation.parse_long(state, text)

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
        """The mover's legal moves: mountains, fields, discards, each by mandala and colour."""
        return rules.legal_moves(state, hand)

    def reveal(self, state: State, zone: str, colour: Colour) -> State:
        """Fills a face-down place of a mountain or cup. Raises LookupError if there is none."""
        return rules.reveal(state, zone, colour)

    def scores(self, state: State) -> tuple[int, int]:
        """The points as they stand, A's first (M9.1, M9.3)."""
        return rules.scores(state)

    def winner(self, state: State) -> Seat | None:
        """Who wins by the score (M9.2)."""
        return rules.winner(state)

    def rank(self, state: State, hand: Sequence[Colour], move: Move) -> float:
        """How good a sensible player finds a legal move."""
        return heuristic.rank(state, hand, move)

    def left(self, state: State, termination: str) -> State:
        """The state without a mover (M8.4)."""
        return replace(state, mover=None, choice=None, termination=termination)

    def tell(self, event: Event, seat: Seat, names: Mapping[Seat, str]) -> str | None:
        """An event in a few words, None if it needs none."""
        return view.tell(event, seat, names)

    def board(
        self, state: State, sight: Sight, seat: Seat | None, names: Mapping[Seat, str], width: int
    ) -> tuple[Line, ...]:
        """The board for a terminal."""
        return view.board(state, sight, seat, names, width)

    def json(self, state: State, sight: Sight) -> dict[str, Any]:
        """The board for programs."""
        return tree(state, sight)

    def picture(self, state: State, sight: Sight, names: Mapping[Seat, str]) -> Picture:
        """The board as shapes."""
        return picture.picture(state, sight, names)


MANDALA: Game[State, Move] = MandalaGame()
