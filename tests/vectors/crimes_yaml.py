"""Tricks with YAML: files that two readers could take for two things (protocol 1, 10; check 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.vectors.vector import Vector, of_bytes

VERSION = 'mbp: "1"\n'
END = '  outcome: "open"\n'  # the last line of the file, in the summary

# name: (crime, what stands instead of the line with the version, reason)
AT_THE_TOP = {
    "anchor": ("an anchor", 'mbp: &one "1"\n', "an anchor"),
    "alias": ("an alias", "mbp: *one\n", "an alias"),
    "tag": ("a tag", 'mbp: !!str "1"\n', "a tag"),
    "tag-without-name": ("the tag that means a string", 'mbp: ! "1"\n', "a tag"),
    "merge-key": ("a merge key", VERSION + '<<: {mbp: "1"}\n', "a merge key"),
    "duplicate-key": ("a key that stands twice", VERSION + VERSION, "duplicate key"),
    "unknown-key": ("a key that no file has", VERSION + 'lang: "en"\n', "unknown key"),
    "missing-key": ("a file without version", "", "missing"),
    "version-2": ("a file of a later version", 'mbp: "2"\n', "unknown version"),
    "version-list": ("a list for a scalar", "mbp: [1]\n", "not a scalar"),
    "two-documents": ("a document before", "a: b\n---\n" + VERSION, "more than one document"),
    "byte-order-mark": ("a byte order mark", "\ufeff" + VERSION, "a byte order mark"),
    "directive-yaml": ("a directive", "%YAML 1.1\n---\n" + VERSION, "a directive"),
    "directive-tag": ("a directive for tags", "%TAG ! !a\n---\n" + VERSION, "a directive"),
    "directive-unknown": ("a directive that is none", "%MBP 1\n---\n" + VERSION, "a directive"),
    "not-utf-8": ("a byte that is no UTF-8", "# \udcff\n" + VERSION, "not UTF-8 at byte 2"),
    "next-line": ("a line break of YAML 1.1 only", "#\x85\n" + VERSION, "character U+0085"),
    "line-separator": ("a line separator", "#\u2028\n" + VERSION, "character U+2028"),
    "control-character": ("a control character", "# \x07\n" + VERSION, "character U+0007"),
    "quote-left-open": ("no YAML at all", 'mbp: "1\n', "not YAML"),
    "disclosed-empty": ("a map that is empty", VERSION + "disclosed: {}\n", "empty"),
    "settled-empty": ("a list that is empty", VERSION + "settled: []\n", "empty"),
    "settled-map": ("a map for a list", VERSION + "settled: {a: b}\n", "not a list"),
    "disclosed-scalar": ("a scalar for a map", VERSION + "disclosed: a\n", "not a map"),
}

# name: (crime, what follows the summary's last line, reason)
AT_THE_END = {
    "key-with-space": ("a key outside the alphabet of keys", '  "a b": c\n', "not a key"),
    "key-that-is-a-map": ("a map as a key", "  ? {a: b}\n  : c\n", "a key that is no scalar"),
    "too-deep": ("32 levels", f"  a: {30 * '['}b{30 * ']'}\n", "more than 31 levels"),
}

# name: (crime, where, what, times, reason)
TOO_MUCH: dict[str, tuple[str, str, str, int, str]] = {
    "too-many-scalars": (
        "more than 200,000 scalars", END + "  a: [b@]\n", ", b", 200_000, "more than 200000"
    ),
    "too-large": ("more than 4 MiB", END + "# @\n", 63 * "x" + " ", 65_536, "more than 4194304"),
}  # fmt: skip


def vectors() -> Iterator[Vector]:
    """All of this page."""
    for name, (crime, put, reason) in AT_THE_TOP.items():
        yield of_bytes(f"yaml-{name}", crime, 1, reason, change(VERSION, put))
    for name, (crime, put, reason) in AT_THE_END.items():
        yield of_bytes(f"yaml-{name}", crime, 1, reason, change(END, END + put))
    for name, (crime, put, piece, times, reason) in TOO_MUCH.items():
        filled = {"find": "@", "put": piece, "times": times}
        yield of_bytes(f"yaml-{name}", crime, 1, reason, change(END, put), filled)
    too_many = {"find": "log:\n", "put": "@log:\n"}
    items = {"find": "@log:\n", "put": "log:\n@"}
    filled = {"find": "@", "put": "- a\n", "times": 5_001}
    yield of_bytes(
        "yaml-too-many-entries", "5,001 entries and more", 1, "more than 5000 entries",
        too_many, items, filled,
    )  # fmt: skip
    whole = {"put": "- a\n"}
    yield of_bytes("yaml-list", "a list for the whole file", 1, "the document is no map", whole)


def change(find: str, put: str) -> dict[str, Any]:
    """An edit of bytes."""
    return {"find": find, "put": put}
