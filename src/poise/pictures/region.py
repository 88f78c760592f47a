"""The directions that a joint's swing limits allow, as curves and patches on the unit sphere.

All directions are in the frame of the joint's chart: the segment at zero swing lies along z.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.figure.kinds import EVERYTHING, Interval, Spherical
from poise.figure.limits import Angle, Limit, PlanarPolygon, SphericalEllipse, SphericalPolygon
from poise.kernel.body.tree import SWING
from poise.kernel.limits.arrays import JointLimits, Packed, pack_limits, swing_directions
from poise.pictures.meshes import Floats, Mesh

_ALONG = 360  # points along a boundary
_RINGS, _AROUND = 90, 240
_FARTHEST = np.deg2rad(179.0)  # the fill of a joint that may swing anywhere stops short of −z


class Region:
    """What the swing limits of a ball or a swing leave of the sphere."""

    def __init__(
        self,
        limits: Iterable[Limit],
        swing_x: Interval = EVERYTHING,
        swing_y: Interval = EVERYTHING,
    ) -> None:
        """Gather everything that bounds the swing; limits of the twist do not.

        Args:
            limits: regions of swings, and total angles: without twist the whole rotation is the
                swing, so that they bound it too.
            swing_x: the box on sx.
            swing_y: the box on sy.
        """
        packed: list[Packed] = []
        self._edges: list[Floats] = []
        for limit in limits:
            if isinstance(limit, Angle):
                turn = np.linspace(0.0, 2.0 * np.pi, _ALONG, endpoint=False)
                circle = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
                packed.append(limit.pack())
                self._edges.append(limit.maximum * circle)
            elif isinstance(limit, (SphericalEllipse, SphericalPolygon, PlanarPolygon)):
                packed.append(limit.pack())
                self._edges.append(limit.boundary(_ALONG))
        self._packed = pack_limits([JointLimits(0, SWING, packed)])
        self._lower, self._upper = np.array([swing_x, swing_y]).T.copy()
        if np.isfinite([swing_x, swing_y]).any():
            self._edges.append(_rectangle(self._lower, self._upper))

    @classmethod
    def of(cls, kind: Spherical) -> Region:
        """The region of a joint."""
        return cls(kind.limits, kind.swing_x, kind.swing_y)

    @property
    def is_whole(self) -> bool:
        """Whether nothing bounds it."""
        return not self._edges

    def violation(self, swings: Floats) -> Floats:
        """How far swings (k, 2) are outside, in radians; negative inside."""
        if self.is_whole:
            return np.full(len(swings), -np.pi)
        check, count = kernel.limits.joint.joint_violation, len(self._packed.kind)
        return np.array(
            [
                check(swing, self._lower, self._upper, SWING, self._packed, 0, count)
                for swing in np.ascontiguousarray(swings)
            ]
        )

    def contains(self, swings: Floats, margin: float = 0.0) -> NDArray[np.bool_]:
        """Which swings (k, 2) are inside by at least a margin (radians)."""
        return self.violation(swings) <= -margin

    def boundary(self) -> list[tuple[Floats, bool]]:
        """The curves (k, 3) that bound the region, and whether each is closed."""
        curves: list[tuple[Floats, bool]] = []
        for edge in self._edges:
            swings = edge
            kept = self.violation(swings) <= 1e-6
            if kept.all():
                curves.append((swing_directions(swings), True))
                continue
            # What the other limits leave: begin where something is left out, then cut into runs.
            first = int(np.argmin(kept))
            swings, kept = np.roll(swings, -first, axis=0), np.roll(kept, -first)
            ends = np.flatnonzero(np.diff(np.concatenate([[False], kept, [False]]).astype(int)))
            curves += [
                (swing_directions(swings[start:stop]), False)
                for start, stop in zip(ends[::2], ends[1::2], strict=True)
                if stop - start > 1
            ]
        return curves

    def patch(self) -> Mesh:
        """The region as a piece of the unit sphere."""
        reach = max((float(np.hypot(*edge.T).max()) for edge in self._edges), default=np.pi)
        farthest = min(1.02 * reach, _FARTHEST)
        angle = np.linspace(0.0, 2.0 * np.pi, _AROUND, endpoint=False)
        radius = np.linspace(0.0, farthest, _RINGS)
        swings = radius[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        flat = swings.reshape(-1, 2)
        points, triangles = _clipped(flat, self.violation(flat), _ring_triangles())
        directions = swing_directions(points)
        return Mesh(directions, directions, triangles)

    def ticks(self, spacing: float, length: float) -> list[Floats]:
        """Short arcs (k, 3) from the boundary to the inside, every so many radians along it."""
        result: list[Floats] = []
        for curve, closed in self.boundary():
            points = np.concatenate([curve, curve[:1]]) if closed else curve
            steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
            along = np.concatenate([[0.0], np.cumsum(steps)])
            count = max(1, round(along[-1] / spacing))
            for at in (np.arange(count) + 0.5) * (along[-1] / count):
                i = int(np.searchsorted(along, at)) - 1
                share = (at - along[i]) / (along[i + 1] - along[i])
                start = points[i] + share * (points[i + 1] - points[i])
                start /= np.linalg.norm(start)
                inward = np.cross(start, points[i + 1] - points[i])
                inward /= np.linalg.norm(inward)
                beside = np.stack([start + 1e-3 * inward, start - 1e-3 * inward])
                sides = self.violation(swings_of(beside))
                if sides[0] > sides[1]:
                    inward = -inward
                turn = np.linspace(0.0, length, 5)[:, None]
                result.append(np.cos(turn) * start + np.sin(turn) * inward)
        return result


def _rectangle(lower: Floats, upper: Floats) -> Floats:
    """Swings round a box in the chart, without those beyond half a turn, which no joint has."""
    (left, low), (right, high) = np.maximum(lower, -np.pi), np.minimum(upper, np.pi)
    corners = np.array([(left, low), (right, low), (right, high), (left, high)])
    share = np.linspace(0.0, 1.0, _ALONG // 4, endpoint=False)[:, None]
    ends = np.roll(corners, -1, axis=0)
    swings = np.concatenate([a + share * (b - a) for a, b in zip(corners, ends, strict=True)])
    return swings[np.hypot(*swings.T) < _FARTHEST]


def swings_of(directions: Floats) -> Floats:
    """The swings (k, 2) of directions (k, 3), which need not be unit vectors."""
    unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return np.array([kernel.body.rotations.direction_swing(*each) for each in unit.tolist()])


def spread(count: int) -> Floats:
    """Directions (count, 3) spread evenly over the unit sphere, from z downwards."""
    i = np.arange(count) + 0.5
    angle = i * (np.pi * (3.0 - np.sqrt(5.0)))
    z = 1.0 - 2.0 * i / count
    level = np.sqrt(1.0 - z * z)
    return np.stack([level * np.cos(angle), level * np.sin(angle), z], axis=-1)


def _ring_triangles() -> NDArray[np.int64]:
    here = np.arange(_AROUND)
    there = (here + 1) % _AROUND
    low = (np.arange(_RINGS - 1) * _AROUND)[:, None]
    a, b, c, d = low + here, low + there, low + _AROUND + there, low + _AROUND + here
    upper, lower = np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)
    return np.concatenate([upper.reshape(-1, 3), lower.reshape(-1, 3)])


def _clipped(
    points: Floats, value: Floats, triangles: NDArray[np.int64]
) -> tuple[Floats, NDArray[np.int64]]:
    """What is left of triangles in the plane where a value at their points is not positive."""
    from poise.pictures.vtk import pyvista

    faces = np.hstack([np.full((len(triangles), 1), 3), triangles]).ravel()
    flat = pyvista().PolyData(np.column_stack([points, np.zeros(len(points))]), faces)
    flat["value"] = value
    left = flat.clip_scalar(scalars="value", value=0.0, invert=True).triangulate()
    return np.asarray(left.points[:, :2], np.float64), left.regular_faces.astype(np.int64)
