"""A position as data, for programs: every seat and every stranger sees the same."""

from __future__ import annotations

from typing import Any

from mbp.rules.contract import COLOURS, SEATS, Colour, Seat
from mbp.rules.patterns.notation import format_move
from mbp.rules.patterns.rules import legal_moves, points
from mbp.rules.patterns.state import PLACE, SPACES, State, Tile


def tree(state: State) -> dict[str, Any]:
    """The board for programs: tiles by space, colours in English, the legal moves in long form."""
    tiles = zip(SPACES, state.tiles, strict=True)
    return {
        "spaces": {name: _tile_tree(tile) for name, tile in tiles},
        "seats": {seat: _seat_tree(state, seat) for seat in SEATS},
        "left": [COLOURS[colour] for colour in state.left],
        "actions": state.actions,
        "legal": [format_move(move) for move in legal_moves(state)],
    }


def _tile_tree(tile: Tile) -> dict[str, Any]:
    """`owner` is null for an open tile, `marker` for a tile without a claim marker."""
    return {
        "colour": COLOURS[tile.colour],
        "owner": tile.owner,
        "marker": tile.marker or None,
    }


def _seat_tree(state: State, seat: Seat) -> dict[str, Any]:
    side = state.sides[PLACE[seat]]
    groups = zip(side.river, state.sizes(seat), strict=True)
    return {
        "bowl": _name(side.bowl),
        "river": [{"colour": COLOURS[colour], "tiles": size} for colour, size in groups],
        "points": points(state, seat),
    }


def _name(colour: Colour | None) -> str | None:
    return None if colour is None else COLOURS[colour]
