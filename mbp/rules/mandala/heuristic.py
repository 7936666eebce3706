"""How good a sensible player finds a move: one look ahead, on what its seat sees.

Not a strong player, but a quick one that beats random play. A turn is worth what it does to the
mandala that it touches, and the cards that it costs or brings. A mandala is worth the difference
of what both players would take from it, had it to be destroyed as it lies, the more the nearer
it is to completion. All weights are in points of the score; they were found by trying.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mbp.rules.contract import COLOURS, Colour, Seat, other
from mbp.rules.mandala.rules import most_drawn
from mbp.rules.mandala.state import (
    NONE,
    PLACE,
    Discard,
    Field,
    Mandala,
    Mountain,
    Move,
    Side,
    State,
    Take,
    added,
    colours_of,
)

# The weight of a mandala by the number of its colours; six are complete, and count in full.
_NEARNESS = (0.0, 0.1, 0.2, 0.3, 0.45, 0.65, 1.0)
_CARD = 0.55  # a card in the hand
_SEED = 2.0  # the first card of a colour: the river space that it opens, by its number
_SEED_SPACE = 0.5
_FINISH = 5.0  # ending the game while ahead; the loss, while behind
_DENIAL = 0.8  # what the opponent does not get


def rank(state: State, hand: Sequence[Colour], move: Move) -> float:
    """How good a legal move looks to the mover; higher is better."""
    seat = state.mover
    assert seat is not None  # a legal move has a mover
    match move:
        case Take():
            return _rank_take(state, seat, move.colour)
        case Discard():
            return -0.2 - 0.05 * hand.count(move.colour)
        case Mountain():
            drawn = most_drawn(len(hand)) if move.draw is None else move.draw
            return _CARD * (drawn - 1) + _change(state, seat, move)
        case Field():
            return -_CARD * move.count + _change(state, seat, move)


def _rank_take(state: State, seat: Seat, colour: Colour) -> float:
    assert state.choice is not None  # a take is legal in a destruction only
    mandala = state.mandalas[state.choice.mandala - 1]
    count = mandala.mountain[colour]
    mine, theirs = (
        _gain(state.sides[PLACE[one]], colour, count) if any(mandala.fields[PLACE[one]]) else 0.0
        for one in (seat, other(seat))
    )
    return mine + _DENIAL * theirs + _last_colour(state, seat, colour)


def _last_colour(state: State, seat: Seat, colour: Colour) -> float:
    """What it is worth that this colour fills the own river, which ends the game (M8.2)."""
    me, opponent = state.sides[PLACE[seat]], state.sides[PLACE[other(seat)]]
    if len(me.river) < len(COLOURS) - 1 or colour in me.river:
        return 0.0
    return _FINISH if me.points() > opponent.points() else -_FINISH


def _gain(side: Side, colour: Colour, count: int) -> float:
    """What taking `count` cards of a colour is worth to a player."""
    if colour in side.river:
        return count * (side.river.index(colour) + 1)
    space = len(side.river) + 1
    return (count - 1) * space + _SEED + _SEED_SPACE * space


def _change(state: State, seat: Seat, move: Mountain | Field) -> float:
    before = state.mandalas[move.mandala - 1]
    if isinstance(move, Mountain):
        after = replace(before, mountain=added(before.mountain, move.colour, 1))
    else:
        mine, theirs = before.fields if seat == "A" else before.fields[::-1]
        mine = added(mine, move.colour, move.count)
        after = replace(before, fields=(mine, theirs) if seat == "A" else (theirs, mine))
    return _worth(state, seat, after) - _worth(state, seat, before)


def _worth(state: State, seat: Seat, mandala: Mandala) -> float:
    """What a mandala is worth to a seat as it lies."""
    present = len(COLOURS) - len(mandala.missing())
    mine, theirs = (sum(mandala.fields[PLACE[one]]) for one in (seat, other(seat)))
    if mine == theirs == 0:
        return 0.0
    # On a tie whoever does not complete it chooses first (M5.2).
    if mine == theirs and present < len(COLOURS):
        both = _harvest(state, seat, seat, mandala) + _harvest(state, seat, other(seat), mandala)
        return _NEARNESS[present] * both / 2
    chooser = seat if mine > theirs else other(seat)
    return _NEARNESS[present] * _harvest(state, seat, chooser, mandala)


def _harvest(state: State, seat: Seat, chooser: Seat, mandala: Mandala) -> float:
    """The seat's gain less the opponent's, if both always take what is best for them."""
    left = colours_of(mandala.mountain)
    total = 0.0
    while left:
        side, field = state.sides[PLACE[chooser]], mandala.fields[PLACE[chooser]]
        gains = [_gain(side, colour, mandala.mountain[colour]) for colour in left]
        best = max(gains)
        left.pop(gains.index(best))
        if field != NONE:
            total += best if chooser == seat else -best
        chooser = other(chooser)
    return total
