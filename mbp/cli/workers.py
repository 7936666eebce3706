"""Work on many game files at once: here, in other processes (`crew`), or on a `cluster`.

Results come in the order of the sources, each source once. Only a few sources are under way at a
time, so memory does not grow with the archive.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from mbp.cli.sources import Source

T = TypeVar("T")
Work = Callable[[Source], T]
FEW = 8  # files that one process has done before a second one has started


class Run(Protocol):
    """Workers: told a work, they do it to each source."""

    def __call__(self, work: Work[T], sources: Iterable[Source], /) -> Iterator[T]:
        """What `work` makes of each source, in their order."""


def cores() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def jobs_for(count: int, asked: int | None) -> int:
    """How many processes: as many as asked, else all cores where there are several files."""
    most = max(1, count)
    if asked is not None:
        return min(asked, most)
    return min(cores(), most) if count > FEW else 1


@contextmanager
def working(jobs: int, address: str = "") -> Iterator[Run]:
    """Workers while the block runs: this process, `jobs` others, or the cluster `address`.

    A work is a function of a module, and takes a source that has only trouble, too. Best entered
    while this process has but one thread. Raises MbpError where the cluster does not answer.
    """
    if address:
        from mbp.cli.cluster import connected

        with connected(address) as run:
            yield run
    elif jobs == 1:
        yield map
    else:
        from mbp.cli.crew import Crew  # what makes processes takes a while to load

        crew = Crew(jobs)
        try:
            yield crew.run
        finally:
            crew.end()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits until the block is done; threads and processes begun in it never hear of it."""
    before: Any = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
