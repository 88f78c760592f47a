"""How kernel functions are compiled, kept between runs, and announced while they compile.

Compiled code is kept in the user's cache directory, or in the folder that the environment
variable POISE_CACHE_DIR names, under `kernels-<key>`. The key is made of all kernel sources and
of what compiles them, because numba notices an edit in a function's own file but not in the
files that it imports. POISE_QUIET=1 silences the progress lines. With POISE_INTERPRET=1 kernels
stay the Python that they are.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, overload

import llvmlite
import numba
import platformdirs
from numba.core import config
from numba.core import event as events

Function = TypeVar("Function", bound=Callable[..., Any])

# No 'nnan' and 'ninf': a solver must be able to see that a number went bad.
_FASTMATH = {"reassoc", "contract", "nsz", "arcp"}
_config: Any = config  # makes its attributes as it is imported: type checkers do not see them
_SOURCES = Path(__file__).parent
_UNUSED_SECONDS = 30 * 24 * 3600.0
_decorating = threading.RLock()


class Marks(NamedTuple):
    """How a kernel function is to be compiled ahead of time (`poise.building`)."""

    is_entry: bool
    """Whether Python calls it; its parameters and result are annotated."""
    exact: bool
    """Whether the order of additions is kept."""
    allocates: bool
    """Whether it makes arrays."""


def marks_of(function: Any) -> Marks | None:
    """How a kernel function is marked; None for what is none."""
    return getattr(function, "__kernel__", None)


class Compilation(NamedTuple):
    """One kernel entry that was compiled: its name, seconds taken, whether the cache keeps it."""

    name: str
    seconds: float
    kept: bool


@overload
def compiled(function: Function, /) -> Function: ...
@overload
def compiled(
    *,
    inline: Literal["never", "always"] = "never",
    nogil: bool = True,
    parallel: bool = False,
    exact: bool = False,
    allocates: bool = False,
) -> Callable[[Function], Function]: ...
def compiled(
    function: Any = None,
    /,
    *,
    inline: Literal["never", "always"] = "never",
    nogil: bool = True,
    parallel: bool = False,
    exact: bool = False,
    allocates: bool = False,
) -> Any:
    """Compile a kernel function when it is first called, and keep the result between runs.

    Used as `@compiled` or `@compiled(inline="always")`. Arithmetic may be reassociated and
    contracted, NaN and infinity stay honest, and division by zero gives them (it does not raise).

    Args:
        function: the function, when the decorator is used bare.
        inline: "always" inserts the function into its callers before types are inferred.
        nogil: release the interpreter lock while the function runs.
        parallel: let numba run `prange` loops on several threads.
        exact: keep the order of additions, where the rounding errors matter.
        allocates: the function makes arrays. Others don't count references to the ones that they
            are given and cut up, which saves a fifth of the time of what cuts up many.
    """
    marks = Marks(False, exact, allocates)
    own = {"inline": inline, "nogil": nogil, "parallel": parallel}
    return (
        functools.partial(_marked, marks, own)
        if function is None
        else _marked(marks, own, function)
    )


@overload
def entry(function: Function, /) -> Function: ...
@overload
def entry(
    *,
    inline: Literal["never", "always"] = "never",
    exact: bool = False,
    allocates: bool = False,
) -> Callable[[Function], Function]: ...
def entry(
    function: Any = None,
    /,
    *,
    inline: Literal["never", "always"] = "never",
    exact: bool = False,
    allocates: bool = False,
) -> Any:
    """Compile a kernel function that Python calls, as `compiled` does.

    Its parameters are annotated: arrays in C order (`kernel.arrays`), named tuples of these, float,
    int or bool. It returns one of the last three, a tuple of them, or None.
    """
    marks, own = Marks(True, exact, allocates), {"inline": inline}
    return (
        functools.partial(_marked, marks, own)
        if function is None
        else _marked(marks, own, function)
    )


def _marked(marks: Marks, own: dict[str, Any], function: Any) -> Any:
    """Note how a function is to be compiled, and let numba do it when it is called."""
    function.__kernel__ = marks
    if os.environ.get("POISE_INTERPRET", "0") not in ("", "0"):
        return function
    fastmath = _FASTMATH - {"reassoc"} if marks.exact else _FASTMATH
    shared = {"nogil": True, "fastmath": fastmath, "_nrt": marks.allocates}
    return _decorate(function, {**shared, **own})


def _decorate(function: Any, options: dict[str, Any]) -> Any:
    with _decorating:
        folder = cache_folder() if _can_be_kept(function) else None
        # numba asks for the folder while it decorates, and never again; other users of numba in
        # this process keep theirs.
        before = _config.CACHE_DIR, _config.CACHE_LOCATOR_CLASSES
        _config.CACHE_DIR, _config.CACHE_LOCATOR_CLASSES = str(folder or ""), ""
        try:
            return numba.njit(cache=folder is not None, error_model="numpy", **options)(function)
        finally:
            _config.CACHE_DIR, _config.CACHE_LOCATOR_CLASSES = before


@functools.cache
def cache_folder() -> Path | None:
    """Return the folder for the compiled code of these sources, made if need be.

    None when it cannot be written; that is said once, and the code is then compiled anew in every
    process. Folders of other sources that no process has used for 30 days are removed when a new
    one is made.
    """
    given = os.environ.get("POISE_CACHE_DIR")
    if given:
        root = Path(given).expanduser().absolute()
    else:
        root = platformdirs.user_cache_path("poise", appauthor=False)
    folder = root / f"kernels-{_key()}"
    try:
        is_new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # marks it as used today
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        _say(
            f"poise: compiled code cannot be kept in {root} ({error.strerror}), so every run "
            "compiles again; POISE_CACHE_DIR can name another folder\n"
        )
        return None
    if is_new:
        _remove_unused(root)
    return folder


def _key() -> str:
    digest = hashlib.sha256()
    versions = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__)
    digest.update(repr((versions, _config.BOUNDSCHECK, _config.OPT)).encode())
    for path in sorted(_SOURCES.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(_SOURCES).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:20]


def _stamps() -> dict[Path, tuple[int, int]]:
    stats = {path: path.stat() for path in _SOURCES.rglob("*.py")}
    return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in stats.items()}


_stamps_at_start = _stamps()


def _can_be_kept(function: Any) -> bool:
    # A function typed at a console has no file. And a module imported after its source was edited
    # does not belong under the key of the sources that this process started with.
    return os.path.isfile(inspect.getfile(function)) and _stamps() == _stamps_at_start


def _remove_unused(root: Path) -> None:
    oldest = time.time() - _UNUSED_SECONDS
    for folder in root.glob("kernels-*"):
        with contextlib.suppress(OSError):  # another process may be removing it too
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)


@contextlib.contextmanager
def recorded() -> Generator[list[Compilation]]:
    """Collect what is compiled inside the `with` block, in place of the progress lines."""
    compilations: list[Compilation] = []
    _progress.recorders.append(compilations)
    try:
        yield compilations
    finally:
        _progress.recorders.remove(compilations)


class _Progress(events.Listener):
    """Announces each kernel entry that numba compiles.

    numba broadcasts "numba:compile" only when nothing is found in the cache, and always under its
    global compiler lock, so the state here needs no lock of its own. Kernels that an entry calls
    compile inside it and count towards it.
    """

    def __init__(self) -> None:
        self.recorders: list[list[Compilation]] = []
        self._depth = 0
        self._started = 0.0

    def on_start(self, event: Any) -> None:
        if not _is_kernel(event):
            return
        self._depth += 1
        if self._depth == 1:
            self._started = time.perf_counter()
            if not self.recorders and _is_terminal():
                _say(f"poise: compiling {_name(event)} …")

    def on_end(self, event: Any) -> None:
        if not _is_kernel(event):
            return
        self._depth -= 1
        if self._depth > 0:
            return
        dispatcher = event.data["dispatcher"]
        failed = tuple(event.data["args"]) not in dispatcher.overloads
        kept = not failed and dispatcher.stats.cache_path is not None
        done = Compilation(_name(event), time.perf_counter() - self._started, kept)
        for recorder in self.recorders:
            recorder.append(done)
        if not self.recorders:
            start = "" if _is_terminal() else f"poise: compiling {done.name} …"
            end = "failed" if failed else "once; kept in the cache" if kept else "for this run"
            _say(f"{start} {done.seconds:.1f} s ({end})\n")


def _is_kernel(event: Any) -> bool:
    function = getattr(event.data["dispatcher"], "py_func", None)
    return str(getattr(function, "__module__", None)).startswith("poise.kernel.")


def _name(event: Any) -> str:
    function = event.data["dispatcher"].py_func
    return f"{function.__module__.removeprefix('poise.kernel.')}.{function.__name__}"


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _say(text: str) -> None:
    if sys.stderr is None or os.environ.get("POISE_QUIET"):
        return
    with contextlib.suppress(OSError, ValueError):  # a closed stderr must not stop a solve
        sys.stderr.write(text)
        sys.stderr.flush()


_progress = _Progress()
events.register("numba:compile", _progress)
