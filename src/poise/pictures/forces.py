"""Forces as arrows, and what joints hold as arcs about them."""

from __future__ import annotations

import numpy as np

from poise.pictures.marks import Marks
from poise.pictures.meshes import Floats, arrow, joined, path
from poise.pictures.stage import Item
from poise.pictures.subjects import Group
from poise.scene.forces import torques_in
from poise.statics.answers import Distribution
from poise.statics.loads import GRAVITY, Load
from poise.statics.torques import JointTorque

APPLIED, BORNE, WEIGHT = "#c2255c", "#1a7f8e", "#6b7280"
"""The colours of forces that are applied, of those that supports bear, and of the weight."""
_EASY, _HARD, _UNKNOWN = np.array([46, 160, 67]), np.array([209, 36, 47]), "#8b949e"
_WEIGHS = 45.0
"""How long (in grains) the arrow of the whole weight is; others in proportion."""
_SHORTEST, _VISIBLE = 2.5, 9.0
"""The shortest arrows of what supports bear, and of what is applied (in grains)."""
_RADIUS, _MOST = 4.2, np.deg2rad(300.0)
"""Of an arc: its radius (in grains), and how far round the greatest moment goes."""
_SLIGHT = 0.02
"""Moments below this share of the greatest have no arc."""


def draw_forces(marks: Marks, group: Group, found: Distribution | None) -> None:
    """Arrows for the weight, applied forces, and what supports bear; torques as ringed arrows."""
    context = group.context
    acting = context.acting
    applied = list(acting.applied)
    for owner in [None] if context.is_single else context.parts:
        segments = context.members(owner)
        supports = acting.supports_of(context.figure, segments)
        if not supports:
            continue
        center = group.center_of_mass(owner)
        if found is None:
            own = acting.applied_on(context.figure, segments)
            loads = acting.loads(context.figure, segments, repr(owner))
            borne = loads[len(own) :]
        else:
            borne = [each.load for each in found.contacts if any(each.force)]
            borne = [each for each in borne if each.site in {s.site for s in supports}]
        mass = sum(context.figure.segments[name].mass_properties()[0] for name in segments)
        scale = _WEIGHS * marks.grain / (GRAVITY * mass)
        if center is not None:
            _arrow(marks, center, np.array([0.0, 0.0, -GRAVITY * mass]), scale, WEIGHT, leaves=True)
        for load in borne:
            # Many corners share a sole: their numbers would hide it.
            _draw(marks, group, load, scale, BORNE, leaves=True, tells=found is None)
    total = group.context.figure.mass
    scale = _WEIGHS * marks.grain / (GRAVITY * total) if total > 0 else marks.grain
    if not context.is_single:
        scale *= len(context.parts)
    for load in applied:
        _draw(marks, group, load, scale, APPLIED, leaves=False, tells=True)


def draw_torques(marks: Marks, group: Group, found: Distribution | None) -> None:
    """Arcs about the joints whose length is the moment, green where it is easy, red at its limit.

    They turn as the joint pushes its outer segment. A ball has one for its swing and one for its
    twist; sliders have none.
    """
    context = group.context
    torques = torques_in(context, context.acting, found)
    # Seventeen vertebrae of which no strength is known would hide the rest.
    driven = {
        member.rpartition(".")[0]
        for each in context.figure.groups.values()
        for member in each.terms
    }
    moments = [
        (joint, axis, size)
        for joint in torques.values()
        if joint.share is not None or joint.joint not in driven
        for axis, size in _moments(joint)
    ]
    most = max((size for _, _, size in moments), default=0.0)
    for joint, axis, size in moments:
        if size > _SLIGHT * most:
            _arc(marks, joint, axis, _MOST * size / most)


def _moments(joint: JointTorque) -> list[tuple[Floats, float]]:
    """The moments that are drawn: of a ball its swing and its twist, else each component."""
    turning = [each for each in joint.components if each.unit == "N·m"]
    if len(turning) == 3 or any(each.is_swing for each in turning):
        swing = np.sum([each.value * np.array(each.axis) for each in turning if each.is_swing], 0)
        vectors = [np.asarray(swing)]
        vectors += [each.value * np.array(each.axis) for each in turning if not each.is_swing]
    else:
        vectors = [each.value * np.array(each.axis) for each in turning]
    sizes = [float(np.linalg.norm(each)) for each in vectors]
    return [(v / size, size) for v, size in zip(vectors, sizes, strict=True) if size > 1e-9]


def _draw(
    marks: Marks,
    group: Group,
    load: Load,
    scale: float,
    color: str,
    *,
    leaves: bool,
    tells: bool,
) -> None:
    at = group.places[load.site].apply(np.array(load.point))
    if any(load.force):
        _arrow(marks, at, np.array(load.force), scale, color, leaves=leaves, tells=tells)
    size = float(np.linalg.norm(load.torque))
    if size > 0:
        axis = np.array(load.torque) / size
        start = at + 7.0 * marks.grain * axis
        marks.pointer(at, start, color)
        marks.ring(start, axis, 2.0 * marks.grain, color)
        marks.write(f"{size:.3g} N·m", start, start, color)


def _arrow(
    marks: Marks,
    at: Floats,
    force: Floats,
    scale: float,
    color: str,
    *,
    leaves: bool,
    tells: bool = True,
) -> None:
    """An arrow that leaves a point, or comes to it from outside."""
    size = float(np.linalg.norm(force))
    if size < 1e-9:
        return
    least = _SHORTEST if leaves else _VISIBLE
    way = force / size * max(scale * size, least * marks.grain)
    start, end = (at, at + way) if leaves else (at - way, at)
    head = min(2.0 * marks.grain, 0.6 * float(np.linalg.norm(way)))
    mesh = arrow(start, end, 0.32 * marks.grain, head)
    marks.items.append(Item(mesh, color, lit=False, casts_shadow=False, in_front=True))
    if tells:
        marks.write(f"{size:.3g} N", start, end, color)


def _arc(marks: Marks, joint: JointTorque, axis: Floats, turn: float) -> None:
    """An arc about an axis, with a head where it ends."""
    center, radius = np.array(joint.position, np.float64), _RADIUS * marks.grain
    # From the side that is away from the picture's middle, where there is room.
    away: Floats = center - marks.middle
    out: Floats = away - float(away @ axis) * axis
    if np.linalg.norm(out) < 1e-6:
        out = np.asarray(np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))]), np.float64)
    across: Floats = out / float(np.linalg.norm(out))
    side: Floats = np.cross(axis, across)
    angles = np.linspace(0.0, turn, max(6, int(turn * 12)))[:, None]
    points: Floats = center + radius * (np.cos(angles) * across + np.sin(angles) * side)
    tangent = -np.sin(turn) * across + np.cos(turn) * side
    width = 0.3 * marks.grain
    tip = arrow(points[-1], points[-1] + 1.6 * marks.grain * tangent, width, 1.59 * marks.grain)
    mesh = joined([path(points, width), tip])
    item = Item(mesh, _color(joint.share), lit=False, casts_shadow=False, in_front=True)
    marks.items.append(item)


def _color(share: float | None) -> str:
    if share is None:
        return _UNKNOWN
    mixed = _EASY + min(share, 1.0) * (_HARD - _EASY)
    return "#" + "".join(f"{round(float(each)):02x}" for each in mixed)
