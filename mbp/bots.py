"""Computer players, for practice, the demo and simulations. They see only what their seat sees."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from mbp.rules.contract import AnyGame, Colour, State

# (game, state as the seat sees it, own hand, legal moves, chance) -> one of the moves
Player: TypeAlias = Callable[[AnyGame, State, Sequence[Colour], Sequence[Any], random.Random], Any]


def play_random(
    game: AnyGame, state: State, hand: Sequence[Colour], moves: Sequence[Any], rng: random.Random
) -> Any:
    """Any legal move, each as likely."""
    return rng.choice(moves)


def play_greedy(
    game: AnyGame, state: State, hand: Sequence[Colour], moves: Sequence[Any], rng: random.Random
) -> Any:
    """The move that the game's own rank finds best; chance decides among equals."""
    ranked = [(game.rank(state, hand, move), move) for move in moves]
    best = max(rank for rank, _ in ranked)
    return rng.choice([move for rank, move in ranked if rank == best])


PLAYERS: Mapping[str, Player] = {"greedy": play_greedy, "random": play_random}
