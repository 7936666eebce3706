"""Builds Mandala positions from letters, and plays moves in them."""

from __future__ import annotations

from mbp.rules.contract import LETTERS, Drawn, Event, Happened, IllegalMoveError, Seat, Step
from mbp.rules.mandala import MANDALA
from mbp.rules.mandala.state import Choice, Counts, Mandala, Side, State


def counts(letters: str) -> Counts:
    """`counts("KKG")` is two black and one green."""
    return tuple(letters.count(letter) for letter in LETTERS)


def mandala(mountain: str = "", a: str = "", b: str = "", closed: int = 0) -> Mandala:
    """A mandala from the letters of its mountain and of both fields."""
    return Mandala(counts(mountain), closed, (counts(a), counts(b)))


def side(hand: int = 6, river: str = "", cup: str = "", closed: int = 2) -> Side:
    """A player's things from letters."""
    return Side(hand, tuple(LETTERS.index(letter) for letter in river), counts(cup), closed)


def position(
    one: Mandala | None = None,
    two: Mandala | None = None,
    a: Side | None = None,
    b: Side | None = None,
    *,
    mover: Seat = "A",
    deck: int = 40,
    discards: str = "",
    last_stage: bool = False,
    turns: int = 10,
    choice: Choice | None = None,
    up_to: bool = False,
    immediate: bool = False,
) -> State:
    """A position; what is not given is ordinary."""
    mandalas = (one or mandala("KG"), two or mandala("KG"))
    return State(
        mover,
        mandalas,
        (a or side(), b or side()),
        deck,
        counts(discards),
        last_stage,
        turns,
        choice,
        None,
        up_to,
        immediate,
    )


def play(state: State, *texts: str) -> Step[State]:
    """Plays moves one after the other and returns the last step; no card may get lost."""
    for text in texts:
        step = MANDALA.apply(state, MANDALA.parse(state, text))
        assert step.state.total() == state.total()  # M1.5
        state = step.state
    return step


def cards_of(step: Step[State]) -> list[Event]:
    """The events of a step that move cards."""
    return [event for event in step.events if not isinstance(event, Happened)]


def refused(state: State, text: str) -> str:
    """The number of the rule that forbids a move."""
    try:
        MANDALA.apply(state, MANDALA.parse(state, text))
    except IllegalMoveError as error:
        return error.rule
    raise AssertionError(f"{text} was allowed")


def drawn(step: Step[State], zone: str) -> int:
    """How many cards a step drew to a zone."""
    return sum(
        event.count for event in step.events if isinstance(event, Drawn) and event.zone == zone
    )
