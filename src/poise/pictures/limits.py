"""Pictures of joint limits: what a joint allows, drawn round it on the figure.

Balls and swings get a globe with the valid directions and, sampled over it, the valid twists;
hinges and elbows a sector.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from poise.calls import public
from poise.checking import number
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Joint, Posture
from poise.figure.bones import shape_ends
from poise.figure.kinds import Spherical, Step
from poise.figure.transform import Transform, rotation_matrix, rotation_to
from poise.pictures import figures
from poise.pictures.floor import stands
from poise.pictures.globe import BOUNDARY, FILL, Globe
from poise.pictures.meshes import Floats, Mesh
from poise.pictures.meshes import path as wire
from poise.pictures.panels import checked_path, checked_size, checked_views, panel_widths, save
from poise.pictures.region import Region, spread, swings_of
from poise.pictures.stage import Camera, Image, Item, Scenery, View, render, view_of
from poise.pictures.subjects import posture_of

_ROUND = 1.02  # a sector stands out a little from what it belongs to


@public
def limits_picture(
    subject: Figure | Posture,
    joint: str,
    path: str | Path | None = None,
    *,
    views: Sequence[str | View] | str | View | None = None,
    size: tuple[int, int] = (900, 900),
    radius: float | None = None,
    symbols: int = 70,
    body: bool = True,
) -> Image:
    """Draw what a joint's limits allow, round the joint.

    Of a ball or a swing the directions that its segment may take are a patch on a sphere; ticks
    point to the inside. At samples over the patch a symbol shows the twists that are valid there:
    the sector of directions that the segment's x axis can take, with an arrow at zero twist. Of a
    hinge the sector is drawn through which its segment turns; of an elbow also the twist.

    Args:
        subject: a figure (drawn at rest) or a posture.
        joint: the joint's name.
        path: where to write the picture, a file ending in .png; None writes none.
        views: as for `picture`; by default one that looks at the middle of the range.
        size: width and height of the whole picture, in pixels.
        radius: of the sphere, in metres; by default as long as the joint's segment.
        symbols: how many twist symbols the whole sphere would carry; 0 for none.
        body: whether to draw the figure.

    Returns:
        The image (height, width, 3), bytes from 0 to 255.
    """
    posture = posture_of(subject)
    figure = posture.figure
    if joint not in figure.joints:
        raise unknown_name("joint", joint, figure.joints)
    size, target = checked_size(size), checked_path(path)
    if radius is not None:
        radius = number(radius, "the radius (m) of the sphere", above=0)
    count = int(number(symbols, "the number of symbols", least=0))
    items, middle = joint_limits(posture, joint, radius, count)
    own = [item.mesh.points for item in items]
    bodies = figures.body(figure, posture) if body else []
    chosen = checked_views(_facing(middle) if views is None else views)
    panels: list[Image] = []
    for view, width in zip(chosen, panel_widths(size[0], len(chosen)), strict=True):
        floor = bool(bodies) and stands(bodies) and view.elevation > 0
        scenery = Scenery([*bodies, *items], floor=floor)
        camera = Camera.fitted(np.concatenate(own), view, (width, size[1]), 0.12)
        panels.append(render(scenery, view, (width, size[1]), camera=camera))
    image = np.concatenate(panels, axis=1)
    if target is not None:
        save(image, target)
    return image


def globe_of(posture: Posture, joint: str, radius: float) -> Globe:
    """The globe round a ball or swing, in the world."""
    part = posture.figure.joints[joint]
    assert part.kind.spherical is not None
    first = next(i for i, step in enumerate(part.kind.steps) if step.is_chart)
    reached = part.kind.reached(_values(posture, part), first)
    frame = posture.figure.place(posture).joint(joint) @ reached
    return Globe(frame.position, frame.rotation @ part.kind.spherical.frame, radius)


def limit_items(globe: Globe, kind: Spherical, symbols: int = 70) -> list[Item]:
    """The globe of a ball or swing with its limits on it."""
    region = Region.of(kind)
    items = [*globe.sphere(), *globe.graticule(), *globe.region(region)]
    if kind.twist is not None and symbols:
        size = 0.95 / np.sqrt(symbols)
        swings = swings_of(spread(symbols))
        swings = swings[region.contains(swings, 0.6 * size)]
        for swing, low, high in zip(swings, *kind.twist.ends(swings), strict=True):
            items += globe.twist((swing[0], swing[1]), float(low), float(high), size=size)
    return items


def sector(
    place: Transform, axis: Floats, arm: Floats, low: float, high: float, color: str = FILL
) -> list[Item]:
    """The sector that an arm (a vector) sweeps about an axis, in a placed frame."""
    along = axis * float(axis @ arm)
    turns = np.linspace(low, high, 65)
    rim = np.array([rotation_matrix(axis * t) @ (arm - along) for t in turns]) * _ROUND + along
    points = place.apply(np.concatenate([along[None], rim]))
    fan = np.arange(1, len(turns))
    triangles = np.stack([np.zeros_like(fan), fan, fan + 1], axis=-1)
    normals = np.tile(place.rotation @ axis, (len(points), 1))
    width = 0.012 * float(np.linalg.norm(arm))
    outline = wire(np.concatenate([points, points[:1]]), width)
    return [
        Item(Mesh(points, normals, triangles), color, 0.5, lit=False, casts_shadow=False),
        Item(outline, BOUNDARY, casts_shadow=False),
    ]


def joint_limits(
    posture: Posture, name: str, radius: float | None = None, symbols: int = 70
) -> tuple[list[Item], Floats]:
    """What shows a joint's limits, and the direction in the world from which to look at it.

    Without a radius (m) it is as large as the joint's segment is long.
    """
    joint = posture.figure.joints[name]
    reach = radius or max(1e-3, float(np.linalg.norm(_arm(posture.figure, joint.child))))
    kind = joint.kind
    if kind.spherical is not None:
        globe = globe_of(posture, joint.name, reach)
        return limit_items(globe, kind.spherical, symbols), globe.rotation[:, 2]
    hinges = [(i, step) for i, step in enumerate(kind.steps) if step.counts_turns]
    if not hinges:
        raise PoiseError(
            f"joint {joint.name!r} is {kind.kind}; limits are drawn of what turns about an axis, "
            "or about a point that it is held to"
        )
    place, values = posture.figure.place(posture).joint(joint.name), _values(posture, joint)
    (first, turn), *more = hinges
    frame, axis = place @ kind.reached(values, first), np.array(turn.axis)
    arm = _across(axis, joint.after.rotation @ _arm(posture.figure, joint.child))
    low, high = np.clip(turn.intervals[0], -np.pi, np.pi).tolist()
    items = sector(frame, axis, reach * arm, low, high)
    for i, step in more:
        bent = place @ kind.reached(values, i)
        items += _twist(step, bent, reach, forward=float(np.dot(arm, step.axis or ())) >= 0)
    towards = frame.rotation @ rotation_matrix(axis * 0.5 * (low + high)) @ arm
    across = frame.rotation @ axis
    # A sector is seen from either side: take the one that the usual view is on.
    side = 1.0 if float(across @ view_of("three-quarter").axes[2]) > 0 else -1.0
    return items, towards + 2.0 * side * across


def _values(posture: Posture, joint: Joint) -> Floats:
    members = posture.figure.members(posture)
    return np.array([members[each] for each in joint.coordinates])


def _twist(step: Step, bent: Transform, reach: float, *, forward: bool) -> list[Item]:
    """The twist of an elbow, or of a like joint, as a symbol round its axis, half way along."""
    low, high = np.clip(step.intervals[0], -np.pi, np.pi).tolist()
    globe = Globe(bent.position, bent.rotation @ rotation_to(step.axis or ()), reach)
    return globe.twist((0.0, 0.0), low, high, size=0.3, height=0.5 if forward else -0.5)


def _arm(figure: Figure, segment: str) -> Floats:
    """From a segment's origin to its farthest joint, or site if it has none, or shape's end."""
    ends = [np.array(j.position) for j in figure.joints.values() if j.parent == segment]
    ends += [np.array(s.position) for s in figure.sites.values() if s.segment == segment]
    if not any(np.linalg.norm(end) > 1e-6 for end in ends):
        ends = [end for shape in figure.segments[segment].shapes for end in shape_ends(shape)]
    return max(ends, key=lambda end: float(np.linalg.norm(end)), default=np.array([0.0, 0.0, 0.1]))


def _across(axis: Floats, arm: Floats) -> Floats:
    """The unit vector nearest to an arm across an axis; any one if the arm is along it."""
    flat = arm - axis * float(axis @ arm)
    length = float(np.linalg.norm(flat))
    return flat / length if length > 1e-6 else rotation_to(axis)[:, 0]


def _facing(middle: Floats) -> View:
    """A view of what faces a direction: from there, but a little from the front and above."""
    usual = view_of("three-quarter").axes[2]
    towards = middle / np.linalg.norm(middle) + 0.9 * usual
    if np.linalg.norm(towards) < 0.3:
        towards = usual
    elevation = float(np.arctan2(towards[2], np.hypot(towards[0], towards[1])))
    azimuth = float(np.arctan2(towards[1], towards[0]))
    return View(azimuth, float(np.clip(elevation, np.deg2rad(-40.0), np.deg2rad(50.0))))
