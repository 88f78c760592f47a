"""Limits of joints that turn in more than one way: what a user writes.

A ball's coordinates are (sx, sy, τ) with `R = exp([sx, sy, 0]) · Rz(τ)`, the moving segment along
local z; a swing has (sx, sy) only. *Swing limits* bound (sx, sy): `SphericalEllipse`,
`SphericalPolygon`, `PlanarPolygon`; several hold together. *Twist limits* bound τ: `Twist`,
`TwistTable`. `Angle` bounds the rotation as a whole. Angles are radians.

Swing limits keep the swing within 150°, well away from the singularity of the chart at 180°; a
swing or a ball in this chart that has none stops at 150° by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from poise.checking import array, number
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure.polygons import (
    CLOSE,
    check_polygon,
    farthest_from_pole,
    planar_area,
    spherical_area,
)
from poise.kernel.limits.arrays import (
    ANGLE,
    ELLIPSE,
    PLANAR,
    SPHERICAL,
    TABLE,
    TWIST,
    Packed,
    ellipse_values,
    planar_values,
    spherical_values,
)
from poise.units import degrees_hint, warn_of_limits

Floats = NDArray[np.float64]
Vec2 = tuple[float, float]
Numbers = Sequence[float] | Floats
Table = Sequence[Sequence[float]] | Floats
"""What a user may give; it is kept as tuples, which can be compared."""

LARGEST_SWING = np.deg2rad(150.0)
_MOST = 1e6  # radians: no turn is as large, and its square is still a number


@closed
@dataclass(frozen=True)
class SphericalEllipse:
    """An ellipse of swings: ((sx − cx)/rx)² + ((sy − cy)/ry)² ≤ 1.

    A smooth boundary from few numbers: rx and ry are the greatest rotations about x and y from
    the centre. The boundary is an ellipse in the coordinates, not on the sphere.

    Grassia 1998; thesis 3.6.1.
    """

    kind: ClassVar[str] = "spherical_ellipse"
    rx: float
    ry: float
    centre: Vec2 = (0.0, 0.0)

    def __post_init__(self) -> None:
        """Check the numbers."""
        for axis in ("rx", "ry"):
            radius = number(getattr(self, axis), f"{axis} of a spherical ellipse", above=0)
            object.__setattr__(self, axis, radius)
        object.__setattr__(self, "centre", _pair(self.centre, "the centre of a spherical ellipse"))
        farthest = np.hypot(*self.boundary(1440).T).max()
        _check_swing(farthest, "a spherical ellipse")

    def boundary(self, count: int = 144) -> Floats:
        """Swings (count, 2) along the boundary."""
        t = np.arange(count) * (2.0 * np.pi / count)
        x, y = self.centre
        return np.stack([x + self.rx * np.cos(t), y + self.ry * np.sin(t)], axis=-1)

    def pack(self) -> Packed:
        """The limit as the kernel takes it."""
        return ELLIPSE, ellipse_values(*self.centre, self.rx, self.ry)


@closed
@dataclass(frozen=True)
class SphericalPolygon:
    """A polygon on the unit sphere whose edges are great arcs, concave if wanted.

    `directions` are k ≥ 3 unit vectors in the frame of the chart, where the segment at zero swing
    lies along z. The inside is on the left of each edge, seen from outside the sphere: a polygon
    round +z goes counter-clockwise. Edges are shorter than 180°. The polygon must not cross or
    touch itself, and stays within 150° of +z.

    Korein 1985; thesis 3.6.1.
    """

    kind: ClassVar[str] = "spherical_polygon"
    directions: Table

    def __post_init__(self) -> None:
        """Check the numbers and the shape."""
        what = "the directions of a spherical polygon"
        given = array(self.directions, what, (-1, 3))
        object.__setattr__(self, "directions", tuple(map(tuple, given.tolist())))
        lengths = np.hypot(np.hypot(given[:, 0], given[:, 1]), given[:, 2])
        wrong = np.flatnonzero(np.abs(lengths - 1.0) > 1e-6)
        if wrong.size:
            i = int(wrong[0])
            raise PoiseError(
                f"{what} must have length 1, but number {i + 1} has length {lengths[i]:g}"
            )
        points = self._points()
        check_polygon(points, "a spherical polygon")
        _check_swing(farthest_from_pole(points), "a spherical polygon")
        if spherical_area(points) < 0.0:
            raise PoiseError(
                "a spherical polygon must not contain the direction −z, where the swing is 180°; "
                "the inside is on the left of each edge, so perhaps the order is reversed"
            )

    def _points(self) -> Floats:
        given = np.array(self.directions)
        return given / np.linalg.norm(given, axis=1, keepdims=True)

    def boundary(self, count: int = 144) -> Floats:
        """Swings (about count, 2) along the boundary, the corners among them."""
        points = self._points()
        ends = np.roll(points, -1, axis=0)
        each = max(2, -(-count // len(points)))
        result: list[Floats] = []
        for start, end in zip(points, ends, strict=True):
            normal = np.cross(start, end)
            tangent = np.cross(normal / np.linalg.norm(normal), start)
            length = np.arctan2(np.linalg.norm(normal), start @ end)
            t = np.arange(each)[:, None] * (length / each)
            result.append(np.cos(t) * start + np.sin(t) * tangent)
        return _swings(np.concatenate(result))

    def pack(self) -> Packed:
        """The limit as the kernel takes it."""
        return SPHERICAL, spherical_values(self._points())


@closed
@dataclass(frozen=True)
class PlanarPolygon:
    """A polygon of swings whose edges are straight in the coordinates, concave if wanted.

    `points` are k ≥ 3 pairs (sx, sy), in either order; the inside is what they enclose. The
    polygon must not cross or touch itself, and stays within 150°.

    Maurel 2000 and Aydin 1999 use such regions; thesis 3.6.1.
    """

    kind: ClassVar[str] = "planar_polygon"
    points: Table

    def __post_init__(self) -> None:
        """Check the numbers and the shape."""
        given = array(self.points, "the points of a planar polygon", (-1, 2), most=_MOST)
        object.__setattr__(self, "points", tuple(map(tuple, given.tolist())))
        check_polygon(given, "a planar polygon")
        _check_swing(np.hypot(*given.T).max(), "a planar polygon")

    def boundary(self, count: int = 144) -> Floats:
        """Swings (about count, 2) along the boundary, the corners among them."""
        points = np.array(self.points)
        ends = np.roll(points, -1, axis=0)
        each = max(2, -(-count // len(points)))
        share = np.arange(each) / each
        return (points[:, None] + share[:, None] * (ends - points)[:, None]).reshape(-1, 2)

    def pack(self) -> Packed:
        """The limit as the kernel takes it, counter-clockwise."""
        points = np.array(self.points)
        return PLANAR, planar_values(points if planar_area(points) > 0 else points[::-1].copy())


@closed
@dataclass(frozen=True)
class Angle:
    """The whole rotation of a joint turns by no more than `maximum`, whatever its axis.

    For a ball in either chart; for a swing it is the angle of the swing. With swing and twist θ
    and τ the whole angle φ has cos(φ/2) = cos(θ/2) cos(τ/2). This is the range of MuJoCo's balls.
    """

    kind: ClassVar[str] = "angle"
    maximum: float

    def __post_init__(self) -> None:
        """Check the number."""
        maximum = number(self.maximum, "the maximum of an angle limit", above=0)
        if maximum > np.pi + 1e-12:
            raise PoiseError(
                f"the maximum of an angle limit must be at most π: no rotation is larger, "
                f"but {maximum:g} was given{degrees_hint(maximum)}"
            )
        object.__setattr__(self, "maximum", min(maximum, float(np.pi)))

    def pack(self) -> Packed:
        """The limit as the kernel takes it."""
        return ANGLE, np.array([self.maximum])


@closed
@dataclass(frozen=True)
class Twist:
    """An interval for the twist that may depend on the swing.

    zero + lower + lower_slope · (sx, sy) ≤ τ ≤ zero + upper + upper_slope · (sx, sy). `zero` is
    the twist that counts as none. For every valid swing the lower end must be below the upper;
    that is checked where the joint is made, when its swing limits are known.

    Thesis 3.5.3 and 3.6.2.
    """

    kind: ClassVar[str] = "twist"
    lower: float
    upper: float
    lower_slope: Vec2 = (0.0, 0.0)
    upper_slope: Vec2 = (0.0, 0.0)
    zero: float = 0.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        for end in ("lower", "upper"):
            value = _twist(getattr(self, end), f"the {end} end of a twist limit")
            slope = _pair(getattr(self, f"{end}_slope"), f"the {end} slope of a twist limit")
            object.__setattr__(self, end, value)
            object.__setattr__(self, f"{end}_slope", slope)
        object.__setattr__(self, "zero", _twist(self.zero, "the zero of a twist limit"))
        warn_of_limits((self.lower, self.upper), "the ends of a twist limit")
        if self.lower > self.upper and self.lower_slope == self.upper_slope:
            raise PoiseError(
                f"a twist limit is the wrong way round: lower {self.lower:g}, upper {self.upper:g}"
            )

    @property
    def is_constant(self) -> bool:
        """Whether the interval is the same at every swing."""
        return self.lower_slope == self.upper_slope == (0.0, 0.0)

    @property
    def interval(self) -> Vec2:
        """The interval of τ at zero swing."""
        return (self.zero + self.lower, self.zero + self.upper)

    def ends(self, swings: Any) -> tuple[Floats, Floats]:
        """The lowest and highest twist at swings (…, 2)."""
        at = np.asarray(swings, dtype=np.float64)
        low = self.zero + self.lower + at @ np.array(self.lower_slope)
        high = self.zero + self.upper + at @ np.array(self.upper_slope)
        return low, high

    def pack(self) -> Packed:
        """The limit as the kernel takes it."""
        ends = [self.lower, self.upper, *self.lower_slope, *self.upper_slope, self.zero]
        return TWIST, np.array(ends)


@closed
@dataclass(frozen=True)
class TwistTable:
    """An interval for the twist, tabulated over the swing.

    `lower` and `upper` are m × k tables on the ascending grids `sx` (m) and `sy` (k), m and k at
    least 2; between them they are interpolated bilinearly, outside the grid the value at its edge
    holds. `zero` is the twist that counts as none.

    Wang 1998 measured such tables for the shoulder; thesis 3.6.2–3.6.3.
    """

    kind: ClassVar[str] = "twist_table"
    sx: Numbers
    sy: Numbers
    lower: Table
    upper: Table
    zero: float = 0.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        for axis in ("sx", "sy"):
            what = f"the grid {axis} of a twist table"
            grid = array(getattr(self, axis), what, (-1,), most=_MOST)
            if grid.size < 2 or not (np.diff(grid) > 0).all():
                raise PoiseError(
                    f"the grid {axis} of a twist table must be two or more ascending numbers, "
                    f"not {grid.tolist()}"
                )
            object.__setattr__(self, axis, tuple(grid.tolist()))
        shape = (len(self.sx), len(self.sy))
        tables = {
            end: array(getattr(self, end), f"the table {end} of a twist table", shape, most=_MOST)
            for end in ("lower", "upper")
        }
        for end, table in tables.items():
            object.__setattr__(self, end, tuple(map(tuple, table.tolist())))
        wrong = np.argwhere(tables["lower"] > tables["upper"])
        if wrong.size:
            i, j = wrong[0]
            raise PoiseError(
                f"a twist table is the wrong way round at sx = {self.sx[i]:g}, "
                f"sy = {self.sy[j]:g}: lower {self.lower[i][j]:g}, upper {self.upper[i][j]:g}"
            )
        object.__setattr__(self, "zero", _twist(self.zero, "the zero of a twist table"))

    def ends(self, swings: Any) -> tuple[Floats, Floats]:
        """The lowest and highest twist at swings (…, 2)."""
        at = np.asarray(swings, dtype=np.float64)
        i, u = _cells(np.array(self.sx), at[..., 0])
        j, v = _cells(np.array(self.sy), at[..., 1])

        def value(rows: Any) -> Floats:
            table = np.array(rows)
            low = (1 - u) * table[i, j] + u * table[i + 1, j]
            high = (1 - u) * table[i, j + 1] + u * table[i + 1, j + 1]
            return self.zero + (1 - v) * low + v * high

        return value(self.lower), value(self.upper)

    def pack(self) -> Packed:
        """The limit as the kernel takes it."""
        head = [len(self.sx), len(self.sy), self.zero]
        tables = [np.array(self.lower).ravel(), np.array(self.upper).ravel()]
        return TABLE, np.concatenate([head, self.sx, self.sy, *tables])


SwingLimit = SphericalEllipse | SphericalPolygon | PlanarPolygon
TwistLimit = Twist | TwistTable
Limit = SwingLimit | TwistLimit | Angle


def _pair(value: Any, what: str) -> Vec2:
    x, y = array(value, what, (2,), most=_MOST).tolist()
    return (x, y)


def _twist(value: Any, what: str) -> float:
    return number(value, what, least=-_MOST, most=_MOST)


def _cells(grid: Floats, values: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The cell of an ascending grid that holds each value, and the share within it."""
    inside = np.clip(values, grid[0], grid[-1])
    cell = np.clip(np.searchsorted(grid, inside, side="right") - 1, 0, grid.size - 2)
    return cell, (inside - grid[cell]) / (grid[cell + 1] - grid[cell])


def _swings(directions: Floats) -> Floats:
    """The swings (…, 2) of unit directions (…, 3)."""
    across = np.hypot(directions[..., 0], directions[..., 1])
    theta = np.arctan2(across, directions[..., 2])
    k = np.where(across > 0, theta / np.where(across > 0, across, 1.0), 1.0)
    return np.stack([-k * directions[..., 1], k * directions[..., 0]], axis=-1)


def _check_swing(farthest: float, what: str) -> None:
    if farthest > LARGEST_SWING + CLOSE:
        raise PoiseError(
            f"{what} must keep the swing within 150°, but it reaches "
            f"{np.rad2deg(farthest):.4g}°{degrees_hint(farthest)}"
        )
