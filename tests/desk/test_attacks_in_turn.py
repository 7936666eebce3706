"""More of protocol 4.3 and 2.4: attacks that lead a victim back, one decision after the other."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from mbp.chain import compare, settle
from mbp.desk import words
from mbp.errors import ForkError, MbpError
from mbp.gamefile import MAX_SIZE, dump, load
from mbp.match import replay
from mbp.match.settled import MOST
from tests.correspondents import Clock, Correspondent
from tests.desk.histories import assert_one_history
from tests.duel import DAY, identity_of

Pair = tuple[Correspondent, Correspondent]
LATE = timedelta(minutes=31)


def test_4_3_taking_an_older_copy_of_the_own_history_takes_all_of_it(both: Pair) -> None:
    anna, bert = both
    fork = bert.copy("fork")
    bert.plays(0)
    asked = bert.file
    anna.takes(asked)
    answered = anna.plays(0).match
    fork.plays(1)
    anna.takes(fork.file, take=True)
    with pytest.raises(ForkError, match="answered in another history"):
        anna.plays(0)
    # The question without her answer: she stands by the history that has it.
    assert anna.takes(asked, take=True).match.log == answered.log
    assert_one_history(anna, answered.log)


def test_4_3_a_fork_in_place_of_the_file_is_kept_and_not_played_on(both: Pair) -> None:
    anna, bert = both
    fork = bert.copy("fork")
    bert.plays(0)
    known = anna.takes(bert.file).match
    fork.plays(1)
    anna.path.write_bytes(fork.file)
    with pytest.raises(ForkError, match="two different entries"):
        anna.desk.bot(anna.path)
    assert anna.file == fork.file
    kept = [load(path.read_bytes()).log for path in anna.home.evidence(known.id)]
    assert sorted(map(len, kept)) == [len(known.log), len(load(fork.file).log)]
    assert load(fork.file).log in kept
    assert anna.home.facts(known.id).forked
    assert_one_history(anna, known.log)


def test_4_3_without_facts_the_kept_histories_still_bar(both: Pair) -> None:
    anna, bert = both
    fork = bert.copy("fork")
    bert.plays(0)
    anna.takes(bert.file)
    anna.plays(0)
    fork.plays(1)
    taken = anna.takes(fork.file, take=True).match
    anna.home.facts_path(taken.id).unlink()  # as the hint for a damaged one says
    assert anna.match.pen == "A"
    with pytest.raises(ForkError):
        anna.plays(0)


def test_4_3_without_facts_a_fork_stops_until_it_is_decided_anew(both: Pair) -> None:
    anna, bert = both
    fork = bert.copy("fork")
    bert.plays(0)
    fork.plays(1)
    known = anna.takes(bert.file).match
    with pytest.raises(ForkError):
        anna.takes(fork.file)
    anna.home.facts_path(known.id).unlink()
    with pytest.raises(ForkError, match="two histories"):
        anna.plays(0)
    anna.takes(bert.file, take=True)
    assert len(anna.plays(0).match.log) > len(known.log)


@pytest.mark.parametrize("memory", [True, False])
def test_2_4_the_own_entry_is_never_held_back(both: Pair, memory: bool) -> None:
    anna, bert = both
    bert.plays(0)
    anna.takes(bert.file)
    slow = anna.copy("slow", memory=memory, clock=Clock(anna.clock.time))
    anna.clock.wait(LATE)
    match = anna.plays(0).match
    assert slow.takes(anna.file, newest=True).match.log == match.log
    assert_one_history(slow, match.log)


def test_2_4_a_held_entry_stays_in_the_file_and_comes_in_when_it_is_time(both: Pair) -> None:
    anna, bert = both
    ahead = bert.copy("ahead", clock=Clock(bert.clock.time + LATE))
    match = ahead.plays(0).match
    anna.path.write_bytes(ahead.file)  # saved over the game file
    receipt = anna.takes(ahead.file)
    assert "held back" in " ".join(receipt.news)
    assert len(receipt.match.log) < len(match.log)
    assert load(anna.file).log == match.log
    anna.path.unlink()
    anna.takes(bert.file)
    assert len(load(anna.file).log) < len(match.log)
    anna.clock.wait(LATE)
    assert anna.match.log == match.log
    assert len(anna.plays(0).match.log) > len(match.log)


def test_2_4_a_crossing_claim_from_the_future_is_held_back_after_the_move_too(both: Pair) -> None:
    anna, bert = both
    liar = anna.copy("liar", clock=Clock(anna.clock.time + 8 * DAY))
    claim = liar.desk.leave(liar.path, "claim").path.read_bytes()
    assert "held back" in " ".join(bert.takes(claim).news)
    move = bert.plays(0).match
    for take in (False, True):
        receipt = bert.takes(claim, take=take)
        assert receipt.match.log == move.log
        assert "held back" in " ".join(receipt.news)


def test_2_4_a_fork_from_the_future_stops_nothing_yet(both: Pair) -> None:
    anna, bert = both
    liar = bert.copy("liar", clock=Clock(bert.clock.time + 900 * DAY))
    bert.plays(0)
    anna.takes(bert.file)
    liar.plays(1)
    assert "held back" in " ".join(anna.takes(liar.file).news)
    answer = anna.plays(0).match
    assert compare(answer.log, load(bert.file).log).kind == "newer"


def test_9_6_an_opponent_cannot_fill_the_file_with_settlements(both: Pair) -> None:
    anna, bert = both
    match = bert.match
    items = tuple(
        settle("B", match.log[1].id, f"{number:064x}", match.id, identity_of("Bert"))
        for number in range(60)
    )
    filled = dump(replace(match.record, settled=items))
    assert len(replay(load(filled)).with_extras(load(filled))[0].settled) == 60
    anna.takes(filled)
    assert len(load(anna.file).settled) == MOST
    assert len(anna.memory.log) == len(match.log)


def test_10_a_match_that_no_file_can_hold_is_not_remembered(
    both: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bert = both
    before, memory = bert.file, bert.memory.log
    monkeypatch.setattr("mbp.gamefile.MAX_SIZE", len(before) // 2)
    with pytest.raises(MbpError, match="can hold") as refused:
        bert.plays(0)
    assert refused.value.hint == words.FULL
    monkeypatch.setattr("mbp.gamefile.MAX_SIZE", MAX_SIZE)
    assert (bert.file, bert.memory.log) == (before, memory)
