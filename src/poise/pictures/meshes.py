"""Meshes of what is drawn: those of shapes, and beside them arrows and wires.

Lengths are metres. Meshes are in the frame of what they were made from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from poise.figure.meshes import Floats, Ints, Mesh, ball, capsule, joined, mesh_of, quads, tube

__all__ = [
    "Floats",
    "Ints",
    "Mesh",
    "arrow",
    "ball",
    "capsule",
    "joined",
    "mesh_of",
    "path",
    "tube",
]


def arrow(start: ArrayLike, end: ArrayLike, radius: float, head: float | None = None) -> Mesh:
    """An arrow; the head is `head` long, or what suits the radius."""
    tail, tip = np.asarray(start, np.float64), np.asarray(end, np.float64)
    length = float(np.linalg.norm(tip - tail))
    taken = min(6.0 * radius if head is None else head, 0.6 * length)
    neck = tip - (tip - tail) * (taken / length)
    return joined([tube(tail, neck, radius), tube(neck, tip, 2.4 * radius, 0.0)])


def path(points: Floats, radius: float, *, closed: bool = False, around: int = 12) -> Mesh:
    """A round wire along points (k, 3).

    The cross section is carried along without twist; a closed wire that turns out of its plane
    is closed by spreading what is left over all its points.
    """
    points = _without_repeats(points, closed)
    ahead = np.roll(points, -1, axis=0) - points
    behind = points - np.roll(points, 1, axis=0)
    if not closed:
        ahead[-1], behind[0] = behind[-1], ahead[0]
    unit = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
    unit += behind / np.linalg.norm(behind, axis=1, keepdims=True)
    tangent = unit / np.linalg.norm(unit, axis=1, keepdims=True)
    side = _carried(tangent)
    other = np.cross(tangent, side)
    spin = np.zeros(len(points))
    if closed:
        end = side[-1] - tangent[0] * float(side[-1] @ tangent[0])
        spin = np.linspace(0.0, 1.0, len(points)) * -np.arctan2(end @ other[0], end @ side[0])
    angle = spin[:, None] + np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    normal = np.cos(angle)[..., None] * side[:, None] + np.sin(angle)[..., None] * other[:, None]
    skin = points[:, None] + radius * normal
    rings = len(points)
    triangles = quads(rings + closed, around) % (rings * around)
    mesh = Mesh(skin.reshape(-1, 3), normal.reshape(-1, 3), triangles)
    if closed:
        return mesh
    return joined([mesh, ball(points[0], radius, around), ball(points[-1], radius, around)])


def _without_repeats(points: Floats, closed: bool) -> Floats:
    """Points that have moved on from the one before."""
    kept = np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-9
    result = points[np.concatenate([[True], kept])]
    if closed and np.linalg.norm(result[0] - result[-1]) <= 1e-9:
        result = result[:-1]
    return result


def _carried(tangent: Floats) -> Floats:
    """Unit vectors across each tangent, turned from one to the next as little as can be."""
    side = np.empty_like(tangent)
    side[0] = np.cross(tangent[0], np.eye(3)[np.argmin(np.abs(tangent[0]))])
    side[0] /= np.linalg.norm(side[0])
    for i in range(1, len(tangent)):
        across = side[i - 1] - tangent[i] * float(side[i - 1] @ tangent[i])
        side[i] = across / np.linalg.norm(across)
    return side
