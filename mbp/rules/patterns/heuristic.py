"""How good a sensible player finds a move: what it scores, and what it does to its neighbours.

Not a strong player, but a quick one that beats random play. A move is worth the points that it
scores, what it opens for the own group and takes from the opponent's next to it, and that the
bowl gets a colour which can be founded: nobody with such a bowl is blocked soon. All weights are
in points of the score; they were found by trying.
"""

from __future__ import annotations

from mbp.rules.contract import Colour, Seat, other
from mbp.rules.patterns.state import NEAR, PLACE, Bowl, Flip, Found, Move, State, Swap

_FOUND = 4.0  # a new group
_NEW_COLOUR = 2.0  # a bowl tile whose colour is not founded yet
_OPENED = 0.4  # a space next to the group, by the group's number
_DENIED = 0.5  # a space that the opponent's group cannot grow to any more
_SWAP = 0.3  # how much of that is left where the tile there has another colour


def rank(state: State, move: Move) -> float:
    """How good a legal move looks to the mover; higher is better."""
    seat = state.mover
    assert seat is not None  # a legal move has a mover
    if isinstance(move, Bowl):
        return 0.0  # both tiles are as good
    side = state.sides[PLACE[seat]]
    taken = state.tiles[move.space].colour
    laid = taken if isinstance(move, Flip) or side.bowl is None else side.bowl
    worth = _around(state, seat, move.space, laid) + _denied(state, seat, move.space, taken)
    match move:
        case Found():
            worth += _FOUND
        case Swap() | Flip():
            worth += _number(state, seat, laid)
    if not isinstance(move, Flip) and taken not in side.river:
        worth += _NEW_COLOUR
    return worth


def _around(state: State, seat: Seat, space: int, laid: Colour) -> float:
    """What a tile laid on a space does to the open spaces next to it."""
    mine = _number(state, seat, laid) or len(state.sides[PLACE[seat]].river) + 1
    theirs = _number(state, other(seat), laid)
    worth = 0.0
    for near in NEAR[space]:
        tile = state.tiles[near]
        if tile.owner is not None or _touches(state, seat, near, laid):
            continue
        share = 1.0 if tile.colour == laid else _SWAP
        if theirs and _touches(state, other(seat), near, laid):
            worth += _DENIED * theirs * share
        else:
            worth += _OPENED * mine * share
    return worth


def _denied(state: State, seat: Seat, space: int, colour: Colour) -> float:
    """What it is worth that the opponent cannot flip the tile on this space any more."""
    number = _number(state, other(seat), colour)
    if not number or _touches(state, seat, space, colour):
        return 0.0
    return _DENIED * number * _touches(state, other(seat), space, colour)


def _number(state: State, seat: Seat, colour: Colour) -> int:
    """The number of a player's group of a colour, 0 if there is none."""
    river = state.sides[PLACE[seat]].river
    return river.index(colour) + 1 if colour in river else 0


def _touches(state: State, seat: Seat, space: int, colour: Colour) -> bool:
    """Whether a space lies next to a face-down tile that a player has of a colour."""
    tiles = (state.tiles[near] for near in NEAR[space])
    return any(tile.owner == seat and tile.colour == colour for tile in tiles)
