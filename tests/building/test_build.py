"""Small kernels built ahead of time, by a process of its own, and called without numba."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.errors import PoiseError
from poise.kernel.calls import Call
from poise.kernel.library import load

SHAPES = """\
from typing import NamedTuple

from poise.kernel.arrays import Floats, Floats2, Ints


class Inner(NamedTuple):
    rows: Floats2
    order: Ints


class Outer(NamedTuple):
    scale: Floats
    inner: Inner
"""
LEAF = """\
import math

from poise.kernel.compiling import compiled

FACTOR = {factor}


@compiled
def scaled(x):
    return FACTOR * math.sqrt(x)
"""
TOP = """\
import numpy as np

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.compiling import compiled, entry
from toys.leaf import scaled
from toys.shapes import Outer


class TooSmall(Exception):
    pass


@compiled
def total(row):
    result = 0.0
    for i in range(row.size):
        result += row[i]
    return result


@entry
def weigh(outer: Outer, start: Floats, count: int, negative: bool) -> float:
    result = 0.0
    for k in range(count):
        r = outer.inner.order[k]
        result += outer.scale[r] * total(outer.inner.rows[r]) + start[k]
    return -result if negative else result


@entry
def double(matrix: Floats2) -> None:
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            matrix[i, j] *= 2.0


@entry
def split(x: float) -> tuple[bool, float, float]:
    return x > 0.0, scaled(abs(x)), x


@entry(allocates=True)
def largest_of_copy(values: Floats) -> float:
    copy = np.zeros(values.size)
    most = -np.inf
    for i in range(values.size):
        copy[i] = values[i]
        most = max(most, copy[i])
    return most


@entry
def checked(x: float) -> float:
    if x < 0.0:
        raise TooSmall("less than nothing")
    return x


@entry
def last_index(values: Floats) -> int:
    return values.size - 1
"""

Build = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of kernels, which this process has as plain Python."""
    folder = tmp_path / "toys"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "shapes.py").write_text(SHAPES)
    (folder / "leaf.py").write_text(LEAF.format(factor=3.0))
    (folder / "top.py").write_text(TOP)
    monkeypatch.setenv("POISE_INTERPRET", "1")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield folder
    for name in [each for each in sys.modules if each.partition(".")[0] == "toys"]:
        del sys.modules[name]


@pytest.fixture
def build(toys: Path, tmp_path: Path) -> Build:
    """Build the package; what the process said."""

    def build(out: str = "toys.so", cache: str = "cache") -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(tmp_path), *map(str, sys.path)])
        names = ["toys", "x86-64" if sys.platform == "linux" else "generic", str(tmp_path / out)]
        return subprocess.run(
            [sys.executable, "-m", "poise.building", *names, "--cache", str(tmp_path / cache)],
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return build


def functions(tmp_path: Path, out: str = "toys.so") -> tuple[Any, dict[str, Any]]:
    """The module of the entries, as Python, and the same compiled."""
    top = importlib.import_module("toys.top")
    library = load(tmp_path / out)
    names = ["weigh", "double", "split", "largest_of_copy", "checked", "last_index"]
    plain = {name: getattr(top, name) for name in names}
    return top, {name: Call(each, library).with_arrays() for name, each in plain.items()}


def built(build: Build, **names: str) -> None:
    done = build(**names)
    assert done.returncode == 0, done.stderr


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


def test_what_a_kernel_raises_is_raised(build: Build, tmp_path: Path) -> None:
    built(build)
    top, compiled = functions(tmp_path)
    assert compiled["checked"](1.5) == 1.5
    with pytest.raises(top.TooSmall, match="less than nothing"):
        compiled["checked"](-1.0)


def test_an_array_of_another_kind_is_refused(build: Build, tmp_path: Path) -> None:
    built(build)
    _, compiled = functions(tmp_path)
    with pytest.raises(PoiseError, match="float64 in 2 dimensions"):
        compiled["double"](np.zeros(3))
    with pytest.raises(PoiseError, match="not int64"):
        compiled["double"](np.zeros((3, 3), np.int64))


def test_two_builds_of_the_same_sources_are_the_same_to_the_last_byte(
    build: Build, tmp_path: Path
) -> None:
    built(build, out="one.so", cache="one")
    built(build, out="other.so", cache="other")
    assert (tmp_path / "one.so").read_bytes() == (tmp_path / "other.so").read_bytes()


def test_an_edit_builds_again_what_it_changed_and_nothing_else(
    build: Build, toys: Path, tmp_path: Path
) -> None:
    built(build)
    records = set((tmp_path / "cache" / "functions").iterdir())
    assert functions(tmp_path)[1]["split"](4.0) == (True, 6.0, 4.0)
    (toys / "leaf.py").write_text(LEAF.format(factor=5.0))
    built(build, out="edited.so")
    new = set((tmp_path / "cache" / "functions").iterdir()) - records
    assert len(new) == 1  # `scaled`, and not `split`, which calls it
    assert functions(tmp_path, "edited.so")[1]["split"](4.0) == (True, 10.0, 4.0)
    built(build, out="fresh.so", cache="fresh")
    assert (tmp_path / "fresh.so").read_bytes() == (tmp_path / "edited.so").read_bytes()


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
