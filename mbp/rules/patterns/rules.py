"""Patterns' set-up, legal moves, what they do, end and score (P2 to P5).

Everything lies open once the joint seed is known, so a state says all there is. Invariant: `apply`
keeps all 54 tiles (P1.1), and equal face-down colours of both players never touch (P3.4).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mbp.rules.contract import (
    COLOURS,
    Colour,
    Event,
    Happened,
    IllegalMoveError,
    Seat,
    Step,
    other,
)
from mbp.rules.patterns.state import (
    CENTRE,
    NEAR,
    OUTER_TILES,
    PLACE,
    SPACES,
    Action,
    Bowl,
    Flip,
    Found,
    Move,
    Side,
    State,
    Swap,
    Tile,
)

# For each colour, a set of spaces.
Reach = tuple[frozenset[int], ...]


def start(first: Seat, below: Callable[[int], int]) -> State:
    """The state after the tiles are laid; the player who does not start chooses a bowl (P2)."""
    # protocol 3.3: the outer tiles are shuffled first, the stream goes on with those set aside.
    outer = iter(_shuffled([c for c in range(len(COLOURS)) for _ in range(OUTER_TILES)], below))
    aside = iter(_shuffled(list(range(len(COLOURS))), below))
    tiles = tuple(Tile(next(aside if s in CENTRE else outer)) for s in range(len(SPACES)))
    return State(other(first), tiles, (Side(), Side()), tuple(aside))


def _shuffled(colours: list[Colour], below: Callable[[int], int]) -> list[Colour]:
    """Shuffles as protocol 3.3 says, from the last place down to place 1, in place."""
    for place in range(len(colours) - 1, 0, -1):
        drawn = below(place + 1)
        colours[place], colours[drawn] = colours[drawn], colours[place]
    return colours


def around(state: State, seat: Seat) -> Reach:
    """For each colour, the spaces next to the face-down tiles that a player has of it.

    SAFE(x, q) says that x is not in the opponent's reach of q, ADJ(x, q) that it is in the own.
    """
    reach: list[set[int]] = [set() for _ in COLOURS]
    for space, tile in enumerate(state.tiles):
        if tile.owner == seat:
            reach[tile.colour].update(NEAR[space])
    return tuple(map(frozenset, reach))


def legal_moves(state: State) -> tuple[Move, ...]:
    """The mover's legal moves: foundings or swaps, then flips, each in reading order."""
    seat = state.mover
    if seat is None:
        return ()
    if state.left:
        return tuple(Bowl(colour) for colour in state.left)
    return (*_bowl_actions(state, seat), *flips(state, seat))


def _bowl_actions(state: State, seat: Seat) -> list[Action]:
    """P3.1 or P3.2: which of them depends on whether the bowl's colour is founded."""
    side = state.sides[PLACE[seat]]
    if side.bowl is None:
        return []
    theirs = around(state, other(seat))[side.bowl]
    free = [s for s, tile in enumerate(state.tiles) if tile.owner is None and s not in theirs]
    if side.bowl not in side.river:
        return [Found(space) for space in free]
    mine = around(state, seat)[side.bowl]
    return [Swap(s) for s in free if s in mine and state.tiles[s].colour != side.bowl]


def flips(state: State, seat: Seat) -> list[Flip]:
    """The flips that P3.3 allows a player, whoever has the turn.

    A colour without a group has no face-down tile to reach from, so it needs no test here.
    """
    mine, theirs = around(state, seat), around(state, other(seat))
    return [
        Flip(space)
        for space, tile in enumerate(state.tiles)
        if tile.owner is None and space in mine[tile.colour] and space not in theirs[tile.colour]
    ]


def check(state: State, move: Move) -> Seat:
    """Returns the mover if the move is legal. Raises IllegalMoveError with the rule's number."""
    seat = state.mover
    if seat is None:
        raise IllegalMoveError("play is over", "P4.1")
    if isinstance(move, Bowl):
        _check_bowl(state, move)
        return seat
    if state.left:
        raise IllegalMoveError("a tile for the bowl is to be chosen first", "P2.3")
    if state.tiles[move.space].owner is not None:
        raise IllegalMoveError(f"the tile on {SPACES[move.space]} lies face down", "P3.4")
    _check_action(state, move, seat)
    return seat


def _check_bowl(state: State, move: Bowl) -> None:
    if not state.left:
        raise IllegalMoveError("both bowls have their tile", "P2.3")
    if move.colour not in state.left:
        names = " and ".join(COLOURS[colour] for colour in state.left)
        raise IllegalMoveError(f"the tiles left for the bowls are {names}", "P2.3")


def _check_action(state: State, move: Action, seat: Seat) -> None:
    """P3.1 to P3.4 for an open tile."""
    side, name = state.sides[PLACE[seat]], SPACES[move.space]
    assert side.bowl is not None  # no tile is left, so both bowls have one
    taken = state.tiles[move.space].colour
    laid, rule = {
        Found: (side.bowl, "P3.1"),
        Swap: (side.bowl, "P3.2"),
        Flip: (taken, "P3.3"),
    }[type(move)]
    word = COLOURS[laid]
    if isinstance(move, Found):
        if laid in side.river:
            raise IllegalMoveError(f"{word} is founded already", rule)
    elif laid not in side.river:
        raise IllegalMoveError(f"{word} is not founded yet", rule)
    elif isinstance(move, Swap) and taken == laid:
        raise IllegalMoveError(f"the tile on {name} is {word} too, flip it", rule)
    elif move.space not in around(state, seat)[laid]:
        raise IllegalMoveError(f"{name} does not touch the own {word} group", rule)
    if move.space in around(state, other(seat))[laid]:
        raise IllegalMoveError(f"{name} touches the opponent's {word} group", "P3.4")


def apply(state: State, move: Move) -> Step[State]:
    """Plays a move and what follows from it. Raises IllegalMoveError."""
    seat = check(state, move)
    if isinstance(move, Bowl):
        return _choose(state, seat, move.colour)
    events: list[Event] = []
    after = _act(state, seat, move, events)
    after = replace(after, mover=other(seat), actions=state.actions + 1)
    if not legal_moves(after):
        after = _end(after, seat, events)
    return Step(after, tuple(events))


def _choose(state: State, seat: Seat, colour: Colour) -> Step[State]:
    """P2.3: the start player gets the tile that is not chosen, and moves first."""
    first = other(seat)
    (rest,) = (one for one in state.left if one != colour)
    mine, theirs = Side(bowl=colour), Side(bowl=rest)
    sides = (mine, theirs) if seat == "A" else (theirs, mine)
    event = Happened(f"gets {COLOURS[rest]}", first)
    return Step(replace(state, mover=first, sides=sides, left=()), (event,))


def _act(state: State, seat: Seat, move: Action, events: list[Event]) -> State:
    """P3.1 to P3.3: tiles, bowl and river after an action."""
    side, taken = state.sides[PLACE[seat]], state.tiles[move.space].colour
    if isinstance(move, Flip):
        events.append(Happened(COLOURS[taken], colour=taken))
        return _with_tile(state, move.space, Tile(taken, seat))
    assert side.bowl is not None  # the move is legal
    laid, marker, river = side.bowl, 0, side.river
    if isinstance(move, Found):
        river = (*river, laid)
        marker = len(river)
    group = f" as group {marker}" if marker else ""
    events.append(Happened(f"lays {COLOURS[laid]}{group}, takes {COLOURS[taken]}", colour=laid))
    state = _with_tile(state, move.space, Tile(laid, seat, marker))
    mine, theirs = Side(taken, river), state.sides[1 - PLACE[seat]]
    return replace(state, sides=(mine, theirs) if seat == "A" else (theirs, mine))


def _end(state: State, last: Seat, events: list[Event]) -> State:
    """P4: play is over, and the opponent of the blocked player makes the extra flips."""
    events.append(Happened("has no action: play is over", other(last), great=True))
    state, flipped = extra_flips(state, last)
    if flipped:
        names = ", ".join(SPACES[space] for space in flipped)
        events.append(Happened(f"extra flips {names}"))
    return replace(state, mover=None, termination="blocked")


def extra_flips(state: State, seat: Seat) -> tuple[State, tuple[int, ...]]:
    """The state after all flips of a player, chains included, and their spaces (P4.2).

    What is safe depends on the opponent's tiles alone and what is adjacent only grows, so no flip
    forbids another and their order is nothing.
    """
    made: list[int] = []
    while found := flips(state, seat):
        for flip in found:
            state = _with_tile(state, flip.space, Tile(state.tiles[flip.space].colour, seat))
            made.append(flip.space)
    return state, tuple(made)


def _with_tile(state: State, space: int, tile: Tile) -> State:
    return replace(state, tiles=(*state.tiles[:space], tile, *state.tiles[space + 1 :]))


def points(state: State, seat: Seat) -> int:
    """A player's points as they stand: (size - 1) x river number for each group (P5.1)."""
    return sum((size - 1) * number for number, size in enumerate(state.sizes(seat), 1))


def scores(state: State) -> tuple[int, int]:
    """The points as they stand, A's first."""
    return points(state, "A"), points(state, "B")


def winner(state: State) -> Seat | None:
    """Who has more points, None for a draw (P5.2)."""
    a, b = scores(state)
    if a == b:
        return None
    return "A" if a > b else "B"
