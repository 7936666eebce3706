"""Patterns' board, set-up and actions, one test a rule number (P1 to P3)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from mbp.rules.contract import LETTERS, SEATS, Seat, other
from mbp.rules.patterns import PATTERNS
from mbp.rules.patterns.state import CENTRE, NEAR, PLACE, SPACES, State
from tests.playout import positions, random_player
from tests.rules.patterns_positions import (
    allowed,
    neighbours,
    offered,
    on,
    play,
    position,
    refused,
    tile,
)


def set_up(seed: int, first: Seat = "A") -> State:
    return PATTERNS.start({}, first, random.Random(seed).randrange)


def side_of(state: State, seat: Seat) -> tuple[str, str]:
    """Bowl and river in letters."""
    side = state.sides[PLACE[seat]]
    assert side.bowl is not None
    return LETTERS[side.bowl], "".join(LETTERS[colour] for colour in side.river)


def test_p1_1_nine_tiles_of_each_colour() -> None:
    state = set_up(1)
    colours = Counter([one.colour for one in state.tiles] + list(state.left))
    assert colours == dict.fromkeys(range(6), 9)


def test_p1_2_spaces() -> None:
    assert len(SPACES) == len(set(SPACES)) == 52
    rows = [[name for name in SPACES if name.endswith(str(row))] for row in range(1, 9)]
    assert [len(row) for row in rows] == [4, 6, 8, 8, 8, 8, 6, 4]
    assert [row[0][0] + row[-1][0] for row in rows] == ["cf", "bg", *["ah"] * 4, "bg", "cf"]
    assert [name for row in rows for name in row] == list(SPACES)  # reading order


def test_p1_3_centre_and_orthogonal_neighbours() -> None:
    assert [SPACES[space] for space in CENTRE] == ["d4", "e4", "d5", "e5"]
    for space, name in enumerate(SPACES):
        assert {SPACES[near] for near in NEAR[space]} == set(neighbours(name))
    assert {SPACES[near] for near in NEAR[SPACES.index("c1")]} == {"d1", "c2"}


def test_p1_4_bowls_and_rivers_begin_empty() -> None:
    for side in set_up(1).sides:
        assert (side.bowl, side.river) == (None, ())


@pytest.mark.parametrize("seed", range(5))
def test_p2_1_eight_of_each_colour_outside_the_centre(seed: int) -> None:
    tiles = set_up(seed).tiles
    outside = Counter(one.colour for place, one in enumerate(tiles) if place not in CENTRE)
    assert outside == dict.fromkeys(range(6), 8)
    assert all(one.owner is None for one in tiles)


@pytest.mark.parametrize("seed", range(5))
def test_p2_2_centre_and_bowl_tiles_are_all_six_colours(seed: int) -> None:
    state = set_up(seed)
    aside = [state.tiles[space].colour for space in CENTRE] + list(state.left)
    assert sorted(aside) == list(range(6))
    assert len(state.left) == 2


@pytest.mark.parametrize("first", SEATS)
def test_p2_3_the_other_player_chooses_a_bowl_tile_and_the_start_player_moves(first: Seat) -> None:
    state = set_up(3, first)
    assert state.mover == other(first)
    assert offered(state) == {f"bowl {name}" for name in ("black", "green")}
    for chosen, rest in (("K", "G"), ("G", "K")):
        after = play(state, f"b{chosen}").state
        assert side_of(after, other(first)) == (chosen, "")
        assert side_of(after, first) == (rest, "")
        assert (after.mover, after.left, after.actions) == (first, (), 0)


def test_p2_3_a_bowl_is_chosen_once_before_all_else_and_from_what_is_left() -> None:
    state = set_up(3)
    assert refused(state, "found c4") == "P2.3"
    assert refused(state, "bo") == "P2.3"
    after = play(state, "bk").state
    assert refused(after, "bg") == "P2.3"
    assert refused(after, "bk") == "P2.3"


def test_p2_4_chance_is_all_that_decides_the_set_up() -> None:
    asked: list[int] = []

    def below(n: int) -> int:
        asked.append(n)
        return n - 1  # every tile stays where it is

    state = PATTERNS.start({}, "A", below)
    assert asked == [*range(48, 1, -1), *range(6, 1, -1)]
    outside = [one.colour for place, one in enumerate(state.tiles) if place not in CENTRE]
    assert outside == sorted(outside)
    assert [state.tiles[space].colour for space in CENTRE] == [0, 1, 2, 3]
    assert state.left == (4, 5)
    assert set_up(1) == set_up(1) != set_up(2)


def test_p3_one_action_and_the_turn_goes_on() -> None:
    after = play(position(), "found c4").state
    assert (after.mover, after.actions) == ("B", 1)


def test_p3_1_found() -> None:
    after = play(position(c4="p"), "found c4").state
    assert on(after, "c4") == tile("AK1")
    assert side_of(after, "A") == ("P", "K")
    assert side_of(after, "B") == ("G", "")


def test_p3_1_found_takes_the_lowest_marker_and_the_next_river_space() -> None:
    after = play(position("PG", a="KR", c4="AK1", f4="AR2"), "found c7").state
    assert on(after, "c7") == tile("AP3")
    assert side_of(after, "A") == ("Y", "KRP")


def test_p3_1_found_may_take_a_tile_of_the_colour_that_it_founds() -> None:
    after = play(position(c4="k"), "found c4").state
    assert side_of(after, "A") == ("K", "K")
    assert on(after, "c4") == tile("AK1")


def test_p3_1_not_twice_the_same_colour() -> None:
    assert refused(position(a="K", c4="AK1"), "found f4") == "P3.1"


def test_p3_1_not_next_to_the_opponents_tile_of_that_colour() -> None:
    state = position(b="K", c4="BK1")
    for name in ("c3", "c5", "b4", "d4"):
        assert refused(state, f"found {name}") == "P3.4"
    assert {"found b3", "found d5", "found c6"} <= offered(state)


def test_p3_2_swap() -> None:
    state = position(a="K", c4="AK1", c5="p")
    after = play(state, "swap c5").state
    assert on(after, "c5") == tile("AK")
    assert side_of(after, "A") == ("P", "K")


def test_p3_2_swap_wants_a_founded_bowl_colour() -> None:
    assert refused(position(a="R", c4="AR1"), "swap c5") == "P3.2"


def test_p3_2_swap_for_the_own_colour_is_a_flip_and_not_offered() -> None:
    state = position(a="K", c4="AK1", c5="k")
    assert refused(state, "swap c5") == "P3.2"
    assert "flip c5" in offered(state)


def test_p3_2_swap_wants_an_own_group_of_the_bowls_colour_beside_it() -> None:
    state = position(a="KR", c4="AK1", f4="AR2")
    assert refused(state, "swap f5") == "P3.2"
    assert refused(state, "swap d5") == "P3.2"  # diagonal


def test_p3_2_not_next_to_the_opponents_tile_of_that_colour() -> None:
    assert refused(position(a="K", b="K", c4="AK1", c6="BK1"), "swap c5") == "P3.4"


def test_p3_3_flip() -> None:
    state = position("GG", a="K", c4="AK1", c5="k")
    after = play(state, "flip c5").state
    assert on(after, "c5") == tile("AK")
    assert side_of(after, "A") == ("G", "K")


def test_p3_3_flip_wants_a_founded_colour() -> None:
    assert refused(position(a="K", c4="AK1", c5="p"), "flip c5") == "P3.3"


def test_p3_3_flip_wants_the_own_group_beside_it() -> None:
    state = position(a="KP", c4="AK1", f4="AP2", c6="k", d5="k", f5="k")
    for name in ("c6", "d5", "f5"):  # not adjacent, diagonal, another colour's group
        assert refused(state, f"flip {name}") == "P3.3"


def test_p3_3_not_next_to_the_opponents_tile_of_that_colour() -> None:
    assert refused(position(a="K", b="K", c4="AK1", c5="k", c6="BK1"), "flip c5") == "P3.4"


def test_p3_4_different_colours_touch_and_diagonals_never_matter() -> None:
    state = position(b="GK", c4="BG1", e6="BK2")
    assert {"found c5", "found d5", "found f5", "found f7"} <= offered(state)


def test_p3_4_equal_colours_never_touch_even_where_the_own_group_would_grow() -> None:
    state = position("KK", a="KR", b="K", c3="AK1", c5="BK1", c4="k", d4="k", d3="r")
    assert not {"flip c4", "swap c4", "flip d4"} & offered(state)
    assert "swap d3" in offered(state)


def test_p3_4_face_down_tiles_stay() -> None:
    state = position("PG", a="K", b="Y", c4="AK1", c5="BY1")
    for text in ("found c4", "found c5", "swap c5", "flip c5"):
        assert refused(state, text) == "P3.4"


@pytest.mark.parametrize("seed", range(20))
def test_p3_5_one_connected_group_a_colour_and_no_touching_equals(seed: int) -> None:
    rng = random.Random(seed)
    for shown in positions(PATTERNS, {}, dict.fromkeys(SEATS, random_player(rng)), rng):
        last = shown.state
    for seat in SEATS:
        river = last.sides[PLACE[seat]].river
        assert len(set(river)) == len(river) <= 6
        for number, colour in enumerate(river, 1):
            group = members(last, seat, colour)
            markers = [last.tiles[space].marker for space in group]
            assert sorted(markers)[-2:] in ([number], [0, number])
            assert connected(group)
            others = members(last, other(seat), colour)
            assert not others & {near for space in group for near in NEAR[space]}


def members(state: State, seat: Seat, colour: int) -> set[int]:
    tiles = enumerate(state.tiles)
    return {space for space, one in tiles if one.owner == seat and one.colour == colour}


def connected(group: set[int]) -> bool:
    reached = {min(group)}
    while more := {near for space in reached for near in NEAR[space]} & group - reached:
        reached |= more
    return reached == group


def test_p3_legal_moves_are_what_the_second_statement_allows() -> None:
    """In random play-outs, and every other action of the notation is refused."""
    for seed in range(25):
        rng = random.Random(seed)
        for shown in positions(PATTERNS, {}, dict.fromkeys(SEATS, random_player(rng)), rng):
            state = shown.state
            if state.mover is not None and not state.left:
                assert offered(state) == allowed(state, state.mover)


def test_p3_apply_accepts_what_the_second_statement_allows_and_nothing_else() -> None:
    for seed in range(3):
        rng = random.Random(100 + seed)
        for shown in positions(PATTERNS, {}, dict.fromkeys(SEATS, random_player(rng)), rng):
            state = shown.state
            if state.mover is None or state.left:
                continue
            texts = {f"{word} {name}" for word in ("found", "swap", "flip") for name in SPACES}
            for text in texts - allowed(state, state.mover):
                assert refused(state, text).startswith("P3.")
