"""Whatever `--json` prints has the shape that docs/json.md gives it, no field more or less."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from mbp.rules.contract import COLOURS
from mbp.rules.patterns.state import SPACES
from mbp.times import parse_time
from tests.cli.sessions import Stage

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^##+ `([^`]+)`$", re.MULTILINE)
NAMES_AND_TEXTS = SECTION.split(PAGE)[1:]
SHAPES = {
    name: json.loads(text.partition("```json\n")[2].partition("```")[0])
    for name, text in zip(NAMES_AND_TEXTS[::2], NAMES_AND_TEXTS[1::2], strict=True)
}
MATCHES = ROOT / "tests" / "data" / "matches"


def check(value: Any, shape: Any, place: str) -> None:
    """Asserts that a value has a shape of the page."""
    if isinstance(shape, str):
        check_word(value, shape, place)
    elif isinstance(shape, list):
        assert isinstance(value, list), place
        for number, item in enumerate(value):
            check(item, shape[0], f"{place}[{number}]")
    else:
        assert isinstance(value, dict), place
        names = {"*": list(value), "seat": ["A", "B"]}.get(next(iter(shape)), list(shape))
        assert sorted(value) == sorted(names), place
        for name in names:
            inner = shape.get(name, shape.get("*", shape.get("seat")))
            check(value[name], inner, f"{place}.{name}")


def check_word(value: Any, word: str, place: str) -> None:
    """Asserts that a value is what a word of the page means."""
    *others, plain = word.removesuffix(" or null").split(" or ")
    if value is None:
        assert word.endswith(" or null"), place
        return
    for name in others:  # several shapes: the one whose fields these are
        plain = name if sorted(SHAPES[name]) == sorted(value) else plain
    if plain in SHAPES:
        check(value, SHAPES[plain], place)
    elif plain == "time":
        parse_time(value)
    elif plain in ("seat", "colour"):
        assert value in {"seat": ("A", "B"), "colour": COLOURS}[plain], place
    else:
        kinds = {"text": (str,), "integer": (int,), "number": (int, float), "flag": (bool,)}
        assert type(value) in kinds[plain], place


def stage_with_matches(folder: Path) -> Stage:
    """A stage with finished matches of strangers, and two that Alice and Bob have begun."""
    stage = Stage(folder)
    for name in ("mandala-random", "mandala-reshuffle", "patterns-random"):
        shutil.copy(MATCHES / f"{name}.mbp.yaml", folder / f"{name}.mbp.yaml")
    stage.execute("alice", "mbp key new --name Alice --mail alice@example.org")
    stage.execute("bob", "mbp key new --name Bob")
    stage.execute("alice", "mbp new --option start=inviter -o game.mbp.yaml")
    stage.execute("alice", "mbp new -o open.mbp.yaml")
    stage.execute("bob", 'mbp join game.mbp.yaml -m "hello"')
    stage.execute("alice", "mbp receive game.mbp.yaml")
    for home, player in (("one", "greedy"), ("two", "random")):  # one key on two devices: a fork
        shutil.copytree(folder / "alice", folder / home)
        shutil.copy(folder / "game.mbp.yaml", folder / f"{home}.mbp.yaml")
        stage.execute(home, f"mbp bot {home}.mbp.yaml --player {player}")
    stage.execute("alice", "mbp new --game patterns --option start=guest -o tiles.mbp.yaml")
    stage.execute("bob", "mbp join tiles.mbp.yaml")
    stage.execute("alice", "mbp receive tiles.mbp.yaml")
    return stage


# One line each; every shape of a command is printed by one of them, the hard cases too.
LINES = [
    "mbp show game.mbp.yaml",
    "mbp show game.mbp.yaml --seat B",
    "mbp show game.mbp.yaml --at 0",
    "mbp show open.mbp.yaml",
    "mbp show mandala-reshuffle.mbp.yaml",
    "mbp show mandala-reshuffle.mbp.yaml --at 40",
    "mbp show mandala-random.mbp.yaml",
    "mbp show tiles.mbp.yaml",
    "mbp show patterns-random.mbp.yaml",
    "mbp show patterns-random.mbp.yaml --at 20",
    "mbp moves game.mbp.yaml",
    "mbp moves tiles.mbp.yaml",
    "mbp moves open.mbp.yaml",
    "mbp log game.mbp.yaml",
    "mbp log mandala-reshuffle.mbp.yaml",
    "mbp log patterns-random.mbp.yaml",
    "mbp status",
    "mbp watch --once",
    "mbp audit . nowhere",
    "mbp export mandala-random.mbp.yaml --to",
    "mbp export patterns-random.mbp.yaml --to",
    "mbp standings game.mbp.yaml mandala-random.mbp.yaml",
    "mbp stats mandala-random.mbp.yaml game.mbp.yaml",
    "mbp fork one.mbp.yaml two.mbp.yaml",
    "mbp fork one.mbp.yaml one.mbp.yaml",
    "mbp key show",
    "mbp contacts",
]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """One stage for all lines: none of them changes a game."""
    stage = stage_with_matches(tmp_path_factory.mktemp("json"))
    stage.direct("clock", "+100 days")
    return stage


@pytest.mark.parametrize("line", LINES)
def test_json_has_the_shape_of_the_page(stage: Stage, line: str) -> None:
    option = "json" if line.endswith("--to") else "--json"
    printed = stage.execute("alice", f"{line} {option} 2>/dev/null")
    name = next(name for name in SHAPES if line.startswith(" ".join(name.split()[:2])))
    printed = re.sub(r"\[[0-9]+\]\n$", "", printed) if "nowhere" in line else printed
    documents = printed.splitlines() if line.startswith("mbp watch") else [printed]
    assert documents
    for document in documents:
        check(json.loads(document), SHAPES[name], line)


def test_every_shape_of_a_command_is_checked() -> None:
    commands = {name for name in SHAPES if name.startswith("mbp ")}
    checked = {
        name for name in commands for line in LINES if line.startswith(re.split(r" [A-Z]", name)[0])
    }
    assert checked == commands


def test_the_page_catches_a_field_too_much() -> None:
    with pytest.raises(AssertionError):
        check({"mandala": 1, "chooser": "A", "more": 1}, SHAPES["choice"], "choice")


def test_the_page_catches_a_board_of_neither_game() -> None:
    with pytest.raises(AssertionError):
        check({"spaces": {}, "turns": 1}, SHAPES["mbp show FILE"]["board"], "board")


def test_a_board_of_patterns_has_all_spaces_and_the_moves_that_are_legal(stage: Stage) -> None:
    tree = json.loads(stage.execute("alice", "mbp show tiles.mbp.yaml --json"))
    moves = json.loads(stage.execute("alice", "mbp moves tiles.mbp.yaml --json"))["moves"]
    assert sorted(tree["board"]["spaces"]) == sorted(SPACES)
    assert len(tree["board"]["left"]) == 2
    assert tree["board"]["legal"] == [move["long"] for move in moves]
