"""`mbp watch`: says when the user has something to do, in the games folder or on a git remote.

It only looks: nothing is received, signed or merged, and no file but the cache is written. While
it runs each turn is told once. Names and moves are a peer's: a command gets them in its
environment, never in its text.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from mbp.cli.commands import number
from mbp.cli.session import Session, session_of
from mbp.cli.watching import Watcher

if TYPE_CHECKING:
    from mbp.git import Repository

LONGEST = 86_400  # seconds between two looks
ENDINGS = ("SIGTERM", "SIGHUP")  # end it as Ctrl-C does


def watch(
    ctx: typer.Context,
    every: Annotated[str, typer.Option(metavar="SECONDS", help="Between two looks.")] = "60",
    command: Annotated[
        str, typer.Option(metavar="CMD", help="Run it for each turn: MBP_FILE, MBP_ID, MBP_SAID.")
    ] = "",
    remote: Annotated[
        str, typer.Option(metavar="NAME", help="Look at what is on this git remote, too.")
    ] = "",
    once: Annotated[
        bool, typer.Option("--once", help="Look once, for cron: tells all that waits.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="For programs: an object a line.")
    ] = False,
) -> None:
    """Say when it is your turn, you are invited, or have to decide, until Ctrl-C.

    It watches the games folder, and with --remote what others have pushed; nothing is changed.
    While it runs each turn is told once; --once tells whatever waits, each time.
    """
    session = session_of(ctx)
    seconds = number(every, "--every", 1, LONGEST)
    repository = _repository(session, remote) if remote else None
    watcher = Watcher(session, command, as_json)
    look = partial(watcher.look, repository, remote)
    if once:
        if (away := look()) is not None:
            raise away
        return
    where = f"the remote {remote}" if remote else session.shown(session.games)
    session.terminal.say(f"watching {where} every {seconds} s: Ctrl-C ends it")
    _watch(look, seconds)
    session.terminal.say("stopped")


def _repository(session: Session, remote: str) -> Repository:
    """The repository of the games folder, where there is one, else of the current folder.

    Raises PostError outside of a repository, and for a remote that it does not have.
    """
    from mbp.git import find_repository
    from mbp.git.remotes import check_remote

    # Nobody would answer a question.
    environ = {**session.terminal.environ, "GIT_TERMINAL_PROMPT": "0"}
    own = session.games == session.home.root / "games"
    repository = find_repository(session.cwd if own else session.games, environ)
    check_remote(repository, remote)
    return repository


def _watch(look: Callable[[], object], seconds: int) -> None:
    """Looks again and again; being told to end is how it ends, and no failure."""
    try:
        with _ended_by_signals():
            while True:
                look()
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
