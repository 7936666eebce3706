"""Check 1 of protocol 11, second part: which fields and values a game file has."""

from __future__ import annotations

from base64 import b64encode
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
    changed,
    encoded,
    example,
    pruned,
    refusal,
    written,
)

LONG = "9" * 100_000


def accepts(*path: Step, to: Any) -> bool:
    return load(encoded(changed(*path, to=to))) is not None


def check_refused(path: tuple[Step, ...], to: Any, place: str | None = None) -> None:
    error = refusal(encoded(changed(*path, to=to)))
    assert type(error) is FormatError
    assert error.path == (written(path) if place is None else place)
    assert error.seq == (path[1] if path[0] == "log" and len(path) > 1 else None)


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


@pytest.mark.parametrize("value", ["", "-1", "+1", "01", "1.0", "1 ", " 1", "1_0", "0x1", "١", "²"])
def test_1_4_integers_have_one_spelling(value: str) -> None:
    check_refused(("log", 3, "seq"), value)
    check_refused(("log", 0, "cards", "mask", "pile"), value)
    check_refused(("log", 0, "options", "pace"), value)
    check_refused(("log", 1, "cards", "give"), {"0:4": value}, "log[1].cards.give.0:4")


def test_1_4_integers_have_any_length() -> None:
    assert accepts("log", 3, "seq", to=LONG)
    assert accepts("log", 0, "cards", "mask", "pile", to=LONG)
    assert accepts("log", 1, "cards", "give", to={f"{LONG[:900]}:{LONG[:100]}": LONG})
    check_refused(("log", 0, "options", "pace"), LONG)
    check_refused(("log", 0, "options", "vacation"), LONG)
    check_refused(("log", 3, "act"), f"vacation {LONG}")


@pytest.mark.parametrize(
    "value",
    [
        "",
        "2026-11-30",
        "2026-11-30T12:00Z",
        "2026-11-30 12:00:00Z",
        "2026-11-30T12:00:00",
        "2026-11-30T12:00:00+00:00",
        "2026-11-30T12:00:00.0Z",
        "2026-11-30t12:00:00z",
        "2026-02-29T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-11-31T12:00:00Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T12:60:00Z",
        "2026-11-30T12:00:60Z",
        "0000-11-30T12:00:00Z",
        "12026-11-30T12:00:00Z",
        "2026-11-30T12:00:0٠Z",
        "2026-11-30T12:00:00Z\n",
    ],
)
def test_1_4_times_are_real_and_have_one_spelling(value: str) -> None:
    check_refused(("log", 3, "time"), value)


@pytest.mark.parametrize("value", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_1_4_times_of_the_years_1_to_9999(value: str) -> None:
    assert accepts("log", 3, "time", to=value)


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        (("log", 3, "note"), 1000),
        (("log", 0, "player", "name"), 100),
        (("log", 1, "player", "mail"), 254),
    ],
)
def test_1_2_free_text(path: tuple[Step, ...], limit: int) -> None:
    assert accepts(*path, to="🙂" * limit)
    check_refused(path, "x" * (limit + 1))
    check_refused(path, "")
    for character in "\x00\t\n\r\x1b\x7f\x85\x9f\u2028\u2029":
        check_refused(path, f"a{character}b")
    for character in "\xa0\u200d\u202e\ufeff\ufffe\ue000\u0378":  # Zs, Cf, Co, Cn
        assert accepts(*path, to=f"a{character}b")


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


@pytest.mark.parametrize("value", ["", ID.upper(), ID[:-1], ID + "a", ID[:-1] + "g", ID + "\n"])
def test_2_2_ids_are_64_lower_case_digits(value: str) -> None:
    check_refused(("log", 3, "prev"), value)
    check_refused(("settled", 0, "keep"), value)
    check_refused(("settled", 0, "drop"), value)


def b64(count: int) -> str:
    return b64encode(bytes(range(256))[:count]).decode()


SIZED: list[tuple[tuple[Step, ...], int]] = [
    (("log", 3, "sig"), 64),
    (("settled", 0, "sig"), 64),
    (("log", 0, "nonce"), 32),
    (("log", 0, "coin"), 32),
    (("log", 1, "coin"), 32),
    (("log", 2, "coin"), 32),
    (("log", 0, "cards", "key"), 32),
    (("log", 1, "cards", "key"), 32),
    (("log", 1, "cards", "proof"), 64),
    (("log", 2, "cards", "give", "0:10"), 32),
    (("disclosed", "A"), 32),
    (("disclosed", "B"), 32),
]


@pytest.mark.parametrize(("path", "size"), SIZED)
def test_1_3_binary_values(path: tuple[Step, ...], size: int) -> None:
    good = b64(size)
    for text in (good, f" \t{good[:5]}\r\n  {good[5:]}\n\n"):
        tree = load(encoded(changed(*path, to=text)))
        assert encoded(plain(tree)) == encoded(plain(load(encoded(changed(*path, to=good)))))
    for count in (1, size - 1, size + 1, 2 * size):
        check_refused(path, b64(count))
    for text in (
        "",
        "=",
        " ",
        good.rstrip("="),
        good + "=",
        good[:-1] + "!",
        good.replace("A", "-"),
        good[:4] + "\xa0" + good[4:],
        good[:4] + "\x0b" + good[4:],
        good[:-4] + "====",
        good + good,
        "é" + good[1:],
    ):
        check_refused(path, text)
    # Spare bits in the last sextet: the same bytes, another spelling.
    end = good.rstrip("=")
    check_refused(path, end[:-1] + chr(ord(end[-1]) + 1) + "=" * (len(good) - len(end)))


def plain(record: Any) -> list[Any]:
    return [
        [dict(entry.tree) for entry in record.log],
        record.disclosed,
        list(record.settled),
        record.summary,
    ]


@pytest.mark.parametrize("name", ["points", "proof"])
def test_6_1_points_and_shuffle_proofs_are_words_of_32_bytes(name: str) -> None:
    path: tuple[Step, ...] = ("log", 0, "cards", "mask", name)
    assert accepts(*path, to=b64(32))
    assert accepts(*path, to=b64(96))
    for count in (0, 1, 31, 33, 95, 97):
        check_refused(path, b64(count))


def test_6_1_a_pile_of_one_card_has_no_shuffle_proof() -> None:
    assert accepts("log", 3, "cards", to={"mask": {"pile": "1", "points": POINT}})


def test_6_cards_key_belongs_to_the_first_entry_of_each() -> None:
    check_refused(("log", 0, "cards"), REMOVED)
    check_refused(("log", 1, "cards", "key"), REMOVED)
    check_refused(("log", 2, "cards", "key"), POINT)
    check_refused(("log", 3, "cards"), {"key": POINT}, "log[3].cards.key")


@pytest.mark.parametrize("slot", ["0", "0:", ":0", "00:1", "0:01", "a:0", "0:1:2", "0.1", "0:A"])
def test_6_1_slots(slot: str) -> None:
    check_refused(("log", 1, "cards", "give"), {slot: "1"}, f"log[1].cards.give.{slot}")
    check_refused(("log", 1, "cards", "open"), {slot: "R07"}, f"log[1].cards.open.{slot}")


@pytest.mark.parametrize(
    "card", ["", "R7", "R007", "R18", "r07", "B07", "R-1", "07R", "R07 ", "R٠٧"]
)
def test_5_3_cards_are_a_letter_and_two_digits(card: str) -> None:
    check_refused(("log", 1, "cards", "open"), {"0:1": card}, "log[1].cards.open.0:1")


def test_5_3_all_108_cards() -> None:
    cards = [f"{letter}{copy:02}" for letter in "KGPYOR" for copy in range(18)]
    assert accepts("log", 1, "cards", "open", to={f"0:{i}": card for i, card in enumerate(cards)})


def test_3_1_a_key_has_one_spelling() -> None:
    good = example()["log"][0]["guest"]
    kind, blob = good.split(" ")
    for path in (("log", 0, "guest"), ("log", 0, "player", "key"), ("log", 1, "player", "key")):
        for value in (
            "",
            blob,
            f"{kind}  {blob}",
            f"{kind}\t{blob}",
            f" {good}",
            f"{good}\n",
            f"{good} anna@example.org",
            f"ssh-rsa {blob}",
            f"SSH-ED25519 {blob}",
            f"{kind} {blob[:-1]}=",
            f"{kind} {blob[:30]} {blob[31:]}",
            f"{kind} {blob[:30]}\n{blob[31:]}",
            f"{kind} {'B' + blob[1:]}",
            f"{kind} {b64(51)}",
        ):
            check_refused(path, value)


def test_3_1_the_point_of_a_key_is_another_check() -> None:
    blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + bytes([1]) + bytes(31)  # the neutral element
    assert accepts("log", 0, "guest", to=f"ssh-ed25519 {b64encode(blob).decode()}")


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
        "mountain 1 red", "mountain 9", "take", "discard purple 2",
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
        "invite Bob", "mountain " + "9" * 92, "bowl green",
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


def test_messages_show_the_text_of_a_file_escaped_and_cut() -> None:
    error = refusal(encoded(changed("log", 3, "act", to="\x1b[2J" + "x" * 50)))
    assert str(error).isprintable()
    error = refusal(encoded(changed("log", 3, "sig", to="é!" * 5000)))
    assert len(str(error)) < 200
    error = refusal(encoded(changed("log", 3, "x" * 500, to="1")))
    assert len(str(error)) < 200
