"""The pose library, and what is done with whole postures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.checking import LONGEST_NAME, label
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture
from poise.figure.posture import put_angles
from poise.models import hand_shape, hand_shape_names, pose, pose_names
from poise.models.hand import FINGERS
from poise.studio.document import Document
from poise.studio.sides import has_sides, other_side
from poise.studio.symmetry import Mirror

Values = NDArray[np.float64]

HANDS = "hands: "
"""What stands before the names of hand shapes in the library."""

MOST = 500
"""So many poses a library may have, besides the ready ones."""


def kept(document: Document) -> dict[str, float]:
    """The document's posture as the library keeps it: values (rad, m) by coordinate."""
    return dict(zip(document.coordinates(), document.scene.q.tolist(), strict=True))


def keep(document: Document, name: str) -> None:
    """Keep the present posture under a name; one of that name is replaced, but no ready one."""
    label(name, "pose", LONGEST_NAME)
    if name in ready_names(document):
        raise PoiseError(f"{name!r} is a ready pose, which stays as it is: take another name")
    if name not in document.poses and len(document.poses) >= MOST:
        raise PoiseError(f"the library has {MOST} poses, and no more fit: remove some first")
    document.poses[name] = kept(document)


def remove(document: Document, name: str) -> None:
    """Take a pose out of the library; ready ones stay."""
    if name not in document.poses:
        if name in ready_names(document):
            raise PoiseError(f"{name!r} is a ready pose, which cannot be removed")
        raise unknown_name("pose", name, document.poses)
    del document.poses[name]


def pose_named(document: Document, name: str) -> Mapping[str, float]:
    """A pose of the library: one that was kept, or a ready one."""
    if name in document.poses:
        return document.poses[name]
    ready = ready_names(document)
    if name not in ready:
        raise unknown_name("pose", name, [*document.poses, *ready])
    return ready_pose(document, name)


def ready_names(document: Document) -> list[str]:
    """The ready poses of the people in the scene, then the shapes of hands with fingers."""
    figures = document.scene.figures.values()
    poses = [name for figure in figures for name in pose_names(figure)]
    hands = [HANDS + name for figure in figures for name in hand_shape_names(figure)]
    return list(dict.fromkeys(poses + hands))


def ready_pose(document: Document, name: str) -> dict[str, float]:
    """A ready pose of all figures that have it, as the library keeps poses.

    Who takes it faces as before, and the feet stay about where they are.
    """
    result: dict[str, float] = {}
    for each, posture in document.scene.postures.items():
        figure, first = posture.figure, f"{each}/" if document.scene.has_several else ""
        if name.startswith(HANDS) and hand_shape_names(figure):
            after = hand_shape(posture, name.removeprefix(HANDS))
            moved = np.flatnonzero(after.q != posture.q).tolist()
        elif name in pose_names(figure):
            after = _at_the_feet(posture, Mirror.through(posture).stood(pose(figure, name)))
            moved = range(figure.n)
        else:
            continue
        result |= {first + figure.coordinates[i]: float(after.q[i]) for i in moved}
    return result


def is_of_a_hand(segment: str) -> bool:
    """Whether a segment is the right hand's, by its name; one hand is enough to show a shape."""
    own = segment.rpartition("/")[2]
    return own.startswith("right_") and own.split("_")[1] in ("hand", *FINGERS, "thumb")


def _at_the_feet(before: Posture, after: Posture) -> Posture:
    """The second posture, moved on the floor so that its feet are where those of the first are."""
    if "root.x" not in after.figure.coordinates:
        return after
    one, other = (
        (where["left_foot"].position + where["right_foot"].position)[:2]
        for where in (each.figure.place(each) for each in (before, after))
    )
    result = after.copy()
    for axis, shift in zip(("root.x", "root.y"), 0.5 * (one - other), strict=True):
        result[axis] = float(result.q[result.figure.index(axis)]) + float(shift)
    return result


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
    put_angles(posture, own, angles)
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
