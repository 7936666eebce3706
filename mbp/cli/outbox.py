"""A match by mail: to whom it goes, and the ways in which it leaves.

The file and the memory are written before anything here begins. Whatever fails, the mail lies as a
draft in the home, and the error names it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mbp.addresses import is_address, typed_address
from mbp.cli.composing import Kind, compose
from mbp.cli.session import Session
from mbp.cli.telling import view_of
from mbp.errors import MbpError, PostError, TurnError
from mbp.files import read_if_there
from mbp.match import Match
from mbp.post.letter import Outgoing, mailto_link, write_mail
from mbp.post.settings import Server, Settings, parse_settings
from mbp.rules.contract import Seat, other


@dataclass(frozen=True)
class Way:
    """How a mail leaves: `smtp`, `eml`, `stdout`, `mailto`; `to` is the address that was typed."""

    name: str
    to: str = ""


def settings_of(session: Session) -> Settings:
    """What mail.toml in the home says. Raises PostError, MbpError."""
    path = session.home.root / "mail.toml"
    data = read_if_there(path)
    if data is None:
        return Settings()
    try:
        return parse_settings(data)
    except PostError as failure:
        raise PostError(f"{session.shown(path)}: {failure}", hint=failure.hint) from failure


def no_server(session: Session, kind: str) -> PostError:
    """What is wrong where mail.toml names no server of that kind, or is not there."""
    path = session.home.root / "mail.toml"
    shown = session.shown(path)
    lacks = f"{shown} names no [{kind}] server" if path.exists() else f"there is no {shown}"
    return PostError(lacks, hint=f"it names the server: [{kind}] with host and user")


def post_match(
    session: Session, path: Path, match: Match, seat: Seat | None, way: Way, kind: Kind = "send"
) -> None:
    """Sends a match to the opponent. Raises TurnError, PostError."""
    if seat is None:
        raise TurnError("you do not play in this match", hint="only a player sends it")
    trouble: MbpError | None = None
    try:
        settings = settings_of(session)
    except MbpError as failure:  # there will be a draft all the same
        settings, trouble = Settings(), failure
    name = way.name or settings.way or ("smtp" if settings.smtp else "eml")
    view = view_of(session, match, seat, path)
    ends = _own_address(session, settings), _address_of(session, match, seat, way.to)
    out = compose(view, seat, kind, ends, session.now(), board=name != "mailto")
    draft = _draft_path(session, match, kind)
    try:
        if trouble is not None:
            raise trouble
        _let_go(session, name, settings, out, draft)
    except MbpError as failure:
        session.home.store(draft, write_mail(out, draft=True))
        again = f"mbp {'remind' if kind == 'remind' else 'resend'} {view.handle}"
        kept = f"{again}{'' if out.to else ' --to ADDRESS'}, or send the draft"
        hint = f"the match is kept: {kept} {session.shown(draft)}"
        hint = "; ".join(filter(None, (failure.hint, hint)))
        raise PostError(f"not sent: {failure}", hint=hint) from failure
    session.desk.note_mail(match.id, unsent=-1)


def _let_go(session: Session, name: str, settings: Settings, out: Outgoing, draft: Path) -> None:
    """Sends, prints or stores a mail. Raises PostError, MbpError."""
    if name == "eml":
        session.home.store(draft, write_mail(out, draft=True))
        whom = f"send it to {out.to}" if out.to else "write in where it goes"
        session.terminal.say(f"open the draft in your mail program, and {whom}")
        session.terminal.put(session.shown(draft))
    elif not out.to:
        raise PostError("no mail address is known")
    elif name == "stdout":
        session.terminal.put(write_mail(out).decode("ascii").replace("\r\n", "\n").rstrip("\n"))
    elif name == "mailto":
        session.terminal.put(mailto_link(out))
    else:
        _submit(session, settings.smtp, out)
        draft.unlink(missing_ok=True)  # of an earlier try
        session.terminal.say(f"sent to {out.to}")


def _own_address(session: Session, settings: Settings) -> str:
    """Where mails come from; empty where that is left to the mail program. Raises PostError."""
    found = settings.sender or session.home.profile().mail
    if found and not is_address(found):
        raise PostError(
            f"your own address is no mail address: {found!r}", hint="give one: mbp key mail ADDRESS"
        )
    return found


def _address_of(session: Session, match: Match, seat: Seat, typed: str) -> str:
    """The opponent's address: the one typed last, the contact's, the one in the match.

    What is typed is remembered for the match. Empty where none is known. Raises PostError.
    """
    if typed:
        address = typed_address(typed)
        if address is None:
            raise PostError(f"not a mail address: {typed!r}", hint="name one with --to ADDRESS")
        session.desk.note_mail(match.id, to=address)
        return address
    player = match.players.get(other(seat))
    key = player.key_text if player else match.position.guest
    contact = session.home.contact_of(key) if key else None
    known = [
        session.home.facts(match.id).to,
        contact.mail if contact else "",
        player.mail if player else "",
    ]
    return next((address for address in known if address and is_address(address)), "")


def _draft_path(session: Session, match: Match, kind: Kind) -> Path:
    """Where the draft of a state lies, a reminder beside the mail."""
    more = "-remind" if kind == "remind" else ""
    return session.home.root / "drafts" / f"{match.id[:8]}-{len(match.log) - 1}{more}.eml"


def _submit(session: Session, server: Server | None, out: Outgoing) -> None:
    """Sends over SMTP. Raises PostError."""
    from mbp.cli.passwords import password_of
    from mbp.post.smtp import send_mail

    if server is None:
        raise no_server(session, "smtp")
    if not out.sender:
        raise PostError("no address of your own is known", hint="give one: mbp key mail ADDRESS")
    password = password_of(session, server, "smtp") if server.user else ""
    send_mail(server, password, out.sender, out.to, write_mail(out))
