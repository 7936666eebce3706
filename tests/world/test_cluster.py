"""`mbp audit --cluster` with a real Dask scheduler and real workers, some of which are killed."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from mbp import __version__
from mbp.cli import cluster
from tests.cli.test_audit import mbp_run
from tests.report.stories import DISCLOSED, PATTERNS, ROOT

pytestmark = pytest.mark.world

FILES = 40
PATIENCE = 60.0  # seconds until a scheduler or a worker is there
LOOPBACK = ("--host", "127.0.0.1", "--no-dashboard")


def until(done: Callable[[], Any]) -> Any:
    """What `done` answers, once that is something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if answer := done():
            return answer
        time.sleep(0.05)
    raise AssertionError("it does not come")


@dataclass
class Cluster:
    """A scheduler on this machine alone, and workers of one thread each by their addresses."""

    folder: Path
    stack: ExitStack
    scheduler: subprocess.Popen[bytes]
    address: str
    client: Any
    workers: dict[str, subprocess.Popen[bytes]]

    def add_worker(self, path: str = str(ROOT)) -> subprocess.Popen[bytes]:
        """One more worker, when it is there; `path` is where its mbp lies."""
        before = set(self.client.nthreads())
        words = ("worker", self.address, *LOOPBACK, "--nthreads", "1", "--no-nanny")
        process = self.stack.enter_context(started(self.folder, *words, path=path))
        (address,) = until(lambda: set(self.client.nthreads()) - before)
        self.workers[address] = process
        return process


@contextmanager
def started(folder: Path, *words: str, path: str = str(ROOT)) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask's while the block runs; its output goes to a file."""
    environ = {**os.environ, "PYTHONPATH": path}
    with (folder / f"{words[0]}.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:]],
            cwd=folder, env=environ, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    folder = tmp_path / "dask"
    folder.mkdir()
    note = folder / "scheduler.json"
    with ExitStack() as stack:
        words = ("scheduler", *LOOPBACK, "--port", "0", "--scheduler-file", str(note))
        process = stack.enter_context(started(folder, *words))
        until(lambda: note.exists() and note.read_text(encoding="utf-8").endswith("}"))
        address = json.loads(note.read_text(encoding="utf-8"))["address"]
        import distributed  # an extra, which only the tests of the world have

        connect: Any = distributed.Client
        client = stack.enter_context(connect(address, set_as_default=False))
        yield Cluster(folder, stack, process, address, client, {})


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Copies of two matches under many names, and a file that is none."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(FILES):
        shutil.copy(PATTERNS if number % 4 else DISCLOSED, folder / f"{number:03}.mbp.yaml")
    (folder / "zzz.mbp.yaml").write_text("no game\n", encoding="utf-8")
    return folder


@contextmanager
def auditing(archive: Path, address: str) -> Iterator[tuple[subprocess.Popen[bytes], bytes]]:
    """An audit that has told of three files, and what it has said so far."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mbp", "audit", ".", "--json", "--cluster", address],
        cwd=archive, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MBP_HOME": "nobody"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        start = b""
        while start.count(b'"findings"') < 3:
            block = process.stdout.read(4096)
            assert block, process.stderr.read() if process.stderr else b""
            start += block
        yield process, start
    finally:
        process.kill()
        process.communicate()


def test_every_file_is_audited_once_though_a_worker_is_killed(dask: Cluster, archive: Path) -> None:
    dask.add_worker()
    dask.add_worker()
    with auditing(archive, dask.address) as (process, start):
        busy = until(lambda: [one for one, tasks in dask.client.processing().items() if tasks])
        killed = dask.workers.pop(busy[0])
        killed.kill()
        rest, err = process.communicate(timeout=120)
        assert killed.wait() != 0
        assert [one.poll() for one in dask.workers.values()] == [None]
    found = json.loads(start + rest)
    assert (process.returncode, err) == (3, b"")
    assert [one["file"] for one in found] == sorted(path.name for path in archive.iterdir())
    assert [one["ok"] for one in found] == [True] * FILES + [False]
    assert json.loads(mbp_run(archive, "audit", ".", "--json", "--jobs", "1")[1]) == found


def test_what_is_known_is_told_when_the_scheduler_dies(dask: Cluster, archive: Path) -> None:
    dask.add_worker()
    with auditing(archive, dask.address) as (process, start):
        dask.scheduler.kill()
        rest, err = process.communicate(timeout=120)
    found = json.loads(start + rest)
    assert process.returncode == 1
    assert 3 <= len(found) < FILES
    assert " ".join(err.decode().split()) == (
        f"mbp: stopped: {len(found)} of {FILES + 1} files are audited "
        f"mbp: the connection to the scheduler at {dask.address} is lost "
        "hint: see whether it still runs, and try again"
    )


def test_ctrl_c_ends_with_what_is_known(dask: Cluster, archive: Path) -> None:
    dask.add_worker()
    with auditing(archive, dask.address) as (process, start):
        process.send_signal(2)
        rest, err = process.communicate(timeout=60)
    found = json.loads(start + rest)
    assert process.returncode == 130
    assert err.decode() == f"mbp: stopped: {len(found)} of {FILES + 1} files are audited\n"


def test_a_scheduler_that_has_no_workers_is_not_waited_for_without_end(
    dask: Cluster, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "FOR_WORKERS", 1)
    code, out, err = mbp_run(archive, "audit", ".", "--cluster", dask.address)
    assert (code, out) == (1, "")
    assert err.splitlines()[0] == f"mbp: the scheduler at {dask.address} has no workers"


def test_workers_that_all_die_are_not_waited_for_without_end(
    dask: Cluster, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "FOR_WORKERS", 1)
    worker = dask.add_worker()

    def kill() -> None:
        until(lambda: any(dask.client.processing().values()))
        worker.kill()

    Thread(target=kill, daemon=True).start()
    code, out, err = mbp_run(archive, "audit", ".", "--json", "--cluster", dask.address)
    assert code == 1
    assert len(json.loads(out or "[]")) < FILES
    assert f"mbp: the scheduler at {dask.address} has no workers" in err


@pytest.mark.parametrize(
    ("text", "said"), [('__version__ = "99"', "has mbp 99"), ("import gone", "cannot load mbp")]
)
def test_a_worker_with_another_mbp_is_not_believed(
    dask: Cluster, archive: Path, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "other" / "mbp").mkdir(parents=True)
    (tmp_path / "other" / "mbp" / "__init__.py").write_text(text, encoding="utf-8")
    dask.add_worker(str(tmp_path / "other"))
    code, out, err = mbp_run(archive, "audit", ".", "--cluster", dask.address)
    assert (code, out) == (1, "")
    (worker,) = dask.workers
    assert err.startswith(f"mbp: the worker at {worker} {said}")
    assert err.endswith(f"hint: install mbp {__version__} on every worker\n")


def test_a_worker_with_another_mbp_that_comes_late_is_not_believed(
    dask: Cluster, archive: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(ROOT / "mbp", other / "mbp")
    (other / "mbp" / "__init__.py").write_text('__version__ = "99"\n', encoding="utf-8")
    dask.add_worker()
    with auditing(archive, dask.address) as (process, start):
        dask.add_worker(str(other))
        rest, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert all(one["ok"] for one in json.loads(start + rest))
    assert b"mbp: a worker has mbp 99\n" in err


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("nonsense", "is no address"),
        ("http://x:1", "is no address"),
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9"),
        ("tcp://127.0.0.1:99999", "no Dask scheduler answers"),
    ],
)
def test_a_scheduler_that_is_not_there_is_said_and_nothing_more(
    archive: Path, address: str, said: str
) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "mbp", "audit", ".", "--cluster", address],
        cwd=archive, env={"PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (1, "")
    told, hint = ended.stderr.removesuffix("\n").split("\nhint: ")
    assert told.startswith("mbp: ")
    assert said in told
    assert "\n" not in hint


def test_what_answers_and_is_no_scheduler_is_said(dask: Cluster, archive: Path) -> None:
    dask.add_worker()
    (worker,) = dask.workers
    code, _, err = mbp_run(archive, "audit", ".", "--cluster", worker)
    assert (code, f"at {worker} is a worker" in err) == (1, True)


def test_what_is_silent_is_no_scheduler(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        code, _, err = mbp_run(archive, "audit", ".", "--cluster", address)
    assert (code, f"no Dask scheduler answers at {address}" in err) == (1, True)
