"""Work on game files over a Dask scheduler that is there already (the extra `cluster`).

Files are read here and sent as bytes, so workers need no common disk, only the same mbp. When a
worker dies, the scheduler gives what it had to others; a task answers once, however often it began.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

from mbp.cli.sources import Source
from mbp.errors import MbpError

T = TypeVar("T")
PATIENCE = "10s"  # for the scheduler's first answer
AHEAD = 4  # sources under way for each thread of a worker
FEWEST = 8  # sources under way, however few workers there are


def run_on_cluster(
    work: Callable[[Source], T], sources: Iterable[Source], address: str
) -> Iterator[T]:
    """What `work` makes of each source, in order. Raises MbpError."""
    try:
        import distributed
    except ImportError:
        hint = "pip install 'mbp[cluster]'"
        raise MbpError("a cluster needs Dask, which is not installed", hint=hint) from None
    # What matters is told by the results; its own log would stand between them.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    for name in ("client", "scheduler", "comm", "core"):
        logging.getLogger(f"distributed.{name}").setLevel(logging.CRITICAL)
    connect: Any = distributed.Client
    try:
        client = connect(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as failure:
        hint = "start one: dask scheduler, then dask worker ADDRESS"
        raise MbpError(f"no Dask scheduler answers at {address}: {failure}", hint=hint) from None
    try:
        yield from _results(client, work, iter(sources))
    finally:
        client.close()


def _results(client: Any, work: Callable[[Source], T], sources: Iterator[Source]) -> Iterator[T]:
    """Keeps the workers busy with a bounded number of sources, and takes answers in order."""
    waiting: deque[tuple[Source, Any]] = deque()
    while True:
        room = max(FEWEST, AHEAD * sum(client.nthreads().values())) - len(waiting)
        for source in islice(sources, max(0, room)):
            # Not pure: equal files are two sources, and each is audited.
            sent = _as_bytes(source)
            waiting.append((source, client.submit(work, sent, pure=False, retries=0)))
        if not waiting:
            return
        source, future = waiting.popleft()
        yield _result(work, source, future)
        future.release()


def _result(work: Callable[[Source], T], source: Source, future: Any) -> T:
    from distributed import KilledWorker

    try:
        found: T = future.result()
    except KilledWorker:  # several workers in turn have died over it
        return work(replace(source, trouble="the workers that read it ended without an answer"))
    return found


def _as_bytes(source: Source) -> Source:
    if source.trouble or not source.path:
        return source
    try:
        return Source(source.name, data=source.read())
    except MbpError as failure:
        return Source(source.name, trouble=str(failure))
