"""What two names have in common that look alike. A name is never who somebody is: the key is."""

from __future__ import annotations

import re
import unicodedata

# What Unicode calls default ignorable: a name looks the same with and without it.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
BLANK = str.maketrans("\u2800", " ")  # a pattern of no dots is none of Unicode's spaces


def alike(name: str) -> str:
    """What two names have in common that look alike: letters, not width, case, spaces, or more."""
    bare = INVISIBLE.sub("", unicodedata.normalize("NFKC", name)).casefold()
    return " ".join(unicodedata.normalize("NFKC", bare).translate(BLANK).split())
