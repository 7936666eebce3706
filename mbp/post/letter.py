"""The mail that goes out: text for a person, the short form, and the whole game file attached.

Pure. Nothing of a mail that came is used: one thread holds a match together because the id of each
mail is made of the id of the entry that it brings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256
from urllib.parse import quote

from mbp.chain import Entry
from mbp.errors import PostError

DOMAIN = "mbp.invalid"  # never a host (RFC 2606): these ids name entries, not machines
MOST_REFERENCES = 12
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
    """The mail as bytes, 7 bit, lines ending in CRLF. `draft`: mail programs open it to be sent."""
    mail = EmailMessage(policy=SMTP)
    if out.sender:
        mail["From"] = _address(out.sender_name, out.sender)
    if out.to:
        mail["To"] = _address(out.to_name, out.to)
    mail["Subject"] = out.subject
    mail["Date"] = out.time
    mail["Message-ID"] = out.message_id
    if out.references:
        mail["In-Reply-To"] = out.references[-1]
        mail["References"] = " ".join(out.references)
    if out.automatic:
        mail["Auto-Submitted"] = "auto-generated"  # RFC 3834: no vacation program answers it
    if draft:
        mail["X-Unsent"] = "1"
    mail.set_content(out.body, cte="quoted-printable")
    # Base64 and an ASCII name: no relay has a reason to change a byte.
    mail.add_attachment(
        out.file, maintype="application", subtype="yaml", filename=out.file_name, cte="base64"
    )
    # A fixed boundary: a mail that is sent again differs in its date alone.
    mail.set_boundary(f"=_mbp_{sha256(out.message_id.encode()).hexdigest()[:24]}")
    return mail.as_bytes()


def _address(name: str, address: str) -> Address:
    user, _, domain = address.rpartition("@")
    return Address(display_name=name, username=user, domain=domain)


def mailto_link(out: Outgoing) -> str:
    """A link that opens a mail program with the text and the short form; no file goes with it.

    Raises PostError where it gets too long, as for an invitation.
    """
    body = out.body.replace("\n", "\r\n")
    link = f"mailto:{quote(out.to, safe='@')}?subject={quote(out.subject)}&body={quote(body)}"
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
