"""How the lexicographic solver writes the problem of its next step."""

import math

import numpy as np

from poise.kernel.arrays import Ints
from poise.kernel.compiling import compiled, entry
from poise.kernel.hierarchy.arrays import BOX_LOWER, BOX_UPPER, LOWER, REST, UPPER
from poise.kernel.lex.faces import MULTIPLIERS
from poise.kernel.lex.memory import Residuals
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.limits.bounds import LOWER as LOW
from poise.kernel.limits.bounds import UPPER as HIGH
from poise.kernel.limits.bounds import write_rows
from poise.kernel.problem import LEAST, METRIC, MOST, PULL, ZONE_PULL, spring
from poise.kernel.residuals.blocks import ROW
from poise.kernel.residuals.sizes import sizes

WEAKEST_PULL = 0.05
"""The least pull of criteria, as a share of the strongest, by which a coordinate is scaled."""


@compiled
def fill_scale(coordinates, scale):
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
            scale[i] /= math.sqrt(max(pull / strongest, WEAKEST_PULL))
    return strongest


@compiled
def write_bounds(problem, memory, q, ahead):
    """Write hard rows nearer than `ahead`, boxes and the resting step of the inner problem."""
    coordinates, inner, scale = problem.coordinates, memory.inner, memory.postures.scale
    matrix, rows, boxes = inner.matrix, inner.rows, inner.boxes
    hard, hard_box, box = memory.hard.matrix, memory.hard.box, problem.bounds.box
    n, strongest = q.size, memory.run.strongest_pull
    count = write_rows(
        problem.tree, problem.bounds, q, SETTINGS.bounds_ahead + ahead, memory.state, memory.hard
    )
    memory.written.count, memory.written.hard = count, count
    for r in range(count):
        for i in range(n):
            matrix[r, i] = hard[r, i] * scale[i]
        memory.sources[r] = -1
        rows[LOWER, r] = min(hard_box[LOW, r], 0.0)
        rows[UPPER, r] = max(hard_box[HIGH, r], 0.0)
    inner.starts[0], inner.starts[1] = 0, count
    for i in range(n):
        s = scale[i]
        if s > 0.0:
            least = max(box[LOW, i], coordinates[LEAST, i])
            most = min(box[HIGH, i], coordinates[MOST, i])
            boxes[BOX_LOWER, i] = min(least - q[i], 0.0) / s
            boxes[BOX_UPPER, i] = max(most - q[i], 0.0) / s
            boxes[REST, i] = 0.0
            if strongest > 0.0:
                boxes[REST, i] = -s * spring(coordinates, i, q[i])[1] / strongest
        else:
            boxes[BOX_LOWER, i], boxes[BOX_UPPER, i], boxes[REST, i] = 0.0, 0.0, 0.0


@compiled
def _write_row(blocks, memory, r, row):
    """Write row r of the residual, to be met, as a row of the inner step; the square of it."""
    matrix, rows, scale = memory.inner.matrix, memory.inner.rows, memory.postures.scale
    square = 0.0
    for i in range(scale.size):
        a = memory.jacobian[r, i] * scale[i]
        matrix[row, i] = a
        square += a * a
    e = memory.residuals.now[r]
    memory.sources[row] = r
    rows[LOWER, row] = -e
    rows[UPPER, row] = -e if blocks.inequality[r] == 0 else np.inf
    return square


@compiled
def _is_idle(blocks, memory, r):
    """Whether row r is an inequality that holds and that no step changes: bodies far apart."""
    if blocks.inequality[r] == 0 or memory.residuals.now[r] <= 0.0:
        return False
    row = memory.jacobian[r]
    for i in range(row.size):
        if row[i] != 0.0:
            return False
    return True


@compiled
def damping_of(levels, k):
    """The damping of a level in the inner step: by its own error, since what is neglected is."""
    lever = SETTINGS.lever * levels.row_length[k]
    return SETTINGS.damping_floor + lever * levels.damping[k] * levels.error[k]


@compiled
def write_level(blocks, memory, k):
    """Write the rows of level k, to be met."""
    inner, levels, starts, written = memory.inner, memory.levels, blocks.level, memory.written
    count, square = written.count, 0.0
    memory.rows[k] = count
    for r in range(starts[k], starts[k + 1]):
        if not _is_idle(blocks, memory, r):
            square = max(square, _write_row(blocks, memory, r, count))
            count += 1
    levels.row_length[k] = math.sqrt(square)
    inner.damping[k] = damping_of(levels, k)
    inner.starts[k + 2] = count
    written.count = count


@compiled
def write_met(blocks, memory, k):
    """Write the rows of those tasks of a level at rest that must stay met."""
    block, starts, count = blocks.block, blocks.level, memory.written.count
    for b in range(block.shape[0] - 1):
        if starts[k] <= block[b, ROW] < starts[k + 1] and memory.met[b]:
            for r in range(block[b, ROW], block[b + 1, ROW]):
                if not _is_idle(blocks, memory, r):
                    _write_row(blocks, memory, r, count)
                    count += 1
    memory.written.count = count


@compiled
def write_multipliers(blocks, memory, k, rank):
    """Write the error of level k, unless it is the criteria, and the multipliers of rows above."""
    residuals, newton, starts = memory.residuals, memory.newton, blocks.level
    members, force, out = newton.active, newton.vectors[MULTIPLIERS], residuals.multipliers
    for r in range(out.size):
        out[r] = 0.0
    if k < starts.size - 1:
        for r in range(starts[k], starts[k + 1]):
            out[r] = residuals.now[r]
    for c in range(rank):
        if members[0, c] >= 0 and memory.sources[members[0, c]] >= 0:
            out[memory.sources[members[0, c]]] += force[c]


@entry
def multiplier_cost(starts: Ints, inequality: Ints, residuals: Residuals, k: int) -> float:
    """What the errors of the levels above would cost level k to mend, by their multipliers."""
    total = 0.0
    for r in range(starts[k]):
        e = residuals.now[r]
        if inequality[r] == 0 or e < 0.0:
            total += residuals.multipliers[r] * e
    return total


@compiled
def predict(blocks, memory):
    """Fill the error of every level that is searched for after the step, to first order."""
    residuals, jacobian, move = memory.residuals, memory.jacobian, memory.postures.step
    for r in range(blocks.level[memory.run.depth]):
        s = residuals.now[r]
        for i in range(move.size):
            s += jacobian[r, i] * move[i]
        residuals.predicted[r] = s
    sizes(blocks.level, blocks.inequality, residuals.predicted, memory.levels.predicted)


@compiled
def criteria_value(coordinates, q, strongest):
    """What criteria make small, in units of the strongest."""
    total = 0.0
    for i in range(q.size):
        if coordinates[METRIC, i] > 0.0:
            total += spring(coordinates, i, q[i])[0] / strongest
    return total
