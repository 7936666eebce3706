"""What lies under a path: links to nothing, pipes, devices, files without end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mbp.errors import MbpError
from mbp.files import expanded, open_regular, read_if_there, write_atomic

OLD, NEW = b"old\n", b"new\n"


def test_a_link_to_nothing_makes_no_file(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    with pytest.raises(MbpError, match="link to no file"):
        write_atomic(link, NEW)
    assert not target.exists()
    target.write_bytes(OLD)
    write_atomic(link, NEW)
    assert target.read_bytes() == NEW
    assert link.is_symlink()


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(MbpError, match="no regular file"):
            read_if_there(path)
    with open_regular(Path("/dev/null"), pipes=True) as file:
        assert file.read() == b""


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(2**36)
    with pytest.raises(MbpError, match="more than"):
        read_if_there(large)


def test_the_folder_of_nobody_is_none() -> None:
    with pytest.raises(MbpError, match="nobody has the folder"):
        expanded("~nobody-of-this-name/x")
    assert expanded("a/~b") == Path("a/~b")
