"""Points in their places: at a point, on a line, on a plane, on one side of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from poise.checking import Vec3, direction, plain_place
from poise.closed import closed
from poise.errors import PoiseError
from poise.tasks.points import point_block, present_point, riding_frame, riding_point
from poise.tasks.task import (
    Block,
    Context,
    Numbers,
    Rotation,
    Task,
    Values,
    article,
    named,
    position_of,
    rides,
    rotation_target,
    settle,
)


@closed
@dataclass(frozen=True)
class PointTask(Task):
    """A site against a point, along some directions: e = d · (x − g), in metres.

    The target g is a point in the world; or a point in the frame of the site that `frame` names;
    or the name of a site. With the last two it moves with that site, whose motion counts as much
    as that of the task's own. Without a target: where the site is now.
    """

    is_inequality: ClassVar[bool] = False

    site: str
    target: Any = None
    frame: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        named(self.site, f"the site of {article(self)}")
        settle(self, "target", self.checked_target(self.target))
        settle(self, "frame", self.checked_frame(self.frame))
        if rides(self.target) and rides(self.frame):
            raise PoiseError(
                f"the target of {self.site!r} is the site {self.target!r}, so its frame cannot be "
                f"{self.frame!r}: give the target as a point in that frame"
            )

    def checked_frame(self, frame: Any) -> Any:
        """The name of a site, or None for the world."""
        return riding_frame(frame, self.site)

    def directions(self) -> Values:
        """The directions d (k, 3), in the world or in the frame that moves."""
        raise PoiseError(f"{type(self).__name__} is not a task that can be solved")

    def sites(self) -> Sequence[str]:
        """The site, and what the target rides on."""
        return (self.site, *(each for each in (self.target, self.frame) if rides(each)))

    def checked_target(self, target: Any) -> Any:
        """A point or a name."""
        return plain_place(target) or riding_point(
            target, self.site, f"the target of {self.site!r}"
        )

    def resolved(self, context: Context) -> Self:
        """Without a target: where the site is now."""
        if self.target is not None:
            return self
        return self.with_target(present_point(context, self.site, self._carrier()))

    def goals(self) -> tuple[Numbers, ...]:
        """The point, unless it is that of a site."""
        return () if rides(self.target) else (self.target,)

    def blocks(self, context: Context) -> list[Block]:
        """One block of points."""
        return [
            point_block(
                context,
                self.site,
                self.target,
                self._carrier(),
                self.directions(),
                inequality=self.is_inequality,
            )
        ]

    def _carrier(self) -> str | None:
        return self.frame if rides(self.frame) else None


@closed
@dataclass(frozen=True)
class Position(PointTask):
    """Bring a site to a point, a line (two axes) or a plane (one axis).

    The residual is the chosen components of Rcᵀ(x − g) in metres: x the site's origin, g the
    target, Rc a control frame. One to three rows, of full rank unless the figure is stretched.

    The control frame is a rotation matrix (the world's axes unless given), or the name of a site:
    then the axes are the site's, and the target is a point in its frame and moves with it, as a
    handle does with its cup. The target may also be the name of a site. Without a target: where
    the site is.

    Zhao & Badler 1994, eq. 9; thesis 4.3.
    """

    axes: str = field(default="xyz", kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        check_axes(self.axes)

    def checked_frame(self, frame: Any) -> Any:
        """A rotation matrix, the name of a site, or None for the world."""
        return super().checked_frame(frame) if rides(frame) else control_frame(frame)

    def spot(self) -> Vec3 | None:
        """The target, unless it leaves a line or a plane, or moves."""
        if len(self.axes) < 3 or rides(self.frame):
            return None
        return self.target if type(self.target) is tuple else position_of(self.target)

    def directions(self) -> Values:
        """The chosen axes."""
        return chosen_axes(self.axes, None if rides(self.frame) else self.frame)


@closed
@dataclass(frozen=True)
class Line(PointTask):
    """Bring a site onto a line through the target, along a `direction`.

    The residual is (1 − ν νᵀ)(x − p) in metres: three rows of rank two, for the site may go along
    the line. The direction ν is three numbers, or "x", "-z", …; with a `frame` it and the target
    are given in that site's frame, and move with it. Without a target: the line through the place
    where the site is.

    Zhao & Badler 1994, eq. 16.
    """

    direction: Any = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        what = f"the direction of the line of {self.site!r}"
        settle(self, "direction", direction(self.direction, what))

    def directions(self) -> Values:
        """The rows of the projector."""
        return np.eye(3) - np.outer(self.direction, self.direction)


@closed
@dataclass(frozen=True)
class Plane(PointTask):
    """Bring a site onto a plane through the target: ν·(x − p) = 0, in metres; one row.

    The `normal` ν is three numbers, or "x", "-z", …; with a `frame` it and the target are given in
    that site's frame, and move with it. Without a target: the plane through the place where the
    site is.

    Zhao & Badler 1994, eq. 18.
    """

    normal: Any = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        settle(self, "normal", direction(self.normal, f"the normal of the plane of {self.site!r}"))

    def directions(self) -> Values:
        """The normal."""
        return np.array([self.normal])


@closed
@dataclass(frozen=True)
class HalfSpace(Plane):
    """Keep a site on one side of a plane: ν·(x − p) ≥ 0, in metres.

    As `Plane`; the `normal` points to the side that is allowed. One row; it counts only while it
    is violated.

    Zhao & Badler 1994, eq. 20.
    """

    is_inequality: ClassVar[bool] = True


def check_axes(axes: Any) -> None:
    """Raise unless axes are some of x, y, z."""
    if not isinstance(axes, str) or not axes or len(set(axes) & set("xyz")) < len(axes):
        raise PoiseError(f"axes must be some of x, y, z, each once, such as 'xy'; not {axes!r}")


def control_frame(frame: Any) -> Rotation | None:
    """The axes of a control frame that is fixed in the world; None for the world's own."""
    return rotation_target(frame, "the control frame")


def chosen_axes(axes: str, frame: Rotation | None) -> Values:
    """The chosen axes of a frame (k, 3), in the world."""
    whole = np.eye(3) if frame is None else np.array(frame).T
    return whole[["xyz".index(each) for each in axes]]
