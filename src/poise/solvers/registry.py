"""The methods by name."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, Unpack

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError, enough_memory, unknown_name
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem


@dataclass(frozen=True)
class Method:
    """What is known of a method before it is imported."""

    module: str
    """Where it is found: a module with a function `solve`, a `Solver`."""
    has_levels: bool = False
    """Whether criteria with rows of their own (`Effort`) can come after all tasks."""


METHODS: dict[str, Method] = {
    name: Method(f"poise.solvers.{name}", has_levels=name in ("lex", "priority"))
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
"""The methods by name."""


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


@dataclass(frozen=True)
class _Checked:
    """A method that raises for what it cannot do, whoever calls it, and signs its outcomes."""

    name: str
    solve: Solver

    def __call__(
        self, problem: Problem, start: NDArray[np.float64], **ending: Unpack[Ending]
    ) -> Outcome:
        if problem.spares_joints and not METHODS[self.name].has_levels:
            able = " or ".join(name for name, each in METHODS.items() if each.has_levels)
            raise PoiseError(
                f"the criterion Effort needs a method with levels, {able}, not {self.name!r}"
            )
        rows, levels = problem.blocks.inequality.size, problem.blocks.level.size - 1
        size = f"{problem.figure.n} coordinates, {rows} rows and {levels} priorities"
        with enough_memory(f"{self.name} with {size}"):
            return replace(self.solve(problem, start, **ending), method=self.name)


def solver(method: str, **options: Any) -> Solver:
    """The method of that name, imported when it is first asked for, with options of its own.

    It begins every solve from nothing: the same problem, start and options give the same bits.
    """
    if not isinstance(method, str) or method not in METHODS:
        raise unknown_name("method", method, METHODS)
    own = options_of(method)
    for name in options:
        if name not in own:
            raise unknown_name(f"{method} option", name, own)
    return _Checked(method, partial(_function(method), **options))


def options_of(method: str) -> list[str]:
    """The names of a method's own options."""
    hidden = _SHARED | _FRAMES
    given = inspect.signature(_function(method)).parameters.values()
    return [each.name for each in given if each.name not in hidden and each.kind != _REST]


def following(method: str, step: NDArray[np.float64], **options: Any) -> Solver:
    """The method for the next frame of a motion, after one that moved by a step (n,).

    It begins with what the last solve of the problem has left.
    """
    solver(method, **options)
    solve = _function(method)
    parameters = inspect.signature(solve).parameters
    left = {"warm": True, "previous": step}
    known = {name: left[name] for name in left if name in parameters}
    return _Checked(method, partial(solve, **options, **known))


def _function(method: str) -> Callable[..., Outcome]:
    """A method's own function `solve`."""
    solve: Callable[..., Outcome] = importlib.import_module(METHODS[method].module).solve
    return solve
