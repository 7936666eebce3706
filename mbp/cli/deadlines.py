"""Deadlines as a calendar file (`mbp status --ics`), by the library icalendar, if it is there.

An event for each open match with a pace, at the moment from which a claim is possible. Times are
UTC, so that every calendar shows them in its own zone. The same match has the same UID for ever:
importing the file again moves its event.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from mbp.cli.telling import View
from mbp.cli.terminal import clean
from mbp.errors import MbpError
from mbp.times import format_time

if TYPE_CHECKING:
    from icalendar import Event

WARNING = timedelta(days=1)  # before the own time is over


def calendar_file(views: Iterable[View]) -> str:
    """The text of the file, its lines ended by CR LF. Raises MbpError without the library."""
    try:
        from icalendar import Calendar
    except ImportError:
        raise MbpError(
            "calendar files need the library icalendar", hint="pip install 'mbp[ics]'"
        ) from None
    calendar = Calendar()
    calendar.add("prodid", "-//mbp//mandala by post//EN")
    calendar.add("version", "2.0")
    for view in views:
        since = view.match.position.claimable_after
        if since is not None and view.match.pen is not None:
            calendar.add_component(_event(view, since))
    data: bytes = calendar.to_ical()
    return data.decode("utf-8")


def _event(view: View, since: datetime) -> Event:
    """The event of a match, behind which a claim is possible; the library escapes names."""
    from icalendar import Alarm, Event

    match, position = view.match, view.match.position
    own = match.pen == view.seat
    rival = clean(view.rival)
    title = f"{match.game.name.capitalize()} {match.id[:8]}"
    summary = f"your move against {rival} is due" if own else f"{rival}'s time is over"
    event = Event()
    event.add("uid", f"{match.id}@mbp")
    event.add("sequence", position.count)
    event.add("dtstamp", view.now)
    event.add("dtstart", since)
    event.add("summary", f"{title}: {summary}")
    event.add(
        "description",
        f"After {format_time(since)} a claim is possible. "
        f"Nothing is lost before one is made: mbp show {match.id[:8]}",
    )
    if own:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", f"{title}: {summary}")
        alarm.add("trigger", -WARNING)
        event.add_component(alarm)
    return event
