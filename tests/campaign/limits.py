"""Whether a posture keeps its limits, told from the figure's description alone.

Nothing here uses the kernels: each limit is checked by its definition, with numpy and scipy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import RegularGridInterpolator
from scipy.spatial.transform import Rotation

from poise.figure import (
    Angle,
    Ball,
    Figure,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    Swing,
    Twist,
    TwistTable,
)

CLOSE = 1e-7
"""What rounding in two ways of computing the same may amount to (rad or m)."""
_STOP = np.deg2rad(150.0)


def broken(figure: Figure, q: np.ndarray) -> list[str]:
    """The limits that a posture breaks by more than CLOSE, in words."""
    found: list[str] = []
    for name, value, low, high in zip(
        figure.coordinates, q, figure.lower, figure.upper, strict=True
    ):
        if not low - CLOSE <= value <= high + CLOSE:
            found.append(f"{name} = {value} is not from {low} to {high}")
    by_coordinate = dict(zip(figure.coordinates, q, strict=True))
    for coupling in figure.couplings.values():
        total = sum(factor * by_coordinate[name] for name, factor in coupling.terms.items())
        if not coupling.lower - CLOSE <= total <= coupling.upper + CLOSE:
            found.append(f"coupling {coupling.name}: {total}")
    members = figure.members(q)
    for joint in figure.joints.values():
        values = np.array([members[name] for name in joint.coordinates])
        for value, (low, high) in zip(values, joint.kind.box, strict=True):
            if not low - CLOSE <= value <= high + CLOSE:
                found.append(f"{joint.name}: {value} is not from {low} to {high}")
        if isinstance(joint.kind, (Ball, Swing)):
            for limit in (*joint.kind.swing, joint.kind.twist, joint.kind.angle):
                if limit is not None and not _keeps(limit, joint.kind, values):
                    found.append(f"{joint.name}: {values} breaks {limit}")
            is_swung = isinstance(joint.kind, Swing) or joint.kind.chart == "swing_twist"
            if is_swung and np.hypot(*values[:2]) > _STOP + CLOSE:
                found.append(f"{joint.name}: swings beyond 150°")
    return found


def _keeps(limit: Any, kind: Any, values: np.ndarray) -> bool:
    swing = values[:2]
    if isinstance(limit, SphericalEllipse):
        off = (swing - limit.centre) / (limit.rx, limit.ry)
        return bool(np.hypot(*off) <= 1 + CLOSE / min(limit.rx, limit.ry))
    if isinstance(limit, PlanarPolygon):
        return _within_polygon(swing, np.array(limit.points))
    if isinstance(limit, SphericalPolygon):
        return _within_spherical(_direction(swing), np.array(limit.directions))
    if isinstance(limit, Angle):
        return _whole_angle(kind, values) <= limit.maximum + CLOSE
    if isinstance(limit, Twist):
        low = limit.zero + limit.lower + swing @ np.array(limit.lower_slope)
        high = limit.zero + limit.upper + swing @ np.array(limit.upper_slope)
    else:
        assert isinstance(limit, TwistTable)
        grid = (np.array(limit.sx), np.array(limit.sy))
        at = np.clip(swing, [g[0] for g in grid], [g[-1] for g in grid])
        low, high = (
            limit.zero + RegularGridInterpolator(grid, np.array(table))(at)[0]
            for table in (limit.lower, limit.upper)
        )
    return bool(low - CLOSE <= values[2] <= high + CLOSE)


def _direction(swing: np.ndarray) -> np.ndarray:
    return Rotation.from_rotvec([swing[0], swing[1], 0.0]).as_matrix()[:, 2]


def _whole_angle(kind: Any, values: np.ndarray) -> float:
    if isinstance(kind, Ball) and kind.chart == "rotation_vector":
        return float(np.linalg.norm(values))
    swing = Rotation.from_rotvec([values[0], values[1], 0.0])
    twist = Rotation.from_rotvec([0.0, 0.0, values[2] if values.size == 3 else 0.0])
    return float((swing * twist).magnitude())


def _within_polygon(point: np.ndarray, corners: np.ndarray) -> bool:
    """Inside by the winding number, or within CLOSE of an edge."""
    ends = np.roll(corners, -1, axis=0)
    for start, end in zip(corners, ends, strict=True):
        along = np.clip((point - start) @ (end - start) / ((end - start) @ (end - start)), 0, 1)
        if np.linalg.norm(start + along * (end - start) - point) <= CLOSE:
            return True
    a, b = corners - point, ends - point
    turns = np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], np.sum(a * b, axis=1))
    return abs(turns.sum()) > np.pi


def _within_spherical(point: np.ndarray, corners: np.ndarray) -> bool:
    """Inside by the edges between the point and −z, which is outside, or near an edge."""
    ends = np.roll(corners, -1, axis=0)
    for start, end in zip(corners, ends, strict=True):
        normal = np.cross(start, end)
        normal /= np.linalg.norm(normal)
        foot = point - normal * (normal @ point)
        foot /= np.linalg.norm(foot)
        between = np.cross(start, foot) @ normal >= 0 and np.cross(foot, end) @ normal >= 0
        if between and abs(np.arcsin(np.clip(normal @ point, -1, 1))) <= CLOSE:
            return True
        if min(np.linalg.norm(point - start), np.linalg.norm(point - end)) <= CLOSE:
            return True
    return _crossings(point, corners, ends) % 2 == 1


def _crossings(point: np.ndarray, corners: np.ndarray, ends: np.ndarray) -> int:
    """How many edges the great arc from a point to −z crosses, which no polygon contains."""
    away = np.array([0.0, 0.0, -1.0])
    across = np.cross(point, away)
    count = 0
    for start, end in zip(corners, ends, strict=True):
        normal = np.cross(start, end)
        meet = np.cross(across, normal)
        for candidate in (meet, -meet):
            on_arc = (
                np.cross(point, candidate) @ across > 0 and np.cross(candidate, away) @ across > 0
            )
            on_edge = (
                np.cross(start, candidate) @ normal > 0 and np.cross(candidate, end) @ normal > 0
            )
            count += bool(on_arc and on_edge)
    return count
