"""What the home keeps of a game beside its newest state: other histories, and what follows of them.

Facts say how the owner has decided. Where their file is gone (damaged, and moved away as the hint
says), the histories that are kept still tell what must not be signed (protocol 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence

from mbp.chain import Entry, compare
from mbp.desk.histories import answered_elsewhere
from mbp.desk.shelf import load_game, read_bytes
from mbp.home import Facts, Home


def kept_logs(home: Home, game_id: str) -> list[tuple[Entry, ...]]:
    """The logs that lie in the home as evidence."""
    return [load_game(read_bytes(path)).log for path in home.evidence(game_id)]


def facts_of(home: Home, game_id: str) -> Facts:
    """The facts about a game; without their file, no decision counts as made. Raises MbpError."""
    memory = home.remembered(game_id)
    if memory is None or home.facts_path(game_id).exists():
        return home.facts(game_id)
    logs, known = kept_logs(home, game_id), load_game(memory).log
    seat = _seat_in(known, home)
    forks = [relation for log in logs if (relation := compare(known, log)).kind == "fork"]
    return Facts(
        forked=any(relation.by != seat for relation in forks),
        barred=answered_elsewhere(logs, known, seat),
    )


def _seat_in(log: Sequence[Entry], home: Home) -> str | None:
    """The own seat in a log."""
    if not home.has_identity:
        return None
    key = home.profile().key
    openings = (entry for entry in log[:2] if "player" in entry.tree)
    return next((entry.by for entry in openings if entry.tree["player"]["key"] == key), None)
