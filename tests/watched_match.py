"""A whole match between two desks, with everything kept that could be seen of it.

Anna and Ben, whose key has a passphrase, play; files, temporary files, views, output of commands,
errors and reprs are kept as they were at several moments.
"""

from __future__ import annotations

import logging
import os
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from hashlib import sha512
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from mbp import cli
from mbp.desk import Desk, World
from mbp.errors import MbpError
from mbp.home import Home
from mbp.keyfiles import Backup
from mbp.keys import Identity
from mbp.match import Match, Pen
from mbp.rules import GAMES
from mbp.rules.contract import SEATS, GameError, Seat, other
from tests.world.players import NAMES, NOON, Disk, disk_of, seed_of

PASSPHRASE = "correct horse battery staple"
GAME = GAMES["mandala"]
OPTIONS = {"start": "inviter", "deck_end": "immediate"}
IDENTITIES = {seat: Identity(seed_of(name)) for seat, name in NAMES.items()}


def chance(label: str) -> Callable[[int], bytes]:
    """Random bytes that are the same in every run of the tests."""
    count = 0

    def draw(size: int) -> bytes:
        nonlocal count
        count += 1
        return sha512(f"tests of secrets {label} {count}".encode()).digest()[:size]

    return draw


@dataclass(frozen=True)
class Moment:
    """What there was at one moment of the match; `texts` is what the program has said and shown."""

    label: str
    match: Match
    disk: Disk
    texts: bytes


@dataclass
class Table:
    """Anna and Ben, whose key has a passphrase, at their desks; keeps what can be seen."""

    root: Path
    desks: dict[Seat, Desk]
    moments: list[Moment] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    written: list[bytes] = field(default_factory=list)
    boards: list[tuple[Seat, Match, str]] = field(default_factory=list)  # of `show --json`

    def file(self, seat: Seat) -> Path:
        (path,) = self.desks[seat].games.iterdir()
        return path

    def say(self, *things: object) -> None:
        self.said += [*map(str, things), *map(repr, things)]

    def note(self, label: str, match: Match) -> None:
        """Keeps this moment, with all views and some errors."""
        for seat, desk in self.desks.items():
            if list(desk.games.glob("*")) and desk.home.remembered(match.id) is not None:
                self._look(seat, desk)
                self._provoke(seat, desk)
        lines = "\n".join(self.said).encode("utf-8", "backslashreplace").splitlines()
        texts = b"\n".join(dict.fromkeys(lines))
        self.moments.append(Moment(label, match, disk_of(self.root), texts))
        self.said = []

    def _look(self, seat: Seat, desk: Desk) -> None:
        """What `show` has, for the own seat and for a stranger, and what a debugger prints."""
        opened = desk.open(self.file(seat))
        desk.mark_looked(opened)
        match = opened.match
        names = {s: player.name for s, player in match.players.items()}
        for secrets in ({}, {seat: desk.secrets(match)[seat]}):
            state, sight = match.seen(secrets)
            if state is not None:
                board = match.game.board(state, sight, seat if secrets else None, names, 80)
                lines = ["".join(span.text for span in line) for line in board]
                self.say("\n".join(lines), match.game.json(state, sight))
        self.say(match.summary, desk.status().troubles, desk.home.facts(match.id), opened.notes)
        self.say(desk, desk.home, desk.identity(), desk.world)
        if len(match.log) < 12:  # later ones have megabytes, of the same kinds
            self.say(match.position, opened, match.record)
        if len(match.log) < 12 or match.pen is None:
            self._run(seat, desk)
        self.say(Pen(desk.identity(), NOON, os.urandom), Backup(desk.identity(), "Name", ""))

    def _run(self, seat: Seat, desk: Desk) -> None:
        """What commands print, with everything told that `MBP_DEBUG` tells."""
        path = str(self.file(seat))
        looking = (("show", path), ("log", path), ("moves", path), ("status",), ("contacts",))
        commands = [
            *looking,
            *((*command, "--json") for command in looking),
            ("audit", path, "--json"),
            ("key", "show"),
            ("move", path, "mountain", "9", "red"),
            ("agree", path),
            ("receive", "--newest", str(self.root / "missing")),
        ]
        environ = {"MBP_PASSPHRASE": PASSPHRASE, "MBP_DEBUG": "1", "NO_COLOR": "1"}
        environ |= {"MBP_HOME": str(desk.home.root), "MBP_GAMES": str(desk.games)}
        codes = []
        for argv in commands:
            out, err = StringIO(), StringIO()
            world: dict[str, Any] = {"now": lambda: NOON, "randomness": os.urandom, "zone": UTC}
            world |= {"stdin": StringIO(), "stdout": out, "stderr": err}
            codes.append(cli.run(argv, environ=environ, cwd=self.root, **world))
            self.say(out.getvalue(), err.getvalue())
            if argv[0] == "show" and argv[-1] == "--json":
                self.boards.append((seat, desk.open(self.file(seat)).match, out.getvalue()))
        assert codes[:2] == [0, 0]
        assert codes[-3:] != [0, 0, 0]
        assert "Traceback" in self.said[-3] + self.said[-5]

    def _provoke(self, seat: Seat, desk: Desk) -> None:
        """What the errors say that a player meets."""
        path = self.file(seat)
        data = path.read_bytes()
        broken = data.replace(b"sig: ", b"sig: x", 1)
        forged = data.replace(b'by: "A"', b'by: "B"', 1)
        spoiled = data[: len(data) // 2] + b"\0" + data[len(data) // 2 :]
        acts: list[Callable[[], object]] = [
            lambda: desk.play(path, "discard nothing"),
            lambda: desk.play(path, "mountain 1 red draw 3"),
            lambda: desk.leave(path, "claim"),
            lambda: desk.leave(path, "vacation 400"),
            lambda: desk.join(path),
            lambda: desk.new("mandala", {"pace": "never"}),
            *(lambda bad=bad: desk.receive(bad) for bad in (broken, forged, spoiled)),
            lambda: desk.home.identity(lambda: "wrong"),
            lambda: desk.find("nobody"),
            lambda: desk.home.create_identity(desk.identity(), "again"),
        ]
        failed = 0
        for act in acts:
            try:
                act()
            except (MbpError, GameError) as error:
                failed += 1
                self.say(error, vars(error), "".join(traceback.format_exception(error)))
        assert failed >= len(acts) - 1  # Anna's key has no passphrase
        assert path.read_bytes() == data


@contextmanager
def temporary_files(into: list[bytes]) -> Iterator[None]:
    """Collects the bytes of every temporary file in the moment before it gets its name."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("replace", "link"):
            real = getattr(os, name)

            def look(source: Any, target: Any, real: Callable[..., None] = real) -> None:
                into.append(Path(source).read_bytes())
                real(source, target)

            patch.setattr(os, name, look)
        yield


class Collector(logging.Handler):
    """Keeps whatever anybody logs."""

    def __init__(self, into: list[logging.LogRecord]) -> None:
        super().__init__()
        self.into = into

    def emit(self, record: logging.LogRecord) -> None:
        self.into.append(record)


def sit_down(root: Path) -> Table:
    """Both at the table, with homes and nothing played."""
    desks: dict[Seat, Desk] = {}
    for seat in SEATS:
        home = Home(root / "homes" / seat)
        passphrase = PASSPHRASE if seat == "B" else ""
        home.create_identity(IDENTITIES[seat], NAMES[seat], passphrase=passphrase)
        world = World(lambda: NOON, chance(seat))
        desks[seat] = Desk(home, root / "games" / seat, world, lambda: PASSPHRASE)
    return Table(root, desks)


def play_match(table: Table) -> None:
    """From the invitation to the disclosed secrets."""
    desks = table.desks
    invitation = desks["A"].new("mandala", OPTIONS)
    table.note("invite", invitation.match)
    desks["B"].games.mkdir(parents=True)
    path = desks["B"].games / invitation.path.name
    path.write_bytes(invitation.path.read_bytes())
    receipt = desks["B"].join(path)
    table.note("accept", receipt.match)
    receipt = desks["A"].receive(path.read_bytes())
    while (seat := receipt.match.pen) is not None:
        if receipt.seat != seat:
            receipt = desks[seat].receive(receipt.path.read_bytes())
        if len(receipt.match.log) >= len(table.moments[-1].match.log) + 10:
            table.note(receipt.match.log[-1].act, receipt.match)
        if receipt.match.pen == seat:
            receipt = desks[seat].bot(receipt.path, "random")
        table.say(*receipt.news)
    last = desks[other(receipt.seat or "A")].receive(receipt.path.read_bytes())
    table.note("end", last.match)
    table.note("disclosed", desks["A"].disclose(table.file("A")).match)


def watched_match(root: Path, scratch: Path) -> Table:
    """A table at which a whole match was played, without a word to a log or a temporary folder."""
    logged: list[logging.LogRecord] = []
    handler, logger = Collector(logged), logging.getLogger()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tempfile, "tempdir", str(scratch))
            patch.setenv("TMPDIR", str(scratch))
            table = sit_down(root)
            with temporary_files(table.written):
                play_match(table)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    assert logged == []
    assert list(scratch.iterdir()) == []
    return table
