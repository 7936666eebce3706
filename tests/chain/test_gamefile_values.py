"""Check 1 of protocol 11, second part: texts, numbers, times, binary values, keys, cards."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from mbp.gamefile import load
from tests.chain.gamefile_examples import (
    ID,
    Step,
    accepts,
    changed,
    check_refused,
    encoded,
    example,
    refusal,
)

LONG = "9" * 100_000


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
    assert accepts("log", 3, "act", to=f"vacation {LONG}")


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


def test_messages_show_the_text_of_a_file_escaped_and_cut() -> None:
    error = refusal(encoded(changed("log", 3, "act", to="\x1b[2J" + "x" * 50)))
    assert str(error).isprintable()
    error = refusal(encoded(changed("log", 3, "sig", to="é!" * 5000)))
    assert len(str(error)) < 200
    error = refusal(encoded(changed("log", 3, "x" * 500, to="1")))
    assert len(str(error)) < 200
