"""Known answers for the cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="session")
def vectors() -> Any:
    """vectors.json of the second implementation."""
    return json.loads((DATA / "vectors.json").read_text(encoding="utf-8"))
