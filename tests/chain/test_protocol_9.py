"""Protocol 9.1 to 9.4: leaving the table."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from mbp.audit import audit
from mbp.chain import Entry, Record, to_text
from mbp.gamefile import dump
from mbp.match import Match
from mbp.rules.contract import Outcome, other
from tests.duel import (
    DAY,
    OPTIONS,
    Duel,
    dated,
    file_of,
    lie,
    pairs_of,
    refused_next,
    resealed,
)

SECOND = timedelta(seconds=1)
DAYS_OFF = {**OPTIONS, "vacation": "10"}


@pytest.fixture(scope="module")
def duel() -> Duel:
    return Duel("protocol 9", DAYS_OFF)


@pytest.fixture(scope="module")
def begun(duel: Duel) -> Match:
    """A match that has just begun; A, who starts, has the pen."""
    return duel.begun()


@pytest.fixture(scope="module")
def over(duel: Duel, begun: Match) -> Match:
    """The match when play has just ended and both cups are closed."""
    match = duel.until(begun, lambda now: now.position.play_over)
    assert match.pen is not None
    return match


def bare(match: Match, duel: Duel, seat: str, act: str, after: timedelta = SECOND) -> Entry:
    """An entry without cards, so much later than the one before."""
    identity = duel.identity("A" if seat == "A" else "B")
    tree = {"seq": str(len(match.log)), "by": seat, "prev": match.log[-1].id, "act": act}
    return dated(Entry({**tree, "time": ""}), identity, match.position.time + after)


def holds(match: Match, duel: Duel, seat: str, act: str, after: timedelta = SECOND) -> Match:
    return match.extended(bare(match, duel, seat, act, after))


def refused(match: Match, duel: Duel, seat: str, act: str, after: timedelta = SECOND) -> int:
    check, seq, author = refused_next(match, bare(match, duel, seat, act, after))
    assert (seq, author) == (len(match.log), seat)
    return check


# 9.1 resign


def test_9_1_whoever_resigns_with_the_pen_loses(duel: Duel, begun: Match) -> None:
    match = holds(begun, duel, "A", "resign")
    assert match.outcome == Outcome("resign", "B", (0, 0))
    assert match.pen is None
    assert refused(begun, duel, "B", "resign") == 4


def test_9_1_resign_may_stand_in_place_of_a_deal(duel: Duel, begun: Match) -> None:
    match = duel.until(begun, lambda now: now.position.duty == "deal")
    assert match.pen
    left = holds(match, duel, match.pen, "resign")
    assert left.outcome
    assert left.outcome.winner == other(match.pen)


def test_7_1_resign_agree_and_vacation_stand_from_entry_3_on(duel: Duel, begun: Match) -> None:
    for act in ("resign", "agree", "vacation 1"):
        assert refused(begun.at(1), duel, "A", act) == 4
        assert refused(begun.at(0), duel, "B", act) == 4
    for act in ("resign", "vacation 1"):
        holds(begun, duel, "A", act)


def test_7_2_an_act_that_pays_nothing_has_no_cards(duel: Duel, begun: Match) -> None:
    match = duel.until(begun, lambda now: now.position.duty == "deal")
    assert match.pen
    paid = duel.step(match).log[-1]
    assert "mask" not in paid.cards
    pairs = list(pairs_of(match, paid).values())
    for act in ("resign", "vacation 1"):
        wrong = lie(duel, match, resealed(paid, duel.identity(match.pen), act=act), pairs)
        assert refused_next(match, wrong) == (8, len(match.log), match.pen)


def test_11_cards_of_an_act_that_pays_nothing_are_checked_first(duel: Duel, begun: Match) -> None:
    proof = to_text(bytes(64))
    for check, cards in (
        (5, {"mask": {"pile": "0", "points": to_text(bytes(32))}}),
        (6, {"give": {"9:9": "1"}, "proof": proof}),
        (6, {"open": {"0:20": "R07"}, "proof": proof}),
        (6, {"proof": proof}),
    ):
        wrong = resealed(bare(begun, duel, "A", "resign"), duel.identity("A"), cards=cards)
        assert refused_next(begun, wrong) == (check, 3, "A")


def test_9_4_any_number_of_days_is_compared_with_what_is_left(duel: Duel, begun: Match) -> None:
    wrong = bare(begun, duel, "A", "vacation " + 5_000 * "9")
    record = Record((*begun.log, wrong), summary=begun.summary)
    assert [finding.check for finding in audit("a", dump(record)).findings] == [4]


# 9.2 offers


def offered(duel: Duel, match: Match) -> Match:
    """An act of play with an offer behind it, after which the other player has the pen."""
    match = duel.at_play(match)
    return duel.play(match, duel.choose(match), offer="abort")


def test_9_2_agree_in_the_very_next_entry_ends_without_result(duel: Duel, begun: Match) -> None:
    match = offered(duel, begun)
    assert match.position.offered_by == "A"
    assert match.pen == "B"
    ended = holds(match, duel, "B", "agree")
    assert ended.outcome == Outcome("abort", None, ended.position.scores)
    assert ended.summary["outcome"] == "none"
    assert ended.summary["termination"] == "abort"


def test_9_2_an_offer_lapses_with_the_next_entry(duel: Duel, begun: Match) -> None:
    match = duel.step(offered(duel, begun))
    seat = match.pen
    assert seat
    assert refused(match, duel, seat, "agree") == 4
    on_leave = holds(offered(duel, begun), duel, "B", "vacation 1")
    assert refused(on_leave, duel, "B", "agree") == 4


def test_9_2_nobody_agrees_to_the_own_offer_or_to_none(duel: Duel, begun: Match) -> None:
    assert refused(begun, duel, "A", "agree") == 4
    assert refused(offered(duel, begun), duel, "A", "agree") == 4


def test_9_2_an_offer_lapses_where_the_pen_is_not_the_other_players(duel: Duel) -> None:
    """In a destruction a player may have to take twice in a row; found by playing."""

    def keeps_the_pen(now: Match) -> bool:
        if now.position.duty != "play":
            return False
        following = duel.play(now, duel.choose(now), offer="abort")
        tried.append(following)
        return following.pen == now.pen and not following.position.play_over

    tried: list[Match] = []
    match = duel.until(duel.begun(), keeps_the_pen)
    seat, following = match.pen, tried[-1]
    assert seat
    assert following.position.offered_by == seat
    assert refused(following, duel, seat, "agree") == 4
    assert refused(following, duel, other(seat), "agree") == 4


def test_9_2_an_offer_stands_on_an_act_of_play_and_nowhere_else(duel: Duel, begun: Match) -> None:
    for seq in range(3):
        entry = begun.log[seq]
        wrong = resealed(entry, duel.identity(entry.by), offer="abort")
        if seq == 0:
            continue
        assert refused_next(begun.at(seq - 1), wrong) == (4, seq, entry.by)
    for act in ("resign", "vacation 1"):
        entry = resealed(bare(begun, duel, "A", act), duel.identity("A"), offer="abort")
        assert refused_next(begun, entry) == (4, 3, "A")
    waiting = duel.until(begun, lambda now: now.position.duty == "deal")
    deal = duel.step(waiting).log[-1]
    wrong = resealed(deal, duel.identity(deal.by), offer="abort")
    assert refused_next(waiting, wrong) == (4, len(waiting.log), deal.by)


def test_9_2_an_offer_on_an_act_that_ends_play_lapses(duel: Duel, over: Match) -> None:
    before = over.at(len(over.log) - 2)
    ending = duel.play(before, over.log[-1].act, offer="abort")
    assert ending.position.play_over
    assert ending.position.offered_by is None
    for seat in ("A", "B"):
        assert refused(ending, duel, seat, "agree") == 4


# 9.3 claims


def test_9_3_a_claim_after_the_pace(duel: Duel, begun: Match) -> None:
    assert refused(begun, duel, "B", "claim", 7 * DAY) == 4
    match = holds(begun, duel, "B", "claim", 7 * DAY + SECOND)
    assert match.outcome == Outcome("claim", "B", (0, 0))
    assert match.position.claimed
    assert audit("x", file_of(match)).claimed
    assert match.pen is None


def test_9_3_a_claim_by_the_player_with_the_pen_is_refused(duel: Duel, begun: Match) -> None:
    assert refused(begun, duel, "A", "claim", 8 * DAY) == 4


def test_9_3_a_claim_in_place_of_begin_by_b_alone(duel: Duel, begun: Match) -> None:
    accepted = begun.at(1)
    assert refused(accepted, duel, "A", "claim", 8 * DAY) == 4
    assert refused(accepted, duel, "B", "claim", 7 * DAY) == 4
    match = holds(accepted, duel, "B", "claim", 8 * DAY)
    assert match.outcome == Outcome("claim", "B", (0, 0))
    assert match.position.state is None
    assert audit("x", file_of(match)).ok
    late = duel.step(accepted).log[-1]
    moved = resealed(late, duel.identity("A"), seq="3", prev=match.log[-1].id)
    assert refused_next(match, dated(moved, duel.identity("A"), match.position.time))[0] == 4


def test_9_3_no_claim_before_an_accept(duel: Duel, begun: Match) -> None:
    assert refused(begun.at(0), duel, "A", "claim", 8 * DAY) == 4


def test_9_3_the_time_of_the_entry_before_counts_not_the_latest(duel: Duel, begun: Match) -> None:
    match = holds(begun, duel, "A", "vacation 1", DAY)
    back = holds(match, duel, "A", "vacation 1", -timedelta(minutes=10))
    assert refused(back, duel, "B", "claim", 8 * DAY) == 4
    assert holds(back, duel, "B", "claim", 8 * DAY + SECOND).position.claimed


def test_9_3_a_vacation_makes_the_pace_longer_by_its_days(duel: Duel, begun: Match) -> None:
    match = holds(begun, duel, "A", "vacation 3", DAY)
    assert refused(match, duel, "B", "claim", 10 * DAY) == 4
    holds(match, duel, "B", "claim", 10 * DAY + SECOND)
    # Only the entry before counts: behind a move the pace is what it was.
    moved = duel.step(match, match.position.time + SECOND)
    assert moved.position.claimable_after == moved.position.time + 7 * DAY


def test_9_3_pace_0_knows_no_claims() -> None:
    duel = Duel("pace 0", {**OPTIONS, "pace": "0"})
    match = duel.begun()
    assert refused(match, duel, "B", "claim", 3650 * DAY) == 4
    assert match.position.claimable_after is None


def test_9_3_a_pace_that_no_date_reaches() -> None:
    duel = Duel("pace 99999", {**OPTIONS, "pace": "99999"})
    match = duel.begun()
    assert refused(match, duel, "B", "claim", 99_999 * DAY) == 4
    holds(match, duel, "B", "claim", 99_999 * DAY + SECOND)
    far = duel.step(match, match.position.time + 2_900_000 * DAY)
    assert far.position.claimable_after is None
    assert far.pen
    assert refused(far, duel, other(far.pen), "claim", DAY) == 4


def test_9_3_once_play_is_over_a_claim_closes_the_cups_and_the_score_stands(
    duel: Duel, over: Match
) -> None:
    seat = over.pen
    assert seat
    assert refused(over, duel, seat, "claim", 8 * DAY) == 4
    assert refused(over, duel, other(seat), "claim", 7 * DAY) == 4
    assert over.outcome is None
    match = holds(over, duel, other(seat), "claim", 8 * DAY)
    state: Any = match.position.state
    assert match.outcome is not None
    assert match.outcome.termination == state.termination
    assert match.outcome.scores == over.position.scores
    # Whoever ended play has opened the own cup in that entry; the other cup stays closed.
    assert sorted(side.closed for side in state.sides) == [0, 2]
    assert match.position.claimed
    assert match.pen is None
    for act in ("deal", "claim"):
        assert refused(match, duel, seat, act, 20 * DAY) == 4


def test_9_3_a_closed_cup_card_counts_as_a_cup_card_without_points(over: Match) -> None:
    state: Any = over.position.state
    closed, opened = sorted(state.sides, key=lambda side: -int(side.closed))
    assert closed.cup_size() == sum(closed.cup) + 2
    assert opened.cup_size() == sum(opened.cup)


def test_9_3_once_play_is_over_nobody_leaves_any_more(duel: Duel, over: Match) -> None:
    seat = over.pen
    assert seat
    for act in ("resign", "agree", "vacation 1"):
        assert refused(over, duel, seat, act) == 4


# 9.4 vacations


def test_9_4_a_vacation_leaves_the_pen_where_it_is(duel: Duel, begun: Match) -> None:
    match = holds(begun, duel, "A", "vacation 5")
    assert (match.pen, match.position.duty) == (begun.pen, begun.position.duty)
    assert (match.position.vacation_left("A"), match.position.vacation_left("B")) == (5, 10)
    assert refused(match, duel, "A", "vacation 6") == 4
    all_of_it = holds(match, duel, "A", "vacation 5")
    assert refused(all_of_it, duel, "A", "vacation 1") == 4
    assert all_of_it.position.vacation_left("A") == 0
    assert refused(begun, duel, "B", "vacation 1") == 4


@pytest.mark.parametrize("days", ["0", "11", "365", "99999999999999999999"])
def test_9_4_a_vacation_of_no_days_or_too_many(duel: Duel, begun: Match, days: str) -> None:
    assert refused(begun, duel, "A", f"vacation {days}") == 4


def test_9_4_without_the_option_there_is_none() -> None:
    duel = Duel("no vacation")
    assert refused(duel.begun(), duel, "A", "vacation 1") == 4
