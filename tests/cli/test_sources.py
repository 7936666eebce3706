"""Where an archive's files come from: folders, globs, tar, zip, revisions, and hostile ones."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from mbp.cli import packed
from mbp.cli.sources import Place, Source, count_sources, find_sources
from mbp.desk.shelf import ENDING, LARGEST
from mbp.errors import MbpError


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
    tar_with(tmp_path / "g.tgz", [(tarfile.TarInfo("c.mbp.yaml"), b"c")])
    texts = (".", "g.tgz", "*.yaml", "gone", "x")
    assert count_sources(texts, place_of(tmp_path)) == len(found(tmp_path, *texts)) == 4


def test_a_named_file_may_have_any_name_and_counts_once(tmp_path: Path) -> None:
    laid(tmp_path, "game", "a.mbp.yaml")
    names = [source.name for source in found(tmp_path, "game", "game", ".", "a.mbp.yaml", "g*")]
    assert names == ["game", "a.mbp.yaml"]


def test_globs_find_files_folders_and_archives(tmp_path: Path) -> None:
    laid(tmp_path, "x1/a.mbp.yaml", "x2/b.mbp.yaml", "y/c.mbp.yaml", "[z].mbp.yaml")
    assert set(contents(found(tmp_path, "x*"))) == {"x1/a.mbp.yaml", "x2/b.mbp.yaml"}
    assert set(contents(found(tmp_path, "**/*.mbp.yaml"))) >= {"x1/a.mbp.yaml", "y/c.mbp.yaml"}
    assert set(contents(found(tmp_path, "[z].mbp.yaml"))) == {"[z].mbp.yaml"}
    assert found(tmp_path, "nothing*", "a**") == []
    assert set(contents(found(tmp_path, f"{tmp_path}/y/*"))) == {"y/c.mbp.yaml"}


def test_a_file_that_is_not_there_is_one_trouble(tmp_path: Path) -> None:
    laid(tmp_path, "a.mbp.yaml")
    gone, there = found(tmp_path, "gone.mbp.yaml", "a.mbp.yaml")
    with pytest.raises(MbpError, match="there is no file"):
        gone.read()
    assert there.read() == b"a.mbp.yaml"


def tar_with(path: Path, members: list[tuple[tarfile.TarInfo, bytes]], mode: str = "w:gz") -> None:
    """Writes an archive of headers and contents."""
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
        for info, data in members:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


@pytest.mark.parametrize(("name", "mode"), [("g.tar", "w"), ("g.tgz", "w:gz"), ("g.tbz2", "w:bz2")])
def test_tar_archives_are_read_and_nothing_is_extracted(
    tmp_path: Path, name: str, mode: str
) -> None:
    link, folder = tarfile.TarInfo("link.mbp.yaml"), tarfile.TarInfo("d.mbp.yaml")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    folder.type = tarfile.DIRTYPE
    device = tarfile.TarInfo("tty.mbp.yaml")
    device.type = tarfile.CHRTYPE
    names = ("games/a.mbp.yaml", "../../up.mbp.yaml", "/abs.mbp.yaml", "README.md")
    files = [(tarfile.TarInfo(one), one.encode()) for one in names]
    tar_with(tmp_path / name, [*files, (link, b""), (folder, b""), (device, b"")], mode)
    inside = contents(found(tmp_path, name))
    assert inside == {f"{name}:{one}": one.encode() for one in names[:3]}
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert not (tmp_path.parent.parent / "up.mbp.yaml").exists()


def test_of_a_large_member_only_so_much_is_read_as_a_game_file_may_have(tmp_path: Path) -> None:
    large = bytes(LARGEST + 1000)
    tar_with(tmp_path / "g.tar.gz", [(tarfile.TarInfo("a.mbp.yaml"), large)])
    with zipfile.ZipFile(tmp_path / "g.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.mbp.yaml", large)
    sizes = [len(source.read()) for source in found(tmp_path, "g.tar.gz", "g.zip")]
    assert sizes == [LARGEST, LARGEST]


def test_a_tar_bomb_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    members = [
        (tarfile.TarInfo(name), bytes(100_000)) for name in ("a.mbp.yaml", "x", "b.mbp.yaml")
    ]
    tar_with(tmp_path / "g.tar.gz", members)
    monkeypatch.setattr(packed, "MOST_BYTES", 150_000)
    good, trouble = found(tmp_path, "g.tar.gz")
    assert good.name == "g.tar.gz:a.mbp.yaml"
    assert "in one archive" in trouble.trouble


def test_a_header_of_a_tar_may_not_be_large(tmp_path: Path) -> None:
    header = tarfile.TarInfo("pax")
    header.type = tarfile.XHDTYPE
    tar_with(tmp_path / "g.tar", [(header, bytes(packed.MOST_HEADER + 1))], "w")
    (trouble,) = found(tmp_path, "g.tar")
    assert trouble.trouble == "the archive is damaged: a header is too large"


@pytest.mark.parametrize("name", ["g.tar", "g.tar.gz", "g.tbz2", "g.zip"])
@pytest.mark.parametrize("data", [b"", b"\x1f\x8b garbage", b"BZh9 garbage", os.urandom(2000)])
def test_a_damaged_archive_is_one_trouble_and_the_rest_goes_on(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    laid(tmp_path, "a.mbp.yaml")
    *troubles, good = found(tmp_path, name, "a.mbp.yaml")
    assert good.read() == b"a.mbp.yaml"
    assert all(source.trouble and source.name == name for source in troubles)


def test_a_cut_archive_gives_what_stands_before_the_cut(tmp_path: Path) -> None:
    members = [(tarfile.TarInfo(f"{n}.mbp.yaml"), os.urandom(9000)) for n in range(3)]
    tar_with(tmp_path / "whole.tgz", members)
    (tmp_path / "cut.tgz").write_bytes((tmp_path / "whole.tgz").read_bytes()[:20_000])
    sources = found(tmp_path, "cut.tgz")
    assert [source.name for source in sources[:2]] == ["cut.tgz:0.mbp.yaml", "cut.tgz:1.mbp.yaml"]
    assert sources[-1].trouble


def test_a_damaged_or_encrypted_member_of_a_zip_does_not_end_the_others(tmp_path: Path) -> None:
    path = tmp_path / "g.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a", "b", "c"):
            archive.writestr(f"{name}{ENDING}", f"content of {name}")
    data = path.read_bytes().replace(b"content of b", b"content 0f b", 1)
    encrypted = data.rindex(b"PK\x01\x02") + 8
    path.write_bytes(data[:encrypted] + b"\x01" + data[encrypted + 1 :])
    first, damaged, closed = found(tmp_path, "g.zip")
    assert first.read() == b"content of a"
    assert "damaged" in damaged.trouble
    assert "encrypted" in closed.trouble


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
    with pytest.raises(MbpError, match="there is no file"):
        missing.read()
