"""The laws of mbp/rules/README.md, which every game in GAMES keeps."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mbp.rules
from mbp.rules import GAMES, find_game
from mbp.rules.contract import (
    LETTERS,
    SEATS,
    AnyGame,
    Colour,
    Drawn,
    IllegalMoveError,
    NotationError,
    Seat,
    Zone,
)
from mbp.rules.layout import width_of
from tests.playout import Position, greedy_player, positions, random_player

Shown: TypeAlias = Position[Any, Any]

FOLDER = Path(mbp.rules.__file__).parent
NAMES: dict[Seat, str] = {"A": "Alice", "B": "B" * 60}
PROTOCOL_ACTS = {
    "invite", "accept", "begin", "deal", "resign", "agree", "claim", "vacation",
}  # fmt: skip
PROTOCOL_ENDS = {"resign", "abort", "claim"}

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def match_of(game: AnyGame, seed: int) -> tuple[Shown, ...]:
    """All positions of a match between a random and a greedy player, the start by lot."""
    return _played(game.name, seed)


@cache
def _played(name: str, seed: int) -> tuple[Shown, ...]:
    game, rng = GAMES[name], random.Random(seed)
    players = dict(zip(SEATS, (random_player(rng), greedy_player(game, rng)), strict=True))
    return tuple(positions(game, options_of(game, seed), players, rng))


def options_of(game: AnyGame, seed: int) -> dict[str, str]:
    """The defaults for the first match, any values for the others."""
    rng = random.Random(seed)
    return {
        option.name: rng.choice(option.values) if seed else option.default
        for option in game.options
    }


def some(game: AnyGame, matches: int = 4) -> list[Shown]:
    return [shown for seed in range(matches) for shown in match_of(game, seed)]


def choices(game: AnyGame) -> list[tuple[Shown, tuple[Any, ...]]]:
    """Positions in which somebody moves, with the legal moves."""
    return [
        (shown, game.legal_moves(shown.state, shown.hand(game, shown.state.mover)))
        for shown in some(game)
        if shown.state.mover is not None
    ]


def sight_of(
    game: AnyGame, shown: Shown, seat: Seat | None
) -> dict[str, tuple[Colour | None, ...]]:
    """What a seat sees in a simulation: its own zones and those without an owner."""
    return {
        name: tuple(
            card.colour if game.zones[name].owner in (seat, None) else None for card in cards
        )
        for name, cards in shown.zones.items()
    }


def refusal(game: AnyGame, state: Any, move: Any) -> str:
    """The rule by which a move is refused, empty if it is not."""
    try:
        game.apply(state, move)
    except IllegalMoveError as error:
        return error.rule
    return ""


@every_game
def test_a_game_is_found_by_its_name_and_has_a_folder(game: AnyGame) -> None:
    assert find_game(game.name) is game
    assert find_game("chess") is None
    assert re.fullmatch(rf"{game.name}/[1-9][0-9]*", game.version)
    assert (FOLDER / game.name / "README.md").is_file()


@every_game
def test_options_have_a_default_and_say_why(game: AnyGame) -> None:
    names = [option.name for option in game.options]
    assert len(set(names)) == len(names)
    assert not {"pace", "vacation"} & set(names)  # those of the protocol
    start = game.options[names.index("start")]
    assert set(start.values) == {"coin", "inviter", "guest"}  # protocol 3.2
    for option in game.options:
        assert option.default == option.values[0]
        assert len(set(option.values)) == len(option.values)
        assert option.why


@every_game
def test_acts_and_terminations_are_not_those_of_the_protocol(game: AnyGame) -> None:
    assert len(set(game.acts)) == len(game.acts) > 0
    assert not set(game.acts) & PROTOCOL_ACTS
    assert not set(game.terminations) & PROTOCOL_ENDS


@every_game
def test_zones_hands_and_deal_belong_together(game: AnyGame) -> None:
    assert bool(game.copies) == bool(game.zones) == bool(game.deal)
    assert set(game.hands) == (set(SEATS) if game.copies else set())
    assert all(
        zone == Zone(name, zone.owner, zone.opened_at_end) for name, zone in game.zones.items()
    )
    assert all(game.zones[name].owner == seat for seat, name in game.hands.items())
    assert all(drawn.zone in game.zones for drawn in game.deal)
    assert sum(drawn.count for drawn in game.deal) <= 6 * game.copies


@every_game
def test_play_outs_end(game: AnyGame) -> None:
    for seed in range(12):
        last = match_of(game, seed)[-1].state
        assert last.mover is None
        assert last.termination in game.terminations
        assert game.winner(last) in (*SEATS, None)
        assert all(isinstance(score, int) for score in game.scores(last))
        assert game.legal_moves(last, ()) == ()


@every_game
def test_somebody_moves_until_the_termination_and_has_a_choice(game: AnyGame) -> None:
    for shown in some(game):
        assert (shown.state.mover is None) == (shown.state.termination is not None)
    assert all(moves for _, moves in choices(game))


@every_game
def test_no_card_is_lost_or_made(game: AnyGame) -> None:
    for shown in some(game):
        cards = [*shown.deck, *(card for zone in shown.zones.values() for card in zone)]
        assert len(cards) == len({card.number for card in cards}) == 6 * game.copies


@every_game
def test_events_move_cards_between_known_zones(game: AnyGame) -> None:
    for shown in some(game):
        assert set(shown.zones) == set(game.zones)
        for event in shown.events:
            assert not isinstance(event, Drawn) or event.zone in game.zones


@every_game
def test_states_and_moves_are_frozen_values(game: AnyGame) -> None:
    for shown, moves in choices(game)[::5]:
        for value in (shown.state, *moves):
            hash(value)
            name = fields(value)[0].name
            with pytest.raises(FrozenInstanceError):
                setattr(value, name, getattr(value, name))


@every_game
def test_legal_moves_apply_and_leave_the_state_alone(game: AnyGame) -> None:
    for shown, moves in choices(game):
        state, before = shown.state, hash(shown.state)
        assert len(set(moves)) == len(moves)
        assert moves == game.legal_moves(state, shown.hand(game, state.mover))
        for move in moves:
            assert game.apply(state, move) == game.apply(state, move)
        assert hash(state) == before


@every_game
def test_apply_refuses_what_is_not_legal(game: AnyGame) -> None:
    """Moves of other positions: without hands what is not listed is refused; listed ones never."""
    found = choices(game)
    pool = {move for _, moves in found[::4] for move in moves}
    rules: set[str] = set()
    for shown, moves in found[::4]:
        refused = {move: rule for move in pool if (rule := refusal(game, shown.state, move))}
        assert not refused.keys() & set(moves)
        assert game.copies or refused.keys() | set(moves) >= pool
        rules |= set(refused.values())
    over = match_of(game, 0)[-1].state
    assert all(refusal(game, over, move) for move in pool)
    page = (FOLDER / game.name / "README.md").read_text("utf-8")
    assert rules
    assert all(f"## {rule.partition('.')[0]} " in page for rule in rules)


@every_game
def test_format_and_parse_are_pairs(game: AnyGame) -> None:
    for shown, moves in choices(game):
        state = shown.state
        longs = [game.format(state, move) for move in moves]
        assert len(set(longs)) == len(longs)
        assert {text.split()[0] for text in longs} <= set(game.acts)
        for move, text in zip(moves, longs, strict=True):
            assert re.fullmatch("[a-z0-9]+(?: [a-z0-9]+)*", text)
            assert game.parse_long(state, text) == move == game.parse(state, text)
            short = game.short(state, move)
            assert len(short) < len(text)
            assert game.parse(state, short) == move


@given(st.text(max_size=20), st.sampled_from(sorted(GAMES)))
def test_only_notation_errors_leave_the_parsers(text: str, name: str) -> None:
    game = GAMES[name]
    state = match_of(game, 0)[3].state
    for parse in (game.parse, game.parse_long):
        try:
            move = parse(state, text)
        except NotationError:
            continue
        assert game.format(state, move).split()[0] in game.acts


@every_game
@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_board_fits_and_tells_nothing_by_colour_alone(game: AnyGame, width: int) -> None:
    for shown in some(game)[::3]:
        for seat in (*SEATS, None):
            lines = game.board(shown.state, sight_of(game, shown, seat), seat, NAMES, width)
            assert max(map(width_of, lines)) <= width
            spans = [span for line in lines for span in line]
            assert all("\n" not in span.text for span in spans)
            for span in spans:
                if span.colour is not None:
                    assert span.text[0].upper() == LETTERS[span.colour]


@every_game
def test_the_tree_is_json(game: AnyGame) -> None:
    for shown in some(game)[::3]:
        for seat in (*SEATS, None):
            tree = game.json(shown.state, sight_of(game, shown, seat))
            assert json.loads(json.dumps(tree)) == tree


@every_game
def test_rank_is_a_number_for_every_legal_move(game: AnyGame) -> None:
    for shown, moves in choices(game)[::3]:
        hand = shown.hand(game, shown.state.mover)
        assert all(isinstance(game.rank(shown.state, hand, move), float) for move in moves)


@every_game
def test_events_are_told_in_one_line_or_not_at_all(game: AnyGame) -> None:
    for shown in some(game):
        for event in shown.events:
            words = game.tell(event, shown.seat or "A", {})
            assert words is None or words.isprintable()


@every_game
def test_reveal_knows_its_zones(game: AnyGame) -> None:
    with pytest.raises(LookupError):
        game.reveal(match_of(game, 0)[0].state, "nowhere", 0)


@every_game
def test_public_chance_alone_makes_the_start(game: AnyGame) -> None:
    def start(numbers: Sequence[int], first: Seat) -> Any:
        return game.start(options_of(game, 0), first, lambda n: numbers[n % len(numbers)] % n)

    for first in SEATS:
        assert start((3, 1, 4, 1, 5), first) == start((3, 1, 4, 1, 5), first)
    assert start((3, 1, 4), "A") != start((3, 1, 4), "B")
