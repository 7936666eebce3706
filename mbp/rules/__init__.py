"""The games that mbp plays. Pure rules: standard library only, nothing else of mbp."""

from __future__ import annotations

from collections.abc import Mapping

from mbp.rules.contract import AnyGame
from mbp.rules.mandala import MANDALA
from mbp.rules.patterns import PATTERNS

GAMES: Mapping[str, AnyGame] = {game.name: game for game in (MANDALA, PATTERNS)}


def find_game(name: str) -> AnyGame | None:
    """The game of that name, or None."""
    return GAMES.get(name)
