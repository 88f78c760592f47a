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
from poise.figure.kinds import EVERYTHING, Interval, JointKind, Spherical, Step, spherical_of
from poise.figure.packing import crossings
from poise.figure.parts import WORLD, Joint
from poise.figure.transform import Matrix, Transform
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
        joint, values = self.joint, list[float]()
        if any(move.kind in ("ball", "free") for move in self.moves):
            return values
        for step in joint.kind.steps:
            own = np.array([members[f"{joint.name}.{each}"] for each in step.coordinates])
            if step.node == "swing":
                a, b = swing_hinges(own)
                values += [a, b, a]
            elif step.is_chart:
                values += _euler_angles(_ball(joint.kind, step), own)
            else:
                values += own.tolist()
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
    zero = joint.kind.zero_turn
    if zero is not None:
        start = start @ Transform.turn(zero)
    if not backwards:
        return Crossing(joint, False, joint.parent, joint.child, start, moves, joint.after)
    inverse = tuple(replace(move, axis=_vector(-np.array(move.axis))) for move in reversed(moves))
    if joint.kind.is_free:
        inverse = moves  # which go everywhere in any order
    here, there = joint.after.inverse(), start.inverse()
    return Crossing(joint, True, joint.child, joint.parent, here, inverse, there)


def _moves(joint: Joint, hinges: bool, slides: bool, names: Names) -> tuple[Move, ...]:
    kind, name = joint.kind, joint.name
    if kind.is_free and not (slides and joint.parent != WORLD):
        return (Move(name, "free"),)
    if kind.is_free:
        return (*_slides(name, names), Move(name, "ball"))
    alone = len(kind.steps) == 1
    if alone and kind.turns_freely and not hinges:
        angle = widest(_ball(kind, kind.steps[0]))
        return (Move(name, "ball", limits=EVERYTHING if angle is None else (0.0, angle)),)
    moves: list[Move] = []
    for step in kind.steps:
        if step.node == "translation":
            moves += _slides(name, names, step)
        elif step.is_chart:
            moves += _hinges(_ball(kind, step), name, names)
        else:
            (each,) = step.coordinates
            called = name if alone else names.fresh(f"{name}_{each}")
            how: MoveKind = "hinge" if step.node == "hinge" else "slide"
            axis, (limits,) = step.axis or (0.0, 0.0, 1.0), step.intervals
            moves.append(Move(called, how, axis, limits, "", f"{name}.{each}"))
    return tuple(moves)


def _ball(kind: JointKind, step: Step) -> Spherical:
    """The ball or swing of a step that is a chart."""
    whole = kind.spherical
    return whole if whole is not None and kind.is_spherical else spherical_of(step)


def _slides(name: str, names: Names, step: Step | None = None) -> list[Move]:
    """Three slides along the axes, with the limits of a translation if one is given."""
    axes = [_vector(axis) for axis in np.eye(3)]
    called = [names.fresh(f"{name}_{each}") for each in "xyz"]
    if step is None:
        return [Move(each, "slide", axis) for each, axis in zip(called, axes, strict=True)]
    parts = zip(called, axes, step.intervals, step.coordinates, strict=True)
    return [
        Move(each, "slide", axis, limits, "", f"{name}.{own}") for each, axis, limits, own in parts
    ]


def _hinges(ball: Spherical, name: str, names: Names) -> list[Move]:
    """Three hinges about axes of a chart's frame."""
    x, y, z = (_vector(axis) for axis in ball.frame.T)
    if not ball.twists:
        a, b = swing_box(ball)
        first, second, third = (names.fresh(f"{name}_{each}") for each in ("x", "y", "x_again"))
        return [
            Move(first, "hinge", x, a),
            Move(second, "hinge", y, b),
            Move(third, "hinge", x, a, follows=first),
        ]
    box = euler_box(ball)
    return [
        Move(names.fresh(f"{name}_{letter}"), "hinge", axis, limits)
        for letter, axis, limits in zip("xyz", (x, y, z), box, strict=True)
    ]


def swing_hinges(swing: Values) -> tuple[float, float]:
    """The angles a, b for which Rx(a) Ry(b) Rx(a) is a swing (sx, sy) of less than π."""
    angle = float(np.hypot(*swing))
    scale = np.sin(0.5 * angle) / angle if angle > 1e-150 else 0.5
    x, y = scale * swing
    return float(np.arctan2(x, np.cos(0.5 * angle))), 2.0 * float(np.arcsin(np.clip(y, -1, 1)))


def _euler_angles(ball: Spherical, values: Values) -> list[float]:
    """The angles for which Rx(a) Ry(b) Rz(c) is the ball's turn in its chart's frame."""
    turn = ball.zero_turn.T @ ball.motion(values).rotation
    r = ball.frame.T @ turn @ ball.frame
    across = float(np.hypot(r[0, 0], r[0, 1]))
    b = float(np.arctan2(r[0, 2], across))
    if across < 1e-12:  # the first and the last axis fall together: the last does not turn
        return [float(np.arctan2(r[2, 1], r[1, 1])), b, 0.0]
    return [float(np.arctan2(-r[1, 2], r[2, 2])), b, float(np.arctan2(-r[0, 1], r[0, 0]))]


def _vector(values: NDArray[np.float64]) -> Vec3:
    x, y, z = (values + 0.0).tolist()  # no −0 in files
    return (x, y, z)
