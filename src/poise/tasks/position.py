"""Points in their places: a site, the centre of mass, one side of a plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.checking import direction
from poise.errors import PoiseError
from poise.kernel.blocks import MASS, POINT
from poise.tasks.task import (
    Block,
    Context,
    Rotation,
    Task,
    named,
    point_target,
    rotation_target,
    settle,
)

_WORLD: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Position(Task):
    """Bring a site to a point, a line (two axes) or a plane (one axis).

    The residual is the chosen components of Rcᵀ(x − g) in metres: x the site's origin, g the
    target in the world, Rc a control frame (a rotation matrix; the world's axes unless given).
    One to three rows, of full rank unless the figure is stretched. Without a target: where the
    site is.

    Zhao & Badler 1994, eq. 9; thesis 4.3.
    """

    site: str
    target: Any = None
    axes: str = field(default="xyz", kw_only=True)
    frame: Any = field(default=_WORLD, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        named(self.site, "the site of a Position")
        settle(self, "target", self.checked_target(self.target))
        _check_axes(self.axes)
        settle(self, "frame", _control_frame(self.frame))

    def sites(self) -> Sequence[str]:
        """The site."""
        return (self.site,)

    def checked_target(self, target: Any) -> Any:
        """A point."""
        return point_target(target, f"the target of {self.site!r}")

    def resolved(self, context: Context) -> Self:
        """Without a target: where the site is now."""
        return self if self.target is not None else self.with_target(context.places[self.site])

    def goals(self) -> tuple[ArrayLike, ...]:
        """The point."""
        return (self.target,)

    def blocks(self, context: Context) -> list[Block]:
        """One block of points."""
        node, place = context.site(self.site)
        values = np.concatenate([place.position, self.target, _rows(self.axes, self.frame)])
        return [Block(POINT, len(self.axes), values, node, target=3)]


@dataclass(frozen=True)
class CenterOfMass(Task):
    """Bring the centre of mass to a point, a line (two axes) or a plane (one axis).

    As `Position`, with the centre of mass for the site; metres. In a scene of several figures it
    is that of all together. Thesis 6.2.
    """

    target: Any = None
    axes: str = field(default="xyz", kw_only=True)
    frame: Any = field(default=_WORLD, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "target", self.checked_target(self.target))
        _check_axes(self.axes)
        settle(self, "frame", _control_frame(self.frame))

    def check(self, context: Context) -> None:
        """There must be masses."""
        context.require_mass("CenterOfMass")

    def checked_target(self, target: Any) -> Any:
        """A point."""
        return point_target(target, "the target of the centre of mass")

    def resolved(self, context: Context) -> Self:
        """Without a target: where the centre of mass is now."""
        if self.target is not None:
            return self
        return self.with_target(context.figure.center_of_mass(context.posture))

    def goals(self) -> tuple[ArrayLike, ...]:
        """The point."""
        return (self.target,)

    def blocks(self, context: Context) -> list[Block]:
        """One block of the centre of mass."""
        values = np.concatenate([np.zeros(3), self.target, _rows(self.axes, self.frame)])
        return [Block(MASS, len(self.axes), values, target=3)]


@dataclass(frozen=True)
class HalfSpace(Task):
    """Keep a site on one side of a plane: ν·(x − p) ≥ 0, in metres.

    The target is a point p of the plane and `normal` (three numbers, or "x", "-z", …) points to
    the side that is allowed. One row; it counts only while it is violated. Without a target: the
    plane through the place where the site is.

    Zhao & Badler 1994, eq. 19.
    """

    site: str
    target: Any = None
    normal: Any = field(default=(0.0, 0.0, 1.0), kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        named(self.site, "the site of a HalfSpace")
        settle(self, "target", self.checked_target(self.target))
        settle(self, "normal", direction(self.normal, f"the normal of the plane of {self.site!r}"))

    def sites(self) -> Sequence[str]:
        """The site."""
        return (self.site,)

    def checked_target(self, target: Any) -> Any:
        """A point of the plane."""
        return point_target(target, f"the plane of {self.site!r}")

    def resolved(self, context: Context) -> Self:
        """Without a target: the plane through the site's present place."""
        return self if self.target is not None else self.with_target(context.places[self.site])

    def goals(self) -> tuple[ArrayLike, ...]:
        """The point."""
        return (self.target,)

    def blocks(self, context: Context) -> list[Block]:
        """One block of a single direction."""
        node, place = context.site(self.site)
        values = np.concatenate([place.position, self.target, self.normal])
        return [Block(POINT, 1, values, node, inequality=True, target=3)]


def _check_axes(axes: Any) -> None:
    if not isinstance(axes, str) or not axes or len(set(axes) & set("xyz")) < len(axes):
        raise PoiseError(f"axes must be some of x, y, z, each once, such as 'xy'; not {axes!r}")


def _control_frame(frame: Any) -> Rotation:
    return rotation_target(_WORLD if frame is None else frame, "the control frame") or _WORLD


def _rows(axes: str, frame: Rotation) -> NDArray[np.float64]:
    """The chosen axes of a frame one after the other, in the world."""
    return np.array(frame).T[["xyz".index(each) for each in axes]].ravel()
