"""`mbp audit --cluster` with a real Dask scheduler and two real workers, one of which is killed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.test_audit import mbp_run
from tests.report.stories import DISCLOSED, PATTERNS, ROOT

pytestmark = pytest.mark.world

FILES = 40
PATIENCE = 60.0  # seconds until a scheduler or a worker is there


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask's while the block runs; its output goes to a file."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
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


def address_in(path: Path) -> str:
    """The scheduler's address, once it has written it down."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if path.exists() and path.read_text(encoding="utf-8").endswith("}"):
            address: str = json.loads(path.read_text(encoding="utf-8"))["address"]
            return address
        time.sleep(0.1)
    raise AssertionError("the scheduler does not start")


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler with two workers of one thread each, on this machine alone."""
    loopback = ("--host", "127.0.0.1", "--no-dashboard")
    note = folder / "scheduler.json"
    with started(folder, "scheduler", *loopback, "--port", "0", "--scheduler-file", str(note)):
        address = address_in(note)
        words = ("worker", address, *loopback, "--nthreads", "1", "--no-nanny")
        with started(folder, *words) as one, started(folder, *words) as two:
            yield address, [one, two]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Copies of two matches under many names, and a file that is none."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(FILES):
        shutil.copy(PATTERNS if number % 4 else DISCLOSED, folder / f"{number:03}.mbp.yaml")
    (folder / "zzz.mbp.yaml").write_text("no game\n", encoding="utf-8")
    return folder


def test_every_file_is_audited_once_though_a_worker_is_killed(
    tmp_path: Path, archive: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "MBP_HOME": str(tmp_path / "nobody")}
    with cluster(work) as (address, workers):
        command = [sys.executable, "-m", "mbp", "audit", ".", "--json", "--cluster", address]
        process = subprocess.Popen(
            command, cwd=archive, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            bufsize=0,
        )  # fmt: skip
        assert process.stdout is not None
        start = b""
        while start.count(b'"findings"') < 3:
            block = process.stdout.read(4096)
            assert block, process.stderr.read() if process.stderr else b""
            start += block
        workers[0].kill()
        rest, err = process.communicate(timeout=120)
        assert workers[0].wait() != 0
        assert workers[1].poll() is None
    found = json.loads(start + rest)
    assert (process.returncode, err) == (3, b"")
    assert [one["file"] for one in found] == sorted(path.name for path in archive.iterdir())
    assert [one["ok"] for one in found] == [True] * FILES + [False]
    assert json.loads(mbp_run(archive, "audit", ".", "--json", "--jobs", "1")[1]) == found


def test_a_scheduler_that_is_not_there_is_said(tmp_path: Path, archive: Path) -> None:
    code, out, err = mbp_run(archive, "audit", ".", "--cluster", "tcp://127.0.0.1:9")
    assert (code, out) == (1, "")
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in err
