"""Mail addresses: the plain ones that every server takes. Pure."""

from __future__ import annotations

import re
from email.utils import parseaddr

ADDRESS = re.compile(
    r"(?!\.)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,186}[A-Za-z0-9])?"
)
# Dots with nothing before or behind them, and what mail programs would decode (RFC 2047).
NEVER = ("..", ".@", "=?")


def is_address(text: str) -> bool:
    """Whether a text is one mail address, and nothing else."""
    return bool(ADDRESS.fullmatch(text)) and not any(one in text for one in NEVER)


def typed_address(text: str) -> str | None:
    """The address in what somebody typed, `Bob <bob@example.org>` too; None where there is none."""
    if text.isprintable():
        found = parseaddr(text)[1] if text.rstrip().endswith(">") else text.strip()
        return found if is_address(found) else None
    return None
