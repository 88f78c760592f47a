"""Many solves at once, on threads: the kernels release the interpreter's lock."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from poise.solvers.problem import Problem

ENOUGH = object()
"""What a job returns after which no other is wanted."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    problem: Problem, count: int, job: Callable[[Problem, int], object], threads: int
) -> None:
    """Do `job(problem, i)` for i = 0 … count − 1 on threads, in order of i but side by side.

    Each thread has a twin of the problem, so that a job may change its targets. A job that returns
    `ENOUGH` is the last: those that run are finished, no other is begun. The first error stops all
    threads and is raised.
    """
    numbers = itertools.count()
    stop = Event()

    def work() -> None:
        twin = problem.twin()
        try:
            while not stop.is_set():
                i = next(numbers)
                if i >= count:
                    return
                if job(twin, i) is ENOUGH:
                    stop.set()
        except BaseException:
            stop.set()
            raise

    workers = min(threads, count)
    if workers <= 1:
        work()
        return
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work) for _ in range(workers)]
        try:
            for future in futures:
                future.result()
        finally:
            stop.set()
