"""Whether points in the plane, or directions on the sphere, are the corners of a simple polygon.

Plane and sphere are treated alike: an edge is the shortest line between two corners, straight or
a great arc. Distances are in radians; what is nearer than CLOSE touches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError

Floats = NDArray[np.float64]

CLOSE = 1e-6


def check_polygon(points: Floats, what: str) -> None:
    """Raise unless points (k, 2), or unit directions (k, 3), are corners of a simple polygon."""
    count = len(points)
    if count < 3:
        raise PoiseError(f"{what} needs at least 3 corners, not {count}")
    for i in range(count):
        for j in range(i + 1, count):
            if np.linalg.norm(points[i] - points[j]) < CLOSE:
                raise PoiseError(f"corners {i + 1} and {j + 1} of {what} are the same")
    on_sphere = points.shape[1] == 3
    ends = np.roll(points, -1, axis=0)
    if on_sphere:
        for i in range(count):
            if np.linalg.norm(points[i] + ends[i]) < CLOSE:
                raise PoiseError(
                    f"edge {i + 1} of {what} is 180° long: its ends are opposite, so no great "
                    "arc between them is the shortest"
                )
    for i in range(count):
        if _angle_between(points[i], points[i - 1], ends[i]) < CLOSE:
            raise PoiseError(f"{what} turns back on itself at corner {i + 1}")
    meet = _arcs_meet if on_sphere else _segments_meet
    middles = 0.5 * (points + ends)
    if on_sphere:
        middles /= np.linalg.norm(middles, axis=1)[:, None]
    reach = np.linalg.norm(middles - points, axis=1) + CLOSE
    for i in range(count):
        gaps = np.linalg.norm(middles - middles[i], axis=1)
        for j in range(i + 2, count):
            if gaps[j] > reach[i] + reach[j] or (j + 1) % count == i:
                continue
            if meet(points[i], ends[i], points[j], ends[j]):
                raise PoiseError(
                    f"{what} crosses or touches itself: edges {i + 1} and {j + 1} meet"
                )
    area = spherical_area(points) if on_sphere else planar_area(points)
    if abs(area) < CLOSE**2:
        raise PoiseError(f"{what} has no area")


def planar_area(points: Floats) -> float:
    """The area of a polygon (k, 2); negative when it goes clockwise."""
    ends = np.roll(points, -1, axis=0)
    return 0.5 * float((points[:, 0] * ends[:, 1] - points[:, 1] * ends[:, 0]).sum())


def planar_middle(points: Floats) -> Floats:
    """The centroid (2,) of the area of a polygon (k, 2), which must have one."""
    middle = points.mean(axis=0)
    starts = points - middle  # so that nothing is lost far from the origin
    ends = np.roll(starts, -1, axis=0)
    doubled = starts[:, 0] * ends[:, 1] - starts[:, 1] * ends[:, 0]
    return middle + doubled @ (starts + ends) / (3.0 * doubled.sum())


def spherical_area(directions: Floats) -> float:
    """The area between a spherical polygon (k, 3) and its edges, counted away from −z.

    Positive when the side without −z is on the left of the edges, negative when it is on the
    right. The sum of the solid angles of the triangles of +z with every edge (van Oosterom and
    Strackee 1983).
    """
    ends = np.roll(directions, -1, axis=0)
    volume = directions[:, 0] * ends[:, 1] - directions[:, 1] * ends[:, 0]
    base = 1.0 + (directions * ends).sum(axis=1) + directions[:, 2] + ends[:, 2]
    return float((2.0 * np.arctan2(volume, base)).sum())


def farthest_from_pole(directions: Floats) -> float:
    """The greatest angle between +z and any point on the edges of a spherical polygon."""
    lowest = directions[:, 2].min()
    for start, end in zip(directions, np.roll(directions, -1, axis=0), strict=True):
        normal = np.cross(start, end)
        tangent = np.cross(normal / np.linalg.norm(normal), start)
        # z(t) = start·cos t + tangent·sin t has its least value opposite to its greatest.
        at = np.arctan2(-tangent[2], -start[2]) % (2.0 * np.pi)
        if at < np.arctan2(np.linalg.norm(normal), start @ end):
            lowest = min(lowest, -np.hypot(tangent[2], start[2]))
    return float(np.arccos(max(lowest, -1.0)))


def _angle_between(corner: Floats, first: Floats, second: Floats) -> float:
    """The angle at a corner between the lines to two others."""
    a, b = first - corner, second - corner
    if corner.size == 3:
        a, b = a - corner * (corner @ a), b - corner * (corner @ b)
        return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))
    return float(np.arctan2(abs(a[0] * b[1] - a[1] * b[0]), a @ b))


def _segments_meet(p: Floats, q: Floats, r: Floats, s: Floats) -> bool:
    def distance(point: Floats, start: Floats, end: Floats) -> float:
        along = end - start
        share = np.clip((point - start) @ along / (along @ along), 0.0, 1.0)
        return float(np.linalg.norm(point - start - share * along))

    def side(point: Floats, start: Floats, end: Floats) -> float:
        a, b = end - start, point - start
        return float(a[0] * b[1] - a[1] * b[0])

    ends = distance(p, r, s), distance(q, r, s), distance(r, p, q), distance(s, p, q)
    crossing = side(r, p, q) * side(s, p, q) < 0 and side(p, r, s) * side(q, r, s) < 0
    return crossing or min(ends) < CLOSE


def _arcs_meet(p: Floats, q: Floats, r: Floats, s: Floats) -> bool:
    def holds(start: Floats, end: Floats, point: Floats) -> bool:
        """Whether the point's projection on the arc's circle is within the arc."""
        normal = np.cross(start, end)
        return bool(np.cross(normal, start) @ point >= 0 and np.cross(end, normal) @ point >= 0)

    def distance(point: Floats, start: Floats, end: Floats) -> float:
        normal = np.cross(start, end)
        if holds(start, end, point):
            return float(np.arcsin(min(1.0, abs(normal @ point) / np.linalg.norm(normal))))
        return float(min(np.linalg.norm(point - start), np.linalg.norm(point - end)))

    ends = distance(p, r, s), distance(q, r, s), distance(r, p, q), distance(s, p, q)
    if min(ends) < CLOSE:
        return True
    common = np.cross(np.cross(p, q), np.cross(r, s))
    return any(holds(p, q, x) and holds(r, s, x) for x in (common, -common))
