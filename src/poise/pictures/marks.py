"""Marks on a picture: points, rays, lines, planes, polygons, and the words beside them.

A mark's sizes are in units of the picture's `grain`, about a hundredth of what is drawn, so that
a hand and a horse are marked alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from poise.figure import Transform
from poise.figure.transform import rotation_to
from poise.pictures.figures import axes as frame_axes
from poise.pictures.meshes import Floats, Mesh, arrow, ball, joined, path, tube
from poise.pictures.stage import Item, Label, Point

_DASH, _SPACE = 1.3, 0.9
_PATCH = 11.0  # half the width of what shows a plane


@dataclass
class Marks:
    """Things to draw and words to write, collected; `grain` is the unit of their sizes (m).

    `middle` and `reach` are of what the picture is about: marks stay within that reach, so that
    a goal far away does not make the figure tiny.
    """

    grain: float
    middle: Floats
    reach: float
    items: list[Item] = field(default_factory=list[Item])
    labels: list[Label] = field(default_factory=list[Label])

    @classmethod
    def around(cls, points: Floats) -> Marks:
        """For a picture of points (k, 3)."""
        low, high = points.min(axis=0), points.max(axis=0)
        extent = max(1e-3, float(np.linalg.norm(high - low)))
        return cls(0.01 * extent, 0.5 * (low + high), 0.9 * extent)

    # words ---------------------------------------------------------------------------------

    def write(self, text: str, start: Floats, end: Floats, color: str) -> None:
        """A word on a small white plate, beside the middle of a line, or above a point."""
        ends = _tuple(start), _tuple(end)
        label = Label(text, _tuple(0.5 * (start + end)), color, plate=True, beside=ends)
        self.labels.append(label)

    # points and lines ------------------------------------------------------------------------

    def dot(self, point: ArrayLike, color: str, size: float = 0.8) -> None:
        """A ball that is seen through all else."""
        mesh = ball(point, size * self.grain, 32)
        self.items.append(Item(mesh, color, casts_shadow=False, in_front=True))

    def goal(self, point: ArrayLike, color: str) -> None:
        """A ball in a cross of thin rods: where something is to be."""
        at = np.asarray(point, np.float64)
        spokes = self.grain * np.concatenate([np.eye(3), -np.eye(3)])
        rods = [tube(at + 1.15 * s, at + 2.3 * s, 0.16 * self.grain) for s in spokes]
        self.dot(at, color, 0.75)
        self.items.append(Item(joined(rods), color, lit=False, casts_shadow=False, in_front=True))

    def line(self, start: Floats, end: Floats, color: str, *, width: float = 0.17) -> None:
        """A line that the body hides where it is behind it."""
        if np.linalg.norm(end - start) > 1e-9:
            mesh = path(np.stack([start, end]), width * self.grain)
            self.items.append(Item(mesh, color, lit=False, casts_shadow=False))

    def dashes(
        self, start: Floats, end: Floats, color: str, *, width: float = 0.17, in_front: bool = False
    ) -> None:
        """A dashed line."""
        length = float(np.linalg.norm(end - start))
        if length < 0.2 * self.grain:
            return
        count = max(1, round(length / ((_DASH + _SPACE) * self.grain)))
        share = _DASH / (_DASH + _SPACE)
        # It starts and ends with a dash.
        period = (end - start) / (count - 1 + share)
        starts = start + np.arange(count)[:, None] * period
        rods = [tube(each, each + share * period, width * self.grain) for each in starts]
        item = Item(joined(rods), color, lit=False, casts_shadow=False, in_front=in_front)
        self.items.append(item)

    def pointer(self, start: Floats, end: Floats, color: str, *, width: float = 0.2) -> None:
        """An arrow that is seen through all else."""
        if np.linalg.norm(end - start) > 0.2 * self.grain:
            mesh = arrow(start, end, width * self.grain, 2.0 * self.grain)
            item = Item(mesh, color, lit=False, casts_shadow=False, in_front=True)
            self.items.append(item)

    def tie(self, start: Floats, end: Floats, color: str, text: str) -> None:
        """A dashed line between what should be together, with what it lacks."""
        near, far = self.within(start), self.within(end)
        self.dashes(near, far, color, width=0.22, in_front=True)
        self.write(text, near, far, color)

    def within(self, point: ArrayLike) -> Floats:
        """The point, or where the way to it from the middle leaves the picture."""
        at = np.asarray(point, np.float64)
        away = float(np.linalg.norm(at - self.middle))
        return at if away <= self.reach else self.middle + (at - self.middle) * (self.reach / away)

    def is_far(self, point: ArrayLike) -> bool:
        """Whether a point is too far away to be drawn."""
        return float(np.linalg.norm(np.asarray(point) - self.middle)) > self.reach

    # frames and surfaces -----------------------------------------------------------------------

    def frame(self, place: Transform, color: str, length: float = 5.0) -> None:
        """Axes, with a ball of the verdict's colour in their origin."""
        self.items += frame_axes(place, length * self.grain)
        self.dot(place.position, color, 0.6)

    def arc(
        self, center: Floats, start: Floats, end: Floats, radius: float, color: str, text: str
    ) -> None:
        """An arc from one direction to another, with a word beside its middle."""
        axis = np.cross(start, end)
        sine = float(np.linalg.norm(axis))
        angle = float(np.arctan2(sine, start @ end))
        axis = axis / sine if sine > 1e-9 else rotation_to(start)[:, 0]
        side = np.cross(axis, start)
        turn = np.linspace(0.0, angle, 40)[:, None]
        points = center + radius * (np.cos(turn) * start + np.sin(turn) * side)
        if angle > 1e-3:
            mesh = path(points, 0.16 * self.grain)
            self.items.append(Item(mesh, color, lit=False, casts_shadow=False, in_front=True))
        self.write(text, points[18], points[21], color)

    def ring(
        self, center: Floats, axis: Floats, radius: float, color: str, width: float = 0.17
    ) -> None:
        """A circle about an axis (a unit vector), seen through all else."""
        turn = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)[:, None]
        across, side, _ = rotation_to(axis).T
        points = center + radius * (np.cos(turn) * across + np.sin(turn) * side)
        mesh = path(points, width * self.grain, closed=True)
        self.items.append(Item(mesh, color, lit=False, casts_shadow=False, in_front=True))

    def plane(self, point: Floats, normal: Floats, color: str, *, one_sided: bool = False) -> None:
        """A square of a plane about a point of it; an arrow shows the side that is allowed."""
        axes = rotation_to(normal)
        if abs(normal[2]) < 0.999:
            # Level at its foot, as a wall or a shelf is.
            level = np.cross([0.0, 0.0, 1.0], normal)
            level /= np.linalg.norm(level)
            axes = np.stack([level, np.cross(normal, level), normal], axis=-1)
        half = _PATCH * self.grain
        corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * half
        self.polygon(point + corners @ axes.T, color, opacity=0.16)
        if one_sided:
            self.pointer(point, point + 5.0 * self.grain * normal, color)

    def polygon(
        self, corners: Floats, color: str, *, opacity: float = 0.25, width: float = 0.17
    ) -> None:
        """A convex polygon (k, 3) as a translucent patch with an edge."""
        across = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        fan = np.arange(1, len(corners) - 1)
        triangles = np.stack([np.zeros_like(fan), fan, fan + 1], axis=-1)
        normals = np.tile(across / np.linalg.norm(across), (len(corners), 1))
        patch = Mesh(corners, normals, triangles)
        self.items.append(Item(patch, color, opacity, lit=False, casts_shadow=False))
        self.outline(corners, color, width)

    def outline(self, corners: Floats, color: str, width: float = 0.17) -> None:
        """The edge of a polygon (k, 3)."""
        ends = np.roll(corners, -1, axis=0)
        edges = [
            path(np.stack([a, b]), width * self.grain) for a, b in zip(corners, ends, strict=True)
        ]
        self.items.append(Item(joined(edges), color, lit=False, casts_shadow=False))

    def body(self, mesh: Mesh, color: str, opacity: float = 0.16) -> None:
        """A translucent body."""
        self.items.append(Item(mesh, color, opacity, casts_shadow=False, gloss=0.05))


def _tuple(point: Floats) -> Point:
    x, y, z = point.tolist()
    return (x, y, z)


def moved(
    items: Sequence[Item], labels: Sequence[Label], shift: Floats
) -> tuple[list[Item], list[Label]]:
    """Things and words, all moved together."""
    place = Transform(np.eye(3), shift)

    def there(point: Point) -> Point:
        return _tuple(np.array(point) + shift)

    return (
        [replace(item, mesh=item.mesh.moved(place)) for item in items],
        [
            replace(
                each,
                point=there(each.point),
                beside=each.beside and (there(each.beside[0]), there(each.beside[1])),
            )
            for each in labels
        ],
    )
