"""What can be added: every task and criterion of the library, with its fields.

All of it is read from the classes themselves, as scene files do; a new task needs nothing here.
"""

from __future__ import annotations

import dataclasses
import typing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, Literal

import numpy as np

from poise.errors import PoiseError
from poise.figure import Transform
from poise.scene.files.kinds import FORMS, classes, is_needed
from poise.scene.files.values import write_value
from poise.tasks.task import Criterion, Task

_BY_NAME = {
    "site": "site",
    "other": "site",
    "supports": "sites",
    "joints": "joints",
    "figure": "figure",
    "frame": "frame",
    "axes": "axes",
    "tasks": "tasks",
    "convex": "convex",
    "ellipsoid": "ellipsoid",
}
"""The forms of fields whose name says what they hold, as it does in every class."""
_UNITS = {
    "margin": "m",
    "distance": "m",
    "metres_per_radian": "m/rad",
    "metres_per_newton_metre": "m/(N·m)",
}
_FORM_UNITS = {"point": "m", "place": "m", "rotation": "°", "zones": "°", "strengths": "N·m"}


@dataclass(frozen=True)
class Field:
    """A field of a task or criterion, as a form shows it and a scene file has it."""

    name: str
    form: str
    """site, sites, joints, figure, point, rotation, place, scalar, frame, direction, axes, number,
    switch, choice, posture, zones, strengths, convex, ellipsoid or tasks."""
    unit: str
    default: Any
    """As in a scene file."""
    needed: bool
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskType:
    """A class of tasks or criteria."""

    type: str
    """As in scene files."""
    kind: Literal["task", "criterion"]
    about: str
    """One line."""
    fields: tuple[Field, ...]


@cache
def task_types() -> dict[str, TaskType]:
    """All of them by type: tasks, then criteria."""
    found = {name: _described(name, "task", each) for name, each in classes(Task).items()}
    found |= {name: _described(name, "criterion", c) for name, c in classes(Criterion).items()}
    return found


def _described(name: str, kind: Literal["task", "criterion"], described: type[Any]) -> TaskType:
    hints = typing.get_type_hints(described)
    fields = [
        _field(described, field, hints[field.name])
        for field in dataclasses.fields(described)
        if field.init
    ]
    # What must be given comes first, as people ask for it.
    fields.sort(key=lambda each: (not each.needed, each.name.startswith("metres_per")))
    return TaskType(name, kind, (described.__doc__ or "").split("\n")[0], tuple(fields))


def _field(described: type[Any], field: dataclasses.Field[Any], hint: Any) -> Field:
    choices = tuple(str(each) for each in _choices(hint))
    form = FORMS.get(field.name) or _BY_NAME.get(field.name) or ("choice" if choices else "")
    form = {"angle": "number", "turn": "rotation"}.get(form, form)
    if field.name == "target":
        form = _target_form(described)
    if not form:
        form = "switch" if hint is bool else "number"
    unit = _UNITS.get(field.name) or _FORM_UNITS.get(form, "")
    if form == "scalar":
        unit = "m"
    default = None if is_needed(field) else write_value(field.default, _NO_POSTURES)
    return Field(field.name, form, unit, default, is_needed(field), choices)


def _choices(hint: Any) -> tuple[Any, ...]:
    options = [each for each in (hint, *typing.get_args(hint)) if each is not NoneType]
    literal = next((each for each in options if typing.get_origin(each) is Literal), None)
    return typing.get_args(literal) if literal is not None else ()


def _target_form(described: type[Any]) -> str:
    """What a task keeps of a frame that it is given as a target: that is what it is about."""
    task = object.__new__(described)
    for field in dataclasses.fields(described):
        object.__setattr__(task, field.name, None if is_needed(field) else field.default)
    object.__setattr__(task, "site", "site")
    try:
        kept = task.checked_target(Transform(np.eye(3), np.zeros(3)))
    except PoiseError:
        return "scalar"
    if isinstance(kept, Transform):
        return "place"
    return "rotation" if np.shape(kept) == (3, 3) else "point"


class _NoPostures:
    """Defaults have no postures in them."""

    def read(self, value: Any) -> Any:
        raise PoiseError("there are no postures here")

    def write(self, posture: Any) -> Any:
        raise PoiseError("there are no postures here")

    def scale(self, coordinate: str) -> float:
        raise PoiseError("there are no postures here")

    def read_file(self, path: str) -> str:
        raise PoiseError("there are no files here")

    def write_file(self, path: Path) -> str:
        raise PoiseError("there are no files here")


_NO_POSTURES = _NoPostures()
