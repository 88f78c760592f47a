"""What tasks want: residuals and their Jacobians.

A task is one or more *blocks*, each a residual of one kind about one or two nodes. What a
block's numbers mean is said with its function. Residuals are in metres; those of angles are
scaled by the task's metres per radian.

To add a kind: a number in `blocks`, a function beside its like, its line in `evaluate`, and its
line in `touching`.
`evaluate` has the point of the block's site, its turn and their Jacobians ready in `Scratch`
(rows 0–2 and 3–5; for a second node 6–8 and 9–11), so that a kind is plain arithmetic.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.kinematics import locate, point_rows, turn_rows
from poise.kernel.body.masses import (
    center_of_part,
    center_of_part_rows,
    gather,
    inertia_of_part,
    mass_of,
)
from poise.kernel.body.tree import State, Tree
from poise.kernel.compiling import compiled, entry
from poise.kernel.failures import UnknownBlockError
from poise.kernel.filling import clear
from poise.kernel.residuals.blocks import (
    AIM,
    ANY,
    AXIS,
    CHOICE,
    CUSTOM,
    EFFORT,
    ELLIPSOID,
    END,
    GAP,
    GYRATION,
    HULL,
    KIND,
    MASS,
    MOMENT,
    NODE,
    OTHER,
    OUTSIDE,
    PART,
    POINT,
    RIDE,
    ROW,
    ROWS,
    SCALE,
    START,
    TURN,
    VECTORS,
    Blocks,
    Scratch,
)
from poise.kernel.residuals.custom import custom_residual
from poise.kernel.residuals.points import (
    along_residual,
    ellipsoid_residual,
    outside_residual,
    ride_residual,
)
from poise.kernel.residuals.statics import effort_residual, moment_residual
from poise.kernel.residuals.supports import hull_residual
from poise.kernel.residuals.turns import (
    aim_residual,
    axis_residual,
    turn_residual,
    vectors_residual,
)


@entry
def evaluate(
    tree: Tree,
    blocks: Blocks,
    state: State,
    scratch: Scratch,
    residual: Floats,
    matrix: Floats2,
    wanted: bool,
) -> None:
    """Residuals of all blocks, and their Jacobian if wanted, at the posture in `state`.

    Needs `place`, and `differentiate` where the Jacobian is wanted.
    """
    block, values = blocks.block, blocks.values
    jacobian, point, turn = scratch.rows, scratch.point, scratch.turn
    gathered = 0
    for b in range(block.shape[0] - 1):
        row, rows, start, stop = block[b, ROW], block[b, ROWS], block[b, START], block[b + 1, START]
        kind, node, other, count = block[b, KIND], block[b, NODE], block[b, OTHER], rows
        # Of ANY every choice is looked at without derivatives, and then the best once more.
        is_choice = kind == ANY
        choices = other if is_choice else 0
        head, best, least = start, start, np.inf
        for look in range(choices + 1):
            derive = wanted
            v = values[start:stop]
            if is_choice:
                derive = wanted and look == choices
                head = best if look == choices else head
                kind, node, other = int(values[head]), int(values[head + 1]), int(values[head + 2])
                count = int(values[head + 3])
                v = values[head + CHOICE : head + CHOICE + int(values[head + 6])]
            e, A = residual[row : row + count], matrix[row : row + count]
            part, center, center_rows = v[v.size :], point[3], scratch.center_rows
            weighs = kind == MASS or kind == PART or kind == HULL or kind == GYRATION
            if weighs or kind == MOMENT or kind == EFFORT:
                needed = 2 if kind == GYRATION else 1
                if gathered < needed:
                    gather(tree, state, needed == 2)
                    if gathered == 0:
                        center_of_part(tree, state, part, center)
                        if wanted:
                            clear(center_rows, 3)
                            center_of_part_rows(tree, state, part, center_rows)
                    gathered = needed
                part = v[node:]
                if part.size > 0 and kind != GYRATION:
                    center, center_rows = point[4], jacobian[3:6]
                    center_of_part(tree, state, part, center)
                    if derive:
                        clear(center_rows, 3)
                        center_of_part_rows(tree, state, part, center_rows)
            elif kind != CUSTOM:
                _approach(tree, state, scratch, kind, node, other, v, derive)
            if kind == POINT:
                along_residual(jacobian, point[0], v[3:6], v, e, A, derive)
            elif kind == GAP:
                along_residual(jacobian, point[0], point[1], v, e, A, derive)
            elif kind == MASS or kind == PART:
                along_residual(center_rows, center, v[3:6], v, e, A, derive)
            elif kind == HULL:
                hull_residual(tree, state, scratch, other, v, center, center_rows, e, A, derive)
            elif kind == RIDE:
                ride_residual(jacobian, point[2], turn[1], v, e, A, derive)
            elif kind == OUTSIDE:
                outside_residual(jacobian, point[2], turn[1], v, e, A, derive)
            elif kind == ELLIPSOID:
                ellipsoid_residual(jacobian, point[2], turn[1], v, e, A, derive)
            elif kind == TURN:
                turn_residual(jacobian, turn, other, v, e, A, derive)
            elif kind == AXIS:
                axis_residual(jacobian, turn, other, v, e, A, derive)
            elif kind == VECTORS:
                vectors_residual(jacobian, turn, other, v, e, A, derive)
            elif kind == AIM:
                aim_residual(jacobian, point, turn, v, e, A, derive)
            elif kind == GYRATION:
                _gyration(tree, state, part, v, e, A, derive)
            elif kind == CUSTOM:
                custom_residual(other, state, e, A, derive)
            elif kind == MOMENT:
                moment_residual(tree, state, jacobian, v, center, center_rows, e, A, derive)
            elif kind == EFFORT:
                effort_residual(tree, state, v, e, A, derive)
            elif kind != END:
                raise UnknownBlockError
            if is_choice:
                one_sided = blocks.inequality[row] == 1
                potential = _chosen(values[head : head + CHOICE], one_sided, e, A, derive)
                if look < choices:
                    if potential < least:
                        best, least = head, potential
                    head += CHOICE + v.size
                else:
                    _fill(one_sided, residual[row + count : row + rows])
                    if derive:
                        clear(matrix[row + count : row + rows], rows - count)
        scale = blocks.factor[b, SCALE]
        for r in range(row, row + rows):
            residual[r] *= scale
            if wanted and scale != 1.0:
                for i in range(matrix.shape[1]):
                    matrix[r, i] *= scale


@compiled
def _approach(tree, state, scratch, kind, node, other, v, wanted):
    """Bring the points, the turns and their Jacobians of a block's site, or two, into scratch.

    Of a point that is measured against one that moves, rows 0–2 are those of the difference.
    """
    jacobian, point, turn, rotation = scratch.rows, scratch.point, scratch.turn, state.rotation
    framed = kind == RIDE or kind == OUTSIDE or kind == ELLIPSOID
    pointed = framed or kind == POINT or kind == GAP or kind == AIM
    turned = kind == TURN or kind == AXIS or kind == VECTORS or kind == AIM
    both = other >= 0 and kind != POINT
    if pointed:
        locate(state, node, v[0:3], point[0])
    if kind == GAP:
        locate(state, other, v[3:6], point[1])
    elif kind == AIM and both:
        locate(state, other, v[6:9], point[1])
    elif kind == AIM:
        point[1, 0], point[1, 1], point[1, 2] = v[6], v[7], v[8]
    elif framed:
        locate(state, other, v[6:9], point[1])
        for r in range(3):
            for c in range(3):
                s = 0.0
                for k in range(3):
                    s += rotation[other, 3 * r + k] * v[9 + 3 * k + c]
                turn[1, 3 * r + c] = s
        for c in range(3):
            s = 0.0
            for r in range(3):
                s += turn[1, 3 * r + c] * (point[0, r] - point[1, r])
            point[2, c] = s
    if turned:
        for k in range(9):
            turn[0, k] = rotation[node, k]
            if both:
                turn[1, k] = rotation[other, k]
    if not wanted:
        return
    clear(jacobian, 12 if both else 6)
    for side in range(2 if both else 1):
        at = node if side == 0 else other
        if pointed:
            # Against a frame, what counts is how the frame carries the point itself.
            place = point[0] if framed else point[side]
            point_rows(tree, state, at, place, jacobian[6 * side : 6 * side + 3])
        if turned:
            turn_rows(tree, state, at, jacobian[6 * side + 3 : 6 * side + 6])
    if both and pointed:
        for r in range(3):
            for i in range(jacobian.shape[1]):
                jacobian[r, i] -= jacobian[6 + r, i]


@compiled
def _gyration(tree, state, part, v, e, A, wanted):
    """The radius of gyration √(I/m) about an axis through the centre of mass, less a target.

    Values: the axis (3), the target (1), a part. Where all mass lies on the axis the radius has a
    kink, and its gradient is zero here.
    """
    mass = mass_of(tree, part)
    if wanted:
        clear(A, 1)
    moment = inertia_of_part(tree, state, part, v[0:3], A[0], wanted)
    radius = math.sqrt(max(moment, 0.0) / mass)
    e[0] = radius - v[3]
    if wanted:
        factor = 0.5 / (mass * radius) if radius > 1e-9 else 0.0
        for i in range(A.shape[1]):
            A[0, i] *= factor


@compiled
def _chosen(head, one_sided, e, A, wanted):
    """Scale the rows of a choice; its potential. An inequality among equalities is cut off."""
    inequality, factor = head[4] > 0.0, head[5]
    potential = 0.0
    for r in range(e.size):
        e[r] *= factor
        holds = inequality and e[r] >= 0.0
        if not holds:
            potential += e[r] * e[r]
        if holds and not one_sided:
            e[r] = 0.0
        if wanted:
            scale = 0.0 if holds and not one_sided else factor
            for i in range(A.shape[1]):
                A[r, i] *= scale
    return potential


@compiled
def _fill(one_sided, e):
    """Rows that a choice has not got: met."""
    for r in range(e.size):
        e[r] = 1.0 if one_sided else 0.0
