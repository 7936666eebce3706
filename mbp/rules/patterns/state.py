"""Patterns' board, position and moves: frozen values on public information, and no rules.

A space is a number, its place in reading order; `SPACES` has the names. A river space, a claim
marker and a group have one number, since every founding takes the lowest of each (P3.1). Invariant:
`State.total()` is 54 (P1.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mbp.rules.contract import COLOURS, Colour, Seat

# The columns of each row, from the top (P1.2): this is the whole layout.
ROWS = ("cdef", "bcdefg", "abcdefgh", "abcdefgh", "abcdefgh", "abcdefgh", "bcdefg", "cdef")
SPACES = tuple(f"{column}{row}" for row, columns in enumerate(ROWS, 1) for column in columns)
NUMBER = {name: space for space, name in enumerate(SPACES)}
CENTRE = tuple(NUMBER[name] for name in ("d4", "e4", "d5", "e5"))  # P1.3

TILES = 9 * len(COLOURS)  # P1.1
OUTER_TILES = 8  # of each colour on the spaces outside the centre (P2.1)

# Seats as places in tuples.
PLACE: dict[Seat, int] = {"A": 0, "B": 1}


def _near(name: str) -> tuple[int, ...]:
    column, row = name[0], name[1]
    names = (
        f"{column}{int(row) - 1}",
        f"{chr(ord(column) - 1)}{row}",
        f"{chr(ord(column) + 1)}{row}",
        f"{column}{int(row) + 1}",
    )
    return tuple(NUMBER[near] for near in names if near in NUMBER)


# The orthogonal neighbours of each space (P1.3).
NEAR = tuple(_near(name) for name in SPACES)


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile on the board: open, or face down in a group of its owner."""

    colour: Colour
    owner: Seat | None = None
    marker: int = 0  # the claim marker on the tile that founded a group


@dataclass(frozen=True, slots=True)
class Side:
    """One player's things: the bowl tile, and the river in order of its spaces (P1.4)."""

    bowl: Colour | None = None
    river: tuple[Colour, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A position between two moves; `left` has the two tiles for the bowls until one is chosen."""

    mover: Seat | None
    tiles: tuple[Tile, ...]
    sides: tuple[Side, Side]
    left: tuple[Colour, ...] = ()
    actions: int = 0
    termination: str | None = None

    def sizes(self, seat: Seat) -> tuple[int, ...]:
        """The sizes of a player's groups, in order of the river.

        A player has one group a colour (P3.5), so its size is the number of those tiles.
        """
        down = [tile.colour for tile in self.tiles if tile.owner == seat]
        return tuple(down.count(colour) for colour in self.sides[PLACE[seat]].river)

    def total(self) -> int:
        """All tiles, wherever they lie (P1.1)."""
        return len(self.tiles) + len(self.left) + sum(side.bowl is not None for side in self.sides)


@dataclass(frozen=True, slots=True)
class Bowl:
    """P2.3: the tile of that colour goes to the own bowl, the other one to the start player's."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Found:
    """P3.1: the bowl tile begins a group on a space."""

    space: int


@dataclass(frozen=True, slots=True)
class Swap:
    """P3.2: the bowl tile joins its group on a space, whose tile goes to the bowl."""

    space: int


@dataclass(frozen=True, slots=True)
class Flip:
    """P3.3: the tile on a space joins the own group of its colour."""

    space: int


Action: TypeAlias = Found | Swap | Flip
Move: TypeAlias = Bowl | Action
