"""Two matches of another program, replayed by their acts and opened cards alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from mbp.rules.contract import LETTERS, Event, Seat, follow, other
from mbp.rules.mandala import MANDALA
from mbp.rules.mandala.state import ZONES, State

MATCHES = Path(__file__).parents[1] / "data" / "matches"


class Reader:
    """Follows a match from its log: which slot lies where, and which colours are open."""

    def __init__(self, log: list[dict[str, Any]]) -> None:
        options = log[0]["options"]
        first: Seat = log[3]["by"] if log[3]["act"] != "deal" else other(log[3]["by"])
        self.state: State = MANDALA.start(options, first, lambda n: 0)
        self.colours: dict[str, int] = {}
        self.pile = 0
        self.zones: dict[str, tuple[str, ...]] = {}
        self.deck = tuple(f"0:{slot}" for slot in range(108))
        self.shuffles = 0
        self.follow(MANDALA.deal)

    def follow(self, events: tuple[Event, ...]) -> None:
        self.zones, self.deck = follow(
            self.zones, self.deck, events, self.colours.get, self.new_pile
        )

    def new_pile(self, slots: tuple[str, ...]) -> tuple[str, ...]:
        self.pile += 1
        return tuple(f"{self.pile}:{slot}" for slot in range(len(slots)))

    def read(self, entry: dict[str, Any]) -> None:
        for slot, card in entry.get("cards", {}).get("open", {}).items():
            self.colours[slot] = LETTERS.index(card[0])
            (zone,) = [name for name, slots in self.zones.items() if slot in slots]
            if not zone.startswith("hand"):  # a hand card is opened because it is played
                self.state = MANDALA.reveal(self.state, zone, self.colours[slot])
        if entry["act"].split()[0] in MANDALA.acts:
            assert entry["by"] == self.state.mover
            move = MANDALA.parse_long(self.state, entry["act"])
            assert MANDALA.format(self.state, move) == entry["act"]
            assert MANDALA.parse(self.state, MANDALA.short(self.state, move)) == move
            step = MANDALA.apply(self.state, move)
            self.state = step.state
            self.follow(step.events)
        assert self.state.total() == 108
        sizes = {name: len(self.zones.get(name, ())) for name in ZONES}
        assert sizes["discards"] == sum(self.state.discards)
        assert len(self.deck) == self.state.deck


@pytest.mark.parametrize(
    ("name", "entries", "scores", "termination", "last_stage", "piles"),
    [
        ("mandala-random", 62, (32, 18), "river", False, 0),
        ("mandala-reshuffle", 90, (27, 25), "river", True, 1),
    ],
)
def test_recorded_match(
    name: str,
    entries: int,
    scores: tuple[int, int],
    termination: str,
    last_stage: bool,
    piles: int,
) -> None:
    log = yaml.safe_load((MATCHES / f"{name}.mbp.yaml").read_text(encoding="utf-8"))["log"]
    assert len(log) == entries
    reader = Reader(log)
    for entry in log:
        reader.read(entry)
    state = reader.state
    assert MANDALA.scores(state) == scores
    assert MANDALA.winner(state) == "A"
    assert state.termination == termination
    assert state.last_stage == last_stage
    assert reader.pile == piles
    assert [side.closed for side in state.sides] == [0, 0]
