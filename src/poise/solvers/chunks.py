"""A compiled solve with an eye on the clock."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.kernel.ending import COLD, CONTINUED, ITERATIONS
from poise.solvers.outcome import Ending

_STATUS = ("solved", "stationary", "stalled", "iterations")

_CHUNK = 5
"""So many iterations pass between two looks at the clock."""

Run = Callable[[NDArray[np.float64], int, int, bool], tuple[int, int]]
"""Given the posture, which it moves, the most iterations, COLD or CONTINUED, and whether the solve
finishes: how it ended and how many iterations there were."""


def run_in_time(
    run: Run,
    q: NDArray[np.float64],
    ending: Ending,
    *,
    is_first: bool,
) -> tuple[str, int, float]:
    """Run a solve until it ends or time is over: why it stopped, its iterations, its seconds.

    Args:
        run: the solve.
        q: (n,) the start; the result.
        ending: see `Ending`; the solve knows the tolerance.
        is_first: whether the solve may have to be compiled or loaded, which is not counted.
    """
    max_iterations, max_seconds = ending["max_iterations"], ending["max_seconds"]
    if is_first:
        run(q.copy(), 0, COLD, False)
    begun, iterations, begin = perf_counter(), 0, COLD
    while True:
        seconds = perf_counter() - begun
        late = max_seconds is not None and seconds > max_seconds and iterations > 0
        left = 0 if late else max_iterations - iterations
        chunk = left if max_seconds is None else min(_CHUNK, left)
        status, done = run(q, chunk, begin, chunk == left)
        iterations += done
        if status != ITERATIONS or chunk == left:
            word = "time" if late and status == ITERATIONS else _STATUS[status]
            return word, iterations, perf_counter() - begun
        begin = CONTINUED
