"""Piles (protocol 6.1, 6.2): what may be masked, given, opened, and what a secret reads."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbp.cards.equality import prove_equality, verify_equality
from mbp.cards.pile import (
    Pile,
    Seat,
    format_card,
    parse_card,
    split_points,
)
from mbp.cards.transcript import Place
from mbp.curve import NEUTRAL, Q, base_mult, card_point, mult
from mbp.errors import CardError, ProofError

from .plain import P, decode, encode, numbers, plain_add, steady, torsion

CARDS = (3, 20, 41, 97, 107)
F_SECRET, S_SECRET = numbers("pile")(2)
HUGE = "9" * 100_000
HUGE_TEXT = pytest.param(HUGE, id="huge")
BARE = Pile.of(2, CARDS, "A")
HALF = BARE.with_mask("A", BARE.make_mask("A", F_SECRET))
PILE = HALF.with_mask("B", HALF.make_mask("B", S_SECRET))
SEATS: tuple[Seat, Seat] = ("A", "B")


def secret_of(by: Seat) -> int:
    return F_SECRET if by == "A" else S_SECRET


def give(by: Seat, index: int) -> str:
    return PILE.find_give(by, secret_of(by), index)


def given_by(by: Seat) -> Pile:
    """The pile with every slot given by one seat."""
    pile = PILE
    for index in range(len(CARDS)):
        pile = pile.with_give(by, index, give(by, index))
    return pile


def true_card(index: int) -> int:
    return PILE.read_both(F_SECRET, S_SECRET, index)


# Text


def test_5_3_cards_in_text() -> None:
    assert [format_card(card) for card in (0, 17, 18, 97, 107)] == [
        "K00",
        "K17",
        "G00",
        "R07",
        "R17",
    ]
    assert [parse_card(format_card(card)) for card in range(108)] == list(range(108))
    assert len(range(108)) == 108


@pytest.mark.parametrize(
    "text",
    ["", "R", "R7", "R18", "R99", "r07", "X07", "R007", " R07", "R07\n", "R٠٧", "07", HUGE_TEXT],
)
def test_5_3_no_card(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert len(str(caught.value)) < 100


def test_6_1_points_of_a_mask_are_cut_by_32_bytes() -> None:
    assert split_points(bytes(32) + b"\1" * 32) == (bytes(32), b"\1" * 32)
    with pytest.raises(ProofError):
        split_points(bytes(63))


# Masks


def test_6_1_first_masks_the_cards_and_second_masks_the_first_list() -> None:
    assert BARE.mask_source("A") == tuple(card_point(2, card) for card in CARDS)
    assert HALF.mask_source("B") == HALF.first_list
    assert (BARE.masked, HALF.masked, PILE.masked) == (False, False, True)
    assert (BARE.first, BARE.second, Pile.of(1, CARDS, "B").second) == ("A", "B", "A")


def test_6_1_cards_of_a_pile_are_ascending_whatever_order_they_come_in() -> None:
    assert Pile.of(2, reversed(CARDS), "A") == BARE


@pytest.mark.parametrize(
    ("pile", "by"), [(BARE, "B"), (HALF, "A"), (PILE, "A"), (PILE, "B")], ids=str
)
def test_6_1_mask_out_of_turn_is_refused(pile: Pile, by: Seat) -> None:
    with pytest.raises(ProofError):
        pile.with_mask(by, PILE.first_list or ())
    with pytest.raises(ProofError):
        pile.make_mask(by, F_SECRET)


LIST = HALF.first_list or ()


@pytest.mark.parametrize(
    "points",
    [LIST[:-1], (*LIST, b"\xff" * 32), LIST[::-1], (LIST[0], *LIST[:-1]), ()],
    ids=["truncated", "longer", "unsorted", "duplicate", "empty"],
)
def test_6_1_mask_of_another_shape_is_refused(points: Sequence[bytes]) -> None:
    for pile, by in ((BARE, SEATS[0]), (HALF, SEATS[1])):
        with pytest.raises(ProofError):
            pile.with_mask(by, points)


NO_POINTS = {
    "neutral": NEUTRAL,
    "sign of zero": (1 + 2**255).to_bytes(32, "little"),
    "y not below p": (P + 3).to_bytes(32, "little"),
    "order 4": encode(torsion()[2]),
    "outside the subgroup": encode(plain_add(decode(base_mult(5)), torsion()[4])),
}


@pytest.mark.parametrize("bad", NO_POINTS.values(), ids=NO_POINTS.keys())
def test_6_1_pile_of_one_card_refuses_what_is_no_point(bad: bytes) -> None:
    with pytest.raises(ProofError):
        Pile.of(1, [5], "A").with_mask("A", [bad])


def test_6_1_pile_of_one_card_goes_through_equality_proofs_alone() -> None:
    pile = Pile.of(1, [5], "B")
    for by, secret in (("B", F_SECRET), ("A", S_SECRET)):
        seat: Seat = "B" if by == "B" else "A"
        pairs = list(zip(pile.mask_source(seat), pile.make_mask(seat, secret), strict=True))
        place = Place(bytes(32), b"{}", base_mult(secret))
        verify_equality(place, pairs, prove_equality(place, pairs, secret, steady("one")))
        pile = pile.with_mask(seat, [pairs[0][1]])
    assert pile.with_give("A", 0, pile.find_give("A", S_SECRET, 0)).read("B", F_SECRET, 0) == 5


# Gives and opens


@pytest.mark.parametrize("by", SEATS)
def test_6_2_pairs_of_true_gives_and_opens_are_true(by: Seat) -> None:
    other: Seat = "B" if by == "A" else "A"
    pile = PILE
    for index in range(len(CARDS)):
        text = give(by, index)
        x, y = pile.give_pair(by, index, text)
        assert mult(secret_of(by), x) == y
        assert pile.read(other, secret_of(other), index) is None
        assert not pile.has_given(by, index)
        pile = pile.with_give(by, index, text)
        assert pile.has_given(by, index)
        assert not pile.has_given(other, index)
        assert pile.read(by, secret_of(by), index) is None

        card = pile.read(other, secret_of(other), index)
        assert card == true_card(index)
        x, y = pile.open_pair(other, index, card)
        assert mult(secret_of(other), x) == y
        pile = pile.with_open(index, card)
        assert pile.read(by, secret_of(by), index) == card
    assert sorted(pile.opened.values()) == list(CARDS)


@settings(max_examples=15, deadline=None)
@given(
    st.sets(st.sampled_from(range(108)), min_size=1, max_size=8),
    st.integers(1, Q - 1),
    st.integers(1, Q - 1),
)
def test_6_2_a_slot_reads_the_same_from_both_sides(cards: set[int], f: int, s: int) -> None:
    pile = Pile.of(0, cards, "B")
    pile = pile.with_mask("B", pile.make_mask("B", f))
    pile = pile.with_mask("A", pile.make_mask("A", s))
    seen = set()
    for index in range(len(pile)):
        pile = pile.with_give("A", index, pile.find_give("A", s, index))
        pile = pile.with_give("B", index, pile.find_give("B", f, index))
        card = pile.read_both(f, s, index)
        assert pile.read("A", s, index) == pile.read("B", f, index) == card
        seen.add(card)
    assert seen == cards


@pytest.mark.parametrize("by", SEATS)
@pytest.mark.parametrize("index", [-1, len(CARDS), 10**9])
def test_6_2_slot_that_does_not_exist_is_refused(by: Seat, index: int) -> None:
    for pile in (PILE, given_by("B" if by == "A" else "A")):
        with pytest.raises(CardError):
            pile.give_pair(by, index, give(by, 0))
        with pytest.raises(CardError):
            pile.with_give(by, index, give(by, 0))
        with pytest.raises(CardError):
            pile.open_pair(by, index, CARDS[0])
        with pytest.raises(CardError):
            pile.with_open(index, CARDS[0])
        with pytest.raises(CardError):
            pile.find_give(by, 5, index)
        with pytest.raises(CardError):
            pile.read(by, 5, index)


@pytest.mark.parametrize("pile", [BARE, HALF], ids=["no mask", "one mask"])
@pytest.mark.parametrize("by", SEATS)
def test_6_2_pile_without_both_masks_has_no_slots(pile: Pile, by: Seat) -> None:
    with pytest.raises(CardError):
        pile.give_pair(by, 0, give(by, 0))
    with pytest.raises(CardError):
        pile.open_pair(by, 0, CARDS[0])
    with pytest.raises(CardError):
        pile.read(by, 5, 0)


@pytest.mark.parametrize(
    "text",
    ["", "5", "6", "-1", "+1", "01", " 1", "1\n", "1.0", "٣", HUGE_TEXT, "x", give("A", 0)],
)
def test_6_2_number_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(CardError) as caught:
        PILE.give_pair("B", 0, text)
    assert len(str(caught.value)) < 120
    with pytest.raises(CardError):
        PILE.with_give("B", 0, text)


TRUE_T = give("A", 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        HUGE_TEXT,
        TRUE_T[:-1],
        TRUE_T + "=",
        TRUE_T + "\n",
        TRUE_T[:-4] + "AAAA",
        "é" * 44,
        f"{TRUE_T[:20]} {TRUE_T[21:]}",
        TRUE_T[:42] + "/=",
        "=" * 44,
        b64encode(bytes(31)).decode(),
    ],
)
def test_6_2_what_is_no_point_in_base64_is_refused(text: str) -> None:
    with pytest.raises(CardError) as caught:
        PILE.give_pair("A", 0, text)
    assert len(str(caught.value)) < 120
    with pytest.raises(CardError):
        PILE.with_give("A", 0, text)


@pytest.mark.parametrize("bad", NO_POINTS.values(), ids=NO_POINTS.keys())
def test_6_2_point_that_is_none_is_refused(bad: bytes) -> None:
    with pytest.raises(CardError):
        PILE.give_pair("A", 0, b64encode(bad).decode())


@pytest.mark.parametrize("by", SEATS)
def test_6_2_slot_given_twice_is_refused(by: Seat) -> None:
    pile = PILE.with_give(by, 0, give(by, 0))
    for text in (give(by, 0), give(by, 1)):
        with pytest.raises(CardError, match="given twice"):
            pile.give_pair(by, 0, text)


@pytest.mark.parametrize("by", SEATS)
def test_6_2_number_or_point_given_for_two_slots_is_refused(by: Seat) -> None:
    pile = PILE.with_give(by, 0, give(by, 0))
    for use in (pile.give_pair, pile.with_give):
        with pytest.raises(CardError, match="given twice"):
            use(by, 1, give(by, 0))


@pytest.mark.parametrize("by", SEATS)
def test_6_2_both_sides_may_give_one_slot(by: Seat) -> None:
    other: Seat = "B" if by == "A" else "A"
    pile = PILE.with_give(by, 0, give(by, 0))
    x, y = pile.give_pair(other, 0, give(other, 0))
    assert mult(secret_of(other), x) == y


@pytest.mark.parametrize("by", SEATS)
def test_6_2_swapped_gives_claim_false_pairs(by: Seat) -> None:
    for index, text in ((0, give(by, 1)), (1, give(by, 0))):
        x, y = PILE.give_pair(by, index, text)
        assert mult(secret_of(by), x) != y


@pytest.mark.parametrize("by", SEATS)
def test_6_2_open_of_a_slot_that_was_not_given_is_refused(by: Seat) -> None:
    for pile in (PILE, given_by(by)):
        with pytest.raises(CardError, match="not given"):
            pile.open_pair(by, 0, true_card(0))


@pytest.mark.parametrize("by", SEATS)
def test_6_2_open_twice_of_a_slot_or_a_card_is_refused(by: Seat) -> None:
    pile = given_by("B" if by == "A" else "A").with_open(0, true_card(0))
    for index, card in ((0, true_card(0)), (0, true_card(1)), (1, true_card(0))):
        with pytest.raises(CardError, match="opened twice"):
            pile.open_pair(by, index, card)
        with pytest.raises(CardError, match="opened twice"):
            pile.with_open(index, card)


@pytest.mark.parametrize("by", SEATS)
def test_6_2_card_of_another_pile_is_refused(by: Seat) -> None:
    pile = given_by("B" if by == "A" else "A")
    with pytest.raises(CardError, match="K04 is not in pile 2"):
        pile.open_pair(by, 0, 4)


@pytest.mark.parametrize("by", SEATS)
def test_6_2_open_of_another_card_claims_a_false_pair(by: Seat) -> None:
    pile = given_by("B" if by == "A" else "A")
    x, y = pile.open_pair(by, 0, true_card(1))
    assert mult(secret_of(by), x) != y


def test_6_2_acts_leave_the_pile_they_start_from() -> None:
    assert PILE.with_give("A", 0, give("A", 0)).with_open(0, CARDS[0]) != PILE
    assert (PILE.numbers, PILE.bared, PILE.opened) == ({}, {}, {})


# Secrets


@pytest.mark.parametrize("secret", [0, 1, 12345])
def test_6_2_wrong_secret_reads_and_gives_nothing(secret: int) -> None:
    with pytest.raises(CardError):
        PILE.find_give("B", secret, 0)
    for by in SEATS:
        with pytest.raises(CardError):
            given_by("B" if by == "A" else "A").read(by, secret, 0)
    with pytest.raises(CardError):
        PILE.read_both(F_SECRET, secret, 0)


def test_6_1_mask_hides_the_order_of_the_cards() -> None:
    """With the same cards every secret gives another order."""
    orders = set()
    for secret in numbers("orders")(6):
        made = BARE.make_mask("A", secret)
        orders.add(tuple(made.index(mult(secret, point)) for point in BARE.mask_source("A")))
    assert len(orders) > 3
