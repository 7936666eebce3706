"""How good a sensible player finds a move."""

from __future__ import annotations

from collections.abc import Sequence

from mbp.rules.contract import Colour
from mbp.rules.mandala.state import Move, State


def rank(state: State, hand: Sequence[Colour], move: Move) -> float:
    """How good a legal move looks; higher is better."""
    return 0.0
