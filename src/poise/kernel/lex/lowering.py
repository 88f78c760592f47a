"""Lowering: a Newton step of a level that cannot be met, and what restores the levels above it.

`model` finds the face that the rows above and the bounds leave to a level, their multipliers, and
the curvature that these and its own error give: its quadratic model. `newton_step` minimises it
within a radius, or says that the level is at rest. `go` takes the step along a curve
(`retraction`); in the next passes it takes steps that bring the levels above back, to first order.
"""

import math

from poise.kernel.compiling import compiled
from poise.kernel.filling import copy
from poise.kernel.hierarchy.arrays import REST
from poise.kernel.lex.faces import MULTIPLIERS, REDUCED_GRADIENT, STEP, face, only_nears
from poise.kernel.lex.judging import negligible_share
from poise.kernel.lex.levels import (
    growth,
    is_any_at_rest_below,
    may_stray,
    within_reach,
    worst_before,
)
from poise.kernel.lex.memory import LOWER, MEND, RESTORE
from poise.kernel.lex.newton import (
    descend,
    descend_from_saddle,
    shorten,
    step_norm,
    tangential_norm,
)
from poise.kernel.lex.resting import meet_hidden_task
from poise.kernel.lex.restoration import restore
from poise.kernel.lex.retraction import retract, turning_torques
from poise.kernel.lex.rows import multiplier_cost, write_multipliers
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.limits.bounds import step_within
from poise.kernel.limits.curvature import add_bends
from poise.kernel.problem import spring
from poise.kernel.residuals.curvature import curvature


@compiled
def negligible_decrease(memory, k):
    """The decrease of half the square of a level's error that is next to nothing."""
    levels, run = memory.levels, memory.run
    size = levels.error[k]
    reach = within_reach(levels, k, size) if k < levels.error.size - 1 else size
    return max(negligible_share(run, k) * reach, SETTINGS.fine * run.tolerance) * size


@compiled
def model(problem, memory, q, k, first):
    """Make the quadratic model of level k, whose rows begin at `first`; the rank of its face.

    And whether, where all is at rest, bounds that are only near would hold it.
    """
    blocks, run, written, newton = problem.blocks, memory.run, memory.written, memory.newton
    inner, levels, scale = memory.inner, memory.levels, memory.postures.scale
    criteria = levels.error.size - 1
    last = written.count
    near = SETTINGS.touched if run.all_at_rest else SETTINGS.at_stop
    rank = face(inner, newton, first, last, near)
    if k < criteria:
        free = 0.0
        for t in range(q.size):
            free += (newton.vectors[REDUCED_GRADIENT, t] / scale[t]) ** 2 if scale[t] > 0.0 else 0.0
        steepness = math.sqrt(free) / max(levels.error[k], 1e-12)
        memory.optimality[0] = max(memory.optimality[0], steepness)
    has_near_bounds = run.all_at_rest and only_nears(inner, newton, rank)
    if has_near_bounds:  # as in lowering
        rank = face(inner, newton, first, last, SETTINGS.at_stop)
    write_multipliers(blocks, memory, k, rank)
    # The curve along which a step is taken adds curvature for the level that moves, not for levels
    # at rest. A warm solve goes straight: longer steps would lead it out of the minimum it follows.
    is_lowered = run.phase == LOWER and k == run.level and not run.all_at_rest
    is_alone = is_lowered or (run.all_at_rest and not is_any_at_rest_below(levels, k))
    bent = 1.0 if is_alone and run.is_cold else 0.0
    turning_torques(
        problem.tree, memory.state, bent, newton.vectors[REDUCED_GRADIENT], scale, newton.torques
    )
    curvature(
        problem.tree, blocks, memory.state, memory.scratch, memory.residuals.now, memory.jacobian,
        memory.residuals.multipliers, written.block, newton.torques, newton.loads, scale,
        newton.hessian,
    )  # fmt: skip
    add_bends(
        problem.tree, problem.bounds, memory.state, memory.hard, written.hard, newton.active,
        newton.vectors[MULTIPLIERS], rank, scale, newton.bend, newton.hessian,
    )  # fmt: skip
    if k == criteria:
        for i in range(q.size):
            bend = spring(problem.coordinates, i, q[i])[2] / run.strongest_pull
            newton.hessian[i, i] += bend * scale[i] * scale[i]
    return rank, has_near_bounds


@compiled
def _step_from_off(memory, first, rank, radius):
    """Find a step of the level that restores those above, which are off, on its way."""
    inner, newton, lowering, last = (
        memory.inner,
        memory.newton,
        memory.lowering,
        memory.written.count,
    )
    rank = restore(inner, newton, first, rank, SETTINGS.restores * radius)
    beside = SETTINGS.beside * step_norm(newton)
    little = lowering.negligible
    predicted = descend(inner, newton, first, last, rank, radius, True, little)
    if predicted <= little and tangential_norm(newton) > beside:
        predicted = shorten(newton, beside)
    lowering.predicted_decrease = predicted
    lowering.meets_hidden_task, lowering.step_length = False, tangential_norm(newton)
    lowering.is_whole = False


@compiled
def newton_step(problem, memory, k, first, rank):
    """Find the next Newton step of level k; whether the level is at rest instead."""
    blocks, run, lowering, newton = problem.blocks, memory.run, memory.lowering, memory.newton
    inner, levels, last = memory.inner, memory.levels, memory.written.count
    little = negligible_decrease(memory, k)
    cautious = max(run.caution, SETTINGS.least_caution)
    if run.tasks <= k < levels.error.size - 1 and not run.is_dragged:
        cautious = SETTINGS.criteria_radius
    radius = levels.newton_radius[k]
    lowering.negligible = little
    if not run.is_eager:
        radius = min(radius, cautious)
    if memory.straying.is_off:
        _step_from_off(memory, first, rank, radius)
        return False
    predicted = descend(inner, newton, first, last, rank, radius, False, little)
    if predicted <= little:
        # A bound just ahead may be in the way of going along it instead of another.
        rank = face(inner, newton, first, last, SETTINGS.touched)
        if only_nears(inner, newton, rank):
            write_multipliers(blocks, memory, k, rank)
            predicted = descend(inner, newton, first, last, rank, radius, False, little)
    length = tangential_norm(newton)
    lowering.predicted_decrease, lowering.step_length = predicted, length
    lowering.meets_hidden_task, lowering.is_whole = False, length < SETTINGS.at_radius * radius
    has_stagnated = levels.newton_radius[k] < SETTINGS.least_radius
    has_stagnated |= levels.slow_steps[k] >= (SETTINGS.slow_steps if run.has_moved else 1.0)
    # Whether a cold solve stays where steps fail is seen when all is at rest.
    if not run.is_cold:
        if length > SETTINGS.at_radius * radius and length < SETTINGS.newton_radius:
            # what a step of a cold solve would promise
            predicted *= SETTINGS.newton_radius / length
        if not run.has_moved:
            little *= SETTINGS.calm
            lowering.negligible = little
    # What criteria gain by their rows, if it is much, may come in the next frames.
    is_patient = run.tasks <= k < levels.error.size - 1
    run.is_eager = run.is_cold or (predicted > _worth(memory, k) and not is_patient)
    budget_is_spent = not (run.is_eager or run.caution > SETTINGS.least_caution)
    rests = has_stagnated or predicted <= little or budget_is_spent
    if k >= run.tasks:  # criteria have no tasks that could be met
        if (rests or length < SETTINGS.still) and run.is_cold and not has_stagnated:
            pull = SETTINGS.saddle_pull * little / radius
            predicted = descend_from_saddle(inner, newton, first, last, rank, radius, pull)
            if predicted > little:
                lowering.predicted_decrease = predicted
                lowering.step_length, lowering.is_whole = tangential_norm(newton), False
                return False
            rests = True
        if k < levels.error.size - 1:
            run.has_stalled |= rests and predicted > little and length >= SETTINGS.still
        return rests or length < SETTINGS.still
    if rests and not budget_is_spent and lowering.hidden_tries < SETTINGS.hidden_tries:
        radius = SETTINGS.newton_radius if run.is_cold else cautious
        gain = meet_hidden_task(memory, blocks, k, first, rank, radius)
        if gain > 0.0:
            lowering.predicted_decrease, lowering.step_length = gain, tangential_norm(newton)
            lowering.meets_hidden_task = True
            lowering.hidden_tries += 1
            return False
    run.has_stalled |= (has_stagnated or budget_is_spent) and predicted > little
    return rests


@compiled
def _worth(memory, k):
    """The decrease for which a warm solve goes farther than cautiously."""
    levels = memory.levels
    size = levels.error[k]
    reach = within_reach(levels, k, size) if k < levels.error.size - 1 else size
    share, least = SETTINGS.cautious_gain, SETTINGS.cautious_tolerances * memory.run.tolerance
    return max(share * reach, least) * size


@compiled
def begin_newton_step(blocks, memory):
    """Note where a Newton step begins: the merit there, and how the levels above are."""
    run, lowering, levels, straying = memory.run, memory.lowering, memory.levels, memory.straying
    size = levels.error[run.level]
    lowering.merit = 0.5 * size * size
    lowering.began_off = straying.is_off
    lowering.off_before = worst_before(levels, run.level)
    may = run.is_cold and not (straying.is_over or lowering.meets_hidden_task)
    lowering.is_charged = may and may_stray(levels, run.level)
    if lowering.is_charged:
        cost = multiplier_cost(blocks.level, blocks.inequality, memory.residuals, run.level)
        lowering.merit += cost
    for k in range(run.level):
        is_at_rest = levels.at_rest[k] > 0.0
        levels.growth_before[k] = growth(levels, k, run.tolerance) if is_at_rest else 0.0


@compiled
def go(problem, memory, q):
    """Go the step of the phase: a Newton step, less of it, or what restores the levels above."""
    run, lowering, newton, postures = memory.run, memory.lowering, memory.newton, memory.postures
    scale, step = postures.scale, postures.step
    if run.phase == LOWER:
        begin_newton_step(problem.blocks, memory)
    if run.phase >= RESTORE:
        _restoration_step(memory)
        lowering.restoration_steps += 1
    else:
        lowering.restoration_steps = 0
    for i in range(q.size):
        step[i] = scale[i] * newton.vectors[STEP, i]
    if run.phase < RESTORE:
        copy(q, postures.base)
        if run.is_cold and not lowering.meets_hidden_task:
            retract(problem.tree, memory.state, newton.loads, scale, q, step)
    step_within(
        problem.tree, problem.bounds, scale, q, step, postures.trial, memory.state, memory.hard
    )
    copy(postures.trial, q)
    memory.result.is_settled = False
    if run.phase != MEND:
        run.phase = RESTORE


@compiled
def _restoration_step(memory):
    """Find the shortest step that restores the levels above.

    What would move farther than the step that it mends leads astray.
    """
    run, inner, last = memory.run, memory.inner, memory.written.count
    for i in range(memory.postures.scale.size):
        inner.boxes[REST, i] = 0.0
    rank = face(inner, memory.newton, last, last, SETTINGS.at_stop)
    radius = SETTINGS.mending_radius
    if run.phase == RESTORE:
        radius = max(memory.lowering.step_length, SETTINGS.least_restoring_radius)
    restore(inner, memory.newton, last, rank, radius)
