"""A figure in a posture as things to draw: in its skin, by its shapes, or as a stick figure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture
from poise.figure.bones import Bone, bones
from poise.figure.parts import Segment
from poise.figure.shapes import Ellipsoid
from poise.figure.transform import Transform
from poise.pictures.blending import blended, sliced, slices
from poise.pictures.meshes import arrow, ball, capsule, mesh_of
from poise.pictures.skins import seen, worn
from poise.pictures.stage import Item

PLAIN = "#5b8bb8"
"""The colour of a segment that names none."""

AXIS_COLORS = ("#e5484d", "#30a46c", "#3b82f6")
"""Red, green, blue for x, y, z."""


def body(figure: Figure, posture: Posture, *, held: Collection[str] = frozenset()) -> list[Item]:
    """A figure as it is best seen: in its skin, or by its shapes, or by the bones of what has none.

    Segments in `held`, as props are, are drawn by their shapes in any case.
    """
    if figure.skin is not None:
        where = figure.place(posture)
        items = worn(figure.skin, where)
        for name in figure.segments.keys() & held:
            items += shapes(figure.segments[name], where.segment(name))
        return items
    bare = {name for name, each in figure.segments.items() if not each.shapes} - set(held)
    items = solid(figure, posture)
    if bare:
        items += _sticks(figure, bones(figure, figure.place(posture), without=held), bare)
    return items


def solid(figure: Figure, posture: Posture, *, opacity: float = 1.0) -> list[Item]:
    """The shapes of all segments where they are; the slices of a trunk under one skin."""
    where = figure.place(posture)
    bodies = sliced(figure)
    under_skin = {name for names in bodies for name in names}
    items: list[Item] = []
    visual: list[Item] = []
    for name, segment in figure.segments.items():
        if segment.visuals:
            drawn = shapes(segment, where.segment(name))
            visual += [replace(item, opacity=item.opacity * opacity) for item in drawn]
            continue
        for shape in segment.shapes:
            mesh = mesh_of(shape).moved(where.segment(name))
            hidden = name in under_skin and isinstance(shape, Ellipsoid)
            items.append(Item(mesh, segment.color or PLAIN, opacity, hidden=hidden))
    for names in bodies:
        skin = blended(slices(figure, where, names, PLAIN))
        items += [Item(mesh, color, opacity, casts_shadow=False) for color, mesh in skin.items()]
    return _apart(items) + visual


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

    Segments in `solid`, as props are, are drawn by their shapes.
    """
    where = figure.place(posture)
    items = _sticks(figure, bones(figure, where, without=solid), figure.segments.keys() - solid)
    for name in figure.segments.keys() & solid:
        items += shapes(figure.segments[name], where.segment(name))
    return items


def _sticks(figure: Figure, all_bones: Mapping[str, Bone], chosen: Collection[str]) -> list[Item]:
    """Some of a figure's bones as lines with knobs, as thick as suits all of them."""
    points = [point for bone in all_bones.values() for point in (bone.start, *bone.ends)]
    radius = 0.006 * max(1e-3, float(np.linalg.norm(np.ptp(points, axis=0))))
    items: list[Item] = []
    for name, bone in all_bones.items():
        if name not in chosen:
            continue
        items += [
            Item(capsule(bone.start, end, radius, radius), figure.segments[name].color or PLAIN)
            for end in bone.ends
            if np.linalg.norm(end - bone.start) > 1e-6
        ]
        items.append(Item(ball(bone.start, 1.7 * radius), "#38424e"))
    return items


def shapes(segment: Segment, place: Transform) -> list[Item]:
    """A segment's visuals, or else its shapes, at a place."""
    color = segment.color or PLAIN
    if segment.visuals:
        # Shadows are those of convex bodies, and so of the pieces.
        pieces = [mesh_of(shape).moved(place) for shape in segment.shapes]
        return [
            *(seen(visual, place) for visual in segment.visuals),
            *(Item(piece, color, hidden=True) for piece in pieces),
        ]
    return [Item(mesh_of(shape).moved(place), color) for shape in segment.shapes]


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
