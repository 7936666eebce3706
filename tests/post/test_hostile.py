"""Whatever the bytes of a letter, reading ends soon, in finds and reasons and nothing else."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbp.errors import FormatError
from mbp.post.armour import format_short
from mbp.post.limits import LIMITS, MAX_MAIL, PARTS
from mbp.post.mail import Letter, is_mbox, read_letter, split_mbox
from tests.post.bombs import BOMBS
from tests.post.mangled import (
    attached,
    bounce,
    forwarded,
    html_of,
    message,
    raw,
    winmail,
    zipped,
)
from tests.post.stored import FILE, LOG

SEEDS = (
    attached(FILE[:3000]),
    forwarded(attached(FILE[:1000]), 2),
    bounce(message("x").as_bytes()),
    zipped(FILE[:1000], b"x"),
    winmail(FILE[:1000]),
    attached(winmail(FILE[:500]), "application/ms-tnef"),
    message(html_of("[BEGIN MBP/1 ")).as_bytes(),
)


def check(letter: Letter) -> None:
    """Asserts that a letter has finds and reasons, and nothing else."""
    assert isinstance(letter, Letter)
    assert letter.kind in ("file", "mail", "reply", "bounce")
    assert all(one.file or one.short or one.trouble for one in letter.finds)
    assert all(isinstance(one.trouble, FormatError | None) for one in letter.finds)


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
        check(read_letter(mutated(SEEDS[number], rng)))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_finds_and_reasons(data: bytes) -> None:
    for letter in (data, attached(data), zipped(data), winmail(data)):
        check(read_letter(letter))


HEADERS = st.sampled_from(
    ("Content-Type", "Content-Transfer-Encoding", "Auto-Submitted", "Return-Path", "From", "X")
)
WORDS = st.sampled_from(
    ("text/plain", "text/html", "multipart/mixed", "multipart/digest", "multipart/report",
     "message/rfc822", "message/partial", "message/delivery-status", "application/zip", "a", "/",
     ";", " ", "boundary=b", "boundary*=undefined''b", "boundary*0=b", "boundary*" + "1" * 5000,
     "charset=utf-16", "charset=idna", "charset*=\0''utf-8", "charset=utf-7", "=?utf-8?q?=0A?=",
     "base64", "quoted-printable", "x-uuencode", '"', "(", "\\", "\0", "\xe9", "<>", "\n ",
     "delivery-status", "auto-replied", "postmaster")
)  # fmt: skip
LINES = st.sampled_from(
    ("--b", "--b--", "", "AAAA", "=", "=\n", "<![", "<p>", "&#" + "1" * 5000 + ";", "[BEGIN MBP/1 ",
     "[END MBP/1 ", "> ", "Status: 5.1.1", "From x", "\x1f\x8b\x08", "PK\x03\x04", 'mbp: "1"',
     "summary:", "\xef\xbb\xbf", "\xff\xfe")
)  # fmt: skip
HEAD = st.lists(st.tuples(HEADERS, st.lists(WORDS, max_size=5).map("".join)), max_size=4).map(
    lambda found: "".join(f"{name}: {value}\n" for name, value in found)
)
BODY = st.lists(st.one_of(LINES, HEAD), max_size=8).map("\n".join)


@settings(max_examples=500, deadline=None)
@given(HEAD, BODY)
def test_any_headers_and_parts_give_finds_and_reasons(head: str, body: str) -> None:
    data = f"{head}Subject: x\nTo: y@example.org\n\n{body}".encode("latin-1")
    check(read_letter(data))
    check(read_letter(forwarded(data)))


MIXED = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n'
PLAIN, PAGE = "Content-Type: text/plain; ", "Content-Type: text/html\n\n"
PARTS_OF = "Content-Type: multipart/mixed; "
POISON = {
    "HTML that is none": f"{PAGE}<p>Hi <![ there",
    "a charset that is none": f"{PLAIN}charset*=undefined''utf-8\n\nhi",
    "a charset with a zero": f"{PLAIN}charset*=\0''utf-8\n\nhi",
    "a boundary that is none": f"{PARTS_OF}boundary*=undefined''a\n\n--a\n\nhi",
    "a long number": f"{PARTS_OF}boundary*{'1' * 5000}=x\n\n--x\n\nhi",
    "a long reference": f"{PAGE}<p>&#{'1' * 5000};",
    "a zip that is none": "Content-Type: application/zip\n\nPK\x03\x04",
    "a gzip that is none": "Content-Type: application/gzip\n\n\x1f\x8b\x08",
    "a long header": f'{PLAIN}x="{";" * 20_000}\n\nhi',
}


@pytest.mark.parametrize("name", POISON)
def test_a_part_that_cannot_be_read_hides_no_other(name: str) -> None:
    """The game lies behind it, in a part of its own; and the part alone makes a letter too."""
    poison = POISON[name].encode("latin-1")
    game = b"Content-Type: application/yaml\n\n" + FILE
    mail = raw(MIXED, b"--b\n" + poison + b"\n--b\n" + game + b"\n--b--\n")
    assert FILE.strip() in [one.file.strip() for one in read_letter(mail).finds]
    check(read_letter(raw("", "").rstrip(b"\n") + b"\n" + poison))


def test_a_member_that_cannot_be_read_hides_no_other() -> None:
    data = bytearray(zipped(b"x" * 100, FILE))
    data[data.index(b"PK\x01\x02") + 8] |= 1  # a password, it says of the first one
    finds = read_letter(bytes(data)).finds
    assert [str(one.trouble) for one in finds if one.trouble] == ["a zip file with a password"]
    assert [one.file for one in finds if one.file] == [FILE]


@pytest.mark.parametrize("depth", [100, 3000])
@pytest.mark.parametrize("kind", ["multipart", "rfc822"])
def test_deep_mails_end_in_a_reason(depth: int, kind: str) -> None:
    lines = ["From: a@example.org", "To: b@example.org"]
    for number in range(depth):
        parts = [f'Content-Type: multipart/mixed; boundary="b{number}"', "", f"--b{number}"]
        lines += parts if kind == "multipart" else ["Content-Type: message/rfc822", ""]
    (find,) = read_letter("\n".join([*lines, "", "hi", ""]).encode()).finds
    assert "levels" in str(find.trouble)


def test_no_more_than_so_many_parts_are_looked_at() -> None:
    mail = message("many")
    for _ in range(LIMITS[PARTS] + 5):
        mail.add_attachment(b"x", maintype="application", subtype="x")
    (find,) = read_letter(mail.as_bytes()).finds
    assert isinstance(find.trouble, FormatError)
    assert "parts" in str(find.trouble)


def test_a_letter_that_is_too_long_is_read_as_far_as_it_may_be() -> None:
    mail = message(format_short(LOG, 10)).as_bytes()
    finds = read_letter(mail + b"\n" * (MAX_MAIL + 1 - len(mail))).finds
    assert [bool(one.short) for one in finds] == [False, True]
    assert "a letter of more than" in str(finds[0].trouble)


@pytest.mark.parametrize("name", BOMBS)
def test_a_letter_costs_no_more_than_it_may(name: str) -> None:
    """Each in a process of its own, which ends if it takes more room or time."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.post.bombs", name], cwd=Path(__file__).parents[2],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.returncode, done.stderr)
    reason = BOMBS[name][1]
    assert reason in done.stdout if reason else not done.stdout, done.stdout


def test_an_mbox_is_split_at_its_lines_and_nowhere_else() -> None:
    start = b"From a@example.org Mon Nov 30 12:00:00 2026\n"
    first, second = b"A: 1\n\n>From the start\nFrom here on, at 12:00\n\n", b"B: 2\n\nend\n"
    lines = (start + first + start + second).splitlines(keepends=True)
    assert is_mbox(start)
    assert list(split_mbox(iter(lines))) == [first.replace(b">From", b"From"), second]
