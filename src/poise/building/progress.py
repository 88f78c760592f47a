"""The progress of a build, for whoever waits for it."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar
from rich.progress import TimeElapsedColumn as Elapsed

_PROCESSOR_SECONDS = 45.0
"""What a build of all kernels takes of one processor."""


def jobs() -> int:
    """How many processes may work at once."""
    can_ask = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if can_ask else os.cpu_count() or 1


class Progress:
    """Says what will be done, shows a bar on a terminal, says that it is done.

    Where nobody looks there is no bar; with POISE_QUIET=1 nothing is said.
    """

    def __init__(self, package: str, level: str) -> None:
        """Begin at nothing."""
        self._is_quiet = bool(os.environ.get("POISE_QUIET"))
        self._console = Console(stderr=True, soft_wrap=True, highlight=False)
        columns = (
            SpinnerColumn(),
            TextColumn("poise: {task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            Elapsed(),
        )
        hide = self._is_quiet or sys.stderr is None or not sys.stderr.isatty()
        self._bar = Bar(*columns, console=self._console, disable=hide, transient=True)
        self._task = self._bar.add_task("starting", total=1.0)
        seconds = 5.0 * round((5.0 + _PROCESSOR_SECONDS / min(jobs(), 4)) / 5.0)
        self._say(
            f"poise: compiling the kernels of {package} for {level} CPUs "
            f"(up to about {seconds:.0f} s)"
        )

    def _say(self, text: str) -> None:
        if not self._is_quiet:
            self._console.print(text, markup=False)

    def __enter__(self) -> Self:
        """Show it."""
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take it away."""
        self._bar.stop()

    def __call__(self, what: str, share: float) -> None:
        """What is done now, and how far the build is, from 0 to 1."""
        self._bar.update(self._task, description=what, completed=share)

    def end(self, words: str) -> None:
        """Say that it is done."""
        self._bar.stop()
        self._say(f"poise: {words}")
