"""Standing without falling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from poise.checking import number
from poise.closed import closed
from poise.kernel.residuals import balance
from poise.kernel.residuals.kinds import BALANCE
from poise.tasks.masses import check_figure
from poise.tasks.supports import (
    check_supports,
    nothing_to_stand_on,
    outline_of,
    standing_on,
    support_names,
)
from poise.tasks.task import Block, Context, Task, length_text, settle

Values = NDArray[np.float64]

MARGIN = 0.02
"""How far (m) inside the edge the centre of mass stays unless a task says otherwise: a reserve such
as people keep, who sway by about a centimetre while they stand still."""


MOST = 1.0
"""The greatest margin (m): no support is wider inside its edge; more was meant in millimetres."""


@closed
@dataclass(frozen=True)
class Balance(Task):
    """Keep the centre of mass over the support, `margin` metres inside its edge: 20 mm by default.

    The support is the convex hull, seen from above, of the outlines of all sites that `Frame` or
    `Contact` tasks hold like soles, or of the sites named by `supports`. One inequality an edge:
    the distance of the centre of mass to the edge, less the margin, in metres. The hull moves with
    the feet and its derivative counts. An outline that is seen edge-on is a line, and counts so:
    the centre of mass comes over it, between its ends; a hull ten times longer than wide has its
    ends watched, too. Where the hull is too small for the margin, as one narrower than 40 mm is for
    the default, not all rows can hold, and the report says so; the centre of mass then comes to lie
    where the edges' squared lacks are least.

    In a scene of several figures each is balanced over its own supports, by itself; with `figure`
    only that one is. Scenes with `natural` also draw persons to the middle of the support: see
    `MidSupport`.

    Thesis 6.2.1.
    """

    has_target: ClassVar[bool] = False
    margin: float = field(default=MARGIN, kw_only=True)
    supports: Any = field(default=(), kw_only=True)
    figure: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        margin = number(self.margin, "the margin of Balance (m)", least=-MOST, most=MOST)
        settle(self, "margin", margin)
        settle(self, "supports", support_names(self.supports, "Balance"))
        check_figure(self.figure)

    def sites(self) -> Sequence[str]:
        """The supports that were named."""
        return self.supports

    def check(self, context: Context) -> None:
        """There must be masses, and named supports must have outlines."""
        super().check(context)
        check_supports(context, "Balance", self.supports, self.figure)

    def blocks(self, context: Context) -> list[Block]:
        """For each figure one block: a hull has no more edges than corners, and two ends."""
        blocks: list[Block] = []
        for owner, names in self.standing(context).items():
            context.require_mass("Balance", owner)
            corners: list[tuple[float, ...]] = []
            for name in names:
                node, place = context.site(name)
                for x, y in outline_of(context, name):
                    corners.append((node, *place.apply((x, y, 0.0)).tolist()))
            count, part = len(corners), context.part(owner)
            values = balance.packed(self.margin, corners, part)
            blocks.append(
                Block(
                    BALANCE,
                    count + balance.ENDS,
                    values,
                    values.size - part.size,
                    count,
                    inequality=True,
                    corners=count,
                )
            )
        if not blocks:
            raise nothing_to_stand_on(context, "Balance", self.supports, self.figure)
        return blocks

    def remark(self, context: Context) -> str:
        """Whether a support is too small for the margin."""
        for owner, names in self.standing(context).items():
            points = [
                context.places[name].apply((x, y, 0.0))[:2]
                for name in names
                for x, y in outline_of(context, name)
            ]
            room = _widest(np.array(points), enough=self.margin)
            if room < self.margin - 1e-9:
                whose = "" if owner is None else f" of {owner!r}"
                return (
                    f"the support{whose} is too small for a margin of {length_text(self.margin)}: "
                    f"no point of it is farther than {length_text(room)} inside"
                )
        return ""

    def standing(self, context: Context) -> dict[str | None, list[str]]:
        """The supports that have outlines, by the figures that stand on them.

        None stands for the figure where there is but one.
        """
        return standing_on(context, self.supports, self.figure)


def _widest(points: Values, enough: float) -> float:
    """The radius of the greatest circle inside the convex hull of points (k, 2).

    Where a circle about the middle of the corners is large enough it is not looked for: its
    radius is the answer.
    """
    from scipy.optimize import linprog
    from scipy.spatial import ConvexHull, QhullError

    try:
        edges = ConvexHull(points).equations  # outward normals and offsets
    except QhullError:  # all on one line
        return 0.0
    central = -float((edges[:, :2] @ points.mean(axis=0) + edges[:, 2]).max())
    if central >= enough:
        return central
    sides = np.column_stack([edges[:, :2], np.ones(len(edges))])
    free = (None, None)
    found = linprog([0, 0, -1], sides, -edges[:, 2], bounds=[free, free, free])
    return float(found.x[2])
