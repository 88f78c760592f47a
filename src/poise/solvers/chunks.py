"""A compiled solve with an eye on the clock."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from poise.kernel.priority import ITERATIONS

_STATUS = ("solved", "stationary", "stalled", "iterations")

_CHUNK = 5
"""So many iterations pass between two looks at the clock."""

Run = Callable[[int, bool, bool], tuple[int, int]]
"""Given the most iterations, whether the solve begins, and whether it finishes: how it ended and
how many iterations there were."""


def run_in_time(run: Run, max_iterations: int, max_seconds: float | None) -> tuple[str, int, float]:
    """Run a solve until it ends or time is over: why it stopped, its iterations, its seconds."""
    begun, iterations, begins = perf_counter(), 0, True
    while True:
        seconds = perf_counter() - begun
        late = max_seconds is not None and seconds > max_seconds and iterations > 0
        left = 0 if late else max_iterations - iterations
        chunk = left if max_seconds is None else min(_CHUNK, left)
        status, done = run(chunk, begins, chunk == left)
        iterations += done
        if status != ITERATIONS or chunk == left:
            word = "time" if late and status == ITERATIONS else _STATUS[status]
            return word, iterations, perf_counter() - begun
        begins = False
