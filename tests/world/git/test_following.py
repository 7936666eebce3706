"""Where each match of an old state is in a new one, whatever its files are called: without git."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import pytest

from mbp import gamefile
from mbp.errors import MbpError, PostError
from mbp.git.following import Fate, Seen, fates
from mbp.git.revisions import Row
from mbp.match import replay
from tests.world.git.tiles import Tiles, evidence, files, settled

TILES, OTHER = Tiles("one"), Tiles("two")
M7, M8, M9, FORK = files(TILES.upto(7), TILES.upto(8), TILES.upto(9), TILES.fork(7, more=1))
O5, O7 = files(OTHER.upto(5), OTHER.upto(7))
PROOF = evidence(TILES.whole, TILES.fork(7))
JUNK = b"<html>"

Files = Mapping[str, bytes]


class Store:
    """Blobs by id, and how many of them were asked for."""

    def __init__(self, *states: Files) -> None:
        self.blobs = {self.id(data): data for state in states for data in state.values()}
        self.looked: list[str] = []

    @staticmethod
    def id(data: bytes | None) -> str:
        return "" if data is None else sha256(data).hexdigest()

    def read(self, blob: str) -> bytes:
        if blob not in self.blobs:
            raise PostError("git cannot read this object")
        return self.blobs[blob]

    def look(self, path: str, blob: str) -> Seen[str]:
        self.looked.append(path)
        data = self.read(blob)
        if gamefile.is_evidence(data):
            return Seen(None, True, path)
        try:
            record = gamefile.load(data)
            return Seen(replay(record).with_extras(record)[0], True, path)
        except MbpError:
            return Seen(None, False, path)


def rows(before: Files, after: Files) -> list[Row]:
    """What differs, as git lists it: by name."""
    found = [
        Row(path, Store.id(before.get(path)), Store.id(after.get(path)))
        for path in sorted({*before, *after})
    ]
    return [row for row in found if row.old != row.new]


def followed(before: Files, after: Files) -> dict[str, Fate[str]]:
    store = Store(before, after)
    told = list(fates(rows(before, after), store.read, store.look))
    assert len({fate.path for fate in told}) == len(told)
    return {fate.path: fate for fate in told}


def words(before: Files, after: Files) -> dict[str, str]:
    return {path: fate.word for path, fate in followed(before, after).items()}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": M7}, {"a": M9}, {"a": "grown"}),
        ({}, {"a": M9}, {"a": "new"}),
        ({"a": M9}, {"b": M9}, {"b": "renamed"}),
        ({"a": M7}, {"b": M9}, {"b": "renamed, grown"}),
        ({"a": M7, "b": O5}, {"a": O5, "b": M7}, {"a": "renamed", "b": "renamed"}),
        ({"a": M7, "b": O5}, {"a": O7, "b": M9}, {"a": "renamed, grown", "b": "renamed, grown"}),
        ({"a": M7, "b": O5}, {"a": O5, "c": M9}, {"a": "renamed", "c": "renamed, grown"}),
        ({"a": M7, "b": M8}, {"c": M9}, {"c": "renamed, grown"}),
        ({"a": JUNK}, {"a": M9}, {"a": "mended"}),
        ({"a": JUNK}, {}, {}),
        ({}, {"a": PROOF}, {"a": "new"}),
        ({"a": M7}, {"a": O5, "b": M9}, {"a": "new", "b": "renamed, grown"}),
    ],
)
def test_a_match_is_followed_under_any_name(
    before: Files, after: Files, expected: dict[str, str]
) -> None:
    assert words(before, after) == expected
    assert not any(fate.change.refused for fate in followed(before, after).values())


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": M9}, {}, {"a": "removed"}),
        ({"a": M9}, {"a": M7}, {"a": "rewritten"}),
        ({"a": M9}, {"b": M7}, {"a": "removed", "b": "new"}),
        ({"a": M9}, {"a": JUNK}, {"a": "damaged"}),
        ({"a": M9}, {"a": O5}, {"a": "rewritten"}),
        # A file that has its match still has to go on from it itself.
        ({"a": M9, "b": M7}, {"a": M8, "b": M9}, {"a": "rewritten", "b": "grown"}),
        (
            {"a": M9, "b": FORK},
            {"a": FORK, "b": M9},
            {"a": "rewritten", "b": "rewritten"},
        ),
        # A second, older copy does not excuse that the longer one is gone.
        ({"a": M9, "z": M7}, {"z": M8}, {"z": "grown", "a": "removed"}),
        # Nor does a second history that goes on.
        ({"a": M9, "z": M8}, {"z": M8, "b": FORK}, {"b": "new", "a": "removed"}),
        ({"a": M9, "b": O5}, {"a": O5, "b": M7}, {"a": "rewritten", "b": "new"}),
        # Evidence holds a match and more, but nobody can play on from it.
        ({"a": M9}, {"a": PROOF}, {"a": "rewritten"}),
        ({"a": M9}, {"p": PROOF}, {"a": "removed", "p": "new"}),
        ({"p": PROOF}, {"p": M9}, {"p": "rewritten"}),
        ({"p": PROOF}, {}, {"p": "removed"}),
    ],
)
def test_h2_what_is_gone_is_found_out(
    before: Files, after: Files, expected: dict[str, str]
) -> None:
    found = followed(before, after)
    assert {path: fate.word for path, fate in found.items()} == expected
    refused = {path for path, fate in found.items() if fate.change.refused}
    assert refused == {p for p, w in expected.items() if w in ("removed", "rewritten", "damaged")}


def test_what_takes_the_place_of_a_lost_match_is_named() -> None:
    fate = followed({"a": M9, "z": M7}, {"z": M8})["a"]
    assert fate.change.reason.endswith("is removed: z does not go on from it")


def test_a_settled_history_may_move_too() -> None:
    kept = TILES.fork(TILES.first_by("B"))
    (data,) = files(settled(kept, TILES.whole, "A"))
    (whole,) = files(TILES.whole)
    assert words({"a": whole}, {"b": data}) == {"b": "renamed, settled"}


def test_what_cannot_be_read_is_refused_and_the_others_are_told() -> None:
    before, after = {"a": M7, "b": O5}, {"a": M9, "b": O7}
    store = Store(before, after)
    del store.blobs[Store.id(M7)]
    told = {fate.path: fate for fate in fates(rows(before, after), store.read, store.look)}
    assert told["a"].change.refused
    assert "cannot read" in told["a"].change.reason
    assert told["b"].word == "grown"


def test_each_new_file_is_verified_once_and_told_before_the_next_one_is() -> None:
    before, after = {"a": M7, "b": O5, "c": JUNK}, {"a": M9, "b": O7, "d": M7}
    store = Store(before, after)
    told = fates(rows(before, after), store.read, store.look)
    for path in ("a", "b", "d"):
        assert next(told).path == path
        assert store.looked[-1] == path
    assert not list(told)
    assert store.looked == ["a", "b", "d"]
