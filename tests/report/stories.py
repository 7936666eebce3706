"""Stories for tests of reports: of stored matches, and of one whose players wrote hostile texts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path

from mbp import gamefile
from mbp.audit import Examined, examine
from mbp.desk.choices import complete_options
from mbp.keys import Identity
from mbp.match import Match, Pen, invite
from mbp.report.story import Story, tell
from mbp.rules import GAMES
from mbp.rules.contract import Seat

ROOT = Path(__file__).parents[2]
PATTERNS = ROOT / "tests" / "data" / "matches" / "patterns-random.mbp.yaml"
DISCLOSED = next((ROOT / "games").glob("anna-bernd-*"))
CLOSED = next((ROOT / "games").glob("grue-aus-koln-*"))
SHORT = next((ROOT / "games").glob("ivar-open-*"))

# Everything that ends an element, an attribute, a script, a comment, a cell or a line somewhere.
EVIL = "</script><img src=x onerror=alert(1)>'\"`-->&lt;]]>{{7*7}}${x}\\"
FORMULA = "=HYPERLINK(1)"


@cache
def examined(path: Path) -> Examined:
    """A stored match as an audit finds it."""
    return examine(path.name, path.read_bytes())


@cache
def story(path: Path) -> Story:
    """The story of a stored match."""
    return tell(examined(path))


def match_of(game: str, names: dict[Seat, str], notes: tuple[str, ...]) -> Match:
    """A match of a few entries between players of these names, a note with each move."""
    keys: dict[Seat, Identity] = {
        "A": Identity(sha256(b"report a").digest()), "B": Identity(sha256(b"report b").digest())
    }  # fmt: skip
    time = datetime(2026, 1, 1, tzinfo=UTC)
    rules, options = GAMES[game], complete_options(GAMES[game], {"start": "guest"})

    def pen(seat: Seat) -> Pen:
        nonlocal time
        time += timedelta(hours=1)
        return Pen(keys[seat], time, lambda count: bytes(range(count % 256)))

    players = {seat: {"name": names[seat], "key": keys[seat].text} for seat in keys}
    match = invite(rules, options, players["A"], "", bytes(32), pen("A"))
    match = match.accepted(players["B"], pen("B"), notes[0])
    match = match.played("A", "begin", pen("A"))
    for note in notes:
        seat, state = match.pen, match.position.state
        assert seat is not None
        assert state is not None
        act = rules.format(state, rules.legal_moves(state, ())[0])
        match = match.played(seat, act, pen(seat), note)
    return match


@cache
def hostile() -> Story:
    """A match whose names and notes try to be something else."""
    match = match_of("patterns", {"A": EVIL, "B": FORMULA}, (EVIL, FORMULA, EVIL))
    data = gamefile.dump(match.record)
    return tell(examine(EVIL, data))
