"""The radius of gyration √(I/m) about an axis through the centre of mass, less a target: one row.

Where all mass lies on the axis the radius has a kink, and its gradient is zero here.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.kernel.body.masses import inertia_of_part, mass_of
from poise.kernel.compiling import compiled
from poise.kernel.filling import clear

AXIS, TARGET, PART = 0, 3, 4
"""Values: the axis (3), the target (1), a part of the masses."""

_ON_AXIS = 1e-9
"""A radius (m) below which all mass lies on the axis."""


def packed(axis: ArrayLike, target: float, part: ArrayLike) -> NDArray[np.float64]:
    """The values."""
    return np.concatenate([axis, [target], part])


@compiled
def residual(tree, state, v, e, A, wanted):
    """Write the row, and its Jacobian if wanted; after `gather` with second moments."""
    part = v[PART:]
    mass = mass_of(tree, part)
    if wanted:
        clear(A, 1)
    moment = inertia_of_part(tree, state, part, v[AXIS:TARGET], A[0], wanted)
    radius = math.sqrt(max(moment, 0.0) / mass)
    e[0] = radius - v[TARGET]
    if wanted:
        factor = 0.5 / (mass * radius) if radius > _ON_AXIS else 0.0
        for i in range(A.shape[1]):
            A[0, i] *= factor
