"""The servers, started once, and two players who have never met."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world.mail.players import Player
from tests.world.mail.servers import Servers, running


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    with running() as found:
        yield found


@pytest.fixture
def two(servers: Servers, tmp_path: Path) -> tuple[Player, Player]:
    """Anna and Bert, with empty mailboxes."""
    for user in ("anna", "bert"):
        for mail in servers.mails(user):
            mail.unlink()
    players = Player(tmp_path / "anna", "Anna"), Player(tmp_path / "bert", "Bert")
    for player in players:
        player.settle_in(servers)
    return players
