"""Every test here verifies a proof of the good matches once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.vectors.survey import proofs_once


@pytest.fixture(autouse=True)
def _once() -> Iterator[None]:
    with proofs_once():
        yield
