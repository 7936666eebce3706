"""`mbp replay` by keys, on a real terminal: a pseudo-terminal with the program behind it."""

from __future__ import annotations

import os
import pty
import select
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.report.stories import DISCLOSED, ROOT

CLEAR = "\x1b[H\x1b[2J"
PATIENCE = 30.0  # seconds for an answer, on a machine with other work to do


class Screen:
    """A terminal on which `mbp replay` runs."""

    def __init__(self, folder: Path, width: int = 80, height: int = 24) -> None:
        environ = {"TERM": "xterm", "NO_COLOR": "1", "PYTHONPATH": str(ROOT),
                   "MBP_HOME": str(folder / "nobody")}  # fmt: skip
        self.child, self.end = pty.fork()
        if self.child == 0:
            termios.tcsetwinsize(0, (height, width))
            argv = [sys.executable, "-m", "mbp", "replay", str(DISCLOSED)]
            os.execve(sys.executable, argv, environ)
        self.shown = ""

    def until(self, text: str) -> None:
        """Reads until the screen shows a text; what was shown before is forgotten."""
        self.shown = ""
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            ready, _, _ = select.select([self.end], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"never shown: {text}; but {self.shown}"
            self.shown += os.read(self.end, 2**16).decode("utf-8", "replace")

    def press(self, keys: bytes) -> None:
        """Types keys, all at once."""
        os.write(self.end, keys)

    def resize(self, width: int, height: int) -> None:
        """Makes the terminal larger or smaller, of which its program is told."""
        termios.tcsetwinsize(self.end, (height, width))

    def drawn(self, keys: bytes, text: str) -> list[str]:
        """The lines of the screen that comes of keys, up to a text in its last line."""
        self.press(keys)
        self.until(text)
        return self.shown.rpartition(CLEAR)[2].split("\r\n")

    def leave(self) -> int:
        """Presses q; the exit code."""
        self.press(b"q")
        _, status = os.waitpid(self.child, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)


def test_keys_go_through_a_match_and_the_terminal_is_as_before(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    try:
        screen.until("q quit")
        assert not termios.tcgetattr(screen.end)[3] & termios.ICANON
        for keys, shown in (
            (b"\x1b[C", "1/59"),  # right
            (b" \x1b[C", "3/59"),  # several keys at once
            (b"\x1b[D", "2/59"),  # left
            (b"d", "mandala 2 is complete"),
            (b"4", ""),
            (b"0\r", "40/59"),
            (b"\x1b[F", "59/59"),  # end
            (b"\x1b[H", "0/59"),  # home
            (b"x", "Home first"),
        ):
            screen.press(keys)
            screen.until(shown)
        screen.press(b"q")
        _, status = os.waitpid(screen.child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        assert termios.tcgetattr(screen.end)[3] & termios.ICANON
    finally:
        os.close(screen.end)


def test_the_keys_are_named_and_digits_are_shown_while_they_are_typed(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.until("q quit")
    told = " ".join(screen.shown.split())
    for key in ("→", "←", "Home", "End", "digits, Enter"):
        assert key in told
    assert "all known cards open" in told
    assert screen.drawn(b"1", "entry 1")[-1] == "entry 1"
    assert screen.drawn(b"2", "entry 12")[-1] == "entry 12"
    assert screen.drawn(b"\x7f", "entry 1")[-1] == "entry 1"  # rubs a digit out, goes nowhere
    assert screen.drawn(b"\r", "q quit")[1].startswith("1/59")
    assert screen.drawn(b"9\x1b", "q quit")[1].startswith("1/59")  # Esc: no digits, not out
    said = "there is no entry 999: the newest is 59"
    lines = screen.drawn(b"999\r", said)
    assert (lines[1][:4], lines[-1]) == ("1/59", said)
    assert screen.leave() == 0


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (40, 12), (120, 50)])
def test_entry_and_move_are_on_every_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    screen = Screen(tmp_path, *size)
    screen.until("0/59")
    screen.press(b"30\r")
    lines = screen.drawn(b"7", "entry 7")  # the last line: all of the screen has come
    assert len(lines) <= size[1]
    assert max(map(len, lines)) <= size[0]
    assert any(line.startswith("30/59") for line in lines[:2])
    assert "Anna: mountain 2 red" in "".join(lines[:3])
    assert screen.leave() == 0


def test_another_size_of_the_terminal_draws_anew(tmp_path: Path) -> None:
    screen = Screen(tmp_path, 80, 24)
    screen.until("q quit")
    screen.press(b"30\r")
    wide = screen.drawn(b"7", "entry 7")
    assert len(wide) <= 24
    assert any("╮  ╭" in line for line in wide)  # side by side
    screen.resize(40, 24)
    screen.until("? for the keys\r\nentry 7")
    narrow = screen.shown.rpartition(CLEAR)[2].split("\r\n")
    assert len(narrow) <= 24
    assert narrow[1].startswith("30/59")
    assert max(map(len, narrow)) <= 40
    screen.resize(80, 24)
    screen.until("q quit")
    assert screen.leave() == 0
