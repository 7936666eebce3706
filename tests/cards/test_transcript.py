"""The transcript (protocol 5.4) and the secret numbers (5.5)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from mbp.cards import transcript as module
from mbp.cards.transcript import Place, SecretNumbers, Transcript
from mbp.curve import PointError, Q, scalar_to_bytes

from .plain import steady

PLACE = Place(bytes(32), b"{}", bytes(range(32)))


def test_5_4_transcript_is_that_of_the_vectors(vectors: Any) -> None:
    case = vectors["transcript"]
    place = Place(bytes.fromhex(case["prev"]), case["body"].encode(), bytes.fromhex(case["K"]))
    transcript = Transcript.start(case["purpose"], place)
    assert transcript.state.hex() == case["h_start"]
    for step in case["absorbs"]:
        transcript.absorb(step["label"], bytes.fromhex(step["data"]))
    assert transcript.state.hex() == case["h_absorbed"]
    challenge = transcript.challenge(case["challenge_label"])
    assert scalar_to_bytes(challenge).hex() == case["challenge"]
    assert transcript.state.hex() == case["h_end"]


def test_5_4_lengths_keep_histories_apart() -> None:
    histories = [
        [("a", b"bc")],
        [("ab", b"c")],
        [("a", b"b"), ("c", b"")],
        [("a", b""), ("b", b"c")],
    ]
    states = set()
    for history in histories:
        transcript = Transcript("test")
        for label, data in history:
            transcript.absorb(label, data)
        states.add(transcript.state)
    assert len(states) == len(histories)


def test_5_4_one_challenge_changes_the_next() -> None:
    transcript = Transcript("test")
    assert len({transcript.challenge("w") for _ in range(4)}) == 4


def test_5_5_a_challenge_of_zero_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nobody knows an input whose hash is zero mod q, so the hash itself is bent here.
    monkeypatch.setattr(module, "reduce", lambda _: 0)
    with pytest.raises(PointError):
        Transcript("test").challenge("x")


def test_weights_are_bound_to_transcript_and_proof() -> None:
    one, two = Transcript("one"), Transcript("two")
    sets = [one.weights(b"a", 4), one.weights(b"b", 4), two.weights(b"a", 4)]
    assert len({weight for weights in sets for weight in weights}) == 12
    assert one.weights(b"a", 4) == sets[0]
    assert all(0 < weight < Q for weights in sets for weight in weights)


def test_5_5_secret_numbers_depend_on_each_source_and_do_not_repeat() -> None:
    base, other = Transcript.start("equality", PLACE), Transcript.start("shuffle", PLACE)
    streams = [
        SecretNumbers(5, base, steady("a")).draws(3),
        SecretNumbers(6, base, steady("a")).draws(3),
        SecretNumbers(5, other, steady("a")).draws(3),
        SecretNumbers(5, base, steady("b")).draws(3),
    ]
    assert len({number for stream in streams for number in stream}) == 12
    assert SecretNumbers(5, base, steady("a")).draws(3) == streams[0]


def test_5_5_numbers_are_fixed_by_the_statement_at_the_start() -> None:
    transcript = Transcript("test")
    numbers = SecretNumbers(5, transcript, steady("a"))
    before = numbers.draw()
    transcript.absorb("c1", b"later")
    again = SecretNumbers(5, Transcript("test"), steady("a"))
    assert [before, numbers.draw()] == again.draws(2)


def test_5_4_every_part_of_the_place_counts() -> None:
    places = [
        PLACE,
        Place(bytes([1]) + bytes(31), PLACE.body, PLACE.key),
        Place(PLACE.prev, b"{ }", PLACE.key),
        Place(PLACE.prev, PLACE.body, bytes(32)),
    ]
    states = sorted(Transcript.start("equality", place).state for place in places)
    assert all(left != right for left, right in pairwise(states))
