"""Every session goes as its file tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.rewrite import FOLDER
from tests.cli.sessions import replayed

SESSIONS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_session(path: Path, tmp_path: Path) -> None:
    told = path.read_text(encoding="utf-8")
    assert replayed(told, tmp_path) == told


def test_there_are_sessions() -> None:
    assert SESSIONS
