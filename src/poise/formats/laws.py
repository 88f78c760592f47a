"""Couplings and joint groups as linear laws between hinges and slides, for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from poise.checking import Interval
from poise.figure import Figure
from poise.figure.parts import Coupling, Group
from poise.formats.hostile import Names

Values = NDArray[np.float64]


class Laws:
    """The laws of a figure in the coordinates of its joints, groups resolved.

    Where a group drives joints linearly, as many of its members as it has parameters lead, and the
    others follow them. Laws that involve more than hinges and slides cannot be said elsewhere.

    Attributes:
        couplings: laws whose terms are coordinates of hinges and slides.
        limits: of the members that lead, those which their group's parameters give them.
        notes: what cannot be said.
    """

    def __init__(self, figure: Figure, scalars: Iterable[str]) -> None:
        """Find them.

        Args:
            figure: the figure.
            scalars: the coordinates that the other program has too.
        """
        self.couplings: list[Coupling] = []
        self.limits: dict[str, Interval] = {}
        self.notes: list[str] = []
        self._scalars = set(scalars)
        self._names = Names(*figure.couplings)
        self._meaning: dict[str, tuple[Mapping[str, float], float]] = {}
        """What a group's parameter is: factors of members that lead, and a constant."""
        for group in figure.groups.values():
            if not group.is_linear or not set(group.terms) <= self._scalars:
                self.notes.append(f"the joints of group {group.name!r} go free of one another")
            else:
                self.notes.append(f"group {group.name!r} is written as laws between its joints")
                self._resolve(group)
        for coupling in figure.couplings.values():
            self._translate(coupling)

    def _resolve(self, group: Group) -> None:
        members = list(group.terms)
        start = np.zeros(len(group.parameters))
        constants, rates = group.evaluate(start), group.rates(start)
        leaders = _independent(rates)
        if len(leaders) < len(group.parameters):
            self.notes.append(
                f"group {group.name!r} has parameters that move nothing by themselves"
            )
            return
        inverse = np.linalg.inv(rates[leaders])
        for parameter, row in zip(group.coordinates, inverse, strict=True):
            factors = {members[leader]: float(f) for leader, f in zip(leaders, row, strict=True)}
            self._meaning[parameter] = (factors, -float(row @ constants[leaders]))
        for i, member in enumerate(members):
            if i in leaders:
                continue
            follows = rates[i] @ inverse
            terms = {members[k]: -float(f) for k, f in zip(leaders, follows, strict=True)}
            value = float(constants[i] - follows @ constants[leaders])
            name = self._names.fresh(f"{group.name}_{member}")
            self._add(name, {member: 1.0, **terms}, value, value)
        for parameter, (low, high) in zip(
            group.coordinates, group.parameters.values(), strict=True
        ):
            factors, constant = self._meaning[parameter]
            name = self._names.fresh(f"{group.name}_{parameter}")
            self._add(name, factors, low - constant, high - constant)

    def _translate(self, coupling: Coupling) -> None:
        terms: dict[str, float] = {}
        constant = 0.0
        for coordinate, factor in coupling.terms.items():
            factors, more = self._meaning.get(coordinate, ({coordinate: 1.0}, 0.0))
            constant += factor * more
            for member, each in factors.items():
                terms[member] = terms.get(member, 0.0) + factor * each
        if set(terms) <= self._scalars:
            self._add(coupling.name, terms, coupling.lower - constant, coupling.upper - constant)
        else:
            self.notes.append(f"coupling {coupling.name!r} binds more than hinges: left out")

    def _add(self, name: str, terms: Mapping[str, float], low: float, high: float) -> None:
        """A law between several coordinates; one about a single coordinate is a limit."""
        used = {each: factor for each, factor in terms.items() if abs(factor) > 1e-15}
        if len(used) == 1:
            ((member, factor),) = used.items()
            ends = sorted((low / factor, high / factor))
            before = self.limits.get(member, (-np.inf, np.inf))
            self.limits[member] = (max(before[0], ends[0]), min(before[1], ends[1]))
        elif used and np.isfinite([low, high]).any():
            self.couplings.append(Coupling(name, used, low, high))


def _independent(rates: Values) -> list[int]:
    """The first rows that are independent of those before, as many as there are columns."""
    chosen: list[int] = []
    for i in range(len(rates)):
        if len(chosen) < rates.shape[1]:
            rank = int(np.linalg.matrix_rank(rates[[*chosen, i]]))
            chosen += [i] if rank > len(chosen) else []
    return chosen
