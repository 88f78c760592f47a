"""What a posture may never break: boxes, curved joint limits, couplings, for a whole figure.

Limits of joints that a group drives are limits on the group's parameters; they enter as
rows, through the rates of the members.
"""

from typing import NamedTuple

import numpy as np

from poise.kernel.compiling import compiled
from poise.kernel.kinematics import expand
from poise.kernel.limit_arrays import Limits
from poise.kernel.limit_rows import tangents
from poise.kernel.limits import advance, clamp_joint, joint_violation
from poise.kernel.tree import Floats, Ints

# A posture that breaks nothing by more than this is left as it is.
TOLERANCE = 1e-12

# Couplings of a clamped posture hold to this; curved limits of joints always to TOLERANCE.
_MENDED = 1e-11
_ROUNDS = 40
_SWEEPS = 4000


LOWER, UPPER = range(2)
"""Rows of a box."""

FIRST, SIZE, CHART, LIMIT, LAST, GROUPED = range(6)
"""Columns of `Bounds.joint`: first member coordinate, number of coordinates, chart, first limit,
one past the last, whether a group drives the joint."""


class Bounds(NamedTuple):
    """Limits and couplings as flat arrays.

    J balls and swings have limits, K couplings. The box of such a joint is met with its other
    limits, on the sphere; that of all other coordinates one by one.
    """

    box: Floats  # (2, n)
    plain: Ints  # coordinates that are clamped by themselves
    member_box: Floats  # (2, m)
    boxed_member: Ints  # members of groups whose box the parameters' boxes do not imply
    joint: Ints  # (J, 6)
    limits: Limits
    coupling: Ints  # (K + 1,) into the next two
    coupling_coordinate: Ints
    coupling_factor: Floats
    coupling_box: Floats  # (2, K)
    tied: Ints  # coordinates in a coupling, a group, or a joint with either


class Rows(NamedTuple):
    """Room for linear rows `lower ≤ matrix · u ≤ upper` on a step u."""

    matrix: Floats  # (R, n)
    box: Floats  # (2, R)
    tangent: Floats  # (T, 4) rows of one joint and their room


def most_rows(bounds: Bounds) -> int:
    """How many rows `write_rows` may write for a figure."""
    couplings = bounds.coupling.size - 1
    return int(couplings + bounds.boxed_member.size + bounds.limits.rows.sum())


def make_rows(bounds: Bounds, width: int) -> Rows:
    """Room for the rows of a figure with that many coordinates."""
    rows = most_rows(bounds)
    most = int(bounds.limits.rows.sum()) + 1
    return Rows(np.zeros((rows + width, width)), np.zeros((2, rows + width)), np.zeros((most, 4)))


@compiled
def violation(tree, bounds, q, state):
    """How far the worst limit or coupling is broken, in radians or metres; not positive if none."""
    box, member_box, joint, limits = bounds.box, bounds.member_box, bounds.joint, bounds.limits
    worst = -np.inf
    for i in range(q.size):
        worst = max(worst, max(box[LOWER, i] - q[i], q[i] - box[UPPER, i]))
    expand(tree, q, state)
    x = state.member
    for i in bounds.boxed_member:
        worst = max(worst, max(member_box[LOWER, i] - x[i], x[i] - member_box[UPPER, i]))
    for j in range(joint.shape[0]):
        a, b = joint[j, FIRST], joint[j, FIRST] + joint[j, SIZE]
        low, high = member_box[LOWER, a:b], member_box[UPPER, a:b]
        chart, first, last = joint[j, CHART], joint[j, LIMIT], joint[j, LAST]
        worst = max(worst, joint_violation(x[a:b], low, high, chart, limits, first, last))
    for k in range(bounds.coupling_box.shape[1]):
        value = _coupled(bounds, k, q)
        worst = max(worst, bounds.coupling_box[LOWER, k] - value)
        worst = max(worst, value - bounds.coupling_box[UPPER, k])
    return worst


@compiled
def _coupled(bounds, k, q):
    value = 0.0
    for e in range(bounds.coupling[k], bounds.coupling[k + 1]):
        value += bounds.coupling_factor[e] * q[bounds.coupling_coordinate[e]]
    return value


@compiled
def clamp_joints(source, bounds, q, start):
    """Bring every box and every curved joint that no group drives within its limits.

    With a valid `start` (the same size as q; else pass an empty array) a joint with concave
    limits does not jump across what is invalid (thesis 3.7.3). `source` is the tree's.
    """
    box, member_box, joint, limits = bounds.box, bounds.member_box, bounds.joint, bounds.limits
    for i in bounds.plain:
        q[i] = min(max(q[i], box[LOWER, i]), box[UPPER, i])
    for j in range(joint.shape[0]):
        if joint[j, GROUPED]:
            continue
        a, b = joint[j, FIRST], joint[j, FIRST] + joint[j, SIZE]
        c = source[a]
        d = c + b - a
        low, high = member_box[LOWER, a:b], member_box[UPPER, a:b]
        chart, first, last = joint[j, CHART], joint[j, LIMIT], joint[j, LAST]
        if start.size == q.size:
            advance(start[c:d], q[c:d], low, high, chart, limits, first, last)
        else:
            clamp_joint(q[c:d], low, high, chart, limits, first, last)


@compiled
def write_rows(tree, bounds, q, reach, state, rows):
    """Write couplings, and limits within reach, as rows on a step from a posture; their number.

    Needs `expand` at q before. Where the posture is valid a step of zero fits every row.
    """
    matrix, box, tangent = rows.matrix, rows.box, rows.tangent
    n, count = q.size, 0
    for k in range(bounds.coupling_box.shape[1]):
        for i in range(n):
            matrix[count, i] = 0.0
        for e in range(bounds.coupling[k], bounds.coupling[k + 1]):
            matrix[count, bounds.coupling_coordinate[e]] += bounds.coupling_factor[e]
        value = _coupled(bounds, k, q)
        box[LOWER, count] = bounds.coupling_box[LOWER, k] - value
        box[UPPER, count] = bounds.coupling_box[UPPER, k] - value
        count += 1
    x, member_box, joint = state.member, bounds.member_box, bounds.joint
    for i in bounds.boxed_member:
        low, high = member_box[LOWER, i] - x[i], member_box[UPPER, i] - x[i]
        if min(-low, high) <= reach:
            for c in range(n):
                matrix[count, c] = 0.0
            _add_member(tree, state, i, 1.0, matrix, count)
            box[LOWER, count], box[UPPER, count] = low, high
            count += 1
    for j in range(joint.shape[0]):
        a, b = joint[j, FIRST], joint[j, FIRST] + joint[j, SIZE]
        first, last = joint[j, LIMIT], joint[j, LAST]
        written = tangents(x[a:b], joint[j, CHART], bounds.limits, first, last, reach, tangent)
        for t in range(written):
            if tangent[t, 3] > reach:
                continue
            for c in range(n):
                matrix[count, c] = 0.0
            for c in range(b - a):
                _add_member(tree, state, a + c, tangent[t, c], matrix, count)
            box[LOWER, count], box[UPPER, count] = -np.inf, tangent[t, 3]
            count += 1
    return count


@compiled
def _add_member(tree, state, member, factor, matrix, row):
    """Add a factor times a member's rates to a row over the coordinates."""
    source = tree.source[member]
    if source >= 0:
        matrix[row, source] += factor
        return
    for d in range(tree.source.size, tree.drive_member.size):
        if tree.drive_member[d] == member:
            matrix[row, tree.drive_coordinate[d]] += factor * state.rate[d]


@compiled
def clamp(tree, bounds, q, home, state, rows):
    """Move a posture, in place, to the nearest one that breaks nothing; the violation left.

    Each joint is clamped by itself. Where couplings or groups tie coordinates together, the
    least change (in coordinates, from the given ones; from the clamped ones for joints with curved
    limits) that obeys all is found by successive linearisation. Should that not end in a valid
    posture, the search starts again from the valid posture `home` and goes only through valid ones.
    """
    if violation(tree, bounds, q, state) <= TOLERANCE:
        return 0.0
    source, joint = tree.source, bounds.joint
    goal = q.copy()
    clamp_joints(source, bounds, q, q[:0])
    for j in range(joint.shape[0]):
        if not joint[j, GROUPED]:
            c = source[joint[j, FIRST]]
            for k in range(c, c + joint[j, SIZE]):
                goal[k] = q[k]
    alone, step, multiplier = q.copy(), np.zeros(q.size), np.zeros(rows.matrix.shape[0])
    worst = _mend(tree, bounds, q, goal, state, rows, step, multiplier)
    if worst > _MENDED:
        q[:] = alone
        for c in bounds.tied:
            q[c] = home[c]
        worst = _approach(tree, bounds, q, goal, state, rows, step, multiplier)
    return max(worst, 0.0)


@compiled
def _mend(tree, bounds, q, goal, state, rows, step, multiplier):
    """Go where the linearised limits say, until they hold; the violation left.

    Quick, and right for limits that are nearly flat; others may send it to and fro for ever.
    """
    worst = violation(tree, bounds, q, state)
    for _ in range(_ROUNDS):
        if worst <= TOLERANCE:
            break
        _towards(tree, bounds, q, goal, state, rows, step, multiplier)
        q += step
        clamp_joints(tree.source, bounds, q, q[:0])
        before, worst = worst, violation(tree, bounds, q, state)
        if worst <= _MENDED and worst >= 0.5 * before:
            break
    return worst


@compiled
def _approach(tree, bounds, q, goal, state, rows, step, multiplier):
    """Go from a valid posture towards the goal as far as valid postures lead; the violation left.

    Steps that end outside are halved. Where no step is left the posture is nearest, around there.
    """
    worst, start = violation(tree, bounds, q, state), q.copy()
    for _ in range(_ROUNDS):
        if worst > _MENDED:
            break
        start[:] = q
        _towards(tree, bounds, q, goal, state, rows, step, multiplier)
        while np.abs(step).max() > 1e-13:
            q += step
            clamp_joints(tree.source, bounds, q, q[:0])
            if violation(tree, bounds, q, state) <= _MENDED:
                break
            q[:] = start
            step *= 0.5
        if np.abs(q - start).max() < 1e-12:
            break
    return worst


@compiled
def _towards(tree, bounds, q, goal, state, rows, step, multiplier):
    """The step to the point nearest to a goal that fits limits and couplings, linearised at q."""
    box = bounds.box
    expand(tree, q, state)
    count = write_rows(tree, bounds, q, np.inf, state, rows)
    for i in range(q.size):
        step[i] = 0.0
    for c in bounds.tied:
        for i in range(q.size):
            rows.matrix[count, i] = 0.0
        rows.matrix[count, c] = 1.0
        rows.box[LOWER, count] = box[LOWER, c] - q[c]
        rows.box[UPPER, count] = box[UPPER, c] - q[c]
        count += 1
        step[c] = goal[c] - q[c]
    _project(rows.matrix, rows.box, count, step, multiplier)


@compiled
def _project(matrix, box, count, step, multiplier):
    """The point nearest to `step` that fits all rows (Hildreth's dual coordinate ascent)."""
    for r in range(count):
        multiplier[r] = 0.0
    for _ in range(_SWEEPS):
        change = 0.0
        for r in range(count):
            square, value = 0.0, 0.0
            for i in range(step.size):
                square += matrix[r, i] * matrix[r, i]
                value += matrix[r, i] * step[i]
            if square == 0.0:
                continue
            # The multiplier that puts this row on the nearer of its bounds, if it is outside.
            free = value + multiplier[r] * square
            wanted = min(max(free, box[LOWER, r]), box[UPPER, r])
            move = (free - wanted) / square - multiplier[r]
            if move != 0.0:
                for i in range(step.size):
                    step[i] -= move * matrix[r, i]
                multiplier[r] += move
                change = max(change, abs(move) * np.sqrt(square))
        if change < 1e-15:
            break
