"""Angles as clinicians name them: read from a joint's coordinates, and turned into them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.checking import AXES
from poise.errors import PoiseError
from poise.figure.kinds import EVERYTHING, Interval
from poise.figure.parts import Group, Joint
from poise.figure.transform import Matrix, Transform, quaternion, rotation_matrix, rotation_vector
from poise.units import TURN

Values = NDArray[np.float64]

_NEAR = float(np.deg2rad(1.0))  # what a group may miss a wanted angle by
_LIGHT = 1e-3  # the weight of angles that were not asked for, when a group cannot have all


def unit_of(part: Joint | Group, coordinate: str, joints: Mapping[str, Joint]) -> str:
    """The unit, "m" or "rad", of a joint's coordinate or a group's parameter (its short name).

    A parameter has the unit of the first member that it drives.
    """
    if isinstance(part, Group):
        for member, terms in part.terms.items():
            if any(coordinate in term.powers and term.factor for term in terms):
                joint, _, name = member.partition(".")
                return unit_of(joints[joint], name, joints)
        return "rad"
    return dict(zip(part.kind.coordinates, part.kind.units, strict=True)).get(coordinate, "rad")


def believable(part: Joint | Group, joints: Mapping[str, Joint]) -> list[Interval]:
    """What each coordinate may be set to beyond a full turn: metres, wheels, screws."""
    if isinstance(part, Group):
        names, boxes = list(part.parameters), list(part.parameters.values())
    else:
        names, boxes = part.kind.coordinates, list[Interval]()
        for step in part.kind.steps:
            turns = [(-TURN, TURN)] * len(step.coordinates)
            boxes += step.intervals if step.counts_turns else turns
    return [
        EVERYTHING if unit_of(part, name, joints) == "m" else box
        for name, box in zip(names, boxes, strict=True)
    ]


def is_clinical(joint: Joint) -> bool:
    """Whether a joint's angles are others than its coordinates."""
    return bool(joint.clinical)


def angles_of(joint: Joint, values: Values) -> dict[str, float]:
    """Clinical angles by name, or coordinates where there are none, of a joint's coordinates."""
    kind = joint.kind.spherical
    if kind is None or not joint.clinical:
        return dict(zip(joint.kind.coordinates, values.tolist(), strict=True))
    swing, twist = _swing_about(kind.axis, kind.motion(values).rotation)
    return {
        angle: float(np.dot(AXES[axis], swing) + np.dot(AXES[axis], kind.axis) * twist)
        for angle, axis in joint.clinical.items()
    }


def values_for(joint: Joint, values: Values, angles: Mapping[str, float]) -> Values:
    """A joint's coordinates with some of its angles changed."""
    present = {**angles_of(joint, values), **angles}
    kind = joint.kind.spherical
    if kind is None or not joint.clinical:
        return np.array(list(present.values()))
    axis = np.array(kind.axis)
    swing, twist = _swing_about(kind.axis, kind.motion(values).rotation)
    turn = swing + twist * axis  # all of it, also about an axis that has no name
    for angle, value in present.items():
        named = np.array(AXES[joint.clinical[angle]])
        turn += (value - turn @ named) * named
    twist = float(turn @ axis)
    rotation = rotation_matrix(turn - twist * axis) @ rotation_matrix(twist * axis)
    return kind.values(Transform.turn(rotation))


def member_values(group: Group, joint: Joint, parameters: Values) -> Values:
    """The coordinates of a joint that a group drives; what the group does not name is zero."""
    members = dict(zip(group.terms, group.evaluate(parameters).tolist(), strict=True))
    return np.array([members.get(each, 0.0) for each in joint.coordinates])


def parameters_for(
    group: Group, joint: Joint, parameters: Values, angles: Mapping[str, float]
) -> Values:
    """A group's parameters that bring some angles of one of its joints where they are wanted.

    The joint's other angles stay, or as near as the group lets them. Raises when an angle that
    was asked for is missed by more than a degree.
    """
    present = member_values(group, joint, parameters)
    wanted = {**angles_of(joint, present), **angles}
    own = {member: terms for member, terms in group.terms.items() if member in joint.coordinates}
    goal = dict(zip(joint.coordinates, values_for(joint, present, angles), strict=True))
    alone = Group(group.name, group.parameters, own)
    found = alone.fit(np.array([goal[each] for each in own]), parameters)
    weights = np.array([1.0 if each in angles else _LIGHT for each in wanted])

    def missed(candidate: Values) -> Values:
        reached = angles_of(joint, member_values(group, joint, candidate))
        return np.array([reached[each] - value for each, value in wanted.items()])

    if np.abs(missed(found)).max() > 1e-9:
        from scipy.optimize import least_squares

        start = min(found, parameters, key=lambda p: float(np.abs(weights * missed(p)).max()))
        found = np.asarray(least_squares(lambda p: weights * missed(p), start).x)
    off = np.abs(missed(found))[weights == 1.0]
    if off.size and off.max() > _NEAR:
        reached = angles_of(joint, member_values(group, joint, found))
        raise PoiseError(
            f"joint {joint.name!r} is driven by the group {group.name!r}, which cannot bring it to "
            f"{_listed(angles)}; the nearest that it reaches is "
            f"{_listed({each: reached[each] for each in angles})}"
        )
    return found


def _listed(angles: Mapping[str, float]) -> str:
    return ", ".join(
        f"{each} {value:.3f} rad ({np.rad2deg(value):.1f}°)" for each, value in angles.items()
    )


def _swing_about(axis: ArrayLike, rotation: Matrix) -> tuple[Values, float]:
    """The direct rotation (a vector) that moves an axis as a rotation does; the twist before it."""
    a = np.array(axis)
    q = quaternion(rotation)
    half = float(np.arctan2(q[1:] @ a, q[0]))
    twist = 2.0 * half if half > -0.5 * np.pi else 2.0 * half + 2.0 * np.pi
    if twist > np.pi:
        twist -= 2.0 * np.pi
    return rotation_vector(rotation @ rotation_matrix(-twist * a)), twist
