"""What a solver gives back."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

Status = Literal["solved", "stationary", "stalled", "iterations", "time"]


class Ending(TypedDict):
    """When a solve ends: what every method is told."""

    tolerance: float
    """A task is met when its error is at most this (m)."""
    max_iterations: int
    """When to give up."""
    max_seconds: float | None
    """When to give up; None for never."""


class Tried(NamedTuple):
    """What other starts came to, after a first that did not meet every task."""

    others: int
    """How many others were solved from; 0 where none was tried, so that nothing leaps."""
    most: int = 0
    """How many there are to try."""
    number: int = 0
    """Of the start whose result was kept, from 1 on; 0 for the first of all, the scene's own."""
    name: str = ""
    """Of that start; none of the scene's own."""


class Outcome(NamedTuple):
    """A posture, why the solver stopped, and the residuals there."""

    q: NDArray[np.float64]
    status: str
    iterations: int
    seconds: float
    residual: NDArray[np.float64]
    optimality: float
    """How fast a level that is not met could still be lowered, to first order, within what limits
    and the levels above leave free: the greatest of all levels (m/rad), 0 where all are met."""
    note: str = ""
    """What a person should know about how the method took the problem; mostly nothing."""
    method: str = ""
    """The name of the method; none where nothing was solved."""
    trace: NDArray[np.float64] | None = None
    """(T, …) what each iteration did, where that was asked for; see `poise.kernel.tracing`."""
    goes_on: bool = False
    """Whether it went on from the last solve of the same problem, whose targets were near, and did
    not end as solved."""
    tried: Tried | None = None
    """What other starts came to; None where none was asked for, or needed."""
    stances: tuple[str, ...] = ()
    """The stance of each block of `Natural`, in their order; none where it was left out."""
