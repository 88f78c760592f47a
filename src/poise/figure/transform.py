"""Rigid placements: a rotation and a position, and the few ways to make a rotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.checking import array
from poise.closed import closed
from poise.errors import PoiseError

Matrix = NDArray[np.float64]


def rotation_matrix(vector: ArrayLike) -> Matrix:
    """The rotation by a rotation vector (axis times angle in radians)."""
    x, y, z = np.asarray(vector, dtype=np.float64).tolist()
    angle = float(np.sqrt(x * x + y * y + z * z))
    half = 0.5 * angle
    scale = np.sin(half) / angle if angle > 1e-150 else 0.5
    return quaternion_matrix(float(np.cos(half)), x * scale, y * scale, z * scale)


def quaternion_matrix(w: float, x: float, y: float, z: float) -> Matrix:
    """The rotation by a unit quaternion."""
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def is_rotation(rows: Any) -> bool:
    """Whether three rows of three numbers are orthonormal and right-handed, to 1e-6."""
    (a, b, c), (d, e, f), third = rows
    # In plain numbers, which is quick: two unit vectors at a right angle, and their product.
    product = (b * f - c * e, c * d - a * f, a * e - b * d)
    off = [abs(x - y) for x, y in zip(third, product, strict=True)]
    off += [abs(a * a + b * b + c * c - 1), abs(d * d + e * e + f * f - 1)]
    return max(*off, abs(a * d + b * e + c * f)) <= 1e-6


def checked_rotation(value: Any, what: str) -> Matrix:
    """A rotation matrix (3, 3), or an error that names it."""
    matrix = array(value, what, (3, 3))
    if not is_rotation(matrix.tolist()):
        raise PoiseError(
            f"{what} must be a rotation matrix, orthonormal and right-handed, not "
            f"{matrix.tolist()}{_flaw(matrix)}"
        )
    return matrix


def _flaw(matrix: Matrix) -> str:
    """What keeps a matrix from being a rotation, where it has a name."""
    size = float(np.abs(matrix).max())
    if not 1e-9 < size < 1e9:
        return ""
    square = matrix.T @ matrix
    scale = float(np.sqrt(square[0, 0]))
    if np.abs(square - scale * scale * np.eye(3)).max() > 1e-6 * max(1.0, scale * scale):
        return ""
    if abs(scale - 1.0) > 1e-6:
        return f": it scales by {scale:.6g}"
    return ": it mirrors, for its determinant is -1"


def quaternion(rotation: Matrix) -> NDArray[np.float64]:
    """The unit quaternion (w x y z), w ≥ 0, of a rotation matrix.

    The largest of the four is found first, so that nothing small is divided by (Shepperd 1978).
    """
    r = rotation
    trace = r[0, 0] + r[1, 1] + r[2, 2]
    squares = np.array([trace, r[0, 0], r[1, 1], r[2, 2]])
    largest = int(np.argmax(squares))
    q = np.empty(4)
    q[largest] = 1 + 2 * squares[largest] - trace if largest else 1 + trace
    if largest == 0:
        q[1:] = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        q[0] = r[k, j] - r[j, k]
        q[1 + j] = r[j, i] + r[i, j]
        q[1 + k] = r[k, i] + r[i, k]
    q /= np.linalg.norm(q)
    return -q if q[0] < 0 else q


def rotation_vector(rotation: Matrix) -> NDArray[np.float64]:
    """The rotation vector of a rotation matrix, of length at most π."""
    q = quaternion(rotation)
    sine = float(np.linalg.norm(q[1:]))
    if sine < 1e-150:
        return np.zeros(3)
    return q[1:] * (2.0 * float(np.arctan2(sine, q[0])) / sine)


def rotation_to(direction: ArrayLike) -> Matrix:
    """The rotation that takes z to a unit vector by the shortest way; −z about x."""
    x, y, z = np.asarray(direction, dtype=np.float64).tolist()
    sine = float(np.hypot(x, y))
    if sine < 1e-12:
        return np.diag([1.0, 1.0, 1.0]) if z > 0 else np.diag([1.0, -1.0, -1.0])
    return rotation_matrix(np.array([-y, x, 0.0]) * (np.arctan2(sine, z) / sine))


@closed
@dataclass(frozen=True, eq=False)
class Transform:
    """A placement: `rotation` (3, 3) maps local axes to outer ones, `position` (3,) in metres.

    The rotation comes first. A unit quaternion (w x y z) is taken for it as well.
    """

    rotation: Matrix
    position: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Check the shapes, which is quick; whether it is a rotation is seen where it is used."""
        shapes = getattr(self.rotation, "shape", None), getattr(self.position, "shape", None)
        if shapes == ((3, 3), (3,)):
            return
        from poise.figure.frames import rotation_from, shape_of

        if shape_of(self.rotation) == (3,) and shape_of(self.position) in ((3, 3), (4,)):
            raise PoiseError(
                "Transform takes the rotation first, Transform(rotation, position), and these "
                "are swapped"
            )
        rotation = rotation_from(self.rotation, "the rotation of a Transform")
        position = array(self.position, "the position of a Transform", (3,))
        object.__setattr__(self, "rotation", rotation)
        object.__setattr__(self, "position", position)

    @classmethod
    def make(cls, position: ArrayLike = (0, 0, 0), rotation: ArrayLike = (0, 0, 0)) -> Transform:
        """From a position and a rotation vector (radians)."""
        return cls(rotation_matrix(rotation), np.asarray(position, dtype=np.float64))

    @classmethod
    def turn(cls, rotation: Matrix) -> Transform:
        """A rotation in place."""
        return cls(rotation, np.zeros(3))

    def __matmul__(self, other: Transform) -> Transform:
        """This placement, then the other within it."""
        return Transform(
            self.rotation @ other.rotation, self.rotation @ other.position + self.position
        )

    def inverse(self) -> Transform:
        """The placement that undoes this one."""
        return Transform(self.rotation.T, -self.rotation.T @ self.position)

    def apply(self, points: ArrayLike) -> NDArray[np.float64]:
        """Points (…, 3) given in this frame, in the outer one."""
        return np.asarray(points, dtype=np.float64) @ self.rotation.T + self.position


IDENTITY = Transform(np.eye(3), np.zeros(3))
