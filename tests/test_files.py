"""Files written whole or not at all, and locks that die with their process."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from mbp import files
from mbp.errors import MbpError
from mbp.files import lock_file, lock_folder, make_folder, read_if_there, write_atomic
from tests.children import drop_rights, ended, kill, run, spawn

OLD = b"old\n" * 50_000
NEW = b"new\n" * 60_000


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user of the machine can reach."""
    folder = Path(tempfile.mkdtemp(prefix="mbp-test-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


# --- writing --------------------------------------------------------------------------------------


def test_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "game.mbp.yaml"
    write_atomic(path, OLD)
    write_atomic(path, NEW)
    assert path.read_bytes() == read_if_there(path) == NEW
    assert list(tmp_path.iterdir()) == [path]


def test_mode_of_the_old_file_is_kept_and_that_of_a_new_one_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "game"
    before = os.umask(0o027)
    try:
        write_atomic(path, OLD)
        assert mode_of(path) == 0o640
        path.chmod(0o666)
        write_atomic(path, NEW)
        assert mode_of(path) == 0o666
        write_atomic(path, NEW, mode=0o600)
        assert mode_of(path) == 0o600
    finally:
        os.umask(before)


def test_a_secret_is_never_open_to_others(tmp_path: Path) -> None:
    seen: list[int] = []

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename == files.__file__:
            seen.extend(mode_of(path) for path in tmp_path.iterdir())
        return look

    before, umask = sys.gettrace(), os.umask(0)
    try:
        sys.settrace(look)
        write_atomic(tmp_path / "secret", b"x", mode=0o600)
    finally:
        sys.settrace(before)
        os.umask(umask)
    assert set(seen) == {0o600}


def test_new_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "identity.pem"
    write_atomic(path, OLD, new=True)
    with pytest.raises(FileExistsError):
        write_atomic(path, NEW, new=True)
    dangling = tmp_path / "link"
    dangling.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        write_atomic(dangling, NEW, new=True)
    assert path.read_bytes() == OLD
    assert sorted(tmp_path.iterdir()) == [path, dangling]


def test_new_where_the_file_system_has_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "identity.pem"
    write_atomic(path, OLD, new=True)
    with pytest.raises(FileExistsError):
        write_atomic(path, NEW, new=True)
    assert path.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [path]


def test_of_many_writers_of_a_new_file_one_wins(tmp_path: Path) -> None:
    path = tmp_path / "identity.pem"

    def write(number: int) -> None:
        write_atomic(path, bytes([number]) * 100_000, new=True)

    writers = [spawn(lambda number=number: write(number)) for number in range(6)]  # type: ignore[misc]
    codes = [ended(writer) for writer in writers]
    assert sorted(codes) == [0, 1, 1, 1, 1, 1]
    assert path.read_bytes() == bytes([codes.index(0)]) * 100_000
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "game", tmp_path / "game"
    target.write_bytes(OLD)
    link.symlink_to(target)
    write_atomic(link, NEW)
    assert link.is_symlink()
    assert target.read_bytes() == NEW


def test_links_in_a_circle_are_named(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    with pytest.raises(MbpError, match="cannot write"):
        write_atomic(one, NEW)
    with pytest.raises(MbpError, match="cannot read"):
        read_if_there(one)


def test_a_long_name_still_leaves_room_for_the_temporary_one(tmp_path: Path) -> None:
    path = tmp_path / ("ü" * 120)
    write_atomic(path, NEW)
    assert path.read_bytes() == NEW


def test_missing_folder_is_named_with_a_next_step(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "game"
    with pytest.raises(MbpError, match=str(path)) as failure:
        write_atomic(path, NEW)
    assert str(path.parent) in failure.value.hint
    assert read_if_there(path) is None


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(MbpError, match="is a folder"):
        read_if_there(tmp_path)
    (tmp_path / "game").mkdir()
    with pytest.raises(MbpError, match="cannot write"):
        write_atomic(tmp_path / "game", NEW)
    assert [path.name for path in tmp_path.iterdir()] == ["game"]


def test_make_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    make_folder(folder, 0o700)
    assert mode_of(folder) == 0o700
    folder.chmod(0o755)
    make_folder(folder, 0o700)
    assert mode_of(folder) == 0o755
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(MbpError, match="cannot make the folder"):
        make_folder(tmp_path / "file" / "below")


# --- killed, full, closed -------------------------------------------------------------------------


def killed_at(line: int, path: Path, **how: Any) -> bool:
    """Writes NEW in a child that is killed at the given line executed in files.py, if it comes."""

    def write() -> None:
        left = line

        def count(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal left
            if frame.f_code.co_filename != files.__file__:
                return None
            if event == "line":
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
            return count

        sys.settrace(count)
        write_atomic(path, NEW, **how)

    return run(write) == -signal.SIGKILL


@pytest.mark.parametrize("new", [False, True])
def test_killed_at_every_line_the_old_file_or_the_new_one(tmp_path: Path, new: bool) -> None:
    states = []
    for line in range(1, 1000):
        folder = tmp_path / str(line)
        folder.mkdir()
        path = folder / "game"
        if not new:
            path.write_bytes(OLD)
        killed = killed_at(line, path, new=new)
        states.append(read_if_there(path))
        for other in folder.iterdir():
            assert other == path or (other.name.startswith(".") and other.name.endswith(".tmp"))
        if not killed:
            break
    before = None if new else OLD
    changed = states.index(NEW)
    assert states == [before] * changed + [NEW] * (len(states) - changed)
    assert 15 < len(states) < 100


def test_killed_at_any_moment_the_file_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(OLD)

    def write() -> None:
        while True:
            write_atomic(path, NEW)
            write_atomic(path, OLD)

    for round_ in range(20):
        process = spawn(write)
        time.sleep(0.002 + 0.0017 * round_)
        kill(process)
        assert path.read_bytes() in (OLD, NEW)


def test_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path, fresh = tmp_path / "game", tmp_path / "fresh"
    path.write_bytes(OLD)

    def write() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        for target in (path, fresh):
            with pytest.raises(MbpError, match=str(target)) as failure:
                write_atomic(target, NEW)
            assert failure.value.hint

    assert run(write) == 0
    assert path.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [path]


def test_read_only_folder_leaves_the_old_file_and_nothing_else(open_folder: Path) -> None:
    path, fresh = open_folder / "game", open_folder / "fresh"
    path.write_bytes(OLD)
    path.chmod(0o666)
    open_folder.chmod(0o555)

    def write() -> None:
        drop_rights()
        for target in (path, fresh):
            with pytest.raises(MbpError, match=f"cannot write {target}") as failure:
                write_atomic(target, NEW)
            assert str(open_folder) in failure.value.hint
        with pytest.raises(MbpError, match="cannot make the folder"):
            make_folder(open_folder / "below")

    assert run(write) == 0
    assert path.read_bytes() == OLD
    assert list(open_folder.iterdir()) == [path]


def test_a_file_closed_to_us_is_named(open_folder: Path) -> None:
    path = open_folder / "game"
    path.write_bytes(OLD)
    path.chmod(0)

    def read() -> None:
        drop_rights()
        with pytest.raises(MbpError, match=f"cannot read {path}"):
            read_if_there(path)

    assert run(read) == 0


def test_a_folder_that_may_be_written_but_not_listed(open_folder: Path) -> None:
    open_folder.chmod(0o733)
    path = open_folder / "game"

    def write() -> None:
        drop_rights()
        write_atomic(path, NEW)

    assert run(write) == 0
    assert path.read_bytes() == NEW


# --- locks ----------------------------------------------------------------------------------------


@pytest.fixture(params=["file", "folder"])
def lock(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "folder":
        return lambda patience=30.0: lock_folder(tmp_path, patience)
    return lambda patience=30.0: lock_file(tmp_path / "lock", patience)


def test_a_lock_keeps_others_out_and_dies_with_its_process(lock: Any, tmp_path: Path) -> None:
    locked, told = os.pipe()

    def hold() -> None:
        with lock():
            os.write(told, b"x")
            time.sleep(60)

    process = spawn(hold)
    try:
        assert os.read(locked, 1) == b"x"
        began = time.monotonic()
        with pytest.raises(MbpError, match="another mbp is at work") as failure, lock(0.2):
            pass
        assert failure.value.hint
        assert time.monotonic() - began >= 0.2
    finally:
        kill(process)
    with lock(0.0):
        pass
    os.close(locked)
    os.close(told)


def test_a_lock_is_waited_for(lock: Any, tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")

    def count() -> None:
        for _ in range(5):
            with lock():
                number = int(counter.read_text())
                time.sleep(0.002)
                counter.write_text(str(number + 1))

    assert [ended(process) for process in [spawn(count), spawn(count)]] == [0, 0]
    assert counter.read_text() == "10"


def test_a_lock_is_let_go_after_a_failure(lock: Any) -> None:
    with pytest.raises(KeyError), lock():
        raise KeyError
    with lock(0.0):
        pass


def test_a_folder_lock_leaves_nothing_in_the_folder(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_locked_is_named(tmp_path: Path) -> None:
    with pytest.raises(MbpError, match="cannot lock"), lock_folder(tmp_path / "nowhere"):
        pass
    with pytest.raises(MbpError, match="cannot lock"), lock_file(tmp_path / "no" / "lock"):
        pass
