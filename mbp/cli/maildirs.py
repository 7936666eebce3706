"""Mails between two players on this machine: one writes into the Maildir of the other.

The demo's post. What is handed over is what a mail brings, found as `mbp receive` finds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from mbp import gamefile
from mbp.errors import PostError
from mbp.files import make_folder, write_atomic
from mbp.match import Match
from mbp.match.sentences import sentence
from mbp.post.armour import format_short
from mbp.post.letter import Outgoing, first_unseen, message_id, references, write_mail
from mbp.post.mail import read_letter
from mbp.rules.contract import Seat, other

DOMAIN = "demo.invalid"  # no host has this name (RFC 2606)


@dataclass
class Maildirs:
    """The mailbox of each seat; `letters` counts what was sent."""

    boxes: Mapping[Seat, Path]
    letters: int = 0

    def carry(self, match: Match, sender: Seat, now: datetime) -> bytes:
        """Delivers a mail of `sender` with this match, and opens it: the game file in it."""
        self.letters += 1
        box = self.boxes[other(sender)]
        for part in ("tmp", "new", "cur"):
            make_folder(box / part, 0o700)
        path = box / "new" / f"{self.letters:04d}.mbp.demo"
        # Written whole and renamed, as a Maildir wants it.
        write_atomic(path, _mail(match, sender, now), new=True)
        finds = read_letter(path.read_bytes()).finds
        path.rename(box / "cur" / f"{path.name}:2,S")
        for find in finds:
            if find.file:
                return find.file
        raise PostError(f"there is no game in {path.name}")


def _mail(match: Match, sender: Seat, now: datetime) -> bytes:
    """What is sent: the newest entries in words and in short form, and the file."""
    first = first_unseen(match.log, sender)
    told = [
        f"{match.players[moment.entry.by].name}: {sentence(moment)}"
        for moment in match.moments[first:]
    ]
    rival = match.players.get(other(sender))
    return write_mail(
        Outgoing(
            sender=f"{sender.lower()}@{DOMAIN}",
            sender_name=match.players[sender].name,
            to=f"{other(sender).lower()}@{DOMAIN}",
            to_name=rival.name if rival else "",
            subject=f"mbp: {match.game.name.capitalize()} {match.id[:8]}",
            text="\n".join(told),
            block=format_short(match.log, first) if first < len(match.log) else "",
            file=gamefile.dump(match.record),
            file_name=f"{match.game.name}-{match.id[:8]}.mbp.yaml",
            time=now,
            message_id=message_id(match.log[-1], sender),
            references=references(match.log, sender),
        )
    )
