"""A pile: its two masks, what each side gave, what was opened; and what a secret reads in it.

A `Pile` is frozen and public. It checks shapes and uses (protocol 6.1, 6.2) and tells which pair of
points an act claims; that the claim is true is for `shuffle` and `equality`. It does not know whose
slot is whose nor what is owed: that is `match`.
Invariant: lists are sorted and as long as the pile; no number, point or card is used twice.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import a2b_base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from mbp.cards.equality import Pair
from mbp.curve import Q, card_point, is_valid_point, mult
from mbp.errors import CardError, ProofError

Seat: TypeAlias = Literal["A", "B"]

# The colours' letters in their order, and how many cards each has (protocol 5.3).
LETTERS = "KGPYOR"
COPIES = 18

NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
CARD = re.compile(rf"[{LETTERS}][0-9]{{2}}", re.ASCII)


def format_card(card: int) -> str:
    """A card as letter and two-digit copy: 97 is `R07`."""
    return f"{LETTERS[card // COPIES]}{card % COPIES:02}"


def parse_card(text: str) -> int:
    """Reads `R07`. Raises CardError where there is no such card."""
    if CARD.fullmatch(text) is None or int(text[1:]) >= COPIES:
        raise CardError(f"{_brief(text)} is no card")
    return LETTERS.index(text[0]) * COPIES + int(text[1:])


def split_points(data: bytes) -> tuple[bytes, ...]:
    """The `points` of a mask, 32 n bytes, as n points. Raises ProofError for another length."""
    if len(data) % 32:
        raise ProofError(f"a mask of {len(data)} bytes is no list of points")
    return tuple(data[place : place + 32] for place in range(0, len(data), 32))


@dataclass(frozen=True)
class Pile:
    """What everybody knows of pile e = `number`.

    `cards` are its card numbers c, ascending; `first` is the seat F that masks first.
    `first_list` is A_0, A_1, ... and `second_list` B_0, B_1, ..., None until they are published.
    By slot index: `numbers` are the j that S gave, `bared` the points T that F gave (the slot
    without F's mask), `opened` the cards opened.
    """

    number: int
    cards: tuple[int, ...]
    first: Seat
    first_list: tuple[bytes, ...] | None = None
    second_list: tuple[bytes, ...] | None = None
    numbers: Mapping[int, int] = field(default_factory=dict)
    bared: Mapping[int, bytes] = field(default_factory=dict)
    opened: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, number: int, cards: Iterable[int], first: Seat) -> Pile:
        """A pile without masks; the order of `cards` does not matter."""
        return cls(number, tuple(sorted(cards)), first)

    @property
    def second(self) -> Seat:
        """The seat S that masks second."""
        return "B" if self.first == "A" else "A"

    @property
    def masked(self) -> bool:
        """Both masks lie on it, so that its slots exist."""
        return self.second_list is not None

    def __len__(self) -> int:
        return len(self.cards)

    # Masks (protocol 6.1)

    def mask_source(self, by: Seat) -> tuple[bytes, ...]:
        """The points that the mask of `by` starts from. Raises ProofError if it is not its time."""
        if by == self.first and self.first_list is None:
            return tuple(card_point(self.number, card) for card in self.cards)
        if by == self.second and self.first_list is not None and self.second_list is None:
            return self.first_list
        raise ProofError(f"no mask by {by} is due on pile {self.number}")

    def with_mask(self, by: Seat, points: Sequence[bytes]) -> Pile:
        """The pile with the list that `by` publishes. Raises ProofError, in this order:

        1. this mask is the next one of the pile
        2. it has one point for each card, strictly ascending by bytes
        3. its only point is valid; two points and more are tested by `verify_shuffle`, which
           multiplies each of them, so that no list is tested twice
        """
        self.mask_source(by)  # 1
        if len(points) != len(self.cards):  # 2
            raise ProofError(f"a mask of {len(points)} points for {len(self.cards)} cards")
        if any(left >= right for left, right in pairwise(points)):
            raise ProofError("the points of the mask are not strictly ascending")
        if len(points) == 1 and not is_valid_point(points[0]):  # 3
            raise ProofError(f"{points[0].hex()} is no point of the group")
        if by == self.first:
            return replace(self, first_list=tuple(points))
        return replace(self, second_list=tuple(points))

    # Gives and opens (protocol 6.2)

    def has_given(self, by: Seat, index: int) -> bool:
        """Tells whether `by` gave the slot."""
        return index in (self.bared if by == self.first else self.numbers)

    def give_pair(self, by: Seat, index: int, text: str) -> Pair:
        """The pair that a give claims. Raises CardError where such a give cannot be."""
        slot = self._slot(index)
        if by == self.second:
            return self._first(self._new_number(index, text)), slot
        point = self._new_point(index, text)
        if not is_valid_point(point):
            raise CardError(f"{text} is no point of the group")
        return point, slot

    def with_give(self, by: Seat, index: int, text: str) -> Pile:
        """The pile after a give. Raises CardError as `give_pair`, but leaves the point untested."""
        self._slot(index)
        if by == self.second:
            return replace(self, numbers={**self.numbers, index: self._new_number(index, text)})
        return replace(self, bared={**self.bared, index: self._new_point(index, text)})

    def open_pair(self, by: Seat, index: int, card: int) -> Pair:
        """The pair that an open claims. Raises CardError where such an open cannot be."""
        self._slot(index)
        if not self.has_given("B" if by == "A" else "A", index):
            raise CardError(f"slot {self.number}:{index} is not given to {by}")
        self._new_card(index, card)
        if by == self.first:
            return card_point(self.number, card), self._first(self.numbers[index])
        return card_point(self.number, card), self.bared[index]

    def with_open(self, index: int, card: int) -> Pile:
        """The pile after an open. Raises CardError if slot or card is used or not of the pile."""
        self._slot(index)
        self._new_card(index, card)
        return replace(self, opened={**self.opened, index: card})

    def _slot(self, index: int) -> bytes:
        """B_index."""
        if self.second_list is None or not 0 <= index < len(self.cards):
            raise CardError(f"there is no slot {self.number}:{index}")
        return self.second_list[index]

    def _first(self, number: int) -> bytes:
        """A_number; where there is a slot there is a first list."""
        return (self.first_list or ())[number]

    def _new_number(self, index: int, text: str) -> int:
        """Reads the j that S gives."""
        if index in self.numbers:
            raise CardError(f"slot {self.number}:{index} is given twice")
        if NUMBER.fullmatch(text) is None or int(text) >= len(self.cards):
            raise CardError(f"{_brief(text)} is no number of the first list")
        number = int(text)
        if number in self.numbers.values():
            raise CardError(f"number {number} of the first list is given twice")
        return number

    def _new_point(self, index: int, text: str) -> bytes:
        """Reads the T that F gives, 32 bytes in base64 that re-encode to the same text."""
        if index in self.bared:
            raise CardError(f"slot {self.number}:{index} is given twice")
        try:
            point = a2b_base64(text) if len(text) == 44 else b""
        except ValueError:
            point = b""
        if len(point) != 32 or b64encode(point).decode() != text:
            raise CardError(f"{_brief(text)} is no point")
        if point in self.bared.values():
            raise CardError(f"point {text} is given twice")
        return point

    def _new_card(self, index: int, card: int) -> None:
        """Checks that a slot is not opened yet and the card can still be in it."""
        if index in self.opened:
            raise CardError(f"slot {self.number}:{index} is opened twice")
        if card not in self.cards:
            raise CardError(f"card {format_card(card)} is not in pile {self.number}")
        if card in self.opened.values():
            raise CardError(f"card {format_card(card)} is opened twice in pile {self.number}")

    # With a card secret: F's is f, S's is s (protocol 6.1, 6.2)

    def make_mask(self, by: Seat, secret: int) -> tuple[bytes, ...]:
        """The list that `by` publishes: every point times the secret, sorted, which is the shuffle.

        Sorting hides the order: without the secret nobody links a masked point to its source.
        """
        return tuple(sorted(mult(secret, point) for point in self.mask_source(by)))

    def find_give(self, by: Seat, secret: int, index: int) -> str:
        """What `by` gives for a slot: S the number j with s A_j = B_i, F the point T = B_i / f.

        Raises CardError if there is no such slot or the secret is not that of the mask.
        """
        bare = _divide(self._slot(index), secret)
        if by == self.first:
            return b64encode(bare).decode()
        if bare not in (self.first_list or ()):
            raise CardError(f"the secret is not that of {by}'s mask on pile {self.number}")
        return str((self.first_list or ()).index(bare))

    def read(self, by: Seat, secret: int, index: int) -> int | None:
        """The card that `by` sees in a slot, None while the other has not given it.

        Raises CardError if there is no such slot or the secret is not that of the mask.
        """
        self._slot(index)
        if index in self.opened:
            return self.opened[index]
        if by == self.first and index in self.numbers:
            return self._card(_divide(self._first(self.numbers[index]), secret))
        if by == self.second and index in self.bared:
            return self._card(_divide(self.bared[index], secret))
        return None

    def read_both(self, first_secret: int, second_secret: int, index: int) -> int:
        """The card in a slot, given or not, with both secrets (protocol 9.5). Raises as `read`."""
        return self._card(_divide(self._slot(index), first_secret * second_secret % Q))

    def _card(self, point: bytes) -> int:
        """The card of the pile that a point without masks is."""
        try:
            return _cards_by_point(self.number, self.cards)[point]
        except KeyError:
            raise CardError(f"no card of pile {self.number} under this secret") from None


@lru_cache(maxsize=16)
def _cards_by_point(number: int, cards: tuple[int, ...]) -> dict[bytes, int]:
    """M(e, c) -> c."""
    return {card_point(number, card): card for card in cards}


def _divide(point: bytes, secret: int) -> bytes:
    """point / secret: a mask taken off. Raises CardError for a secret of 0 or no point."""
    try:
        return mult(pow(secret, -1, Q), point)
    except ValueError as error:  # PointError is one, and what pow raises for 0
        raise CardError(f"no mask can be taken off: {error}") from error


def _brief(text: str) -> str:
    """A received text as it may stand in a message."""
    return repr(text if len(text) <= 50 else text[:47] + "...")
