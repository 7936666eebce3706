"""A mail taken apart: the parts where they are, their bytes without what carried them."""

from __future__ import annotations

from email import message_from_bytes
from email.message import Message

import pytest

from mbp.post.armour import format_short
from mbp.post.mail import read_letter
from mbp.post.mime import Part, decode_base64, parse_mail
from tests.post.mangled import attached, forwarded, message, quoted, raw
from tests.post.stored import FILE, LOG


def leaves(part: Part) -> list[tuple[str, bytes]]:
    """The type and the bytes of each part that has no parts."""
    children = list(part.children())
    if not children:
        return [(part.kind, part.decoded().replace(b"\r\n", b"\n").rstrip(b"\n"))]
    return [leaf for child in children for leaf in leaves(child)]


def by_the_library(mail: Message[str, str]) -> list[tuple[str, bytes]]:
    """The same, as the library reads it."""
    found = []
    for part in mail.walk():
        if not part.is_multipart():
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            found.append((part.get_content_type(), data.replace(b"\r\n", b"\n").rstrip(b"\n")))
    return found


def with_alternatives() -> bytes:
    mail = message("plain\n")
    mail.add_alternative("<p>page", subtype="html")
    mail.add_attachment(b"\0\1\2" * 100, maintype="application", subtype="x", filename="ä.bin")
    mail.add_attachment(message("inside\n"))
    return mail.as_bytes()


FOLDED = raw(
    'MIME-Version: 1.0\nContent-Type: multipart/mixed;\n\tboundary=\n "b c"\n',
    "before\n--b c\n\none\n--b c \nContent-type: TEXT/HTML\n\ntwo\n--b cd\n--b c--\n",
)
BLOCK = format_short(LOG, 10)
MAILS = {
    "a text": message("Hi\n").as_bytes(),
    "an attachment": attached(FILE),
    "with CRLF": attached(FILE).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "with LF": attached(FILE).replace(b"\r\n", b"\n"),
    "alternatives": with_alternatives(),
    "forwarded": forwarded(with_alternatives(), 3),
    "no last line": attached(FILE).rpartition(b"\n--")[0],
    "folded headers": FOLDED,
    "no boundary": raw("Content-Type: multipart/mixed\n", "--b\n\nhi\n"),
    "no parts": raw("Content-Type: multipart/mixed; boundary=b\n", "hi\n"),
    "no empty line": raw("Content-Type: text/html\nno header", "hi\n"),
    "an empty part": raw("Content-Type: multipart/mixed; boundary=b\n", "--b\n--b\n\nhi\n--b--"),
    "a digest": raw(
        "Content-Type: multipart/digest; boundary=b\n", "--b\n\nFrom: a\nTo: b\n\nhi\n--b--\n"
    ),
    "from an mbox": b"From x Mon Nov 30 12:00:00 2026\n" + message("Hi\n").as_bytes(),
    "a text quoted-printable": message("Grüße = ä\n" * 30).as_bytes(),
}


@pytest.mark.parametrize("name", MAILS)
def test_a_mail_has_the_parts_that_the_library_finds(name: str) -> None:
    found = [leaf for leaf in leaves(parse_mail(MAILS[name])) if leaf[1]]
    assert found == by_the_library(message_from_bytes(MAILS[name]))


TEXT = b"aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxkLCBo\r\nZWxsbyB3b3JsZA==\r\n"
TOLD = b"hello world, hello world, hello world"


@pytest.mark.parametrize(
    "behind",
    [b"", b"-- \nA list\n", b"\n\nUnsubscribe\n", b"Unsubscribe\nhere\n", b"__\nAAAA\n", b" \t\n"],
)
def test_base64_ends_where_something_else_begins(behind: bytes) -> None:
    assert decode_base64(TEXT + behind) == TOLD
    assert decode_base64(TEXT.replace(b"\r", b"") + behind) == TOLD


def test_base64_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    assert decode_base64(TEXT[:22]) == TOLD[:15]
    assert decode_base64(b"!") == b""


def below(block: str, file: bytes, marks: str = "") -> bytes:
    """What s-nail hands to a pipe: the text of the mail, and below it what was attached."""
    head = "[-- Message  1 -- 59 lines, 3102 bytes --]:\nFrom: Bert <bert@example.org>\n\n"
    text = quoted(f"Hi\n{block}", marks)
    return f"{head}[-- #1.1 13/482 text/plain --]\n\n{text}\n{SHOWN}".encode() + file


SHOWN = "[-- #1.2 34/2283 +text/x-yaml, base64, us-ascii --]\n[-- g.mbp.yaml --]\n\n"


@pytest.mark.parametrize("marks", ["", "> "])
def test_a_file_below_the_text_is_found_beside_the_short_form(marks: str) -> None:
    finds = read_letter(below(BLOCK, FILE, marks)).finds
    assert [one.short.first for one in finds if one.short] == [10]
    assert [one.file for one in finds if one.file] == [FILE]
    assert not any(one.trouble for one in finds)


def test_a_truncated_file_below_the_text_is_told_and_the_short_form_is_found() -> None:
    finds = read_letter(below(BLOCK, FILE[:-900])).finds
    assert [one.short.first for one in finds if one.short] == [10]
    assert ["truncated" in str(one.trouble) for one in finds if one.trouble] == [True]


def test_a_file_below_a_truncated_short_form_is_found() -> None:
    finds = read_letter(below(BLOCK.partition("[END")[0], FILE)).finds
    assert [one.file for one in finds if not one.trouble] == [FILE]
    assert ["truncated" in str(one.trouble) for one in finds if one.trouble] == [True]


@pytest.mark.parametrize("more", ["", SHOWN + "nothing\n"])
def test_a_file_below_a_text_without_a_short_form_is_found(more: str) -> None:
    (find,) = read_letter(below("", FILE) + more.encode()).finds
    assert (find.file, find.trouble) == (FILE, None)


def test_a_file_is_taken_as_it_is_where_nothing_shows_it() -> None:
    """Another program may write its keys in another order, or notes before them."""
    for file in (b"# [BEGIN\n" + FILE, b"summary: {}\n" + FILE, b"---\n" + FILE):
        assert [one.file for one in read_letter(file).finds] == [file]
