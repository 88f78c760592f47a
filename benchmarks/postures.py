"""Random postures of any figure, from which goals are made that can be reached.

Every angle is uniform within its limits; angles that have no limits of their own (a ball's swing is
limited together) are uniform within 1.5 rad of zero, and the whole is then clamped. A free root is
moved from rest by up to 0.3 m along each axis, and turned by up to 45° about an axis of any
direction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure, Posture, Transform
from poise.figure.kinds import Free
from poise.figure.transform import rotation_matrix

Values = NDArray[np.float64]

UNLIMITED = 1.5
"""Radians (of slides: metres) either way, where there is no limit."""
MOVED, TURNED = 0.3, np.deg2rad(45.0)
"""How far a free root goes from rest: metres along each axis, radians."""


def random_posture(
    figure: Figure, rng: np.random.Generator, within: tuple[Values, Values] | None = None
) -> Posture:
    """A posture within limits, as the head of this file says.

    Args:
        figure: whose; a root that is not free stays.
        rng: gives n + 7 numbers where the root is free, else n.
        within: the least and the most of each coordinate (n,), in place of the figure's limits.

    Raises:
        PoiseError: if couplings of the figure leave nothing valid near what was drawn.
    """
    lower, upper = within or (figure.lower, figure.upper)
    boxed = np.isfinite(lower) & np.isfinite(upper)
    q = rng.uniform(np.where(boxed, lower, -UNLIMITED), np.where(boxed, upper, UNLIMITED))
    root = figure.root_coordinates
    if root.any():
        q[root] = _moved(figure.rest().q[root], rng)
    return figure.clamp(q)


def _moved(root: Values, rng: np.random.Generator) -> Values:
    """The six coordinates of a free root, moved and turned."""
    place = Free().motion(root)
    axis = rng.normal(size=3)
    turn = rotation_matrix(rng.uniform(0.0, TURNED) * axis / np.linalg.norm(axis))
    position = place.position + rng.uniform(-MOVED, MOVED, 3)
    return Free().values(Transform(turn @ place.rotation, position))


def seeds(text: str) -> list[int]:
    """Seeds as they are written: "0-4", or "1,7"."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found
