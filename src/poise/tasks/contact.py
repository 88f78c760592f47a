"""Soles and palms flat on a surface."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from poise.checking import Vec3, direction
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Site, Transform
from poise.figure.frames import frame_from, is_frame
from poise.figure.transform import rotation_to
from poise.kernel.residuals import orientation, orientation_axis, position
from poise.kernel.residuals.kinds import ORIENTATION, ORIENTATION_AXIS, POSITION
from poise.tasks.points import ORIGIN, point_block
from poise.tasks.task import (
    Block,
    Context,
    Numbers,
    TurningTask,
    Values,
    carrier,
    named,
    point_target,
    position_of,
    rides,
    settle,
)

_LEVEL = 0.5  # the upward part of the normal of a plane within 60° of level


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

    The target is a point of the plane, the very spot where it may not slide; or a frame (see
    `Frame`), whose orientation, laid flat, counts where it may not turn. What it leaves open is as
    it is now.

    The target may also be the name of a frame, such as the face of a prop, "stool/top": the plane
    is the x-y plane there and moves with it, which counts as much as the site's own motion. Its
    normal is the z axis of a figure's site, which points out of the body; of a prop's site, whose z
    axis goes into the prop, it is the opposite. A `normal` is then given in the axes of the
    surface: z out of it, x as the frame has it. The tilt has three rows, of rank two.

    A site with an outline that lies on a plane within 60° of level counts as support for
    `Balance`.
    """

    is_level: ClassVar[bool] = False
    """Whether the plane is within 60° of level; of one that rides, as it was when last packed."""

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
        settle(self, "is_level", not rides(self.target) and self.normal[2] > _LEVEL)

    def sites(self) -> Sequence[str]:
        """The site, and the frame on which the plane rides."""
        return (self.site, self.target) if rides(self.target) else (self.site,)

    def checked_target(self, target: Any) -> Any:
        """A point; where the site may not turn also its orientation, laid flat; or a name."""
        what = f"the target of {self.site!r}"
        if rides(target):
            return carrier(target, self.site, what)
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
        if rides(self.target):
            other = copy(self)
            upwards = facing(self, context.places, context.figure.sites)[2]
            settle(other, "is_level", bool(upwards > _LEVEL))
            return other
        now = context.places[self.site]
        if self.target is None:
            return self.with_target(now)
        if self.turn or isinstance(self.target, Transform):
            return self
        return self.with_target(Transform(now.rotation, np.array(self.target)))

    def spot(self) -> Vec3 | None:
        """The target's position, where the site may not slide, unless it moves."""
        return None if self.slide else position_of(self.target)

    def goals(self) -> tuple[Numbers, ...]:
        """The point; the matrix where the site may not turn; neither where they ride."""
        if rides(self.target):
            return ()
        if self.turn:
            return (self.target,)
        return self.target.position, self.target.rotation.ravel()

    def blocks(self, context: Context) -> list[Block]:
        """A place and a tilt."""
        if rides(self.target):
            return self._riding_blocks(context)
        node, place = context.site(self.site)
        point = self.goals()[0]
        axes = np.array([self.normal]) if self.slide else np.eye(3)
        values = position.packed(place.position, point, axes)
        blocks = [Block(POSITION, len(axes), values, node, share=0.5, target=position.GOAL)]
        if self.turn:
            level = rotation_to(self.normal)[:, :2].T.ravel()
            down = -np.array(self.normal)
            values = orientation_axis.packed(place.rotation[:, 2], down, level)
            blocks.append(Block(ORIENTATION_AXIS, 2, values, node, share=0.5, unit="rad"))
        else:
            values, goal = (
                orientation.packed(place.rotation, self.target.rotation),
                orientation.GOAL,
            )
            blocks.append(Block(ORIENTATION, 3, values, node, share=0.5, unit="rad", target=goal))
        return blocks

    def _riding_blocks(self, context: Context) -> list[Block]:
        (node, place), (other, there) = context.site(self.site), context.site(self.target)
        normal = _surface(self.target, context.figure.sites) @ np.array(self.normal)
        if self.slide:
            at = point_block(context, self.site, ORIGIN, self.target, normal[None])
        else:
            at = point_block(context, self.site, self.target, None, np.eye(3))
        if self.turn:
            values = orientation_axis.packed(place.rotation[:, 2], there.rotation @ -normal)
            tilt = Block(ORIENTATION_AXIS, 3, values, node, other, unit="rad")
        else:
            # The surface turned over: the site's z axis points into it.
            goal = there.rotation @ _surface(self.target, context.figure.sites)
            goal = goal @ rotation_to(-np.array(self.normal))
            values = orientation.packed(place.rotation, goal)
            tilt = Block(ORIENTATION, 3, values, node, other, unit="rad")
        return [replace(at, share=0.5, target=-1), replace(tilt, share=0.5)]

    def held(self) -> Sequence[str]:
        """The site, where the plane is nearly level."""
        return (self.site,) if self.is_level else ()

    def facing_elsewhere(self) -> Mapping[str, float]:
        """The site, where the plane is steep and does not ride."""
        if rides(self.target) or self.is_level:
            return {}
        return {self.site: math.acos(min(1.0, max(-1.0, self.normal[2])))}

    def _flat(self, rotation: Values) -> Values:
        """A rotation turned by the shortest way so that its z axis points into the ground."""
        down = -np.array(self.normal)
        # In axes in which the present z axis is z, the shortest way to `down` is plain.
        return rotation @ rotation_to(rotation.T @ down)


def facing(task: Any, places: Mapping[str, Transform], sites: Mapping[str, Site]) -> Values:
    """The normal of a Contact's plane in the world (3,), as frames are placed and sites named."""
    if not rides(task.target):
        return np.array(task.normal, np.float64)
    return places[task.target].rotation @ _surface(task.target, sites) @ np.array(task.normal)


def _surface(name: str, sites: Mapping[str, Site]) -> Values:
    """The axes of the surface, z out of it, in those of the frame that is named (3, 3)."""
    site = sites.get(name)
    return np.diag([1.0, -1.0, -1.0]) if site and _is_of_prop(name, site.segment) else np.eye(3)


def _is_of_prop(name: str, segment: str) -> bool:
    """Whether a site is a prop's: "stool/top" is on "stool", which anna may hold: "anna/stool"."""
    owner = name.rpartition("/")[0]
    figure, _, own = segment.rpartition("/")
    return bool(owner) and own == owner != figure
