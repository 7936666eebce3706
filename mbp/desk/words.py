"""What the desk says to its owner. Pure; peers' text is cleaned where it is printed."""

from __future__ import annotations

from collections.abc import Mapping

from mbp.chain import Entry, Relation
from mbp.desk.histories import Choice
from mbp.match import Match
from mbp.match.sentences import histories, sentence
from mbp.rules.contract import Seat

SPLIT_HINT = (
    "both histories are kept in {folder}\n"
    "to see where they part: mbp fork {known} FILE\n"
    "to sign that yours stands: mbp settle {known} FILE\n"
    "to stand by the one in FILE instead: mbp receive FILE --take"
)
FORKED_HINT = (
    "both histories are kept in {folder}\n"
    "GIVEN is the file there whose name ends in given\n"
    "to see where they part: mbp fork FILE GIVEN\n"
    "to sign that FILE stands: mbp settle FILE GIVEN\n"
    "to stand by it without a signature: mbp receive {path} --take\n"
    "to stand by the other one: mbp receive GIVEN --take"
)
BARRED = (
    "a second answer would open cards of the first; to go on there, take that history back: "
    "mbp receive FILE --take"
)

FULL = "end the match by agreement: its notes and settlements have used up 4 MiB"

STILL_BARRED = (
    "your key has answered in the dropped branch: nothing more is signed in this one, until both "
    "players have settled on it, and never where the fork is your opponent's"
)


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


def choice_notes(choice: Choice, seat: Seat | None = None) -> tuple[str, ...]:
    """Says what a given file was beside the known state, to who plays `seat`."""
    relation, count = choice.relation, len(choice.match.log)
    if relation.kind == "newer":
        return (f"{OLDER}: the match stands at entry {count - 1}",)
    if relation.kind == "twins":
        return (f"entry {relation.seq} was written twice (twins): the match goes on",)
    if choice.split:
        return (split_words(choice, seat),)
    return ()


def split_words(choice: Choice, seat: Seat | None = None) -> str:
    """Names a fork, or two authors (protocol 2.5, 9.3), to who plays `seat`."""
    return histories(choice.match, choice.relation, seat)


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
    known: Match | None, match: Match, seat: Seat | None, names: Mapping[Seat, str]
) -> list[str]:
    """What others have put beside the log since the known state: cards opened, settlements."""
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
        if one is not None and one != seat and item not in settled:
            to_agree = f"; to agree: mbp settle {match.id[:8]}"
            said.append(
                f"{names[one]} has signed that this history stands"
                f"{' too' if item['drop'] in agreed else to_agree if seat else ''}"
            )
    return said


def not_now(match: Match, seat: Seat, names: Mapping[Seat, str]) -> str:
    """Why a seat cannot play a move now."""
    if match.pen is None:
        return "the match is over"
    if match.pen != seat:
        return f"it is not your turn: {names.get(match.pen, 'your opponent')} is next"
    return f"now {match.position.duty} is due, not a move"
