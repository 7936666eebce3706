"""What an entry pays: its masks, gives, opens and proofs (protocol 11, checks 5 to 8).

5. masks and their shuffle proofs
6. gives, opens, the equality proof
7. the rules of the game
8. what was owed

What has to be paid follows from the act, so the act is tried before 5; if it cannot be played, that
is said at its own place, 7 or 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mbp.cards.equality import Pair, verify_equality
from mbp.cards.pile import Pile, parse_card, split_points
from mbp.cards.shuffle import verify_shuffle
from mbp.cards.transcript import Place
from mbp.chain import Entry, from_text
from mbp.errors import CardError, OwedError, ProofError, RuleViolation, VerificationError
from mbp.match.course import Course, take_course
from mbp.match.position import Position
from mbp.match.table import Slot, Table, slot_text
from mbp.rules.contract import GameError, Seat


def pay(before: Position, entry: Entry, *, trusted: bool) -> Course:
    """Verifies checks 5 to 8 of an entry that pays, and tells what its act made of the table.

    `before` is the position before the entry, with the players and the joint seed that the entry
    adds. `trusted` skips proofs and points.
    """
    if not before.game.copies:
        return _play(before, before.table, entry, _Claimed({}, 1))
    case = _Case(before, entry, trusted)
    due = None if before.play_over else before.table.second_mask_due(entry.by)
    table = case.take_mask(before.table, due)  # 5
    course = _try(before, table, entry)
    if isinstance(course, VerificationError):
        case.refuse_other_masks(unsure=True)  # 5
        case.take_cards(table)  # 6
        raise course  # 7, 8
    fresh = None if course.over else course.table.first_mask_due()
    course = replace(course, table=case.take_mask(course.table, fresh))  # 5
    case.refuse_other_masks()  # 5
    table = case.take_cards(course.table)  # 6
    case.compare_with_owed(course, due or fresh)  # 8
    return replace(course, table=table)


def pay_nothing(before: Position, entry: Entry, *, trusted: bool) -> None:
    """Verifies checks 5 to 8 of an act that owes nothing (protocol 9): it has no cards.

    What such cards would be refused for anywhere is said first, as for any entry (protocol 11).
    """
    if "cards" not in entry.tree:
        return
    case = _Case(before, entry, trusted)
    case.refuse_other_masks()  # 5
    case.take_cards(before.table)  # 6
    raise OwedError(f"{entry.verb} pays nothing and has cards")  # 8


def _try(before: Position, table: Table, entry: Entry) -> Course | VerificationError:
    """The act's course, or the fault that check 7 or 8 will report."""
    try:
        return _play(before, table, entry, _claimed(table, entry))
    except (RuleViolation, OwedError) as fault:
        return fault


def _play(before: Position, table: Table, entry: Entry, cards: _Claimed) -> Course:
    try:
        return take_course(before, table, entry.by, entry.act, cards)
    except GameError as error:
        violation = RuleViolation(str(error))  # 7
        raise violation from error


@dataclass(frozen=True)
class _Claimed:
    """The cards that an entry claims to open, at slots that exist."""

    cards: Mapping[Slot, int]
    copies: int

    def card_at(self, slot: Slot) -> int | None:
        return self.cards.get(slot)

    def choose(self, slots: Sequence[Slot], colour: int | None, count: int) -> Sequence[Slot]:
        fits = [
            slot
            for slot in slots
            if slot in self.cards and colour in (None, self.cards[slot] // self.copies)
        ]
        return fits[:count]


def _claimed(table: Table, entry: Entry) -> _Claimed:
    cards = {}
    for name, text in entry.cards.get("open", {}).items():
        slot = table.find_slot(name)
        if slot is not None:
            cards[slot] = parse_card(text)
    return _Claimed(cards, table.game.copies)


class _Case:
    """One entry on its way through checks 5, 6 and 8; collects the pairs of its equality proof."""

    def __init__(self, before: Position, entry: Entry, trusted: bool) -> None:
        self.entry = entry
        self.seat: Seat = entry.by
        self.trusted = trusted
        self.before = before.table
        self.mask: Mapping[str, str] | None = entry.cards.get("mask")
        self.masked: Pile | None = None
        self.pairs: list[Pair] = []
        key = before.players[self.seat].card_key
        prev = bytes.fromhex(entry.tree.get("prev", "")) or bytes(32)
        self.place = Place(prev, entry.body, key)

    def take_mask(self, table: Table, due: Pile | None) -> Table:
        """Check 5 for the mask that is due now, if the entry has one for that pile."""
        if due is None or self.mask is None or self.mask["pile"] != str(due.number):
            return table
        source = due.mask_source(self.seat)
        points = split_points(from_text(self.mask["points"]))
        pile = due.with_mask(self.seat, points)
        if len(points) == 1:
            if "proof" in self.mask:
                raise ProofError("a mask of one card has no shuffle proof")
            self.pairs.append((source[0], points[0]))
        elif "proof" not in self.mask:
            raise ProofError("the mask has no proof")
        elif not self.trusted:
            verify_shuffle(self.place, source, points, from_text(self.mask["proof"]))
        self.masked = pile
        return table.with_pile(pile)

    def refuse_other_masks(self, *, unsure: bool = False) -> None:
        """Check 5 for a mask that is not due.

        `unsure`: the act could not be played, so nobody can tell whether it would have made the
        next pile; a mask of that number is left to the fault.
        """
        if self.mask is None or self.masked is not None:
            return
        if not unsure or self.mask["pile"] != str(len(self.before.piles)):
            raise ProofError(f"a mask of pile {self.mask['pile'][:9]} is not due")

    def take_cards(self, table: Table) -> Table:
        """Check 6: every give and open, then the one proof of all their pairs."""
        cards = self.entry.cards
        for slot in self._slots(cards.get("give", {})):
            table = table.with_pile(self._give(table, slot, cards["give"][slot_text(slot)]))
        for slot in self._slots(cards.get("open", {})):
            table = table.with_pile(self._open(table, slot, cards["open"][slot_text(slot)]))
        proof = cards.get("proof")
        if self.trusted:
            return table
        if bool(self.pairs) != (proof is not None):
            raise CardError("a proof without pairs" if proof else "the proof is missing")
        if proof is not None:
            verify_equality(self.place, self.pairs, from_text(proof))
        return table

    def _slots(self, claims: Mapping[str, str]) -> list[Slot]:
        """The slots that a map names, ascending as numbers. Raises CardError for one that is none.

        A pile that this very entry makes has no slots yet that could be given or opened.
        """
        found = []
        for name in claims:
            slot = self.before.find_slot(name)
            if slot is None:
                raise CardError(f"there is no slot {name}")
            found.append(slot)
        return sorted(found)

    def _give(self, table: Table, slot: Slot, text: str) -> Pile:
        zone = self.before.zone_of(slot)
        if zone is not None and self.before.game.zones[zone].owner == self.seat:
            raise CardError(f"gives its own slot {slot_text(slot)}")
        pile = table.pile_of(slot)
        if not self.trusted:
            self.pairs.append(pile.give_pair(self.seat, slot[1], text))
        return pile.with_give(self.seat, slot[1], text)

    def _open(self, table: Table, slot: Slot, text: str) -> Pile:
        pile = table.pile_of(slot)
        card = parse_card(text)
        if not self.trusted:
            self.pairs.append(pile.open_pair(self.seat, slot[1], card))
        return pile.with_open(slot[1], card)

    def compare_with_owed(self, course: Course, mask: Pile | None) -> None:
        """Check 8: exactly what was owed."""
        if mask is not None and self.masked is None:
            raise OwedError(f"owes the mask of pile {mask.number}")
        for what, owed in (("give", course.gives), ("open", course.opens)):
            paid = set(self.entry.cards.get(what, {}))
            names = {slot_text(slot) for slot in owed}
            if names - paid:
                raise OwedError(f"does not {what} {_listed(names - paid)}")
            if paid - names:
                raise OwedError(f"does not owe to {what} {_listed(paid - names)}")


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names, key=lambda name: tuple(map(int, name.split(":")))))
