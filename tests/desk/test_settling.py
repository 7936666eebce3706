"""Protocol 9.6: two players settle on one branch; what lifts a bar, and what never does."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from mbp import gamefile
from mbp.chain import Record, settle
from mbp.errors import ForkError, KeyringError, MbpError, UnsureError
from mbp.gamefile import dump, load
from tests.correspondents import Correspondent
from tests.desk.histories import assert_one_history
from tests.duel import DAY, file_of, identity_of

Pair = tuple[Correspondent, Correspondent]


def beside(player: Correspondent, data: bytes, name: str = "other.yaml") -> Path:
    """Puts a file that came beside the player's games folder."""
    path = player.root / name
    path.write_bytes(data)
    return path


def test_9_6_both_settle_a_slip_and_the_match_goes_on(both: Pair) -> None:
    """Bert plays one turn on two devices; Anna has answered one of them."""
    anna, bert = both
    device = bert.copy("device")
    bert.plays(0)
    anna.takes(bert.file)
    mine = anna.plays(0).match
    device.plays(1)
    with pytest.raises(ForkError):
        anna.takes(device.file)
    assert anna.home.facts(mine.id).forked

    receipt = anna.desk.settle(anna.path, beside(anna, device.file))
    assert receipt.match.log == mine.log
    assert [item["by"] for item in receipt.match.settled] == ["A"]
    assert not anna.home.facts(mine.id).forked
    assert not anna.halt
    # The dropped branch comes again: an answer was given by signature, nothing stops any more.
    assert anna.takes(device.file).match.log == mine.log
    assert not anna.home.facts(mine.id).forked

    # On the device Bert had signed the other branch: he settles too, and may play on.
    with pytest.raises(ForkError):
        device.takes(anna.file)
    dropped = beside(device, device.file)
    kept = beside(device, anna.file, "anna.mbp.yaml")
    going_on = device.desk.settle(kept, dropped)
    assert sorted(item["by"] for item in going_on.match.settled) == ["A", "B"]
    assert not device.halt
    assert "both of you have settled" in " ".join(going_on.news)
    assert going_on.path == device.path
    assert kept.read_bytes() == anna.file  # what came stays as it came
    played = device.takes(device.file)
    if played.match.pen == "B":
        played = device.desk.bot(played.path)
    # Anna joins his settlement and goes on.
    joined = anna.takes(device.desk.open(played.path).path.read_bytes())
    assert len(joined.match.settled) == 2
    assert len(joined.match.log) > len(mine.log)
    assert_one_history(anna, joined.match.log)


def test_9_6_both_cannot_settle_for_both_branches_of_a_slip(both: Pair) -> None:
    """They settle for one, play on, and settle for the other: that is no slip any more."""
    anna, bert = both
    device = bert.copy("device")
    bert.plays(0)
    device.plays(1)
    one, two = beside(bert, bert.file, "one.yaml"), beside(bert, device.file, "two.yaml")
    with pytest.raises(ForkError):
        bert.takes(device.file)
    anna.takes(bert.file)
    anna.desk.settle(anna.path, beside(anna, device.file))
    bert.takes(anna.file)
    bert.desk.settle(bert.path, two)
    settled = bert.halt
    anna.takes(bert.file)
    anna.plays(0)
    bert.takes(anna.file)
    going_on = bert.plays(0).match if bert.match.pen == "B" else bert.match
    # Anna, by some other program, signs for the other branch too.
    keep, drop = (
        load(path.read_bytes()).log[len(load(one.read_bytes()).log) - 1] for path in (two, one)
    )
    item = settle("A", keep.id, drop.id, going_on.id, identity_of("Anna"))
    asked = beside(bert, dump(replace(load(two.read_bytes()), settled=(item,))), "asked.yaml")
    bert.desk.settle(asked, one)
    assert bert.match.settled_over(load(one.read_bytes()).log) == {"A", "B"}
    assert (settled, bert.halt) == ("", "answered")


def test_9_6_both_branches_are_kept_whoever_had_not_seen_one(both: Pair) -> None:
    anna, bert = both
    device = bert.copy("device")
    bert.plays(0)
    mine = anna.takes(bert.file).match
    device.plays(1)
    anna.desk.settle(anna.path, beside(anna, device.file))
    kept = [gamefile.load(path.read_bytes()).log for path in anna.home.evidence(mine.id)]
    assert mine.log in kept
    assert gamefile.load(device.file).log in kept


def test_9_6_the_bar_stays_for_an_answer_in_the_opponents_fork(both: Pair) -> None:
    """Bert rewinds after Anna's answer; even her signature for the other branch opens no card."""
    anna, bert = both
    rewound = bert.copy("rewound")
    bert.plays(0)
    anna.takes(bert.file)
    mine = anna.plays(0).match
    answered = beside(anna, anna.file, "answered.mbp.yaml")
    rewound.plays(1)
    with pytest.raises(ForkError):
        anna.takes(rewound.file)
    # Bert signs for the branch in which he hopes to learn more, and sends that.
    rewound.desk.settle(rewound.path, beside(rewound, answered.read_bytes()))
    kept = beside(anna, rewound.file, "kept.mbp.yaml")
    receipt = anna.desk.settle(kept, answered)
    assert sorted(item["by"] for item in receipt.match.settled) == ["A", "B"]
    assert anna.halt == "answered"
    with pytest.raises(ForkError, match="another history"):
        anna.desk.bot(anna.path)
    assert anna.takes(rewound.file).match.log == rewound.match.log
    assert anna.halt == "answered"
    assert_one_history(anna, mine.log)


def test_9_6_one_agrees_to_what_the_other_has_settled(both: Pair) -> None:
    """Bert finds his own slip before it has gone out, and sends both branches."""
    anna, bert = both
    device = bert.copy("device")
    bert.plays(0)
    device.plays(1)
    bert.desk.settle(bert.path, beside(bert, device.file))
    anna.takes(bert.file)
    with pytest.raises(ForkError):
        anna.takes(device.file)
    agreed = anna.desk.settle(anna.path)
    assert "both of you have settled" in " ".join(agreed.news)
    assert len(anna.plays(0).match.log) > len(bert.match.log)
    one, two = sorted(agreed.match.settled, key=lambda item: item["by"])
    assert (one["keep"], one["drop"]) == (two["keep"], two["drop"])
    assert len(bert.takes(anna.file).match.settled) == 2


def test_9_6_the_branch_that_stands_here_is_dropped_by_agreeing(both: Pair) -> None:
    anna, bert = both
    device = bert.copy("device")
    bert.plays(0)
    device.plays(1)
    anna.takes(device.file)
    bert.desk.settle(bert.path, beside(bert, device.file))
    agreed = anna.desk.settle(beside(anna, bert.file))
    assert agreed.match.log == bert.match.log
    assert (anna.halt, agreed.path) == ("", anna.path)
    assert load(anna.file).log == bert.match.log


def test_9_6_a_branch_that_was_settled_away_can_be_taken_back(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    bert.plays(0)
    rewound.plays(1)
    known = anna.takes(bert.file).match
    anna.desk.settle(anna.path, beside(anna, rewound.file))
    receipt = anna.takes(rewound.file, take=True)
    assert receipt.match.log[: len(rewound.match.log)] == rewound.match.log
    assert not receipt.match.settled  # what it kept is not in this log
    assert_one_history(anna, known.log if len(anna.match.log) < len(known.log) else anna.match.log)


def test_9_6_a_claim_that_crossed_a_move_is_settled(both: Pair) -> None:
    anna, bert = both
    slow = bert.copy("slow")
    anna.clock.wait(8 * DAY)
    claimed = anna.desk.leave(anna.path, "claim").match
    slow.plays(0)
    kept = beside(anna, slow.file, "late.mbp.yaml")
    receipt = anna.desk.settle(kept, beside(anna, file_of(claimed)))
    assert receipt.match.outcome is None
    assert not anna.halt  # a claim opens nothing
    assert anna.match.log == receipt.match.log


def test_9_6_nothing_to_settle_is_said(both: Pair) -> None:
    anna, bert = both
    older = beside(anna, bert.file)
    bert.plays(0)
    anna.takes(bert.file)
    with pytest.raises(MbpError, match="second file is an older copy"):
        anna.desk.settle(anna.path, older)
    with pytest.raises(MbpError, match="settled nothing"):
        anna.desk.settle(anna.path)
    before = anna.file
    restored = anna.copy("restored", memory=False)
    with pytest.raises(UnsureError):
        restored.desk.settle(restored.path, older)
    stranger = Correspondent(anna.root.parent, "Carl", anna.clock)
    with pytest.raises(KeyringError):
        stranger.desk.settle(beside(stranger, anna.file, "x.mbp.yaml"), older)
    assert anna.file == before


def test_2_5_evidence_is_one_file_whoever_writes_it(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    bert.plays(0)
    rewound.plays(1)
    one, two = beside(anna, bert.file, "one.yaml"), beside(anna, rewound.file, "two.yaml")
    split, turned = anna.desk.split(one, two), bert.desk.split(two, one)
    assert split.is_split
    assert (split.relation.by, split.start) == ("B", split.relation.seq)
    assert split.evidence == turned.evidence
    first, second = gamefile.load_evidence(split.evidence)
    assert [log[-1].id for log in (first.log, second.log)] == sorted(
        match.log[-1].id for match in (bert.match, rewound.match)
    )
    target = anna.root / "fork.yaml"
    assert anna.desk.write_evidence(split, target)
    assert not anna.desk.write_evidence(split, target)
    target.write_bytes(b"mine")
    with pytest.raises(MbpError, match="another file"):
        anna.desk.write_evidence(split, target)
    assert target.read_bytes() == b"mine"


def test_9_6_settlements_by_the_thousand_are_joined_in_one_go(both: Pair) -> None:
    match, spans = both[0].match, []
    keep, key = match.log[2].id, identity_of("Anna")
    items = tuple(settle("A", keep, f"{n:064x}", match.id, key) for n in range(400))
    record = Record(match.log, {}, (*items, *items))
    for _ in range(2):
        begin = time.process_time()
        match, dropped = match.with_extras(record)
        spans.append(time.process_time() - begin)
        assert match.settled == items
        assert not dropped
    # The second time all of them are known, and no signature is verified again.
    assert spans[1] < spans[0] / 3
