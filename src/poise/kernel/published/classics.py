"""The methods that the papers compare with, one compiled call for a whole solve.

All of them lower one weighted sum of squares, P = |e|², but `PARTITION`, which knows levels. They
know nothing of limits: a posture is brought within them after each step, or after the last, as
the 2011 paper describes its comparators. Neither keeps a step optimal (thesis 5.4), and that is
what the comparison shows.

With e the residual and J its Jacobian, a step is

- PINV: −J⁺e, the pseudo-inverse by singular values, small ones left out; and for criteria their
  pull in the null space (thesis 4.14).
- DLS: −Jᵀ(JJᵀ + λ²)⁻¹e (2011, eq. 15).
- TRANSPOSE: −τ 2Jᵀe (2011, eq. 26–29).
- CCD: −e·J_i / |J_i|² for one coordinate i after the other, from the tips to the root, each as
  short as it must be to lower P: cyclic coordinate descent, which is the Gauss–Seidel method on
  the normal equations (2011, section 2). One iteration is one round through all coordinates.
- PARTITION: as DLS, but level by level, each with the joints of its own: a joint belongs to the
  most important level that it can move (thesis 5.3, Fig. 5.4c).

Stiffness scales the columns of J; what is locked has none.
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.body.tree import State, state
from poise.kernel.compiling import compiled, entry
from poise.kernel.ending import COLD, ITERATIONS, SOLVED, STALLED, STATIONARY
from poise.kernel.limits.bounds import LOWER, UPPER, Rows, make_rows, write_rows
from poise.kernel.limits.projection import project
from poise.kernel.problem import METRIC, Problem, spring
from poise.kernel.published.priority import (
    CALM,
    FLAT,
    ITERATION,
    PATIENT,
    SINCE,
    STILL,
    STOPPED,
    is_pulled,
    limited,
)
from poise.kernel.published.projectors import decompose
from poise.kernel.residuals.blocks import Scratch, make_scratch
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.gradients import worst

PINV, DLS, TRANSPOSE, CCD, PARTITION = range(5)
"""The methods."""

FIXED, EXACT, TRACKING = range(3)
"""How long a step of TRANSPOSE is: as given; by (28); as given but no longer than (29) allows."""

CUTOFF, DAMPING, LENGTH, DEVIATION, MAX_TURN = range(5)
"""Entries of the settings: the least singular value that counts, as a share of the greatest; λ
(m/rad); τ (1/m²); ε of (29) (m); the farthest that one step may move a coordinate (rad)."""

NEEDS = 1e-9
"""A joint can move a level if its column has an entry greater than this (m/rad)."""

AT_STOP = 1e-6
"""A limit so near (rad) is at its stop."""

STEP, NEXT, DRAWN, HOME = range(4)
"""Rows of `Memory.vector`: the step over the metric; the next posture; the criterion's pull; the
start."""

LEAST, GONE, AT_EASE = range(3)
"""Entries of `Memory.known`: the least P so far; the farthest that a coordinate went in the last
step (rad); 1 where the criterion has what it wants, else 0."""

DIVERGED = 1e6
"""A coordinate beyond this (rad or m) tells that a method diverges."""


class Memory(NamedTuple):
    """What a solve works with."""

    state: State
    scratch: Scratch
    hard: Rows
    residual: Floats2  # (2, R) now, at the next posture
    matrix: Floats2  # (R, n) J
    rows: Floats2  # (R, n) J with its columns scaled
    work: Floats2  # (R, n)
    right: Floats2  # (2, R) right sides; singular values
    square: Floats2  # (R, R) JJᵀ + λ², and its Cholesky factor
    vector: Floats2  # (4, n)
    walls: Floats2  # (most, n) what a descent may not cross
    wall_box: Floats2  # (2, most)
    owner: Ints  # (n,) the level that each coordinate belongs to
    joint: Ints  # (n,) the joint that it belongs to
    order: Ints  # (n,) coordinates from the tips to the root
    level: Ints  # (L + 1,) rows of each level that the method knows
    known: Floats  # (3,) what a call leaves for the next one
    counts: Ints  # (2,)
    optimality: Floats  # (1,)


def memory(problem: Problem, corners: int, joint: Ints, level: Ints) -> Memory:
    """Room to solve a problem whose supports have that many corners.

    Args:
        problem: what is wanted.
        corners: of all supports.
        joint: (n,) a number for the joint of each coordinate.
        level: (L + 1,) rows of each level that the method is to know.
    """
    n, rows = problem.coordinates.shape[1], problem.blocks.inequality.size
    hard = make_rows(problem.bounds, n)
    most = hard.matrix.shape[0] + rows
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(n, corners),
        hard=hard,
        residual=np.zeros((2, rows)),
        matrix=np.zeros((rows, n)),
        rows=np.zeros((rows, n)),
        work=np.zeros((rows, n)),
        right=np.zeros((2, rows)),
        square=np.zeros((rows, rows)),
        vector=np.zeros((4, n)),
        walls=np.zeros((most, n)),
        wall_box=np.zeros((2, most)),
        owner=np.zeros(n, np.int64),
        joint=joint,
        order=_from_the_tips(problem),
        level=level,
        known=np.zeros(3),
        counts=np.zeros(2, np.int64),
        optimality=np.zeros(1),
    )


def _from_the_tips(problem: Problem) -> Ints:
    """Coordinates in the order of the first node that each moves, the last first."""
    tree, n = problem.tree, problem.coordinates.shape[1]
    first = np.full(n, tree.parent.size)
    np.minimum.at(first, tree.drive_coordinate, tree.member_node[tree.drive_member])
    return np.argsort(-first, kind="stable").astype(np.int64)


@compiled
def _damped(m, k, first, last, squared):
    """Add Jᵀ(JJᵀ + λ²)⁻¹ Δx̂ to the step, with the columns that level k owns.

    Δx̂ = −e − J u takes the step so far into account.
    """
    rows, square, right, u, owner = m.rows, m.square, m.right[0], m.vector[STEP], m.owner
    n = u.size
    for r in range(first, last):
        done = 0.0
        for i in range(n):
            done += rows[r, i] * u[i]
            m.work[r, i] = rows[r, i] if owner[i] == k else 0.0
        right[r] = -m.residual[0, r] - done
        for c in range(first, r + 1):
            s = squared if c == r else 0.0
            for i in range(n):
                s += m.work[r, i] * m.work[c, i]
            square[r, c] = s
    for r in range(first, last):
        for c in range(first, r + 1):
            s = square[r, c]
            for t in range(first, c):
                s -= square[r, t] * square[c, t]
            square[r, c] = s / square[c, c] if c < r else math.sqrt(s)
        s = right[r]
        for t in range(first, r):
            s -= square[r, t] * right[t]
        right[r] = s / square[r, r]
    for r in range(last - 1, first - 1, -1):
        s = right[r]
        for t in range(r + 1, last):
            s -= square[t, r] * right[t]
        right[r] = s / square[r, r]
        for i in range(n):
            u[i] += m.work[r, i] * right[r]


@compiled
def _allot(m):
    """Give each joint to the most important level that it can move, here or at a posture before.

    At some postures a joint moves nothing that it could move elsewhere.
    """
    owner, joint, level, matrix = m.owner, m.joint, m.level, m.matrix
    n = owner.size
    for i in range(n):
        k = 0
        while k < owner[i]:
            needed = False
            for r in range(level[k], level[k + 1]):
                needed |= abs(matrix[r, i]) > NEEDS
            if needed:
                owner[i] = k
            k += 1
    for i in range(n):
        for j in range(n):
            if joint[j] == joint[i]:
                owner[i] = min(owner[i], owner[j])


@compiled
def _inverted(m, cutoff):
    """Decompose J, and say which singular value is the last that counts: rank, threshold."""
    rows, work, right, n = m.rows, m.work, m.right, m.rows.shape[1]
    norm, count = 0.0, rows.shape[0]
    for r in range(count):
        right[0, r] = -m.residual[0, r]
        for i in range(n):
            work[r, i] = rows[r, i]
            norm = max(norm, abs(rows[r, i]))
    rank = decompose(work, right[0], right[1], count, norm)
    greatest = 0.0
    for r in range(rank):
        greatest = max(greatest, right[1, r])
    return rank, cutoff * greatest


@compiled
def _pinv(m, cutoff):
    """−J⁺e, and the criterion's pull in the null space of J (thesis 4.14, 4.17)."""
    u, drawn = m.vector[STEP], m.vector[DRAWN]
    rank, least = _inverted(m, cutoff)
    for r in range(rank):
        along = 0.0
        for i in range(u.size):
            along += m.work[r, i] * drawn[i]
        gain = m.right[0, r] / m.right[1, r] if m.right[1, r] > least else 0.0
        for i in range(u.size):
            drawn[i] -= along * m.work[r, i]
            u[i] += gain * m.work[r, i]
    for i in range(u.size):
        u[i] += drawn[i]


@compiled
def _transpose(m, settings, rule):
    """−τ 2Jᵀe, the steepest descent of P (2011, eq. 26, 27)."""
    rows, e, u = m.rows, m.residual[0], m.vector[STEP]
    n, count = u.size, e.size
    for r in range(count):
        for i in range(n):
            u[i] -= 2.0 * e[r] * rows[r, i]
    length = settings[LENGTH]
    if rule == EXACT:  # (28): e·z / z·z with z = JJᵀe, here for twice that
        above, below = 0.0, 0.0
        for r in range(count):
            z = 0.0
            for i in range(n):
                z -= rows[r, i] * u[i]
            above += e[r] * z
            below += z * z
        length = above / below if below > 0.0 else 0.0
    elif rule == TRACKING:  # (29): what of τe no linear step can follow is at most ε
        rank, least = _inverted(m, settings[CUTOFF])
        square = 0.0
        for r in range(count):
            square += e[r] * e[r]
        for r in range(rank):
            if m.right[1, r] > least:
                square -= m.right[0, r] * m.right[0, r]
        if square > 0.0:
            length = min(length, settings[DEVIATION] / math.sqrt(square))
    for i in range(n):
        u[i] *= length


@compiled
def _coordinate(m, i):
    """The step of one coordinate alone that makes the linear residual least."""
    u = m.vector[STEP]
    above, below = 0.0, 0.0
    for r in range(m.rows.shape[0]):
        a = m.rows[r, i]
        above += a * m.residual[0, r]
        below += a * a
    if below > NEEDS * NEEDS:
        u[i] = -above / below


@compiled
def _walls(problem, m, q, count):
    """Write the limits that are at their stop, as rows over scaled coordinates; their number."""
    metric, box, hard = problem.coordinates[METRIC], problem.bounds.box, m.hard
    walls, wall_box, n, walled = m.walls, m.wall_box, q.size, 0
    for r in range(count):
        low, high = hard.box[LOWER, r], hard.box[UPPER, r]
        if low < -AT_STOP and high > AT_STOP:
            continue
        for i in range(n):
            walls[walled, i] = hard.matrix[r, i] * metric[i]
        wall_box[LOWER, walled] = 0.0 if low >= -AT_STOP else -np.inf
        wall_box[UPPER, walled] = 0.0 if high <= AT_STOP else np.inf
        walled += 1
    for i in range(n):
        low, high = box[LOWER, i] - q[i], box[UPPER, i] - q[i]
        if low < -AT_STOP and high > AT_STOP:
            continue
        for j in range(n):
            walls[walled, j] = 0.0
        walls[walled, i] = 1.0
        wall_box[LOWER, walled] = 0.0 if low >= -AT_STOP else -np.inf
        wall_box[UPPER, walled] = 0.0 if high <= AT_STOP else np.inf
        walled += 1
    return walled


@compiled
def _pull(problem, q, longest, drawn):
    """How the criterion draws the coordinates, over the metric, no farther than `longest`."""
    coordinates, most = problem.coordinates, 0.0
    for i in range(q.size):
        metric = coordinates[METRIC, i]
        drawn[i] = -spring(coordinates, i, q[i])[1] if metric > 0.0 else 0.0
        most = max(most, abs(drawn[i]))
    share = longest / most if most > longest else 1.0
    for i in range(q.size):
        if drawn[i] != 0.0:
            drawn[i] *= share / coordinates[METRIC, i]


@entry
def descend(
    problem: Problem,
    m: Memory,
    q: Floats,
    tolerance: float,
    limit: int,
    settings: Floats,
    method: int,
    rule: int,
    each: bool,
    begin: int,
    finishes: bool,
) -> int:
    """Solve from a valid posture q, in place; how it ended.

    Args:
        problem: what is wanted; no inequalities.
        m: room.
        q: (n,) the start, within limits; the result, within limits if the solve has finished.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations.
        settings: (5,) see CUTOFF.
        method: PINV, DLS, TRANSPOSE, CCD or PARTITION.
        rule: FIXED, EXACT or TRACKING, for TRANSPOSE.
        each: whether limits are kept after each step, and not after the last only.
        begin: COLD, or CONTINUED with the q that the last call gave.
        finishes: False to leave off at the limit as things are, for another call to go on.
    """
    tree, bounds, blocks, level = problem.tree, problem.bounds, problem.blocks, m.level
    metric, counts = problem.coordinates[METRIC], m.counts
    e, trial, u, following = m.residual[0], m.residual[1], m.vector[STEP], m.vector[NEXT]
    home, drawn, walls, wall_box = m.vector[HOME], m.vector[DRAWN], m.walls, m.wall_box
    known = m.known
    n, rows, levels = q.size, e.size, level.size - 1
    pulled = is_pulled(problem.coordinates)
    if begin == COLD:
        known[LEAST], counts[SINCE] = np.inf, 0
        known[GONE], known[AT_EASE] = np.inf if n > 0 else 0.0, 0.0 if pulled else 1.0
        for i in range(n):
            home[i], m.owner[i] = q[i], levels if method == PARTITION else 0
    counts[ITERATION] = 0
    gone, still, judged = known[GONE], known[AT_EASE] == 1.0, begin != COLD
    status, over, settled, at, met = ITERATIONS, False, each, 0, False
    while True:
        place(tree, q, m.state)
        differentiate(tree, m.state)
        evaluate(tree, blocks, m.state, m.scratch, e, m.matrix, True)
        met = worst(blocks.block, blocks.factor, blocks.inequality, e) <= tolerance
        potential = 0.0
        for r in range(rows):
            potential += e[r] * e[r]
            for i in range(n):
                m.rows[r, i] = m.matrix[r, i] * metric[i]
        if at == 0 and not over:
            if not judged:  # the last call has judged the posture that it left
                gains = potential < known[LEAST] * (1.0 - 1e-4)
                counts[SINCE] = 0 if gains else counts[SINCE] + 1
                known[LEAST] = potential if gains else known[LEAST]
            over, judged = True, False
            if met and still:
                status = SOLVED
            elif gone <= STOPPED or (counts[SINCE] >= CALM and gone < 1e-3):
                status = STATIONARY
            elif counts[SINCE] >= PATIENT:
                status = STALLED
            elif counts[ITERATION] < limit:
                over = False
            elif not finishes:
                known[GONE], known[AT_EASE] = gone, 1.0 if still else 0.0
                return ITERATIONS
            gone = 0.0
        if over:
            if settled:
                break
            settled, share, good = True, 1.0, False  # the limits at last
            while not good and share > 1e-3:
                for i in range(n):
                    following[i] = home[i] + share * (q[i] - home[i])
                good = limited(tree, bounds, metric, home, following, m.state, m.hard)
                share *= 0.5
            for i in range(n):
                q[i] = following[i] if good else home[i]
            continue
        for i in range(n):
            u[i] = 0.0
        if method == PINV:
            _pull(problem, q, settings[MAX_TURN], drawn)
            _pinv(m, settings[CUTOFF])
            longest = 0.0
            for i in range(n):
                longest = max(longest, abs(drawn[i] * metric[i]))
            still = longest < STILL
        elif method == TRANSPOSE:
            _transpose(m, settings, rule)
        elif method == CCD:
            _coordinate(m, m.order[at])
        else:
            if method == PARTITION:
                _allot(m)
            for k in range(levels):
                _damped(m, k, level[k], level[k + 1], settings[DAMPING] ** 2)
        longest = 0.0
        for i in range(n):
            longest = max(longest, abs(metric[i] * u[i]))
        share, good = 1.0, longest == 0.0
        if method != TRANSPOSE and longest > settings[MAX_TURN]:
            share = settings[MAX_TURN] / longest
        for _ in range(8):
            if good:
                break
            good = True
            for i in range(n):
                following[i] = q[i] + share * metric[i] * u[i]
                good &= abs(following[i]) < DIVERGED
            if each:
                good &= limited(tree, bounds, metric, q, following, m.state, m.hard)
            if good and method == CCD:
                place(tree, following, m.state)
                evaluate(tree, blocks, m.state, m.scratch, trial, m.matrix, False)
                after = 0.0
                for r in range(rows):
                    after += trial[r] * trial[r]
                good = after < potential
            share *= 0.5
            if good:
                for i in range(n):
                    gone = max(gone, abs(following[i] - q[i]))
                    q[i] = following[i]
        if method == CCD:
            at = (at + 1) % n
        elif not good:
            status, over = STALLED, True
        counts[ITERATION] += at == 0
    if met:
        m.optimality[0] = 0.0
        return SOLVED
    status = STALLED if status == SOLVED else status
    # What is left of each level's descent where limits and the levels above do not give way.
    count = write_rows(tree, bounds, q, 0.1, m.state, m.hard)
    walled = _walls(problem, m, q, count)
    m.optimality[0] = 0.0
    for k in range(levels):
        size = 0.0
        for i in range(n):
            u[i] = 0.0
        for r in range(level[k], level[k + 1]):
            size += e[r] * e[r]
            for i in range(n):
                u[i] -= m.rows[r, i] * e[r]
        if math.sqrt(size) > tolerance:
            project(walls, wall_box, walled, u)
            square = 0.0
            for i in range(n):
                square += u[i] * u[i]
            m.optimality[0] = max(m.optimality[0], math.sqrt(square / size))
        for r in range(level[k], level[k + 1]):
            for i in range(n):
                walls[walled, i] = m.rows[r, i]
            wall_box[LOWER, walled], wall_box[UPPER, walled] = 0.0, 0.0
            walled += 1
    return STALLED if status == STATIONARY and m.optimality[0] > FLAT else status
