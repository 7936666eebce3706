"""Mandala's board, its events in words, its board for programs: what a seat sees, no more."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbp.rules.contract import (
    LETTERS,
    SEATS,
    Colour,
    Drawn,
    Event,
    Happened,
    Line,
    Moved,
    Seat,
    Shuffled,
    Span,
)
from mbp.rules.layout import apart, boxed, columns, cut, fill, width_of
from mbp.rules.mandala import MANDALA
from mbp.rules.mandala.state import Choice, Mandala, Move, State
from tests.playout import Position, positions, random_player
from tests.rules.mandala_positions import mandala, position, side

NAMES: dict[Seat, str] = {"A": "Alice", "B": "Bob"}
LONG_NAMES: dict[Seat, str] = {"A": "A" * 60, "B": "山田" * 20}


def text_of(lines: Sequence[Line]) -> str:
    return "\n".join("".join(span.text for span in line) for line in lines)


def sight_of(
    shown: Position[State, Move], seat: Seat | None
) -> dict[str, tuple[Colour | None, ...]]:
    """What a seat sees of concrete cards: the own hand and cup, and what lies open."""
    sight: dict[str, tuple[Colour | None, ...]] = {}
    for name, cards in shown.zones.items():
        owner = MANDALA.zones[name].owner
        open_from = 0
        if owner is not None and owner != seat:
            closed_cup = shown.state.sides[SEATS.index(owner)].closed
            open_from = closed_cup if name.startswith("cup") else len(cards)
        sight[name] = tuple(
            card.colour if place >= open_from else None for place, card in enumerate(cards)
        )
    return sight


def some_position(seed: int, moves: int) -> Position[State, Move]:
    rng = random.Random(seed)
    match = positions(MANDALA, {}, dict.fromkeys(SEATS, random_player(rng)), rng)
    return list(islice(match, moves + 1))[-1]


@pytest.mark.parametrize("width", [40, 41, 60, 71, 72, 73, 80, 100, 119, 120, 200])
def test_every_line_fits(width: int) -> None:
    for seed, moves in ((1, 0), (2, 25), (3, 50), (4, 999)):
        shown = some_position(seed, moves)
        for seat in (*SEATS, None):
            for names in (NAMES, LONG_NAMES):
                lines = MANDALA.board(shown.state, sight_of(shown, seat), seat, names, width)
                assert max(map(width_of, lines)) <= min(width, 120)
                assert len(lines) <= (20 if width < 72 else 13)


def test_a_crowded_board_fits() -> None:
    full = side(8, river="KGPYOR", cup="KGPYOR" * 12)
    state = position(mandala("K" * 17 + "G" * 17, a="PPP", b="YYYOOO"), None, full, full)
    for width in (40, 72, 120):
        assert max(map(width_of, MANDALA.board(state, {}, "A", NAMES, width))) <= width


def test_every_colour_shows_its_letter() -> None:
    shown = some_position(5, 40)
    lines = MANDALA.board(shown.state, sight_of(shown, "A"), "A", NAMES, 80)
    spans = [span for line in lines for span in line if span.colour is not None]
    assert spans
    for span in spans:
        assert span.colour is not None
        assert span.text[0] == LETTERS[span.colour]


def test_board_at_40_columns() -> None:
    state = position(
        mandala("KKG", a="PP", b="Y"),
        mandala("RO"),
        side(3, river="RY", cup="RRR", closed=2),
        side(2, river="K", cup="K", closed=2),
        deck=55,
        discards="KGG",
    )
    sight: dict[str, tuple[Colour | None, ...]] = {
        "hand A": (5, 0, 5),
        "hand B": (None, None),
        "cup A": (0, 3, 5, 5, 5),
    }
    lines = MANDALA.board(state, sight, "A", NAMES, 40)
    assert text_of(lines).splitlines() == [
        "  Bob                          1+ points",
        "  river  1 K  2 ·  3 ·  4 ·  5 ·  6 ·",
        "  cup    K ??",
        "  hand   2 cards",
        "╭─ mandala 1 ────────────── needs O R ─╮",
        "│ Bob       Y                        1 │",
        "│ mountain  KK G                     3 │",
        "│ Alice     PP                       2 │",
        "╰──────────────────────────────────────╯",
        "╭─ mandala 2 ────────── needs K G P Y ─╮",
        "│ Bob                                · │",
        "│ mountain  O R                      2 │",
        "│ Alice                              · │",
        "╰──────────────────────────────────────╯",
        "  deck 55 · discards 3 · turn 10",
        "▸ Alice                         5 points",
        "  river  1 R  2 Y  3 ·  4 ·  5 ·  6 ·",
        "  cup    RRR Y K",
        "  hand   K RR",
    ]


def test_mandalas_lie_side_by_side_where_there_is_room() -> None:
    lines = text_of(MANDALA.board(position(discards="KGG"), {}, "B", NAMES, 80)).splitlines()
    assert lines[3].count("╭─ mandala") == 2
    assert "deck 40 · discards 3 (K1 G2) · turn 10" in lines[8]
    assert lines[0].startswith("▸ Alice")


def test_a_closed_mountain_card_that_the_seat_can_open_is_shown() -> None:
    state = position(Mandala(closed=2))
    assert "mountain  ??" in text_of(MANDALA.board(state, {}, "A", NAMES, 40))
    board = MANDALA.board(state, {"mountain 1": (5, None)}, "A", NAMES, 40)
    assert "mountain  R ?" in text_of(board)


def test_what_is_going_on_is_said() -> None:
    choosing = position(mandala("KG", a="R"), mover="B", choice=Choice(1, "A"))
    assert "Bob takes" in text_of(MANDALA.board(choosing, {}, None, NAMES, 40))
    late = position(last_stage=True)
    assert "last stage" in text_of(MANDALA.board(late, {}, None, NAMES, 40))
    over = MANDALA.apply(position(turns=399), MANDALA.parse(position(), "dr1")).state
    board = text_of(MANDALA.board(over, {}, None, NAMES, 40))
    assert "play is over" in board
    assert "needs" not in board
    assert "▸" not in board


def test_m2_2_the_opponents_cards_do_not_matter_to_what_is_shown() -> None:
    """The board of a stranger is the same whatever hands and cups hold."""
    shown = some_position(6, 20)
    sight = sight_of(shown, None)
    assert all(card is None for seat in SEATS for card in sight[f"hand {seat}"])
    tree = MANDALA.json(shown.state, sight)
    for seat in SEATS:
        assert set(tree["seats"][seat]["hand"]) == {None}
        assert tree["seats"][seat]["cup"].count(None) == 2


def test_json() -> None:
    state = position(
        mandala("KKG", a="PP", b="Y", closed=1), a=side(2, river="RY", cup="R"), discards="OO"
    )
    tree = MANDALA.json(state, {"hand A": (5, 0)})
    assert json.loads(json.dumps(tree)) == tree
    assert tree["mandalas"][0] == {
        "mountain": ["black", "black", "green", None],
        "fields": {"A": ["purple", "purple"], "B": ["yellow"]},
        "missing": ["orange", "red"],
    }
    assert tree["seats"]["A"] == {
        "hand": ["black", "red"],
        "river": ["red", "yellow"],
        "cup": ["red", None, None],
        "points": 1,
    }
    assert tree["seats"]["B"]["hand"] == [None] * 6
    assert (tree["deck"], tree["discards"]) == (40, {"orange": 2})
    assert (tree["last_stage"], tree["turns"], tree["choice"]) == (False, 10, None)
    choosing = position(mandala("KG", a="R"), choice=Choice(1, "B"))
    assert MANDALA.json(choosing, {})["choice"] == {"mandala": 1, "chooser": "A"}


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Moved("hand A", "mountain 1", 5, 1), None),
        (Drawn("hand A", 3), "draws 3"),
        (Drawn("mountain 2", 2), "2 new on mountain 2"),
        (Shuffled("discards", 30), "30 discards become the new deck"),
        (Happened("mandala 1 is complete"), "mandala 1 is complete"),
        (Moved("mountain 1", "river A", 5, 1), "1 red to the river"),
        (Moved("mountain 1", "cup B", 4, 2), "2 orange to Bea's cup"),
        (Moved("mountain 1", "discards", 4, 2), "2 orange discarded"),
        (Moved("mountain 1", "discards", None, 7), "mountain 1 discarded"),
        (Moved("field 1 A", "discards", None, 3), None),
    ],
)
def test_events_in_words(event: Event, words: str | None) -> None:
    assert MANDALA.tell(event, "A", {"A": "Anna", "B": "Bea"}) == words


spans = st.builds(Span, st.text("ab山é ", max_size=6))
some_lines = st.lists(spans, max_size=5).map(tuple)


@given(st.text("ab山é", max_size=12), st.integers(0, 12))
def test_cut_never_exceeds_the_width(text: str, width: int) -> None:
    short = cut(text, width)
    assert columns(short) <= width
    assert short == text or columns(text) > width


@given(some_lines, some_lines, st.integers(24, 60))
def test_layout_gives_exact_widths(left: Line, right: Line, width: int) -> None:
    assert width_of(fill(left, width)) == width
    assert width_of(fill(left, 3)) == 3
    if width_of(right) <= width:
        assert width_of(apart(left, right, width)) == width
    if width_of(right) <= width - 10:
        for line in boxed(left, right, (left, right), width):
            assert width_of(line) == width
