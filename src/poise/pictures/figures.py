"""A figure in a posture as things to draw: solid from its shapes, or as a stick figure."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture
from poise.figure.parts import WORLD
from poise.figure.shapes import Box, Ellipsoid, Shape, Sphere
from poise.figure.transform import Transform
from poise.pictures.meshes import Floats, arrow, ball, capsule, mesh_of, path, tube
from poise.pictures.stage import Item

PLAIN = "#5b8bb8"
"""The colour of a segment that names none."""

AXIS_COLORS = ("#e5484d", "#30a46c", "#3b82f6")
"""Red, green, blue for x, y, z."""

_MASS, _BELOW = "#f0a400", "#d1242f"


def solid(figure: Figure, posture: Posture, *, opacity: float = 1.0) -> list[Item]:
    """The shapes of all segments where they are."""
    where = figure.place(posture)
    return [
        Item(mesh_of(shape).moved(where.segment(name)), segment.color or PLAIN, opacity)
        for name, segment in figure.segments.items()
        for shape in segment.shapes
    ]


def stick(figure: Figure, posture: Posture) -> list[Item]:
    """A line along every segment, from its joint to those it carries, and a knob at each joint.

    A segment that carries no other joint ends at its farthest site, or where its shapes end.
    """
    where = figure.place(posture)
    starts = {
        joint.child: (where.segment(joint.child) @ joint.after.inverse()).position
        for joint in figure.joints.values()
    }
    tips: dict[str, list[Floats]] = {name: [] for name in figure.segments}
    for joint in figure.joints.values():
        if joint.parent != WORLD:
            tips[joint.parent].append(where.joint(joint.name).position)
    for name in figure.segments:
        if not tips[name]:
            tips[name] = _tip(figure, name, where.segment(name))
    points = [*starts.values(), *(end for each in tips.values() for end in each)]
    radius = 0.006 * max(1e-3, float(np.linalg.norm(np.ptp(points, axis=0))))
    items: list[Item] = []
    for name, segment in figure.segments.items():
        start = starts[name]
        items += [
            Item(capsule(start, end, radius, radius), segment.color or PLAIN)
            for end in tips[name]
            if np.linalg.norm(end - start) > 1e-6
        ]
        items.append(Item(ball(start, 1.7 * radius), "#38424e"))
    return items


def _tip(figure: Figure, name: str, place: Transform) -> list[Floats]:
    """The end of a segment, farthest from its origin, in the world."""
    found = [np.array(s.position) for s in figure.sites.values() if s.segment == name]
    if not found:
        found = [end for shape in figure.segments[name].shapes for end in ends(shape)]
    if not found:
        return []
    return [place.apply(max(found, key=lambda end: float(np.linalg.norm(end))))]


def ends(shape: Shape) -> list[Floats]:
    """Where a shape's skeleton ends, in its segment."""
    if isinstance(shape, (Sphere, Ellipsoid, Box)):
        return [np.array(shape.center)]
    return [np.array(shape.start), np.array(shape.end)]


def axes(place: Transform, length: float) -> list[Item]:
    """A frame's axes as arrows, seen through the body: x red, y green, z blue."""
    return [
        Item(
            arrow(place.position, place.position + length * place.rotation[:, i], 0.045 * length),
            color,
            casts_shadow=False,
            in_front=True,
        )
        for i, color in enumerate(AXIS_COLORS)
    ]


def center_of_mass(figure: Figure, posture: Posture, size: float) -> list[Item]:
    """A ball of radius `size` at the centre of mass, and a ring where it is above the floor."""
    center = figure.center_of_mass(posture)
    angle = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    below = np.array([center[0], center[1], 0.0])
    circle = np.stack([np.cos(angle), np.sin(angle), np.full(48, 0.15)], axis=-1)
    ring = path(below + 1.3 * size * circle, 0.2 * size, closed=True)
    items = [
        Item(ball(center, size), _MASS, casts_shadow=False, in_front=True),
        Item(ring, _BELOW, casts_shadow=False, lit=False, in_front=True),
    ]
    if center[2] > size:
        plumb = tube(below, center - [0.0, 0.0, size], 0.1 * size)
        items.append(Item(plumb, _BELOW, casts_shadow=False, lit=False, in_front=True))
    return items


def chosen(names: bool | Iterable[str], allowed: Iterable[str], what: str) -> list[str]:
    """All names for True, none for False, else those given, which must exist."""
    known = list(allowed)
    if isinstance(names, bool):
        return known if names else []
    if isinstance(names, str):
        raise PoiseError(f"{what}s must be True, False or a list of names, not {names!r}")
    given = list(names)
    for each in given:
        if each not in known:
            raise unknown_name(what, each, known)
    return given
