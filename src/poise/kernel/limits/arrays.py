"""The flat form of joint limits: what the compiled limits compute with.

A region of swings is bounded by *edges*, each a curve with a parameter t, and every edge is cut
into short *pieces* along which the distance to a direction has one minimum. The numbers of a
region are

    edges, pieces, convex | edges × EDGE | pieces × PIECE

An edge of an ELLIPSE is cx, cy, rx, ry; of a PLANAR polygon px, py, qx, qy, the inward normal
and the length; of a SPHERICAL polygon start, tangent and inward normal (each three numbers), the
length and its sine and cosine. A piece is its edge, t from and to, a point near its middle, and
the greatest distance of the piece from that point, both in space, not along the sphere.

TWIST: lower, upper, lower slope (2), upper slope (2), zero. TABLE: sizes m and k, zero, sx (m),
sy (k), lower (m·k), upper (m·k). ANGLE: the maximum. All in radians.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.kernel.arrays import Floats, Ints
from poise.kernel.body.tree import SWING

Numbers = NDArray[np.float64]

ELLIPSE, PLANAR, SPHERICAL, TWIST, TABLE, ANGLE = range(6)
"""Kinds of limit; the first three are regions of swings."""

HEADER, EDGE, PIECE = 3, 12, 7
"""How many numbers the head of a region, an edge and a piece take."""

PIECE_LENGTH = 0.3
"""The longest piece of a straight edge or great arc, in radians."""

ELLIPSE_PIECES = 16

Packed = tuple[int, Numbers]
"""One limit: its kind and its numbers."""


class Limits(NamedTuple):
    """The limits of all joints of a figure. L limits; those of one joint stand together."""

    kind: Ints  # (L,)
    coordinate: Ints  # (L,) first coordinate of the joint
    chart: Ints  # (L,) SWING, BALL or ROTATION of kernel.tree
    start: Ints  # (L + 1,) where the numbers of each limit begin
    values: Floats
    rows: Ints  # (L,) the most rows that `tangents` makes of each limit


class JointLimits(NamedTuple):
    """The limits of one joint, for `pack_limits`."""

    coordinate: int
    chart: int
    packed: Sequence[Packed]


def pack_limits(joints: Sequence[JointLimits]) -> Limits:
    """Lay the limits of several joints out as flat arrays, in the order given.

    On a joint without twist an ANGLE is the round ellipse of that radius, and is packed so.
    """
    kinds: list[int] = []
    coordinates: list[int] = []
    charts: list[int] = []
    rows: list[int] = []
    blocks: list[Numbers] = []
    for joint in joints:
        for kind, values in joint.packed:
            if kind == ANGLE and joint.chart == SWING:
                radius = float(values[0])
                kind, values = ELLIPSE, ellipse_values(0.0, 0.0, radius, radius)
            kinds.append(kind)
            coordinates.append(joint.coordinate)
            charts.append(joint.chart)
            rows.append(_most_rows(kind, values))
            blocks.append(values)
    start = np.cumsum([0, *(block.size for block in blocks)], dtype=np.int64)
    return Limits(
        np.array(kinds, dtype=np.int64),
        np.array(coordinates, dtype=np.int64),
        np.array(charts, dtype=np.int64),
        start,
        np.concatenate([np.empty(0), *blocks]),
        np.array(rows, dtype=np.int64),
    )


def _most_rows(kind: int, values: Numbers) -> int:
    if kind in (PLANAR, SPHERICAL) and values[2] > 0:
        return int(values[0])
    return 2 if kind in (TWIST, TABLE) else 1


def swing_directions(swings: Numbers) -> Numbers:
    """The unit directions (…, 3) of swings (…, 2): exp([sx, sy, 0]) ẑ."""
    theta = np.hypot(swings[..., 0], swings[..., 1])
    k = np.sinc(theta / np.pi)
    return np.stack([k * swings[..., 1], -k * swings[..., 0], np.cos(theta)], axis=-1)


def ellipse_values(cx: float, cy: float, rx: float, ry: float) -> Numbers:
    """The numbers of an ellipse of swings."""
    edge = np.zeros((1, EDGE))
    edge[0, :4] = cx, cy, rx, ry

    def points(_: int, t: Numbers) -> Numbers:
        return swing_directions(np.stack([cx + rx * np.cos(t), cy + ry * np.sin(t)], axis=-1))

    return _region(edge, [2.0 * math.pi], [ELLIPSE_PIECES], True, points)


def planar_values(points: Numbers) -> Numbers:
    """The numbers of a polygon of swings (k, 2), counter-clockwise."""
    ends = np.roll(points, -1, axis=0)
    along = ends - points
    length = np.hypot(along[:, 0], along[:, 1])
    normal = np.stack([-along[:, 1], along[:, 0]], axis=-1) / length[:, None]
    edges = np.zeros((len(points), EDGE))
    edges[:, 0:2], edges[:, 2:4], edges[:, 4:6], edges[:, 6] = points, ends, normal, length
    across = (points[None, :, :] - points[:, None, :]) * normal[:, None, :]
    convex = bool((across.sum(axis=-1) > -1e-9).all())

    def at(edge: int, t: Numbers) -> Numbers:
        return swing_directions(points[edge] + t[:, None] * along[edge])

    counts = np.ceil(length / PIECE_LENGTH).astype(int).tolist()
    return _region(edges, [1.0] * len(points), counts, convex, at)


def spherical_values(directions: Numbers) -> Numbers:
    """The numbers of a spherical polygon of unit directions (k, 3), its inside on the left."""
    ends = np.roll(directions, -1, axis=0)
    normal = np.cross(directions, ends)
    sine = np.linalg.norm(normal, axis=1)
    cosine = (directions * ends).sum(axis=1)
    normal /= sine[:, None]
    tangent = np.cross(normal, directions)
    length = np.arctan2(sine, cosine)
    edges = np.zeros((len(directions), EDGE))
    edges[:, 0:3], edges[:, 3:6], edges[:, 6:9] = directions, tangent, normal
    edges[:, 9], edges[:, 10], edges[:, 11] = length, sine, cosine
    convex = bool((directions @ normal.T > -1e-9).all())

    def at(edge: int, t: Numbers) -> Numbers:
        return np.cos(t)[:, None] * directions[edge] + np.sin(t)[:, None] * tangent[edge]

    counts = np.ceil(length / PIECE_LENGTH).astype(int).tolist()
    return _region(edges, length.tolist(), counts, convex, at)


def _region(
    edges: Numbers,
    lengths: Sequence[float],
    counts: Sequence[int],
    convex: bool,
    points: Callable[[int, Numbers], Numbers],
) -> Numbers:
    """Lay out a region; `points` gives the directions of an edge at several parameters."""
    pieces: list[float] = []
    for edge, (length, count) in enumerate(zip(lengths, counts, strict=True)):
        ends = np.linspace(0.0, length, count + 1)
        for begin, end in zip(ends[:-1], ends[1:], strict=True):
            samples = points(edge, np.linspace(begin, end, 9))
            middle = samples[4]
            # The samples may miss the farthest point by a little.
            radius = 1.01 * np.linalg.norm(samples - middle, axis=1).max() + 1e-9
            pieces += [edge, begin, end, *middle.tolist(), float(radius)]
    head = [len(lengths), len(pieces) // PIECE, float(convex)]
    return np.concatenate([head, edges.ravel(), pieces])
