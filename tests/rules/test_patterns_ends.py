"""How Patterns ends, and its score (P4, P5)."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from mbp.rules.contract import SEATS, Happened, Seat
from mbp.rules.patterns import PATTERNS
from mbp.rules.patterns.rules import extra_flips
from mbp.rules.patterns.state import NUMBER, SPACES, State, Tile
from tests.playout import playout, positions, random_player
from tests.rules.patterns_positions import allowed, offered, on, play, position, refused, tile

SUDDEN = position("KG", e8="g", c1="g")


def sudden(**spaces: str) -> State:
    """The position before the third action of the sudden end, with more open tiles."""
    return play(position("KG", e8="g", c1="g", **spaces), "found e8", "found c1").state


def test_p4_1_sudden_end_after_three_actions() -> None:
    before = play(SUDDEN, "found e8", "found c1").state
    assert on(before, "c1") == tile("BG1")
    step = play(before, "found d2")
    assert (step.state.mover, step.state.termination) == (None, "blocked")
    assert step.state.actions == 3
    assert allowed(step.state, "B") == set()
    assert Happened("has no action: play is over", "B") in step.events
    assert PATTERNS.scores(step.state) == (0, 0)
    assert PATTERNS.winner(step.state) is None


def test_p4_1_a_player_with_an_action_plays_on() -> None:
    # With a red tile in the bowl B could found, so nothing ends.
    state = play(position("KG", e8="g", c1="r"), "found e8", "found c1", "found d2").state
    assert (state.mover, state.termination) == ("B", None)


def test_p4_1_nothing_is_played_after_the_end() -> None:
    over = play(sudden(), "found d2").state
    assert PATTERNS.legal_moves(over, ()) == ()
    for text in ("found f4", "swap f8", "flip f8", "bk"):
        assert refused(over, text) == "P4.1"


def test_p4_2_the_rules_make_the_extra_flips_chains_included() -> None:
    # Next to A's d2, and on from there; d8 next to e8; c3 touches d3 only, h5 nothing.
    step = play(sudden(d3="g", d4="g", c4="g", d8="k", h5="g"), "found d2")
    flipped = {name for name in SPACES if on(step.state, name).owner == "A"} - {"e8", "d2"}
    assert flipped == {"d3", "d4", "c4", "d8"}
    assert step.events[-1] == Happened("extra flips d3, d8, d4, c4")
    assert on(step.state, "d4") == tile("AG")
    assert PATTERNS.scores(step.state) == (1 * 1 + 3 * 2, 0)


def test_p4_2_no_extra_flip_beside_the_opponents_colour() -> None:
    after = play(sudden(c2="g", d1="g"), "found d2").state
    assert on(after, "c2") == tile("g")
    assert on(after, "d1") == tile("g")


def test_p4_2_no_extra_found_or_swap() -> None:
    after = play(sudden(), "found d2").state
    assert "found g5" in allowed(after, "A")  # which A may not do any more
    assert sum(one.owner is not None for one in after.tiles) == 3


def flipped_in_random_order(state: State, seat: Seat, rng: random.Random) -> State:
    """Flips one tile after the other, any that the second statement of P3 allows."""
    while flips := sorted(text for text in allowed(state, seat) if text.startswith("flip")):
        space = NUMBER[rng.choice(flips).split()[1]]
        turned = Tile(state.tiles[space].colour, seat)
        tiles = (*state.tiles[:space], turned, *state.tiles[space + 1 :])
        state = replace(state, tiles=tiles)
    return state


@pytest.mark.parametrize("seed", range(20))
def test_p4_2_the_order_of_extra_flips_is_nothing(seed: int) -> None:
    rng = random.Random(seed)
    match = positions(PATTERNS, {}, dict.fromkeys(SEATS, random_player(rng)), rng)
    state = list(islice(match, 14 + seed))[-1].state
    for seat in SEATS:
        expected, spaces = extra_flips(state, seat)
        assert len(set(spaces)) == len(spaces)
        for _ in range(3):
            assert flipped_in_random_order(state, seat, rng) == expected


@pytest.mark.parametrize("seed", range(20))
def test_p4_2_nothing_is_left_to_flip_after_the_end(seed: int) -> None:
    rng = random.Random(seed)
    result = playout(PATTERNS, {}, dict.fromkeys(SEATS, random_player(rng)), rng)
    last = result.moves[-1][0]
    assert not any(text.startswith("flip") for text in allowed(result.state, last))


def test_p4_3_every_action_covers_an_open_tile_so_52_are_the_most() -> None:
    rng = random.Random(5)
    for shown in positions(PATTERNS, {}, dict.fromkeys(SEATS, random_player(rng)), rng):
        down = sum(one.owner is not None for one in shown.state.tiles)
        if shown.state.mover is not None:
            assert shown.state.actions == down < 52


def test_p5_1_a_group_of_five_founded_third_scores_twelve() -> None:
    down = dict.fromkeys(("d3", "e3", "e4", "e5"), "AP")
    state = position(a="KRP", b="G", c4="AK1", a4="AR2", d4="AP3", g2="BG1", **down)
    assert PATTERNS.scores(state) == (12, 0)


def test_p5_1_bowl_and_markers_score_nothing() -> None:
    state = position("KG", a="KR", b="G", c4="AK1", a4="AR2", d8="BG1", e8="BG")
    assert PATTERNS.scores(state) == (0, 1)


def test_p5_2_more_points_win_and_equal_points_are_a_draw() -> None:
    even = position("KG", a="K", b="G", c4="AK1", c5="AK", f4="BG1", f5="BG")
    assert PATTERNS.winner(even) is None
    ahead = replace(even, tiles=position(c4="AK1", c5="AK", c6="AK", f4="BG1", f5="BG").tiles)
    assert PATTERNS.winner(ahead) == "A"
    behind = replace(even, tiles=position(c4="AK1", f4="BG1", f5="BG").tiles)
    assert PATTERNS.winner(behind) == "B"


def test_the_first_found_is_free_everywhere() -> None:
    assert offered(position()) == {f"found {name}" for name in SPACES}
