"""The archive: every stored match verifies, for ever, and its page tells the truth about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbp.audit import audit
from tests.archive import table, verified

ROOT = Path(__file__).resolve().parent.parent
GAMES = sorted((ROOT / "games").rglob("*.mbp.yaml"))
FILES = [*GAMES, *sorted((ROOT / "examples").rglob("*.mbp.yaml"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_verifies(path: Path) -> None:
    report = audit(path.name, path.read_bytes())
    assert report.ok, report.findings


def test_the_table_of_the_archive_is_true() -> None:
    page = (ROOT / "games" / "README.md").read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.startswith("|")] == table(GAMES)


def test_the_archive_has_every_kind_of_end_of_both_games_and_matches_in_play() -> None:
    matches = [verified(path) for path in GAMES]
    for name, ways in (
        ("mandala", {"river", "last_mandala", "deck", "resign", "abort", "claim"}),
        ("patterns", {"blocked", "resign", "claim"}),
    ):
        outcomes = [match.outcome for match in matches if match.game.name == name]
        assert {outcome.termination for outcome in outcomes if outcome is not None} >= ways
        assert None in outcomes
    assert {tuple(match.disclosed_secrets()) for match in matches} >= {(), ("A",), ("A", "B")}
    assert any(len(match.position.table.piles) > 1 for match in matches)
