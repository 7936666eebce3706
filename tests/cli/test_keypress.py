"""`mbp replay` by keys, on a real terminal: a pseudo-terminal with the program behind it."""

from __future__ import annotations

import os
import pty
import select
import sys
import termios
import time
from pathlib import Path

from tests.report.stories import DISCLOSED, ROOT

PATIENCE = 30.0  # seconds for an answer, on a machine with other work to do


class Screen:
    """A terminal on which `mbp replay` runs."""

    def __init__(self, folder: Path) -> None:
        environ = {"TERM": "xterm", "COLUMNS": "80", "NO_COLOR": "1", "PYTHONPATH": str(ROOT),
                   "MBP_HOME": str(folder / "nobody")}  # fmt: skip
        self.child, self.end = pty.fork()
        if self.child == 0:
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
            (b"x", "a number"),
        ):
            screen.press(keys)
            screen.until(shown)
        screen.press(b"q")
        _, status = os.waitpid(screen.child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        assert termios.tcgetattr(screen.end)[3] & termios.ICANON
    finally:
        os.close(screen.end)
