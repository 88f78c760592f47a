"""Small kernels built ahead of time, by a process of its own: what comes out, and from what."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.building import toys as package
from tests.building.toys import LEAF, PRINTED, SHAPES, TOP, Done, forget_toys, run, write_toys

import poise
from poise.building import versions
from poise.building.wheel import build_all
from poise.errors import PoiseError
from poise.kernel.calls import Call
from poise.kernel.library import levels, load
from poise.kernel.records import Numbers

Build = Callable[..., Done]


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of kernels, which this process has as plain Python."""
    folder = write_toys(tmp_path)
    monkeypatch.setenv("POISE_INTERPRET", "1")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield folder
    forget_toys()


@pytest.fixture
def build(toys: Path, tmp_path: Path) -> Build:
    """Build the package; what the process said."""

    def build(out: str = "toys.so", cache: str = "cache", level: str | None = None) -> Done:
        return package.build(tmp_path, tmp_path / out, tmp_path / cache, level)

    return build


def functions(tmp_path: Path, out: str = "toys.so") -> tuple[Any, dict[str, Any]]:
    """The module of the entries, as Python, and the same compiled."""
    forget_toys()
    top = importlib.import_module("toys.top")
    library = load(tmp_path / out)
    names = ["weigh", "double", "split", "largest_of_copy", "last_index", "product"]
    plain = {name: getattr(top, name) for name in names}
    return top, {name: Call(each, library).with_arrays() for name, each in plain.items()}


def built(build: Build, **names: str) -> None:
    done = build(**names)
    assert done.returncode == 0, done.stderr


def records(tmp_path: Path, cache: str = "cache") -> set[Path]:
    return set((tmp_path / cache / "functions").iterdir())


def test_entries_compute_what_the_same_python_does(build: Build, tmp_path: Path) -> None:
    built(build)
    top, compiled = functions(tmp_path)
    shapes = importlib.import_module("toys.shapes")
    rng = np.random.default_rng(1)
    inner = shapes.Inner(rng.normal(size=(4, 5)), np.array([2, 0, 3]))
    outer = shapes.Outer(rng.normal(size=4), inner)
    start = rng.normal(size=3)
    for negative in (False, True):
        wanted = top.weigh(outer, start, 3, negative)
        assert compiled["weigh"](outer, start, 3, negative) == pytest.approx(wanted, rel=1e-12)
    matrix = rng.normal(size=(3, 4))
    before = matrix.copy()
    assert compiled["double"](matrix) is None
    np.testing.assert_array_equal(matrix, 2 * before)
    for x in (-2.0, 2.0):
        assert compiled["split"](x) == pytest.approx(top.split(x), rel=1e-12)
    assert compiled["last_index"](np.zeros(7)) == 6
    for size in (1, 10, 1000):  # which makes an array, and frees it
        values = rng.normal(size=size)
        assert compiled["largest_of_copy"](values) == values.max()
        assert compiled["product"](values, values) == pytest.approx(values @ values, rel=1e-12)


# the bytes ----------------------------------------------------------------------------------------


def test_two_builds_in_two_places_are_the_same_to_the_last_byte(
    build: Build, tmp_path: Path
) -> None:
    built(build)
    other = tmp_path / "another place"
    write_toys(other)
    done = package.build(other, other / "other.so", other / "kept")
    assert done.returncode == 0, done.stderr
    content = (tmp_path / "toys.so").read_bytes()
    assert content == (other / "other.so").read_bytes()
    places = [tmp_path, Path(poise.__file__).parents[1], Path(sys.prefix), Path.home()]
    for place in [*places, tmp_path.name]:
        if len(str(place)) > 1:
            assert str(place).encode() not in content
    assert b".py" not in content
    assert b"GLIBC_" not in content  # so that it runs with an older one


def test_where_processes_cannot_fork_the_bytes_are_the_same(build: Build, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        f"""
import os
import sys
from pathlib import Path

if __name__ == "__main__":
    del os.fork
    from poise.building.build import build
    report = lambda what, share: None
    build("toys", {levels()[-1]!r}, Path("spawned.so"), cache=Path("spawned"), report=report)
"""
    )
    given = package.environment(
        tmp_path, tmp_path / "spawned", POISE_INTERPRET="1", PYTHONHASHSEED="0"
    )
    done = subprocess.run(
        [sys.executable, str(program)],
        env=given,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=package.WAIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    built(build)
    assert (tmp_path / "spawned.so").read_bytes() == (tmp_path / "toys.so").read_bytes()


@pytest.mark.skipif(levels()[0] != "x86-64-v3", reason="only x86 has two levels")
@pytest.mark.skipif(not shutil.which("objdump"), reason="needs objdump, which shows instructions")
def test_only_the_library_for_newer_cpus_has_instructions_that_older_ones_lack(
    build: Build, tmp_path: Path
) -> None:
    for level in levels():
        built(build, out=f"{level}.so", level=level)
    assert not vector_extensions(tmp_path / "x86-64.so")
    assert vector_extensions(tmp_path / "x86-64-v3.so")


def vector_extensions(library: Path) -> list[str]:
    """The instructions of AVX and what came after: in 64-bit code, nothing else begins so."""
    shown = subprocess.run(
        ["objdump", "-d", str(library)], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    lines = re.findall(r"^\s*[0-9a-f]+:\t([0-9a-f]{2}) .*$", shown, re.MULTILINE)
    assert len(lines) > 100
    return [first for first in lines if first in ("c4", "c5", "62")]


# what an edit builds again ------------------------------------------------------------------------


def test_an_edit_builds_again_what_it_changed_and_nothing_else(
    build: Build, toys: Path, tmp_path: Path
) -> None:
    built(build)
    before = records(tmp_path)
    assert functions(tmp_path)[1]["split"](4.0) == (True, 6.0, 4.0)
    (toys / "leaf.py").write_text(LEAF.format(factor=5.0))
    built(build, out="edited.so")
    assert len(records(tmp_path) - before) == 1  # `scaled`, and not `split`, which calls it
    assert functions(tmp_path, "edited.so")[1]["split"](4.0) == (True, 10.0, 4.0)
    built(build, out="fresh.so", cache="fresh")
    assert (tmp_path / "fresh.so").read_bytes() == (tmp_path / "edited.so").read_bytes()


def test_an_edit_of_words_alone_makes_a_new_library_of_the_same_functions(
    build: Build, toys: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    assert run(tmp_path, cache).stdout == PRINTED
    before = records(tmp_path), set((cache / "units").iterdir())
    text = LEAF.format(factor=3.0).replace(
        "    return", '    """A docstring."""\n    # a comment\n    return'
    )
    (toys / "leaf.py").write_text(text)
    done = run(tmp_path, cache)
    assert done.stdout == PRINTED
    assert "compiling" in done.stderr
    assert (records(tmp_path), set((cache / "units").iterdir())) == before
    one, other = sorted((cache / "libraries").iterdir())
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    rows: Floats2\n    order: Ints\n", "    order: Ints\n    rows: Floats2\n"),
        ("    rows: Floats2\n", "    weights: Floats2\n    rows: Floats2\n"),
        ("    scale: Floats\n    inner: Inner\n", "    inner: Inner\n    scale: Floats\n"),
    ],
)
def test_an_edit_of_what_a_named_tuple_holds_builds_again_what_reads_it(
    old: str, new: str, build: Build, toys: Path, tmp_path: Path
) -> None:
    built(build)
    before = records(tmp_path)
    (toys / "shapes.py").write_text(SHAPES.replace(old, new))
    built(build, out="edited.so")
    assert len(records(tmp_path) - before) == 2  # `weigh`, and `weight`, which it calls
    top, compiled = functions(tmp_path, "edited.so")
    shapes = importlib.import_module("toys.shapes")
    rng = np.random.default_rng(2)
    parts = {"order": np.array([2, 0, 3]), "rows": rng.normal(size=(4, 5)), "weights": np.eye(2)}
    inner = shapes.Inner(**{name: parts[name] for name in shapes.Inner._fields})
    given = shapes.Outer(scale=rng.normal(size=4), inner=inner), rng.normal(size=3), 3, False
    assert compiled["weigh"](*given) == pytest.approx(top.weigh(*given), rel=1e-12)


def test_an_edit_of_the_last_digit_of_a_constant_array_is_seen(
    build: Build, toys: Path, tmp_path: Path
) -> None:
    body = "\n\n@entry\ndef constant(i: int) -> float:\n    return NUMBERS[i]\n"
    for out, number in (("one.so", 0.12345678901), ("other.so", 0.12345678902)):
        (toys / "top.py").write_text(f"{TOP}\n\nNUMBERS = np.array([{number}, 1.0])\n{body}")
        built(build, out=out)
        top, _ = functions(tmp_path, out)
        assert Call(top.constant, load(tmp_path / out)).with_arrays()(0) == number


def test_an_edit_of_the_builder_builds_all_again(toys: Path, tmp_path: Path) -> None:
    copy = tmp_path / "poise"
    source = Path(poise.__file__).parent
    copy.mkdir()
    for each in (*source.glob("*.py"), source / "kernel", source / "building"):
        if each.is_dir():
            shutil.copytree(each, copy / each.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(each, copy)
    cache = tmp_path / "cache"
    program = "from toys.top import split\nimport poise\nprint(poise.__file__, split(4.0))"
    wanted = f"{copy / '__init__.py'} {PRINTED}"
    assert run(tmp_path, cache, program).stdout == wanted
    before = records(tmp_path)
    with (copy / "building" / "units.py").open("a") as file:
        file.write("# another builder\n")
    assert run(tmp_path, cache, program).stdout == wanted
    assert len(records(tmp_path)) == 2 * len(before)


def test_sources_that_are_edited_while_they_are_built_leave_nothing_behind(
    toys: Path, tmp_path: Path
) -> None:
    """A record would be found by the new source, but hold what the old one meant."""
    (toys / "__init__.py").write_text(
        "import os, pathlib\n"
        "if os.environ.get('POISE_INTERPRET') == '1':\n"
        "    import toys.leaf\n"
        "    leaf = pathlib.Path(toys.leaf.__file__)\n"
        "    leaf.write_text(leaf.read_text().replace('3.0', '5.0'))\n"
    )
    cache = tmp_path / "cache"
    done = run(tmp_path, cache)
    assert "were edited while they were being compiled" in done.stderr
    assert "Traceback (most recent call last)" in done.stderr  # of this program alone
    assert done.stderr.count("Traceback") == 1
    assert not records(tmp_path)
    assert not list((cache / "libraries").iterdir())
    assert run(tmp_path, cache).stdout == PRINTED.replace("6.0", "10.0")


# what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("return max([x for _ in range(2)])", "list comprehension"),
        ("f = lambda y: y\n    return f(x)", "lambda"),
        ("def f(y):\n        return y\n    return f(x)", "function inside a function"),
        ("return 0.0 if x is None else x", "compares with None"),
    ],
)
def test_what_kernels_cannot_have_is_refused_with_file_and_line(
    body: str, word: str, build: Build, toys: Path
) -> None:
    source = f"\n\n@entry\ndef odd(x: float) -> float:\n    {body}\n"
    (toys / "top.py").write_text(TOP + source)
    done = build()
    assert done.returncode == 1
    assert word in done.stderr
    first = len(TOP.splitlines()) + 5  # of the body
    assert any(f"top.py:{line}: " in done.stderr for line in (first, first + 1))
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("print(x)\n    return x", "needs Python while it runs"),
        ("return [x, x + 1.0][0]", "lists cannot be made"),
        ("y = np.zeros(3)\n    return y[0] + x", "mark it with allocates=True"),
    ],
)
def test_what_needs_python_while_it_runs_is_refused_with_file_and_name(
    body: str, word: str, build: Build, toys: Path
) -> None:
    (toys / "top.py").write_text(TOP + f"\n\n@entry\ndef odd(x: float) -> float:\n    {body}\n")
    done = build()
    assert done.returncode == 1
    assert word in done.stderr
    assert "top.py:" in done.stderr
    assert "toys.top.odd" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wheel_is_refused_where_there_is_no_linker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PoiseError, match="a wheel needs a linker, one of cc, "):
        build_all(tmp_path)


def test_an_entry_without_annotations_is_refused(build: Build, toys: Path) -> None:
    (toys / "top.py").write_text(TOP + "\n\n@entry\ndef odd(x) -> float:\n    return x\n")
    done = build()
    assert done.returncode == 1
    assert "the parameter x must be annotated" in done.stderr


def test_an_entry_that_returns_what_it_does_not_say_is_refused(build: Build, toys: Path) -> None:
    (toys / "top.py").write_text(TOP + "\n\n@entry\ndef odd(x: float) -> int:\n    return x\n")
    done = build()
    assert done.returncode == 1
    assert "returns float64" in done.stderr


# versions -----------------------------------------------------------------------------------------


def test_the_versions_that_pyproject_pins_are_those_that_the_builder_takes() -> None:
    file = Path(__file__).parents[2] / "pyproject.toml"
    pyproject = tomllib.loads(file.read_text(encoding="utf-8"))
    pins = {f"{name}=={version}" for name, version in versions.PINNED.items()}
    assert pins == set(pyproject["project"]["optional-dependencies"]["build"])
    required: list[str] = pyproject["build-system"]["requires"]
    assert pins == {each for each in required if re.split(r"\W", each)[0] in versions.PINNED}


@pytest.mark.parametrize("name", ["numba", "llvmlite"])
def test_another_version_of_what_builds_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions.checked_builder()
    monkeypatch.setattr(getattr(versions, name), "__version__", "0.1.2")
    with pytest.raises(PoiseError, match=rf"{name} \S+, but 0\.1\.2 is installed; pip install"):
        versions.checked_builder()


COUNTING = """\
from typing import NamedTuple

from poise.kernel.arrays import Floats
from poise.kernel.compiling import compiled, entry
from poise.kernel.records import Numbers


class Count(Numbers):
    rounds: int
    radius: float = 0.5
    is_done: bool


class Walk(NamedTuple):
    way: Floats
    count: Count


@compiled
def widen(count, factor):
    count.radius *= factor
    count.rounds += 1
    count.is_done |= count.radius > 3.0


@entry
def walk(walk: Walk, most: int) -> float:
    for i in range(most):
        walk.way[i] = walk.count.radius
        widen(walk.count, 2)
        if walk.count.is_done:
            break
    return walk.count.radius


@entry
def rest(count: Count) -> int:
    count.is_done, count.radius = False, 1
    return count.rounds
"""


def test_records_of_numbers_change_where_they_are(toys: Path, build: Build, tmp_path: Path) -> None:
    (toys / "counting.py").write_text(COUNTING)
    built(build)
    forget_toys()
    module = importlib.import_module("toys.counting")
    library = load(tmp_path / "toys.so")
    compiled = {name: Call(getattr(module, name), library) for name in ("walk", "rest")}
    for walk, rest in (
        (module.walk, module.rest),
        (compiled["walk"].with_arrays(), compiled["rest"].with_arrays()),
    ):
        walked = module.Walk(np.zeros(5), module.Count())
        assert repr(walked.count) == "Count(rounds=0, radius=0.5, is_done=False)"
        assert walk(walked, 2) == 2.0
        assert (walked.count.rounds, walked.count.is_done) == (2, False)
        assert walk(walked, 5) == 4.0
        assert (walked.count.rounds, walked.count.is_done) == (3, True)
        assert list(walked.way) == [2.0, 1.0, 0.0, 0.0, 0.0]
        assert rest(walked.count) == 3
        assert (walked.count.radius, walked.count.is_done) == (1.0, False)
    prepared = compiled["walk"].prepared(walked)
    assert prepared(1) == 2.0
    assert walked.count.radius == 2.0


def test_a_record_of_numbers_holds_nothing_else() -> None:
    with pytest.raises(PoiseError, match=r"Wrong\.name must be a float, an int or a bool"):

        class Wrong(Numbers):  # pyright: ignore[reportUnusedClass]
            name: str
