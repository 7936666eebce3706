"""What the desk says to its owner. Pure; peers' text is cleaned where it is printed."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mbp.chain import Entry, Relation
from mbp.desk.histories import Choice
from mbp.desk.kept import Halt, Why
from mbp.match import Match
from mbp.match.sentences import histories, sentence
from mbp.rules.contract import Seat

SPLIT_HINT = (
    "both histories are kept in {folder}\n"
    "to see where they part: mbp fork {known} {given}\n"
    "to sign that yours stands: mbp settle {known} {given}\n"
    "to stand by the one in {given} instead: mbp receive {given} --take"
)
AGREE_HINT = "\nyour opponent has signed for the one in {given}; to agree: mbp settle {given}"

# Why nothing is signed, and how to go on, by `Halt.why`. FILE is the match, {path} its file,
# {other} the other history.
HALTS: Mapping[Why, tuple[str, str]] = {
    "forked": (
        "{rival} has signed two histories: nothing more is signed until you stand by one of them",
        "OTHER, the second one, is kept: {other}\n"
        "to see where they part: mbp fork FILE OTHER\n"
        "to sign that FILE stands: mbp settle FILE OTHER\n"
        "to stand by it without a signature: mbp receive {path} --take\n"
        "to stand by the other one: mbp receive OTHER --take",
    ),
    "answered": (
        "you have answered in another history: nothing more is signed in this one",
        "a second answer would open cards of the first; to go on there, take that history back: "
        "mbp receive {other} --take",
    ),
    "slipped": (
        "your key has signed in another history too: nothing more is signed in this one until both "
        "of you have settled on it",
        "OTHER, that one, is kept: {other}\n"
        "to sign that this one stands: mbp settle FILE OTHER\n"
        "to go on in the other one: mbp receive OTHER --take",
    ),
    "settled": (
        "you have settled; waiting for {rival}: mbp settle",
        "send {path} to {rival}, with the history that you drop: {other}",
    ),
    "disclosed": (
        "your card secret is published in another history: nothing more is signed in this one",
        "{rival} could read all your cards; that history still stands: mbp receive {other} --take",
    ),
    "early": (
        "entries {entries} came already and follow one of yours: this is not the newest state",
        "ask {rival} for the game file, or look on your other device, and take it in: mbp receive\n"
        "if there is none, to go on from here without them: mbp receive {path} --newest",
    ),
}

FULL = "end the match by agreement: its notes and settlements have used up 4 MiB"


def halt_words(
    halt: Halt, rival: str, path: str, tell_path: Callable[[Path], str] = str
) -> tuple[str, str]:
    """Why nothing is signed, and how to go on, in words; `tell_path` writes a path for people."""
    other = shlex.quote(tell_path(halt.other)) if halt.other else "as evidence"
    told = {"rival": rival, "path": path, "other": other, "entries": halt.entries}
    first, hint = HALTS[halt.why]
    return first.format(**told), hint.format(**told)


OLDER = "the file is an older copy"
NOT_HELD = ("it is dated ahead of this clock, and too many such wait: receive it again later",)


def held_note(held: Entry | None, time: str = "") -> tuple[str, ...]:
    """Says that an entry is held back (protocol 2.4); `time` is when it claims to be written."""
    if held is None:
        return ()
    return (
        f"entry {held.seq} is dated {time or held.tree['time']}, ahead of this clock: held back, "
        "and taken in by itself once that time has come",
    )


def choice_notes(
    choice: Choice, seat: Seat | None, names: Mapping[Seat, str], *, settled: bool = False
) -> tuple[str, ...]:
    """Says what a given file was beside the known state, to who plays `seat`.

    `names` are what the reader calls the players; `settled`: he has signed for the known state.
    """
    relation, count = choice.relation, len(choice.match.log)
    if relation.kind == "newer":
        return (f"{OLDER}: the match stands at entry {count - 1}",)
    if relation.kind == "twins":
        return (f"entry {relation.seq} was written twice (twins): the match goes on",)
    if not choice.split:
        return ()
    said = split_words(choice, seat, names)
    return (f"{said}; you have settled for yours" if settled else said,)


def split_words(choice: Choice, seat: Seat | None, names: Mapping[Seat, str]) -> str:
    """Names a fork, or two authors (protocol 2.5, 9.3), to who plays `seat`."""
    return histories(choice.match, choice.relation, seat, names)


def relation_words(relation: Relation) -> str:
    """Says of two states that are one history how they belong together."""
    if relation.kind == "twins":
        return f"entry {relation.seq} was written twice (twins), which is no fork"
    if relation.kind == "same":
        return "both files hold the same entries"
    older = "the first" if relation.kind == "older" else "the second"
    return f"{older} file is an older copy of the other, up to entry {relation.seq - 1}"


def new_moves(
    known: Match | None, match: Match, seat: Seat | None, names: Mapping[Seat, str]
) -> list[str]:
    """The entries that were not known, in words, and what came with them from others.

    `names` are what the reader calls the players.
    """
    start = 0 if known is None else len(known.log)
    if known is not None and known.log != match.log[:start]:
        start = next(
            (n for n, (a, b) in enumerate(zip(known.log, match.log, strict=False)) if a.id != b.id),
            start,
        )
    said = []
    for moment in match.moments[start:]:
        by = moment.entry.by
        said.append(f"{'you' if by == seat else names[by]}: {sentence(moment, names)}")
        if by != seat and "note" in moment.entry.tree:
            said.append(f"  “{moment.entry.tree['note']}”")
    return said


def new_extras(
    known: Match | None,
    match: Match,
    seat: Seat | None,
    names: Mapping[Seat, str],
    agreeable: Sequence[Mapping[str, str]] = (),
) -> list[str]:
    """What others have put beside the log since the known state: cards opened, settlements.

    `agreeable` are the settlements of which this home has both histories.
    """
    opened = {} if known is None else known.disclosed
    settled = () if known is None else known.settled
    said = [
        f"{names[one]} has opened all cards: mbp show tells them"
        for one in match.players
        if one in match.disclosed and one not in opened and one != seat
    ]
    agreed = {item["drop"] for item in match.settled if item["by"] == seat}
    for item in match.settled:
        one = next((place for place in match.players if place == item["by"]), None)
        if one is None or one == seat or item in settled:
            continue
        other = "" if item in agreeable else " OTHER, once you have the history that it drops"
        to_agree = f"; to agree: mbp settle {match.id[:8]}{other}" if seat else ""
        said.append(
            f"{names[one]} has signed that this history stands"
            f"{' too' if item['drop'] in agreed else to_agree}"
        )
    return said


def not_now(match: Match, seat: Seat, names: Mapping[Seat, str]) -> str:
    """Why a seat cannot play a move now."""
    if match.pen is None:
        return "the match is over"
    if match.pen != seat:
        return f"it is not your turn: {names.get(match.pen, 'your opponent')} is next"
    return f"now {match.position.duty} is due, not a move"
