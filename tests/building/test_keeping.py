"""Where a library is built and kept: in the cache, once, or in memory where there is no room."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest
from tests.building.toys import (
    COMPILING,
    LEAF,
    ORIGIN,
    PRINTED,
    PROGRAM,
    SAID,
    WAIT,
    environment,
    leftovers,
    only_library,
    run,
    write_toys,
)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The toys' parent folder, and a cache that has their library."""
    parent = tmp_path_factory.mktemp("shared")
    write_toys(parent)
    assert run(parent, parent / "cache").returncode == 0
    return parent, parent / "cache"


# where nothing can be kept ------------------------------------------------------------------------


def without_privileges() -> None:
    """Let root, too, heed who may write a file: drop CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
    drop = 24  # PR_CAPBSET_DROP
    for capability in (1, 2):
        ctypes.CDLL(None).prctl(drop, capability, 0, 0, 0)


@pytest.fixture
def closed(shared: tuple[Path, Path], tmp_path: Path) -> Iterator[Path]:
    """A cache with a library, that may be read but not written."""
    cache = shutil.copytree(shared[1], tmp_path / "cache")
    inside = list(cache.rglob("*"))
    for each in (*inside, cache):
        each.chmod(0o555)
    before = without_privileges if os.geteuid() == 0 else None
    tried = subprocess.run(["touch", str(cache / "new")], preexec_fn=before, capture_output=True)
    if tried.returncode == 0:
        pytest.skip("this user may write everywhere")
    yield cache
    for each in (cache, *inside):
        each.chmod(0o755)


def test_a_library_in_a_read_only_cache_is_used(shared: tuple[Path, Path], closed: Path) -> None:
    done = run(shared[0], closed, PROGRAM + ORIGIN, before=without_privileges)
    assert done.stdout == f"{PRINTED}kept {only_library(closed)}\n"
    assert not done.stderr


def in_memory(reason: str) -> str:
    return (
        rf"poise: compiled kernels cannot be kept in \S+ \({reason}\), so they are built in "
        r"memory, in every process again; POISE_CACHE_DIR can name another folder\n"
    )


def check_built_in_memory(
    parent: Path,
    cache: Path,
    said: str,
    before: Callable[[], None] | None = None,
) -> None:
    """That a program builds in memory, says so, computes the same, and leaves nothing behind."""
    temporary = parent / "temporary"
    temporary.mkdir()
    done = run(parent, cache, PROGRAM + ORIGIN, before=before, TMPDIR=str(temporary))
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(said + SAID, done.stderr)
    printed, origin = done.stdout.splitlines(keepends=True)
    assert printed == PRINTED
    path = Path(origin.removeprefix("built in memory ").strip())
    assert path.name.startswith("toys-")
    assert not path.parent.exists()
    assert not list(temporary.iterdir())


def test_where_the_cache_is_read_only_a_new_library_is_built_in_memory(
    tmp_path: Path, closed: Path
) -> None:
    write_toys(tmp_path)
    (tmp_path / "toys" / "leaf.py").write_text(LEAF.format(factor=3.0) + "# another key\n")
    check_built_in_memory(tmp_path, closed, in_memory("Permission denied"), without_privileges)


def test_where_there_can_be_no_cache_a_library_is_built_in_memory(tmp_path: Path) -> None:
    write_toys(tmp_path)
    (tmp_path / "file").touch()
    check_built_in_memory(tmp_path, tmp_path / "file" / "cache", in_memory("Not a directory"))


@pytest.mark.parametrize("name", ["functions", "units"])
def test_a_cache_that_fails_in_the_middle_is_replaced_by_memory(name: str, tmp_path: Path) -> None:
    write_toys(tmp_path)
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / name).touch()
    said = COMPILING + rf"poise: \S+{name}: File exists\n"
    check_built_in_memory(tmp_path, cache, said + in_memory(r"\S+ is full or cannot be written"))
    assert not leftovers(cache)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Mounts a disk of so many kB."""
    mounted: list[Path] = []

    def mount(size: int) -> Path:
        folder = tmp_path / "small"
        folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(folder)]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            pytest.skip("there is no mount")
        if done.returncode:
            pytest.skip("no disk can be mounted here")
        mounted.append(folder)
        return folder

    yield mount
    for each in mounted:
        subprocess.run(["umount", str(each)], check=True)


@pytest.mark.parametrize("part", [0.5, 1.0])  # it is full when lowering, or when linking
def test_where_the_disk_is_full_a_library_is_built_in_memory(
    part: float, shared: tuple[Path, Path], tmp_path: Path, small: Callable[[int], Path]
) -> None:
    write_toys(tmp_path)
    before = [*(shared[1] / "functions").iterdir(), *(shared[1] / "units").iterdir()]
    needed = sum(-(-each.stat().st_size // 4096) * 4 for each in before)
    folder = small(int(part * needed) + 4)
    said = COMPILING + r"poise: .*(No space left on device|is full or cannot be written)\n"
    check_built_in_memory(tmp_path, folder, said + in_memory(r"\S+ is full or cannot be written"))
    assert not leftovers(folder)


# two at once, and Ctrl-C --------------------------------------------------------------------------


class Program:
    """A running program, and what it has said until now."""

    def __init__(self, parent: Path, cache: Path, program: str = PROGRAM) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", program],
            env=environment(parent, cache),
            cwd=parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # which a shell lets what runs in the background ignore
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        assert self.process.stderr is not None
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read, args=(self.process.stderr,))
        self._reader.start()

    def _read(self, stderr: IO[str]) -> None:
        for line in stderr:
            self.said.append(line)

    def says(self, word: str) -> bool:
        return any(word in line for line in self.said)

    def ended(self) -> str:
        """What it printed; it has ended then, with all that it started."""
        assert self.process.stdout is not None
        self.process.wait(WAIT)
        printed = self.process.stdout.read()
        self._reader.join(WAIT)
        return printed


def wait_until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_two_processes_that_need_a_library_build_it_once(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    write_toys(tmp_path)
    cache = tmp_path / "cache"
    cache.mkdir()
    with (cache / "lock").open("ab") as lock:  # as a third process that builds holds it
        fcntl.flock(lock, fcntl.LOCK_EX)
        programs = [Program(tmp_path, cache) for _ in range(2)]
        for each in programs:
            wait_until(lambda each=each: each.says("another process is building the kernels"))
    assert [each.ended() for each in programs] == [PRINTED, PRINTED]
    waiting = "poise: another process is building the kernels; waiting for it …\n"
    one, other = sorted(("".join(each.said) for each in programs), key=len)
    assert one == waiting
    assert re.fullmatch(waiting + SAID, other)


def users_of(cache: Path) -> list[int]:
    """The processes that have a cache in their environment."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if str(cache).encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
        except OSError:  # ended meanwhile, or somebody else's
            continue
    return found


MANY = """\
import math

from poise.kernel.arrays import Floats
from poise.kernel.compiling import entry

"""
ONE_OF_MANY = """
@entry
def many_{number}(x: Floats) -> float:
    result = 0.0
    for i in range(x.size):
{lines}
    return result

"""


def write_many(toys: Path, count: int) -> None:
    """Add kernels that take a while: so many to each of six modules."""
    lines = "\n".join(f"        result += math.sin({i} + x[i] * result)" for i in range(40))
    for module in range(6):
        functions = [ONE_OF_MANY.format(number=i, lines=lines) for i in range(count)]
        (toys / f"many_{module}.py").write_text(MANY + "".join(functions))


needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds processes in /proc")


@needs_proc
@pytest.mark.parametrize("reached", ["functions/*.record", "units"])  # it lowers, or optimises
def test_ctrl_c_ends_a_build_and_leaves_nothing_behind(reached: str, tmp_path: Path) -> None:
    toys = write_toys(tmp_path)
    write_many(toys, 2)
    cache = tmp_path / "cache"
    program = Program(tmp_path, cache)
    wait_until(lambda: bool(list(cache.glob(reached))))
    builders = set(users_of(cache)) - {program.process.pid}
    assert builders
    for each in builders:  # so that it is not done too soon
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGSTOP)
    os.killpg(program.process.pid, signal.SIGINT)
    assert program.ended() == ""
    assert program.process.returncode in (-signal.SIGINT, 130)
    assert program.says("KeyboardInterrupt")
    assert not program.says("built in")
    wait_until(lambda: not users_of(cache))
    assert not list((cache / "libraries").iterdir())
    assert not leftovers(cache)
    for path in toys.glob("many_*.py"):
        path.unlink()
    assert run(tmp_path, cache).stdout == PRINTED


@needs_proc
def test_a_build_ends_when_the_process_that_needs_it_is_killed(tmp_path: Path) -> None:
    write_many(write_toys(tmp_path), 4)
    cache = tmp_path / "cache"
    program = Program(tmp_path, cache)
    wait_until(lambda: bool(list(cache.glob("functions/*.record"))))
    program.process.kill()
    assert program.ended() == ""  # whatever it started has closed what it prints to
    wait_until(lambda: not users_of(cache))
    assert not list((cache / "libraries").iterdir())
