"""The command line: the only part that prints, asks, exits and knows clock, chance and terminal.

`run` is one run of the program with all of that handed in; `main` hands in the real world. Errors
pass through here and nowhere else: `boundary` maps their classes to exit codes (commands.md).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TextIO

import typer

from mbp.cli.boundary import INTERRUPTED, PIPE_CLOSED, USAGE, report
from mbp.cli.commands import make_root
from mbp.cli.session import Session
from mbp.cli.terminal import Terminal

__all__ = ["main", "run"]

# typer names but one kind of usage error; the class below it is all of them, and typer's own.
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]


def run(
    argv: Sequence[str],
    *,
    environ: Mapping[str, str],
    cwd: Path,
    stdin: TextIO,
    stdout: TextIO,
    stderr: TextIO,
    now: Callable[[], datetime],
    randomness: Callable[[int], bytes],
    zone: tzinfo | None = None,
) -> int:
    """Runs one command line (without the program's name) and returns its exit code.

    `now` is aware; `randomness(n)` gives n bytes that nobody can guess; `zone` is the time zone for
    people, None for the machine's. Raises nothing.
    """
    terminal = Terminal(stdin, stdout, stderr, environ, f"{cwd}/")
    session = Session(terminal, cwd, now, randomness, zone)
    try:
        with redirect_stdout(stdout), redirect_stderr(stderr):
            code = _invoke(argv, session)
        stdout.flush()
        return code
    except BrokenPipeError:
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as failure:  # noqa: BLE001 - the one boundary: whatever it is, no traceback
        return report(failure, session)


def _invoke(argv: Sequence[str], session: Session) -> int:
    width = session.terminal.width
    try:
        code = make_root().main(
            list(argv),
            prog_name="mbp",
            standalone_mode=False,
            obj=session,
            terminal_width=width,
            max_content_width=width,
        )
    except typer.Abort:
        return INTERRUPTED
    except SystemExit:  # typer's answer to a closed pipe, and to nothing else here
        return PIPE_CLOSED
    except USAGE_ERROR as failure:
        return _explain_usage(failure, session, argv)
    return code if isinstance(code, int) else 0


def _explain_usage(failure: Exception, session: Session, argv: Sequence[str]) -> int:
    """Says what was wrong with the command line, and where its help is."""
    wording = getattr(failure, "format_message", failure.__str__)
    context = getattr(failure, "ctx", None)
    message = wording().strip().rstrip(".")
    session.terminal.say(f"mbp: {message[:1].lower()}{message[1:]}")
    path = context.command_path if context else "mbp"
    option = _game_option(getattr(failure, "option_name", ""), argv) if path == "mbp new" else ""
    session.terminal.say(f"hint: {path} {option or '--help'}")
    return USAGE


def _game_option(name: str, argv: Sequence[str]) -> str:
    """How an option of a game is spelled, for who typed `--pace 3`; empty for any other."""
    from mbp.rules import GAMES

    known = {option.name for game in GAMES.values() for option in game.options}
    plain = name.removeprefix("--").partition("=")[0]
    if plain not in known | {"pace", "vacation"}:
        return ""
    typed = " ".join(argv).partition(f"--{plain}")[2]
    value = typed.lstrip("= ").partition(" ")[0]
    return f"--option {plain}={value or 'VALUE'}"


def _open_missing() -> None:
    """Puts the null device in the place of streams that were closed to this process.

    The lowest number comes first, so that no file is opened later in the place of a stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(descriptor, True)  # git, once called, needs its streams too
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8"))


def _make_streams_patient() -> None:
    """Nothing that is written or typed is an error for its encoding.

    A terminal that cannot show a character gets another one. What goes into a file or a pipe is
    UTF-8 whatever the locale: programs read it, and a page says that it is.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            encoding = None if stream is sys.stderr or stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")  # type: ignore[union-attr]
    with suppress(AttributeError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]


def _current_folder() -> Path:
    """The current folder; where it was deleted, the name that it had: nothing is found in it."""
    try:
        return Path.cwd()
    except OSError:
        return Path(os.environ.get("PWD") or os.devnull)


def main() -> None:
    """The program `mbp`."""
    _open_missing()
    _make_streams_patient()
    code = run(
        sys.argv[1:],
        environ=os.environ,
        cwd=_current_folder(),
        stdin=sys.stdin,
        stdout=sys.stdout,
        stderr=sys.stderr,
        now=lambda: datetime.now(UTC),
        randomness=os.urandom,
    )
    if code == PIPE_CLOSED:
        # The reader has gone; whatever is left to write goes nowhere, without a complaint.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
