"""How the lexicographic solver writes the problem of its next step."""

import math

import numpy as np

from poise.kernel.arrays import Floats2, Ints
from poise.kernel.compiling import compiled, entry
from poise.kernel.hierarchy.arrays import BOX_LOWER, BOX_UPPER, LOWER, REST, UPPER
from poise.kernel.lex.arrays import MOVE, PREDICTED, PUSH, RESIDUAL, SCALE
from poise.kernel.lex.faces import FORCE
from poise.kernel.lex.levels import AHEAD, DAMPING, ROW_LENGTH, SIZE
from poise.kernel.limits.bounds import LOWER as LOW
from poise.kernel.limits.bounds import UPPER as HIGH
from poise.kernel.problem import METRIC, PULL, ZONE_PULL, spring
from poise.kernel.residuals.blocks import ROW
from poise.kernel.residuals.sizes import sizes

LEVER = 0.2
"""The lever arm ℓ by which errors become damping, as a share of the level's longest row (m/rad)."""


@compiled
def scale_of(coordinates, scale):
    """The unit of each coordinate in the inner step; how strongly criteria draw at most.

    Coordinates that criteria draw weakly go farther, so that the step nearest to the resting one
    is the one that the criteria want.
    """
    strongest, most = 0.0, 1e-300
    for i in range(scale.size):
        most = max(most, coordinates[METRIC, i])
        if coordinates[METRIC, i] > 0.0:
            strongest = max(strongest, coordinates[PULL, i] + coordinates[ZONE_PULL, i])
    for i in range(scale.size):
        scale[i] = coordinates[METRIC, i] / most  # how stiff all are together means nothing
        if strongest > 0.0:
            pull = coordinates[PULL, i] + coordinates[ZONE_PULL, i]
            scale[i] /= math.sqrt(max(pull / strongest, 0.05))
    return strongest


@compiled
def write_bounds(problem, m, q, count, strongest):
    """Write the hard rows, the boxes and the resting step of the inner problem."""
    coordinates, inner, scale = problem.coordinates, m.inner, m.vector[SCALE]
    matrix, rows, boxes = inner.matrix, inner.rows, inner.boxes
    hard, hard_box, box = m.hard.matrix, m.hard.box, problem.bounds.box
    n = q.size
    for r in range(count):
        for i in range(n):
            matrix[r, i] = hard[r, i] * scale[i]
        m.sources[r] = -1
        rows[LOWER, r] = min(hard_box[LOW, r], 0.0)
        rows[UPPER, r] = max(hard_box[HIGH, r], 0.0)
    inner.starts[0], inner.starts[1] = 0, count
    for i in range(n):
        s = scale[i]
        if s > 0.0:
            boxes[BOX_LOWER, i] = min(box[LOW, i] - q[i], 0.0) / s
            boxes[BOX_UPPER, i] = max(box[HIGH, i] - q[i], 0.0) / s
            boxes[REST, i] = 0.0
            if strongest > 0.0:
                boxes[REST, i] = -s * spring(coordinates, i, q[i])[1] / strongest
        else:
            boxes[BOX_LOWER, i], boxes[BOX_UPPER, i], boxes[REST, i] = 0.0, 0.0, 0.0


@compiled
def _write_row(inequality, m, r, row):
    """Write row r of the residual, to be met, as a row of the inner step; the square of it."""
    matrix, rows, scale = m.inner.matrix, m.inner.rows, m.vector[SCALE]
    square = 0.0
    for i in range(scale.size):
        a = m.matrix[r, i] * scale[i]
        matrix[row, i] = a
        square += a * a
    e = m.residual[RESIDUAL, r]
    m.sources[row] = r
    rows[LOWER, row] = -e
    rows[UPPER, row] = -e if inequality[r] == 0 else np.inf
    return square


@compiled
def write_level(starts, inequality, m, k, count):
    """Write the rows of level k, to be met, from row `count` on; the next row."""
    inner, level = m.inner, m.level
    m.rows[k] = count
    square = 0.0
    for r in range(starts[k], starts[k + 1]):
        square = max(square, _write_row(inequality, m, r, count))
        count += 1
    level[ROW_LENGTH, k] = math.sqrt(square)
    own = LEVER * level[ROW_LENGTH, k] * level[DAMPING, k] * level[SIZE, k]
    inner.damping[k] = 1e-9 + own
    inner.starts[k + 2] = count
    return count


@compiled
def write_met(block, starts, inequality, m, k, count):
    """Write the rows of those tasks of a level at rest that must stay met; the next row."""
    for b in range(block.shape[0] - 1):
        if starts[k] <= block[b, ROW] < starts[k + 1] and m.met[b]:
            for r in range(block[b, ROW], block[b + 1, ROW]):
                _write_row(inequality, m, r, count)
                count += 1
    return count


@compiled
def push(starts, m, k, rank):
    """Write the error of level k, if it is one, and the forces of the levels above."""
    residual, members, force = m.residual, m.room.members, m.room.vectors[FORCE]
    for r in range(residual.shape[1]):
        residual[PUSH, r] = 0.0
    if k < starts.size - 1:
        for r in range(starts[k], starts[k + 1]):
            residual[PUSH, r] = residual[RESIDUAL, r]
    for c in range(rank):
        if members[0, c] >= 0 and m.sources[members[0, c]] >= 0:
            residual[PUSH, m.sources[members[0, c]]] += force[c]


@entry
def toll(starts: Ints, inequality: Ints, residual: Floats2, k: int) -> float:
    """What the errors of the levels above would cost level k to mend, by the forces in PUSH."""
    total = 0.0
    for r in range(starts[k]):
        e = residual[RESIDUAL, r]
        if inequality[r] == 0 or e < 0.0:
            total += residual[PUSH, r] * e
    return total


@compiled
def predict(starts, inequality, m, depth):
    """The size of every level after MOVE, to first order."""
    residual, matrix, move = m.residual, m.matrix, m.vector[MOVE]
    for r in range(starts[depth]):
        s = residual[RESIDUAL, r]
        for i in range(move.size):
            s += matrix[r, i] * move[i]
        residual[PREDICTED, r] = s
    sizes(starts, inequality, residual[PREDICTED], m.level[AHEAD])


@compiled
def discomfort(coordinates, q, strongest):
    """What criteria make small, in units of the strongest."""
    total = 0.0
    for i in range(q.size):
        if coordinates[METRIC, i] > 0.0:
            total += spring(coordinates, i, q[i])[0] / strongest
    return total
