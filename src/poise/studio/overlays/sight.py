"""What overlays are made from: a scene in a posture, as one tab looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.figure import Transform
from poise.figure.transform import quaternion
from poise.pictures.subjects import Group
from poise.scene import Scene, Solution
from poise.studio.commands.view import Selection, Shown
from poise.studio.reports import TaskReport
from poise.studio.statics import Statics

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sight:
    """A scene in a posture, how its tasks stand, and what a tab shows and has selected."""

    scene: Scene
    solution: Solution | None
    reports: list[TaskReport]
    shown: Shown
    selection: Selection
    statics: Statics

    @cached_property
    def group(self) -> Group:
        """The scene in that posture, for what pictures know of targets and supports."""
        if self.solution is not None:
            return Group.of(self.solution)
        return Group.of(self.scene)

    @cached_property
    def by_name(self) -> dict[str, TaskReport]:
        """The reports by the tasks' names."""
        return {each.name: each for each in self.reports}

    def is_selected(self, kind: str, name: str) -> bool:
        """Whether the tab has this selected."""
        return self.selection.kind == kind and self.selection.name == name


def numbers(values: Any) -> list[float]:
    """A vector as a list for the page."""
    return [float(each) for each in values]


def turn(rotation: Values) -> list[float]:
    """A rotation matrix as a quaternion w x y z for the page."""
    return quaternion(rotation).tolist()


def placed(place: Transform) -> dict[str, list[float]]:
    """A frame for the page."""
    return {"position": numbers(place.position), "rotation": turn(place.rotation)}
