"""The progress bar of long work, as a terminal gets it."""

from __future__ import annotations

import io
import re
import time

import pytest

from mbp.cli.progress import bar
from mbp.cli.terminal import Terminal


class Screen(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return True


def drawn(width: int, total: int, steps: int) -> list[str]:
    """The states of a bar that goes on some steps, a tenth of a second each."""
    screen = Screen()
    with bar("auditing", total, screen, width, coloured=False) as step:
        for _ in range(steps):
            time.sleep(0.1)
            step()
        time.sleep(0.15)  # it is drawn ten times a second
    assert screen.getvalue().endswith("\x1b[2K")  # and taken away in the end
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())
    return [one.strip() for one in re.split(r"[\r\n]+", plain) if one.strip()]


@pytest.mark.parametrize("width", [40, 80])
def test_a_bar_tells_how_far_it_is_how_fast_and_how_long_it_will_take(width: int) -> None:
    states = drawn(width, total=1000, steps=6)
    form = re.compile(r"auditing [━╸╺ ]*(\d+)/1000 (\S+)/s (\d+:\d\d|--:--)")
    found = [form.fullmatch(state) for state in states]
    assert all(found), states
    first, last = found[0], found[-1]
    assert first is not None
    assert last is not None
    assert first.groups() == ("0", "–", "--:--")
    assert last[1] == "6"
    rate = float(last[2])
    assert 1 < rate <= 10.5  # no more than there were; a busy machine may be slower
    minutes, seconds = map(int, last[3].split(":"))
    assert minutes * 60 + seconds == pytest.approx(994 / rate, rel=0.2)
    assert all(len(state) <= width for state in states)


@pytest.mark.parametrize("environ", [{}, {"TERM": "dumb"}])
def test_nothing_is_drawn_where_nothing_can_be(environ: dict[str, str]) -> None:
    screen = Screen()
    quiet = Terminal(io.StringIO(), io.StringIO(), screen, environ)
    with quiet.progress("auditing", 3) as step:
        step()
    assert screen.getvalue() == ""
