"""The seam between a game's rules and the rest of mbp: what a game must offer.

Rules are pure and work on *public* information: hands are counts, a move names colours, and a rule
that turns a card up leaves its place face down in the state until `reveal` fills it. So rules know
neither chance nor cryptography, and the same code serves the stranger who audits, the player with a
partial view, and a simulation that knows every card.

Where cards lie is told by *zones*. A state only counts; whoever knows more about the cards (slots
in `match`, cards in a simulation) mirrors the zones by following the card events of each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from mbp.rules.picture import Picture

Seat: TypeAlias = Literal["A", "B"]
SEATS: tuple[Seat, Seat] = ("A", "B")

# A colour is its place in this order (M1.1, P1.1).
Colour: TypeAlias = int
COLOURS = ("black", "green", "purple", "yellow", "orange", "red")
LETTERS = "KGPYOR"


def other(seat: Seat) -> Seat:
    """The opponent's seat."""
    return "B" if seat == "A" else "A"


class GameError(ValueError):
    """Something about my own move; changes nothing and accuses nobody."""


class NotationError(GameError):
    """The text is no move in this game's notation."""


class AmbiguousMoveError(NotationError):
    """A short form with several legal readings, all listed in `readings` (long form)."""

    def __init__(self, text: str, readings: Sequence[str]) -> None:
        super().__init__(f"{text!r} can be read as: {', '.join(readings)}")
        self.readings = tuple(readings)


class IllegalMoveError(GameError):
    """The rules do not allow the move; `rule` says which, empty where a card is missing."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


@dataclass(frozen=True)
class Option:
    """An option of an invitation: its values, the default first; `allows` decides on a value."""

    name: str
    values: tuple[str, ...]
    why: str

    @property
    def default(self) -> str:
        return self.values[0]


@dataclass(frozen=True)
class Zone:
    """A place for cards. What is dealt to it is read by `owner` alone, or lies face up (None)."""

    name: str
    owner: Seat | None
    opened_at_end: bool = False  # its closed cards are opened once the game is scored


@dataclass(frozen=True)
class Drawn:
    """The top `count` cards of the deck go to `zone`, one after the other."""

    zone: str
    count: int


@dataclass(frozen=True)
class Moved:
    """`count` cards of `colour` (None: all cards there are) go from one zone to another.

    Moved from a zone with an owner these are cards played, which their owner opens.
    """

    source: str
    target: str
    colour: Colour | None
    count: int


@dataclass(frozen=True)
class Shuffled:
    """All `count` cards of zone `source` become the new deck."""

    source: str
    count: int


@dataclass(frozen=True)
class Happened:
    """Something that people want to read and no program follows: `mandala 1 is complete`.

    With a `seat` the text goes on behind that player's name: `has no action`. `great` marks what
    people look for who go through a match. `colour` is that of a tile that was
    laid or turned, for those who count them. Events that say the same are equal.
    """

    text: str
    seat: Seat | None = None
    great: bool = field(default=False, compare=False)
    colour: Colour | None = field(default=None, compare=False)


Event: TypeAlias = Drawn | Moved | Shuffled | Happened


class State(Protocol):
    """What every game's state tells; the rest is the game's own. States are frozen."""

    @property
    def mover(self) -> Seat | None:
        """The player to act, None once play is over."""

    @property
    def termination(self) -> str | None:
        """Why play is over (M8.6, P4), None while it is not."""


S = TypeVar("S", bound=State)
M = TypeVar("M")


@dataclass(frozen=True)
class Step(Generic[S]):
    """What a move made of a state, and what happened on the way, in order."""

    state: S
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Outcome:
    """How a match ended: `winner` is None for a draw and for a match without result."""

    termination: str
    winner: Seat | None
    scores: tuple[int, int]

    @property
    def points(self) -> tuple[int, int]:
        """The winner's points and the loser's; A's first where nobody wins."""
        return (self.scores[1], self.scores[0]) if self.winner == "B" else self.scores


# What a seat or a stranger sees: zone name -> the cards there in order, None for a closed one.
Sight: TypeAlias = Mapping[str, tuple[Colour | None, ...]]


@dataclass(frozen=True)
class Span:
    """A piece of a line: text with the colour of the game it shows, if any, and a weight."""

    text: str
    colour: Colour | None = None
    style: Literal["", "bold", "dim"] = ""


Line: TypeAlias = tuple[Span, ...]


class Game(Protocol[S, M]):
    """A game's rules. One instance a game, without state; all methods are pure.

    `name`            as in the invitation (`mandala`); `version` its rules (`mandala/1`)
    `options`         every option but `pace` and `vacation`, which belong to the protocol
    `acts`            the first words of its moves (protocol 8)
    `forms`           a move of each kind for people, long and then short
    `copies`          hidden cards of each colour; 0: the game has no hidden cards
    `zones`           where cards lie, by name; the deck is no zone
    `hands`           the names of A's and B's hand zones, None without hidden cards
    `deal`            the set-up's card events (M2.1), the same for every match
    `terminations`    the terminations the rules themselves bring about
    """

    name: str
    version: str
    options: tuple[Option, ...]
    acts: tuple[str, ...]
    forms: str
    copies: int
    zones: Mapping[str, Zone]
    hands: Mapping[Seat, str]
    deal: tuple[Drawn, ...]
    terminations: tuple[str, ...]

    def start(self, options: Mapping[str, str], first: Seat, below: Callable[[int], int]) -> S:
        """The state after set-up; `below(n)` draws public chance (protocol 3.3)."""

    def parse(self, state: S, text: str) -> M:
        """Reads what a person types, long or short. Raises NotationError, AmbiguousMoveError."""

    def parse_long(self, state: S, text: str) -> M:
        """Reads the long notation exactly as `format` writes it. Raises NotationError."""

    def format(self, state: S, move: M) -> str:
        """The long notation, as it stands in `act`."""

    def short(self, state: S, move: M) -> str:
        """The short notation."""

    def apply(self, state: S, move: M) -> Step[S]:
        """Plays a move of `state.mover`. Raises IllegalMoveError."""

    def legal_moves(self, state: S, hand: Sequence[Colour]) -> tuple[M, ...]:
        """The mover's legal moves with this hand, in a fixed order without repeats."""

    def reveal(self, state: S, zone: str, colour: Colour) -> S:
        """Fills one face-down place of a zone with the card that was opened there."""

    def scores(self, state: S) -> tuple[int, int]:
        """The score as it stands, A's first; a closed card counts as M9.3 says."""

    def winner(self, state: S) -> Seat | None:
        """Who wins by the score, None for a draw."""

    def rank(self, state: S, hand: Sequence[Colour], move: M) -> float:
        """How good a sensible player finds a legal move; higher is better (for the greedy bot)."""

    def left(self, state: S, termination: str) -> S:
        """The state once its players left the table (protocol 9): nobody is to move any more."""

    def tell(self, event: Event, seat: Seat, names: Mapping[Seat, str]) -> str | None:
        """An event of a step by `seat` in a few words for a log line; None: not worth a word."""

    def board(
        self, state: S, sight: Sight, seat: Seat | None, names: Mapping[Seat, str], width: int
    ) -> tuple[Line, ...]:
        """The board as lines of at most `width` columns (40 at least), `seat` at the bottom."""

    def json(self, state: S, sight: Sight) -> dict[str, Any]:
        """The board for `show --json`: colours in English, hidden cards as null."""

    def picture(self, state: S, sight: Sight, names: Mapping[Seat, str]) -> Picture:
        """The board as shapes and in words, for whoever draws; A below. Names for both seats."""


AnyGame: TypeAlias = Game[Any, Any]

T = TypeVar("T")
Zones: TypeAlias = Mapping[str, tuple[T, ...]]


def follow(
    zones: Zones[T],
    deck: tuple[T, ...],
    events: Iterable[Event],
    colour_of: Callable[[T], int | None],
    shuffle: Callable[[tuple[T, ...]], tuple[T, ...]] | None = None,
) -> tuple[dict[str, tuple[T, ...]], tuple[T, ...]]:
    """Mirrors card events: returns the zones and the deck after them.

    Items are whatever the caller knows of a card; `colour_of` tells an item's colour, None if it
    is closed. `shuffle` makes a new deck of the cards of a shuffled zone; without it the mirror
    stops before the first Shuffled, since only the caller knows what a new deck is.
    Raises LookupError where a zone or the deck does not hold what an event moves.
    """
    now = dict(zones)
    for event in events:
        if isinstance(event, Drawn):
            if len(deck) < event.count:
                raise LookupError(f"the deck has no {event.count} cards")
            now[event.zone] = now.get(event.zone, ()) + deck[: event.count]
            deck = deck[event.count :]
        elif isinstance(event, Moved):
            rest, moved = _split(now.get(event.source, ()), event, colour_of)
            now[event.source] = rest
            now[event.target] = now.get(event.target, ()) + moved
        elif isinstance(event, Shuffled):
            if shuffle is None:
                break
            pile = now.get(event.source, ())
            if len(pile) != event.count or deck:
                raise LookupError(f"{event.source} holds {len(pile)} cards, not {event.count}")
            now[event.source], deck = (), shuffle(pile)
    return now, deck


def _split(
    source: tuple[T, ...], event: Moved, colour_of: Callable[[T], int | None]
) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """What stays in the source zone of an event, and what moves: the first items that fit."""
    rest: list[T] = []
    moved: list[T] = []
    for item in source:
        fits = event.colour is None or colour_of(item) == event.colour
        (moved if fits and len(moved) < event.count else rest).append(item)
    if len(moved) < event.count:
        raise LookupError(f"{event.source} does not hold {event.count} of that colour")
    return tuple(rest), tuple(moved)
