"""Files that attack the reader end as others do: within memory, and soon (protocol 10)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.chain.hostile_files import ACCEPTED, REFUSED

ROOT = Path(__file__).parent.parent.parent


def test_10_hostile_files_end_within_300_mib() -> None:
    # The limit on time is a guard against hanging only: two minutes for all that takes seconds.
    child = subprocess.run(
        [sys.executable, "-m", "tests.chain.hostile_files"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    outcomes = [tuple(line.split("\t")[1:]) for line in child.stdout.splitlines()]
    assert outcomes == [
        *(("refused", name) for name in REFUSED),
        *(("accepted", name) for name in ACCEPTED),
    ]
