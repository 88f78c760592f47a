"""The centre of mass, what the figures stand on, and gyration rings."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from poise.pictures.support import Support, corners_of
from poise.studio.overlays.sight import Sight, numbers
from poise.studio.reports import State
from poise.tasks import Balance, Inertia

# Hulls need it, and it takes a while to load: not in the middle of the first drag.
importlib.import_module("scipy.spatial")

_SCANTY = 0.01
"""With less than this (m) to the edge a figure that no task keeps in balance is near to falling."""


def balance(sight: Sight) -> dict[str, Any]:
    """The centre of mass, the polygon of support with its margin, and rings."""
    center = sight.group.center_of_mass()
    return {
        "com": None if center is None else numbers(center),
        "support": _support(sight, center),
        "rings": _rings(sight),
    }


def _support(sight: Sight, center: Any) -> dict[str, Any] | None:
    """The hull of all soles on the ground.

    `margin` is how far the centre of mass is inside the hull, negative outside; `wanted` how far
    balance asks it to be (m), and `inset` the hull shrunk by that. `state` is that of the tasks of
    balance, the worst of them; without one, whether the centre of mass is inside at all.
    """
    group = sight.group
    names = list(group.supports())
    names += [name for name in sight.scene.forces.supports if name not in names]
    corners = corners_of(group, names)
    if len(corners) < 3 or center is None:
        return None
    hull = Support.over(corners)
    if hull is None:
        return None
    tasks = {each.name: each.task for each in group.wanted if isinstance(each.task, Balance)}
    wanted = max((task.margin for task in tasks.values()), default=0.0)
    inner = hull.inset(wanted) if wanted > 1e-6 else None
    room = _room(hull.corners, center[:2])
    # While a change is being solved, tasks may be shown that are gone.
    states: list[State] = [sight.by_name[name].state for name in tasks if name in sight.by_name]
    return {
        "polygon": [numbers(each) for each in hull.raised(hull.corners, 0.0)],
        "inset": None if inner is None else [numbers(each) for each in hull.raised(inner, 0.0)],
        "margin": room,
        "wanted": wanted,
        "state": _state(states, room, sight.scene.options.tolerance),
    }


def _state(states: list[State], room: float, tolerance: float) -> State:
    """How balance stands: by the same rule, and to the same tolerance, as in the list of tasks."""
    if not states:
        return "failed" if room < -tolerance else "partly" if room < _SCANTY else "met"
    return max(states, key=("off", "met", "partly", "failed").index)


def _room(corners: Any, point: Any) -> float:
    """The distance of a point to the nearest side of a convex polygon, negative outside."""
    along = np.roll(corners, -1, axis=0) - corners
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    inward = np.column_stack([-along[:, 1], along[:, 0]])
    return float(((point - corners) * inward).sum(axis=1).min())


def _rings(sight: Sight) -> list[dict[str, Any]]:
    """For each inertia task the radius of gyration as it is and as it is wanted."""
    group, rings = sight.group, list[dict[str, Any]]()
    for wanted in group.wanted:
        task: Any = wanted.task
        if not isinstance(task, Inertia):
            continue
        center = group.center_of_mass(task.figure)
        chosen = [p for name, p in group.postures.items() if task.figure in (None, name)]
        if center is None or len(chosen) != 1:
            continue
        (posture,) = chosen
        moment = posture.figure.inertia(posture, task.axis)
        rings.append(
            {
                "task": wanted.name,
                "center": numbers(center),
                "axis": numbers(task.axis),
                "radius": float(np.sqrt(moment / posture.figure.mass)),
                "target": None if task.target is None else float(task.target),
            }
        )
    return rings
