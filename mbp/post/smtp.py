"""The client that hands a mail to a server: submission over TLS, certificates checked."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from mbp.errors import PostError
from mbp.post.settings import Server

PATIENCE = 30.0  # seconds for each answer of the server


def send_mail(server: Server, password: str, sender: str, to: str, data: bytes) -> None:
    """Sends a mail to one address, or raises PostError; then the server has not taken it.

    After a lost connection a server may have taken it all the same: to send the same mail again
    does no harm, since a match takes no entry twice.
    """
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
        words = " ".join(said.decode("utf-8", "replace").split())[:100]
        raise PostError(
            f"{server.host} refuses the address {to}: {code} {words}",
            hint="name another one with --to ADDRESS",
        ) from failure
    except (smtplib.SMTPException, OSError, ValueError) as failure:
        raise PostError(f"{server.host}:{server.port}: {reason(failure)}") from failure


@contextmanager
def _talk(server: Server) -> Iterator[smtplib.SMTP]:
    """A connection; how the server says goodbye changes nothing about what it took."""
    client = _connected(server)
    try:
        yield client
    finally:
        with suppress(smtplib.SMTPException, OSError):
            client.quit()
        client.close()


def _connected(server: Server) -> smtplib.SMTP:
    if server.security == "tls":
        return smtplib.SMTP_SSL(
            server.host, server.port, timeout=PATIENCE, context=trusted(server.ca)
        )
    client = smtplib.SMTP(server.host, server.port, timeout=PATIENCE)
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


def reason(failure: Exception) -> str:
    """What went wrong, in one line; of the server's words at most a hundred characters."""
    text = getattr(failure, "strerror", None) or str(failure) or type(failure).__name__
    return " ".join(text.split())[:100]
