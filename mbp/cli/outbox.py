"""The mail of a match: what it says, to whom it goes, and the ways in which it leaves.

The file and the memory are written before anything here begins. Whatever fails, the mail lies as a
draft in the home, and the error names it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from mbp import gamefile
from mbp.canonical import canonical
from mbp.cli.session import Session
from mbp.cli.show import invitation_lines
from mbp.cli.telling import View, outcome_text, title, view_of
from mbp.cli.terminal import clean, wrapped
from mbp.errors import MbpError, PostError, TurnError
from mbp.files import read_if_there
from mbp.match import Match
from mbp.match.sentences import sentence
from mbp.post.armour import format_short
from mbp.post.letter import (
    Outgoing,
    check_address,
    first_unseen,
    mailto_link,
    message_id,
    references,
    write_mail,
)
from mbp.post.settings import Server, Settings, parse_settings
from mbp.rules.contract import Line, Seat, other

WIDTH = 72  # columns of a mail
Kind = Literal["send", "remind", "auto"]


@dataclass(frozen=True)
class Way:
    """How a mail leaves: `smtp`, `eml`, `stdout`, `mailto`; `to` is the address that was named."""

    name: str
    to: str = ""


def settings_of(session: Session) -> Settings:
    """What mail.toml in the home says. Raises PostError, MbpError."""
    data = read_if_there(session.home.root / "mail.toml")
    return Settings() if data is None else parse_settings(data)


def post_match(
    session: Session, path: Path, match: Match, seat: Seat | None, way: Way, kind: Kind = "send"
) -> None:
    """Sends a match to the opponent. Raises TurnError, PostError.

    `kind`: a `send` brings entries, a `remind` asks for an answer, an `auto` was asked for by
    nobody: it brings what the program wrote by itself.
    """
    if seat is None:
        raise TurnError("you do not play in this match", hint="only a player sends it")
    view = _as_they_call_themselves(view_of(session, match, seat, path))
    settings = settings_of(session)
    name = way.name or settings.way or ("smtp" if settings.smtp else "eml")
    text = "\n".join(_text(view, seat, kind, board=name != "mailto"))
    out = outgoing(session, view, seat, settings, way.to, kind, text)
    if name == "stdout":
        session.terminal.put(write_mail(out).decode("ascii").replace("\r\n", "\n").rstrip("\n"))
    elif name == "mailto":
        session.terminal.put(mailto_link(out))
    elif name == "eml":
        draft = _write_draft(session, view, out)
        session.terminal.say(f"open the draft in your mail program and send it to {out.to}")
        session.terminal.put(session.shown(draft))
    else:
        _submit(session, view, settings.smtp, out)
        session.terminal.say(f"sent to {out.to}")


def _as_they_call_themselves(view: View) -> View:
    """The view with the names that stand in the match: what a contact is called here is private."""
    claimed = {seat: clean(player.name) for seat, player in view.match.players.items()}
    return replace(view, names={**view.names, **claimed})


def outgoing(
    session: Session, view: View, seat: Seat, settings: Settings, to: str, kind: Kind, text: str
) -> Outgoing:
    """The mail with this match. Raises TurnError where there is nothing to send."""
    match, profile = view.match, session.home.profile()
    first = first_unseen(match.log, seat)
    if kind == "remind" and (match.pen is None or match.pen == seat):
        reason = "the match is over" if match.pen is None else "the next entry is yours"
        raise TurnError(f"nobody to remind: {reason}")
    extras = canonical([match.disclosed, *match.settled]) if _has_extras(match) else b""
    if first == len(match.log) and not extras:
        raise TurnError(
            f"nothing to send: {view.rival} wrote the newest entry",
            hint="play first: mbp show FILE tells what is next",
        )
    more = f"remind.{session.now():%Y%m%d}" if kind == "remind" else ""
    sender = settings.sender or profile.mail
    return Outgoing(
        sender=check_address(sender) if sender else "",
        sender_name=_plain(view.names[seat]),
        to=check_address(to or _address_of(session, match, seat)),
        to_name=_plain(view.rival) if other(seat) in match.players else "",
        subject=_plain(f"mbp: {title(view)}"),
        text=text,
        block=format_short(match.log, first) if first < len(match.log) else "",
        file=gamefile.dump(match.record),
        file_name=f"{match.game.name}-{match.id[:8]}.mbp.yaml",
        time=session.now(),
        message_id=message_id(match.log[-1], seat, extras, more),
        references=references(match.log, seat),
        automatic=kind == "auto",
    )


def _has_extras(match: Match) -> bool:
    return bool(match.disclosed or match.settled)


def _plain(name: str) -> str:
    """A text for a header: nothing unprintable, one line."""
    return clean(name).replace("\ufffd", "")


def _address_of(session: Session, match: Match, seat: Seat) -> str:
    """The opponent's address: that of the contact, else the one in the match."""
    player = match.players.get(other(seat))
    key = player.key_text if player else match.position.guest
    contact = session.home.contact_of(key) if key else None
    found = (contact.mail if contact else "") or (player.mail if player else "")
    if not found:
        raise PostError("no mail address is known", hint="name one: mbp send FILE --to ADDRESS")
    return found


def _text(view: View, seat: Seat, kind: Kind, *, board: bool) -> list[str]:
    """What the receiver reads: what was played, the board as everybody sees it, what is next."""
    match, lines, first = view.match, [], first_unseen(view.match.log, seat)
    if kind == "remind":
        lines += [f"A reminder, {view.rival}: it is your turn.", ""]
    for moment in match.moments[first:]:
        lines += wrapped(clean(f"{view.names[moment.entry.by]}: {sentence(moment)}"), WIDTH)
        note = moment.entry.tree.get("note")
        lines += wrapped(f"“{clean(note)}”", WIDTH, "    ", "    ") if note else ()
    if board:  # a link has no room for it
        lines += ["", *_board(view, other(seat))]
    return [*lines, "", *_next_step(view, seat)]


def _board(view: View, below: Seat) -> list[str]:
    """The public board: a mail shows no hand, whoever reads it on the way."""
    state, sight = view.match.seen(view.match.disclosed_secrets())
    if state is None:
        return invitation_lines(view, WIDTH)
    rows: Sequence[Line] = view.match.game.board(state, sight, below, view.names, WIDTH)
    return [clean("".join(span.text for span in row)).rstrip() for row in rows]


def _next_step(view: View, seat: Seat) -> list[str]:
    match, rival = view.match, view.rival
    how = "save this mail and type: mbp receive MAIL"
    pipe = "(or pipe it: mbp receive -)"
    if match.outcome is not None:
        return [f"The match is over: {outcome_text(replace(view, seat=None), match.outcome)}.", ""]
    if match.position.duty == "accept":
        return [f"To accept, {how} {pipe}", f"then: mbp join {match.id[:8]}"]
    if match.pen == other(seat):
        return [f"Your turn, {rival}: {how}", f"{pipe}, then: mbp show {match.id[:8]}"]
    return [f"Nothing to do but to take this in: {how}", pipe]


def _draft_path(session: Session, view: View) -> Path:
    match = view.match
    return session.home.root / "drafts" / f"{match.id[:8]}-{len(match.log) - 1}.eml"


def _write_draft(session: Session, view: View, out: Outgoing) -> Path:
    """Writes the mail as a draft into the home, over an older one of the same state."""
    path = _draft_path(session, view)
    session.home.store(path, write_mail(out, draft=True))
    return path


def _submit(session: Session, view: View, server: Server | None, out: Outgoing) -> None:
    """Sends over SMTP. Raises PostError, with a draft written."""
    from mbp.cli.passwords import password_of
    from mbp.post.smtp import send_mail

    try:
        if server is None:
            raise PostError("mail.toml names no [smtp] server")
        if not out.sender:
            raise PostError("mail.toml has no from, and your profile no address")
        password = password_of(session, server, "smtp") if server.user else ""
        send_mail(server, password, out.sender, out.to, write_mail(out))
    except MbpError as failure:
        draft = session.shown(_write_draft(session, view, out))
        kept = f"the match is kept: mbp resend {view.handle}, or send the draft {draft}"
        hint = "; ".join(filter(None, (failure.hint, kept)))
        raise PostError(f"not sent: {failure}", hint=hint) from failure
