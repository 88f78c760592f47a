"""Drawers of tasks about bodies: ground and walls, regions, round surfaces, the figure's mass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from poise.figure import Transform
from poise.figure.transform import rotation_to
from poise.pictures.convex import convex_body, nearest_inside, nearest_outside
from poise.pictures.marks import Marks
from poise.pictures.meshes import Floats, mesh_of
from poise.pictures.subjects import Group, Wanted
from poise.pictures.support import Support, corners_of, draw_support
from poise.pictures.targets import frame_of, point_of, space_of
from poise.pictures.verdicts import NOTICED, say, tie, tie_or_turn, write_at
from poise.tasks.contact import facing

_LEVEL = 0.99  # the upward part of the normal of what counts as a floor


def sole(
    marks: Marks, wanted: Wanted, outline: Sequence[tuple[float, float]], place: Transform
) -> None:
    """Where a sole is to stand: its outline, a hair above the ground."""
    flat = np.array(outline)
    lifted = np.column_stack([flat, np.full(len(flat), -0.15 * marks.grain)])
    marks.outline(place.apply(lifted), wanted.color, 0.14)


def contact(marks: Marks, group: Group, wanted: Wanted) -> None:
    """A sole on the floor by its outline; anything on a wall by a piece of the wall."""
    task: Any = wanted.task
    here = group.places[task.site]
    goal, normal = point_of(group, task), facing(task, group.places, group.context.figure.sites)
    if goal is None:
        return
    nearest = here.position - normal * float(normal @ (here.position - goal))
    site = group.sites.get(task.site)
    if site is not None and site.outline and normal[2] > _LEVEL:
        turned = here.rotation @ rotation_to(here.rotation.T @ -normal)
        place = Transform(turned, nearest) if task.slide else frame_of(group, task, here)
        sole(marks, wanted, site.outline, place)
    else:
        marks.plane(marks.within(nearest), normal, wanted.color)
        marks.dot(marks.within(nearest), wanted.color, 0.5)
    tie_or_turn(marks, wanted, here.position, nearest if task.slide else goal)


def inside(marks: Marks, group: Group, wanted: Wanted) -> None:
    """The region, and the way into it."""
    task: Any = wanted.task
    normals, offsets = _region(marks, group, wanted)
    at = group.places[task.site].position
    tie(marks, wanted, at, nearest_inside(normals, offsets - task.margin, at))


def outside(marks: Marks, group: Group, wanted: Wanted) -> None:
    """The region, and the way out of it."""
    task: Any = wanted.task
    normals, offsets = _region(marks, group, wanted)
    at = group.places[task.site].position
    tie(marks, wanted, at, nearest_outside(normals, offsets + task.margin, at))


def _region(marks: Marks, group: Group, wanted: Wanted) -> tuple[Floats, Floats]:
    """Draw a convex region, as far as it is near; gives its normals and offsets in the world."""
    task: Any = wanted.task
    space = space_of(group, task)
    normals = np.array(task.convex.normals, np.float64) @ space.rotation.T
    offsets = np.array(task.convex.offsets, np.float64) + normals @ space.position
    body = convex_body(normals, offsets, marks.middle, 0.5 * marks.reach)
    if body is not None:
        mesh, edges = body
        marks.body(mesh, wanted.color)
        for start, end in edges:
            marks.line(start, end, wanted.color, width=0.12)
    return normals, offsets


def surface(marks: Marks, group: Group, wanted: Wanted) -> None:
    """The ellipsoid, and the way to its surface."""
    task: Any = wanted.task
    mesh = mesh_of(task.ellipsoid).moved(space_of(group, task))
    marks.body(mesh, wanted.color)
    at = group.places[task.site].position
    nearest = int(np.linalg.norm(mesh.points - at, axis=1).argmin())
    marks.dot(at, wanted.color, 0.5)
    tie(marks, wanted, at, mesh.points[nearest] + task.distance * mesh.normals[nearest])


def balance(marks: Marks, group: Group, wanted: Wanted) -> None:
    """What each figure stands on, with the margin; what is lacking is tied to the plumb line."""
    task: Any = wanted.task
    standing = task.standing(group.context)
    for i, (figure, names) in enumerate(standing.items()):
        corners = corners_of(group, names)
        support = Support.over(corners)
        if support is not None:
            draw_support(marks, support, task.margin, wanted.color)
        else:  # seen edge-on, it is a line
            ends = np.linalg.norm(corners - corners[0], axis=1).argmax()
            marks.line(corners[0], corners[ends], wanted.color)
        center = group.center_of_mass(figure)
        # One error for each figure, in their order.
        lacks = replace(wanted, errors=wanted.errors[i : i + 1])
        error = lacks.error("m")
        quiet = wanted.met is not False or not wanted.is_tied
        if quiet or error is None or error.value < NOTICED or center is None:
            continue
        below = np.array([*center[:2], float(corners[:, 2].min())])
        goal = support.nearest(below, task.margin) if support is not None else None
        if goal is None:
            write_at(marks, f"{wanted.name}: {error}", below, wanted)
        else:
            tie(marks, lacks, below, goal)


def inertia(marks: Marks, group: Group, wanted: Wanted) -> None:
    """The axis through the centre of mass, and round it a ring as wide as the radius wanted."""
    task: Any = wanted.task
    center = group.center_of_mass(task.figure)
    if center is None:
        return
    axis = np.array(task.axis, np.float64)
    half = 16.0 * marks.grain * axis
    marks.dashes(center - half, center + half, wanted.color, in_front=True)
    if task.target:
        marks.ring(center, axis, float(task.target), wanted.color)
    say(marks, group, wanted)
