"""Check 1 of protocol 11, third part: which fields a game file has, by game and act."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from mbp.errors import FormatError, UnsupportedVersionError
from mbp.gamefile import load
from mbp.rules import GAMES
from mbp.rules.contract import AnyGame
from mbp.rules.mandala import MandalaGame
from tests.chain.gamefile_examples import (
    ID,
    POINT,
    REMOVED,
    SIGNATURE,
    Step,
    accepts,
    changed,
    check_refused,
    encoded,
    example,
    pruned,
    refusal,
    written,
)


def test_the_example_is_read_field_by_field() -> None:
    tree = example()
    record = load(encoded(tree))
    assert [dict(entry.tree) for entry in record.log] == tree["log"]
    assert record.disclosed == tree["disclosed"]
    assert list(record.settled) == tree["settled"]
    assert record.summary == tree["summary"]


def every_place(node: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Any]]:
    if path:
        yield path, node
    if isinstance(node, dict):
        for key, child in node.items():
            yield from every_place(child, (*path, key))
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from every_place(child, (*path, index))


# What a file may do without, beside slots and list items.
FREE = {
    "disclosed", "settled", "guest", "mail", "vacation", "note", "offer", "mask", "give", "open",
    "proof", "A", "B",
}  # fmt: skip


def is_free(path: tuple[Step, ...]) -> bool:
    """Whether a file may leave out what stands at this place of the example."""
    name = path[-1]
    if isinstance(name, int):
        return path != ("log", 0)
    cards = name == "cards" and path[1] not in (0, 1)
    return cards or name in FREE or ":" in name or path[0] == "summary" != name


def test_1_5_every_field_but_the_free_ones_is_missed() -> None:
    missed = 0
    for path, _ in every_place(example()):
        tree = changed(*path, to=REMOVED)
        if is_free(path):
            load(encoded(pruned(tree)))
        else:
            assert refusal(encoded(tree)).path == ("log[0].act" if path[-1] == 0 else written(path))
            missed += 1
    assert missed > 50


def test_1_5_an_unknown_key_is_refused_in_every_map() -> None:
    maps = [path for path, node in every_place(example()) if isinstance(node, dict)]
    for path in [(), *maps]:
        if path[:1] == ("summary",):
            assert accepts(*path, "foo", to="1")
        else:
            check_refused((*path, "foo"), "1")


def test_1_5_a_value_of_another_kind_is_refused_everywhere() -> None:
    for path, node in every_place(example()):
        if path[0] == "summary" and len(path) > 1:
            continue
        for other in ("x y", ["x"], {"x": "y"}):
            if type(other) is type(node) and not isinstance(node, str):
                continue
            if path[-1] in ("note", "name", "mail") and other == "x y":
                continue
            error = refusal(encoded(changed(*path, to=other)))
            assert error.path.startswith(written(path[:1]))
            assert not isinstance(error, UnsupportedVersionError) or path[-1] in (
                "mbp",
                "game",
                "rules",
            )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("mbp",), "2"),
        (("mbp",), "1.0"),
        (("log", 0, "game"), "chess"),
        (("log", 0, "game"), ""),
        (("log", 0, "rules"), "mandala/2"),
        (("log", 0, "rules"), "mandala"),
    ],
)
def test_1_5_another_version_is_told_apart(path: tuple[Step, ...], value: str) -> None:
    error = refusal(encoded(changed(*path, to=value)))
    assert type(error) is UnsupportedVersionError
    assert error.path == written(path)


def test_1_5_another_version_may_have_other_keys() -> None:
    assert isinstance(refusal(b"{mbp: 2, moves: [e4]}"), UnsupportedVersionError)
    assert type(refusal(b"{mbp: 1, moves: [e4]}")) is FormatError
    assert refusal(b"{log: [x], summary: {x: y}}").path == "mbp"


def test_2_1_by_is_a_seat() -> None:
    for value in ("", "a", "C", "AB", "none"):
        check_refused(("log", 3, "by"), value)
        check_refused(("settled", 0, "by"), value)


def test_2_1_only_entry_0_has_no_prev() -> None:
    check_refused(("log", 0, "prev"), ID)
    check_refused(("log", 1, "prev"), REMOVED)
    # Which entry it is, its place tells, not what it says of itself.
    tree = changed("log", 1, "seq", to="0")
    del tree["log"][1]["prev"]
    assert refusal(encoded(tree)).path == "log[1].prev"


def test_6_1_a_pile_of_one_card_has_no_shuffle_proof() -> None:
    assert accepts("log", 3, "cards", to={"mask": {"pile": "1", "points": POINT}})


def test_6_cards_key_belongs_to_the_first_entry_of_each() -> None:
    check_refused(("log", 0, "cards"), REMOVED)
    check_refused(("log", 1, "cards", "key"), REMOVED)
    check_refused(("log", 2, "cards", "key"), POINT)
    check_refused(("log", 3, "cards"), {"key": POINT}, "log[3].cards.key")


def test_3_4_pace_and_vacation() -> None:
    for value in ("0", "7", "99999"):
        assert accepts("log", 0, "options", "pace", to=value)
    for value in ("1", "9", "10", "99", "100", "199", "299", "300", "359", "360", "365"):
        assert accepts("log", 0, "options", "vacation", to=value)
    check_refused(("log", 0, "options", "pace"), "100000")
    for value in ("0", "366", "370", "400", "1000"):
        check_refused(("log", 0, "options", "vacation"), value)


def test_3_every_option_of_the_rules_is_named() -> None:
    for name, other in (("start", "guest"), ("draw", "up_to"), ("deck_end", "immediate")):
        assert accepts("log", 0, "options", name, to=other)
        check_refused(("log", 0, "options", name), REMOVED)
        check_refused(("log", 0, "options", name), "")
        check_refused(("log", 0, "options", name), "maybe")


def test_3_the_first_entry_is_an_invitation() -> None:
    for act in ("accept", "begin", "mountain 1 red", "claim", "", "Invite"):
        check_refused(("log", 0, "act"), act)
    assert refusal(encoded(changed("log", to=example()["log"][1:]))).path == "log[0].act"


def test_3_an_opening_entry_out_of_place_keeps_its_shape() -> None:
    # That it stands there is not check 1's business; what it lacks is.
    tree = example()
    again = {**tree["log"][0], "prev": ID, "seq": "5"}
    tree["log"].append(again)
    assert load(encoded(tree)).log[5].act == "invite"
    del again["nonce"]
    assert refusal(encoded(tree)).path == "log[5].nonce"
    again["game"] = "chess"
    error = refusal(encoded(tree))
    assert (error.path, error.seq) == ("log[5].game", 5)


@pytest.mark.parametrize(
    "act",
    [
        "deal", "resign", "agree", "claim", "vacation 5", "vacation 0", "vacation 100000",
        "mountain 1 red", "mountain 9", "take", "discard purple 2", "mountain " + "9" * 10_000,
    ],
)  # fmt: skip
def test_8_acts(act: str) -> None:
    assert accepts("log", 3, "act", to=act)


@pytest.mark.parametrize(
    "act",
    [
        "", " ", "pass", "Mountain 1 red", "mountain  1", " mountain 1", "mountain 1 ",
        "mountain\t1", "mountain\n1", "mountain 1\n", "deal 1", "resign now", "claim 1",
        "agree yes", "vacation", "vacation x", "vacation 05", "vacation 5 days", "mountains",
        "invite Bob", "bowl green",
    ],
)  # fmt: skip
def test_8_no_acts(act: str) -> None:
    check_refused(("log", 3, "act"), act)


def test_8_fields_that_an_act_does_not_have() -> None:
    tree = example()
    for name in ("game", "rules", "options", "player", "guest", "nonce", "coin"):
        check_refused(("log", 3, name), tree["log"][0][name])
    for name in ("game", "rules", "options", "guest", "nonce"):
        check_refused(("log", 1, name), tree["log"][0][name])
    check_refused(("log", 2, "player"), tree["log"][0]["player"])
    check_refused(("log", 3, "disclosed"), {"A": POINT})


def test_9_2_an_offer_is_abort_and_may_stand_anywhere_as_far_as_shapes_go() -> None:
    for index in range(5):
        assert accepts("log", index, "offer", to="abort")
        check_refused(("log", index, "offer"), "draw")


def test_9_5_disclosed() -> None:
    assert accepts("disclosed", to={"B": POINT})
    check_refused(("disclosed", "C"), POINT)


def test_9_6_settled() -> None:
    one = example()["settled"][0]
    assert accepts("settled", to=[one, one])
    check_refused(("settled",), one)


def test_10_a_summary_holds_any_tree() -> None:
    assert accepts("summary", to={"board": ["x", {"y": ["", "\n"]}], "sig": "x"})


def test_10_5000_entries() -> None:
    tree = example()
    entry = {"seq": "5", "by": "A", "time": "2026-11-30T12:00:00Z", "prev": ID, "act": "deal"}
    entry["sig"] = SIGNATURE
    tree["log"] += [entry] * 4995
    assert len(load(encoded(tree)).log) == 5000
    tree["log"].append(entry)
    error = refusal(encoded(tree))
    assert (error.path, error.seq) == ("log", None)


class BareGame(MandalaGame):
    """A game like Mandala, without hidden cards."""

    name = "bare"
    version = "bare/1"
    copies = 0


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A tree of a game without hidden cards, which is a game of the house for the test."""
    monkeypatch.setitem(cast(dict[str, AnyGame], GAMES), "bare", BareGame())
    tree = example()
    del tree["disclosed"]
    for entry in tree["log"]:
        entry.pop("cards", None)
    tree["log"][0].update(game="bare", rules="bare/1")
    return tree


def test_6_a_game_without_hidden_cards_has_no_card_fields(bare: dict[str, Any]) -> None:
    assert load(encoded(bare))
    assert refusal(encoded({**bare, "disclosed": {"A": POINT}})).path == "disclosed"
    bare["log"][0]["cards"] = {"key": POINT}
    assert refusal(encoded(bare)).path == "log[0].cards"
    del bare["log"][0]["cards"]
    bare["log"][3]["cards"] = {"give": {"0:1": "1"}}
    assert refusal(encoded(bare)).path == "log[3].cards"
    bare["log"][3] = {**bare["log"][4], "act": "deal"}
    assert refusal(encoded(bare)).path == "log[3].act"
