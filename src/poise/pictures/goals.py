"""What is wanted, drawn: a drawer for each kind of task, and one for kinds not known here.

What is met is green, what is not is red and tied to its goal by a line with what it lacks, and in
a scene that has not been solved all is blue.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from poise.figure import Transform
from poise.pictures import goal_bodies
from poise.pictures.marks import Marks
from poise.pictures.meshes import Floats
from poise.pictures.subjects import Group, Wanted
from poise.pictures.targets import (
    axes_of,
    frame_of,
    point_of,
    rotation_of,
    space_of,
)
from poise.pictures.verdicts import NOTICED, say, say_angle, tie, tie_or_turn
from poise.tasks.task import Error

Drawer = Callable[[Marks, Group, Wanted], None]


def draw_goals(marks: Marks, group: Group) -> None:
    """Draw all that is wanted of a group."""
    for wanted in group.wanted:
        drawer_of(wanted.task)(marks, group, wanted)


def drawer_of(task: object) -> Drawer:
    """What draws a task: known by the name of its class, or of one that it is derived from."""
    names = (kind.__name__ for kind in type(task).__mro__)
    return next((_DRAWERS[name] for name in names if name in _DRAWERS), _unknown)


# points, lines, planes -----------------------------------------------------------------------


def _position(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    at, goal = group.places[task.site].position, point_of(group, task)
    if goal is not None:
        _bring(marks, wanted, at, goal, axes_of(group, task))


def _center_of_mass(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    center = group.center_of_mass(getattr(task, "figure", None))
    goal = point_of(group, task)
    if center is not None and goal is not None:
        _bring(marks, wanted, center, goal, axes_of(group, task))


def _line(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    at, goal = group.places[task.site].position, point_of(group, task)
    if goal is not None:
        along = space_of(group, task).rotation @ np.array(task.direction, np.float64)
        _bring(marks, wanted, at, goal, np.linalg.svd(along[None])[2][1:].T)


def _plane(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    at, goal = group.places[task.site].position, point_of(group, task)
    if goal is not None:
        normal = space_of(group, task).rotation @ np.array(task.normal, np.float64)
        _bring(marks, wanted, at, goal, normal[:, None])


def _half_space(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    at, goal = group.places[task.site].position, point_of(group, task)
    if goal is None:
        return
    normal = space_of(group, task).rotation @ np.array(task.normal, np.float64)
    depth = float(normal @ (at - goal))
    foot = at - depth * normal
    marks.plane(marks.within(foot), normal, wanted.color, one_sided=True)
    tie(marks, wanted, at, foot if depth < 0 else at)


def _bring(marks: Marks, wanted: Wanted, at: Floats, goal: Floats, axes: Floats) -> None:
    """A point that is to come to a goal, as far as some axes (3, k) tell: point, line or plane."""
    nearest = at - axes @ (axes.T @ (at - goal))
    if axes.shape[1] == 3:
        _goal_or_way(marks, wanted, at, goal)
    elif axes.shape[1] == 2:
        along = np.cross(axes[:, 0], axes[:, 1])
        middle, half = marks.within(nearest), 14.0 * marks.grain * along
        marks.line(middle - half, middle + half, wanted.color)
        marks.dot(middle, wanted.color, 0.6)
    else:
        marks.plane(marks.within(nearest), axes[:, 0], wanted.color)
        marks.dot(marks.within(nearest), wanted.color, 0.5)
    tie(marks, wanted, at, nearest)


def _goal_or_way(marks: Marks, wanted: Wanted, at: Floats, goal: Floats) -> None:
    """A goal; where it is too far away to be seen, an arrow that points to it."""
    if not marks.is_far(goal):
        marks.goal(goal, wanted.color)
        return
    end = marks.within(goal)
    way = (goal - at) / np.linalg.norm(goal - at)
    marks.pointer(end - 3.0 * marks.grain * way, end, wanted.color)


# turning and looking -------------------------------------------------------------------------


def _orientation(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    at, turned = group.places[task.site].position, rotation_of(group, task)
    if turned is not None:
        marks.frame(Transform(turned, at), wanted.color, 6.0)
    say_angle(marks, wanted, at)


def _frame(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    here = group.places[task.site]
    goal = frame_of(group, task, here)
    site = group.sites.get(task.site)
    if site is not None and site.outline and task.site in task.held():
        goal_bodies.sole(marks, wanted, site.outline, goal)
    elif marks.is_far(goal.position):
        _goal_or_way(marks, wanted, here.position, goal.position)
    else:
        marks.frame(goal, wanted.color)
    tie_or_turn(marks, wanted, here.position, goal.position)


def _aim(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    here, goal = group.places[task.site], point_of(group, task)
    if goal is None:
        return
    start = here.position
    away = goal - start
    distance = float(np.linalg.norm(away))
    if distance < 1e-9:
        marks.goal(goal, wanted.color)
        return
    if marks.is_far(goal):
        # Looking far away needs no room: the direction tells.
        end = start + (35.0 * marks.grain / distance) * away
        marks.dashes(start, end, wanted.color)
        marks.pointer(end - (3.0 * marks.grain / distance) * away, end, wanted.color)
    else:
        marks.dashes(start, goal, wanted.color)
        marks.goal(goal, wanted.color)
    axis = here.rotation @ np.array(task.axis, np.float64)
    off = float(np.arccos(np.clip(axis @ away / distance, -1.0, 1.0)))
    if wanted.met or not wanted.is_tied or (wanted.met is None and off < NOTICED):
        return
    length = min(distance, 22.0 * marks.grain)
    marks.pointer(start, start + length * axis, wanted.color)
    error = wanted.error("rad") or Error(off, "rad")
    marks.arc(start, axis, away / distance, 0.8 * length, wanted.color, str(error))


# two sites, several tasks, tasks of others ---------------------------------------------------


def _loop(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    one, other = group.places[task.site].position, group.places[task.other].position
    if wanted.met and task.match != "orientation":
        marks.dot(0.5 * (one + other), wanted.color, 0.7)
        return
    marks.dot(one, wanted.color, 0.6)
    marks.dot(other, wanted.color, 0.6)
    if task.match == "orientation":
        say_angle(marks, wanted, one)
    else:
        tie_or_turn(marks, wanted, one, other)


def _any(marks: Marks, group: Group, wanted: Wanted) -> None:
    task: Any = wanted.task
    for member in task.tasks:
        # Which of them counts changes from step to step; all are shown as places to go.
        drawer_of(member)(marks, group, replace(wanted, task=member, is_tied=False))
    say(marks, group, wanted)


def _unknown(marks: Marks, group: Group, wanted: Wanted) -> None:
    """A task of a kind that is not known here: its goal if it has one, its sites, its error."""
    sites, goal = list(wanted.task.sites()), point_of(group, wanted.task)
    if sites and goal is not None:
        at = group.places[sites[0]].position
        _goal_or_way(marks, wanted, at, goal)
        tie_or_turn(marks, wanted, at, goal)
        return
    for name in sites:
        marks.dot(group.places[name].position, wanted.color, 0.5)
    say(marks, group, wanted)


_DRAWERS: dict[str, Drawer] = {
    "Aim": _aim,
    "Any": _any,
    "Balance": goal_bodies.balance,
    "CenterOfMass": _center_of_mass,
    "Contact": goal_bodies.contact,
    "Frame": _frame,
    "HalfSpace": _half_space,
    "Inertia": goal_bodies.inertia,
    "Inside": goal_bodies.inside,
    "Line": _line,
    "Loop": _loop,
    "Orientation": _orientation,
    "Outside": goal_bodies.outside,
    "Plane": _plane,
    "Position": _position,
    "Surface": goal_bodies.surface,
}
