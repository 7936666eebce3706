"""The client that fetches mails from a server: it reads, and changes nothing there.

What was fetched is remembered at home, after it was taken in: killed in between, the next run
fetches the same mails again, and a match takes no entry twice. So no mail is lost or doubled, and
none of the owner's marks (read, answered) is touched.
"""

from __future__ import annotations

import imaplib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from mbp.errors import PostError
from mbp.post.limits import MAX_MAIL
from mbp.post.settings import Server
from mbp.post.smtp import reason, trusted

PATIENCE = 30.0  # seconds for each answer of the server
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

    `known` is how far it was read before, `uids` are the mails behind that, in order.
    """

    client: imaplib.IMAP4
    known: Mark
    uids: list[int]

    def fetch(self, uid: int) -> bytes:
        """A mail; nothing for one that is gone or too large to hold a game. Raises PostError."""
        with _told(self.client.host):
            size = _number(self.client.uid("FETCH", str(uid), "(RFC822.SIZE)"), b"RFC822.SIZE")
            if not 0 < size <= MAX_MAIL:
                return b""
            _, found = self.client.uid("FETCH", str(uid), "(BODY.PEEK[])")
            return next((bytes(part[1]) for part in found if isinstance(part, tuple)), b"")


@contextmanager
def open_folder(server: Server, password: str, mark: Mark, now: datetime) -> Iterator[Folder]:
    """Opens the folder of the settings and finds what is new in it. Raises PostError."""
    with _told(f"{server.host}:{server.port}"):
        client = _connected(server)
    try:
        with _told(server.host):
            if server.user:
                client.login(server.user, password)
            name = server.folder.replace("\\", "\\\\").replace('"', '\\"')
            kind, _ = client.select(f'"{name}"', readonly=True)
            if kind != "OK":
                raise PostError(f"{server.host} has no folder {server.folder!r}")
            validity = _number(client.response("UIDVALIDITY"), b"")
            known = mark if mark.validity == validity else Mark(validity)
            uids = _new(client, known.uid, now)
        yield Folder(client, known, uids)
    finally:
        _close(client)


def _new(client: imaplib.IMAP4, known: int, now: datetime) -> list[int]:
    """The uids behind the newest known one; of an unknown folder, those of the last days."""
    if known:
        _, found = client.uid("SEARCH", "UID", f"{known + 1}:*")
    else:
        day = now - FIRST_LOOK
        _, found = client.uid("SEARCH", "SINCE", f"{day.day}-{MONTHS[day.month - 1]}-{day.year}")
    words = b" ".join(part for part in found if isinstance(part, bytes)).split()
    # `n:*` names the last mail too where no uid is as large as n.
    return sorted({int(word) for word in words if word.isdigit() and int(word) > known})


def _connected(server: Server) -> imaplib.IMAP4:
    if server.security == "tls":
        return imaplib.IMAP4_SSL(
            server.host, server.port, ssl_context=trusted(server.ca), timeout=PATIENCE
        )
    client = imaplib.IMAP4(server.host, server.port, timeout=PATIENCE)
    if server.security == "starttls":
        client.starttls(trusted(server.ca))
    return client


def _close(client: imaplib.IMAP4) -> None:
    try:
        client.logout()
    except (imaplib.IMAP4.error, OSError):
        client.shutdown()


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Makes errors of the library ours."""
    try:
        yield
    except (imaplib.IMAP4.error, OSError, ValueError, EOFError) as failure:
        raise PostError(f"{where}: {reason(failure)}") from failure


def _number(answer: Any, name: bytes) -> int:
    """The number behind a name in the server's answer, 0 if there is none."""
    text = b" ".join(part for part in answer[1] or () if isinstance(part, bytes))
    words = text.replace(b"(", b" ").replace(b")", b" ").split()
    place = words.index(name) + 1 if name in words else 0
    word = words[place] if place < len(words) else b""
    return int(word) if word.isdigit() else 0
