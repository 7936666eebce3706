"""Whatever the bytes of a letter, reading ends soon, in finds and reasons and nothing else."""

from __future__ import annotations

import random

import pytest

from mbp.errors import FormatError
from mbp.post.mail import Letter, is_mbox, read_letter, split_mbox
from mbp.post.unpack import MAX_PARTS
from tests.post.mangled import attached, bounce, forwarded, html_of, message, winmail, zipped
from tests.post.stored import FILE

SEEDS = (
    attached(FILE[:3000]),
    forwarded(attached(FILE[:1000]), 2),
    bounce(message("x").as_bytes()),
    zipped(FILE[:1000], b"x"),
    winmail(FILE[:1000]),
    attached(winmail(FILE[:500]), "application/ms-tnef"),
    message(html_of("[BEGIN MBP/1 ")).as_bytes(),
)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The data with some bytes changed, lost, or doubled."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(found))
        what = rng.randrange(4)
        if what == 0:
            found[place] = rng.randrange(256)
        elif what == 1:
            del found[place : place + rng.randint(1, 40)]
        elif what == 2:
            found[place:place] = found[place : place + rng.randint(1, 200)]
        else:
            found[place:place] = rng.choice((b"\n\n", b"\x00", b"=?x?", b"--b", b'"', b";", b"\r"))
        if not found:
            return b""
    return bytes(found)


@pytest.mark.parametrize("number", range(len(SEEDS)))
def test_mutated_letters_give_finds_and_reasons(number: int) -> None:
    rng = random.Random(number)
    for _ in range(60):
        letter = read_letter(mutated(SEEDS[number], rng))
        assert isinstance(letter, Letter)
        assert all(one.file or one.short or one.trouble for one in letter.finds)


def test_no_more_than_so_many_parts_are_looked_at() -> None:
    mail = message("many")
    for _ in range(MAX_PARTS + 5):
        mail.add_attachment(b"x", maintype="application", subtype="x")
    (find,) = read_letter(mail.as_bytes()).finds
    assert isinstance(find.trouble, FormatError)
    assert "parts" in str(find.trouble)


def test_an_mbox_is_split_at_its_lines_and_nowhere_else() -> None:
    start = b"From a@example.org Mon Nov 30 12:00:00 2026\n"
    first, second = b"A: 1\n\n>From the start\nFrom here on, at 12:00\n\n", b"B: 2\n\nend\n"
    lines = (start + first + start + second).splitlines(keepends=True)
    assert is_mbox(start)
    assert list(split_mbox(iter(lines))) == [first.replace(b">From", b"From"), second]
