"""Work on many files at once: in order, each once, whatever becomes of the processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator

import pytest

from mbp.cli.crew import AHEAD, DIED
from mbp.cli.sources import Source
from mbp.cli.workers import jobs_for, working


def answer(source: Source) -> str:
    """Ends its process for a source that says so; otherwise tells its name."""
    if source.data == b"die" and not source.trouble:
        os.kill(os.getpid(), signal.SIGKILL)
    return source.trouble or source.name


def run(work: Callable[[Source], str], sources: Iterable[Source], jobs: int) -> Iterator[str]:
    """What the work makes of each source."""
    with working(jobs) as at_work:
        yield from at_work(work, sources)


def test_results_come_in_order_and_a_death_takes_nothing_with_it() -> None:
    sources = [Source(str(n), data=b"die" if n == 4 else b"") for n in range(12)]
    expected = [DIED if n == 4 else str(n) for n in range(12)]
    assert list(run(answer, sources, 2)) == expected


def test_only_a_few_sources_are_under_way() -> None:
    taken = 0

    def sources() -> Iterator[Source]:
        nonlocal taken
        for number in range(40):
            taken += 1
            yield Source(str(number))

    results = run(answer, sources(), 2)
    for done, _ in enumerate(results, 1):
        assert taken <= done + 2 * AHEAD
    assert taken == 40


def test_one_job_works_here() -> None:
    assert list(run(lambda source: str(os.getpid()), [Source("a")], 1)) == [str(os.getpid())]


def test_as_many_jobs_as_there_is_use_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbp.cli.workers.cores", lambda: 4)
    assert [jobs_for(count, None) for count in (1, 8, 9, 500)] == [1, 1, 4, 4]
    assert [jobs_for(count, 3) for count in (1, 2, 500)] == [1, 2, 3]
