"""The potential P = Σ|e|² of all tasks and its gradient, without a Jacobian.

The gradient of a squared distance is a force: 2e at the point that is off. What a coordinate feels
of all forces beyond it is the power of its twist on their sum, so one sweep from the tips to the
ground gives the whole gradient (Zhao & Badler 1994, eq. 24 and the assembler of section 9, with
sums taken along the tree in place of chains). An orientation that is off by e asks for the torque
2e: the inverse left Jacobian of its rate maps e to itself. Inequalities that hold count nothing.

Blocks of other kinds, such as a support, have their Jacobian formed, and Jᵀe is added.
"""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints, Ints2
from poise.kernel.body.tree import State, Tree
from poise.kernel.compiling import compiled, entry
from poise.kernel.residuals import kinds
from poise.kernel.residuals.blocks import (
    END,
    KIND,
    NODE,
    OTHER,
    ROW,
    ROWS,
    SCALE,
    START,
    Blocks,
    Scratch,
)
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.sizes import error


class Potential(NamedTuple):
    """All blocks, which of them are swept, and the others by themselves.

    Both have the same rows and the same numbers: a target that moves moves for both.
    """

    blocks: Blocks
    swept: Ints  # (B,) 1 where the gradient of a block is a wrench, 0 where its Jacobian is formed
    formed: Blocks


class Wrenches(NamedTuple):
    """Room for one gradient."""

    node: Floats2  # (N, 6) torque about the world's origin, then force, on each node
    center: Floats  # (3,) force on the centre of mass
    matrix: Floats2  # (R, n) rows of the Jacobian that are formed


def potential(blocks: Blocks) -> Potential:
    """The blocks sorted by how their gradient is found."""
    block, end = blocks.block, len(blocks.block) - 1
    swept = np.array([_is_swept(*row.tolist()) for row in block[:end]], np.int64)
    table: list[list[int]] = []
    factors: list[list[float]] = []
    for b in np.flatnonzero(swept == 0):
        table.append(block[b].tolist())
        factors.append(blocks.factor[b].tolist())
        # The numbers of a block end where those of the next begin: one without rows says where.
        row, start = int(block[b + 1, ROW]), int(block[b + 1, START])
        table.append([END, 0, -1, row, 0, start])
        factors.append([1.0, 1.0])
    table.append(block[end].tolist())
    formed = blocks._replace(
        block=np.array(table, np.int64), factor=np.array(factors, np.float64).reshape(-1, 2)
    )
    return Potential(blocks, swept, formed)


def _is_swept(kind: int, node: int, other: int, row: int, rows: int, start: int) -> bool:
    """Whether the gradient of a block is a wrench on its node, or on two."""
    return kind in kinds.KINDS and kinds.KINDS[kind].is_swept(other, rows)


def wrenches(nodes: int, rows: int, n: int) -> Wrenches:
    """Room for the gradient of so many rows on a tree of so many nodes."""
    return Wrenches(np.zeros((nodes, 6)), np.zeros(3), np.zeros((rows, n)))


@entry
def total(inequality: Ints, residual: Floats) -> float:
    """P = Σ e² over all rows; inequalities that hold count nothing."""
    value = 0.0
    for r in range(residual.size):
        e = residual[r]
        if inequality[r] == 0 or e < 0.0:
            value += e * e
    return value


@entry
def worst(block: Ints2, factors: Floats2, inequality: Ints, residual: Floats) -> float:
    """The greatest error of any block (m), weights taken out."""
    most = 0.0
    for b in range(block.shape[0] - 1):
        most = max(most, error(block, factors, inequality, residual, b))
    return most


@entry
def gradient(
    tree: Tree,
    parts: Potential,
    state: State,
    scratch: Scratch,
    residual: Floats,
    room: Wrenches,
    out: Floats,
) -> None:
    """Write ∇P (n,) at the posture in `state`, whose residual is given.

    Needs `place`, `differentiate` and `evaluate`, which may have left out the Jacobian.
    """
    blocks, formed, wrench = parts.blocks, parts.formed, room.node
    parents, nodes, below = tree.parent, tree.member_node, tree.below
    coordinates, members = tree.drive_coordinate, tree.drive_member
    T, rate, h = state.twist, state.rate, state.moment
    for j in range(wrench.shape[0]):
        for c in range(6):
            wrench[j, c] = 0.0
    massive = _press(blocks, parts.swept, state, residual, room)
    for j in range(parents.size - 1, 0, -1):
        k = parents[j]
        for c in range(6):
            wrench[k, c] += wrench[j, c]
    if massive:
        # A force on the centre of mass acts on every part by its share of the mass; the moments
        # were gathered when the residual was evaluated.
        share = 1.0 / below[0] if below[0] > 0.0 else 0.0
        f0, f1, f2 = share * room.center[0], share * room.center[1], share * room.center[2]
        for j in range(parents.size):
            wrench[j, 0] += h[j, 1] * f2 - h[j, 2] * f1
            wrench[j, 1] += h[j, 2] * f0 - h[j, 0] * f2
            wrench[j, 2] += h[j, 0] * f1 - h[j, 1] * f0
            wrench[j, 3] += below[j] * f0
            wrench[j, 4] += below[j] * f1
            wrench[j, 5] += below[j] * f2
    for i in range(out.size):
        out[i] = 0.0
    for d in range(members.size):
        c, i = coordinates[d], members[d]
        if c >= 0:
            j = nodes[i]
            power = T[i, 0] * wrench[j, 0] + T[i, 1] * wrench[j, 1] + T[i, 2] * wrench[j, 2]
            power += T[i, 3] * wrench[j, 3] + T[i, 4] * wrench[j, 4] + T[i, 5] * wrench[j, 5]
            out[c] += rate[d] * power
    if formed.block.shape[0] > 1:
        evaluate(tree, formed, state, scratch, residual, room.matrix, True)
        for b in range(formed.block.shape[0] - 1):
            for r in range(formed.block[b, ROW], formed.block[b, ROW] + formed.block[b, ROWS]):
                e = 2.0 * residual[r]
                if blocks.inequality[r] == 0 or e < 0.0:
                    for i in range(out.size):
                        out[i] += e * room.matrix[r, i]


@compiled
def _press(blocks, swept, state, residual, room):
    """Put the wrenches of all swept blocks on their nodes; whether the centre of mass has one."""
    block, center = blocks.block, room.center
    massive = False
    center[0], center[1], center[2] = 0.0, 0.0, 0.0
    for b in range(swept.size):
        if swept[b] == 0:
            continue
        kind, node, other, row = block[b, KIND], block[b, NODE], block[b, OTHER], block[b, ROW]
        stop, v = row + block[b, ROWS], blocks.values[block[b, START] : block[b + 1, START]]
        e, inequality, scale = (
            residual[row:stop],
            blocks.inequality[row:stop],
            blocks.factor[b, SCALE],
        )
        kinds.wrench(kind, state, room, node, other, v, e, inequality, 2.0 * scale)
        massive |= kinds.moments(kind) > 0
    return massive
