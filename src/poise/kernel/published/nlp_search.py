"""The search of `nlp` along a direction: the objective, projected postures, Powell's conditions."""

import math

from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.compiling import compiled
from poise.kernel.limits.bounds import LOWER, UPPER
from poise.kernel.problem import METRIC, spring
from poise.kernel.published.nlp_arrays import GRADIENT_NEXT, NEXT, STEP, TRIAL
from poise.kernel.published.stepping import projected_end
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.gradients import gradient, total

ENOUGH, FLATTER = 1e-4, 0.5
"""Powell's δ1 and δ2 in (31)."""

TRIES = 20
"""The most postures looked at in one search."""

CRITERIA = 1e-3
"""The weight of criteria in the sum (m²/rad²)."""

LEAP = 10.0
"""A step that is too short for the second condition grows by no more than this factor at once."""

INSIDE = 0.1
"""A step between two others keeps this share of their distance from both."""


@compiled
def add_criteria(coordinates, q, g):
    """The value of the criteria at q; their gradient, for x, is added to that of the tasks."""
    value = 0.0
    for i in range(q.size):
        if coordinates[METRIC, i] > 0.0:
            own, slope, _ = spring(coordinates, i, q[i])
            value += 2.0 * CRITERIA * own
            g[i] += 2.0 * CRITERIA * slope * coordinates[METRIC, i]
    return value


@compiled
def look(problem, m):
    """Compute objective and gradient at the trial posture."""
    tree, blocks, coordinates = problem.tree, problem.parts.blocks, problem.coordinates
    following, residual, g = m.vector[NEXT], m.residual[TRIAL], m.vector[GRADIENT_NEXT]
    metric, progress = coordinates[METRIC], m.progress
    place(tree, following, m.state)
    differentiate(tree, m.state)
    evaluate(tree, blocks, m.state, m.scratch, residual, m.wrenches.matrix, False)
    gradient(tree, problem.parts, m.state, m.scratch, residual, m.wrenches, g)
    value = total(blocks.inequality, residual)
    for i in range(g.size):
        g[i] *= metric[i]
    if not progress.has_left_criteria:
        value += add_criteria(coordinates, following, g)
    progress.trial_value = value
    progress.evaluations += 1


@compiled
def _step(problem, m, q, length):
    """Write the posture at a length of the step, after projection; whether it is valid."""
    n, following, step = q.size, m.vector[NEXT], m.vector[STEP]
    box, metric, k = problem.bounds.box, problem.coordinates[METRIC], m.progress.blocking_row
    for i in range(n):
        following[i] = q[i] + length * metric[i] * step[i]
    if length == m.progress.reach and k < 2 * n:  # on the limit, not but for rounding
        following[k % n] = box[UPPER, k] if k < n else box[LOWER, k - n]
    for i in range(n):
        following[i] = min(max(following[i], box[LOWER, i]), box[UPPER, i])
    return projected_end(problem.tree, problem.bounds, metric, q, following, m.state, m.hard)


@compiled
def _between(low, value_low, slope_low, high, value_high, slope_high):
    """Where the cubic through two values with their slopes is least, well inside."""
    width = high - low
    z = 3.0 * (value_low - value_high) / width + slope_low + slope_high
    root = math.sqrt(max(z * z - slope_low * slope_high, 0.0))
    below = slope_high - slope_low + 2.0 * root
    share = 1.0 - (slope_high + root - z) / below if below != 0.0 else 0.5
    if not INSIDE <= share <= 1.0 - INSIDE:
        share = min(max(share, INSIDE), 1.0 - INSIDE) if share == share else 0.5
    return low + share * width


@compiled
def search(problem, m, q):
    """Look along s for a step that meets both conditions (31); whether one was found.

    The posture, objective and gradient at its end are then those of the trial. After too many tries
    that is the best step that met the first condition, if any did.
    """
    progress, step, g = m.progress, m.vector[STEP], m.vector[GRADIENT_NEXT]
    value_first, slope_first, greatest = progress.value, progress.slope, progress.greatest_step
    length, low, value_low, slope_low = min(1.0, greatest), 0.0, value_first, slope_first
    high, value_high, slope_high = -1.0, 0.0, 0.0
    for tries in range(1, TRIES + 1):
        progress.step_length = length
        good = _step(problem, m, q, length)
        look(problem, m)
        value, slope = progress.trial_value, 0.0
        for i in range(q.size):
            slope += g[i] * step[i]
        if not good or not value <= value_first + ENOUGH * length * slope_first:
            high, value_high, slope_high = length, value, slope
            if not good or not value < math.inf:
                length = 0.5 * (low + high)
            else:
                length = _between(low, value_low, slope_low, high, value_high, slope_high)
        elif slope < FLATTER * slope_first and length < greatest and tries < TRIES:
            low, value_low, slope_low = length, value, slope
            if high < 0.0:  # where the slope would vanish, were it to go on as it has
                ahead = slope_first / min(slope_first - slope, (1.0 / LEAP) * slope_first)
                length = min(min(ahead, LEAP) * length, greatest)
            else:
                length = _between(low, value_low, slope_low, high, value_high, slope_high)
        else:
            return True
    if low == 0.0:
        return False
    progress.step_length = low
    _step(problem, m, q, low)
    look(problem, m)
    return True
