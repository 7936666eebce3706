"""The error boundary: what an exception means for the exit code, and how it is said.

`mbp: what happened`, then `hint: what to type next`, on standard error; no traceback unless
MBP_DEBUG is set.
"""

from __future__ import annotations

import re
import shlex
import traceback

from mbp.cli.session import Session
from mbp.errors import (
    ForkError,
    FormatError,
    KeyringError,
    MbpError,
    NoSuchGameError,
    PostError,
    TurnError,
    VerificationError,
)

UNEXPECTED, USAGE, ILLEGAL, PIPE_CLOSED, INTERRUPTED = 1, 2, 5, 141, 130

# FILE in a hint is the game at hand; an invitation to join is another one.
NAMED = re.compile(r"(?<!join )\bFILE\b")

# commands.md, the table of exits; the first class that fits counts.
EXITS: tuple[tuple[type[MbpError], int, str], ...] = (
    (FormatError, 3, "ask for the file again: it came damaged, or is none of mbp's"),
    (VerificationError, 4, "mbp audit FILE tells more; do not play on from this file"),
    (TurnError, ILLEGAL, "see whose turn it is: mbp show FILE"),
    (KeyringError, 6, ""),
    (PostError, 7, ""),
    (ForkError, 8, ""),
    (NoSuchGameError, 3, "name a game file, the first digits of a game id, or an opponent"),
    (MbpError, UNEXPECTED, ""),
)


def report(failure: Exception, session: Session) -> int:
    """Says what went wrong and returns the exit code."""
    if session.terminal.environ.get("MBP_DEBUG"):
        session.terminal.stderr.write("".join(traceback.format_exception(failure)))
    code, message, hint = _explain(failure)
    session.terminal.say(f"mbp: {message}")
    if hint:
        subject = shlex.quote(session.subject)
        session.terminal.say(f"hint: {NAMED.sub(lambda found: subject, hint)}")
    return code


def _explain(failure: Exception) -> tuple[int, str, str]:
    """Exit code, message and hint."""
    from mbp.desk.choices import OptionError
    from mbp.rules.contract import AmbiguousMoveError, GameError

    if isinstance(failure, OptionError):
        return USAGE, str(failure), failure.hint
    for kind, code, hint in EXITS:
        if isinstance(failure, kind):
            return code, str(failure), failure.hint or hint
    if isinstance(failure, AmbiguousMoveError):
        return ILLEGAL, str(failure), "say which one"
    if isinstance(failure, GameError):
        return ILLEGAL, str(failure), "see what can be played: mbp moves FILE"
    if isinstance(failure, OSError) and failure.strerror:
        where = f" {failure.filename}" if failure.filename else ""
        return UNEXPECTED, f"{failure.strerror.lower()}{where}", ""
    words = f"unexpected {type(failure).__name__}: {failure}".splitlines()[0]
    return UNEXPECTED, words, "set MBP_DEBUG=1 and try again to see where"
