"""Going through an archive: all game files that PATHs name, with a progress bar."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack
from typing import TypeVar

from mbp.cli.session import Session
from mbp.cli.sources import Place, count_sources, find_sources
from mbp.cli.workers import Work, jobs_for, undisturbed, working
from mbp.desk.shelf import ENDING
from mbp.errors import NoSuchGameError

T = TypeVar("T")


def count_of(session: Session, paths: Sequence[str]) -> int:
    """How many files PATHs name. Raises NoSuchGameError where there is none."""
    total = count_sources(paths, Place(session.cwd, session.shown))
    if not total:
        raise NoSuchGameError(f"no file *{ENDING} in {', '.join(paths)}", hint="name the file")
    return total


def each(
    session: Session,
    title: str,
    work: Work[T],
    paths: Sequence[str],
    *,
    total: int | None = None,
    jobs: int | None = None,
    cluster: str = "",
) -> Generator[T, None, None]:
    """What `work` makes of each file that PATHs name, in their order.

    `total` is what `count_of` says, where it is known already; `jobs` None stands for all cores,
    where that pays. `work` is a function of a module. Raises NoSuchGameError, and MbpError where
    the cluster does not answer, or no longer.
    """
    if total is None:
        total = count_of(session, paths)
    stack = ExitStack()
    try:
        run = stack.enter_context(working(jobs_for(total, jobs), cluster))
        with undisturbed():  # the bar is a thread
            step = stack.enter_context(session.terminal.progress(title, total))
        for result in run(work, find_sources(paths, Place(session.cwd, session.shown))):
            yield result
            step()
    finally:
        with undisturbed():  # a second Ctrl-C would leave half of it open
            stack.close()
