"""The equality proof (protocol 6.3): known answers, laws, forgeries."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbp import curve
from mbp.cards.equality import Pair, prove_equality, verify_equality
from mbp.cards.transcript import Place, Transcript
from mbp.curve import NEUTRAL, Q, base_mult, mult, scalar_to_bytes
from mbp.errors import CardError

from .plain import P, combined, decode, encode, numbers, plain_add, steady, torsion

SECRET = numbers("equality")(1)[0]
PLACE = Place(bytes(range(32)), b'{"act":"deal"}', base_mult(SECRET))
SOURCES = [base_mult(scalar) for scalar in numbers("sources")(3)]
PAIRS: list[Pair] = [(x, mult(SECRET, x)) for x in SOURCES]
PROOF = prove_equality(PLACE, PAIRS, SECRET, steady("proof"))
OTHER = base_mult(99)


def refused(pairs: list[Pair], proof: bytes, place: Place = PLACE) -> None:
    with pytest.raises(CardError):
        verify_equality(place, pairs, proof)


def test_6_3_proof_of_the_vectors_verifies_with_its_steps(vectors: Any) -> None:
    case = vectors["equality"]
    place = Place(bytes.fromhex(case["prev"]), case["body"].encode(), bytes.fromhex(case["K"]))
    pairs = [(bytes.fromhex(x), bytes.fromhex(y)) for x, y in case["pairs"]]
    proof = b64decode(case["proof"])
    verify_equality(place, pairs, proof)

    steps = case["steps"]
    transcript = Transcript.start("equality", place)
    for x, y in pairs:
        transcript.absorb("pair", x + y)
    weights = [transcript.challenge("w") for _ in pairs]
    assert [scalar_to_bytes(weight).hex() for weight in weights] == steps["w"]
    assert combined(weights, [x for x, _ in pairs]).hex() == steps["X"]
    assert combined(weights, [y for _, y in pairs]).hex() == steps["Y"]
    assert proof[:32].hex() == steps["c"]
    secret = curve.scalar_from_bytes(bytes.fromhex(case["k"]))
    verify_equality(place, pairs, prove_equality(place, pairs, secret, steady("x")))


@settings(max_examples=15, deadline=None)
@given(st.integers(1, Q - 1), st.lists(st.integers(1, Q - 1), min_size=1, max_size=4))
def test_6_3_every_true_statement_has_a_proof(secret: int, sources: list[int]) -> None:
    place = Place(bytes(32), b"{}", base_mult(secret))
    pairs = [(base_mult(x), base_mult(x * secret % Q)) for x in sources]
    verify_equality(place, pairs, prove_equality(place, pairs, secret, steady("law")))


def test_5_5_same_randomness_same_proof_other_randomness_another() -> None:
    assert prove_equality(PLACE, PAIRS, SECRET, steady("proof")) == PROOF
    assert prove_equality(PLACE, PAIRS, SECRET, steady("other")) != PROOF


@pytest.mark.parametrize("bit", range(0, 512, 37))
def test_6_3_every_change_of_a_word_is_refused(bit: int) -> None:
    changed = bytearray(PROOF)
    changed[bit // 8] ^= 1 << bit % 8
    refused(PAIRS, bytes(changed))


@pytest.mark.parametrize("word", [0, 1])
@pytest.mark.parametrize("how", ["zero", "q", "plus q", "one more"])
def test_6_3_bad_scalar_is_refused(word: int, how: str) -> None:
    words = [PROOF[:32], PROOF[32:]]
    value = int.from_bytes(words[word], "little")
    new = {"zero": 0, "q": Q, "plus q": value + Q, "one more": (value + 1) % Q}[how]
    words[word] = new.to_bytes(32, "little")
    refused(PAIRS, b"".join(words))


@pytest.mark.parametrize("proof", [b"", PROOF[:63], PROOF + b"\0", PROOF + PROOF])
def test_6_3_other_length_is_refused(proof: bytes) -> None:
    refused(PAIRS, proof)


@pytest.mark.parametrize(
    "place",
    [
        replace(PLACE, prev=bytes(32)),
        replace(PLACE, body=b'{"act":"deal" }'),
        replace(PLACE, key=OTHER),
        replace(PLACE, key=NEUTRAL),
    ],
    ids=["entry", "body", "author", "neutral key"],
)
def test_5_4_moved_proof_is_refused(place: Place) -> None:
    refused(PAIRS, PROOF, place)


def test_5_4_proof_for_another_purpose_is_refused() -> None:
    transcript = Transcript.start("shuffle", PLACE)
    for x, y in PAIRS:
        transcript.absorb("pair", x + y)
    weights = [transcript.challenge("w") for _ in PAIRS]
    r = 12345
    transcript.absorb("R1", base_mult(r))
    transcript.absorb("R2", mult(r, combined(weights, SOURCES)))
    c = transcript.challenge("c")
    refused(PAIRS, scalar_to_bytes(c) + scalar_to_bytes((r + c * SECRET) % Q))


def forge(pairs: list[Pair], r: int) -> bytes:
    """An answer with the true secret for pairs that may be false."""
    transcript = Transcript.start("equality", PLACE)
    for x, y in pairs:
        transcript.absorb("pair", x + y)
    weights = [transcript.challenge("w") for _ in pairs]
    source = combined(weights, [x for x, _ in pairs])
    transcript.absorb("R1", base_mult(r) if r else NEUTRAL)
    transcript.absorb("R2", mult(r, source) if r else NEUTRAL)
    c = transcript.challenge("c")
    return scalar_to_bytes(c) + scalar_to_bytes((r + c * SECRET) % Q)


def test_6_3_the_forger_of_these_tests_can_prove_what_is_true() -> None:
    verify_equality(PLACE, PAIRS, forge(PAIRS, 12345))


def test_5_5_neutral_r1_and_r2_are_no_reason_to_refuse() -> None:
    """Only s = 0 and a neutral X are (protocol 5.5); r = 0 gives away the prover's own secret."""
    verify_equality(PLACE, PAIRS, forge(PAIRS, 0))


(X1, Y1), (X2, Y2), (X3, Y3) = PAIRS
FALSE_PAIRS: dict[str, list[Pair]] = {
    "one wrong": [(X1, Y1), (X2, OTHER)],
    "errors that cancel without weights": [
        (X1, curve.add(Y1, OTHER)),
        (X2, curve.subtract(Y2, OTHER)),
    ],
    "sources that cancel without weights": [
        (curve.add(X1, OTHER), Y1),
        (curve.subtract(X2, OTHER), Y2),
    ],
    "swapped gives": [(X1, Y2), (X2, Y1)],
    "swapped sides": [(Y1, X1)],
    "scaled": [(X1, curve.add(Y1, Y1))],
    "negative": [(X1, mult(Q - 1, Y1))],
    "unmasked": [(X1, X1)],
}


@pytest.mark.parametrize("pairs", FALSE_PAIRS.values(), ids=FALSE_PAIRS.keys())
def test_6_3_false_statement_is_refused_and_not_proved(pairs: list[Pair]) -> None:
    refused(pairs, forge(pairs, 12345))
    with pytest.raises(CardError):
        prove_equality(PLACE, pairs, SECRET, steady("false"))


@pytest.mark.parametrize(
    "pairs",
    [PAIRS[:2], [*PAIRS, PAIRS[0]], PAIRS[::-1], [*PAIRS[:2], (Y3, X3)], []],
    ids=["dropped", "added", "reordered", "turned", "none"],
)
def test_6_3_proof_of_other_pairs_is_refused(pairs: list[Pair]) -> None:
    refused(pairs, PROOF)


BAD_POINTS = {
    "neutral": NEUTRAL,
    "sign of zero": (1 + 2**255).to_bytes(32, "little"),
    "y not below p": (P + 1).to_bytes(32, "little"),
    "order 8": encode(torsion()[1]),
    "outside the subgroup": encode(plain_add(decode(X1), torsion()[4])),
    "off the curve": (2).to_bytes(32, "little"),
}


@pytest.mark.parametrize("bad", BAD_POINTS.values(), ids=BAD_POINTS.keys())
@pytest.mark.parametrize("side", [0, 1])
def test_5_point_that_is_none_is_refused_and_not_proved(side: int, bad: bytes) -> None:
    pair = (bad, Y1) if side == 0 else (X1, bad)
    for pairs in ([pair], [PAIRS[1], pair]):
        refused(pairs, PROOF)
        with pytest.raises(CardError):
            prove_equality(PLACE, pairs, SECRET, steady("bad"))


def test_5_point_outside_the_subgroup_is_refused_where_the_equations_do_not_see_it() -> None:
    """Y with a point of order 2 added: under an even c only the test of the point sees it."""
    pairs = [(X1, encode(plain_add(decode(Y1), torsion()[4]))), (X2, Y2)]
    proofs = [forge(pairs, r) for r in range(1, 9)]
    assert any(proof[0] % 2 == 0 for proof in proofs)
    for proof in proofs:
        refused(pairs, proof)


@pytest.mark.parametrize("secret", [0, SECRET + 1, Q - SECRET])
def test_6_3_prover_refuses_a_secret_that_is_not_of_the_key(secret: int) -> None:
    with pytest.raises(CardError):
        prove_equality(PLACE, PAIRS, secret, steady("false"))


def test_6_3_prover_refuses_to_prove_nothing() -> None:
    with pytest.raises(CardError):
        prove_equality(PLACE, [], SECRET, steady("nothing"))
