"""The centre of mass in its place, and how far the mass is spread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from poise.checking import FARTHEST, Vec3, direction, number
from poise.closed import closed
from poise.errors import PoiseError
from poise.kernel.residuals import inertia, position
from poise.kernel.residuals.kinds import CENTER_OF_MASS, CENTER_OF_PART, INERTIA
from poise.tasks.position import check_axes, chosen_axes, control_frame
from poise.tasks.task import Block, Context, Numbers, Task, point_target, position_of, settle


@closed
@dataclass(frozen=True)
class CenterOfMass(Task):
    """Bring the centre of mass to a point, a line (two axes) or a plane (one axis).

    As `Position`, with the centre of mass for the site; metres; `frame` is a rotation matrix. In a
    scene of several figures it is that of the one that `figure` names, or of all together.

    Thesis 6.2.
    """

    target: Any = None
    axes: str = field(default="xyz", kw_only=True)
    frame: Any = field(default=None, kw_only=True)
    figure: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "target", self.checked_target(self.target))
        check_axes(self.axes)
        settle(self, "frame", control_frame(self.frame))
        check_figure(self.figure)

    def check(self, context: Context) -> None:
        """There must be masses."""
        context.require_mass("CenterOfMass", self.figure)

    def checked_target(self, target: Any) -> Any:
        """A point."""
        return point_target(target, "the target of the centre of mass")

    def resolved(self, context: Context) -> Self:
        """Without a target: where the centre of mass is now."""
        if self.target is not None:
            return self
        total, moment = 0.0, np.zeros(3)
        for name in context.members(self.figure):
            mass, center, _ = context.figure.segments[name].mass_properties()
            total += mass
            moment += mass * context.places.segment(name).apply(center)
        return self.with_target(moment / total)

    def spot(self) -> Vec3 | None:
        """The target, unless it leaves a line or a plane."""
        return None if len(self.axes) < 3 else position_of(self.target)

    def goals(self) -> tuple[Numbers, ...]:
        """The point."""
        return (self.target,)

    def blocks(self, context: Context) -> list[Block]:
        """One block of the centre of mass."""
        rows = chosen_axes(self.axes, self.frame)
        whole = position.packed(np.zeros(3), self.target, rows)
        part = context.part(self.figure)
        kind = CENTER_OF_PART if part.size else CENTER_OF_MASS
        values = np.concatenate([whole, part])
        return [Block(kind, len(rows), values, whole.size, target=position.GOAL)]


@closed
@dataclass(frozen=True)
class Inertia(Task):
    """Give the figure a radius of gyration about an axis through its centre of mass.

    The residual is √(I/m) − target, in metres: how far from the axis the mass is on average.
    A small target curls the figure up, a large one stretches it. One row. The `axis` (three
    numbers, or "x", "-z", …) keeps its direction in the world. Where all mass lies on the axis
    the radius has a kink and its gradient is taken as zero. Without a target: as it is now. In a
    scene of several figures it is that of the one that `figure` names, or of all together about
    their common centre.

    Thesis 7.3.3.
    """

    axis: Any
    target: Any = None
    figure: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "axis", direction(self.axis, "the axis of Inertia"))
        settle(self, "target", self.checked_target(self.target))
        check_figure(self.figure)

    def check(self, context: Context) -> None:
        """There must be masses."""
        context.require_mass("Inertia", self.figure)

    def checked_target(self, target: Any) -> Any:
        """A radius."""
        if target is None:
            return None
        what = "the target of Inertia, a radius of gyration (m),"
        return number(target, what, least=0, most=FARTHEST)

    def resolved(self, context: Context) -> Self:
        """Without a target: the present radius."""
        return self if self.target is not None else self.with_target(self._radius(context))

    def goals(self) -> tuple[Numbers, ...]:
        """The radius."""
        return ((self.target,),)

    def blocks(self, context: Context) -> list[Block]:
        """One block of one row."""
        values = inertia.packed(self.axis, self.target, context.part(self.figure))
        return [Block(INERTIA, 1, values, inertia.PART, target=inertia.TARGET)]

    def _radius(self, context: Context) -> float:
        across = np.eye(3) - np.outer(self.axis, self.axis)
        masses: list[float] = []
        centers: list[ArrayLike] = []
        own = 0.0
        for name in context.members(self.figure):
            mass, center, inertia = context.figure.segments[name].mass_properties()
            place = context.places.segment(name)
            axis = place.rotation.T @ self.axis
            own += float(axis @ inertia @ axis)
            masses.append(mass)
            centers.append(across @ place.apply(center))
        weights, points = np.array(masses), np.array(centers)
        points -= weights @ points / weights.sum()
        return float(np.sqrt((own + weights @ np.sum(points**2, axis=1)) / weights.sum()))


def check_figure(figure: Any) -> None:
    """Raise unless it is a name or None; whether it exists is seen in a scene."""
    if figure is not None and (not isinstance(figure, str) or not figure):
        raise PoiseError(f"figure must be the name of a figure of the scene, not {figure!r}")
