"""Protocol 4.3: an opponent who rewinds, forks, asks again or accepts twice learns no card.

Each test ends with what the victim has ever signed, in all histories and folders: one entry for
each place, and no give but those of one history.
"""

from __future__ import annotations

import pytest

from mbp.desk.histories import answers
from mbp.errors import ForkError, KeyringError
from mbp.gamefile import load
from mbp.match import Match
from tests.correspondents import Correspondent, begin
from tests.desk.histories import assert_one_history, evidence_of
from tests.duel import DAY, file_of, identity_of

Pair = tuple[Correspondent, Correspondent]


def answered(anna: Correspondent, bert: Correspondent) -> Match:
    """Bert moves, Anna takes it in and answers with a move of her own."""
    bert.plays(0)
    match = anna.takes(bert.file).match
    assert (match.pen, match.position.duty) == ("A", "play")
    return anna.plays(0).match


def test_4_3_an_older_copy_changes_nothing(both: Pair) -> None:
    anna, bert = both
    old = bert.file
    match = answered(anna, bert)
    before = anna.file
    for data in (old, before, old):
        receipt = anna.takes(data)
        assert receipt.match.log == match.log
        assert anna.file == before
    assert "older copy" in " ".join(anna.takes(old).news)
    assert_one_history(anna, match.log)


def test_4_3_whoever_asks_again_gets_the_same_bytes(both: Pair) -> None:
    anna, bert = both
    bert.plays(0)
    asked = bert.file
    anna.takes(asked)
    first = anna.file
    anna.clock.wait(3 * DAY)
    anna.takes(asked)
    anna.path.unlink()
    anna.takes(asked)
    assert anna.file == first
    assert_one_history(anna, load(first).log)


def test_4_3_a_fork_before_the_victim_has_answered(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    bert.plays(0)
    rewound.plays(1)
    known = anna.takes(bert.file).match
    with pytest.raises(ForkError, match="Bert has signed two different entries"):
        anna.takes(rewound.file)
    assert anna.match.log == known.log
    names = evidence_of(anna)
    assert [name.split("-")[0] for name in names] == ["fork", "fork"]
    assert {
        load((anna.home.evidence_folder(known.id) / name).read_bytes()).log[-1].act
        for name in names
    }
    # Nothing more is signed, whatever is asked for, until Anna decides.
    with pytest.raises(ForkError):
        anna.plays(0)
    with pytest.raises(ForkError):
        anna.desk.bot(anna.path)
    with pytest.raises(ForkError):
        anna.desk.leave(anna.path, "resign")
    assert_one_history(anna, known.log)


def test_4_3_a_fork_after_the_victim_has_answered(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    match = answered(anna, bert)
    rewound.plays(1)
    for _ in range(2):
        with pytest.raises(ForkError):
            anna.takes(rewound.file)
    assert len(evidence_of(anna)) == 2
    # Even where Anna adopts the other history, she answers nothing in it.
    taken = anna.takes(rewound.file, take=True)
    assert anna.halt == "answered"
    again = anna.takes(rewound.file, take=True)
    assert again.match.log == taken.match.log == rewound.match.log
    with pytest.raises(ForkError, match="another history"):
        anna.plays(0)
    with pytest.raises(ForkError, match="another history"):
        anna.desk.leave(anna.path, "resign")
    assert_one_history(anna, match.log)


def test_4_3_a_third_history_does_not_lift_the_bar(both: Pair) -> None:
    anna, bert = both
    second, third = bert.copy("second"), bert.copy("third")
    match = answered(anna, bert)
    second.plays(1)
    third.plays(2)
    anna.takes(second.file, take=True)
    anna.takes(third.file, take=True)
    with pytest.raises(ForkError, match="another history"):
        anna.plays(0)
    assert_one_history(anna, match.log)
    # The first history, in which she has answered, is the one that she may go on with.
    back = anna.takes(file_of(match), take=True)
    assert back.match.log == match.log
    bert.takes(file_of(match))
    going_on = anna.takes(bert.file).match
    assert len(going_on.log) >= len(match.log)
    assert_one_history(anna, anna.match.log)


def test_4_3_an_owner_who_has_not_answered_may_take_either(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    bert.plays(0)
    rewound.plays(1)
    anna.takes(bert.file)
    with pytest.raises(ForkError):
        anna.takes(rewound.file)
    receipt = anna.takes(rewound.file, take=True)
    assert "the other is kept as evidence" in " ".join(receipt.news)
    assert not anna.halt
    mine = anna.plays(0).match
    # The dropped history comes again by a late mail: refused, but it stops nothing any more.
    with pytest.raises(ForkError):
        anna.takes(bert.file)
    assert not anna.home.facts(mine.id).forked
    assert_one_history(anna, mine.log)


def test_4_3_an_owner_may_stand_by_the_known_history(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    bert.plays(0)
    rewound.plays(1)
    known = anna.takes(bert.file).match
    with pytest.raises(ForkError):
        anna.takes(rewound.file)
    receipt = anna.takes(anna.file, take=True)
    assert "you stand by this history" in receipt.news
    assert receipt.match.log[: len(known.log)] == known.log
    assert not anna.home.facts(known.id).forked
    match = anna.plays(0).match
    assert_one_history(anna, match.log)


def test_4_3_one_begin_for_each_invitation_whoever_accepts(strangers: Pair) -> None:
    anna, bert = strangers
    carl = Correspondent(bert.root.parent, "Carl", bert.clock)
    for step in begin(anna, bert):
        if step == "invited":
            invitation = anna.file
    match = anna.match
    carl.games.mkdir(parents=True)
    path = carl.games / "open.mbp.yaml"
    path.write_bytes(invitation)
    accepted = carl.desk.join(path).path.read_bytes()
    with pytest.raises(ForkError, match="both players wrote"):
        anna.takes(accepted)
    assert anna.match.log == match.log
    assert len(evidence_of(anna)) == 2
    for _ in range(2):
        receipt = anna.takes(accepted, take=True)
        assert len(receipt.match.log) == 2
        assert anna.halt == "answered"
    with pytest.raises(ForkError):
        anna.desk.bot(anna.path)
    assert_one_history(anna, match.log)


def test_4_3_an_accept_that_was_not_answered_may_be_dropped(strangers: Pair) -> None:
    anna, bert = strangers
    carl = Correspondent(bert.root.parent, "Carl", bert.clock)
    with anna.home.lock():  # Anna knows another Bert, so his accept is kept and not answered
        anna.home.remember_contact("Bert", identity_of("Dora").text)
    steps = begin(anna, bert)
    next(steps)
    invitation = anna.file
    next(steps)
    with pytest.raises(KeyringError, match="another key"):
        next(steps)
    assert len(anna.match.log) == 2
    carl.games.mkdir(parents=True)
    path = carl.games / "open.mbp.yaml"
    path.write_bytes(invitation)
    receipt = anna.takes(carl.desk.join(path).path.read_bytes(), take=True)
    assert receipt.match.players["B"].name == "Carl"
    assert receipt.match.log[-1].act == "begin"
    assert_one_history(anna, receipt.match.log)


def test_9_3_a_claim_and_a_late_move_cross(both: Pair) -> None:
    anna, bert = both
    slow = bert.copy("slow")
    anna.clock.wait(8 * DAY)
    claimed = anna.desk.leave(anna.path, "claim").match
    assert claimed.outcome
    late = slow.plays(0).match
    with pytest.raises(ForkError, match="both players wrote"):
        anna.takes(slow.file)
    assert anna.match.log == claimed.log
    assert not anna.home.facts(claimed.id).forked  # nobody has played foul
    receipt = anna.takes(slow.file, take=True)
    assert receipt.match.log[: len(late.log)] == late.log
    assert not anna.halt  # a claim opens nothing
    assert len(evidence_of(anna)) == 2
    with pytest.raises(ForkError):
        slow.takes(file_of(claimed))
    lost = slow.takes(file_of(claimed), take=True)
    assert lost.match.outcome == claimed.outcome


def test_answers_knows_other_seats_and_one_history(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    first = answered(anna, bert)
    rewound.plays(1)
    second = rewound.match
    assert answers(first.log, second.log, "A")
    assert answers(first.log, second.log, "B")
    assert not answers(first.log, first.log, "A")
    assert not answers(second.log, first.log, "A")
    # What goes on where the standing log ends is another history too.
    assert answers(first.log, first.log[: len(second.log)], "A")
    assert not answers(first.log[:-1], first.log, "A")
