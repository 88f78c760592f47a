"""What a figure is made of: segments, joints, sites, couplings and joint groups."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.checking import AXES, Vec3, array, name, number, vector
from poise.errors import PoiseError, unknown_name
from poise.figure.kinds import KINDS, Ball, Fixed, Interval, Kind, Swing, interval
from poise.figure.limit_checks import check_nonempty
from poise.figure.shapes import SHAPES, Shape, combined
from poise.figure.transform import Transform, rotation_matrix

WORLD = "world"
"""The parent's name of a joint that holds a figure to the ground."""

Matrix3 = tuple[Vec3, Vec3, Vec3]
Terms = Mapping[str, float]


@dataclass(frozen=True)
class Segment:
    """A rigid part, with its mass (kg), centre of mass (m) and inertia about it (kg·m²).

    What is not given is computed from the shapes: the mass from their volume and the
    density (kg/m³), centre and inertia as those of a body of even density. A segment
    without shapes has the centre of mass in its origin, and no inertia unless given. The
    color ("#3f74ad") is for pictures.
    """

    name: str
    mass: float | None = None
    center: Vec3 | None = None
    inertia: Matrix3 | None = None
    shapes: tuple[Shape, ...] = ()
    density: float | None = None
    color: str | None = None

    def __post_init__(self) -> None:
        """Check the numbers."""
        where = f"of segment {name(self.name, 'segment')!r}"
        if self.color is not None and not re.fullmatch("#[0-9a-fA-F]{6}", str(self.color)):
            raise PoiseError(f"the color {where} must be like '#3f74ad', not {self.color!r}")
        _set(self, "shapes", tuple(self.shapes))
        for shape in self.shapes:
            if not isinstance(shape, Shape):
                raise PoiseError(f"a shape {where} must be a {_one_of(SHAPES)}, not {shape!r}")
        if self.mass is not None:
            _set(self, "mass", number(self.mass, f"the mass (kg) {where}", least=0))
        if self.density is not None:
            _set(self, "density", number(self.density, f"the density (kg/m³) {where}", above=0))
            if not self.shapes:
                raise PoiseError(f"the density {where} means nothing without shapes")
            if self.mass is not None:
                raise PoiseError(f"give the mass {where} or its density, not both")
        if self.center is not None:
            _set(self, "center", vector(self.center, f"the centre of mass {where}"))
        if self.inertia is not None:
            _set(self, "inertia", _inertia(self.inertia, where))

    def mass_properties(self) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
        """Mass, centre of mass, inertia about it, in the segment's axes."""
        body = combined([shape.solid() for shape in self.shapes]) if self.shapes else None
        mass = self.mass
        if mass is None:
            mass = body.volume * self.density if body and self.density else 0.0
        center = np.zeros(3)
        inertia = np.zeros((3, 3))
        if body:
            center, inertia = body.center, body.inertia * (mass / body.volume)
        if self.center is not None:
            center = np.array(self.center)
        if self.inertia is not None:
            inertia = np.array(self.inertia)
        return mass, center, inertia


@dataclass(frozen=True)
class Joint:
    """What joins a child segment to its parent.

    `position` and `rotation` (a rotation vector) place the joint's frame in the parent
    segment. `child_position` and `child_rotation` place the child's frame in the frame that
    moves; mostly they are the same and these stay zero.

    `clinical` names angles as clinicians do: for a ball or a swing, a name for each signed
    axis of the joint's frame, such as `{"flexion": "-y", "abduction": "x", "rotation":
    "-z"}`. Flexion and abduction are then the components of the one direct rotation that
    takes the segment's long axis from the anatomical position to where it is, rotation
    is the twist about the segment after it. Other kinds name their coordinates.
    """

    name: str
    kind: Kind
    parent: str
    child: str
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: Vec3 = (0.0, 0.0, 0.0)
    child_position: Vec3 = (0.0, 0.0, 0.0)
    child_rotation: Vec3 = (0.0, 0.0, 0.0)
    clinical: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        """Check the numbers."""
        where = f"joint {name(self.name, 'joint')!r}"
        if not isinstance(self.kind, Kind):
            raise PoiseError(f"the kind of {where} must be a {_one_of(KINDS)}, not {self.kind!r}")
        for each in ("position", "rotation", "child_position", "child_rotation"):
            _set(
                self, each, vector(getattr(self, each), f"the {each.replace('_', ' ')} of {where}")
            )
        if isinstance(self.kind, (Ball, Swing)):
            low, high = np.array(self.kind.box).T
            check_nonempty(where, self.kind.node, low, high, self.kind.limits)
        _set(self, "clinical", dict(self.clinical))
        if self.clinical and not isinstance(self.kind, (Ball, Swing)):
            raise PoiseError(
                f"clinical angles of {where}: a {self.kind.kind} names its coordinates instead"
            )
        for angle, axis in self.clinical.items():
            if axis not in AXES:
                raise unknown_name("axis", axis, AXES, f"the clinical angle {angle!r} of {where}")
        axes = [axis[-1] for axis in self.clinical.values()]
        if len(set(axes)) < len(axes):
            raise PoiseError(f"clinical angles of {where} use one axis twice: {self.clinical}")

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Full names of the coordinates, such as "left_knee.flexion"."""
        return tuple(f"{self.name}.{each}" for each in self.kind.coordinates or ())

    @property
    def before(self) -> Transform:
        """The joint's frame in the parent segment."""
        return Transform.make(self.position, self.rotation)

    @property
    def after(self) -> Transform:
        """The child's frame in the frame that moves."""
        return Transform.make(self.child_position, self.child_rotation)


@dataclass(frozen=True)
class Site:
    """A named frame on a segment; an outline (m, counter-clockwise in its x-y plane) supports.

    The z axis of a sole or a palm points out of the body, into what it stands on or touches.
    """

    name: str
    segment: str
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: Vec3 = (0.0, 0.0, 0.0)
    outline: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        """Check the numbers."""
        where = f"of site {name(self.name, 'site')!r}"
        for each in ("position", "rotation"):
            _set(self, each, vector(getattr(self, each), f"the {each} {where}"))
        if len(self.outline):
            points = array(self.outline, f"the outline {where}", (-1, 2))
            if len(points) < 3:
                raise PoiseError(f"the outline {where} needs at least 3 points, not {len(points)}")
            _set(self, "outline", tuple((float(x), float(y)) for x, y in points))

    @property
    def place(self) -> Transform:
        """The site's frame in its segment."""
        return Transform(rotation_matrix(self.rotation), np.array(self.position))


@dataclass(frozen=True)
class Coupling:
    """A linear law between coordinates that is never broken: lower ≤ Σ factor · q ≤ upper.

    Equal bounds make an equality: DIP = 2/3 PIP is
    `Coupling("index", {"index_dip.flexion": 1, "index_pip.flexion": -2/3}, 0, 0)`.
    """

    name: str
    terms: Terms
    lower: float = -np.inf
    upper: float = np.inf

    def __post_init__(self) -> None:
        """Check the numbers."""
        where = f"of coupling {name(self.name, 'coupling')!r}"
        factors = {c: number(f, f"the factor of {c!r} {where}") for c, f in self.terms.items()}
        if not any(factors.values()):
            raise PoiseError(
                f"coupling {self.name!r} needs a coordinate with a factor that is not 0"
            )
        _set(self, "terms", factors)
        for each in ("lower", "upper"):
            _set(
                self, each, number(getattr(self, each), f"the {each} bound {where}", infinite=True)
            )
        if self.lower > self.upper or self.lower == np.inf or self.upper == -np.inf:
            raise PoiseError(
                f"the bounds {where} must be lower before upper, not {self.lower:g}, {self.upper:g}"
            )
        if np.isinf(self.lower) and np.isinf(self.upper):
            raise PoiseError(
                f"coupling {self.name!r} binds nothing: give a lower or an upper bound"
            )


@dataclass(frozen=True)
class Monomial:
    """A term of a joint group: `factor · Π parameter^power`."""

    factor: float
    powers: Mapping[str, int]

    def __post_init__(self) -> None:
        """Check the numbers."""
        _set(self, "factor", number(self.factor, "the factor of a group's term"))
        for parameter, power in self.powers.items():
            if not isinstance(power, (int, np.integer)) or power < 1:
                raise PoiseError(
                    f"the power of {parameter!r} in a group's term must be 1, 2, …, not {power!r}"
                )
        _set(self, "powers", {parameter: int(power) for parameter, power in self.powers.items()})


@dataclass(frozen=True)
class Group:
    """Few parameters that drive many joints, as flexing the spine moves every vertebra.

    Every coordinate of every member joint is a sum of terms in the parameters; one that is
    not named in `members` stays zero. In a linear group a term is a factor for one
    parameter: `{"l1_l2.swing_y": {"flexion": 0.1}}`; others are lists of `Monomial`, an empty
    product being a constant. The parameters take the members' place among the coordinates.
    """

    name: str
    parameters: Mapping[str, Interval]
    members: Mapping[str, Terms | tuple[Monomial, ...]]

    def __post_init__(self) -> None:
        """Check the numbers and write linear members as monomials."""
        where = f"of group {name(self.name, 'group')!r}"
        parameters: dict[str, Interval] = {}
        for parameter, limits in self.parameters.items():
            what = f"the limits of {name(parameter, 'parameter')!r} {where}"
            parameters[parameter] = interval(limits, what)
        if not parameters or not self.members:
            raise PoiseError(f"group {self.name!r} needs parameters and members")
        members: dict[str, tuple[Monomial, ...]] = {}
        for member, terms in self.members.items():
            if isinstance(terms, Mapping):
                terms = tuple(Monomial(factor, {p: 1}) for p, factor in terms.items())
            if not isinstance(terms, (tuple, list)):
                raise PoiseError(
                    f"member {member!r} {where} must be factors by parameter, or Monomials, "
                    f"not {terms!r}"
                )
            members[member] = tuple(terms)
            for term in members[member]:
                if not isinstance(term, Monomial):
                    raise PoiseError(
                        f"a term of member {member!r} {where} must be a Monomial, not {term!r}"
                    )
                for parameter in term.powers:
                    if parameter not in parameters:
                        raise unknown_name(
                            "parameter", parameter, parameters, f"member {member!r} {where}"
                        )
        _set(self, "parameters", parameters)
        _set(self, "members", members)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Full names of the parameters, such as "spine.flexion"."""
        return tuple(f"{self.name}.{parameter}" for parameter in self.parameters)

    @property
    def terms(self) -> Mapping[str, tuple[Monomial, ...]]:
        """The members with their terms as monomials."""
        return self.members  # type: ignore[return-value]

    def evaluate(self, parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        """The members' coordinates, in the order of `members`."""
        p = dict(zip(self.parameters, parameters.tolist(), strict=True))
        return np.array(
            [
                sum(t.factor * np.prod([p[k] ** e for k, e in t.powers.items()]) for t in terms)
                for terms in self.terms.values()
            ],
            np.float64,
        )

    def rates(self, parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        """The derivative of `evaluate`: a row for each member, a column for each parameter."""
        result = np.zeros((len(self.members), len(self.parameters)))
        index = {parameter: i for i, parameter in enumerate(self.parameters)}
        for row, terms in zip(result, self.terms.values(), strict=True):
            for term in terms:
                for parameter, power in term.powers.items():
                    others = {**term.powers, parameter: power - 1}
                    product = np.prod([parameters[index[k]] ** e for k, e in others.items()])
                    row[index[parameter]] += term.factor * power * product
        return result

    def fit(self, members: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
        """The parameters whose members come nearest (least squares) to given coordinates.

        Args:
            members: the coordinates, in the order of `members`.
            start: where to begin; of a group that is not linear the nearest minimum is found.
        """
        from scipy.optimize import least_squares

        if self.is_linear:
            step = np.linalg.lstsq(self.rates(start), members - self.evaluate(start))[0]
            return start + step
        rates: Any = self.rates  # its stubs want a method's name here
        least = 1e-15
        found = least_squares(
            lambda p: self.evaluate(p) - members, start, rates, xtol=least, ftol=least, gtol=least
        )
        return np.asarray(found.x)

    @property
    def is_linear(self) -> bool:
        """Whether every member is a constant plus factors times parameters."""
        return all(sum(t.powers.values()) <= 1 for terms in self.terms.values() for t in terms)


def grounded(child: str, position: Vec3 = (0, 0, 0), rotation: Vec3 = (0, 0, 0)) -> Joint:
    """The joint of a root that stands still."""
    return Joint("root", Fixed(), WORLD, child, position, rotation)


def _set(part: Any, attribute: str, value: Any) -> None:
    object.__setattr__(part, attribute, value)


def _one_of(kinds: Mapping[str, type]) -> str:
    *most, last = (each.__name__ for each in kinds.values())
    return f"{', '.join(most)} or {last}"


def _inertia(value: Any, where: str) -> Matrix3:
    tensor = array(value, f"the inertia {where}", (3, 3))
    if not np.allclose(tensor, tensor.T, rtol=1e-9, atol=1e-12):
        raise PoiseError(f"the inertia {where} must be symmetric")
    principal = np.linalg.eigvalsh(tensor)
    slack = 1e-9 * max(1e-12, float(principal[-1]))
    if principal[0] < -slack or principal[2] > principal[0] + principal[1] + slack:
        moments = ", ".join(f"{m:g}" for m in principal)
        raise PoiseError(
            f"the inertia {where} belongs to no body: its principal moments {moments} kg·m² must "
            "be positive and none greater than the sum of the others"
        )
    a, b, c = tensor.tolist()
    return (tuple(a), tuple(b), tuple(c))
