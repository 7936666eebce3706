"""Plays the matches of `games/`: `python -m tests.archive FOLDER` writes them, and their table.

The files in `games/` were made once and stay as they are: newer programs must go on verifying them,
not make the same moves again. So this writes into another folder, and whoever changes the archive
copies from there.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from mbp import gamefile
from mbp.cli.pair import Pair, SeededWorld
from mbp.match import Match, replay
from mbp.rules.contract import SEATS, Seat, Shuffled, other

GREEDY: Mapping[Seat, str] = {"A": "greedy", "B": "greedy"}
RANDOM: Mapping[Seat, str] = {"A": "random", "B": "random"}


def no_more(pair: Pair) -> None:
    """The story ends where it is."""


@dataclass(frozen=True)
class Story:
    """A match to be: who plays from when on, and how it goes.

    It is played until nothing may follow or until there are `most` entries, with `silent` no longer
    than play; then comes `last`, then those of `disclosed` open their cards. `notes` go with the
    first move from an entry on.
    """

    seed: str
    names: tuple[str, str]
    start: datetime
    options: Mapping[str, str] = field(default_factory=dict)
    game: str = "mandala"
    named: bool = False
    players: Mapping[Seat, str] = field(default_factory=lambda: GREEDY)
    accepted: str = ""
    notes: tuple[tuple[int, str], ...] = ()
    most: int = 5_000
    silent: bool = False
    last: Callable[[Pair], None] = no_more
    disclosed: tuple[Seat, ...] = ()


def resign(pair: Pair) -> None:
    """The player with the pen gives up, after a look at the opponent's move."""
    seat = _with_pen(pair)
    pair.leave(seat, "resign")


def offer_and_agree(pair: Pair) -> None:
    """A move with an offer, which the opponent takes."""
    seat = _with_pen(pair)
    pair.move(seat, "I am moving house: shall we stop here?", offer=True)
    pair.hand_over(other(seat))
    pair.leave(other(seat), "agree")


def vacation_and_claim(pair: Pair) -> None:
    """The player with the pen takes days off and does not come back."""
    seat = _with_pen(pair)
    pair.leave(seat, "vacation 5")
    pair.hand_over(other(seat))
    pair.world.wait(timedelta(days=5 + pair.match.position.pace, hours=2))
    pair.leave(other(seat), "claim")


def claim_closed_cup(pair: Pair) -> None:
    """Play is over, and a player keeps silent about the own cup: it stays closed (M9.3)."""
    seat = pair.match.pen
    assert seat is not None
    opponent = other(seat)
    if pair.is_behind(opponent):
        pair.hand_over(opponent)
    pair.world.wait(timedelta(days=pair.match.position.pace, hours=1))
    pair.leave(opponent, "claim")


def _with_pen(pair: Pair) -> Seat:
    """The seat with the pen, once it has received everything."""
    seat = pair.match.pen
    assert seat is not None
    if pair.is_behind(seat):
        pair.hand_over(seat)
    assert pair.match.pen == seat
    return seat


def day(month: int, number: int, hour: int = 19) -> datetime:
    """An evening of 2026."""
    return datetime(2026, month, number, hour, 12, 40, tzinfo=UTC)


STORIES = (
    Story(
        "1a",
        ("Anna", "Bernd"),
        day(1, 4),
        named=True,
        accepted="A happy new year! I have missed this game.",
        notes=((8, "Your mountain is growing."), (30, "Oh no.")),
        disclosed=("A", "B"),
    ),
    Story(
        "2c",
        ("Zoë", "Björn"),
        day(1, 30),
        {"start": "inviter"},
        players=RANDOM,
        notes=((20, "Tack för kortet från Åre!"),),
    ),
    Story(
        "3a",
        ("José María", "小林"),
        day(3, 8),
        {"deck_end": "immediate", "start": "guest"},
        named=True,
        players=RANDOM,
        accepted="よろしくお願いします。",
        notes=((12, "¡Qué mandala!"),),
        disclosed=("A",),
    ),
    Story(
        "4a",
        ("Łucja", "Ødegård"),
        day(4, 2),
        {"draw": "up_to", "pace": "3"},
        players={"A": "greedy", "B": "random"},
        disclosed=("A", "B"),
    ),
    Story(
        "5a",
        ("Priya", "Tom O’Neill"),
        day(5, 17),
        {"start": "guest", "pace": "14"},
        named=True,
        players={"A": "greedy", "B": "random"},
        notes=((25, "I see where this is going…"),),
        most=38,
        last=resign,
        disclosed=("B",),
    ),
    Story(
        "6a",
        ("Φωτεινή", "Ирина"),
        day(6, 6),
        {"pace": "0"},
        most=26,
        last=offer_and_agree,
    ),
    Story(
        "7a",
        ("Mehmet", "Şule"),
        day(7, 11),
        {"pace": "3", "vacation": "10"},
        named=True,
        notes=((9, "Beach next week."),),
        most=27,
        last=vacation_and_claim,
    ),
    Story(
        "8b",
        ("Noé", "Ruth"),
        day(8, 1),
        {"draw": "up_to", "deck_end": "immediate", "start": "inviter", "vacation": "21"},
        silent=True,
        last=claim_closed_cup,
    ),
    Story(
        "9a",
        ("Grüße aus Köln", "Ngọc Ánh"),
        day(10, 25),
        {"vacation": "30"},
        named=True,
        accepted="Xin chào!",
        notes=((6, "Viel Spaß!"),),
        most=24,
    ),
    Story(
        "10a",
        ("Ívar", "Ada"),
        day(11, 20),
        {"start": "guest", "draw": "up_to"},
        most=17,
    ),
    Story(
        "11a",
        ("Μαρία", "Owen"),
        day(2, 3),
        game="patterns",
        named=True,
        accepted="Sand instead of cards: gladly.",
        notes=((7, "You are in my corner."), (20, "And now in all of them.")),
    ),
    Story(
        "12a",
        ("Oksana", "Jürgen"),
        day(3, 29),
        {"start": "inviter", "pace": "0"},
        game="patterns",
        players=RANDOM,
        notes=((12, "Дякую!"),),
    ),
    Story(
        "13a",
        ("Nguyễn", "Søren"),
        day(6, 20),
        {"start": "guest", "pace": "5"},
        game="patterns",
        players={"A": "random", "B": "greedy"},
        named=True,
        most=25,
        last=resign,
    ),
    Story(
        "14a",
        ("Chloé", "Petr"),
        day(9, 6),
        {"start": "guest", "pace": "3", "vacation": "14"},
        game="patterns",
        notes=((8, "Nice weather here."),),
        most=19,
        last=vacation_and_claim,
    ),
    Story(
        "15a",
        ("陈晨", "Maëlle"),
        day(10, 30),
        {"start": "inviter", "vacation": "20"},
        game="patterns",
        named=True,
        accepted="Bonne chance !",
        most=22,
    ),
)


def play(story: Story, folder: Path) -> Pair:
    """Plays a story in an empty folder."""
    world = SeededWorld(f"archive {story.seed}", story.start)
    pair = Pair.meet(folder, world, story.names)
    pair.invite(story.game, story.options, named=story.named)
    if story.most > 1:
        pair.accept(story.accepted)
    notes = list(story.notes)
    while pair.match.pen is not None and 1 < len(pair.match.log) < story.most:
        seat = pair.match.pen
        if story.silent and pair.match.position.play_over:
            break
        if pair.is_behind(seat):
            pair.hand_over(seat)
        else:
            due = notes and notes[0][0] <= len(pair.match.log)
            pair.turn(notes.pop(0)[1] if due else "", player=story.players[seat])
    story.last(pair)
    _disclose(pair, story.disclosed)
    return pair


def _disclose(pair: Pair, seats: tuple[Seat, ...]) -> None:
    for seat in SEATS:
        if pair.is_behind(seat) and pair.match.pen is None:
            pair.hand_over(seat)
    for seat in seats:
        pair.disclose(seat)
        pair.hand_over(other(seat))


def newest_file(pair: Pair) -> Path:
    """The file with the newest state, and with everything disclosed."""
    return max(pair.files.values(), key=lambda path: path.stat().st_size)


HEAD = (
    "| file | game | options | play | end | score | entries | reshuffles | disclosed |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
)


def table(files: Sequence[Path]) -> list[str]:
    """The table of the archive, made of what the files hold."""
    return [*HEAD, *(_row(path) for path in files)]


@cache
def verified(path: Path) -> Match:
    """The match in a file, with everything disclosed in it. Raises VerificationError."""
    record = gamefile.load(path.read_bytes())
    return replay(record).with_extras(record)[0]


def _row(path: Path) -> str:
    match = verified(path)
    defaults = {option.name: option.default for option in match.game.options} | {"pace": "7"}
    options = match.position.options
    chosen = [f"{name} {value}" for name, value in options.items() if defaults.get(name) != value]
    if match.position.guest:
        chosen.append("guest named")
    reshuffles = sum(isinstance(event, Shuffled) for one in match.moments for event in one.events)
    disclosed = " and ".join(match.disclosed_secrets()) or "no"
    cards = (str(reshuffles), disclosed) if match.game.copies else ("–", "–")
    cells = (
        f"[{path.name}]({path.name})",
        match.game.name,
        ", ".join(chosen) or "defaults",
        " – ".join(player.name for player in match.players.values()),
        _end(match),
        ":".join(map(str, match.position.scores)) if match.position.state else "–",
        str(len(match.log)),
        *cards,
    )
    return f"| {' | '.join(cells)} |"


def _end(match: Match) -> str:
    if match.outcome is None:
        return f"open, {match.pen} is next"
    claimed = ", cups closed by a claim" if match.position.closed_by_claim else ""
    winner = f"{match.outcome.winner} wins" if match.outcome.winner else "nobody wins"
    return f"{match.outcome.termination}, {winner}{claimed}"


def main() -> None:
    """Plays all stories, or those whose seeds are named behind the folder."""
    target = Path(sys.argv[1])
    target.mkdir(exist_ok=True)
    for story in STORIES:
        if sys.argv[2:] and story.seed not in sys.argv[2:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(newest_file(play(story, Path(folder))), target)
    sys.stdout.write("\n".join(table(sorted(target.glob("*.mbp.yaml")))) + "\n")


if __name__ == "__main__":
    main()
