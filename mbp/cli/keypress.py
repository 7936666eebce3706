"""Single keys from a real terminal, as the commands of `mbp replay`; nothing on anything else."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mbp.cli.terminal import Terminal

# What terminals send for a key, and the command that it is.
KEYS = {
    b"\x1b[C": "n", b"\x1bOC": "n", b" ": "n", b"\x1b[B": "n", b"\x1bOB": "n", b"\x1b[6~": "n",
    b"\x1b[D": "b", b"\x1bOD": "b", b"\x7f": "b", b"\x1b[A": "b", b"\x1bOA": "b", b"\x1b[5~": "b",
    b"\x1b[H": "f", b"\x1bOH": "f", b"\x1b[1~": "f",
    b"\x1b[F": "l", b"\x1bOF": "l", b"\x1b[4~": "l",
    b"\x1b": "q", b"\x04": "q",
}  # fmt: skip
BLOCK = 64  # bytes; who types fast sends several keys at once
ONE_KEY = re.compile(rb"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)


@contextmanager
def keys_of(terminal: Terminal) -> Iterator[Iterator[str] | None]:
    """Commands by keys, where standard input and output are one real terminal; else None.

    The terminal sends single keys from here on, and is as before in the end.
    """
    if not _is_real(terminal):
        yield None
        return
    import termios
    import tty

    descriptor = terminal.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield _keys(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _is_real(terminal: Terminal) -> bool:
    if terminal.stdin is not sys.stdin or not terminal.interactive:
        return False
    return terminal.stdout.isatty() and terminal.environ.get("TERM", "dumb") != "dumb"


def _keys(descriptor: int) -> Iterator[str]:
    """Commands until the input ends."""
    digits = ""
    while data := os.read(descriptor, BLOCK):
        for key in ONE_KEY.findall(data):
            if key.isdigit():
                digits += key.decode("ascii")
                continue
            if key in (b"\r", b"\n"):
                yield digits or "n"
            else:
                yield KEYS.get(key) or key.decode("ascii", "replace")
            digits = ""
