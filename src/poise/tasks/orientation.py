"""How a site is turned, and whole frames."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np

from poise.checking import MOST_FACTOR, Vec3, number
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Transform
from poise.figure.frames import frame_from, is_frame, is_orientation
from poise.kernel.residuals import orientation, orientation_axis, orientation_vectors
from poise.kernel.residuals.kinds import ORIENTATION, ORIENTATION_AXIS, ORIENTATION_VECTORS
from poise.tasks.points import point_block
from poise.tasks.task import (
    Block,
    Context,
    Numbers,
    SiteTask,
    Values,
    carrier,
    named,
    point_target,
    position_of,
    rides,
    rotation_target,
    settle,
)


@closed
@dataclass(frozen=True)
class Orientation(SiteTask):
    """Turn a site as a target is turned.

    The target is a rotation matrix (3, 3), a unit quaternion (w x y z), a frame (see `Frame`), of
    which the rotation counts, or a site by its name: then both move, and both count.

    `form="rotation"`: the residual is the rotation vector of the difference, log(R Gᵀ), in
    radians times metres per radian; three rows of rank three up to a difference of π, where the
    axis is ambiguous. With one axis `free` ("x", "y" or "z" of the site) it is the direct
    rotation between the two axes, three rows of rank two: the site may turn about that axis.

    `form="vectors"`: the residual of the papers, cx(x − xg) and cy(y − yg) for the site's x and
    y axes, six rows of rank three; one of cx and cy may be zero. Its size is reported as if it
    were an angle, which it is nearly where it is small (Zhao & Badler 1994, eq. 10).

    Without a target: as the site is turned.
    """

    free: Literal["x", "y", "z"] | None = field(default=None, kw_only=True)
    form: Literal["rotation", "vectors"] = field(default="rotation", kw_only=True)
    cx: float = field(default=1.0, kw_only=True)
    cy: float = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        named(self.site, "the site of an Orientation")
        settle(self, "target", self.checked_target(self.target))
        if self.free not in (None, "x", "y", "z"):
            raise PoiseError(f"the free axis must be 'x', 'y' or 'z', not {self.free!r}")
        if self.form not in ("rotation", "vectors"):
            raise PoiseError(f"the form must be 'rotation' or 'vectors', not {self.form!r}")
        if self.form == "vectors" and self.free is not None:
            raise PoiseError("with form='vectors' an axis is freed by cx=0 or cy=0, not by free=")
        for each in ("cx", "cy"):
            settle(self, each, number(getattr(self, each), each, least=0, most=MOST_FACTOR))
        if self.form == "rotation" and (self.cx, self.cy) != (1.0, 1.0):
            raise PoiseError("cx and cy are for form='vectors'")
        if self.cx == self.cy == 0:
            raise PoiseError("cx and cy must not both be 0: nothing would be wanted")

    def checked_target(self, target: Any) -> Any:
        """A rotation matrix from what was given, or a name."""
        what = f"the target of {self.site!r}"
        if rides(target):
            return carrier(target, self.site, what)
        return rotation_target(target, what)

    def resolved(self, context: Context) -> Self:
        """Without a target: as the site is turned now."""
        return self if self.target is not None else self.with_target(context.places[self.site])

    def goals(self) -> tuple[Numbers, ...]:
        """The whole matrix, an axis of it, or two; none where it is that of a site."""
        return () if rides(self.target) else (self._goal(np.array(self.target)),)

    def blocks(self, context: Context) -> list[Block]:
        """One block, by form."""
        node, place = context.site(self.site)
        other, wanted = -1, np.array(self.target)
        if rides(self.target):
            other, there = context.site(self.target)
            wanted = there.rotation
        own, goal = self._goal(place.rotation), self._goal(wanted)
        if self.form == "vectors":
            kind, rows, first = ORIENTATION_VECTORS, 6, orientation_vectors.GOALS
            values = orientation_vectors.packed(own, goal, self.cx, self.cy)
        elif self.free is None:
            kind, rows, first = ORIENTATION, 3, orientation.GOAL
            values = orientation.packed(own, goal)
        else:
            kind, rows, first = ORIENTATION_AXIS, 3, orientation_axis.GOAL
            values = orientation_axis.packed(own, goal)
        first = -1 if rides(self.target) else first
        return [Block(kind, rows, values, node, other, unit="rad", target=first)]

    def _goal(self, rotation: Values) -> Values:
        """What of a rotation counts: all of it, an axis, or two."""
        if self.form == "vectors":
            return rotation[:, :2].T.ravel()
        return rotation.ravel() if self.free is None else rotation[:, "xyz".index(self.free)]


@closed
@dataclass(frozen=True)
class Frame(SiteTask):
    """Bring a site to a place and turn it: position and orientation in one.

    The residuals of `Position` (metres) and `Orientation` (radians times metres per radian),
    with `position_share` of the weight on the first and the rest on the second; six rows. The
    target is a `Transform`; a homogeneous matrix (4, 4); a position with a rotation matrix (3, 3)
    or a unit quaternion (w x y z), as a pair; a point, which keeps the orientation; the name of a
    site, which may move, and both count; or None: a pin.

    A site with an outline that is held with its z axis within 60° of straight down, as a sole
    is, counts as support for `Balance`; one whose target is a site does not.

    Zhao & Badler 1994, eq. 11.
    """

    position_share: float = field(default=0.5, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        named(self.site, "the site of a Frame")
        settle(self, "target", self.checked_target(self.target))
        share = number(self.position_share, "the position share", above=0)
        if share >= 1:
            raise PoiseError(
                f"the position share must be less than 1, not {share:g}; for all of it use Position"
            )
        settle(self, "position_share", share)

    def checked_target(self, target: Any) -> Any:
        """A frame, a point or a name; a point keeps the orientation that the task has."""
        what = f"the target of {self.site!r}"
        if rides(target):
            return carrier(target, self.site, what)
        if is_frame(target):
            return frame_from(target, what)
        if is_orientation(target):
            raise PoiseError(
                f"{what} has no position: give it with the orientation, (position, orientation), "
                "or use Orientation"
            )
        point = point_target(target, what)
        if point is None or not isinstance(self.target, Transform):
            return point
        return Transform(self.target.rotation, np.array(point))

    def resolved(self, context: Context) -> Self:
        """What the target leaves open is as it is now."""
        if isinstance(self.target, Transform) or rides(self.target):
            return self
        now = context.places[self.site]
        if self.target is None:
            return self.with_target(now)
        return self.with_target(Transform(now.rotation, np.array(self.target)))

    def spot(self) -> Vec3 | None:
        """The target's position, unless it moves."""
        return position_of(self.target)

    def goals(self) -> tuple[Numbers, ...]:
        """The point; the matrix; neither where they are those of a site."""
        if rides(self.target):
            return ()
        return self.target.position, self.target.rotation.ravel()

    def blocks(self, context: Context) -> list[Block]:
        """A point and a turn."""
        place = point_block(context, self.site, self._point(), None, np.eye(3))
        turn = Orientation(self.site, self.target).blocks(context)[0]
        share = self.position_share
        return [replace(place, share=share), replace(turn, share=1 - share)]

    def _point(self) -> Any:
        return self.target if rides(self.target) else self.target.position

    def held(self) -> Sequence[str]:
        """The site, where its z axis points down."""
        if rides(self.target) or self.target.rotation[2, 2] >= -0.5:
            return ()
        return (self.site,)

    def facing_elsewhere(self) -> Mapping[str, float]:
        """The site, where its z axis points elsewhere."""
        if rides(self.target) or self.held():
            return {}
        return {self.site: math.acos(min(1.0, max(-1.0, -float(self.target.rotation[2, 2]))))}
