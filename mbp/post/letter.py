"""The mail that goes out: text for a person, the short form, and the whole game file attached.

Pure. Nothing of a mail that came is used: one thread holds a match together because the id of each
mail is made of the id of the entry that it brings.

Names come from peers, and are text in a header and nothing else. The headers are written here: the
library would decode what looks encoded in a name, and write what comes of it as if it were ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP, default
from email.utils import format_datetime
from email.utils import quote as quote_name
from hashlib import sha256
from urllib.parse import quote

from mbp.addresses import is_address
from mbp.chain import Entry
from mbp.errors import PostError

DOMAIN = "mbp.invalid"  # never a host (RFC 2606): these ids name entries, not machines
MOST_REFERENCES = 12
WIDTH = 76  # characters of a line in the headers, where it can be broken
SHORT_NAME = 50  # characters that need no line of their own
FOLD = "\r\n "
SIMPLE_NAME = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
LONGEST_LINK = 8_000  # characters of a mailto link; more is cut by many programs


@dataclass(frozen=True)
class Outgoing:
    """All that a mail has. `sender` may be empty where the mail program adds it, `to` in a draft.

    `block` is the short form, empty where no entry is new to the receiver; `automatic`: no person
    has asked for this mail.
    """

    sender: str
    sender_name: str
    to: str
    to_name: str
    subject: str
    text: str
    block: str
    file: bytes
    file_name: str
    time: datetime
    message_id: str
    references: Sequence[str]
    automatic: bool = False

    @property
    def body(self) -> str:
        """The text with the short form below it."""
        return f"{self.text.rstrip()}\n\n{self.block}" if self.block else f"{self.text.rstrip()}\n"


def write_mail(out: Outgoing, *, draft: bool = False) -> bytes:
    """The mail as bytes, 7 bit, lines ending in CRLF. `draft`: mail programs open it to be sent.

    Raises PostError where the bytes would say anything else than was meant.
    """
    head = {
        "From": _address(out.sender_name, out.sender),
        "To": _address(out.to_name, out.to),
        "Subject": _unstructured("Subject", header_text(out.subject)),
        "Date": format_datetime(out.time),
        "Message-ID": out.message_id,
        "In-Reply-To": out.references[-1] if out.references else "",
        "References": "\r\n ".join(out.references),
        "Auto-Submitted": "auto-generated" if out.automatic else "",  # no vacation program answers
        "X-Unsent": "1" if draft else "",
    }
    body = EmailMessage(policy=SMTP)
    body.set_content(out.body, cte="quoted-printable")
    # Base64 and an ASCII name: no relay has a reason to change a byte.
    body.add_attachment(
        out.file, maintype="application", subtype="yaml", filename=out.file_name, cte="base64"
    )
    # A fixed boundary: a mail that is sent again differs in its date alone.
    body.set_boundary(f"=_mbp_{sha256(out.message_id.encode()).hexdigest()[:24]}")
    lines = [f"{name}: {value}\r\n" for name, value in head.items() if value]
    data = "".join(lines).encode("ascii", "replace") + body.as_bytes()
    _check(data, {name for name, value in head.items() if value} | set(body.keys()), out)
    return data


def header_text(text: str) -> str:
    """A text of anybody's for a header: one line, printable, and no word that looks encoded.

    However often somebody decodes it (RFC 2047), it stays what it is.
    """
    text = text.replace("\ufffd", "")  # in place of what could not be shown
    shown = "".join(one if one.isprintable() else " " if one.isspace() else "" for one in text)
    return " ".join(shown.split()).replace("=?", "= ?")


def _address(name: str, address: str) -> str:
    """`Name <address>` for a header, which may be of several lines."""
    name = header_text(name)
    if not name or not address:
        return address
    if len(name) > SHORT_NAME or not name.isascii():
        phrase = _encoded(name)
    elif SIMPLE_NAME.fullmatch(name):
        phrase = name
    else:
        phrase = f'"{quote_name(name)}"'
    width = len(phrase.rpartition("\n")[2]) + len(address)
    return f"{phrase}{' ' if width < WIDTH - 10 else FOLD}<{address}>"


def _unstructured(name: str, text: str) -> str:
    return text if text.isascii() and len(f"{name}: {text}") <= WIDTH else _encoded(text)


def _encoded(text: str) -> str:
    """Any text in encoded words (RFC 2047), on as many lines as it takes."""
    return Header(text, "utf-8", WIDTH, "Subject").encode(linesep="\r\n")


def _check(data: bytes, names: set[str], out: Outgoing) -> None:
    """Reads the headers as another program would. Raises PostError unless they are those meant."""
    mail = BytesParser(policy=default).parsebytes(data, headersonly=True)
    ends = {"From": out.sender, "To": out.to}
    whole = sorted(mail.keys()) == sorted(names) and all(
        is_address(address) and [one.addr_spec for one in mail[name].addresses] == [address]
        for name, address in ends.items()
        if name in names
    )
    if not whole:
        raise PostError(
            "the names or addresses cannot be written into a mail",
            hint="send the game file another way",
        )


def mailto_link(out: Outgoing) -> str:
    """A link that opens a mail program with the text and the short form; no file goes with it.

    Raises PostError where it gets too long, as for an invitation.
    """
    body = out.body.replace("\n", "\r\n")
    subject = quote(header_text(out.subject))
    link = f"mailto:{quote(out.to, safe='@')}?subject={subject}&body={quote(body)}"
    if len(link) > LONGEST_LINK:
        raise PostError(
            f"a link of {len(link)} characters would be cut off",
            hint="write a draft instead: mbp send FILE --eml",
        )
    return link


def first_unseen(log: Sequence[Entry], seat: str) -> int:
    """The seq behind the opponent's newest entry; from there on they may have seen nothing."""
    seen = [number for number, entry in enumerate(log) if entry.by != seat]
    return seen[-1] + 1 if seen else 0


def message_id(entry: Entry, seat: str, extras: bytes = b"", more: str = "") -> str:
    """The id of the mail in which `seat` sends a match that ends in this entry.

    `extras` is what stands beside the log; `more` tells a second mail of one state apart.
    """
    parts = [entry.id[:32], seat, sha256(extras).hexdigest()[:8] if extras else "", more]
    return f"<{'.'.join(filter(None, parts))}@{DOMAIN}>"


def references(log: Sequence[Entry], seat: str) -> tuple[str, ...]:
    """The ids of the mails before the one in which `seat` sends this log: first and newest ones."""
    end = first_unseen(log, seat)
    turns = [
        message_id(log[place], log[place].by)
        for place in range(end)
        if place + 1 == end or log[place].by != log[place + 1].by
    ]
    if len(turns) <= MOST_REFERENCES:
        return tuple(turns)
    return (turns[0], *turns[1 - MOST_REFERENCES :])
