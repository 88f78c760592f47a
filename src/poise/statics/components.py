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
from poise.figure.kinds import Step
from poise.figure.packing import crossings
from poise.kernel.residuals import effort
from poise.kernel.residuals.effort import SLIDES, SWINGS, TURNS
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

    def numbers(self, positive: Law, negative: Law) -> Values:
        """For the kernel, with a strength for each direction."""
        laws = positive.numbers, negative.numbers
        return effort.packed_component(self.node, self.kind, self.is_backwards, self.axes, *laws)


def components_of(figure: Figure) -> list[Component]:
    """All components of all joints, but those that hold the figure to the ground.

    A translation, which moves anywhere, has no axis to hold along, and has no component.
    """
    # A scene of many asks for those of all its figures whenever a task is added.
    if figure not in _components:
        _components[figure] = _found(figure)
    return list(_components[figure])


_components: WeakKeyDictionary[Figure, list[Component]] = WeakKeyDictionary()


def _found(figure: Figure) -> list[Component]:
    result: list[Component] = []
    nodes = {int(first): j for j, first in enumerate(figure.packed.tree.first.tolist()) if j}
    for joint, backwards in crossings(list(figure.joints.values())):
        if joint.parent != WORLD and joint.coordinates and not joint.kind.is_free:
            first = figure.packed.first_member[joint.name]
            result += _of_joint(joint, first, nodes, backwards)
    order = {name: i for i, name in enumerate(figure.joints)}
    return sorted(result, key=lambda each: order[each.joint])


def _of_joint(joint: Joint, first: int, nodes: dict[int, int], backwards: bool) -> list[Component]:
    result: list[Component] = []
    before = joint.kind.zero_turn
    for step, span in joint.kind.spans:
        node, frame = nodes[first + span.start], np.eye(3) if step.frame is None else step.frame
        if step.is_chart:
            # Both sides of the node: see `JointKind.chain`.
            into = (frame if before is None else before @ frame).T
            segment = into @ _along(step)
            for name, axis in _axes(joint, step, frame):
                axes = (*segment.tolist(), 0.0, 0.0, 1.0, *(into @ axis).tolist())
                each = Component(joint.name, name, "N·m", node, SWINGS, backwards, axes)
                result.append(each)
        elif step.node != "translation":
            what, unit = (TURNS, "N·m") if step.node == "hinge" else (SLIDES, "N")
            (name,) = step.coordinates
            result.append(Component(joint.name, name, unit, node, what, backwards))
    return result


def _axes(joint: Joint, step: Step, frame: Values) -> list[tuple[str, Values]]:
    """The axes of a ball or a swing by name, in the joint's frame; of a swing not the twist."""
    along = _along(step)
    if joint.clinical:
        named = [(name, np.array(AXES[axis])) for name, axis in joint.clinical.items()]
        used = {axis[-1] for axis in joint.clinical.values()}
        named += [(f"about_{each}", np.array(AXES[each])) for each in "xyz" if each not in used]
    else:
        named = [(f"swing_{each}", frame[:, i]) for i, each in enumerate("xy")]
        named.append(("twist", along))
    if step.node == "swing":
        named = [(name, axis) for name, axis in named if abs(axis @ along) < 0.9]
    return named


def _along(step: Step) -> Values:
    """The z axis of a chart in the joint's frame, along which a segment twists."""
    return np.array((0.0, 0.0, 1.0) if step.axis is None else step.axis)


def effort_numbers(
    figure: Figure,
    components: Sequence[Component],
    laws: Sequence[tuple[Law, Law]],
    loads: Sequence[Load],
    factor: float = 1.0,
    *,
    gravity: float = GRAVITY,
) -> Values:
    """Loads and components for `kernel.residuals.effort`, with the room that it needs."""
    acting: list[Sequence[float]] = []
    for load in loads:
        node, place = figure.frame(load.site)
        point = place.apply(np.array(load.point)).tolist()
        acting.append((float(node), *point, *load.force, *load.torque))
    held = [each.numbers(*law) for each, law in zip(components, laws, strict=True)]
    return effort.packed(figure.packed.tree, (0.0, 0.0, -gravity), factor, acting, held)


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
    kernel.residuals.effort.residual(tree, state, values, result, rows, False)
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
