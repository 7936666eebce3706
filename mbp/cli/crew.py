"""Processes on this machine that work on game files.

A process that dies with a file takes no other file with it. None outlives this one, however this
one ends, and Ctrl-C is for this one alone.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from mbp.cli.sources import Source
from mbp.cli.workers import Work, undisturbed

T = TypeVar("T")
AHEAD = 3  # sources under way for each process
THREADS = Path("/proc/self/task")  # Linux: an entry for each thread of this process
DIED = "the process that read it ended without an answer"


class Crew:
    """`jobs` processes at work. Where one dies, all begin anew with what was under way."""

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
