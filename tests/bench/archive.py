"""An archive at scale: matches audited per second with one and two jobs, peak memory, pages.

The matches are played by bots once and kept outside the repository, in `mbp-bench` in the user's
cache folder or wherever MBP_BENCH_ARCHIVE says. For peak memory alone copies of some of them count
several times.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

from mbp import gamefile
from mbp.audit import examine
from mbp.cli.pair import SeededWorld
from mbp.desk.choices import choose_move, complete_options
from mbp.files import write_atomic
from mbp.keys import Identity
from mbp.match import Match, Pen, invite, secret_of
from mbp.report.page import page
from mbp.report.story import tell
from mbp.rules import GAMES
from mbp.rules.contract import SEATS, Seat
from tests.bench.measure import Figure, figure, milliseconds

ROOT = Path(__file__).parents[2]
MANDALA_OPTIONS = tuple(
    {"start": start, "draw": draw, "deck_end": end}
    for start, draw, end in product(
        ("coin", "guest"), ("full", "up_to"), ("last_mandala", "immediate")
    )
)
ONCE: tuple[tuple[str, Mapping[str, str], int], ...] = (
    *(("mandala", options, number) for options in MANDALA_OPTIONS for number in range(5)),
    *(("patterns", {"start": start}, n) for start in ("coin", "inviter") for n in range(12)),
)
PLANS = 3 * ONCE  # each place has dice of its own, so that all matches differ
SHORT = 3  # entries of the matches that show what it takes to begin
FEW, MANY = 100, 2_000  # files, for peak memory
LARGE_SHARE = 20  # every such file is a Mandala match; all of them would take long


def archive() -> Path:
    """The folder with the matches of PLANS, played now where they are not there yet."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(os.environ.get("MBP_BENCH_ARCHIVE") or cache / "mbp-bench")
    folder.mkdir(parents=True, exist_ok=True)
    missing = [number for number in range(len(PLANS)) if not _path(folder, number).exists()]
    if missing:
        with ProcessPoolExecutor() as pool:
            for number, data in zip(missing, pool.map(_played, missing), strict=True):
                write_atomic(_path(folder, number), data)
    return folder


def _path(folder: Path, number: int) -> Path:
    game, _, _ = PLANS[number]
    return folder / f"{number:03}-{game}.mbp.yaml"


def _played(number: int) -> bytes:
    game, options, again = PLANS[number]
    players: Sequence[str] = ("greedy", "random") if again % 2 else ("random", "random")
    return gamefile.dump(play(game, options, f"archive bench {number}", players).record)


def play(
    game: str, options: Mapping[str, str], seed: str, bots: Sequence[str], most: int | None = None
) -> Match:
    """A match of any game between two bots; a finished one, or the first entries."""
    world, rules = SeededWorld(seed), GAMES[game]
    keys: dict[Seat, Identity] = {seat: Identity(world.randomness(32)) for seat in SEATS}
    players = {seat: {"name": f"Bot {seat}", "key": keys[seat].text} for seat in SEATS}
    nonce = world.randomness(32)

    def pen(seat: Seat) -> Pen:
        world.wait()
        return Pen(keys[seat], world.now(), world.randomness)

    match = invite(rules, complete_options(rules, options), players["A"], "", nonce, pen("A"))
    match = match.accepted(players["B"], pen("B"))
    while (seat := match.pen) is not None and len(match.log) != most:
        act: str = match.position.duty or ""
        if act == "play":
            hidden = bool(rules.copies)
            secrets = {seat: secret_of(match.position, seat, keys[seat])} if hidden else {}
            bot = bots[SEATS.index(seat)]
            act = choose_move(match, seat, secrets, bot, world.randomness)
        match = match.played(seat, act, pen(seat))
    return match


def archive_figures(runs: int) -> Iterator[Figure]:
    """Rates with one and two jobs, which take turns; memory; export of the largest match."""
    folder = archive()
    files = sorted(folder.glob("*.mbp.yaml"))[: len(PLANS)]
    yield from _starts(runs)
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(runs):
        for jobs, found in times.items():
            found.append(_audit(folder, jobs)[0])
    for jobs, found in times.items():
        name = f"audit of {len(files)} matches, {jobs} job{'s' * (jobs > 1)}"
        yield figure(name, "/s", [len(files) / seconds for seconds in found])
    faster = [one / two for one, two in zip(times[1], times[2], strict=True)]
    yield figure("2 jobs against 1", "x", faster, "1.8")
    yield from _memory(files)
    largest = max(files, key=lambda path: path.stat().st_size)
    examined = examine(largest.name, largest.read_bytes())
    text = page(tell(examined))
    yield milliseconds("export of the largest match", runs, lambda one: page(tell(one)),
                       lambda: examined)  # fmt: skip
    yield figure("its page", "kB", [len(text.encode()) / 1000], "300 kB")


def _starts(runs: int) -> Iterator[Figure]:
    """What an audit takes beside its matches: two that have hardly begun, with 1 and 2 jobs."""
    with tempfile.TemporaryDirectory() as name:
        for number in range(2):
            match = play("patterns", {"start": "coin"}, f"short {number}", ("random",) * 2, SHORT)
            place = Path(name) / f"{number}.mbp.yaml"
            place.write_bytes(gamefile.dump(match.record))
        times: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(3 * runs):
            for jobs, found in times.items():
                found.append(_audit(Path(name), jobs)[0] * 1000)
    for jobs, found in times.items():
        yield figure(f"audit of 2 short matches, {jobs} job{'s' * (jobs > 1)}", "ms", found)


def _memory(files: Sequence[Path]) -> Iterator[Figure]:
    """Peak memory of the largest process for few and many files, copies of a few matches."""
    large = [path for path in files if "mandala" in path.name]
    small = [path for path in files if "mandala" not in path.name]
    peaks = []
    for count in (FEW, MANY):
        with tempfile.TemporaryDirectory() as name:
            for number in range(count):
                kind = small if number % LARGE_SHARE else large
                place = Path(name) / f"{number:05}.mbp.yaml"
                place.write_bytes(kind[number // LARGE_SHARE % 8].read_bytes())
            peaks.append(_audit(Path(name), 2)[1])
        yield figure(f"peak memory, {count} files (16, copied)", "MB", peaks[-1:])
    yield figure(f"{MANY} files against {FEW}", "x", [peaks[1] / peaks[0]], "1.1")


def _audit(folder: Path, jobs: int) -> tuple[float, float]:
    """Seconds of a whole `mbp audit`, and the peak memory of its largest process in MB."""
    argv = [sys.executable, "-m", "mbp", "audit", str(folder), "--jobs", str(jobs)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    start = time.perf_counter()
    process = subprocess.Popen(argv, env=environ, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the audit ended with {process.returncode}")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return time.perf_counter() - start, usage.ru_maxrss * unit / 1e6
