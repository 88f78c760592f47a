"""Pictures of figures, scenes and solutions: `picture`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from poise.calls import public
from poise.checking import number
from poise.pictures import figures
from poise.pictures.floor import stands
from poise.pictures.forces import draw_forces, draw_torques
from poise.pictures.goals import draw_goals
from poise.pictures.limits import joint_limits
from poise.pictures.marks import Marks, moved
from poise.pictures.meshes import Floats
from poise.pictures.panels import checked_path, checked_size, checked_views, panel_widths, save
from poise.pictures.stage import Image, Item, Label, Scenery, View, render
from poise.pictures.subjects import Group, Subject, groups_of
from poise.pictures.support import corners_of, draw_center_of_mass
from poise.pictures.targets import figures_of
from poise.statics.answers import Distribution


@public
def picture(
    subject: Subject | Sequence[Subject],
    path: str | Path | None = None,
    *,
    views: Sequence[str | View] | str | View = ("three-quarter",),
    size: tuple[int, int] = (1000, 1000),
    stick: bool = False,
    goals: bool = True,
    floor: bool | None = None,
    sites: bool | Iterable[str] = False,
    joints: bool | Iterable[str] = False,
    limits: str | Iterable[str] = (),
    center_of_mass: bool | None = None,
    forces: bool | Distribution | None = None,
    torques: bool = False,
    gap: float | None = 0.25,
) -> Image:
    """Draw figures in a posture, and what is wanted of them; no display is needed.

    Of a solution the goals are drawn too: green where they are met, red where they are not, with
    a line to what should be there and how much it lacks; the polygon of support with its margin;
    and the centre of mass above it. A scene that has not been solved is drawn in its present
    posture with its goals in blue.

    Args:
        subject: a figure (drawn at rest), a posture, a scene or a solution, or several of them.
        path: where to write the picture, a file ending in .png; None writes none.
        views: "front", "side" (from the right), "back", "top", "three-quarter" or a `View`;
            several are drawn side by side.
        size: width and height of the whole picture, in pixels.
        stick: draw lines from joint to joint rather than shapes and skins; what has neither is
            drawn so in any case.
        goals: draw what is wanted, where the subject is a scene or a solution.
        floor: draw the floor at z = 0 with its grid and the shadow; by default where nothing is
            below it.
        sites: whose frames to draw: names, or True for all; x is red, y green, z blue.
        joints: likewise.
        limits: joints whose limits to draw round them, as `limits_picture` does.
        center_of_mass: draw it, with a line to the ground below it; by default where a task is
            about it.
        forces: draw the forces of a scene or a solution as arrows: by default where it has
            supports, those that they bear by their ratios; or those that `distribute` found.
        torques: draw what joints hold as arcs whose length is the moment, from green to red as it
            nears their strength, grey where that is not known.
        gap: metres between several subjects, which are moved to stand side by side, from left to
            right in each view; None leaves them where they are. The figures of one scene always
            stay.

    Returns:
        The image (height, width, 3), bytes from 0 to 255.
    """
    groups = groups_of(subject)
    chosen = checked_views(views)
    size = checked_size(size)
    target = checked_path(path)
    if gap is not None:
        gap = number(gap, "the gap (m) between figures", least=0)
    limited = [limits] if isinstance(limits, str) else limits
    named = [
        (
            figures.chosen(sites, group.sites, "site"),
            figures.chosen(joints, group.joints, "joint"),
            figures.chosen(limited, group.joints, "joint"),
        )
        for group in groups
    ]
    bodies = [_bodies(group, stick=stick) for group in groups]
    if floor is None:
        floor = all(stands(items) for items in bodies)
    drawn: list[Marks] = []
    for group, items, (site_names, joint_names, limit_names) in zip(
        groups, bodies, named, strict=True
    ):
        marks = Marks.around(np.concatenate([item.mesh.points for item in items]))
        marks.items += items
        for thing in group.standing:
            marks.items += figures.shapes(thing.prop.segment, thing.place)
        for name in site_names:
            marks.items += figures.axes(group.places[name], 5.0 * marks.grain)
        for name in joint_names:
            posture, joint = group.joints[name]
            frame = posture.figure.place(posture).joint(joint)
            marks.items += figures.axes(frame, 5.0 * marks.grain)
        for name in limit_names:
            marks.items += joint_limits(*group.joints[name])[0]
        if goals:
            draw_goals(marks, group)
        _mark_center_of_mass(marks, group, center_of_mass, goals=goals)
        found = forces if isinstance(forces, Distribution) else None
        if forces or (forces is None and group.context.acting.supports):
            draw_forces(marks, group, found)
        if torques:
            draw_torques(marks, group, found)
        drawn.append(marks)
    panels: list[Image] = []
    for view, width in zip(chosen, panel_widths(size[0], len(chosen)), strict=True):
        scenery = Scenery(floor=floor)
        for items, labels in _arranged(drawn, view, gap):
            scenery.add(items)
            scenery.labels += labels
        panels.append(render(scenery, view, (width, size[1])))
    image = np.concatenate(panels, axis=1)
    if target is not None:
        save(image, target)
    return image


def _bodies(group: Group, *, stick: bool) -> list[Item]:
    """The figures of a group with what they hold, as they are best seen or as sticks."""
    held = {thing.prop.name for thing in group.props.values() if thing.is_held}
    result: list[Item] = []
    for posture in group.postures.values():
        figure = posture.figure
        if stick:
            result += figures.stick(figure, posture, solid=held)
        else:
            result += figures.body(figure, posture, held=held)
    return result


def _mark_center_of_mass(marks: Marks, group: Group, asked: bool | None, *, goals: bool) -> None:
    """The centre of mass of each figure, or of those that tasks are about."""
    about = {"Balance", "CenterOfMass", "Inertia"}
    tasks = [w.task for w in group.wanted if type(w.task).__name__ in about] if goals else []
    if asked is False or (asked is None and not tasks):
        return
    owners = [owner for task in tasks for owner in figures_of(group, task)]
    context = group.context
    for owner in dict.fromkeys(owners or group.postures):
        held = [name for name in context.supports if owner in (None, context.owner(name) or owner)]
        corners = corners_of(group, held)
        ground = float(corners[:, 2].min()) if len(corners) else 0.0
        center = group.center_of_mass(owner)
        if center is not None:
            draw_center_of_mass(marks, center, ground)


def _arranged(
    drawn: Sequence[Marks], view: View, gap: float | None
) -> list[tuple[list[Item], list[Label]]]:
    """Each subject's things, moved along the picture's horizontal to stand side by side."""
    if gap is None or len(drawn) == 1:
        return [(marks.items, marks.labels) for marks in drawn]
    right, _, towards = view.axes
    level = np.cross([0.0, 0.0, 1.0], right) if abs(towards[2]) < 0.99 else towards
    result: list[tuple[list[Item], list[Label]]] = []
    edge = 0.0
    for marks in drawn:
        points = np.concatenate([item.mesh.points for item in marks.items])
        across, deep = points @ right, points @ level
        middle = 0.5 * (deep.min() + deep.max())
        shift: Floats = (edge - across.min()) * right - middle * level
        edge += float(np.ptp(across)) + gap
        result.append(moved(marks.items, marks.labels, shift))
    return result
