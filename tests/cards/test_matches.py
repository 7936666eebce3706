"""The cards of whole matches by a second implementation: every mask, give and open (protocol 6)."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from typing import Any

import pytest
import yaml

from mbp.canonical import canonical
from mbp.cards.equality import Pair, verify_equality
from mbp.cards.pile import Pile, Seat, parse_card, split_points
from mbp.cards.shuffle import verify_shuffle
from mbp.cards.transcript import Place
from mbp.curve import card_point, mult, scalar_from_bytes
from mbp.errors import CardError, ProofError

from .conftest import DATA


def load(name: str) -> Any:
    """A match as a tree of strings; every value here that is binary has no white space to keep."""
    return tidy(yaml.load((DATA / "matches" / name).read_text("utf-8"), yaml.BaseLoader))


def tidy(tree: Any, name: str = "") -> Any:
    """The tree with the binary values that are wrapped in one piece."""
    if isinstance(tree, dict):
        return {key: tidy(value, key) for key, value in tree.items()}
    if isinstance(tree, list):
        return [tidy(value) for value in tree]
    return "".join(tree.split()) if name in ("points", "proof") else tree


def without(tree: Any, names: set[str]) -> Any:
    """The tree without the fields of these names, at any depth."""
    if isinstance(tree, dict):
        return {key: without(value, names) for key, value in tree.items() if key not in names}
    return tree


def slot_of(text: str) -> tuple[int, int]:
    """Pile and index of `0:20`."""
    pile, _, index = text.partition(":")
    return int(pile), int(index)


class Follower:
    """Follows the card part of a log, entry by entry, in the order of protocol 7.3."""

    def __init__(self, log: Any, disclosed: Any) -> None:
        self.log = log
        self.piles = {0: Pile.of(0, range(108), "A")}
        self.keys: dict[Seat, bytes] = {}
        self.secrets: dict[Seat, int] = {
            seat: scalar_from_bytes(b64decode(secret)) for seat, secret in disclosed.items()
        }
        self.proofs: list[tuple[Place, list[Pair], bytes]] = []

    def place(self, entry: Any) -> Place:
        body = canonical(without({k: v for k, v in entry.items() if k != "sig"}, {"proof"}))
        return Place(bytes.fromhex(entry.get("prev", "00" * 32)), body, self.keys[entry["by"]])

    def follow(self) -> None:
        for entry in self.log:
            cards, by = entry.get("cards", {}), entry["by"]
            if "key" in cards:
                self.keys[by] = b64decode(cards["key"])
            if "mask" in cards:
                self.mask(entry, by, cards["mask"])
            gives = sorted((slot_of(slot), text) for slot, text in cards.get("give", {}).items())
            opens = sorted((slot_of(slot), text) for slot, text in cards.get("open", {}).items())
            pairs = [self.piles[e].give_pair(by, index, text) for (e, index), text in gives]
            pairs += [
                self.piles[e].open_pair(by, index, parse_card(text)) for (e, index), text in opens
            ]
            for (e, index), text in gives:
                self.piles[e] = self.piles[e].with_give(by, index, text)
            for (e, index), text in opens:
                self.piles[e] = self.piles[e].with_open(index, parse_card(text))
            if pairs:
                proof = b64decode(cards["proof"])
                verify_equality(self.place(entry), pairs, proof)
                self.proofs.append((self.place(entry), pairs, proof))

    def mask(self, entry: Any, by: Seat, mask: Any) -> None:
        number, points = int(mask["pile"]), split_points(b64decode(mask["points"]))
        if number not in self.piles:
            # Which cards were discarded is for the rules; the disclosed secret tells it as well.
            masked = {mult(self.secrets[by], card_point(number, card)): card for card in range(108)}
            self.piles[number] = Pile.of(number, [masked[point] for point in points], by)
        pile = self.piles[number]
        place, proof = self.place(entry), b64decode(mask["proof"])
        verify_shuffle(place, pile.mask_source(by), points, proof)
        with pytest.raises(ProofError):
            verify_shuffle(replace(place, prev=b"\1" * 32), pile.mask_source(by), points, proof)
        self.piles[number] = pile.with_mask(by, points)


@pytest.mark.parametrize("name", ["mandala-random", "mandala-reshuffle"])
def test_6_cards_of_a_whole_match_hold(name: str) -> None:
    tree = load(f"{name}.mbp.yaml")
    follower = Follower(tree["log"], tree.get("disclosed", {}))
    follower.follow()
    assert len(follower.proofs) > 50
    assert sum(len(pile.opened) for pile in follower.piles.values()) > 50
    # No proof holds in the place of the next one, nor for its pairs.
    for (place, pairs, proof), (next_place, next_pairs, _) in zip(
        follower.proofs[:6], follower.proofs[1:7], strict=True
    ):
        with pytest.raises(CardError):
            verify_equality(next_place, pairs, proof)
        with pytest.raises(CardError):
            verify_equality(place, next_pairs, proof)


def test_9_5_disclosed_secrets_read_what_was_opened_and_given() -> None:
    tree = load("mandala-reshuffle.mbp.yaml")
    follower = Follower(tree["log"], tree["disclosed"])
    follower.follow()
    assert set(follower.piles) == {0, 1}
    for pile in follower.piles.values():
        f, s = follower.secrets[pile.first], follower.secrets[pile.second]
        slots = [pile.read_both(f, s, index) for index in range(len(pile))]
        assert sorted(slots) == list(pile.cards)
        closed = replace(pile, opened={})
        for index, card in pile.opened.items():
            assert slots[index] == card
            seen = {closed.read(pile.first, f, index), closed.read(pile.second, s, index)}
            assert card in seen <= {card, None}
        fresh = replace(pile, numbers={}, bared={})
        for index, number in pile.numbers.items():
            assert fresh.find_give(pile.second, s, index) == str(number)
        for index, point in pile.bared.items():
            pair = fresh.give_pair(pile.first, index, fresh.find_give(pile.first, f, index))
            assert pair[0] == point
