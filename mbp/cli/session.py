"""One run of the program: the world that enters in `cli` alone, and what is made of it.

Clock, randomness, environment, streams and current folder are handed in by `run`; below the command
line nothing reads them for itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mbp.cli.terminal import Terminal
from mbp.errors import KeyringError
from mbp.files import expanded, is_file

if TYPE_CHECKING:
    from mbp.desk import Desk, Opened
    from mbp.home import Home

PASSPHRASE = "MBP_PASSPHRASE"


@dataclass
class Session:
    """What a command has at hand. `options` holds `--home` and `--games` where they were given.

    `zone` is the time zone in which people are told times, None for the machine's own. `subject` is
    the game that the command is about, so that a hint can name it.
    """

    terminal: Terminal
    cwd: Path
    now: Callable[[], datetime]
    randomness: Callable[[int], bytes]
    zone: tzinfo | None = None
    options: dict[str, str] = field(default_factory=dict)
    subject: str = "FILE"

    def path(self, text: str) -> Path:
        """A path as it was typed, seen from the current folder. Raises MbpError for `~nobody`."""
        return self.cwd / expanded(text)

    def shown(self, path: Path) -> str:
        """A path as people want to read it: from the current folder where it lies in there."""
        try:
            return str(path.relative_to(self.cwd))
        except ValueError:
            return str(path)

    @cached_property
    def home(self) -> Home:
        """The home: `--home`, MBP_HOME, else the platform's place."""
        from mbp.home import Home, default_home

        environ = self.terminal.environ
        named = self.options.get("home") or environ.get("MBP_HOME")
        return Home(self.path(named) if named else default_home(environ, sys.platform))

    @property
    def games(self) -> Path:
        """The games folder: `--games`, MBP_GAMES, else ./games if there is one, else the home's."""
        named = self.options.get("games") or self.terminal.environ.get("MBP_GAMES")
        if named:
            return self.path(named)
        here = self.cwd / "games"
        return here if here.is_dir() else self.home.root / "games"

    @cached_property
    def desk(self) -> Desk:
        """The desk of this player; one a run, so that a passphrase is asked for once."""
        from mbp.desk import Desk, World

        world = World(now=self.now, randomness=self.randomness, tell_time=self.tell_time)
        return Desk(self.home, self.games, world, self.passphrase)

    def tell_time(self, moment: datetime) -> str:
        """A moment in the local time zone, to the minute."""
        try:
            local = moment.astimezone(self.zone)
        except (OverflowError, ValueError, OSError):  # the first and the last day of the calendar
            local = moment
        return f"{local:%Y-%m-%d %H:%M}"

    def passphrase(self) -> str:
        """The passphrase of the identity, for a key that turned out to be encrypted."""
        return self.passphrase_of("your key")

    def passphrase_of(self, what: str) -> str:
        """A passphrase that exists: MBP_PASSPHRASE, or asked for. Raises KeyringError."""
        told = self.terminal.environ.get(PASSPHRASE)
        if told is not None:
            return told
        return self.terminal.ask_secret(f"passphrase of {what}", f"set {PASSPHRASE}")

    def new_passphrase(self, what: str) -> str:
        """A passphrase to be: MBP_PASSPHRASE, or asked for twice. Raises KeyringError."""
        told = self.terminal.environ.get(PASSPHRASE)
        if told is not None:
            return told
        hint = f"set {PASSPHRASE}"
        first = self.terminal.ask_secret(f"new passphrase for {what}", hint)
        if first and self.terminal.ask_secret("the same again", hint) != first:
            raise KeyringError("the two passphrases differ", hint="try again")
        return first

    def find(self, what: str) -> Path:
        """The game file that FILE means: a path, digits of a game id, or a player's name."""
        self.subject = what
        path = self.path(what)
        return path if is_file(path) else self.cwd / self.desk.find(what)

    def open(self, what: str) -> Opened:
        """Opens the game that FILE means, verified, and says what there is to say of it."""
        opened = self.desk.open(self.find(what))
        for note in opened.notes:
            self.terminal.say(note)
        return opened


def session_of(context: Any) -> Session:
    """The session of a command; `context` is typer's."""
    session: Session = context.obj
    return session
