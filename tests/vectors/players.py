"""The two players of the vectors: their keys, their clock, their chance, and matches they play.

Everything comes from hashes of labels, so that the same script writes the same bytes for ever.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256, sha512
from itertools import count
from typing import Any

from mbp.keys import Identity
from mbp.match import Match, Pen, invite, secret_of
from mbp.rules import GAMES
from mbp.rules.contract import COLOURS, Seat, other

SEED = "mbp vectors 1"
NAMES: Mapping[Seat, str] = {"A": "Anna", "B": "Bela"}
START = datetime(2026, 11, 30, 12, tzinfo=UTC)

# Chooses an act: (the match, the mover, the mover's state and hand, its legal moves in long form).
Chooser = Callable[[Match, Seat, "Sight", list[str]], str]


@dataclass(frozen=True)
class Sight:
    """What the mover sees: state, and the colours of the hand."""

    state: Any
    hand: tuple[int, ...]


def secret_bytes(label: str, length: int = 32) -> bytes:
    """Bytes that belong to a label: a hash of the seed and the label."""
    return sha512(f"{SEED}\n{label}".encode()).digest()[:length]


def steady(label: str) -> Callable[[int], bytes]:
    """Randomness for a writer: each call gives other bytes, each run the same."""
    calls: Iterator[int] = count()

    def draw(length: int) -> bytes:
        head = f"{SEED}\n{label}\n{next(calls)}".encode()
        blocks = (sha256(head + bytes([place])).digest() for place in range(length // 32 + 1))
        return b"".join(blocks)[:length]

    return draw


def identity(label: str) -> Identity:
    """The identity of a person: `A` and `B` play, others watch or steal."""
    return Identity(secret_bytes(f"identity {label}"))


def pen_of(label: str, time: datetime, chance: str) -> Pen:
    """A pen of that identity."""
    return Pen(identity(label), time, steady(f"{label} {chance}"))


def player_of(seat: Seat) -> dict[str, str]:
    """The map `player` of a seat."""
    return {"name": NAMES[seat], "key": identity(seat).text}


def invited(
    label: str, options: Mapping[str, str], guest: str = "", game: str = "mandala"
) -> Match:
    """A match of one entry; `label` makes its nonce, and so its deck, its own."""
    pen, nonce = pen_of("A", START, f"{label} 0"), secret_bytes(f"nonce {label}")
    return invite(GAMES[game], options, player_of("A"), guest, nonce, pen)


def clock(match: Match) -> datetime:
    """The hour at which the next entry is written: one hour behind the entry before."""
    return match.position.time + timedelta(hours=1)


def secrets_of(match: Match, *seats: Seat) -> dict[Seat, int]:
    """The card secrets of these seats."""
    return {seat: secret_of(match.position, seat, identity(seat)) for seat in seats}


def written(match: Match, seat: Seat, act: str, note: str = "", offer: str = "") -> Match:
    """The match with an honest entry by a seat."""
    pen = pen_of(seat, clock(match), f"{match.position.head} {act}")
    if act == "accept":
        return match.accepted(player_of("B"), pen, note)
    return match.played(seat, act, pen, note, offer)


def sight_of(match: Match, seat: Seat) -> Sight:
    """What a seat sees of state and hand; cards that are not given yet are left out."""
    state, zones = match.seen(secrets_of(match, seat))
    hand = tuple(card for card in zones.get(match.game.hands.get(seat, ""), ()) if card is not None)
    return Sight(state, hand)


def moves_of(match: Match, seat: Seat) -> tuple[Sight, list[str]]:
    """The mover's sight, and its legal moves in long form."""
    sight, game = sight_of(match, seat), match.game
    moves = game.legal_moves(sight.state, sight.hand)
    return sight, [game.format(sight.state, move) for move in moves]


def step(match: Match, choose: Chooser, note: str = "", offer: str = "") -> Match:
    """The match with the entry that is due, by whoever holds the pen."""
    seat, duty = match.pen, match.position.duty
    assert seat is not None
    assert duty is not None
    if duty != "play":
        return written(match, seat, duty)
    return written(match, seat, choose(match, seat, *moves_of(match, seat)), note, offer)


def rng_of(match: Match, label: str) -> random.Random:
    """Chance for a choice in this very position."""
    return random.Random(f"{SEED} {label} {match.position.count}")


def colours(hand: tuple[int, ...]) -> list[str]:
    """The colours of a hand in words."""
    return [COLOURS[card] for card in hand]


def opponent(seat: Seat) -> Seat:
    """The other seat."""
    return other(seat)
