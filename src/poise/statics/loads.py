"""Forces that act on a figure, and the supports that balance them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3, number, vector
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Figure, Placements

Values = NDArray[np.float64]

GRAVITY = 9.81
"""The acceleration of free fall, in m/s², downward."""
MOST = 1e6
"""The greatest force (N) or torque (N·m) that is taken."""
FRICTION = 0.6
"""Of a support for which none is given: a rubber sole on a dry floor."""
_NOTHING: Vec3 = (0.0, 0.0, 0.0)


@closed
@dataclass(frozen=True)
class Support:
    """A site on which the figure stands or leans.

    It bears `ratio` of what the weight and all applied forces want to be balanced by; the ratios of
    a figure add up to 1, and may be negative. What it pushes with, it pushes along its normal, and
    at most `friction` times as much across. The normal is opposite to the site's z axis, which
    points out of the body.
    """

    site: str
    ratio: float = field(default=1.0, kw_only=True)
    friction: float = field(default=FRICTION, kw_only=True)

    def __post_init__(self) -> None:
        """Check the numbers."""
        where = f"of the support {_named(self.site, 'a support')!r}"
        object.__setattr__(self, "ratio", number(self.ratio, f"the ratio {where}", most=MOST))
        friction = number(self.friction, f"the friction {where}", above=0, most=MOST)
        object.__setattr__(self, "friction", friction)


@closed
@dataclass(frozen=True)
class Load:
    """A force (N) at a point of a named frame, and a torque (N·m): both act on the figure.

    They keep their direction in the world however the figure moves; the `point` (m) rides on the
    frame.
    """

    site: str
    force: Vec3 = field(default=_NOTHING, kw_only=True)
    torque: Vec3 = field(default=_NOTHING, kw_only=True)
    point: Vec3 = field(default=_NOTHING, kw_only=True)

    def __post_init__(self) -> None:
        """Check the numbers."""
        where = f"on {_named(self.site, 'a force')!r}"
        for name, unit in (("force", "N"), ("torque", "N·m"), ("point", "m")):
            what = f"the {name} ({unit}) {where}"
            value = vector(getattr(self, name), what, most=MOST, unit=unit)
            object.__setattr__(self, name, value)


class UnsupportedError(PoiseError):
    """Nothing supports a figure."""

    def __init__(self, whose: str) -> None:
        """Say whom; its name stands in quotation marks."""
        super().__init__(
            f"nothing supports {whose}",
            code=': name what it stands on, such as scene.forces.support("left_foot", ratio=1.0)',
            remedy="support",
        )
        self.whose = whose


def weight_of(figure: Figure, segments: Sequence[str] | None = None) -> Values:
    """The weight (3,) of some segments of a figure, or of all of it, in N."""
    mass = figure.mass  # known already, where those of segments are summed anew
    if segments is not None and len(segments) < len(figure.segments):
        mass = sum(figure.segments[name].mass_properties()[0] for name in segments)
    return np.array([0.0, 0.0, -GRAVITY * mass])


def check_ratios(supports: Sequence[Support], whose: str) -> None:
    """Raise unless there are supports, and their ratios add up to 1."""
    if not supports:
        raise UnsupportedError(whose)
    total = sum(support.ratio for support in supports)
    if abs(total - 1.0) > 1e-9:
        listed = ", ".join(f"{support.site} {support.ratio:g}" for support in supports)
        raise PoiseError(
            f"the ratios of the supports of {whose} must add up to 1, but {listed} make {total:g}"
        )


def shared(
    weight: Values, supports: Sequence[Support], applied: Sequence[Load], whose: str
) -> list[Load]:
    """What each support bears, by its ratio, of all that balances the weight and what is applied.

    The thesis shares only the weight, and lets the root bear the rest, which twists the posture.
    """
    check_ratios(supports, whose)
    wanted = -(weight + np.sum([load.force for load in applied], axis=0, initial=0.0))
    x, y, z = wanted.tolist()
    return [
        Load(s.site, force=(s.ratio * x, s.ratio * y, s.ratio * z)) for s in supports if s.ratio
    ]


@closed
@dataclass(frozen=True)
class Reaction:
    """What a support bears."""

    site: str
    force: Vec3
    """On the figure, in the world (N)."""
    normal: float
    """How much of it pushes away from the surface (N); negative where it would have to stick."""
    across: float
    """How much of it lies in the surface (N)."""
    friction: float
    """The coefficient that there is."""

    @property
    def needed(self) -> float:
        """The coefficient of friction that it needs; infinite where it pulls."""
        if self.across < 1e-9 and self.normal >= 0:
            return 0.0
        return self.across / self.normal if self.normal > 0 else float("inf")

    @property
    def holds(self) -> bool:
        """Whether the force lies within the friction cone."""
        return self.needed <= self.friction * (1 + 1e-9)

    def __str__(self) -> str:
        """One line."""
        x, y, z = self.force
        verdict = "holds" if self.holds else "pulls" if self.normal < 0 else "slips"
        return (
            f"{self.site}: ({x:.1f}, {y:.1f}, {z:.1f}) N, needs friction {self.needed:.2f} "
            f"of {self.friction:g}: {verdict}"
        )


def reactions(
    supports: Sequence[Support], borne: Sequence[Load], places: Placements
) -> tuple[Reaction, ...]:
    """What each support bears, in all, against its friction cone."""
    result: list[Reaction] = []
    for support in supports:
        forces = [load.force for load in borne if load.site == support.site]
        force = np.sum(forces, axis=0) if forces else np.zeros(3)
        normal = -places[support.site].rotation[:, 2]
        pushes = float(normal @ force)
        across = float(np.linalg.norm(force - pushes * normal))
        x, y, z = force.tolist()
        result.append(Reaction(support.site, (x, y, z), pushes, across, support.friction))
    return tuple(result)


def _named(value: object, what: str) -> str:
    if not isinstance(value, str) or not value:
        raise PoiseError(f"the site of {what} must be the name of a site, not {value!r}")
    return value
