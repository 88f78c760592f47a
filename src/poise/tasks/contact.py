"""Soles and palms flat on a surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from poise.checking import direction
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Transform
from poise.figure.frames import frame_from, is_frame
from poise.figure.transform import rotation_to
from poise.kernel.blocks import AXIS, POINT, TURN
from poise.tasks.task import (
    Block,
    Context,
    TurningTask,
    Values,
    named,
    point_target,
    settle,
)


@closed
@dataclass(frozen=True)
class Contact(TurningTask):
    """Lay a sole or palm flat on a plane, where it may `slide` and `turn`, or not.

    The plane goes through the target; its `normal` (three numbers, or "x", "-z", …) points out of
    the ground, towards the figure. The site's z axis, which points out of the sole, comes to point
    the other way. Three to six rows, of full rank: the height over the plane (one row), or, where
    it may not slide, the place on it (three), in metres; the tilt (two), or, where it may not turn,
    the whole orientation (three), in radians times metres per radian. Half the weight is on each.
    With the sole facing straight away from the ground the direction of the tilt is ambiguous.

    The target is a point of the plane, the very spot where it may not slide; or a `Transform`,
    whose orientation, laid flat, counts where it may not turn. What it leaves open is as it is now.

    A site with an outline that lies on a plane within 60° of level counts as support for
    `Balance`.
    """

    site: str
    target: Any = None
    normal: Any = (0.0, 0.0, 1.0)
    slide: bool = field(default=True, kw_only=True)
    turn: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        named(self.site, "the site of a Contact")
        what = f"the normal of the ground under {self.site!r}"
        settle(self, "normal", direction(self.normal, what))
        for each in ("slide", "turn"):
            if not isinstance(getattr(self, each), (bool, np.bool_)):
                raise PoiseError(
                    f"{each} of {self.site!r} must be True or False, not {getattr(self, each)!r}"
                )
            settle(self, each, bool(getattr(self, each)))
        settle(self, "target", self.checked_target(self.target))

    def sites(self) -> Sequence[str]:
        """The site."""
        return (self.site,)

    def checked_target(self, target: Any) -> Any:
        """A point; where the site may not turn also its orientation, laid flat."""
        what = f"the target of {self.site!r}"
        point = point_target(target, what)
        if point is None or self.turn:
            return point
        if is_frame(target):
            rotation = self._flat(frame_from(target, what).rotation)
        elif isinstance(self.target, Transform):
            rotation = self.target.rotation
        else:
            return point
        return Transform(rotation, np.array(point))

    def resolved(self, context: Context) -> Self:
        """What the target leaves open is as it is now."""
        now = context.places[self.site]
        if self.target is None:
            return self.with_target(now)
        if self.turn or isinstance(self.target, Transform):
            return self
        return self.with_target(Transform(now.rotation, np.array(self.target)))

    def goals(self) -> tuple[ArrayLike, ...]:
        """The point; the matrix where the site may not turn."""
        if self.turn:
            return (self.target,)
        return self.target.position, self.target.rotation.ravel()

    def blocks(self, context: Context) -> list[Block]:
        """A place and a tilt."""
        node, place = context.site(self.site)
        point = self.goals()[0]
        axes = np.array([self.normal]) if self.slide else np.eye(3)
        values = np.concatenate([place.position, point, axes.ravel(), np.zeros(len(axes))])
        blocks = [Block(POINT, len(axes), values, node, share=0.5, target=3)]
        if self.turn:
            level = rotation_to(self.normal)[:, :2].T.ravel()
            values = np.concatenate([place.rotation[:, 2], -np.array(self.normal), level])
            blocks.append(Block(AXIS, 2, values, node, share=0.5, unit="rad"))
        else:
            values = np.concatenate([place.rotation.ravel(), self.target.rotation.ravel()])
            blocks.append(Block(TURN, 3, values, node, share=0.5, unit="rad", target=9))
        return blocks

    def held(self) -> Sequence[str]:
        """The site, where the plane is nearly level."""
        return (self.site,) if self.normal[2] > 0.5 else ()

    def _flat(self, rotation: Values) -> Values:
        """A rotation turned by the shortest way so that its z axis points into the ground."""
        down = -np.array(self.normal)
        # In axes in which the present z axis is z, the shortest way to `down` is plain.
        return rotation @ rotation_to(rotation.T @ down)
