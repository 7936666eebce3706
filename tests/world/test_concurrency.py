"""Several processes at once on one game: one entry a turn, no fork, a clear answer for everyone."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mbp import gamefile
from mbp.errors import MbpError, TurnError
from tests.children import ended, spawn
from tests.world.players import Players, Signatures, disk_of, is_temporary

AT_ONCE = 4

Act = Callable[[], object]


def together(acts: list[Act], answers: Path) -> list[str]:
    """Runs each act in a process of its own, all from one moment on: what each was told.

    `done`, or the name of its MbpError; anything else fails the child and so the test.
    """
    start = time.monotonic() + 0.2

    def child(number: int, act: Act) -> None:
        time.sleep(max(0.0, start - time.monotonic()))
        answer = "done"
        try:
            act()
        except MbpError as error:
            answer = type(error).__name__
        (answers / str(number)).write_text(answer)

    answers.mkdir(exist_ok=True)
    processes = [
        spawn(lambda number=number, act=act: child(number, act))  # type: ignore[misc]
        for number, act in enumerate(acts)
    ]
    assert [ended(process) for process in processes] == [0] * len(acts)
    return [(answers / str(number)).read_text() for number in range(len(acts))]


@pytest.fixture
def players(tmp_path: Path) -> Players:
    root = tmp_path / "table"
    root.mkdir()
    return Players(root)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    return tmp_path / "answers"


def check_one_history(players: Players, seat: str) -> int:
    """File and memory of a seat are one verified match, nothing else lies about; its length."""
    disk = disk_of(players.root)
    Signatures().take(disk)
    assert not any(is_temporary(name) for name in disk)
    match = players.desk(seat).open(players.file(seat)).match
    memory = players.home(seat).remembered(match.id)
    assert memory == players.file(seat).read_bytes()
    return len(match.log)


def test_many_moves_at_once_one_is_played(players: Players, answers: Path) -> None:
    players.open()
    file = players.file("A")
    before = players.desk("A").open(file).match
    state, sight = before.seen(players.desk("A").secrets(before))
    hand = [card for card in sight["hand A"] if card is not None]
    moves = [before.game.format(state, move) for move in before.game.legal_moves(state, hand)]
    assert len(set(moves)) >= AT_ONCE
    acts: list[Act] = [
        lambda move=move: players.desk("A").play(file, move)  # type: ignore[misc]
        for move in moves[:AT_ONCE]
    ]
    told = together(acts, answers)
    assert sorted(told) == ["TurnError"] * (AT_ONCE - 1) + ["done"]
    assert check_one_history(players, "A") == 4
    played = players.desk("A").open(file).match.log[3].act
    assert played == moves[told.index("done")]


def test_many_computer_players_at_once_one_plays(players: Players, answers: Path) -> None:
    players.open()
    file = players.file("A")
    told = together([lambda: players.desk("A").bot(file, "random")] * AT_ONCE, answers)
    assert sorted(told) == ["TurnError"] * (AT_ONCE - 1) + ["done"]
    assert check_one_history(players, "A") == 4


def test_one_invitation_is_accepted_once(players: Players, answers: Path) -> None:
    players.settle_in()
    players.desk("A").new("mandala", {})
    file = players.hand_over("B")
    told = together([lambda: players.desk("B").join(file)] * AT_ONCE, answers)
    assert sorted(told) == ["TurnError"] * (AT_ONCE - 1) + ["done"]
    assert check_one_history(players, "B") == 2


def test_one_answer_received_many_times_is_begun_once(players: Players, answers: Path) -> None:
    players.settle_in()
    players.desk("A").new("mandala", {"start": "inviter"})
    players.desk("B").join(players.hand_over("B"))
    told = together([lambda: players.receive("A")] * AT_ONCE, answers)
    assert told == ["done"] * AT_ONCE
    assert check_one_history(players, "A") == 3


def test_all_kinds_of_commands_at_once(players: Players, answers: Path) -> None:
    players.open()
    players.desk("A").bot(players.file("A"))
    players.receive("B")
    file, theirs = players.file("B"), players.file("A").read_bytes()
    before = players.desk("B").open(file).match
    assert (before.pen, before.position.duty) == ("B", "play")

    def look() -> None:
        desk = players.desk("B")
        desk.mark_looked(desk.open(file))
        assert desk.status().troubles == ()

    acts: list[Act] = [
        lambda: players.desk("B").bot(file),
        lambda: players.desk("B").receive(theirs),
        lambda: players.desk("B").leave(file, "resign"),
        look,
        lambda: players.desk("B").receive(theirs),
        lambda: players.desk("B").bot(file, "random"),
    ]
    told = together(acts, answers)
    assert [told[0], told[2], told[5]].count("done") == 1
    assert [told[1], told[3], told[4]] == ["done"] * 3
    assert check_one_history(players, "B") == len(before.log) + 1


def test_invitations_at_once_are_all_kept(players: Players, answers: Path) -> None:
    players.settle_in()
    told = together([lambda: players.desk("A").new("mandala", {})] * AT_ONCE, answers)
    assert told == ["done"] * AT_ONCE
    ids = {gamefile.load(path.read_bytes()).game_id for path in players.files("A")}
    assert ids == set(players.home("A").all_remembered())
    assert len(ids) == AT_ONCE


def test_two_homes_on_one_file_play_on(tmp_path: Path, answers: Path) -> None:
    (tmp_path / "table").mkdir()
    players = Players(tmp_path / "table", shared=True)
    players.open()
    goal = 9

    def play(seat: str) -> None:
        """Takes in and plays whenever it can, as two impatient people at one folder would."""
        for _ in range(3_000):
            file = players.file(seat)
            match = players.desk(seat).receive(file.read_bytes()).match
            if len(match.log) >= goal:
                return
            try:
                players.desk(seat).bot(file, "random")
            except TurnError:
                time.sleep(0.01)
        raise AssertionError("the match does not move")

    told = together([lambda: play("A"), lambda: play("B"), lambda: play("A")], answers)
    assert told == ["done"] * 3
    Signatures().take(disk_of(players.root))
    match = players.desk("A").open(players.file("A")).match
    assert len(match.log) >= goal


def test_looking_needs_no_lock_and_writing_does(players: Players) -> None:
    players.open()
    file = players.file("A")
    with players.home("A").lock():
        assert players.desk("A").open(file).seat == "A"
        assert players.desk("A").status().troubles == ()
        with pytest.raises(MbpError, match="another mbp is at work"), players.home("A").lock(0.0):
            pass
    players.desk("A").bot(file)
