"""Times as the protocol writes them (protocol 1.4); pure, the clock is read elsewhere.

A time is UTC to the second, in exactly one spelling: `2026-11-30T12:00:00Z`. `format_time` of what
`parse_time` returns is the same text.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

# ASCII digits only: `\d` would take the digits of every script.
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")


def parse_time(text: str) -> datetime:
    """The moment that a text names, aware and in UTC.

    Raises ValueError for another spelling and for a date or an hour that does not exist: year 0000,
    30 February, a leap second (protocol 1.4).
    """
    match = TIME.fullmatch(text)
    if match is None:
        raise ValueError("not a time like 2026-11-30T12:00:00Z")
    year, month, day, hour, minute, second = (int(part) for part in match.groups())
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)


def format_time(moment: datetime) -> str:
    """The text of an aware moment, parts of a second cut off.

    Raises ValueError for a moment without a time zone, which could be any hour.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone")
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
