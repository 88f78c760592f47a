"""The rules of `make house`: they find what they are for, and the sources keep them."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

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


def test_the_page_on_the_house_names_every_folder_of_it() -> None:
    page = (FILE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("| room | what it is for |")[1].split("\n\n")[0]
    named = {line.split("`")[1] for line in table.splitlines() if "`" in line}
    folders = {each.parent.name for each in (FILE.parents[1] / "src/poise").glob("*/__init__.py")}
    assert named == folders


def test_a_file_beside_the_folders_counts_as_a_room_and_so_do_those_of_the_kernel(
    house: ModuleType,
) -> None:
    rooms = house.House.at(FILE.parents[1] / "src").rooms()
    assert {"documents", "errors", "kernel", "kernel.lex"} <= set(rooms)


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


def test_an_exception_that_is_no_longer_needed_is_named(
    house: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(house.LONG, "poise.kernel.lex.solve.once", (500, "it was long"))
    once = ast.parse("def once():\n    pass\n")
    told = house.wrong(list(house.functions("poise.kernel.lex.solve", once)))
    assert "poise.kernel.lex.solve.once is short enough now; take it out of LONG" in told
    assert any(each.endswith("is gone; take it out") for each in told)


def house_of(house: ModuleType, **texts: str) -> Any:
    """A small house: modules by name, with `__` for dots."""
    modules = {"poise": "", **{f"poise.{name.replace('__', '.')}": t for name, t in texts.items()}}
    trees = {name: (text, ast.parse(text)) for name, text in modules.items()}
    return house.House(trees, [])


def test_imports_are_told_from_room_to_room_without_those_for_types(house: ModuleType) -> None:
    built = house_of(
        house,
        kernel="",
        kernel__lex="",
        kernel__lex__solve="from poise.kernel import arrays",
        scene="from poise import kernel\nfrom poise.kernel.lex import solve\n",
        motion=(
            "if TYPE_CHECKING:\n    from poise.scene import Scene\n"
            "def late():\n    import poise.kernel\n"
        ),
    )
    assert built.imports() == {
        "poise": set(),
        "kernel": set(),
        "kernel.lex": {"kernel"},
        "scene": {"kernel", "kernel.lex"},
        "motion": {"kernel"},
    }
    assert built.rooms()["kernel.lex"] == (2, 0)


def test_places_to_edit_are_files_that_name_an_example_in_code(house: ModuleType) -> None:
    built = house_of(
        house,
        tasks="from poise.tasks.aim import Aim",
        tasks__aim="class Aim: pass",
        scene='"""An Aim."""\nhelp(Aimed)',
        pictures='GOALS = {"Aim": 1}',
        models="Aim()",
    )
    assert built.places(*house.EXAMPLES["task"]) == ["poise.tasks", "poise.pictures"]


def test_asking_for_a_kind_is_found(house: ModuleType) -> None:
    built = house_of(
        house,
        a="isinstance(x, (Hinge, int))",
        b="isinstance(x, int)",
        c="match x:\n    case Ball():\n        pass",
        kinds="isinstance(x, Hinge)",
    )
    assert built.kind_tests() == ["poise.a", "poise.c"]


def test_constants_bare_numbers_and_branches_are_counted(house: ModuleType) -> None:
    tree = ast.parse(
        "LONG, LONGER = 12, -4.0\nA, B = range(2)\n"
        "class S:\n    radius: float = 0.3\n"
        "def f(x, y=7):\n"
        "    if x > 3e-5 and x[5] < 2:\n        return -1 if y else 0.5\n"
    )
    assert house.named_constants(tree) == 3
    assert house.bare_numbers(tree) == 2
    assert house.branches(tree) == 3


def test_the_table_of_the_page_is_written_anew(
    house: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "Before.\n\n| | abc123 | now |\n| --- | ---: | ---: |\n| files | 1 | 2 |\n\nAfter.\n"
    )
    monkeypatch.setattr(house, "PAGE", page)
    monkeypatch.setattr(house, "table", lambda commit, now: f"| {commit}: {now} |\n")
    house.write("all", "")
    assert page.read_text() == "Before.\n\n| abc123: all |\n\nAfter.\n"
