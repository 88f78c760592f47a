"""What holds for the package as a whole."""

import ast
import pkgutil
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import poise
from poise import kernel
from poise.errors import unknown_name

SOURCES = Path(poise.__file__).parent
ROOMS = ("body", "hierarchy", "lex", "limits", "published", "residuals")
HEAVY = ["numba", "pydantic", "typer", "scipy", "yaml", "rich", "matplotlib", "pyvista", "mujoco"]


def output_of(program: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def loaded_by(program: str) -> list[str]:
    return output_of(f"{program}\nimport sys\nprint(*sys.modules)").stdout.split()


@pytest.mark.parametrize("program", ["import poise", "from poise import kernel"])
def test_importing_the_package_loads_nothing_heavy(program: str) -> None:
    assert not set(HEAVY) & set(loaded_by(program))


@pytest.mark.parametrize("program", ["import poise.figure", "import poise.models"])
def test_describing_a_figure_does_not_load_numba(program: str) -> None:
    assert "numba" not in loaded_by(program)


def test_a_kernel_module_is_imported_when_it_is_first_used() -> None:
    printed = output_of(
        """
        import sys
        from poise import kernel
        before = "poise.kernel.compiling" in sys.modules
        kernel.compiling.compiled
        print(before, "poise.kernel.compiling" in sys.modules, "compiling" in dir(kernel))
        """
    ).stdout
    assert printed.split() == ["False", "True", "True"]


def test_a_kernel_module_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'alchemy'"):
        assert kernel.alchemy


@pytest.mark.parametrize("room", ["", *ROOMS])
def test_type_checkers_know_every_kernel_module(room: str) -> None:
    folder = SOURCES / "kernel" / room
    package = f"poise.kernel.{room}" if room else "poise.kernel"
    declared = (folder / "__init__.py").read_text(encoding="utf-8")
    names = set(re.findall(rf"^    from {package} import (\w+) as \1$", declared, re.MULTILINE))
    assert names == {module.name for module in pkgutil.iter_modules([str(folder)])}


def test_only_the_builder_of_kernels_knows_numba() -> None:
    for module in SOURCES.rglob("*.py"):
        if module.parent != SOURCES / "building":
            text = module.read_text(encoding="utf-8")
            assert not re.search(r"^\s*(import|from) (numba|llvmlite)", text, re.MULTILINE), module


def test_the_package_calls_no_kernel_that_is_not_an_entry() -> None:
    """Any other would run as plain Python, some hundred times slower, and nobody would notice."""
    root = SOURCES / "kernel"
    kernels = {
        f"{'.'.join(path.relative_to(root).with_suffix('').parts)}.{function.name}": {
            ast.unparse(each).partition("(")[0] for each in function.decorator_list
        }
        for path in root.rglob("*.py")
        for function in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef)
    }
    plain = {name for name, marks in kernels.items() if "compiled" in marks}
    entries = {name for name, marks in kernels.items() if "entry" in marks}
    assert len(entries) > 100
    called: set[str] = set()
    for path in SOURCES.rglob("*.py"):
        if path.is_relative_to(root):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        homes = {"kernel": ""}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("poise.kernel"):
                module = (node.module or "").removeprefix("poise.kernel").lstrip(".")
                for alias in node.names:
                    homes[alias.asname or alias.name] = f"{module}.{alias.name}".lstrip(".")
        called |= set(homes.values())
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                head, _, rest = ast.unparse(node).partition(".")
                if head in homes:
                    called.add(f"{homes[head]}.{rest}".lstrip("."))
    assert not called & plain
    assert {"lex.solve.lex", "body.kinematics.place"} <= called & entries


def test_every_kernel_that_is_called_by_name_is_found_in_the_library() -> None:
    entries = [
        value
        for room in ROOMS
        for module in pkgutil.iter_modules(getattr(kernel, room).__path__)
        for value in vars(getattr(getattr(kernel, room), module.name)).values()
        if isinstance(value, kernel.calls.Entry)
    ]
    assert len(entries) > 100
    for each in entries:
        each.call()


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    message = str(unknown_name("joint", "left_kne", ["left_hip", "left_knee"]))
    assert message == (
        "there is no joint 'left_kne'; did you mean 'left_knee'? There are: left_hip, left_knee"
    )


def test_an_unknown_name_far_from_all_gets_the_list() -> None:
    message = str(unknown_name("site", "zzz", ["eyes", "chest"], where="a.yaml, line 3"))
    assert message == "a.yaml, line 3: there is no site 'zzz'. There are: eyes, chest"


def test_an_unknown_name_among_many_gets_the_most_alike() -> None:
    names = [f"vertebra_{i}" for i in range(40)]
    message = str(unknown_name("segment", "Vertebra_7x", names))
    assert "did you mean 'vertebra_7'?" in message
    assert "There are 40, among them: vertebra_7, " in message
    assert message.count("vertebra_") == 13


def test_an_unknown_name_among_none_says_so() -> None:
    message = str(unknown_name("site", "hand", []))
    assert message == "there is no site 'hand', nor any other"
