"""Killed at any moment: the old file or the new one, nothing signed twice, the match goes on.

What a killed process leaves is what lies on the disk at that line. So each command is run once with
the disk looked at behind every line of the code that writes, and continued from each state seen;
real kills, at some of these lines and at any time, show the same.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import mbp
from mbp import gamefile
from mbp.chain import are_twins
from mbp.errors import ForkError, TurnError
from tests.children import kill, run, spawn
from tests.world.players import (
    Disk,
    Players,
    Signatures,
    disk_of,
    is_match_file,
    is_temporary,
    match_files,
    restore,
)

WRITING = tuple(str(Path(mbp.__file__).parent / name) for name in ("desk", "home", "files.py"))


@contextmanager
def each_line(look: Callable[[], None]) -> Iterator[None]:
    """Calls `look` before every line that runs in the code that writes."""

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(WRITING):
            return None
        if event == "line":
            look()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


# --- the commands ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Command:
    """A command of one seat on a disk made ready for it; `refused` is what it may answer."""

    seat: str
    prepare: Callable[[Players], object]
    act: Callable[[Players], object]
    refused: tuple[type[Exception], ...] = ()


def invited(players: Players) -> None:
    players.settle_in()
    players.desk("A").new("mandala", {"start": "inviter"})
    players.hand_over("B")


def joined(players: Players) -> None:
    invited(players)
    players.desk("B").join(players.file("B"))


def moved(players: Players) -> None:
    players.open()
    bot(players, "A")


def resigned(players: Players) -> None:
    players.open()
    players.desk("A").leave(players.file("A"), "resign")


def bot(players: Players, seat: str) -> None:
    """A move that chance chooses: a second run of the command would choose another."""
    players.desk(seat).bot(players.file(seat), "random")


def other_history(players: Players) -> Path:
    return players.root / "other.mbp.yaml"


def split(players: Players) -> None:
    """Ben answers a move twice, with two different moves; Anna has seen the first."""
    moved(players)
    players.receive("B")
    ready = disk_of(players.root)
    bot(players, "B")
    first = players.file("B").read_bytes()
    answer = players.desk("B").open(players.file("B")).match
    while True:
        restore(players.root, ready)
        bot(players, "B")
        again = players.desk("B").open(players.file("B")).match
        seq = next(n for n, e in enumerate(again.log) if e.id != answer.log[n].id)
        if not are_twins(again.log[seq], answer.log[seq]):
            break
    other_history(players).write_bytes(players.file("B").read_bytes())
    players.desk("A").receive(first)


def look(players: Players) -> None:
    desk = players.desk("A")
    desk.mark_looked(desk.open(players.file("A")))


COMMANDS = {
    "new": Command("A", Players.settle_in, lambda p: p.desk("A").new("mandala", {})),
    "join": Command("B", invited, lambda p: p.desk("B").join(p.file("B"))),
    "begin": Command("A", joined, lambda p: p.receive("A")),
    "look": Command("A", moved, look),
    "move": Command("A", Players.open, lambda p: bot(p, "A")),
    "answer": Command("B", moved, lambda p: p.receive("B")),
    "resign": Command("A", Players.open, lambda p: p.desk("A").leave(p.file("A"), "resign")),
    "disclose": Command("A", resigned, lambda p: p.desk("A").disclose(p.file("A"))),
    "fork": Command(
        "A",
        split,
        lambda p: p.desk("A").receive(other_history(p).read_bytes()),
        (ForkError,),
    ),
    "take": Command(
        "A", split, lambda p: p.desk("A").receive(other_history(p).read_bytes(), take=True)
    ),
}


@dataclass(frozen=True)
class Stage:
    """A command about to run: where, and what lies there before."""

    command: Command
    players: Players
    before: Disk

    def act(self) -> None:
        """Runs the command as it runs undisturbed."""
        with suppress(*self.command.refused):
            self.command.act(self.players)

    def repeat(self) -> None:
        """Runs it again: it does its work, or the killed one had done it."""
        with suppress(TurnError):
            self.act()


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Stage]:
    """Stages by name; what is before each command is made once."""
    made: dict[str, Stage] = {}

    def stage(name: str) -> Stage:
        if name not in made:
            players = Players(tmp_path_factory.mktemp(name))
            COMMANDS[name].prepare(players)
            made[name] = Stage(COMMANDS[name], players, disk_of(players.root))
        restore(made[name].players.root, made[name].before)
        return made[name]

    return stage


# --- what must hold -------------------------------------------------------------------------------


def check_whole(disk: Disk, before: Disk, after: Disk) -> None:
    """Every file is the old one or the new one; a third may only have a temporary name.

    `receive` keeps what came before it writes its own entry: a whole match is there in between.
    """
    assert set(before) <= set(disk)
    for name, data in disk.items():
        if data is None or is_temporary(name) or data in (before.get(name), after.get(name)):
            continue
        if is_match_file(name):
            log, last = gamefile.load(data).log, gamefile.load(after[name] or b"").log
            assert log == last[: len(log)], name
        else:
            assert isinstance(json.loads(data), dict), name


def check_remembered(stage: Stage, disk: Disk) -> None:
    """What a command writes into a game file lies in the memory already (protocol 4.3)."""
    players = stage.players
    games = players.games(stage.command.seat).relative_to(players.root)
    for name, data in match_files(disk).items():
        if Path(name).parent == games and data != stage.before.get(name):
            record = gamefile.load(data)
            home = players.home(stage.command.seat)
            memory = disk[str(home.match_path(record.game_id).relative_to(players.root))]
            assert gamefile.load(memory or b"").log[: len(record.log)] == record.log


def check_goes_on(stage: Stage, signatures: Signatures) -> None:
    """From the disk as it is: the command again, then the own file taken in, and all is well."""
    players, seat = stage.players, stage.command.seat
    with players.home(seat).lock(0.0):
        pass
    stage.repeat()
    signatures.take(disk_of(players.root))
    for file in players.files(seat):
        match = players.desk(seat).receive(file.read_bytes()).match
        assert players.home(seat).remembered(match.id) == file.read_bytes()
    assert players.desk(seat).status().troubles == ()
    signatures.take(disk_of(players.root))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_state_that_a_kill_can_leave_is_whole_and_goes_on(
    stages: Callable[[str], Stage], name: str
) -> None:
    stage = stages(name)
    root = stage.players.root
    states: list[Disk] = [stage.before]

    def note() -> None:
        disk = disk_of(root)
        if disk != states[-1]:
            states.append(disk)

    with each_line(note):
        stage.act()
    after = disk_of(root)
    for disk in {hash_of(disk): disk for disk in states}.values():
        check_whole(disk, stage.before, after)
        check_remembered(stage, disk)
        restore(root, disk)
        signatures = Signatures(stage.command.seat)
        signatures.take(disk)
        check_goes_on(stage, signatures)
        if name == "fork":
            check_accused(stage)


def hash_of(disk: Disk) -> int:
    """Tells two disks apart by all but their temporary files, which nobody reads."""
    return hash(tuple((name, data) for name, data in disk.items() if not is_temporary(name)))


def check_accused(stage: Stage) -> None:
    """A fork is remembered as one, with both histories as evidence."""
    players = stage.players
    home, file = players.home("A"), players.file("A")
    (game_id,) = home.all_remembered()
    assert home.facts(game_id).forked
    assert len(home.evidence(game_id)) == 2
    with pytest.raises((ForkError, TurnError)):
        bot(players, "A")
    assert file.exists()


# --- real kills -----------------------------------------------------------------------------------


def lines_of(stage: Stage) -> int:
    """How many lines of the code that writes a command runs."""
    count = 0

    def step() -> None:
        nonlocal count
        count += 1

    with each_line(step):
        stage.act()
    return count


def dies(stage: Stage, line: int) -> bool:
    """Runs the command in a child that is killed at this line."""
    left = line

    def step() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def act() -> None:
        with each_line(step):
            stage.act()

    return run(act) == -signal.SIGKILL


@pytest.mark.parametrize("name", ["join", "begin", "move", "answer"])
def test_killed_at_many_lines(stages: Callable[[str], Stage], name: str) -> None:
    stages(name).act()  # what is imported late is imported now, and runs no lines later
    lines, kills = lines_of(stages(name)), 5
    for number in range(kills):
        stage = stages(name)
        line = 1 + lines * number // kills
        assert dies(stage, line)
        signatures = Signatures(stage.command.seat)
        signatures.take(disk_of(stage.players.root))
        check_goes_on(stage, signatures)


def play_on(players: Players) -> None:
    """Both seats in turn, for ever, on one shared file; ends when the match is over."""
    while True:
        for seat in ("A", "B"):
            file = players.file(seat)
            match = players.desk(seat).receive(file.read_bytes()).match
            if match.pen is None:
                return
            if match.pen == seat and match.position.duty == "play":
                bot(players, seat)


def test_killed_at_any_moment_a_match_goes_on(tmp_path: Path) -> None:
    players = Players(tmp_path, shared=True)
    players.open()
    signatures = Signatures()
    lengths = [3]
    for number in range(60):
        if number > 9 and lengths[-1] > 9:
            break
        process = spawn(lambda: play_on(players))
        time.sleep(0.05 + 0.04 * number)
        kill(process)
        disk = disk_of(tmp_path)
        signatures.take(disk)
        match = players.desk("A").open(players.file("A")).match  # verifies every entry
        lengths.append(len(match.log))
    assert lengths == sorted(lengths)
    assert lengths[-1] > 9
    for seat in ("A", "B", "A"):
        players.desk(seat).receive(players.file(seat).read_bytes())
    signatures.take(disk_of(tmp_path))
    assert players.home("A").remembered(match.id) == players.file("A").read_bytes()
