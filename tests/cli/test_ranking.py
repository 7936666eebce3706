"""`mbp standings` and `mbp stats`: what they say of files that do not count, and exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mbp.cli.ranking import ranking_lines
from mbp.report.standings import Row, Standings
from mbp.rules.layout import width_of
from tests.cli.test_audit import mbp_run
from tests.report.stories import DISCLOSED, PATTERNS, SHORT

COMMANDS = ("standings", "stats")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two matches that are over, and one that is not."""
    for path in (DISCLOSED, PATTERNS, SHORT):
        shutil.copy(path, tmp_path / path.name)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_what_cannot_be_read_is_named_and_the_rest_counts(folder: Path, command: str) -> None:
    whole = mbp_run(folder, command, ".", "--json")
    (folder / "x.mbp.yaml").symlink_to("nowhere")
    code, out, err = mbp_run(folder, command, ".", "gone", "--json")
    assert (whole[0], code) == (0, 3)
    assert out == whole[1]
    first, second = err.splitlines()
    assert first.startswith("mbp: x.mbp.yaml: ")
    assert second.startswith("mbp: gone: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_match_that_counts_it_says_so(folder: Path, command: str) -> None:
    (folder / "odd").mkdir()
    (folder / "odd" / "odd.mbp.yaml").write_text("mbp: no\n", encoding="utf-8")
    code, out, err = mbp_run(folder, command, "odd")
    assert (code, out) == (0, "")
    assert err.splitlines()[0].startswith("no match ")
    assert err.splitlines()[1] == "1 file does not hold and is left out"
    assert mbp_run(folder, command, "odd", "--json")[1] == "[]\n"


def test_an_open_match_is_in_the_statistics_and_not_in_the_standings(folder: Path) -> None:
    assert mbp_run(folder, "standings", SHORT.name)[1:] == ("", "no match that counts is over\n")
    found = json.loads(mbp_run(folder, "stats", SHORT.name, "--json")[1])
    assert [one["options"] for one in found] == [
        "all", "deck_end last_mandala", "draw up_to", "start guest",
    ]  # fmt: skip
    assert (found[0]["matches"], found[0]["over"]) == (1, 0)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_table_fits_the_terminal(folder: Path, command: str, width: int) -> None:
    code, out, _ = mbp_run(folder, command, ".", columns=str(width))
    assert code == 0
    assert max(map(len, out.splitlines())) <= width


@pytest.mark.parametrize("name", ["A" * 100, "\u5c0f\u6797" * 50])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_long_name_gives_way(name: str, width: int) -> None:
    rows = (Row("a", wins=100, rating=1516.0), Row("b", losses=100, rating=1484.0))
    lines = ranking_lines(Standings(rows, {"a": name, "b": "Ben"}), width)
    assert max(map(width_of, lines)) <= width
    assert "1516" in lines[1][0].text
    assert len(lines[0][0].text.split()) > (8 if width > 40 else 4)
