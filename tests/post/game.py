"""A small match of Patterns between Anna and Bert, and its mails: Bert's move is on its way."""

from __future__ import annotations

import io
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mbp import gamefile
from mbp.chain import Entry, Record, seal
from mbp.cli import run
from mbp.post.armour import Short, format_short
from tests.correspondents import Correspondent, pair
from tests.duel import HOUR, START, Dice, identity_of


@dataclass(frozen=True)
class Posted:
    """Anna knows entries 0 to 2; Bert has written entry 3 (`file`, `block`).

    `old` is what Anna has, `older` what Bert had; `own` is Anna's short form, `early` an entry 5,
    `all_but_last` the file up to entry 4;
    `strange` a block of a match that nobody here knows, `mixed` its entries under this match's
    name, `forged` Bert's move signed by Mallory, `fork` a second move by Bert, after Anna has the
    first; `folder` has Anna's home and games.
    """

    folder: Path
    file: bytes
    block: str
    old: bytes
    older: bytes
    own: str
    early: str
    all_but_last: bytes
    strange: str
    mixed: str
    forged: str
    fork: bytes


def begun(folder: Path, pace: str = "7") -> tuple[Correspondent, Correspondent]:
    """Anna invites, Bert accepts, Anna begins; Bert is to move, and has not received that."""
    anna, bert = pair(folder)
    anna.desk.new("patterns", {"start": "inviter", "pace": pace})
    bert.games.mkdir(parents=True)
    (bert.games / anna.path.name).write_bytes(anna.file)
    bert.desk.join(bert.path)
    anna.takes(bert.file)
    return anna, bert


def plays(player: Correspondent, number: int) -> None:
    """Plays the legal move of that number."""
    match = player.match
    state = match.position.state
    move = match.game.legal_moves(state, ())[number]
    player.desk.play(player.path, match.game.format(state, move))
    player.clock.wait(HOUR)


def posted(folder: Path) -> Posted:
    """Plays it."""
    anna, bert = begun(folder / "one")
    older, old = bert.file, anna.file
    bert.takes(old)
    elsewhere = bert.copy("twin")
    plays(bert, 0)
    plays(elsewhere, 1)
    log = bert.memory.log
    forged = seal({k: v for k, v in log[3].tree.items() if k != "sig"}, identity_of("Mallory"))
    kept = folder / "anna"
    shutil.copytree(anna.root, kept)
    for facts in kept.glob("home/matches/*.json"):
        facts.unlink()  # they name the game file of the original
    anna.takes(bert.file)
    plays(anna, 0)
    bert.takes(anna.file)
    plays(bert, 0)
    other, _ = begun(folder / "two", "9")
    alien = other.memory.log
    digits = log[0].id[:32]
    return Posted(
        folder=kept,
        file=gamefile.dump(Record(log, summary=bert.memory.summary)),
        block=format_short(log, 3),
        old=old,
        older=older,
        own=format_short(log[:3], 2),
        early=format_short(bert.memory.log, 5),
        all_but_last=gamefile.dump(Record(bert.memory.log[:5], summary=bert.memory.summary)),
        strange=format_short(alien, 2),
        mixed=Short(digits, 2, (alien[2].tree,)).text,
        forged=Short(digits, 3, (forged.tree,)).text,
        fork=elsewhere.file,
    )


@dataclass(frozen=True)
class Said:
    """What came of a command."""

    code: int
    stdout: str
    stderr: str
    log: tuple[Entry, ...]


def mbp(
    folder: Path,
    *argv: str,
    given: bytes = b"",
    environ: dict[str, str] | None = None,
    now: datetime = START + 24 * HOUR,
    stderr: io.StringIO | None = None,
    dice: str = "mails",
) -> Said:
    """Runs a command of the player whose home and games lie in `folder`."""
    stdout, stderr = io.StringIO(), stderr or io.StringIO()
    code = run(
        [*argv],
        environ={"MBP_HOME": "home", "MBP_GAMES": "games", "COLUMNS": "120", **(environ or {})},
        cwd=folder,
        stdin=io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"),
        stdout=stdout,
        stderr=stderr,
        now=lambda: now,
        randomness=Dice(dice),
        zone=UTC,
    )
    memories = sorted((folder / "home" / "matches").glob("*.mbp.yaml"))
    log = gamefile.load(memories[0].read_bytes()).log if len(memories) == 1 else ()
    return Said(code, stdout.getvalue(), stderr.getvalue(), log)
