"""How every segment of a figure moves against the one before it, over a whole clip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.closed import closed
from poise.figure import WORLD, Figure, Group, Joint
from poise.figure.packing import crossings

Values = NDArray[np.float64]


@closed
@dataclass(frozen=True, eq=False)
class Link:
    """A segment's frame in that of the segment before it, in k frames.

    Attributes:
        segment: whose frame it is.
        parent: the segment before it on the way to the ground, or "world".
        joint: what joins the two. In a figure that was re-rooted the joint's own child may be
            `parent`.
        rotations: (k, 3, 3), from the segment's axes to the parent's.
        positions: (k, 3), of the segment's origin in the parent's frame, in metres.
    """

    segment: str
    parent: str
    joint: Joint
    rotations: Values
    positions: Values


def links(figure: Figure, q: Values) -> Iterator[Link]:
    """The links of all segments, parents before children, for coordinates (k, n)."""
    values = member_values(figure, q)
    for joint, backwards in crossings(list(figure.joints.values())):
        turns, shifts = joint.kind.motions(values[joint.name])
        before, after = joint.before, joint.after
        shifts = (shifts + turns @ after.position) @ before.rotation.T + before.position
        turns = before.rotation @ turns @ after.rotation
        parent, child = joint.parent, joint.child
        if backwards:
            turns = turns.transpose(0, 2, 1)
            shifts = -np.einsum("kij,kj->ki", turns, shifts)
            parent, child = child, parent
        yield Link(child, parent, joint, turns, shifts)


def placed(figure: Figure, q: Values) -> dict[str, tuple[Values, Values]]:
    """Rotations (k, 3, 3) and positions (k, 3) of all segments in the world, by name."""
    count = len(q)
    places = {WORLD: (np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3)))}
    for link in links(figure, q):
        turns, shifts = places[link.parent]
        places[link.segment] = (
            turns @ link.rotations,
            shifts + np.einsum("kij,kj->ki", turns, link.positions),
        )
    del places[WORLD]
    return places


def member_values(figure: Figure, q: Values) -> dict[str, Values]:
    """Coordinates (k, width) of every joint by name, those that groups drive included."""
    driven = {
        member: _evaluated(group, member, q[:, figure.span(group.name)])
        for group in figure.groups.values()
        for member in group.terms
    }
    joints = {member.partition(".")[0] for member in driven}
    values: dict[str, Values] = {}
    for name, joint in figure.joints.items():
        if name in joints:
            still = np.zeros(len(q))
            columns = [driven.get(each, still) for each in joint.coordinates]
            values[name] = np.column_stack(columns)
        else:
            values[name] = q[:, figure.span(name)]
    return values


def _evaluated(group: Group, member: str, parameters: Values) -> Values:
    """One member of a group for parameters (k, p)."""
    columns = dict(zip(group.parameters, parameters.T, strict=True))
    total = np.zeros(len(parameters))
    for term in group.terms[member]:
        product = np.full(len(parameters), term.factor)
        for parameter, power in term.powers.items():
            product *= columns[parameter] ** power
        total += product
    return total
