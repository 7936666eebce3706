"""The words of a mail about a match: subject, what was played, the board, what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from mbp import gamefile
from mbp.canonical import canonical
from mbp.cli.show import invitation_lines
from mbp.cli.telling import View, outcome_text, title
from mbp.cli.terminal import clean, wrapped
from mbp.errors import TurnError
from mbp.match import Match
from mbp.match.sentences import sentence
from mbp.post.armour import format_short
from mbp.post.letter import Outgoing, first_unseen, message_id, references
from mbp.rules.contract import Line, Seat, other

WIDTH = 72  # columns of a mail
Kind = Literal["send", "remind", "auto"]


def compose(
    view: View, seat: Seat, kind: Kind, addresses: tuple[str, str], now: datetime, *, board: bool
) -> Outgoing:
    """The mail with this match, from and to these addresses; either may be empty.

    `kind`: a `send` brings entries, a `remind` asks for an answer, an `auto` was asked for by
    nobody: it brings what the program wrote by itself. Without a `board` it fits into a link.
    Raises TurnError where there is nothing to send.
    """
    view = _as_they_call_themselves(view)
    match = view.match
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
    more = f"remind.{now:%Y%m%d}" if kind == "remind" else ""
    sender, to = addresses
    return Outgoing(
        sender=sender,
        sender_name=view.names[seat],
        to=to,
        to_name=view.rival if other(seat) in match.players else "",
        subject=f"mbp: {title(view)}",
        text="\n".join(_text(view, seat, kind, board=board)),
        block=format_short(match.log, first) if first < len(match.log) else "",
        file=gamefile.dump(match.record),
        file_name=f"{match.game.name}-{match.id[:8]}.mbp.yaml",
        time=now,
        message_id=message_id(match.log[-1], seat, extras, more),
        references=references(match.log, seat),
        automatic=kind == "auto",
    )


def _as_they_call_themselves(view: View) -> View:
    """The view with the names that stand in the match: what a contact is called here is private."""
    claimed = {seat: clean(player.name) for seat, player in view.match.players.items()}
    return replace(view, names={**view.names, **claimed})


def _has_extras(match: Match) -> bool:
    return bool(match.disclosed or match.settled)


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
        return [
            "It is played with mbp, a program for Python 3.11 or newer.",
            f"To accept, {how}",
            f"{pipe}, then: mbp join {match.id[:8]}",
        ]
    if match.pen == other(seat):
        return [f"Your turn, {rival}: {how}", f"{pipe}, then: mbp show {match.id[:8]}"]
    return [f"Nothing to do but to take this in: {how}", pipe]
