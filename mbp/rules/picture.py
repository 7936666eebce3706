"""A board as shapes, for whoever draws: no game in here, no SVG, no file.

Lengths are units of a plane whose origin is the upper left corner; a picture is made to be readable
where a unit is nine tenths of a pixel. A card always has its letter, so that nothing is told by
colour alone, and `words` say the same as the shapes to those who do not see them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mbp.rules.contract import COLOURS, Colour

WIDTH = 424
CARD_WIDTH, CARD_HEIGHT, PITCH = 26, 32, 28


@dataclass(frozen=True)
class Card:
    """Cards of one colour in one place: face up, face down (colour None), or an empty space.

    `note` stands below the letter: how many they are, or whose.
    """

    x: int
    y: int
    face: Literal["up", "down", "empty"]
    colour: Colour | None = None
    note: str = ""
    width: int = CARD_WIDTH
    height: int = CARD_HEIGHT
    strong: bool = False  # with a frame that is seen without colours


@dataclass(frozen=True)
class Label:
    """A text whose baseline starts (or ends, if it is to the right) at a point."""

    x: int
    y: int
    text: str
    style: Literal["", "bold", "dim"] = ""
    right: bool = False


@dataclass(frozen=True)
class Frame:
    """A box around what belongs together."""

    x: int
    y: int
    width: int
    height: int


Shape: TypeAlias = Card | Label | Frame


@dataclass(frozen=True)
class Picture:
    """The shapes of a position, drawn in this order, and the position in words."""

    height: int
    shapes: tuple[Shape, ...]
    words: tuple[str, ...]
    width: int = WIDTH


def row_of(x: int, y: int, counts: Sequence[int], closed: int) -> list[Shape]:
    """Cards by colour side by side, the closed ones last; a number where there are several."""
    shapes: list[Shape] = []
    for colour, count in enumerate(counts):
        if count:
            shapes.append(Card(x + PITCH * len(shapes), y, "up", colour, _many(count)))
    if closed:
        shapes.append(Card(x + PITCH * len(shapes), y, "down", note=_many(closed)))
    return shapes


def river_of(x: int, y: int, cards: Iterable[tuple[Colour, str]]) -> list[Shape]:
    """The six spaces of a river with their values; each card with what is to be said of it."""
    shapes: list[Shape] = []
    for colour, note in cards:
        shapes.append(Card(x + PITCH * len(shapes), y, "up", colour, note))
    for space in range(len(shapes), len(COLOURS)):
        shapes.append(Card(x + PITCH * space, y, "empty", note=str(space + 1)))
    return shapes


def said(counts: Sequence[int], closed: int) -> str:
    """The same in words: `2 black, 1 red, 3 face down`; `none` where there is nothing."""
    parts = [f"{count} {COLOURS[colour]}" for colour, count in enumerate(counts) if count]
    return ", ".join([*parts, *([f"{closed} face down"] if closed else [])]) or "none"


def _many(count: int) -> str:
    return str(count) if count > 1 else ""
