"""Who moved first, in the statistics of both games."""

from __future__ import annotations

from pathlib import Path

from mbp.audit import examine
from mbp.report.facts import facts_of

MATCHES = Path(__file__).parents[1] / "data" / "matches"


def test_p2_3_the_start_player_counts_as_first_not_who_chooses_the_bowl() -> None:
    data = (MATCHES / "patterns-random.mbp.yaml").read_bytes()
    examined = examine("patterns", data)
    assert examined.match is not None
    chooser = next(entry.by for entry in examined.match.log if entry.verb == "bowl")
    assert facts_of(examined).first not in (None, chooser)


def test_m2_3_the_start_player_of_mandala_makes_the_first_move() -> None:
    examined = examine("mandala", (MATCHES / "mandala-random.mbp.yaml").read_bytes())
    assert examined.match is not None
    acts = examined.match.game.acts
    assert facts_of(examined).first == next(
        entry.by for entry in examined.match.log if entry.verb in acts
    )
