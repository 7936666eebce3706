"""Entries of the wrong shape, signed and proved as they are (protocol 1 to 3, 6, 8; check 1)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from mbp.match import Match
from tests.vectors import matches
from tests.vectors.changes import GONE, Path, Tree, nothing, put
from tests.vectors.forging import lie, reproved, resigned, trees
from tests.vectors.players import identity
from tests.vectors.vector import Vector, file_tree, of_tree

WORD = b64encode(bytes(range(32))).decode()
TURN = 3  # an entry of `short` with an open and a proof: mountain 1 red draw 0
DEALING = 5  # one with a give

# name: (crime, place in the entry, value, reason)
IN_A_TURN: dict[str, tuple[str, Path, Any, str]] = {
    "unknown-field": ("a field that no entry has", ("mood",), "good", "unknown key"),
    "coin-in-a-turn": ("a field of another act", ("coin",), WORD, "unknown key"),
    "card-key-in-a-turn": ("a second card key", ("cards", "key"), WORD, "unknown key"),
    "unknown-card-field": ("a field that no cards have", ("cards", "swap"), "0:6", "unknown key"),
    "note-empty": ("an empty note", ("note",), "", "empty"),
    "note-too-long": ("a note of 1,001 characters", ("note",), "é" * 1_001, "more than 1000"),
    "note-next-line": ("a line break in a note", ("note",), "a\x85b", "character U+0085"),
    "note-line-separator": ("a line separator in a note", ("note",), "a\u2028b", "U+2028"),
    "note-newline": ("two lines in a note", ("note",), "a\nb", "character U+000A"),
    "note-list": ("a list for a text", ("note",), ["a"], "not a scalar"),
    "seq-leading-zero": ("a number with a leading zero", ("seq",), "03", "not an integer"),
    "seq-with-sign": ("a number with a sign", ("seq",), "+3", "not an integer"),
    "seq-other-digits": ("a number in other digits", ("seq",), "\u0663", "not an integer"),
    "by-neither-seat": ("an author who has no seat", ("by",), "C", "is not A or B"),
    "time-30-february": ("a day that is none", ("time",), "2027-02-30T12:00:00Z", "not a time"),
    "time-leap-second": ("second 60", ("time",), "2026-12-31T23:59:60Z", "not a time"),
    "time-with-offset": ("an offset for Z", ("time",), "2026-11-30T15:00:00+00:00", "not a time"),
    "time-year-0": ("the year 0000", ("time",), "0000-11-30T15:00:00Z", "not a time"),
    "offer-draw": ("an offer that the protocol lacks", ("offer",), "draw", "is not abort"),
    "act-unknown": ("an act of no game", ("act",), "pass", "unknown act"),
    "act-two-spaces": ("two spaces", ("act",), "mountain 1  red draw 0", "one space between"),
    "vacation-leading-zero": ("days with a zero", ("act",), "vacation 05", "not a vacation"),
    "slot-leading-zero": ("a slot's other spelling", ("cards", "open"), {"0:06": "R16"}, "a slot"),
    "card-18": ("a copy that no colour has", ("cards", "open", "0:6"), "R18", "not a card"),
    "card-small-letter": ("a card's other spelling", ("cards", "open", "0:6"), "r16", "not a card"),
    "open-list": ("a list for a map", ("cards", "open"), ["0:6"], "not a map"),
    "proof-short": ("an equality proof of 63 bytes", ("cards", "proof"), 84 * "A", "63 bytes"),
    "proof-long": ("an equality proof of 66 bytes", ("cards", "proof"), 88 * "A", "66 bytes"),
    "prev-missing": ("an entry without prev", ("prev",), GONE, "missing"),
    "cards-empty": ("an empty map", ("cards", "give"), {}, "empty"),
}  # fmt: skip

# In an invitation (entry 0), whose mask is proved anew.
IN_THE_INVITATION: dict[str, tuple[str, Path, Any, str]] = {
    "option-missing": ("an option left out", ("options", "draw"), GONE, "missing"),
    "option-unknown": ("an option of no rules", ("options", "timer"), "1", "unknown key"),
    "option-value": ("a value that no option has", ("options", "start"), "dealer", "is not coin"),
    "pace-100000": ("a pace that is too slow", ("options", "pace"), "100000", "not days"),
    "vacation-366": ("too long a vacation", ("options", "vacation"), "366", "not days"),
    "game-unknown": ("another game", ("game",), "chess", "unknown game"),
    "rules-unknown": ("later rules", ("rules",), "mandala/2", "unknown rules"),
    "nonce-short": ("a nonce of 30 bytes", ("nonce",), 40 * "A", "30 bytes"),
    "name-too-long": ("a name of 101 characters", ("player", "name"), 101 * "A", "more than 100"),
    "prev-in-entry-0": ("an invitation with prev", ("prev",), 64 * "0", "unknown key"),
    "key-two-spaces": (
        "a key's other spelling", ("player", "key"), identity("A").text.replace(" ", "  "),
        "not an ssh"
    ),
    "key-with-comment": (
        "a key with a comment", ("player", "key"), identity("A").text + " anna", "not an ssh"
    ),
    "key-of-another-type": (
        "a key of 80 characters that is none", ("player", "key"),
        identity("A").text.replace("ssh-ed", "ssh-rs"), "not an ssh-ed25519 key",
    ),
    "key-not-base64": (
        "a key that is no base64", ("player", "key"), identity("A").text[:-1] + "!", "not an ssh"
    ),
    "guest-with-comment": ("a guest with a comment", ("guest",),
        identity("B").text + " b", "not an ssh-ed25519 key"),
}  # fmt: skip


def vectors() -> Iterator[Vector]:
    """All of this page."""
    for name, (crime, path, value, reason) in IN_A_TURN.items():
        yield turn(name, crime, reason, path, value)
    for name, (crime, path, value, reason) in IN_THE_INVITATION.items():
        yield invitation(name, crime, reason, path, value)
    yield from spellings()
    yield from beginnings()


def turn(name: str, crime: str, reason: str, path: Path, value: Any, seq: int = TURN) -> Vector:
    """A vector whose last entry has another value at one place."""
    match = matches.short()
    before, act = match.at(seq - 1), match.log[seq].act
    tree = shaped(before, act, path, value)
    return of_tree(f"form-{name}", crime, 1, reason, file_tree(before, tree))


def shaped(before: Match, act: str, path: Path, value: Any) -> Tree:
    """The entry; where the change itself cannot be proved, only signed."""
    good = dict(matches.short().log[before.position.count].tree)
    if path[:2] in {("cards", "open"), ("cards", "give"), ("cards", "proof")} or path == ("prev",):
        return resigned(good, put(path, value))
    if path == ("act",):
        return lie(before, value, nothing, honest=act)
    return lie(before, act, put(path, value))


def invitation(name: str, crime: str, reason: str, path: Path, value: Any) -> Vector:
    """A vector whose invitation has another value at one place."""
    match = matches.short()
    tree = trees(match)[0]
    put(path, value)(tree)
    if path[-1] not in ("prev", "nonce"):
        tree = reproved(None, tree)
    return of_tree(f"form-{name}", crime, 1, reason, file_tree(match.at(0), tree) | {"log": [tree]})


def spellings() -> Iterator[Vector]:
    """Binary values that do not re-encode to themselves (protocol 1.3)."""
    match = matches.short()
    before, tree = match.at(TURN - 1), trees(match)[TURN]
    sig = tree["sig"]
    loose = chr(ord(sig[-3]) + 1) + "=="
    for name, crime, value, reason in (
        ("sig-spare-bits", "a signature whose spare bits are not zero", sig[:-3] + loose, "re-enc"),
        ("sig-without-padding", "base64 without padding", sig[:-2], "not base64"),
        ("sig-other-alphabet", "base64 for addresses", "-" + sig[1:], "not base64"),
        ("sig-short", "a signature of 63 bytes", sig[:84], "63 bytes"),
        ("sig-missing", "an entry without signature", GONE, "missing"),
    ):
        entry = dict(tree)
        put(("sig",), value)(entry)
        yield of_tree(f"form-{name}", crime, 1, reason, file_tree(before, entry))
    yield turn("give-number", "a number with a leading zero", "not an integer",
               ("cards", "give", "0:20"), "07", DEALING)  # fmt: skip
    yield turn("give-short", "a point of 31 bytes", "31 bytes",
               ("cards", "give", "0:20"), b64encode(bytes(31)).decode(), DEALING)  # fmt: skip


def beginnings() -> Iterator[Vector]:
    """Logs that do not begin with an invitation."""
    match = matches.short()
    log = trees(match)[:3]
    tree = file_tree(match.at(2))
    headless = {**tree, "log": log[1:]}
    yield of_tree("form-no-invitation", "a log whose first entry is lost", 1,
                  "the first entry is no invitation", headless, seq=0)  # fmt: skip
    bare = [{name: value for name, value in log[0].items() if name != "act"}, *log[1:]]
    yield of_tree("form-first-act-missing", "an invitation without act", 1, "missing",
                  {**tree, "log": bare}, seq=0)  # fmt: skip
    for name in ("game", "rules"):
        bare = [{key: value for key, value in log[0].items() if key != name}, *log[1:]]
        yield of_tree(f"form-{name}-missing", f"an invitation without {name}", 1, "missing",
                      {**tree, "log": bare}, seq=0)  # fmt: skip
    silent = [*log[:2], {key: value for key, value in log[2].items() if key != "act"}]
    yield of_tree("form-act-missing", "an entry without act", 1, "missing",
                  {**tree, "log": silent}, seq=2)  # fmt: skip
    yield of_tree("form-log-map", "a map for the log", 1, "not a list",
                  {**tree, "log": {"a": "b"}}, seq=None)  # fmt: skip
