"""Plays whole matches of any game with real cards and no cryptography: simulations.

The driver deals the cards, keeps them by following the card events, and shows each player what a
seat sees: the public state and the own hand. It knows no game's rules. Invariant: every card is in
one zone or in the deck, always.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from mbp.bots import play_greedy
from mbp.rules.contract import (
    SEATS,
    AnyGame,
    Colour,
    Drawn,
    Event,
    Game,
    Outcome,
    Seat,
    State,
    follow,
)

S = TypeVar("S", bound=State)
M = TypeVar("M")

# A player chooses from the legal moves, knowing the state and the own hand.
Player: TypeAlias = Callable[[Any, tuple[Colour, ...], tuple[Any, ...]], Any]


@dataclass(frozen=True)
class Card:
    """One card of the box: its colour, and a number that tells it from all others."""

    number: int
    colour: Colour


@dataclass(frozen=True)
class Position(Generic[S, M]):
    """A moment of a playout: the state, where each card is, and the step that led here.

    `seat`, `move` and `events` are those of the last move; None and empty after set-up.
    """

    state: S
    zones: Mapping[str, tuple[Card, ...]]
    deck: tuple[Card, ...]
    seat: Seat | None = None
    move: M | None = None
    events: tuple[Event, ...] = ()

    def hand(self, game: Game[S, M], seat: Seat) -> tuple[Colour, ...]:
        """The colours of a seat's hand, in order of arrival; empty in a game without hands."""
        return tuple(card.colour for card in self.zones.get(game.hands.get(seat, ""), ()))


@dataclass(frozen=True)
class Playout(Generic[S, M]):
    """A finished match: its last state, the number of moves, the moves with their seats."""

    state: S
    moves: tuple[tuple[Seat, M], ...]
    outcome: Outcome


def positions(
    game: Game[S, M],
    options: Mapping[str, str],
    players: Mapping[Seat, Player],
    rng: random.Random,
) -> Iterator[Position[S, M]]:
    """Plays a match and yields the position after set-up and after every move.

    When play is over the closed cards that the game opens at its end are opened, in one more
    position without a move.
    """
    now = _set_up(game, options, rng)
    yield now
    while (seat := now.state.mover) is not None:
        hand = now.hand(game, seat)
        move = players[seat](now.state, hand, game.legal_moves(now.state, hand))
        step = game.apply(now.state, move)
        zones, deck = follow(
            now.zones, now.deck, step.events, _colour, lambda pile: _shuffled(pile, rng)
        )
        state = step.state
        if state.mover is not None:  # once play is over nothing is turned up any more
            state = _turn_up(game, state, step.events, zones)
        now = Position(state, zones, deck, seat, move, step.events)
        yield now
    yield Position(_open_at_end(game, now), now.zones, now.deck)


def playout(
    game: Game[S, M],
    options: Mapping[str, str],
    players: Mapping[Seat, Player],
    rng: random.Random,
) -> Playout[S, M]:
    """Plays a match to its end; the same `rng` and players give the same match."""
    moves: list[tuple[Seat, M]] = []
    for position in positions(game, options, players, rng):
        if position.seat is not None and position.move is not None:
            moves.append((position.seat, position.move))
    state = position.state
    termination = state.termination
    assert termination is not None  # no mover is left, so play is over
    outcome = Outcome(termination, game.winner(state), game.scores(state))
    return Playout(state, tuple(moves), outcome)


def random_player(rng: random.Random) -> Player:
    """A player that takes any legal move, each as likely as the others."""
    return lambda state, hand, moves: rng.choice(moves)


def greedy_player(game: AnyGame, rng: random.Random) -> Player:
    """A player that takes a move of the highest rank, by lot among equals."""

    return lambda state, hand, moves: play_greedy(game, state, hand, moves, rng)


def _set_up(game: Game[S, M], options: Mapping[str, str], rng: random.Random) -> Position[S, M]:
    by_option: dict[str, Seat] = {"inviter": "A", "guest": "B", "coin": rng.choice(SEATS)}
    state = game.start(options, by_option[options.get("start", "coin")], rng.randrange)
    colours = (colour for colour in range(6) for _ in range(game.copies))
    box = tuple(Card(number, colour) for number, colour in enumerate(colours))
    empty: dict[str, tuple[Card, ...]] = dict.fromkeys(game.zones, ())
    zones, deck = follow(empty, _shuffled(box, rng), game.deal, _colour)
    return Position(_turn_up(game, state, game.deal, zones), zones, deck)


def _turn_up(
    game: Game[S, M], state: S, events: Sequence[Event], zones: Mapping[str, tuple[Card, ...]]
) -> S:
    """Reveals the cards that were drawn to face-up zones; they lie last there."""
    counts: dict[str, int] = {}
    for event in events:
        if isinstance(event, Drawn) and game.zones[event.zone].owner is None:
            counts[event.zone] = counts.get(event.zone, 0) + event.count
    for zone, count in counts.items():
        for card in zones[zone][-count:]:
            state = game.reveal(state, zone, card.colour)
    return state


def _open_at_end(game: Game[S, M], last: Position[S, M]) -> S:
    """Reveals the cards dealt face down to zones that are opened at the end.

    They were dealt first and never leave such a zone, so they lie first there.
    """
    state = last.state
    for drawn in game.deal:
        if game.zones[drawn.zone].opened_at_end:
            for card in last.zones[drawn.zone][: drawn.count]:
                state = game.reveal(state, drawn.zone, card.colour)
    return state


def _colour(card: Card) -> Colour:
    return card.colour


def _shuffled(cards: tuple[Card, ...], rng: random.Random) -> tuple[Card, ...]:
    return tuple(rng.sample(cards, len(cards)))
