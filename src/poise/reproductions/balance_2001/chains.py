"""Chains in the plane x-z with marked points, as the thesis draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from poise.figure import Builder, Capsule, Figure, Hinge, Posture

Values = NDArray[np.float64]

Y = (0.0, 1.0, 0.0)


def marked_chain(
    lengths: Sequence[float], points: Mapping[str, tuple[int, float]], bends: Sequence[float]
) -> Figure:
    """Hinges in a row from a fixed base, with named points on the links.

    Args:
        lengths: of the links (m).
        points: by name, the link (from 1) and the share of its length at which they are.
        bends: the rest posture (degrees): the first against +x, the others against the link
            before; positive lifts the end.
    """
    builder = Builder("marked_chain", f"{len(lengths)} links in the plane")
    builder.segment("base", mass=0.0)
    builder.root("base", "fixed")
    _row(builder, "link", "base", 0.0, lengths)
    for name, (link, share) in points.items():
        builder.site(name, f"link_{link}", (share * lengths[link - 1], 0.0, 0.0))
    rest = {f"link_{i + 1}": -float(np.deg2rad(bend)) for i, bend in enumerate(bends)}
    builder.posture("rest", rest)
    return builder.build()


def two_tips(trunk: int = 3, arms: int = 2, length: float = 0.2) -> Figure:
    """A trunk that carries two arms: sites `left` and `right` at their tips.

    Seven joints as in the thesis' Fig. 5.4, which does not say how they are shared: by default
    three in the trunk, which both tips need, and two in each arm.
    """
    builder = Builder("two_tips", f"{trunk} joints in a trunk, {arms} in each of two arms")
    builder.segment("base", mass=0.0)
    builder.root("base", "fixed")
    _row(builder, "trunk", "base", 0.0, [length] * trunk)
    rest = {"trunk_1": -0.5 * np.pi}
    for side, sign in (("left", -1.0), ("right", 1.0)):
        _row(builder, side, f"trunk_{trunk}", length, [length] * arms)
        builder.site(side, f"{side}_{arms}", (length, 0.0, 0.0))
        rest[f"{side}_1"] = sign * np.deg2rad(60.0)
        rest[f"{side}_2"] = sign * np.deg2rad(25.0)
    builder.posture("rest", rest)
    return builder.build()


def nearest_elbow(main: Values, goal: Values) -> Values:
    """Where the arms of `two_tips` must meet for one tip to come nearest to a goal.

    The other tip is at `main`, within reach. The trunk takes that point anywhere within 0.6 m of
    the base, the other arm holds it within 0.4 m of `main`. For goals outside both disks.
    """
    disks = ((np.zeros(2), 0.6), (main, 0.4))
    candidates = [c + r * unit(goal - c) for c, r in disks]
    apart = float(np.linalg.norm(main))
    along = (apart**2 + 0.6**2 - 0.4**2) / (2 * apart)
    across = np.sqrt(max(0.6**2 - along**2, 0.0)) * np.array([-main[1], main[0]]) / apart
    candidates += [along * main / apart + across, along * main / apart - across]
    inside = [p for p in candidates if all(np.linalg.norm(p - c) <= r + 1e-9 for c, r in disks)]
    return min(inside, key=lambda p: float(np.linalg.norm(p - goal)))


def unit(vector: Values) -> Values:
    """A vector of length 1."""
    return vector / np.linalg.norm(vector)


def lines(posture: Posture) -> list[Values]:
    """The links as pairs of points (2, 2) in the plane."""
    figure = posture.figure
    where = figure.place(posture)
    found: list[Values] = []
    for name, segment in figure.segments.items():
        for shape in segment.shapes:
            if isinstance(shape, Capsule):
                place = where.segment(name)
                ends = np.array([place.apply(shape.start), place.apply(shape.end)])
                found.append(ends[:, [0, 2]])
    return found


def _row(builder: Builder, name: str, parent: str, at: float, lengths: Sequence[float]) -> None:
    """Links one after the other, each named like its joint."""
    for i, length in enumerate(lengths, 1):
        link = Capsule((0.0, 0.0, 0.0), (length, 0.0, 0.0), 0.1 * length)
        builder.segment(f"{name}_{i}", shapes=[link], density=1000.0)
        builder.joint(f"{name}_{i}", Hinge(Y), parent, f"{name}_{i}", (at, 0.0, 0.0))
        parent, at = f"{name}_{i}", length
