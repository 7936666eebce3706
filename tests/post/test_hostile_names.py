"""Whatever a player is called, the name is text in our mails: it adds no header and no address."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.utils import getaddresses
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mbp.addresses import ADDRESS, is_address
from mbp.errors import PostError
from mbp.post.letter import header_text, mailto_link, write_mail
from tests.post.game import mbp
from tests.post.test_letter import OUT

SMALL = replace(OUT, file=b"x", text="x", block="")
HEADERS = ["From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"]
HEADERS += ["MIME-Version", "Content-Type"]

BCC = "=?utf-8?q?x=0D=0ABcc=3A_victim=40example=2Eorg?="
NAMES = (
    BCC,
    "=?utf-8?b?DQpCY2M6IHg=?=",
    "=?utf-8?q?=3Cevil=40e=2Eorg=3E?=",
    "é=?utf-8?b?x8c=?=",
    "=?utf-8?q?=0A?=",
    "=?utf-8?q?=00?=",
    "=?utf-8?q?=ED=A0=80?=",
    "=?utf-8?q?=F0?= =?utf-8?q?=9F?=",
    "=?=?utf-8?q?a?=",
    "=?idna?q?a=ff?=",
    "=?undefined?q?abc?=",
    "=?é?q?a?=",
    'x" <evil@e.org>, "y',
    "evil@e.org, Bert",
    "é" * 50 + ", evil@e.org " + "é" * 20,
    "a\\",
    '\\"',
    "a:b;",
    "(c",
    "\U0001f600" * 100,
    "x" * 100,
    ", " * 50,
    "\u00a0",
    "a\r\nBcc: victim@example.org",
    "\ud800",
    "Bert",
)
TOKENS = st.sampled_from(
    ("=?utf-8?q?", "=?utf-8?b?", "=?é?q?", "=?idna?q?", "?=", "=?", "=", "?", "=0D=0A", "=2C",
     "=22", "=3C", "=3E", "=40", "DQo=", ",", '"', "<", ">", "@", "e.org", " ", "é", "\u3000",
     "\\", "(", ")", ":", ";", "\r\n", "Bcc: x", "_", "x" * 20, "é" * 20)
)  # fmt: skip
ANY_NAME = st.text(max_size=100) | st.lists(TOKENS, max_size=14).map("".join)


def check(data: bytes, name: str, to: str = SMALL.to) -> None:
    """Asserts that the mail has the headers that it should have, read in every way there is."""
    head = data.partition(b"\r\n\r\n")[0]
    lines = head.split(b"\r\n")
    assert [one.split(b":")[0].decode() for one in lines if one[:1] not in b" \t"] == HEADERS
    assert all(len(one) < 998 and b"\r" not in one and b"\n" not in one for one in lines)
    for rules in (policy.compat32, policy.default, policy.SMTP):
        mail = message_from_bytes(data, policy=rules)
        assert sorted(mail.keys()) == sorted(HEADERS)
        assert [one[1] for one in getaddresses([str(mail["To"])])] == [to]
        written = mail.as_bytes().split(b"\n\n")[0].split(b"\r\n\r\n")[0]  # as a list sends it on
        assert sorted(message_from_bytes(written + b"\n\n").keys()) == sorted(HEADERS)
    mail = message_from_bytes(data, policy=policy.default)
    assert [one.addr_spec for one in mail["To"].addresses] == [to]
    raw = message_from_bytes(data)
    ((called, _),) = getaddresses([raw["To"]])
    assert decoded(called) == header_text(name)
    assert decoded(raw["Subject"]) == header_text(f"mbp: {name}")


def decoded(text: str) -> str:
    """A text with encoded words (RFC 2047), as a mail program shows it."""
    return str(make_header(decode_header(text)))


def write(name: str, to: str = SMALL.to) -> bytes:
    named = replace(SMALL, sender_name=name, to_name=name, subject=f"mbp: {name}", to=to)
    assert "\n" not in mailto_link(named)
    return write_mail(named)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_text_and_nothing_else(name: str) -> None:
    check(write(name), name)


@settings(max_examples=400, deadline=None)
@given(ANY_NAME)
@example(BCC * 2)
def test_any_name_is_text_and_nothing_else(name: str) -> None:
    check(write(name), name)


@settings(max_examples=100, deadline=None)
@given(st.from_regex(ADDRESS, fullmatch=True).filter(is_address))
def test_any_address_that_may_be_typed_is_the_one_that_is_written(address: str) -> None:
    check(write("Bert", address), "Bert", address)


@pytest.mark.parametrize("address", ["a@b.org, c@d.org", "a@b.org>\r\nBcc: <c@d.org", "a", "a b@c"])
def test_what_is_no_address_is_not_written(address: str) -> None:
    with pytest.raises(PostError, match="cannot be written"):
        write_mail(replace(SMALL, to=address))
    with pytest.raises(PostError, match="cannot be written"):
        write_mail(replace(SMALL, sender=address))


@settings(max_examples=200, deadline=None)
@given(ANY_NAME)
def test_a_text_for_a_header_is_one_printable_line(name: str) -> None:
    shown = header_text(name)
    assert shown.isprintable()
    assert "=?" not in shown
    assert header_text(shown) == shown


@pytest.mark.parametrize("name", [name for name in NAMES if name.isprintable()])
def test_a_hostile_name_stops_no_mail_and_adds_no_header(name: str, tmp_path: Path) -> None:
    for who, called in (("mallory", name), ("bob", "Bob")):
        (tmp_path / who / "games").mkdir(parents=True)
        words = ("key", "new", "--name", called, "--mail", f"{who}@example.org")
        assert mbp(tmp_path / who, *words, dice=who).code == 0
    mbp(tmp_path / "mallory", "new", "--game", "patterns")
    (game,) = (tmp_path / "mallory" / "games").iterdir()
    (tmp_path / "bob" / "games" / game.name).write_bytes(game.read_bytes())
    assert mbp(tmp_path / "bob", "join", f"games/{game.name}").code == 0
    out = mbp(tmp_path / "bob", "send", f"games/{game.name}", "--stdout")
    assert out.code == 0, out
    mail = message_from_bytes(out.stdout.encode(), policy=policy.default)
    assert [one.addr_spec for one in mail["To"].addresses] == ["mallory@example.org"]
    assert sorted(mail.keys()) == sorted(HEADERS)
