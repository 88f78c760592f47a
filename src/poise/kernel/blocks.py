"""The flat form of tasks: what `kernel.residuals` computes with."""

from typing import NamedTuple

import numpy as np

from poise.kernel.tree import Floats, Ints

POINT, MASS, GAP, TURN, AXIS, VECTORS, AIM, HULL = range(8)
"""Kinds of block: a point, the centre of mass, the gap between two points, an orientation, an
axis of it, two axes of it as vectors, a line of sight, the centre of mass over its support."""

KIND, NODE, OTHER, ROW, ROWS, START = range(6)
"""Columns of `Blocks.block`: kind, node, second node (−1 for none; the number of corners of a
support), first row, number of rows, first of its numbers."""

SCALE, WEIGHT = range(2)
"""Columns of `Blocks.factor`: √weight, times metres per radian for angles; √weight alone."""


class Blocks(NamedTuple):
    """Blocks in the order of their rows, which is the order of priority."""

    block: Ints  # (B + 1, 6) the last is only the end of rows and numbers
    values: Floats
    factor: Floats  # (B, 2)
    inequality: Ints  # (R,) 1 where the residual should not be negative, 0 where it should vanish
    level: Ints  # (L + 1,) rows of each level


class Scratch(NamedTuple):
    """Room for the blocks' own arithmetic."""

    rows: Floats  # (12, n) Jacobians of a point and its frame, on the node and on the other
    center_rows: Floats  # (3, n) Jacobian of the centre of mass
    point: Floats  # (4, 3)
    turn: Floats  # (3, 9)
    corner: Floats  # (C, 3) corners of the support
    order: Ints  # (2, 2 C + 2) corners from left to right; their hull


def make_scratch(n: int, corners: int) -> Scratch:
    """Room for blocks on n coordinates and supports with that many corners in all."""
    return Scratch(
        np.zeros((12, n)),
        np.zeros((3, n)),
        np.zeros((4, 3)),
        np.zeros((3, 9)),
        np.zeros((max(corners, 1), 3)),
        np.zeros((2, 2 * corners + 2), np.int64),
    )
