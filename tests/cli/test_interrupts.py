"""`mbp audit` in several processes: Ctrl-C once and twice, and a parent that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.test_audit import ROOT
from tests.report.stories import DISCLOSED

FILES = 200  # far more than are done until the test is
# The second way to start processes, which Linux alone does not take by itself.
SPAWN = "from pathlib import Path; from mbp.cli import crew, main; crew.THREADS = Path('no')"
STARTS = {"by itself": ["-m", "mbp"], "spawn": ["-c", f"{SPAWN}; main()"]}


@pytest.fixture(params=STARTS)
def start(request: pytest.FixtureRequest) -> list[str]:
    """How the program is begun: both ways to make processes are tested."""
    return STARTS[request.param]


@contextmanager
def auditing(folder: Path, start: list[str]) -> Iterator[subprocess.Popen[str]]:
    """An audit in two processes that has told of the first file, in a group of its own."""
    for number in range(FILES):
        place = folder / f"{number:03}.mbp.yaml"
        place.write_bytes(DISCLOSED.read_bytes() if number else b"no game")
    process = subprocess.Popen(
        [sys.executable, *start, "audit", ".", "--jobs", "2"],
        cwd=folder, env={"PYTHONPATH": str(ROOT)}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("FAILED 000")
        yield process
    finally:
        if not ended(process.pid, seconds=0):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def ended(group: int, seconds: float = 10) -> bool:
    """Whether nothing of a process group is left, soon."""
    end = time.monotonic() + seconds
    while True:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.05)


@pytest.mark.parametrize("gaps", [(), (0.0,), (0.02,), (0.1, 0.1)])
def test_ctrl_c_ends_with_what_is_known_however_often(
    tmp_path: Path, start: list[str], gaps: tuple[float, ...]
) -> None:
    with auditing(tmp_path, start) as process:
        # A terminal sends it to the whole group; the workers leave the decision to their parent.
        os.killpg(process.pid, signal.SIGINT)
        for gap in gaps:
            time.sleep(gap)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode in (130, -signal.SIGINT)  # when Python was at its end already
        assert err.startswith("mbp: stopped: ")
        assert "Traceback" not in err
        assert out.splitlines()[-1].endswith("hold")
        assert ended(process.pid)


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_one_that_is_killed(
    tmp_path: Path, start: list[str], kind: signal.Signals
) -> None:
    with auditing(tmp_path, start) as process:
        process.send_signal(kind)
        assert process.wait(timeout=60) == -kind
        assert ended(process.pid)
