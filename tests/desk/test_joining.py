"""Protocol 13.5: entries in short form become files, those that come too early wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbp.chain import Entry
from mbp.desk.joining import Early, is_known, join, known_log, waiting
from mbp.errors import ChainError, FormatError, SignatureError
from mbp.gamefile import dump, load
from mbp.post.armour import Short, find_shorts, format_short
from tests.correspondents import Clock, Correspondent
from tests.duel import identity_of, resealed

Pair = tuple[Correspondent, Correspondent]
Log = tuple[Entry, ...]


def short_of(log: Log, first: int) -> Short:
    """The entries from `first` on, as a reader finds them in a letter."""
    (found,) = find_shorts(f"Hello,\n{format_short(log, first)}Bye\n")
    assert isinstance(found, Short)
    return found


@pytest.fixture
def log(both: Pair) -> Log:
    return both[0].match.log


@pytest.fixture
def carl(tmp_path: Path, both: Pair) -> Correspondent:
    """A spectator who knows the first four entries."""
    carl = Correspondent(tmp_path, "Carl", Clock(both[0].clock.time))
    carl.takes(dump(load(both[0].file).prefix(4)))
    return carl


def test_13_5_an_invitation_is_a_match_of_its_own(strangers: Pair) -> None:
    anna, bert = strangers
    invitation = anna.desk.new("mandala", {}).match
    joined = join(bert.home, short_of(invitation.log, 0))
    assert isinstance(joined, bytes)
    received = bert.takes(joined)
    assert received.match.log == invitation.log
    assert bert.desk.join(received.path).match.log[:1] == invitation.log


def test_13_5_entries_are_joined_to_the_known_ones(carl: Correspondent, log: Log) -> None:
    for first in (4, 2):
        joined = join(carl.home, short_of(log[:6], first))
        assert isinstance(joined, bytes)
        assert carl.takes(joined).match.log == log[:6]
    known = known_log(carl.home, short_of(log[:6], 1))
    assert known == log[:6]
    assert is_known(known, short_of(log[:6], 1))
    assert not is_known(known, short_of(log[:7], 1))


def test_13_5_entries_that_come_too_early_wait(carl: Correspondent, log: Log) -> None:
    game_id = log[0].id
    for last, first in ((7, 6), (8, 7)):
        early = join(carl.home, short_of(log[:last], first))
        assert isinstance(early, Early)
        missing = "entries 4-5 are" if first == 6 else "entries 4-6 are"
        assert f"of match {game_id[:8]} came early: {missing} missing; kept aside" in early.note
    assert not list(waiting(carl.home, game_id))
    between = join(carl.home, short_of(log[:6], 4))
    assert isinstance(between, bytes)
    for count in (6, 7, 8):
        assert carl.takes(between).match.log == log[:count]
        for _, short in waiting(carl.home, game_id):
            joined = join(carl.home, short)
            assert isinstance(joined, bytes)
            between = joined
            break
    assert not list(waiting(carl.home, game_id))
    assert not carl.home.aside(game_id)


def test_13_5_nothing_of_strangers_waits(carl: Correspondent, log: Log) -> None:
    false = resealed(log[6], identity_of("Eve"))
    with pytest.raises(SignatureError):
        join(carl.home, short_of((*log[:6], false), 6))
    assert not carl.home.aside(log[0].id)


def test_13_5_the_first_entry_follows_the_known_one(carl: Correspondent, log: Log) -> None:
    other = resealed(log[4], identity_of("Anna"), prev=log[2].id)
    with pytest.raises(ChainError):
        join(carl.home, short_of((*log[:4], other), 4))


def test_13_5_a_match_that_is_not_known(tmp_path: Path, log: Log) -> None:
    dora = Correspondent(tmp_path, "Dora", Clock())
    with pytest.raises(FormatError, match="not known here"):
        join(dora.home, short_of(log, 3))
