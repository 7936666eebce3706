"""Opening what bytes are packed in: gzip, zip, winmail.dat, base64 with a footer behind it.

Pure. What is inside may come from anybody: names in an archive are never looked at, and one budget
bounds how deep, how many and how much is unpacked, whatever sizes are claimed.
"""

from __future__ import annotations

import io
import logging
import re
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from mbp.errors import FormatError

MAX_DEPTH = 16  # packings around one another; a forwarded mail counts for two or three
MAX_PARTS = 500  # parts of one letter, members of archives counted
MAX_BYTES = 64 * 2**20  # unpacked, of one letter in all

GZIP, ZIP, TNEF = b"\x1f\x8b", b"PK\x03\x04", b"\x78\x9f\x3e\x22"
BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others unpack without any limit


@dataclass
class Budget:
    """What may still be unpacked of one letter."""

    parts: int = MAX_PARTS
    left: int = MAX_BYTES

    def spend(self, data: bytes) -> bytes:
        """Takes one part and its bytes. Raises FormatError where nothing is left."""
        self.parts -= 1
        self.left -= len(data)
        if self.parts < 0:
            raise FormatError(f"more than {MAX_PARTS} parts")
        if self.left < 0:
            raise FormatError(f"more than {MAX_BYTES} bytes unpacked")
        return data


def is_packed(data: bytes) -> bool:
    """Whether bytes are something that `unpacked` opens."""
    return data.startswith((GZIP, ZIP, TNEF))


def unpacked(data: bytes, budget: Budget) -> Iterator[bytes]:
    """What is inside, one after the other. Raises FormatError for what cannot be opened."""
    if data.startswith(GZIP):
        yield budget.spend(_gunzip(data, budget.left))
    elif data.startswith(ZIP):
        yield from _unzip(data, budget)
    elif data.startswith(TNEF):
        for inside in _open_tnef(data):
            yield budget.spend(inside)


def _gunzip(data: bytes, most: int) -> bytes:
    engine = zlib.decompressobj(31)  # with the header of gzip
    try:
        found = engine.decompress(data, most + 1)
    except zlib.error:
        raise FormatError("a damaged gzip file") from None
    if not engine.eof and len(found) <= most:
        raise FormatError("a gzip file that is truncated")
    return found


def _unzip(data: bytes, budget: Budget) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                if member.is_dir():
                    continue
                if member.flag_bits & 1:
                    raise FormatError("a zip file with a password")
                if member.compress_type not in PLAIN:
                    raise FormatError("a zip file of an unknown kind")
                with archive.open(member) as file:
                    yield budget.spend(file.read(budget.left + 1))
    except (
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
        OSError,  # a seek to nowhere
        ValueError,
        OverflowError,
        RuntimeError,
        LookupError,
    ):
        raise FormatError("a damaged zip file") from None


def _open_tnef(data: bytes) -> list[bytes]:
    """The attachments and the texts of a winmail.dat, if the library for it is installed."""
    try:
        import tnefparse
    except ImportError:
        raise FormatError(
            "a winmail.dat, which this program opens with tnefparse",
            hint="install mbp[tnef], or ask for a mail in plain text",
        ) from None
    logging.getLogger("tnefparse").disabled = True  # what it says of a peer's bytes is for nobody
    try:
        opened = tnefparse.TNEF(data)
        texts = [opened.body, opened.htmlbody, *(one.data for one in opened.attachments)]
    except Exception:  # noqa: BLE001 - whatever a damaged one makes of the library
        raise FormatError("a damaged winmail.dat") from None
    found = [text.encode("utf-8", "replace") if isinstance(text, str) else text for text in texts]
    return [text for text in found if isinstance(text, bytes) and text]


def decode_base64(text: bytes) -> bytes:
    """The bytes of a part in base64, up to where something else begins.

    Mailing lists and virus scanners write words behind the last line. Where such a word could be
    base64 too, the length tells: lines have four characters for three bytes.
    """
    with suppress(ValueError):  # mostly there is nothing else
        return b64decode(text.replace(b"\r", b"").replace(b"\n", b""), validate=True)
    lines = []
    for line in text.split(b"\n"):
        line = line.strip()
        if line and not BASE64_LINE.fullmatch(line):
            break
        if line:
            lines.append(line)
    joined = b"".join(lines)
    while len(joined) % 4 and len(lines) > 1 and len(lines[-1]) % 4:
        lines.pop()
        joined = b"".join(lines)
    try:
        return b64decode(joined[: len(joined) // 4 * 4], validate=True)
    except ValueError:
        return b""
