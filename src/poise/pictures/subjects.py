"""What a picture is of: figures in postures, props, and what is wanted of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from poise.errors import PoiseError
from poise.figure import Figure, Posture, Transform
from poise.figure.parts import Site
from poise.pictures.meshes import Floats
from poise.scene import Scene
from poise.scene.solution import Solution
from poise.scene.solving import context_of
from poise.scene.things import Thing
from poise.tasks.task import Context, Error, Task

MET, UNMET, OPEN = "#1a8f4a", "#d1242f", "#2563a8"
"""The colours of what is met, of what is not, and of what has not been solved."""

Subject = Figure | Posture | Scene | Solution


@dataclass(frozen=True)
class Wanted:
    """A task, and how it came out; `met` is None where nothing has been solved yet."""

    name: str
    task: Task
    met: bool | None = None
    errors: tuple[Error, ...] = ()
    is_tied: bool = True
    """Whether what it lacks is to be drawn; if not, only its goal is."""

    @property
    def color(self) -> str:
        """Green, red, or blue where it is not known."""
        return OPEN if self.met is None else MET if self.met else UNMET

    def error(self, unit: str) -> Error | None:
        """The error in a unit, "m" or "rad", if the task has one."""
        return next((error for error in self.errors if error.unit == unit), None)


@dataclass(frozen=True, eq=False)
class Group:
    """Figures and props that stay where they are to each other, and what is wanted of them."""

    postures: Mapping[str, Posture]
    """Of the figures, by name; what a figure holds is part of it."""
    places: Mapping[str, Transform]
    """Where everything is, by the names that tasks use."""
    props: Mapping[str, Thing] = field(default_factory=dict[str, Thing])
    wanted: Sequence[Wanted] = ()
    asked: Context | None = None
    """What tasks may ask, apart from who stands where; None where there are no tasks."""

    @classmethod
    def of(cls, subject: object) -> Group:
        """Of whatever a picture can show."""
        if isinstance(subject, Scene):
            asked = [
                Wanted(handle.name, handle.wanted)
                for handle in subject.handles.values()
                if handle.enabled and isinstance(handle.wanted, Task)
            ]
            context = context_of(subject)
            return cls(subject.postures, context.places, subject.props, asked, context)
        if isinstance(subject, Solution):
            solved = [
                Wanted(report.name, subject.wanted[report.name], report.met, report.errors)
                for report in subject.tasks
            ]
            return cls(subject.postures, subject.places, subject.props, solved, context_of(subject))
        posture = posture_of(subject)
        return cls({posture.figure.name: posture}, posture.figure.place(posture))

    @property
    def standing(self) -> list[Thing]:
        """The props that nobody holds."""
        return [thing for thing in self.props.values() if not thing.is_held]

    @cached_property
    def joints(self) -> dict[str, tuple[Posture, str]]:
        """All joints by the names that tasks use: whose, and what it is called there."""
        return {
            first + name: (posture, name)
            for first, posture in self._prefixed()
            for name in posture.figure.joints
        }

    @cached_property
    def sites(self) -> dict[str, Site]:
        """All sites by the names that tasks use."""
        result = {
            first + name: site
            for first, posture in self._prefixed()
            for name, site in posture.figure.sites.items()
        }
        for thing in self.props.values():
            result.update((f"{thing.prop.name}/{site.name}", site) for site in thing.prop.sites)
        return {name: site for name, site in result.items() if name in self.places}

    @property
    def context(self) -> Context:
        """What tasks may ask, with the sites that they hold like soles."""
        if self.asked is None:
            posture = next(iter(self.postures.values()))
            return Context(posture.figure, posture, posture.figure.place(posture))
        return replace(self.asked, supports=self.supports())

    def _prefixed(self) -> list[tuple[str, Posture]]:
        """The figures, each with what stands before its names: `figure/` or nothing."""
        return [
            ("" if next(iter(posture.figure.segments)) in self.places else f"{name}/", posture)
            for name, posture in self.postures.items()
        ]

    def center_of_mass(self, figure: str | None = None) -> Floats | None:
        """That of one figure, or of all together; None where there is no mass."""
        chosen = [p for name, p in self.postures.items() if figure in (None, name)]
        chosen = [posture for posture in chosen if posture.figure.mass > 0]
        if not chosen:
            return None
        masses = np.array([posture.figure.mass for posture in chosen])
        centers = np.array([posture.figure.center_of_mass(posture) for posture in chosen])
        return masses @ centers / masses.sum()

    def supports(self) -> list[str]:
        """The sites that tasks hold like soles."""
        return list(dict.fromkeys(name for each in self.wanted for name in each.task.held()))


def groups_of(subject: object) -> list[Group]:
    """One group for each subject."""
    given: list[object] = list(subject) if isinstance(subject, (list, tuple)) else [subject]
    if not given:
        raise PoiseError("a picture needs at least one figure or posture; the list is empty")
    return [Group.of(each) for each in given]


def posture_of(subject: object) -> Posture:
    """A posture as it is, or a figure at rest."""
    if isinstance(subject, Figure):
        return subject.rest()
    if isinstance(subject, Posture):
        return subject
    kind = type(subject).__name__
    raise PoiseError(f"a picture is of figures, postures, scenes or solutions, not of {kind}")
