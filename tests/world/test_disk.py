"""A full disk, a closed folder: a clear error, the old file untouched, nothing lost."""

from __future__ import annotations

import os
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mbp.errors import MbpError, TurnError
from tests.children import NOBODY, drop_rights, run
from tests.world.players import Disk, Players, disk_of, is_temporary, match_files

SMALL = 10_000  # bytes: small files of the home fit, a game file with a mask does not


def invited(players: Players) -> None:
    players.settle_in()
    players.desk("A").new("mandala", {"start": "inviter"})
    players.hand_over("B")


def joined(players: Players) -> None:
    invited(players)
    players.desk("B").join(players.file("B"))


def moved(players: Players) -> None:
    players.open()
    move(players, "A")


def resigned(players: Players) -> None:
    players.open()
    players.desk("A").leave(players.file("A"), "resign")


def move(players: Players, seat: str) -> object:
    return players.desk(seat).bot(players.file(seat))


# Who writes, what comes before, and the command.
COMMANDS: dict[str, tuple[str, Callable[[Players], object], Callable[[Players], object]]] = {
    "new": ("A", Players.settle_in, lambda p: p.desk("A").new("mandala", {})),
    "join": ("B", invited, lambda p: p.desk("B").join(p.file("B"))),
    "begin": ("A", joined, lambda p: p.receive("A")),
    "move": ("A", Players.open, lambda p: move(p, "A")),
    "answer": ("B", moved, lambda p: p.receive("B")),
    "disclose": ("A", resigned, lambda p: p.desk("A").disclose(p.file("A"))),
}
CHANGING = [name for name in COMMANDS if name != "new"]  # those that find a file and change it


@pytest.fixture
def players() -> Iterator[Players]:
    """Players in a folder that every user of the machine can reach."""
    root = Path(tempfile.mkdtemp(prefix="mbp-test-"))
    root.chmod(0o755)
    yield Players(root)
    for path in (root, *root.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(root)


def give_away(root: Path) -> None:
    """Makes everything the child's own, where the tests run as root."""
    if os.getuid() == 0:
        for path in (root, *root.rglob("*")):
            os.chown(path, NOBODY, NOBODY)


def refused(act: Callable[[], object], saying: str) -> None:
    """Runs an act that must fail with an error and a next step. Called in a child."""
    with pytest.raises(MbpError, match=saying) as failure:
        act()
    assert not isinstance(failure.value, TurnError)
    assert failure.value.hint


def no_temporary(disk: Disk) -> bool:
    return not any(is_temporary(name) for name in disk)


def check_goes_on(players: Players, seat: str, act: Callable[[Players], object]) -> None:
    """Once there is room again, the command does its work, or what it did is found."""
    try:
        act(players)
    except TurnError:
        players.desk(seat).receive(players.file(seat).read_bytes())
    (game_id,) = players.home(seat).all_remembered()
    assert players.file(seat).read_bytes() == players.home(seat).remembered(game_id)


# --- a full disk ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_full_disk_leaves_the_old_files(players: Players, name: str) -> None:
    seat, prepare, act = COMMANDS[name]
    prepare(players)
    before = disk_of(players.root)

    def write() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))
        refused(lambda: act(players), "file too large")

    assert run(write) == 0
    after = disk_of(players.root)
    assert match_files(after) == match_files(before)
    assert no_temporary(after)
    check_goes_on(players, seat, act)


def test_disk_full_before_the_last_byte(players: Players) -> None:
    players.open()
    path = players.file("A")
    before, room = path.read_bytes(), path.stat().st_size + 10

    def write() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        refused(lambda: move(players, "A"), "file too large")

    assert run(write) == 0
    assert path.read_bytes() == before
    check_goes_on(players, "A", lambda p: move(p, "A"))


def test_full_disk_still_shows_the_match(players: Players) -> None:
    players.open()

    def show() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        desk = players.desk("A")
        assert len(desk.open(players.file("A")).match.log) == 3
        refused(lambda: desk.mark_looked(desk.open(players.file("A"))), "file too large")

    assert run(show) == 0


def test_no_identity_on_a_full_disk(players: Players) -> None:
    def write() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        refused(players.settle_in, "file too large")

    assert run(write) == 0
    assert not players.home("A").has_identity
    players.settle_in()


# --- closed folders and files ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "closed"),
    [*((name, "folder") for name in CHANGING), ("join", "file"), ("move", "file")],
)
def test_closed_games_the_old_file_stays_and_the_entry_is_kept(
    players: Players, name: str, closed: str
) -> None:
    seat, prepare, act = COMMANDS[name]
    prepare(players)
    path = players.file(seat)
    before = path.read_bytes()
    give_away(players.root)
    place, mode = (path.parent, 0o555) if closed == "folder" else (path, 0o444)
    place.chmod(mode)

    def write() -> None:
        drop_rights()
        refused(lambda: act(players), f"cannot write {path}: permission denied")

    assert run(write) == 0
    assert path.read_bytes() == before
    assert no_temporary(disk_of(players.root))
    place.chmod(0o755)
    # The memory comes first: what was signed is what goes into the file now.
    (game_id,) = players.home(seat).all_remembered()
    kept = players.home(seat).remembered(game_id)
    check_goes_on(players, seat, act)
    assert players.file(seat).read_bytes() == kept or name == "begin"


@pytest.mark.parametrize("name", ["new", "join", "move", "answer"])
def test_closed_home_nothing_is_signed(players: Players, name: str) -> None:
    seat, prepare, act = COMMANDS[name]
    prepare(players)
    before = disk_of(players.root)
    give_away(players.root)
    root = players.home(seat).root
    for path in (root, *root.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)

    def write() -> None:
        drop_rights()
        refused(lambda: act(players), "permission denied")

    assert run(write) == 0
    assert match_files(disk_of(players.root)) == match_files(before)
    for path in (root, *root.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    check_goes_on(players, seat, act)


def test_closed_home_still_shows_the_match(players: Players) -> None:
    players.open()
    give_away(players.root)
    root = players.home("A").root
    shutil.rmtree(root / "cache")
    for path in (root, *root.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)

    def show() -> None:
        drop_rights()
        desk = players.desk("A")
        opened = desk.open(players.file("A"))
        assert opened.seat == "A"
        desk.secrets(opened.match)
        assert desk.status().troubles == ()

    assert run(show) == 0
    assert not (root / "cache").exists()
