"""The seam of the rules: what follows card events, and the errors of a player's own move."""

from __future__ import annotations

import pytest

from mbp.rules.contract import (
    AmbiguousMoveError,
    Drawn,
    Event,
    GameError,
    Happened,
    IllegalMoveError,
    Moved,
    Shuffled,
    follow,
    other,
)

ZONES: dict[str, tuple[str, ...]] = {"hand": ("R1", "K1", "R2"), "pile": ("G1",)}
DECK = ("Y1", "Y2")


def colour_of(card: str) -> int | None:
    """The letter's place; `?` is closed."""
    return None if card[0] == "?" else "KGPYOR".index(card[0])


def test_follow_draws_from_the_top_in_order() -> None:
    zones, deck = follow(ZONES, DECK, [Drawn("hand", 1), Happened("x"), Drawn("new", 1)], colour_of)
    assert zones["hand"] == ("R1", "K1", "R2", "Y1")
    assert zones["new"] == ("Y2",)
    assert deck == ()
    assert ZONES["hand"] == ("R1", "K1", "R2")


def test_follow_moves_the_first_cards_of_a_colour() -> None:
    zones, _ = follow(ZONES, DECK, [Moved("hand", "pile", 5, 1)], colour_of)
    assert zones == {"hand": ("K1", "R2"), "pile": ("G1", "R1")}


def test_follow_moves_all_cards() -> None:
    zones, _ = follow(ZONES, DECK, [Moved("hand", "pile", None, 3)], colour_of)
    assert zones == {"hand": (), "pile": ("G1", "R1", "K1", "R2")}


def test_follow_never_takes_a_closed_card_for_a_colour() -> None:
    with pytest.raises(LookupError):
        follow({"hand": ("?1",)}, DECK, [Moved("hand", "pile", 5, 1)], colour_of)


def test_follow_moves_one_of_two_equal_items() -> None:
    zones, _ = follow({"hand": ("R1", "R1")}, DECK, [Moved("hand", "pile", 5, 1)], colour_of)
    assert zones == {"hand": ("R1",), "pile": ("R1",)}


def test_follow_shuffles_a_zone_into_the_deck() -> None:
    events: list[Event] = [Drawn("hand", 2), Shuffled("pile", 1), Drawn("hand", 1)]
    zones, deck = follow(ZONES, DECK, events, colour_of, lambda pile: pile[::-1])
    assert zones["pile"] == ()
    assert zones["hand"][-1] == "G1"
    assert deck == ()


def test_follow_stops_before_a_shuffle_without_a_shuffler() -> None:
    events: list[Event] = [Drawn("hand", 2), Shuffled("pile", 1), Drawn("hand", 1)]
    zones, deck = follow(ZONES, DECK, events, colour_of)
    assert zones["pile"] == ("G1",)
    assert deck == ()


@pytest.mark.parametrize(
    "event",
    [
        Drawn("hand", 3),
        Moved("hand", "pile", 5, 3),
        Moved("nowhere", "pile", None, 1),
        Shuffled("hand", 2),
        Shuffled("pile", 1),  # the deck is not used up
    ],
)
def test_follow_refuses_what_cannot_be(event: Event) -> None:
    with pytest.raises(LookupError):
        follow(ZONES, DECK, [event], colour_of, lambda pile: pile)


def test_the_other_seat() -> None:
    assert (other("A"), other("B")) == ("B", "A")


def test_errors_say_what_and_by_which_rule() -> None:
    illegal = IllegalMoveError("the hand is empty", "M3.4")
    assert isinstance(illegal, GameError)
    assert (str(illegal), illegal.rule) == ("the hand is empty (M3.4)", "M3.4")
    doubtful = AmbiguousMoveError("dp", ["discard purple 1", "discard purple 2"])
    assert str(doubtful) == "'dp' can be read as: discard purple 1, discard purple 2"
