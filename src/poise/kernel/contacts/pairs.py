"""Which pairs of shapes may be within reach of each other: none that is, is ever left out.

Every shape is in a ball about its centre. Two shapes are at least as far apart as their balls, and
no nearer than that by how far their centres have moved since. So pairs are kept in a list that
holds all whose balls are within the reach and twice a slack; it is made anew only when a centre has
moved further than the slack, or the reach grew. What is handed out are the pairs of the list whose
balls are within the reach now.

The list is made in two levels: shapes are in groups, each in a ball of its own, and the pairs of
two groups are looked at only where the balls of the groups are near.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints, Ints2
from poise.kernel.body.vectors import dot, minus
from poise.kernel.compiling import compiled, entry
from poise.kernel.contacts.shapes import HALF_SPACE, Shapes, axis_of, center_of
from poise.kernel.records import Numbers

MOST_TOGETHER = 8
"""Shapes of the ground that make one group at the most."""


class Pairs(NamedTuple):
    """Pairs of shapes, sorted by the groups that they are of: P pairs, B pairs of groups."""

    pair: Ints2  # (P, 2)
    allowed: Floats  # (P,) depth that is none, m
    number: Ints  # (P,) which of the pairs that were given
    blocks: Ints2  # (B, 2) pairs of groups
    first_pair: Ints  # (B + 1,) their pairs
    first_member: Ints  # (G + 1,) shapes of each group
    member: Ints


class Listed(Numbers):
    """What is known of the list of near pairs."""

    count: int
    """Pairs in the list."""
    reach: float = -1.0
    """For which it was made, m; negative: none was made yet."""
    slack: float
    """How far centres may move before it is made anew, m."""
    made: int
    """How often it was made."""


class Near(NamedTuple):
    """The list of near pairs."""

    listed: Listed
    candidate: Ints  # (P,) rows of `Pairs`
    center: Floats2  # (S, 6) centres when the list was made, and z axes of half-spaces
    ball: Floats2  # (G, 4) centre and radius of each group


def groups_of(shapes: Shapes, places: Floats2) -> Ints:
    """A group for each shape: those on a node are one; those of the ground are split by place."""
    groups = np.zeros(shapes.kind.size, np.int64)
    todo: list[np.ndarray] = []
    for node in np.unique(shapes.node):
        here = np.nonzero(shapes.node == node)[0]
        plane = shapes.kind[here] == HALF_SPACE
        todo += [here[plane], here[~plane]]
    made = 0
    while todo:
        here = todo.pop()
        if here.size > MOST_TOGETHER and shapes.node[here[0]] == 0:
            at = places[here, 9:]
            order = here[np.argsort(at[:, np.ptp(at, axis=0).argmax()])]
            todo += [order[: here.size // 2], order[here.size // 2 :]]
        elif here.size:
            groups[here] = made
            made += 1
    return groups


def pair_list(pairs: Sequence[tuple[int, int]], allowed: Sequence[float], groups: Ints) -> Pairs:
    """Pairs to look at.

    Args:
        pairs: the shapes of each pair.
        allowed: for each pair the depth that counts as none, in metres.
        groups: the group of each shape.
    """
    both = np.array(pairs, np.int64).reshape(-1, 2)
    of = groups[both]
    order = np.lexsort((of[:, 1], of[:, 0]))
    blocks, first = np.unique(of[order], axis=0, return_index=True)
    count = int(groups.max(initial=-1)) + 1
    members = [np.nonzero(groups == group)[0] for group in range(count)]
    return Pairs(
        pair=np.ascontiguousarray(both[order]),
        allowed=np.array(allowed, np.float64)[order],
        number=order.astype(np.int64),
        blocks=np.ascontiguousarray(blocks.reshape(-1, 2)),
        first_pair=np.append(first, len(both)).astype(np.int64),
        first_member=np.cumsum([0, *map(len, members)]).astype(np.int64),
        member=np.concatenate([np.zeros(0, np.int64), *members]),
    )


def make_near(pairs: Pairs, slack: float) -> Near:
    """Room for the list of near pairs; centres may move by the slack before it is made anew (m)."""
    listed = Listed()
    listed.slack = slack
    return Near(
        listed=listed,
        candidate=np.zeros(len(pairs.pair), np.int64),
        center=np.zeros((pairs.member.size, 6)),
        ball=np.zeros((pairs.first_member.size - 1, 4)),
    )


@entry
def near_pairs(
    shapes: Shapes, places: Floats2, pairs: Pairs, near: Near, reach: float, found: Ints
) -> int:
    """Write the rows of `Pairs` that may be within reach; return how many there are.

    A pair is within reach where its distance and the depth allowed to it are together at most the
    reach. The balls are a lower bound of the distance: some that are farther are found, too.
    """
    listed = near.listed
    if reach > listed.reach or _has_moved(shapes, places, near.center, listed.slack):
        _make(shapes, places, pairs, near, reach)
    count = 0
    for k in range(listed.count):
        p = near.candidate[k]
        least = ball_distance(shapes, places, pairs.pair[p, 0], pairs.pair[p, 1])
        if least + pairs.allowed[p] <= reach:
            found[count] = p
            count += 1
    return count


@compiled
def ball_distance(shapes, places, i, j):
    """How far apart the balls of two shapes are, or a ball and a half-space: at most the truth."""
    x = minus(center_of(places, j), center_of(places, i))
    if shapes.kind[i] == HALF_SPACE or shapes.kind[j] == HALF_SPACE:
        if shapes.kind[i] == shapes.kind[j]:
            return -math.inf
        if shapes.kind[i] == HALF_SPACE:
            return dot(x, axis_of(places, i)) - shapes.bound[j]
        return -dot(x, axis_of(places, j)) - shapes.bound[i]
    return math.sqrt(dot(x, x)) - shapes.bound[i] - shapes.bound[j]


@compiled
def _has_moved(shapes, places, center, slack):
    """Whether a shape has moved further than the slack, or a half-space at all."""
    for i in range(shapes.kind.size):
        square, turn = 0.0, 0.0
        axis = axis_of(places, i)
        for c in range(3):
            x = places[i, 9 + c] - center[i, c]
            y = axis[c] - center[i, 3 + c]
            square += x * x
            turn += y * y
        if square > slack * slack:
            return True
        if shapes.kind[i] == HALF_SPACE and square + turn > 0.0:
            return True
    return False


@compiled
def _make(shapes, places, pairs, near, reach):
    """Make the list anew."""
    listed = near.listed
    for i in range(shapes.kind.size):
        axis = axis_of(places, i)
        for c in range(3):
            near.center[i, c] = places[i, 9 + c]
            near.center[i, 3 + c] = axis[c]
    for g in range(near.ball.shape[0]):
        _bound(shapes, places, pairs, near.ball, g)
    wide = reach + 2.0 * listed.slack
    count = 0
    for b in range(pairs.blocks.shape[0]):
        g, h = pairs.blocks[b, 0], pairs.blocks[b, 1]
        square = 0.0
        for c in range(3):
            x = near.ball[g, c] - near.ball[h, c]
            square += x * x
        if math.sqrt(square) - near.ball[g, 3] - near.ball[h, 3] > wide:
            continue
        for p in range(pairs.first_pair[b], pairs.first_pair[b + 1]):
            least = ball_distance(shapes, places, pairs.pair[p, 0], pairs.pair[p, 1])
            if least + pairs.allowed[p] <= wide:
                near.candidate[count] = p
                count += 1
    listed.count = count
    listed.reach = reach
    listed.made += 1


@compiled
def _bound(shapes, places, pairs, ball, g):
    """Write the ball of a group; it is without bound where a half-space is in it."""
    first, last = pairs.first_member[g], pairs.first_member[g + 1]
    for c in range(3):
        total = 0.0
        for k in range(first, last):
            total += places[pairs.member[k], 9 + c]
        ball[g, c] = total / max(1, last - first)
    radius = 0.0
    for k in range(first, last):
        i = pairs.member[k]
        x = minus(center_of(places, i), (ball[g, 0], ball[g, 1], ball[g, 2]))
        radius = max(radius, math.sqrt(dot(x, x)) + shapes.bound[i])
    ball[g, 3] = radius
