"""Convex hulls of points, sharp or rounded: their faces and edges, and their moments.

A rounded hull is all that lies within a radius of the hull. It is made of the hull, a prism on each
face, a wedge of a cylinder along each edge and a cone of a ball at each vertex; their moments add
up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Moments = tuple[float, Floats, Floats]
"""Volume, ∫ x and ∫ x xᵀ."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_UNIT = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS
"""Nodes and weights for integrals from 0 to 1."""


@dataclass(frozen=True, eq=False)
class Faces:
    """The surface of a hull, in triangles.

    Attributes:
        points: its vertices (v, 3).
        triangles: the vertices of each triangle (f, 3), counter-clockwise seen from outside.
        normals: outward unit normals (f, 3).
        beyond: the triangle beyond the edge opposite to each vertex (f, 3).
    """

    points: Floats
    triangles: Ints
    normals: Floats
    beyond: Ints

    @property
    def neighbors(self) -> list[list[int]]:
        """Of each vertex those that it shares an edge with."""
        found = [set[int]() for _ in self.points]
        for a, b, c in self.triangles.tolist():
            found[a] |= {b, c}
            found[b] |= {a, c}
            found[c] |= {a, b}
        return [sorted(each) for each in found]


def faces_of(points: Floats) -> Faces:
    """The hull of points; raises scipy's QhullError where they lie in a plane."""
    from scipy.spatial import ConvexHull  # slow to import, and few figures have hulls

    hull = ConvexHull(points)
    order = np.sort(hull.vertices)
    number = np.full(len(points), -1)
    number[order] = np.arange(len(order))
    triangles, beyond = np.array(hull.simplices), np.array(hull.neighbors)
    normals = hull.equations[:, :3].copy()
    corners = points[triangles]
    turned = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    wrong = np.einsum("fi,fi->f", turned, normals) < 0
    triangles[wrong] = triangles[wrong][:, [0, 2, 1]]
    beyond[wrong] = beyond[wrong][:, [0, 2, 1]]
    return Faces(
        np.ascontiguousarray(points[order]),
        number[triangles].astype(np.int64),
        normals,
        beyond.astype(np.int64),
    )


def moments(points: Floats, radius: float) -> Moments:
    """Volume, first and second moments of a rounded hull about the origin."""
    faces = faces_of(points)
    middle = faces.points.mean(axis=0)  # moments about a place within lose no digits
    corners = faces.points[faces.triangles] - middle
    parts = [_tetrahedra(np.concatenate([np.zeros((len(corners), 1, 3)), corners], axis=1))]
    if radius > 0.0:
        parts.append(_prisms(corners, radius * faces.normals))
        parts += _wedges(faces, corners, radius)
        parts += _cones(faces, middle, radius)
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for part in parts:
        volume += part[0]
        first += part[1]
        second += part[2]
    across = first[:, None] * middle
    second += across + across.T + volume * middle[:, None] * middle
    return volume, first + volume * middle, second


def _tetrahedra(corners: Floats) -> Moments:
    """Moments of tetrahedra (k, 4, 3)."""
    edges = corners[:, 1:] - corners[:, :1]
    volume = np.abs(np.linalg.det(edges)) / 6
    total = corners.sum(axis=1)
    first = np.einsum("k,ki->i", volume, total) / 4
    second = np.einsum("k,kci,kcj->ij", volume, corners, corners)
    second = (second + np.einsum("k,ki,kj->ij", volume, total, total)) / 20
    return float(volume.sum()), first, second


def _prisms(corners: Floats, up: Floats) -> Moments:
    """Moments of prisms on triangles (f, 3, 3), each three tetrahedra."""
    top = corners + up[:, None]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    d, e, f = top[:, 0], top[:, 1], top[:, 2]
    pieces = [np.stack(four, axis=1) for four in ((a, b, c, f), (a, b, f, e), (a, e, f, d))]
    return _tetrahedra(np.concatenate(pieces))


def _wedges(faces: Faces, corners: Floats, radius: float) -> list[Moments]:
    """Moments of the wedges along edges, between the normals of the faces that meet there."""
    found: list[Moments] = []
    for f, others in enumerate(faces.beyond.tolist()):
        for k, g in enumerate(others):
            if g < f:
                continue
            n, m = faces.normals[f], faces.normals[g]
            side = m - (m @ n) * n
            angle = float(np.arctan2(np.linalg.norm(side), m @ n))
            if angle < 1e-9:
                continue
            side /= np.linalg.norm(side)
            start, end = corners[f, (k + 1) % 3], corners[f, (k + 2) % 3]
            turn = angle * _UNIT[0]
            out = np.outer(np.cos(turn), n) + np.outer(np.sin(turn), side)
            share = angle * _UNIT[1]
            length = float(np.linalg.norm(end - start))
            found.append(_swept(start, end, length, out, share, radius))
    return found


def _swept(
    start: Floats, end: Floats, length: float, out: Floats, share: Floats, radius: float
) -> Moments:
    """Moments of sectors with directions `out` and angles `share`, swept along an edge."""
    area = radius**2 / 2 * share.sum()
    first = radius**3 / 3 * (share @ out)
    second = radius**4 / 4 * np.einsum("k,ki,kj->ij", share, out, out)
    middle, along = 0.5 * (start + end), end - start
    across = np.outer(first, middle)
    line = np.outer(middle, middle) + np.outer(along, along) / 12
    return (
        length * area,
        length * (area * middle + first),
        length * (area * line + across + across.T + second),
    )


def _cones(faces: Faces, middle: Floats, radius: float) -> list[Moments]:
    """Moments of the cones of balls at vertices, over the directions of no other vertex."""
    found: list[Moments] = []
    u, v = (each.ravel() for each in np.meshgrid(_UNIT[0], _UNIT[0], indexing="ij"))
    weight = np.outer(_UNIT[1], _UNIT[1]).ravel() * u  # of a square that is folded to a triangle
    for vertex in range(len(faces.points)):
        normals = faces.normals[_around(faces, vertex)]
        point = faces.points[vertex] - middle
        center = normals.sum(axis=0)
        for n, m in zip(normals, np.roll(normals, -1, axis=0), strict=True):
            x = center + np.outer(u, n - center) + np.outer(u * v, m - n)
            size = np.linalg.norm(x, axis=1)
            solid = weight * abs(float(np.linalg.det([center, n, m]))) / size**3
            out = x / size[:, None]
            total = radius**3 / 3 * solid.sum()
            first = radius**4 / 4 * (solid @ out)
            second = radius**5 / 5 * np.einsum("k,ki,kj->ij", solid, out, out)
            across = np.outer(first, point)
            found.append(
                (
                    float(total),
                    total * point + first,
                    total * np.outer(point, point) + across + across.T + second,
                )
            )
    return found


def _around(faces: Faces, vertex: int) -> list[int]:
    """The faces that meet at a vertex, each next to the one before it."""
    start = int(np.nonzero((faces.triangles == vertex).any(axis=1))[0][0])
    found, f = [start], start
    while True:
        k = faces.triangles[f].tolist().index(vertex)
        f = int(faces.beyond[f, (k + 1) % 3])
        if f == start:
            return found
        found.append(f)
