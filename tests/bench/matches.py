"""Whole matches without homes and files, to measure: played in memory, between random players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mbp import gamefile
from mbp.cli.pair import SeededWorld
from mbp.desk.choices import choose_move, complete_options
from mbp.keys import Identity
from mbp.match import Match, Pen, invite, secret_of
from mbp.rules.contract import SEATS, Seat
from mbp.rules.mandala import MANDALA
from tests.bench.measure import Figure, figure


def play_match(seed: str, player: str = "random") -> Match:
    """A finished match with default options."""
    world = SeededWorld(seed)
    keys: dict[Seat, Identity] = {seat: Identity(world.randomness(32)) for seat in SEATS}
    names: dict[Seat, str] = {"A": "Alice", "B": "Bob"}
    players = {seat: {"name": names[seat], "key": keys[seat].text} for seat in SEATS}
    nonce, options = world.randomness(32), complete_options(MANDALA, {})

    def pen(seat: Seat) -> Pen:
        world.wait()
        return Pen(keys[seat], world.now(), world.randomness)

    match = invite(MANDALA, options, players["A"], "", nonce, pen("A"))
    match = match.accepted(players["B"], pen("B"))
    while (seat := match.pen) is not None:
        duty = match.position.duty
        if duty == "play":
            secrets = {seat: secret_of(match.position, seat, keys[seat])}
            act = choose_move(match, seat, secrets, player, world.randomness)
            match = match.played(seat, act, pen(seat))
        else:
            match = match.played(seat, duty or "", pen(seat))
    return match


@dataclass(frozen=True)
class Sizes:
    """What a match takes: bytes of each entry in the file and of the whole, and how often it went.

    `moves` are the sizes of entries with an act of play that brings no mask.
    """

    invitation: int
    acceptance: int
    moves: Sequence[int]
    whole: int
    entries: int
    hand_overs: int
    turns: int


def sizes_of(match: Match) -> Sizes:
    """Measures a match in the form in which it is sent."""
    record = match.record
    lengths = [0]
    for count in range(1, len(record.log) + 1):
        lengths.append(len(gamefile.dump(replace(record, log=record.log[:count]))))
    frame = len(gamefile.dump(replace(record, log=record.log[:1]))) - _text_of_first(match)
    entries = [after - before for before, after in pairwise(lengths)]
    acts = [
        size
        for size, entry in zip(entries, match.log, strict=True)
        if entry.verb in match.game.acts and "mask" not in entry.cards
    ]
    authors = [entry.by for entry in match.log]
    return Sizes(
        invitation=entries[0] - frame,
        acceptance=entries[1],
        moves=acts,
        whole=lengths[-1],
        entries=len(match.log),
        hand_overs=sum(one != two for one, two in pairwise(authors)) + 1,
        turns=turns_of(match),
    )


def turns_of(match: Match) -> int:
    """Mandala's turns: actions of play, without the choices of destructions (M8.5)."""
    return sum(entry.verb in ("mountain", "field", "discard") for entry in match.log)


def _text_of_first(match: Match) -> int:
    """The bytes of entry 0 alone: from its first line to the summary."""
    text = gamefile.dump(match.at(0).record)
    return text.index(b"\nsummary:") - text.index(b"\nlog:") - len(b"\nlog:")


def size_figures(matches: Sequence[Match]) -> Iterator[Figure]:
    """Bytes, entries and ways over several matches."""
    sizes = [sizes_of(match) for match in matches]
    moves = [move for size in sizes for move in size.moves]
    yield figure("invitation, entry 0", "bytes", [size.invitation for size in sizes], "18 kB")
    yield figure("acceptance, entry 1", "bytes", [size.acceptance for size in sizes], "18 kB")
    yield figure("entry of a move", "bytes", moves, "700 bytes")
    yield figure("whole match", "bytes", [size.whole for size in sizes], "70 kB")
    yield figure("turns (random players)", "", [size.turns for size in sizes])
    yield figure("entries", "", [size.entries for size in sizes])
    yield figure("hand-overs of the file", "", [size.hand_overs for size in sizes])
