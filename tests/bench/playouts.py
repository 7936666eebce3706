"""The rules alone: whole matches with known cards, and where their time goes."""

from __future__ import annotations

import cProfile
import pstats
import random
import time
from collections.abc import Iterator
from pathlib import Path

from mbp.rules.contract import SEATS, Seat
from mbp.rules.mandala import MANDALA
from tests.bench.measure import Figure, figure
from tests.playout import Player, greedy_player, playout, random_player

OPTIONS = {option.name: option.default for option in MANDALA.options}
PER_RUN = 20


def playout_figures(runs: int) -> Iterator[Figure]:
    """Play-outs a second on one core, over runs of 20."""
    for name, aim in (("random", "1,000 /s"), ("greedy", "")):
        rates = []
        for run in range(runs):
            start = time.process_time()
            for number in range(PER_RUN):
                _play(name, run * PER_RUN + number)
            rates.append(PER_RUN / (time.process_time() - start))
        yield figure(f"play-outs, {name} players", "/s", rates, aim)


def limits(count: int = 60) -> str:
    """What takes the time of a random play-out: its dearest functions and their number of calls."""
    profile = cProfile.Profile()
    profile.enable()
    turns = sum(_play("random", number) for number in range(count))
    profile.disable()
    found = pstats.Stats(profile)
    entries = found.stats.items()  # type: ignore[attr-defined]
    whole = sum(own for _, (_, _, own, _, _) in entries)
    calls = sum(number for _, (_, number, _, _, _) in entries)
    dearest = sorted(entries, key=lambda item: -item[1][2])[:5]
    listed = ", ".join(f"{_named(key)} {100 * row[2] / whole:.0f} %" for key, row in dearest)
    return (
        f"What limits random play-outs: {calls / count:,.0f} function calls in the "
        f"{turns / count:.0f} moves of one.\n"
        f"Dearest, by own time under the profiler:\n{listed}."
    )


def _play(name: str, seed: int) -> int:
    """Plays one match and returns its number of moves."""
    rng = random.Random(seed)
    player: Player = random_player(rng) if name == "random" else greedy_player(MANDALA, rng)
    players: dict[Seat, Player] = dict.fromkeys(SEATS, player)
    return len(playout(MANDALA, OPTIONS, players, rng).moves)


def _named(key: tuple[str, int, str]) -> str:
    file, _, function = key
    return f"{Path(file).stem}.{function}" if file.endswith(".py") else function.strip("<>")
