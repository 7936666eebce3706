"""`mbp watch`: the games folder, a git remote, a command, and a clean end."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.duel import identity_of
from tests.world.git.clones import Clone
from tests.world.git.conftest import States


def name_of(states: States) -> str:
    """Where the file of the match lies, under the name that mbp gives it."""
    return f"games/anna-open-{states.middle.id[:8]}.mbp.yaml"


@pytest.fixture
def mover(tmp_path: Path, states: States) -> Clone:
    """The player whose turn it is after ten entries; the home has taken in eight."""
    seat = states.middle.pen
    assert seat is not None
    name = states.middle.players[seat].name
    clone = Clone(tmp_path, "mover", name).init()
    assert clone.home.profile().key == identity_of(name).text
    clone.write(name_of(states), states.at[8])
    clone.mbp("receive", name_of(states), "--newest")
    return clone


def until(done: object, seconds: float = 20) -> None:
    """Waits until `done()` is true."""
    assert callable(done)
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.1)


def test_a_turn_in_the_games_folder_is_told_with_its_deadline(mover: Clone, states: States) -> None:
    mover.write(name_of(states), states.at[10])
    mover.mbp("receive", name_of(states))
    said = mover.mbp("watch", "--once")
    assert f"{states.middle.id[:8]}  your turn against" in said.out
    assert "(as" not in said.out
    assert "your time was over" in said.out or "play by" in said.out
    assert f"mbp show {states.middle.id[:8]}" in said.err


def test_a_command_gets_what_is_new_in_its_environment(mover: Clone, states: States) -> None:
    mover.write(name_of(states), states.at[10])
    mover.mbp("receive", name_of(states))
    command = 'printf "%s\\n" "$MBP_ID" "$MBP_FILE" "$MBP_SAID" > told.txt; exit 3'
    said = mover.mbp("watch", "--once", "--command", command)
    assert "the command ended with 3" in said.err
    game_id, file, text = (mover.tree / "told.txt").read_text().splitlines()
    assert game_id == states.middle.id
    assert file == str(mover.tree / name_of(states))
    assert "your turn against" in text


def test_a_turn_on_a_remote_is_told_and_nothing_is_changed(
    tmp_path: Path, mover: Clone, states: States
) -> None:
    server = Clone(tmp_path, "server")
    server.tree.mkdir()
    server.git("init", "--quiet", "--bare", "--initial-branch=main")
    mover.git("add", name_of(states))
    mover.git("commit", "--quiet", "-m", "start")
    mover.git("remote", "add", "origin", str(server.tree))
    mover.git("push", "--quiet", "origin", "main")
    assert not mover.mbp("watch", "--once", "--remote", "origin").out
    other = Clone(tmp_path, "other").clone(server.tree)
    other.commit(name_of(states), states.at[10])
    other.git("push", "--quiet", "origin", "HEAD")
    before = (mover.tree / name_of(states)).read_bytes()
    said = mover.mbp("watch", "--once", "--remote", "origin")
    assert "your turn against" in said.out
    assert f"git pull, then mbp receive {name_of(states)}" in said.err
    assert (mover.tree / name_of(states)).read_bytes() == before
    assert mover.home.remembered(states.middle.id)
    assert not mover.git("status", "--porcelain")
    # What does not hold, a second history, and a remote that is away, are told as troubles.
    other.commit(name_of(states), states.at[10].replace(b'time: "2020', b'time: "2019', 1))
    other.git("push", "--quiet", "origin", "HEAD")
    assert f"trouble: {name_of(states)}: " in mover.mbp("watch", "--once", "--remote", "origin").err
    assert "trouble: git fetch failed" in mover.mbp("watch", "--once", "--remote", "gone").err


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_tells_each_turn_once_and_stops_cleanly(
    mover: Clone, states: States, ending: signal.Signals
) -> None:
    log = mover.root / "watch.log"
    with (
        log.open("w") as output,
        subprocess.Popen(
            [sys.executable, "-P", "-m", "mbp", "watch", "--every", "1"],
            cwd=mover.tree,
            env=mover.environ | {"PYTHONUNBUFFERED": "1"},
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            until(lambda: "watching" in log.read_text())
            time.sleep(1.5)
            before = log.read_text().count("your turn against")
            mover.write(name_of(states), states.at[10])
            until(lambda: log.read_text().count("your turn against") > before)
            time.sleep(1.5)
            process.send_signal(ending)
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
    text = log.read_text()
    assert text.count("your turn against") == 1 + before
    assert text.endswith("stopped\n")
    assert "Traceback" not in text
