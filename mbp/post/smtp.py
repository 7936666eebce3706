"""The client that hands a mail to a server: submission over TLS, certificates checked.

A server may say anything, for ever: so much of an answer is read and no more, and its words are
told in one line that has no password in it.
"""

from __future__ import annotations

import re
import smtplib
import ssl
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from mbp.errors import PostError
from mbp.post.settings import Server

PATIENCE = 30.0  # seconds for each answer of the server
MAX_ANSWER = 2**16  # bytes of an answer
# Bytes as the library shows them in its own words: [b'no'].
BYTES = re.compile(r"""\[?\bb(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]?""")


def send_mail(server: Server, password: str, sender: str, to: str, data: bytes) -> None:
    """Sends a mail to one address, or raises PostError; then the server has not taken it.

    After a lost connection a server may have taken it all the same: to send the same mail again
    does no harm, since a match takes no entry twice.
    """
    secrets = forms_of(server.user, password)
    try:
        with _talk(server) as client:
            if server.user:
                client.login(server.user, password)
            client.sendmail(sender, [to], data)
    except smtplib.SMTPAuthenticationError as failure:
        raise PostError(
            f"{server.host} does not accept the password of {server.user!r}",
            hint="check user and password of mail.toml",
        ) from failure
    except smtplib.SMTPRecipientsRefused as failure:
        code, said = next(iter(failure.recipients.values()), (0, b""))
        raise PostError(
            f"{server.host} refuses the address {to}: {code} {clean_words(said, secrets)}",
            hint="name another one with --to ADDRESS",
        ) from failure
    except Exception as failure:  # whatever a server makes of the library
        where = f"{server.host}:{server.port}"
        raise PostError(f"{where}: {reason(failure, secrets)}") from failure


@contextmanager
def _talk(server: Server) -> Iterator[smtplib.SMTP]:
    """A connection; how the server says goodbye changes nothing about what it took."""
    client = _connected(server)
    try:
        yield client
    finally:
        with suppress(Exception):
            client.quit()
        client.close()


class _AnswerFile:
    """The lines of a server, as many as one answer may have."""

    def __init__(self, file: Any) -> None:
        self.file, self.left = file, MAX_ANSWER

    def readline(self, limit: int = -1) -> bytes:
        line: bytes = self.file.readline(limit)
        self.left -= len(line)
        if self.left < 0:
            raise OSError(f"an answer of more than {MAX_ANSWER} bytes")
        return line

    def close(self) -> None:
        self.file.close()


class _Client(smtplib.SMTP):
    """A client that reads no answer without an end."""

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = _AnswerFile(self.sock.makefile("rb"))
        if self.file is not None:
            self.file.left = MAX_ANSWER
        return super().getreply()


class _TlsClient(_Client, smtplib.SMTP_SSL):
    """The same, over TLS from the beginning."""


def _connected(server: Server) -> smtplib.SMTP:
    if server.security == "tls":
        return _TlsClient(server.host, server.port, timeout=PATIENCE, context=trusted(server.ca))
    client = _Client(server.host, server.port, timeout=PATIENCE)
    if server.security == "starttls":
        try:
            client.starttls(context=trusted(server.ca))
        except BaseException:  # Ctrl-C too: the server is not left waiting
            client.close()
            raise
    return client


def trusted(ca: str) -> ssl.SSLContext:
    """Checks certificates and host names; `ca` is a file of more certificates to trust."""
    context = ssl.create_default_context()
    if ca:
        context.load_verify_locations(cafile=ca)
    return context


def forms_of(user: str, password: str) -> tuple[str, ...]:
    """How a password goes over the line, and could come back in what a server says."""
    plain = f"\0{user}\0{password}"
    coded = [b64encode(one.encode("utf-8", "replace")) for one in (password, plain)]
    forms = (password, *(one.decode("ascii").rstrip("=") for one in coded))
    return tuple(form for form in map(_squeezed, forms) if form) if password else ()


def _squeezed(text: str) -> str:
    """What is left of a text however it was broken, quoted or shown as bytes."""
    return "".join(text.split()).replace("\\", "").casefold()


def reason(failure: Exception, secrets: tuple[str, ...] = ()) -> str:
    """What went wrong, in one line; of the server's words at most a hundred characters."""
    if getattr(failure, "reason", "") == "WRONG_VERSION_NUMBER":
        return 'it does not begin with TLS there; security = "starttls" may be right'
    if isinstance(failure, UnicodeError):
        return "a name or a password is not in ASCII"
    if isinstance(failure, smtplib.SMTPResponseException):
        return f"{failure.smtp_code} {clean_words(failure.smtp_error, secrets)}"
    said = getattr(failure, "strerror", None) or (failure.args[0] if failure.args else "")
    text = said if isinstance(said, bytes) else str(said or failure)
    return clean_words(text, secrets) or type(failure).__name__


def clean_words(said: bytes | str, secrets: tuple[str, ...] = ()) -> str:
    """The words of a server in one printable line of at most a hundred characters.

    Nothing of them where a secret is in them, one of `forms_of`.
    """
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    known = _squeezed(text)
    if any(secret in known for secret in secrets):
        return "(it repeats the password)"
    bare = BYTES.sub(lambda one: one[1] or one[2] or "", text[:2000])
    shown = "".join(one if one.isprintable() else " " for one in bare)
    return " ".join(shown.split())[:100]
