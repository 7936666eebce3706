"""`mbp watch`: says when it becomes the user's turn, in the games folder or on a git remote.

It only looks: nothing is received, signed or merged, and no file but the cache is written. Each
turn is told once. Names and moves are a peer's: a command gets them in its environment, never in
its text.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from mbp.cli.commands import number
from mbp.cli.session import Session, session_of
from mbp.cli.telling import View, deadline, view_of
from mbp.cli.terminal import clean
from mbp.errors import MbpError, PostError
from mbp.match.sentences import sentence

LONGEST = 86_400  # seconds between two looks
ENDINGS = ("SIGTERM", "SIGHUP")  # end it as Ctrl-C does


def watch(
    ctx: typer.Context,
    every: Annotated[str, typer.Option(metavar="SECONDS", help="Between two looks.")] = "60",
    command: Annotated[
        str, typer.Option(metavar="CMD", help="Run it for each turn: MBP_FILE, MBP_ID, MBP_SAID.")
    ] = "",
    remote: Annotated[
        str, typer.Option(metavar="NAME", help="Fetch from this git remote, and look there.")
    ] = "",
    once: Annotated[bool, typer.Option("--once", help="Look once, for cron.")] = False,
) -> None:
    """Say when it is your turn, until Ctrl-C.

    It watches the games folder, or with --remote what others have pushed; nothing is changed.
    """
    session = session_of(ctx)
    seconds = number(every, "--every", 1, LONGEST)
    watcher = Watcher(session, command)

    def look() -> None:
        if remote:
            watcher.look_at_remote(remote)
        else:
            watcher.look_at_folder()

    if once:
        look()
        return
    where = f"the remote {remote}" if remote else session.shown(session.games)
    session.terminal.say(f"watching {where} every {seconds} s: Ctrl-C ends it")
    _watch(session, look, seconds)
    session.terminal.say("stopped")


def _watch(session: Session, look: Callable[[], None], seconds: int) -> None:
    """Looks again and again; being told to end is how it ends, and no failure."""
    try:
        with _ended_by_signals():
            while True:
                look()
                session.terminal.stdout.flush()
                time.sleep(seconds)
    except KeyboardInterrupt:
        return


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Makes the signals that end a service what Ctrl-C is, and puts back what was there."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    numbers = [getattr(signal, name) for name in ENDINGS if hasattr(signal, name)]
    before = [(one, signal.signal(one, end)) for one in numbers]
    try:
        yield
    finally:
        for one, handler in before:
            signal.signal(one, handler)


@dataclass
class Watcher:
    """What has been told so far: the newest entry by game, and the troubles that are not over."""

    session: Session
    command: str = ""
    told: dict[str, str] = field(default_factory=dict)
    troubles: set[str] = field(default_factory=set)

    def look_at_folder(self) -> None:
        """Tells the games of the games folder, and of the home, in which it is the own turn."""
        found = self.session.desk.status()
        for opened in found.mine:
            view = view_of(self.session, opened.match, opened.seat, opened.path)
            if opened.match.pen == opened.seat:
                self._tell(view, opened.path, f"mbp show {view.handle}")
        self._tell_troubles(set(found.troubles))

    def look_at_remote(self, remote: str) -> None:
        """Fetches, and tells the games in which what was pushed makes it the own turn."""
        try:
            troubles = set(self._look_at_pushed(remote))
        except PostError as failure:  # the network is away for a while: the next look may do
            troubles = {str(failure)}
        self._tell_troubles(troubles)

    def _look_at_pushed(self, remote: str) -> Iterator[str]:
        from mbp.git import changes_between, find_repository

        session = self.session
        environ = {**session.terminal.environ, "GIT_TERMINAL_PROMPT": "0"}  # nobody would answer
        repository = find_repository(session.games, environ)
        repository.run("fetch", "--quiet", "--", remote)
        branch = repository.run("symbolic-ref", "--short", "HEAD").decode().strip()
        for change in changes_between(repository, "HEAD", f"refs/remotes/{remote}/{branch}"):
            if change.new is None:
                continue
            path = repository.root / change.path
            try:
                found = session.desk.look(change.new)
            except MbpError as failure:
                yield f"{change.path}: {failure}"
                continue
            if found.choice is not None and found.choice.split:
                yield f"{change.path}: {found.notes[-1]}"
                continue
            seat = session.desk.seat_in(found.match)
            if seat is not None and found.match.pen == seat:
                view = view_of(session, found.match, seat, path)
                self._tell(view, path, f"git pull, then mbp receive {view.path}")

    def _tell(self, view: View, path: Path, step: str) -> None:
        """Tells one turn, if it has not been told."""
        match, moment = view.match, view.match.moments[-1]
        if self.told.get(match.id) == moment.entry.id:
            return
        self.told[match.id] = moment.entry.id
        news = clean(f"{view.who(moment.entry.by)}: {sentence(moment)}")
        text = f"{match.id[:8]}  your turn against {view.rival}"
        until = deadline(self.session, view)
        for line in (text, f"          {news}", f"          {until}" * bool(until)):
            if line:
                self.session.terminal.put(line)
        self.session.terminal.say(f"{' ' * 10}{step}")
        if self.command:
            self._run(match.id, path, f"{text}: {news}")

    def _run(self, game_id: str, path: Path, said: str) -> None:
        """Runs the user's command; what it prints is its own affair, a failure is said."""
        self.session.terminal.stdout.flush()
        told = {"MBP_FILE": str(path), "MBP_ID": game_id, "MBP_SAID": said}
        environ = {**self.session.terminal.environ, **told}
        done = subprocess.run(
            self.command,
            shell=True,
            cwd=self.session.cwd,
            env=environ,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode:
            self.session.terminal.say(f"the command ended with {done.returncode}")

    def _tell_troubles(self, troubles: set[str]) -> None:
        """Says each trouble when it comes, not at every look."""
        for trouble in sorted(troubles - self.troubles):
            self.session.terminal.say(f"trouble: {trouble}")
        self.troubles = troubles
