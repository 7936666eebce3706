"""The program itself as processes: killed, interrupted, several at once, without room to write."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from mbp.cli.boundary import ILLEGAL, INTERRUPTED, UNEXPECTED
from tests.world.players import Players, Signatures, disk_of, is_temporary

ROOT = Path(__file__).parents[2]


def start(
    players: Players,
    seat: str,
    *command: str,
    before: Callable[[], object] | None = None,
    stdout: int | IO[str] = subprocess.PIPE,
) -> subprocess.Popen[str]:
    """Starts `mbp` with these words for a seat; `before` runs in the child just before it."""
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MBP_")},
        "MBP_HOME": str(players.home(seat).root),
        "MBP_GAMES": str(players.games(seat)),
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "mbp", *command],
        cwd=players.root,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,
    )


def said(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Waits for a process: its exit code, and what it said on both streams."""
    out, err = process.communicate(timeout=60)
    return process.returncode, (out or "") + err


def check_match(players: Players, seat: str) -> int:
    """The file of a seat is a verified match and what the memory holds; how long it is."""
    Signatures().take(disk_of(players.root))
    match = players.desk(seat).open(players.file(seat)).match
    assert players.home(seat).remembered(match.id) == players.file(seat).read_bytes()
    return len(match.log)


@pytest.fixture
def players(tmp_path: Path) -> Players:
    players = Players(tmp_path)
    players.open()
    return players


def test_killed_programs_leave_a_match_that_goes_on(players: Players) -> None:
    file = str(players.file("A"))
    signatures = Signatures()
    for number in range(7):
        process = start(players, "A", "bot", file, "--player", "random")
        time.sleep(0.12 + 0.04 * number)
        process.kill()
        said(process)
        signatures.take(disk_of(players.root))
    code, words = said(start(players, "A", "bot", file))
    assert code in (0, ILLEGAL), words  # one of the killed had played already
    assert said(start(players, "A", "receive", file))[0] == 0
    signatures.take(disk_of(players.root))
    assert check_match(players, "A") == 4


def test_several_programs_at_once_one_plays(players: Players) -> None:
    file = str(players.file("A"))
    processes = [start(players, "A", "bot", file, "--player", "random") for _ in range(3)]
    codes, words = zip(*map(said, processes), strict=True)
    assert sorted(codes) == [0, ILLEGAL, ILLEGAL], words
    assert check_match(players, "A") == 4


def test_ctrl_c_ends_a_program_that_waits_without_a_word_of_python(players: Players) -> None:
    file = players.file("A")
    before = file.read_bytes()
    with players.home("A").lock():
        process = start(players, "A", "bot", str(file))
        time.sleep(1.0)  # by now it waits for the lock
        process.send_signal(signal.SIGINT)
        code, words = said(process)
    # On a slow machine it may still be starting: then the signal ends it as it ends any program.
    assert code == -signal.SIGINT or (code == INTERRUPTED and "Traceback" not in words)
    assert file.read_bytes() == before


def test_a_full_disk_is_said_with_a_next_step(players: Players) -> None:
    file = players.file("A")
    before = file.read_bytes()

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    code, words = said(start(players, "A", "bot", str(file), before=fill))
    assert code == UNEXPECTED
    assert words.startswith("mbp: cannot write")
    assert "\nhint: " in words
    assert "Traceback" not in words
    assert file.read_bytes() == before
    assert not any(is_temporary(name) for name in disk_of(players.root))
    assert said(start(players, "A", "bot", str(file)))[0] == 0
    assert check_match(players, "A") == 4


def test_no_room_for_what_is_printed(players: Players) -> None:
    """`log` into a file on a full disk fails as a program does, not with a traceback."""

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))

    with (players.root / "log.txt").open("w") as full:
        process = start(players, "A", "log", str(players.file("A")), before=fill, stdout=full)
        code, words = said(process)
    assert code == UNEXPECTED
    assert words.startswith("mbp: ")
    assert "Traceback" not in words
