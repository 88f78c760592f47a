"""How a posture is found: one file for each method, one interface."""

from __future__ import annotations

import importlib
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poise.errors import unknown_name
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem

METHODS = {"lex": "poise.solvers.lex"}
"""Where each method is found; its module has a function `solve`, a `Solver`."""


class Solver(Protocol):
    """A method: it solves a packed problem from a posture within limits and says why it stopped."""

    def __call__(
        self,
        problem: Problem,
        start: NDArray[np.float64],
        *,
        tolerance: float,
        max_iterations: int,
        max_seconds: float | None,
    ) -> Outcome:
        """Solve.

        Args:
            problem: what is wanted; its scratch is used, so threads need one each.
            start: (n,) coordinates within limits.
            tolerance: a task is met when its error is at most this (m).
            max_iterations: when to give up.
            max_seconds: when to give up; None for never.
        """
        ...


def solver(method: str) -> Solver:
    """The method of that name, imported when it is first asked for."""
    if not isinstance(method, str) or method not in METHODS:
        raise unknown_name("method", method, METHODS)
    return importlib.import_module(METHODS[method]).solve
