"""The kernel functions: where they are, what they refer to, what they must not contain."""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from poise.errors import PoiseError
from poise.kernel.compiling import Marks, marks_of
from poise.kernel.layouts import described, is_record

_REFUSED: dict[type[ast.AST], str] = {
    ast.ListComp: "a list comprehension",
    ast.SetComp: "a set comprehension",
    ast.DictComp: "a dict comprehension",
    ast.GeneratorExp: "a generator expression",
    ast.Lambda: "a lambda",
    ast.FunctionDef: "a function inside a function",
    ast.AsyncFunctionDef: "an async function",
    ast.ClassDef: "a class inside a function",
    ast.With: "a with statement",
    ast.Try: "a try statement",
    ast.Yield: "yield",
    ast.YieldFrom: "yield from",
    ast.Await: "await",
    ast.Global: "a global statement",
    ast.Nonlocal: "a nonlocal statement",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.JoinedStr: "an f-string",
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.Starred: "a starred expression",
    ast.Delete: "a del statement",
    ast.Match: "a match statement",
}
"""What the pipeline does not take: most needs passes of numba that are left out."""


_RUNTIME = {
    "NRT_MemInfo_alloc_aligned",
    "NRT_MemInfo_call_dtor",
    "NRT_MemInfo_data_fast",
    "NRT_incref",
    "NRT_decref",
}
"""What `glue.RUNTIME` has."""


def entries(package: str) -> list[FunctionType]:
    """All functions of a package of kernels that Python calls, by module and name."""
    found = [each for module in _modules(package) for each in _entries(module)]
    return sorted(found, key=full_name)


def _modules(package: str) -> list[ModuleType]:
    path = importlib.import_module(package).__path__
    found = pkgutil.walk_packages(path, f"{package}.")
    return [importlib.import_module(each.name) for each in found if not each.ispkg]


def _entries(module: ModuleType) -> Iterator[FunctionType]:
    for value in vars(module).values():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            marks = marks_of(value)
            if marks is not None and marks.is_entry:
                yield value


def full_name(function: FunctionType) -> str:
    """Module and name."""
    return f"{function.__module__}.{function.__qualname__}"


@cache
def tree_of(function: FunctionType) -> ast.FunctionDef:
    """The syntax tree of a function, checked: what is refused raises with file and line."""
    lines, first = inspect.getsourcelines(function)
    (found,) = ast.parse(textwrap.dedent("".join(lines))).body
    assert isinstance(found, ast.FunctionDef)
    file = inspect.getsourcefile(function)
    for node in ast.walk(found):
        word = _REFUSED.get(type(node))
        if word and node is not found:
            line = first + getattr(node, "lineno", 1) - 1
            raise PoiseError(
                f"{file}:{line}: {full_name(function)} has {word}, which kernels cannot have; "
                "write it as a loop, or move it out of the kernel"
            )
        if isinstance(node, ast.Compare) and _is_none_test(node):
            line = first + node.lineno - 1
            raise PoiseError(
                f"{file}:{line}: {full_name(function)} compares with None, which kernels cannot: "
                "every argument has one type"
            )
    if function.__closure__:
        raise PoiseError(f"{file}:{first}: {full_name(function)} is a closure; kernels are not")
    return found


def _is_none_test(node: ast.Compare) -> bool:
    parts = [node.left, *node.comparators]
    return any(isinstance(each, ast.Constant) and each.value is None for each in parts)


@cache
def digest(function: FunctionType) -> str:
    """A digest of all that a function's code depends on but for the kernels that it calls.

    That is its source without docstrings, how it is marked, and the values that its globals have.
    """
    tree = _without_docstring(tree_of(function))
    said = [ast.dump(tree), repr(marks_of(function))]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in function.__globals__:
            said.append(f"{node.id} = {_described(function.__globals__[node.id])}")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = function.__globals__.get(node.value.id)
            if isinstance(module, ModuleType):
                value = getattr(module, node.attr, None)
                said.append(f"{node.value.id}.{node.attr} = {_described(value)}")
    return hashlib.sha256("\n".join(sorted(set(said[2:])) + said[:2]).encode()).hexdigest()


def _without_docstring(tree: ast.FunctionDef) -> ast.FunctionDef:
    body = tree.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:] or [ast.Pass()]
    return ast.FunctionDef(tree.name, tree.args, body, [], tree.returns, lineno=0, col_offset=0)


def _described(value: Any) -> str:
    """A global as text that changes when its meaning for compiled code does."""
    if isinstance(value, FunctionType) and marks_of(value) is not None:
        return f"kernel {full_name(value)}"
    if isinstance(value, FunctionType):
        return f"function {value.__module__}.{value.__qualname__}"
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    if is_record(value):
        return f"record {described(value)}"
    if callable(value) and hasattr(value, "__qualname__"):  # of numpy and math: repr has addresses
        return f"callable {value.__module__}.{value.__qualname__}"
    if isinstance(value, np.ndarray):  # of which repr leaves out digits, and numbers
        content = hashlib.sha256(value.tobytes()).hexdigest()
        return f"array {value.dtype} {value.shape} {value.strides} {content}"
    return f"{type(value).__qualname__} {value!r}"


def marks(function: FunctionType) -> Marks:
    """How a kernel function is marked."""
    found = marks_of(function)
    assert found is not None
    return found


def check_open_names(function: FunctionType, names: Iterable[str]) -> None:
    """Raise where a lowered function calls something that needs Python, or more of numba."""
    for name in names:
        if name.startswith(("numba_", "Py", "_Py", "NRT_")) and name not in _RUNTIME:
            file, line = inspect.getsourcefile(function), function.__code__.co_firstlineno
            raise PoiseError(
                f"{file}:{line}: {full_name(function)} needs Python while it runs ({name}), which "
                "kernels cannot: no print, no lists, no other Python objects"
            )
