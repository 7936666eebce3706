"""`mbp git`: wires a repository; and the commands that git itself calls then."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mbp.cli.session import Session, session_of
from mbp.errors import MbpError, NoSuchGameError, VerificationError
from mbp.files import is_folder, write_atomic
from mbp.home import Home

if TYPE_CHECKING:
    from mbp.git.wiring import Word

NAMES = {"help_option_names": ["-h", "--help"]}
REPOSITORY = typer.Argument(metavar="REPO", help="A folder in the repository; else the current.")
git = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    context_settings=NAMES,
    help="Game files in a git repository.",
)


@git.command(context_settings=NAMES)
def setup(ctx: typer.Context, repo: Annotated[str, REPOSITORY] = ".") -> None:
    """Wire a repository: readable diffs, safe merges, a check before each commit.

    It adds to .gitattributes, to the repository's own configuration and to two hooks. Doing it
    twice changes nothing more; mbp git remove undoes it.
    """
    from mbp.git import Wiring, find_repository, set_up

    session = session_of(ctx)
    repository = find_repository(_folder(session, repo), session.terminal.environ)
    named = session.options.get("home") or session.terminal.environ.get("MBP_HOME")
    # -P: a folder `mbp` in the repository must not be taken for the program.
    program = (sys.executable, "-P", "-m", "mbp")
    wiring = Wiring(program, os.path.realpath(session.path(named)) if named else "")
    _tell(session, set_up(repository, wiring))
    session.terminal.say("game files are shown, merged and checked by mbp here")
    session.terminal.say("commit .gitattributes; each clone needs its own mbp git setup")
    session.terminal.put(session.shown(repository.root / ".gitattributes"))


@git.command(context_settings=NAMES)
def remove(ctx: typer.Context, repo: Annotated[str, REPOSITORY] = ".") -> None:
    """Undo what mbp git setup has done, and nothing else."""
    from mbp.git import find_repository
    from mbp.git import remove as undo

    session = session_of(ctx)
    repository = find_repository(_folder(session, repo), session.terminal.environ)
    _tell(session, undo(repository))
    session.terminal.say(f"nothing of mbp is set up in {repository.root} any more")


def _folder(session: Session, repo: str) -> Path:
    """The folder that REPO names. Raises NoSuchGameError."""
    folder = session.path(repo)
    if not is_folder(folder):
        raise NoSuchGameError(f"there is no folder {folder}", hint="name a folder in a repository")
    return folder


def _tell(session: Session, news: Iterable[Word]) -> None:
    """Says what people should know; a line to be copied stands by itself, whole."""
    for one in news:
        session.terminal.say(one.text)
        if one.line:
            session.terminal.say_line(one.line)


def _home(session: Session) -> Home | None:
    """The home, if there is a place for one: git may call us where the environment names none."""
    try:
        return session.home
    except MbpError:
        return None


@git.command(hidden=True, context_settings=NAMES)
def text(ctx: typer.Context, file: Annotated[str, typer.Argument(metavar="FILE")]) -> None:
    """Called by git: a game file as sentences, for a diff."""
    from mbp.desk.shelf import read_bytes
    from mbp.git import diff_text

    session = session_of(ctx)
    # Not session.path: a name that git hands over may begin with a tilde.
    told = diff_text(read_bytes(session.cwd / file), _home(session))
    session.terminal.put(told.removesuffix("\n"))


@git.command(hidden=True, context_settings=NAMES)
def merge(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="BASE OURS THEIRS PATH")],
) -> None:
    """Called by git: merges two states of a game file, or leaves a conflict."""
    from mbp.desk.shelf import read_bytes
    from mbp.git import merge_files

    session = session_of(ctx)
    if len(files) != 4:
        raise typer.BadParameter("git hands over four paths: %O %A %B %P")
    _, ours, theirs = (session.cwd / one for one in files[:3])
    try:
        stands, said = merge_files(read_bytes(ours), read_bytes(theirs), _home(session))
    except MbpError as failure:
        _tell_conflict(session, files[3], failure)
        raise typer.Exit(1) from None  # git takes 1 to 127 for a conflict, and keeps both versions
    for one in said:
        session.terminal.say(f"{files[3]}: {one}")
    write_atomic(ours, stands)


def _tell_conflict(session: Session, name: str, failure: MbpError) -> None:
    session.terminal.say(f"mbp: {name}: {failure}")
    if isinstance(failure, VerificationError):
        session.terminal.say("one side does not hold: take the other, whole")
    session.terminal.say("both versions are in git's index, ours as 2 and theirs as 3")
    session.terminal.say("hint: write theirs to another file, then mbp fork or mbp settle:")
    session.terminal.say_line(f"git show {shlex.quote(f':3:{name}')} > theirs.mbp.yaml")


@git.command(hidden=True, context_settings=NAMES)
def staged(ctx: typer.Context) -> None:
    """Called by git before a commit: refuses what did not only grow, or does not hold."""
    from mbp.git import find_repository, refusals

    session = session_of(ctx)
    repository = find_repository(session.cwd, session.terminal.environ)
    said = refusals(repository, _home(session))
    for one in said:
        session.terminal.say(f"mbp: {one.path}: {one.reason}")
    for hint in dict.fromkeys(one.hint for one in said):
        session.terminal.say(f"hint: {hint}")
    if said:
        raise typer.Exit(4)
