"""A tree of strings <-> the one byte string that is hashed and signed (protocol 1.2).

RFC 8785 for trees of maps, lists and strings; there are no numbers, so this is JSON without spaces,
keys sorted, and no escapes beyond those that JSON demands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Tree: TypeAlias = "str | Sequence[Tree] | Mapping[str, Tree]"


def canonical(tree: Tree) -> bytes:
    """The canonical bytes of a tree (RFC 8785).

    Keys are ASCII (protocol 1.1), so code point order is the UTF-16 order that RFC 8785 asks for.
    """
    text = json.dumps(tree, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")
