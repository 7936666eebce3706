"""Where an archive's files come from: folders, globs, revisions; nothing is passed over."""

from __future__ import annotations

import os
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from mbp.cli.sources import Place, Source, count_sources, find_sources
from mbp.errors import MbpError
from tests.children import drop_rights, run

DEPTH = 1100


def found(cwd: Path, *texts: str) -> list[Source]:
    """The sources that there are."""
    return list(find_sources(texts, place_of(cwd)))


def place_of(cwd: Path) -> Place:
    """A folder as the current one."""
    return Place(cwd, lambda path: str(path.relative_to(cwd)))


def contents(sources: list[Source]) -> dict[str, bytes]:
    """The bytes of each source, by its name."""
    return {source.name: source.read() for source in sources}


def laid(folder: Path, *names: str) -> None:
    """Writes files whose content is their name."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name, encoding="utf-8")


def test_folders_are_gone_through_by_name_and_links_to_folders_are_not(tmp_path: Path) -> None:
    laid(tmp_path, "b.mbp.yaml", "a/z.mbp.yaml", "a/b/c.mbp.yaml", "a/other.yaml", "z.mbp.yaml")
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    names = [source.name for source in found(tmp_path, ".")]
    assert names == ["a/b/c.mbp.yaml", "a/z.mbp.yaml", "b.mbp.yaml", "z.mbp.yaml"]


def test_what_is_counted_is_what_is_found(tmp_path: Path) -> None:
    laid(tmp_path, "a.mbp.yaml", "x/b.mbp.yaml")
    with zipfile.ZipFile(tmp_path / "g.zip", "w") as archive:
        archive.writestr("c.mbp.yaml", "c")
    texts = (".", "g.zip", "*.yaml", "gone", "x", "nothing*")
    assert count_sources(texts, place_of(tmp_path)) == len(found(tmp_path, *texts)) == 5
    assert count_sources(("nothing*", "no/*"), place_of(tmp_path)) == 0


def test_a_named_file_may_have_any_name_and_counts_once(tmp_path: Path) -> None:
    laid(tmp_path, "game", "a.mbp.yaml")
    names = [source.name for source in found(tmp_path, "game", "game", ".", "a.mbp.yaml", "g*")]
    assert names == ["game", "a.mbp.yaml"]


def test_globs_find_files_folders_and_archives(tmp_path: Path) -> None:
    laid(tmp_path, "x1/a.mbp.yaml", "x2/b.mbp.yaml", "y/c.mbp.yaml", "[z].mbp.yaml")
    assert set(contents(found(tmp_path, "x*"))) == {"x1/a.mbp.yaml", "x2/b.mbp.yaml"}
    assert set(contents(found(tmp_path, "**/*.mbp.yaml"))) >= {"x1/a.mbp.yaml", "y/c.mbp.yaml"}
    assert set(contents(found(tmp_path, "[z].mbp.yaml"))) == {"[z].mbp.yaml"}
    assert set(contents(found(tmp_path, f"{tmp_path}/y/*"))) == {"y/c.mbp.yaml"}
    for deep in ("**", "**/**", "**/*"):
        assert {source.name for source in found(tmp_path, deep)} == {
            "x1/a.mbp.yaml", "x2/b.mbp.yaml", "y/c.mbp.yaml", "[z].mbp.yaml"
        }  # fmt: skip


def test_a_file_that_is_not_there_is_one_trouble(tmp_path: Path) -> None:
    laid(tmp_path, "a.mbp.yaml")
    gone, there = found(tmp_path, "gone.mbp.yaml", "a.mbp.yaml")
    with pytest.raises(MbpError, match="there is no such file"):
        gone.read()
    assert there.read() == b"a.mbp.yaml"


def troubles(sources: list[Source]) -> dict[str, str]:
    """Why sources cannot be read, by name; those that can have an empty text."""
    told = {}
    for source in sources:
        try:
            source.read()
            told[source.name] = ""
        except MbpError as failure:
            told[source.name] = str(failure)
    return told


def test_what_is_called_a_game_file_and_cannot_be_read_is_a_trouble(tmp_path: Path) -> None:
    laid(tmp_path, "a.mbp.yaml", "z.mbp.yaml", "d/b.mbp.yaml")
    (tmp_path / "gone.mbp.yaml").symlink_to("nowhere")
    (tmp_path / "long.mbp.yaml").symlink_to(300 * "x")
    (tmp_path / "round.mbp.yaml").symlink_to("round.mbp.yaml")
    (tmp_path / "folder.mbp.yaml").symlink_to("d")
    os.mkfifo(tmp_path / "pipe.mbp.yaml")
    expected = {
        "a.mbp.yaml": "",
        "d/b.mbp.yaml": "",
        "folder.mbp.yaml": "is no regular file",
        "gone.mbp.yaml": "is a link to no file",
        "long.mbp.yaml": "cannot be read: file name too long",
        "pipe.mbp.yaml": "is no regular file",
        "round.mbp.yaml": "cannot be read: too many levels of symbolic links",
        "z.mbp.yaml": "",
    }
    assert troubles(found(tmp_path, ".")) == expected
    # Named each by itself, a link to a folder is the folder.
    by_glob = {name: why for name, why in expected.items() if name[:2] not in ("d/", "fo")}
    assert troubles(found(tmp_path, "*.mbp.yaml")) == by_glob | {"folder.mbp.yaml/b.mbp.yaml": ""}


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that nobody may enter too; those of pytest belong to one user alone."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_closed_folder_is_a_trouble_and_the_rest_goes_on(open_folder: Path) -> None:
    laid(open_folder, "a.mbp.yaml", "c/b.mbp.yaml", "d/e/x.mbp.yaml", "z.mbp.yaml")
    (open_folder / "link.mbp.yaml").symlink_to("c/b.mbp.yaml")
    (open_folder / "c").chmod(0)

    def look() -> None:
        drop_rights()
        os.chdir("/")
        closed = "cannot be read: permission denied"
        expected = {
            "a.mbp.yaml": "", "c": closed, "d/e/x.mbp.yaml": "", "link.mbp.yaml": closed,
            "z.mbp.yaml": "",
        }  # fmt: skip
        assert troubles(found(open_folder, ".")) == expected
        assert troubles(found(open_folder, "**/*.mbp.yaml")) == expected
        assert troubles(found(open_folder, "d*/*/x*")) == {"d/e/x.mbp.yaml": ""}
        assert troubles(found(open_folder, "c*/b.mbp.yaml")) == {"c": closed}
        assert troubles(found(open_folder, "c/*")) == {"c": closed}
        assert troubles(found(open_folder, "c")) == {"c": closed}

    try:
        assert run(look) == 0
    finally:
        (open_folder / "c").chmod(0o755)


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """Folders in each other, with a file in the last; shutil, and so pytest, cannot remove them."""
    with chdir(tmp_path):
        for _ in range(DEPTH):
            Path("d").mkdir()
            os.chdir("d")
        Path("a.mbp.yaml").write_text("deep", encoding="utf-8")
        yield tmp_path
        Path("a.mbp.yaml").unlink()
        for _ in range(DEPTH):
            os.chdir("..")
            Path("d").rmdir()


def test_folders_may_lie_deep(deep: Path) -> None:
    assert list(contents(found(deep, ".")).values()) == [b"deep"]
    assert list(contents(found(deep, "**/*.mbp.yaml")).values()) == [b"deep"]


def test_a_path_that_names_nothing_is_a_trouble(tmp_path: Path) -> None:
    laid(tmp_path, "a.mbp.yaml", "empty/README.md")
    git(tmp_path, "init", "-q", ".")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "games")
    with zipfile.ZipFile(tmp_path / "g.zip", "w") as archive:
        archive.writestr("README.md", "nothing")
    nothing = "no file *.mbp.yaml is there"
    texts = ("a.mbp.yaml", "empty", "g.zip", "no*", "**/no", "no/**", "HEAD:empty", "HEAD:no",
             "v9:games/", 5000 * "x*", "\udcff*")  # fmt: skip
    assert list(troubles(found(tmp_path, *texts)).values()) == [
        "", *6 * [nothing], "there is no no in revision HEAD",
        "there is no such file, and no revision v9", nothing, nothing,
    ]  # fmt: skip


def test_what_two_paths_name_counts_once(tmp_path: Path) -> None:
    laid(tmp_path, "a.mbp.yaml", "x/b.mbp.yaml")
    names = [source.name for source in found(tmp_path, "x", ".", "**/*", "a.mbp.yaml", "x/")]
    assert names == ["x/b.mbp.yaml", "a.mbp.yaml"]


def test_evidence_is_found_wherever_games_are(tmp_path: Path) -> None:
    name = "games/a-3.mbp-fork.yaml"
    laid(tmp_path, name)
    git(tmp_path, "init", "-q", ".")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "games")
    with zipfile.ZipFile(tmp_path / "g.zip", "w") as archive:
        archive.write(tmp_path / name, name)
    with tarfile.open(tmp_path / "g.tar", "w") as tar:
        tar.add(tmp_path / name, name)
    texts = ("games", "g.zip", "g.tar", "HEAD:")
    assert set(contents(found(tmp_path, *texts)).values()) == {b"a-3.mbp-fork.yaml"}
    assert len(found(tmp_path, *texts)) == 4


def git(folder: Path, *words: str) -> None:
    """Runs git in a folder as somebody."""
    who = {f"GIT_{role}_{what}": "a@example.org" for role in ("AUTHOR", "COMMITTER")
           for what in ("NAME", "EMAIL")}  # fmt: skip
    subprocess.run(["git", *words], cwd=folder, check=True, env={**os.environ, **who})


def test_a_revision_is_read_from_the_store(tmp_path: Path) -> None:
    laid(tmp_path, "games/a.mbp.yaml", "games/deep/ä.mbp.yaml", "games/README.md", "top.mbp.yaml")
    (tmp_path / "games" / "link.mbp.yaml").symlink_to("a.mbp.yaml")
    git(tmp_path, "init", "-q", ".")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "games")
    laid(tmp_path, "games/later.mbp.yaml")
    names = ("HEAD:games/a.mbp.yaml", "HEAD:games/deep/ä.mbp.yaml")
    assert set(contents(found(tmp_path, "HEAD:games/"))) == set(names)
    assert contents(found(tmp_path, "HEAD:games"))[names[1]] == "ä.mbp.yaml".encode()
    assert set(contents(found(tmp_path, "HEAD:"))) == {*names, "HEAD:top.mbp.yaml"}
    assert contents(found(tmp_path, "HEAD:top.mbp.yaml")) == {"HEAD:top.mbp.yaml": b"top.mbp.yaml"}


def test_what_is_no_revision_is_a_path(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", ".")
    laid(tmp_path, "HEAD:games/a.mbp.yaml")
    assert set(contents(found(tmp_path, "HEAD:games"))) == {"HEAD:games/a.mbp.yaml"}
    (missing,) = found(tmp_path, "--output=x:y")
    with pytest.raises(MbpError, match="there is no such file"):
        missing.read()
