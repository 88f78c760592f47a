"""Convex regions by their half-spaces: their bodies, and the nearest points in them."""

from __future__ import annotations

import numpy as np

from poise.pictures.meshes import Floats, Mesh
from poise.statics.programs import nonnegative_least_squares

_FLAT = 1e-6  # a region with less room than this (m) has no body to show


def convex_body(
    normals: Floats, offsets: Floats, middle: Floats, reach: float
) -> tuple[Mesh, list[Floats]] | None:
    """The points x with n·x ≤ o as a mesh, and its edges (2, 3) each; None where it is flat.

    What goes on without end is cut by a cube.

    Args:
        normals: (k, 3) outward unit vectors.
        offsets: (k,) in metres.
        middle: of the cube.
        reach: half the cube's edge.
    """
    from scipy.optimize import linprog
    from scipy.spatial import ConvexHull, HalfspaceIntersection

    cube = np.concatenate([np.eye(3), -np.eye(3)])
    sides = np.concatenate([normals, cube])
    ends = np.concatenate([offsets, cube @ middle + reach])
    # The middle of the greatest ball inside.
    free = (None, None)
    rows = np.column_stack([sides, np.ones(len(sides))])
    found = linprog([0, 0, 0, -1], rows, ends, bounds=[free, free, free, free])
    if not found.success or found.x[3] < _FLAT:
        return None
    corners = HalfspaceIntersection(np.column_stack([sides, -ends]), found.x[:3]).intersections
    hull = ConvexHull(corners)
    outward = hull.equations[:, :3]
    triangles = hull.points[hull.simplices]
    facing = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    inside_out = (facing * outward).sum(axis=1) < 0
    triangles[inside_out] = triangles[inside_out][:, ::-1]
    mesh = Mesh(
        triangles.reshape(-1, 3),
        np.repeat(outward, 3, axis=0),
        np.arange(3 * len(triangles)).reshape(-1, 3),
    )
    edges = [
        hull.points[sorted(set(simplex) & set(hull.simplices[j]))]
        for i, simplex in enumerate(hull.simplices)
        for j in hull.neighbors[i]
        if i < j and outward[i] @ outward[j] < 1.0 - 1e-9
    ]
    return mesh, edges


def nearest_inside(normals: Floats, offsets: Floats, point: Floats) -> Floats:
    """The point of a region nearest to a point, which may be in it.

    Least distance programming (Lawson & Hanson 1974, chapter 23): y of least length with
    −N y ≥ N p − o, by one problem of non-negative least squares.
    """
    lack = normals @ point - offsets
    if (lack <= 0).all():
        return point
    matrix = np.vstack([-normals.T, lack])
    goal = np.array([0.0, 0.0, 0.0, 1.0])
    residual = matrix @ nonnegative_least_squares(matrix, goal) - goal
    return point - residual[:3] / residual[3]


def nearest_outside(normals: Floats, offsets: Floats, point: Floats) -> Floats:
    """The nearest point of the nearest face; a point that is outside already stays."""
    depth = normals @ point - offsets
    face = int(depth.argmax())
    return point - min(float(depth[face]), 0.0) * normals[face]
