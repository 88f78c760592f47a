"""How points are packed for the kernel: fixed in the world, or in a frame that moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poise.checking import Vec3
from poise.errors import PoiseError
from poise.figure import Transform
from poise.kernel.residuals import framed, position
from poise.kernel.residuals.kinds import FRAMED, LOOP, POSITION
from poise.tasks.task import Block, Context, Values, carrier, point_target, rides

ORIGIN: Vec3 = (0.0, 0.0, 0.0)
NOWHERE = Transform(np.eye(3), np.zeros(3))


def point_block(
    context: Context,
    site: str,
    target: Any,
    frame: str | None,
    directions: Values,
    offsets: ArrayLike = 0.0,
    *,
    inequality: bool = False,
) -> Block:
    """The components of a site along directions: e = d · (x − g) − o, one row each.

    Args:
        context: where names are looked up.
        site: whose origin x is.
        target: the goal g, a point or the name of a site.
        frame: the site in whose frame g and d are given; None for the world.
        directions: (k, 3).
        offsets: (k,) in metres.
        inequality: whether the rows need only not be negative.
    """
    rows = len(directions)
    if frame is not None:
        sides = directions, np.broadcast_to(offsets, rows)
        node, other, values = framed_point(context, site, frame, *sides, goal=target)
        return Block(FRAMED, rows, values, node, other, inequality=inequality, target=framed.GOAL)
    node, place = context.site(site)
    if rides(target):
        other, there = context.site(target)
        values = position.packed(place.position, there.position, directions, offsets)
        return Block(LOOP, rows, values, node, other, inequality=inequality)
    values = position.packed(place.position, target, directions, offsets)
    return Block(POSITION, rows, values, node, inequality=inequality, target=position.GOAL)


def framed_point(
    context: Context,
    site: str,
    frame: str | None,
    *own: ArrayLike,
    goal: ArrayLike = ORIGIN,
    within: Transform = NOWHERE,
) -> tuple[int, int, Values]:
    """Both nodes and the numbers (`kernel.residuals.framed`) of a point in a frame.

    Args:
        context: where names are looked up.
        site: whose origin is the point.
        frame: the site on which the frame rides; None for the world.
        *own: what the kind of block has of its own.
        goal: in the frame.
        within: the frame's place on that site, or in the world.
    """
    node, place = context.site(site)
    other, there = (0, NOWHERE) if frame is None else context.site(frame)
    there = there @ within
    riding = there.position, there.rotation
    return node, other, framed.packed(place.position, goal, riding, *own)


def riding_frame(frame: Any, site: str) -> str | None:
    """The name of the site on which a task's space rides; None for the world."""
    if frame is None:
        return None
    if not rides(frame):
        raise PoiseError(
            f"the frame of {site!r} must be None, for the world, or the name of a site, "
            f"not {frame!r}"
        )
    return carrier(frame, site, f"the frame of {site!r}")


def riding_point(target: Any, site: str, what: str) -> Any:
    """A point, or the name of the site that is the target."""
    if rides(target):
        return carrier(target, site, what)
    return point_target(target, what)


def present_point(context: Context, site: str, frame: str | None) -> Values:
    """Where a site is now, in the world or in a frame."""
    now = context.places[site].position
    return now if frame is None else context.places[frame].inverse().apply(now)
