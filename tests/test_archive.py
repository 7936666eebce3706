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


def test_the_archive_has_every_kind_of_end_and_two_matches_in_play() -> None:
    matches = [verified(path) for path in GAMES]
    ends = {match.outcome.termination for match in matches if match.outcome is not None}
    assert ends >= {"river", "last_mandala", "deck", "resign", "abort", "claim"}
    assert sum(match.outcome is None for match in matches) == 2
    assert {tuple(match.disclosed_secrets()) for match in matches} >= {(), ("A",), ("A", "B")}
    assert any(len(match.position.table.piles) > 1 for match in matches)
