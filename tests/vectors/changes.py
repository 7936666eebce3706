"""Changes of an entry's tree, which `forging` proves and signs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Tree = dict[str, Any]
Path = tuple[str | int, ...]
Change = Callable[[Tree], object]
GONE = object()


def nothing(tree: Tree) -> None:
    """Changes nothing."""


def put(path: Path, value: Any) -> Change:
    """Another value at one place, or with `GONE` none."""

    def change(tree: Tree) -> None:
        node: Any = tree
        for name in path[:-1]:
            node = node[name]
        if value is GONE:
            del node[path[-1]]
        else:
            node[path[-1]] = value

    return change


def added(what: str, claims: Mapping[str, str]) -> Change:
    """More gives or opens, or others."""

    def change(tree: Tree) -> None:
        tree["cards"].setdefault(what, {}).update(claims)

    return change
