"""Fuzzes all that reads what others wrote: bytes, logs, whole audits.

`python -m tests.chain.fuzz [--seconds N] [--seed N]` runs until it is stopped, or for N seconds.
The first broken promise ends it, with its seed in the message.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import SystemRandom
from time import monotonic

from tests.chain import fuzz_gamefile, fuzz_replay


def try_bytes(seed: int) -> str:
    """Loads altered bytes: `refused` or `accepted`."""
    return "accepted" if fuzz_gamefile.try_one(seed) else "refused"


TARGETS: dict[str, Callable[[int], str]] = {
    "load": try_bytes,
    "replay": fuzz_replay.try_log,
    "audit": fuzz_replay.try_file,
}


def fuzz(seconds: float, seed: int, counts: Counter[tuple[str, str]]) -> None:
    """Tries every target with one seed after the other, and counts what came of it."""
    end = monotonic() + seconds
    while monotonic() < end:
        for name, attempt in TARGETS.items():
            try:
                counts[name, attempt(seed)] += 1
            except Exception:  # whatever it is, the seed that brings it back is told first
                sys.stderr.write(f"{name} failed with seed {seed}\n")
                raise
        seed += 1


def main() -> None:
    """Fuzzes until it is stopped or the time is over, and reports."""
    parser = argparse.ArgumentParser(prog="python -m tests.chain.fuzz")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**9))
    wanted = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    sys.stdout.write(f"fuzzing from seed {wanted.seed}\n")
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        fuzz(wanted.seconds, wanted.seed, counts)
    for (name, result), count in sorted(counts.items()):
        sys.stdout.write(f"{count:8} {name} {result}\n")


if __name__ == "__main__":
    main()
