"""Entries that pay less or more than they owe, all of it true (protocol 7.2; check 8)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from mbp.cards.pile import format_card
from mbp.match import Match
from mbp.rules.contract import Seat
from mbp.times import format_time
from tests.vectors import matches
from tests.vectors.changes import GONE, Change, Tree, added, put
from tests.vectors.forging import (
    card_secret,
    honest_entry,
    lie,
    plain_entry,
    reproved,
    signed,
    text_of,
)
from tests.vectors.players import identity
from tests.vectors.vector import Vector, file_tree, of_tree

OTHER_COLOUR = "does not open as many cards of the named colour as it plays"


def vectors() -> Iterator[Vector]:
    """All of this page."""
    yield from less()
    yield from more()
    yield from masks()
    yield from played()
    yield from leaving()


def base_of(base: str) -> Match:
    """A good match by name."""
    return matches.long() if base == "long" else matches.short()


def done(
    name: str, crime: str, reason: str, seq: int, change: Change, base: str = "short"
) -> Vector:
    """A vector whose last entry pays something else than the good one in its place."""
    match = base_of(base)
    tree = lie(match.at(seq - 1), match.log[seq].act, change)
    return of_tree(f"owed-{name}", crime, 8, reason, file_tree(match.at(seq - 1), tree), base=base)


def without(what: str, *slots: str) -> Change:
    """The change that leaves gives or opens out; without any left, the map and the proof go too."""

    def change(tree: Tree) -> None:
        cards = tree["cards"]
        for slot in slots:
            del cards[what][slot]
        if not cards[what]:
            del cards[what]
        if "give" not in cards and "open" not in cards:
            cards.pop("proof", None)
        if not cards:
            del tree["cards"]

    return change


def less() -> Iterator[Vector]:
    """What is left out."""
    yield done("give-a-hand-card", "a card of B's hand is not given", "does not give 0:10", 2,
               without("give", "0:10"))  # fmt: skip
    yield done("give-a-cup-card", "a card of B's cup is not given", "does not give 0:19", 2,
               without("give", "0:19"))  # fmt: skip
    yield done("give-to-a", "a card of A's cup is not given", "does not give 0:16", 1,
               without("give", "0:16"))  # fmt: skip
    yield done("give-a-drawn-card", "a drawn card is not given", "does not give 0:20", 5,
               without("give", "0:20"))  # fmt: skip
    yield done("open-a-mountain-card", "a mountain card is not opened", "does not open 0:3", 2,
               without("open", "0:3"))  # fmt: skip
    yield done("deal-gives-nothing", "deals without giving", "does not give 0:107", 89,
               without("give", "0:107"), "long")  # fmt: skip
    yield done("cup-stays-closed", "a cup card is not opened in the end", "does not open 0:17", 95,
               without("open", "0:17"), "long")  # fmt: skip
    yield done("last-cup-stays-closed", "the last cup card is not opened", "does not open 0:19", 96,
               without("open", "0:19"), "long")  # fmt: skip
    yield done("deal-of-nothing", "deals nothing", "does not open 0:18", 96,
               without("open", "0:18", "0:19"), "long")  # fmt: skip


def more() -> Iterator[Vector]:
    """What is possible, true and not owed."""
    match = matches.short()
    table = match.at(1).position.table
    secrets = {seat: card_secret(match.at(1), {"by": seat}) for seat in ("A", "B")}
    pile = table.piles[0]
    point = pile.find_give("A", secrets["A"], 50)
    yield done("give-the-deck", "the next card of the deck is given", "does not owe to give 0:50",
               5, added("give", {"0:50": point}))  # fmt: skip
    number = pile.find_give("B", secrets["B"], 50)
    yield done("give-the-deck-to-a", "B gives a card of the deck", "does not owe to give 0:50", 1,
               added("give", {"0:50": number}))  # fmt: skip
    hand = {slot: format_card(pile.read_both(secrets["A"], secrets["B"], int(slot[2:])))
            for slot in ("0:8", "0:16")}  # fmt: skip
    for name, crime, slot in (
        ("open-the-hand", "a card of the hand is opened that is not played", "0:8"),
        ("open-the-cup", "a card of the own cup is opened during play", "0:16"),
    ):
        yield done(name, crime, f"does not owe to open {slot}", 5,
                   added("open", {slot: hand[slot]}))  # fmt: skip


def masks() -> Iterator[Vector]:
    """Masks that are due and left out."""

    def bare(tree: Tree) -> None:
        for name in ("mask", "give", "proof"):
            tree["cards"].pop(name, None)

    yield done("second-mask", "B accepts without mask", "owes the mask of pile 0", 1, bare)
    yield done("first-mask-of-pile-1", "the pile is shuffled without mask",
               "owes the mask of pile 1", 88, put(("cards", "mask"), GONE), "long")  # fmt: skip

    def unmasked(tree: Tree) -> None:
        del tree["cards"]["mask"]
        del tree["cards"]["give"]["1:0"]

    yield done("second-mask-of-pile-1", "the pile stays without second mask",
               "owes the mask of pile 1", 89, unmasked, "long")  # fmt: skip


def played() -> Iterator[Vector]:
    """Cards that are not what the act says (8)."""
    match = matches.short()
    secrets = {seat: card_secret(match.at(1), {"by": seat}) for seat in ("A", "B")}
    pile = match.at(1).position.table.piles[0]
    card = format_card(pile.read_both(secrets["A"], secrets["B"], 8))
    yield done("another-colour", "a card that has not the named colour", OTHER_COLOUR, 5,
               put(("cards", "open"), {"0:8": card}))  # fmt: skip
    yield done("no-card", "plays a card without showing it", OTHER_COLOUR, 5,
               without("open", "0:7"))  # fmt: skip
    yield done("two-for-three", "discards three and shows two", OTHER_COLOUR, 87,
               without("open", "0:60"), "long")  # fmt: skip


def leaving() -> Iterator[Vector]:
    """Acts of section 9 pay nothing, however true it is."""
    before = matches.short().at(5)
    paying = honest_entry(before, matches.short().log[6].act)["cards"]
    offered = matches.short().at(matches.OFFER)
    time = format_time(before.position.time + timedelta(days=8))
    for act, crime, match, seat, cards, when in (
        ("resign", "resigns and opens a card", before, "B", paying, ""),
        ("vacation 1", "goes on vacation and opens a card", before, "B", paying, ""),
        ("claim", "claims and gives a card", before, "A", deck_given(before, "A"), time),
        ("agree", "agrees and gives a card", offered, "A", deck_given(offered, "A"), ""),
    ):
        verb = act.partition(" ")[0]
        plain = plain_entry(match, "A" if seat == "A" else "B", act, time=when)
        tree = reproved(match, {**plain, "cards": cards})
        yield of_tree(f"owed-{verb}-with-cards", crime, 8, f"{verb} pays nothing",
                      file_tree(match, tree))  # fmt: skip
    yield from leaving_with_lies(before)


def deck_given(match: Match, seat: Seat) -> Tree:
    """Cards of an entry that gives a slot of the deck, which nobody is owed."""
    secret = card_secret(match, {"by": seat})
    point = match.position.table.piles[0].find_give(seat, secret, 50)
    return {"give": {"0:50": point}, "proof": ""}


def leaving_with_lies(match: Match) -> Iterator[Vector]:
    """What would be refused in every entry is refused for what it is (11)."""
    point, proof = text_of(bytes(32)), text_of(bytes(64))
    for name, crime, check, reason, cards in (
        ("mask", "a mask", 5, "a mask of pile 7 is not due",
         {"mask": {"pile": "7", "points": point}}),
        ("no-slot", "a give of a slot that does not exist", 6, "there is no slot 9:9",
         {"give": {"9:9": "1"}, "proof": proof}),
        ("false-open", "an open that is not proved", 6, "the equality proof fails",
         {"open": {"0:20": "R07"}, "proof": proof}),
        ("proof", "a proof of nothing", 6, "a proof without pairs", {"proof": proof}),
    ):  # fmt: skip
        tree = signed({**plain_entry(match, "B", "resign"), "cards": cards}, identity("B"))
        yield of_tree(f"owed-resign-with-{name}", f"resigns with {crime}", check, reason,
                      file_tree(match, tree))  # fmt: skip
