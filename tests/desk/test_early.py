"""Entries kept aside that follow an own one: the own key has signed further than is known (4.3)."""

from __future__ import annotations

import pytest

from mbp.desk.joining import Early, join, waiting
from mbp.errors import UnsureError
from tests.correspondents import Correspondent, begin
from tests.desk.histories import assert_one_history
from tests.desk.test_joining import short_of
from tests.duel import HOUR, identity_of, resealed

Pair = tuple[Correspondent, Correspondent]


@pytest.fixture
def restored(both: Pair) -> tuple[Correspondent, Correspondent]:
    """Anna, and her home of yesterday, to which Bert's answer comes before what it answers.

    It is her turn there; she has played it since, and Bert has answered that.
    """
    anna, bert = both
    bert.plays(0)
    anna.takes(bert.file)
    yesterday = anna.copy("yesterday")
    assert yesterday.match.pen == "A"
    anna.plays(0)
    bert.takes(anna.file)
    log = bert.match.log if bert.match.pen == "A" else bert.plays(0).match.log
    early = join(yesterday.home, short_of(log, len(log) - 1))
    assert isinstance(early, Early)
    return anna, yesterday


def test_4_3_nothing_is_signed_behind_what_is_missing(
    restored: tuple[Correspondent, Correspondent],
) -> None:
    anna, yesterday = restored
    assert yesterday.halt == "early"
    for act in (yesterday.desk.bot, lambda path: yesterday.desk.leave(path, "resign")):
        with pytest.raises(UnsureError, match="follow one of yours") as refused:
            act(yesterday.path)
        assert "--newest" in refused.value.hint
    with pytest.raises(UnsureError):
        yesterday.plays(0)
    # The game file itself fills the gap.
    assert yesterday.takes(anna.file).match.log == anna.match.log
    ((_, short),) = waiting(yesterday.home, anna.match.id)
    joined = join(yesterday.home, short)
    assert isinstance(joined, bytes)
    assert len(yesterday.takes(joined).match.log) > len(anna.match.log)
    assert not yesterday.halt
    assert_one_history(yesterday, anna.match.log)


def test_4_3_who_says_that_it_is_the_newest_state_goes_on(
    restored: tuple[Correspondent, Correspondent],
) -> None:
    _, yesterday = restored
    data = yesterday.file
    assert yesterday.takes(data).match.log
    assert yesterday.halt == "early"
    yesterday.takes(data, newest=True)
    assert not yesterday.halt
    assert not yesterday.home.aside(yesterday.match.id)
    yesterday.plays(0)


def test_4_3_what_needs_no_decision_waits_too(strangers: Pair) -> None:
    """Anna has begun the match elsewhere; that mail comes first, then the acceptance."""
    anna, bert = strangers
    steps = begin(anna, bert)
    next(steps)
    elsewhere = anna.copy("elsewhere")
    next(steps)
    accepted = bert.file
    next(steps)
    begun = anna.match
    with elsewhere.home.lock():
        elsewhere.home.keep_aside(begun.id, f"2-2-{'0' * 8}", short_of(begun.log, 2).text)
    elsewhere.clock.wait(HOUR)
    assert len(elsewhere.takes(accepted).match.log) == 2  # it has not begun it once more
    ((_, short),) = waiting(elsewhere.home, begun.id)
    joined = join(elsewhere.home, short)
    assert isinstance(joined, bytes)
    assert elsewhere.takes(joined).match.log == begun.log


def test_4_3_an_entry_behind_the_opponents_turn_stops_nothing(both: Pair) -> None:
    anna, bert = both
    behind = anna.copy("behind")
    bert.plays(0)
    anna.takes(bert.file)
    answer = anna.plays(0).match
    bert.takes(anna.file)
    log = bert.match.log if bert.match.pen == "A" else bert.plays(0).match.log
    join(behind.home, short_of(log, len(log) - 1))
    assert (behind.match.pen, behind.halt) == ("B", "")
    assert answer.log != log


def test_4_3_early_entries_of_another_history_do_not_stop_what_follows_the_head(
    both: Pair,
) -> None:
    anna, bert = both
    log = anna.match.log
    stray = resealed(log[-1], identity_of("Bert"), seq=str(len(log)), prev=log[0].id)
    behind = anna.copy("behind")
    with behind.home.lock():
        behind.home.keep_aside(
            log[0].id, f"{len(log)}-{len(log)}-{'0' * 8}", short_of((*log, stray), len(log)).text
        )
    bert.plays(0)
    assert behind.takes(bert.file).match.pen == "A"
    assert not behind.halt
