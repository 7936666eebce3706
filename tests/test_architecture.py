"""What the house promises about its own source and the import contracts cannot say.

The contracts in pyproject.toml check who imports whom (`lint-imports`); these tests read the syntax
trees: sizes, names, docstrings, purity of the core, and that nothing is left half done.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import mbp

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = sorted((ROOT / "mbp").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

# Everything under these is computed from its arguments: no clock, chance, path or terminal.
PURE = (
    "rules",
    "cards",
    "canonical",
    "curve",
    "chain",
    "coins",
    "match",
    "gamefile",
    "audit",
    "report",
)
IMPURE_MODULES = {
    "asyncio", "getpass", "io", "logging", "multiprocessing", "os", "pathlib", "platform",
    "secrets", "shutil", "socket", "subprocess", "sys", "tempfile", "threading", "time",
}  # fmt: skip

# Names that say nothing about what is inside, and the word that mixes up truth and shape.
EMPTY_NAMES = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}
WRONG_WORDS = ("validat", "helper", "manager", "utils")

DISTRIBUTIONS = {"yaml": "pyyaml", "nacl": "pynacl"}  # where the import has another name

MAX_LINES = 400
MAX_FUNCTION = 40


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a source file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def module_of(path: Path) -> str:
    """The dotted name of a file of the package: `mbp.rules.contract`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def inside(path: Path, *names: str) -> bool:
    """Whether a file is one of these modules of mbp, or lies in one of them."""
    return path.relative_to(ROOT / "mbp").with_suffix("").parts[0] in names


def imports_of(path: Path) -> Iterator[str]:
    """The full names of all modules that a file imports, wherever the statement stands."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def called(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the dotted name of each call in a file (`sys.exit`, `print`)."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.lineno, ast.unparse(node.func)


def named(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the name of each function and class in a file."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name


def place(path: Path, line: int | None = None) -> str:
    """A place as messages name it."""
    name = path.relative_to(ROOT).as_posix()
    return name if line is None else f"{name}:{line}"


def test_no_module_is_named_like_the_standard_library_or_like_nothing() -> None:
    names = {part: path for path in PACKAGE for part in module_of(path).split(".")}
    taken = set(names) & (set(sys.stdlib_module_names) - {"__main__"} | EMPTY_NAMES)
    assert not taken, {name: place(names[name]) for name in taken}


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {
        place(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in [*PACKAGE, *TESTS]
    }
    assert not {name: length for name, length in lengths.items() if length > MAX_LINES}


def test_no_function_of_the_package_is_longer_than_40_lines() -> None:
    found = [
        f"{place(path, node.lineno)} {node.name}"
        for path in PACKAGE
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.end_lineno is not None and node.end_lineno - node.lineno >= MAX_FUNCTION
    ]
    assert not found


def test_only_cli_prints_asks_and_exits() -> None:
    forbidden = {"print", "input", "exit", "quit", "sys.exit", "os._exit", "breakpoint"}
    found = [
        f"{place(path, line)} {name}"
        for path in PACKAGE
        if not inside(path, "cli", "__main__")
        for line, name in called(path)
        if name in forbidden
    ]
    assert not found


def test_the_core_is_pure() -> None:
    found = [
        f"{place(path)} imports {name}"
        for path in PACKAGE
        if inside(path, *PURE)
        for name in imports_of(path)
        if name.split(".")[0] in IMPURE_MODULES
    ]
    assert not found


def test_the_core_knows_no_clock_and_draws_only_from_seeds() -> None:
    forbidden = re.compile(r"\.(now|utcnow|today)$|^random\.(?!Random$)|SystemRandom$")
    found = [
        f"{place(path, line)} {name}"
        for path in PACKAGE
        if inside(path, *PURE)
        for line, name in called(path)
        if forbidden.search(name)
    ]
    assert not found


def test_rules_import_nothing_but_the_standard_library_and_each_other() -> None:
    found = [
        f"{place(path)} imports {name}"
        for path in PACKAGE
        if inside(path, "rules")
        for name in imports_of(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not f"{name}.".startswith("mbp.rules.")
    ]
    assert not found


def test_every_import_from_outside_is_a_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = [*project["dependencies"], *(d for e in extras if e != "dev" for d in extras[e])]
    names = {re.split(r"[<>=\[ ]", entry)[0].lower() for entry in declared}
    roots = {name.split(".")[0] for path in PACKAGE for name in imports_of(path)}
    outside = roots - set(sys.stdlib_module_names) - {"mbp"}
    assert {DISTRIBUTIONS.get(root, root) for root in outside} <= names


def test_public_dataclasses_of_the_core_are_frozen() -> None:
    found = [
        f"{place(path, node.lineno)} {node.name}"
        for path in PACKAGE
        if inside(path, *PURE)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        for mark in node.decorator_list
        if "dataclass" in ast.unparse(mark) and "frozen=True" not in ast.unparse(mark)
    ]
    assert not found


def undocumented(path: Path) -> Iterator[str]:
    """The public functions and classes without a docstring.

    Properties and methods of one statement explain themselves by their names.
    """
    tree = tree_of(path)
    if ast.get_docstring(tree) is None:
        yield place(path)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    methods = [
        node
        for owner in tree.body
        if isinstance(owner, ast.ClassDef) and not owner.name.startswith("_")
        for node in owner.body
        if isinstance(node, kinds) and len(node.body) > 1
        if not any("property" in ast.unparse(mark) for mark in node.decorator_list)
    ]
    for node in [*tree.body, *methods]:
        if not isinstance(node, kinds) or node.name.startswith("_"):
            continue
        if ast.get_docstring(node) is None:
            yield f"{place(path, node.lineno)} {node.name}"


def test_everything_public_has_a_docstring() -> None:
    assert not [name for path in PACKAGE for name in undocumented(path)]


def test_names_keep_to_the_words_of_the_house() -> None:
    found = [
        f"{place(path, line)} {name}"
        for path in [*PACKAGE, *TESTS]
        for line, name in named(path)
        if any(word in name.lower() for word in WRONG_WORDS)
    ]
    assert not found


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    loose = re.compile(r"(^|\.)(skip|skipif|skipTest|xfail|importorskip)$")
    found = [
        f"{place(path, node.lineno)} {ast.unparse(node)}"
        for path in TESTS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and loose.search(node.attr)
    ]
    assert not found


# Written in two halves, or this file would find itself.
UNFINISHED = "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "Not" + "ImplementedError"])
HIDDEN = "pragma: no " + "cover"


@pytest.mark.parametrize("pattern", [rf"\b({UNFINISHED})\b", HIDDEN, r"/(root|home)/\w"])
def test_nothing_is_left_half_done_or_tied_to_one_machine(pattern: str) -> None:
    found = [
        place(path, number)
        for path in [*PACKAGE, *TESTS, *PAGES, ROOT / "Makefile", ROOT / "pyproject.toml"]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(pattern, line) and 'r"/(root' not in line
    ]
    assert not found


def test_links_between_the_pages_lead_somewhere() -> None:
    link = re.compile(r"(?:\]\(|^\[[^\]]+\]: )([^)#\s]+)", re.MULTILINE)
    broken = [
        f"{place(path)} -> {target}"
        for path in PAGES
        for target in link.findall(path.read_text(encoding="utf-8"))
        if "://" not in target and not (path.parent / target).exists()
    ]
    assert not broken


def test_every_label_of_the_protocol_is_in_the_code() -> None:
    label = re.compile(r"mbp/v1 [a-z]+")
    page = set(label.findall((ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")))
    code = "".join(path.read_text(encoding="utf-8") for path in PACKAGE)
    assert page <= set(label.findall(code))


def test_the_changelog_knows_this_version() -> None:
    assert f"\n## {mbp.__version__} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_test_family_that_the_threat_model_names_exists() -> None:
    text = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
    shown = [
        line.rsplit("|", 2)[1] for line in text.splitlines() if re.match(r"\| [A-Z]\d+ \|", line)
    ]
    families = {name for cell in shown for name in re.findall(r"`([a-z_/.]+)`", cell)}
    assert len(families) > 5
    assert not {name for name in families if not (ROOT / "tests" / name).exists()}
