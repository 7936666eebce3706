"""Opening what bytes are packed in: gzip, zip, winmail.dat.

Pure. What is inside may come from anybody: names in an archive are never looked at, and one budget
bounds how deep, how many and how much is unpacked, whatever sizes are claimed.
"""

from __future__ import annotations

import io
import logging
import struct
import zipfile
import zlib
from collections.abc import Iterator

from mbp.errors import FormatError
from mbp.post.limits import PARTS, UNPACKED, Budget

MAX_ENTRIES = 5_000  # that a zip may list, folders too: the library makes an object of each
MAX_TNEF = 16 * 2**20  # bytes of a winmail.dat
MAX_TNEF_FIELDS = 200

GZIP, ZIP, TNEF = b"\x1f\x8b", b"PK\x03\x04", b"\x78\x9f\x3e\x22"
ENTRY = b"PK\x01\x02"
PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others unpack without any limit
TNEF_FIELD = struct.Struct("<BHHI")  # level, name, type, length
TNEF_NAMES = {0x800C, 0x800F, 0x9002}  # the text; an attachment's bytes, and that one begins


def is_packed(data: bytes) -> bool:
    """Whether bytes are something that `unpacked` opens."""
    return data.startswith((GZIP, ZIP, TNEF))


def unpacked(data: bytes, budget: Budget) -> Iterator[bytes | FormatError]:
    """What is inside, one after the other; for a member that cannot be opened, why.

    Raises FormatError for what cannot be opened at all, and where the budget ends.
    """
    if data.startswith(GZIP):
        yield _spent(_gunzip(data, budget.left[UNPACKED]), budget)
    elif data.startswith(ZIP):
        yield from _unzip(data, budget)
    elif data.startswith(TNEF):
        for inside in _open_tnef(data):
            yield _spent(inside, budget)


def _spent(data: bytes, budget: Budget) -> bytes:
    """The bytes of a member, of which no more were unpacked than one above the budget."""
    budget.spend(PARTS)
    budget.spend(UNPACKED, len(data))
    return data


def _gunzip(data: bytes, most: int) -> bytes:
    engine = zlib.decompressobj(31)  # with the header of gzip
    try:
        found = engine.decompress(data, most + 1)
    except zlib.error:
        raise FormatError("a damaged gzip file") from None
    if not engine.eof and len(found) <= most:
        raise FormatError("a gzip file that is truncated")
    return found


def _unzip(data: bytes, budget: Budget) -> Iterator[bytes | FormatError]:
    if data.count(ENTRY) > MAX_ENTRIES:
        raise FormatError(f"a zip file with more than {MAX_ENTRIES} entries")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception:  # noqa: BLE001 - whatever a damaged one makes of the library
        raise FormatError("a damaged zip file") from None
    with archive:
        for member in archive.infolist():
            if not member.is_dir():
                inside = _member(archive, member, budget.left[UNPACKED])
                yield inside if isinstance(inside, FormatError) else _spent(inside, budget)


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes | FormatError:
    """The bytes of one member, at most one more than `most`, or why there are none."""
    if member.flag_bits & 1:
        return FormatError("a zip file with a password")
    if member.compress_type not in PLAIN:
        return FormatError("a zip file of an unknown kind")
    try:
        with archive.open(member) as file:
            return file.read(most + 1)
    except Exception:  # noqa: BLE001 - whatever a damaged one makes of the library
        return FormatError("a damaged zip file")


def _open_tnef(data: bytes) -> list[bytes]:
    """The attachments and the text of a winmail.dat, if the library for it is installed."""
    try:
        import tnefparse
    except ImportError:
        raise FormatError(
            "a winmail.dat, which this program opens with tnefparse",
            hint="install mbp[tnef], or ask for a mail in plain text",
        ) from None
    logging.getLogger("tnefparse").disabled = True  # what it says of a peer's bytes is for nobody
    harmless = _harmless_tnef(data)
    try:
        opened = tnefparse.TNEF(harmless, do_checksum=False)
        texts = [opened.body, *(one.data for one in opened.attachments)]
    except Exception:  # noqa: BLE001 - whatever a damaged one makes of the library
        raise FormatError("a damaged winmail.dat") from None
    return [text for text in texts if isinstance(text, bytes) and text]


def _harmless_tnef(data: bytes) -> bytes:
    """The winmail.dat with its text and attachments alone.

    In the other fields stand counts, as large as somebody likes, that the library counts up to.
    """
    if len(data) > MAX_TNEF:
        raise FormatError(f"a winmail.dat of more than {MAX_TNEF} bytes")
    kept, place = [data[:6]], 6
    while place + 9 <= len(data):
        _, name, _, length = TNEF_FIELD.unpack_from(data, place)
        end = place + TNEF_FIELD.size + length + 2  # behind a checksum
        if name in TNEF_NAMES:
            kept.append(data[place:end])
        if len(kept) > MAX_TNEF_FIELDS:
            raise FormatError(f"a winmail.dat with more than {MAX_TNEF_FIELDS} fields")
        place = end
    return b"".join(kept)
