"""What a joint holds, taken apart: a moment about each axis that its muscles have.

A hinge has one, an elbow two; a slider holds a force. A ball has three: two across its segment,
the swing, and one along it, the twist. They go by the joint's clinical angles where it names them,
and a positive moment of "flexion" is one that flexors exert on the joint's child. The axes are
those of the joint's frame, carried along by the swing of the segment. A joint without twist
(`Swing`) bears what is along its segment by its bones, and it is not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise import kernel
from poise.checking import AXES
from poise.closed import closed
from poise.figure import WORLD, Figure, Joint, Posture
from poise.figure.charts import chart_frame
from poise.figure.kinds import Ball, Elbow, Hinge, Slider, Swing
from poise.figure.packing import crossings
from poise.figure.transform import rotation_matrix
from poise.kernel.residuals.blocks import BENT, SLIDES, SPIN, SUM, SWINGS, TURNS
from poise.statics.loads import GRAVITY, Load

Values = NDArray[np.float64]


@closed
@dataclass(frozen=True)
class Law:
    """A strength (N·m, or N of a slider) that depends on the joint's angle (rad).

    peak · cos(width (angle − center)), but not below `least`. A width of 0 stands for one that is
    the same everywhere. The angle is the clinical one; that of a ball's twist counts as 0.
    """

    peak: float
    width: float = 0.0
    center: float = 0.0
    least: float = 0.0

    def at(self, angle: float) -> float:
        """The strength at an angle."""
        phase = np.clip(self.width * (angle - self.center), -np.pi, np.pi)
        return max(self.peak * float(np.cos(phase)), self.least)

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """For the kernel."""
        # A law that does not depend on the angle is never below its peak.
        return (self.peak, self.width, self.center, self.least or 1e-9 * self.peak)


UNIT = Law(1.0)
"""One newton-metre."""


@closed
@dataclass(frozen=True)
class Component:
    """One axis about which, or along which, a joint holds."""

    joint: str
    name: str
    """Of the angle: a clinical one, or that of a coordinate."""
    unit: str
    """"N·m", or "N" for a slider."""
    node: int
    kind: int
    is_backwards: bool
    """Whether the figure is rooted beyond the joint."""
    axes: tuple[float, ...] = (0.0,) * 9

    @property
    def full_name(self) -> str:
        """Like "left_hip.flexion"."""
        return f"{self.joint}.{self.name}"

    @property
    def is_swing(self) -> bool:
        """Whether it lies across the segment of a ball or a swing."""
        return self.kind == SWINGS and abs(np.dot(self.axes[:3], self.axes[6:])) < 0.5

    def numbers(self, positive: Law, negative: Law) -> list[float]:
        """For the kernel, with a strength for each direction."""
        head = [float(self.node), float(self.kind), float(self.is_backwards)]
        return [*head, *self.axes, *positive.numbers, *negative.numbers, 0.0, 0.0, 0.0]


def components_of(figure: Figure) -> list[Component]:
    """All components of all joints, but those that hold the figure to the ground."""
    # A scene of many asks for those of all its figures whenever a task is added.
    if figure not in _components:
        _components[figure] = _found(figure)
    return list(_components[figure])


_components: WeakKeyDictionary[Figure, list[Component]] = WeakKeyDictionary()


def _found(figure: Figure) -> list[Component]:
    result: list[Component] = []
    nodes = {int(first): j for j, first in enumerate(figure.packed.tree.first.tolist()) if j}
    for joint, backwards in crossings(list(figure.joints.values())):
        if joint.parent != WORLD and joint.coordinates and not _is_free(joint):
            first = figure.packed.first_member[joint.name]
            result += _of_joint(joint, first, nodes, backwards)
    order = {name: i for i, name in enumerate(figure.joints)}
    return sorted(result, key=lambda each: order[each.joint])


def _is_free(joint: Joint) -> bool:
    return joint.kind.kind == "free"


def _of_joint(joint: Joint, first: int, nodes: dict[int, int], backwards: bool) -> list[Component]:
    kind = joint.kind
    if isinstance(kind, (Hinge, Slider)):
        slides = isinstance(kind, Slider)
        what, unit = (SLIDES, "N") if slides else (TURNS, "N·m")
        return [Component(joint.name, kind.coordinate, unit, nodes[first], what, backwards)]
    if isinstance(kind, Elbow):
        return [
            Component(joint.name, each, "N·m", nodes[first + i], TURNS, backwards)
            for i, each in enumerate(kind.coordinates)
        ]
    assert isinstance(kind, (Ball, Swing))
    # Both sides of the chart's node: see `figure.charts`.
    into = (rotation_matrix(kind.zero) @ chart_frame(kind)).T
    segment = into @ np.array(kind.axis)
    return [
        Component(
            joint.name,
            name,
            "N·m",
            nodes[first],
            SWINGS,
            backwards,
            (*segment.tolist(), 0.0, 0.0, 1.0, *(into @ axis).tolist()),
        )
        for name, axis in _axes(joint, kind)
    ]


def _axes(joint: Joint, kind: Ball | Swing) -> list[tuple[str, Values]]:
    """The axes of a ball or a swing by name, in the joint's frame; of a swing not the twist."""
    along = np.array(kind.axis)
    if joint.clinical:
        named = [(name, np.array(AXES[axis])) for name, axis in joint.clinical.items()]
        used = {axis[-1] for axis in joint.clinical.values()}
        named += [(f"about_{each}", np.array(AXES[each])) for each in "xyz" if each not in used]
    else:
        frame = chart_frame(kind)
        named = [(f"swing_{each}", frame[:, i]) for i, each in enumerate("xy")]
        named.append(("twist", along))
    if isinstance(kind, Swing):
        named = [(name, axis) for name, axis in named if abs(axis @ along) < 0.9]
    return named


def effort_numbers(
    figure: Figure,
    components: Sequence[Component],
    laws: Sequence[tuple[Law, Law]],
    loads: Sequence[Load],
    factor: float = 1.0,
    *,
    gravity: float = GRAVITY,
) -> Values:
    """Loads and components for `kernel.residuals.statics`, with the room that it needs."""
    numbers: list[float] = [len(loads), len(components), 0.0, 0.0, -gravity, factor]
    for load in loads:
        node, place = figure.frame(load.site)
        numbers += [node, *place.apply(np.array(load.point)).tolist(), *load.force, *load.torque]
    for component, (positive, negative) in zip(components, laws, strict=True):
        numbers += component.numbers(positive, negative)
    tree = figure.packed.tree
    twists = tree.source.size + tree.sum_before.size
    room = np.zeros((SUM + 1 + BENT) * tree.parent.size + SPIN * twists)
    return np.concatenate([np.array(numbers, np.float64), room])


def held(
    figure: Figure,
    posture: Posture | ArrayLike,
    components: Sequence[Component],
    loads: Sequence[Load],
    *,
    gravity: float = GRAVITY,
) -> Values:
    """What each component holds (N·m or N): positive moments push the angle up."""
    values = effort_numbers(figure, components, [(UNIT, UNIT)] * len(components), loads,
                            gravity=gravity)  # fmt: skip
    tree, q = figure.packed.tree, figure.q_of(posture)
    state, result = kernel.body.tree.state(tree), np.zeros(len(components))
    kernel.body.kinematics.place(tree, q, state)
    kernel.body.masses.gather(tree, state, False)
    rows = np.zeros((len(components), figure.n))
    kernel.residuals.statics.effort_residual(tree, state, values, result, rows, False)
    return result


def generalised(figure: Figure, posture: Posture | ArrayLike, loads: Sequence[Load]) -> Values:
    """The torques (n,) on the coordinates that hold the figure: τ = −(Σ Jᵀ wrench + J_Gᵀ w).

    The sign and the values of static inverse dynamics. Those of balls are of their chart, and those
    of groups of their parameters: no newton-metres; `held` has moments.
    """
    result = np.zeros(figure.n)
    if figure.mass > 0:
        weight = np.array([0.0, 0.0, -GRAVITY * figure.mass])
        result -= figure.center_of_mass_jacobian(posture).T @ weight
    for load in loads:
        rows = figure.jacobian(posture, load.site, point=load.point)
        result -= rows.T @ np.array([*load.force, *load.torque])
    return result
