"""What the rules of Mandala do by themselves: draws, completion, destruction, end (M5 to M8).

No decisions and no legality: `rules` calls this with moves that it has allowed. Each function
returns the next state and appends what happened to `events`, one by one and in order.
"""

from __future__ import annotations

from dataclasses import replace

from mbp.rules.contract import COLOURS, Colour, Drawn, Event, Happened, Moved, Seat, Shuffled, other
from mbp.rules.mandala.state import (
    DISCARDS,
    NONE,
    PLACE,
    TURN_LIMIT,
    Choice,
    Mandala,
    Side,
    State,
    added,
    colours_of,
)


def with_side(state: State, seat: Seat, side: Side) -> State:
    """The state with another side for a seat."""
    first, second = state.sides
    return replace(state, sides=(side, second) if seat == "A" else (first, side))


def with_mandala(state: State, number: int, mandala: Mandala) -> State:
    """The state with another mandala 1 or 2."""
    first, second = state.mandalas
    return replace(state, mandalas=(mandala, second) if number == 1 else (first, mandala))


def draw(state: State, zone: str, count: int, events: list[Event]) -> tuple[State, int]:
    """Draws up to `count` cards for a zone, across shuffles; tells how many came (M7).

    The caller counts the drawn cards where they go.
    """
    left = count
    while left:
        if state.deck == 0:
            state = _shuffle(state, events)  # M7.1: the next draw tries again
        run = min(left, state.deck)
        if run == 0:
            break  # M7.1: both piles are empty
        events.append(Drawn(zone, run))
        state = replace(state, deck=state.deck - run)
        left -= run
        if state.deck == 0:
            state = _shuffle(_last_stage(state, events), events)
    return state, count - left


def _last_stage(state: State, events: list[Event]) -> State:
    """The last card has left the deck (M7.1, M7.3; option `deck_end: immediate`)."""
    if state.immediate:
        events.append(Happened("the deck is empty: this turn ends the game"))
        return state
    if state.last_stage:
        return state
    events.append(Happened("the deck is empty: the last stage begins"))
    return replace(state, last_stage=True)


def _shuffle(state: State, events: list[Event]) -> State:
    """Makes the discard pile the deck, if there is one to shuffle (M7.1)."""
    size = sum(state.discards)
    if size == 0 or state.immediate:
        return state
    events.append(Shuffled(DISCARDS, size))
    return replace(state, deck=size, discards=NONE)


def finish_turn(state: State, mandala: int | None, events: list[Event]) -> State:
    """Goes on after a turn's action and draw; `mandala` is the one just played to (M5.1)."""
    seat = state.mover
    assert seat is not None  # a turn has a player
    state = replace(state, turns=state.turns + 1)
    if mandala is not None and not state.mandalas[mandala - 1].missing():
        return _complete(state, mandala, seat, events)
    return _pass_on(state, other(seat), False, events)


def _complete(state: State, number: int, seat: Seat, events: list[Event]) -> State:
    """Begins the destruction of a complete mandala (M5, M6.4)."""
    events.append(Happened(f"mandala {number} is complete", great=True))
    mandala = state.mandalas[number - 1]
    mine = sum(mandala.fields[PLACE[seat]])
    theirs = sum(mandala.fields[PLACE[other(seat)]])
    if mine == theirs == 0:
        size = sum(mandala.mountain)
        events.append(Moved(f"mountain {number}", DISCARDS, None, size))
        discards = _joined(state.discards, mandala.mountain)
        state = with_mandala(
            replace(state, discards=discards), number, replace(mandala, mountain=NONE)
        )
        return _close(state, Choice(number, seat), events)
    chooser = seat if mine > theirs else other(seat)  # M5.2: on a tie the other player
    state = replace(state, mover=chooser, choice=Choice(number, seat))
    return _run(state, events)


def _run(state: State, events: list[Event]) -> State:
    """Goes on with a destruction as far as no player has a choice (M6.1, M6.5)."""
    choice = state.choice
    assert choice is not None  # called during a destruction
    colours = colours_of(state.mandalas[choice.mandala - 1].mountain)
    if len(colours) == 1:
        return take(state, colours[0], events)
    if not colours:
        return _close(replace(state, choice=None), choice, events)
    return state


def take(state: State, colour: Colour, events: list[Event]) -> State:
    """The chooser takes all cards of a colour from the mountain (M6.1 to M6.3)."""
    choice, seat = state.choice, state.mover
    assert choice is not None
    assert seat is not None
    number = choice.mandala
    mandala, side = state.mandalas[number - 1], state.sides[PLACE[seat]]
    source, count = f"mountain {number}", mandala.mountain[colour]
    if not any(mandala.fields[PLACE[seat]]):  # M6.3
        events.append(Moved(source, DISCARDS, colour, count))
        state = replace(state, discards=added(state.discards, colour, count))
    else:
        rest = count
        if colour not in side.river:  # M6.2
            events.append(Moved(source, f"river {seat}", colour, 1))
            side = replace(side, river=(*side.river, colour))
            rest -= 1
        if rest:
            events.append(Moved(source, f"cup {seat}", colour, rest))
            side = replace(side, cup=added(side.cup, colour, rest))
        state = with_side(state, seat, side)
    mountain = added(mandala.mountain, colour, -count)
    state = with_mandala(state, number, replace(mandala, mountain=mountain))
    return _run(replace(state, mover=other(seat)), events)


def _close(state: State, choice: Choice, events: list[Event]) -> State:
    """Ends a destruction whose mountain is empty: fields, end of the game, refill (M6.6)."""
    number = choice.mandala
    discards = state.discards
    for place, seat in enumerate(("A", "B")):
        field = state.mandalas[number - 1].fields[place]
        if any(field):
            events.append(Moved(f"field {number} {seat}", DISCARDS, None, sum(field)))
            discards = _joined(discards, field)
    state = with_mandala(replace(state, discards=discards), number, Mandala())
    mover = other(choice.completer)
    termination = ending(state, True)
    if termination is not None:
        return _end(state, termination, events)
    state, drawn = draw(state, f"mountain {number}", 2, events)
    state = with_mandala(state, number, Mandala(closed=drawn))
    return _pass_on(state, mover, False, events)  # M8.1: a refill's last stage waits


def _pass_on(state: State, mover: Seat, completed: bool, events: list[Event]) -> State:
    """Gives the turn to the next player unless the game ends here."""
    termination = ending(state, completed)
    if termination is not None:
        return _end(state, termination, events)
    return replace(state, mover=mover)


def ending(state: State, completed: bool) -> str | None:
    """Why the game ends after a turn, or None; `completed`: it destroyed a mandala (M8.6)."""
    if any(len(side.river) == len(COLOURS) for side in state.sides):
        return "river"  # M8.2
    if completed and state.last_stage:
        return "last_mandala"  # M8.1
    if state.immediate and state.deck == 0:
        return "deck"
    if state.turns >= TURN_LIMIT:
        return "turn_limit"  # M8.5
    return None


_WHY = {
    "river": "a river has all six colours: the game is over",
    "last_mandala": "the last mandala is destroyed: the game is over",
    "deck": "the deck is used up: the game is over",
    "turn_limit": f"{TURN_LIMIT} turns are played: the game is over",
}


def _end(state: State, termination: str, events: list[Event]) -> State:
    events.append(Happened(_WHY[termination], great=True))
    return replace(state, mover=None, choice=None, termination=termination)


def _joined(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, two, strict=True))
