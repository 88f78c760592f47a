"""The pose library, and what is done with whole postures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.checking import LONGEST_NAME, label
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.studio.document import Document
from poise.studio.sides import has_sides, other_side

Values = NDArray[np.float64]

MOST = 500
"""So many poses a library may have."""


def kept(document: Document) -> dict[str, float]:
    """The document's posture as the library keeps it: values (rad, m) by coordinate."""
    return dict(zip(document.coordinates(), document.scene.q.tolist(), strict=True))


def keep(document: Document, name: str) -> None:
    """Keep the present posture under a name; one of that name is replaced."""
    label(name, "pose", LONGEST_NAME)
    if name not in document.poses and len(document.poses) >= MOST:
        raise PoiseError(f"the library has {MOST} poses, and no more fit: remove some first")
    document.poses[name] = kept(document)


def pose_named(document: Document, name: str) -> Mapping[str, float]:
    """A pose of the library."""
    if name not in document.poses:
        raise unknown_name("pose", name, document.poses)
    return document.poses[name]


def take(document: Document, pose: Mapping[str, float], fraction: float = 1.0) -> None:
    """Go a fraction of the way from the present posture to a pose.

    Coordinates that the figures have not are passed over, those that the pose has not stay; it is
    an error where they have none in common. At 1 the pose is taken to the last bit.
    """
    names, goal = document.coordinates(), document.scene.q
    common = [name for name in names if name in pose]
    if not common:
        raise PoiseError("the pose is that of another figure: they have no coordinate in common")
    for i, name in enumerate(names):
        goal[i] = pose.get(name, goal[i])
    if fraction != 1.0:
        goal = _blended(document, goal, fraction)
    document.scene.q = _clamped(document, goal)


def _blended(document: Document, goal: Values, fraction: float) -> Values:
    whole = document.whole
    return whole.posture(document.scene.q).blend(whole.posture(goal), fraction).q


def _clamped(document: Document, q: Values) -> Values:
    """Within limits; what is so already stays to the last bit."""
    return document.whole.clamp(q).q


def set_symmetry(document: Document, on: bool) -> None:
    """Let what is done to one side be done to the other."""
    if on and not any(has_sides(figure) for figure in document.scene.figures.values()):
        raise PoiseError("the figure has no joints named left_… and right_…, so it has no sides")
    document.symmetric = on


def set_values(document: Document, values: Mapping[str, float]) -> tuple[str, ...]:
    """Set coordinates (rad, m), within limits; with symmetry on, those of the other side as well.

    Returns:
        The coordinates that were set.
    """
    whole, q = document.whole, document.scene.q
    for name, value in values.items():
        q[whole.index(name)] = value
    done = tuple(values)
    if document.symmetric:
        q, more = _both_sides(document, q, done)
        done += more
    document.scene.q = _clamped(document, q)
    return done


def set_angles(document: Document, joint: str, angles: Mapping[str, float]) -> tuple[str, ...]:
    """Set clinical angles (rad) of a joint or group, within limits.

    Returns:
        The coordinates that moved with them.
    """
    figure, own = document.figure_of(joint)
    posture = document.scene.postures[figure].copy()
    before = posture.q.copy()
    posture.put_angles(own, angles)
    first = joint.removesuffix(own)
    moved = [first + posture.figure.coordinates[i] for i in np.flatnonzero(posture.q != before)]
    values = dict(zip(posture.figure.coordinates, posture.q.tolist(), strict=True))
    return set_values(document, {name: values[name.removeprefix(first)] for name in moved})


def with_partners(document: Document, names: tuple[str, ...]) -> tuple[str, ...]:
    """Joints or coordinates, with symmetry on also those of the other side."""
    if not document.symmetric:
        return names
    whole = document.whole
    known = {*whole.groups, *whole.joints, *whole.coordinates}
    partners = [other_side(each) for each in names if other_side(each) in known]
    return tuple(dict.fromkeys([*names, *partners]))


def _both_sides(
    document: Document, q: Values, names: tuple[str, ...]
) -> tuple[Values, tuple[str, ...]]:
    """The coordinates with what was set on one side done on the other."""
    whole = document.whole
    parts = dict.fromkeys(name.rpartition(".")[0] for name in names)
    done: list[str] = []
    for part in parts:
        partner = other_side(part)
        if partner == part or not _has(whole, partner):
            continue
        figure, own = document.figure_of(partner)
        posture = document.scene.figures[figure].posture(_own(document, figure, q))
        flipped = posture.mirrored()
        there = whole.span(partner)
        q[there] = np.atleast_1d(flipped[own])
        done += whole.coordinates[there]
    return q, tuple(done)


def _own(document: Document, figure: str, q: Values) -> Any:
    """A figure's part of all coordinates."""
    first = 0
    for name, each in document.scene.figures.items():
        if name == figure:
            return q[first : first + each.n]
        first += each.n
    raise unknown_name("figure", figure, document.scene.figures)


def _has(whole: Figure, name: str) -> bool:
    return name in whole.groups or name in whole.joints
