"""Postures: a value for every coordinate of a figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.checking import AXES, array, number
from poise.errors import PoiseError, unknown_name
from poise.figure.kinds import Ball, Swing
from poise.figure.parts import WORLD, Group, Joint
from poise.figure.transform import Matrix, Transform, quaternion, rotation_matrix, rotation_vector

if TYPE_CHECKING:
    from poise.figure.figure import Figure

Values = NDArray[np.float64]

# The reflection of the world in its x-z plane: left becomes right.
_MIRROR = np.diag([1.0, -1.0, 1.0])


class Posture:
    """Values for all coordinates of a figure: `q` (n,), radians and metres."""

    def __init__(self, figure: Figure, q: ArrayLike) -> None:
        """Keep a copy of q."""
        self.figure = figure
        self.q: Values = array(q, f"a posture of {figure.name!r}", (figure.n,))

    def __repr__(self) -> str:
        """The figure's name and the size."""
        return f"<Posture of {self.figure.name!r}: {self.q.size} coordinates>"

    def copy(self) -> Posture:
        """Another posture with the same values."""
        return Posture(self.figure, self.q)

    def with_q(self, q: ArrayLike) -> Posture:
        """A posture of the same figure with other values."""
        return Posture(self.figure, q)

    def __getitem__(self, name: str) -> float | Values:
        """The value of a coordinate, or of a joint or group that has just one; else an array."""
        values = self.q[self.figure.span(name)]
        return float(values[0]) if values.size == 1 else values.copy()

    def __setitem__(self, name: str, value: ArrayLike) -> None:
        """Set a coordinate, or all coordinates of a joint or group."""
        span = self.figure.span(name)
        width = span.stop - span.start
        values = [value] if np.ndim(value) == 0 and width == 1 else value  # type: ignore[arg-type]
        self.q[span] = array(values, f"the value of {name!r}", (width,))

    # clinical angles -------------------------------------------------------------------

    def angles(self, name: str) -> dict[str, float]:
        """Clinical angles of a joint by name, in radians: flexion, abduction and so on.

        Groups give their parameters, and joints without clinical names their coordinates.
        """
        part = self._part(name)
        values = self.q[self.figure.span(name)]
        if isinstance(part, Group):
            return dict(zip(part.parameters, values.tolist(), strict=True))
        kind = part.kind
        if not part.clinical or not isinstance(kind, (Ball, Swing)):
            return dict(zip(kind.coordinates or (), values.tolist(), strict=True))
        swing, twist = _swing_about(kind.axis, kind.motion(values).rotation)
        return {
            angle: float(np.dot(AXES[axis], swing) + np.dot(AXES[axis], kind.axis) * twist)
            for angle, axis in part.clinical.items()
        }

    def set_angles(self, name: str, **angles: float) -> None:
        """Set clinical angles of a joint (radians); those not given stay as they are."""
        part = self._part(name)
        present = self.angles(name)
        for angle, value in angles.items():
            if angle not in present:
                raise unknown_name("angle", angle, present, f"joint {name!r}")
            present[angle] = number(value, f"{angle} of {name!r}")
        span = self.figure.span(name)
        if isinstance(part, Group) or not part.clinical or not isinstance(part.kind, (Ball, Swing)):
            self.q[span] = list(present.values())
            return
        axis = np.array(part.kind.axis)
        swing, twist = _swing_about(part.kind.axis, part.kind.motion(self.q[span]).rotation)
        turn = swing + twist * axis  # all of it, also about an axis that has no name
        for angle, value in present.items():
            named = np.array(AXES[part.clinical[angle]])
            turn += (value - turn @ named) * named
        twist = float(turn @ axis)
        rotation = rotation_matrix(turn - twist * axis) @ rotation_matrix(twist * axis)
        self.q[span] = part.kind.values(Transform.turn(rotation))

    def _part(self, name: str) -> Group | Joint:
        figure = self.figure
        if name not in figure.groups and name not in figure.joints:
            raise unknown_name("joint or group", name, [*figure.groups, *figure.joints])
        return figure.groups.get(name) or figure.joints[name]

    # whole postures ----------------------------------------------------------------------

    def mirrored(self) -> Posture:
        """The posture seen in a mirror: left and right change places.

        The mirror is the plane y = 0. A joint whose name begins with left_ takes the motion of
        its partner that begins with right_; others mirror themselves. A figure held to the ground
        by a fixed segment to one side (re-rooted at a foot) cannot leave it: there the result is
        the mirrored posture in the place where that segment stands.
        """
        figure, result = self.figure, self.copy()
        members, where = figure.members(self), figure.place(self)
        mirrored: dict[str, float] = {}
        for name, joint in figure.joints.items():
            partner = figure.joints.get(_other_side(name), joint)
            if partner.kind.kind != joint.kind.kind:
                raise PoiseError(
                    f"{name!r} ({joint.kind.kind}) and {partner.name!r} ({partner.kind.kind}) "
                    "do not mirror each other"
                )
            values = np.array([members[each] for each in joint.coordinates])
            motion = joint.before @ joint.kind.motion(values) @ joint.after
            other = _other_side(joint.child)
            if joint.parent == WORLD and other in figure.segments:
                # A root to one side goes where the image of its partner is.
                motion = where.segment(other)
            image = Transform(_MIRROR @ motion.rotation @ _MIRROR, _MIRROR @ motion.position)
            local = partner.before.inverse() @ image @ partner.after.inverse()
            mirrored.update(zip(partner.coordinates, partner.kind.values(local), strict=True))
        result._take(mirrored)
        return result

    def blend(self, other: Posture, share: float) -> Posture:
        """A posture between this one (share 0) and another (share 1) of the same figure.

        Balls and free roots turn by the shortest way, other coordinates go straight. Between two
        valid postures of a joint with concave limits the result may be invalid; `clamp` it then.
        """
        figure, share = self.figure, number(share, "the share of a blend")
        goal = figure.q_of(other)
        q = self.q + share * (goal - self.q)
        driven = {member.split(".")[0] for g in figure.groups.values() for member in g.terms}
        for name, joint in figure.joints.items():
            if name in driven or joint.kind.kind not in ("ball", "free"):
                continue
            span = figure.span(name)
            a, b = joint.kind.motion(self.q[span]), joint.kind.motion(goal[span])
            turn = rotation_matrix(share * rotation_vector(a.rotation.T @ b.rotation))
            position = a.position + share * (b.position - a.position)
            q[span] = joint.kind.values(Transform(a.rotation @ turn, position))
        return self.with_q(q)

    def _take(self, members: Mapping[str, float]) -> None:
        """Set coordinates from those of all joints; groups fit theirs by least squares."""
        figure = self.figure
        for coordinate, value in members.items():
            if coordinate in figure.coordinates:
                self.q[figure.index(coordinate)] = value
        before = self.q.copy()
        for name, group in figure.groups.items():
            wanted = np.array([members[each] for each in group.terms])
            other = figure.groups.get(_other_side(name), group)
            like = other if other.parameters.keys() == group.parameters.keys() else group
            self.q[figure.span(name)] = group.fit(wanted, before[figure.span(like.name)])


def _other_side(name: str) -> str:
    for side, other in (("left_", "right_"), ("right_", "left_")):
        if name.startswith(side):
            return other + name.removeprefix(side)
    return name


def _swing_about(axis: ArrayLike, rotation: Matrix) -> tuple[Values, float]:
    """The direct rotation (a vector) that moves an axis as a rotation does; the twist before it."""
    a = np.array(axis)
    q = quaternion(rotation)
    half = float(np.arctan2(q[1:] @ a, q[0]))
    twist = 2.0 * half if half > -0.5 * np.pi else 2.0 * half + 2.0 * np.pi
    if twist > np.pi:
        twist -= 2.0 * np.pi
    return rotation_vector(rotation @ rotation_matrix(-twist * a)), twist
