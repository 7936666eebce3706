"""Trees and bytes of game files for the tests of the format.

Trees are read here by PyYAML's loader that knows strings only, not by the code under test, and
written as JSON, which is YAML in the flow style with double quotes.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from mbp.errors import FormatError
from mbp.gamefile import load

DATA = Path(__file__).parent.parent / "data"
MANDALA_FILES = (
    DATA / "matches" / "mandala-random.mbp.yaml",
    DATA / "matches" / "mandala-reshuffle.mbp.yaml",
)
FILES = (*MANDALA_FILES, DATA / "matches" / "patterns-random.mbp.yaml")
ID = "ab" * 32
SIGNATURE = b64encode(bytes(64)).decode()
POINT = b64encode(bytes(32)).decode()
REMOVED = object()
RAW = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")

Step = str | int


def strings(data: bytes) -> Any:
    """The tree of a file as PyYAML reads it."""
    return yaml.load(data, Loader=yaml.BaseLoader)


@cache
def _match() -> Any:
    return strings(MANDALA_FILES[1].read_bytes())


def example() -> dict[str, Any]:
    """A tree with every field: a real match, cut after five entries, and some that it lacks."""
    match = _match()
    tree: dict[str, Any] = deepcopy({**match, "log": match["log"][:5]})
    for entry in tree["log"]:
        if "mask" in entry.get("cards", {}):
            for name, value in entry["cards"]["mask"].items():
                entry["cards"]["mask"][name] = "".join(value.split())
    invitation = tree["log"][0]
    invitation["guest"] = tree["log"][1]["player"]["key"]
    invitation["options"]["vacation"] = "14"
    invitation["player"]["mail"] = "anna@example.org"
    tree["log"][3].update(note="Schön, 良い 🙂", offer="abort")
    tree["settled"] = [{"by": "B", "keep": ID, "drop": "cd" * 32, "sig": SIGNATURE}]
    return tree


def encoded(tree: Any) -> bytes:
    """The bytes of a tree, as JSON in which what YAML forbids is escaped."""
    text = json.dumps(tree, ensure_ascii=False)
    return RAW.sub(lambda found: f"\\u{ord(found[0]):04X}", text).encode("utf-8")


def changed(*path: Step, to: Any) -> dict[str, Any]:
    """The example with another value at a place, or with none there (`REMOVED`)."""
    tree = example()
    node: Any = tree
    for step in path[:-1]:
        node = node[step]
    if to is REMOVED:
        del node[path[-1]]
    else:
        node[path[-1]] = deepcopy(to)
    return tree


def pruned(tree: Any) -> Any:
    """The tree without its empty maps and lists."""
    if isinstance(tree, dict):
        kept = {key: pruned(child) for key, child in tree.items()}
        return {key: child for key, child in kept.items() if child not in ({}, [])}
    if isinstance(tree, list):
        return [child for child in map(pruned, tree) if child not in ({}, [])]
    return tree


def refusal(data: bytes) -> FormatError:
    """The error with which `load` refuses the bytes; fails where it takes them."""
    try:
        record = load(data)
    except FormatError as error:
        return error
    raise AssertionError(f"not refused: {len(record.log)} entries")


def written(path: tuple[Step, ...]) -> str:
    """A place as messages write it."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def accepts(*path: Step, to: Any) -> bool:
    """Whether `load` takes the example with another value at a place; raises if it does not."""
    return load(encoded(changed(*path, to=to))) is not None


def check_refused(path: tuple[Step, ...], to: Any, place: str | None = None) -> None:
    """Asserts that the value is refused as a matter of form, and that the error names the place."""
    error = refusal(encoded(changed(*path, to=to)))
    assert type(error) is FormatError
    assert error.path == (written(path) if place is None else place)
    assert error.seq == (path[1] if path[0] == "log" and len(path) > 1 else None)
