"""Patterns' board, its events in words, its board for programs."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import islice

import pytest

from mbp.rules.contract import LETTERS, SEATS, Drawn, Happened, Line, Seat
from mbp.rules.layout import width_of
from mbp.rules.patterns import PATTERNS
from mbp.rules.patterns.state import State
from tests.playout import positions, random_player
from tests.rules.patterns_positions import play, position

NAMES: dict[Seat, str] = {"A": "Alice", "B": "Bob"}
LONG_NAMES: dict[Seat, str] = {"A": "A" * 60, "B": "山田" * 20}
MIDDLE = position("KG", a="KP", b="K", c4="AK1", b5="AP2", c5="p", f4="BK1", f5="BK", d1="r")


def text_of(lines: Sequence[Line]) -> str:
    return "\n".join("".join(span.text for span in line) for line in lines)


def shown(state: State, seat: Seat | None = "A", width: int = 40) -> str:
    return text_of(PATTERNS.board(state, {}, seat, NAMES, width))


def some_state(seed: int, moves: int) -> State:
    rng = random.Random(seed)
    match = positions(PATTERNS, {}, dict.fromkeys(SEATS, random_player(rng)), rng)
    return list(islice(match, moves + 1))[-1].state


@pytest.mark.parametrize("width", [40, 41, 60, 71, 72, 74, 75, 80, 99, 100, 119, 120, 200])
def test_every_line_fits(width: int) -> None:
    for seed, moves in ((1, 0), (2, 1), (3, 20), (4, 999)):
        for seat in (*SEATS, None):
            for names in (NAMES, LONG_NAMES):
                lines = PATTERNS.board(some_state(seed, moves), {}, seat, names, width)
                assert max(map(width_of, lines)) <= min(width, 120)
                assert len(lines) == (10 if width >= 75 else 18 if width < 54 else 20)
                assert all(line == line.rstrip() for line in text_of(lines).splitlines())


@pytest.mark.parametrize("width", range(40, 121))
def test_every_place_of_a_river_is_shown(width: int) -> None:
    for seed, moves in ((1, 0), (3, 20), (4, 999)):
        rows = text_of(PATTERNS.board(some_state(seed, moves), {}, "A", NAMES, width)).splitlines()
        rivers = [row for row in rows if "river" in row]
        assert len(rivers) == 2
        assert all(f" {place}:" in row for row in rivers for place in range(1, 7))


def test_every_colour_shows_its_letter() -> None:
    spans = [span for line in PATTERNS.board(MIDDLE, {}, "A", NAMES, 80) for span in line]
    coloured = [span for span in spans if span.colour is not None]
    assert len(coloured) == 52 + 2 + 3  # tiles, bowls, rivers
    assert all(span.text[0].upper() == LETTERS[span.colour or 0] for span in coloured)


def test_board_at_40_columns() -> None:
    assert shown(MIDDLE).splitlines() == [
        "  ( ) Bob                        1 point",
        "  bowl   G",
        "  river  1:K2 2:·  3:·  4:·  5:·  6:·",
        "   a   b   c   d   e   f   g   h",
        "1          y   r   y   y",
        "2      y   y   y   y   y   y",
        "3  y   y  +y   y   y   y   y   y",
        "4  y  +y  [K1]+y   y  (K1) y   y",
        "5  y  [P2]±p   y   y  (K)  y   y",
        "6  y   y   y   y   y   y   y   y",
        "7      y   y   y   y   y   y",
        "8          y   y   y   y",
        "   a   b   c   d   e   f   g   h",
        "  action 0 · 48 tiles open",
        "  + swap  ± both",
        "▸ [ ] Alice                     0 points",
        "  bowl   K",
        "  river  1:K1 2:P1 3:·  4:·  5:·  6:·",
    ]


def test_the_board_has_the_players_beside_it_where_there_is_room() -> None:
    lines = shown(MIDDLE, "B", 80).splitlines()
    assert lines[0].startswith("   a   b")
    assert "▸ [ ] Alice" in lines[0]
    assert lines[4].endswith("     action 0 · 48 tiles open")
    assert "( ) Bob" in lines[7]
    wide = shown(MIDDLE, "A", 120).splitlines()
    assert wide[3].endswith("worth    1")
    assert wide[4].startswith("4  y   +y   [K1] +y")


def test_the_board_is_never_turned() -> None:
    rows = [line for line in shown(MIDDLE, "A").splitlines() if line[0].isdigit()]
    assert rows == [line for line in shown(MIDDLE, "B").splitlines() if line[0].isdigit()]


def test_what_can_be_done_is_explained() -> None:
    assert shown(position()).count("+") == 52 + 1
    assert "  + found\n" in shown(position())
    flips = position("KG", a="P", b="K", c4="AP1", c5="p", f4="BK1")
    assert "+ found  ± both" in shown(flips)
    only = position("YG", a="YP", b="Y", c4="AP1", c5="p", a3="AY1", h6="BY1")
    assert "- flip" in shown(only)
    assert "-p" in shown(only)


def test_a_bowl_tile_to_choose_is_said() -> None:
    state = PATTERNS.start({}, "A", random.Random(3).randrange)
    assert "Bob takes a bowl tile: G or K" in shown(state)
    assert shown(state).count("bowl   ·") == 2
    assert "+" not in shown(state)


def test_the_end_is_said() -> None:
    over = play(position("KG", e8="g", c1="g"), "found e8", "found c1", "found d2").state
    assert "play is over: no action is left" in shown(over)
    assert not {"▸", "+"} & set(shown(over))


def test_json() -> None:
    tree = PATTERNS.json(MIDDLE, {})
    assert json.loads(json.dumps(tree)) == tree
    assert list(tree["spaces"])[:2] == ["c1", "d1"]
    assert len(tree["spaces"]) == 52
    assert tree["spaces"]["d1"] == {"colour": "red", "owner": None, "marker": None}
    assert tree["spaces"]["b5"] == {"colour": "purple", "owner": "A", "marker": 2}
    assert tree["seats"]["B"] == {
        "bowl": "green",
        "river": [{"colour": "black", "tiles": 2}],
        "points": 1,
    }
    assert tree["legal"] == ["swap c3", "swap b4", "swap d4", "swap c5", "flip c5"]
    assert (tree["left"], tree["actions"]) == ([], 0)
    start = PATTERNS.json(PATTERNS.start({}, "A", random.Random(3).randrange), {})
    assert start["left"] == ["green", "black"]
    assert start["seats"]["A"] == {"bowl": None, "river": [], "points": 0}


def test_events_in_words() -> None:
    def words(*texts: str) -> list[str | None]:
        state = position("KG", c4="p", f4="k", f5="p")
        return [PATTERNS.tell(event, "A", {}) for event in play(state, *texts).events]

    assert words("found c4") == ["lays black as group 1, takes purple"]
    swapped = play(position("KG", a="K", c4="AK1", c5="p"), "swap c5")
    assert swapped.events == (Happened("lays black, takes purple"),)
    flipped = play(position("GG", a="K", c4="AK1", c5="k"), "flip c5")
    assert flipped.events == (Happened("black"),)
    chosen = play(PATTERNS.start({}, "A", random.Random(3).randrange), "bk")
    assert chosen.events == (Happened("gets green", "A"),)
    assert PATTERNS.tell(Drawn("nowhere", 1), "A", {}) is None


def test_nothing_is_hidden_so_nothing_is_revealed() -> None:
    with pytest.raises(LookupError):
        PATTERNS.reveal(MIDDLE, "bowl A", 0)
