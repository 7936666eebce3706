"""What a player may choose, checked before anything is signed. Pure."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from mbp.bots import PLAYERS
from mbp.errors import MbpError, TurnError
from mbp.match import Match
from mbp.rules.contract import (
    AmbiguousMoveError,
    AnyGame,
    Colour,
    IllegalMoveError,
    Seat,
    Sight,
)
from mbp.times import format_time

DEFAULT_PACE = "7"  # days (protocol 3.4)
LONGEST_PACE = 99_999
LONGEST_VACATION = 365
LONGEST_NOTE = 1_000  # code points (protocol 1.2)
REFUSED = {"Cc", "Cs", "Zl", "Zp"}


class OptionError(MbpError):
    """What the user chose does not exist: an option, its value, a computer player, a note."""


def complete_options(game: AnyGame, given: Mapping[str, str]) -> dict[str, str]:
    """Every option of the game and the pace, as an invitation names them (protocol 3).

    Raises OptionError.
    """
    allowed = {option.name: option.values for option in game.options}
    for name, value in given.items():
        if name == "pace":
            _check_days(name, value, 0, LONGEST_PACE)
        elif name == "vacation":
            _check_days(name, value, 1, LONGEST_VACATION)
        elif name not in allowed:
            listed = ", ".join([*allowed, "pace", "vacation"])
            raise OptionError(f"{game.name} has no option {name!r}", hint=f"it has: {listed}")
        elif value not in allowed[name]:
            listed = ", ".join(allowed[name])
            raise OptionError(f"option {name} cannot be {value!r}", hint=f"choose one of: {listed}")
    defaults = {option.name: option.default for option in game.options}
    return {**defaults, "pace": DEFAULT_PACE, **given}


def _check_days(name: str, value: str, least: int, most: int) -> None:
    short = value.isascii() and value.isdecimal() and len(value) <= len(str(most))
    if not short or str(int(value)) != value or not least <= int(value) <= most:
        raise OptionError(f"option {name} cannot be {value!r}", hint=f"name {least} to {most} days")


def clean_note(note: str) -> str:
    """A note in NFC, as it may stand in an entry, or nothing (protocol 1.2). Raises OptionError."""
    note = unicodedata.normalize("NFC", note)
    if len(note) > LONGEST_NOTE:
        raise OptionError(f"the note has {len(note)} characters, {LONGEST_NOTE} are possible")
    if any(unicodedata.category(character) in REFUSED for character in note):
        raise OptionError("the note has line breaks or characters that cannot be printed")
    return note


def refuse_leaving(
    match: Match,
    seat: Seat,
    act: str,
    now: datetime,
    tell_time: Callable[[datetime], str] = format_time,
) -> None:
    """Raises TurnError where an act of protocol 9 is not possible, in words for its author."""
    verb, position = act.partition(" ")[0], match.position
    do = "take a vacation" if verb == "vacation" else verb
    if match.pen is None:
        raise TurnError("the match is over", hint="see how it ended: mbp show FILE")
    if verb == "claim":
        _refuse_claim(match, seat, now, tell_time)
        return
    if verb == "agree":
        _refuse_agreeing(match, seat)
    if match.pen != seat:
        raise TurnError(f"you can {do} on your own turn: your opponent is next")
    if position.count < 3:
        raise TurnError(f"you can {do} once play has begun")
    if position.play_over:
        raise TurnError("play is over", hint="see how it ended: mbp show FILE")
    if verb == "vacation":
        _refuse_vacation(match, seat, act.partition(" ")[2])


def _refuse_agreeing(match: Match, seat: Seat) -> None:
    offered = match.position.offered_by
    if offered == seat:
        raise TurnError("the offer is your own: your opponent can agree to it")
    if offered is None or match.pen != seat:  # it has lapsed where the pen is not the own (9.2)
        hint = "to offer it yourself: mbp move FILE MOVE --offer-abort"
        raise TurnError("your opponent's last entry makes no offer", hint=hint)


def _refuse_vacation(match: Match, seat: Seat, number: str) -> None:
    position = match.position
    left, until = position.vacation_left(seat), "see until when you can play: mbp show FILE"
    if "vacation" not in position.options:
        raise TurnError("this match has no vacation", hint=until)
    if not left:
        raise TurnError("you have taken all your vacation in this match", hint=until)
    if not number.isascii() or not number.isdecimal() or not 0 < int(number[:5]) <= left:
        have = f"{left} {'is' if left == 1 else 'are'} left"
        days = "day" if number == "1" else "days"
        raise TurnError(
            f"you cannot take {number} {days} of vacation: {have}",
            hint=f"take what is left: mbp vacation FILE {left}",
        )


def _refuse_claim(
    match: Match, seat: Seat, now: datetime, tell_time: Callable[[datetime], str]
) -> None:
    if match.pen == seat:
        raise TurnError("it is your own turn: there is nothing to claim")
    since = match.position.claimable_after
    if since is None:
        raise TurnError("nothing can be claimed in this match")
    if max(now, match.position.latest).replace(microsecond=0) <= since:
        raise TurnError(f"a claim is possible after {tell_time(since)}")


def read_move(match: Match, secrets: Mapping[Seat, int], text: str) -> str:
    """A move that the player typed, in long notation, once it is legal with the own hand.

    Raises GameError.
    """
    seat = match.pen
    state, sight = match.seen(secrets)
    if state is None or seat is None:
        raise TurnError("play has not begun")
    legal = match.game.legal_moves(state, _hand(match, seat, sight))
    playable = [match.game.format(state, move) for move in legal]
    try:
        move = match.game.parse(state, text)
    except AmbiguousMoveError as failure:
        return _playable_reading(failure, text, playable)
    act = match.game.format(state, move)
    match.game.apply(state, move)  # says by its rule what is wrong, whatever the hand
    if act not in playable:
        raise IllegalMoveError(f"your hand does not hold what {act!r} plays")
    return act


def _playable_reading(failure: AmbiguousMoveError, text: str, playable: Sequence[str]) -> str:
    """The one reading of a short form that the own hand can play. Raises GameError."""
    fits = [reading for reading in failure.readings if reading in playable]
    if not fits:
        raise IllegalMoveError(f"your hand does not hold what {text!r} plays, however it is read")
    if len(fits) > 1:
        raise AmbiguousMoveError(text, fits)
    return fits[0]


def _hand(match: Match, seat: Seat, sight: Sight) -> list[Colour]:
    """The cards that a seat sees in its own hand."""
    cards = sight.get(match.game.hands.get(seat, ""), ())
    return [card for card in cards if card is not None]


def choose_move(
    match: Match,
    seat: Seat,
    secrets: Mapping[Seat, int],
    player: str,
    randomness: Callable[[int], bytes],
) -> str:
    """The move that a computer player makes of what the seat sees, in long notation."""
    if player not in PLAYERS:
        listed = ", ".join(PLAYERS)
        raise OptionError(f"there is no player {player!r}", hint=f"choose one of: {listed}")
    own = {one: secret for one, secret in secrets.items() if one == seat}
    state, sight = match.seen(own)
    if state is None:
        raise TurnError("play has not begun")
    hand = _hand(match, seat, sight)
    moves = match.game.legal_moves(state, hand)
    chosen = PLAYERS[player](match.game, state, hand, moves, random.Random(randomness(32)))
    return match.game.format(state, chosen)
