"""Whatever way a history comes to stand, an own answer in another one bars signing in it (4.3, G8).

What stood before is kept, and so is every second history, settled or not (G7).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from mbp.chain import settle
from mbp.errors import ForkError, MbpError
from mbp.gamefile import dump, load
from mbp.match import Match
from tests.correspondents import Clock, Correspondent, begin
from tests.desk.histories import assert_one_history
from tests.desk.test_settling import beside
from tests.duel import identity_of

Pair = tuple[Correspondent, Correspondent]
AHEAD, LATER = timedelta(minutes=31), timedelta(hours=3)


def kept_logs(player: Correspondent) -> list[list[str]]:
    """The ids of the entries of each history that is kept as evidence."""
    (game_id,) = player.home.all_remembered()
    files = [path.read_bytes() for path in player.home.evidence(game_id)]
    return [[entry.id for entry in load(data).log] for data in files]


def ids(match: Match) -> list[str]:
    return [entry.id for entry in match.log]


def forked(both: Pair) -> tuple[Correspondent, Correspondent, Correspondent]:
    """Anna, and Bert with two histories, neither of which has been sent."""
    anna, bert = both
    rewound = bert.copy("rewound")
    bert.plays(0)
    rewound.plays(1)
    return anna, bert, rewound


def refuses_all(player: Correspondent) -> None:
    with pytest.raises(ForkError):
        player.plays(0)
    with pytest.raises(ForkError):
        player.desk.bot(player.path)
    with pytest.raises(ForkError):
        player.desk.leave(player.path, "resign")


def test_4_3_a_branch_that_was_settled_away_bars_once_the_kept_one_is_answered(both: Pair) -> None:
    """Anna settles, answers, and is asked to take the dropped branch back."""
    anna, bert, rewound = forked(both)
    anna.takes(bert.file)
    anna.desk.settle(anna.path, beside(anna, rewound.file))
    answer = anna.plays(0).match
    taken = anna.takes(rewound.file, take=True).match
    assert taken.log == rewound.match.log
    assert ids(answer) in kept_logs(anna)
    assert anna.halt == "answered"
    refuses_all(anna)
    assert_one_history(anna, answer.log)
    # The way back leads over what was kept, and there she goes on.
    halt = anna.desk.halt(taken)
    assert halt is not None
    assert halt.other is not None
    assert anna.takes(halt.other.read_bytes(), take=True).match.log == answer.log
    assert not anna.halt


@pytest.mark.parametrize("rival_settles", [True, False])
def test_4_3_settling_for_the_other_branch_after_an_answer_bars(
    both: Pair, rival_settles: bool
) -> None:
    anna, bert, rewound = forked(both)
    anna.takes(bert.file)
    anna.desk.settle(anna.path, beside(anna, rewound.file))
    answer = anna.plays(0).match
    if rival_settles:
        rewound.desk.settle(rewound.path, beside(rewound, bert.file))
    settled = anna.desk.settle(beside(anna, rewound.file), anna.path)
    assert settled.match.log == rewound.match.log
    assert anna.halt == "answered"
    refuses_all(anna)
    assert_one_history(anna, answer.log)


def test_4_3_an_answer_of_another_device_in_the_branch_that_is_dropped_bars(both: Pair) -> None:
    """The own answer came in a file: this home has not signed it, and the cards are shown."""
    anna, bert, rewound = forked(both)
    device = anna.copy("device")
    device.takes(rewound.file)
    answered = device.plays(0).match
    anna.takes(bert.file)
    with pytest.raises(ForkError):
        anna.takes(device.file)
    anna.desk.settle(anna.path, beside(anna, device.file))
    assert anna.halt == "answered"
    refuses_all(anna)
    anna.takes(anna.file, take=True)  # nor by standing by what she has
    refuses_all(anna)
    assert ids(answered) in kept_logs(anna)


def test_4_3_a_second_copy_of_the_dropped_branch_with_a_settlement_beside_it_bars(
    both: Pair,
) -> None:
    """What git has merged, both players' signatures in it, is received: it is no way past."""
    anna, bert, rewound = forked(both)
    anna.takes(bert.file)
    answer = anna.plays(0).match
    other = rewound.match
    place = len(other.log) - 1
    items = tuple(
        settle(seat, other.log[place].id, answer.log[place].id, other.id, identity_of(name))
        for seat, name in (("A", "Anna"), ("B", "Bert"))
    )
    merged = dump(replace(other.record, settled=items))
    with pytest.raises(ForkError):
        anna.takes(merged)
    anna.takes(merged, take=True)
    assert anna.halt == "answered"
    refuses_all(anna)
    assert_one_history(anna, answer.log)


def test_4_3_a_memory_put_back_to_the_invitation_signs_no_second_begin(strangers: Pair) -> None:
    anna, bert = strangers
    steps = begin(anna, bert)
    next(steps)
    invitation = anna.match
    next(steps)
    next(steps)
    with anna.home.lock():
        anna.home.keep_evidence(invitation.id, "x.mbp.yaml", anna.file)
        anna.home.remember(invitation.id, dump(invitation.record))
    anna.path.write_bytes(dump(invitation.record))
    assert anna.halt == "answered"
    accepted = bert.file
    assert len(anna.takes(accepted).match.log) == 2
    with pytest.raises(ForkError):
        anna.desk.bot(anna.path)


def test_4_3_a_home_of_yesterday_knows_the_answer_once_it_was_shown_it(both: Pair) -> None:
    anna, bert, rewound = forked(both)
    yesterday = anna.copy("yesterday")
    anna.takes(bert.file)
    answer = anna.plays(0).match
    # An older memory takes in the later own entries, then the second history.
    assert yesterday.takes(anna.file).match.log == answer.log
    yesterday.takes(rewound.file, take=True)
    assert yesterday.halt == "answered"
    refuses_all(yesterday)


def test_9_5_a_published_secret_bars_where_the_cards_are_still_hidden(both: Pair) -> None:
    """Bert resigns; Anna opens her cards; then he shows a move in place of it."""
    anna, bert = both
    rewound = bert.copy("rewound")
    bert.desk.leave(bert.path, "resign")
    anna.takes(bert.file)
    anna.desk.disclose(anna.path)
    rewound.plays(0)
    with pytest.raises(ForkError):
        anna.takes(rewound.file)
    anna.takes(rewound.file, take=True)
    assert anna.halt == "disclosed"
    refuses_all(anna)
    assert anna.takes(bert.file, take=True).match.outcome


def test_9_5_nothing_is_disclosed_while_two_histories_are_undecided(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    bert.desk.leave(bert.path, "resign")
    rewound.plays(0)
    anna.takes(bert.file)
    with pytest.raises(ForkError):
        anna.takes(rewound.file)
    with pytest.raises(ForkError, match="two histories"):
        anna.desk.disclose(anna.path)
    anna.takes(anna.file, take=True)
    assert anna.desk.disclose(anna.path).match.disclosed


def test_9_6_nobody_signs_for_the_drop_of_what_is_not_here(both: Pair) -> None:
    """Bert settles against a branch that he has not sent: a blank cheque."""
    anna, bert, unsent = forked(both)
    place = len(bert.match.log) - 1
    keep, drop = bert.match.log[place].id, unsent.match.log[place].id
    item = settle("B", keep, drop, bert.match.id, identity_of("Bert"))
    anna.takes(dump(replace(bert.match.record, settled=(item,))))
    with pytest.raises(MbpError, match="never seen the branch") as refused:
        anna.desk.settle(anna.path)
    assert "mbp settle FILE OTHER" in refused.value.hint
    assert [one["by"] for one in load(anna.file).settled] == ["B"]
    anna.plays(0)
    with pytest.raises(ForkError):
        anna.takes(unsent.file)
    assert anna.halt == "forked"


def test_9_6_a_settlement_speaks_of_one_place_only(both: Pair) -> None:
    """An item that names entries with two `prev`s settles nothing, whoever has signed it."""
    anna, bert, rewound = forked(both)
    place = len(bert.match.log) - 1
    keep, drop = bert.match.log[place - 1].id, rewound.match.log[place].id
    items = tuple(
        settle(seat, keep, drop, bert.match.id, identity_of(name))
        for seat, name in (("A", "Anna"), ("B", "Bert"))
    )
    anna.takes(dump(replace(bert.match.record, settled=items)))
    assert len(load(anna.file).settled) == 2
    with pytest.raises(ForkError):
        anna.takes(rewound.file)
    assert anna.halt == "forked"


def test_2_5_a_history_that_was_settled_away_is_kept_when_it_comes_longer(both: Pair) -> None:
    anna, bert, rewound = forked(both)
    known = anna.takes(bert.file).match
    short = rewound.match.at(len(rewound.match.log) - 1)
    anna.desk.settle(anna.path, beside(anna, dump(short.record)))
    device = anna.copy("device")
    device.takes(rewound.file, take=True)
    device.plays(0)
    receipt = anna.takes(device.file)
    assert receipt.match.log == known.log
    assert "you have settled for yours" in " ".join(receipt.news)
    assert ids(device.match) in kept_logs(anna)
    assert anna.halt == "answered"  # the own key has signed in there


def test_2_5_a_fork_is_seen_in_a_home_that_once_held_an_entry_back(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    early = bert.copy("early", clock=Clock(bert.clock.time + AHEAD))
    early.plays(0)
    assert "held back" in " ".join(anna.takes(early.file).news)
    anna.clock.wait(AHEAD)
    anna.takes(early.file)
    known = anna.memory
    rewound.plays(1)
    with pytest.raises(ForkError):
        anna.takes(rewound.file)
    assert anna.halt == "forked"
    assert ids(rewound.match) in kept_logs(anna)
    # To stand by the known one takes the known one.
    assert anna.takes(anna.file, take=True).match.log[: len(known.log)] == known.log


def test_2_4_a_second_history_that_was_held_back_is_told_when_its_time_has_come(
    both: Pair,
) -> None:
    anna, bert = both
    liar = bert.copy("liar", clock=Clock(bert.clock.time + LATER))
    liar.plays(1)
    bert.plays(0)
    known = anna.takes(bert.file).match
    assert "held back" in " ".join(anna.takes(liar.file).news)
    anna.clock.wait(LATER)
    with pytest.raises(ForkError, match="two different entries"):
        anna.plays(0)
    assert anna.halt == "forked"
    anna.takes(bert.file, take=True)
    assert not anna.halt
    assert anna.plays(0).match.log[: len(known.log)] == known.log


def test_2_4_a_held_claim_is_told_with_the_next_file(both: Pair) -> None:
    anna, bert = both
    liar = anna.copy("liar", clock=Clock(anna.clock.time + timedelta(days=8)))
    claim = liar.desk.leave(liar.path, "claim").path.read_bytes()
    bert.plays(0)
    bert.takes(claim)
    bert.clock.wait(timedelta(days=8))
    receipt = bert.takes(bert.file)
    assert "both players wrote an entry" in " ".join(receipt.news)
    assert not bert.home.held(receipt.match.id)
    assert "both players wrote" not in " ".join(bert.takes(bert.file).news)


def test_what_the_home_keeps_is_never_written_over(both: Pair) -> None:
    anna, bert, rewound = forked(both)
    anna.takes(bert.file)
    with pytest.raises(ForkError):
        anna.takes(rewound.file)
    anna.takes(anna.file, take=True)
    (game_id,) = anna.home.all_remembered()
    known = next(path for path in anna.home.evidence(game_id) if "known" in path.name)
    before = known.read_bytes()
    with pytest.raises(MbpError, match="it stays as it is"):
        anna.desk.bot(known)
    assert known.read_bytes() == before
    assert len(anna.memory.log) == len(load(before).log)


def test_9_6_own_settlements_and_those_that_agree_with_them_are_never_left_out(
    both: Pair,
) -> None:
    """Bert signs for many branches that nobody has; the one that matters comes last."""
    anna, bert, rewound = forked(both)
    anna.takes(bert.file)
    anna.desk.settle(anna.path, beside(anna, rewound.file))
    match, key = bert.match, identity_of("Bert")
    place = len(match.log) - 1
    junk = [settle("B", match.log[1].id, f"{n:064x}", match.id, key) for n in range(30)]
    real = settle("B", match.log[place].id, rewound.match.log[place].id, match.id, key)
    anna.takes(dump(replace(match.record, settled=(*junk[:20],))))
    kept = load(anna.file).settled
    anna.takes(dump(replace(match.record, settled=(*junk[20:], real))))
    now = load(anna.file).settled
    assert all(item in now for item in kept)
    assert real in now
    assert len(now) == 22
    assert anna.memory.with_extras(load(anna.file))[0].settled_over(rewound.match.log) == {"A", "B"}


def test_2_5_forks_without_end_fill_no_home(both: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many histories the first are kept, and every one that has an own answer."""
    monkeypatch.setattr("mbp.desk.writing.MOST_KEPT", 3)
    anna, bert = both
    rewound = [bert.copy(f"rewound {number}") for number in range(4)]
    bert.plays(0)
    anna.takes(bert.file)
    for number, one in enumerate(rewound):
        one.plays(number + 1)
        with pytest.raises(ForkError):
            anna.takes(one.file)
    assert len(kept_logs(anna)) == 3
    assert anna.halt == "forked"
    device = anna.copy("device")
    device.takes(rewound[-1].file, take=True)
    device.plays(0)
    with pytest.raises(ForkError):
        anna.takes(device.file)
    assert ids(device.match) in kept_logs(anna)
    anna.takes(anna.file, take=True)
    assert anna.halt == "answered"
