"""The methods by name."""

from __future__ import annotations

import importlib
import inspect
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from poise.errors import unknown_name
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem

METHODS = {
    name: f"poise.solvers.{name}"
    for name in (
        "lex",
        "priority",
        "nlp",
        "projected",
        "lp",
        "lagrange",
        "pinv",
        "dls",
        "transpose",
        "ccd",
        "partition",
    )
}
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

        A method may have options of its own, each a keyword with a default.

        Args:
            problem: what is wanted; its scratch is used, so threads need one each.
            start: (n,) coordinates within limits.
            tolerance: a task is met when its error is at most this (m).
            max_iterations: when to give up.
            max_seconds: when to give up; None for never.
        """
        ...


_SHARED = frozenset(inspect.signature(Solver.__call__).parameters)
_REST = inspect.Parameter.VAR_KEYWORD  # where a method passes on what is shared
_FRAMES = frozenset({"warm", "previous"})
# What the last frame has left is for whoever solves one problem again and again, from its result.


def solver(method: str, **options: Any) -> Solver:
    """The method of that name, imported when it is first asked for, with options of its own."""
    if not isinstance(method, str) or method not in METHODS:
        raise unknown_name("method", method, METHODS)
    solve: Solver = importlib.import_module(METHODS[method]).solve
    own = options_of(method)
    for name in options:
        if name not in own:
            raise unknown_name(f"{method} option", name, own)
    return partial(solve, **options) if options else solve


def options_of(method: str) -> list[str]:
    """The names of a method's own options."""
    solve = importlib.import_module(METHODS[method]).solve
    hidden = _SHARED | _FRAMES
    given = inspect.signature(solve).parameters.values()
    return [each.name for each in given if each.name not in hidden and each.kind != _REST]


def following(method: str, step: NDArray[np.float64], **options: Any) -> Solver:
    """The method for the next frame of a motion, after one that moved by a step (n,)."""
    solve = solver(method, **options)
    parameters = inspect.signature(importlib.import_module(METHODS[method]).solve).parameters
    left = {"warm": True, "previous": step}
    return partial(solve, **{name: left[name] for name in left if name in parameters})
