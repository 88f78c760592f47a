"""Looking and pointing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from poise.checking import direction
from poise.closed import closed
from poise.kernel.residuals import aim
from poise.kernel.residuals.kinds import AIM
from poise.tasks.points import riding_point
from poise.tasks.task import Block, Context, Numbers, SiteTask, named, rides, settle


@closed
@dataclass(frozen=True)
class Aim(SiteTask):
    """Point an axis of a site at a target, as eyes look at a thing.

    The residual is c·((p − r)/‖p − r‖ − v): the unit vector to the target against the
    site's axis (three numbers, or "x", "-z", …), scaled by `metres_per_radian`. Three rows of
    rank two: the figure may still roll about the axis. Where the target lies on the site itself
    the direction is undefined and the rows are zero. The target is a point in the world, or the
    name of a site, which may move: both count. Without a target: a point 1 m ahead.

    Zhao & Badler 1994, eq. 13.
    """

    axis: Any = field(default=(1.0, 0.0, 0.0), kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        named(self.site, "the site of an Aim")
        settle(self, "target", self.checked_target(self.target))
        settle(self, "axis", direction(self.axis, f"the axis of {self.site!r}"))

    def checked_target(self, target: Any) -> Any:
        """A point or a name."""
        return riding_point(target, self.site, f"the target of {self.site!r}")

    def resolved(self, context: Context) -> Self:
        """Without a target: where it looks now."""
        if self.target is not None:
            return self
        return self.with_target(context.places[self.site].apply(self.axis))

    def goals(self) -> tuple[Numbers, ...]:
        """The point, unless it is that of a site."""
        return () if rides(self.target) else (self.target,)

    def blocks(self, context: Context) -> list[Block]:
        """One block."""
        node, place = context.site(self.site)
        axis = place.rotation @ np.array(self.axis)
        if rides(self.target):
            other, there = context.site(self.target)
            values = aim.packed(place.position, axis, there.position)
            return [Block(AIM, 3, values, node, other, unit="rad", chord=True)]
        values = aim.packed(place.position, axis, self.target)
        return [Block(AIM, 3, values, node, unit="rad", target=aim.GOAL, chord=True)]
