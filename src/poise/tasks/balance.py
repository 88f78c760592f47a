"""Standing without falling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from poise.checking import number
from poise.errors import PoiseError
from poise.kernel.blocks import HULL
from poise.tasks.task import Block, Context, Task, named, settle

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Balance(Task):
    """Keep the centre of mass over the support, `margin` metres inside its edge.

    The support is the convex hull, seen from above, of the outlines of all sites that `Frame`
    tasks hold like soles, or of the sites named by `supports`. One inequality an edge: the
    distance of the centre of mass to the edge, less the margin, in metres. The hull moves with
    the feet and its derivative counts. Where the hull is too small for the margin not all rows
    can hold, and the report says so; the centre of mass then comes to lie where the edges'
    squared lacks are least. In a scene of several figures all together are balanced.

    Thesis 6.2.1.
    """

    has_target: ClassVar[bool] = False
    margin: float = field(default=0.0, kw_only=True)
    supports: Any = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "margin", number(self.margin, "the margin of Balance (m)"))
        given = (self.supports,) if isinstance(self.supports, str) else self.supports
        try:
            names = tuple(given)
        except TypeError:
            raise PoiseError(f"supports must be names of sites, not {given!r}") from None
        settle(self, "supports", tuple(named(each, "a support of Balance") for each in names))

    def sites(self) -> Sequence[str]:
        """The supports that were named."""
        return self.supports

    def check(self, context: Context) -> None:
        """There must be masses, and named supports must have outlines."""
        super().check(context)
        context.require_mass("Balance")
        for name in self.supports:
            if not _outline(context, name):
                outlined = [s.name for s in context.figure.sites.values() if s.outline]
                listed = ", ".join(outlined) or "no site has one"
                raise PoiseError(f"{name!r} has no outline to stand on; with outlines: {listed}")

    def blocks(self, context: Context) -> list[Block]:
        """One block with a row for each corner: a hull has no more edges than that."""
        corners: list[float] = []
        for name in dict.fromkeys(self.supports or context.supports):
            node, place = context.site(name)
            for x, y in _outline(context, name):
                corners += [node, *place.apply((x, y, 0.0)).tolist()]
        count = len(corners) // 4
        if count == 0:
            raise PoiseError(
                "Balance has nothing to stand on: hold a site that has an outline, such as a sole, "
                "with a Frame task, or name such sites in supports="
            )
        values = np.array([self.margin, *corners])
        return [Block(HULL, count, values, other=count, inequality=True)]

    def remark(self, context: Context) -> str:
        """Whether the support is too small for the margin."""
        points = [
            context.places[name].apply((x, y, 0.0))[:2]
            for name in dict.fromkeys(self.supports or context.supports)
            for x, y in _outline(context, name)
        ]
        room = _widest(np.array(points))
        if room >= self.margin - 1e-9:
            return ""
        return (
            f"the support is too small for a margin of {1e3 * self.margin:.3g} mm: no point of it "
            f"is farther than {1e3 * room:.3g} mm inside"
        )


def _outline(context: Context, name: str) -> tuple[tuple[float, float], ...]:
    site = context.figure.sites.get(name)
    return site.outline if site else ()


def _widest(points: Values) -> float:
    """The radius of the greatest circle inside the convex hull of points (k, 2)."""
    from scipy.optimize import linprog
    from scipy.spatial import ConvexHull, QhullError

    try:
        edges = ConvexHull(points).equations  # outward normals and offsets
    except QhullError:  # all on one line
        return 0.0
    sides = np.column_stack([edges[:, :2], np.ones(len(edges))])
    free = (None, None)
    found = linprog([0, 0, -1], sides, -edges[:, 2], bounds=[free, free, free])
    return float(found.x[2])
