"""The rules of `make house`: they find what they are for, and the sources keep them."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "tools" / "house.py"


@pytest.fixture(scope="module")
def house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("house", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def found(house: ModuleType, text: str, module: str = "poise.kernel.lex.new") -> list[str]:
    exceptions = {*house.LONG, *house.WIDE}
    told = house.wrong(list(house.functions(module, ast.parse(text))))
    return [each for each in told if each.partition(" is gone")[0] not in exceptions]


def test_the_sources_keep_the_rules(house: ModuleType) -> None:
    assert house.main(["--check"]) == 0


def test_a_function_of_more_than_120_lines_is_named(house: ModuleType) -> None:
    body = "    x = 1\n"
    assert found(house, "def short():\n" + 119 * body) == []
    assert found(house, "def long():\n" + 120 * body) == [
        "poise.kernel.lex.new.long has 121 lines; at most 120 are allowed"
    ]
    method = "class A:\n    def long(self):\n" + 120 * ("    " + body)
    assert "poise.kernel.lex.new.A.long has 121 lines" in found(house, method)[0]


def test_a_kernel_with_more_than_8_parameters_is_named_and_records_do_not_count(
    house: ModuleType,
) -> None:
    eight = "tree, state, a, b, c, d, e, f, g, h"
    assert found(house, f"def wide({eight}):\n    pass\n") == []
    text = f"def wide({eight}, i):\n    pass\n"
    assert "takes 9 parameters that are no records" in found(house, text)[0]
    assert found(house, text, "poise.scene.new") == []


def test_an_exception_that_is_no_longer_needed_is_named(house: ModuleType) -> None:
    module, _, name = next(iter(house.LONG)).rpartition(".")
    told = house.wrong(list(house.functions(module, ast.parse(f"def {name}():\n    pass\n"))))
    assert f"{module}.{name} is short enough now; take it out of LONG" in told
    assert any(each.endswith("is gone; take it out") for each in told)
