"""Letters that are small and would cost much: room, time, or both, if they were read to the end.

`python -m tests.post.bombs NAME` reads one with little room and time, and prints what was found.
"""

from __future__ import annotations

import gzip
import io
import resource
import struct
import sys
import zipfile
import zlib
from base64 import b64encode, encodebytes
from collections.abc import Callable, Mapping
from pathlib import Path

from mbp.canonical import canonical
from mbp.post.armour import checksum
from mbp.post.mail import read_letter

MIB = 2**20
HEAD = b"From: a@example.org\nTo: b@example.org\nSubject: x\nMIME-Version: 1.0\n"
BINARY = b"Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
ROOM, SECONDS = 420 * MIB, 20  # of address space beside the program's own; of processor time


def packed(data: bytes) -> bytes:
    """A mail with this in a gzip."""
    return HEAD + BINARY + encodebytes(gzip.compress(data))


def pages(page: bytes, count: int = 60) -> bytes:
    """A mail with a zip of so many pages, each another one."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(count):
            archive.writestr(f"{number}", b"<html>%d %s" % (number, page))
    return HEAD + BINARY + encodebytes(zipped.getvalue())


def directory() -> bytes:
    """A zip that lists far more entries than it has bytes for."""
    entry = b"PK\x01\x02" + struct.pack("<4B4HL2L5H2L", *(20, 0, 20, 0, *[0] * 7, 2, *[0] * 6))
    count = 60 * MIB // len(entry + b"a/")
    entries = (entry + b"a/") * count
    local = b"PK\x03\x04" + bytes(26)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 2**32 - 1, 2**32 - 1, 0)
    end64 = struct.pack(
        "<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(entries), len(local)
    )
    where = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(local) + len(entries), 1)
    return packed(local + entries + end64 + where + end)


def shorts(count: int) -> bytes:
    """Short forms of the largest size, each with more than a million lists in it."""
    game, lines = "0" * 32, ""
    for number in range(count):
        lists: list[str] = [[] for _ in range(1_390_000)]  # type: ignore[misc]
        unpacked = canonical([{"seq": "0", "x": lists, "z": str(number)}])
        body = zlib.compress(unpacked, 9)
        total = checksum(game, "0-0", unpacked)
        text = b64encode(body).decode()
        lines += f"[BEGIN MBP/1 {game} 0-0]\n{text}\n[END MBP/1 {len(body)} {total}]\n"
    return HEAD + b"\n" + lines.encode()


def winmail(name: int, body: bytes) -> bytes:
    """A mail with a winmail.dat of one field."""
    field = struct.pack("<BHHI", 1, name, 6, len(body)) + body + b"\0\0"
    data = struct.pack("<IH", 0x223E9F78, 1) + field
    return HEAD + BINARY + encodebytes(data)


def multipart(part: bytes, count: int) -> bytes:
    """A mail of so many parts."""
    head = b"Content-Type: multipart/mixed; boundary=b\n\n"
    return HEAD + head + (b"--b\n" + part + b"\n") * count


MULTIPART = b"Content-Type: multipart/mixed; boundary=b\n\n"
MBOX = b"From a@example.org Mon Nov 30 12:00:00 2026\n"
MANY = b"\xff\xff\xff\xff"

# What each is, and what stands in the reason that is given; nothing where nothing was found.
BOMBS: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "short lines": (lambda: packed(HEAD + b"\n" + b"a\n" * (30 * MIB)), "bytes unpacked"),
    "a million parts": (lambda: packed(HEAD + MULTIPART + b"--b\n\n" * (12 * MIB)), "parts"),
    "tabs": (lambda: packed(b"ab\t" * (20 * MIB)), ""),
    "tabs in a short form": (lambda: packed(b"[BEGIN" + b"\ta" * (30 * MIB)), ""),
    "zero widths": (lambda: packed(b"[BEGIN" + "\u200ba".encode() * (12 * MIB)), ""),
    "a directory": (directory, "entries"),
    "4 short forms": (lambda: shorts(4), "short forms"),
    "a gzip in a gzip": (lambda: packed(gzip.compress(bytes(2**27))), "bytes unpacked"),
    "tags": (lambda: pages(b"<b>" * (MIB // 3 - 8)), "bytes of text"),
    "half tags": (lambda: pages(b"<a " * (MIB // 3 - 8)), "bytes of text"),
    "half end tags": (lambda: pages(b"</a " * (MIB // 4 - 8)), "bytes of text"),
    "half comments": (lambda: pages(b"<!-" * (MIB // 3 - 8)), "bytes of text"),
    "half instructions": (lambda: pages(b"<?" * (MIB // 2 - 8)), "bytes of text"),
    "half references": (lambda: pages(b"&a" * (MIB // 2 - 8)), "bytes of text"),
    "a long header": (
        lambda: HEAD + b'Content-Type: text/plain; x="' + b";" * 200_000 + b'"\n\nhi\n',
        "",
    ),
    "long headers": (
        lambda: multipart(b'Content-Type: text/plain; x="' + b";" * 100_000 + b"\n\n", 400),
        "",
    ),
    "short headers": (lambda: HEAD + b"A:\n" * (20 * MIB) + b"\nhi\n", ""),
    "a slow charset": (
        lambda: HEAD + b"Content-Type: text/plain; charset=punycode\n\n" + b"a" * 200_000 + b"-a",
        "",
    ),
    "a mailbox of empty lines": (lambda: packed(MBOX + b"\n" * (60 * MIB)), "bytes unpacked"),
    "a mailbox of empty mails": (lambda: packed((MBOX + b"\n") * MIB), "parts"),
    "a mailbox in a mailbox": (lambda: packed(MBOX * 40 + b"x" * (40 * MIB)), "bytes unpacked"),
    "odd base64": (lambda: HEAD + BINARY + b"A\n" * (20 * MIB) + b"!", ""),
    "a count in a winmail.dat": (lambda: winmail(0x9003, MANY), ""),
    "rows in a winmail.dat": (lambda: winmail(0x9004, MANY), ""),
    "values in a winmail.dat": (
        lambda: winmail(0x9003, struct.pack("<IHHI", 1, 0x1002, 1, 2**32 - 1)),
        "",
    ),
}


def main(name: str) -> None:
    """Reads the letter of that name."""
    data = BOMBS[name][0]()
    pages_taken = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    own = int(pages_taken) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (own + ROOM, own + ROOM))
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + SECONDS, int(used) + SECONDS + 1))
    for find in read_letter(data).finds:
        sys.stdout.write(f"{find.trouble or 'found'}\n")


if __name__ == "__main__":
    main(sys.argv[1])
