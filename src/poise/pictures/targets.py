"""Where tasks want things: their targets as points, rotations and frames of the world.

A target may be given in the world, as the name of a site, or in the frame of a site that the task
names; the last two move with that site.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.figure import Transform
from poise.pictures.meshes import Floats
from poise.pictures.subjects import Group
from poise.tasks import Balance

_WORLD = Transform(np.eye(3), np.zeros(3))


def space_of(group: Group, task: Any) -> Transform:
    """The frame in which a task's target and directions are given; the world unless a site's."""
    frame = getattr(task, "frame", None)
    return group.places[frame] if isinstance(frame, str) else _WORLD


def axes_of(group: Group, task: Any) -> Floats:
    """The axes (3, k) of the control frame along which a task counts, in the world."""
    frame = getattr(task, "frame", None)
    fixed = frame is None or isinstance(frame, str)
    whole = space_of(group, task).rotation if fixed else np.array(frame, np.float64)
    return whole[:, ["xyz".index(each) for each in task.axes]]


def point_of(group: Group, task: Any) -> Floats | None:
    """The point that a task's target is or has; None where it has none."""
    target = getattr(task, "target", None)
    if isinstance(target, str):
        return group.places[target].position
    if isinstance(target, Transform):
        return target.position
    if target is None or np.shape(target) != (3,):
        return None
    return space_of(group, task).apply(np.array(target, np.float64))


def rotation_of(group: Group, task: Any) -> Floats | None:
    """The rotation matrix that a task's target is or has; None where it has none."""
    target = getattr(task, "target", None)
    if isinstance(target, str):
        return group.places[target].rotation
    if isinstance(target, Transform):
        return target.rotation
    if target is None or np.shape(target) != (3, 3):
        return None
    return np.array(target, np.float64)


def frame_of(group: Group, task: Any, here: Transform) -> Transform:
    """A task's target as a frame; what it leaves open is as it is here."""
    point, rotation = point_of(group, task), rotation_of(group, task)
    return Transform(
        here.rotation if rotation is None else rotation,
        here.position if point is None else point,
    )


def figures_of(group: Group, task: Any) -> list[str | None]:
    """The figures whose masses a task is about, each by itself; None for all together."""
    if isinstance(task, Balance):
        return list(task.standing(group.context))
    return [getattr(task, "figure", None)]
