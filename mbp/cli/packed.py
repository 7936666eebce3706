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
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Self

from mbp.cli.walks import is_ours, why
from mbp.desk.shelf import LARGEST_EVIDENCE
from mbp.files import IrregularError, open_regular

TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2")
ZIP = (".zip",)
MOST_BYTES = 2**34  # of an unpacked tar, so that a bomb ends
MOST_HEADER = 2**20  # with all that describes it: tarfile keeps that in memory whole
MOST_MEMBERS = 2**20
MOST_INDEX = 2**24  # of a zip, which zipfile keeps in memory: about 0.6 kB for each member
PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others unpack without any limit

# How packed bytes begin that are not opened here.
PACKED = (
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"LZIP", "lzip"),
    (b"\x1f\x9d", "compress"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"PK\x03\x04", "zip"),
)

# What the libraries raise for bytes that are no archive, or that they do not read.
DAMAGE = (
    EOFError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    ValueError,  # numbers in headers
    OverflowError,
    RuntimeError,  # zipfile's word for an encrypted member, or one of a kind that it does not read
    LookupError,  # encodings and fields of headers
)

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
    except IrregularError:
        yield "", b"", "is no regular file"
    except OSError as failure:
        yield "", b"", why(failure)
    except DAMAGE as failure:
        yield "", b"", f"the archive is damaged: {failure}; nothing behind that is read"


def packed_by(data: bytes) -> str:
    """What packed some bytes, empty where nothing did that is known here."""
    return next((kind for start, kind in PACKED if data.startswith(start)), "")


class _Bounded:
    """Reads the stream of a tar up to a limit, and headers up to theirs."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._left = MOST_BYTES
        self._header: int | None = None

    @contextmanager
    def header(self) -> Iterator[None]:
        """Reads one header; those that describe it, and what they hold, are a part of it."""
        if self._header is not None:
            yield
            return
        self._header = MOST_HEADER
        try:
            yield
        finally:
            self._header = None

    def read(self, count: int) -> bytes:
        """At most `count` bytes. Raises TarError beyond a limit."""
        data: bytes = self._stream.read(count)
        self._left -= len(data)
        if self._left < 0:
            raise tarfile.ReadError(f"more than {MOST_BYTES >> 30} GiB in one archive")
        if self._header is not None:
            self._header -= len(data)
            if self._header < 0:
                raise tarfile.ReadError("a header is too large")
        return data


class _Header(tarfile.TarInfo):
    """A header of a tar: not too large, and none but an end mark ends the archive in silence."""

    stream: ClassVar[_Bounded]

    @classmethod
    def fromtarfile(cls, tarfile: Any) -> Self:
        """Reads a header, with those that describe it. Raises TarError."""
        with cls.stream.header():
            return super().fromtarfile(tarfile)

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str | None, errors: str) -> Self:
        """Reads a header's block. Raises TarError, a HeaderError for an end mark alone."""
        try:
            return super().frombuf(buf, encoding or "utf-8", errors)
        except tarfile.HeaderError as failure:
            if len(buf) == tarfile.BLOCKSIZE and not any(buf):
                raise  # the end mark
            if len(buf) < tarfile.BLOCKSIZE:
                raise tarfile.ReadError("it ends without an end mark") from failure
            raise tarfile.ReadError(f"no header where one should be ({failure})") from failure


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
        header = type("_HeaderOfThis", (_Header,), {"stream": bounded})
        with tarfile.open(fileobj=bounded, mode="r|", tarinfo=header) as opened:
            tar: Any = opened
            for number, member in enumerate(tar):
                if number >= MOST_MEMBERS:
                    raise tarfile.TarError(f"more than {MOST_MEMBERS} members")
                tar.members.clear()  # tarfile keeps all headers, and memory must not grow
                if not member.isreg() or not is_ours(member.name):
                    continue
                if member.issparse():
                    yield member.name, b"", "is sparse, which no game file is"
                    continue
                content = None if names_only else tar.extractfile(member)
                yield member.name, content.read(LARGEST_EVIDENCE) if content else b"", ""


class _Indexed:
    """The file of a zip, whose index may not be large: zipfile reads that in one go."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, count: int = -1) -> bytes:
        """At most `count` bytes. Raises BadZipFile for more than any reader but zipfile wants."""
        if count > MOST_INDEX:
            raise zipfile.BadZipFile(f"its index has more than {MOST_INDEX >> 20} MiB")
        return self._file.read(count)


def _zip_members(path: Path, names_only: bool) -> Iterator[Member]:
    with open_regular(path) as file:
        indexed: Any = _Indexed(file)
        with zipfile.ZipFile(indexed) as packed:
            for info in packed.infolist():
                if info.is_dir() or not is_ours(info.filename):
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
            return info.filename, content.read(LARGEST_EVIDENCE), ""
    except (OSError, *DAMAGE) as failure:
        return info.filename, b"", f"is damaged in the archive: {failure}"
