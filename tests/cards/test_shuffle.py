"""The shuffle proof (protocol 6.4): known answers, laws, forgeries, and the check line by line."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbp import curve
from mbp.cards.pile import Pile
from mbp.cards.shuffle import prove_shuffle, verify_shuffle
from mbp.cards.transcript import Place
from mbp.curve import NEUTRAL, Q, base_mult, mult, scalar_from_bytes, scalar_to_bytes
from mbp.errors import ProofError

from .plain import (
    P,
    Shuffle,
    answer,
    decode,
    encode,
    numbers,
    plain_add,
    plain_errors,
    plain_prove,
    plain_verify,
    start_shuffle,
    steady,
    torsion,
    true_shuffle,
)

N = 4
TRUE = true_shuffle("shuffle", N)
PROOF = prove_shuffle(TRUE.place, TRUE.src, TRUE.dst, TRUE.secret, steady("proof"))
WORDS = [PROOF[at : at + 32] for at in range(0, len(PROOF), 32)]
NAMES = ["c1", "c2", "ce", "cd", "cD", "T", "U", "r'", "s'", "zeta"]
NAMES += [f"a{j}" for j in range(1, N + 1)] + [f"b'{j}" for j in range(2, N)]
OTHER = base_mult(99)


def prove(shuffle: Shuffle) -> bytes:
    return prove_shuffle(shuffle.place, shuffle.src, shuffle.dst, shuffle.secret, steady("prove"))


def verify(shuffle: Shuffle, proof: bytes) -> None:
    """Verifies, and holds the answer against the check line by line."""
    expected = plain_verify(shuffle, proof)
    try:
        verify_shuffle(shuffle.place, shuffle.src, shuffle.dst, proof)
    except ProofError:
        assert not expected
        raise
    assert expected


def refused(shuffle: Shuffle, proof: bytes) -> None:
    with pytest.raises(ProofError):
        verify(shuffle, proof)


def exchanged(place: int, word: bytes) -> bytes:
    """The proof with another word."""
    return b"".join([*WORDS[:place], word, *WORDS[place + 1 :]])


@pytest.mark.parametrize("case", [0, 1])
def test_6_4_proof_of_the_vectors_verifies_with_its_steps(vectors: Any, case: int) -> None:
    data = vectors["shuffle"][case]
    place = Place(bytes.fromhex(data["prev"]), data["body"].encode(), bytes.fromhex(data["K"]))
    src, dst = (tuple(map(bytes.fromhex, data[name])) for name in ("src", "dst"))
    secret = scalar_from_bytes(bytes.fromhex(data["k"]))
    shuffle = Shuffle(place, src, dst, tuple(map(int, data["pi"])), secret)
    proof = b64decode(data["proof"])
    verify(shuffle, proof)
    verify(shuffle, prove(shuffle))
    verify(shuffle, plain_prove(shuffle))

    words = [proof[at : at + 32] for at in range(0, 7 * 32, 32)]
    transcript = start_shuffle(shuffle)
    found = answer(transcript, "c1", words[0], "x") + answer(transcript, "c2", words[1], "y", "z")
    for label, word in zip(("ce", "cd", "cD", "T", "U"), words[2:], strict=True):
        transcript.absorb(label, word)
    found.append(transcript.challenge("lambda"))
    steps = [data["steps"][name] for name in ("x", "y", "z", "lambda")]
    assert [scalar_to_bytes(challenge).hex() for challenge in found] == steps


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 7), st.text("abc", max_size=5))
def test_6_4_every_true_statement_has_a_proof(n: int, seed: str) -> None:
    shuffle = true_shuffle(seed, n)
    proof = prove(shuffle)
    assert len(proof) == 32 * (2 * n + 8)
    verify(shuffle, proof)
    verify(shuffle, plain_prove(shuffle))


def test_6_4_both_masks_of_a_whole_deck() -> None:
    pile = Pile.of(0, range(108), "A")
    f, s = numbers("deck")(2)
    for by, secret in (("A", f), ("B", s)):
        assert by in ("A", "B")
        seat: Any = by
        src, dst = pile.mask_source(seat), pile.make_mask(seat, secret)
        place = Place(bytes(32), by.encode(), base_mult(secret))
        proof = prove_shuffle(place, src, dst, secret, steady("deck"))
        verify_shuffle(place, src, dst, proof)
        swapped = (dst[1], dst[0], *dst[2:])
        with pytest.raises(ProofError):
            verify_shuffle(place, src, swapped, proof)
        pile = pile.with_mask(seat, dst)


def test_5_5_same_randomness_same_proof_other_randomness_another() -> None:
    again = prove_shuffle(TRUE.place, TRUE.src, TRUE.dst, TRUE.secret, steady("proof"))
    other = prove_shuffle(TRUE.place, TRUE.src, TRUE.dst, TRUE.secret, steady("other"))
    assert again == PROOF
    assert not set(WORDS) & {other[at : at + 32] for at in range(0, len(other), 32)}


# Words of a proof


@pytest.mark.parametrize("place", range(7), ids=NAMES[:7])
@pytest.mark.parametrize(
    "how", ["other", "negative", "neutral", "order 8", "outside", "not canonical", "off the curve"]
)
def test_6_4_changed_point_is_refused(place: int, how: str) -> None:
    word = WORDS[place]
    new = {
        "other": curve.add(word, OTHER),
        "negative": mult(Q - 1, word),
        "neutral": NEUTRAL,
        "order 8": encode(torsion()[1]),
        "outside": encode(plain_add(decode(word), torsion()[4])),
        "not canonical": (P + 1).to_bytes(32, "little"),
        "off the curve": (2).to_bytes(32, "little"),
    }[how]
    refused(TRUE, exchanged(place, new))


@pytest.mark.parametrize("place", range(7, len(WORDS)), ids=NAMES[7:])
@pytest.mark.parametrize("how", ["one more", "negative", "zero", "q", "plus q", "all ones"])
def test_6_4_changed_scalar_is_refused(place: int, how: str) -> None:
    value = int.from_bytes(WORDS[place], "little")
    new = {
        "one more": (value + 1) % Q,
        "negative": Q - value,
        "zero": 0,
        "q": Q,
        "plus q": value + Q,
        "all ones": 2**256 - 1,
    }[how]
    refused(TRUE, exchanged(place, new.to_bytes(32, "little")))


@pytest.mark.parametrize("pair", list(combinations(range(len(WORDS)), 2)))
def test_6_4_exchanged_words_are_refused(pair: tuple[int, int]) -> None:
    left, right = pair
    words = list(WORDS)
    words[left], words[right] = words[right], words[left]
    refused(TRUE, b"".join(words))


@pytest.mark.parametrize("proof", [b"", PROOF[:-1], PROOF[:-32], PROOF + bytes(32), PROOF[32:]])
def test_6_4_other_length_is_refused(proof: bytes) -> None:
    refused(TRUE, proof)


def answered(errors: Sequence[bytes]) -> int:
    return sum(error == NEUTRAL for error in errors)


@pytest.mark.parametrize("name", ["ce", "cd", "cD", "T", "U"])
def test_6_4_an_error_in_one_line_alone_is_refused(name: str) -> None:
    proof = plain_prove(TRUE, {name: OTHER})
    errors = plain_errors(TRUE, proof)
    assert errors is not None
    assert answered(errors) == 3
    refused(TRUE, proof)


# ce and cd stand left in their lines, T and U right, so these errors have these signs.
SIGNS = {"ce": 1, "cd": 1, "T": -1, "U": -1}


@pytest.mark.parametrize("names", list(combinations(SIGNS, 2)), ids="-".join)
def test_6_4_errors_that_cancel_in_a_plain_sum_are_refused(names: tuple[str, str]) -> None:
    left, right = names
    turned = OTHER if SIGNS[left] != SIGNS[right] else mult(Q - 1, OTHER)
    proof = plain_prove(TRUE, {left: OTHER, right: turned})
    errors = plain_errors(TRUE, proof)
    assert errors is not None
    assert answered(errors) == 2
    assert curve.combine((1, error) for error in errors if error != NEUTRAL) == NEUTRAL
    refused(TRUE, proof)


def test_6_4_the_prover_of_these_tests_can_prove_what_is_true() -> None:
    verify(TRUE, plain_prove(TRUE))


# Where a proof stands

PLACES = {
    "entry": replace(TRUE.place, prev=bytes([1]) + bytes(31)),
    "body": replace(TRUE.place, body=b"{ }"),
    "author": replace(TRUE.place, key=OTHER),
    "neutral key": replace(TRUE.place, key=NEUTRAL),
    "key outside the subgroup": replace(
        TRUE.place, key=encode(plain_add(decode(TRUE.place.key), torsion()[4]))
    ),
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_5_4_moved_proof_is_refused(place: Place) -> None:
    refused(replace(TRUE, place=place), PROOF)


def test_5_4_proof_for_another_purpose_is_refused() -> None:
    refused(TRUE, plain_prove(TRUE, purpose="equality"))


def test_6_4_proof_under_the_key_of_another_is_refused() -> None:
    """The other's key with the secret that was used: the last line ties k to K."""
    other = replace(TRUE, place=replace(TRUE.place, key=OTHER))
    refused(other, plain_prove(other))
    with pytest.raises(ProofError):
        prove(other)


# Decks


@cache
def decks() -> dict[str, Shuffle]:
    """False statements, each with the order a cheat would claim."""
    src, dst, secret = TRUE.src, TRUE.dst, TRUE.secret
    factor = 7
    return {
        "duplicate": replace(TRUE, dst=(dst[0], dst[0], *dst[2:])),
        "duplicate in the order too": replace(
            TRUE, dst=(dst[0], dst[0], *dst[2:]), pi=(TRUE.pi[0], TRUE.pi[0], *TRUE.pi[2:])
        ),
        "one scaled": replace(TRUE, dst=(mult(factor, dst[0]), *dst[1:])),
        "all scaled": replace(TRUE, dst=tuple(mult(factor, point) for point in dst)),
        "two scaled against each other": replace(
            TRUE, dst=(mult(factor, dst[0]), mult(pow(factor, -1, Q), dst[1]), *dst[2:])
        ),
        "two moved against each other": replace(
            TRUE, dst=(curve.add(dst[0], OTHER), curve.subtract(dst[1], OTHER), *dst[2:])
        ),
        "foreign": replace(TRUE, dst=(OTHER, *dst[1:])),
        "foreign source": replace(TRUE, src=(OTHER, *src[1:])),
        "unmasked": replace(TRUE, dst=src, pi=tuple(range(1, N + 1))),
        "one unmasked": replace(TRUE, dst=(src[TRUE.pi[0] - 1], *dst[1:])),
        "neutral": replace(TRUE, dst=(NEUTRAL, *dst[1:])),
        "another order": replace(TRUE, dst=(dst[1], dst[0], *dst[2:])),
        "masked twice": replace(TRUE, dst=tuple(mult(secret, point) for point in dst)),
        "outside the subgroup": replace(
            TRUE, dst=(encode(plain_add(decode(dst[0]), torsion()[4])), *dst[1:])
        ),
        "source outside the subgroup": replace(
            TRUE, src=(encode(plain_add(decode(src[0]), torsion()[4])), *src[1:])
        ),
    }


def prove_anyhow(deck: Shuffle) -> bytes:
    """What a cheat can send: a proof made over points that the library takes."""
    takes = all(map(curve.is_valid_point, (*deck.src, *deck.dst)))
    return plain_prove(deck) if takes else PROOF


@pytest.mark.parametrize("name", decks())
def test_6_4_false_deck_is_refused(name: str) -> None:
    deck = decks()[name]
    refused(deck, prove_anyhow(deck))
    refused(deck, PROOF)


@pytest.mark.parametrize("name", [name for name in decks() if name != "another order"])
def test_6_4_false_deck_is_not_proved(name: str) -> None:
    with pytest.raises(ProofError):
        prove(decks()[name])


def test_6_4_truncated_and_longer_decks_are_refused_and_not_proved() -> None:
    for deck in (
        replace(TRUE, dst=TRUE.dst[:-1]),
        replace(TRUE, dst=(*TRUE.dst, OTHER)),
        replace(TRUE, src=TRUE.src[:-1]),
        replace(TRUE, src=TRUE.src[:-1], dst=TRUE.dst[:-1]),
    ):
        refused(deck, PROOF)
        with pytest.raises(ProofError):
            prove(deck)


def test_6_4_source_and_list_exchanged_are_refused() -> None:
    refused(replace(TRUE, src=TRUE.dst, dst=TRUE.src), PROOF)


def test_6_4_one_point_has_no_shuffle_proof() -> None:
    one = replace(TRUE, src=TRUE.src[:1], dst=(mult(TRUE.secret, TRUE.src[0]),), pi=(1,))
    refused(one, PROOF)
    refused(one, b"".join(WORDS[:10]))
    with pytest.raises(ProofError):
        prove(one)


@pytest.mark.parametrize("secret", [0, TRUE.secret + 1, Q - TRUE.secret])
def test_6_4_prover_refuses_a_secret_that_is_not_of_the_key(secret: int) -> None:
    with pytest.raises(ProofError):
        prove(replace(TRUE, secret=secret))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(WORDS) - 1), st.integers(0, 255))
def test_6_4_batch_and_lines_agree_on_flipped_bits(place: int, bit: int) -> None:
    word = bytearray(WORDS[place])
    word[bit // 8] ^= 1 << bit % 8
    refused(TRUE, exchanged(place, bytes(word)))


@pytest.mark.parametrize("place", range(7, 10 + N), ids=NAMES[7 : 10 + N])
def test_5_5_zero_among_the_answers_is_what_the_refusal_names(place: int) -> None:
    """No such proof that meets the equations is known, so the reason is looked at."""
    with pytest.raises(ProofError, match="a scalar is zero"):
        verify_shuffle(TRUE.place, TRUE.src, TRUE.dst, exchanged(place, bytes(32)))


def test_5_5_zero_step_of_the_product_is_what_the_refusal_names() -> None:
    """With b'_2 = 0 and b'_3 = 0 the middle step is zero, though b'_j may be."""
    words = [*WORDS[:-2], bytes(32), bytes(32)]
    with pytest.raises(ProofError, match="a scalar is zero"):
        verify_shuffle(TRUE.place, TRUE.src, TRUE.dst, b"".join(words))
    with pytest.raises(ProofError, match=r"fails$"):
        verify_shuffle(TRUE.place, TRUE.src, TRUE.dst, exchanged(len(WORDS) - 1, bytes(32)))
