"""Compiling, each time in a new process, on a copy of the package with kernels of its own."""

import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import poise
from poise.kernel.compiling import compiled, recorded

INNER = """\
from poise.kernel.compiling import compiled

@compiled
def inner(x):
    return x + {}
"""
OUTER = """\
from poise.kernel.compiling import compiled
from poise.kernel.inner import inner

@compiled
def outer(x):
    return 2.0 * inner(x)
"""
CALL = "from poise.kernel.outer import outer; print(outer(3.0))"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def install(tmp_path: Path) -> Path:
    """A package `poise` with two kernels, one of which calls the other."""
    package = tmp_path / "install" / "poise"
    (package / "kernel").mkdir(parents=True)
    (package / "__init__.py").touch()
    real = Path(poise.__file__).parent / "kernel"
    for name in ("__init__.py", "compiling.py"):
        shutil.copy(real / name, package / "kernel" / name)
    (package / "kernel" / "inner.py").write_text(INNER.format(1.0), encoding="utf-8")
    (package / "kernel" / "outer.py").write_text(OUTER, encoding="utf-8")
    return package


@pytest.fixture
def run(install: Path, tmp_path: Path) -> Run:
    """Run a program with that package, and with a cache of its own."""

    def run(program: str = CALL, **environment: str) -> subprocess.CompletedProcess[str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("POISE_", "NUMBA_"))}
        given = {
            "PYTHONPATH": str(install.parent),
            "PYTHONDONTWRITEBYTECODE": "1",
            "POISE_CACHE_DIR": str(tmp_path / "cache"),
        }
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=clean | given | environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done

    return run


def announced(done: subprocess.CompletedProcess[str]) -> list[str]:
    return done.stderr.splitlines()


def test_the_first_run_compiles_and_says_so_and_the_second_does_not(run: Run) -> None:
    first, second = run(), run()
    (line,) = announced(first)
    assert line.startswith("poise: compiling outer.outer … ")
    assert line.endswith(" s (once; kept in the cache)")
    assert announced(second) == []
    assert first.stdout == second.stdout == "8.0\n"


def test_an_edit_in_an_imported_kernel_is_noticed(run: Run, install: Path) -> None:
    assert run().stdout == "8.0\n"
    (install / "kernel" / "inner.py").write_text(INNER.format(2.0), encoding="utf-8")
    assert run().stdout == "10.0\n"
    (install / "kernel" / "inner.py").write_text(INNER.format(1.0), encoding="utf-8")
    again = run()
    assert again.stdout == "8.0\n"
    assert announced(again) == []


def test_what_is_compiled_after_an_edit_in_the_same_process_is_not_kept(
    run: Run, install: Path
) -> None:
    edit = f"""
import pathlib, poise.kernel.compiling
pathlib.Path({str(install / "kernel" / "inner.py")!r}).write_text({INNER.format(2.0)!r})
{CALL}"""
    edited = run(edit)
    assert edited.stdout == "10.0\n"
    assert announced(edited)[0].endswith("s (for this run)")
    (install / "kernel" / "inner.py").write_text(INNER.format(1.0), encoding="utf-8")
    assert run().stdout == "8.0\n"


def test_nothing_is_written_beside_the_sources(run: Run, install: Path) -> None:
    before = sorted(install.rglob("*"))
    run()
    assert sorted(install.rglob("*")) == before


def test_a_cache_that_cannot_be_written_is_said_once_and_done_without(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "a_file").touch()
    done = run(POISE_CACHE_DIR=str(tmp_path / "a_file" / "cache"))
    notice, line = announced(done)
    assert "cannot be kept" in notice
    assert "POISE_CACHE_DIR" in notice
    assert line.endswith("s (for this run)")
    assert done.stdout == "8.0\n"


def test_the_cache_is_in_the_users_cache_directory(run: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    run(POISE_CACHE_DIR="", HOME=str(home), XDG_CACHE_HOME=str(home / ".cache"))
    (folder,) = home.rglob("kernels-*")
    assert list(folder.rglob("outer.outer-*.nbi"))


def test_folders_that_were_not_used_for_a_month_are_removed(run: Run, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for name, days in (("kernels-old", 31), ("kernels-recent", 29), ("pictures", 400)):
        (cache / name).mkdir(parents=True)
        (cache / name / "file").touch()
        then = time.time() - days * 24 * 3600
        os.utime(cache / name, (then, then))
    run()
    left = {folder.name for folder in cache.iterdir()}
    assert "kernels-old" not in left
    assert {"kernels-recent", "pictures"} < left
    assert len(left) == 3


def test_quiet_is_quiet(run: Run) -> None:
    assert announced(run(POISE_QUIET="1")) == []


def test_threads_that_need_one_kernel_compile_it_once(run: Run) -> None:
    done = run(
        """
from concurrent.futures import ThreadPoolExecutor
from poise.kernel.outer import outer
with ThreadPoolExecutor(4) as pool:
    print(*pool.map(outer, [1.0, 2.0, 3.0, 4.0]))
"""
    )
    assert done.stdout == "4.0 6.0 8.0 10.0\n"
    assert len(announced(done)) == 1


def test_a_kernel_that_cannot_be_compiled_is_said_to_have_failed(run: Run, install: Path) -> None:
    (install / "kernel" / "inner.py").write_text(INNER.format("'a'"), encoding="utf-8")
    done = run(f"try:\n    {CALL}\nexcept Exception as error:\n    print(type(error).__name__)")
    assert done.stdout == "TypingError\n"
    assert announced(done)[0].endswith("s (failed)")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_the_line_appears_before_the_time_is_known(run: Run, install: Path) -> None:
    # The kernel's own compilation looks at what was written when it began.
    done = run(
        """
import os, pty, sys
from numba.core import event
ours, theirs = pty.openpty()
sys.stderr = os.fdopen(theirs, "w")
from poise.kernel.outer import outer

class Look(event.Listener):
    def on_start(self, event):
        if event.data["dispatcher"] is outer:
            print(os.read(ours, 1000).decode())
    def on_end(self, event):
        if event.data["dispatcher"] is outer:
            print(os.read(ours, 1000).decode())

event.register("numba:compile", Look())
outer(3.0)
"""
    )
    begun, ended = done.stdout.splitlines()[:2]
    assert begun == "poise: compiling outer.outer …"
    assert ended.endswith(" s (once; kept in the cache)")


def test_compilations_are_recorded_in_place_of_the_lines(run: Run) -> None:
    done = run(
        """
from poise.kernel.compiling import recorded
from poise.kernel.outer import outer
with recorded() as compilations:
    outer(1.0)
    outer(2.0)
[(name, seconds, kept)] = compilations
print(name, seconds > 0, kept)
"""
    )
    assert done.stdout == "outer.outer True True\n"
    assert announced(done) == []


def test_other_users_of_numba_keep_their_cache_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(
        "import numba, poise.kernel.outer as ours\n"
        "theirs = numba.njit(cache=True)(lambda x: x)\n"
        "print(theirs.stats.cache_path)\n"
        "print(ours.outer.stats.cache_path)\n",
        encoding="utf-8",
    )
    done = run(
        f"import runpy; runpy.run_path({str(tmp_path / 'theirs.py')!r})",
        NUMBA_CACHE_DIR=str(tmp_path / "elsewhere"),
        NUMBA_CACHE_LOCATOR_CLASSES="UserProvidedCacheLocator",
    )
    theirs, ours = map(Path, done.stdout.splitlines())
    assert theirs.parent == tmp_path / "elsewhere"
    assert ours.parent.parent == tmp_path / "cache"


def test_a_function_without_a_file_is_compiled_all_the_same() -> None:
    namespace: dict[str, Callable[[float], float]] = {}
    exec("def double(x):\n    return 2 * x", namespace)
    assert compiled(namespace["double"])(4.0) == 8.0


def test_numbers_that_went_bad_stay_visible() -> None:
    @compiled
    def quotient(a: float, b: float) -> float:
        return a / b

    @compiled(inline="always", nogil=False)
    def is_bad(x: float) -> bool:
        return x != x

    assert quotient(1.0, 0.0) == math.inf
    assert is_bad(quotient(0.0, 0.0))
    assert not is_bad(1.0)


def test_exact_keeps_the_order_of_additions() -> None:
    @compiled(exact=True)
    def lost(a: float, b: float) -> float:
        """What a + b loses by rounding (Knuth's two-sum)."""
        total = a + b
        shown = total - a
        return (a - (total - shown)) + (b - shown)

    assert lost(1.0, 1e-17) == 1e-17


def test_recording_ends_with_its_block() -> None:
    with recorded() as compilations:
        pass
    assert compilations == []
