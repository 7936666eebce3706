"""Events of YAML -> tree of strings, refusing all that is not of the subset (protocol 1 and 10).

Every limit is checked when a node begins, before it is put into the tree; the tree so far is thus
always one that the protocol allows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from mbp.canonical import Tree
from mbp.errors import FormatError
from mbp.gamefile.place import Path, refuse, shown

MAX_NODES = 200_000  # maps, lists and scalars; keys not counted
MAX_DEPTH = 31  # maps and lists around one another

KEY = re.compile(r"[A-Za-z_0-9:.]+")
SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass
class _Open:
    """A map or list whose end has not come; in a map, the key whose value comes next."""

    node: dict[str, Tree] | list[Tree]
    path: Path
    key: str | None = None

    @property
    def at_key(self) -> bool:
        return isinstance(self.node, dict) and self.key is None

    @property
    def next(self) -> Path:
        """The place of the next child (of the map itself where a key comes next)."""
        if isinstance(self.node, list):
            return (*self.path, len(self.node))
        return self.path if self.key is None else (*self.path, self.key)


class TreeBuilder:
    """Takes the events of a file one by one; `finish` hands out the tree."""

    def __init__(self) -> None:
        self._root: Tree | None = None
        self._open: list[_Open] = []
        self._nodes = 0
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        """Takes the next event. Raises FormatError."""
        if isinstance(event, yaml.NodeEvent):
            self._refuse_marks(event)
            if isinstance(event, yaml.ScalarEvent):
                self._scalar(event.value)
            else:
                self._start({} if isinstance(event, yaml.MappingStartEvent) else [])
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise FormatError("more than one document")
            if event.version or event.tags:
                raise FormatError("a directive")

    def finish(self) -> Tree:
        """The tree, a map at its root. Raises FormatError for any other."""
        if not isinstance(self._root, dict):
            raise FormatError("the document is no map")
        return self._root

    @property
    def _path(self) -> Path:
        return self._open[-1].next if self._open else ()

    def _refuse_marks(self, event: yaml.NodeEvent) -> None:
        if isinstance(event, yaml.AliasEvent):
            refuse(self._path, "an alias")
        if event.anchor is not None:
            refuse(self._path, "an anchor")
        # `!` alone is a tag too: it says that the scalar is a string, as here every scalar is.
        if getattr(event, "tag", None) is not None:
            refuse(self._path, "a tag")

    def _scalar(self, value: str) -> None:
        if self._open and self._open[-1].at_key:
            self._key(self._open[-1], value)
            return
        # An escape can name half of a surrogate pair, which has no bytes in UTF-8.
        if SURROGATE.search(value):
            refuse(self._path, "half of a surrogate pair")
        self._place(value)

    def _key(self, level: _Open, name: str) -> None:
        if name == "<<":
            refuse(level.path, "a merge key")
        if not KEY.fullmatch(name):
            refuse(level.path, f"not a key: {shown(name)}")
        if name in level.node:
            refuse((*level.path, name), "duplicate key")
        level.key = name

    def _start(self, node: dict[str, Tree] | list[Tree]) -> None:
        path = self._path
        if self._open and self._open[-1].at_key:
            refuse(path, "a key that is no scalar")
        if len(self._open) == MAX_DEPTH:
            refuse(path, f"more than {MAX_DEPTH} levels")
        self._place(node)
        self._open.append(_Open(node, path))

    def _end(self) -> None:
        level = self._open.pop()
        if not level.node:
            refuse(level.path, "empty")

    def _place(self, node: Tree) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise FormatError(f"more than {MAX_NODES} maps, lists and scalars")
        if not self._open:
            self._root = node
            return
        level = self._open[-1]
        if isinstance(level.node, list):
            level.node.append(node)
        elif level.key is not None:
            level.node[level.key] = node
            level.key = None
