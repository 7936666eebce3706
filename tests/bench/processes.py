"""Whole processes: `mbp show`, `mbp move`, `mbp audit`, beside one that only imports the same.

They take turns, so that a machine that is busy for a while is unfair to none of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mbp.cli.pair import Pair, SeededWorld
from mbp.desk.choices import choose_move
from tests.bench.measure import Figure, figure

IMPORTS = (
    "import typer, rich, yaml, nacl.bindings, cryptography.hazmat.primitives.asymmetric.ed25519"
)
NAMES = ("mbp show", "mbp move", "mbp audit (in the middle of a match)")


def process_figures(runs: int, middle: int = 36) -> Iterator[Figure]:
    """Times of processes on a match of about `middle` entries, and their ratio to the imports."""
    with tempfile.TemporaryDirectory() as folder:
        commands = _commands(Path(folder), middle)
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(runs):
            for name, argv in commands.items():
                times[name].append(_run(argv, Path(folder)))
    imports = figure("import the dependencies, nothing else", "ms", times["imports"])
    yield imports
    for name in NAMES:
        aim = "1.6 times" if name in NAMES[:2] else ""
        yield figure(name, "ms", times[name])
        ratio = [value / imports.middle for value in times[name]]
        yield figure(f"{name.split(' (')[0]}, beside the imports", "times", ratio, aim)


def _commands(folder: Path, middle: int) -> Mapping[str, list[str]]:
    """The command lines, and a match in which it is Alice's turn."""
    start = datetime.now(UTC) - timedelta(days=200)
    pair = Pair.meet(folder / "first", SeededWorld("bench", start), ("Alice", "Bob"))
    pair.invite("mandala", {}, named=True)
    pair.accept()
    while not (_is_alices_turn(pair) and len(pair.match.log) >= middle):
        pair.turn()
    desk, match = pair.desk("A"), pair.match
    act = choose_move(match, "A", desk.secrets(match), "greedy", pair.world.randomness)
    home = [sys.executable, "-m", "mbp", "--home", str(folder / "now" / "alice")]
    file = str(folder / "now" / pair.files["A"].relative_to(folder / "first"))
    return {
        "imports": [sys.executable, "-c", IMPORTS],
        NAMES[0]: [*home, "show", file],
        NAMES[1]: [*home, "move", file, *act.split()],
        NAMES[2]: [*home, "audit", file],
    }


def _is_alices_turn(pair: Pair) -> bool:
    match = pair.match
    return match.pen == "A" and match.position.duty == "play" and not pair.is_behind("A")


def _run(argv: list[str], folder: Path) -> float:
    """Milliseconds of a process, on files as they were before any other."""
    now = folder / "now"
    if now.exists():
        shutil.rmtree(now)
    shutil.copytree(folder / "first", now)
    start = time.perf_counter()
    ended = subprocess.run(argv, capture_output=True, text=True, env=dict(os.environ), check=False)
    took = (time.perf_counter() - start) * 1000
    if ended.returncode:
        raise RuntimeError(f"{argv}: {ended.stderr}")
    return took
