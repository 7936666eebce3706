"""Game files in tar and zip archives, which a stranger may have made.

Read as a stream of bytes: nothing is extracted, so that names and links in the archive cannot do
anything, and limits bound what is read whatever sizes the archive claims.
"""

from __future__ import annotations

import bz2
import gzip
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from mbp.desk.shelf import ENDING, LARGEST
from mbp.files import IrregularError, open_regular

TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2")
ZIP = (".zip",)
MOST_BYTES = 2**34  # of an unpacked tar, so that a bomb ends
MOST_HEADER = 2**20  # a long name or the like, which tarfile keeps in memory whole
MOST_MEMBERS = 2**20
DESCRIBING = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others unpack without any limit

# (name, bytes, trouble); the trouble of the whole archive has no name.
Member = tuple[str, bytes, str]


def is_archive(name: str) -> bool:
    """Whether a file is taken for an archive, by its name."""
    return name.lower().endswith(TAR + ZIP)


def members(path: Path, *, names_only: bool = False) -> Iterator[Member]:
    """The game files in an archive in its order, then the trouble that ended it, if any."""
    read = _zip_members if path.name.lower().endswith(ZIP) else _tar_members
    try:
        yield from read(path, names_only)
    except IrregularError as failure:
        yield "", b"", str(failure)
    except OSError as failure:
        yield "", b"", f"cannot read {path}: {failure.strerror or failure}"
    except (
        EOFError,
        tarfile.TarError,
        zipfile.BadZipFile,
        zlib.error,
        ValueError,  # numbers in headers
        OverflowError,
        RuntimeError,  # zipfile's word for an encrypted member
        LookupError,  # encodings and fields of headers
    ) as failure:
        yield "", b"", f"the archive is damaged: {failure}"


class _Bounded:
    """Reads a stream up to a limit."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._left = MOST_BYTES

    def read(self, count: int) -> bytes:
        """At most `count` bytes. Raises TarError beyond the limit."""
        data: bytes = self._stream.read(count)
        self._left -= len(data)
        if self._left < 0:
            raise tarfile.TarError(f"more than {MOST_BYTES >> 30} GiB in one archive")
        return data


class _Header(tarfile.TarInfo):
    """A header of a tar; one that only describes the next must not be large."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str | None, errors: str) -> Self:
        """Reads a header. Raises ReadError."""
        found: Self = super().frombuf(buf, encoding or "utf-8", errors)
        if found.type in DESCRIBING and found.size > MOST_HEADER:
            raise tarfile.ReadError("a header is too large")
        return found


def _tar_members(path: Path, names_only: bool) -> Iterator[Member]:
    with open_regular(path) as file:
        start = file.read(3)
        file.seek(0)
        stream: Any = file
        if start[:2] == b"\x1f\x8b":
            stream = gzip.GzipFile(fileobj=file)
        elif start == b"BZh":
            stream = bz2.BZ2File(file)
        bounded: Any = _Bounded(stream)
        with tarfile.open(fileobj=bounded, mode="r|", tarinfo=_Header) as opened:
            tar: Any = opened
            for number, member in enumerate(tar):
                if number >= MOST_MEMBERS:
                    raise tarfile.TarError(f"more than {MOST_MEMBERS} members")
                tar.members.clear()  # tarfile keeps all headers, and memory must not grow
                if not member.isreg() or not member.name.endswith(ENDING):
                    continue
                if member.issparse():
                    yield member.name, b"", "is sparse, which no game file is"
                    continue
                content = None if names_only else tar.extractfile(member)
                yield member.name, content.read(LARGEST) if content else b"", ""


def _zip_members(path: Path, names_only: bool) -> Iterator[Member]:
    with open_regular(path) as file, zipfile.ZipFile(file) as packed:
        for info in packed.infolist():
            if info.is_dir() or not info.filename.endswith(ENDING):
                continue
            if info.flag_bits & 1 or info.compress_type not in PLAIN:
                yield info.filename, b"", "is encrypted, or packed in a way mbp does not read"
            elif names_only:
                yield info.filename, b"", ""
            else:
                yield _zip_member(packed, info)


def _zip_member(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    """One member; a damaged one does not end the others, since each is found by the index."""
    try:
        with packed.open(info) as content:
            return info.filename, content.read(LARGEST), ""
    except (EOFError, zipfile.BadZipFile, zlib.error, OSError, ValueError) as failure:
        return info.filename, b"", f"is damaged in the archive: {failure}"
