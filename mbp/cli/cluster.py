"""Work on game files over a Dask scheduler that is there already (the extra `cluster`).

Files are read here and sent as bytes, so workers need no common disk, only the same mbp. When a
worker dies, the scheduler gives what it had to others; a task answers once, however often it began.
Nothing is waited for without end: a scheduler or workers that are gone are an MbpError.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

from mbp import __version__
from mbp.cli.sources import Source
from mbp.cli.workers import Run, Work, undisturbed
from mbp.errors import MbpError

T = TypeVar("T")
PATIENCE = 10.0  # seconds for the scheduler's first answer, and to say goodbye
FOR_WORKERS = 30.0  # seconds until there is one, and until one comes again
AHEAD = 4  # sources under way for each thread of a worker
FEWEST = 8  # sources under way, however few workers there are
# What matters is told by the results; these logs would stand between them.
LOGS = (
    "distributed",
    *(f"distributed.{name}" for name in ("client", "scheduler", "comm", "core")),
    "tornado.application",
)
VERSION = "__import__('mbp').__version__"  # for workers that may not even have it
START = "start one: dask scheduler, then dask worker ADDRESS"
DIED = "the workers that read it ended without an answer"


class _OtherVersionError(Exception):
    """The mbp of a worker is not the one that asks: it may know other rules."""


@contextmanager
def connected(address: str) -> Iterator[Run]:
    """The workers of the scheduler at `address`. Raises MbpError, also while they are at work."""
    try:
        import distributed
    except ImportError:
        hint = "pip install 'mbp[cluster]'"
        raise MbpError("a cluster needs Dask, which is not installed", hint=hint) from None
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _ask(distributed, address)
    connect: Any = distributed.Client
    with undisturbed(), _told(address):  # it has threads
        client = connect(address, timeout=PATIENCE, set_as_default=False)
    try:
        with _told(address):
            try:
                client.wait_for_workers(1, timeout=FOR_WORKERS)
            except TimeoutError:
                raise _no_workers(address) from None
            _compare(client.run(eval, VERSION, on_error="return"))
        yield _Cluster(client, address).run
    finally:
        _close(client)


def _ask(distributed: Any, address: str) -> None:
    """Asks who is there: a client that has found nobody cannot be closed. Raises MbpError."""

    async def identity() -> Any:
        secure = distributed.Security().get_connection_args("client")
        async with distributed.rpc(address, timeout=PATIENCE, connection_args=secure) as there:
            return await there.identity()

    try:
        kind = asyncio.run(asyncio.wait_for(identity(), PATIENCE))["type"]
    except ValueError as failure:
        hint = "name it as tcp://HOST:PORT"
        raise MbpError(f"{address} is no address of a scheduler: {failure}", hint=hint) from None
    except Exception as failure:  # noqa: BLE001 - whatever is there, it is no scheduler
        why = f": {failure}" if str(failure) else ""
        raise MbpError(f"no Dask scheduler answers at {address}{why}", hint=START) from None
    if kind != "Scheduler":
        raise MbpError(f"at {address} is a {kind.lower()}, not a scheduler", hint=START)


@contextmanager
def _told(address: str) -> Iterator[None]:
    """Turns what Dask raises into a MbpError."""
    import distributed

    try:
        yield
    except _OtherVersionError as failure:
        raise MbpError(str(failure), hint=f"install mbp {__version__} on every worker") from None
    except (OSError, distributed.CancelledError):
        hint = "see whether it still runs, and try again"
        raise MbpError(f"the connection to the scheduler at {address} is lost", hint=hint) from None
    except RuntimeError as failure:
        raise MbpError(f"the scheduler at {address} fails: {failure}", hint=START) from None


def _no_workers(address: str) -> MbpError:
    hint = f"start one: dask worker {address}"
    return MbpError(f"the scheduler at {address} has no workers", hint=hint)


def _compare(versions: Mapping[str, object]) -> None:
    """Raises _OtherVersionError for the answers of workers of which one has another mbp."""
    for worker, version in versions.items():
        if isinstance(version, Exception):
            raise _OtherVersionError(f"the worker at {worker} cannot load mbp: {version}")
        if version != __version__:
            raise _OtherVersionError(f"the worker at {worker} has mbp {version}")


def _close(client: Any) -> None:
    with suppress(OSError, RuntimeError):  # the other end may be gone
        client.close(timeout=PATIENCE)


class _Cluster:
    """A client with workers."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address

    def run(self, work: Work[T], sources: Iterable[Source], /) -> Iterator[T]:
        """Keeps the workers busy with a bounded number of sources, and takes answers in order."""
        waiting: deque[tuple[Source, Any]] = deque()
        left = iter(sources)
        while True:
            for source in islice(left, self._room(len(waiting))):
                waiting.append((source, self._submitted(work, source)))
            if not waiting:
                return
            source, future = waiting.popleft()
            yield self._result(work, source, future)
            future.release()

    def _room(self, under_way: int) -> int:
        """How many more sources may be under way."""
        with _told(self._address):
            threads: int = sum(self._client.nthreads().values())
        return max(0, max(FEWEST, AHEAD * threads) - under_way)

    def _submitted(self, work: Work[T], source: Source) -> Any:
        sent = _as_bytes(source)
        with _told(self._address):
            # Not pure: equal files are two sources, and each is audited.
            return self._client.submit(_done, work, sent, __version__, pure=False, retries=0)

    def _result(self, work: Work[T], source: Source, future: Any) -> T:
        from distributed import KilledWorker

        with _told(self._address):
            while True:
                try:
                    found: T = future.result(timeout=FOR_WORKERS)
                    return found
                except KilledWorker:  # several workers in turn have died over it
                    return work(replace(source, trouble=DIED))
                except TimeoutError:
                    if not self._client.nthreads():
                        raise _no_workers(self._address) from None


def _done(work: Work[T], source: Source, version: str) -> T:
    """What a worker does, which may have come late. Raises _OtherVersionError."""
    if version != __version__:
        raise _OtherVersionError(f"a worker has mbp {__version__}")
    return work(source)


def _as_bytes(source: Source) -> Source:
    if source.trouble or not source.path:
        return source
    try:
        return Source(source.name, data=source.read())
    except MbpError as failure:
        return Source(source.name, trouble=str(failure))
