"""The README runs: its match is executed and gives exactly what stands there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.sessions import replayed

README = Path(__file__).parents[1] / "README.md"


def test_the_match_in_the_readme_goes_as_it_says(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    match = re.search(r"```console\n(.*?)```", text, re.DOTALL)
    assert match is not None
    assert replayed(match[1], tmp_path) == match[1]


def test_the_match_in_the_readme_has_ten_lines() -> None:
    lines = re.findall(r"^[a-z]*\$ ", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == 10


def test_the_five_lines_are_those_of_the_threat_model() -> None:
    model = (README.parent / "docs" / "threat-model.md").read_text(encoding="utf-8")
    five = model.partition("## In five lines\n")[2].partition("\n## ")[0].strip()
    assert five.count("\n- ") == 4
    assert five in README.read_text(encoding="utf-8")
