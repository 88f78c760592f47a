"""How far figures reach, to tell targets in metres from targets in millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poise.checking import Vec3
from poise.figure import WORLD, Figure, Posture
from poise.units import FAR, warn_of_distance


def warn_if_far(point: Vec3 | None, what: str, postures: Mapping[str, Posture]) -> None:
    """Warn of a point that lies tens of metres beyond all that any figure could reach.

    Args:
        point: in the world (m); None where there is none.
        what: how to call it in a message.
        postures: the figures as they are now.
    """
    if point is None or not is_far(point):
        return
    nearest = np.inf
    for posture in postures.values():
        figure = posture.figure
        where = figure.place(posture)
        for joint in figure.joints.values():
            if joint.parent == WORLD:
                away = float(np.linalg.norm(where.segment(joint.child).position - point))
                if away <= 2.0 * reach(figure) + FAR:
                    return
                nearest = min(nearest, away)
    warn_of_distance(point, nearest, what)


def is_far(point: Vec3) -> bool:
    """Whether a point in the world (m) is far enough to ask how far figures reach."""
    x, y, z = point
    return abs(x) > FAR or abs(y) > FAR or abs(z) > FAR


def may_be_far(points: Any) -> bool:
    """Whether one of many targets could be far: numbers that are all small say no, and quickly."""
    try:
        return bool(np.abs(np.asarray(points, np.float64)).max(initial=0.0) > FAR)
    except (TypeError, ValueError):
        return True


def reach(figure: Figure) -> float:
    """No part of a figure is farther (m) from its root than this; infinite if one may slide on."""
    above = {joint.child: joint for joint in figure.joints.values() if joint.parent != WORLD}
    farthest = {segment: 0.0 for segment in figure.segments if segment not in above}
    waiting = list(above)
    while waiting:
        segment = waiting.pop()
        joint = above[segment]
        if joint.parent not in farthest:
            waiting += [segment, joint.parent]
            continue
        own = float(np.linalg.norm(joint.position) + np.linalg.norm(joint.child_position))
        lengths = zip(joint.kind.units, joint.kind.box, strict=True)
        own += sum(max(map(abs, ends)) for unit, ends in lengths if unit == "m")
        farthest[segment] = farthest[joint.parent] + own
    sites = [
        farthest[site.segment] + float(np.linalg.norm(site.position))
        for site in figure.sites.values()
    ]
    return max([*farthest.values(), *sites], default=0.0)
