"""The mail that goes out: whole and unchanged by relays, one thread, nothing private in it."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from mbp.addresses import is_address, typed_address
from mbp.errors import PostError
from mbp.post.armour import format_short
from mbp.post.letter import (
    Outgoing,
    first_unseen,
    mailto_link,
    message_id,
    references,
    write_mail,
)
from mbp.post.mail import read_letter
from tests.duel import START
from tests.post.stored import FILE, LOG, WHOLE

SEAT = LOG[-1].by
FIRST = first_unseen(LOG, SEAT)
OUT = Outgoing(
    sender="jörg@example.org".encode("ascii", "ignore").decode(),
    sender_name="Jörg, the 1st",
    to="bert@example.org",
    to_name='Bert "B" Ö',
    subject="mbp: Mandala — Jörg",
    text="Jörg: mountain 1 red, draws 3 " + "long " * 300,
    block=format_short(LOG, FIRST),
    file=FILE,
    file_name="mandala-1a2b3c4d.mbp.yaml",
    time=START,
    message_id=message_id(LOG[-1], SEAT),
    references=references(LOG, SEAT),
)


def read(data: bytes) -> EmailMessage:
    mail = message_from_bytes(data, policy=default)
    assert isinstance(mail, EmailMessage)
    return mail


def test_a_mail_is_7_bit_in_short_lines_and_the_same_when_it_is_sent_again() -> None:
    data = write_mail(OUT)
    assert data.isascii()
    assert max(len(line) for line in data.split(b"\r\n")) <= 78
    assert data == write_mail(OUT)
    assert b"\n" not in data.replace(b"\r\n", b"")


def test_the_whole_file_is_attached_in_base64_under_an_ascii_name() -> None:
    (part,) = read(write_mail(OUT)).iter_attachments()
    assert part.get_content_type() == "application/yaml"
    assert part["Content-Transfer-Encoding"] == "base64"
    assert part.get_filename() == OUT.file_name
    assert part.get_content() == FILE


def test_what_we_write_we_find_again() -> None:
    finds = read_letter(write_mail(OUT)).finds
    assert [one.file for one in finds if one.file] == [FILE]
    assert [one.short.head for one in finds if one.short] == [LOG[-1].id]


def test_the_block_holds_what_the_opponent_has_not_seen() -> None:
    assert all(entry.by == SEAT for entry in LOG[FIRST:])
    assert LOG[FIRST - 1].by != SEAT
    assert first_unseen(LOG[:1], "A") == 0


def test_the_mails_of_a_match_are_one_thread() -> None:
    ids: list[str] = []
    for end in range(1, len(WHOLE.log) + 1):
        log = WHOLE.log[:end]
        if end < len(WHOLE.log) and WHOLE.log[end].by == log[-1].by:
            continue  # the same author goes on: nothing is sent here
        seat = log[-1].by
        named = references(log, seat)
        assert set(named) <= set(ids)
        assert named[:1] == tuple(ids[:1])
        assert named[-1:] == tuple(ids[-1:])
        assert len(named) <= 12
        ids.append(message_id(log[-1], seat))
    assert len(ids) == len(set(ids))


def test_headers_hold_names_of_any_kind_and_mark_what_no_person_sent() -> None:
    mail = read(write_mail(OUT))
    assert mail["To"].addresses[0].display_name == OUT.to_name
    assert mail["From"].addresses[0].display_name == OUT.sender_name
    assert mail["In-Reply-To"] == OUT.references[-1]
    assert mail["Auto-Submitted"] is None
    assert mail["X-Unsent"] is None
    assert read(write_mail(OUT, draft=True))["X-Unsent"] == "1"
    by_itself = Outgoing(**{**vars(OUT), "automatic": True})
    assert read(write_mail(by_itself))["Auto-Submitted"] == "auto-generated"
    assert read(write_mail(Outgoing(**{**vars(OUT), "sender": ""})))["From"] is None


@pytest.mark.parametrize(
    "text",
    ["", "bert", "bert@", "@example.org", "a@b.org, c@d.org", "a@b.org\nBcc: c@d.org", "a b@c.org",
     "<a@b.org>", "ä@b.org", "a@b..org", "a@-b.org", "a@b.org>", "a@b.org;c@d.org", "\"a\"@b.org"],
)  # fmt: skip
def test_an_address_is_one_address_and_nothing_else(text: str) -> None:
    assert not is_address(text)
    assert is_address("bert+games@example.org")


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("bert@example.org", "bert@example.org"),
        (" bert@example.org ", "bert@example.org"),
        ("Bert B. <bert@example.org>", "bert@example.org"),
        ('"B., Bert" <bert@example.org>', "bert@example.org"),
        ("<bert@example.org>", "bert@example.org"),
        ("bert", None),
        ("", None),
        ("Bert <bert>", None),
        ("a@example.org, b@example.org", None),
        ("a@example.org <b@example.org", None),
        ("Bert <bert@example.org>\nBcc: <c@example.org>", None),
    ],
)
def test_what_is_typed_may_have_a_name_before_the_address(typed: str, address: str | None) -> None:
    assert typed_address(typed) == address


def test_a_link_holds_the_short_form_unless_it_gets_too_long() -> None:
    short = Outgoing(**{**vars(OUT), "text": "Jörg: mountain 1 red & more?"})
    link = mailto_link(short)
    parts = urlsplit(link)
    assert (parts.scheme, unquote(parts.path)) == ("mailto", OUT.to)
    body = parse_qs(parts.query)["body"][0]
    assert body == short.body.replace("\n", "\r\n")
    with pytest.raises(PostError, match="would be cut off"):
        mailto_link(Outgoing(**{**vars(OUT), "block": format_short(LOG, 0)}))
