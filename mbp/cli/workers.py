"""Work on many game files at once: on the cores of this machine, or on a cluster.

Results come in the order of the sources, each source once. Only a few sources are under way at a
time, so memory does not grow with the archive. A process that dies with a file takes no other file
with it.
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
from typing import Any, TypeVar

from mbp.cli.sources import Source

T = TypeVar("T")
Work = Callable[[Source], T]
AHEAD = 3  # sources under way for each process
FEW = 8  # files that one process has done before a second one has started

DIED = "the process that read it ended without an answer"


def cores() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def run(work: Work[T], sources: Iterable[Source], jobs: int, address: str = "") -> Iterator[T]:
    """What `work` makes of each source: here, in `jobs` processes, or on the cluster `address`.

    `work` is a function of a module, and takes a source that has only trouble, too. Raises MbpError
    where the cluster does not answer.
    """
    if address:
        from mbp.cli.cluster import run_on_cluster

        return run_on_cluster(work, sources, address)
    return map(work, sources) if jobs == 1 else _run_in_processes(work, sources, jobs)


def _run_in_processes(work: Work[T], sources: Iterable[Source], jobs: int) -> Iterator[T]:
    waiting: deque[tuple[Source, Future[T]]] = deque()
    pool = _pool(jobs)
    try:
        for source in sources:
            waiting.append((source, _submitted(pool, work, source)))
            if len(waiting) >= AHEAD * jobs:
                result, pool = _next(waiting, pool, work, jobs)
                yield result
        while waiting:
            result, pool = _next(waiting, pool, work, jobs)
            yield result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Not forked: a progress bar is a thread, and a fork of a process with threads may hang.
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))


def _submitted(pool: ProcessPoolExecutor, work: Work[T], source: Source) -> Future[T]:
    with _undisturbed():
        try:
            return pool.submit(work, source)
        except BrokenProcessPool as failure:
            broken: Future[T] = Future()
            broken.set_exception(failure)
            return broken


def _next(
    waiting: deque[tuple[Source, Future[T]]], pool: ProcessPoolExecutor, work: Work[T], jobs: int
) -> tuple[T, ProcessPoolExecutor]:
    """The oldest result. Where a process died, everything under way begins anew, one by one."""
    source, future = waiting.popleft()
    try:
        return future.result(), pool
    except BrokenProcessPool:
        pool.shutdown(wait=True, cancel_futures=True)
        result = _alone(work, source)
        pool = _pool(jobs)
        again = [(one, _submitted(pool, work, one)) for one, _ in waiting]
        waiting.clear()
        waiting.extend(again)
        return result, pool


def _alone(work: Work[T], source: Source) -> T:
    """The result of one source in a process of its own."""
    with _pool(1) as pool:
        try:
            return _submitted(pool, work, source).result()
        except BrokenProcessPool:
            return work(replace(source, trouble=DIED))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Starts processes that know no Ctrl-C: this process alone decides what ends."""
    before: Any = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def jobs_for(count: int, asked: int | None) -> int:
    """How many processes: as many as asked, else all cores where there are several files."""
    most = max(1, count)
    if asked is not None:
        return min(asked, most)
    return min(cores(), most) if count > FEW else 1
