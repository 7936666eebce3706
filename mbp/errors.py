"""Every exception that leaves mbp, but for GameError and its kinds (rules/contract.py).

An error never prints and never exits: one boundary in `cli` maps its class to an exit code.
Messages are lower case, without full stop, and name the offending value and the place.
"""

from __future__ import annotations


class MbpError(Exception):
    """A failure with a message for people; `hint` is one imperative next step, or empty."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class FormatError(MbpError):
    """The bytes are not a game file (check 1 of protocol 11); `path` is the place in the tree."""

    check = 1

    def __init__(
        self, message: str, *, path: str = "", seq: int | None = None, hint: str = ""
    ) -> None:
        super().__init__(f"{path}: {message}" if path else message, hint=hint)
        self.path = path
        self.seq = seq


class UnsupportedVersionError(FormatError):
    """A game file of a version, or of rules, that this program does not know."""


class VerificationError(MbpError):
    """An entry does not hold: which one (`seq`), who wrote it, which check of protocol 11."""

    check = 0

    def __init__(self, reason: str, *, seq: int | None = None, author: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.seq = seq
        self.author = author

    def __str__(self) -> str:
        if self.seq is None:
            return self.reason
        return f"entry {self.seq} by {self.author}: {self.reason} (check {self.check})"


class ChainError(VerificationError):
    """Check 2: seq, prev, game id, time."""

    check = 2


class SignatureError(VerificationError):
    """Check 3: players, keys, coins, signatures."""

    check = 3


class PenError(VerificationError):
    """Check 4: the pen, claims, offers, vacations."""

    check = 4


class ProofError(VerificationError):
    """Check 5: masks and their shuffle proofs."""

    check = 5


class CardError(VerificationError):
    """Check 6: gives, opens, equality proofs."""

    check = 6


class RuleViolation(VerificationError):  # noqa: N818 - the house's word for it
    """Check 7: a move in a received file that the rules of the game do not allow."""

    check = 7


class OwedError(VerificationError):
    """Check 8: less or more than was owed."""

    check = 8


class ExtrasError(VerificationError):
    """Check 10: disclosed secrets, settlements, summary."""

    check = 10


class ForkError(MbpError):
    """Two histories of one game; both lie in the home as evidence."""


class TurnError(MbpError):
    """The pen is not mine, or what I want is not possible now."""


class KeyringError(MbpError):
    """A key, a passphrase, a contact or an answer is missing or does not fit."""


class PostError(MbpError):
    """Mail or git failed; the move is kept."""


class NoSuchGameError(MbpError):
    """What the user named is no game file, or fits none or several of the games folder."""


class UnsureError(KeyringError):
    """Only the owner can tell whether this is the newest state of the match (protocol 4.3)."""
