"""What a match weighs in the post, and how long a full mailbox takes."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mbp import gamefile
from mbp.chain import Record, prefix_digest
from mbp.cli import run
from mbp.cli.pair import SeededWorld
from mbp.desk.choices import choose_move, complete_options
from mbp.home import Home
from mbp.keys import Identity
from mbp.match import Match, Pen, invite, secret_of
from mbp.post.armour import format_short
from mbp.post.letter import Outgoing, first_unseen, message_id, references, write_mail
from mbp.rules.contract import SEATS, Seat
from mbp.rules.mandala import MANDALA
from tests.bench.measure import Figure, figure

NAMES = ("Alice", "Bob")
STATES = 20  # mails of one match
TEXT = "Alice: mountain 1 red, draws 3\n\n" + "x" * 60 * 14  # about what a board takes


def mail_figures(matches: Sequence[Match]) -> Iterator[Figure]:
    """Short forms and whole mails of every move of these matches."""
    shorts, mails = [], []
    for match in matches:
        for seq in range(3, len(match.log)):
            part = match.at(seq)
            if part.pen != match.log[seq].by:  # the mover hands over
                shorts.append(len(short_of(part)))
        mails.append(len(mail_of(match)))
    yield figure("short form of a move", "bytes", shorts, "1,000")
    yield figure("whole mail at the end", "kB", [size / 1000 for size in mails])


def short_of(match: Match) -> str:
    """The short form that goes with a state."""
    return format_short(match.log, first_unseen(match.log, match.log[-1].by))


def mail_of(match: Match) -> bytes:
    """The mail in which a state goes out."""
    seat = match.log[-1].by
    return write_mail(
        Outgoing(
            sender=f"{seat.lower()}@example.org", sender_name=match.players[seat].name,
            to="you@example.org", to_name="You", subject=f"mbp: Mandala {match.id[:8]}",
            text=TEXT, block=short_of(match), file=gamefile.dump(match.record),
            file_name="game.mbp.yaml", time=match.position.time,
            message_id=message_id(match.log[-1], seat), references=references(match.log, seat),
        )
    )  # fmt: skip


def mailbox_figures(count: int) -> Iterator[Figure]:
    """`receive` of an mbox with `count` matches of Alice's, twenty mails each, shuffled."""
    with tempfile.TemporaryDirectory(prefix="mbp-bench-") as name:
        folder = Path(name)
        alice = Identity(SeededWorld("mailbox").randomness(32))
        home = Home(folder / "home")
        home.create_identity(alice, "Alice")
        mails = []
        for number in range(count):
            match = _started(f"mailbox {number}", alice, STATES + 3)
            invited = match.log[:1]  # what `mbp new` leaves in a home
            home.remember(match.id, gamefile.dump(Record(invited, summary={"A": "Alice"})))
            home.set_verified(match.id, 1, prefix_digest(invited, 1))
            mails += [mail_of(match.at(seq)) for seq in range(3, len(match.log))]
        mails.sort(key=lambda mail: mail[-200:])  # any order but that of time
        start = b"From b@example.org Mon Mar  2 18:00:00 2026\n"
        box = folder / "box"
        box.write_bytes(b"".join(start + mail.replace(b"\r\n", b"\n") + b"\n" for mail in mails))
        for what in ("nothing but the invitations known", "everything known"):
            took = _receive(folder, box)
            name = f"receive {len(mails):,} mails of {count} matches, {what}"
            yield figure(name, "s", [took], "10 s")


class Screen(io.StringIO):
    """A terminal, so that a progress bar is drawn."""

    def isatty(self) -> bool:
        return True


def _receive(folder: Path, box: Path) -> float:
    begin = time.perf_counter()
    stderr = Screen()
    environ = {"MBP_HOME": "home", "MBP_GAMES": "games", "TERM": "xterm"}
    code = run(
        ["receive", box.name], environ=environ, cwd=folder,
        stdin=io.StringIO(), stdout=io.StringIO(), stderr=stderr,
        now=lambda: datetime.now(UTC) + timedelta(days=400), randomness=SeededWorld("x").randomness,
    )  # fmt: skip
    assert code == 0, stderr.getvalue()
    assert "receiving matches" in stderr.getvalue()
    return time.perf_counter() - begin


def _started(seed: str, alice: Identity, entries: int) -> Match:
    """A match of Alice's with so many entries."""
    world = SeededWorld(seed)
    keys: dict[Seat, Identity] = {"A": alice, "B": Identity(world.randomness(32))}
    players = {s: {"name": n, "key": keys[s].text} for s, n in zip(SEATS, NAMES, strict=True)}

    def pen(seat: Seat) -> Pen:
        world.wait()
        return Pen(keys[seat], world.now(), world.randomness)

    options = complete_options(MANDALA, {})
    match = invite(MANDALA, options, players["A"], "", world.randomness(32), pen("A"))
    match = match.accepted(players["B"], pen("B"))
    while len(match.log) < entries and (seat := match.pen) is not None:
        duty = match.position.duty
        act: str = duty or ""
        if duty == "play":
            secrets = {seat: secret_of(match.position, seat, keys[seat])}
            act = choose_move(match, seat, secrets, "random", world.randomness)
        match = match.played(seat, act, pen(seat))
    return match
