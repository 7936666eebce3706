"""Mandala's legal moves and what they do (M2 to M4, M9); the rest follows in `destruction`.

Everything here works on public information: a move names a colour, and whether the hand holds it
is for others to prove. Invariant: `apply` keeps all 108 cards (M1.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mbp.rules.contract import (
    COLOURS,
    SEATS,
    Colour,
    Event,
    IllegalMoveError,
    Moved,
    Seat,
    Step,
    other,
)
from mbp.rules.mandala.destruction import draw, finish_turn, take, with_mandala, with_side
from mbp.rules.mandala.state import (
    CARDS,
    DEAL,
    DISCARDS,
    HAND_LIMIT,
    PLACE,
    Counts,
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


def start(options: Mapping[str, str], first: Seat) -> State:
    """The state after set-up (M2.1): mountains and cups lie face down until revealed."""
    return State(
        mover=first,
        mandalas=(Mandala(closed=2), Mandala(closed=2)),
        sides=(Side(hand=6, closed=2), Side(hand=6, closed=2)),
        deck=CARDS - sum(drawn.count for drawn in DEAL),
        up_to=options.get("draw") == "up_to",
        immediate=options.get("deck_end") == "immediate",
    )


def reveal(state: State, zone: str, colour: Colour) -> State:
    """Gives a face-down card of a mountain or a cup its colour.

    Raises LookupError if the zone has no face-down card.
    """
    for number, mandala in enumerate(state.mandalas, 1):
        if zone == f"mountain {number}" and mandala.closed:
            mountain = added(mandala.mountain, colour, 1)
            opened = replace(mandala, mountain=mountain, closed=mandala.closed - 1)
            return with_mandala(state, number, opened)
    for seat in SEATS:
        side = state.sides[PLACE[seat]]
        if zone == f"cup {seat}" and side.closed:
            cup = added(side.cup, colour, 1)
            return with_side(state, seat, replace(side, cup=cup, closed=side.closed - 1))
    raise LookupError(f"no face-down card in zone {zone!r}")


def most_drawn(hand: int) -> int:
    """The cards that a mountain action draws with `hand` cards before it (M3.1)."""
    return min(3, HAND_LIMIT - (hand - 1))


def mountain_takes(mandala: Mandala, colour: Colour) -> bool:
    """Whether the colour may go to the mountain (M4.2)."""
    return not mandala.fields[0][colour] and not mandala.fields[1][colour]


def field_takes(mandala: Mandala, seat: Seat, colour: Colour) -> bool:
    """Whether the colour may go to that seat's field (M4.2)."""
    return not mandala.mountain[colour] and not mandala.fields[PLACE[other(seat)]][colour]


def check(state: State, move: Move) -> Seat:
    """Returns the mover if the move is legal. Raises IllegalMoveError with the rule's number."""
    seat = state.mover
    if seat is None:
        raise IllegalMoveError("play is over", "M8")
    if isinstance(move, Take):
        _check_take(state, move)
        return seat
    if state.choice is not None:
        number = state.choice.mandala
        raise IllegalMoveError(f"a colour of mountain {number} is to be taken first", "M6.1")
    if state.mandalas[0].closed or state.mandalas[1].closed:
        raise IllegalMoveError("a mountain card is still face down", "M2.1")
    hand = state.sides[PLACE[seat]].hand
    match move:
        case Mountain():
            _check_mountain(state, move, hand)
        case Field():
            _check_field(state, move, seat, hand)
        case Discard():
            _check_count(move.count, hand, "M3.3")
    return seat


def _check_take(state: State, move: Take) -> None:
    if state.choice is None:
        raise IllegalMoveError("no mandala is being destroyed, nothing is to be taken", "M6.1")
    number = state.choice.mandala
    if not state.mandalas[number - 1].mountain[move.colour]:
        raise IllegalMoveError(f"mountain {number} has no {COLOURS[move.colour]}", "M6.1")


def _check_mountain(state: State, move: Mountain, hand: int) -> None:
    if (move.draw is not None) != state.up_to:
        word = "must" if state.up_to else "does not"
        raise IllegalMoveError(f"the player {word} name how many cards to draw", "M3.1")
    most = most_drawn(hand)
    if move.draw is not None and not 0 <= move.draw <= most:
        raise IllegalMoveError(f"with {hand} cards in hand one draws 0 to {most}", "M3.1")
    if not mountain_takes(state.mandalas[move.mandala - 1], move.colour):
        name = COLOURS[move.colour]
        raise IllegalMoveError(f"{name} lies in a field of mandala {move.mandala}", "M4.2")
    wanted = most if move.draw is None else move.draw
    if hand == 1 and not (wanted and (state.deck or any(state.discards))):
        raise IllegalMoveError("the hand would be empty at the end of the turn", "M3.4")


def _check_field(state: State, move: Field, seat: Seat, hand: int) -> None:
    _check_count(move.count, hand, "M3.2")
    if move.count == hand:
        raise IllegalMoveError("at least one card stays in the hand", "M3.2")
    if not field_takes(state.mandalas[move.mandala - 1], seat, move.colour):
        where = "in the mountain or the opponent's field"
        name = COLOURS[move.colour]
        raise IllegalMoveError(f"{name} lies {where} of mandala {move.mandala}", "M4.2")


def _check_count(count: int, hand: int, rule: str) -> None:
    if count < 1:
        raise IllegalMoveError("at least one card is played", rule)
    if count > hand:
        raise IllegalMoveError(f"the hand has {hand} cards, not {count}", rule)


def apply(state: State, move: Move) -> Step[State]:
    """Plays a move and all that follows from it. Raises IllegalMoveError."""
    seat = check(state, move)
    events: list[Event] = []
    match move:
        case Mountain():
            after = _play_mountain(state, move, seat, events)
        case Field():
            after = _play_field(state, move, seat, events)
        case Discard():
            after = _play_discard(state, move, seat, events)
        case Take():
            after = take(state, move.colour, events)
    return Step(after, tuple(events))


def _play_mountain(state: State, move: Mountain, seat: Seat, events: list[Event]) -> State:
    """M3.1; whatever is drawn is drawn before completion is looked at (M5.1)."""
    number, side = move.mandala, state.sides[PLACE[seat]]
    mandala = state.mandalas[number - 1]
    events.append(Moved(f"hand {seat}", f"mountain {number}", move.colour, 1))
    mountain = added(mandala.mountain, move.colour, 1)
    state = with_mandala(state, number, replace(mandala, mountain=mountain))
    wanted = most_drawn(side.hand) if move.draw is None else move.draw
    state = _draw_to_hand(state, seat, side.hand - 1, wanted, events)
    return finish_turn(state, number, events)


def _play_field(state: State, move: Field, seat: Seat, events: list[Event]) -> State:
    """M3.2."""
    number, place = move.mandala, PLACE[seat]
    mandala, side = state.mandalas[number - 1], state.sides[place]
    events.append(Moved(f"hand {seat}", f"field {number} {seat}", move.colour, move.count))
    mine, theirs = mandala.fields[place], mandala.fields[1 - place]
    mine = added(mine, move.colour, move.count)
    fields = (mine, theirs) if seat == "A" else (theirs, mine)
    state = with_mandala(state, number, replace(mandala, fields=fields))
    state = with_side(state, seat, replace(side, hand=side.hand - move.count))
    return finish_turn(state, number, events)


def _play_discard(state: State, move: Discard, seat: Seat, events: list[Event]) -> State:
    """M3.3; the cards thrown away can be shuffled and come back in this very draw (M7.2)."""
    hand = state.sides[PLACE[seat]].hand - move.count
    events.append(Moved(f"hand {seat}", DISCARDS, move.colour, move.count))
    state = replace(state, discards=added(state.discards, move.colour, move.count))
    state = _draw_to_hand(state, seat, hand, move.count, events)
    return finish_turn(state, None, events)


def _draw_to_hand(state: State, seat: Seat, hand: int, wanted: int, events: list[Event]) -> State:
    state, drawn = draw(state, f"hand {seat}", wanted, events)
    return with_side(state, seat, replace(state.sides[PLACE[seat]], hand=hand + drawn))


def legal_moves(state: State, hand: Sequence[Colour]) -> tuple[Move, ...]:
    """The mover's legal moves with that hand: mountains, fields, discards, each by colour."""
    if state.mover is None:
        return ()
    if state.choice is not None:
        return tuple(Take(c) for c in colours_of(state.mandalas[state.choice.mandala - 1].mountain))
    counts = tuple(hand.count(colour) for colour in range(len(COLOURS)))
    return (
        *_mountain_moves(state, counts),
        *_field_moves(state, state.mover, counts),
        *(Discard(c, k) for c in colours_of(counts) for k in range(1, counts[c] + 1)),
    )


def _mountain_moves(state: State, counts: Counts) -> list[Move]:
    size = sum(counts)
    draws: list[int | None] = list(range(most_drawn(size) + 1)) if state.up_to else [None]
    if size == 1 and not state.deck and not any(state.discards):
        draws = []  # M3.4
    elif size == 1 and state.up_to:
        draws = draws[1:]  # M3.4
    return [
        Mountain(number, colour, drawn)
        for number, mandala in enumerate(state.mandalas, 1)
        for colour in colours_of(counts)
        if mountain_takes(mandala, colour)
        for drawn in draws
    ]


def _field_moves(state: State, seat: Seat, counts: Counts) -> list[Move]:
    most = sum(counts) - 1  # M3.2
    return [
        Field(number, colour, count)
        for number, mandala in enumerate(state.mandalas, 1)
        for colour in colours_of(counts)
        if field_takes(mandala, seat, colour)
        for count in range(1, min(counts[colour], most) + 1)
    ]


def winner(state: State) -> Seat | None:
    """Who wins by the score: more points, then fewer cup cards (M9.2); None for a draw."""
    a, b = ((side.points(), -side.cup_size()) for side in state.sides)
    if a == b:
        return None
    return "A" if a > b else "B"


def scores(state: State) -> tuple[int, int]:
    """The points as they stand, A's first (M9.1)."""
    return state.sides[0].points(), state.sides[1].points()
