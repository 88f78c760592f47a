"""Placements, masses and colours: how the parts of a figure keep them, how files write them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poise.checking import MOST_END, Interval, Vec3, vector
from poise.errors import PoiseError
from poise.figure.parts import Segment
from poise.figure.shapes import Hull, Shape
from poise.figure.transform import Matrix, Transform, rotation_vector

HULLS = "hulls are written as the boxes around them"
"""What a format without them says."""


def around(hull: Hull) -> tuple[Vec3, Vec3]:
    """The centre and the edges of the box around a hull, along its segment's axes."""
    points = np.array(hull.points)
    low, high = points.min(axis=0) - hull.radius, points.max(axis=0) + hull.radius
    return vector(0.5 * (low + high), "the centre"), vector(high - low, "the edges")


def parted(place: Transform) -> tuple[Vec3, Vec3]:
    """A placement as a position and a rotation vector."""
    x, y, z = place.position.tolist()
    a, b, c = rotation_vector(place.rotation).tolist()
    return (x, y, z), (a, b, c)


def is_turn(place: Transform) -> bool:
    """Whether a placement turns only, and moves nothing by more than rounding does."""
    return bool(np.abs(place.position).max() < 1e-14)


def is_still(place: Transform) -> bool:
    """Whether a placement neither turns nor moves anything by more than rounding does."""
    return is_turn(place) and bool(np.abs(place.rotation - np.eye(3)).max() < 1e-14)


def color_text(red: float, green: float, blue: float) -> str:
    """A colour from its parts, 0 to 1, as segments keep it: "#3f74ad"."""
    levels = [round(255 * min(1.0, max(0.0, part))) for part in (red, green, blue)]
    return "#" + "".join(f"{level:02x}" for level in levels)


def color_parts(color: str) -> list[float]:
    """Red, green and blue, 0 to 1, of a colour like "#3f74ad"."""
    return [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def from_quaternion(values: ArrayLike) -> Matrix:
    """The rotation of a quaternion w x y z of any length; of a zero one, none."""
    w, x, y, z = np.asarray(values, dtype=np.float64).tolist()
    size = math.sqrt(w * w + x * x + y * y + z * z)
    if not size > 1e-150:
        return np.eye(3)
    w, x, y, z = w / size, x / size, y / size, z / size
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def weighed(
    name: str,
    mass: float,
    center: ArrayLike,
    inertia: ArrayLike | None,
    shapes: tuple[Shape, ...],
    color: str | None,
    notes: list[str],
) -> Segment:
    """A segment whose inertia may be one that no body has; then it goes without.

    Many a robot's file has such inertias, and they work well enough elsewhere. A note says so.

    Args:
        name: of the segment.
        mass: in kg.
        center: of mass, in the segment.
        inertia: about that centre, in the segment's axes.
        shapes: on it.
        color: of it.
        notes: where the note goes.
    """
    middle: Any = center  # checked and made a tuple there
    tensor: Any = inertia
    try:
        return Segment(name, mass, middle, tensor, shapes, color=color)
    except PoiseError as error:
        if "belongs to no body" not in str(error):
            raise
        notes.append(f"{error}; it was left out")
        return Segment(name, mass, middle, None, shapes, color=color)


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number; no −0."""
    text = repr(float(value) + 0.0)
    return text.removesuffix(".0")


def numbers_text(values: Iterable[float]) -> str:
    """Several numbers with spaces between."""
    return " ".join(number_text(float(value)) for value in values)


def unless_endless(low: float, high: float) -> Interval:
    """Limits, with ends at or beyond ±MOST_END taken for none, as files mean them."""
    return (low if low > -MOST_END else -math.inf, high if high < MOST_END else math.inf)


def shared(one: Interval, other: Interval) -> Interval:
    """What two intervals have in common; where that is nothing, one end."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else (low, low)
