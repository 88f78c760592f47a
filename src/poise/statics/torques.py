"""What joints hold, and how that compares with their strength."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise import kernel
from poise.closed import closed
from poise.errors import unknown_name
from poise.figure import Figure, Posture
from poise.statics.components import Component, components_of, held
from poise.statics.loads import Load
from poise.statics.strength import Strengths

Values = NDArray[np.float64]


@closed
@dataclass(frozen=True)
class Held:
    """One component of what a joint holds: a moment (N·m), or the force (N) of a slider."""

    joint: str
    name: str
    """Of the angle that it would make grow: "flexion"."""
    value: float
    """Positive where it pushes the angle up: of "flexion", what the flexors exert."""
    unit: str
    axis: tuple[float, float, float]
    """About which, or along which, in the world."""
    strength: float | None = None
    """In that direction and at that angle; None where no table has it."""
    is_swing: bool = False
    """Whether it is one of those across the segment of a ball or a swing."""
    able: float | None = None
    """The share of people who are that strong; None where no table tells it."""

    @property
    def share(self) -> float | None:
        """How much of the strength is needed; None where that is not known."""
        return None if self.strength is None else abs(self.value) / self.strength


@closed
@dataclass(frozen=True)
class JointTorque:
    """What one joint holds."""

    joint: str
    position: tuple[float, float, float]
    """Its centre, in the world (m)."""
    components: tuple[Held, ...]

    @property
    def moment(self) -> float:
        """The size of all components together (N·m, of a slider N)."""
        return float(np.linalg.norm([each.value for each in self.components]))

    @property
    def swing(self) -> float:
        """Of a ball or a swing, the moment across its segment (N·m); of others 0."""
        return float(np.linalg.norm([each.value for each in self.components if each.is_swing]))

    @property
    def twist(self) -> float:
        """Of a ball, the moment about its segment (N·m), signed as its component; of others 0."""
        if len(self.components) != 3:
            return 0.0
        return next((each.value for each in self.components if not each.is_swing), 0.0)

    @property
    def weakest(self) -> Held:
        """The component that needs the greatest share of its strength; else the greatest."""
        return max(self.components, key=lambda each: (each.share or -1.0, abs(each.value)))

    @property
    def strength(self) -> float | None:
        """That of the weakest component."""
        return self.weakest.strength

    @property
    def share(self) -> float | None:
        """How much of the strength the weakest component needs."""
        return self.weakest.share

    def __getitem__(self, name: str) -> Held:
        """A component by its name, such as "flexion"."""
        named = {each.name: each for each in self.components}
        if name not in named:
            raise unknown_name(f"component of {self.joint!r}", name, named)
        return named[name]


@closed
class Torques(Mapping[str, JointTorque]):
    """What each joint holds, by name, the weakest first; `print` gives a table.

    Joints without a known strength come after, the greatest moments first.
    """

    def __init__(self, joints: Sequence[JointTorque]) -> None:
        """Sort them."""
        ordered = sorted(joints, key=lambda each: (-(each.share or -1.0), -each.moment))
        self._joints = {each.joint: each for each in ordered}

    def __repr__(self) -> str:
        """How many joints, and the weakest of them."""
        weakest = next(iter(self._joints), None)
        return f"<Torques of {len(self)} joints{f', the weakest {weakest}' if weakest else ''}>"

    def __getitem__(self, joint: str) -> JointTorque:
        """What a joint holds."""
        if joint not in self._joints:
            raise unknown_name("joint", joint, self._joints)
        return self._joints[joint]

    def __contains__(self, joint: object) -> bool:
        """Whether there is such a joint; asking does not raise."""
        return joint in self._joints

    def __iter__(self) -> Iterator[str]:
        """The joints' names."""
        return iter(self._joints)

    def __len__(self) -> int:
        """How many joints."""
        return len(self._joints)

    @property
    def components(self) -> list[Held]:
        """All components of all joints, the joints in order."""
        return [each for joint in self.values() for each in joint.components]

    @property
    def effort(self) -> float:
        """Σ (τ/strength)² over all components whose strength is known: what `Effort` minimises.

        Where none is known, each is 1 N·m (1 N of a slider), as it is for `Effort`.
        """
        known = [each.share for each in self.components if each.share is not None]
        return float(sum(share**2 for share in known or [c.value for c in self.components]))

    @property
    def is_feasible(self) -> bool:
        """Whether no joint needs more than its strength, as far as that is known."""
        return all(each.share is None or each.share <= 1 for each in self.components)

    @property
    def able(self) -> float | None:
        """The share of people strong enough for all of it: that of the most demanding component.

        Who is strong in one joint is taken to be strong in the others, as usual in ergonomics.
        """
        known = [each.able for each in self.components if each.able is not None]
        return min(known) if known else None

    def __str__(self) -> str:
        """A table that a person can read."""
        rows = [("joint", "moment", "strength", "share", "")]
        for joint in self.values():
            worst = joint.weakest
            rows.append(
                (
                    joint.joint,
                    f"{worst.value:.1f} {worst.unit}",
                    "–" if worst.strength is None else f"{worst.strength:.0f} {worst.unit}",
                    "–" if worst.share is None else f"{100 * worst.share:.0f} %",
                    worst.name,
                )
            )
        wide = [max(len(row[column]) for row in rows) for column in range(5)]
        return "\n".join(
            "  ".join(
                (
                    row[0].ljust(wide[0]),
                    *(text.rjust(w) for text, w in zip(row[1:4], wide[1:4], strict=True)),
                    row[4],
                )
            ).rstrip()
            for row in rows
        )


def torques_of(
    figure: Figure,
    posture: Posture | ArrayLike,
    loads: Sequence[Load],
    strengths: Strengths,
    components: Sequence[Component] | None = None,
) -> Torques:
    """What each joint holds under its loads and the weight.

    Args:
        figure: what is posed.
        posture: in which posture.
        loads: all forces but the weight, those of supports included.
        strengths: as far as they are known.
        components: which; by default all.
    """
    chosen = components_of(figure) if components is None else components
    values = held(figure, posture, chosen, loads)
    q = figure.q_of(posture)
    where = figure.place(q)
    tree, state = figure.packed.tree, kernel.body.tree.state(figure.packed.tree)
    kernel.body.kinematics.place(tree, q, state)
    axes, angles = axes_and_angles(chosen, tree, state)
    found: dict[str, list[Held]] = {}
    for component, value, axis, angle in zip(
        chosen, values.tolist(), axes.tolist(), angles.tolist(), strict=True
    ):
        x, y, z = axis
        strength = able = None
        if component.full_name in strengths:
            up, down = strengths[component.full_name]
            side = up if value >= 0 else down
            strength = side.law.at(angle)
            if side.spread is not None:
                able = side.spread.share_above(abs(value) / strength)
        found.setdefault(component.joint, []).append(
            Held(
                component.joint,
                component.name,
                value,
                component.unit,
                (x, y, z),
                strength,
                component.is_swing,
                able,
            )
        )
    result: list[JointTorque] = []
    for name, parts in found.items():
        x, y, z = where.joint(name).position.tolist()
        result.append(JointTorque(name, (x, y, z), tuple(parts)))
    return Torques(result)


def axes_and_angles(
    components: Sequence[Component], tree: Any, state: Any
) -> tuple[Values, Values]:
    """The axes (c, 3) of components in the world, and the angles (c,) that strengths depend on.

    Angles in rad, of a slider in m. Needs `place`. As in `kernel.residuals.effort`, for reports.
    """
    nodes = np.array([each.node for each in components], np.int64)
    local = np.array([each.axes for each in components], np.float64).reshape(-1, 3, 3)
    backwards = np.array([each.is_backwards for each in components], bool)[:, None, None]
    own = state.rotation[nodes].reshape(-1, 3, 3)
    fixed = state.rotation[tree.parent[nodes]].reshape(-1, 3, 3)
    fixed = fixed @ tree.fixed_rotation[nodes].reshape(-1, 3, 3)
    frame, segment = np.where(backwards, own, fixed), np.where(backwards, fixed, own)
    a, n = _turned(frame, local[:, 0]), _turned(frame, local[:, 2])
    d = _turned(segment, local[:, 1])
    cosine, along = _dot(a, d), _dot(a, n)
    lean = _dot(a + d, n) / np.maximum(1.0 + cosine, 1e-12)
    cross = np.cross(a, d)
    sine = np.linalg.norm(cross, axis=1)
    scale = np.where(sine > 1e-9, np.arctan2(sine, cosine) / np.maximum(sine, 1e-9), 1.0)
    carried = n - lean[:, None] * (a + d) + 2 * along[:, None] * d
    swings: NDArray[np.bool_] = np.any(local, axis=(1, 2))
    axes = np.where(swings[:, None], carried, own[:, :, 2])
    return axes, np.where(swings, scale * _dot(cross, n), state.member[tree.first[nodes]])


def _turned(rotations: Values, vectors: Values) -> Values:
    return np.einsum("cij,cj->ci", rotations, vectors)


def _dot(one: Values, other: Values) -> Values:
    return np.einsum("ci,ci->c", one, other)
