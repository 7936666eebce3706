"""Work on many game files at once: on the cores of this machine, or on a cluster.

Results come in the order of the sources, each source once. Only a few sources are under way at a
time, so memory does not grow with the archive. A process that dies with a file takes no other file
with it. No process outlives this one, however this one ends, and Ctrl-C is for this one alone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import Any, Protocol, TypeVar

from mbp.cli.sources import Source

T = TypeVar("T")
Work = Callable[[Source], T]
AHEAD = 3  # sources under way for each process
FEW = 8  # files that one process has done before a second one has started
THREADS = Path("/proc/self/task")  # Linux: an entry for each thread of this process

DIED = "the process that read it ended without an answer"


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
        crew = _Crew(jobs)
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


class _Crew:
    """Processes at work. Where one dies, all begin anew with what was under way."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool = ProcessPoolExecutor(jobs, _context(), _end_with_parent)
        with undisturbed():
            self._pool.submit(os.getpid)  # they start now and not with the first source

    def run(self, work: Work[T], sources: Iterable[Source], /) -> Iterator[T]:
        """What `work` makes of each source, in their order."""
        waiting: deque[tuple[Source, Future[T]]] = deque()
        for source in sources:
            waiting.append((source, _submitted(self._pool, work, source)))
            if len(waiting) >= AHEAD * self._jobs:
                yield self._next(waiting, work)
        while waiting:
            yield self._next(waiting, work)

    def _next(self, waiting: deque[tuple[Source, Future[T]]], work: Work[T]) -> T:
        """The oldest result. Where a process died, everything under way begins anew."""
        source, future = waiting.popleft()
        try:
            return future.result()
        except BrokenProcessPool:
            self.end()
            result = _alone(work, source)
            self._pool = _spawned(self._jobs)
            again = [(one, _submitted(self._pool, work, one)) for one, _ in waiting]
            waiting.clear()
            waiting.extend(again)
            return result

    def end(self) -> None:
        """Ends all processes, each with the source that it has begun."""
        _end(self._pool)


def _context() -> Any:
    """How the first processes start.

    A fork costs nothing, and a process with one thread and no pipes can be forked without danger.
    Where that cannot be known, and later, when a progress bar is a thread and git at the end of a
    pipe, processes start from nothing.
    """
    try:
        single = len(list(THREADS.iterdir())) == 1
    except OSError:
        single = False
    return multiprocessing.get_context("fork" if single else "spawn")


def _spawned(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _end_with_parent)


def _end(pool: ProcessPoolExecutor) -> None:
    # Interrupted in here, Python takes the pool's thread for ended, and waits for ever at its end.
    with undisturbed():
        pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """Lets this process end when its parent does, which may be killed without a word."""
    parent = multiprocessing.parent_process()
    assert parent is not None  # this runs in a worker

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _submitted(pool: ProcessPoolExecutor, work: Work[T], source: Source) -> Future[T]:
    with undisturbed():  # it may start processes
        try:
            return pool.submit(work, source)
        except BrokenProcessPool as failure:
            broken: Future[T] = Future()
            broken.set_exception(failure)
            return broken


def _alone(work: Work[T], source: Source) -> T:
    """The result of one source in a process of its own."""
    pool = _spawned(1)
    try:
        return _submitted(pool, work, source).result()
    except BrokenProcessPool:
        return work(replace(source, trouble=DIED))
    finally:
        _end(pool)
