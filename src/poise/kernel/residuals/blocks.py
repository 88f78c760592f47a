"""The flat form of tasks: what `kernel.residuals.evaluation` computes with.

Which nodes a block of each kind depends on is in `kernel.residuals.touching`.
"""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints, Ints2

(
    POINT, MASS, GAP, TURN, AXIS, VECTORS, AIM, HULL, RIDE, PART, OUTSIDE, ELLIPSOID, GYRATION, ANY,
    CUSTOM, MOMENT, EFFORT,
) = range(17)  # fmt: skip
"""Kinds of block: a point, the centre of mass, the gap between two points, an orientation, an
axis of it, two axes of it as vectors, a line of sight, the centre of mass over its support, a
point in a frame that rides on a node, the centre of mass of one figure among several, a point
outside a convex body, a point on an ellipsoid, a radius of gyration, the best of several blocks, a
function written in Python, the moment of all forces, what joints hold."""

END = -1
"""Instead of a kind: no block, but where the rows and numbers of the one before it end."""

KIND, NODE, OTHER, ROW, ROWS, START = range(6)
"""Columns of `Blocks.block`: kind, node (of masses, where in its numbers a part begins), second
node (−1 for none; the number of corners of a support, or of the blocks of which one is chosen, or
the address of a function), first row, number of rows, first of its numbers."""

SCALE, WEIGHT = range(2)
"""Columns of `Blocks.factor`: √weight, times metres per radian for angles; √weight alone."""

CHOICE = 7
"""Of ANY, every block to choose from is so many numbers, and then its own: kind, node, second node,
number of rows, whether it is an inequality, a factor for its rows, how many numbers it has."""

PLACED = 18
"""Of RIDE, OUTSIDE and ELLIPSOID, so many numbers come first: the point in the node's frame (3), a
goal (3), and the frame that rides on the second node, as its position (3) and rotation (9)."""

ENDS = 2
"""So many rows more than corners has a support: for its ends."""

FORCE = 7
"""Of MOMENT, every force is so many numbers: node, point in its frame (3), force (3)."""

MOMENT_HEAD = 9
"""Of MOMENT, so many numbers come before the forces: metres per N·m, torque (3), weight (3), how
many forces, how many numbers a part has. After the forces comes that part, as of masses."""

LOAD = 10
"""Of EFFORT, every load is so many numbers: node, point in its frame (3), force (3), torque (3)."""

COMPONENT = 23
"""Of EFFORT, every component is so many numbers: node, kind of axis, whether the joint is crossed
backwards; for a chart the segment's axis on the frame's side (3) and on its own (3), and the
component's axis on the frame's side (3); the strength in the positive and in the negative
direction, each as its peak, how fast it falls with the angle, the angle of the peak, the least (8);
room (3). Components of one node follow each other."""

EFFORT_HEAD = 6
"""Of EFFORT, so many numbers come before the loads: how many loads, how many components, gravity
(3), a factor. After loads and components there is room: for each node SUM numbers and one more,
and BENT; then SPIN for each twist."""

SUM = 15
"""Sums of what hangs from a node: F (3), x Fᵀ (9), T (3)."""

BENT, SPIN = 33, 3
"""Room for second derivatives: so many numbers for each node, and for each twist."""

TURNS, SLIDES, SWINGS = range(3)
"""Kinds of axis of a component: a hinge's, a slider's (then it is a force), one of a chart."""


class Blocks(NamedTuple):
    """Blocks in the order of their rows, which is the order of priority."""

    block: Ints2  # (B + 1, 6) the last is only the end of rows and numbers
    values: Floats
    factor: Floats2  # (B, 2)
    inequality: Ints  # (R,) 1 where the residual should not be negative, 0 where it should vanish
    level: Ints  # (L + 1,) rows of each level


class Scratch(NamedTuple):
    """Room for the blocks' own arithmetic."""

    rows: Floats2  # (12, n) Jacobians of a point and its frame, on the node and on the other
    center_rows: Floats2  # (3, n) Jacobian of the centre of mass
    point: Floats2  # (5, 3) of the site, of the other, in its frame; centres of mass: all, a part
    turn: Floats2  # (3, 9) of the site, of the other, between them
    corner: Floats2  # (C, 3) corners of the support
    order: Ints2  # (2, 2 C + 2) corners from left to right; their hull


def make_scratch(n: int, corners: int) -> Scratch:
    """Room for blocks on n coordinates and supports with that many corners in all."""
    return Scratch(
        np.zeros((12, n)),
        np.zeros((3, n)),
        np.zeros((5, 3)),
        np.zeros((3, 9)),
        np.zeros((max(corners, 1), 3)),
        np.zeros((2, 2 * corners + 2), np.int64),
    )
