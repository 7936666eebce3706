"""Trees that several commands print as JSON; docs/json.md describes them."""

from __future__ import annotations

from typing import Any

from mbp.audit import Finding
from mbp.rules.contract import Outcome


def outcome_tree(outcome: Outcome | None) -> dict[str, Any] | None:
    """An outcome, None while the match is open."""
    if outcome is None:
        return None
    return {
        "termination": outcome.termination,
        "winner": outcome.winner,
        "scores": list(outcome.scores),
    }


def finding_tree(finding: Finding) -> dict[str, Any]:
    """What does not hold, and where (protocol 11)."""
    return {
        "check": finding.check,
        "seq": finding.seq,
        "author": finding.author,
        "reason": finding.reason,
    }
