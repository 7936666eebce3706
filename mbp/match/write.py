"""Writes the next entry: an act, and all that its author owes with it (protocol 7, 2.3).

What is written here goes through the same verification as a received entry before it leaves.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from mbp import coins, curve
from mbp.cards.equality import Pair, prove_equality
from mbp.cards.pile import Pile, format_card
from mbp.cards.shuffle import prove_shuffle
from mbp.cards.transcript import Place, Randomness
from mbp.chain import Entry, seal, to_text
from mbp.keys import Identity
from mbp.match.course import LEAVING, Course, take_course
from mbp.match.position import Position
from mbp.match.table import Slot, Table, slot_text
from mbp.rules.contract import AnyGame, Seat
from mbp.times import format_time


@dataclass(frozen=True)
class Pen:
    """Who writes, when, and where the random bytes come from; nothing of it is kept."""

    identity: Identity
    time: datetime
    randomness: Randomness

    def dated(self, position: Position) -> str:
        """The later of the clock and the latest time of the entries before (2.4)."""
        return format_time(max(self.time, position.latest))


def write_invitation(
    game: AnyGame,
    options: Mapping[str, str],
    player: Mapping[str, str],
    guest: str,
    nonce: bytes,
    pen: Pen,
) -> Entry:
    """Entry 0 (protocol 3). `nonce`: 32 random bytes, never used twice; `guest` may be empty."""
    identity = pen.identity
    tree: dict[str, Any] = {
        "seq": "0",
        "by": "A",
        "time": format_time(pen.time),
        "game": game.name,
        "rules": game.version,
        "options": dict(options),
        "player": dict(player),
        **({"guest": guest} if guest else {}),
        "nonce": to_text(nonce),
        "coin": to_text(coins.commitment(identity.coin("A", nonce))),
        "act": "invite",
    }
    table = Table.laid(game)
    if not game.copies:
        return seal(tree, identity)
    hand = _Hand("A", identity.card_secret("A", nonce), pen.randomness)
    cards: dict[str, Any] = {"key": to_text(hand.key)}
    _mask(table, table.first_mask_due(), hand, cards)
    return hand.sealed(tree, cards, identity)


def write_entry(
    position: Position,
    seat: Seat,
    act: str,
    pen: Pen,
    *,
    fields: Mapping[str, Any] | None = None,
) -> Entry:
    """The next entry by `seat` with everything it owes; the caller knows that it has the pen.

    `fields` are further fields of the tree (player, coin, note, offer). Raises GameError for a move
    that the rules do not allow.
    """
    tree: dict[str, Any] = {
        "seq": str(position.count),
        "by": seat,
        "time": pen.dated(position),
        "prev": position.head,
        "act": act,
        **(fields or {}),
    }
    if not position.game.copies or act.partition(" ")[0] in LEAVING:
        return seal(tree, pen.identity)
    hand = _Hand(seat, secret_of(position, seat, pen.identity), pen.randomness)
    cards: dict[str, Any] = {"key": to_text(hand.key)} if act == "accept" else {}
    if act == "begin":
        coin = coin_of(position, seat, pen.identity)
        position = replace(position, joint=coins.joint_seed(coin, position.coin_b))
    _fill(position, act, hand, cards)
    return hand.sealed(tree, cards, pen.identity)


def secret_of(position: Position, seat: Seat, identity: Identity) -> int:
    """The card secret of a seat (protocol 4.2)."""
    salt = position.nonce if seat == "A" else bytes.fromhex(position.game_id)
    return identity.card_secret(seat, salt)


def coin_of(position: Position, seat: Seat, identity: Identity) -> bytes:
    """The secret coin of a seat (protocol 4.1)."""
    salt = position.nonce if seat == "A" else bytes.fromhex(position.game_id)
    return identity.coin(seat, salt)


@dataclass(frozen=True)
class _Shuffled:
    """A mask on its way to its proof."""

    source: Sequence[bytes]
    points: Sequence[bytes]


class _Hand:
    """A player's secret at work on one entry: reads cards, keeps what the proofs will need."""

    def __init__(self, seat: Seat, secret: int, randomness: Randomness) -> None:
        self.seat = seat
        self.secret = secret
        self.key = curve.base_mult(secret)
        self.randomness = randomness
        self.pairs: list[Pair] = []
        self.shuffled: _Shuffled | None = None
        self.table: Table | None = None

    def card_at(self, slot: Slot) -> int | None:
        """Reads a card that the other player has given."""
        if self.table is None:
            return None
        return self.table.pile_of(slot).read(self.seat, self.secret, slot[1])

    def choose(self, slots: Sequence[Slot], colour: int | None, count: int) -> Sequence[Slot]:
        """Which of several equal cards are played is left to chance (protocol 7.6)."""
        if self.table is None:
            return ()
        copies = self.table.game.copies
        cards = {slot: self.card_at(slot) for slot in slots}
        fits = [s for s, card in cards.items() if card is not None and card // copies == colour]
        chance = random.Random(self.randomness(32))
        return chance.sample(fits, min(count, len(fits)))

    def sealed(self, tree: Mapping[str, Any], cards: dict[str, Any], identity: Identity) -> Entry:
        """Adds the proofs, which absorb all the rest of the entry, and signs it."""
        entry = Entry({**tree, "cards": cards} if cards else tree)
        prev = bytes.fromhex(tree.get("prev", "")) or bytes(32)
        place = Place(prev, entry.body, self.key)
        proved = dict(cards)
        if self.shuffled is not None:
            statement = (self.shuffled.source, self.shuffled.points)
            proof = prove_shuffle(place, *statement, self.secret, self.randomness)
            proved["mask"] = {**cards["mask"], "proof": to_text(proof)}
        if self.pairs:
            proof = prove_equality(place, self.pairs, self.secret, self.randomness)
            proved["proof"] = to_text(proof)
        return seal({**entry.tree, "cards": proved} if proved else entry.tree, identity)


def _mask(table: Table, due: Pile | None, hand: _Hand, cards: dict[str, Any]) -> Table:
    """Masks a pile if that is due, and notes what its proof needs (protocol 6.1)."""
    if due is None:
        return table
    source = due.mask_source(hand.seat)
    points = due.make_mask(hand.seat, hand.secret)
    cards["mask"] = {"pile": str(due.number), "points": to_text(b"".join(points))}
    if len(points) == 1:
        hand.pairs.append((source[0], points[0]))
    else:
        hand.shuffled = _Shuffled(source, points)
    return table.with_pile(due.with_mask(hand.seat, points))


def _fill(position: Position, act: str, hand: _Hand, cards: dict[str, Any]) -> None:
    """Pays what the act owes: mask, opens, gives, in the order of 7.3."""
    due = None if position.play_over else position.table.second_mask_due(hand.seat)
    table = hand.table = _mask(position.table, due, hand, cards)
    course = take_course(position, table, hand.seat, act, hand)
    if not course.over:
        fresh = course.table.first_mask_due()
        course = replace(course, table=_mask(course.table, fresh, hand, cards))
    _give_and_open(course, hand, cards)


def _give_and_open(course: Course, hand: _Hand, cards: dict[str, Any]) -> None:
    gives, opens = {}, {}
    for slot in course.gives:
        pile = course.table.pile_of(slot)
        text = pile.find_give(hand.seat, hand.secret, slot[1])
        hand.pairs.append(pile.give_pair(hand.seat, slot[1], text))
        gives[slot_text(slot)] = text
    for slot in course.opens:
        card = course.table.cards[slot]
        hand.pairs.append(course.table.pile_of(slot).open_pair(hand.seat, slot[1], card))
        opens[slot_text(slot)] = format_card(card)
    if gives:
        cards["give"] = gives
    if opens:
        cards["open"] = opens
