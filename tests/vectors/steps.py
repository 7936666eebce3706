"""The verification steps, and how to switch a single one off.

A step is a statement that refuses: a `raise`, or a call of `refuse`, in a module that verifies. It
is switched off by compiling its module again with that one statement evaluated and not raised, and
by giving the functions that exist already the code so made. No list of steps is kept by hand: a new
check in one of these modules is a new step, and asks for a vector.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

# All modules that decide about a received file.
MODULES = (
    "mbp.gamefile.reader", "mbp.gamefile.tree", "mbp.gamefile.record", "mbp.gamefile.shapes",
    "mbp.keys", "mbp.times", "mbp.curve",
    "mbp.match", "mbp.match.verify", "mbp.match.pay", "mbp.match.course",
    "mbp.cards.pile", "mbp.cards.equality", "mbp.cards.shuffle", "mbp.cards.transcript",
    "mbp.rules.mandala", "mbp.rules.mandala.rules", "mbp.rules.mandala.notation",
    "mbp.rules.patterns", "mbp.rules.patterns.rules", "mbp.rules.patterns.notation",
)  # fmt: skip


@dataclass(frozen=True, order=True)
class Step:
    """A refusal in the source: its module, the function around it, its line, what it says."""

    module: str
    function: str
    line: int
    text: str

    @property
    def name(self) -> str:
        """What people call it: module, function and message, without the line."""
        return f"{self.module.removeprefix('mbp.')} {self.function}: {self.text}"


def source_of(module: str) -> tuple[ModuleType, Path]:
    """A module, and the file it was read from."""
    found = import_module(module)
    return found, Path(str(found.__file__))


@cache
def steps_of(module: str) -> tuple[Step, ...]:
    """The steps of a module, in order."""
    _, path = source_of(module)
    tree = ast.parse(path.read_text("utf-8"))
    return tuple(sorted(_steps(module, "", tree)))


def all_steps() -> tuple[Step, ...]:
    """The steps of all modules."""
    return tuple(step for module in MODULES for step in steps_of(module))


def _steps(module: str, function: str, node: ast.AST) -> Iterator[Step]:
    for child in ast.iter_child_nodes(node):
        inner = function
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner = f"{function}.{child.name}" if function else child.name
        elif _refuses(child):
            yield Step(module, function, child.lineno, _words(child))  # type: ignore[attr-defined]
            continue
        yield from _steps(module, inner, child)


def _refuses(node: ast.AST) -> bool:
    if isinstance(node, ast.Raise):
        return node.exc is not None
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "refuse"
    )


def _words(node: ast.AST) -> str:
    """The message of a refusal as the source has it, its variables in braces."""
    text = next(
        (ast.unparse(part) for part in ast.walk(node) if isinstance(part, ast.JoinedStr)), None
    )
    if text is None:
        constants = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
        text = next((repr(value) for value in constants if isinstance(value, str)), "")
    return text.removeprefix("f").strip("'\"") or ast.unparse(node)


class _Silencer(ast.NodeTransformer):
    """Turns the refusal at one line into the evaluation of what it would have said."""

    def __init__(self, line: int) -> None:
        self.line = line

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if node.lineno != self.line or node.exc is None:
            return node
        return ast.copy_location(ast.Expr(node.exc), node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if node.lineno != self.line or not _refuses(node):
            return node
        assert isinstance(node.value, ast.Call)
        arguments = ast.Tuple([node.value.func, *node.value.args], ast.Load())
        return ast.copy_location(ast.Expr(ast.copy_location(arguments, node)), node)


@contextmanager
def switched_off(step: Step) -> Iterator[None]:
    """Runs without that one step."""
    module, path = source_of(step.module)
    tree = _Silencer(step.line).visit(ast.parse(path.read_text("utf-8")))
    made = compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)
    codes = dict(_codes(made))
    changed: list[tuple[FunctionType, CodeType]] = []
    try:
        for function in _functions(str(module.__file__)):
            old, new = function.__code__, codes.get(function.__code__.co_qualname)
            if new is not None and new.co_freevars == old.co_freevars:
                changed.append((function, old))
                function.__code__ = new
        yield
    finally:
        for function, old in changed:
            function.__code__ = old


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner.co_qualname, inner
            yield from _codes(inner)


@cache
def _functions(path: str) -> list[FunctionType]:
    """The functions, closures too, that were made of a file's source so far."""
    return [
        found
        for found in gc.get_objects()
        if type(found) is FunctionType and found.__code__.co_filename == path
    ]


def step_of(error: BaseException) -> Step | None:
    """The step that an error comes from: the first of its causes that a step raised."""
    found = None
    current: BaseException | None = error
    while current is not None:
        found = _raised_at(current) or found
        current = current.__cause__ or current.__context__
    return found


def _raised_at(error: BaseException) -> Step | None:
    """The last step on the way of an error, if it was raised there."""
    place, found = error.__traceback__, None
    while place is not None:
        module = place.tb_frame.f_globals.get("__name__", "")
        if module in MODULES:
            found = _covered(module).get(place.tb_lineno, found)
        place = place.tb_next
    return found


@cache
def _covered(module: str) -> dict[int, Step]:
    """The step at each line of source."""
    _, path = source_of(module)
    lines: dict[int, Step] = {}
    by_line = {step.line: step for step in steps_of(module)}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if _refuses(node) and isinstance(node, ast.stmt):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[line] = by_line[node.lineno]
    return lines
