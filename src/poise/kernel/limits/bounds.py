"""What a posture may never break: boxes, curved joint limits, couplings, for a whole figure.

Limits of joints that a group drives are limits on the group's parameters; they enter as
rows, through the rates of the members.
"""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints, Ints2
from poise.kernel.body.kinematics import expand
from poise.kernel.body.tree import State, Tree
from poise.kernel.compiling import compiled, entry
from poise.kernel.limits.arrays import Limits
from poise.kernel.limits.joint import advance, joint_violation
from poise.kernel.limits.projection import project
from poise.kernel.limits.rows import tangents
from poise.kernel.limits.swings import TOLERANCE

# How often a posture is linearised to mend it, after a step from a valid one, and in all; and how
# short a step may get.
_ROUNDS, _TRY_ROUNDS, _TURNS, _LEAST_SHARE = 40, 8, 600, 1e-3

_SHORTENINGS = 6
"""So often a step that can't be brought within limits is tried half as long."""

# What `clamp` is about: mending the posture, mending the one at home; and from there making the
# next step, mending what it led to, or coming back from it.
_MEND, _GO_HOME, _STEP, _TRY, _RETURN = range(5)

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

    box: Floats2  # (2, n)
    plain: Ints  # coordinates that are clamped by themselves
    member_box: Floats2  # (2, m)
    boxed_member: Ints  # members of groups whose box the parameters' boxes do not imply
    joint: Ints2  # (J, 6)
    limits: Limits
    coupling: Ints  # (K + 1,) into the next two
    coupling_coordinate: Ints
    coupling_factor: Floats
    coupling_box: Floats2  # (2, K)
    tied: Ints  # coordinates in a coupling, a group, or a joint with either


class Rows(NamedTuple):
    """Room for linear rows `lower ≤ matrix · u ≤ upper` on a step u."""

    matrix: Floats2  # (R, n)
    box: Floats2  # (2, R)
    tangent: Floats2  # (T, 6) rows of one joint, as `tangents` writes them
    origin: Ints2  # (R, 3) joint, limit and edge that a row is the tangent of; −1 for others


def most_rows(bounds: Bounds) -> int:
    """How many rows `write_rows` may write for a figure."""
    couplings = bounds.coupling.size - 1
    return int(couplings + bounds.boxed_member.size + bounds.limits.rows.sum())


def make_rows(bounds: Bounds, width: int) -> Rows:
    """Room for the rows of a figure with that many coordinates."""
    rows = most_rows(bounds)
    most = int(bounds.limits.rows.sum()) + 1
    every = rows + width
    return Rows(
        matrix=np.zeros((every, width)),
        box=np.zeros((2, every)),
        tangent=np.zeros((most, 6)),
        origin=np.full((every, 3), -1),
    )


@entry
def violation(tree: Tree, bounds: Bounds, q: Floats, state: State) -> float:
    """How far the worst limit or coupling is broken, in radians or metres; not positive if none.

    Runs `expand` at q.
    """
    expand(tree, q, state)
    return _worst(bounds, q, state.member)


@compiled
def _worst(bounds, q, x):
    """The violation at coordinates q with members x."""
    box, member_box, joint, limits = bounds.box, bounds.member_box, bounds.joint, bounds.limits
    coupling_box, boxed = bounds.coupling_box, bounds.boxed_member
    worst = -np.inf
    for i in range(q.size):
        worst = max(worst, max(box[LOWER, i] - q[i], q[i] - box[UPPER, i]))
    for k in range(boxed.size):
        i = boxed[k]
        worst = max(worst, max(member_box[LOWER, i] - x[i], x[i] - member_box[UPPER, i]))
    for j in range(joint.shape[0]):
        a, b = joint[j, FIRST], joint[j, FIRST] + joint[j, SIZE]
        low, high = member_box[LOWER, a:b], member_box[UPPER, a:b]
        chart, first, last = joint[j, CHART], joint[j, LIMIT], joint[j, LAST]
        worst = max(worst, joint_violation(x[a:b], low, high, chart, limits, first, last))
    for k in range(coupling_box.shape[1]):
        value = _coupled(bounds.coupling, bounds.coupling_coordinate, bounds.coupling_factor, k, q)
        worst = max(worst, max(coupling_box[LOWER, k] - value, value - coupling_box[UPPER, k]))
    return worst


@compiled
def _coupled(start, coordinate, factor, k, q):
    """The value of a coupling."""
    value = 0.0
    for e in range(start[k], start[k + 1]):
        value += factor[e] * q[coordinate[e]]
    return value


@compiled
def clamp_joints(source, bounds, q, start):
    """Bring every box and every curved joint that no group drives within its limits.

    With a valid `start` (the same size as q; else pass an empty array) a joint with concave
    limits does not jump across what is invalid (thesis 3.7.3). `source` is the tree's.
    """
    box, member_box, joint, limits = bounds.box, bounds.member_box, bounds.joint, bounds.limits
    plain = bounds.plain
    for k in range(plain.size):
        i = plain[k]
        q[i] = min(max(q[i], box[LOWER, i]), box[UPPER, i])
    for j in range(joint.shape[0]):
        if joint[j, GROUPED]:
            continue
        a, b = joint[j, FIRST], joint[j, FIRST] + joint[j, SIZE]
        c = source[a]
        d = c + b - a
        low, high = member_box[LOWER, a:b], member_box[UPPER, a:b]
        chart, first, last = joint[j, CHART], joint[j, LIMIT], joint[j, LAST]
        end = q[c:d]
        begin = start[c:d] if start.size == q.size else end
        # Most joints are within a mere box, or stay where they are.
        inside, still = first == last, start.size == q.size
        for k in range(d - c):
            inside &= low[k] <= end[k] <= high[k]
            still &= begin[k] == end[k]
        if inside or still:
            continue
        advance(begin, end, low, high, chart, limits, first, last)


@entry
def write_rows(
    tree: Tree, bounds: Bounds, q: Floats, reach: float, state: State, rows: Rows
) -> int:
    """Write couplings, and limits within reach, as rows on a step from a posture; their number.

    Needs `expand` at q before. Where the posture is valid a step of zero fits every row.
    """
    matrix, box, tangent, origin = rows.matrix, rows.box, rows.tangent, rows.origin
    start, coordinate, factor = bounds.coupling, bounds.coupling_coordinate, bounds.coupling_factor
    source, drive_member, drive_coordinate = tree.source, tree.drive_member, tree.drive_coordinate
    x, rate, member_box, joint = state.member, state.rate, bounds.member_box, bounds.joint
    boxed, n = bounds.boxed_member, q.size
    count = 0
    for k in range(bounds.coupling_box.shape[1]):
        for i in range(n):
            matrix[count, i] = 0.0
        for e in range(start[k], start[k + 1]):
            matrix[count, coordinate[e]] += factor[e]
        value = _coupled(start, coordinate, factor, k, q)
        box[LOWER, count] = bounds.coupling_box[LOWER, k] - value
        box[UPPER, count] = bounds.coupling_box[UPPER, k] - value
        origin[count, 0] = -1
        count += 1
    for k in range(boxed.size):
        i = boxed[k]
        low, high = member_box[LOWER, i] - x[i], member_box[UPPER, i] - x[i]
        if min(-low, high) <= reach:
            for c in range(n):
                matrix[count, c] = 0.0
            _add_member(source, drive_member, drive_coordinate, rate, i, 1.0, matrix, count)
            box[LOWER, count], box[UPPER, count] = low, high
            origin[count, 0] = -1
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
                gain = tangent[t, c]
                _add_member(
                    source, drive_member, drive_coordinate, rate, a + c, gain, matrix, count
                )
            box[LOWER, count], box[UPPER, count] = -np.inf, tangent[t, 3]
            origin[count, 0] = j
            origin[count, 1], origin[count, 2] = int(tangent[t, 4]), int(tangent[t, 5])
            count += 1
    return count


@compiled
def _add_member(sources, drive_member, drive_coordinate, rate, member, factor, matrix, row):
    """Add a factor times a member's rates to a row over the coordinates."""
    if sources[member] >= 0:
        matrix[row, sources[member]] += factor
        return
    for d in range(sources.size, drive_member.size):
        if drive_member[d] == member:
            matrix[row, drive_coordinate[d]] += factor * rate[d]


@entry(allocates=True)
def clamp(tree: Tree, bounds: Bounds, q: Floats, home: Floats, state: State, rows: Rows) -> float:
    """Move a posture, in place, to the nearest one that breaks nothing; the violation left.

    Each joint is clamped by itself first: its segment along the sphere, then its twist, which may
    go round the back; a hinge or slider stops at its stop. Where couplings or groups tie
    coordinates together they are mended after that, by the least change of coordinates, which is
    no distance along spheres: from the given ones, or for a joint with curved limits from the
    clamped ones. It is found by successive linearisation. Should that not end in a valid posture,
    the search starts again from the posture `home`, made valid, and goes through valid ones only.
    """
    n, box, tied = q.size, bounds.box, bounds.tied
    source, joint, matrix, ends = tree.source, bounds.joint, rows.matrix, rows.box
    goal, target, start, step = q.copy(), q.copy(), q.copy(), np.zeros(n)
    errand, rounds, share, before = _MEND, 0, 1.0, np.inf
    for turn in range(_TURNS):
        worst = violation(tree, bounds, q, state)
        valid = worst <= TOLERANCE
        failed = rounds == (_TRY_ROUNDS if errand == _TRY else _ROUNDS)
        rounds += 1
        if turn == 0 and not valid:
            clamp_joints(source, bounds, q, goal[:0])
            for j in range(joint.shape[0]):
                if not joint[j, GROUPED]:
                    c = source[joint[j, FIRST]]
                    for k in range(c, c + joint[j, SIZE]):
                        goal[k] = q[k]
            for i in range(n):
                start[i], target[i] = q[i], goal[i]
            continue
        if errand == _MEND and failed and not valid:
            for i in range(n):
                q[i] = start[i]
            for k in range(tied.size):
                q[tied[k]] = home[tied[k]]
            for i in range(n):
                target[i] = q[i]
            errand, rounds = _GO_HOME, 0
            continue
        if (errand == _MEND and valid) or (errand == _GO_HOME and failed and not valid):
            break
        if errand == _TRY:
            distance = 0.0
            for i in range(n):
                distance += (goal[i] - q[i]) ** 2
            if valid and distance < before:
                share = min(1.0, 2.0 * share)
            elif valid or failed:
                for i in range(n):
                    q[i] = start[i]
                errand, rounds, share = _RETURN, 0, 0.5 * share
                continue
        if errand != _MEND and valid:
            # The next step to the goal, from here.
            errand, before = _STEP, 0.0
            for i in range(n):
                start[i], target[i] = q[i], goal[i]
                before += (goal[i] - q[i]) ** 2
        # The nearest point to the target that fits limits and couplings, linearised.
        count = write_rows(tree, bounds, q, np.inf, state, rows)
        for i in range(n):
            step[i] = 0.0
        for k in range(tied.size):
            c = tied[k]
            for i in range(n):
                matrix[count, i] = 0.0
            matrix[count, c] = 1.0
            ends[LOWER, count], ends[UPPER, count] = box[LOWER, c] - q[c], box[UPPER, c] - q[c]
            step[c] = target[c] - q[c]
            count += 1
        project(matrix, ends, count, step)
        if errand == _STEP:
            most = 0.0
            for i in range(n):
                most = max(most, abs(step[i]))
                step[i] *= share
                target[i] = q[i] + step[i]
            if most < TOLERANCE or share < _LEAST_SHARE:
                break
            errand, rounds = _TRY, 0
        for i in range(n):
            q[i] += step[i]
        clamp_joints(source, bounds, q, goal[:0])
    if errand == _TRY:  # no turn is left to mend what it led to
        for i in range(n):
            q[i] = start[i]
        worst = TOLERANCE
    return max(worst, 0.0)


@compiled
def step_within(tree, bounds, free, q, move, following, state, rows):
    """Fill `following` with a step from a valid posture, brought within all limits.

    What is not free, with a 0 there, stays where it is: limits that it shares with others may make
    the step shorter. Where nothing valid is found it is none.
    """
    share = 1.0
    for _ in range(_SHORTENINGS):
        for i in range(q.size):
            following[i] = q[i] + share * move[i]
        clamp_joints(tree.source, bounds, following, q)
        valid = True
        if bounds.tied.size > 0 and violation(tree, bounds, following, state) > 1e-11:
            valid = clamp(tree, bounds, following, q, state, rows) <= 1e-9
        stays = True
        for i in range(q.size):
            if free[i] == 0.0 and following[i] != q[i]:
                following[i], stays = q[i], False
        if not stays:
            valid = violation(tree, bounds, following, state) <= 1e-11
        if valid:
            return
        share *= 0.5
    for i in range(q.size):
        following[i] = q[i]
