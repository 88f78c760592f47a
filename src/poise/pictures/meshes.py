"""Shapes as triangle meshes with exact normals, so that a few facets look round.

Lengths are metres. Meshes are in the frame of what they were made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.figure.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Shape,
    Sphere,
    TaperedCapsule,
)
from poise.figure.transform import Transform, rotation_matrix, rotation_to

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AROUND = 48
"""How many facets go round a solid of revolution."""

_CAP = 14  # facets from the rim of a cap to its pole


@dataclass(frozen=True, eq=False)
class Mesh:
    """Points (k, 3), unit normals at them (k, 3) and triangles (m, 3) of indices."""

    points: Floats
    normals: Floats
    triangles: Ints

    def moved(self, place: Transform) -> Mesh:
        """The mesh in the frame in which its own frame is placed."""
        normals = self.normals @ place.rotation.T
        return Mesh(place.apply(self.points), normals, self.triangles)

    def shrunk(self, depth: float) -> Mesh:
        """The mesh with its surface moved inwards."""
        return Mesh(self.points - depth * self.normals, self.normals, self.triangles)


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([m.triangles + s for m, s in zip(meshes, starts, strict=False)]),
    )


def mesh_of(shape: Shape) -> Mesh:
    """The surface of a shape, in the frame of its segment."""
    if isinstance(shape, Sphere):
        return ball(shape.center, shape.radius)
    if isinstance(shape, Ellipsoid):
        return _ellipsoid(shape)
    if isinstance(shape, Box):
        return _box(shape)
    if isinstance(shape, Cylinder):
        return tube(shape.start, shape.end, shape.radius)
    if isinstance(shape, Capsule):
        return capsule(shape.start, shape.end, shape.radius, shape.radius)
    assert isinstance(shape, TaperedCapsule)
    return capsule(shape.start, shape.end, shape.start_radius, shape.end_radius)


def ball(center: ArrayLike, radius: float, around: int = AROUND) -> Mesh:
    """A sphere."""
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, around // 2 + 1)
    unit = _revolved(np.cos(angle), np.sin(angle), np.cos(angle), np.sin(angle), around)
    return Mesh(np.asarray(center) + radius * unit.points, unit.normals, unit.triangles)


def capsule(start: ArrayLike, end: ArrayLike, start_radius: float, end_radius: float) -> Mesh:
    """The hull of two spheres: two caps, and the cone that touches both where they meet it."""
    along = np.asarray(end, np.float64) - np.asarray(start, np.float64)
    length = float(np.linalg.norm(along))
    lean = float(np.arcsin((start_radius - end_radius) / length))
    low = np.linspace(-0.5 * np.pi, lean, _CAP + 1)
    high = np.linspace(lean, 0.5 * np.pi, _CAP + 1)
    angle = np.concatenate([low, high])
    radius = np.repeat([start_radius, end_radius], _CAP + 1)
    height = radius * np.sin(angle) + np.repeat([0.0, length], _CAP + 1)
    profile = _revolved(radius * np.cos(angle), height, np.cos(angle), np.sin(angle))
    return profile.moved(Transform(rotation_to(along / length), np.asarray(start, np.float64)))


def tube(start: ArrayLike, end: ArrayLike, radius: float, end_radius: float | None = None) -> Mesh:
    """A cylinder, or with another radius at its end a cone, closed with flat lids."""
    along = np.asarray(end, np.float64) - np.asarray(start, np.float64)
    length = float(np.linalg.norm(along))
    top = radius if end_radius is None else end_radius
    slope = np.array([length, radius - top]) / np.hypot(length, radius - top)
    # The points of a rim are there twice: once with the lid's normal, once with the side's.
    profile = _revolved(
        np.array([0.0, radius, radius, top, top, 0.0]),
        np.array([0.0, 0.0, 0.0, length, length, length]),
        np.array([0.0, 0.0, slope[0], slope[0], 0.0, 0.0]),
        np.array([-1.0, -1.0, slope[1], slope[1], 1.0, 1.0]),
    )
    return profile.moved(Transform(rotation_to(along / length), np.asarray(start, np.float64)))


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
    triangles = _quads(rings + closed, around) % (rings * around)
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


def _ellipsoid(shape: Ellipsoid) -> Mesh:
    unit = ball((0.0, 0.0, 0.0), 1.0)
    radii = np.array(shape.radii)
    normals = unit.normals / radii
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    mesh = Mesh(unit.points * radii, normals, unit.triangles)
    return mesh.moved(Transform(rotation_matrix(shape.rotation), np.array(shape.center)))


def _box(shape: Box) -> Mesh:
    """Six faces that share no points, so that edges stay sharp."""
    points: list[Floats] = []
    normals: list[Floats] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            u, v = np.roll(np.eye(3)[axis], 1), np.roll(np.eye(3)[axis], 2) * sign
            points += [normal - u - v, normal + u - v, normal + u + v, normal - u + v]
            normals += [normal] * 4
    first = 4 * np.arange(6)[:, None]
    triangles = np.concatenate([first + [0, 1, 2], first + [0, 2, 3]])
    mesh = Mesh(np.array(points) * 0.5 * np.array(shape.size), np.array(normals), triangles)
    return mesh.moved(Transform(rotation_matrix(shape.rotation), np.array(shape.center)))


def _revolved(
    radius: Floats, height: Floats, outward: Floats, upward: Floats, around: int = AROUND
) -> Mesh:
    """A profile turned about z; `outward` and `upward` are the parts of its normal."""
    angle = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(around)], axis=-1)
    z = np.array([0.0, 0.0, 1.0])
    points = radius[:, None, None] * circle + height[:, None, None] * z
    normals = outward[:, None, None] * circle + upward[:, None, None] * z
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), _quads(len(radius), around))


def _quads(rings: int, around: int) -> Ints:
    """Two triangles for each facet between one ring of points and the next."""
    low = np.arange(rings - 1)[:, None] * around
    here = np.arange(around)
    there = (here + 1) % around
    a, b = low + here, low + there
    c, d = b + around, a + around
    return np.concatenate(
        [np.stack([a, b, c], axis=-1).reshape(-1, 3), np.stack([a, c, d], axis=-1).reshape(-1, 3)]
    )
