"""Times as people are told them, and what a claim and a late move make of them (protocol 9.3)."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TextIO
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar, Event

from mbp.cli import run
from mbp.errors import ChainError, PenError, TurnError, VerificationError
from mbp.match import Match
from mbp.rules.contract import Seat
from tests.correspondents import Clock, Correspondent, begin
from tests.duel import DAY, Duel, dated, identity_of

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
MINUTE = timedelta(minutes=1)
OPTIONS = {"vacation": "20"}

Pair = tuple[Correspondent, Correspondent]


def begun(root: Path, start: datetime) -> Pair:
    """A match that Anna has begun at this time; it is her turn."""
    clock = Clock(start)
    anna, bert = Correspondent(root, "Anna", clock), Correspondent(root, "Bert", clock)
    for _ in begin(anna, bert, OPTIONS):
        pass
    assert (anna.match.pen, anna.match.position.time) == ("A", start)
    return anna, bert


def told(player: Correspondent, *argv: str, zone: tzinfo = UTC, code: int = 0) -> str:
    """What mbp prints to a player in a time zone."""
    out = io.StringIO()
    assert ran(player, argv, out, out, zone) == code, out.getvalue()
    return out.getvalue()


def ran(
    player: Correspondent, argv: Sequence[str], out: TextIO, err: TextIO, zone: tzinfo = UTC
) -> int:
    """Runs mbp for a player; its exit code."""
    return run(
        ["--home", str(player.home.root), "--games", str(player.games), *argv],
        environ={"COLUMNS": "120"},
        cwd=player.root,
        stdin=io.StringIO(),
        stdout=out,
        stderr=err,
        now=player.clock,
        randomness=bytes,
        zone=zone,
    )


@pytest.mark.parametrize(
    ("start", "zone", "until"),
    [
        # The clocks go forward in Berlin on 28 March 2027: an hour later by the wall.
        (datetime(2027, 3, 25, 11, tzinfo=UTC), BERLIN, "2027-04-01 13:00"),
        # They go back on 31 October 2027: an hour earlier.
        (datetime(2027, 10, 28, 10, tzinfo=UTC), BERLIN, "2027-11-04 11:00"),
        # In the hour that comes twice, and in the one that never comes.
        (datetime(2027, 10, 24, 0, 30, tzinfo=UTC), BERLIN, "2027-10-31 02:30"),
        (datetime(2027, 10, 24, 1, 30, tzinfo=UTC), BERLIN, "2027-10-31 02:30"),
        (datetime(2027, 3, 21, 1, 30, tzinfo=UTC), BERLIN, "2027-03-28 03:30"),
        # Leap days: 29 February is a day of the pace where there is one.
        (datetime(2028, 2, 26, 12, tzinfo=UTC), UTC, "2028-03-04 12:00"),
        (datetime(2027, 2, 26, 12, tzinfo=UTC), UTC, "2027-03-05 12:00"),
        (datetime(2028, 2, 22, 12, tzinfo=UTC), UTC, "2028-02-29 12:00"),
        # The day before, on the other side of the sea.
        (datetime(2026, 12, 25, 3, tzinfo=UTC), NEW_YORK, "2026-12-31 22:00"),
    ],
)
def test_9_3_deadlines_are_told_in_the_local_zone(
    tmp_path: Path, start: datetime, zone: tzinfo, until: str
) -> None:
    anna, bert = begun(tmp_path, start)
    bert.takes(anna.file)
    anna.clock.wait(DAY)
    assert f"play by {until} (6 days left)" in told(anna, "status", zone=zone)
    assert f"Play by {until} (6 days left)" in told(anna, "show", "Bert", zone=zone)
    assert f"Anna has until {until} (6 days left)" in told(bert, "status", zone=zone)
    assert f"Anna has until {until} (6 days left)" in told(bert, "show", "Anna", zone=zone)


def test_9_3_seven_days_are_604800_seconds_whatever_the_clocks_do(tmp_path: Path) -> None:
    anna, bert = begun(tmp_path, datetime(2027, 3, 25, 11, tzinfo=UTC))
    bert.takes(anna.file)
    anna.clock.wait(timedelta(seconds=7 * 86_400))
    with pytest.raises(TurnError, match="a claim is possible after"):
        bert.desk.leave(bert.path, "claim")
    anna.clock.wait(timedelta(seconds=1))
    claimed = bert.desk.leave(bert.path, "claim").match
    assert claimed.outcome
    assert claimed.outcome.termination == "claim"


def test_9_3_a_late_move_is_no_lost_game(tmp_path: Path) -> None:
    """Anna is a month late; nobody has claimed, so her move counts as any other."""
    anna, bert = begun(tmp_path, datetime(2027, 1, 1, tzinfo=UTC))
    bert.takes(anna.file)
    anna.clock.wait(30 * DAY)
    assert "your time was over 2027-01-08 00:00: play on" in told(anna, "status")
    assert "Your time was over 2027-01-08 00:00: play on" in told(anna, "show", "Bert")
    assert "claim since 2027-01-08 00:00" in told(bert, "status")
    assert "The time of Anna is over" in re.sub(
        "^the", "The", told(bert, "show", "Anna"), flags=re.M
    )
    anna.plays(0)
    receipt = bert.takes(anna.file)
    assert receipt.match.outcome is None
    with pytest.raises(TurnError):
        bert.desk.leave(bert.path, "claim")


def test_9_4_a_vacation_moves_the_deadline(tmp_path: Path) -> None:
    anna, bert = begun(tmp_path, datetime(2028, 2, 20, 12, tzinfo=UTC))
    anna.clock.wait(DAY)
    anna.desk.leave(anna.path, "vacation 10")
    bert.takes(anna.file)
    assert "play by 2028-03-09 12:00 (17 days left)" in told(anna, "status")
    assert "Anna has until 2028-03-09 12:00 (17 days left)" in told(bert, "status")
    anna.clock.wait(16 * DAY)
    with pytest.raises(TurnError, match="a claim is possible after"):
        bert.desk.leave(bert.path, "claim")


def test_9_3_without_pace_nothing_is_told_and_nothing_claimed(tmp_path: Path) -> None:
    clock = Clock(datetime(2027, 1, 1, tzinfo=UTC))
    anna, bert = Correspondent(tmp_path, "Anna", clock), Correspondent(tmp_path, "Bert", clock)
    for _ in begin(anna, bert, {"pace": "0"}):
        pass
    bert.takes(anna.file)
    clock.wait(400 * DAY)
    for player in (anna, bert):
        assert not re.search("until|play by|claim|time", told(player, "status"))
    with pytest.raises(TurnError, match="nothing can be claimed"):
        bert.desk.leave(bert.path, "claim")


def refused(match: Match, time: datetime) -> VerificationError | None:
    """How the next entry is refused when it is dated so; None where it holds."""
    duel = Duel("clocks", OPTIONS | {"pace": "7"})
    seat = match.pen
    assert seat is not None
    entry = match.played(seat, "vacation 1", duel.pen(seat, match.position.latest)).log[-1]
    try:
        match.extended(dated(entry, identity_of(match.players[seat].name), time))
    except VerificationError as error:
        return error
    return None


def test_2_4_a_skewed_clock_may_be_fifteen_minutes_behind(tmp_path: Path) -> None:
    anna, _ = begun(tmp_path, datetime(2027, 1, 1, tzinfo=UTC))
    match, latest = anna.match, anna.match.position.latest
    assert refused(match, latest - 15 * MINUTE) is None
    assert isinstance(refused(match, latest - 15 * MINUTE - timedelta(seconds=1)), ChainError)
    # A writer whose clock is behind uses the latest time that it has seen.
    anna.clock.time = latest - DAY
    assert anna.plays(0).match.log[-1].tree["time"] == match.log[-1].tree["time"]


def test_2_4_an_entry_ahead_of_the_clock_waits_until_its_time_has_come(tmp_path: Path) -> None:
    anna, bert = begun(tmp_path, datetime(2027, 1, 1, tzinfo=UTC))
    bert.takes(anna.file)
    fast = anna.copy("fast", clock=Clock(anna.clock.time + timedelta(hours=2)))
    fast.desk = fast.new_desk()
    count = len(bert.match.log)
    fast.plays(0)
    held = bert.takes(fast.file)
    assert "ahead of this clock: held back" in " ".join(held.news)
    assert len(held.match.log) == count
    bert.clock.wait(timedelta(hours=1, minutes=45))
    assert len(bert.takes(fast.file).match.log) > count


def test_9_3_a_backdated_entry_brings_no_claim_forward(tmp_path: Path) -> None:
    """Bert dates as early as he may; the pace still counts a full week from that time."""
    options = {"start": "inviter", "draw": "full", "deck_end": "last_mandala", "pace": "7"}
    duel = Duel("backdated", {**options, "vacation": "9"})
    match = duel.at_play(duel.begun(), "B")
    early = match.position.latest - 15 * MINUTE
    entry = match.played("B", "vacation 1", duel.pen("B")).log[-1]
    match = match.extended(dated(entry, duel.identity("B"), early))
    since = match.position.claimable_after
    assert match.position.time == early
    assert since == early + 8 * DAY
    claimant: Seat = "A"
    with pytest.raises(PenError, match="before the 7 days"):
        match.played(claimant, "claim", duel.pen(claimant, since))
    assert match.played(claimant, "claim", duel.pen(claimant, since + timedelta(seconds=1))).outcome
    # A claim may itself be backdated by no more than the tolerance, and then comes too early.
    with pytest.raises(PenError):
        match.played(claimant, "claim", duel.pen(claimant, since - 15 * MINUTE))


def events(text: str) -> list[Event]:
    """The events of a calendar file."""
    calendar = Calendar.from_ical(text)
    assert isinstance(calendar, Calendar)
    return calendar.events


def test_the_calendar_file_has_an_event_for_each_open_match(tmp_path: Path) -> None:
    anna, bert = begun(tmp_path, datetime(2028, 2, 22, 12, tzinfo=UTC))
    bert.takes(anna.file)
    for player, words, alarms in (
        (anna, "your move against Bert is due", 1),
        (bert, "time is over", 0),
    ):
        text = told(player, "status", "--ics", zone=NEW_YORK)
        (event,) = events(text)
        assert event["uid"] == f"{anna.match.id}@mbp"
        assert event.start == datetime(2028, 2, 29, 12, tzinfo=UTC)
        assert words in str(event["summary"])
        assert len(event.walk("VALARM")) == alarms
        lines = text.split("\r\n")
        assert len(lines) > 10
        assert not [line for line in lines if "\r" in line or "\n" in line]
    anna.desk.leave(anna.path, "resign")
    assert not events(told(anna, "status", "--ics"))


def test_the_same_match_keeps_its_event_and_every_entry_moves_it(tmp_path: Path) -> None:
    anna, _ = begun(tmp_path, datetime(2028, 2, 22, 12, tzinfo=UTC))
    (before,) = events(told(anna, "status", "--ics"))
    anna.clock.wait(DAY)
    anna.desk.leave(anna.path, "vacation 3")
    text = told(anna, "status", "--ics")
    (after,) = events(text)
    assert before["uid"] == after["uid"]
    assert (before["sequence"], after["sequence"]) == (3, 4)  # the number of entries
    assert after.start == datetime(2028, 3, 4, 12, tzinfo=UTC)
    alarm = text.partition("BEGIN:VALARM\r\n")[2].partition("END:VALARM")[0]
    assert "ACTION:DISPLAY\r\n" in alarm
    assert "TRIGGER:-P1D\r\n" in alarm
    assert "your move against Bert is due" in alarm.replace("\r\n ", "")
    assert "After 2028-03-04T12:00:00Z a claim is possible" in str(after["description"])


def test_the_calendar_says_beside_itself_what_could_not_be_read(tmp_path: Path) -> None:
    anna, _ = begun(tmp_path, datetime(2028, 2, 22, 12, tzinfo=UTC))
    (anna.games / "broken.mbp.yaml").write_bytes(b"mbp: nothing\n")
    out, err = io.StringIO(), io.StringIO()
    assert ran(anna, ("status", "--ics"), out, err) == 0
    assert len(events(out.getvalue())) == 1
    assert "cannot read broken.mbp.yaml" in err.getvalue()


def test_9_4_a_second_vacation_says_what_it_costs(tmp_path: Path) -> None:
    anna, _ = begun(tmp_path, datetime(2028, 2, 20, 12, tzinfo=UTC))
    assert "15 days of vacation left" in told(anna, "vacation", "Bert", "5")
    anna.clock.wait(DAY)
    said = " ".join(told(anna, "vacation", "Bert", "2").split())
    assert "a vacation is going on (play by 2028-03-03 12:00 (11 days left))" in said
    assert "what is left of the first is lost" in said
    assert "13 days of vacation left" in said
    assert "play by 2028-03-01 12:00" in said
    assert "where you have taken 2 days of vacation" in told(anna, "status")
    anna.plays(0)


def test_names_cannot_write_lines_into_the_calendar(tmp_path: Path) -> None:
    clock = Clock(datetime(2028, 2, 22, 12, tzinfo=UTC))
    other = Correspondent(tmp_path, "Anna", clock)
    guest = Correspondent(tmp_path, "Bert", clock)
    profile = guest.home.root / "profile.json"
    profile.write_text(profile.read_text().replace('"Bert"', '"B;x,y\\\\n\u2067END:VEVENT"'))
    for _ in begin(other, guest, OPTIONS):
        pass
    (event,) = events(told(other, "status", "--ics"))
    assert "B;x,y" in str(event["summary"])
    assert "\u2067" not in str(event["summary"])


def test_without_the_library_the_way_to_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = begun(tmp_path, datetime(2028, 2, 22, 12, tzinfo=UTC))
    monkeypatch.setitem(sys.modules, "icalendar", None)
    assert "pip install 'mbp[ics]'" in told(anna, "status", "--ics", code=1)
