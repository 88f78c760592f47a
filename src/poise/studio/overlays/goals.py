"""Goals with what they lack, and pins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.figure.transform import rotation_matrix
from poise.pictures.subjects import Wanted
from poise.pictures.targets import axes_of, point_of, rotation_of, space_of
from poise.studio.dragging import DRAG
from poise.studio.overlays.sight import Sight, numbers, turn
from poise.tasks import Any as AnyTask
from poise.tasks import (
    CenterOfMass,
    Contact,
    Frame,
    HalfSpace,
    Inside,
    Line,
    Loop,
    Orientation,
    Outside,
    Plane,
    Position,
    Surface,
)
from poise.tasks.contact import facing
from poise.tasks.task import rides, words

Values = NDArray[np.float64]

_PINS: dict[type[Any], str] = {Position: "position", Orientation: "rotation", Frame: "both"}


def goals(sight: Sight) -> list[dict[str, Any]]:
    """Where tasks want things; those without a place are left out."""
    found: list[dict[str, Any]] = []
    for wanted in _wanted(sight):
        members: Any = (wanted.task,)
        if isinstance(wanted.task, AnyTask):
            members = wanted.task.tasks
        for member in members:
            goal = _goal(sight, replace(wanted, task=member))
            if goal is not None:
                found.append(goal)
    return found


def pins(sight: Sight) -> list[dict[str, Any]]:
    """Sites that tasks of the first priority hold: position, rotation or both."""
    found: list[dict[str, Any]] = []
    for name, handle in sight.scene.handles.items():
        kind = _PINS.get(type(handle.wanted))
        site = getattr(handle.wanted, "site", None)
        if kind is None or handle.priority != 1 or not handle.enabled or site is None:
            continue
        at = sight.group.places[site].position
        found.append({"task": name, "site": site, "kind": kind, "position": numbers(at)})
    return found


def _wanted(sight: Sight) -> list[Wanted]:
    """All tasks, those that are switched off as well."""
    active = {each.name: each for each in sight.group.wanted}
    result: list[Wanted] = []
    for name, handle in sight.scene.handles.items():
        if name.startswith(DRAG) or handle.priority is None:
            continue
        task: Any = handle.wanted
        result.append(replace(active[name], task=task) if name in active else Wanted(name, task))
    return result


def _goal(sight: Sight, wanted: Wanted) -> dict[str, Any] | None:
    task: Any = wanted.task
    group = sight.group
    site = getattr(task, "site", None)
    at = group.places[site].position if site is not None else None
    if isinstance(task, CenterOfMass):
        at = group.center_of_mass(task.figure)
    point = group.places[task.other].position if isinstance(task, Loop) else point_of(group, task)
    rotation = rotation_of(group, task)
    if isinstance(task, Surface):
        point = at
    if point is None and rotation is not None:
        point = at
    if isinstance(task, (Inside, Outside)):
        point = at
    if point is None:
        return None
    counted = _counted(sight, task)
    if counted is not None and at is not None:
        # Along what does not count a goal is where its site is, and not at some zero far off.
        point = at + counted @ counted.T @ (point - at)
    report = sight.by_name.get(wanted.name)
    return {
        "task": wanted.name,
        "kind": words(type(task).__name__),
        "site": site,
        "position": numbers(point),
        "rotation": None if rotation is None else turn(rotation),
        "site_position": None if at is None else numbers(at),
        "space": _space(sight, task, point),
        "error": report.error if report else None,
        "unit": report.unit if report else "",
        "text": report.text if report else "",
        "state": report.state if report else "off",
        "selected": sight.is_selected("task", wanted.name),
        "movable": task.has_target and not rides(getattr(task, "target", None)),
    }


def _space(sight: Sight, task: Any, point: Any) -> dict[str, Any]:
    """What a site may come to: a point, a line, a plane, one side of it, a region."""
    group = sight.group
    if isinstance(task, Contact):
        return {
            "kind": "plane",
            "normal": numbers(facing(task, group.places, group.context.figure.sites)),
        }
    if isinstance(task, Line):
        return {
            "kind": "line",
            "direction": numbers(space_of(group, task).rotation @ np.array(task.direction)),
        }
    if isinstance(task, (Plane, HalfSpace)):
        kind = "half_space" if isinstance(task, HalfSpace) else "plane"
        normal = space_of(group, task).rotation @ np.array(task.normal)
        return {"kind": kind, "normal": numbers(normal)}
    if isinstance(task, Surface):
        shape: Any = task.ellipsoid
        frame = group.places[task.frame] if isinstance(task.frame, str) else None
        return {
            "kind": "ellipsoid",
            "center": numbers(frame.apply(shape.center) if frame else shape.center),
            "radii": numbers(shape.radii),
            "rotation": turn(
                (frame.rotation if frame else np.eye(3)) @ rotation_matrix(shape.rotation)
            ),
        }
    if isinstance(task, (Inside, Outside)):
        return {"kind": words(type(task).__name__)}
    counted = _counted(sight, task)
    if counted is None:
        return {"kind": "point"}
    if counted.shape[1] == 2:
        return {"kind": "line", "direction": numbers(np.cross(counted[:, 0], counted[:, 1]))}
    return {"kind": "plane", "normal": numbers(counted[:, 0])}


def _counted(sight: Sight, task: Any) -> Values | None:
    """The axes that count (3, k), as columns in the world; None where all do."""
    axes = getattr(task, "axes", None)
    return axes_of(sight.group, task) if axes is not None and len(axes) < 3 else None
