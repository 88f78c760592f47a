"""Sparing the joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.figure.limbs import joints_of_limb
from poise.kernel.residuals.kinds import EFFORT
from poise.statics.components import UNIT, Component, components_of, effort_numbers
from poise.statics.strength import Strengths
from poise.tasks.task import Block, Context, Criterion, Values, settle


@closed
@dataclass(frozen=True)
class Effort(Criterion):
    """Hold the posture with little effort: Σ (τ/strength)² over all components of all joints.

    τ is what joints hold under the weight and `scene.forces` (see `solution.torques()`). Strengths
    are those of `scene.forces`: of the ready human from tables; components that have none are left
    out. Where a figure has no strengths at all, each is 1 N·m (1 N of a slider), as in the thesis.
    `strength` has other ones, by joint or component, in N·m: a number, or a pair for the direction
    in which the angle grows and the other. With `joints` only these joints are spared.

    It comes after all tasks, and is traded with the other criteria by its weight (thesis 7.2.5):
    a component held at full strength weighs as much as 1 rad of `Rest`. With a figure whose root
    is free there must be supports. Thesis 6.5.
    """

    joints: Any = None
    strength: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        if self.joints is not None:
            given = (self.joints,) if isinstance(self.joints, str) else self.joints
            try:
                names = tuple(given)
            except TypeError:
                names = ()
            if not names or not all(isinstance(each, str) for each in names):
                raise PoiseError(f"the joints of Effort must be names, not {self.joints!r}")
            settle(self, "joints", names)
        if self.strength is not None and not isinstance(self.strength, Mapping):
            raise PoiseError(
                f"the strength of Effort must be numbers by joint, not {self.strength!r}"
            )

    def springs(self, context: Context) -> tuple[Values, Values]:
        """None: what draws is in `blocks`."""
        self._chosen(context)
        return np.zeros(context.figure.n), np.zeros(context.figure.n)

    def blocks(self, context: Context) -> list[Block]:
        """A row for each component."""
        chosen, strengths = self._chosen(context)
        figure = context.figure
        loads = [
            load
            for each in ([None] if context.is_single else context.parts)
            for load in context.acting.loads(
                figure, context.members(each), repr(each or figure.name)
            )
        ]
        laws = [strengths.laws(each) or (UNIT, UNIT) for each in chosen]
        values = effort_numbers(figure, chosen, laws, loads)
        return [Block(EFFORT, len(chosen), values, node=values.size)]

    def _chosen(self, context: Context) -> tuple[list[Component], Strengths]:
        figure = context.figure
        components = components_of(figure)
        strengths = context.acting.strengths
        if self.strength is not None:
            strengths = strengths.with_others(Strengths.given(figure, self.strength))
        if self.joints is not None:
            known = dict.fromkeys(each.joint for each in components)
            meant: set[str] = set()
            for name in self.joints:
                if name not in known and name not in figure.limbs:
                    raise unknown_name("joint", name, [*known, *figure.limbs])
                meant.update([name] if name in known else _joints_of(figure, name))
            components = [each for each in components if each.joint in meant]
        if strengths:
            components = [each for each in components if each.full_name in strengths]
        if not components:
            raise PoiseError(
                f"Effort has no joint to spare in {figure.name!r}: none has a known strength",
                code="; give some with strength=",
                remedy="strength",
            )
        return components, strengths


def _joints_of(figure: Figure, limb: str) -> set[str]:
    """The joints of a limb, those that groups drive by themselves."""
    result: set[str] = set()
    for part in joints_of_limb(figure, limb):
        name = part.partition(".")[0]
        group = figure.groups.get(name)
        members = [name] if group is None else group.members
        result.update(each.partition(".")[0] for each in members)
    return result
