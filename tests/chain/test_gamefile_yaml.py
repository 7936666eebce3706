"""Check 1 of protocol 11, first part: size, UTF-8, the subset of YAML, its limits (protocol 1, 10).

Each case runs with the loader over libyaml and with the one in pure Python.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from mbp.errors import FormatError
from mbp.gamefile.reader import MAX_SIZE, read_tree
from tests.chain.gamefile_examples import FILES, encoded, example, refusal, strings

LOADERS = [yaml.CBaseLoader, yaml.BaseLoader]


@pytest.fixture(params=LOADERS, ids=["libyaml", "python"])
def loader(request: pytest.FixtureRequest) -> Any:
    return request.param


def refused(data: bytes, loader: Any) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read_tree(data, loader)
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "a: b",
        "a: b\n",
        "a: b\r\n",
        "a: b\r",
        "# a comment\n\n---\na: b # another\n...\n# a third\n",
        "--- {a: b}",
        "a:\n  b\n",
        "a:    b   ",
        "a: 'b'",
        'a: "b"',
        '"a": "\\x62"',
        "'a': b",
        "? a\n: b",
        "? 'a'\n:   b",
        "a: |-\n  b\n",
        "a: >-\n  b\n",
        "a: |2-\n  b\n",
        "{a: b}",
        '{"a":b,}',
        "{a: b,\n\n  # comment\n}",
    ],
)
def test_10_any_style_of_the_subset_is_read(text: str, loader: Any) -> None:
    assert read_tree(text.encode(), loader) == {"a": "b"}


@pytest.mark.parametrize(
    "text",
    [
        "", "~", "null", "yes", "NO", "1", "0x1F", "1_000", "1.5", ".inf", "-.nan", "12:30:45",
        "2026-11-30", "2026-11-30T12:00:00Z", "=", "<<", "1e3", "-1", "+1", "007", "0o17",
    ],
)  # fmt: skip
def test_10_every_scalar_is_a_string_whatever_it_looks_like(text: str, loader: Any) -> None:
    item = text or "''"
    tree = {"a": text, "b": [text]}
    assert read_tree(f"a: {text}\nb: [{item}]\n".encode(), loader) == tree


def test_10_keys_are_strings_too(loader: Any) -> None:
    data = b"{1: a, 0:10: b, yes: c, null: d, 1.0: e, 'f': g, _: h, A.b: i}"
    keys = ["1", "0:10", "yes", "null", "1.0", "f", "_", "A.b"]
    assert list(read_tree(data, loader)) == keys


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: &x b", "an anchor"),
        ("&x a: b", "an anchor"),
        ("a: &x [b]", "an anchor"),
        ("a: &x {b: c}", "an anchor"),
        ("&x {a: b}", "an anchor"),
        ("a: &x b\nc: *x", "an anchor"),
        ("a: *x", "an alias"),
        ("*x : b", "an alias"),
        ("a: [*x]", "an alias"),
        ("a: ! b", "a tag"),
        ("a: !!str b", "a tag"),
        ("a: !!binary Yg==", "a tag"),
        ("a: !<tag:yaml.org,2002:str> b", "a tag"),
        ("a: !x b", "a tag"),
        ("a: !!python/object/apply:os.system [ls]", "a tag"),
        ("a: !!map {b: c}", "a tag"),
        ("a: !!seq [b]", "a tag"),
        ("!!map {a: b}", "a tag"),
        ("!!str a: b", "a tag"),
        ("? !x a\n: b", "a tag"),
        ("%YAML 1.1\n---\na: b", "a directive"),
        ("%YAML 1.2\n---\na: b", "a directive"),
        ("%TAG ! tag:x,2000:\n---\na: b", "a directive"),
        ("%FOO bar\n---\na: b", "a directive"),
        ("# comment\n\n%FOO bar\n---\na: b", "a directive"),
        ("a: b\n---\nc: d", "more than one document"),
        ("--- {a: b}\n--- {a: b}", "more than one document"),
        ("a: b\n...\n---\n", "more than one document"),
        ("a: b\n--- ", "more than one document"),
        ("<<: {a: b}", "a merge key"),
        ("a: {<<: [{b: c}]}", "a merge key"),
        ("", "the document is no map"),
        ("# nothing", "the document is no map"),
        ("---", "the document is no map"),
        ("a", "the document is no map"),
        ("- a", "the document is no map"),
        ("[{a: b}]", "the document is no map"),
        ("? [a]\n: b", "a key that is no scalar"),
        ("? {a: b}\n: c", "a key that is no scalar"),
        ("{[a]: b}", "a key that is no scalar"),
        ("a: {{b: c}: d}", "a key that is no scalar"),
    ],
)
def test_10_what_the_subset_lacks(text: str, reason: str, loader: Any) -> None:
    assert str(refused(text.encode(), loader)).endswith(reason)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a: b\na: b", "a"),
        ("a: b\nc: d\n'a': b", "a"),
        ('{a: b, "\\x61": c}', "a"),
        ("x: [y, {a: b, a: c}]", "x[1].a"),
        ("x: {a: {b: c}, a: d}", "x.a"),
    ],
)
def test_1_5_duplicate_keys(text: str, path: str, loader: Any) -> None:
    error = refused(text.encode(), loader)
    assert (error.path, str(error)) == (path, f"{path}: duplicate key")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{}", ""),
        ("a: {}", "a"),
        ("a: []", "a"),
        ("x: [y, []]", "x[1]"),
        ("x: [[y], {}]", "x[1]"),
        ("x: {y: {z: []}}", "x.y.z"),
        ("log: [a, {b: {}}]", "log[1].b"),
    ],
)
def test_1_4_empty_maps_and_lists(text: str, path: str, loader: Any) -> None:
    error = refused(text.encode(), loader)
    assert (error.path, error.seq) == (path, 1 if path.startswith("log") else None)
    assert str(error).endswith("empty")


@pytest.mark.parametrize(
    "key", ["''", "a-b", "'a b'", "é", "a/b", "'a\n\n  b'", '"a\\n"', "$", "'١'"]
)
def test_1_1_keys_are_ascii(key: str, loader: Any) -> None:
    assert "not a key" in str(refused(f"x: {{y: z, {key}: b}}".encode(), loader))


@pytest.mark.parametrize(
    "data",
    [
        b"a: \xff",
        b"a: \xc0\xaf",
        b"a: \xed\xa0\x80",
        b"a: \xf4\x90\x80\x80",
        b"a: \xe2\x82",
        "a: b".encode("utf-16"),
        "a: b".encode("utf-16-le"),
        "a: b".encode("utf-32"),
        "a: é".encode("latin-1"),
        b"\xef\xbb\xbfa: b",
        b"# \xef\xbb\xbf\na: b",
        *(f"a: b{chr(code)}c".encode() for code in (0, 7, 8, 11, 12, 27, 127, 0x80, 0x85, 0x9F)),
        *(f"a: 'b{chr(code)}'".encode() for code in (0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)),
        *(f"# {chr(code)}\na: b".encode() for code in (0, 0x85, 0x2028, 0x2029)),
    ],
)
def test_10_utf_8_and_its_printable_characters_alone(data: bytes, loader: Any) -> None:
    error = refused(data, loader)
    assert error.path == ""
    assert str(error).isprintable()


@pytest.mark.parametrize("text", ['"\\ud800"', '"\\udfff"', '"\\ud83d\\ude42"', '"\\U00110000"'])
def test_10_half_a_pair_and_no_character(text: str, loader: Any) -> None:
    refused(f"a: {text}".encode(), loader)
    refused(f"{{a: {{{text}: b}}}}".encode(), loader)


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c", "a: 'b", 'a: "b', "a: [b", "{a: b", "a: \tb\n\tc: d", "a: @b", "a: `b",
        "a: |x\n  b", 'a: "\\q"', "a: b\n c: d\n", "- a\nb: c", "a: %b", "{a: b} c", "a: &", "a: *",
    ],
)  # fmt: skip
def test_10_not_yaml(text: str, loader: Any) -> None:
    assert str(refused(text.encode(), loader)).isprintable()


def nested(levels: int) -> str:
    """A map around lists: `levels` of them in all."""
    return "a: " + "[" * (levels - 1) + "b" + "]" * (levels - 1)


def test_1_4_nesting_stays_below_32_levels(loader: Any) -> None:
    assert read_tree(nested(31).encode(), loader)
    assert "levels" in str(refused(nested(32).encode(), loader))
    assert "levels" in str(refused(b"a: " + b"{b: " * 31, loader))
    assert "levels" in str(refused(b"a:\n" + b"- " * 31 + b"b", loader))


def test_10_200000_nodes_without_the_keys() -> None:
    # The root, the list, and the rest scalars of it.
    assert read_tree(b"a: [" + b"b," * 199_998 + b"]")
    assert "200000" in str(refused(b"a: [" + b"b," * 199_999 + b"]", LOADERS[0]))
    # Maps of one key: each is a map and a scalar.
    assert read_tree(b"a: [" + b"b: c," * 99_999 + b"]")
    assert "200000" in str(refused(b"a: [" + b"b: c," * 100_000 + b"]", LOADERS[0]))


def test_10_4_mib() -> None:
    data = encoded(example()) + b"\n"
    full = data + b"#" * (MAX_SIZE - len(data))
    assert read_tree(full) == example()
    assert "bytes" in str(refusal(full + b"#"))
    spaces = data + b" " * (MAX_SIZE - len(data))
    assert read_tree(spaces) == example()
    lines = b"\n" * (MAX_SIZE - len(data)) + data
    assert read_tree(lines) == example()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_matches_of_a_second_implementation(path: Any, loader: Any) -> None:
    data = path.read_bytes()
    assert read_tree(data, loader) == strings(data)
    assert read_tree(data.replace(b"\n", b"\r\n"), loader) == strings(data)
