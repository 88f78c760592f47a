"""A chain of equal links, the simplest figure of any size."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.checking import AXES, number
from poise.errors import PoiseError, unknown_name
from poise.figure import (
    Ball,
    Builder,
    Capsule,
    Figure,
    Hinge,
    Sphere,
    SphericalEllipse,
    Swing,
    Twist,
)
from poise.figure.kinds import EVERYTHING, JointKind
from poise.figure.limits import LARGEST_SWING
from poise.figure.recipes import ready
from poise.units import degrees_hint

MOST_COORDINATES = 5000
"""Of a chain: to solve for it takes memory that grows with the square of their number."""
_BYTES = 64.0
"""Memory for a solve, for each pair of coordinates: about eight square arrays."""
_JOINTS = {"hinge": 1, "swing": 2, "ball": 3}  # with their coordinates
_DENSITY = 1000.0  # kg/m³, water
_COLORS = ("#3f74ad", "#8fb3d9")  # in turn, so that one sees where a link ends


@ready
def chain(
    n: int,
    length: float = 0.1,
    joint: str = "hinge",
    root: str = "fixed",
    *,
    limit: float | None = None,
) -> Figure:
    """A base and n links in a row along x, straight at rest, with the site `tip` at the end.

    The first joint is in the base's origin, joint i + 1 at the far end of link i. Links are
    capsules of water.

    Args:
        n: how many joints and links, at least 1; at most 5000 coordinates in all.
        length: of a link, in metres.
        joint: "hinge" (about y: the chain stays in its x-z plane), "swing" (two coordinates) or
            "ball" (three).
        root: "fixed" holds the base in the world's origin, "free" lets it go anywhere.
        limit: how far each joint may bend either way, in radians; a ball may twist as far.
            None for no limits.
    """
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise PoiseError(f"the number of links of a chain must be 1, 2, …, not {n!r}")
    length = number(length, "the length (m) of a link", above=0)
    kind = _kind(joint, limit)
    coordinates = int(n) * _JOINTS[joint]
    if coordinates > MOST_COORDINATES:
        raise PoiseError(
            f"a chain may have {MOST_COORDINATES} coordinates, so {n} links joined by {joint}s are "
            f"too many: {coordinates} coordinates would take {_BYTES * coordinates**2 / 1e9:.3g} GB"
        )
    radius = 0.15 * length
    builder = Builder("chain", f"{n} links joined by {joint}s")
    center = (0.0, 0.0, 0.0)
    ball = Sphere(center, 1.4 * radius)
    builder.segment("base", shapes=[ball], density=_DENSITY, color="#5a6572")
    builder.root("base", root)
    for i in range(1, n + 1):
        link = Capsule(center, (length, 0.0, 0.0), radius)
        builder.segment(f"link_{i}", shapes=[link], density=_DENSITY, color=_COLORS[i % 2])
        parent, at = ("base", 0.0) if i == 1 else (f"link_{i - 1}", length)
        builder.joint(f"joint_{i}", kind, parent, f"link_{i}", (at, 0.0, 0.0))
    builder.site("tip", f"link_{n}", (length, 0.0, 0.0))
    builder.posture("rest", {})
    return builder.build()


def _kind(joint: Any, limit: Any) -> JointKind:
    if not isinstance(joint, str) or joint not in _JOINTS:
        raise unknown_name("joint", joint, _JOINTS, "chain")
    if limit is None:
        interval, ellipse, twist = EVERYTHING, (), None
    else:
        limit = number(limit, "the limit (rad) of a chain's joints", above=0)
        most = np.pi if joint == "hinge" else LARGEST_SWING
        if limit > most:
            raise PoiseError(
                f"the limit of a chain's {joint}s must be at most {most:.4g} rad, not {limit:g}"
                f"{degrees_hint(limit)}"
            )
        interval = (-limit, limit)
        ellipse, twist = (SphericalEllipse(limit, limit),), Twist(-limit, limit)
    if joint == "hinge":
        return Hinge(AXES["y"], interval)
    if joint == "swing":
        return Swing(AXES["x"], swing=ellipse)
    return Ball(AXES["x"], swing=ellipse, twist=twist)
