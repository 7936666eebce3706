"""The good matches of Patterns, to which its crimes are done.

`tiles`   a whole match with every kind of action, and an offer that lapses; the guest starts
`sudden`  a match that ends after three actions (P4.1), and then has extra flips; the coin starts
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from mbp.match import Match
from mbp.rules.contract import Seat
from tests.vectors.players import Sight, invited, rng_of, step

TILES: Mapping[str, str] = {"start": "guest", "pace": "7"}
SUDDEN: Mapping[str, str] = {"start": "coin", "pace": "0"}

OPENED = 3  # entries before the bowl choice
OFFER = 8  # the entry of `tiles` that offers to end the match

# The shortest match that these tiles allow, as in test position 2 of the rules: found by search.
SUDDEN_ACTS = ("bowl orange", "found b5", "found a3", "found b4")


def state_of(match: Match) -> Any:
    """The position of the tiles; Patterns hides nothing."""
    return match.position.state


def mixed(match: Match, seat: Seat, sight: Sight, moves: list[str]) -> str:
    """A swap in every other round where there is one, else anything."""
    swaps = [act for act in moves if act.startswith("swap")]
    wanted = swaps if swaps and match.position.count % 4 < 2 else moves
    return rng_of(match, "tiles").choice(wanted)


@cache
def tiles() -> Match:
    """A whole match."""
    match = invited("tiles", TILES, game="patterns")
    while match.pen is not None:
        words = ("Stop here?", "abort") if match.position.count == OFFER else ()
        match = step(match, mixed, *words)
    return match


@cache
def sudden() -> Match:
    """A match of three actions."""
    match = invited("sudden", SUDDEN, game="patterns")
    acts = iter(SUDDEN_ACTS)
    while match.pen is not None:
        match = step(match, lambda *_: next(acts))
    return match
