"""The whole build: type and lower, deal out, optimise, link; what has not changed is used again."""

from __future__ import annotations

import gc
import hashlib
import importlib
import os
import signal
import sys
import traceback
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from types import FunctionType
from typing import Any

from poise.building import glue, linking, units
from poise.building.frontend import FrontEnd, Typed
from poise.building.kernels import check_open_names, entries
from poise.building.objects import join
from poise.building.progress import jobs
from poise.building.records import Record, Records, write
from poise.building.types import check_result, type_of
from poise.building.versions import checked_builder
from poise.errors import PoiseError
from poise.kernel.layouts import exported_name, signature
from poise.kernel.library import CANNOT_KEEP, edited, key

_BATCH = 1500
"""Statements that a process lowers at once: fewer, and forking costs; more, and cores wait."""
_CAN_FORK = hasattr(os, "fork")

Report = Callable[[str, float], None]
"""Told what is done now, and how far the build is, from 0 to 1."""


def build(
    package: str, level: str, out: Path, *, cache: Path, report: Report, linked: bool = True
) -> None:
    """Build the library of a package of kernels for a CPU level.

    Args:
        package: its name, such as "poise.kernel".
        level: such as "x86-64-v3".
        out: the library's file.
        cache: the folder in which functions and units are kept between builds.
        report: told of the progress.
        linked: whether it becomes a shared library, where there is a linker.
    """
    builder = checked_builder()
    gc.disable()  # numba makes millions of objects that stay
    made_from = key(package)

    def check_sources() -> None:
        if key(package) != made_from:
            raise edited(package)

    wanted = entries(package)
    lowering = _Lowering(Records(cache / "functions", builder), report, check_sources)
    try:
        symbols = lowering.all(wanted)
    finally:
        lowering.end()
    gc.enable()
    records = lowering.records
    objects = _objects(records, symbols, level, builder, cache / "units", report)
    report("linking", 0.98)
    temporary = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    try:
        (linking.link if linked else join)(objects, temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())  # all of it is there before it gets its name
        temporary.replace(out)
    finally:
        temporary.unlink(missing_ok=True)
    report("done", 1.0)


class _Lowering:
    """Typing in this process, lowering in others, side by side."""

    _TYPICAL = 430
    """About so many functions there are, for the progress."""

    def __init__(self, kept: Records, report: Report, check_sources: Callable[[], None]) -> None:
        self._kept, self._report, self._check_sources = kept, report, check_sources
        self._jobs = jobs()
        self._waiting: list[Typed] = []
        self._made: list[Typed] = []
        self._running: set[int] = set()
        self._seen = 0
        self.records: dict[str, Record] = {}
        self._front = FrontEnd(self._known, self._add)

    def all(self, wanted: list[FunctionType]) -> dict[FunctionType, str]:
        """Type and lower entries and all they call; the symbols of the entries."""
        symbols: dict[FunctionType, str] = {}
        for function in wanted:
            kinds = tuple(type_of(each) for each in signature(function).parameters.values())
            typed = self._front.typed(function, kinds)
            check_result(function, typed.returned)
            symbols[function] = typed.symbol
        rest = sorted(self._waiting, key=lambda item: -item.weight)
        for k in range(self._jobs):
            self._waiting = rest[k :: self._jobs]
            self._flush()
        while self._running:
            self._await(block=True)
        for item in self._made:
            record = self._kept.get(item.function, item.arguments)
            assert record is not None
            self.records[item.symbol] = record
        return symbols

    def _known(self, item: Typed) -> bool:
        """Whether a record from before holds: what it calls must return what it did."""
        self._seen += 1
        self._report("typing and lowering", 0.7 * min(1.0, self._seen / self._TYPICAL))
        record = self._kept.get(item.function, item.arguments)
        if record is None:
            return False
        for _, module, name, arguments, returned in record.calls:
            callee = getattr(importlib.import_module(module), name, None)
            if callee is None or self._front.typed(callee, arguments).returned != returned:
                return False
        item.returned = record.returned
        self.records[item.symbol] = record
        return True

    def _add(self, item: Typed) -> None:
        self._made.append(item)
        self._waiting.append(item)
        if not _CAN_FORK:
            self._flush()
        elif sum(each.weight for each in self._waiting) >= _BATCH:
            self._await(block=False)
            if len(self._running) < max(1, self._jobs - 1):
                self._flush()

    def _flush(self) -> None:
        batch, self._waiting = self._waiting, []
        if not batch:
            return
        if not _CAN_FORK:
            self._lower(batch)
        else:
            while len(self._running) >= self._jobs:
                self._await(block=True)
            self._running.add(_forked(lambda: self._lower(batch)))
        for item in batch:
            item.state = None

    def _lower(self, batch: list[Typed]) -> None:
        self._check_sources()  # a record is found by the source, but made from what was imported
        for item in batch:
            text, helpers = self._front.lowered(item)
            code, size, open_names = units.simplified(item.symbol, text, helpers)
            check_open_names(item.function, open_names)
            calls = tuple(
                (symbol, each.function.__module__, each.function.__name__, each.arguments,
                 each.returned)
                for symbol, each in sorted(item.calls.items())
            )  # fmt: skip
            record = Record(item.symbol, item.returned, calls, size, code)
            self._kept.put(item.function, item.arguments, record)

    def _await(self, *, block: bool) -> None:
        while self._running:
            pid, status = os.waitpid(-1, 0 if block else os.WNOHANG)
            if pid == 0:
                return
            self._running.discard(pid)
            if os.waitstatus_to_exitcode(status) == CANNOT_KEEP:
                raise OSError(f"{self._kept.folder} is full or cannot be written")
            if status:
                raise PoiseError("a process that lowers kernels has failed; see above")
            if block:
                return

    def end(self) -> None:
        """End the processes that still work, after an error or Ctrl-C."""
        for pid in self._running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        self._running.clear()


def _forked(work: Callable[[], None]) -> int:
    """Do something in a child process, which knows all that this one does; its number."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its children
        work()
        status = 0
    except OSError:
        status = CANNOT_KEEP
    except PoiseError as error:
        print(f"poise: {error}", file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        if sys.stderr is not None:
            sys.stderr.flush()
        os._exit(status)


def _objects(
    records: dict[str, Record],
    symbols: dict[FunctionType, str],
    level: str,
    builder: str,
    folder: Path,
    report: Report,
) -> list[Path]:
    """The object files of all units, those made anew whose content has changed."""
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    todo: dict[Path, tuple[Any, ...]] = {}
    large = units.large(records)
    for number, owned in enumerate(units.dealt(records, large, symbols.values())):
        own = {each: symbol for each, symbol in symbols.items() if units.home(symbol) == number}
        extra = "\n".join([glue.RUNTIME, *(glue.glue(f, s) for f, s in sorted(
            own.items(), key=lambda each: each[1]))])  # fmt: skip
        exported = {exported_name(function) for function in own}
        parts = [records[symbol] for symbol in owned]
        said = [builder, level, extra, *(f"{each.symbol} {each.content}" for each in parts)]
        said += sorted(large & set(owned))
        path = folder / f"{hashlib.sha256('|'.join(said).encode()).hexdigest()[:40]}.o"
        paths.append(path)
        if path.is_file():
            os.utime(path)
        else:
            todo[path] = (parts, large & set(owned), extra, exported, level)
    report("optimising", 0.7)
    if not todo:
        return paths
    heaviest = sorted(todo, key=lambda path: -sum(each.size for each in todo[path][0]))
    count = min(len(todo), jobs())
    with get_context("fork" if _CAN_FORK else "spawn").Pool(count, _ignore_interrupts) as pool:
        made = pool.imap_unordered(_optimised, [(str(path), todo[path]) for path in heaviest])
        for done, (path, code) in enumerate(made, 1):
            write(Path(path), code)
            report("optimising", 0.7 + 0.28 * done / len(todo))
    return paths


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which ends its pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _optimised(job: tuple[str, tuple[Any, ...]]) -> tuple[str, bytes]:
    path, parts = job
    return path, units.optimised(*parts)
