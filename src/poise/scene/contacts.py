"""Which bodies touch in a posture: each other, props and the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.checking import number
from poise.closed import closed
from poise.figure.collision import pack_shapes, parts_of
from poise.kernel.contacts import distance, workspace
from poise.kernel.contacts.pairs import groups_of, make_near, near_pairs, pair_list
from poise.tasks.avoid import Avoid, AvoidSelf
from poise.tasks.task import Apart, Context, length_text

Values = NDArray[np.float64]

WIDEST = 10.0
"""Metres: bodies farther from each other are no contact."""


@closed
@dataclass(frozen=True, eq=False)
class BodyContact:
    """Two bodies that touch, or are near each other."""

    first: str
    """A segment, a prop or "floor"."""
    second: str
    distance: float
    """Between their surfaces (m), negative where they are in each other: the least way apart."""
    allowed: float
    """How deep (m) they may be in each other by design."""
    points: Values
    """(2, 3) the nearest points, or the deepest, of either surface (m)."""
    normal: Values
    """(3,) from the first to the second."""

    @property
    def depth(self) -> float:
        """How deep (m) they are in each other beyond what is allowed; 0 where they are not."""
        return max(-self.distance - self.allowed, 0.0)

    def __str__(self) -> str:
        """One line, such as "left_hand is 31 mm inside seat"."""
        if self.depth > 0.0:
            return f"{self.first} is {length_text(self.depth)} inside {self.second}"
        return f"{self.first} is {length_text(max(self.distance, 0.0))} from {self.second}"


def contacts_in(context: Context, within: float) -> tuple[BodyContact, ...]:
    """All pairs of bodies that are as near as this (m), the deepest first; see `Solution.contacts`.

    Of two bodies with several shapes it is the pair of shapes with the least left.
    """
    within = number(within, "how near bodies are (m)", least=0.0, most=WIDEST)
    parts = parts_of(context.figure)
    pairs = [*Avoid().pairs(context), *AvoidSelf().pairs(context)]
    if not pairs:
        return ()
    found, contacts = _measured(context, pairs, within)
    best: dict[tuple[str, str], BodyContact] = {}
    for pair, contact in zip(found, contacts, strict=True):
        left = contact[distance.DISTANCE] + pair.allowed
        if left > within:
            continue
        key = parts[pair.first].segment, parts[pair.second].segment
        if key not in best or left < best[key].distance + best[key].allowed:
            best[key] = BodyContact(
                *key,
                float(contact[distance.DISTANCE]),
                pair.allowed,
                contact[distance.FIRST : distance.CONTACT].reshape(2, 3).copy(),
                contact[distance.NORMAL : distance.FIRST].copy(),
            )
    return tuple(sorted(best.values(), key=lambda each: each.distance + each.allowed))


def _measured(
    context: Context, pairs: Sequence[Apart], within: float
) -> tuple[list[Apart], Values]:
    """Those pairs that may be near, and their contacts, one row each."""
    parts = parts_of(context.figure)
    shapes = pack_shapes([(part.node, part.place, part.shape) for part in parts])
    tree = context.figure.packed.tree
    state, places = kernel.body.tree.state(tree), np.zeros((len(parts), 12))
    kernel.body.kinematics.place(tree, context.posture.q, state)
    kernel.contacts.shapes.place_shapes(shapes, state, places)
    listed = pair_list(
        [(each.first, each.second) for each in pairs],
        [each.allowed for each in pairs],
        groups_of(shapes, places),
    )
    rows = np.zeros(len(pairs), np.int64)
    count = near_pairs(shapes, places, listed, make_near(listed, 0.0), within, rows)
    rows = rows[:count]
    warm = np.zeros((count, workspace.REMEMBERED))
    contacts = np.zeros((count, distance.CONTACT))
    distance.distances(
        shapes, places, listed.pair[rows].copy(), warm, workspace.workspace(), contacts
    )
    return [pairs[i] for i in listed.number[rows].tolist()], contacts
