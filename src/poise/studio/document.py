"""The document: all that is undone, saved and shared by the tabs that look at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture, Transform
from poise.models import human
from poise.scene import Scene
from poise.scene.solving import context_of
from poise.tasks import Balance, Frame
from poise.tasks.task import Task

if TYPE_CHECKING:
    from poise.figure.skin import Skin
    from poise.studio.opening import Text

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Willingness:
    """How a figure may be moved: its stiffness (n,) and what is locked."""

    stiffness: Values
    locked: tuple[str, ...]

    @classmethod
    def of(cls, figure: Figure) -> Willingness:
        """As it is now."""
        return cls(figure.stiffness.values.copy(), figure.locked_names)

    def give(self, figure: Figure) -> None:
        """Let a figure have it."""
        figure.stiffness.values[:] = self.stiffness
        figure.unlock()
        figure.lock(self.locked)


@dataclass(frozen=True, eq=False)
class Stood:
    """Where a figure was put when it was last brought to rest, and what held it there."""

    frame: Transform
    """Where the world's axes of its rest posture are."""
    held: tuple[Task, ...]
    """Its pins and goals at that time."""


@dataclass
class Document:
    """A scene with what the studio keeps beside it."""

    scene: Scene
    poses: dict[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])
    """The pose library: by name, the values of coordinates (rad and m) as the scene names them."""
    symmetric: bool = False
    """Whether what is done to one side is done to the other."""
    contact_forces: bool = False
    """Whether what supports bear is computed rather than shared by ratio."""
    notes: list[str] = field(default_factory=list[str])
    """What the last change could not keep, in words; not saved."""
    renamed: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """What the last change gave another name, by its kind and its old one; not saved."""
    pending: tuple[str, ...] | None = None
    """What stays while the posture is found that is still to be found; None where it is there."""
    is_dragged: bool = False
    """Whether what is still to be found is the rest of a drag's way, which must not leap."""
    chosen: Values | None = None
    """(n,) the posture that someone chose by hand, near which others are found; None where nobody
    did. Not saved."""
    text: Text | None = None
    """The scene as a file has it, its postures perhaps older; None where that is not known yet."""
    stood: dict[str, Stood] = field(default_factory=dict[str, Stood])
    """By figure, where it was brought to rest; not saved."""
    carried: tuple[tuple[Task, Task], ...] = ()
    """Pins and goals that went along with a pose, each with what it was before; not saved."""
    skins: dict[str, Skin] = field(default_factory=dict[str, "Skin"])
    """What was read with a figure and is drawn with it, by the figure's name."""
    skin_files: dict[str, str] = field(default_factory=dict[str, str])
    """By figure, the uploaded file that its skin is from."""

    @classmethod
    def new(cls) -> Document:
        """What a person sees first: a standing human, feet pinned, in balance."""
        scene = Scene(human())
        scene.add(Frame("left_foot"), priority=1, name="pin left_foot")
        scene.add(Frame("right_foot"), priority=1, name="pin right_foot")
        scene.add(Balance(), priority=2)
        return cls(scene)

    def copy(self) -> Document:
        """The same, with a scene of its own; figures are shared."""
        return replace(
            self,
            scene=self.scene.copy(),
            poses=dict(self.poses),
            notes=[],
            renamed={},
            stood=dict(self.stood),
            skins=dict(self.skins),
            skin_files=dict(self.skin_files),
        )

    def has_moved(self) -> None:
        """Figures may have gone elsewhere: forget where those stood that nothing holds."""
        self.stood = {name: each for name, each in self.stood.items() if each.held}

    # the figures' names ------------------------------------------------------------------

    @property
    def whole(self) -> Figure:
        """All figures and props as one, by the names that tasks use."""
        return context_of(self.scene).figure

    def coordinates(self) -> list[str]:
        """The names of all coordinates, in the order of `scene.q`."""
        return list(self.whole.coordinates)

    def figure_of(self, name: str) -> tuple[str, str]:
        """The figure that a site, segment, joint or coordinate is of, and what it calls it."""
        if not self.scene.has_several:
            return next(iter(self.scene.figures)), name
        figure, slash, own = name.partition("/")
        if not slash or figure not in self.scene.figures:
            raise unknown_name("figure", figure, self.scene.figures, f"{name!r}")
        return figure, own

    def posture_of(self, figure: str | None) -> tuple[str, Posture]:
        """A figure's name and posture; without a name, those of the only one."""
        postures = self.scene.postures
        if figure is None:
            if len(postures) > 1:
                listed = ", ".join(postures)
                raise PoiseError(f"there are several figures: name one of {listed}")
            figure = next(iter(postures))
        if figure not in postures:
            raise unknown_name("figure", figure, postures)
        return figure, postures[figure]

    def given(self, figure: str) -> Figure:
        """A figure as it was given, whose stiffness and locks count."""
        return self.scene.given[figure]
