"""Mandala's board for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mbp.rules.contract import Event, Line, Seat, Sight
from mbp.rules.mandala.state import State


def tell(event: Event, seat: Seat) -> str | None:
    return None


def board(
    state: State, sight: Sight, seat: Seat | None, names: Mapping[Seat, str], width: int
) -> tuple[Line, ...]:
    return ()


def tree(state: State, sight: Sight) -> dict[str, Any]:
    return {}
