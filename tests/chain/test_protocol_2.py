"""Protocol 2: entries, ids, signatures, times, and what two logs are to each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from mbp.chain import Entry, Relation, compare, from_text, seal, to_text
from mbp.desk.histories import hold_back
from mbp.match import Match, invite
from mbp.times import parse_time
from tests.chain.gamefile_examples import DATA
from tests.duel import (
    START,
    Duel,
    chained,
    dated,
    identity_of,
    player_of,
    refusal,
    refused_next,
    resealed,
)

VECTORS: dict[str, Any] = json.loads((DATA / "vectors.json").read_text("utf-8"))
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


@pytest.fixture(scope="module")
def duel() -> Duel:
    return Duel("protocol 2", {**Duel().options, "vacation": "20"})


@pytest.fixture(scope="module")
def match(duel: Duel) -> Match:
    """A match at its sixth entry or later, an act of play due."""
    return duel.at_play(duel.until(duel.begun(), lambda now: len(now.log) >= 6))


def entries(trees: Sequence[dict[str, Any]]) -> list[Entry]:
    return [Entry(tree) for tree in trees]


# 2.1 seq, by, prev


@pytest.mark.parametrize("seq", ["0", "4", "6", "1000"])
def test_2_1_seq_has_no_gaps(duel: Duel, match: Match, seq: str) -> None:
    entry = match.log[5]
    wrong = resealed(entry, duel.identity(entry.by), seq=seq)
    assert refused_next(match.at(4), wrong) == (2, 5, entry.by)


def test_2_1_prev_is_the_id_of_the_entry_before(duel: Duel, match: Match) -> None:
    entry = match.log[5]
    wrong = resealed(entry, duel.identity(entry.by), prev=match.log[3].id)
    assert refused_next(match.at(4), wrong) == (2, 5, entry.by)


def test_2_1_by_is_whoever_signed(duel: Duel, match: Match) -> None:
    entry = match.log[5]
    wrong = resealed(entry, duel.identity(entry.by), by="B" if entry.by == "A" else "A")
    assert refused_next(match.at(4), wrong)[0] == 3


def test_2_1_lost_repeated_and_reordered_entries_are_refused(match: Match) -> None:
    log = match.log
    for wrong, seq in (
        ((*log[:3], *log[4:]), 3),
        ((*log[:4], *log[3:]), 4),
        ((*log[:3], log[4], log[3], *log[5:]), 3),
        (log[1:], 0),
        ((log[0], *log), 1),
    ):
        error = refusal(*wrong)
        assert (error.check, error.seq) == (2, seq)


# 2.2 ids


def test_2_2_the_known_entry_has_the_known_id() -> None:
    known = VECTORS["entry"]
    entry = Entry(known["entry"])
    assert entry.unsigned == known["unsigned"].encode()
    assert entry.id == known["id"]


def test_2_2_the_game_id_is_that_of_entry_0_and_its_sig_does_not_count(match: Match) -> None:
    invitation = match.log[0]
    assert match.id == invitation.id
    assert Entry({**invitation.tree, "sig": to_text(bytes(64))}).id == match.id
    assert Entry({**invitation.tree, "time": "2026-11-30T12:00:01Z"}).id != match.id


# 2.3 signatures


def test_2_3_the_known_entry_is_signed_by_the_known_key() -> None:
    public = bytes.fromhex(VECTORS["identity"]["public"])
    entry = Entry(VECTORS["entry"]["entry"])
    assert entry.signed_by(public)
    assert not Entry({**entry.tree, "note": "well"}).signed_by(public)
    assert not entry.signed_by(identity_of("Anna").public)


def test_2_3_a_changed_signature_is_refused(match: Match) -> None:
    entry = match.log[5]
    sig = from_text(entry.tree["sig"])
    order = 2**252 + 27742317777372353535851937790883648493
    large = (int.from_bytes(sig[32:], "little") + order).to_bytes(32, "little")
    wrong = [bytes(64), sig[32:] + sig[:32], bytes([sig[0] ^ 1]) + sig[1:], sig[:32] + large]
    for changed in wrong:  # the last: S is not below q, a second form of the same signature
        forged = Entry({**entry.tree, "sig": to_text(changed)})
        assert refused_next(match.at(4), forged) == (3, 5, entry.by)


def test_2_3_another_key_signs_for_nobody(match: Match) -> None:
    for entry in match.log[:6]:
        before = match.log[: int(entry.seq)]
        forged = seal({k: v for k, v in entry.tree.items() if k != "sig"}, identity_of("Eve"))
        error = refusal(*before, forged)
        assert (error.check, error.seq, error.author) == (3, int(entry.seq), entry.by)


def test_2_3_every_field_is_under_the_signature(match: Match) -> None:
    entry = match.log[5]
    for name in entry.tree:
        if name not in ("sig", "seq", "prev", "by", "cards"):
            value = {"time": "2027-01-01T00:00:00Z", "act": "resign"}.get(name, "x")
            assert refused_next(match.at(4), Entry({**entry.tree, name: value}))[0] == 3
    assert refused_next(match.at(4), Entry({**entry.tree, "note": "added"}))[0] == 3


# 2.4 times


def test_2_4_a_time_is_at_most_15_minutes_before_the_latest(duel: Duel, match: Match) -> None:
    seat, latest = match.pen, match.position.latest
    assert seat
    vacation = match.played(seat, "vacation 1", duel.pen(seat)).log[-1]
    match.extended(dated(vacation, duel.identity(seat), latest - 15 * MINUTE))
    wrong = dated(vacation, duel.identity(seat), latest - 15 * MINUTE - SECOND)
    assert refused_next(match, wrong) == (2, len(match.log), seat)


def test_2_4_the_latest_time_counts_and_not_the_last(duel: Duel) -> None:
    match = duel.at_play(duel.begun())
    latest = match.position.latest
    match = match.played("A", "vacation 1", duel.pen("A", latest + 30 * MINUTE))
    back = resealed(match.log[-1], duel.identity("A"), seq="4", prev=match.log[-1].id)
    first = dated(back, duel.identity("A"), latest + 16 * MINUTE)
    match = match.extended(first)
    assert match.position.latest == latest + 30 * MINUTE
    # 14 minutes before the last entry would be well, but it is 28 before the latest.
    late = resealed(back, duel.identity("A"), seq="5", prev=match.log[-1].id)
    wrong = dated(late, duel.identity("A"), latest + 2 * MINUTE)
    assert refused_next(match, wrong) == (2, 5, "A")


def test_2_4_a_writer_uses_the_later_of_clock_and_latest_time(duel: Duel, match: Match) -> None:
    latest = match.position.latest
    slow = duel.step(match, latest - timedelta(days=400))
    assert parse_time(slow.log[-1].tree["time"]) == latest
    quick = duel.step(match, latest + 5 * MINUTE)
    assert parse_time(quick.log[-1].tree["time"]) == latest + 5 * MINUTE


@pytest.mark.parametrize("ahead", [15 * MINUTE, 15 * MINUTE + SECOND])
def test_2_4_a_receiver_holds_back_what_is_ahead_of_its_clock(
    match: Match, ahead: timedelta
) -> None:
    count = len(match.log)
    held_at = match.position.time - ahead
    kept, held = hold_back(match, match.log[: count - 1], None, held_at)
    assert (held is not None) == (ahead > 15 * MINUTE)
    assert len(kept.log) == (count - 1 if held else count)
    assert hold_back(match, match.log, None, held_at)[1] is None  # what was seen before stays


def test_2_4_an_audit_takes_the_far_future(duel: Duel) -> None:
    match = duel.begun()
    future = parse_time("9999-12-31T23:59:59Z")
    match = duel.step(match, future)
    match = duel.step(match, START)
    assert match.position.latest == future


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_2_4_the_first_and_the_last_second_are_times(time: str) -> None:
    host = Duel(f"host {time}")
    match = invite(
        host.game,
        host.options,
        player_of("Anna"),
        "",
        bytes(32),
        host.pen("A", parse_time(time)),
    )
    match = match.accepted(player_of("Bert"), host.pen("B", START))
    assert match.position.latest == max(START, parse_time(time))
    begin = match.played("A", "begin", host.pen("A", START))
    assert begin.position.latest == match.position.latest


# 2.5 same, twins, fork, two authors


@pytest.mark.parametrize("case", VECTORS["pairs"], ids=lambda case: case["why"])
def test_2_5_pairs(case: dict[str, Any]) -> None:
    common = entries(VECTORS["chains"]["common"])
    a, b = Entry(case["a"]), Entry(case["b"])
    found = compare([*common, a], [*common, b])
    assert found.kind == case["relation"]
    assert (a.id == b.id) == (case["relation"] == "same")


@pytest.mark.parametrize("case", VECTORS["chains"]["cases"], ids=lambda case: str(case["answer"]))
def test_2_5_chains(case: dict[str, Any]) -> None:
    common = entries(VECTORS["chains"]["common"])
    a, b = ([*common, *entries(case[side])] for side in "ab")
    answer = case["answer"]
    counts = answer.get("counts", "none")
    expected = Relation(
        answer["relation"],
        int(answer["seq"]),
        answer.get("by"),
        None if counts == "none" else counts,
    )
    assert compare(a, b) == expected
    back = compare(b, a)
    kinds = {"older": "newer", "newer": "older"}
    assert (back.kind, back.seq, back.by) == (
        kinds.get(expected.kind, expected.kind),
        expected.seq,
        expected.by,
    )
    assert back.counts == {None: None, "a": "b", "b": "a"}[expected.counts]


def test_2_5_the_sig_makes_no_second_entry(match: Match) -> None:
    other = [*match.log[:-1], Entry({**match.log[-1].tree, "sig": to_text(bytes(64))})]
    assert compare(match.log, other) == Relation("same", len(match.log))


def test_2_5_twins_with_twins_behind_them(duel: Duel, match: Match) -> None:
    log, count = list(match.log), len(match.log)
    author, identity = log[-1].by, duel.identity(log[-1].by)
    twin = resealed(log[-1], identity, note="again")
    a = chained(duel, [*log, log[4]], count)
    b = chained(duel, [*log[:-1], twin, log[4]], count - 1)
    assert compare(a, b) == Relation("twins", count - 1, author)
    c = chained(duel, [*b, log[3]], count + 1)
    assert compare(a, c).counts == "b"
    assert compare(c, a).counts == "a"
    other = resealed(log[4], duel.identity(log[4].by), act="resign")
    d = chained(duel, [*b[:-1], other], count)
    assert compare(a, d) == Relation("fork", count, log[4].by)


def test_2_5_two_begins_on_one_entry_0_are_a_fork(duel: Duel, match: Match) -> None:
    invitation = match.at(0)
    carl = Duel("protocol 2 carl", players={"A": "Anna", "B": "Carl"})
    other = invitation.accepted(player_of("Carl"), carl.pen("B"))
    assert compare(match.at(1).log, other.log) == Relation("authors", 1)
    begun = other.played("A", "begin", carl.pen("A"))
    assert compare(match.log, other.log) == Relation("authors", 1)
    assert compare(match.log, begun.log) == Relation("fork", 2, "A")


def test_2_5_two_accepts_of_one_key_are_twins_or_a_fork(duel: Duel, match: Match) -> None:
    accept = match.log[1]
    named = resealed(accept, duel.identity("B"), player={**accept.tree["player"], "name": "Bertha"})
    assert compare(match.log[:2], [match.log[0], named]) == Relation("fork", 1, "B")
    noted = resealed(accept, duel.identity("B"), note="hello")
    assert compare(match.log[:2], [match.log[0], noted]) == Relation("twins", 1, "B")


def test_2_5_two_entries_0_with_one_key_and_one_nonce_are_a_fork(duel: Duel, match: Match) -> None:
    invitation = match.log[0]
    anna = duel.identity("A")
    other = resealed(invitation, anna, options={**invitation.tree["options"], "pace": "3"})
    assert compare([invitation], [other]) == Relation("fork", 0, "A")
    fresh = resealed(other, anna, nonce=to_text(bytes(32)))
    assert compare([invitation], [fresh]) == Relation("strangers", 0)
    eve = resealed(other, identity_of("Eve"), player=player_of("Eve"))
    assert compare([invitation], [eve]) == Relation("strangers", 0)
