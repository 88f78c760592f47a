"""The figures of a scene as one, and their postures as one vector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture
from poise.figure.merging import merge

Values = NDArray[np.float64]


class Ensemble:
    """One figure, or several that solvers see as one, with the postures that they have now."""

    def __init__(self, given: Any) -> None:
        """Take a figure, a mapping of figures by name, or a list of figures."""
        self.is_merged = not isinstance(given, Figure)
        self.figures: Mapping[str, Figure] = MappingProxyType(_by_name(given))
        self.whole = merge(self.figures) if self.is_merged else given
        self.parts: dict[str, tuple[Figure, slice]] = {}
        first = 0
        for name, figure in self.figures.items():
            self.parts[name] = figure, slice(first, first + figure.n)
            first += figure.n
        self.postures = {name: figure.rest() for name, figure in self.figures.items()}

    def figure(self, name: str) -> Figure:
        """The figure of that name."""
        if name not in self.figures:
            raise unknown_name("figure", name, self.figures)
        return self.figures[name]

    def take(self, name: str, posture: Any) -> None:
        """Give a figure another posture: a `Posture` of it, or its coordinates (n,)."""
        figure = self.figure(name)
        self.postures[name] = figure.posture(figure.q_of(posture))

    def only(self) -> str:
        """The name of the one figure, or an error when there are more."""
        if len(self.figures) > 1:
            listed = ", ".join(self.figures)
            raise PoiseError(f"there are several figures, {listed}: use `postures`, by name")
        return next(iter(self.figures))

    def q(self) -> Values:
        """All coordinates."""
        return np.concatenate([posture.q for posture in self.postures.values()])

    def split(self, q: Values) -> dict[str, Posture]:
        """The figures' postures from all coordinates."""
        return {name: figure.posture(q[span]) for name, (figure, span) in self.parts.items()}

    def willingness(self) -> tuple[bytes, ...]:
        """What the figures say of stiffness and locks, brought into the whole; for comparison."""
        whole = self.whole
        if self.is_merged:
            locked: set[str] = set()
            for name, (figure, span) in self.parts.items():
                whole.stiffness.values[span] = figure.stiffness.values
                locked.update(f"{name}/{each}" for each in figure.locked_names)
            if whole.locked_names:
                whole.unlock()
            whole.lock(*locked)
        return whole.stiffness.values.tobytes(), *(each.encode() for each in whole.locked_names)


def _by_name(given: Any) -> dict[str, Figure]:
    """Figures by name, from whatever a scene was given."""
    if isinstance(given, Figure):
        return {given.name: given}
    figures: dict[str, Any]
    if isinstance(given, Mapping):
        figures = dict(given)
    elif isinstance(given, Iterable) and not isinstance(given, str):
        figures = {f"figure_{i}": each for i, each in enumerate(given, 1)}
    else:
        figures = {"figure": given}
    for figure in figures.values():
        if not isinstance(figure, Figure):
            raise PoiseError(
                f"a scene takes a Figure, a list of Figures, or Figures by name, not {figure!r}"
            )
    return figures
