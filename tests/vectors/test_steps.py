"""Each verification step, switched off, lets a vector through; so every one of them is needed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

import pytest

from mbp import curve
from mbp.audit import SUMMARY_CHECKED
from mbp.canonical import canonical
from mbp.cards import equality
from mbp.cards.transcript import Place, Transcript
from mbp.chain import Entry
from tests.cards.plain import Affine, encode, plain_mult, plain_x, torsion
from tests.vectors.generate import STEPS
from tests.vectors.layers import LAYERED, NOT_FOR_FILES
from tests.vectors.patches import HERE
from tests.vectors.steps import all_steps
from tests.vectors.survey import first_finding, gets_through, index, refused_by


def known() -> set[str]:
    """The names of all steps that a file can come to."""
    return {step.name for step in all_steps() if step.name.partition(":")[0] not in NOT_FOR_FILES}


def test_every_step_is_shown_by_a_vector_or_named_as_a_layer() -> None:
    # The stored table is the one of this source: test_made_anew_the_vectors_are_the_same_bytes.
    stored = json.loads((HERE / STEPS).read_bytes())
    assert known() - set(stored) == LAYERED


def test_what_no_file_comes_to_refuses_no_vector() -> None:
    reached = {step.name.partition(":")[0] for step in refused_by()}
    assert not reached & NOT_FOR_FILES


def test_most_layers_refuse_a_vector_too() -> None:
    reached = {step.name for step in refused_by()}
    assert len(LAYERED & reached) >= 45


def test_every_vector_of_checks_1_to_8_is_refused_by_a_step() -> None:
    named = {name for names in refused_by().values() for name in names}
    crimes = {name for name, claim in index().items() if claim["check"] not in (None, 10)}
    # An act of a good act's name that is no act: the library's own error is all there is.
    assert crimes - named <= {"yaml-quote-left-open", "yaml-not-utf-8"}


# What is no statement that refuses: an equation under weights, a library's test, a comparison.


def flat_statement(place: Place, pairs: Any) -> tuple[Transcript, list[int]]:
    """The statement of an equality proof, with weights of 1."""
    transcript = Transcript.start("equality", place)
    for x, y in pairs:
        transcript.absorb("pair", x + y)
    return transcript, [1 for _ in pairs if transcript.challenge("w")]


def test_6_3_without_weights_errors_cancel() -> None:
    with patch.object(equality, "_statement", flat_statement):
        assert gets_through("cards-points-cancel")


@pytest.mark.parametrize("name", ["ce-cd", "T-U", "ce-T"])
def test_6_4_without_weights_errors_cancel(name: str) -> None:
    with patch.object(Transcript, "weights", lambda *_: (1, 1, 1, 1)):
        assert gets_through(f"shuffle-cancel-{name}")


class LooseLibrary:
    """libsodium before its points were tested: it multiplies whatever is on the curve."""

    def __getattr__(self, name: str) -> Any:
        return getattr(REAL, name)

    def crypto_core_ed25519_is_valid_point(self, point: bytes) -> int:
        return 1

    def crypto_scalarmult_ed25519_noclamp(self, out: Any, number: bytes, point: bytes) -> int:
        if REAL.crypto_core_ed25519_is_valid_point(point) == 1:
            return int(REAL.crypto_scalarmult_ed25519_noclamp(out, number, point))
        y = int.from_bytes(point, "little")
        x = plain_x(y & (2**255 - 1))
        assert x is not None
        affine: Affine = (-x % (2**255 - 19) if y >> 255 else x, y & (2**255 - 1))
        SODIUM.ffi.memmove(out, encode(plain_mult(int.from_bytes(number, "little"), affine)), 32)
        return 0


SODIUM: Any = curve  # its library is no part of what it exports
REAL = SODIUM.lib


def test_5_without_the_librarys_test_a_point_outside_the_subgroup_passes() -> None:
    assert len({encode(point) for point in torsion()}) == 8
    with patch.object(curve, "lib", LooseLibrary()):
        assert gets_through("cards-point-bent")


def without_note(entry: Entry) -> bytes:
    """The body of an entry, but for its note."""
    cards = {name: value for name, value in entry.cards.items() if name != "proof"}
    if "mask" in cards:
        cards["mask"] = {name: text for name, text in cards["mask"].items() if name != "proof"}
    tree: Mapping[str, Any] = {**entry.tree, **({"cards": cards} if cards else {})}
    return canonical({name: value for name, value in tree.items() if name not in ("sig", "note")})


@pytest.mark.parametrize("name", ["equality-of-another-text", "shuffle-of-another-text"])
def test_5_4_a_proof_that_does_not_absorb_the_whole_entry_can_be_moved(name: str) -> None:
    with patch.object(Entry, "body", property(without_note)):
        assert gets_through(name)


def summary_without(field: str) -> AbstractContextManager[Any]:
    """An audit that does not look at one field of the summary."""
    rest = tuple(name for name in SUMMARY_CHECKED if name != field)
    return patch("mbp.audit.SUMMARY_CHECKED", rest)


@pytest.mark.parametrize("field", SUMMARY_CHECKED)
def test_10_field_of_the_summary_that_is_not_compared_may_say_anything(field: str) -> None:
    assert first_finding(f"summary-{field}")[0] == 10
    with summary_without(field):
        assert first_finding(f"summary-{field}")[0] is None
