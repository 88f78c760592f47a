"""The lexicographic solver: one compiled call for a whole solve.

Level k is made as small as possible without making the levels above it worse, with
inequalities at every level; limits and couplings are never broken; criteria come last.

Each iteration linearises all residuals and takes the lexicographic least-squares step of
`hierarchy`, which gives not one step but a ladder u_1, u_2, …: the best for the first level, the
best for the first two, and so on. Linear steps know nothing of curvature, and a level that can't
be met asks for ever longer ones. What makes the method survive that:

- *Damping.* Level k is damped by its own error, ρ_k = c_k |e_k| ℓ: what is neglected is of that
  order. It vanishes with the error, so that convergence stays quadratic.
- *Nested shortening.* The step taken is Σ t_k (u_k − u_{k−1}) with 1 ≥ t_1 ≥ t_2 ≥ … > 0, each
  t_k as large as the level's radius of trust allows. It is a mean of the rungs and of zero, so
  it keeps what they keep, and a level that asks for too much holds back only those below it.
- *Funnels.* A level may drift a little as others move, since the next step mends that to second
  order: it decides on a step only when it is outside its funnel, which narrows from step to step.
  The first level outside that should become smaller decides, by what it gained of what was
  promised. When it says no, the levels below it are held back first. That costs no more than
  another look at the residuals.
- *Strain.* A level that stays behind, and would need long lever arms that it does not have, is
  strained: it gets the second derivatives of `curvature`, and its gain is judged with the levels
  above it weighed by their multipliers, lest it gain by pulling the feet off the floor. Small
  steps of strained levels that turn out as promised are doubled as long as that pays.

numba optimises all that a function calls, down to the last, anew for every caller. So all large
parts are called by `lex` itself, and the other functions here call next to nothing.
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel.blocking import blockers
from poise.kernel.blocks import ROW, WEIGHT, Blocks, Scratch, make_scratch
from poise.kernel.bounds import LOWER as LOW
from poise.kernel.bounds import UPPER as HIGH
from poise.kernel.bounds import (
    Bounds,
    Rows,
    clamp,
    clamp_joints,
    make_rows,
    most_rows,
    violation,
    write_rows,
)
from poise.kernel.compiling import compiled
from poise.kernel.curvature import curvature, factor
from poise.kernel.hierarchy import step
from poise.kernel.hierarchy_arrays import (
    BOX_LOWER,
    BOX_MEMORY,
    BOX_UPPER,
    FORCE,
    LOWER,
    REST,
    ROUNDS,
    UPPER,
    VALUE,
    Workspace,
    workspace,
)
from poise.kernel.kinematics import differentiate, place
from poise.kernel.residuals import evaluate
from poise.kernel.tree import Floats, Ints, State, Tree, state

SOLVED, STATIONARY, STALLED, ITERATIONS = range(4)
"""How a solve ended."""

COLD, WARM, CONTINUED = range(3)
"""How a solve begins: from nothing; near the end of the last one; where the last one was left."""

MOST_CURVED = 8
"""The most second-order rows of one level."""

LEVER = 0.2
"""The lever arm ℓ by which errors become damping, as a share of the level's longest row (m/rad)."""

DAMPED = 0.1
"""The damping c_k to begin with."""

SHORT_LEVER = 0.15
"""A level whose step would gain less a radian may be strained; as a share of the same row."""

DRIFT, MOST_DRIFT = 0.5, 0.06
"""A step of a length s may make solved levels drift by DRIFT s², but not by more (m)."""

FUNNEL, NARROWER = 0.3, 0.7
"""The width of a funnel to begin with (m) and how it narrows with every step."""

LONGEST = 1.5
"""The greatest radius of trust (rad)."""

CALM = 3
"""So many steps in a row that promise next to nothing end the solve."""

LITTLE = 1e-3
"""What is next to nothing, as a share of a level's squared size."""

STILL = 1e-4
"""Criteria are obeyed when they move no coordinate by more than this (rad)."""

METRIC, GOAL, PULL = range(3)
"""Rows of `Problem.coordinates`: how willingly a coordinate moves, 1 freely, 0 not at all; where
the criterion draws it; how strongly, 0 … 1."""

RESIDUAL, TRIAL, PREDICTED, PUSH = range(4)
"""Rows of `Memory.residual`; PUSH is the error of a strained level and the forces against it."""

NEXT, MOVE, KEPT, DIAGONAL, SCALE = range(5)
"""Rows of `Memory.vector`: the trial posture, the step to it, the best posture so far, room for
`curvature.factor`, the unit of each coordinate in the inner step."""

(
    SIZE, AHEAD, AFTER, FULL, WIDTH, DAMPING, RADIUS, LENGTH, SHARE, STUCK, STRAINED, GAIN, REAL,
    BEST, LEFT, ROW_LENGTH,
) = range(16)  # fmt: skip
"""Rows of `Memory.level`: the size of each level now, as predicted, after the trial, and as
predicted for the whole ladder; its funnel, damping and radius; the length of its rung and the
share of it that is taken; for how many steps it has stayed behind, and whether it is strained; how
much its squared size should fall, did, and did when stretched; curvature that its rows leave
out; the length of its longest row. The last column is that of the criteria."""

ITERATION, ATTEMPTS, INNER, TRIALS = range(4)
"""Entries of `Memory.counts`: accepted steps, inner steps, their rounds, postures tried."""

SEEKING, MENDING, CERTIFYING = range(3)
"""What an iteration is for: to lower levels; to bring levels back that have drifted, in the end;
to find out how good the end is."""


class Problem(NamedTuple):
    """What is to be solved."""

    tree: Tree
    bounds: Bounds
    blocks: Blocks
    coordinates: Floats  # (3, n)


class Memory(NamedTuple):
    """What a solve works with; kept between solves for a warm start."""

    state: State
    scratch: Scratch
    inner: Workspace
    hard: Rows
    residual: Floats  # (4, R)
    force: Floats  # (L, R) what the rows above exert against each strained level
    matrix: Floats  # (R, n)
    curved: Floats  # (n, n)
    curved_rows: Floats  # (MOST_CURVED, n)
    vector: Floats  # (5, n)
    level: Floats  # (16, L + 1)
    rows: Ints  # (2, L) first row of each level in the inner step, number of second-order rows
    counts: Ints  # (4,)
    optimality: Floats  # (1,) the projected gradient of the worst level (m/rad)


def memory(problem: Problem, corners: int) -> Memory:
    """Room to solve a problem whose supports have that many corners."""
    n = problem.coordinates.shape[1]
    rows = problem.blocks.inequality.size
    levels = problem.blocks.level.size - 1
    return Memory(
        state=state(problem.tree),
        scratch=make_scratch(n, corners),
        inner=workspace(n, rows + levels * MOST_CURVED, most_rows(problem.bounds), levels),
        hard=make_rows(problem.bounds, n),
        residual=np.zeros((PUSH + 1, rows)),
        force=np.zeros((levels, rows)),
        matrix=np.zeros((rows, n)),
        curved=np.zeros((n, n)),
        curved_rows=np.zeros((MOST_CURVED, n)),
        vector=np.zeros((SCALE + 1, n)),
        level=np.zeros((ROW_LENGTH + 1, levels + 1)),
        rows=np.zeros((2, levels), np.int64),
        counts=np.zeros(4, np.int64),
        optimality=np.zeros(1),
    )


@compiled
def _sizes(starts, inequality, residual, out):
    """The size |e| of every level; inequalities that hold count nothing."""
    for k in range(starts.size - 1):
        total = 0.0
        for r in range(starts[k], starts[k + 1]):
            e = residual[r]
            if inequality[r] == 0 or e < 0.0:
                total += e * e
        out[k] = math.sqrt(total)


@compiled
def _worst(block, factors, inequality, residual):
    """The greatest error of any block, weights taken out."""
    worst = 0.0
    for b in range(block.shape[0] - 1):
        total = 0.0
        for r in range(block[b, ROW], block[b + 1, ROW]):
            e = residual[r]
            if inequality[r] == 0 or e < 0.0:
                total += e * e
        worst = max(worst, math.sqrt(total) / factors[b, WEIGHT])
    return worst


@compiled
def _fill(problem, m, q, count, scaled):
    """Write the inner problem at a posture, with so many hard rows in `Memory.hard`.

    What the second-order rows of the first strained level leave out damps each coordinate by its
    own part, if `scaled`: that is, coordinates are measured in the units that make it so. Without
    that, those parts are left in KEPT.
    """
    coordinates, inner, blocks = problem.coordinates, m.inner, problem.blocks
    block, starts, inequality = blocks.block, blocks.level, blocks.inequality
    matrix, rows, boxes = inner.matrix, inner.rows, inner.boxes
    residual, jacobian, level, vector = m.residual, m.matrix, m.level, m.vector
    hard, hard_box, box = m.hard.matrix, m.hard.box, problem.bounds.box
    n = q.size
    for r in range(count):
        for i in range(n):
            matrix[r, i] = hard[r, i] * coordinates[METRIC, i]
        rows[LOWER, r] = min(hard_box[LOW, r], 0.0)
        rows[UPPER, r] = max(hard_box[HIGH, r], 0.0)
    inner.starts[0], inner.starts[1] = 0, count
    for i in range(n):
        vector[SCALE, i] = coordinates[METRIC, i]
    first, last = True, 0
    for k in range(starts.size - 1):
        m.rows[0, k] = count
        square = 0.0
        for r in range(starts[k], starts[k + 1]):
            s = 0.0
            for i in range(n):
                a = jacobian[r, i] * coordinates[METRIC, i]
                matrix[count, i] = a
                s += a * a
            square = max(square, s)
            rows[LOWER, count] = -residual[RESIDUAL, r]
            rows[UPPER, count] = -residual[RESIDUAL, r] if inequality[r] == 0 else np.inf
            count += 1
        while block[last, ROW] < starts[k + 1]:
            last += 1
        added, left = 0, 0.0
        if level[STRAINED, k] > 0.0:
            for r in range(starts[k]):
                residual[PUSH, r] = m.force[k, r]
            for r in range(starts[k], starts[k + 1]):
                residual[PUSH, r] = residual[RESIDUAL, r]
            trace = curvature(
                problem.tree, blocks, m.state, m.scratch, residual[PUSH], last, m.curved
            )
            added, left = factor(
                m.curved, coordinates[METRIC], 1e-3 * trace, m.curved_rows, vector[DIAGONAL]
            )
            left = max(left, 1e-5)
            for a in range(added):
                for i in range(n):
                    matrix[count, i] = m.curved_rows[a, i]
                rows[LOWER, count], rows[UPPER, count] = 0.0, 0.0
                count += 1
            for i in range(n):
                own = max(vector[DIAGONAL, i], 0.0)
                if first and scaled:
                    vector[SCALE, i] *= math.sqrt(left / (3.0 * own + 0.2 * left))
                elif first:
                    vector[KEPT, i] = own
            first = False
        m.rows[1, k] = added
        level[LEFT, k] = left
        level[ROW_LENGTH, k] = math.sqrt(square)
        own = LEVER * level[ROW_LENGTH, k] * level[DAMPING, k] * level[SIZE, k]
        inner.damping[k] = left + 1e-9 + own
        inner.starts[k + 2] = count
    for i in range(n):
        metric, scale = coordinates[METRIC, i], vector[SCALE, i]
        if metric > 0.0:
            if scale != metric:
                for r in range(count):
                    matrix[r, i] *= scale / metric
            boxes[BOX_LOWER, i] = min(box[LOW, i] - q[i], 0.0) / scale
            boxes[BOX_UPPER, i] = max(box[HIGH, i] - q[i], 0.0) / scale
            boxes[REST, i] = coordinates[PULL, i] * (coordinates[GOAL, i] - q[i]) / scale
        else:
            boxes[BOX_LOWER, i], boxes[BOX_UPPER, i], boxes[REST, i] = 0.0, 0.0, 0.0


@compiled
def _climb(ladder, level, vector, last):
    """Share the ladder's rungs by their radii and add them up to MOVE."""
    n, share = vector.shape[1], 1.0
    for i in range(n):
        vector[MOVE, i] = 0.0
    for k in range(last):
        length = 0.0
        for i in range(n):
            d = ladder[k, i] - (ladder[k - 1, i] if k > 0 else 0.0)
            length = max(length, abs(d * vector[SCALE, i]))
        if length * share > level[RADIUS, k]:
            share = level[RADIUS, k] / length
        for i in range(n):
            d = ladder[k, i] - (ladder[k - 1, i] if k > 0 else 0.0)
            vector[MOVE, i] += share * d * vector[SCALE, i]
        level[LENGTH, k], level[SHARE, k] = length, share


@compiled
def _weigh(starts, inequality, m):
    """How much each level should have gained by MOVE, and how much it did."""
    residual, matrix, level, vector, force = m.residual, m.matrix, m.level, m.vector, m.force
    inner = m.inner.matrix
    n = vector.shape[1]
    for r in range(matrix.shape[0]):
        s = residual[RESIDUAL, r]
        for i in range(n):
            s += matrix[r, i] * vector[MOVE, i]
        residual[PREDICTED, r] = s
    _sizes(starts, inequality, residual[PREDICTED], level[AHEAD])
    for k in range(starts.size - 1):
        size, ahead, after = level[SIZE, k], level[AHEAD, k], level[AFTER, k]
        gain, real = size * size - ahead * ahead, size * size - after * after
        if level[STRAINED, k] > 0.0:
            first = m.rows[0, k] + starts[k + 1] - starts[k]
            for r in range(first, first + m.rows[1, k]):
                s = 0.0
                for i in range(n):
                    if vector[SCALE, i] > 0.0:
                        s += inner[r, i] * vector[MOVE, i] / vector[SCALE, i]
                gain -= s * s
            for r in range(starts[k]):
                gain += 2.0 * force[k, r] * (residual[RESIDUAL, r] - residual[PREDICTED, r])
                real += 2.0 * force[k, r] * (residual[RESIDUAL, r] - residual[TRIAL, r])
        level[GAIN, k], level[REAL, k] = gain, real


@compiled
def _objector(level, longest, tolerance):
    """The level that rejects a trial, −1 if none does. What levels above do is not its business."""
    drift = min(DRIFT * longest * longest, MOST_DRIFT)
    for k in range(level.shape[1] - 1):
        if k > 0:
            below = 0.0
            for j in range(k, level.shape[1]):
                below = max(below, level[SHARE, j] * level[LENGTH, j])
            if below < 0.05 * longest:
                break
        size, ahead, after = level[SIZE, k], level[AHEAD, k], level[AFTER, k]
        width = max(level[WIDTH, k], drift)
        if max(size, after) <= width:
            continue
        gain = level[GAIN, k]
        if gain > max(1e-3 * size * size * level[SHARE, k], 0.01 * tolerance * tolerance):
            return k if level[REAL, k] < 0.05 * gain else -1
        if not after <= max(size, ahead) * (1.0 + 1e-4) + width:
            return k
    return -1


@compiled
def _hold_back(level, objector, longest):
    """Shorten the rungs below the objecting level, or else its own too."""
    below = 0.0
    for j in range(objector + 1, level.shape[1]):
        below = max(below, level[SHARE, j] * level[LENGTH, j])
    if below > 0.05 * longest:
        for j in range(objector + 1, level.shape[1]):
            level[RADIUS, j] = min(level[RADIUS, j], 0.2 * below)
        return
    own = level[SHARE, objector] * level[LENGTH, objector]
    for j in range(objector, level.shape[1]):
        level[RADIUS, j] = min(level[RADIUS, j], 0.3 * own)


@compiled
def _adapt(level, longest, tolerance):
    """After an accepted step: new funnels, radii, damping, strain; whether little was promised."""
    drift = min(DRIFT * longest * longest, MOST_DRIFT)
    little = True
    for k in range(level.shape[1] - 1):
        size, after, share = level[SIZE, k], level[AFTER, k], level[SHARE, k]
        gain, real, full, length = level[GAIN, k], level[REAL, k], level[FULL, k], level[LENGTH, k]
        decides = gain > 1e-3 * size * size * share and size > max(level[WIDTH, k], drift)
        if decides and real < 0.3 * gain:
            level[RADIUS, k] = max(0.5 * min(level[RADIUS, k], share * length), 1e-3)
            level[DAMPING, k] = min(2.0 * level[DAMPING, k], 10.0)
        elif not decides or real > 0.7 * gain:
            level[RADIUS, k] = min(1.6 * level[RADIUS, k], LONGEST)
            level[DAMPING, k] *= 0.7
        level[WIDTH, k] = max(NARROWER * level[WIDTH, k], 20.0 * tolerance)
        if level[STRAINED, k] > 0.0 or size > 20.0 * tolerance:
            little &= gain <= share * size * (2e-7 + LITTLE * size)
        behind = size > tolerance and after > 0.3 * size
        behind &= full > 0.5 * size or size - full < SHORT_LEVER * level[ROW_LENGTH, k] * length
        level[STUCK, k] = level[STUCK, k] + 1.0 if behind else 0.0
    return little


@compiled
def _stretchable(m, tied, levels):
    """The strained level for which a longer step may pay, −1 if none, and how long it may be.

    In units of MOVE, by the hard rows and the box of what they tie together.
    """
    inner, vector, level = m.inner, m.vector, m.level
    k = 0
    while k < levels and (level[STRAINED, k] == 0.0 or level[GAIN, k] <= 1e-9):
        k += 1
    if k == levels or level[SHARE, k] < 1.0 or level[REAL, k] < 0.6 * level[GAIN, k]:
        return -1, 0.0
    most = 64.0
    for r in range(inner.starts[1]):
        value = inner.rows[VALUE, r]
        if abs(value) > 1e-9:
            most = min(most, inner.rows[UPPER if value > 0.0 else LOWER, r] / value)
    for c in tied:
        move = vector[MOVE, c]
        if abs(move) > 1e-9:
            bound = inner.boxes[BOX_UPPER if move > 0.0 else BOX_LOWER, c] * vector[SCALE, c]
            most = min(most, bound / move)
    return k, most


@compiled
def _pays(starts, m, k, longest):
    """Whether a longer trial is still better for strained level k and costs others little."""
    residual, level = m.residual, m.level
    size, after = level[SIZE, k], level[AFTER, k]
    real = size * size - after * after
    for r in range(starts[k]):
        real += 2.0 * m.force[k, r] * (residual[RESIDUAL, r] - residual[TRIAL, r])
    pays = real > level[BEST, k] + 0.2 * level[REAL, k]
    for j in range(k):
        width = max(level[WIDTH, j], min(DRIFT * longest * longest, MOST_DRIFT))
        pays &= level[AFTER, j] <= max(width, max(level[SIZE, j], level[AHEAD, j]))
    level[BEST, k] = real
    return pays


@compiled
def _drifted(level, tolerance):
    """How many levels stand above the first strained one, and whether any of them has drifted."""
    depth, off = np.int64(0), False
    while depth < level.shape[1] - 1 and level[STRAINED, depth] == 0.0:
        off |= tolerance < level[SIZE, depth] <= MOST_DRIFT
        depth += 1
    return depth, off


@compiled
def _prepare(level, counts, begin):
    """Set out with wide funnels and full radii, or warm, with narrower ones and what was known."""
    for i in range(counts.size):
        counts[i] = 0
    if begin == CONTINUED:
        return
    for k in range(level.shape[1]):
        level[WIDTH, k] = FUNNEL if begin == COLD else 0.1 * FUNNEL
        level[RADIUS, k] = 0.8 if begin == COLD else 0.1
        if begin == COLD:
            level[DAMPING, k] = DAMPED
            level[STUCK, k], level[STRAINED, k] = 0.0, 0.0


@compiled
def lex(problem, m, q, tolerance, limit, begin):
    """Solve from a valid posture q, in place; how it ended.

    Args:
        problem: what is wanted.
        m: room, and what the last solve knew.
        q: (n,) the start, within limits; the result.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations.
        begin: COLD; WARM, near the end of a solve like this one; or CONTINUED.
    """
    tree, bounds, blocks, inner = problem.tree, problem.bounds, problem.blocks, m.inner
    residual, level, vector, counts = m.residual, m.level, m.vector, m.counts
    starts, inequality, coordinates = blocks.level, blocks.inequality, problem.coordinates
    n, levels = q.size, np.int64(level.shape[1] - 1)
    yes, no = np.bool_(True), np.bool_(False)
    pulled = False
    for i in range(n):
        pulled |= coordinates[PULL, i] * coordinates[METRIC, i] != 0.0
    rungs = levels + 1 if pulled else levels
    _prepare(level, counts, begin)
    status, mode, calm, mended = ITERATIONS, SEEKING, 0, 0
    still, placed, warm = not pulled, False, begin != COLD
    resting, gone = LONGEST, 0.0
    while True:
        if not placed:
            place(tree, q, m.state)
        differentiate(tree, m.state)
        evaluate(tree, blocks, m.state, m.scratch, residual[RESIDUAL], m.matrix, yes)
        _sizes(starts, inequality, residual[RESIDUAL], level[SIZE])
        met = _worst(blocks.block, blocks.factor, inequality, residual[RESIDUAL]) <= tolerance
        depth, off = _drifted(level, tolerance)
        if mode == SEEKING:
            if met and still:
                mode = MENDING
            elif calm >= CALM and still and not (off and calm < 2 * CALM):
                status, mode = STATIONARY, MENDING
            elif counts[ITERATION] >= limit:
                mode = MENDING
        if mode == MENDING:
            if met:
                status = SOLVED
                break
            if not off or mended == 5:
                mode = CERTIFYING
            mended += 1
        if mode != MENDING:
            depth = levels
        reach = 0.8 if counts[ITERATION] == 0 else 0.1 + 2.0 * gone
        count = write_rows(tree, bounds, q, reach, m.state, m.hard)
        scaled = mode == SEEKING and not pulled
        _fill(problem, m, q, count, scaled)
        objector, longest = np.int64(-1), 0.0
        for attempt in range(4):
            again = attempt > 0
            if again:
                for k in range(objector, levels):
                    level[DAMPING, k] = max(10.0 * level[DAMPING, k], 1e-2)
                    own = LEVER * level[ROW_LENGTH, k] * level[DAMPING, k] * level[SIZE, k]
                    inner.damping[k] = level[LEFT, k] + 1e-9 + own
            step(inner, depth, warm, again)
            warm = yes
            if mode == CERTIFYING:
                break
            counts[ATTEMPTS] += 1
            counts[INNER] += inner.counts[ROUNDS]
            for k in range(depth):
                for r in range(starts[k], starts[k + 1]):
                    value = inner.rows[VALUE, m.rows[0, k] + r - starts[k]]
                    residual[PREDICTED, r] = residual[RESIDUAL, r] + value
            _sizes(starts, inequality, residual[PREDICTED], level[FULL])
            _climb(inner.ladder, level, vector, rungs if mode == SEEKING else depth)
            stretched, most, times = np.int64(-1), 1.0, 1.0
            for trial in range(16):
                following = vector[NEXT]
                for i in range(n):
                    following[i] = q[i] + times * vector[MOVE, i]
                clamp_joints(tree.source, bounds, following, q)
                if bounds.tied.size > 0 and violation(tree, bounds, following, m.state) > 1e-11:
                    clamp(tree, bounds, following, q, m.state, m.hard)
                place(tree, following, m.state)
                evaluate(tree, blocks, m.state, m.scratch, residual[TRIAL], m.matrix, no)
                _sizes(starts, inequality, residual[TRIAL], level[AFTER])
                counts[TRIALS] += 1
                longest = 0.0
                for i in range(n):
                    longest = max(longest, abs(following[i] - q[i]))
                if stretched >= 0:
                    placed = _pays(starts, m, stretched, longest)
                    if not placed:
                        break
                else:
                    _weigh(starts, inequality, m)
                    objector = _objector(level, longest, tolerance)
                    if objector >= 0:
                        if trial == 7:
                            break
                        _hold_back(level, objector, longest)
                        _climb(inner.ladder, level, vector, rungs if mode == SEEKING else depth)
                        continue
                    placed = True
                    if mode == SEEKING:
                        little = _adapt(level, longest, tolerance)
                        calm = calm + 1 if little else 0
                        if little and longest < 1e-3:
                            calm = max(calm, CALM)
                        if calm < 2:
                            stretched, most = _stretchable(m, bounds.tied, levels)
                            if stretched >= 0:
                                level[BEST, stretched] = level[REAL, stretched]
                for i in range(n):
                    vector[KEPT, i] = following[i]
                times *= 2.0
                if stretched < 0 or times > most or 2.0 * longest > 1.0:
                    break
            if objector < 0:
                break
        if mode == CERTIFYING:
            break
        if objector >= 0:
            status = STALLED if mode == SEEKING else status
            mode, placed = (MENDING if mode == SEEKING else CERTIFYING), False
            continue
        for i in range(n):
            q[i] = vector[KEPT, i]
        if mode == MENDING:
            continue
        counts[ITERATION] += 1
        gone = longest
        if pulled:
            length = level[LENGTH, levels]
            still = length < STILL
            level[RADIUS, levels] = 0.5 * length if length > 0.9 * resting else LONGEST
            resting = length
        for k in range(levels):
            level[STRAINED, k] = 1.0 if level[STUCK, k] >= 2.0 else 0.0
            if level[STRAINED, k] > 0.0:
                blockers(inner, k + 1)
                for j in range(k):
                    for r in range(starts[j], starts[j + 1]):
                        m.force[k, r] = inner.rows[FORCE, m.rows[0, j] + r - starts[j]]
    m.optimality[0] = 0.0
    if status != SOLVED:
        for r in range(inner.starts[levels + 1]):
            inner.rows[VALUE, r] = 0.0
        below, left_out = False, 0.0
        for k in range(levels):
            if below:  # what the second-order rows of the level above leave out holds too
                for i in range(n):
                    if vector[KEPT, i] > 1e-3 * left_out:
                        inner.box_sets[BOX_MEMORY + k, i] = 1
            elif level[STRAINED, k] > 0.0:
                below, left_out = True, level[LEFT, k]
            if level[SIZE, k] > tolerance:
                left = blockers(inner, k + 1) / level[SIZE, k]
                m.optimality[0] = max(m.optimality[0], left)
    return status
