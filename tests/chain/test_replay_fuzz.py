"""Whatever the log, `replay` returns a Match or raises a VerificationError; audits never fail."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.chain.fuzz import TARGETS
from tests.chain.fuzz_replay import try_file, try_log

ROOT = Path(__file__).parents[2]


def test_11_altered_logs_are_refused_by_name_or_hold() -> None:
    outcomes = Counter(try_log(seed) for seed in range(200))
    # All of it happens, or the alterations are too gentle or too rough to tell anything.
    assert min(outcomes[name] for name in ("shapeless", "refused", "accepted")) > 10


def test_11_audits_of_altered_files_never_fail() -> None:
    outcomes = Counter(try_file(seed) for seed in range(40))
    assert outcomes["refused"] > outcomes["accepted"]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**63))
def test_11_any_altered_log(seed: int) -> None:
    assert try_log(seed) in ("shapeless", "refused", "accepted")


def test_the_fuzzer_runs_as_a_script() -> None:
    command = [sys.executable, "-m", "tests.chain.fuzz", "--seconds", "0.1", "--seed", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.startswith("fuzzing from seed 1\n")
    assert all(f" {name} " in done.stdout for name in TARGETS)
