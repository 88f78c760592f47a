"""What an error says to those who do not write Python has no Python in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import poise

SOURCES = Path(poise.__file__).parent
MAKERS = {"PoiseError", "ClosedError", "WriteError", "unknown_name", "__init__"}
"""Calls whose arguments, but for `code=`, are such words; subclasses call `__init__` of theirs."""
CODE = re.compile(r"\b(poise|scene|figure|posture|solution)\.[a-z_]+")
"""Something to write in Python: a function of the package, or what an object has."""


def texts(node: ast.AST, functions: dict[str, ast.FunctionDef]) -> Iterator[str]:
    """All text that stands in an expression, and in functions of its module that it calls."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Name):
            called = functions.get(each.func.id)
            for statement in called.body if called is not None else ():
                is_docstring = isinstance(statement, ast.Expr)
                yield from () if is_docstring else texts(statement, {})


def found(source: str) -> list[str]:
    """What stands in the plain words of errors and should stand in `code=`."""
    tree = ast.parse(source)
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    plain = [
        (call.lineno, text)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in MAKERS
        for argument in (*call.args, *(each.value for each in call.keywords if each.arg != "code"))
        for text in texts(argument, functions)
    ]
    return [f"{line}: {text}" for line, text in plain if CODE.search(text)]


FOLDERS = {each.name for each in SOURCES.iterdir() if (each / "__init__.py").exists()}
FOLDERS -= {"kernel"}  # what it raises is for those who write blocks, which is Python


@pytest.mark.parametrize("folder", sorted(FOLDERS))
def test_what_to_write_in_python_is_told_apart_from_the_words_of_an_error(folder: str) -> None:
    for path in (SOURCES / folder).rglob("*.py"):
        assert found(path.read_text(encoding="utf-8")) == [], path


def test_so_it_is_in_the_modules_beside_the_folders() -> None:
    for path in SOURCES.glob("*.py"):
        assert found(path.read_text(encoding="utf-8")) == [], path


@pytest.mark.parametrize(
    "source",
    [
        "raise PoiseError('no fingers; poise.human(hands=True) has some')",
        "raise PoiseError(f'{name} has none: use scene.figures, by name')",
        "raise PoiseError('none. ' + advice())\ndef advice():\n    return 'figure.with_site(…)'",
        "raise errors.unknown_name('site', name, names, 'scene.forces.support')",
        "super().__init__('nothing supports it: scene.forces.support(…)')",
    ],
)
def test_python_in_the_words_of_an_error_is_found(source: str) -> None:
    assert found(source), source


def test_python_that_is_given_as_such_is_left_alone() -> None:
    assert found("raise PoiseError('no fingers', code='; poise.human(hands=True) has some')") == []
