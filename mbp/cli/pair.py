"""Two players on this machine who play a match by post: the demo, the archive, the examples.

Each has a home and a games folder and works at a desk, as in a real match; what goes between them
is the bytes of one file. Keys, nonce, clock, choices and the randomness of proofs come from a seed,
so that a match repeats byte for byte. Whoever knows the seed knows all secrets: a pair makes its
homes itself and plays in no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha512
from pathlib import Path

from mbp.desk import Desk, Receipt, World
from mbp.desk.choices import choose_move
from mbp.errors import MbpError
from mbp.files import make_folder, write_atomic
from mbp.home import Home
from mbp.keys import Identity
from mbp.match import Match
from mbp.rules.contract import SEATS, Seat, other

SEED_PREFIX = b"mbp demo\n"
START = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
LONGEST_WAIT = 30 * 60  # minutes between two entries, well within every pace but 0 and 1


class SeededWorld:
    """A clock and randomness out of a seed."""

    def __init__(self, seed: str, start: datetime = START) -> None:
        self._seed = sha512(SEED_PREFIX + seed.encode()).digest()
        self._drawn = 0
        self._time = start

    def now(self) -> datetime:
        """The time in this world."""
        return self._time

    def randomness(self, count: int) -> bytes:
        """The next bytes of the seed's stream."""
        blocks = []
        for _ in range(-(-count // 64)):
            blocks.append(sha512(self._seed + self._drawn.to_bytes(8, "big")).digest())
            self._drawn += 1
        return b"".join(blocks)[:count]

    def wait(self, length: timedelta | None = None) -> None:
        """Lets time go by: so long, or as long as people take to answer a letter."""
        if length is None:
            minutes = 3 + int.from_bytes(self.randomness(4), "big") % LONGEST_WAIT
            length = timedelta(minutes=minutes, seconds=minutes % 60)
        self._time += length


@dataclass(frozen=True)
class Correspondent:
    """One of the two: a name, and the desk with the own home and games folder."""

    name: str
    desk: Desk

    @classmethod
    def at(cls, folder: Path, name: str, world: SeededWorld) -> Correspondent:
        """Makes a player with a new key, whose home is `folder`. Raises MbpError."""
        home = Home(folder)
        with home.lock():
            home.create_identity(Identity(world.randomness(32)), name)
        desk = Desk(home, folder / "games", World(world.now, world.randomness), _no_passphrase)
        make_folder(desk.games)
        return cls(name, desk)


@dataclass
class Pair:
    """A match on its way: who plays, where each keeps the file, what stands, what was handed over.

    `carry` takes a state to the other player: the bytes that arrive; without it the file goes over
    as it is. The methods are what the two do, in the order in which a match allows it.
    """

    world: SeededWorld
    players: Mapping[Seat, Correspondent]
    files: dict[Seat, Path] = field(default_factory=dict)
    states: dict[Seat, Match] = field(default_factory=dict)
    hand_overs: int = 0
    carry: Callable[[Match, Seat, datetime], bytes] | None = None

    @classmethod
    def meet(cls, folder: Path, world: SeededWorld, names: tuple[str, str]) -> Pair:
        """Makes both players in a folder of their own, `alice` and `bob` in it."""
        homes = ("alice", "bob")
        players = {
            seat: Correspondent.at(folder / home, name, world)
            for seat, home, name in zip(SEATS, homes, names, strict=True)
        }
        return cls(world, players)

    @property
    def match(self) -> Match:
        """The newest state that there is."""
        return max(self.states.values(), key=lambda match: len(match.log))

    def desk(self, seat: Seat) -> Desk:
        """Where a seat works."""
        return self.players[seat].desk

    def invite(self, game: str, options: Mapping[str, str], *, named: bool) -> None:
        """A invites; `named`: the two have met, and nobody but B may accept."""
        if named:
            guest = self.desk("B").home.profile()
            with self.desk("A").home.lock():
                self.desk("A").home.remember_contact(guest.name, guest.key)
        to = self.players["B"].name if named else ""
        self._keep("A", self.desk("A").new(game, options, to))

    def accept(self, note: str = "") -> None:
        """B stores the invitation that came, and accepts it."""
        path = self.desk("B").games / self.files["A"].name
        write_atomic(path, self._carried("A"), new=True)
        self.hand_overs += 1
        self.world.wait()
        self._keep("B", self.desk("B").join(path, note))

    def hand_over(self, to: Seat) -> None:
        """`to` receives the opponent's file and writes what needs no decision."""
        data = self._carried(other(to))
        self.hand_overs += 1
        self.world.wait()
        self._keep(to, self.desk(to).receive(data))

    def move(
        self, seat: Seat, note: str = "", *, offer: bool = False, player: str = "greedy"
    ) -> None:
        """A computer player chooses for `seat`, which plays it."""
        desk, match = self.desk(seat), self.states[seat]
        act = choose_move(match, seat, desk.secrets(match), player, self.world.randomness)
        self._keep(seat, desk.play(self.files[seat], act, note, offer))

    def leave(self, seat: Seat, act: str) -> None:
        """`seat` resigns, agrees, claims or takes days off (protocol 9)."""
        self._keep(seat, self.desk(seat).leave(self.files[seat], act))

    def disclose(self, seat: Seat) -> None:
        """`seat` publishes the own card secret of this match."""
        self._keep(seat, self.desk(seat).disclose(self.files[seat]))

    def turn(self, note: str = "", *, player: str = "greedy") -> None:
        """One move or one hand-over, whichever is next; a note goes with a move only."""
        seat = self.match.pen
        if seat is None:
            return
        if self.is_behind(seat):
            self.hand_over(seat)
        else:
            self.move(seat, note, player=player)

    def is_behind(self, seat: Seat) -> bool:
        """Whether `seat` has not yet received the newest state."""
        return seat not in self.states or len(self.states[seat].log) < len(self.match.log)

    def play_on(self, most: int = 5_000) -> Iterator[Match]:
        """Plays until nothing may follow, or until there are `most` entries."""
        while self.match.pen is not None and len(self.match.log) < most:
            self.turn()
            yield self.match

    def _carried(self, sender: Seat) -> bytes:
        """What arrives of the file of `sender`."""
        if self.carry is None:
            return self.files[sender].read_bytes()
        return self.carry(self.states[sender], sender, self.world.now())

    def _keep(self, seat: Seat, receipt: Receipt) -> None:
        self.files[seat], self.states[seat] = receipt.path, receipt.match


def fresh_folder(path: Path) -> Path:
    """Makes a folder for a pair, or takes an empty one. Raises MbpError for one with files."""
    make_folder(path)
    with suppress(OSError):
        if next(path.iterdir(), None) is None:
            return path
    raise MbpError(f"{path} is not empty", hint="name a folder that is new or empty")


def _no_passphrase() -> str:
    return ""
