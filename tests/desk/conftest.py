"""A match at two desks, played once and copied for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbp.match import Match
from tests.correspondents import Clock, Correspondent, started

Pair = tuple[Correspondent, Correspondent]


def berts_turn(match: Match) -> bool:
    """Bert (B) has to move, some entries behind the begin."""
    return len(match.log) >= 8 and (match.pen, match.position.duty) == ("B", "play")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Anna and Bert in the middle of a match; never written to, only copied."""
    return started(tmp_path_factory.mktemp("played"), berts_turn, {"vacation": "20"})


@pytest.fixture
def both(played: Pair, tmp_path: Path) -> Pair:
    """Anna and Bert in the middle of a match, Bert to move; both have the newest state."""
    clock = Clock(played[0].clock.time)
    anna, bert = (one.copy(one.name, root=tmp_path, clock=clock) for one in played)
    return anna, bert


@pytest.fixture
def strangers(tmp_path: Path) -> Pair:
    """Anna and Bert, who have not met yet."""
    clock = Clock()
    return Correspondent(tmp_path, "Anna", clock), Correspondent(tmp_path, "Bert", clock)
