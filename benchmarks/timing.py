"""How the benchmarks measure and print.

Other work on the machine only ever makes a run slower, so the least of many repeats is the time
that the code takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.table import Table


def least_seconds(
    run: Callable[[], object], *, inner: int = 1, repeats: int = 200, seconds: float = 2.0
) -> float:
    """The shortest time of one run, in seconds.

    Args:
        run: what is measured; it is called once beforehand, to compile and to warm up.
        inner: how many times `run` does the thing by itself, in a compiled loop.
        repeats: how often to measure, at most.
        seconds: stop after so long, when at least five measurements are there.
    """
    run()
    least = float("inf")
    started = time.perf_counter()
    for repeat in range(repeats):
        before = time.perf_counter()
        run()
        after = time.perf_counter()
        least = min(least, after - before)
        if repeat >= 4 and after - started > seconds:
            break
    return least / inner


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[str] | None]) -> None:
    """Print a table; the first column is text, the others are numbers; None draws a line."""
    table = Table(title=title, title_justify="left")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left")
    for row in rows:
        if row is None:
            table.add_section()
        else:
            table.add_row(*row)
    Console(width=120).print(table)
