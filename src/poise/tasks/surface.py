"""Gliding on a round surface, as the shoulder blade does on the rib cage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from poise.checking import distance
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Ellipsoid, Transform
from poise.kernel.residuals.kinds import SURFACE
from poise.tasks.points import framed_point, riding_frame
from poise.tasks.task import Block, Context, Task, named, rides, settle


@closed
@dataclass(frozen=True)
class Surface(Task):
    """Keep a site on the surface of an ellipsoid, or at a `distance` from it.

    The residual is the signed distance to the nearest point of the surface, positive outside, less
    `distance`, in metres; one row. The ellipsoid (`poise.figure.Ellipsoid`) stands in the world, or
    rides on the site that `frame` names and is given in its frame, as the thorax carries its own.
    Deep inside, where several points are nearest, one of them is taken.
    """

    has_target: ClassVar[bool] = False

    site: str
    ellipsoid: Any
    distance: float = field(default=0.0, kw_only=True)
    frame: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        named(self.site, "the site of a Surface")
        if not isinstance(self.ellipsoid, Ellipsoid):
            raise PoiseError(
                f"the surface of {self.site!r} must be an Ellipsoid, not {self.ellipsoid!r}"
            )
        settle(self, "distance", distance(self.distance, f"the distance of {self.site!r} (m)"))
        deepest = -min(self.ellipsoid.radii)
        if self.distance < deepest:
            raise PoiseError(
                f"the distance of {self.site!r} must be at least {deepest:g}: no point lies deeper "
                f"in the ellipsoid, not {self.distance:g}"
            )
        settle(self, "frame", riding_frame(self.frame, self.site))

    def sites(self) -> Sequence[str]:
        """The site, and what the ellipsoid rides on."""
        return (self.site, self.frame) if rides(self.frame) else (self.site,)

    def blocks(self, context: Context) -> list[Block]:
        """One row."""
        shape = self.ellipsoid
        within = Transform.make(shape.center, shape.rotation)
        own = shape.radii, self.distance
        node, other, values = framed_point(context, self.site, self.frame, *own, within=within)
        return [Block(SURFACE, 1, values, node, other)]
