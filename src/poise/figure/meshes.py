"""Shapes as triangle meshes with exact normals, so that a few facets look round.

Lengths are metres. Meshes are in the frame of what they were made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.closed import closed
from poise.figure.hulls import faces_of
from poise.figure.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Hull,
    Shape,
    Sphere,
    TaperedCapsule,
)
from poise.figure.transform import Transform, rotation_matrix, rotation_to

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AROUND = 48
"""How many facets go round a solid of revolution."""


@closed
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


def mesh_of(shape: Shape, around: int = AROUND) -> Mesh:
    """The surface of a shape, in the frame of its segment; round ones have `around` facets."""
    match shape:
        case Sphere():
            return ball(shape.center, shape.radius, around)
        case Ellipsoid():
            return _ellipsoid(shape, around)
        case Box():
            return _box(shape)
        case Cylinder():
            return tube(shape.start, shape.end, shape.radius, around=around)
        case Capsule():
            return capsule(shape.start, shape.end, shape.radius, shape.radius, around)
        case TaperedCapsule():
            radii = shape.start_radius, shape.end_radius
            return capsule(shape.start, shape.end, *radii, around)
        case Hull():
            return _hull(shape, around)


def ball(center: ArrayLike, radius: float, around: int = AROUND) -> Mesh:
    """A sphere."""
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, around // 2 + 1)
    unit = _revolved(np.cos(angle), np.sin(angle), np.cos(angle), np.sin(angle), around)
    return Mesh(np.asarray(center) + radius * unit.points, unit.normals, unit.triangles)


def capsule(
    start: ArrayLike,
    end: ArrayLike,
    start_radius: float,
    end_radius: float,
    around: int = AROUND,
) -> Mesh:
    """The hull of two spheres: two caps, and the cone that touches both where they meet it."""
    along = np.asarray(end, np.float64) - np.asarray(start, np.float64)
    length = float(np.linalg.norm(along))
    lean = float(np.arcsin((start_radius - end_radius) / length))
    steps = around // 4 + 1
    angle = np.concatenate(
        [np.linspace(-0.5 * np.pi, lean, steps), np.linspace(lean, 0.5 * np.pi, steps)]
    )
    radius = np.repeat([start_radius, end_radius], steps)
    height = radius * np.sin(angle) + np.repeat([0.0, length], steps)
    profile = _revolved(radius * np.cos(angle), height, np.cos(angle), np.sin(angle), around)
    return profile.moved(Transform(rotation_to(along / length), np.asarray(start, np.float64)))


def tube(
    start: ArrayLike,
    end: ArrayLike,
    radius: float,
    end_radius: float | None = None,
    *,
    around: int = AROUND,
) -> Mesh:
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
        around,
    )
    return profile.moved(Transform(rotation_to(along / length), np.asarray(start, np.float64)))


def quads(rings: int, around: int) -> Ints:
    """Two triangles for each facet between one ring of points and the next."""
    low = np.arange(rings - 1)[:, None] * around
    here = np.arange(around)
    there = (here + 1) % around
    a, b = low + here, low + there
    c, d = b + around, a + around
    return np.concatenate(
        [np.stack([a, b, c], axis=-1).reshape(-1, 3), np.stack([a, c, d], axis=-1).reshape(-1, 3)]
    )


def _ellipsoid(shape: Ellipsoid, around: int) -> Mesh:
    unit = ball((0.0, 0.0, 0.0), 1.0, around)
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


def _hull(shape: Hull, around: int) -> Mesh:
    """Sharp hulls have faces that share no points; of round ones the hull of points all over."""
    faces = faces_of(np.array(shape.points))
    if shape.radius == 0.0:
        corners = faces.points[faces.triangles].reshape(-1, 3)
        normals = np.repeat(faces.normals, 3, axis=0)
        return Mesh(corners, normals, np.arange(len(corners)).reshape(-1, 3))
    out = ball((0.0, 0.0, 0.0), 1.0, max(8, around // 2)).normals
    here = [(faces.points @ out.T).argmax(axis=0), faces.triangles.ravel()]
    normals = np.concatenate([out, np.repeat(faces.normals, 3, axis=0)])
    points = faces.points[np.concatenate(here)] + shape.radius * normals
    # Points that coincide would make facets without area.
    _, kept = np.unique(points.round(12), axis=0, return_index=True)
    points, normals = points[kept], normals[kept]
    surface = faces_of(points)
    order = np.array([int(((points - each) ** 2).sum(axis=1).argmin()) for each in surface.points])
    return Mesh(surface.points, normals[order], surface.triangles)


def _revolved(radius: Floats, height: Floats, outward: Floats, upward: Floats, around: int) -> Mesh:
    """A profile, from below upwards, turned about z; `outward` and `upward` are its normals'."""
    angle = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(around)], axis=-1)
    z = np.array([0.0, 0.0, 1.0])
    points = (radius[:, None, None] * circle + height[:, None, None] * z).reshape(-1, 3)
    normals = outward[:, None, None] * circle + upward[:, None, None] * z
    triangles = quads(len(radius), around)
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # Facets without area, as at poles and where a rim is there twice, have no place in a file.
    kept = np.linalg.norm(across, axis=1) > 1e-16 * float(radius.max()) ** 2
    return Mesh(points, normals.reshape(-1, 3), triangles[kept])
