"""What binds coordinates together: couplings, and joint groups with few parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.checking import Interval, interval, mapping, name, number
from poise.closed import closed
from poise.errors import PoiseError, unknown_name

Terms = Mapping[str, float]

STEEPEST = 1e9
"""The greatest factor of a coupling or a group's term that is taken."""
HIGHEST = 20
"""The greatest degree of a group's term that is taken."""


@closed
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
        terms = _by_coordinate(self.terms, f"the terms {where}", "factors")
        factors = {c: _factor(f, f"the factor of {c!r} {where}") for c, f in terms.items()}
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


@closed
@dataclass(frozen=True)
class Monomial:
    """A term of a joint group: `factor · Π parameter^power`."""

    factor: float
    powers: Mapping[str, int]

    def __post_init__(self) -> None:
        """Check the numbers."""
        _set(self, "factor", _factor(self.factor, "the factor of a group's term"))
        powers = mapping(self.powers, "the powers in a group's term", "powers by parameter")
        for parameter, power in powers.items():
            whole = isinstance(power, (int, np.integer)) and not isinstance(power, bool)
            if not whole or power < 1:
                raise PoiseError(
                    f"the power of {parameter!r} in a group's term must be 1, 2, …, not {power!r}"
                )
        _set(self, "powers", {parameter: int(power) for parameter, power in powers.items()})
        if sum(self.powers.values()) > HIGHEST:
            raise PoiseError(f"the powers in a group's term must sum to {HIGHEST} or less")


@closed
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
        given = mapping(self.parameters, f"the parameters {where}", "limits by parameter")
        for parameter, limits in given.items():
            what = f"the limits of {name(parameter, 'parameter')!r} {where}"
            parameters[parameter] = interval(limits, what)
        driven = _by_coordinate(self.members, f"the members {where}", "terms")
        if not parameters or not driven:
            raise PoiseError(f"group {self.name!r} needs parameters and members")
        members: dict[str, tuple[Monomial, ...]] = {}
        for member, terms in driven.items():
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

    def __repr__(self) -> str:
        """The name, the parameters and how many coordinates they drive."""
        driven = f"drive {len(self.members)} coordinates"
        return f"<Group {self.name!r}: {', '.join(self.parameters)} {driven}>"

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


def _set(law: Any, attribute: str, value: Any) -> None:
    object.__setattr__(law, attribute, value)


def _by_coordinate(value: Any, what: str, things: str) -> Mapping[str, Any]:
    allowed = f"{things} by the names of coordinates"
    result = mapping(value, what, allowed)
    for each in result:
        if not isinstance(each, str):
            raise PoiseError(f"{what} must be {allowed}, not by {each!r}")
    return result


def _factor(value: Any, what: str) -> float:
    return number(value, what, least=-STEEPEST, most=STEEPEST)
