"""Identity keys and what comes from them (protocol 2.3, 3.1, 4)."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings as group

from mbp import keys
from mbp.canonical import canonical
from mbp.chain import ENTRY_PREFIX, Entry
from mbp.curve import Q
from mbp.errors import FormatError, KeyringError
from mbp.keys import Identity, fingerprint, parse_key, verify_signature
from mbp.words import EVEN, ODD, words

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "vectors.json").read_text("utf-8")
)
IDENTITY = VECTORS["identity"]
SECRETS = VECTORS["secrets"]
ALICE = Identity(bytes.fromhex(IDENTITY["seed"]))
NONCE = bytes.fromhex(SECRETS["nonce"])
GAME_ID = bytes.fromhex(SECRETS["game_id"])

# The points of order 1, 2, 4 and 8 of edwards25519, one each.
NEUTRAL = bytes([1]) + bytes(31)
ORDER_2 = bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")
ORDER_4 = bytes(32)
ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
SMALL = [NEUTRAL, ORDER_2, ORDER_4, ORDER_8]


def scalar(wide: bytes) -> int:
    return int.from_bytes(wide, "little") % Q


def secret_scalar(identity: Identity) -> int:
    """The private scalar a of RFC 8032."""
    half = bytearray(sha512(identity.seed).digest()[:32])
    half[0] &= 248
    half[31] = half[31] & 127 | 64
    return int.from_bytes(half, "little")


def signature_with(r_point: bytes, r: int, data: bytes) -> bytes:
    """Alice's signature equation solved for an R of the caller's choice."""
    h = scalar(sha512(r_point + ALICE.public + data).digest())
    s = (r + h * secret_scalar(ALICE)) % Q
    return r_point + s.to_bytes(32, "little")


# --- identity -------------------------------------------------------------------------------------


def test_3_1_key_is_the_openssh_text() -> None:
    assert ALICE.public.hex() == IDENTITY["public"]
    assert ALICE.text == IDENTITY["key"]
    assert len(ALICE.text) == 80
    assert parse_key(ALICE.text) == ALICE.public


def test_seed_stays_out_of_repr() -> None:
    shown = repr(ALICE) + str(ALICE) + f"{ALICE}"
    for spelling in (ALICE.seed.hex(), repr(ALICE.seed), b64encode(ALICE.seed).decode()):
        assert spelling not in shown


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Identity(bytes(length))


def test_4_1_coins_come_from_seed_and_file() -> None:
    assert ALICE.coin("A", NONCE).hex() == SECRETS["coin_A"]
    assert ALICE.coin("B", GAME_ID).hex() == SECRETS["coin_B"]


def test_4_2_card_secrets_come_from_seed_and_file() -> None:
    assert ALICE.card_secret("A", NONCE).to_bytes(32, "little").hex() == SECRETS["cards_A"]
    assert ALICE.card_secret("B", GAME_ID).to_bytes(32, "little").hex() == SECRETS["cards_B"]


@pytest.mark.parametrize("wide", [0, Q, 5 * Q])
def test_4_2_zero_is_refused(wide: int) -> None:
    with pytest.raises(KeyringError, match="zero"):
        keys._card_secret(wide.to_bytes(64, "little"))
    assert keys._card_secret((wide + 1).to_bytes(64, "little")) == 1


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_4_secrets_differ_by_seat_and_purpose(seed: bytes, salt: bytes) -> None:
    identity = Identity(seed)
    coins = {identity.coin("A", salt), identity.coin("B", salt)}
    cards = {identity.card_secret("A", salt), identity.card_secret("B", salt)}
    assert len(coins | {k.to_bytes(32, "little") for k in cards}) == 4
    assert all(0 < k < Q for k in cards)


# --- the text of a key ----------------------------------------------------------------------------

BLOB = b64decode(ALICE.text.split()[1])


@pytest.mark.parametrize(
    "text",
    [
        "",
        ALICE.text + " alice@example.org",
        ALICE.text + "\n",
        " " + ALICE.text[:-1],
        ALICE.text.replace(" ", "  ")[:80],
        ALICE.text.replace(" ", "\t"),
        ALICE.text.replace("ssh", "SSH"),
        ALICE.text.replace("/", "_"),
        ALICE.text[:-1] + "=",
        ALICE.text[:-1] + "é",
        ALICE.text[:-4] + "\n" + ALICE.text[-3:],
        "ssh-ed25519 " + b64encode(BLOB.replace(b"ed25519", b"ed25518")).decode(),
        "ssh-ed25519 " + b64encode(b"\0\0\0\x0c" + BLOB[4:]).decode(),
        "ssh-ed25519 " + b64encode(BLOB[:18] + b"\x21" + BLOB[19:]).decode(),
        "ssh-ed25519 " + b64encode(BLOB + bytes(3)).decode(),
        "ssh-ed25519 " + "A" * 68,
    ],
)
def test_3_1_other_spellings_of_a_key_are_refused(text: str) -> None:
    with pytest.raises(FormatError):
        parse_key(text)


@given(st.text(min_size=80, max_size=80) | st.text(alphabet="AZaz09+/= ", max_size=90))
def test_3_1_whatever_the_text_a_key_or_a_format_error(text: str) -> None:
    for candidate in (text, ALICE.text[:12] + text[:68]):
        try:
            public = parse_key(candidate)
        except FormatError:
            continue
        assert keys.format_key(public) == candidate


@given(st.binary(min_size=32, max_size=32))
def test_3_1_parse_and_format_are_a_pair(public: bytes) -> None:
    assert parse_key(keys.format_key(public)) == public


@pytest.mark.parametrize("public", SMALL)
def test_3_1_keys_of_low_order_are_refused(public: bytes) -> None:
    assert not keys.check_key(public)


def test_3_1_keys_outside_the_subgroup_are_refused() -> None:
    assert keys.check_key(ALICE.public)
    assert not keys.check_key(group.crypto_core_ed25519_add(ALICE.public, ORDER_8))


def test_3_1_a_key_of_low_order_would_let_anyone_sign() -> None:
    # R = S B fits every message under the neutral key; only the point check stands against it.
    forged = group.crypto_scalarmult_ed25519_base_noclamp(NEUTRAL) + NEUTRAL
    assert verify_signature(NEUTRAL, forged, b"whatever")
    assert not keys.check_key(NEUTRAL)


# --- signatures -----------------------------------------------------------------------------------


def test_2_3_signature_of_an_entry() -> None:
    entry = Entry(VECTORS["entry"]["entry"])
    signature = b64decode(entry.tree["sig"])
    data = ENTRY_PREFIX + entry.unsigned
    assert verify_signature(ALICE.public, signature, data)
    assert ALICE.sign(data) == signature


def test_9_6_signature_of_a_settlement() -> None:
    settled = VECTORS["settled"]
    signature = b64decode(settled["map"]["sig"])
    fields = {name: settled["map"][name] for name in ("by", "keep", "drop")}
    data = b"mbp/v1 settle\n" + canonical(fields | {"game": settled["game"]})
    assert data.decode() == settled["signed"]
    assert verify_signature(ALICE.public, signature, data)


def test_2_3_another_key_text_or_bit_is_refused() -> None:
    signature = ALICE.sign(b"mountain 1 red")
    assert verify_signature(ALICE.public, signature, b"mountain 1 red")
    assert not verify_signature(ALICE.public, signature, b"mountain 2 red")
    assert not verify_signature(Identity(bytes(32)).public, signature, b"mountain 1 red")
    for bit in range(512):
        changed = bytearray(signature)
        changed[bit // 8] ^= 1 << bit % 8
        assert not verify_signature(ALICE.public, bytes(changed), b"mountain 1 red")


@pytest.mark.parametrize("length", [0, 32, 63, 65, 96, 128])
def test_2_3_signatures_have_64_bytes(length: int) -> None:
    signature = (ALICE.sign(b"x") * 2)[:length]
    assert not verify_signature(ALICE.public, signature, b"x")


@pytest.mark.parametrize("public", [b"", bytes(31), bytes(33), b"\xff" * 32, b"\x02" + bytes(31)])
def test_2_3_what_is_no_key_verifies_nothing(public: bytes) -> None:
    assert not verify_signature(public, ALICE.sign(b"x"), b"x")


def test_2_3_s_is_below_q() -> None:
    signature = ALICE.sign(b"x")
    s = int.from_bytes(signature[32:], "little")
    for more in range(1, 15):
        second = signature[:32] + (s + more * Q).to_bytes(32, "little")
        assert not verify_signature(ALICE.public, second, b"x")


@pytest.mark.parametrize("torsion", [ORDER_2, ORDER_4, ORDER_8])
def test_2_3_without_cofactor(torsion: bytes) -> None:
    # These hold when both sides are multiplied by eight first, and only then.
    r = 1234567890
    honest = group.crypto_scalarmult_ed25519_base_noclamp(r.to_bytes(32, "little"))
    mixed = group.crypto_core_ed25519_add(honest, torsion)
    assert verify_signature(ALICE.public, signature_with(honest, r, b"x"), b"x")
    assert not verify_signature(ALICE.public, signature_with(mixed, r, b"x"), b"x")
    assert not verify_signature(ALICE.public, signature_with(torsion, 0, b"x"), b"x")


def test_2_3_r_is_compared_as_bytes() -> None:
    p = 2**255 - 19
    spellings = [
        (p + 1).to_bytes(32, "little"),
        (1 | 1 << 255).to_bytes(32, "little"),
        (p + 1 | 1 << 255).to_bytes(32, "little"),
    ]
    assert verify_signature(ALICE.public, signature_with(NEUTRAL, 0, b"x"), b"x")
    for spelling in spellings:
        assert not verify_signature(ALICE.public, signature_with(spelling, 0, b"x"), b"x")


# --- fingerprints ---------------------------------------------------------------------------------


def test_fingerprint_as_hex_and_words() -> None:
    shown = fingerprint(ALICE.public)
    assert shown.hex == str(shown) == "95b9 aca0 0d32 2047 0489 50d1 9cc5 aece"
    assert words(bytes.fromhex(shown.hex)) == shown.words
    assert shown.words[:4] == ("preclude", "proximate", "ribcage", "Orlando")
    assert len(shown.words) == 16


def test_fingerprint_is_that_of_ssh_keygen() -> None:
    # What `ssh-keygen -l` prints for this key is the whole hash in base64, without padding.
    whole = b64decode("lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg=")
    assert whole[:16].hex() == fingerprint(ALICE.public).hex.replace(" ", "")


def test_pgp_words_of_a_known_fingerprint() -> None:
    known = bytes.fromhex("E58294F2E9A227486E8B061B31CC528FD7FA3F19")
    told = (
        "topmost Istanbul Pluto vagabond treadmill Pacific brackish dictator goldfish Medusa "
        "afflict bravado chatter revolver Dupont midsummer stopwatch whimsical cowbell bottomless"
    )
    assert " ".join(words(known)) == told


def test_pgp_words_are_512_and_sorted() -> None:
    assert len({word.lower() for word in EVEN + ODD}) == 512
    assert sorted(EVEN, key=str.lower) == list(EVEN)
    assert len(EVEN) == len(ODD) == 256
