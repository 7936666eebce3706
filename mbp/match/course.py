"""The course of an entry: what its act does to table and state, and what is owed with it.

Protocol 7.2 and 7.3, the same for the one who writes an entry and for the one who verifies it; they
differ only in where the cards to open come from (`Cards`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mbp import coins
from mbp.errors import OwedError
from mbp.match.position import Position
from mbp.match.table import Slot, Table, slot_text
from mbp.rules.contract import SEATS, Event, Moved, Seat, State

LEAVING = ("resign", "agree", "claim", "vacation")  # acts that pay nothing (protocol 9)


class Cards(Protocol):
    """Where the cards that an entry opens come from."""

    def card_at(self, slot: Slot) -> int | None:
        """The card to open at a slot, None if the entry does not open it."""

    def choose(self, slots: Sequence[Slot], colour: int | None, count: int) -> Sequence[Slot]:
        """At most `count` of these closed slots of the hand, to be played as that colour."""


@dataclass(frozen=True)
class Course:
    """Table and state behind an entry's act; `opens` and `gives` are owed with it, ascending.

    The table has the opened cards in it, claimed or read; a fresh pile is not masked yet.
    """

    table: Table
    state: State | None
    events: tuple[Event, ...] = ()
    opens: tuple[Slot, ...] = ()
    gives: tuple[Slot, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the rules have ended play, so that no mask is owed any more (7.2)."""
        return self.state is not None and self.state.termination is not None


def take_course(position: Position, table: Table, seat: Seat, act: str, cards: Cards) -> Course:
    """Plays an act that pays, by `seat`, on the position's state and a table with its second mask.

    `position` is the one before the entry, but with the joint seed of a `begin`. Raises GameError
    for a move that the rules do not allow, OwedError for a card that has to be opened and is not.
    """
    game, verb = position.game, act.partition(" ")[0]
    state = start_state(position) if verb == "begin" else position.state
    events: tuple[Event, ...] = ()
    opened: list[Slot] = []
    if state is not None and not position.play_over:
        faced = table.face_up_due(seat)
        table, state = _turn_up(table, state, faced, cards)
        opened += faced
    if state is not None and verb in game.acts:
        step = game.apply(state, game.parse_long(state, act))
        state, events = step.state, step.events
        table, played = _play_cards(table, seat, events, cards)
        opened += played
        table = table.after(events, seat)
    if state is None or state.termination is None:
        return Course(table, state, events, tuple(sorted(opened)), table.gives_due(seat))
    cups = table.cups_due(seat)
    table, state = _turn_up(table, state, cups, cards)
    return Course(table, state, events, tuple(sorted([*opened, *cups])))


def start_state(position: Position) -> State:
    """The state after set-up (protocol 3.2, 3.3)."""
    below = coins.Chance(position.joint).below
    state: State = position.game.start(position.options, first_seat(position), below)
    return state


def first_seat(position: Position) -> Seat:
    """The start player, once both coins are known (protocol 3.2)."""
    by_choice: dict[str, Seat] = {"inviter": SEATS[0], "guest": SEATS[1]}
    return by_choice.get(position.options["start"]) or coins.starts(position.joint)


def _turn_up(
    table: Table, state: State, slots: Sequence[Slot], cards: Cards
) -> tuple[Table, State]:
    """Opens slots where they lie."""
    game: Any = table.game
    for slot in slots:
        zone, card = table.zone_of(slot), _known(cards, slot)
        table = table.with_opened({slot: card})
        state = game.reveal(state, zone, card // game.copies)
    return table, state


def _play_cards(
    table: Table, seat: Seat, events: Sequence[Event], cards: Cards
) -> tuple[Table, list[Slot]]:
    """Opens the cards that the act moves out of the hand (8)."""
    played: list[Slot] = []
    for event in events:
        if not isinstance(event, Moved) or table.game.zones[event.source].owner != seat:
            continue
        closed = [slot for slot in table.zones[event.source] if slot not in table.cards]
        chosen = cards.choose(closed, event.colour, event.count)
        if len(chosen) < event.count:
            raise OwedError("does not open as many cards of the named colour as it plays")
        table = table.with_opened({slot: _known(cards, slot) for slot in chosen})
        played += chosen
    return table, played


def _known(cards: Cards, slot: Slot) -> int:
    """The card to open at a slot. Raises OwedError if the entry does not open it."""
    card = cards.card_at(slot)
    if card is None:
        raise OwedError(f"does not open {slot_text(slot)}")
    return card
