"""Random figures and postures, and derivatives by differences, for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.figure.figure import Figure
from poise.figure.kinds import Ball, Elbow, Fixed, Free, Hinge, JointKind, Slider, Swing
from poise.figure.parts import Group, Joint, Monomial, Segment
from poise.figure.transform import rotation_vector

Values = NDArray[np.float64]

KINDS = ("hinge", "slider", "elbow", "swing", "ball", "rotation", "free", "fixed")
"""All kinds of joint; "ball" has the swing-twist chart, "rotation" the rotation vector."""


def unit(rng: np.random.Generator) -> Vec3:
    """A random direction."""
    x, y, z = rng.normal(size=3).tolist()
    length = float(np.sqrt(x * x + y * y + z * z))
    return (x / length, y / length, z / length)


def vector(rng: np.random.Generator, size: float) -> Vec3:
    """A random vector, about that long."""
    x, y, z = (rng.normal(size=3) * size).tolist()
    return (x, y, z)


def random_kind(rng: np.random.Generator, name: str) -> JointKind:
    """A joint of one of KINDS, with random axes and zero."""
    if name == "hinge":
        return Hinge(unit(rng), (-2.0, 1.5))
    if name == "slider":
        return Slider(unit(rng), (-0.3, 0.4))
    if name == "elbow":
        flexion = unit(rng)
        twist = np.cross(flexion, unit(rng)) + 0.3 * np.array(flexion)
        x, y, z = (twist / np.linalg.norm(twist)).tolist()
        return Elbow(flexion, (x, y, z), (-0.2, 2.5), (-1.5, 1.5))
    if name == "swing":
        return Swing(unit(rng), vector(rng, 0.7))
    if name == "ball":
        return Ball(unit(rng), vector(rng, 0.7), chart="swing_twist")
    if name == "rotation":
        return Ball(unit(rng), vector(rng, 0.7), chart="rotation_vector")
    return Free() if name == "free" else Fixed()


def random_joint(
    rng: np.random.Generator, name: str, kind: JointKind, parent: str, child: str
) -> Joint:
    """A joint with random frames on both sides."""
    return Joint(
        name,
        kind,
        parent,
        child,
        vector(rng, 0.3),
        vector(rng, 1.0),
        vector(rng, 0.2),
        vector(rng, 1.0),
    )


def random_segment(rng: np.random.Generator, name: str) -> Segment:
    """A segment with the mass properties of some body."""
    points = rng.normal(size=(8, 3)) * 0.1
    spread = points.T @ points
    a, b, c = (np.trace(spread) * np.eye(3) - spread).tolist()
    return Segment(
        name, float(rng.uniform(0.1, 2)), vector(rng, 0.1), (tuple(a), tuple(b), tuple(c))
    )


def random_figure(
    rng: np.random.Generator,
    segments: int = 10,
    *,
    kinds: Sequence[str] = KINDS,
    root: str = "free",
    chain: bool = False,
) -> Figure:
    """A random tree: each segment hangs from a random one before it (in a chain, from the last).

    Args:
        rng: where chance comes from.
        segments: how many, named s0 (the root), s1, …; joint j3 holds s3.
        kinds: which kinds of joint there may be.
        root: "free" or "fixed".
        chain: whether there are no branches.
    """
    joints = [random_joint(rng, "root", Free() if root == "free" else Fixed(), "world", "s0")]
    for i in range(1, segments):
        parent = i - 1 if chain else int(rng.integers(i))
        kind = random_kind(rng, kinds[int(rng.integers(len(kinds)))])
        joints.append(random_joint(rng, f"j{i}", kind, f"s{parent}", f"s{i}"))
    parts = [random_segment(rng, f"s{i}") for i in range(segments)]
    return Figure("random", parts, joints)


def grouped(rng: np.random.Generator, figure: Figure, *, degree: int) -> Figure:
    """The figure with some of its joints driven by a group of two parameters.

    Args:
        rng: where chance comes from.
        figure: one without groups.
        degree: 1 for a linear group (with constants); more for a polynomial one.
    """
    movable = [
        joint for joint in figure.joints.values() if joint.coordinates and joint.name != "root"
    ]
    chosen = [movable[i] for i in rng.permutation(len(movable))[: max(2, len(movable) // 2)]]
    members: dict[str, tuple[Monomial, ...]] = {}
    for coordinate in (each for joint in chosen for each in joint.coordinates):
        if rng.random() < 0.15:
            continue  # stays zero
        terms = [Monomial(float(rng.normal() * 0.2), {})]
        for _ in range(2):
            powers = {"p": int(rng.integers(degree + 1)), "r": int(rng.integers(degree + 1))}
            powers = {name: power for name, power in powers.items() if power}
            if degree == 1 and len(powers) == 2:
                del powers["p"]
            terms.append(Monomial(float(rng.normal() * 0.4), powers))
        members[coordinate] = tuple(terms)
    return Figure(
        figure.name,
        list(figure.segments.values()),
        list(figure.joints.values()),
        groups=[Group("group", {"p": (-1.0, 1.0), "r": (-2.0, 2.0)}, members)],
    )


def random_q(rng: np.random.Generator, figure: Figure) -> Values:
    """Coordinates of moderate size."""
    return rng.normal(size=figure.n) * 0.6


def differences(function: Callable[[Values], Values], q: Values, step: float = 1e-3) -> Values:
    """The derivative of a function (a column for each coordinate), by differences of fourth order.

    What it leaves out is step⁴/30 times the fifth derivative, and rounding adds about 1e-16/step:
    for functions of size and derivatives about 1, both are below 1e-12.
    """
    columns: list[Values] = []
    for i in range(q.size):
        d = np.zeros(q.size)
        d[i] = step
        near = function(q + d) - function(q - d)
        far = function(q + 2 * d) - function(q - 2 * d)
        columns.append((8 * near - far) / (12 * step))
    return np.stack(columns, axis=-1)


def turned_from(figure: Figure, q: Values, name: str) -> Callable[[Values], Values]:
    """The rotation vector, in the world, from a frame at q to the same frame elsewhere."""
    start = figure.place(q)[name].rotation

    def turned(other: Values) -> Values:
        return rotation_vector(figure.place(other)[name].rotation @ start.T)

    return turned
