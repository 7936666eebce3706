"""The client that fetches mails from a server: it reads, and changes nothing there.

What was fetched is remembered at home, after it was taken in: killed in between, the next run
fetches the same mails again, and a match takes no entry twice. So no mail is lost or doubled, and
none of the owner's marks (read, answered) is touched.
"""

from __future__ import annotations

import imaplib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from mbp.errors import FormatError, PostError
from mbp.post.limits import MAX_MAIL
from mbp.post.settings import Server
from mbp.post.smtp import clean_words, forms_of, reason, trusted

PATIENCE = 30.0  # seconds for each answer of the server
MAX_ANSWER = 4 * 2**20  # bytes of an answer, beside a mail
UID_DIGITS, SIZE_DIGITS = 10, 20  # of numbers of 32 and 64 bits
FIRST_LOOK = timedelta(days=30)  # how old mails may be where nothing was fetched before
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Mark:
    """How far a folder was read: the newest uid, which counts while `validity` stays the same."""

    validity: int = 0
    uid: int = 0


@dataclass
class Folder:
    """A folder of an open connection, read only.

    `known` is how far it was read before, `uids` are the mails behind that, in order; `lost`: the
    connection is.
    """

    client: _Client
    known: Mark
    uids: list[int]
    lost: bool = False

    def fetch(self, uid: int) -> bytes:
        """A mail; nothing for one that is gone.

        Raises FormatError for one that is too large, PostError where the server does not give it.
        """
        size = _number(self._asked(uid, "(RFC822.SIZE)", 0), b"RFC822.SIZE")
        if size > MAX_MAIL:
            raise FormatError(
                f"a mail of {size} bytes, more than {MAX_MAIL}: not fetched",
                hint="if a game is in it, save what was attached, and receive that",
            )
        if not size:
            return b""
        answer = self._asked(uid, "(BODY.PEEK[])", MAX_MAIL)
        for part in answer:
            if isinstance(part, tuple):
                return bytes(part[1])
        raise PostError(f"{self.client.host} sends nothing of mail {uid}")

    def _asked(self, uid: int, what: str, more: int) -> list[Any]:
        """What the server answers to FETCH; `more` bytes than otherwise may come."""
        self.lost = True  # until there is an answer
        with _told(self.client.host, self.client.secrets):
            answer = self.client.asked("FETCH", str(uid), what, more=more)
        self.lost = False
        return self.client.given(answer, f"does not give mail {uid}")


class _Client(imaplib.IMAP4):
    """A client that reads no more than `left` bytes, whatever lengths the server claims."""

    left = MAX_ANSWER
    secrets: tuple[str, ...] = ()  # that its answers may repeat, and nobody shall see

    def read(self, size: int) -> bytes:
        self._spend(size)
        return super().read(size)

    def readline(self) -> bytes:
        line = super().readline()
        self._spend(len(line))
        return line

    def _spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise self.abort("an answer longer than it may be")

    def asked(self, *words: str, more: int = 0) -> tuple[str, list[Any]]:
        """What comes of a command about uids."""
        self.left = MAX_ANSWER + more
        return self.uid(*words)

    def given(self, answer: tuple[str, list[Any]], refused: str) -> list[Any]:
        """What an answer brings. Raises PostError where the server says no."""
        kind, found = answer
        if kind != "OK":
            told = next((part for part in found if isinstance(part, bytes)), b"")
            said = clean_words(told, self.secrets)
            raise PostError(": ".join(filter(None, (f"{self.host} {refused}", said))))
        return found


class _TlsClient(_Client, imaplib.IMAP4_SSL):
    """The same, over TLS from the beginning."""


@contextmanager
def open_folder(server: Server, password: str, mark: Mark, now: datetime) -> Iterator[Folder]:
    """Opens the folder of the settings and finds what is new in it. Raises PostError."""
    with _told(f"{server.host}:{server.port}"):
        client = _connected(server)
    try:
        if server.user:
            _log_in(client, server, password)
        name = server.folder.replace("\\", "\\\\").replace('"', '\\"')
        with _told(server.host, client.secrets):
            answer = client.select(f'"{name}"', readonly=True)
            validity = _number(client.response("UIDVALIDITY")[1], b"")
        client.given(answer, f"has no folder {server.folder!r}")
        known = mark if mark.validity == validity else Mark(validity)
        yield Folder(client, known, _new(client, known.uid, now))
    finally:
        _close(client)


def _log_in(client: _Client, server: Server, password: str) -> None:
    """Raises PostError, which never shows the password, whatever the server says."""
    client.secrets = forms_of(server.user, password)
    try:
        client.login(server.user, password)
    except Exception as failure:  # noqa: BLE001 - whatever a server makes of the library
        lost = isinstance(failure, imaplib.IMAP4.abort | OSError)
        raise PostError(
            f"{server.host} does not let {server.user!r} in: {reason(failure, client.secrets)}",
            hint="" if lost else "check user and password of mail.toml",
        ) from None


def _new(client: _Client, known: int, now: datetime) -> list[int]:
    """The uids behind the newest known one; of an unknown folder, those of the last days."""
    day = now - FIRST_LOOK
    since = f"{day.day}-{MONTHS[day.month - 1]}-{day.year}"
    with _told(client.host, client.secrets):
        words = ("UID", f"{known + 1}:*") if known else ("SINCE", since)
        answer = client.asked("SEARCH", *words)
    found = client.given(answer, "does not search")
    digits = b" ".join(part for part in found if isinstance(part, bytes)).split()
    # `n:*` names the last mail too where no uid is as large as n.
    return sorted({uid for word in digits if (uid := _uid(word)) > known})


def _uid(word: bytes) -> int:
    """The uid, a number of 32 bits; 0 for what is none."""
    return int(word) if word.isdigit() and len(word) <= UID_DIGITS else 0


def _connected(server: Server) -> _Client:
    if server.security == "tls":
        return _TlsClient(
            server.host, server.port, ssl_context=trusted(server.ca), timeout=PATIENCE
        )
    client = _Client(server.host, server.port, timeout=PATIENCE)
    if server.security == "starttls":
        try:
            client.starttls(trusted(server.ca))
        except BaseException:  # Ctrl-C too: the server is not left waiting
            client.shutdown()
            raise
    return client


def _close(client: _Client) -> None:
    """How the server says goodbye changes nothing about what was fetched."""
    with suppress(Exception):
        client.logout()
    with suppress(Exception):
        client.shutdown()


@contextmanager
def _told(where: str, secrets: tuple[str, ...] = ()) -> Iterator[None]:
    """Makes errors of the library ours."""
    try:
        yield
    except Exception as failure:  # whatever a server makes of the library
        raise PostError(f"{where}: {reason(failure, secrets)}") from failure


def _number(found: list[Any], name: bytes) -> int:
    """The number behind a name in what an answer brings, 0 if there is none."""
    text = b" ".join(part for part in found or () if isinstance(part, bytes))
    words = text.replace(b"(", b" ").replace(b")", b" ").split()
    place = words.index(name) + 1 if name in words else 0
    word = words[place] if place < len(words) else b""
    return int(word) if word.isdigit() and len(word) <= SIZE_DIGITS else 0
