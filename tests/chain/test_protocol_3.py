"""Protocol 3 and 4: opening a match, and the secrets that come back from key and file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mbp import coins
from mbp.chain import Entry, from_text, to_text
from mbp.curve import base_mult
from mbp.match import Match, secret_of
from tests.chain.gamefile_examples import DATA
from tests.duel import (
    DAY,
    OPTIONS,
    Duel,
    identity_of,
    player_of,
    refusal,
    refused_next,
    resealed,
    seed_of,
)

VECTORS: dict[str, Any] = json.loads((DATA / "vectors.json").read_text("utf-8"))
# Points that are no member of the subgroup: of order 1, 2, 4 and 8, and one that is on no curve.
LOW_ORDER = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
)
PREFIX = bytes.fromhex("0000000b7373682d6564323535313900000020")


def key_text(point: str) -> str:
    return "ssh-ed25519 " + to_text(PREFIX + bytes.fromhex(point))


@pytest.fixture(scope="module")
def duel() -> Duel:
    return Duel("protocol 3")


@pytest.fixture(scope="module")
def match(duel: Duel) -> Match:
    """A match that has just begun."""
    return duel.begun()


# 3.1 keys


@pytest.mark.parametrize("point", LOW_ORDER)
def test_3_1_a_key_of_low_order_is_refused(duel: Duel, match: Match, point: str) -> None:
    anna, bert = duel.identity("A"), duel.identity("B")
    bad = {"name": "Anna", "key": key_text(point)}
    error = refusal(resealed(match.log[0], anna, player=bad))
    assert (error.check, error.seq, error.author) == (3, 0, "A")
    error = refusal(resealed(match.log[0], anna, guest=key_text(point)))
    assert (error.check, error.seq) == (3, 0)
    bad["name"] = "Bert"
    assert refused_next(match.at(0), resealed(match.log[1], bert, player=bad)) == (3, 1, "B")


@pytest.mark.parametrize("point", LOW_ORDER)
def test_3_1_a_card_key_of_low_order_is_refused(duel: Duel, match: Match, point: str) -> None:
    for seq, seat in enumerate(("A", "B")):
        entry = match.log[seq]
        cards = {**entry.cards, "key": to_text(bytes.fromhex(point))}
        bad = resealed(entry, identity_of(duel.players[entry.by]), cards=cards)
        assert refusal(*match.log[:seq], bad).check == 3
        assert seat == entry.by


def test_3_both_players_have_different_keys(duel: Duel, match: Match) -> None:
    anna = duel.identity("A")
    own = resealed(match.log[1], anna, player=player_of("Anna"))
    assert refused_next(match.at(0), own) == (3, 1, "B")


def test_6_both_players_have_different_card_keys(duel: Duel, match: Match) -> None:
    accept = match.log[1]
    cards = {**accept.cards, "key": match.log[0].cards["key"]}
    assert refused_next(match.at(0), resealed(accept, duel.identity("B"), cards=cards))[0] == 3


def test_3_only_the_named_guest_may_accept() -> None:
    duel = Duel("guest", guest=True)
    invited = duel.invited()
    assert invited.accepted(player_of("Bert"), duel.pen("B")).players["B"].name == "Bert"
    carl = Duel("guest", guest=True, players={"A": "Anna", "B": "Carl"})
    entry = carl.accepted().log[1]
    wrong = resealed(entry, identity_of("Carl"), prev=invited.id)
    assert refused_next(invited, wrong) == (3, 1, "B")


# 3 order of the opening


def test_3_nothing_but_an_accept_follows_an_invitation(duel: Duel, match: Match) -> None:
    bert = duel.identity("B")
    for verb in ("resign", "agree", "claim", "vacation 1", "deal", "mountain 1 red", "begin"):
        tree = {"seq": "1", "by": "B", "time": "2026-12-01T00:00:00Z", "prev": match.id}
        entry = resealed(Entry(tree), bert, act=verb)
        assert refused_next(match.at(0), entry) == (4, 1, "B")
    by_anna = resealed(match.log[1], duel.identity("A"), by="A")
    assert refused_next(match.at(0), by_anna) == (4, 1, "A")


def test_3_opening_entries_stand_in_their_places_only(duel: Duel, match: Match) -> None:
    seat = match.pen
    assert seat
    time = match.log[-1].tree["time"]
    place = {"by": seat, "seq": "3", "prev": match.log[2].id, "time": time}
    for number in range(3):
        again = resealed(match.log[number], duel.identity(seat), **place)
        assert refused_next(match, again) == (4, 3, seat)


# 3.2 coins


def test_3_the_coin_of_a_matches_its_commitment(duel: Duel, match: Match) -> None:
    begin = match.log[2]
    wrong = resealed(begin, duel.identity("A"), coin=to_text(seed_of("other coin")))
    assert refused_next(match.at(1), wrong) == (3, 2, "A")
    coin = from_text(begin.tree["coin"])
    assert coins.commitment(coin) == from_text(match.log[0].tree["coin"])


@pytest.mark.parametrize(("start", "seat"), [("inviter", "A"), ("guest", "B")])
def test_3_who_starts_is_an_option(start: str, seat: str) -> None:
    match = Duel("start", {**OPTIONS, "start": start}).begun()
    assert match.position.state is not None
    assert match.position.state.mover == seat


def test_3_2_with_start_coin_both_coins_decide() -> None:
    found = set()
    for label in ("coin 1", "coin 2", "coin 3", "coin 4"):
        match = Duel(label, {**OPTIONS, "start": "coin"}).begun()
        a, b = (from_text(match.log[seq].tree["coin"]) for seq in (2, 1))
        assert match.position.joint == coins.joint_seed(a, b)
        assert match.position.state is not None
        assert match.position.state.mover == ("B" if match.position.joint[0] & 1 else "A")
        found.add(match.position.state.mover)
    assert found == {"A", "B"}


def test_7_1_b_needs_a_deal_before_the_first_move_of_a_guest(match: Match) -> None:
    guest = Duel("start", {**OPTIONS, "start": "guest"}).begun()
    # Two mails before the first move, three when the guest starts: begin gives B's cards at once.
    assert (guest.pen, guest.position.duty) == ("B", "play")
    assert (match.pen, match.position.duty) == ("A", "play")


# 4 secrets


def test_4_1_coins_come_from_key_and_salt(duel: Duel, match: Match) -> None:
    nonce = from_text(match.log[0].tree["nonce"])
    assert from_text(match.log[2].tree["coin"]) == duel.identity("A").coin("A", nonce)
    salt = bytes.fromhex(match.id)
    assert from_text(match.log[1].tree["coin"]) == duel.identity("B").coin("B", salt)


def test_4_2_card_secrets_come_from_key_and_salt(duel: Duel, match: Match) -> None:
    for seat, salt in (
        ("A", from_text(match.log[0].tree["nonce"])),
        ("B", bytes.fromhex(match.id)),
    ):
        entry = match.log[0 if seat == "A" else 1]
        identity = duel.identity(entry.by)
        secret = identity.card_secret(entry.by, salt)
        assert base_mult(secret) == from_text(entry.cards["key"])
        assert secret == secret_of(match.position, entry.by, identity)


def test_4_3_a_second_device_computes_the_same(duel: Duel, match: Match) -> None:
    one, two = Duel("device 1"), Duel("device 2")
    accepts = [
        match.at(0).accepted(player_of("Bert"), device.pen("B")).log[1] for device in (one, two)
    ]
    for name in ("key", "mask", "give"):
        found = [dict(accept.cards)[name] for accept in accepts]
        if name == "mask":
            found = [mask["points"] for mask in found]
        assert found[0] == found[1]
    assert accepts[0].tree["coin"] == accepts[1].tree["coin"]
    assert accepts[0].cards["proof"] != accepts[1].cards["proof"]


def test_4_the_known_secrets() -> None:
    known = VECTORS["secrets"]
    seed, nonce = bytes.fromhex(known["seed"]), bytes.fromhex(known["nonce"])
    identity = type(identity_of("Anna"))(seed)
    assert identity.coin("A", nonce).hex() == known["coin_A"]
    assert identity.coin("B", bytes.fromhex(known["game_id"])).hex() == known["coin_B"]
    assert base_mult(identity.card_secret("A", nonce)).hex() == known["K_A"]


def test_3_4_pace_is_days(duel: Duel, match: Match) -> None:
    assert match.position.pace == 7
    since = match.position.claimable_after
    assert since == match.position.time + 7 * DAY
