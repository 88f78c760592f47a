"""A small package of kernels that is built in a second, and programs that call it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from poise.kernel.library import levels

WAIT = 300
"""Seconds for what waits for ever; nothing here takes so long, however busy the machine is."""
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
from poise.kernel.residuals.custom import call_at
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


@compiled
def weight(outer, k):
    r = outer.inner.order[k]
    return outer.scale[r] * total(outer.inner.rows[r])


@entry
def weigh(outer: Outer, start: Floats, count: int, negative: bool) -> float:
    result = 0.0
    for k in range(count):
        result += weight(outer, k) + start[k]
    return -result if negative else result


@entry
def double(matrix: Floats2) -> None:
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            matrix[i, j] *= 2.0


@entry
def split(x: float) -> tuple[bool, float, float]:
    return x > 0.0, scaled(abs(x)), x


@entry
def product(x: Floats, y: Floats) -> float:
    result = 0.0
    for i in range(x.size):
        result += x[i] * y[i]
    return result


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


@entry
def asked(address: int, x: Floats, y: Floats, flag: int) -> int:
    at, there = x.ctypes.data, y.ctypes.data
    return call_at(address, at, at, at, at, there, flag)


@entry
def calls_until(flags: Floats, address: int, most: int) -> int:
    at = flags.ctypes.data
    flags[1] = 1.0
    count = 0
    while flags[0] == 0.0 and count < most:
        call_at(address, at, at, at, at, at, 0)
        count += 1
    return count
"""
PROGRAM = "from toys.top import split\nprint(split(4.0))"
PRINTED = "(True, 6.0, 4.0)\n"
ORIGIN = "\nfrom poise.kernel import library\nprint(*reversed(library.ready('toys')[1]))"
"""Prints how the library came, and its path."""
COMPILING = r"poise: compiling the kernels of toys for \S+ CPUs \(up to about \d+ s\)\n"
SAID = COMPILING + r"poise: built in \d+ s\n"
"""What a build says."""

Done = subprocess.CompletedProcess[str]


def write_toys(parent: Path) -> Path:
    """The package, in a new folder."""
    folder = parent / "toys"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "shapes.py").write_text(SHAPES)
    (folder / "leaf.py").write_text(LEAF.format(factor=3.0))
    (folder / "top.py").write_text(TOP)
    return folder


def environment(parent: Path, cache: Path, **others: str) -> dict[str, str]:
    """The environment of a program that imports the package in a folder."""
    kept = ("POISE_CPU",)  # a library must serve this process, too
    own = {
        name: each
        for name, each in os.environ.items()
        if not name.startswith("POISE_") or name in kept
    }
    return {
        **own,
        "PYTHONPATH": os.pathsep.join([str(parent), *(each for each in sys.path if each)]),
        "PYTHONDONTWRITEBYTECODE": "1",  # which knows an edit by its second
        "POISE_CACHE_DIR": str(cache),
        **others,
    }


def run(
    parent: Path,
    cache: Path,
    program: str = PROGRAM,
    *,
    options: tuple[str, ...] = (),
    where: Path | None = None,
    before: Callable[[], Any] | None = None,
    **others: str,
) -> Done:
    """Run a program; what it printed and said.

    Args:
        parent: the folder of the package.
        cache: where libraries are kept.
        program: in Python.
        options: of Python.
        where: its working directory; that of the package if None.
        before: called in the new process, before Python starts.
        others: environment variables.
    """
    return subprocess.run(
        [sys.executable, *options, "-c", program],
        env=environment(parent, cache, **others),
        cwd=where or parent,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
        preexec_fn=before,
    )


def build(parent: Path, out: Path, cache: Path, level: str | None = None) -> Done:
    """Build the library of the package; what the process said."""
    names = ["toys", level or levels()[-1], str(out), "--cache", str(cache)]
    return subprocess.run(
        [sys.executable, "-m", "poise.building", *names],
        env=environment(parent, cache),
        cwd=parent,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )


def forget_toys() -> None:
    """Let the next import of the package in this process read its files again."""
    for name in [each for each in sys.modules if each.partition(".")[0] == "toys"]:
        del sys.modules[name]


def only_library(cache: Path) -> Path:
    """The one library that is kept."""
    (found,) = (cache / "libraries").iterdir()
    return found


def leftovers(cache: Path) -> list[Path]:
    """Files that were written but not finished."""
    return [each for each in cache.rglob("*") if each.name.startswith(".") or each.suffix == ".tmp"]
