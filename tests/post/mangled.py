"""Mails as they arrive: one move, and what mail programs, lists and people make of the mail.

Each case is a name, the bytes that are piped into `mbp receive`, and what has to come of it. All
are made here, from the file and the block of one match, so that the list can be read; mails that
only a real program makes are in tests/world.
"""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from quopri import encodestring

from tests.post.game import Posted

TAKEN, NOTHING = "taken", "nothing"


@dataclass(frozen=True)
class Case:
    """`data` is what arrives; `comes` is TAKEN or NOTHING; `says` stands in what is said.

    `first` is what has arrived before.
    """

    name: str
    data: bytes
    comes: str = TAKEN
    code: int = 0
    says: str = ""
    first: bytes = b""


def message(text: str = "Hello Anna, my move.\n", **headers: str) -> EmailMessage:
    """A mail from Bert."""
    mail = EmailMessage(policy=policy.SMTP.clone(max_line_length=76))
    mail["From"] = "Bert <bert@example.org>"
    mail["To"] = "anna@example.org"
    mail["Subject"] = "our game"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return mail


def attached(data: bytes, kind: str = "application/yaml", name: str = "game.mbp.yaml") -> bytes:
    """A mail with something attached."""
    mail = message()
    main, _, sub = kind.partition("/")
    mail.add_attachment(data, maintype=main, subtype=sub, filename=name)
    return mail.as_bytes()


def raw(headers: str, body: str | bytes) -> bytes:
    """A mail byte by byte."""
    start = f"From: bert@example.org\nTo: anna@example.org\nSubject: game\n{headers}\n"
    return start.encode() + (body.encode() if isinstance(body, str) else body)


def quoted(text: str, marks: str = "> ") -> str:
    return "".join(f"{marks}{line}\n" for line in text.splitlines())


def wrapped(text: str, width: int, marks: str = "") -> str:
    """Every line cut at a width, as some programs do."""
    return "".join(
        f"{marks}{line[start : start + width]}\n"
        for line in text.splitlines()
        for start in range(0, max(1, len(line)), width)
    )


def base64_part(data: bytes, width: int = 76, end: str = "\n", behind: str = "") -> bytes:
    """A mail that is one attachment in base64, with lines of that width and words behind it."""
    text = b64encode(data).decode()
    lines = end.join(text[start : start + width] for start in range(0, len(text), width))
    headers = (
        "MIME-Version: 1.0\nContent-Type: application/octet-stream; name=x.bin\n"
        "Content-Transfer-Encoding: base64\n"
    )
    return raw(headers, lines + end + behind)


def zipped(*members: bytes) -> bytes:
    """A zip file; names in it lead out of every folder."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(members):
            archive.writestr(f"../../../etc/{number}.mbp.yaml", data)
    return packed.getvalue()


def winmail(data: bytes) -> bytes:
    """A winmail.dat with one attachment, as Outlook writes them."""

    def attribute(level: int, name: int, kind: int, body: bytes) -> bytes:
        total = sum(body) & 0xFFFF
        return struct.pack("<BHHI", level, name, kind, len(body)) + body + struct.pack("<H", total)

    return (
        struct.pack("<IH", 0x223E9F78, 1)
        + attribute(1, 0x9006, 8, struct.pack("<I", 0x00010000))
        + attribute(2, 0x9002, 6, bytes(14))
        + attribute(2, 0x8010, 1, b"game.yaml\0")
        + attribute(2, 0x800F, 6, data)
    )


def forwarded(inner: bytes, depth: int = 1) -> bytes:
    """A mail that holds a mail, so many times."""
    for _ in range(depth):
        boundary = f"b{len(inner)}"
        head = f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{boundary}"\n'
        start = f"--{boundary}\nContent-Type: message/rfc822\n\n".encode()
        inner = raw(head, start + inner + f"\n--{boundary}--\n".encode())
    return inner


def bounce(inner: bytes) -> bytes:
    """A report that a mail did not arrive, as Postfix writes it, with the mail in it."""
    body = (
        "--b\nContent-Type: text/plain\n\nI'm sorry to have to inform you\n\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
        "Final-Recipient: rfc822; nobody@example.org\nAction: failed\nStatus: 5.1.1\n\n"
        "--b\nContent-Type: message/rfc822\n\n"
    )
    head = (
        "MIME-Version: 1.0\nAuto-Submitted: auto-replied\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n'
    )
    return raw(head, body.encode() + inner + b"\n--b--\n")


def html_of(block: str) -> str:
    lines = block.replace("\n", "<br>\n")
    head = "<html><head><title>x</title><style>p {}</style></head>"
    return f"{head}<body><div>Hi&nbsp;Anna<br>{lines}</div></body></html>"


def good_files(posted: Posted) -> Iterator[Case]:
    """The file, whole, in all kinds of wrappings."""
    file = posted.file
    yield Case("the bare file", file)
    yield Case("the file with CRLF", file.replace(b"\n", b"\r\n"))
    yield Case("the file with a byte order mark", b"\xef\xbb\xbf" + file)
    yield Case("the file as UTF-16", file.decode().encode("utf-16"))
    yield Case("attached as application/yaml", attached(file))
    yield Case("attached as application/octet-stream", attached(file, "application/octet-stream"))
    yield Case("attached as an image with an evil name", attached(file, "image/png", "../../x.sh"))
    yield Case("attached as text", attached(file, "text/plain", "x.txt"))
    yield Case("attached with a byte order mark", attached(b"\xef\xbb\xbf" + file))
    yield Case("attached, quoted-printable", raw(
        "MIME-Version: 1.0\nContent-Type: application/yaml\n"
        "Content-Transfer-Encoding: quoted-printable\n", encodestring(file)))  # fmt: skip
    yield Case("attached, 8 bit, no MIME headers", raw("", file))
    yield Case("a gzip attached", attached(gzip.compress(file), "application/gzip", "x.gz"))
    yield Case("a zip attached", attached(zipped(b"nothing", file), "application/zip", "x.zip"))
    yield Case("a zip in a zip", attached(zipped(zipped(file)), "application/zip", "x.zip"))
    yield Case("a bare zip", zipped(file))
    yield Case("winmail.dat", attached(winmail(file), "application/ms-tnef", "winmail.dat"))
    yield Case("forwarded once", forwarded(attached(file)))
    yield Case("forwarded four times", forwarded(attached(file), 4))
    yield Case("base64 in lines of 998", base64_part(file, 998))
    yield Case("base64 in lines of 75", base64_part(file, 75))
    yield Case("base64 with empty lines between", base64_part(file, 76, "\n\n"))
    yield Case("base64 with CRLF", base64_part(file, 76, "\r\n"))
    yield Case("base64, a list's footer behind it", base64_part(
        file, behind="\n_______________\ngames mailing list\ngames@example.org\n"))  # fmt: skip
    yield Case("base64, one word behind it", base64_part(file, behind="\nUnsubscribe\n"))
    yield Case("base64, trailing white space", base64_part(file, 76, " \t\r\n"))
    yield Case("an mbox of one mail", b"From bert@example.org Mon Nov 30 12:00:00 2026\n"
               + attached(file))  # fmt: skip
    yield Case("an mbox of three mails, the old one last", b"".join(
        b"From x@example.org Mon Nov 30 12:00:00 2026\n" + mail + b"\n\n"
        for mail in (message().as_bytes(), attached(file), attached(posted.old))))  # fmt: skip


def good_blocks(posted: Posted) -> Iterator[Case]:
    """The short form in texts."""
    block = posted.block
    yield Case("the bare block", block.encode())
    yield Case("the block in a text with CR", f"Hi\n{block}".replace("\n", "\r").encode())
    yield Case("the block as UTF-16", block.encode("utf-16"))
    yield Case("in a mail", message(f"Hi\n{block}Bye\n-- \nBert\n").as_bytes())
    yield Case("quoted in an answer", message(f"I have seen:\n{quoted(block)}\n").as_bytes())
    yield Case("quoted five deep", message(quoted(block, "> > >> > ")).as_bytes())
    yield Case("quoted and wrapped at 50", message(wrapped(block, 50, "> ")).as_bytes())
    yield Case("wrapped at 50", message(wrapped(block, 50)).as_bytes())
    yield Case("format=flowed, quoted", raw(
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n",
        quoted(block, ">").replace("\n", " \n")))  # fmt: skip
    yield Case("quoted-printable", raw(
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        "Content-Transfer-Encoding: quoted-printable\n",
        encodestring(f"Grüße\n{block}".encode())))  # fmt: skip
    yield Case("in base64 text with a footer", raw(
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        "Content-Transfer-Encoding: base64\n",
        b64encode(f"Hi\n{block}".encode()).decode() + "\n--\nA list for games\n"))  # fmt: skip
    yield Case("non-breaking spaces", message(block.replace(" ", "\u00a0")).as_bytes())
    yield Case("zero widths", message("\u200b".join(block)).as_bytes())
    yield Case("an unknown charset", raw(
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=klingon\n", block))  # fmt: skip
    yield Case("latin-1 that says it is UTF-8", raw(
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n",
        "Gr\u00fc\u00dfe\n".encode("latin-1") + block.encode()))  # fmt: skip
    yield Case("HTML only", raw(
        "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n", html_of(block)))  # fmt: skip
    marked = html_of(quoted(block, "&gt;&nbsp;"))
    yield Case(
        "HTML, quoted",
        raw("MIME-Version: 1.0\nContent-Type: text/html\n", f"<blockquote>{marked}</blockquote>"),
    )
    both = message(f"Hi\n{block}")
    both.add_alternative(html_of(block), subtype="html")
    yield Case("text and HTML", both.as_bytes())
    yield Case(
        "forwarded as text",
        message(
            "-------- Forwarded --------\nFrom: Bert\nTo: Anna\n\n" + quoted(block, "| ")
        ).as_bytes(),
    )
    yield Case(
        "the attachment lost on the way",
        message(f"{block}\n[an attachment of type application/yaml was removed]\n").as_bytes(),
    )
    yield Case("the attachment damaged, the block whole", _damaged(posted))
    yield Case("a line with From", raw("", f">From the start:\n{block}"))


def less_common(posted: Posted) -> Iterator[Case]:
    """What standards allow and few programs write, and what people do to a text."""
    file, block = posted.file, posted.block
    mbox = b"".join(
        b"From x@example.org Mon Nov 30 12:00:00 2026\n" + mail + b"\n\n"
        for mail in (attached(posted.old), attached(file))
    )
    yield Case("an mbox in a zip", zipped(mbox))
    yield Case("an mbox in a gzip", gzip.compress(mbox))
    yield Case("a whole mail with CR", attached(file).replace(b"\r\n", b"\r"))
    yield Case(
        "headers without a space", f"From:b@example.org\nTo:a@example.org\n\n{block}".encode()
    )
    said = "I get this:\nmbp: 'K' is no move\nhint: mbp moves\n\n"
    yield Case("a text with what mbp has said", f"{said}{block}".encode())
    yield Case("a mail with what mbp has said", message(f"{said}{block}").as_bytes())
    yield Case("what mbp has said first of all", message(f"mbp: 'K'\n\n{block}").as_bytes())
    page = f"<html><head><title>x</title><body>{block}"
    yield Case("HTML without the end of its head", html_mail(page))
    page = f"<html><head><style>p {{}}</style><meta charset=utf-8><p>{block}"
    yield Case("HTML with neither the end of its head nor a body", html_mail(page))
    page = f'<html><body><img src="data:image/png;base64,{"A" * 1_500_000}"><p>{block}'
    yield Case("HTML with a large picture before the block", html_mail(page))
    yield Case("below a hundred quoted blocks", message(f"{posted.own * 100}{block}").as_bytes())


def html_mail(page: str) -> bytes:
    """A mail with nothing but this page."""
    mail = message()
    mail.set_content(page, subtype="html")
    return mail.as_bytes()


def _damaged(posted: Posted) -> bytes:
    mail = message(posted.block)
    mail.add_attachment(posted.file[:-900], maintype="application", subtype="yaml")
    return mail.as_bytes()


def nothing(posted: Posted) -> Iterator[Case]:
    """What changes nothing and is no failure."""
    yield Case("the same again", attached(posted.old), NOTHING, 0, "nothing new")
    yield Case("an older copy", attached(posted.older), NOTHING, 0, "an older copy")
    yield Case(
        "the own mail coming back", message(posted.own).as_bytes(), NOTHING, 0, "nothing new"
    )
    vacation = message(quoted(posted.own), Auto_Submitted="auto-replied (vacation)")
    yield Case("a vacation reply", vacation.as_bytes(), NOTHING, 0, "an automatic reply")
    older = message("I am away.", Precedence="auto_reply")
    yield Case("an old vacation reply", older.as_bytes(), NOTHING, 0, "an automatic reply")
    own = message(posted.own).as_bytes()
    yield Case("a bounce", bounce(own), NOTHING, 0, "has not arrived: it came back (5.1.1)")
    for action, status in ((b"delayed", b"4.4.1"), (b"delivered", b"2.0.0")):
        report = bounce(own).replace(b"failed", action).replace(b"5.1.1", status)
        yield Case(f"{action.decode()}, says a report", report, NOTHING, 0, "automatic reply")
    yield Case("entries that come early", posted.early.encode(), NOTHING, 0, "kept aside")


def refused(posted: Posted) -> Iterator[Case]:
    """What is refused, and why."""
    file, block = posted.file, posted.block
    lines = block.splitlines(keepends=True)
    yield Case("no game in it", message().as_bytes(), NOTHING, 3, "no game in this mail")
    yield Case("a truncated file", attached(file[:-900]), NOTHING, 3, "truncated")
    yield Case("a truncated block", "".join(lines[:-1]).encode(), NOTHING, 3, "truncated")
    yield Case("a block with a line lost", "".join(lines[:2] + lines[3:]).encode(), NOTHING, 3,
               "truncated")  # fmt: skip
    yield Case("a block with a letter changed", _changed(block).encode(), NOTHING, 3, "damaged")
    yield Case("a newer format", attached(file.replace(b'mbp: "1"', b'mbp: "2"', 1)), NOTHING, 3,
               "unknown version")  # fmt: skip
    yield Case("a newer block", block.replace("MBP/1", "MBP/2").encode(), NOTHING, 3, "version 2")
    yield Case("too large", attached(file + b"#" * 2**22), NOTHING, 3, "more than 4194304 bytes")
    yield Case("a match that is not known", posted.strange.encode(), NOTHING, 3, "not known here")
    yield Case("entries of another match", posted.mixed.encode(), NOTHING, 4, "another entry")
    yield Case("a changed file", attached(file.replace(b"act: ", b"act:  ", 1).replace(
        b"2026-11-30T1", b"2026-11-29T1", 1)), NOTHING, 4, "check")  # fmt: skip
    yield Case("a key that is no player", posted.forged.encode(), NOTHING, 4, "check 3")
    yield Case("two histories", posted.fork, TAKEN, 8, "two histories", file)
    yield Case("a zip that never ends", attached(zipped(b"\0" * (65 * 2**20)), "application/zip"),
               NOTHING, 3, "bytes unpacked")  # fmt: skip
    yield Case("a gzip cut off", attached(gzip.compress(file)[:-50], "application/gzip"), NOTHING,
               3, "gzip")  # fmt: skip
    yield Case("a damaged winmail.dat", attached(winmail(file)[:60], "application/ms-tnef"),
               NOTHING, 3, "")  # fmt: skip
    yield Case("forwarded twenty times", forwarded(attached(file), 20), NOTHING, 3, "levels")


def _changed(block: str) -> str:
    lines = block.splitlines(keepends=True)
    other = "A" if lines[2][10] != "A" else "B"
    return "".join([*lines[:2], lines[2][:10] + other + lines[2][11:], *lines[3:]])


def cases(posted: Posted) -> list[Case]:
    """All of them."""
    return [
        *good_files(posted), *good_blocks(posted), *less_common(posted), *nothing(posted),
        *refused(posted),
    ]  # fmt: skip
