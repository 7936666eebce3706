"""Mandala's position and moves: frozen values on public information, and no rules.

Hands are sizes. A card that lies face down (a hidden cup card, a mountain card that was dealt and
is not opened yet) is counted in `closed` until `reveal` gives it a colour. Cards are counted by
colour, so equal positions are equal values. Invariant: `State.total()` is 108 (M1.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mbp.rules.contract import COLOURS, Colour, Drawn, Seat, Zone

# How many cards of each colour, by the order of COLOURS; always six numbers.
Counts: TypeAlias = tuple[int, ...]

NONE: Counts = (0,) * len(COLOURS)
COPIES = 18  # M1.1
CARDS = COPIES * len(COLOURS)
HAND_LIMIT = 8  # M3.1
TURN_LIMIT = 400  # M8.5

# Seats and mandalas as places in tuples.
PLACE: dict[Seat, int] = {"A": 0, "B": 1}

DISCARDS = "discards"
ZONES: dict[str, Zone] = {
    zone.name: zone
    for zone in (
        Zone("hand A", "A"),
        Zone("hand B", "B"),
        Zone("cup A", "A", opened_at_end=True),
        Zone("cup B", "B", opened_at_end=True),
        Zone("mountain 1", None),
        Zone("mountain 2", None),
        Zone("field 1 A", None),
        Zone("field 1 B", None),
        Zone("field 2 A", None),
        Zone("field 2 B", None),
        Zone("river A", None),
        Zone("river B", None),
        Zone(DISCARDS, None),
    )
}

# M2.1
DEAL = (
    Drawn("mountain 1", 2),
    Drawn("mountain 2", 2),
    Drawn("hand A", 6),
    Drawn("hand B", 6),
    Drawn("cup A", 2),
    Drawn("cup B", 2),
)


def added(counts: Counts, colour: Colour, number: int) -> Counts:
    """The counts with `number` more cards of a colour (fewer, if negative)."""
    return (*counts[:colour], counts[colour] + number, *counts[colour + 1 :])


def colours_of(counts: Counts) -> list[Colour]:
    """The colours that are there, in order."""
    return [colour for colour, number in enumerate(counts) if number]


@dataclass(frozen=True, slots=True)
class Mandala:
    """One mandala: the open mountain, its face-down places, the fields of A and B (M1.2)."""

    mountain: Counts = NONE
    closed: int = 0
    fields: tuple[Counts, Counts] = (NONE, NONE)

    def missing(self) -> list[Colour]:
        """The colours in none of the three areas, in order; empty means complete (M5.1)."""
        mine, theirs = self.fields
        areas = zip(self.mountain, mine, theirs, strict=True)
        return [colour for colour, numbers in enumerate(areas) if not any(numbers)]


@dataclass(frozen=True, slots=True)
class Side:
    """One player's things: hand size, river in order of its spaces, cup (M1.3)."""

    hand: int = 0
    river: tuple[Colour, ...] = ()
    cup: Counts = NONE
    closed: int = 0  # cup cards whose colour is not known to all

    def value(self, colour: Colour) -> int:
        """What a cup card of that colour scores: the number of its river space, or 0 (M9.1)."""
        return self.river.index(colour) + 1 if colour in self.river else 0

    def points(self) -> int:
        """The score of the cup as it stands; closed cards score 0 (M9.1, M9.3)."""
        return sum(space * self.cup[colour] for space, colour in enumerate(self.river, 1))

    def cup_size(self) -> int:
        """The number of cup cards, closed ones too (M9.3)."""
        return sum(self.cup) + self.closed


@dataclass(frozen=True, slots=True)
class Choice:
    """A destruction that waits for a player to take a colour (M6.1)."""

    mandala: int  # 1 or 2
    completer: Seat


@dataclass(frozen=True, slots=True)
class State:
    """A position between two moves. `turns` counts as M8.5 does."""

    mover: Seat | None
    mandalas: tuple[Mandala, Mandala]
    sides: tuple[Side, Side]
    deck: int
    discards: Counts = NONE
    last_stage: bool = False  # M7.1
    turns: int = 0
    choice: Choice | None = None
    termination: str | None = None
    up_to: bool = False  # option draw
    immediate: bool = False  # option deck_end

    def total(self) -> int:
        """All cards, wherever they lie (M1.5)."""
        mandalas = sum(
            sum(one.mountain) + one.closed + sum(one.fields[0]) + sum(one.fields[1])
            for one in self.mandalas
        )
        sides = sum(side.hand + len(side.river) + side.cup_size() for side in self.sides)
        return self.deck + sum(self.discards) + mandalas + sides


@dataclass(frozen=True, slots=True)
class Mountain:
    """M3.1; `draw` is None unless the option `draw: up_to` lets the player name it."""

    mandala: int
    colour: Colour
    draw: int | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """M3.2: `count` cards of a colour to the own field."""

    mandala: int
    colour: Colour
    count: int


@dataclass(frozen=True, slots=True)
class Discard:
    """M3.3: `count` cards of a colour to the discard pile."""

    colour: Colour
    count: int


@dataclass(frozen=True, slots=True)
class Take:
    """M6.1: all cards of a colour of the mountain under destruction."""

    colour: Colour


Move: TypeAlias = Mountain | Field | Discard | Take
