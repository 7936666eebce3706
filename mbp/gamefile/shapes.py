"""Shapes of values, and how to put shapes together (protocol 1).

A shape is a function: it takes a value of the tree and its place and returns the value as a record
holds it (binary values without white space), or raises FormatError. No shape believes anything, and
none makes a number of a text of unbounded length.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from mbp.errors import FormatError
from mbp.gamefile.place import Path, refuse, shown
from mbp.keys import parse_key
from mbp.times import parse_time

Shape: TypeAlias = Callable[[Any, Path], Any]

WHITE = re.compile(r"[ \t\r\n]+")  # dropped in binary values (protocol 1.3)
UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # Cc, Cs, Zl, Zp


def scalar(value: Any, path: Path) -> str:
    """Any string."""
    if not isinstance(value, str):
        refuse(path, "not a scalar")
    return value


def pattern(expression: str, what: str) -> Shape:
    """A string that matches as a whole."""
    compiled = re.compile(expression)

    def shape(value: Any, path: Path) -> str:
        if not compiled.fullmatch(scalar(value, path)):
            refuse(path, f"not {what}: {shown(value)}")
        return str(value)

    return shape


def one_of(*values: str) -> Shape:
    """One of these strings."""

    def shape(value: Any, path: Path) -> str:
        if scalar(value, path) not in values:
            refuse(path, f"{shown(value)} is not {' or '.join(values)}")
        return str(value)

    return shape


def text(limit: int | None = None) -> Shape:
    """Free text of 1 to `limit` code points (protocol 1.2), None: of as many as a file can have."""

    def shape(value: Any, path: Path) -> str:
        if not scalar(value, path):
            refuse(path, "empty")
        if limit is not None and len(value) > limit:
            refuse(path, f"more than {limit} characters")
        if found := UNWRITABLE.search(value):
            refuse(path, f"forbidden character U+{ord(found[0]):04X}")
        return str(value)

    return shape


def binary(unit: int, many: bool = False) -> Shape:
    """Base64 of `unit` bytes, or of one or more such units; white space goes (protocol 1.3)."""

    def shape(value: Any, path: Path) -> str:
        packed = WHITE.sub("", scalar(value, path))
        try:
            data = b64decode(packed, validate=True)
        except ValueError:
            refuse(path, f"not base64: {shown(packed)}")
        # Spare bits that are not zero would give one value several spellings, hence several ids.
        if b64encode(data).decode("ascii") != packed:
            refuse(path, f"base64 that does not re-encode to itself: {shown(packed)}")
        if not data or len(data) % unit or (len(data) > unit and not many):
            refuse(path, f"{len(data)} bytes, not {'a multiple of ' * many}{unit}")
        return packed

    return shape


def time(value: Any, path: Path) -> str:
    """A time (protocol 1.4)."""
    try:
        parse_time(scalar(value, path))
    except ValueError:
        refuse(path, f"not a time like 2026-11-30T12:00:00Z: {shown(value)}")
    return str(value)


def public_key(value: Any, path: Path) -> str:
    """The text of an identity key; its point is check 3 (protocol 3.1)."""
    try:
        parse_key(scalar(value, path))
    except FormatError:
        refuse(path, f"not an ssh-ed25519 key of 80 characters: {shown(value)}")
    return str(value)


def mapping(value: Any, path: Path) -> dict[str, Any]:
    """Any map."""
    if not isinstance(value, dict):
        refuse(path, "not a map")
    return value


def check_keys(
    value: Any, path: Path, required: Collection[str], allowed: Collection[str]
) -> dict[str, Any]:
    """The map again if it has all keys of `required` and none outside `allowed` (protocol 1.5)."""
    for name in mapping(value, path):
        if name not in allowed:
            refuse((*path, name), "unknown key")
    for name in required:
        if name not in value:
            refuse((*path, name), "missing")
    return dict(value)


def fields(required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """A map with exactly these keys, but that those of `optional` may be left out."""
    shapes = {**required, **(optional or {})}

    def shape(value: Any, path: Path) -> dict[str, Any]:
        tree = check_keys(value, path, required, shapes)
        return {name: shapes[name](child, (*path, name)) for name, child in tree.items()}

    return shape


def each(key: Shape, child: Shape) -> Shape:
    """A map whose keys are data too."""

    def shape(value: Any, path: Path) -> dict[str, Any]:
        return {
            key(name, (*path, name)): child(item, (*path, name))
            for name, item in mapping(value, path).items()
        }

    return shape


def items(child: Shape) -> Shape:
    """A list of such values, as a tuple."""

    def shape(value: Any, path: Path) -> tuple[Any, ...]:
        if not isinstance(value, list):
            refuse(path, "not a list")
        return tuple(child(item, (*path, index)) for index, item in enumerate(value))

    return shape
