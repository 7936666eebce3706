"""Patterns' board as shapes: B above, the 52 spaces, A below; the board is never turned.

A tile in a group is larger, and has its owner and the claim marker below its letter.
"""

from __future__ import annotations

from collections.abc import Mapping

from mbp.rules.contract import COLOURS, SEATS, Seat
from mbp.rules.layout import cut
from mbp.rules.patterns.rules import points
from mbp.rules.patterns.state import PLACE, ROWS, SPACES, State, Tile
from mbp.rules.picture import WIDTH, Card, Label, Picture, Shape, river_of, row_of

_SIDE = 62  # height of a player's things
_CELL = 44
_LEFT = (WIDTH - 8 * _CELL) // 2
_COLUMNS = "abcdefgh"
_OPEN, _CLAIMED = 32, 42


def picture(state: State, names: Mapping[Seat, str]) -> Picture:
    """The position as shapes and in words."""
    top = _SIDE + 14
    below = top + len(ROWS) * _CELL + 18
    shapes: list[Shape] = [
        *_player(state, "B", names, 0),
        *_grid(state, top),
        Label(0, below + 12, _table(state), "dim"),
        *_player(state, "A", names, below + 22),
    ]
    words = (
        *(_row_words(state, row) for row in range(len(ROWS))),
        *(line for seat in SEATS for line in _player_words(state, seat, names)),
        _table(state),
    )
    return Picture(below + 22 + _SIDE, tuple(shapes), words)


def _player(state: State, seat: Seat, names: Mapping[Seat, str], y: int) -> list[Shape]:
    """A player's name and score, bowl, and river with the size of each group."""
    side = state.sides[PLACE[seat]]
    bowl = [int(colour == side.bowl) for colour in range(len(COLOURS))]
    mark = "▸ " if state.mover == seat else ""
    sizes = zip(side.river, map(str, state.sizes(seat)), strict=True)
    return [
        Label(0, y + 15, f"{mark}{seat}  {cut(names[seat], 26)}", "bold"),
        Label(WIDTH, y + 15, f"{points(state, seat)} points", "bold", right=True),
        Label(0, y + 42, "bowl", "dim"),
        *row_of(40, y + 24, bowl, 0),
        Label(214, y + 42, "river", "dim"),
        *river_of(256, y + 24, sizes),
    ]


def _grid(state: State, top: int) -> list[Shape]:
    shapes: list[Shape] = []
    for column, letter in enumerate(_COLUMNS):
        middle = _LEFT + column * _CELL + _CELL // 2 - 4
        shapes.append(Label(middle, top - 2, letter, "dim"))
    for row in range(len(ROWS)):
        shapes.append(Label(_LEFT - 16, top + row * _CELL + 26, str(row + 1), "dim"))
    for name, tile in zip(SPACES, state.tiles, strict=True):
        size = _CLAIMED if tile.owner else _OPEN
        shift = (_CELL - size) // 2
        x = _LEFT + _COLUMNS.index(name[0]) * _CELL + shift
        y = top + (int(name[1]) - 1) * _CELL + shift
        shapes.append(Card(x, y, "up", tile.colour, _mark(tile), size, size, bool(tile.owner)))
    return shapes


def _mark(tile: Tile) -> str:
    """Whose group a tile is in, and its claim marker."""
    return f"{tile.owner}{tile.marker or ''}" if tile.owner else ""


def _table(state: State) -> str:
    still = sum(tile.owner is None for tile in state.tiles)
    left = " and ".join(COLOURS[colour] for colour in state.left)
    return f"action {state.actions} · {still} tiles open" + (
        f" · {left} for the bowls" * bool(left)
    )


def _row_words(state: State, row: int) -> str:
    """A row of the board: `Row 1: c green, d red of A marker 2`."""
    parts = []
    for name, tile in zip(SPACES, state.tiles, strict=True):
        if int(name[1]) == row + 1:
            owner = f" of {tile.owner}" if tile.owner else ""
            marker = f" marker {tile.marker}" if tile.marker else ""
            parts.append(f"{name[0]} {COLOURS[tile.colour]}{owner}{marker}")
    return f"Row {row + 1}: {', '.join(parts)}"


def _player_words(state: State, seat: Seat, names: Mapping[Seat, str]) -> list[str]:
    side = state.sides[PLACE[seat]]
    groups = [
        f"{space} {COLOURS[colour]} with {size} tiles"
        for space, (colour, size) in enumerate(zip(side.river, state.sizes(seat), strict=True), 1)
    ]
    bowl = "none" if side.bowl is None else COLOURS[side.bowl]
    turn = ", to move" if state.mover == seat else ""
    return [
        f"{seat}, {names[seat]}{turn}: {points(state, seat)} points",
        f"{seat}'s bowl: {bowl}; river: {', '.join(groups) or 'none'}",
    ]
