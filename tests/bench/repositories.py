"""What git waits for: the merge driver, the hook before a commit, and `mbp audit --since`.

Whole processes, as git starts them, on a match of 60 entries; the home is that of a player who has
verified the entries before. The archive has 500 matches, of which one has changed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mbp import gamefile
from mbp.cli.pair import Pair, SeededWorld
from tests.bench.measure import Figure, figure

ROOT = Path(__file__).parents[2]
ENTRIES, ARCHIVE = 60, 500
NAME = "match.mbp.yaml"


@dataclass(frozen=True)
class Place:
    """A folder with a repository, and a home beside it."""

    root: Path

    @property
    def home(self) -> Path:
        return self.root / "pair" / "alice"

    @property
    def environ(self) -> dict[str, str]:
        """An environment without this machine's settings of git."""
        who = {
            f"GIT_{role}_{what}": text
            for role in ("AUTHOR", "COMMITTER")
            for what, text in (("NAME", "Bench"), ("EMAIL", "bench@example.org"))
        }
        own = {"PYTHONPATH": str(ROOT), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        return {**os.environ, **who, **own, "NO_COLOR": "1"}

    def run(self, *argv: str) -> None:
        """Runs a program in the folder; fails with it."""
        subprocess.run(argv, cwd=self.root, env=self.environ, check=True, capture_output=True)

    def mbp(self, *argv: str, home: Path | None = None) -> list[str]:
        """The command line of mbp, with this home or another one."""
        chosen = str(home or self.home)
        return [sys.executable, "-P", "-m", "mbp", "--home", chosen, *argv]

    def commit(self, message: str) -> None:
        """Commits all game files."""
        self.run("git", "add", ".gitignore", "*.mbp.yaml")
        self.run("git", "commit", "--quiet", "-m", message)


def repository_figures(runs: int) -> Iterator[Figure]:
    """Times of the processes that git and CI start."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        before, after = _states(place)
        place.run("git", "init", "--quiet")
        (place.root / ".gitignore").write_text("pair\n*.side\n")
        (place.root / NAME).write_bytes(before)
        place.commit("one match")
        yield from _driver_and_hook(place, runs, before, after)
        small = _since(place, runs, after, 1)
        for number in range(ARCHIVE - 1):
            path = place.root / f"{number % 20:02}" / f"{number}.mbp.yaml"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(before + b"# %d\n" % number)  # a blob of its own
        place.commit("an archive")
        yield small
        yield _since(place, runs, after, ARCHIVE)


def _states(place: Place) -> tuple[bytes, bytes]:
    """A match before and behind its entry number 60, and the home that knows the first state."""
    world = SeededWorld("repositories", datetime.now(UTC) - timedelta(days=200))
    pair = Pair.meet(place.root / "pair", world, ("Alice", "Bob"))
    pair.invite("mandala", {}, named=True)
    pair.accept()
    while len(pair.match.log) < ENTRIES - 1 or pair.match.pen != "B":
        pair.turn(player="random")
    if pair.is_behind("B"):
        pair.hand_over("B")
    before = pair.files["A"].read_bytes()
    pair.move("B", player="random")
    return before, pair.files["B"].read_bytes()


def _driver_and_hook(place: Place, runs: int, before: bytes, after: bytes) -> Iterator[Figure]:
    entries = len(gamefile.load(after).log)
    sides = {"base": before, "ours": before, "theirs": after}
    for who, home in (("known", place.home), ("to a stranger", place.root / "nobody")):
        argv = place.mbp("git", "merge", "base.side", "ours.side", "theirs.side", NAME, home=home)
        times = []
        for _ in range(runs):
            for name, data in sides.items():
                (place.root / f"{name}.side").write_bytes(data)
            times.append(_timed(place, argv))
        yield figure(f"merge driver, {entries} entries, {who}", "ms", times)
    (place.root / NAME).write_bytes(after)
    place.run("git", "add", NAME)
    place.run(*place.mbp("git", "setup"))
    hook = str(place.root / ".git" / "hooks" / "pre-commit")
    times = [_timed(place, [hook]) for _ in range(runs)]
    yield figure(f"pre-commit hook, {entries} entries", "ms", times)
    place.run("git", "reset", "--quiet", "--hard")
    times = [_timed(place, [hook]) for _ in range(runs)]
    yield figure("pre-commit hook, no game file", "ms", times)
    place.run(*place.mbp("git", "remove"))


def _since(place: Place, runs: int, after: bytes, count: int) -> Figure:
    """Commits one change to the match, and audits since the commit before."""
    (place.root / NAME).write_bytes(after)
    place.commit("one change")
    argv = place.mbp("audit", "--since", "HEAD~1")
    times = [_timed(place, argv) for _ in range(runs)]
    place.run("git", "reset", "--quiet", "--hard", "HEAD~1")
    matches = "1 match" if count == 1 else f"{count} matches"
    return figure(f"audit --since: one change in {matches}", "ms", times)


def _timed(place: Place, argv: Sequence[str]) -> float:
    """Milliseconds of a process, by the clock."""
    start = time.perf_counter()
    place.run(*argv)
    return (time.perf_counter() - start) * 1000
