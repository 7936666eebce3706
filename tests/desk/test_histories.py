"""Twins, second devices, restored homes, wrong entries and clocks that differ (2.4, 2.5, 4.3)."""

from __future__ import annotations

import pytest

from mbp.chain import compare
from mbp.errors import ForkError, TurnError, UnsureError, VerificationError
from mbp.match import Pen
from tests.correspondents import Correspondent, begin
from tests.desk.histories import assert_one_history, evidence_of
from tests.duel import DAY, HOUR, Dice, dated, file_of, identity_of, resealed, with_log

Pair = tuple[Correspondent, Correspondent]


def test_2_5_twins_are_no_second_history(both: Pair) -> None:
    anna, bert = both
    earlier = bert.match
    played = bert.plays(0).match
    act = played.log[len(earlier.log)].act
    pen = Pen(identity_of("Bert"), bert.clock(), Dice("twin"))
    twin = earlier.played("B", act, pen, "the same again")
    while compare(twin.log, played.log).kind == "fork":  # chance opened another of equal cards
        twin = earlier.played("B", act, pen, "the same again")
    known = anna.takes(bert.file).match
    answer = anna.plays(0).match
    receipt = anna.takes(file_of(twin))
    assert "twins" in " ".join(receipt.news)
    assert receipt.match.log == answer.log
    assert len(known.log) < len(answer.log)
    assert [name.split("-")[0] for name in evidence_of(anna)] == ["twins", "twins"]
    assert_one_history(anna, answer.log)


def test_2_5_the_twin_that_the_chain_continues_counts(both: Pair) -> None:
    """Bert takes a vacation in two wordings; Anna knows the one, he goes on with the other."""
    anna, bert = both
    bert.desk.leave(bert.path, "vacation 2")
    anna.takes(bert.file)
    known = anna.match
    bert_key = identity_of("Bert")
    twin = resealed(known.log[-1], bert_key, note="by the sea")
    other = known.at(len(known.log) - 2).extended(twin)
    receipt = anna.takes(file_of(other))
    assert receipt.match.log == known.log  # neither is continued: the known one stands
    pen = Pen(bert_key, bert.clock(), Dice("vacation"))
    going_on = other.played("B", "vacation 1", pen)
    receipt = anna.takes(file_of(going_on))
    assert receipt.match.log == going_on.log
    assert "twins" in " ".join(receipt.news)
    assert_one_history(anna, going_on.log)


def test_4_3_a_restored_home_asks_and_goes_on_when_told(both: Pair) -> None:
    anna, bert = both
    restored = anna.copy("restored", memory=False)
    bert.plays(0)
    with pytest.raises(UnsureError, match="no memory"):
        restored.takes(bert.file)
    with pytest.raises(UnsureError, match="no memory"):
        restored.desk.leave(restored.path, "resign")
    with pytest.raises(UnsureError, match="no memory") as refused:
        restored.desk.bot(restored.path)
    assert refused.value.hint.endswith(f"mbp receive {restored.path} --newest")  # a path, no name
    assert restored.home.all_remembered() == ()
    receipt = restored.takes(bert.file, newest=True)
    assert receipt.match.position.duty == "play"
    match = restored.plays(0).match
    assert len(match.log) > len(bert.match.log)
    assert restored.takes(bert.file).match.log == match.log  # it asks once


def test_4_3_a_restored_home_looks_without_asking(both: Pair) -> None:
    anna, _ = both
    restored = anna.copy("restored", memory=False)
    opened = restored.desk.open(restored.path)
    assert opened.seat == "A"
    assert opened.match.log == anna.match.log
    assert restored.home.all_remembered() == ()


def test_4_3_a_second_device_that_answers_too_makes_a_fork_of_ones_own(both: Pair) -> None:
    anna, bert = both
    device = bert.copy("device")
    bert.plays(0)
    device.plays(1)
    known = bert.match
    with pytest.raises(ForkError, match="you have signed two different"):
        bert.takes(device.file)
    assert bert.match.log == known.log
    assert not bert.home.facts(known.id).forked  # it is the own fork
    bert.takes(device.file, take=True)
    assert bert.halt == "slipped"
    anna.takes(device.file)
    answer = anna.plays(0)
    receipt = bert.takes(anna.file)
    assert receipt.match.log == answer.match.log
    assert bert.halt == "slipped"
    assert anna.takes(device.file).match.log[: len(device.match.log)] == device.match.log


def test_4_3_a_second_device_that_follows_goes_on(both: Pair) -> None:
    anna, bert = both
    device = bert.copy("device")
    bert.plays(0)
    anna.takes(bert.file)
    device.takes(anna.file)
    assert device.match.log == anna.match.log


def test_2_4_an_entry_ahead_of_the_clock_is_held_back(both: Pair) -> None:
    anna, bert = both
    before = anna.file
    known = anna.match
    bert.clock.wait(HOUR)
    bert.plays(0)
    ahead = bert.file
    anna.clock.wait(-3 * HOUR)
    receipt = anna.takes(ahead)
    assert "held back" in " ".join(receipt.news)
    assert receipt.match.log == known.log
    assert anna.file == before
    anna.path.write_bytes(ahead)
    with pytest.raises(TurnError, match="ahead of this clock"):
        anna.desk.leave(anna.path, "resign")
    anna.clock.wait(3 * HOUR)
    assert len(anna.takes(ahead).match.log) > len(known.log)


def test_2_4_an_invitation_ahead_of_the_clock_is_not_joined(strangers: Pair) -> None:
    anna, bert = strangers
    anna.clock.wait(HOUR)
    next(begin(anna, bert))
    anna.clock.wait(-HOUR)
    bert.games.mkdir(parents=True)
    path = bert.games / "early.mbp.yaml"
    path.write_bytes(anna.file)
    with pytest.raises(TurnError, match="held back"):
        bert.desk.join(path)
    assert path.read_bytes() == anna.file
    assert bert.home.all_remembered() == ()


def test_4_3_a_wrong_entry_is_refused_and_nothing_kept(both: Pair) -> None:
    anna, bert = both
    before = anna.file
    bert.plays(0)
    match = bert.match
    entry = match.log[-1]
    for wrong in (
        resealed(entry, identity_of("Eve")),
        resealed(entry, identity_of("Bert"), act="take red", cards=None),
        dated(entry, identity_of("Bert"), match.position.time - 9 * DAY),
    ):
        with pytest.raises(VerificationError):
            anna.takes(with_log(match.at(len(match.log) - 2), wrong))
    assert anna.file == before
    assert anna.home.evidence(match.id) == []
