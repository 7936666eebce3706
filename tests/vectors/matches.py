"""The good matches that crimes are done to.

`short`  options named by the players, all kinds of turns, a hand of one card, an offer, a vacation
`long`   a whole match: destructions, two further piles (one of a single card), open cups, the score
`other`  another game of the same two, without pace: what is moved from one game to another
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

from mbp.chain import Entry
from mbp.match import Match
from mbp.rules.contract import Seat
from tests.vectors.players import SEED, Sight, identity, invited, rng_of, step

SHORT: Mapping[str, str] = {
    "start": "inviter", "draw": "up_to", "deck_end": "last_mandala", "pace": "7", "vacation": "9"
}  # fmt: skip
LONG: Mapping[str, str] = {
    "start": "coin", "draw": "full", "deck_end": "last_mandala", "pace": "7"
}  # fmt: skip
OTHER: Mapping[str, str] = {**LONG, "pace": "0"}

# Which careful players empty the deck over a single discarded card: found by search.
CAREFUL = "careful 73"


def careful(match: Match, seat: Seat, sight: Sight, moves: list[str]) -> str:
    """Draws much and leaves at most one card on the discard pile."""
    turn = f"{SEED} {CAREFUL} {sight.state.turns} {seat}"
    return careful_choice(match.game, sight.state, moves, random.Random(turn).random)


def careful_choice(game: Any, state: Any, moves: list[str], chance: Any) -> str:
    """The move that a careful player finds best."""

    def rank(act: str) -> float:
        after = game.apply(state, game.parse_long(state, act)).state
        if state.last_stage:  # now to the end: a field first, then what completes a mandala
            missing = min(len(mandala.missing()) for mandala in after.mandalas)
            return float(chance() - missing + 2 * act.startswith("field"))
        thrown = sum(after.discards)
        spoiled = 30 * (thrown - 1) if thrown > 1 else 10 * (1 - thrown)
        missing = sum(len(mandala.missing()) for mandala in after.mandalas)
        return float(6 * (state.deck - after.deck) + 5 * missing - spoiled + chance())

    return max(moves, key=rank)


@cache
def long() -> Match:
    """A whole match."""
    match = invited("long", LONG)
    while match.pen is not None:
        match = step(match, careful)
    return match


def extended(match: Match, *entries: Mapping[str, Any]) -> Match:
    """The match with more entries, which hold."""
    for tree in entries:
        match = match.extended(Entry(tree))
    return match


@cache
def other() -> Match:
    """Another game, four entries."""
    match = invited("other", OTHER)
    while match.position.count < 4:
        match = step(match, lambda game, seat, sight, moves: moves[0])
    return match


def thrifty(match: Match, seat: Seat, sight: Sight, moves: list[str]) -> str:
    """A lets the hand shrink to one card; B does everything once."""
    if seat == "A":
        dry = [act for act in moves if act.endswith("draw 0")]
        return rng_of(match, "short").choice(dry)
    kinds = ("discard", "field", "mountain")
    kind = kinds[match.position.count // 2 % 3]
    fits = [act for act in moves if act.startswith(kind) and not act.endswith("draw 0")]
    return rng_of(match, "short").choice(fits or moves)


OFFER = 8  # the entry of `short` that offers to end the match


def hand_of_a(match: Match) -> int:
    """The cards in A's hand."""
    state: Any = match.position.state
    return 0 if state is None else int(state.sides[0].hand)


@cache
def short() -> Match:
    """The beginning of a match, up to a hand of one card."""
    match = invited("short", SHORT, identity("B").text)
    while match.position.state is None or match.pen == "B" or hand_of_a(match) > 1:
        words = ("Abort? \u00c9 \U0001f642", "abort") if match.position.count == OFFER else ()
        match = step(match, thrifty, *words)
    return match
