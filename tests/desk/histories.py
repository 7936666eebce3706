"""What a victim has signed, in all histories, and the evidence that it keeps."""

from __future__ import annotations

from mbp.audit import audit
from mbp.chain import Entry
from tests.correspondents import Correspondent
from tests.duel import gives_by


def assert_one_history(victim: Correspondent, log: tuple[Entry, ...]) -> None:
    """The victim has signed the entries of this log and nothing else, and so given no more."""
    seat = "A" if victim.name == "Anna" else "B"
    signed = victim.signed()
    places = [entry.seq for entry in signed]
    assert len(places) == len(set(places))
    assert {entry.id for entry in signed} == {entry.id for entry in log if entry.by == seat}
    assert gives_by("A" if seat == "A" else "B", tuple(signed)) == gives_by(
        "A" if seat == "A" else "B", log
    )


def evidence_of(victim: Correspondent) -> list[str]:
    """The evidence kept, by name; each file of it has to verify by itself."""
    (game_id,) = victim.home.all_remembered()
    paths = victim.home.evidence(game_id)
    for path in paths:
        assert audit(path.name, path.read_bytes()).ok
    return [path.name for path in paths]
