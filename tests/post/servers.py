"""Small servers on loopback: SMTP that takes every mail, IMAP with a folder that can go wrong.

Both can be told to be evil: `special` answers to a verb (`TAG` in it is that of the command), the
empty verb for the greeting; and `endless` is what they say for ever to a verb.
"""

from __future__ import annotations

import socketserver
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedIOBase
from threading import Thread
from typing import TypeVar


class SmtpServer(socketserver.ThreadingTCPServer):
    """Takes every password and every mail; `passwords` and `mails` are what it was told."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), SmtpTalk)
        self.passwords: list[str] = []
        self.mails: list[bytes] = []
        self.special: dict[bytes, bytes] = {}
        self.endless: dict[bytes, bytes] = {}


class SmtpTalk(socketserver.StreamRequestHandler):
    """One talk in SMTP, as far as it takes."""

    server: SmtpServer

    def handle(self) -> None:
        self.wfile.write(self.server.special.get(b"", b"220 ready\r\n"))
        for line in self.rfile:
            say_for_ever(self.wfile, self.server.endless.get(line.split()[0].upper(), b""))
            self.wfile.write(self._answer(line.split()))
            if line.upper() == b"DATA\r\n":
                self.server.mails.append(b"".join(iter(self.rfile.readline, b".\r\n")))
                self.wfile.write(b"250 taken\r\n")

    def _answer(self, words: list[bytes]) -> bytes:
        verb = words[0].upper()
        if verb in self.server.special:
            return self.server.special[verb]
        if verb == b"EHLO":
            return b"250-here\r\n250 AUTH PLAIN\r\n"
        if verb == b"AUTH":
            self.server.passwords.append(b64decode(words[2]).split(b"\0")[2].decode())
            return b"235 welcome\r\n"
        return b"354 go on\r\n" if verb == b"DATA" else b"250 fine\r\n"  # to QUIT too


def say_for_ever(file: BufferedIOBase, line: bytes) -> None:
    """Writes a line until nobody listens; an empty one, never."""
    with suppress(OSError):
        while line:
            file.write(line * 1000)


class ImapServer(socketserver.ThreadingTCPServer):
    """One folder: `mails` by uid. `answers` are given to FETCH of a uid in place of the mail.

    An empty answer ends the connection; `fetched` are the uids of which the mail was asked for,
    `sizes` are claimed of mails.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ImapTalk)
        self.validity = 7
        self.mails: dict[int, bytes] = {}
        self.answers: dict[int, bytes] = {}
        self.sizes: dict[int, int] = {}
        self.special: dict[bytes, bytes] = {}
        self.endless: dict[bytes, bytes] = {}
        self.search_answer = b""
        self.fetched: list[int] = []


class ImapTalk(socketserver.StreamRequestHandler):
    """One talk in IMAP, as far as it takes."""

    server: ImapServer

    def handle(self) -> None:
        self.wfile.write(self.server.special.get(b"", b"* OK ready\r\n"))
        for line in self.rfile:
            tag, verb, *rest = line.split()
            say_for_ever(self.wfile, self.server.endless.get(verb.upper(), b""))
            answer = self._answer(verb.upper(), rest)
            if answer is None:
                return
            if b" NO " not in answer:
                answer += tag + b" OK done\r\n"
            self.wfile.write(answer.replace(b"TAG", tag))

    def _answer(self, verb: bytes, rest: list[bytes]) -> bytes | None:
        folder = self.server
        if verb in folder.special:
            return folder.special[verb]
        if verb == b"CAPABILITY":
            return b"* CAPABILITY IMAP4rev1\r\n"
        if verb == b"EXAMINE":
            count = b"%d" % len(folder.mails)
            return b"* %s EXISTS\r\n* OK [UIDVALIDITY %d] here\r\n" % (count, folder.validity)
        if verb == b"UID" and rest[0] == b"SEARCH":
            return folder.search_answer or self._search(rest[1:])
        if verb == b"UID":
            return self._fetch(int(rest[1]), rest[2])
        return b""

    def _search(self, words: list[bytes]) -> bytes:
        uids = sorted(self.server.mails)
        if words[0] == b"UID":
            first = int(words[1].partition(b":")[0])
            uids = [uid for uid in uids if uid >= first] or uids[
                -1:
            ]  # `n:*` has the last in any case
        return b"* SEARCH %s\r\n" % b" ".join(b"%d" % uid for uid in uids)

    def _fetch(self, uid: int, what: bytes) -> bytes | None:
        mail = self.server.mails[uid]
        if b"SIZE" in what:
            size = self.server.sizes.get(uid, len(mail))
            return b"* 1 FETCH (UID %d RFC822.SIZE %d)\r\n" % (uid, size)
        self.server.fetched.append(uid)
        if uid in self.server.answers:
            return self.server.answers[uid] or None
        head = b"* 1 FETCH (UID %d BODY[] {%d}\r\n" % (uid, len(mail))
        return head + mail + b")\r\n"


Some = TypeVar("Some", bound=socketserver.BaseServer)


@contextmanager
def running(server: Some) -> Iterator[Some]:
    """Lets a server answer while the block runs."""
    with server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
