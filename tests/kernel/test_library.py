"""Which library is used: one that is there, or one that is built, wherever it can be kept."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.building.toys import (
    LEAF,
    ORIGIN,
    PRINTED,
    PROGRAM,
    SAID,
    SHAPES,
    TOP,
    leftovers,
    only_library,
    run,
    write_toys,
)

from poise.errors import PoiseError
from poise.kernel import library

RESULTS = """
import sys
import numpy as np
from poise.kernel import library
from toys import shapes, top
numbers = np.random.default_rng(3).normal(size=(4, 5))
outer = shapes.Outer(numbers[:, 0].copy(), shapes.Inner(numbers, np.array([2, 0, 3])))
print(top.weigh(outer, numbers[0], 3, True), top.split(2.0), top.largest_of_copy(numbers[1]))
try:
    top.checked(-1.0)
except top.TooSmall as error:
    print(error)
print(library.ready("toys")[1].how, "numba" in sys.modules, "llvmlite" in sys.modules)
"""


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The toys' parent folder, and a cache that has their library."""
    parent = tmp_path_factory.mktemp("shared")
    write_toys(parent)
    assert run(parent, parent / "cache").returncode == 0
    return parent, parent / "cache"


@pytest.fixture
def cache(shared: tuple[Path, Path], tmp_path: Path) -> Path:
    """A cache of its own that has the toys' library, and what made it."""
    return shutil.copytree(shared[1], tmp_path / "cache")


# found, or built and kept -------------------------------------------------------------------------


def test_the_first_use_says_what_it_builds_and_the_second_nothing(tmp_path: Path) -> None:
    write_toys(tmp_path)
    first = run(tmp_path, tmp_path / "cache", PROGRAM + ORIGIN)
    path = only_library(tmp_path / "cache")
    assert first.stdout == f"{PRINTED}built {path}\n"
    assert re.fullmatch(SAID, first.stderr)
    second = run(tmp_path, tmp_path / "cache", PROGRAM + ORIGIN)
    assert second.stdout == f"{PRINTED}kept {path}\n"
    assert not second.stderr
    assert not leftovers(tmp_path / "cache")


def test_quiet_builds_say_nothing(tmp_path: Path) -> None:
    write_toys(tmp_path)
    done = run(tmp_path, tmp_path / "cache", POISE_QUIET="1")
    assert (done.stdout, done.stderr) == (PRINTED, "")
    (tmp_path / "file").touch()  # below which nothing can be kept
    done = run(tmp_path, tmp_path / "file" / "cache", POISE_QUIET="1")
    assert (done.stdout, done.stderr) == (PRINTED, "")


def test_a_process_without_stderr_builds(tmp_path: Path) -> None:
    write_toys(tmp_path)
    done = run(tmp_path, tmp_path / "cache", before=lambda: os.close(2))
    assert (done.returncode, done.stdout) == (0, PRINTED)


def test_the_same_sources_in_two_places_share_one_library(
    shared: tuple[Path, Path], tmp_path: Path
) -> None:
    write_toys(tmp_path)
    done = run(tmp_path, shared[1])
    assert (done.stdout, done.stderr) == (PRINTED, "")


def test_a_build_imports_nothing_from_the_folder_that_it_is_called_in(tmp_path: Path) -> None:
    write_toys(tmp_path / "place")
    folder = tmp_path / "called in"
    folder.mkdir()
    (folder / "rich.py").write_text("raise SystemExit('not this one')")
    done = run(tmp_path / "place", tmp_path / "cache", options=("-P",), where=folder)
    assert done.stdout == PRINTED, done.stderr


def test_what_was_not_used_for_30_days_is_removed_by_the_next_build(cache: Path) -> None:
    day = 24 * 3600.0
    write_toys(cache.parent)
    (cache.parent / "toys" / "leaf.py").write_text(LEAF.format(factor=5.0))
    kept: list[Path] = []
    removed: list[Path] = []
    for folder in ("libraries", "functions", "units"):
        kept += (cache / folder).iterdir()
        for name, age, group in (("older", 31.0, removed), ("newer", 29.0, kept)):
            group.append(cache / folder / name)
            group[-1].touch()
            used = time.time() - age * day
            os.utime(group[-1], (used, used))
    assert run(cache.parent, cache).returncode == 0
    assert len(list((cache / "libraries").iterdir())) == 3
    assert [each for each in kept if not each.exists()] == []
    assert [each for each in removed if each.exists()] == []


def test_a_library_that_is_used_counts_as_new(shared: tuple[Path, Path], cache: Path) -> None:
    path = only_library(cache)
    os.utime(path, (0.0, 0.0))
    assert run(shared[0], cache).stdout == PRINTED
    assert path.stat().st_mtime > time.time() - 24 * 3600


# files that are no libraries ----------------------------------------------------------------------


def test_a_library_that_was_cut_short_is_built_anew(shared: tuple[Path, Path], cache: Path) -> None:
    path = only_library(cache)
    whole = path.read_bytes()
    for content, reason in (
        (whole[: len(whole) // 2], "its end is missing"),
        (b"", "file too short"),
        (b"no library at all\n" * 10, "invalid ELF header"),
    ):
        path.unlink()  # not to change what a process may have loaded
        path.write_bytes(content)
        done = run(shared[0], cache)
        assert done.stdout == PRINTED
        said = rf"poise: {re.escape(str(path))} cannot be loaded: (.*)\n" + SAID
        found = re.fullmatch(said, done.stderr)
        assert found
        if sys.platform == "linux":  # others say it in other words
            assert reason in found[1]
        assert path.read_bytes() == whole


def test_whatever_is_missing_of_a_library_is_noticed_before_it_is_loaded(
    shared: tuple[Path, Path], tmp_path: Path
) -> None:
    """The system itself would crash on most."""
    write_toys(tmp_path)
    run(tmp_path, tmp_path / "unlinked", PATH="")
    for path in (only_library(shared[1]), only_library(tmp_path / "unlinked")):
        program = f"""
from pathlib import Path
from poise.kernel.library import load
whole = Path({str(path)!r}).read_bytes()
for size in (*range(0, len(whole), 97), len(whole) - 1):
    path = Path(f"{{size}}.library")
    path.write_bytes(whole[:size])
    try:
        load(path)
    except OSError:
        continue
    print(size)
"""
        done = run(tmp_path, tmp_path / "cache", program)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr


# what must be installed ---------------------------------------------------------------------------


NO_NUMBA = "import sys\nsys.modules['numba'] = sys.modules['llvmlite'] = None\n"


def test_without_numba_it_is_said_what_to_install(tmp_path: Path) -> None:
    write_toys(tmp_path)
    done = run(tmp_path, tmp_path / "cache", NO_NUMBA + PROGRAM)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("poise.errors.PoiseError: poise has no compiled kernels")
    assert "numba, which builds them, is not installed" in last
    assert "pip install 'poise[build]'" in last


def test_a_build_that_fails_is_not_tried_again_by_the_same_process(tmp_path: Path) -> None:
    folder = write_toys(tmp_path)
    bad = "\n\n@entry\ndef odd(x: float) -> float:\n    return max([x for _ in range(2)])\n"
    (folder / "top.py").write_text(TOP + bad)
    program = (
        "from poise import PoiseError\nfrom toys.top import odd, split\n"
        "for each in (odd, split, split):\n"
        "    try:\n        each(1.0)\n    except PoiseError as error:\n        print(error)\n"
    )
    done = run(tmp_path, tmp_path / "cache", program)
    assert (
        done.stdout.splitlines()
        == ["the kernels could not be built; what went wrong stands above"] * 3
    )
    assert done.stderr.count("list comprehension") == 1


def test_a_kernel_outside_a_package_is_refused(tmp_path: Path) -> None:
    (tmp_path / "alone.py").write_text(
        "from poise.kernel.compiling import entry\n\n\n"
        "@entry\ndef same(x: float) -> float:\n    return x\n"
    )
    program = "from alone import same\nsame(1.0)"
    done = run(tmp_path, tmp_path / "cache", program)
    assert "the kernels of alone cannot be compiled: it is a single module" in done.stderr


def test_with_a_library_numba_is_not_needed(shared: tuple[Path, Path]) -> None:
    done = run(*shared, NO_NUMBA + PROGRAM)
    assert (done.stdout, done.stderr) == (PRINTED, "")
    done = run(*shared, RESULTS)
    assert done.stdout.endswith("\nkept False False\n"), done.stderr


def test_where_there_is_no_linker_llvmlite_loads_the_library(
    shared: tuple[Path, Path], tmp_path: Path
) -> None:
    write_toys(tmp_path)
    wanted = run(*shared, RESULTS).stdout.splitlines()
    assert wanted[1:] == ["less than nothing", "kept False False"]
    cache = tmp_path / "cache"
    first = run(tmp_path, cache, RESULTS, PATH="")
    assert first.stdout.splitlines() == [*wanted[:2], "built False True"], first.stderr
    assert only_library(cache).read_bytes().startswith(b"objects\n")
    second = run(tmp_path, cache, RESULTS, PATH="")
    assert second.stdout.splitlines() == [*wanted[:2], "kept False True"]
    assert not second.stderr
    third = run(tmp_path, cache, NO_NUMBA + PROGRAM)  # it was uninstalled meanwhile
    assert "pip install 'poise[build]'" in third.stderr


# the level of the CPU -----------------------------------------------------------------------------


@pytest.fixture
def level() -> Iterator[Callable[[], str]]:
    library.level.cache_clear()
    yield library.level
    library.level.cache_clear()


def test_the_level_of_the_cpu_can_be_named(shared: tuple[Path, Path], cache: Path) -> None:
    lowest = library.levels()[-1]
    done = run(shared[0], cache, PROGRAM + ORIGIN, POISE_CPU=lowest)
    assert done.stdout.splitlines()[0] == PRINTED.strip()
    assert done.stdout.endswith(f"-{lowest}.library\n")


def test_a_level_that_does_not_exist_is_refused(
    level: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POISE_CPU", "pentium")
    with pytest.raises(PoiseError, match="there is no CPU level 'pentium'") as raised:
        level()
    for each in library.levels():
        assert repr(each) in str(raised.value) or each in str(raised.value)


@pytest.mark.skipif(library.levels()[0] != "x86-64-v3", reason="only x86 has two levels")
@pytest.mark.parametrize("numpy", ["old", "new"])
def test_a_cpu_without_avx2_gets_the_baseline(
    numpy: str, level: Callable[[], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("POISE_CPU", raising=False)
    module = importlib.import_module("numpy._core._multiarray_umath")
    features = {"X86_V3": True} if numpy == "new" else {"AVX2": True}
    monkeypatch.setattr(module, "__cpu_features__", features)
    cpu = tmp_path / "cpuinfo"
    monkeypatch.setattr(library, "_CPU", cpu)
    cpu.write_text("processor\t: 0\nflags\t\t: fpu avx2 fma f16c bmi1 bmi2 movbe abm sse\n")
    assert level() == "x86-64-v3"
    library.level.cache_clear()
    features = dict.fromkeys(features, False)
    monkeypatch.setattr(module, "__cpu_features__", features)
    cpu.write_text("processor\t: 0\nflags\t\t: fpu avx2 fma f16c bmi1 movbe abm sse\n")
    assert level() == "x86-64"
    library.level.cache_clear()
    if numpy == "old":
        cpu.unlink()  # on other systems
        assert level() == "x86-64"


# sources that were edited -------------------------------------------------------------------------


def test_after_an_edit_of_what_crosses_a_process_must_be_started_anew(cache: Path) -> None:
    toys = write_toys(cache.parent)
    top, shapes = TOP, SHAPES
    for old, new in (
        ("double(matrix: Floats2)", "double(matrix: Floats2, more: int)"),
        ("product(x: Floats, y: Floats)", "product(y: Floats, x: Floats)"),
        ("last_index(values: Floats) -> int:", "last_index(values: Floats) -> float:"),
        ("return values.size - 1", "return values.size - 1.0"),
    ):
        assert old in top
        top = top.replace(old, new)
    swapped = "    order: Ints\n    rows: Floats2\n"
    shapes = shapes.replace("    rows: Floats2\n    order: Ints\n", swapped)
    program = f"""
import pathlib
import numpy as np
from toys import shapes, top
pathlib.Path({str(toys / "top.py")!r}).write_text({top!r})
pathlib.Path({str(toys / "shapes.py")!r}).write_text({shapes!r})
ones, square = np.ones(3), np.ones((3, 3))
outer = shapes.Outer(ones, shapes.Inner(square, np.array([2, 0, 1])))
for function, given in (
    (top.split, (4.0,)),
    (top.double, (square,)),
    (top.product, (ones, ones)),
    (top.last_index, (ones,)),
    (top.weigh, (outer, ones, 3, False)),
):
    try:
        print(function(*given))
    except Exception as error:
        print(type(error).__name__, error)
"""
    first, *others = run(cache.parent, cache, program).stdout.splitlines(keepends=True)
    assert first == PRINTED  # which was not edited
    assert len(others) == 4
    for line in others:
        assert re.match(r"PoiseError the library toys-\S+\.library has no toys_top_", line)
        assert "were edited after they were imported; start Python anew" in line
