"""What a figure stands on: the polygon of support, its margin, and the centre of mass above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poise.pictures.convex import nearest_inside
from poise.pictures.marks import Marks
from poise.pictures.meshes import Floats, ball
from poise.pictures.stage import Item
from poise.pictures.subjects import Group

_MASS, _PLUMB = "#f0a400", "#c2255c"


@dataclass(frozen=True, eq=False)
class Support:
    """The convex hull of soles, seen from above: corners (k, 2), counter-clockwise, at a height."""

    corners: Floats
    height: float

    @classmethod
    def over(cls, points: Floats) -> Support | None:
        """The hull of the corners (k, 3) of soles; None where it has no area."""
        from scipy.spatial import ConvexHull, QhullError

        try:
            hull = ConvexHull(points[:, :2])
        except QhullError:  # all on one line, as on a tightrope
            return None
        return cls(points[hull.vertices, :2], float(points[:, 2].min()))

    def inset(self, margin: float) -> Floats | None:
        """The corners (k, 2) of what is left inside a margin; None where nothing is."""
        kept = self.corners
        for a, b in zip(self.corners, np.roll(self.corners, -1, axis=0), strict=True):
            along = (b - a) / np.linalg.norm(b - a)
            inward = np.array([-along[1], along[0]])
            kept = _cut(kept, (kept - a) @ inward - margin)
            if len(kept) < 3:
                return None
        return kept

    def nearest(self, point: Floats, margin: float) -> Floats | None:
        """The point inside the margin nearest to a point (3,) of the ground."""
        inner = self.inset(margin)
        if inner is None:
            return None
        sides = np.roll(inner, -1, axis=0) - inner
        outward = np.column_stack([sides[:, 1], -sides[:, 0], np.zeros(len(inner))])
        outward /= np.linalg.norm(outward, axis=1, keepdims=True)
        return nearest_inside(outward, (outward[:, :2] * inner).sum(axis=1), point)

    def raised(self, flat: Floats, above: float) -> Floats:
        """Points (k, 2) on the ground as points of the world, a little above it."""
        return np.column_stack([flat, np.full(len(flat), self.height + above)])


def corners_of(group: Group, names: Sequence[str]) -> Floats:
    """The corners (k, 3) of the outlines of sites, in the world."""
    found: list[Floats] = []
    for name in names:
        site = group.sites.get(name)
        if site is not None and site.outline:
            flat = np.array(site.outline)
            found.append(group.places[name].apply(np.column_stack([flat, np.zeros(len(flat))])))
    return np.concatenate(found) if found else np.zeros((0, 3))


def draw_support(marks: Marks, support: Support, margin: float, color: str) -> None:
    """The polygon, and inside it a dashed line where the margin ends."""
    lift = 0.25 * marks.grain
    marks.polygon(support.raised(support.corners, lift), color, opacity=0.28)
    inner = support.inset(margin) if margin > 1e-6 else None
    if inner is not None:
        edge = support.raised(inner, lift)
        for a, b in zip(edge, np.roll(edge, -1, axis=0), strict=True):
            marks.dashes(a, b, color, width=0.12)


def draw_center_of_mass(marks: Marks, center: Floats, ground: float) -> None:
    """A ball at the centre of mass, a line down to the ground, and a ring there."""
    size = 1.4 * marks.grain
    marks.items.append(Item(ball(center, size), _MASS, casts_shadow=False, in_front=True))
    below = np.array([center[0], center[1], ground + 0.3 * marks.grain])
    marks.ring(below, np.array([0.0, 0.0, 1.0]), 1.25 * size, _PLUMB, 0.28)
    if center[2] - ground > size:
        top = center - np.array([0.0, 0.0, size])
        marks.dashes(top, below, _PLUMB, width=0.13, in_front=True)


def _cut(corners: Floats, inside: Floats) -> Floats:
    """A convex polygon (k, 2) without what lies where a linear value at its corners is negative."""
    kept: list[Floats] = []
    for i in range(len(corners)):
        j = (i + 1) % len(corners)
        if inside[i] >= 0:
            kept.append(corners[i])
        if (inside[i] >= 0) != (inside[j] >= 0):
            share = inside[i] / (inside[i] - inside[j])
            kept.append(corners[i] + share * (corners[j] - corners[i]))
    return np.array(kept).reshape(-1, 2)
