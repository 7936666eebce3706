"""A match between Anna and Bert in several states, played once; and a repository for each test."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mbp.match import Match
from tests.duel import Duel, file_of, identity_of
from tests.world.git.clones import Clone


@dataclass(frozen=True)
class States:
    """`at[n]`: the file after n entries. `fork`: another move 10, and an entry behind it.

    `twin` and `other_twin`: one vacation in two wordings, `twin_goes_on` continues the second.
    `over`: the whole match.
    """

    at: dict[int, bytes]
    fork: bytes
    twin: bytes
    other_twin: bytes
    twin_goes_on: bytes
    over: Match
    middle: Match


@pytest.fixture(scope="session")
def states() -> States:
    duel = Duel("git", options={"start": "inviter", "draw": "full", "deck_end": "immediate",
                                "pace": "7", "vacation": "9"})  # fmt: skip
    duel.time = datetime(2020, 1, 1, tzinfo=UTC)  # long ago, whatever this machine's clock says
    match = duel.at_play(duel.begun())
    at = {}
    while len(match.log) < 10:
        at[len(match.log)] = file_of(match)
        match = duel.step(match)
    match = duel.at_play(match)
    middle, texts = match, duel.texts(match)
    at[10] = file_of(match)
    fork = duel.step(duel.play(match, texts[-1]))
    seat = match.pen or "A"
    twin = match.played(seat, "vacation 2", duel.pen(seat), "at sea")
    other = match.played(seat, "vacation 2", duel.pen(seat), "in the hills")
    goes_on = duel.step(other)
    match = duel.play(match, texts[0])
    at[11] = file_of(match)
    at[12] = file_of(duel.step(match))
    over = duel.finished(duel.step(match))
    files = [file_of(one) for one in (fork, twin, other, goes_on)]
    return States(at, files[0], files[1], files[2], files[3], over, middle)


@pytest.fixture
def tree(tmp_path: Path) -> Clone:
    """A stranger's repository, wired."""
    clone = Clone(tmp_path, "tree").init()
    clone.mbp("git", "setup")
    return clone


@pytest.fixture
def annas(tmp_path: Path) -> Clone:
    """Anna's repository, wired, and her home, which has signed nothing yet."""
    clone = Clone(tmp_path, "anna", "Anna").init()
    clone.mbp("git", "setup")
    assert clone.home.profile().key == identity_of("Anna").text
    return clone
