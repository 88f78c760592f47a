"""Frames and orientations as people have them, brought into one form.

An orientation is a rotation matrix (3, 3), a unit quaternion (w x y z), a `Transform`, or what has
a method `as_matrix`, as scipy's `Rotation` has. A frame is a `Transform`, a homogeneous matrix
(4, 4), or a position (m) with an orientation, as a pair. Three numbers are no orientation: they
could be a rotation vector or Euler angles. Only an argument that is called `rotation`, beside a
position of its own, takes them, as a rotation vector (rad).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.checking import Vec3, array, place, plain_place, turn
from poise.errors import PoiseError
from poise.figure.transform import (
    IDENTITY,
    Matrix,
    Transform,
    checked_rotation,
    quaternion_matrix,
    rotation_matrix,
    rotation_vector,
)
from poise.units import refuse_turn_in_degrees

_UNIT = 1e-3
"""By how much the length of a unit quaternion may differ from 1: three decimals that were printed.
It is brought to 1."""


def shape_of(value: Any) -> tuple[int, ...] | None:
    """The shape of an array or of nested sequences; None where they are uneven."""
    try:
        return np.shape(value)
    except ValueError:
        return None


def is_frame(value: Any) -> bool:
    """Whether something is meant as a frame, rather than as a point or an orientation."""
    if isinstance(value, Transform):
        return True
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return any(_is_orientation(each) for each in value) or shape_of(value) == (2, 3)
    return shape_of(value) == (4, 4) if _length(value) == 4 else False


def is_orientation(value: Any) -> bool:
    """Whether something is meant as an orientation without a position."""
    return not isinstance(value, Transform) and _is_orientation(value)


def frame_from(value: Any, what: str) -> Transform:
    """A frame, or an error that names it.

    Args:
        value: a `Transform`, a homogeneous matrix (4, 4), or a position with an orientation.
        what: how to call it in a message.
    """
    if isinstance(value, Transform):
        pair = value.position, value.rotation
    elif isinstance(value, (tuple, list)) and len(value) == 2:
        pair = _pair(value, what)
    else:
        pair = _columns(value, what)
    position, rotation = pair
    at = place(position, f"the position of {what}")
    return Transform(rotation_from(rotation, f"the rotation of {what}"), np.array(at))


def rotation_from(value: Any, what: str) -> Matrix:
    """A rotation matrix (3, 3) from an orientation or a frame, or an error that names it."""
    if isinstance(value, Transform):
        return checked_rotation(value.rotation, what)
    if hasattr(value, "as_matrix"):
        return checked_rotation(value.as_matrix(), what)
    if is_frame(value):
        return frame_from(value, what).rotation
    shape = shape_of(value)
    if shape == (4,):
        return _quaternion(value, what)
    if shape == (3,):
        raise PoiseError(
            f"{what} must be an orientation: a rotation matrix (3 × 3), a unit quaternion w x y z "
            "or a Transform; three numbers could be a rotation vector or Euler angles, not "
            f"{value!r}"
        )
    return checked_rotation(value, what)


def point_from(value: Any, what: str) -> Vec3:
    """A point (m): three numbers, or the position of a frame; or an error that names it."""
    plain = plain_place(value)
    if plain is not None:
        return plain
    if isinstance(value, Transform):
        return place(value.position, what)
    if is_frame(value):
        x, y, z = frame_from(value, what).position.tolist()
        return (x, y, z)
    return place(value, what)


def turn_from(value: Any, what: str) -> Vec3:
    """A rotation vector (rad), given so or as an orientation; or an error that names it."""
    if _is_orientation(value):
        x, y, z = rotation_vector(rotation_from(value, what)).tolist()
        return (x, y, z)
    return turn(value, what)


def turned_place(position: Any, rotation: Any, what: str) -> Transform:
    """A placement from a position (m) and a rotation, each None for none.

    The position may be a frame, which has both; the rotation may be an orientation or a rotation
    vector (rad), of a full turn at most: a longer one will be in degrees.
    """
    if is_frame(position):
        if rotation is not None:
            kind = "Transform" if isinstance(position, Transform) else "frame"
            raise PoiseError(f"{what}: a {kind} has its rotation already")
        return frame_from(position, f"the place {what}")
    at = np.array(place((0.0, 0.0, 0.0) if position is None else position, f"the position {what}"))
    if rotation is None:
        return Transform(IDENTITY.rotation, at)
    if _is_orientation(rotation):
        return Transform(rotation_from(rotation, f"the rotation {what}"), at)
    vector = turn(rotation, f"the rotation {what}")
    refuse_turn_in_degrees(vector, f"the rotation {what}")
    return Transform(rotation_matrix(vector), at)


def _is_orientation(value: Any) -> bool:
    return hasattr(value, "as_matrix") or (
        _length(value) in (3, 4) and shape_of(value) in ((3, 3), (4,))
    )


def _length(value: Any) -> int:
    try:
        return len(value)
    except TypeError:
        return -1


def _pair(value: Any, what: str) -> tuple[Any, Any]:
    position, rotation = value
    if shape_of(rotation) == (3,) and _is_orientation(position):
        raise PoiseError(
            f"{what} must be a position and then an orientation, and these are swapped"
        )
    return position, rotation


def _columns(value: Any, what: str) -> tuple[Matrix, Matrix]:
    """The position and the rotation in a homogeneous matrix."""
    matrix = array(value, what, (4, 4))
    last = np.array([0.0, 0.0, 0.0, 1.0])
    if np.abs(matrix[3] - last).max() > 1e-6:
        turned = np.abs(matrix[:, 3] - last).max() <= 1e-6
        hint = "; it is transposed: the position belongs in its last column" if turned else ""
        raise PoiseError(
            f"the last row of {what}, a 4 × 4 matrix, must be 0 0 0 1, not "
            f"{matrix[3].tolist()}{hint}"
        )
    return matrix[:3, 3], matrix[:3, :3]


def _quaternion(value: Any, what: str) -> Matrix:
    given = array(value, what, (4,), most=1e6)
    size = float(np.linalg.norm(given))
    if abs(size - 1.0) > _UNIT:
        raise PoiseError(
            f"{what} must be a unit quaternion w x y z, and {given.tolist()} has the length "
            f"{size:.6g}"
        )
    w, x, y, z = (given / size).tolist()
    return quaternion_matrix(w, x, y, z)
