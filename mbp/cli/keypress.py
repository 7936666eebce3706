"""Single keys from a real terminal, as the commands of `mbp replay`; nothing on anything else."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from mbp.cli.terminal import Terminal

# What terminals send for a key, and the command that it is.
KEYS = {
    b"\x1b[C": "n", b"\x1bOC": "n", b" ": "n", b"\x1b[B": "n", b"\x1bOB": "n", b"\x1b[6~": "n",
    b"\x1b[D": "b", b"\x1bOD": "b", b"\x7f": "b", b"\x1b[A": "b", b"\x1bOA": "b", b"\x1b[5~": "b",
    b"\x1b[H": "f", b"\x1bOH": "f", b"\x1b[1~": "f",
    b"\x1b[F": "l", b"\x1bOF": "l", b"\x1b[4~": "l",
    b"\x1b": "q", b"\x04": "q",
}  # fmt: skip
RUBOUT, ESCAPE = (b"\x7f", b"\x08"), b"\x1b"
BLOCK = 64  # bytes; who types fast sends several keys at once
ONE_KEY = re.compile(rb"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
MOST_DIGITS = 6


@dataclass(frozen=True)
class Key:
    """What a key asks for: a command, or none, but the digits `typed` so far are to be shown.

    A terminal that has another size now comes as a key that asks for nothing.
    """

    command: str = ""
    typed: str = ""


@contextmanager
def keys_of(terminal: Terminal) -> Iterator[Iterator[Key] | None]:
    """Commands by keys, where standard input and output are one real terminal; else None.

    The terminal sends single keys from here on, and is as before in the end.
    """
    if not _is_real(terminal):
        yield None
        return
    try:
        import termios
        import tty
    except ImportError:  # no system of terminals as we know them
        yield None
        return
    descriptor = terminal.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        with _resized() as resized:
            yield _keys(descriptor, resized)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _is_real(terminal: Terminal) -> bool:
    if terminal.stdin is not sys.stdin or not terminal.interactive:
        return False
    return terminal.stdout.isatty() and terminal.environ.get("TERM", "dumb") != "dumb"


@contextmanager
def _resized() -> Iterator[int]:
    """A descriptor that can be read once the terminal has another size."""
    inward, outward = os.pipe()
    os.set_blocking(outward, False)

    def told(*_: Any) -> None:
        with suppress(BlockingIOError):  # told often enough
            os.write(outward, b"\0")

    before = signal.signal(signal.SIGWINCH, told)
    try:
        yield inward
    finally:
        signal.signal(signal.SIGWINCH, before)
        os.close(outward)
        os.close(inward)


def _keys(descriptor: int, resized: int) -> Iterator[Key]:
    """Commands until the input ends."""
    digits = ""
    while True:
        ready, _, _ = select.select([descriptor, resized], [], [])
        if resized in ready:
            os.read(resized, BLOCK)
            yield Key(typed=digits)
        if descriptor not in ready:
            continue
        data = os.read(descriptor, BLOCK)
        if not data:
            return
        for key in ONE_KEY.findall(data):
            made = _made(key, digits)
            digits = made.typed
            yield made


def _made(key: bytes, digits: str) -> Key:
    """What a key asks for behind the digits that were typed."""
    if key.isdigit():
        return Key(typed=(digits + key.decode("ascii"))[:MOST_DIGITS])
    if digits and key in (*RUBOUT, ESCAPE):
        return Key(typed=digits[:-1] if key in RUBOUT else "")
    if key in (b"\r", b"\n"):
        return Key(digits or "n")
    return Key(KEYS.get(key) or key.decode("ascii", "replace"))
