"""Two players by post, in memory and seeded: the honest ones, the careless ones and the cheats.

`Duel` plays at the level of matches: fast, nothing on disk. `Correspondent` has a home, a games
folder and a desk, and an inbox of whole files; what lies there can be lost, repeated, delayed and
altered by the test, since it is a list of bytes. A cheat has the program's own means: its key, a
copy of its home from an earlier day (`rewound`), and `resealed` for entries that no honest program
would write.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from mbp import gamefile
from mbp.bots import PLAYERS
from mbp.cards.equality import Pair, prove_equality
from mbp.cards.transcript import Place
from mbp.chain import Entry, Record, seal, to_text
from mbp.desk import Desk, Receipt, World
from mbp.errors import VerificationError
from mbp.home import Home
from mbp.keys import Identity
from mbp.match import Match, Pen, invite, replay, secret_of
from mbp.rules import GAMES
from mbp.rules.contract import SEATS, AnyGame, Seat
from mbp.rules.mandala.state import Mountain
from mbp.times import format_time

START = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MANDALA = GAMES["mandala"]
OPTIONS = {"start": "inviter", "draw": "full", "deck_end": "last_mandala", "pace": "7"}
LONGEST = 1_000  # entries; no match of these tests comes near


def seed_of(label: str) -> bytes:
    """32 bytes that a label stands for; never a secret of anybody."""
    return sha256(b"mbp tests " + label.encode()).digest()


def identity_of(name: str) -> Identity:
    """The key of a player of these tests."""
    return Identity(seed_of(f"key {name}"))


def player_of(name: str) -> dict[str, str]:
    """The field `player` of a player of these tests."""
    return {"name": name, "key": identity_of(name).text}


class Dice:
    """Randomness that a label repeats byte for byte."""

    def __init__(self, label: str) -> None:
        self._rng = random.Random(seed_of(f"dice {label}"))

    def __call__(self, count: int) -> bytes:
        return self._rng.randbytes(count)


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    time: datetime = START

    def __call__(self) -> datetime:
        return self.time

    def wait(self, span: timedelta) -> None:
        self.time += span


# At the level of matches


@dataclass
class Duel:
    """Anna (A) and Bert (B) at one table; every match of it comes back from its methods."""

    label: str = "duel"
    options: Mapping[str, str] = field(default_factory=lambda: OPTIONS)
    guest: bool = False
    game: AnyGame = MANDALA
    players: Mapping[Seat, str] = field(default_factory=lambda: {"A": "Anna", "B": "Bert"})
    bots: Mapping[Seat, str] = field(default_factory=lambda: {"A": "random", "B": "random"})

    def __post_init__(self) -> None:
        self.dice = Dice(self.label)
        self.rng = random.Random(seed_of(f"choices {self.label}"))
        self.time = START

    def identity(self, seat: Seat) -> Identity:
        return identity_of(self.players[seat])

    def pen(self, seat: Seat, time: datetime | None = None) -> Pen:
        """The pen of a seat; every entry is an hour after the last, unless a time is given."""
        if time is None:
            self.time += HOUR
        return Pen(self.identity(seat), self.time if time is None else time, self.dice)

    def invited(self) -> Match:
        """Entry 0."""
        a, b = (player_of(self.players[seat]) for seat in SEATS)
        guest = b["key"] if self.guest else ""
        return invite(self.game, self.options, a, guest, self.dice(32), self.pen("A"))

    def accepted(self) -> Match:
        """Entries 0 and 1."""
        return self.invited().accepted(player_of(self.players["B"]), self.pen("B"))

    def begun(self) -> Match:
        """Entries 0 to 2."""
        return self.step(self.accepted())

    def step(self, match: Match, time: datetime | None = None, note: str = "") -> Match:
        """One more entry by whoever has the pen: what is due, or a move of the seat's bot."""
        seat = match.pen
        assert seat is not None
        return match.played(seat, self.choose(match), self.pen(seat, time), note)

    def choose(self, match: Match) -> str:
        """The act that `step` would write."""
        seat, duty = match.pen, match.position.duty
        assert seat is not None
        assert duty is not None
        if duty != "play":
            return duty
        moves, state, hand = self.moves(match)
        return self.game.format(
            state, PLAYERS[self.bots[seat]](self.game, state, hand, moves, self.rng)
        )

    def moves(self, match: Match) -> tuple[Any, Any, list[int]]:
        """The legal moves of the player to move, the state as that seat sees it, and its hand."""
        seat = match.pen
        assert seat is not None
        state, sight = match.seen(self.secrets(match))
        hand = [card for card in sight[self.game.hands[seat]] if card is not None]
        return self.game.legal_moves(state, hand), state, hand

    def texts(self, match: Match) -> list[str]:
        """The legal moves of the player to move, in long notation."""
        moves, state, _ = self.moves(match)
        return [self.game.format(state, move) for move in moves]

    def until(self, match: Match, done: Callable[[Match], bool]) -> Match:
        """Plays on until `done`, which has to come true before the match is over."""
        while not done(match):
            assert match.pen is not None, "the match is over"
            match = self.step(match)
        return match

    def finished(self, match: Match) -> Match:
        """Plays on until nothing may follow."""
        return self.until(match, lambda now: now.pen is None)

    def at_play(self, match: Match, seat: Seat | None = None) -> Match:
        """Plays on until an act of play is due (of that seat)."""
        return self.until(
            match, lambda now: now.position.duty == "play" and now.pen in (seat or now.pen, seat)
        )

    def secrets(self, match: Match) -> dict[Seat, int]:
        """The card secret of the player who has the pen."""
        seat = match.pen
        assert seat is not None
        return {seat: secret_of(match.position, seat, self.identity(seat))}

    def play(self, match: Match, move: Any, offer: str = "") -> Match:
        """One move of the player who has the pen."""
        seat, state = match.pen, match.position.state
        assert seat is not None
        act = move if isinstance(move, str) else self.game.format(state, move)
        return match.played(seat, act, self.pen(seat), offer=offer)

    def hoarded(self, match: Match, deck: int, seat: Seat) -> Match:
        """Plays Mandala until so many cards are left and it is this seat's turn (draw: up_to).

        No mandala gets its sixth colour and nobody discards, so nothing is shuffled.
        """
        match = self.at_play(match)
        lacking = self.lacking(match)
        while True:
            match = self.at_play(match)
            moves, state, _ = self.moves(match)
            if state.deck == deck and match.pen == seat:
                return match
            fits = [
                move
                for move in moves
                if isinstance(move, Mountain)
                and move.colour != lacking[move.mandala - 1]
                and (move.draw or 0) <= state.deck - deck
            ]
            match = self.play(match, max(fits, key=lambda move: move.draw or 0))

    def lacking(self, match: Match) -> tuple[int, int]:
        """A colour for each mandala that is not in it yet, two different ones."""
        state: Any = match.seen(self.secrets(match))[0]
        one, two = (mandala.missing() for mandala in state.mandalas)
        first: int = one[0]
        return first, next(colour for colour in two if colour != first)

    def trees(self, match: Match) -> list[dict[str, Any]]:
        """A copy of the log as trees, to be altered."""
        return [deepcopy(dict(entry.tree)) for entry in match.log]


def resealed(entry: Entry, identity: Identity, **fields: Any) -> Entry:
    """The entry with other fields (None: without that field), signed anew by this key."""
    tree = {**deepcopy(dict(entry.tree)), **fields}
    return seal({name: value for name, value in tree.items() if value is not None}, identity)


def reproved(
    entry: Entry, pairs: list[Pair], secret: int, identity: Identity, key: bytes, dice: Dice
) -> Entry:
    """The entry with an equality proof for exactly these pairs, signed: a lie of its author."""
    tree = deepcopy(dict(entry.tree))
    cards = {name: value for name, value in tree["cards"].items() if name != "proof"}
    bare = Entry({**tree, "cards": cards})
    place = Place(bytes.fromhex(tree["prev"]), bare.body, key)
    if pairs:
        cards = {**cards, "proof": to_text(prove_equality(place, pairs, secret, dice))}
    return resealed(entry, identity, cards=cards)


def chained(duel: Duel, entries: list[Entry], first: int = 0) -> tuple[Entry, ...]:
    """The entries with seq and prev as they follow one another, from `first` on signed anew."""
    done = list(entries[:first])
    for number, entry in enumerate(entries[first:], first):
        prev = done[-1].id if done else None
        done.append(resealed(entry, duel.identity(entry.by), seq=str(number), prev=prev))
    return tuple(done)


def refusal(*log: Entry) -> VerificationError:
    """How a log is refused; fails where it holds."""
    try:
        replay(Record(log))
    except VerificationError as error:
        return error
    raise AssertionError("the log holds")


def refused_next(match: Match, entry: Entry) -> tuple[int, int | None, str | None]:
    """Check, seq and author with which one more entry is refused."""
    try:
        match.extended(entry)
    except VerificationError as error:
        return error.check, error.seq, error.author
    raise AssertionError("the entry holds")


def gives_by(seat: Seat, *logs: tuple[Entry, ...]) -> set[tuple[str, str]]:
    """All that a seat has ever given, in all histories: (slot, what it gave)."""
    return {
        (slot, text)
        for log in logs
        for entry in log
        if entry.by == seat
        for slot, text in entry.cards.get("give", {}).items()
    }


# At the level of desks


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

    def signed(self) -> list[Entry]:
        """Every entry of the own key that lies anywhere in this player's folders."""
        found: dict[str, Entry] = {}
        for path in self.root.rglob("*.mbp.yaml"):
            match = replay(gamefile.load(path.read_bytes()))
            seat = match.seat_of(identity_of(self.name).public)
            found |= {entry.id: entry for entry in match.log if entry.by == seat}
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

    def copy(self, label: str, *, memory: bool = True) -> Correspondent:
        """A copy of home and games as they are now: a second device, or a day to rewind to.

        Without `memory` it has the identity alone, as a restored backup has.
        """
        target = self.root.parent / label
        shutil.copytree(self.root, target)
        if not memory:
            for folder in ("matches", "cache", "evidence"):
                shutil.rmtree(target / "home" / folder, ignore_errors=True)
        for facts in target.glob("home/matches/*.json"):
            facts.unlink()  # they name the game file of the original
        return Correspondent(self.root.parent, self.name, self.clock, label=label)


def pair(root: Path, *names: str) -> tuple[Correspondent, ...]:
    """Correspondents with one clock, Anna and Bert unless named."""
    clock = Clock()
    return tuple(Correspondent(root, name, clock) for name in names or ("Anna", "Bert"))


def exchange(one: Correspondent, two: Correspondent, entries: int) -> None:
    """Lets both play with bots, by post, until the log has that many entries or is over."""
    writer, reader = one, two
    for _ in range(LONGEST):
        match = writer.match
        if match.pen is None or len(match.log) >= entries:
            return
        seat = match.seat_of(identity_of(writer.name).public)
        if match.pen == seat:
            writer.desk.bot(writer.path, "random")
            writer.clock.wait(HOUR)
            continue
        writer.post(reader)
        reader.read()
        writer, reader = reader, writer
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
    root: Path, entries: int = 3, options: Mapping[str, str] | None = None
) -> tuple[Correspondent, Correspondent]:
    """Anna and Bert in a match of so many entries; both have the newest state."""
    anna, bert = pair(root)
    for _ in begin(anna, bert, options):
        pass
    bert.takes(anna.file)
    exchange(anna, bert, entries)
    for reader, writer in ((anna, bert), (bert, anna)):
        reader.takes(writer.file)
    return anna, bert


def dated(entry: Entry, identity: Identity, time: datetime) -> Entry:
    """The entry with another time."""
    return resealed(entry, identity, time=format_time(time))


def file_of(match: Match) -> bytes:
    """The game file of a match."""
    return gamefile.dump(match.record)


def with_log(match: Match, *entries: Entry) -> bytes:
    """A game file with the match's log and more entries, whatever they are worth."""
    return gamefile.dump(Record((*match.log, *entries), summary=match.summary))
