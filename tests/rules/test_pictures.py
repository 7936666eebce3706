"""The picture of every game: inside its plane, true to the state, and silent about hidden cards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mbp.rules import GAMES
from mbp.rules.contract import COLOURS, SEATS, AnyGame, Colour, Seat
from mbp.rules.picture import Card, Frame, Label, Picture
from tests.playout import positions, random_player

NAMES: dict[Seat, str] = {"A": "Anna", "B": "B" * 60}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def pictures(game: AnyGame, *, open_handed: bool) -> list[tuple[Any, Picture]]:
    """A match between random players, as a stranger or with every card open."""
    rng = random.Random(5)
    players = dict.fromkeys(SEATS, random_player(rng))
    options = {option.name: option.default for option in game.options}
    found = []
    for position in positions(game, options, players, rng):
        sight: dict[str, tuple[Colour | None, ...]] = {}
        for name, zone in game.zones.items():
            cards = position.zones.get(name, ())
            hidden = zone.owner is not None and not open_handed
            sight[name] = tuple(None if hidden else card.colour for card in cards)
        found.append((position.state, game.picture(position.state, sight, NAMES)))
    return found


@every_game
@pytest.mark.parametrize("open_handed", [False, True])
def test_all_shapes_lie_inside(game: AnyGame, open_handed: bool) -> None:
    for _, picture in pictures(game, open_handed=open_handed):
        for shape in picture.shapes:
            assert 0 <= shape.x <= picture.width
            assert 0 <= shape.y <= picture.height
            if isinstance(shape, Card | Frame):
                assert shape.x + shape.width <= picture.width
                assert shape.y + shape.height <= picture.height


@every_game
def test_no_two_cards_lie_on_each_other(game: AnyGame) -> None:
    for _, picture in pictures(game, open_handed=True):
        cards = [shape for shape in picture.shapes if isinstance(shape, Card)]
        for number, one in enumerate(cards):
            for two in cards[number + 1 :]:
                apart = one.x + one.width <= two.x or two.x + two.width <= one.x
                assert apart or one.y + one.height <= two.y or two.y + two.height <= one.y


@every_game
def test_a_face_that_is_up_has_a_colour_and_no_other_has_one(game: AnyGame) -> None:
    for _, picture in pictures(game, open_handed=False):
        cards = [shape for shape in picture.shapes if isinstance(shape, Card)]
        assert all((card.colour is not None) == (card.face == "up") for card in cards)


@every_game
def test_the_mover_is_marked_and_a_long_name_is_cut(game: AnyGame) -> None:
    for state, picture in pictures(game, open_handed=False):
        texts = [shape.text for shape in picture.shapes if isinstance(shape, Label)]
        marked = [text for text in texts if text.startswith("▸")]
        assert [text[2] for text in marked] == ([state.mover] if state.mover else [])
        assert any(text.endswith("…") for text in texts)


@every_game
def test_the_final_scores_stand_in_the_picture_and_in_words(game: AnyGame) -> None:
    state, picture = pictures(game, open_handed=True)[-1]
    texts = [shape.text for shape in picture.shapes if isinstance(shape, Label)]
    for seat, score in zip(SEATS, game.scores(state), strict=True):
        assert f"{score} points" in texts
        assert any(f"{NAMES[seat]}: {score} points" in line for line in picture.words)


def test_a_stranger_sees_no_hidden_card_of_mandala() -> None:
    for (_, closed), (_, opened) in zip(
        pictures(GAMES["mandala"], open_handed=False),
        pictures(GAMES["mandala"], open_handed=True),
        strict=True,
    ):
        hands = [line for line in closed.words if "hand" in line]
        assert not any(colour in line for line in hands for colour in COLOURS)
        assert not any("face down" in line for line in opened.words)


def test_patterns_shows_every_space_once() -> None:
    for state, picture in pictures(GAMES["patterns"], open_handed=True):
        tiles = [one for one in picture.shapes if isinstance(one, Card) and one.width != 26]
        assert [tile.colour for tile in tiles] == [tile.colour for tile in state.tiles]
        owners = [tile.note[:1] for tile in tiles]
        assert owners == [tile.owner or "" for tile in state.tiles]
