"""Servers that lie, flood and repeat: exit 7 and one clean line, no more read than there may be."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from mbp.post.limits import MAX_MAIL
from mbp.post.smtp import clean_words, forms_of
from tests.post.game import Posted, Said, mbp, posted
from tests.post.mangled import attached, message
from tests.post.servers import ImapServer, SmtpServer, running

PASSWORD = "sekret \"pw'"
LINE = b"* OK " + b"x" * 60 + b"\r\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Posted:
    return posted(tmp_path_factory.mktemp("posted"))


@pytest.fixture
def imap() -> Iterator[ImapServer]:
    with running(ImapServer()) as found:
        yield found


@pytest.fixture
def smtp() -> Iterator[SmtpServer]:
    with running(SmtpServer()) as found:
        yield found


@pytest.fixture
def anna(made: Posted, tmp_path: Path, imap: ImapServer, smtp: SmtpServer) -> Path:
    """Anna's folder, as it was before Bert's move came; her servers are these."""
    anna = Path(shutil.copytree(made.folder, tmp_path / "anna"))
    text = 'from = "anna@example.org"\n'
    for kind, server in (("imap", imap), ("smtp", smtp)):
        text += f'[{kind}]\nhost = "localhost"\nport = {server.server_address[1]}\n'
        text += 'security = "none"\nuser = "anna"\n'
    (anna / "home" / "mail.toml").write_text(text, encoding="utf-8")
    return anna


def told(anna: Path, *words: str) -> Said:
    """What comes of a command; whatever happens, nothing bare of a server or a password."""
    said = mbp(anna, *words, environ={"MBP_MAIL_PASSWORD": PASSWORD})
    text = said.stdout + said.stderr
    assert all(one.isprintable() or one == "\n" for one in text)
    assert "b'" not in text
    assert "mbp: unexpected" not in text
    assert "sekret" not in text.casefold()
    assert "c2VrcmV0" not in text
    return said


def fetch(anna: Path) -> Said:
    return told(anna, "receive", "--imap")


def send(anna: Path) -> Said:
    return told(anna, "send", "bert", "--to", "bert@example.org")


def mark(anna: Path) -> int | None:
    path = anna / "home" / "imap.json"
    if not path.exists():
        return None
    (found,) = json.loads(path.read_text(encoding="utf-8")).values()
    return int(found["uid"])


@pytest.mark.parametrize("digits", [11, 20, 5000])
def test_a_length_that_nothing_has_is_refused(digits: int, anna: Path, imap: ImapServer) -> None:
    text = b"9" * digits
    imap.mails = {1: message().as_bytes()}
    imap.answers = {1: b"* 1 FETCH (UID 1 BODY[] {%s}\r\n" % text}
    assert fetch(anna).code == 7
    imap.special = {b"": b"* OK {%s}\r\n" % text}
    assert fetch(anna).code == 7
    assert mark(anna) in (None, 0)


def test_a_mail_that_is_longer_than_it_said_is_not_read(anna: Path, imap: ImapServer) -> None:
    imap.mails = {1: message().as_bytes()}
    imap.answers = {1: b"* 1 FETCH (UID 1 BODY[] {%d}\r\nabc" % (MAX_MAIL * 40)}
    said = fetch(anna)
    assert said.code == 7
    assert "longer than it may be" in said.stderr


@pytest.mark.parametrize("verb", [b"CAPABILITY", b"LOGIN", b"EXAMINE", b"UID", b"LOGOUT"])
def test_lines_without_an_end_are_not_read(verb: bytes, anna: Path, imap: ImapServer) -> None:
    imap.mails = {1: message().as_bytes()}
    imap.endless = {verb: LINE}
    said = fetch(anna)
    assert said.code == (0 if verb == b"LOGOUT" else 7), said


def test_a_mail_that_is_too_large_is_told_and_stops_no_other(
    anna: Path, made: Posted, imap: ImapServer
) -> None:
    imap.mails = {1: message().as_bytes(), 2: attached(made.file)}
    imap.sizes = {1: MAX_MAIL + 1}
    said = fetch(anna)
    assert (said.code, len(said.log), mark(anna)) == (3, 4, 2), said
    assert "mail 1 of INBOX:" in said.stderr
    assert "not fetched" in said.stderr
    assert imap.fetched == [2]
    assert fetch(anna).stderr == "nothing new\n"


def test_a_mail_that_is_not_given_stops_no_other_and_is_asked_for_again(
    anna: Path, made: Posted, imap: ImapServer
) -> None:
    imap.mails = {1: message().as_bytes(), 2: message().as_bytes(), 3: attached(made.file)}
    imap.answers = {2: b"TAG NO [UNAVAILABLE] try \x1b[31mlater\r\n"}
    said = fetch(anna)
    assert (said.code, len(said.log), mark(anna)) == (7, 4, 1), said
    assert "localhost does not give mail 2: [UNAVAILABLE] try [31mlater" in said.stderr
    imap.answers = {}
    assert fetch(anna).code == 0
    assert (imap.fetched, mark(anna)) == ([1, 2, 3, 2, 3], 3)


def test_a_mail_that_is_empty_where_it_was_promised_is_asked_for_again(
    anna: Path, imap: ImapServer
) -> None:
    imap.mails = {1: message().as_bytes()}
    imap.answers = {1: b"* 1 FETCH (UID 1 BODY[] NIL)\r\n"}
    assert fetch(anna).code == 7
    assert mark(anna) in (None, 0)


def test_a_search_that_is_refused_is_not_an_empty_folder(
    anna: Path, made: Posted, imap: ImapServer
) -> None:
    imap.mails = {1: attached(made.file)}
    imap.search_answer = b"TAG NO [UNAVAILABLE] try later\r\n"
    said = fetch(anna)
    assert (said.code, mark(anna)) == (7, None), said
    assert "does not search: [UNAVAILABLE] try later" in said.stderr


@pytest.mark.parametrize("more", [PASSWORD, PASSWORD.upper(), PASSWORD.replace('"', '\\"')])
def test_a_password_is_not_repeated(more: str, anna: Path, imap: ImapServer) -> None:
    """Not by the answer to LOGIN, nor by one that comes later, nor by one that is none."""
    imap.mails = {1: message().as_bytes()}
    imap.special = {b"LOGIN": b"TAG NO \x1b[31m[AUTHENTICATIONFAILED] " + b"x" * 60 + more.encode()}
    imap.special[b"LOGIN"] += b"\r\n"
    said = fetch(anna)
    assert said.code == 7
    assert "does not let 'anna' in: (it repeats the password)" in said.stderr
    imap.special = {b"LOGIN": b"what is " + more.encode() + b"\r\n"}
    assert fetch(anna).code == 7
    imap.special = {b"EXAMINE": b"TAG NO " + more.encode() + b"\r\n"}
    assert "has no folder" in fetch(anna).stderr
    imap.special = {}
    imap.search_answer = b"TAG NO " + more.encode() + b"\r\n"
    assert "does not search" in fetch(anna).stderr
    imap.search_answer = b""
    imap.answers = {1: b"TAG NO " + more.encode() + b"\r\n"}
    assert "does not give mail 1" in fetch(anna).stderr


def test_what_a_server_says_to_a_wrong_password_is_told(anna: Path, imap: ImapServer) -> None:
    imap.special = {b"LOGIN": b"TAG NO [AUTHENTICATIONFAILED] \x1b]0;x\x07 use another\r\n"}
    said = fetch(anna)
    assert said.code == 7
    assert "in: [AUTHENTICATIONFAILED] ]0;x use another" in said.stderr
    assert "hint: check user and password" in said.stderr


def test_answers_of_smtp_without_an_end_are_not_read(anna: Path, smtp: SmtpServer) -> None:
    for verb in (b"EHLO", b"AUTH", b"MAIL", b"RCPT"):
        smtp.endless = {verb: b"250-" + b"x" * 60 + b"\r\n"}
        said = send(anna)
        assert said.code == 7, said
        assert "an answer of more than" in said.stderr
    assert not smtp.mails
    smtp.endless = {b"QUIT": b"250-x\r\n"}  # the mail was taken
    assert send(anna).code == 0


@pytest.mark.parametrize("verb", [b"", b"AUTH", b"MAIL", b"RCPT", b"DATA"])
def test_what_smtp_servers_say_is_clean(verb: bytes, anna: Path, smtp: SmtpServer) -> None:
    smtp.special = {verb: b"554 \x1b[31mno\x1b]0;pwn\x07 \xe2\x80\xae evil \xff\r\n"}
    assert send(anna).code == 7
    coded = b64encode(f"\0anna\0{PASSWORD}".encode()).decode()
    for more in (PASSWORD, coded):
        smtp.special = {verb: f"554 no {more}\r\n".encode()}
        assert send(anna).code == 7


def test_words_are_one_short_printable_line_without_the_secrets() -> None:
    assert clean_words(b"no\r\n \x1b[2J\x00way") == "no [2J way"
    assert len(clean_words(b"x" * 10**6)) == 100
    assert clean_words("UID command error: BAD [b'no \\x1b']") == r"UID command error: BAD no \x1b"
    assert clean_words("it is SEKRET", forms_of("a", "sekret")) == "(it repeats the password)"
    assert clean_words("x" * 95 + "sekret", forms_of("a", "sekret")) == "(it repeats the password)"
    assert clean_words("no", forms_of("a", "")) == "no"


@pytest.mark.parametrize("command", [["pri\0nt"], ["printf", "a\0b"], [""]])
def test_a_password_command_that_cannot_run_is_told(command: list[str], anna: Path) -> None:
    path = anna / "home" / "mail.toml"
    text = path.read_text(encoding="utf-8")
    words = json.dumps(command)
    path.write_text(f"{text}password-command = {words}\n", encoding="utf-8")  # of [smtp]
    said = mbp(anna, "send", "bert", "--to", "bert@example.org")
    assert said.code == 7
    assert "the password command" in said.stderr
    assert len(list((anna / "home" / "drafts").iterdir())) == 1


def test_letters_beyond_ascii_in_a_password_are_told_without_it(anna: Path) -> None:
    for words in (("receive", "--imap"), ("send", "bert", "--to", "bert@example.org")):
        said = mbp(anna, *words, environ={"MBP_MAIL_PASSWORD": "gehäim"})
        assert said.code == 7
        assert "not in ASCII" in said.stderr
        assert "ä" not in said.stderr
        assert "\\xe4" not in said.stderr
