"""The flat form of tasks: blocks of rows, which kinds in `kernel.residuals.kinds` compute."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.kernel.arrays import Floats, Floats2, Ints, Ints2
from poise.kernel.contacts.bodies import NO_BODIES, Bodies, Kept, make_kept

END = -1
"""Instead of a kind: no block, but where the rows and numbers of the one before it end."""

KIND, NODE, OTHER, ROW, ROWS, START = range(6)
"""Columns of `Blocks.block`: kind, node (of masses, where in its numbers a part begins), second
node (−1 for none; the number of corners of a support, or of the blocks of which one is chosen, or
the address of a function), first row, number of rows, first of its numbers."""

SCALE, WEIGHT = range(2)
"""Columns of `Blocks.factor`: √weight, times metres per radian for angles; √weight alone."""


class Blocks(NamedTuple):
    """Blocks in the order of their rows, which is the order of priority."""

    block: Ints2  # (B + 1, 6) the last is only the end of rows and numbers
    values: Floats
    factor: Floats2  # (B, 2)
    inequality: Ints  # (R,) 1 where the residual should not be negative, 0 where it should vanish
    level: Ints  # (L + 1,) rows of each level
    bodies: Bodies = NO_BODIES  # which are to stay apart


class Head(NamedTuple):
    """What says where a block acts: see the columns of `Blocks.block`."""

    kind: int
    node: int
    other: int
    values: NDArray[np.float64]


Nodes = frozenset[int] | None
"""Nodes of the tree; None for every one."""


def everything(head: Head) -> Nodes:
    """All nodes."""
    return None


def both_nodes(head: Head) -> Nodes:
    """The node and the other, if there is one."""
    return frozenset((head.node, head.other)) - {-1}


class Terms(NamedTuple):
    """The rows of one block, as its second derivatives need them."""

    weight: float
    """What the rows have been multiplied with."""
    residual: Floats
    force: Floats
    """What each row is multiplied with."""
    matrix: Floats2
    """The Jacobian of the rows."""


class Scratch(NamedTuple):
    """Room for the blocks' own arithmetic.

    The site is a point and a turn of a block's node, the goal one of its other node. Rows are
    Jacobians: of points, of angular velocities ω, of centres of mass.
    """

    site: Floats  # (3,)
    site_rows: Floats2  # (3, n)
    turn: Floats  # (9,)
    turn_rows: Floats2  # (3, n)
    goal: Floats  # (3,)
    goal_rows: Floats2  # (3, n)
    goal_turn: Floats  # (9,)
    goal_turn_rows: Floats2  # (3, n)
    four_rows: Floats2  # (12, n) the rows of site, turn, goal and goal's turn, in one array
    local: Floats  # (3,) the site in the frame of a goal that moves
    between: Floats  # (9,) the turn from the goal to the site
    center: Floats  # (3,) of all masses
    center_rows: Floats2  # (3, n)
    part_center: Floats  # (3,) of one figure among several
    part_rows: Floats2  # (3, n)
    pull: Floats2  # (3, 3) what each member of one joint makes of the loads beyond it
    own: Floats2  # (3, 3) second derivatives by the members of one joint
    image: Floats  # (n,) a form times a row
    corner: Floats2  # (C, 3) corners of the support
    order: Ints2  # (2, 2 C + 2) corners from left to right; their hull
    bodies: Bodies  # as in the blocks
    kept: Kept  # what is known of them


def make_scratch(blocks: Blocks, n: int, corners: int) -> Scratch:
    """Room for blocks on n coordinates and supports with that many corners in all."""
    rows, points, turns = np.zeros((6, 3, n)), np.zeros((5, 3)), np.zeros((3, 9))
    return Scratch(
        site=points[0],
        site_rows=rows[0],
        turn=turns[0],
        turn_rows=rows[1],
        goal=points[1],
        goal_rows=rows[2],
        goal_turn=turns[1],
        goal_turn_rows=rows[3],
        four_rows=rows[:4].reshape(12, n),
        local=points[2],
        between=turns[2],
        center=points[3],
        center_rows=rows[4],
        part_center=points[4],
        part_rows=rows[5],
        pull=np.zeros((3, 3)),
        own=np.zeros((3, 3)),
        image=np.zeros(n),
        corner=np.zeros((max(corners, 1), 3)),
        order=np.zeros((2, 2 * corners + 2), np.int64),
        bodies=blocks.bodies,
        kept=make_kept(blocks.bodies),
    )
