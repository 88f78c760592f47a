"""Standing with the weight over the middle of the feet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poise.closed import closed
from poise.kernel.residuals import mid_support
from poise.kernel.residuals.kinds import MID_SUPPORT
from poise.tasks.masses import check_figure
from poise.tasks.natural import RADIANS
from poise.tasks.supports import (
    check_supports,
    middle_of,
    nothing_to_stand_on,
    standing_on,
    support_names,
)
from poise.tasks.task import Block, Context, Criterion, Values, settle

SPREAD = 0.057
"""How far (m) people's centre of mass is from the middle of their soles, a standard deviation
forward and sideways: as `poise prior fit` tells of CMU's clips, where both feet are flat. Smaller
values draw the centre of mass more strongly."""


@closed
@dataclass(frozen=True)
class MidSupport(Criterion):
    """Draw the centre of mass over the middle of the support: ½ (0.25 rad)² |c − m|² / (57 mm)².

    c is the centre of mass and m the mean of the middles of the outlines that bear, both seen from
    above. They are those of `Balance`: of all sites that `Frame` or `Contact` tasks hold like
    soles, or of the sites named by `supports`. As a foot moves m moves smoothly, and it need not be
    the middle of the hull.

    57 mm is by how much the centre of mass varies in people (a standard deviation), and weighs as
    much as a standard deviation of `Natural`, or 0.25 rad of `Rest`. Scenes with `natural` have
    this criterion, with the weight of `Natural`, for every person whose balance is a task.

    In a scene of several figures each is drawn over its own supports; with `figure` only that one.
    """

    supports: Any = field(default=(), kw_only=True)
    figure: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the names."""
        settle(self, "supports", support_names(self.supports, "MidSupport"))
        check_figure(self.figure)

    def springs(self, context: Context) -> tuple[Values, Values]:
        """None: what draws is in `blocks`."""
        check_supports(context, "MidSupport", self.supports, self.figure)
        return np.zeros(context.figure.n), np.zeros(context.figure.n)

    def blocks(self, context: Context) -> list[Block]:
        """A block for each figure that stands on something."""
        standing = self.standing(context)
        if not standing:
            raise nothing_to_stand_on(context, "MidSupport", self.supports, self.figure)
        return [self._block(context, owner, names) for owner, names in standing.items()]

    def standing(self, context: Context) -> Mapping[str | None, list[str]]:
        """The supports that have outlines, by the figures that stand on them, as of `Balance`."""
        return standing_on(context, self.supports, self.figure)

    def _block(self, context: Context, owner: str | None, names: list[str]) -> Block:
        context.require_mass("MidSupport", owner)
        points: list[tuple[float, ...]] = []
        for name in names:
            node, place = context.site(name)
            points.append((node, *place.apply(middle_of(context, name)).tolist()))
        part = context.part(owner)
        values = mid_support.packed(points, part)
        return Block(
            MID_SUPPORT,
            mid_support.ROWS,
            values,
            node=values.size - part.size,
            other=len(points),
            share=(RADIANS / SPREAD) ** 2,
        )
