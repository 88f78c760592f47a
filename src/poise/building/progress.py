"""The progress of a build, on a terminal."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


class Bar:
    """One bar for a whole build; nothing where nobody looks, or with POISE_QUIET=1."""

    def __init__(self) -> None:
        """Begin at nothing."""
        is_quiet = bool(os.environ.get("POISE_QUIET")) or not sys.stderr.isatty()
        columns = (
            SpinnerColumn(),
            TextColumn("poise: {task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
        )
        self._progress = Progress(*columns, console=Console(stderr=True), disable=is_quiet)
        self._task = self._progress.add_task("building the kernels", total=1.0)

    def __enter__(self) -> Self:
        """Show it."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take it away."""
        self._progress.stop()

    def __call__(self, what: str, share: float) -> None:
        """What is done now, and how far the build is, from 0 to 1."""
        self._progress.update(self._task, description=what, completed=share)
