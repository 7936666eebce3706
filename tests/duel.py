"""Two players at one table, at the level of matches: fast, seeded, nothing on disk.

Beside the honest play of `Duel` stand the means of a cheat: `resealed`, `reproved` and `lie` make
entries that no honest program writes, with signatures and proofs that hold.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from mbp import gamefile
from mbp.bots import PLAYERS
from mbp.cards.equality import Pair, prove_equality
from mbp.cards.pile import format_card
from mbp.cards.transcript import Place
from mbp.chain import Entry, Record, seal, to_text
from mbp.errors import VerificationError
from mbp.keys import Identity
from mbp.match import Match, Pen, invite, replay, secret_of
from mbp.match.table import slot_text
from mbp.rules import GAMES
from mbp.rules.contract import SEATS, AnyGame, Seat
from mbp.rules.mandala.state import Mountain
from mbp.times import format_time

START = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MANDALA = GAMES["mandala"]
OPTIONS = {"start": "inviter", "draw": "full", "deck_end": "last_mandala", "pace": "7"}


def seed_of(label: str) -> bytes:
    """32 bytes that a label stands for; never a secret of anybody."""
    return sha256(b"mbp tests " + label.encode()).digest()


def identity_of(name: str) -> Identity:
    """The key of a player of these tests."""
    return Identity(seed_of(f"key {name}"))


def player_of(name: str) -> dict[str, str]:
    """The field `player` of a player of these tests."""
    return {"name": name, "key": identity_of(name).text}


class Dice:
    """Randomness that a label repeats byte for byte."""

    def __init__(self, label: str) -> None:
        self._rng = random.Random(seed_of(f"dice {label}"))

    def __call__(self, count: int) -> bytes:
        return self._rng.randbytes(count)


@dataclass
class Duel:
    """Anna (A) and Bert (B) at one table; every match of it comes back from its methods."""

    label: str = "duel"
    options: Mapping[str, str] = field(default_factory=lambda: OPTIONS)
    guest: bool = False
    game: AnyGame = MANDALA
    players: Mapping[Seat, str] = field(default_factory=lambda: {"A": "Anna", "B": "Bert"})
    bots: Mapping[Seat, str] = field(default_factory=lambda: {"A": "random", "B": "random"})

    def __post_init__(self) -> None:
        self.dice = Dice(self.label)
        self.rng = random.Random(seed_of(f"choices {self.label}"))
        self.time = START

    def identity(self, seat: Seat) -> Identity:
        return identity_of(self.players[seat])

    def pen(self, seat: Seat, time: datetime | None = None) -> Pen:
        """The pen of a seat; every entry is an hour after the last, unless a time is given."""
        if time is None:
            self.time += HOUR
        return Pen(self.identity(seat), self.time if time is None else time, self.dice)

    def invited(self) -> Match:
        """Entry 0."""
        a, b = (player_of(self.players[seat]) for seat in SEATS)
        guest = b["key"] if self.guest else ""
        return invite(self.game, self.options, a, guest, self.dice(32), self.pen("A"))

    def accepted(self) -> Match:
        """Entries 0 and 1."""
        return self.invited().accepted(player_of(self.players["B"]), self.pen("B"))

    def begun(self) -> Match:
        """Entries 0 to 2."""
        return self.step(self.accepted())

    def step(self, match: Match, time: datetime | None = None, note: str = "") -> Match:
        """One more entry by whoever has the pen: what is due, or a move of the seat's bot."""
        seat = match.pen
        assert seat is not None
        return match.played(seat, self.choose(match), self.pen(seat, time), note)

    def choose(self, match: Match) -> str:
        """The act that `step` would write."""
        seat, duty = match.pen, match.position.duty
        assert seat is not None
        assert duty is not None
        if duty != "play":
            return duty
        moves, state, hand = self.moves(match)
        return self.game.format(
            state, PLAYERS[self.bots[seat]](self.game, state, hand, moves, self.rng)
        )

    def moves(self, match: Match) -> tuple[Any, Any, list[int]]:
        """The legal moves of the player to move, the state as that seat sees it, and its hand."""
        seat = match.pen
        assert seat is not None
        state, sight = match.seen(self.secrets(match))
        hands = sight.get(self.game.hands.get(seat, ""), ())
        hand = [card for card in hands if card is not None]
        return self.game.legal_moves(state, hand), state, hand

    def texts(self, match: Match) -> list[str]:
        """The legal moves of the player to move, in long notation."""
        moves, state, _ = self.moves(match)
        return [self.game.format(state, move) for move in moves]

    def until(self, match: Match, done: Callable[[Match], bool]) -> Match:
        """Plays on until `done`, which has to come true before the match is over."""
        while not done(match):
            assert match.pen is not None, "the match is over"
            match = self.step(match)
        return match

    def finished(self, match: Match) -> Match:
        """Plays on until nothing may follow."""
        return self.until(match, lambda now: now.pen is None)

    def at_play(self, match: Match, seat: Seat | None = None) -> Match:
        """Plays on until an act of play is due (of that seat)."""
        return self.until(
            match, lambda now: now.position.duty == "play" and now.pen in (seat or now.pen, seat)
        )

    def secrets(self, match: Match) -> dict[Seat, int]:
        """The card secret of the player who has the pen."""
        seat = match.pen
        assert seat is not None
        return {seat: secret_of(match.position, seat, self.identity(seat))}

    def play(self, match: Match, move: Any, offer: str = "") -> Match:
        """One move of the player who has the pen."""
        seat, state = match.pen, match.position.state
        assert seat is not None
        act = move if isinstance(move, str) else self.game.format(state, move)
        return match.played(seat, act, self.pen(seat), offer=offer)

    def hoarded(self, match: Match, deck: int, seat: Seat) -> Match:
        """Plays Mandala until so many cards are left and it is this seat's turn (draw: up_to).

        No mandala gets its sixth colour and nobody discards, so nothing is shuffled.
        """
        match = self.at_play(match)
        lacking = self.lacking(match)
        while True:
            match = self.at_play(match)
            moves, state, _ = self.moves(match)
            if state.deck == deck and match.pen == seat:
                return match
            fits = [
                move
                for move in moves
                if isinstance(move, Mountain)
                and move.colour != lacking[move.mandala - 1]
                and (move.draw or 0) <= state.deck - deck
            ]
            match = self.play(match, max(fits, key=lambda move: move.draw or 0))

    def lacking(self, match: Match) -> tuple[int, int]:
        """A colour for each mandala that is not in it yet, two different ones."""
        state: Any = match.seen(self.secrets(match))[0]
        one, two = (mandala.missing() for mandala in state.mandalas)
        first: int = one[0]
        return first, next(colour for colour in two if colour != first)

    def trees(self, match: Match) -> list[dict[str, Any]]:
        """A copy of the log as trees, to be altered."""
        return [deepcopy(dict(entry.tree)) for entry in match.log]


def resealed(entry: Entry, identity: Identity, **fields: Any) -> Entry:
    """The entry with other fields (None: without that field), signed anew by this key."""
    tree = {**deepcopy(dict(entry.tree)), **fields}
    return seal({name: value for name, value in tree.items() if value is not None}, identity)


def reproved(
    entry: Entry, pairs: list[Pair], secret: int, identity: Identity, key: bytes, dice: Dice
) -> Entry:
    """The entry with an equality proof for exactly these pairs, signed: a lie of its author."""
    tree = deepcopy(dict(entry.tree))
    cards = {name: value for name, value in tree["cards"].items() if name != "proof"}
    bare = Entry({**tree, "cards": cards})
    place = Place(bytes.fromhex(tree["prev"]), bare.body, key)
    if pairs:
        cards = {**cards, "proof": to_text(prove_equality(place, pairs, secret, dice))}
    return resealed(entry, identity, cards=cards)


def chained(duel: Duel, entries: list[Entry], first: int = 0) -> tuple[Entry, ...]:
    """The entries with seq and prev as they follow one another, from `first` on signed anew."""
    done = list(entries[:first])
    for number, entry in enumerate(entries[first:], first):
        prev = done[-1].id if done else None
        done.append(resealed(entry, duel.identity(entry.by), seq=str(number), prev=prev))
    return tuple(done)


def refusal(*log: Entry) -> VerificationError:
    """How a log is refused; fails where it holds."""
    try:
        replay(Record(log))
    except VerificationError as error:
        return error
    raise AssertionError("the log holds")


def refused_next(match: Match, entry: Entry) -> tuple[int, int | None, str | None]:
    """Check, seq and author with which one more entry is refused."""
    try:
        match.extended(entry)
    except VerificationError as error:
        return error.check, error.seq, error.author
    raise AssertionError("the entry holds")


def gives_by(seat: Seat, *logs: tuple[Entry, ...]) -> set[tuple[str, str]]:
    """All that a seat has ever given, in all histories: (slot, what it gave)."""
    return {
        (slot, text)
        for log in logs
        for entry in log
        if entry.by == seat
        for slot, text in entry.cards.get("give", {}).items()
    }


def lie(duel: Duel, match: Match, entry: Entry, pairs: list[Pair]) -> Entry:
    """The entry, proved anew for these pairs by its author."""
    identity = duel.identity(entry.by)
    secret = secret_of(match.position, entry.by, identity)
    key = match.players[entry.by].card_key
    return reproved(entry, pairs, secret, identity, key, duel.dice)


def pairs_of(match: Match, entry: Entry) -> dict[str, Pair]:
    """The pairs of an entry's gives and opens, by `give 0:20`, in their order."""
    table, found = match.position.table, {}
    for what in ("give", "open"):
        items = [(table.find_slot(name), text) for name, text in entry.cards.get(what, {}).items()]
        piles = list(table.piles)
        for slot, text in sorted(items, key=lambda item: item[0] or (0, 0)):
            assert slot is not None
            pile = piles[slot[0]]
            if what == "give":
                found[f"give {slot_text(slot)}"] = pile.give_pair(entry.by, slot[1], text)
            else:
                card = next(c for c in pile.cards if format_card(c) == text)
                found[f"open {slot_text(slot)}"] = pile.open_pair(entry.by, slot[1], card)
    return found


def without(entry: Entry, what: str, slot: str) -> Entry:
    """The entry without one give or open, its proof not made anew."""
    cards = {**entry.cards, what: {k: v for k, v in entry.cards[what].items() if k != slot}}
    kept = {name: value for name, value in cards.items() if value}
    return Entry({**entry.tree, "cards": kept})


def dated(entry: Entry, identity: Identity, time: datetime) -> Entry:
    """The entry with another time."""
    return resealed(entry, identity, time=format_time(time))


def file_of(match: Match) -> bytes:
    """The game file of a match."""
    return gamefile.dump(match.record)


def with_log(match: Match, *entries: Entry) -> bytes:
    """A game file with the match's log and more entries, whatever they are worth."""
    return gamefile.dump(Record((*match.log, *entries), summary=match.summary))
