"""`mbp watch`: the games folder, a git remote, a command, and a clean end."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mbp.rules.contract import other
from tests.duel import identity_of
from tests.world.git.clones import Clone, Said
from tests.world.git.conftest import States


def name_of(states: States) -> str:
    """Where the file of the match lies, under the name that mbp gives it."""
    return f"games/anna-open-{states.middle.id[:8]}.mbp.yaml"


@pytest.fixture
def mover(tmp_path: Path, states: States) -> Clone:
    """The player whose turn it is after ten entries; the home has taken in nine."""
    seat = states.middle.pen
    assert seat is not None
    name = states.middle.players[seat].name
    clone = Clone(tmp_path, "mover", name).init()
    assert clone.home.profile().key == identity_of(name).text
    clone.write(name_of(states), states.at[9])
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
    # The match was played in 2020, and nobody has claimed.
    assert "your time was over 2020-01-" in said.out
    assert "play by" not in said.out
    assert f"mbp show {states.middle.id[:8]}" in said.err
    assert mover.mbp("watch", "--once").out == said.out  # whatever waits, each time


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


@pytest.fixture
def pushed(tmp_path: Path, mover: Clone, states: States) -> Clone:
    """Another clone of a server to which the mover has pushed; `origin` is both clones' remote."""
    server = Clone(tmp_path, "server")
    server.tree.mkdir()
    server.git("init", "--quiet", "--bare", "--initial-branch=main")
    mover.git("add", name_of(states))
    mover.git("commit", "--quiet", "-m", "start")
    mover.git("remote", "add", "origin", str(server.tree))
    mover.git("push", "--quiet", "origin", "main")
    return Clone(tmp_path, "other").clone(server.tree)


def look(clone: Clone, remote: str = "origin", code: int = 0) -> Said:
    return clone.mbp("watch", "--once", "--remote", remote, code=code)


def test_a_turn_on_a_remote_is_told_and_nothing_is_changed(
    mover: Clone, pushed: Clone, states: States
) -> None:
    assert not look(mover).out
    pushed.commit(name_of(states), states.at[10])
    pushed.git("push", "--quiet", "origin", "HEAD")
    before = (mover.tree / name_of(states)).read_bytes()
    refs = mover.git("for-each-ref", "refs/heads")
    said = look(mover)
    assert "your turn against" in said.out
    assert f"git pull, then mbp receive {name_of(states)}" in said.err
    assert (mover.tree / name_of(states)).read_bytes() == before
    assert mover.home.remembered(states.middle.id)
    assert not mover.git("status", "--porcelain")
    assert mover.git("for-each-ref", "refs/heads") == refs
    # What was pulled is told too: it is the own turn as much as before.
    mover.git("pull", "--quiet", "origin", "main")
    assert "your turn against" in look(mover).out
    mover.mbp("receive", name_of(states))
    assert "your turn against" in look(mover).out


def test_troubles_on_a_remote_are_told(mover: Clone, pushed: Clone, states: States) -> None:
    pushed.commit(name_of(states), states.at[10].replace(b'time: "2020', b'time: "2019', 1))
    pushed.git("push", "--quiet", "origin", "HEAD")
    assert f"trouble: {name_of(states)}: " in look(mover).err
    # The network is away: what waits here is told, and cron learns of it.
    mover.write(name_of(states), states.at[10])
    mover.git("remote", "set-url", "origin", str(mover.root / "away"))
    said = look(mover, code=7)
    assert "your turn against" in said.out
    assert "trouble: git ls-remote failed" in said.err


def test_a_second_history_on_a_remote_is_told_as_something_to_decide(
    mover: Clone, pushed: Clone, states: States
) -> None:
    mover.commit(name_of(states), states.at[11])
    mover.mbp("receive", name_of(states))
    pushed.commit(name_of(states), states.fork)
    pushed.git("push", "--quiet", "origin", "HEAD")
    said = look(mover)
    assert "two histories (fork): you have signed two different entries 10" in said.out
    assert "your turn" not in said.out
    assert f"git pull, then mbp receive {name_of(states)}" in said.err
    told = json.loads(
        mover.mbp("watch", "--once", "--remote", "origin", "--json").out.splitlines()[0]
    )
    assert (told["event"], told["id"]) == ("decide", states.middle.id)


def test_an_opponents_fork_is_told_and_no_turn(tmp_path: Path, states: States) -> None:
    """Nothing is signed before the owner has decided, so it is not his turn."""
    mover = states.middle.pen or "A"
    victim = Clone(tmp_path, "victim", states.middle.players[other(mover)].name).init()
    victim.write(name_of(states), states.at[11])
    victim.mbp("receive", name_of(states), "--newest")
    before = victim.mbp("watch", "--once").out
    victim.write("fork.mbp.yaml", states.fork)
    victim.mbp("receive", "fork.mbp.yaml", code=8)
    said = victim.mbp("watch", "--once")
    assert "has signed two histories" in said.out
    assert "your turn" not in said.out
    assert before != said.out
    assert f"mbp show {states.middle.id[:8]} tells how to go on" in said.err


def test_invitations_are_told_in_the_folder_and_on_the_remote(
    mover: Clone, pushed: Clone, states: States
) -> None:
    rival = Clone(mover.root, "rival", "Carl")
    rival.tree.mkdir()
    rival.mbp("new", "-o", "open.mbp.yaml")
    data = (rival.tree / "open.mbp.yaml").read_bytes()
    pushed.commit("games/carl-open.mbp.yaml", data)
    pushed.git("push", "--quiet", "origin", "HEAD")
    said = look(mover)
    assert "Carl invites you" in said.out
    assert "git pull, then mbp join games/carl-open.mbp.yaml" in said.err
    mover.git("pull", "--quiet", "origin", "main")
    said = mover.mbp("watch", "--once")
    assert "Carl invites you" in said.out
    assert "mbp join" in said.err
    assert "invites" not in rival.mbp("watch", "--once").out  # it is his own


def test_the_branch_that_is_followed_counts_whatever_its_name(
    mover: Clone, pushed: Clone, states: States
) -> None:
    pushed.git("checkout", "--quiet", "-b", "theirs")
    pushed.commit(name_of(states), states.at[10])
    pushed.git("push", "--quiet", "origin", "theirs")
    assert not look(mover).out
    mover.git("fetch", "--quiet", "origin")
    mover.git("branch", "--quiet", "--set-upstream-to=origin/theirs")
    assert "your turn against" in look(mover).out
    # Without a branch, and by an address: what the other side shows.
    pushed.git("push", "--quiet", "origin", "theirs:main")
    mover.git("checkout", "--quiet", "--detach")
    address = f"file://{mover.root / 'server'}"
    for remote in ("origin", address, str(mover.root / "server")):
        assert "your turn against" in look(mover, remote).out
    # A name in bytes that are no text.
    name = os.fsdecode(b"b\xff")
    mover.git("checkout", "--quiet", "-b", name)
    assert "has no branch" in look(mover, code=7).err
    pushed.git("push", "--quiet", "origin", f"theirs:refs/heads/{name}")
    assert "your turn against" in look(mover).out


def test_what_cannot_be_watched_is_an_error_at_once(mover: Clone, tmp_path: Path) -> None:
    for arguments in (["--once"], []):
        said = mover.mbp("watch", *arguments, "--remote", "gone", code=7)
        assert "'gone' is no remote of" in said.err
    outside = Clone(tmp_path, "outside", "Dora")
    outside.tree.mkdir()
    said = outside.mbp("watch", "--remote", "origin", code=7)
    assert "is in no git repository" in said.err
    assert "outside-home" not in said.err


def test_without_a_games_folder_the_repository_at_hand_is_watched(
    mover: Clone, pushed: Clone, states: States
) -> None:
    mover.git("mv", name_of(states), "match.mbp.yaml")
    mover.git("commit", "--quiet", "-m", "moved")
    mover.git("push", "--quiet", "origin", "main")
    shutil.rmtree(mover.tree / "games")
    pushed.git("pull", "--quiet", "origin", "main")
    pushed.commit("match.mbp.yaml", states.at[10])
    pushed.git("push", "--quiet", "origin", "HEAD")
    assert "git pull, then mbp receive match.mbp.yaml" in look(mover).err


def test_git_is_told_to_ask_nothing(mover: Clone, pushed: Clone) -> None:
    """A program in the place of git writes down what it is told."""
    tools = mover.root / "tools"
    tools.mkdir()
    real = shutil.which("git")
    (tools / "git").write_text(
        f'#!/bin/sh\necho "$GIT_TERMINAL_PROMPT" >> "{mover.root}/asked"\nexec {real} "$@"\n'
    )
    (tools / "git").chmod(0o755)
    environ = mover.environ | {"PATH": f"{tools}:{mover.environ['PATH']}"}
    del environ["GIT_TERMINAL_PROMPT"]
    subprocess.run(
        [sys.executable, "-P", "-m", "mbp", "watch", "--once", "--remote", "origin"],
        cwd=mover.tree,
        env=environ,
        check=True,
    )
    assert set((mover.root / "asked").read_text().split()) == {"0"}


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
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
