"""Protocol 9.5 and 9.6: what may stand beside the log."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mbp.audit import Settled, audit
from mbp.chain import Record, settle, settlement_signed_by, to_text
from mbp.curve import scalar_to_bytes
from mbp.errors import ExtrasError
from mbp.gamefile import dump
from mbp.match import Match, secret_of
from mbp.match.settled import MOST, few, taken_out
from mbp.rules.contract import Seat
from tests.chain.gamefile_examples import DATA
from tests.duel import Duel, file_of, identity_of, resealed

VECTORS: dict[str, Any] = json.loads((DATA / "vectors.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def duel() -> Duel:
    return Duel("protocol 9 beside")


@pytest.fixture(scope="module")
def begun(duel: Duel) -> Match:
    """A match that has just begun; A, who starts, has the pen."""
    return duel.begun()


@pytest.fixture(scope="module")
def over(duel: Duel, begun: Match) -> Match:
    """The match when play has just ended and a cup is closed."""
    match = duel.until(begun, lambda now: now.position.play_over)
    assert match.pen is not None
    return match


@pytest.fixture(scope="module")
def finished(duel: Duel, over: Match) -> Match:
    return duel.finished(over)


# 9.5 disclosed secrets


def disclosure(duel: Duel, match: Match, seat: Seat) -> str:
    return to_text(scalar_to_bytes(secret_of(match.position, seat, duel.identity(seat))))


def test_9_5_disclosed_after_play_is_over_and_never_before(
    duel: Duel, begun: Match, over: Match, finished: Match
) -> None:
    secret = disclosure(duel, begun, "A")
    with pytest.raises(ExtrasError, match="before play is over"):
        begun.with_disclosed("A", secret)
    assert over.with_disclosed("A", secret).disclosed == {"A": secret}
    both = finished.with_disclosed("A", secret).with_disclosed("B", disclosure(duel, begun, "B"))
    _, sight = both.seen(both.disclosed_secrets())
    assert all(None not in cards for cards in sight.values())
    resigned = begun.played("A", "resign", duel.pen("A"))
    assert resigned.with_disclosed("B", disclosure(duel, begun, "B")).disclosed


def test_9_5_a_wrong_secret_is_check_10(duel: Duel, begun: Match, finished: Match) -> None:
    order = 2**252 + 27742317777372353535851937790883648493
    right = secret_of(finished.position, "A", duel.identity("A"))
    wrong = {
        "zero": bytes(32),
        "order": order.to_bytes(32, "little"),
        "above": (right + order).to_bytes(32, "little"),
        "other": (right + 1).to_bytes(32, "little"),
    }
    for data in (
        *wrong.values(),
        scalar_to_bytes(secret_of(finished.position, "B", duel.identity("B"))),
    ):
        with pytest.raises(ExtrasError) as caught:
            finished.with_disclosed("A", to_text(data))
        assert caught.value.check == 10
    record = finished.record
    early = Record(begun.log, {"A": disclosure(duel, begun, "A")}, (), begun.summary)
    late = Record(record.log, {"A": to_text(wrong["other"])}, (), record.summary)
    for bad in (early, late):
        report = audit("x", dump(bad))
        assert [finding.check for finding in report.findings] == [10]
        assert not report.ok


# 9.6 settlements


def test_9_6_the_known_settlement() -> None:
    known = VECTORS["settled"]
    public = bytes.fromhex(VECTORS["identity"]["public"])
    assert settlement_signed_by(known["map"], known["game"], public)
    for name in ("keep", "drop"):
        assert not settlement_signed_by({**known["map"], name: "00" * 32}, known["game"], public)
    assert not settlement_signed_by(known["map"], "00" * 32, public)
    assert not settlement_signed_by({**known["map"], "by": "B"}, known["game"], public)


def test_9_6_a_settlement_holds_by_itself(duel: Duel, begun: Match, finished: Match) -> None:
    drop = resealed(begun.log[2], duel.identity("A"), note="other").id
    keep, game, anna = begun.log[2].id, begun.id, duel.identity("A")
    item = settle("A", keep, drop, game, anna)
    match = begun.with_settled(item).with_settled(item)
    assert match.settled == (item,)
    assert match.log == begun.log
    report = audit("x", file_of(match))
    assert report.ok
    assert report.settled == (Settled("A", keep, drop),)
    wrong = {
        "not in this log": settle("A", drop, keep[::-1], game, anna),
        "entry 0": settle("A", game, drop, game, anna),
        "dropped and kept": settle("A", keep, begun.log[1].id, game, anna),
        "same": settle("A", keep, keep, game, anna),
        "game": settle("A", keep, drop, drop, anna),
        "signer": settle("A", keep, drop, game, duel.identity("B")),
        "stranger": settle("A", keep, drop, game, identity_of("Eve")),
        "seat": {**item, "by": "B"},
    }
    for name, bad in wrong.items():
        with pytest.raises(ExtrasError):
            begun.with_settled(bad)
        record = Record(begun.log, {}, (item, bad), begun.summary)
        assert [f.check for f in audit("x", dump(record)).findings] == [10], name
    joined, dropped = finished.with_extras(Record(begun.log, {}, (wrong["game"], item)))
    assert joined.settled == (item,)
    assert len(dropped) == 1


# which two histories a settlement speaks of


def test_9_6_a_settlement_speaks_of_two_entries_with_one_prev(duel: Duel) -> None:
    start = duel.at_play(duel.begun())
    texts = duel.texts(start)
    kept, dropped = duel.step(duel.play(start, texts[0])), duel.play(start, texts[-1])
    place = len(start.log)
    pairs = [(place, place), (place - 1, place), (place + 1, place)]
    for keep, drop in pairs:
        item = settle("A", kept.log[keep].id, dropped.log[drop].id, start.id, identity_of("Anna"))
        settled = kept.with_settled(item)
        assert settled.settled_over(dropped.log) == ({"A"} if keep == place else set())
        assert settled.settled_over(kept.log) == set()
        assert settled.settled_over(start.log) == set()


def test_9_6_items_beyond_what_a_home_keeps_are_not_missed() -> None:
    items = [{"by": "B", "keep": "k", "drop": str(number)} for number in range(MOST + 5)]
    mine = {"by": "A", "keep": "k", "drop": "7"}
    own = {"by": "A", "keep": "k", "drop": "99"}
    kept = few([*items, mine, own], "A")
    assert list(kept) == [*items[: MOST + 1], mine, own]  # one agrees with an own one
    assert len(few([*items, mine], None)) == MOST + 1
    assert not taken_out([*items, mine, own], kept)
    assert taken_out(kept, [*items[:3], mine, own])
    assert taken_out([mine], items)
