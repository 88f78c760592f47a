"""The distance of the centre of mass to each side of its support, less a margin, in metres.

The support is the convex hull of corners on nodes, seen from above. A side is s·(c − p) with p a
corner and s a unit vector: across an edge to the next corner q; of a slender support, and of a
line, as which one that is seen edge-on counts, also along it, at both ends; of one that is but a
point the four directions of the axes. Sides move with their corners, and that counts: with
a = (q − p)/|q − p|, ȧ = (1 − a aᵀ)(q̇ − ṗ)/|q − p|. Rows that no side needs are met by far, and
constant.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.kernel.body.kinematics import locate, point_rows
from poise.kernel.compiling import compiled
from poise.kernel.filling import clear
from poise.kernel.residuals import center_of_mass
from poise.kernel.residuals.blocks import Head, Nodes
from poise.kernel.residuals.sites import center_of

MARGIN, CORNERS = 0, 1
CORNER_NODE, CORNER_PLACE, CORNER = 0, 1, 4
"""Values: the margin; then for each corner its node and its point there, so many numbers; then,
from `node` on, a part of the masses. `other` is the number of corners."""

ENDS = 2
"""So many rows more than corners has a support: for its ends."""

_THIN = 1e-5
"""A hull narrower than this (m) counts as a line, and a line shorter than this as a point: the
direction of so short an edge means nothing."""

_SLENDER = 0.1
"""A hull narrower than this share of its length has its ends watched, too: beyond a sharp corner
one can be far away and yet next to both edges."""


def packed(margin: float, corners: ArrayLike, part: ArrayLike) -> NDArray[np.float64]:
    """The values; corners are rows of a node and a point there."""
    return np.concatenate([[margin], np.ravel(corners), part])


def touched(head: Head) -> Nodes:
    """The nodes of the masses and of the corners."""
    corners = head.values[CORNERS + CORNER_NODE : CORNERS + CORNER * head.other : CORNER]
    return center_of_mass.touched_beside(head, corners)


@compiled
def residual(tree, state, scratch, node, corners, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    center, center_rows = center_of(tree, state, scratch, v[node:], wanted)
    rows, next_rows = scratch.site_rows, scratch.goal_rows
    corner, order = scratch.corner, scratch.order
    for k in range(corners):
        at = CORNERS + CORNER * k
        locate(state, int(v[at + CORNER_NODE]), v[at + CORNER_PLACE : at + CORNER], corner[k])
    first, last, length, width = _ends(corner, corners)
    sides = _hull(corner, corners, order) if width >= _THIN else 2
    ends = 2 if width < max(_THIN, _SLENDER * length) else 0
    for r in range(e.size):
        across = r < sides
        i, j = (first, last) if r % 2 == sides % 2 else (last, first)
        if across and width >= _THIN:
            i, j = order[1, r], order[1, (r + 1) % sides]
        ax, ay = corner[j, 0] - corner[i, 0], corner[j, 1] - corner[i, 1]
        size = math.sqrt(ax * ax + ay * ay)
        if r >= sides + ends or (size < _THIN <= length):
            e[r] = 1.0
            if wanted:
                clear(A[r : r + 1], 1)
            continue
        rate = 1.0 / size if length >= _THIN else 0.0
        ax, ay = ax * rate, ay * rate
        if length < _THIN:
            ax, ay = (1.0 if r % 2 == 0 else -1.0), 0.0
        if wanted:
            clear(rows, 3)
            clear(next_rows, 3)
            point_rows(tree, state, int(v[CORNERS + CORNER * i + CORNER_NODE]), corner[i], rows)
            point_rows(
                tree, state, int(v[CORNERS + CORNER * j + CORNER_NODE]), corner[j], next_rows
            )
        cx, cy = center[0] - corner[i, 0], center[1] - corner[i, 1]
        sx, sy = (-ay, ax) if across else (ax, ay)
        e[r] = sx * cx + sy * cy - v[MARGIN]
        if not wanted:
            continue
        for k in range(A.shape[1]):
            dx, dy = center_rows[0, k] - rows[0, k], center_rows[1, k] - rows[1, k]
            tx = rate * (next_rows[0, k] - rows[0, k])
            ty = rate * (next_rows[1, k] - rows[1, k])
            turn = ax * ty - ay * tx  # how fast a turns; then s does, too
            A[r, k] = sx * dx + sy * dy + turn * (sx * cy - sy * cx)


@compiled
def _ends(corner, corners):
    """The two corners that are farthest apart, their distance, and the width of all.

    The width is how far from the line between them another corner lies.
    """
    first, last, most = 0, 0, 0.0
    for i in range(corners):
        for j in range(i):
            x, y = corner[i, 0] - corner[j, 0], corner[i, 1] - corner[j, 1]
            if x * x + y * y > most:
                first, last, most = j, i, x * x + y * y
    length, width = math.sqrt(most), 0.0
    if length >= _THIN:
        ax, ay = corner[last, 0] - corner[first, 0], corner[last, 1] - corner[first, 1]
        for k in range(corners):
            x, y = corner[k, 0] - corner[first, 0], corner[k, 1] - corner[first, 1]
            width = max(width, abs(ax * y - ay * x) / length)
    return first, last, length, width


@compiled
def _hull(corner, corners, order):
    """Bring the hull of the corners, counter-clockwise, into `order`; its edges (Andrew 1979)."""
    for k in range(corners):
        order[0, k] = k
        t = k
        while t > 0 and _before(corner, order[0, t], order[0, t - 1]):
            order[0, t], order[0, t - 1] = order[0, t - 1], order[0, t]
            t -= 1
    size = 0
    for side in range(2):  # along the lower side, then back along the upper
        least = 2 if side == 0 else size + 1
        for k in range(side, corners):
            c = order[0, k] if side == 0 else order[0, corners - 1 - k]
            while size >= least and not _left(corner, order[1, size - 2], order[1, size - 1], c):
                size -= 1
            order[1, size] = c
            size += 1
    return size - 1


@compiled
def _before(corner, i, j):
    return corner[i, 0] < corner[j, 0] or (
        corner[i, 0] == corner[j, 0] and corner[i, 1] < corner[j, 1]
    )


@compiled
def _left(corner, i, j, k):
    """Whether corner k lies to the left of the line from i to j, by more than rounding."""
    ax, ay = corner[j, 0] - corner[i, 0], corner[j, 1] - corner[i, 1]
    return ax * (corner[k, 1] - corner[i, 1]) - ay * (corner[k, 0] - corner[i, 0]) > 1e-12
