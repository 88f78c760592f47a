"""A figure in a posture as things to draw: solid from its shapes, or as a stick figure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np

from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture
from poise.figure.parts import Segment
from poise.figure.shapes import Box, Ellipsoid, Shape, Sphere
from poise.figure.transform import Transform
from poise.pictures.blending import blended, sliced, slices
from poise.pictures.meshes import Floats, arrow, ball, capsule, mesh_of
from poise.pictures.stage import Item

PLAIN = "#5b8bb8"
"""The colour of a segment that names none."""

AXIS_COLORS = ("#e5484d", "#30a46c", "#3b82f6")
"""Red, green, blue for x, y, z."""


def solid(figure: Figure, posture: Posture, *, opacity: float = 1.0) -> list[Item]:
    """The shapes of all segments where they are; the slices of a trunk under one skin."""
    where = figure.place(posture)
    bodies = sliced(figure)
    under_skin = {name for names in bodies for name in names}
    items: list[Item] = []
    for name, segment in figure.segments.items():
        for shape in segment.shapes:
            mesh = mesh_of(shape).moved(where.segment(name))
            hidden = name in under_skin and isinstance(shape, Ellipsoid)
            items.append(Item(mesh, segment.color or PLAIN, opacity, hidden=hidden))
    for names in bodies:
        skin = blended(slices(figure, where, names, PLAIN))
        items += [Item(mesh, color, opacity, casts_shadow=False) for color, mesh in skin.items()]
    return _apart(items)


def _apart(items: Sequence[Item]) -> list[Item]:
    """The same things, each colour a hair smaller than the one before.

    Two limbs often have the same ball in their joint; in two colours at one depth these would
    mix in dots.
    """
    if not items:
        return []
    points = np.concatenate([item.mesh.points for item in items])
    hair = 2e-4 * float(np.linalg.norm(np.ptp(points, axis=0)))
    ranks = {color: i for i, color in enumerate(dict.fromkeys(item.color for item in items))}
    return [
        replace(item, mesh=item.mesh.shrunk(ranks[item.color] * hair))
        if ranks[item.color]
        else item
        for item in items
    ]


def stick(figure: Figure, posture: Posture, *, solid: Collection[str] = frozenset()) -> list[Item]:
    """A line along every segment, from its joint to those it carries, and a knob at each joint.

    A segment that carries no other joint ends at its farthest site, or where its shapes end.
    Segments in `solid`, as props are, are drawn by their shapes.
    """
    where = figure.place(posture)
    starts = {
        joint.child: (where.segment(joint.child) @ joint.after.inverse()).position
        for joint in figure.joints.values()
        if joint.child not in solid
    }
    tips: dict[str, list[Floats]] = {name: [] for name in starts}
    for joint in figure.joints.values():
        if joint.parent in tips and joint.child not in solid:
            tips[joint.parent].append(where.joint(joint.name).position)
    for name in starts:
        if not tips[name]:
            tips[name] = _tip(figure, name, where.segment(name))
    points = [*starts.values(), *(end for each in tips.values() for end in each)]
    radius = 0.006 * max(1e-3, float(np.linalg.norm(np.ptp(points, axis=0))))
    items: list[Item] = []
    for name, segment in figure.segments.items():
        if name in solid:
            items += shapes(segment, where.segment(name))
            continue
        start = starts[name]
        items += [
            Item(capsule(start, end, radius, radius), segment.color or PLAIN)
            for end in tips[name]
            if np.linalg.norm(end - start) > 1e-6
        ]
        items.append(Item(ball(start, 1.7 * radius), "#38424e"))
    return items


def shapes(segment: Segment, place: Transform) -> list[Item]:
    """A segment's shapes at a place."""
    color = segment.color or PLAIN
    return [Item(mesh_of(shape).moved(place), color) for shape in segment.shapes]


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
