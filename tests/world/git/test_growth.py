"""What counts as grown, one match at a time: pure, without git."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mbp import gamefile
from mbp.chain import Record, to_text
from mbp.curve import scalar_to_bytes
from mbp.git.growth import BESIDE, Change, evidence_gone, growth, settlers
from mbp.match import Match, replay, secret_of
from mbp.match.settled import MOST
from mbp.rules.contract import SEATS, Seat
from tests.duel import Duel, identity_of
from tests.world.git.conftest import States
from tests.world.git.tiles import Tiles, evidence, files, many_settled, settled

TILES = Tiles("growth")


def kind(before: Match, new: Match) -> str:
    return growth(before.record, new).kind


def loaded(data: bytes) -> Match:
    """A game file with all that stands beside its log."""
    record = gamefile.load(data)
    return replay(record).with_extras(record)[0]


def disclosed(match: Match, *seats: Seat) -> Match:
    for seat in seats:
        secret = secret_of(match.position, seat, identity_of(match.players[seat].name))
        match = match.with_disclosed(seat, to_text(scalar_to_bytes(secret)))
    return match


def test_a_log_that_goes_on_has_grown_and_one_that_ends_before_has_not() -> None:
    assert kind(TILES.upto(7), TILES.upto(7)) == "grown"
    assert kind(TILES.upto(7), TILES.upto(9)) == "grown"
    gone = growth(TILES.upto(9).record, TILES.upto(7))
    assert (gone.kind, gone.refused, gone.seq) == ("rewritten", True, 7)


def test_another_match_has_not_grown() -> None:
    change = growth(TILES.upto(7).record, Tiles("another").upto(9))
    assert change == Change("rewritten", "another match stands in this file", 0)


@pytest.mark.parametrize("forker", SEATS)
def test_9_6_whoever_signs_twice_does_not_choose_alone_which_entry_counts(forker: Seat) -> None:
    other: Seat = "B" if forker == "A" else "A"
    start = TILES.first_by(forker)
    dropped, kept = TILES.whole, TILES.fork(start, more=2)
    assert kind(dropped, kept) == "rewritten"
    assert kind(dropped, settled(kept, dropped, forker)) == "rewritten"
    assert kind(dropped, settled(kept, dropped, other)) == "settled"
    assert kind(dropped, settled(kept, dropped, *SEATS)) == "settled"


def test_9_6_a_player_may_give_up_his_own_side_for_what_is_published() -> None:
    start = TILES.first_by("B")
    dropped, kept = TILES.whole, TILES.fork(start)
    assert growth(dropped.record, settled(kept, dropped, "B"), given_up=True).kind == "settled"
    assert growth(dropped.record, kept, given_up=True).kind == "rewritten"


def test_9_6_where_two_authors_cross_both_have_to_sign() -> None:
    """A claims the match, B moves late: each has an entry to lose."""
    start = next(n for n in range(5, 9) if TILES.author(n) == "B")
    before = TILES.upto(start)
    late = before.position.time.replace(year=before.position.time.year + 1)
    claimed = before.played("A", "claim", TILES.duel.pen("A", late))
    moved = TILES.upto(start + 1)
    for one, two in ((claimed, moved), (moved, claimed)):
        assert kind(one, settled(two, one, "A")) == "rewritten"
        assert kind(one, settled(two, one, "B")) == "rewritten"
        assert kind(one, settled(two, one, *SEATS)) == "settled"


def test_9_6_a_settlement_of_two_other_histories_settles_nothing() -> None:
    """A has signed for the fork at a later entry; it does not lend itself to an earlier one."""
    late, early = TILES.first_by("B", 9), TILES.first_by("B", 5)
    item = settled(TILES.fork(late), TILES.whole, "A").settled[0]
    kept = replace(TILES.fork(early), settled=(item,))
    assert kind(TILES.whole, kept) == "rewritten"
    # Nor does one that names two entries that do not part at one place.
    odd = {**item, "keep": TILES.fork(early).log[1].id}
    assert kind(TILES.whole, replace(TILES.fork(early), settled=(odd,))) == "rewritten"


def test_9_6_who_has_lost_his_seat_is_not_outvoted() -> None:
    """Anna has begun with two guests: the second one cannot sign that the first is dropped."""
    duel = Duel("two guests", {**TILES.duel.options}, game=TILES.duel.game)
    invited = duel.invited()
    branches = []
    for name in ("Bert", "Carl"):
        duel.players = {"A": "Anna", "B": name}
        key = {"name": name, "key": identity_of(name).text}
        branches.append(duel.step(duel.step(invited.accepted(key, duel.pen("B")))))
    first, second = branches
    both = settled(second, first, *SEATS)
    assert settlers(both, first) == set()
    assert kind(first, both) == "rewritten"


def test_2_5_a_twin_may_take_the_place_unless_it_is_continued() -> None:
    twin = TILES.twin(8, "in other words")
    assert kind(TILES.upto(9), twin) == "twins"
    assert kind(twin, TILES.upto(10)) == "twins"
    assert kind(TILES.upto(10), twin) == "rewritten"


@pytest.mark.parametrize("way", ["same", "older", "twins", "settled"])
def test_9_6_no_kind_of_growth_takes_a_settlement_out(way: str) -> None:
    start = TILES.first_by("B")
    aside = TILES.fork(start)
    before = settled(TILES.upto(9), aside, "A")
    later = {
        "same": TILES.upto(9),
        "older": TILES.upto(10),
        "twins": TILES.twin(8, "again"),
        "settled": settled(TILES.fork(8), before, *SEATS),
    }[way]
    assert growth(before.record, later) == Change("rewritten", BESIDE)
    joined = later.with_extras(before.record)[0]
    assert growth(before.record, joined).kind == ("grown" if way in ("same", "older") else way)


def test_9_6_what_cannot_hold_in_the_history_that_stands_is_not_missed() -> None:
    """A settlement for the history that was dropped falls with it."""
    start = TILES.first_by("B")
    one, two = TILES.whole, TILES.fork(start)
    before = settled(one, two, "A")
    assert kind(before, settled(two, one, "A")) == "settled"


def test_9_5_a_secret_that_was_disclosed_stays_disclosed(states: States) -> None:
    over = states.over
    assert kind(disclosed(over, "A"), disclosed(over, "A", "B")) == "grown"
    assert growth(disclosed(over, "A").record, over) == Change("rewritten", BESIDE)
    assert growth(disclosed(over, "A").record, disclosed(over, "B")).kind == "rewritten"
    # What did not hold before was nothing that could be taken out.
    wrong = Record(over.log, {"A": disclosed(over, "B").disclosed["B"]})
    assert growth(wrong, over).kind == "grown"


@pytest.mark.parametrize(("left", "expected"), [(MOST, "grown"), (MOST - 1, "rewritten")])
def test_of_thousands_of_settlements_a_home_may_drop_all_but_the_first(
    left: int, expected: str
) -> None:
    before = loaded(many_settled(TILES.upto(8), "B", "flood", 2 * MOST))
    after = replace(TILES.upto(9), settled=before.settled[:left])
    assert kind(before, after) == expected


def test_what_did_not_hold_may_be_replaced() -> None:
    trees = TILES.duel.trees(TILES.upto(9))
    trees[7]["time"] = "2031-01-01T00:00:00Z"
    broken = Record(tuple(type(TILES.whole.log[0])(tree) for tree in trees))
    assert growth(broken, TILES.upto(8)).kind == "mended"
    assert growth(broken, TILES.fork(5)).kind == "mended"


def test_2_5_evidence_is_never_taken_out() -> None:
    proof = evidence(TILES.whole, TILES.fork(7))
    (data,) = files(TILES.whole)
    gone = evidence_gone(proof, data)
    assert gone is not None
    assert gone.refused
    assert evidence_gone(proof, proof) is None
    assert evidence_gone(data, proof) is None
    assert evidence_gone(proof.replace(b'time: "20', b'time: "19', 1), data) is None
