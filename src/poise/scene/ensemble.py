"""The figures of a scene as one, with what they hold, and their postures as one vector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from poise.closed import ReadOnlyDict
from poise.errors import PoiseError, unknown_name
from poise.figure import WORLD, Figure, Posture
from poise.figure.holding import Attachment, attached
from poise.figure.merging import merge
from poise.figure.posture import keeping
from poise.scene.found import FoundPosture
from poise.scene.priors import priors_of
from poise.scene.things import Thing
from poise.tasks.task import PosturePrior

Values = NDArray[np.float64]
Willingness = list[bytes | tuple[Any, ...]]
"""The stiffness of a figure, what is locked there and which overlaps were told, one figure after
the other."""
_Wanted = TypeVar("_Wanted")


class Ensemble:
    """One figure, or several that solvers see as one, with the postures that they have now.

    Props change the figures, never their coordinates: `with_things` gives another ensemble.
    """

    def __init__(self, given: Any) -> None:
        """Take a figure, a mapping of figures by name, or a list of figures."""
        self.is_merged = not isinstance(given, Figure)
        self.given: Mapping[str, Figure] = ReadOnlyDict(_by_name(given))
        """The figures as they were given, without what they hold."""
        self._bare = merge(self.given) if self.is_merged else given
        self.parts: dict[str, tuple[Figure, slice]] = {}
        first = 0
        for name, figure in self.given.items():
            self.parts[name] = figure, slice(first, first + figure.n)
            first += figure.n
        self._furnish({})
        self.postures = {name: figure.rest() for name, figure in self.figures.items()}

    def with_things(self, things: Mapping[str, Thing]) -> Ensemble:
        """The same figures in the same postures with other props."""
        other = object.__new__(Ensemble)
        other.is_merged, other.given = self.is_merged, self.given
        other._bare, other.parts = self._bare, self.parts
        other._furnish(things, self)
        other.postures = other.split(self.q())
        return other

    def copy(self) -> Ensemble:
        """The same figures and props, in postures of their own."""
        other = copy(self)
        other.postures = self.split(self.q())
        return other

    def _furnish(self, things: Mapping[str, Thing], before: Ensemble | None = None) -> None:
        """Attach props: those held to their figures and to the whole, then what stands about.

        Where no hand holds anything else than before, its figures serve again: to move a table
        should be quick.
        """
        self.things: Mapping[str, Thing] = ReadOnlyDict(things)
        """The props by name."""
        held: dict[str, list[Attachment]] = {name: [] for name in self.given}
        carried: list[Attachment] = []
        standing: list[Attachment] = []
        for thing in things.values():
            if thing.figure is None or thing.site is None:
                standing.append(Attachment(thing.prop, WORLD, thing.place))
                continue
            figure = self.given[thing.figure]
            segment = figure.segment_of(thing.site)
            # The site's frame in its segment does not depend on the posture.
            node, there = figure.frame(thing.site)
            base, here = figure.packed.segments[segment]
            if node != base:  # a joint's frame rides on the parent of its segment
                segment = figure.joints[thing.site].parent
                base, here = figure.packed.segments[segment]
            place = here.inverse() @ there @ thing.place
            held[thing.figure].append(Attachment(thing.prop, segment, place))
            owner = thing.figure if self.is_merged else ""
            parent = f"{owner}/{segment}" if owner else segment
            carried.append(Attachment(thing.prop, parent, place, owner))
        if before and _held(before.things) == _held(things):
            self.figures: Mapping[str, Figure] = before.figures
            """The figures with what they hold."""
            self.laden = before.laden
            """All figures as one, with what they hold, without what stands in the world."""
        else:
            self.figures = ReadOnlyDict(
                {name: attached(figure, held[name]) for name, figure in self.given.items()}
            )
            self.laden = attached(self._bare, carried)
            if not self.is_merged:
                self.laden = next(iter(self.figures.values()))
        self.whole = attached(self.laden, standing)

    @property
    def priors(self) -> Mapping[str, PosturePrior]:
        """How likely the postures of those figures are that are persons, by name."""
        return priors_of(self.given)

    def figure(self, name: str) -> Figure:
        """The figure of that name."""
        if name not in self.figures:
            raise unknown_name("figure", name, self.figures)
        return self.figures[name]

    def owner(self, name: str) -> tuple[str, str]:
        """The figure that has a site, segment or joint, and what it calls it."""
        if not isinstance(name, str):
            raise PoiseError(f"a site, segment or joint goes by its name, not {name!r}")
        if not self.is_merged:
            figure = next(iter(self.given))
            self.given[figure].segment_of(name)
            return figure, name
        figure, slash, own = name.partition("/")
        if not slash:
            raise PoiseError(
                f"there are several figures: write figure/name, such as {next(iter(self.given))}/"
                f"{name}, not {name!r}"
            )
        self.figure(figure)
        self.given[figure].segment_of(own)
        return figure, own

    def take(self, name: str, posture: Any) -> None:
        """Give a figure another posture: a `Posture` of it, or its coordinates (n,)."""
        figure = self.figure(name)
        if type(posture) is FoundPosture and posture.figure is figure:  # and was checked by that
            q = posture.q.copy()
        else:
            q = figure.q_of(posture)
        self.postures[name] = keeping(q, figure, Posture)

    def only(self) -> str:
        """The name of the one figure, or an error when there are more."""
        try:
            (name,) = self.figures
        except ValueError:
            listed = ", ".join(self.figures)
            raise PoiseError(
                f"there are several figures, {listed}", code=": use `postures`, by name"
            ) from None
        return name

    def q(self) -> Values:
        """All coordinates; a copy."""
        if len(self.postures) > 1:
            return np.concatenate([posture.q for posture in self.postures.values()])
        (posture,) = self.postures.values()
        return posture.q.copy()

    def split(self, q: Values) -> dict[str, Posture]:
        """The figures' postures from all coordinates."""
        return {name: self.figures[name].posture(q[span]) for name, (_, span) in self.parts.items()}

    def together(self, q: Values) -> Posture:
        """All coordinates as a posture of one figure, with what is held; of one alone its own."""
        if len(self.figures) == 1:
            return next(iter(self.figures.values())).posture(q)
        return self.laden.posture(q)

    def at_home(self, wanted: _Wanted) -> _Wanted:
        """A task or criterion whose postures are those of the figures as they were given.

        A figure that holds something is another object, and a criterion looks for its own.
        """
        if not self.is_merged or not is_dataclass(wanted):
            return wanted
        changes: dict[str, Posture] = {}
        for field in fields(wanted):
            value = getattr(wanted, field.name)
            if isinstance(value, Posture):
                for name, figure in self.figures.items():
                    if value.figure is figure:
                        changes[field.name] = self.given[name].posture(value.q)
        return replace(wanted, **changes) if changes else wanted  # type: ignore[type-var]

    def willingness(self) -> Willingness:
        """What the figures say of stiffness, locks and overlaps, for comparison."""
        result: Willingness = []
        for figure, _ in self.parts.values():
            result += (figure.stiffness.values.tobytes(), figure.locked_names)
            result.append(figure.overlaps.told)
        return result

    def bring_willingness(self) -> None:
        """Copy stiffness and locks of the figures to the merged figure, if there is one."""
        if not self.is_merged:
            return
        whole, locked = self.whole, set[str]()
        for name, (figure, span) in self.parts.items():
            whole.stiffness.values[span] = figure.stiffness.values
            locked.update(f"{name}/{each}" for each in figure.locked_names)
        if whole.locked_names:
            whole.unlock()
        whole.lock(*locked)


def _held(things: Mapping[str, Thing]) -> list[Thing]:
    return [thing for thing in things.values() if thing.is_held]


def _by_name(given: Any) -> dict[str, Figure]:
    """Figures by name, from whatever a scene was given."""
    if isinstance(given, Figure):
        return {given.name: given}
    figures: dict[str, Any]
    if isinstance(given, Posture):
        raise PoiseError(
            "a scene is made of a figure, not of a posture",
            code="; scene = poise.Scene(posture.figure), and then scene.posture = posture",
        )
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
