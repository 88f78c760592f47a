"""Bones: the lines along segments from joint to joint, for figures without shapes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.parts import WORLD
from poise.figure.placements import Placements
from poise.figure.shapes import Box, Ellipsoid, Hull, Shape, Sphere

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bone:
    """A segment's joint, and where the joints are that it carries, in the world (m).

    A segment that carries no joint ends at its farthest site, or where its shapes end; where it
    has neither, it has no ends.
    """

    start: Floats
    ends: tuple[Floats, ...]


def bones(
    figure: Figure, where: Placements, *, without: Collection[str] = frozenset()
) -> dict[str, Bone]:
    """The bone of each segment by name, apart from those of some segments, as props are."""
    starts: dict[str, Floats] = {}
    carried: dict[str, list[Floats]] = {}
    for joint in figure.joints.values():
        if joint.child in without:
            continue
        carried.setdefault(joint.parent, []).append(where.joint(joint.name).position)
        # Of a figure with another root, a segment may hang on a joint and on the ground.
        if joint.parent != WORLD or joint.child not in starts:
            place = where.segment(joint.child)
            starts[joint.child] = (place @ joint.after.inverse()).position
    result: dict[str, Bone] = {}
    for name in figure.segments:
        if name in without:
            continue
        place = where.segment(name)
        tips = [place.apply(tip) for tip in _tip(figure, name)]
        result[name] = Bone(starts.get(name, place.position), tuple(carried.get(name) or tips))
    return result


def shape_ends(shape: Shape) -> list[Floats]:
    """Where a shape's skeleton ends, in its segment."""
    if isinstance(shape, (Sphere, Ellipsoid, Box)):
        return [np.array(shape.center)]
    if isinstance(shape, Hull):
        return [np.array(shape.points).mean(axis=0)]
    return [np.array(shape.start), np.array(shape.end)]


def _tip(figure: Figure, name: str) -> list[Floats]:
    """The end of a segment, farthest from its origin, if anything tells where it ends."""
    found = [np.array(s.position) for s in figure.sites.values() if s.segment == name]
    if not found:
        found = [end for shape in figure.segments[name].shapes for end in shape_ends(shape)]
    return [max(found, key=lambda end: float(np.linalg.norm(end)))] if found else []
