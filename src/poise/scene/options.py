"""How a scene is solved, unless a call says otherwise; scene files keep it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np

from poise.calls import Called
from poise.checking import FARTHEST, number
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.solvers import DEFAULT, METHODS, Solver, solver
from poise.solvers.registry import options_of

MOST = 10**9
"""Iterations, and restarts: more than anybody can wait for, and no more than numbers hold."""

Restarts = int | Literal["auto"]
"""How many other starts are tried where tasks are not met; "auto" for a few that end early."""


_TRACED = "scene.solve(trace=True) keeps that of one solve"


@closed
@dataclass(frozen=True)
class Options(Called):
    """The arguments of `Scene.solve`: `scene.options = Options(tolerance=1e-3)`."""

    _instead: ClassVar[Mapping[str, str]] = {
        "*": "scene.options = scene.options.changed({name}=…) sets others",
        "trace": _TRACED,
    }

    method: str = DEFAULT
    tolerance: float = 1e-4
    """In metres; angles count with metres per radian."""
    max_iterations: int = 200
    max_seconds: float | None = None
    """None, or inf, for no limit."""
    restarts: Restarts = "auto"
    """Other starts to try where tasks are not met: "auto" for sixteen with at most 60 iterations
    each, 0 for none, or how many, each with all iterations."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not isinstance(self.method, str) or self.method not in METHODS:
            raise unknown_name("method", self.method, METHODS)
        set_ = object.__setattr__
        set_(self, "tolerance", number(self.tolerance, "the tolerance (m)", above=0, most=FARTHEST))
        set_(self, "max_iterations", count(self.max_iterations, "max_iterations", 1, MOST))
        set_(self, "restarts", _restarts(self.restarts))
        if self.max_seconds is not None:
            seconds = number(self.max_seconds, "max_seconds", above=0, infinite=True)
            set_(self, "max_seconds", None if seconds == np.inf else seconds)

    def changed(self, **given: Any) -> Options:
        """The same with other values; None leaves one as it is."""
        return replace(self, **{key: value for key, value in given.items() if value is not None})


def _restarts(value: Any) -> Restarts:
    """How many other starts, or an error that says what is allowed."""
    if isinstance(value, str) and value == "auto":
        return "auto"
    return count(value, "restarts", 0, MOST, other='"auto" or ')


def solver_of(
    options: Options,
    own: Mapping[str, Any],
    call: Callable[..., Any],
    *,
    make: Callable[..., Solver] = solver,
) -> Solver:
    """The method that is asked for, with options of its own.

    Args:
        options: which say the method.
        own: what was given besides the arguments of a call.
        call: whose arguments are named, too, where one of `own` is not there.
        make: what makes it from its name and its own options.
    """
    if not own:
        return _plain(options.method, make)
    allowed = [*options_of(options.method), *inspect.signature(call).parameters]
    allowed = [name for name in allowed if name not in ("self", "targets", "own")]
    for name in own:
        if name == "trace" and name not in allowed:
            raise PoiseError(f"{call.__name__} keeps no trace", code=f"; {_TRACED}")
        if name not in allowed:
            raise unknown_name(f"{options.method} option", name, allowed)
    return make(options.method, **own)


@cache
def _plain(method: str, make: Callable[..., Solver]) -> Solver:
    """A method without options of its own; to look one up takes longer than to solve."""
    return make(method)


def count(value: Any, what: str, least: int, most: int | None = None, *, other: str = "") -> int:
    """An integer from a least one on, or an error that names it, and what else is allowed."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
    if not whole or value < least:
        raise PoiseError(f"{what} must be {other}an integer from {least} on, not {value!r}")
    if most is not None and value > most:
        raise PoiseError(f"{what} must be at most {most}, not {value}")
    return int(value)
