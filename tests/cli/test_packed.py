"""Game files in tar and zip archives, damaged and hostile ones too."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from mbp.cli import packed
from mbp.desk.shelf import ENDING, LARGEST_EVIDENCE
from tests.cli.test_sources import contents, found, laid


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


def test_of_a_large_member_only_so_much_is_read_as_evidence_may_have(tmp_path: Path) -> None:
    large = bytes(LARGEST_EVIDENCE + 1000)
    tar_with(tmp_path / "g.tar.gz", [(tarfile.TarInfo("a.mbp.yaml"), large)])
    with zipfile.ZipFile(tmp_path / "g.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.mbp.yaml", large)
    sizes = [len(source.read()) for source in found(tmp_path, "g.tar.gz", "g.zip")]
    assert sizes == [LARGEST_EVIDENCE, LARGEST_EVIDENCE]


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
    assert trouble.trouble == (
        "the archive is damaged: a header is too large; nothing behind that is read"
    )


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


def three(folder: Path, name: str) -> bytes:
    """A tar with a, b and c, of which an archive is made that is not as it should be."""
    members = [(tarfile.TarInfo(f"{one}{ENDING}"), one.encode() * 700) for one in "abc"]
    tar_with(folder / name, members, "w")
    return (folder / name).read_bytes()


@pytest.mark.parametrize("what", ["changed", "cut in a header", "cut between", "not the last"])
def test_a_tar_never_ends_in_silence_before_its_end_mark(tmp_path: Path, what: str) -> None:
    data = three(tmp_path, "g.tar")
    second = data.index(b"b.mbp.yaml")
    changed = {
        "changed": data[:second] + b"x" + data[second + 1 :],
        "cut in a header": data[: second + 300],
        "cut between": data[:second],
        "not the last": data[:second] + b"\1" * 512 + data[second:],
    }
    (tmp_path / "g.tar").write_bytes(changed[what])
    good, trouble = found(tmp_path, "g.tar")
    assert good.name == "g.tar:a.mbp.yaml"
    assert trouble.trouble.startswith("the archive is damaged: ")


def test_a_sparse_member_of_a_tar_does_not_end_the_others(tmp_path: Path) -> None:
    first, sparse, last = three(tmp_path, "g.tar"), tarfile.TarInfo("s.mbp.yaml"), b""
    sparse.type = tarfile.GNUTYPE_SPARSE
    last = first[first.index(b"b.mbp.yaml") :]
    (tmp_path / "g.tar").write_bytes(sparse.tobuf(tarfile.GNU_FORMAT) + last)
    told = {source.name: source.trouble for source in found(tmp_path, "g.tar")}
    assert told == {
        "g.tar:s.mbp.yaml": "is sparse, which no game file is",
        "g.tar:b.mbp.yaml": "",
        "g.tar:c.mbp.yaml": "",
    }


def sparse_old() -> Iterator[bytes]:
    """A sparse file in the old form: blocks in a row that say where its bytes belong."""
    header = bytearray(tarfile.TarInfo("s.mbp.yaml").tobuf(tarfile.GNU_FORMAT))
    header[156:157], header[482:483] = tarfile.GNUTYPE_SPARSE, b"\1"
    yield signed(header)
    block = 21 * 2 * b"00000000001\0" + b"\1"
    while True:
        yield block.ljust(tarfile.BLOCKSIZE, b"\0")


def sparse_new() -> Iterator[bytes]:
    """A sparse file in the newest form: where its bytes belong stands before them, as numbers."""
    info = tarfile.TarInfo("s.mbp.yaml")
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}
    yield info.tobuf(tarfile.PAX_FORMAT)
    yield b"99999999999\n".ljust(tarfile.BLOCKSIZE, b"1")
    while True:
        yield b"0\n" * (tarfile.BLOCKSIZE // 2)


def described() -> Iterator[bytes]:
    """A header that is described by another one, which is described by another one."""
    info = tarfile.TarInfo("pax")
    info.type = tarfile.XHDTYPE
    while True:
        yield info.tobuf(tarfile.USTAR_FORMAT)


def signed(header: bytearray) -> bytes:
    """The header with the checksum that fits."""
    header[148:156] = 8 * b" "
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


@pytest.mark.parametrize("endless", [sparse_old, sparse_new, described])
def test_no_header_of_a_tar_takes_more_than_it_may(
    tmp_path: Path, endless: Callable[[], Iterator[bytes]]
) -> None:
    with gzip.open(tmp_path / "g.tar.gz", "wb") as file:
        file.writelines(islice(endless(), 4_000))
    tracemalloc.start()
    (trouble,) = found(tmp_path, "g.tar.gz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert trouble.trouble.startswith("the archive is damaged: ")
    assert peak < 20 * packed.MOST_HEADER


def test_a_member_of_a_zip_of_an_unknown_kind_does_not_end_the_others(tmp_path: Path) -> None:
    path = tmp_path / "g.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a", "b", "c"):
            archive.writestr(f"{name}{ENDING}", name)
    data = bytearray(path.read_bytes())
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    data[second + 8] |= 0x20  # its bytes are a patch, says this flag
    path.write_bytes(data)
    first, patch, last = found(tmp_path, "g.zip")
    assert (first.read(), last.read()) == (b"a", b"c")
    assert patch.trouble.startswith("is damaged in the archive: ")


def test_the_index_of_a_zip_may_not_be_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "g.zip", "w") as archive:
        for number in range(5_000):
            archive.writestr(f"{number}{ENDING}", "")
    assert len(found(tmp_path, "g.zip")) == 5_000
    monkeypatch.setattr(packed, "MOST_INDEX", 2**18)
    (trouble,) = found(tmp_path, "g.zip")
    assert "its index has more than" in trouble.trouble
