"""Standing still under forces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from poise.checking import factor
from poise.closed import closed
from poise.errors import PoiseError
from poise.kernel.residuals import equilibrium
from poise.kernel.residuals.kinds import EQUILIBRIUM
from poise.statics.loads import Load, weight_of
from poise.tasks.masses import check_figure
from poise.tasks.task import Block, Context, Task, Values, settle


@closed
@dataclass(frozen=True)
class Equilibrium(Task):
    """Let the moments of all forces and of the weight vanish: static equilibrium.

    The forces are those of `scene.forces`; their sum is zero already, since the supports share what
    balances the rest. The residual is Σ x × f + Σ t + G × w, three rows, in N·m. Forces all
    parallel, as with the weight alone, leave the moment about them zero whatever the posture: then
    the rank is two.

    `metres_per_newton_metre` turns it into metres, to mix with other tasks; by default it is 1 over
    the weight in newtons, so that the error is how far the centre of mass is off. With 80 kg the
    usual tolerance of 0.1 mm is then 0.08 N·m.

    In a scene of several figures each that has supports is balanced by itself; with `figure` only
    that one is. Thesis 6.3.
    """

    has_target: ClassVar[bool] = False
    figure: str | None = field(default=None, kw_only=True)
    metres_per_newton_metre: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_figure(self.figure)
        if self.metres_per_newton_metre is not None:
            scale = factor(self.metres_per_newton_metre, "metres_per_newton_metre")
            settle(self, "metres_per_newton_metre", scale)

    def check(self, context: Context) -> None:
        """There must be masses."""
        context.require_mass("Equilibrium", self.figure)

    def blocks(self, context: Context) -> list[Block]:
        """Three rows for each figure."""
        return [self._block(context, figure) for figure in self._figures(context)]

    def remark(self, context: Context) -> str:
        """Which supports would slip."""
        found = [
            each
            for figure in self._figures(context)
            for each in context.acting.reactions(
                context.figure, context.members(figure), _whose(context, figure), context.places
            )
        ]
        return "; ".join(str(each) for each in found if not each.holds)

    def _figures(self, context: Context) -> list[str | None]:
        """Those that are meant: the one that is named, or all that have supports."""
        if self.figure is not None or context.is_single:
            return [self.figure]
        acting = context.acting
        found: list[str | None] = [
            name
            for name in context.parts
            if acting.supports_of(context.figure, context.members(name))
        ]
        if not found:
            raise PoiseError(
                "nothing supports any of the figures",
                code=": name what they stand on, such as "
                f'scene.forces.support("{next(iter(context.parts))}/left_foot", ratio=1.0)',
                remedy="support",
            )
        return found

    def _block(self, context: Context, figure: str | None) -> Block:
        segments = context.members(figure)
        weight = weight_of(context.figure, segments)
        supports = context.acting.supports_of(context.figure, segments)
        loads = context.acting.loads(context.figure, segments, _whose(context, figure))
        if not supports:
            raise PoiseError(
                f"Equilibrium of {_whose(context, figure)} needs supports",
                code=": name what it stands on, such as "
                'scene.forces.support("left_foot", ratio=1.0)',
                remedy="support",
            )
        scale = self.metres_per_newton_metre or 1.0 / -float(weight[2])
        torque = np.sum([load.torque for load in loads], axis=0)
        pushes = [load for load in loads if any(load.force)]
        part = context.part(figure)
        forces = [_force(context, load) for load in pushes]
        values = equilibrium.packed(scale, torque, weight, forces, part)
        return Block(
            EQUILIBRIUM, 3, values, node=values.size - part.size, unit="N·m", metres_per_unit=scale
        )


def _whose(context: Context, figure: str | None) -> str:
    return repr(figure or context.figure.name)


def _force(context: Context, load: Load) -> Values:
    node, place = context.site(load.site)
    return np.array([node, *place.apply(np.array(load.point)), *load.force])
