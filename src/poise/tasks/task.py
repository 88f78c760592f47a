"""What all tasks share: how they pack themselves for the kernels and how errors are read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from poise.calls import Called
from poise.checking import Vec3, factor
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Placements, Posture, Segment, Transform
from poise.figure.frames import point_from, rotation_from
from poise.kernel.body.masses import MOMENTS
from poise.statics.acting import Acting

Values = NDArray[np.float64]
Numbers = Sequence[float] | Values
"""Numbers in a row, as they are written into a packed problem."""
Rotation = tuple[Vec3, Vec3, Vec3]
"""A rotation matrix by rows, as tasks keep it."""

CHANGED = {"*": "in a scene it is changed through its handle: handle.{name} = …"}
"""What to do instead of setting an attribute of a task or criterion."""


class PostureStance(Protocol):
    """One Gaussian of a prior: log_weight − ½ |rows (features − mean)|² is its log-likelihood."""

    @property
    def name(self) -> str:
        """Such as "stand"."""
        ...

    @property
    def log_weight(self) -> float:
        """All that does not depend on the posture, in nats."""
        ...

    @property
    def mean(self) -> Values:
        """(m,) of the features."""
        ...

    @property
    def rows(self) -> Values:
        """(r, m), as many for each stance."""
        ...


class PosturePrior(Protocol):
    """How likely postures of a figure are; models make them, a scene passes them on.

    Features are the coordinates at `indices`, and the x and y of up as `node` sees it.
    """

    @property
    def stances(self) -> Sequence[PostureStance]:
        """The stances, the favoured one first."""
        ...

    @property
    def indices(self) -> NDArray[np.int64]:
        """(m − 2,) which coordinates of the figure."""
        ...

    @property
    def node(self) -> str:
        """The segment that sees the up direction."""
        ...


class PosturePriors(Protocol):
    """How likely postures of persons are, to be brought to a figure; models read them from files.

    `poise.models.prior.Prior` is one.
    """

    @property
    def file(self) -> Path | None:
        """The file that it was read from; None where there is none."""
        ...

    def on(self, figure: Figure) -> PosturePrior | None:
        """On a figure; None where that is no person."""
        ...


class Apart(NamedTuple):
    """Two shapes that are to stay apart, by their numbers in `collision.parts_of` all figures."""

    first: int
    second: int
    allowed: float
    """The depth (m) that is allowed, less the distance that is wanted."""


class StanceBlock(NamedTuple):
    """What the values of a block are in one stance."""

    name: str
    log_weight: float
    """As of the stance."""
    values: Values


@dataclass(frozen=True)
class Block:
    """One residual of a task, for the kernel (see `kernel.residuals.kinds`)."""

    kind: int
    rows: int
    values: Values
    node: int = 0
    other: int = -1
    share: float = 1.0
    """Part of the task's weight."""
    unit: str = "m"
    """"m" for lengths, "rad" for angles, which metres per radian turns into lengths, "N·m"."""
    metres_per_unit: float = 1.0
    """What the rows have been multiplied with, where the unit is neither "m" nor "rad"."""
    inequality: bool = False
    target: int = -1
    """Where in the values the numbers of the target begin; −1 where there are none."""
    corners: int = 0
    """Corners of a support."""
    chord: bool = False
    """Whether an angle is measured as the chord of a unit circle, not as its arc."""
    keep: Any = None
    """What must live as long as the block: a function that its numbers have the address of."""
    apart: Sequence[Apart] = ()
    """Of bodies that stay apart: all pairs of shapes."""
    stances: tuple[StanceBlock, ...] = ()
    """Of how people hold themselves: what its values may be, the first of which they are."""


@dataclass(frozen=True)
class Context:
    """What a task may ask while it packs itself."""

    figure: Figure
    posture: Posture
    places: Placements
    supports: Sequence[str] = ()
    """Sites that tasks hold with their outlines on the ground."""
    parts: Mapping[str, tuple[Figure, slice]] = field(
        default_factory=dict[str, tuple[Figure, slice]]
    )
    """In a scene of several figures, by name: each as it was given, and its part of q."""
    metres_per_radian: float = 0.5
    """What the scene says of the task that packs itself."""
    acting: Acting = field(default_factory=Acting)
    """The forces on the figures."""
    priors: Mapping[str, PosturePrior] = field(default_factory=dict[str, PosturePrior])
    """How likely the postures of those figures are that are persons, by name as in `parts`."""
    facing_elsewhere: Mapping[str, float] = field(default_factory=dict[str, float])
    """Sites that tasks hold so that they support nothing: how far their z is from down (rad)."""

    @property
    def is_single(self) -> bool:
        """Whether names are used as they are: there is but one figure, given alone."""
        return not any(self._is_merged(name) for name in self.parts)

    def with_held(self, tasks: Iterable[Task]) -> Context:
        """The same with what some tasks hold."""
        supports: dict[str, None] = {}
        elsewhere: dict[str, float] = {}
        for task in tasks:
            supports |= dict.fromkeys(task.held())
            elsewhere |= task.facing_elsewhere()
        return replace(self, supports=list(supports), facing_elsewhere=elsewhere)

    def site(self, name: str) -> tuple[int, Transform]:
        """The node of a named frame, and its place there."""
        return self.figure.frame(name)

    def owner(self, name: str) -> str | None:
        """The figure to which a named frame belongs; None where there is but one figure."""
        first = name.partition("/")[0]
        return first if first in self.parts and self._is_merged(first) else None

    def members(self, figure: str | None) -> list[str]:
        """The names of the segments of one figure among several; with None, of all."""
        if figure is None:
            return list(self.figure.segments)
        if figure not in self.parts:
            raise unknown_name("figure", figure, self.parts)
        if not self._is_merged(figure):
            return list(self.figure.segments)
        return [name for name in self.figure.segments if name.startswith(f"{figure}/")]

    def require_mass(self, what: str, figure: str | None = None) -> None:
        """Raise where there is no centre of mass to speak of."""
        segments = self.figure.segments
        if not any(segments[name].mass_properties()[0] > 0 for name in self.members(figure)):
            raise PoiseError(
                f"{what} needs masses, and the figure {figure or self.figure.name!r} has none; "
                "give its segments masses"
            )

    def part(self, figure: str | None) -> Values:
        """One figure among several (see `kernel.body.masses.MOMENTS`); empty for all."""
        names = self.members(figure)
        if len(names) == len(self.figure.segments):
            return np.zeros(0)
        parents = self.figure.packed.tree.parent
        moments, own = np.zeros(MOMENTS), np.zeros(parents.size)
        for name in names:
            node, place = self.figure.packed.segments[name]
            if node == 0:
                moments += _moments(self.figure.segments[name], place)
            while node > 0:
                own[node] = 1.0
                node = int(parents[node])
        return np.concatenate([moments, own])

    def _is_merged(self, figure: str) -> bool:
        return all(
            f"{figure}/{name}" in self.figure.segments for name in self.parts[figure][0].segments
        )


@closed
@dataclass(frozen=True)
class Error:
    """How far off something is: in "m", printed as mm, "rad", printed as degrees, or "N·m"."""

    value: float
    unit: str

    def __str__(self) -> str:
        """Like "3.2 mm", "12.3 m" or "0.41°"."""
        if self.unit == "rad":
            return f"{digits(np.rad2deg(self.value))}°"
        if self.unit != "m":
            return f"{digits(self.value)} {self.unit}"
        return length_text(self.value)


def length_text(metres: float) -> str:
    """A length for people: in millimetres, from 10 m on in metres."""
    return f"{digits(metres)} m" if abs(metres) >= 10 else f"{digits(1e3 * metres)} mm"


def digits(value: float) -> str:
    """A number with three digits that count, and never as 6.35e+03; whole ones stay whole."""
    return f"{value:.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


@closed
@dataclass(frozen=True)
class Task(Called):
    """Something wanted in space: a residual that should be zero, or not negative."""

    _instead: ClassVar[Mapping[str, str]] = CHANGED
    has_target: ClassVar[bool] = True

    def sites(self) -> Sequence[str]:
        """The names of the frames that the task is about."""
        return ()

    def check(self, context: Context) -> None:
        """Raise where the figure has not got what the task is about."""
        for name in self.sites():
            context.site(name)

    def checked_target(self, target: Any) -> Any:
        """A target as the task keeps it, or an error that says what is wrong; None stays None."""
        raise PoiseError(f"{article(self)} has no target")

    def with_target(self, target: Any) -> Self:
        """The same task with another target; None is filled in by `resolved`.

        A target that rides on a site stays: what the kernel computes depends on that, and new
        targets change only numbers.
        """
        checked = self.checked_target(target)
        before = getattr(self, "target", None)
        if isinstance(before, str) or isinstance(checked, str):
            was = f"rides on {before!r}" if rides(before) else "is fixed"
            raise PoiseError(
                f"the target of {', '.join(map(repr, self.sites()[:1]))} {was}, and that cannot be "
                "changed: remove the task and add another"
            )
        other = object.__new__(type(self))  # a motion asks for thousands, and `copy` takes long
        state = other.__dict__
        state.update(self.__dict__)
        state["target"] = checked
        return other

    def resolved(self, context: Context) -> Self:
        """The task with what was left open filled in from the present posture."""
        return self

    def spot(self) -> Vec3 | None:
        """The one point in the world (m) where the task wants something; None where it has none."""
        return None

    def goals(self) -> tuple[Numbers, ...]:
        """The target's numbers for each block that has some; they can change between solves."""
        return ()

    def blocks(self, context: Context) -> list[Block]:
        """The residuals for the kernel; what was left open must have been resolved."""
        raise PoiseError(f"{type(self).__name__} is not a task that can be solved")

    def held(self) -> Sequence[str]:
        """Sites that the task keeps on the ground, for the support of `Balance`."""
        return ()

    def facing_elsewhere(self) -> Mapping[str, float]:
        """Sites that it keeps in place, but not like soles: how far their z is from down (rad)."""
        return {}

    def scale(self, default: float) -> float:
        """Metres per radian; the scene's unless the task has its own."""
        return default

    def remark(self, context: Context) -> str:
        """What a person should know when the task is not met; mostly nothing."""
        return ""

    def cost(self, figure: Figure) -> Sequence[str]:
        """What a person should know of the time that it takes; mostly nothing."""
        return ()


@closed
@dataclass(frozen=True)
class TurningTask(Task):
    """A task with angles, which `metres_per_radian` turns into lengths.

    Left open, it is the scene's. With 0.5 an error of 1 rad weighs as much as one of 0.5 m: the
    papers' c, where d degrees weigh as much as one unit of length, is 180/(π d).
    """

    metres_per_radian: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the scale."""
        if self.metres_per_radian is not None:
            scale = factor(self.metres_per_radian, "metres_per_radian")
            settle(self, "metres_per_radian", scale)

    def scale(self, default: float) -> float:
        """The task's own metres per radian, if it has one."""
        return default if self.metres_per_radian is None else self.metres_per_radian


@closed
@dataclass(frozen=True)
class SiteTask(TurningTask):
    """A task with angles about one site and its target, which may be another site by its name."""

    site: str
    target: Any = None

    def sites(self) -> Sequence[str]:
        """The site, and the one that is its target."""
        return (self.site, self.target) if rides(self.target) else (self.site,)


@closed
@dataclass(frozen=True)
class Criterion(Called):
    """A scalar to be made small with whatever freedom the tasks leave; always last."""

    _instead: ClassVar[Mapping[str, str]] = CHANGED

    def springs(self, context: Context) -> tuple[Values, Values]:
        """Where the coordinates are drawn (n,), and how strongly each (n,): ½ p (q − r)²."""
        raise PoiseError(f"{type(self).__name__} is not a criterion that can be solved")

    def zone(self, context: Context) -> tuple[Values, Values, Values]:
        """Between which ends the coordinates are at ease, and how strongly they are drawn there.

        The lower ends (n,), the upper ends (n,), and the strength (n,) of a spring that acts
        outside only: ½ s (q − end)².
        """
        n = context.figure.n
        return np.full(n, -np.inf), np.full(n, np.inf), np.zeros(n)

    def blocks(self, context: Context) -> list[Block]:
        """Residuals whose half squares are made small after all tasks, with springs and zones."""
        return []


def named(value: Any, what: str) -> str:
    """The name of a site, segment or joint; whether it exists is seen in a scene."""
    if not isinstance(value, str) or not value:
        raise PoiseError(f"{what} must be the name of a site, segment or joint, not {value!r}")
    return value


def words(name: str) -> str:
    """The name of a class as files and reports have it: `CenterOfMass` as `center_of_mass`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def article(task: Any) -> str:
    """The kind of a task for messages: "a Line", "an Aim"."""
    name = type(task).__name__
    return f"{'an' if name[0] in 'AEIO' else 'a'} {name}"


def rides(target: Any) -> bool:
    """Whether a target is the name of a site, with which it moves."""
    return isinstance(target, str)


def carrier(value: str, site: str, what: str) -> str:
    """The name of a site with which something moves, which must not be the task's own."""
    named(value, what)
    if value == site:
        raise PoiseError(f"{what} must be another site, not {site!r} itself")
    return value


def point_target(value: Any, what: str) -> Vec3 | None:
    """A point in the world (m), or that of a frame; None for the present place."""
    if value is None:
        return None
    return point_from(value, what)


def position_of(target: Any) -> Vec3 | None:
    """The point that a target is or has; None where it is left open or rides on a site."""
    if target is None or rides(target):
        return None
    x, y, z = target.position.tolist() if isinstance(target, Transform) else target
    return (x, y, z)


def rotation_target(value: Any, what: str) -> Rotation | None:
    """The rows of a rotation matrix, from an orientation or a frame; None for the present one."""
    if value is None:
        return None
    rows = rotation_from(value, what)
    a, b, c = map(tuple, rows.tolist())
    return (a, b, c)


def settle(task: Any, attribute: str, value: Any) -> None:
    """Set an attribute of a frozen task while it checks itself."""
    object.__setattr__(task, attribute, value)


def _moments(segment: Segment, place: Transform) -> Values:
    """Mass, first and second moments of a segment about the origin of what it is placed in."""
    mass, center, inertia = segment.mass_properties()
    at = place.apply(center)
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    second = place.rotation @ second @ place.rotation.T + mass * np.outer(at, at)
    return np.array([mass, *(mass * at), *second.diagonal(), *second[(0, 0, 1), (1, 2, 2)]])
