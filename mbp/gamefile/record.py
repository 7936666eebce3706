"""Tree of strings -> Record: which fields a file has, by game and act (protocol 2, 3, 6, 8 to 10).

This is the last part of check 1 of protocol 11. Whether an entry stands where it may, and whether
what it says is true, is for `match` to tell.
"""

from __future__ import annotations

from typing import Any

from mbp.chain import Entry, Record
from mbp.errors import UnsupportedVersionError
from mbp.gamefile.place import Path, refuse, shown
from mbp.gamefile.shapes import (
    Shape,
    binary,
    check_keys,
    each,
    fields,
    items,
    mapping,
    one_of,
    pattern,
    public_key,
    scalar,
    text,
    time,
)
from mbp.rules import find_game
from mbp.rules.contract import LETTERS, AnyGame

FILE_VERSION = "1"
MAX_ENTRIES = 5_000

NUMBER = "(?:0|[1-9][0-9]*)"
INTEGER = pattern(NUMBER, "an integer")
SEAT = one_of("A", "B")
ID = pattern("[0-9a-f]{64}", "an id of 64 hex digits")
SIGNATURE = binary(64)
WORD = binary(32)  # a coin, a nonce, a point, a card secret
SLOT = pattern(f"{NUMBER}:{NUMBER}", "a slot")
CARD = pattern(f"[{LETTERS}](?:0[0-9]|1[0-7])", "a card")
ACT = text()
# Without a way back, so that a long text costs no more than its length.
WORDS = pattern("(?:[^ ]++ )*+[^ ]++", "words with one space between them")
PACE = pattern("0|[1-9][0-9]{0,4}", "days from 0 to 99999")
DAYS = pattern("[1-9][0-9]?|[12][0-9]{2}|3[0-5][0-9]|36[0-5]", "days from 1 to 365")
VACATION = pattern(f"vacation {NUMBER}", "a vacation of some days")

PLAYER = fields({"name": text(100), "key": public_key}, {"mail": text(254)})
MASK = fields({"pile": INTEGER, "points": binary(32, many=True)}, {"proof": binary(32, many=True)})
DISCLOSED = fields({}, {"A": WORD, "B": WORD})
SETTLED = items(fields({"by": SEAT, "keep": ID, "drop": ID, "sig": SIGNATURE}))

# Acts of the protocol that are one word. `deal` and the acts of play depend on the game.
BARE_ACTS = ("invite", "accept", "begin", "resign", "agree", "claim")


def parse_record(tree: Any) -> Record:
    """The record that the tree of a file holds. Raises FormatError, UnsupportedVersionError."""
    # The version comes first: a later one may know other keys.
    version = scalar(mapping(tree, ()).get("mbp", FILE_VERSION), ("mbp",))
    if version != FILE_VERSION:
        refuse(("mbp",), f"unknown version {shown(version)}", UnsupportedVersionError)
    required = ("mbp", "log", "summary")
    check_keys(tree, (), required, (*required, "disclosed", "settled"))
    game = _game_of_log(tree["log"])
    shape = fields(
        {"mbp": scalar, "log": _log(game), "summary": mapping},
        {"settled": SETTLED} | ({"disclosed": DISCLOSED} if game.copies else {}),
    )
    parsed = shape(tree, ())
    return Record(
        log=parsed["log"],
        disclosed=parsed.get("disclosed", {}),
        settled=parsed.get("settled", ()),
        summary=parsed["summary"],
    )


def _game_of_log(tree: Any) -> AnyGame:
    """The game of the whole log, which its first entry names: an invitation (protocol 3)."""
    if not isinstance(tree, list):
        refuse(("log",), "not a list")
    if len(tree) > MAX_ENTRIES:
        refuse(("log",), f"more than {MAX_ENTRIES} entries")
    path: Path = ("log", 0)
    act = mapping(tree[0], path).get("act")
    if act is None:
        refuse((*path, "act"), "missing")
    if scalar(act, (*path, "act")) != "invite":
        refuse((*path, "act"), f"the first entry is no invitation: {shown(act)}")
    return _game_of_invitation(tree[0], path)


def _game_of_invitation(tree: dict[str, Any], path: Path) -> AnyGame:
    """The game of an invitation, if this program knows it and knows these rules of it."""
    for name in ("game", "rules"):
        if name not in tree:
            refuse((*path, name), "missing")
        scalar(tree[name], (*path, name))
    game = find_game(tree["game"])
    if game is None:
        refuse((*path, "game"), f"unknown game {shown(tree['game'])}", UnsupportedVersionError)
    if tree["rules"] != game.version:
        refuse((*path, "rules"), f"unknown rules {shown(tree['rules'])}", UnsupportedVersionError)
    return game


def _log(game: AnyGame) -> Shape:
    """The entries of a match of this game."""

    def act(value: Any, path: Path) -> str:
        return parse_act(game, value, path)

    def entry(value: Any, path: Path) -> Entry:
        if "act" not in mapping(value, path):
            refuse((*path, "act"), "missing")
        word = act(value["act"], (*path, "act")).split(" ")[0]
        required: dict[str, Shape] = {
            "seq": INTEGER, "by": SEAT, "time": time, "act": act, "sig": SIGNATURE
        }  # fmt: skip
        optional: dict[str, Shape] = {"note": text(1000), "offer": one_of("abort")}
        if path != ("log", 0):
            required["prev"] = ID
        if word == "invite":
            required |= _invitation(_game_of_invitation(value, path))
            optional["guest"] = public_key
        elif word == "accept":
            required |= {"player": PLAYER, "coin": WORD}
        elif word == "begin":
            required["coin"] = WORD
        if game.copies:
            # The card key comes with the author's first entry, and with no other (protocol 6).
            first = word in ("invite", "accept")
            (required if first else optional)["cards"] = _cards(first)
        return Entry(fields(required, optional)(value, path))

    return items(entry)


def _invitation(game: AnyGame) -> dict[str, Shape]:
    """What an invitation to this game has beside what every entry has (protocol 3)."""
    options = {option.name: one_of(*option.values) for option in game.options}
    return {
        "game": scalar,
        "rules": scalar,
        "options": fields({**options, "pace": PACE}, {"vacation": DAYS}),
        "player": PLAYER,
        "nonce": WORD,
        "coin": WORD,
    }


def _cards(first: bool) -> Shape:
    """The field `cards` (protocol 6)."""
    parts = {
        "mask": MASK,
        "give": each(SLOT, _given),
        "open": each(SLOT, CARD),
        "proof": SIGNATURE,
    }
    return fields({"key": WORD}, parts) if first else fields({}, parts)


def _given(value: Any, path: Path) -> str:
    """A number of the first list, or the 32 bytes of a point (protocol 6.2)."""
    return str(INTEGER(value, path) if scalar(value, path).isdecimal() else WORD(value, path))


def parse_act(game: AnyGame, value: Any, path: Path) -> str:
    """The text of an act that the protocol or the game knows by its first word (protocol 8)."""
    word = WORDS(ACT(value, path), path).split(" ")[0]
    if word == "vacation":
        return str(VACATION(value, path))
    bare = value in BARE_ACTS or (value == "deal" and game.copies > 0)
    if not bare and word not in game.acts:
        refuse(path, f"unknown act {shown(value)}")
    return str(value)
