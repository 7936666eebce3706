"""Times in their one spelling (protocol 1.4)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbp.times import format_time, parse_time


def test_1_4_a_time_is_utc() -> None:
    moment = parse_time("2026-11-30T12:00:00Z")
    assert moment == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert moment.utcoffset() == timedelta()


@given(st.datetimes(timezones=st.just(UTC)))
def test_1_4_format_and_parse_are_a_pair(moment: datetime) -> None:
    text = format_time(moment)
    assert len(text) == 20
    assert parse_time(text) == moment.replace(microsecond=0)
    assert format_time(parse_time(text)) == text


def test_1_4_years_have_four_digits() -> None:
    assert format_time(datetime(1, 1, 1, tzinfo=UTC)) == "0001-01-01T00:00:00Z"


def test_1_4_a_moment_elsewhere_is_written_in_utc() -> None:
    east = timezone(timedelta(hours=9, minutes=30))
    assert format_time(datetime(2026, 12, 1, 1, 30, 5, 999, east)) == "2026-11-30T16:00:05Z"


def test_1_4_a_moment_without_a_zone_is_no_time() -> None:
    with pytest.raises(ValueError, match="zone"):
        format_time(datetime(2026, 11, 30))


@pytest.mark.parametrize("text", ["", "2026-02-30T00:00:00Z", "2026-11-30T12:00:60Z", "٢" * 20])
def test_1_4_other_texts_are_no_times(text: str) -> None:
    with pytest.raises(ValueError, match=r"time|day|second"):
        parse_time(text)
