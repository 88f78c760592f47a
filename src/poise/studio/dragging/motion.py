"""What a drag event says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.errors import PoiseError
from poise.figure import Transform
from poise.figure.transform import rotation_matrix

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Motion:
    """What a drag event says: where to, how turned (w x y z), how far, and which event it was."""

    point: Vec3 | None = None
    rotation: tuple[float, float, float, float] | None = None
    sequence: int = 0
    value: float | None = None
    """Of an angle, rad, or m."""

    def place(self, now: Transform) -> Transform:
        """The place that is meant, as far as it is said; else as now."""
        position = now.position if self.point is None else np.array(self.point)
        rotation = now.rotation if self.rotation is None else turned(self.rotation)
        return Transform(rotation, position)


def turned(quaternion: Sequence[float]) -> Values:
    """The rotation matrix of a quaternion w x y z of any length but zero."""
    w, *xyz = quaternion
    sine = float(np.linalg.norm(xyz))
    if max(sine, abs(w)) < 1e-9:
        raise PoiseError("a rotation must not be all zero")
    angle = 2.0 * float(np.arctan2(sine, w))
    return rotation_matrix(np.array(xyz) * (angle / sine if sine > 1e-12 else 0.0))
