"""The temporary task: a point of the body that someone holds."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from poise.checking import Vec3, vector
from poise.errors import unknown_name
from poise.kernel.residuals import position
from poise.kernel.residuals.kinds import POSITION
from poise.tasks.task import Block, Context, Numbers, Task, settle

DRAG = "· drag"
"""What the names of temporary tasks begin with; reports leave them out."""


@dataclass(frozen=True)
class Grabbed(Task):
    """A point of a segment (m, in its frame) against a point of the world: e = x − g, three rows.

    Unlike `Position` it needs no site: any point of the surface can be taken hold of.
    """

    has_target: ClassVar[bool] = True
    segment: str
    point: Vec3
    target: Any

    def check(self, context: Context) -> None:
        """The segment must be there."""
        if self.segment not in context.figure.segments:
            raise unknown_name("segment", self.segment, context.figure.segments)

    def checked_target(self, target: Any) -> Any:
        """A point."""
        return vector(target, "where the point is dragged")

    def with_target(self, target: Any) -> Self:
        """The same with another target."""
        return self.at(self.checked_target(target))

    def at(self, target: Vec3) -> Self:
        """The same with a target that is a point for sure."""
        other = copy(self)
        settle(other, "target", target)
        return other

    def goals(self) -> tuple[Numbers, ...]:
        """The point."""
        return (self.target,)

    def blocks(self, context: Context) -> list[Block]:
        """One block."""
        node, place = context.figure.packed.segments[self.segment]
        values = position.packed(place.apply(self.point), self.target, np.eye(3))
        return [Block(POSITION, 3, values, node, target=position.GOAL)]
