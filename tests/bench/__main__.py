"""Prints the figures: `python -m tests.bench [--quick]`."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from tests.bench.archive import archive_figures
from tests.bench.cards import card_figures
from tests.bench.mails import mail_figures, mailbox_figures
from tests.bench.matches import play_match, size_figures
from tests.bench.measure import HEAD, Figure
from tests.bench.playouts import limits, playout_figures
from tests.bench.processes import process_figures
from tests.bench.replays import replay_cost, replay_figures
from tests.bench.repositories import repository_figures


def main() -> None:
    """Measures and prints, a section after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs, wider spread")
    quick = parser.parse_args().quick
    print(
        f"{machine()}\nMilliseconds are CPU time, those of whole processes by the clock.\n\n{HEAD}"
    )
    matches = [play_match(f"bench {number}") for number in range(2 if quick else 7)]
    for figures in (
        card_figures(5 if quick else 25),
        size_figures(matches),
        mail_figures(matches),
        mailbox_figures(10 if quick else 50),
        replay_figures(matches, 3 if quick else 15),
        process_figures(3 if quick else 15),
        repository_figures(3 if quick else 15),
        archive_figures(1 if quick else 5),
        playout_figures(5 if quick else 20),
    ):
        _print(figures)
    print()
    print(replay_cost(max(matches, key=lambda match: len(match.log)), 3 if quick else 9))
    print(limits())


def machine() -> str:
    """Processor, cores, Python, and the library that multiplies points."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
        model = next((one.partition(":")[2].strip() for one in lines if "model name" in one), model)
    # The wheels bring a libsodium of their own, which does not tell its version.
    libraries = ", ".join(f"{name} {version(name)}" for name in ("PyNaCl", "cryptography"))
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, {libraries}"


def _print(figures: Iterable[Figure]) -> None:
    for one in figures:
        print(one.row, flush=True)


if __name__ == "__main__":
    main()
