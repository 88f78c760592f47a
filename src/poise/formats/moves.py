"""A figure's joints taken apart into what other programs know: hinges, slides, balls, free bodies.

A child is at `start · moves · end` in its parent, all moves about axes of one frame. Joints that
a re-rooted figure crosses backwards are turned round here.

A ball is a ball, or three hinges about its chart's x, y and z. A swing, which no other program
knows, is three hinges about x, y and x, the last bound to turn as much as the first: the product
Rx(a) Ry(b) Rx(a) has no twist, and every swing is one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.figure import Figure
from poise.figure.charts import chart_frame
from poise.figure.kinds import EVERYTHING, Ball, Elbow, Fixed, Free, Hinge, Interval, Slider, Swing
from poise.figure.packing import crossings
from poise.figure.parts import WORLD, Joint
from poise.figure.transform import Matrix, Transform, rotation_matrix
from poise.formats.hostile import Names
from poise.formats.swings import euler_box, swing_box, widest

Values = NDArray[np.float64]
MoveKind = Literal["hinge", "slide", "ball", "free"]


@dataclass(frozen=True)
class Move:
    """One simple motion of a joint."""

    name: str
    kind: MoveKind
    axis: Vec3 = (0.0, 0.0, 1.0)
    limits: Interval = EVERYTHING
    """Of a ball: 0 and the widest angle that it turns by as a whole."""
    follows: str = ""
    """The move of the same joint whose angle it repeats, if it does."""
    coordinate: str = ""
    """The figure's coordinate whose value it has, if it has one's."""


@dataclass(frozen=True)
class Crossing:
    """A joint on the way outwards: what it hangs from, what hangs from it, and its moves."""

    joint: Joint
    backwards: bool
    parent: str
    child: str
    start: Transform
    moves: tuple[Move, ...]
    end: Transform

    def turned(self, rotation: Matrix) -> Crossing:
        """The same with the child's frame behind the last rotation: axes are told in it."""
        moves = tuple(replace(move, axis=_vector(rotation.T @ move.axis)) for move in self.moves)
        return replace(self, moves=moves)

    def values(self, members: dict[str, float]) -> list[float]:
        """The values of its hinges and slides, in order, from the coordinates of all joints.

        Of balls and free joints there are none: their frames say where they are.
        """
        joint = self.joint
        own = np.array([members[each] for each in joint.coordinates])
        if isinstance(joint.kind, Swing):
            a, b = swing_hinges(own)
            values = [a, b, a]
        elif isinstance(joint.kind, Ball) and self.moves[0].kind == "hinge":
            values = _euler_angles(joint.kind, own)
        elif isinstance(joint.kind, (Ball, Free)):
            return []
        else:
            values = own.tolist()
        return values[::-1] if self.backwards else values


def taken_apart(figure: Figure, *, hinges: bool, slides: bool = False) -> list[Crossing]:
    """All joints from the ground outwards; no two moves have the same name.

    Args:
        figure: the figure.
        hinges: whether balls become three hinges each.
        slides: whether free joints that do not hang from the ground become three slides and a
            ball each.
    """
    names = Names(*figure.joints)
    return [
        _crossing(joint, backwards, hinges, slides, names)
        for joint, backwards in crossings(list(figure.joints.values()))
    ]


def _crossing(joint: Joint, backwards: bool, hinges: bool, slides: bool, names: Names) -> Crossing:
    start, moves = joint.before, _moves(joint, hinges, slides, names)
    if isinstance(joint.kind, (Ball, Swing)):
        start = start @ Transform.turn(rotation_matrix(joint.kind.zero))
    if not backwards:
        return Crossing(joint, False, joint.parent, joint.child, start, moves, joint.after)
    inverse = tuple(replace(move, axis=_vector(-np.array(move.axis))) for move in reversed(moves))
    if isinstance(joint.kind, Free):
        inverse = moves  # which go everywhere in any order
    here, there = joint.after.inverse(), start.inverse()
    return Crossing(joint, True, joint.child, joint.parent, here, inverse, there)


def _moves(joint: Joint, hinges: bool, slides: bool, names: Names) -> tuple[Move, ...]:
    kind, name = joint.kind, joint.name
    if isinstance(kind, Fixed):
        return ()
    if isinstance(kind, Free) and slides and joint.parent != WORLD:
        axes = zip("xyz", np.eye(3), strict=True)
        lines = [Move(names.fresh(f"{name}_{each}"), "slide", _vector(axis)) for each, axis in axes]
        return (*lines, Move(name, "ball"))
    if isinstance(kind, Free):
        return (Move(name, "free"),)
    if isinstance(kind, Hinge):
        return (Move(name, "hinge", _axis(kind.axis), kind.limits, "", joint.coordinates[0]),)
    if isinstance(kind, Slider):
        return (Move(name, "slide", _axis(kind.axis), kind.limits, "", joint.coordinates[0]),)
    if isinstance(kind, Elbow):
        flexion, twist = joint.coordinates
        first, last = (names.fresh(f"{name}_{each}") for each in kind.coordinates)
        return (
            Move(first, "hinge", _axis(kind.flexion_axis), kind.flexion_limits, "", flexion),
            Move(last, "hinge", _axis(kind.twist_axis), kind.twist_limits, "", twist),
        )
    x, y, z = (_vector(axis) for axis in chart_frame(kind).T)
    if isinstance(kind, Swing):
        a, b = swing_box(kind)
        first, second, third = (names.fresh(f"{name}_{each}") for each in ("x", "y", "x_again"))
        return (
            Move(first, "hinge", x, a),
            Move(second, "hinge", y, b),
            Move(third, "hinge", x, a, follows=first),
        )
    if hinges:
        box = euler_box(kind)
        return tuple(
            Move(names.fresh(f"{name}_{letter}"), "hinge", axis, limits)
            for letter, axis, limits in zip("xyz", (x, y, z), box, strict=True)
        )
    angle = widest(kind)
    return (Move(name, "ball", limits=EVERYTHING if angle is None else (0.0, angle)),)


def swing_hinges(swing: Values) -> tuple[float, float]:
    """The angles a, b for which Rx(a) Ry(b) Rx(a) is a swing (sx, sy) of less than π."""
    angle = float(np.hypot(*swing))
    scale = np.sin(0.5 * angle) / angle if angle > 1e-150 else 0.5
    x, y = scale * swing
    return float(np.arctan2(x, np.cos(0.5 * angle))), 2.0 * float(np.arcsin(np.clip(y, -1, 1)))


def _euler_angles(kind: Ball, values: Values) -> list[float]:
    """The angles for which Rx(a) Ry(b) Rz(c) is the ball's turn in its chart's frame."""
    frame = chart_frame(kind)
    turn = rotation_matrix(kind.zero).T @ kind.motion(values).rotation
    r = frame.T @ turn @ frame
    across = float(np.hypot(r[0, 0], r[0, 1]))
    b = float(np.arctan2(r[0, 2], across))
    if across < 1e-12:  # the first and the last axis fall together: the last does not turn
        return [float(np.arctan2(r[2, 1], r[1, 1])), b, 0.0]
    return [float(np.arctan2(-r[1, 2], r[2, 2])), b, float(np.arctan2(-r[0, 1], r[0, 0]))]


def _axis(axis: Vec3 | str) -> Vec3:
    assert not isinstance(axis, str)  # kinds turn names into vectors
    return axis


def _vector(values: NDArray[np.float64]) -> Vec3:
    x, y, z = (values + 0.0).tolist()  # no −0 in files
    return (x, y, z)
