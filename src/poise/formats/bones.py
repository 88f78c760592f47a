"""Bones drawn as shapes, for skeletons that have nothing else to be seen by."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from poise.figure import Capsule
from poise.figure.shapes import Shape

Values = NDArray[np.float64]

_THICKNESS = 0.08  # the radius of a drawn bone, as a share of its length
_THINNEST, _THICKEST = 0.002, 0.03  # metres
_SHORTEST = 1e-3  # metres; a shorter bone is not drawn


def drawn_bones(ends: Iterable[Values]) -> list[Shape]:
    """Capsules from a segment's origin to points (m), so that a bare skeleton can be seen.

    They have no mass.
    """
    shapes: list[Shape] = []
    for end in ends:
        length = float(np.linalg.norm(end))
        if length >= _SHORTEST:
            radius = min(max(_THICKNESS * length, _THINNEST), _THICKEST)
            x, y, z = end.tolist()
            shapes.append(Capsule((0.0, 0.0, 0.0), (x, y, z), radius))
    return shapes
