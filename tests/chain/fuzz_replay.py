"""Throws altered logs at `replay`: only a VerificationError may leave it (protocol 11).

Every log is of the right shapes, for `gamefile` refuses the others; entries are as their authors
signed them, or signed anew by whoever lies, or taken for verified, so that the alteration reaches
the code behind signatures and proofs too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

from mbp import gamefile
from mbp.audit import audit
from mbp.chain import Entry, Record, seal
from mbp.errors import FormatError, VerificationError
from mbp.gamefile.record import parse_record
from mbp.match import Match, replay
from tests.chain.fuzz_gamefile import altered
from tests.chain.gamefile_examples import FILES
from tests.duel import Duel, identity_of

Tree = dict[str, Any]
Log = list[Tree]

KEYS = {"A": identity_of("Anna"), "B": identity_of("Bert")}
SUMMARY = {"entries": "0"}
ACTS = (
    "accept", "begin", "deal", "resign", "agree", "claim", "vacation 1", "vacation 9999",
    "mountain 1 red", "mountain 2 green draw 0", "mountain 1 red draw 3", "field 1 black 1",
    "field 2 yellow 8", "discard purple 1", "discard orange 6", "take red", "take black",
    "bowl green", "found c4", "swap e2", "flip d1", "flip a1",
)  # fmt: skip
TIMES = ("0001-01-01T00:00:00Z", "2026-12-24T18:00:00Z", "9999-12-31T23:59:59Z")


@cache
def duels() -> tuple[Match, ...]:
    """Matches whose keys are known here: a long one with an offer and vacations, two short ones."""
    options = {"start": "coin", "draw": "up_to", "deck_end": "last_mandala", "pace": "7"}
    long = Duel("fuzz long", options={**options, "vacation": "20"})
    match = long.at_play(long.accepted())
    match = match.played(match.pen or "A", "vacation 3", long.pen(match.pen or "A"))
    match = long.play(match, long.texts(match)[0], offer="abort")
    matches = [long.until(match, lambda now: len(now.log) > 24)]
    for label in ("fuzz one", "fuzz two"):
        duel = Duel(label)
        matches.append(duel.until(duel.accepted(), lambda now: len(now.log) > 9))
    return tuple(matches)


@cache
def logs() -> tuple[Log, ...]:
    """The good logs as trees: those of the duels first, then recorded ones, reshuffle included."""
    recorded = [gamefile.load(path.read_bytes()).log for path in FILES]
    return tuple(
        [dict(entry.tree) for entry in log] for log in (*(m.log for m in duels()), *recorded)
    )


# --- alterations ----------------------------------------------------------------------------------


def places(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every map and text in an entry."""
    for name, value in tree.items():
        yield (*path, name)
        if isinstance(value, dict):
            yield from places(value, (*path, name))


def node(tree: Any, path: tuple[str, ...]) -> Any:
    """What stands at a path, None if nothing does."""
    for name in path:
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree


def other_value(random: Random, path: tuple[str, ...], value: str) -> str:
    """Another text for a place, most often of its shape."""
    if path[-1] == "act" and random.random() < 0.7:
        return random.choice(ACTS)
    if path[-1] == "time":
        return random.choice(TIMES)
    if value in ("A", "B"):
        return "B" if value == "A" else "A"
    if value.isdecimal():
        return str(random.choice((0, 1, 107, 108, 10**6, abs(int(value) + random.choice((-1, 1))))))
    at = random.randrange(len(value)) if value else 0
    letter = random.choice("ABRKGPYO" if len(value) == 3 else "ABQag019+/")
    return value[:at] + letter + value[at + 1 :]


def alter_field(random: Random, log: Log) -> int:
    """Changes, removes or adds one field of one entry: its number."""
    number = random.randrange(len(log))
    tree = log[number] = deepcopy(log[number])
    path = random.choice(list(places(tree)))
    parent, value = node(tree, path[:-1]), node(tree, path)
    donor = random.choice(random.choice(logs()))
    match random.randrange(5):
        case 0:
            del parent[path[-1]]
        case 1 if (given := node(donor, path)) is not None:
            parent[path[-1]] = deepcopy(given)
        case 2 if isinstance(value, dict):
            name = random.choice(list(value))
            value[slot(random) if ":" in name else "note"] = value.pop(name)
        case 3:
            path = random.choice(list(places(donor)))
            home = node(tree, path[:-1])
            if isinstance(home, dict):
                home[path[-1]] = deepcopy(node(donor, path))
        case _ if isinstance(value, str):
            parent[path[-1]] = other_value(random, path, value)
    return number


def slot(random: Random) -> str:
    """Some slot, there or not."""
    pile = random.choice((0, 0, 0, 1, 2, 10**5))
    return f"{pile}:{random.choice((0, 5, 17, 20, 21, 107, 108, 10**5, random.randrange(108)))}"


def alter_order(random: Random, log: Log) -> int:
    """Drops, repeats, swaps or splices entries: the number of the first that is not as before."""
    one, two = sorted((random.randrange(len(log)), random.randrange(len(log))))
    other = random.choice(logs())
    match random.randrange(5):
        case 0:
            del log[one]
        case 1:
            log.insert(two, log[one])
            return two
        case 2:
            log[one], log[two] = log[two], log[one]
        case 3:
            log[one:] = other[two % len(other) :]
        case _:
            log.insert(one, random.choice(other))
    return one


def sign_anew(log: Log, first: int) -> None:
    """Chains and signs the entries from `first` on, each by the author that it names."""
    for number in range(first, len(log)):
        tree = {**log[number], "seq": str(number)}
        if number:
            tree["prev"] = Entry(log[number - 1]).id
        if tree.get("by") in KEYS:
            log[number] = dict(seal(tree, KEYS[tree["by"]]).tree)


def altered_log(random: Random) -> tuple[Log, int, bool]:
    """A log, how many entries of it are as they were, and whether liars signed it."""
    log = list(random.choice(logs()))
    log = log[: random.randrange(1, len(log) + 1)]
    first = len(log)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if log:
            alter = random.choice((alter_field, alter_field, alter_order))
            first = min(first, alter(random, log))
    signed = random.random() < 0.6
    if signed:
        sign_anew(log, first)
    return log, first, signed


# --- promises -------------------------------------------------------------------------------------


def try_log(seed: int) -> str:
    """Replays the log of this seed: `shapeless`, `refused` or `accepted`."""
    random = Random(seed)
    log, first, signed = altered_log(random)
    if not log:
        return "shapeless"
    try:
        record = parse_record({"mbp": "1", "log": log, "summary": SUMMARY})
    except FormatError:
        return "shapeless"
    believed = random.random() < 0.5
    try:
        match = replay(record, verified=len(log) if believed else first)
    except VerificationError as error:
        check_error(error, len(log), seed)
        return "refused"
    check_match(match, seed)
    if not signed and not believed:
        assert known(record), f"seed {seed}: a log that nobody signed"
    return "accepted"


def check_error(error: VerificationError, count: int, seed: int) -> None:
    """A refusal names entry, author, check and reason (protocol 11)."""
    assert error.seq is not None, seed
    assert 0 <= error.seq < count, seed
    assert error.author in ("A", "B"), seed
    assert 2 <= error.check <= 8, seed
    assert str(error).isprintable(), seed


def check_match(match: Match, seed: int) -> None:
    """What has been accepted can be asked for everything, and written and read."""
    assert gamefile.load(gamefile.dump(match.record)) == match.record, seed
    state, sight = match.seen({})
    if state is not None:
        match.game.json(state, sight)
        match.game.board(state, sight, None, {"A": "Anna", "B": "Bert"}, 40)
    assert (match.outcome is None) <= (match.pen is not None), seed


def known(record: Record) -> bool:
    """Whether a log is one of the good ones, or a beginning of one."""
    ids = [entry.id for entry in record.log]
    return any(ids == [Entry(tree).id for tree in log[: len(ids)]] for log in logs())


@cache
def good_file() -> bytes:
    """A short match as a file."""
    return gamefile.dump(duels()[1].record)


def one_letter(data: bytes, random: Random) -> bytes:
    """The file with one letter or digit made another, which most often keeps its shape."""
    while True:
        at = random.randrange(len(data))
        letter = chr(data[at])
        if letter.isalnum():
            kind = "0123456789" if letter.isdecimal() else "abcdefABCDEFGH"
            return data[:at] + random.choice(kind).encode() + data[at + 1 :]


def try_file(seed: int) -> str:
    """Audits the file of this seed, which never fails: `shapeless`, `refused` or `accepted`."""
    random = Random(seed)
    alter: Callable[[bytes, Random], bytes] = random.choice((altered, one_letter, one_letter))
    data = alter(good_file(), random)
    report = audit("fuzz", data)
    if report.ok:
        assert known(gamefile.load(data)), f"seed {seed}: a log that nobody signed"
        return "accepted"
    finding = report.findings[0]
    assert finding.reason.isprintable(), seed
    if finding.check == 1:
        return "shapeless"
    check = 2 <= finding.check <= 8 and finding.seq is not None
    assert check or finding.check == 10, seed
    return "refused"
