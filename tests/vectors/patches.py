"""How a vector is stored: as what it changes in a good match, so that one sees the crime alone.

A patch is a map with `base`, the name of a good match beside it, and one of

`tree`    edits of the tree of that match, done in order; the file is then written as JSON, which is
          YAML in the flow style. `{at, to}` puts a value at a place, `{at}` takes it away,
          `{at, cut: [from, to], to}` replaces a piece of a long text, `{at, keep}` shortens a list.
`bytes`   edits of the bytes of that match: `{find, put}` replaces the first place where the text
          stands, `{find, put, times}` puts the text as often, `{put}` replaces the whole file. A
          byte that is no UTF-8 is written as Python does it, as a lone surrogate.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import yaml

HERE = Path(__file__).parent
BASES = HERE / "bases"
CRIMES = HERE / "crimes"
INDEX = HERE / "index.json"

Edit: TypeAlias = Mapping[str, Any]
Path_: TypeAlias = tuple[str | int, ...]

UNPRINTED = re.compile("[\x7f-\x9f\u2028\u2029]")
LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
LONG_TEXT = 200  # characters from which a change in a text is stored as a piece


@cache
def base_bytes(name: str) -> bytes:
    """The file of a good match."""
    return (BASES / f"{name}.mbp.yaml").read_bytes()


@cache
def _base_tree(name: str) -> Any:
    return tidy(yaml.load(base_bytes(name), Loader=LOADER))


def base_tree(name: str) -> Any:
    """The tree of a good match, the caller's own; wrapped binary values are in one piece."""
    return deepcopy(_base_tree(name))


def tidy(tree: Any, name: str = "") -> Any:
    """The tree without the line breaks in its binary values."""
    if isinstance(tree, dict):
        return {key: tidy(value, key) for key, value in tree.items()}
    if isinstance(tree, list):
        return [tidy(value) for value in tree]
    return "".join(tree.split()) if name in ("sig", "points", "proof") else tree


def encoded(tree: Any) -> bytes:
    """The bytes of a tree: JSON on one line, which YAML reads; what YAML forbids is escaped."""
    text = json.dumps(tree, ensure_ascii=False, separators=(", ", ": "))
    return UNPRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode("utf-8")


def built(patch: Mapping[str, Any]) -> bytes:
    """The whole file that a patch stands for."""
    if "bytes" in patch:
        data = base_bytes(patch["base"])
        for edit in patch["bytes"]:
            data = _edited(data, edit)
        return data
    tree = base_tree(patch["base"])
    for edit in patch["tree"]:
        _edit(tree, edit)
    return encoded(tree)


def _edited(data: bytes, edit: Edit) -> bytes:
    put = edit["put"].encode("utf-8", "surrogateescape")
    if "find" not in edit:
        return bytes(put)
    find = edit["find"].encode("utf-8", "surrogateescape")
    if find not in data:
        raise LookupError(f"{find!r} is not in the base")
    return data.replace(find, put * edit.get("times", 1), 1)


def _edit(tree: Any, edit: Edit) -> None:
    *way, last = edit["at"]
    node = tree
    for name in way:
        node = node[name]
    if "keep" in edit:
        del node[last][edit["keep"] :]
    elif "to" not in edit:
        del node[last]
    elif "cut" in edit:
        start, end = edit["cut"]
        node[last] = node[last][:start] + edit["to"] + node[last][end:]
    elif isinstance(node, list) and last == len(node):
        node.append(edit["to"])
    else:
        node[last] = edit["to"]


def edits(old: Any, new: Any, at: Path_ = ()) -> Iterator[dict[str, Any]]:
    """The edits that make one tree of the other."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in old:
            if name not in new:
                yield {"at": [*at, name]}
        for name, value in new.items():
            if name in old:
                yield from edits(old[name], value, (*at, name))
            else:
                yield {"at": [*at, name], "to": value}
    elif isinstance(old, list) and isinstance(new, list):
        if len(new) < len(old):
            yield {"at": list(at), "keep": len(new)}
        for place, value in enumerate(new):
            if place < len(old):
                yield from edits(old[place], value, (*at, place))
            else:
                yield {"at": [*at, place], "to": value}
    elif old != new:
        yield {"at": list(at), **_piece(old, new)}


def _piece(old: Any, new: Any) -> dict[str, Any]:
    """The value, or the piece of a long text between what did not change."""
    if not (isinstance(old, str) and isinstance(new, str) and min(len(old), len(new)) > LONG_TEXT):
        return {"to": new}
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    piece = new[head : len(new) - tail]
    if len(piece) > len(new) // 2:
        return {"to": new}
    return {"cut": [head, len(old) - tail], "to": piece}


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """The length of the common beginning."""
    pairs = zip(one, two, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(two)))


def dumped(tree: Any) -> bytes:
    """A stored tree for people: JSON with line breaks."""
    return (json.dumps(tree, indent=1) + "\n").encode("ascii")
