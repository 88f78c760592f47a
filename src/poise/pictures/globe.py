"""A globe round a joint: the sphere of directions that its segment can point in.

Joint limits are curves and patches on it; a twist is a direction in the plane that touches it.
Thesis 3.6 (globographic representation).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.figure.limits import Angle
from poise.figure.transform import Matrix, rotation_matrix, rotation_to
from poise.pictures.figures import AXIS_COLORS
from poise.pictures.meshes import Floats, Mesh, arrow, ball, capsule, joined, path
from poise.pictures.region import Region
from poise.pictures.stage import Item, Label

BOUNDARY, FILL, SYMBOL, REFERENCE = "#c2410c", "#ffb45e", "#2563a8", "#1f2937"
_GLASS, _SOLID, _DISC, _LINES = "#c9d3de", "#c6ced8", "#e4eaf0", "#8796a6"


@dataclass(frozen=True, eq=False)
class Globe:
    """A sphere with the joint's chart on it.

    `rotation` takes the chart's axes to the world's; lengths in the methods are shares of the
    radius.
    """

    center: Floats
    rotation: Matrix
    radius: float

    def at(self, directions: Floats, height: float = 1.0) -> Floats:
        """Points of the world in directions (…, 3) of the chart."""
        return self.center + self.radius * height * (directions @ self.rotation.T)

    def sphere(self, opacity: float = 0.25, *, lit: bool = True) -> list[Item]:
        """The sphere itself, of glass or solid; without light it is a mere disc."""
        mesh = ball(self.center, self.radius, 144)
        if not lit:
            return [Item(mesh, _DISC, opacity, lit=False)]
        color, gloss = (_SOLID, 0.0) if opacity == 1 else (_GLASS, 0.1)
        return [Item(mesh, color, opacity, casts_shadow=opacity == 1, gloss=gloss)]

    def axes(self, length: float = 1.3) -> tuple[list[Item], list[Label]]:
        """The chart's axes, with their letters."""
        items: list[Item] = []
        labels: list[Label] = []
        for name, color, axis in zip("xyz", AXIS_COLORS, np.eye(3), strict=True):
            mesh = arrow(self.center, self.at(axis, length), 0.012 * self.radius, 0.1 * self.radius)
            items.append(Item(mesh, color, casts_shadow=False))
            x, y, z = self.at(axis, length + 0.1).tolist()
            labels.append(Label(name, (x, y, z), color))
        return items, labels

    def graticule(self, step: float = np.pi / 6, height: float = 1.003) -> list[Item]:
        """Circles round the chart's z, and half circles from z to −z, a step (radians) apart."""
        wires: list[Mesh] = []
        round_z = np.linspace(0.0, 2.0 * np.pi, 97)
        down = np.linspace(0.0, np.pi, 49)
        for theta in np.arange(step, np.pi - 1e-6, step):
            wires.append(self._wire(_polar(np.full(97, theta), round_z), 0.0035, height))
        for azimuth in np.arange(0.0, 2.0 * np.pi - 1e-6, step):
            wires.append(self._wire(_polar(down, np.full(49, azimuth)), 0.0035, height))
        return [Item(joined(wires), _LINES, lit=False, casts_shadow=False)]

    def region(self, region: Region, *, color: str = BOUNDARY, fill: str = FILL) -> list[Item]:
        """The boundary with ticks to its inside, and the inside as a translucent patch."""
        items: list[Item] = []
        patch = region.patch()
        if len(patch.triangles):
            normals = patch.normals @ self.rotation.T
            raised = Mesh(self.at(patch.points, 1.0015), normals, patch.triangles)
            items.append(Item(raised, fill, 0.36, lit=False, casts_shadow=False))
        wires = [
            path(self.at(curve, 1.006), 0.011 * self.radius, closed=closed)
            for curve, closed in region.boundary()
        ]
        wires += [self._wire(tick, 0.007, 1.006) for tick in region.ticks(0.14, 0.065)]
        if wires:
            items.append(Item(joined(wires), color, casts_shadow=False))
        return items

    def arc(self, start: Floats, end: Floats, *, color: str, width: float = 0.012) -> list[Item]:
        """The great arc from one direction to another, with an arrow's head at its end."""
        axis = np.cross(start, end)
        sine = float(np.linalg.norm(axis))
        angle = float(np.arctan2(sine, start @ end))
        side = np.cross(axis / sine, start)
        t = np.linspace(0.0, angle - 0.07, 60)[:, None]
        points = np.cos(t) * start + np.sin(t) * side
        neck, tip = self.at(points[-1], 1.02), self.at(end, 1.02)
        head = arrow(neck, tip, width * self.radius, float(np.linalg.norm(tip - neck)))
        return [Item(joined([self._wire(points, width, 1.02), head]), color, casts_shadow=False)]

    def limb(self, direction: Floats, *, length: float = 1.0, color: str = "#e0b48f") -> list[Item]:
        """A limb from the middle of the globe in a direction."""
        end = self.at(direction, length)
        mesh = capsule(self.center, end, 0.085 * self.radius, 0.06 * self.radius)
        return [Item(mesh, color)]

    def mark(self, direction: Floats, *, color: str, size: float = 0.035) -> list[Item]:
        """A dot."""
        return [Item(ball(self.at(direction, 1.01), size * self.radius), color, casts_shadow=False)]

    def cap(self, direction: Floats, angle: float, *, color: str, opacity: float) -> list[Item]:
        """All directions within an angle of one, as a patch."""
        patch = Region([Angle(angle)]).patch()
        points = patch.points @ rotation_to(direction).T
        mesh = Mesh(self.at(points, 1.003), points @ self.rotation.T, patch.triangles)
        return [Item(mesh, color, opacity, casts_shadow=False, lit=False)]

    def reference(
        self, orientation: Matrix, *, color: str = REFERENCE, length: float = 0.17
    ) -> list[Item]:
        """An arrow along the x axis of an orientation (chart axes), where its z points.

        Its direction tells the twist.
        """
        x, z = orientation[:, 0], orientation[:, 2]
        start = self.at(z, 1.02)
        end = start + self.radius * length * (self.rotation @ x)
        mesh = arrow(start, end, 0.010 * self.radius, 0.42 * length * self.radius)
        dot = ball(start, 0.016 * self.radius)
        return [Item(joined([mesh, dot]), color, casts_shadow=False)]

    def twist(
        self,
        swing: tuple[float, float],
        low: float,
        high: float,
        *,
        size: float = 0.12,
        color: str = SYMBOL,
        height: float = 1.02,
    ) -> list[Item]:
        """The twists that are valid at a swing: a ring, the valid sector, an arrow at zero twist.

        Each direction in the sector is one that the segment's x axis can take (thesis Fig. 3.11).
        A range of a whole turn or more fills the ring.
        """
        turn = rotation_matrix([*swing, 0.0])
        middle = turn[:, 2] * height

        def rim(angles: Floats, radius: float) -> Floats:
            flat = np.cos(angles)[:, None] * turn[:, 0] + np.sin(angles)[:, None] * turn[:, 1]
            return self.at(middle + radius * flat)

        thin = min(size, 0.2) * self.radius
        high = min(high, low + 2.0 * np.pi)
        angles = np.linspace(low, high, 49)
        points = np.concatenate([self.at(middle)[None], rim(angles, size)])
        normals = np.tile(self.rotation @ turn[:, 2], (len(points), 1))
        fan = np.arange(1, len(angles))
        triangles = np.stack([np.zeros_like(fan), fan, fan + 1], axis=-1)
        circle = path(
            rim(np.linspace(0.0, 2.0 * np.pi, 64, endpoint=False), size),
            0.05 * thin,
            closed=True,
        )
        sides = [
            path(np.stack([self.at(middle), end]), 0.06 * thin)
            for end in rim(np.array([low, high]), size)
        ]
        tip = rim(np.zeros(1), 1.25 * size)[0]
        zero = arrow(self.at(middle), tip, 0.085 * thin, 0.5 * thin)
        return [
            Item(Mesh(points, normals, triangles), color, 0.55, lit=False, casts_shadow=False),
            Item(joined([circle, *sides]), color, lit=False, casts_shadow=False),
            Item(zero, REFERENCE, lit=False, casts_shadow=False),
        ]

    def _wire(self, directions: Floats, width: float, height: float) -> Mesh:
        return path(self.at(directions, height), width * self.radius, around=8)


def _polar(theta: Floats, azimuth: Floats) -> Floats:
    return np.stack(
        [np.sin(theta) * np.cos(azimuth), np.sin(theta) * np.sin(azimuth), np.cos(theta)], axis=-1
    )
