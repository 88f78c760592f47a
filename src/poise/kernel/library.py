"""Which compiled library is used: packaged with these sources, kept from before, or built now.

A library is known by the content of the sources that it is made of and of what builds it, never by
paths or times: two installs of the same sources share it. A wheel has libraries beside the kernels,
in `kernel/built`. Others are kept in the user's cache directory, or in the folder that the
environment variable POISE_CACHE_DIR names. POISE_CPU names another CPU level than this machine's;
POISE_QUIET=1 silences what is said while one is built.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib
import os
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Protocol, Self

from poise.errors import PoiseError, unknown_name

KERNELS = "poise.kernel"
BUILDER = "poise.building"
PACKAGED = Path(__file__).parent / "built"
CANNOT_KEEP = 4
"""The exit status of a build that could not write into its folder."""
_UNUSED_SECONDS = 30 * 24 * 3600.0
_CPU = Path("/proc/cpuinfo")
_PATIENCE = 0.5
"""Seconds between two looks whether another process has finished building."""
loading = threading.RLock()
"""Held while a library is found, built or loaded."""


class Origin(NamedTuple):
    """Where a library comes from."""

    path: Path
    """Its file, which may be gone by now if it was built in memory."""
    how: str
    """"packaged", "kept", "built" (and kept), or "built in memory"."""


class Library(Protocol):
    """A library of compiled kernels, loaded."""

    def address(self, name: str) -> int:
        """Where a function of the library is."""
        ...


# the CPU ------------------------------------------------------------------------------------------


def levels() -> tuple[str, ...]:
    """The CPU levels that there are libraries for on machines of this kind, the best first."""
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        return ("x86-64-v3", "x86-64")
    if machine == "arm64" and sys.platform == "darwin":
        return ("apple-m1",)
    return ("generic",)


@cache
def level() -> str:
    """The CPU level of this machine, or the one that POISE_CPU names."""
    asked = os.environ.get("POISE_CPU")
    if asked:
        if asked not in levels():
            raise unknown_name("CPU level", asked, levels(), where="POISE_CPU")
        return asked
    if levels()[0] == "x86-64-v3" and not _has_v3():
        return "x86-64"
    return levels()[0]


def _has_v3() -> bool:
    """Whether the CPU has all that x86-64-v3 stands for; numpy, or the system, has asked it."""
    module: Any = importlib.import_module("numpy._core._multiarray_umath")
    has: dict[str, bool] = module.__cpu_features__
    if "X86_V3" in has:  # numpy from 2.4 on
        return has["X86_V3"]
    try:
        flags = set(re.findall(r"^flags\s*:(.*)$", _CPU.read_text(), re.MULTILINE)[0].split())
    except (OSError, IndexError):
        return False
    return {"avx2", "fma", "f16c", "bmi1", "bmi2", "movbe", "abm"} <= flags


# what there is ------------------------------------------------------------------------------------


def sources(package: str) -> Iterator[tuple[str, bytes]]:
    """The files that a library of a package is made from, by name, with their content."""
    for name in dict.fromkeys((package, KERNELS, BUILDER)):
        spec = find_spec(name)
        assert spec is not None
        assert spec.submodule_search_locations
        folder = Path(spec.submodule_search_locations[0])
        for path in sorted(folder.rglob("*.py")):
            yield f"{name}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def key(package: str) -> str:
    """A digest of all that the library of a package is made from."""
    digest = hashlib.sha256()
    for name, content in sources(package):
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:20]


def file_name(package: str, level: str) -> str:
    """The name of a library's file."""
    machine = f"{sys.platform}-{platform.machine()}"
    return f"{package.replace('.', '_')}-{key(package)}-{machine}-{level}.library"


def cache_folder() -> Path:
    """The folder in which libraries, and what makes building them quick, are kept."""
    given = os.environ.get("POISE_CACHE_DIR")
    if given:
        return Path(given).expanduser().absolute()
    import platformdirs

    return platformdirs.user_cache_path("poise", appauthor=False)


def find(package: str, *, again: bool = False) -> tuple[Library, Origin] | None:
    """The library of a package for this CPU, if it is there already.

    One that cannot be loaded (it was cut short, or needs an llvmlite that is gone) counts as none,
    and is named, if this is not asked `again`.
    """
    name = file_name(package, level())
    for folder, how in ((PACKAGED, "packaged"), (cache_folder() / "libraries", "kept")):
        path = folder / name
        if path.is_file():
            if how == "kept":
                with contextlib.suppress(OSError):  # where it may not be written
                    os.utime(path)  # marks it as used today
            try:
                return load(path), Origin(path, how)
            except (OSError, ImportError) as error:
                if not again:
                    say(f"poise: {path} cannot be loaded: {error}")
    return None


# loading ------------------------------------------------------------------------------------------


def loaded(module: str) -> Library:
    """The library with the compiled kernels of a module, built if need be."""
    package = KERNELS if module.startswith(f"{KERNELS}.") else module.rpartition(".")[0]
    if not package:
        raise PoiseError(
            f"the kernels of {module} cannot be compiled: it is a single module, and kernels must "
            "be in a package, a folder with __init__.py"
        )
    return ready(package)[0]


def ready(package: str = KERNELS) -> tuple[Library, Origin]:
    """The library of a package, found or built, and where it comes from."""
    with loading:
        if package in _failed:  # the sources are the same: it would fail again
            raise _failed[package]
        try:
            return _ready(package)
        except PoiseError as error:
            _failed[package] = error
            raise


_failed: dict[str, PoiseError] = {}


@cache
def _ready(package: str) -> tuple[Library, Origin]:
    found = find(package)
    if found is not None:
        return found
    try:
        return _kept(package, cache_folder())
    except OSError as error:
        reason = error.strerror or str(error)
    say(
        f"poise: compiled kernels cannot be kept in {cache_folder()} ({reason}), so they are "
        "built in memory, in every process again; POISE_CACHE_DIR can name another folder"
    )
    with _memory() as folder:
        path = folder / file_name(package, level())
        try:
            # A shared library could not be loaded where files of this folder may not be run.
            build(package, level(), path, folder, linked=False)
        except OSError as error:
            raise PoiseError(f"the kernels cannot be built: {error}") from None
        return load(path), Origin(path, "built in memory")


def _kept(package: str, folder: Path) -> tuple[Library, Origin]:
    """Build a library that is kept; OSError where it cannot be written, or not be loaded."""
    # What is kept is run: it must be nobody else's to write.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "libraries").mkdir(exist_ok=True)
    with _Lock(folder / "lock"):
        found = find(package, again=True)  # another process may have built it meanwhile
        if found is not None:
            return found
        _remove_unused(folder)
        path = folder / "libraries" / file_name(package, level())
        build(package, level(), path, folder)
        return load(path), Origin(path, "built")


def load(path: Path) -> Library:
    """A library from its file; OSError for a file that is none, or not all of one."""
    with path.open("rb") as file:
        head = file.read(64)
    if head.startswith(b"objects\n"):  # made where there is no linker
        return importlib.import_module(f"{BUILDER}.objects").Objects(path)
    if len(head) == 64 and head.startswith(b"\x7fELF\x02\x01"):  # of 64 bits, little-endian
        # The table of sections ends the file. The system would load a shorter one, and crash.
        (sections,) = struct.unpack_from("<Q", head, 40)
        size, count = struct.unpack_from("<HH", head, 58)
        if path.stat().st_size < sections + size * count:
            raise OSError("its end is missing")
    return _Shared(path)


class _Shared:
    """A shared library, loaded by the system."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._library = ctypes.CDLL(str(path))

    def address(self, name: str) -> int:
        try:
            found = ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value
        except AttributeError:
            raise missing(self._path, name) from None
        assert found is not None
        return found


def missing(path: Path, name: str) -> PoiseError:
    """The error for a function that a library does not have."""
    return PoiseError(
        f"the library {path.name} has no {name}: the sources of poise were edited after they were "
        "imported; start Python anew"
    )


# building -----------------------------------------------------------------------------------------


def build(package: str, level: str, out: Path, folder: Path, *, linked: bool = True) -> None:
    """Build a library, in a process of its own; OSError if it cannot be written.

    Args:
        package: of kernels.
        level: of the CPU.
        out: the library's file.
        folder: where functions are kept between builds.
        linked: whether it becomes a shared library, where there is a linker, rather than the
            objects that llvmlite loads.
    """
    if find_spec("numba") is None:
        raise PoiseError(
            f"poise has no compiled kernels for these sources and the CPU level {level}, and "
            "numba, which builds them, is not installed; install a wheel of poise, or: "
            "pip install 'poise[build]'"
        )
    command = [sys.executable, "-m", BUILDER, package, level, str(out), "--cache", str(folder)]
    if not linked:
        command.append("--unlinked")
    environment = {name: os.environ[name] for name in os.environ if not name.startswith("NUMBA_")}
    # The child imports what this process would, and nothing from its working directory besides.
    environment["PYTHONPATH"] = os.pathsep.join(str(Path(each).absolute()) for each in sys.path)
    environment["PYTHONSAFEPATH"] = "1"
    built_from = key(package)
    # In a session of its own, so that Ctrl-C reaches this process alone, which ends all of it; and
    # in another folder, for numba reads a file of settings where it is started.
    child = subprocess.Popen(
        command,
        cwd=out.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        status = child.wait()
    except BaseException:
        _end(child, {out.parent, folder / "functions", folder / "units"})
        raise
    if status == CANNOT_KEEP:
        raise OSError(f"{folder} is full or cannot be written")
    if status:
        raise PoiseError("the kernels could not be built; what went wrong stands above")
    if key(package) != built_from:
        out.unlink()
        raise edited(package)


def edited(package: str) -> PoiseError:
    """The error for sources that change while they are built."""
    return PoiseError(
        f"the sources of {package} were edited while they were being compiled; start Python anew"
    )


def _end(child: subprocess.Popen[bytes], folders: Iterable[Path]) -> None:
    """End a build with all its processes, and remove what they have half written."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended just now
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for folder in folders:
        for path in folder.glob(".*.tmp"):
            path.unlink(missing_ok=True)
    if not _is_quiet() and sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K\x1b[?25h")  # clears the bar's line and shows the cursor
        sys.stderr.flush()


class _Lock:
    """Lets one process at a time build into a folder; the others wait, and say so."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        self._file = self._path.open("ab")
        try:
            import fcntl
        except ImportError:  # then two may build at once; the later one replaces the same file
            return self
        told = False
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return self
            except BlockingIOError:
                if not told:
                    say("poise: another process is building the kernels; waiting for it …")
                told = True
                time.sleep(_PATIENCE)
            except OSError:  # some network drives have no locks
                return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()


@contextlib.contextmanager
def _memory() -> Generator[Path]:
    """A folder that takes no disk, where there is such a thing, and goes away afterwards."""
    memory = Path("/dev/shm")
    home = memory if memory.is_dir() and os.access(memory, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="poise-", dir=home))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_unused(root: Path) -> None:
    """Remove what no process has used for 30 days."""
    oldest = time.time() - _UNUSED_SECONDS
    for name in ("libraries", "functions", "units"):
        for path in (root / name).glob("*"):
            with contextlib.suppress(OSError):  # another process may be removing it too
                if path.stat().st_mtime < oldest:
                    path.unlink()


def _is_quiet() -> bool:
    return sys.stderr is None or bool(os.environ.get("POISE_QUIET"))


def say(text: str) -> None:
    """Say something on the terminal, unless POISE_QUIET is set."""
    if _is_quiet():
        return
    with contextlib.suppress(OSError, ValueError):  # a closed stderr must not stop a solve
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
