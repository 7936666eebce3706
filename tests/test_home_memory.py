"""What the home remembers of each game: newest bytes, facts, evidence, cache (protocol 4.3)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mbp.errors import MbpError
from mbp.home import Facts, Home

GAME = "19" * 32
OTHER_GAME = "2a" * 32
DIGEST = "c0" * 32


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


# --- memory ---------------------------------------------------------------------------------------


def test_4_3_the_same_bytes_come_back(home: Home) -> None:
    data = bytes(range(256)) + b"\r\n"
    assert home.remembered(GAME) is None
    home.remember(GAME, b"older")
    home.remember(GAME, data)
    assert Home(home.root).remembered(GAME) == data
    assert home.remembered(OTHER_GAME) is None


def test_all_remembered_are_the_games_and_nothing_else(home: Home) -> None:
    assert home.all_remembered() == ()
    for game in (OTHER_GAME, GAME):
        home.remember(game, b"x")
        home.set_facts(game, Facts(looked=1))
    (home.root / "matches" / f".{GAME}.mbp.yaml.0123.tmp").write_bytes(b"left by a crash")
    (home.root / "matches" / "notes.mbp.yaml").write_bytes(b"not ours")
    assert home.all_remembered() == (GAME, OTHER_GAME)


def test_a_file_where_the_folder_belongs_is_named(home: Home) -> None:
    home.make_root()
    (home.root / "matches").write_bytes(b"")
    for act in (home.all_remembered, lambda: home.remember(GAME, b"x")):
        with pytest.raises(MbpError, match="matches"):
            act()


@pytest.mark.parametrize(
    "game_id", ["", "19", "../" + GAME[3:], GAME.replace("9", "G"), GAME + "\n"]
)
def test_only_a_game_id_becomes_a_name(home: Home, game_id: str) -> None:
    for path in (home.match_path, home.facts_path, home.evidence_folder, home.cache_path):
        with pytest.raises(ValueError, match="not a game id"):
            path(game_id)


def test_facts_come_back(home: Home) -> None:
    assert home.facts(GAME) == Facts(looked=-1, forked=False, path=None)
    facts = Facts(looked=12, forked=True, path="/games/a\udcff-b.mbp.yaml")
    home.set_facts(GAME, facts)
    assert Home(home.root).facts(GAME) == facts
    home.set_facts(GAME, Facts())
    assert home.facts(GAME) == Facts()


@pytest.mark.parametrize(
    "text",
    [
        '{"looked": "1"}',
        '{"looked": true}',
        '{"forked": 1}',
        '{"path": 1}',
        "3",
    ],
)
def test_damaged_facts_are_named(home: Home, text: str) -> None:
    home.set_facts(GAME, Facts())
    home.facts_path(GAME).write_text(text)
    with pytest.raises(MbpError, match="damaged") as failure:
        home.facts(GAME)
    assert str(home.facts_path(GAME)) in str(failure.value)
    assert failure.value.hint


def test_evidence_is_never_overwritten_and_kept_once(home: Home) -> None:
    assert home.evidence(GAME) == []
    first = home.keep_evidence(GAME, "theirs.mbp.yaml", b"one")
    second = home.keep_evidence(GAME, "theirs.mbp.yaml", b"two")
    third = home.keep_evidence(GAME, "theirs.mbp.yaml", b"three")
    assert home.keep_evidence(GAME, "theirs.mbp.yaml", b"two") == second
    assert home.keep_evidence(GAME, "ours.mbp.yaml", b"one") == first
    names = ["theirs.mbp.yaml", "theirs-2.mbp.yaml", "theirs-3.mbp.yaml"]
    assert [path.name for path in (first, second, third)] == names
    assert [path.read_bytes() for path in (first, second, third)] == [b"one", b"two", b"three"]
    assert home.evidence(GAME) == sorted((first, second, third))
    assert home.evidence(OTHER_GAME) == []


@pytest.mark.parametrize("name", ["", ".hidden", "../up", "a/b", "a\nb", "ü", "x" * 101])
def test_evidence_has_names_of_our_own(home: Home, name: str) -> None:
    with pytest.raises(ValueError, match="not a name"):
        home.keep_evidence(GAME, name, b"x")


# --- cache ----------------------------------------------------------------------------------------


def test_cache_comes_back(home: Home) -> None:
    assert home.verified(GAME) is None
    home.set_verified(GAME, 5, DIGEST)
    assert Home(home.root).verified(GAME) == (5, DIGEST)
    assert home.verified(OTHER_GAME) is None
    shutil.rmtree(home.root / "cache")
    assert home.verified(GAME) is None


def test_cache_of_another_version_is_none(home: Home) -> None:
    home.set_verified(GAME, 5, DIGEST)
    path = home.cache_path(GAME)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"version": "0.0.1"}))
    assert home.verified(GAME) is None


@pytest.mark.parametrize("field", ["version", "count", "digest"])
@pytest.mark.parametrize("value", [None, True, -1, 0, 1.5, "", "5", "C0" * 32, [], {}])
def test_damaged_cache_is_none(home: Home, field: str, value: object) -> None:
    home.set_verified(GAME, 5, DIGEST)
    path = home.cache_path(GAME)
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    assert home.verified(GAME) is None


def test_cache_that_cannot_be_read_or_written_is_none(home: Home) -> None:
    home.cache_path(GAME).mkdir(parents=True)
    assert home.verified(GAME) is None
    home.set_verified(GAME, 5, DIGEST)
    assert home.verified(GAME) is None
