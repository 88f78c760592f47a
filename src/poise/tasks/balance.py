"""Standing without falling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from poise.checking import distance
from poise.closed import closed
from poise.errors import PoiseError
from poise.kernel.residuals import balance
from poise.kernel.residuals.kinds import BALANCE
from poise.tasks.masses import check_figure
from poise.tasks.task import Block, Context, Task, length_text, named, settle

Values = NDArray[np.float64]


@closed
@dataclass(frozen=True)
class Balance(Task):
    """Keep the centre of mass over the support, `margin` metres inside its edge.

    The support is the convex hull, seen from above, of the outlines of all sites that `Frame` or
    `Contact` tasks hold like soles, or of the sites named by `supports`. One inequality an edge:
    the distance of the centre of mass to the edge, less the margin, in metres. The hull moves with
    the feet and its derivative counts. An outline that is seen edge-on is a line, and counts so:
    the centre of mass comes over it, between its ends; a hull ten times longer than wide has its
    ends watched, too. Where the hull is too small for the margin
    not all rows can hold, and the report says so; the centre of mass then comes to lie where the
    edges' squared lacks are least.

    In a scene of several figures each is balanced over its own supports, by itself; with `figure`
    only that one is.

    Thesis 6.2.1.
    """

    has_target: ClassVar[bool] = False
    margin: float = field(default=0.0, kw_only=True)
    supports: Any = field(default=(), kw_only=True)
    figure: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "margin", distance(self.margin, "the margin of Balance (m)"))
        given = (self.supports,) if isinstance(self.supports, str) else self.supports
        try:
            names = tuple(given)
        except TypeError:
            raise PoiseError(f"supports must be names of sites, not {given!r}") from None
        settle(self, "supports", tuple(named(each, "a support of Balance") for each in names))
        check_figure(self.figure)

    def sites(self) -> Sequence[str]:
        """The supports that were named."""
        return self.supports

    def check(self, context: Context) -> None:
        """There must be masses, and named supports must have outlines."""
        super().check(context)
        owners = {context.owner(name) for name in self.supports} - {self.figure}
        if self.figure is not None and owners - {None}:
            stranger = next(name for name in self.supports if context.owner(name) in owners)
            raise PoiseError(
                f"the support {stranger!r} is not one of {self.figure!r}, which is to be balanced"
            )
        for owner in {self.figure} if self.figure is not None else owners or {None}:
            context.require_mass("Balance", owner)
        for name in self.supports:
            if not _outline(context, name):
                outlined = [s.name for s in context.figure.sites.values() if s.outline]
                listed = ", ".join(outlined) or "no site has one"
                raise PoiseError(
                    f"{name!r} has no outline to stand on; with outlines: {listed}",
                    code=f". {_advice(context, name)}",
                    remedy="sole",
                )

    def blocks(self, context: Context) -> list[Block]:
        """For each figure one block: a hull has no more edges than corners, and two ends."""
        blocks: list[Block] = []
        for owner, names in self.standing(context).items():
            context.require_mass("Balance", owner)
            corners: list[tuple[float, ...]] = []
            for name in names:
                node, place = context.site(name)
                for x, y in _outline(context, name):
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
            whom = "" if self.figure is None else f" for {self.figure!r}"
            self._refuse_elsewhere(context, whom)
            sites = context.figure.sites.values()
            advice = "" if any(s.outline for s in sites) else f"; none has one. {_advice(context)}"
            raise PoiseError(
                f"Balance has nothing to stand on{whom}",
                code=": hold a site that has an outline, such as a sole, with a Frame or Contact "
                f"task, or name such sites in supports={advice}",
                remedy="sole",
            )
        return blocks

    def _refuse_elsewhere(self, context: Context, whom: str) -> None:
        """Raise where sites with outlines are held, but do not face the ground."""
        found = {
            name: angle
            for name, angle in context.facing_elsewhere.items()
            if _outline(context, name) and self.figure in (None, context.owner(name) or self.figure)
        }
        if not found or self.supports:
            return
        listed = ", ".join(f"{name!r} ({math.degrees(a):.0f}° off)" for name, a in found.items())
        site = context.figure.sites[next(iter(found))]
        own = site.name.rpartition("/")[2], site.segment.rpartition("/")[2]
        raise PoiseError(
            f"Balance has nothing to stand on{whom}: the z axis of a sole must point out of the "
            f"body, down, within 60°, and it does not where these are held: {listed}",
            code=f"; figure.with_site('{own[0]}_down', {own[1]!r}, position, rotation=…, outline=…)"
            " makes a site that is turned so: rotation=(np.pi, 0, 0) where z of the segment is up",
        )

    def remark(self, context: Context) -> str:
        """Whether a support is too small for the margin."""
        for owner, names in self.standing(context).items():
            points = [
                context.places[name].apply((x, y, 0.0))[:2]
                for name in names
                for x, y in _outline(context, name)
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
        standing: dict[str | None, list[str]] = {}
        for name in dict.fromkeys(self.supports or context.supports):
            owner = context.owner(name)
            if _outline(context, name) and self.figure in (None, owner or self.figure):
                standing.setdefault(owner, []).append(name)
        return standing


def _outline(context: Context, name: str) -> tuple[tuple[float, float], ...]:
    site = context.figure.sites.get(name)
    return site.outline if site else ()


def _advice(context: Context, name: str | None = None) -> str:
    """How a figure gets an outline, on the site of that name if it is one."""
    outline = "[(x, y), …]"
    if name and name in context.figure.sites:
        return f"figure.with_outline({name.rpartition('/')[2]!r}, {outline}) gives it one"
    segment = context.figure.segment_of(name) if name else next(iter(context.figure.segments))
    own = segment.rpartition("/")[2]
    return f"figure.with_site('sole', {own!r}, outline={outline}) makes a site that has one"


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
