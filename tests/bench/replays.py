"""Loading and verifying whole matches from nothing, and how the cost grows with the entries."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mbp import curve, gamefile
from mbp.chain import Record
from mbp.match import Match, replay
from tests.bench.matches import turns_of
from tests.bench.measure import Figure, line_through, milliseconds

USUAL = 65  # turns


def replay_figures(matches: Sequence[Match], runs: int) -> Iterator[Figure]:
    """Times for the match whose turns are nearest to 65, a new record for each run."""
    match = min(matches, key=lambda match: abs(turns_of(match) - USUAL))
    data = gamefile.dump(match.record)

    def fresh() -> Record:
        return gamefile.load(data)

    def forgotten() -> Record:
        curve.generator.cache_clear()
        curve.card_point.cache_clear()
        return gamefile.load(data)

    name = f"verify {turns_of(match)} turns"
    yield milliseconds(f"{name}, points not at hand", runs, replay, forgotten)
    yield milliseconds(f"{name}, points at hand", runs, replay, fresh, "220 ms")
    yield milliseconds("load its file, nothing verified", runs, gamefile.load, lambda: data)
    yield milliseconds("write its file", runs, gamefile.dump, lambda: match.record)


def replay_cost(match: Match, runs: int) -> str:
    """How the time of a replay depends on the number of entries: a line through several lengths.

    Only lengths behind the two masks and before a reshuffle are compared, so that each has the same
    shuffles to verify.
    """
    data = gamefile.dump(match.record)
    masks = [place for place, entry in enumerate(match.log) if "mask" in entry.cards]
    end = masks[2] if len(masks) > 2 else len(match.log)
    lengths = range(10, end + 1, max(1, (end - 10) // 8))
    least = dict.fromkeys(lengths, float("inf"))
    for _ in range(runs):
        for count in lengths:
            record = gamefile.load(data)
            start = time.process_time()
            replay(replace(record, log=record.log[:count]))
            least[count] = min(least[count], (time.process_time() - start) * 1000)
    start_ms, rise, told = line_through([(float(count), took) for count, took in least.items()])
    measured = ", ".join(f"{count}: {took:.0f}" for count, took in least.items())
    return (
        f"Replay by number of entries, least of {runs} runs in ms:\n{measured}.\n"
        f"A line through them: {start_ms:.0f} ms for the two shuffles and the opening, "
        f"{rise:.2f} ms an entry (R² {told:.3f}).\n"
    )
