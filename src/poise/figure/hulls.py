"""Convex hulls of points: their triangles, and the volume and inertia that these enclose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def hull_triangles(points: Floats, what: str) -> Ints:
    """The triangles (m, 3) of the convex hull of points (k, 3), counter-clockwise from outside.

    Args:
        points: at least four that do not all lie in one plane.
        what: how to call them in a message.
    """
    from scipy.spatial import ConvexHull, QhullError

    try:
        size = float(np.ptp(points, axis=0).max()) if len(points) >= 4 else 0.0
        if size <= 0.0:
            raise QhullError
        # About their centre and at one size, as qhull's own tolerances are meant for.
        found = ConvexHull((points - points.mean(axis=0)) / size)
    except QhullError:
        raise PoiseError(
            f"{what} must be at least four points that do not all lie in one plane"
        ) from None
    triangles = np.array(found.simplices, np.int64)
    a, b, c = (found.points[triangles[:, i]] for i in range(3))
    outward = np.einsum("ij,ij->i", np.cross(b - a, c - a), found.equations[:, :3])
    triangles[outward < 0] = triangles[outward < 0][:, ::-1]
    return triangles


def enclosed(points: Floats, triangles: Ints) -> tuple[float, Floats, Floats]:
    """Volume (m³), centroid (m) and inertia about it per unit density (m⁵) of a closed surface.

    The sum over tetrahedra from one point to each triangle, which is exact; the volume is negative
    where the triangles face inwards.
    """
    origin = points.mean(axis=0)
    corners = points[triangles] - origin
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    six = np.einsum("ij,ij->i", a, np.cross(b, c))
    volume = float(six.sum()) / 6.0
    if volume == 0.0:
        return 0.0, origin, np.zeros((3, 3))
    sums = corners.sum(axis=1)
    center = six @ sums / 24.0 / volume
    # ∫ x xᵀ over a tetrahedron with one corner in the origin.
    second = np.einsum("i,ijk,ijl->kl", six, corners, corners)
    second = (second + np.einsum("i,ik,il->kl", six, sums, sums)) / 120.0
    second -= volume * np.outer(center, center)
    return volume, origin + center, np.trace(second) * np.eye(3) - second


def edges(points: Floats, triangles: Ints) -> tuple[Floats, list[list[int]]]:
    """The vertices (v, 3) of a hull among its points, and of each those that it has edges with."""
    used, numbers = np.unique(triangles, return_inverse=True)
    found = [set[int]() for _ in used]
    for a, b, c in numbers.reshape(-1, 3).tolist():
        found[a] |= {b, c}
        found[b] |= {a, c}
        found[c] |= {a, b}
    return np.ascontiguousarray(points[used]), [sorted(each) for each in found]
