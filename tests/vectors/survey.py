"""Which step refuses which vector, and which vectors get through once that step is switched off."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

from mbp import gamefile
from mbp.audit import audit
from mbp.cards.equality import verify_equality
from mbp.cards.shuffle import verify_shuffle
from mbp.errors import FormatError, VerificationError
from mbp.match import replay
from tests.vectors.patches import BASES, CRIMES, INDEX, built
from tests.vectors.steps import Step, all_steps, step_of, switched_off

# What the program runs into where a step left it without a value to go on with.
STUMBLES = (
    LookupError, TypeError, AttributeError, ValueError, NameError, AssertionError, FormatError
)  # fmt: skip

Claim = Mapping[str, Any]
Finding = tuple[int | None, int | None, str | None, str]


class Once:
    """The same verification, which does not repeat what holds in the good matches.

    Most vectors share the beginning of a good match, whose proofs cost nearly all the time. Of the
    vectors nothing is kept: one may run while a step is switched off.
    """

    def __init__(self, verify: Callable[..., None]) -> None:
        self.verify = verify
        self.held: set[Any] = set()
        self.learning = False

    def __call__(self, place: Any, *rest: Any) -> None:
        statement = (place, *(tuple(part) for part in rest))
        if statement in self.held:
            return
        self.verify(place, *rest)
        if self.learning:
            self.held.add(statement)


SHUFFLE, EQUALITY = Once(verify_shuffle), Once(verify_equality)


@cache
def learn() -> None:
    """Verifies the good matches, once."""
    for proof in (SHUFFLE, EQUALITY):
        proof.learning = True
    for path in sorted(BASES.iterdir()):
        replay(gamefile.load(path.read_bytes()))
    for proof in (SHUFFLE, EQUALITY):
        proof.learning = False


@contextmanager
def proofs_once() -> Iterator[None]:
    """Verifies no proof of the good matches twice."""
    shuffles = patch("mbp.match.pay.verify_shuffle", SHUFFLE)
    equalities = patch("mbp.match.pay.verify_equality", EQUALITY)
    with shuffles, equalities:
        learn()
        yield


@cache
def index() -> dict[str, Claim]:
    """The lines of the index, by name."""
    return {claim["name"]: claim for claim in json.loads(INDEX.read_text("utf-8"))}


@cache
def file_of(name: str) -> bytes:
    """The whole file of a vector."""
    return built(json.loads((CRIMES / f"{name}.json").read_text("utf-8")))


def first_finding(name: str) -> Finding:
    """What an audit finds first in a vector; no check where it finds nothing."""
    findings = audit(name, file_of(name)).findings
    if not findings:
        return None, None, None, ""
    found = findings[0]
    return found.check, found.seq, found.author, found.reason


def gets_through(name: str) -> bool:
    """Whether the crime of a vector is not seen where it should be: later, or never.

    Later is another entry further on, or a later check. The summary of a vector is that of the
    good match and does not count.
    """
    check, seq, _, _ = first_finding(name)
    claim = index()[name]
    if check is None or check > claim["check"]:
        return True
    return seq is not None and claim["seq"] is not None and seq > claim["seq"]


def error_of(name: str) -> BaseException | None:
    """The error with which a vector is refused, with all its causes."""
    try:
        record = gamefile.load(file_of(name))
        match = replay(record)
        for seat, secret in record.disclosed.items():
            match = match.with_disclosed("A" if seat == "A" else "B", secret)
        for item in record.settled:
            match = match.with_settled(item)
    except (FormatError, VerificationError) as error:
        return error
    return None


@cache
def refused_by() -> dict[Step, tuple[str, ...]]:
    """The vectors that each step refuses."""
    found: defaultdict[Step, list[str]] = defaultdict(list)
    for name, claim in index().items():
        error = error_of(name) if claim["check"] else None
        step = step_of(error) if error else None
        if step is not None:
            found[step].append(name)
    return {step: tuple(names) for step, names in found.items()}


def let_through(step: Step) -> str | None:
    """The first vector that gets through without a step, None if none does.

    Some steps guard what comes behind them: without them the program has no value to go on with
    and stumbles. That is no way through.
    """
    for name in refused_by().get(step, ()):
        try:
            with switched_off(step):
                if gets_through(name):
                    return name
        except STUMBLES:
            continue
    return None


@cache
def table() -> dict[str, str]:
    """Each step that can be switched off alone, and a vector that shows it."""
    with proofs_once():
        shown = {step.name: let_through(step) for step in all_steps()}
    return {name: vector for name, vector in shown.items() if vector}
