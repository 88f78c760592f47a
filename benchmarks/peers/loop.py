"""The loop around solvers that solve one linearised step at a time; it needs nothing but Python.

They leave the loop to the user. This one is the same for all: step until every goal is met to
0.1 mm (angles count half a metre per radian), until three steps in a row have lowered the error by
less than a ten-thousandth, or until the cap.
"""

from __future__ import annotations

from collections.abc import Callable

TOLERANCE, METRES_PER_RADIAN = 1e-4, 0.5
SLOW, PATIENCE = 1e-4, 3


def repeated(step: Callable[[], None], error: Callable[[], float], cap: int) -> None:
    """Step until the error is small, or gets no smaller, or `cap` steps are done."""
    before, idle = error(), 0
    for _ in range(cap):
        if before <= TOLERANCE or idle >= PATIENCE:
            return
        step()
        after = error()
        idle = idle + 1 if before - after < SLOW * before else 0
        before = after
