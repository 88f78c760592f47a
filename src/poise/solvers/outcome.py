"""What a solver gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Status = Literal["solved", "stationary", "stalled", "iterations", "time"]


@dataclass(frozen=True)
class Outcome:
    """A posture, why the solver stopped, and the residuals there."""

    q: NDArray[np.float64]
    status: str
    iterations: int
    seconds: float
    residual: NDArray[np.float64]
    optimality: float
    """How fast a level that is not met could still be lowered, to first order, within what limits
    and the levels above leave free: the greatest of all levels (m/rad), 0 where all are met."""
