"""Two players by post, in memory and seeded: the honest ones, the careless ones and the cheats.

A `Correspondent` has a home, a games folder and a desk, and an inbox of whole files; what lies
there can be lost, repeated, delayed and altered by the test, since it is a list of bytes. A cheat
has the program's own means: its key, and a copy of its home from an earlier day.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from mbp import gamefile
from mbp.chain import Entry
from mbp.desk import Desk, Receipt, World
from mbp.home import Home
from mbp.match import Match, replay
from tests.duel import HOUR, OPTIONS, START, Dice, identity_of

LONGEST = 1_000  # entries; no match of these tests comes near


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    time: datetime = START

    def __call__(self) -> datetime:
        return self.time

    def wait(self, span: timedelta) -> None:
        self.time += span


class Correspondent:
    """A player with home, games folder, desk and inbox."""

    def __init__(self, root: Path, name: str, clock: Clock, *, label: str = "") -> None:
        self.name, self.clock, self.label = name, clock, label or name
        self.root = root / self.label
        self.home = Home(self.root / "home")
        self.games = self.root / "games"
        self.inbox: list[bytes] = []
        if not self.home.has_identity:
            with self.home.lock():
                self.home.create_identity(identity_of(name), name)
        self.desk = self.new_desk()

    def new_desk(self) -> Desk:
        """A desk as the next command makes it: it knows what lies on the disk, nothing else."""
        world = World(self.clock, Dice(f"desk {self.label} {len(self.inbox)}"))
        return Desk(self.home, self.games, world, lambda: "")

    @property
    def path(self) -> Path:
        """The one game file of the games folder."""
        (path,) = self.games.glob("*.mbp.yaml")
        return path

    @property
    def file(self) -> bytes:
        return self.path.read_bytes()

    @property
    def match(self) -> Match:
        """What the own program shows."""
        return self.desk.open(self.path).match

    @property
    def memory(self) -> Match:
        """The newest state that the home remembers."""
        (game_id,) = self.home.all_remembered()
        return replay(gamefile.load(self.home.remembered(game_id) or b""))

    @property
    def halt(self) -> str:
        """Why nothing is signed in the newest state, in a word (`Halt.why`); empty: it goes on."""
        (game_id,) = self.home.all_remembered()
        record = gamefile.load(self.home.remembered(game_id) or b"")
        halt = self.desk.halt(replay(record).with_extras(record)[0])
        return halt.why if halt else ""

    def moves(self) -> list[str]:
        """The legal moves in long notation, when the own turn is due."""
        match = self.match
        state, sight = match.seen(self.desk.secrets(match))
        assert match.pen is not None
        hand = [card for card in sight[match.game.hands[match.pen]] if card is not None]
        return [match.game.format(state, move) for move in match.game.legal_moves(state, hand)]

    def plays(self, number: int = 0, note: str = "") -> Receipt:
        """Plays the legal move of that number."""
        receipt = self.desk.play(self.path, self.moves()[number], note)
        self.clock.wait(HOUR)
        return receipt

    def signed(self) -> list[Entry]:
        """Every entry of the own key that lies anywhere in this player's folders."""
        found: dict[str, Entry] = {}
        key = identity_of(self.name).text
        for path in self.root.rglob("*.mbp.yaml"):
            log = gamefile.load(path.read_bytes()).log
            keys = {entry.by: entry.tree["player"]["key"] for entry in log[:2]}
            found |= {entry.id: entry for entry in log if keys.get(entry.by) == key}
        return list(found.values())

    def post(self, to: Correspondent) -> None:
        """Sends the game file as it is."""
        to.inbox.append(self.file)

    def read(self, *, newest: bool = False, take: bool = False) -> Receipt:
        """Takes in the oldest file of the inbox."""
        return self.desk.receive(self.inbox.pop(0), newest=newest, take=take)

    def takes(self, data: bytes, *, newest: bool = False, take: bool = False) -> Receipt:
        """Takes in these bytes."""
        return self.desk.receive(data, newest=newest, take=take)

    def copy(
        self,
        label: str,
        *,
        memory: bool = True,
        root: Path | None = None,
        clock: Clock | None = None,
    ) -> Correspondent:
        """A copy of home and games as they are now: a second device, or a day to rewind to.

        Without `memory` it has identity and contacts alone, as a restored backup has.
        """
        target = (root or self.root.parent) / label
        shutil.copytree(self.root, target)
        if not memory:
            for folder in ("matches", "cache", "evidence"):
                shutil.rmtree(target / "home" / folder, ignore_errors=True)
        for facts in target.glob("home/matches/*.json"):
            facts.unlink()  # they name the game file of the original
        return Correspondent(target.parent, self.name, clock or self.clock, label=label)


def pair(root: Path) -> tuple[Correspondent, Correspondent]:
    """Anna and Bert with one clock, who have not met yet."""
    clock = Clock()
    return Correspondent(root, "Anna", clock), Correspondent(root, "Bert", clock)


def exchange(
    one: Correspondent,
    two: Correspondent,
    done: Callable[[Match], bool] = lambda now: now.pen is None,
    bot: str = "random",
) -> None:
    """Lets both play with bots, by post, until `done`; then both have the newest state."""
    players = {"A": one, "B": two}
    match = one.takes(two.file).match
    newest = one
    for _ in range(LONGEST):
        if done(match) or match.pen is None:
            one.takes(two.file)
            two.takes(one.file)
            return
        writer = players[match.pen]
        if writer is not newest:
            match = writer.takes(newest.file).match
        else:
            match = writer.desk.bot(writer.path, bot).match
            writer.clock.wait(HOUR)
        newest = writer
    raise AssertionError("a match without end")


def begin(
    one: Correspondent, two: Correspondent, options: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Invitation, acceptance and begin by post; yields the name of each step once it is done."""
    one.desk.new("mandala", {**OPTIONS, **(options or {})})
    yield "invited"
    two.games.mkdir(parents=True, exist_ok=True)
    path = two.games / one.path.name
    path.write_bytes(one.file)
    two.desk.join(path)
    yield "accepted"
    two.post(one)
    one.read()
    yield "begun"


def started(
    root: Path,
    done: Callable[[Match], bool] = lambda now: True,
    options: Mapping[str, str] | None = None,
    bot: str = "random",
) -> tuple[Correspondent, Correspondent]:
    """Anna (A) and Bert (B) in a match that was played until `done`; both have the newest state."""
    anna, bert = pair(root)
    for _ in begin(anna, bert, options):
        pass
    bert.takes(anna.file)
    exchange(anna, bert, done, bot)
    return anna, bert
