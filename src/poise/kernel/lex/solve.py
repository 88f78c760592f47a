"""The lexicographic solver: one compiled call from start to rest.

Level k is made as small as possible without making the levels above it worse, with inequalities at
every level; limits and couplings are never broken; criteria come last. What is known while it runs
stands in the records of `memory`, and every number that steers it in `settings`.

A solve is a loop of passes. Each evaluates the posture, judges what the last pass did, chooses the
phase, writes the rows of the levels that the phase is about (`writing`), and takes a step.

*Search* (`search`). As long as levels can be met, a pass linearises all residuals and takes the
lexicographic least-squares step of `hierarchy` (Escande, Mansard & Wieber 2014). Level k is damped
by its own error, ρ_k = c_k |e_k| ℓ, since what is neglected is of that order; the damping vanishes
with the error, so that convergence stays quadratic. A level that its own linear step can't bring
down cannot be met from there: a cold search tries some postures nearer to the middle of the joints'
ranges; then it is repeated without that level and those below.

Where a level recruits only some joints (`recruiting`), the search comes to it when those above are
met; it is achieved by its own joints, and the search then goes on with those below.

*Lower* (`lowering`). Then that level is lowered by itself, by Newton steps of its half square error
in the null space of the levels above, within a trust region (Nocedal & Wright, 2nd ed., algorithms
4.1 and 7.2, section 18.5).
After a step the levels above are *restored* before it is judged (`judging`), so that the level's
error falls from step to step and nothing above pays for it. In a cold solve, while all levels above
can be met, they may also stay a little off: the step is charged with what that costs by their
multipliers, and the next one restores them on its way, or else they are *mended*. A step that fails
is *shortened*. If the level comes near to being met it is searched for again: what looked out of
reach may not be.

*Rest* (`resting`). When the model promises next to nothing, and no task of the level can be met
that a far goal had hidden, the level is at rest. What it needs to stay there becomes rows, its
reduced Hessian factored, and the levels below are lowered likewise, one after the other. Of a level
at rest what is met stays met. Criteria are lowered last: springs as they are, or, where some have
rows, as one more level of rows, which is never searched for.

From one phase to the next:

    search  → search   all up to a level that recruits only some joints are met: that one is next
            → search   a level cannot be met from here: the posture is moved away from stops; or it
                       is given up, and the posture goes back to where the search began
            → lower    all levels that were searched for are met
            → end      no step is acceptable, however damped
    lower   → restore  a Newton step was taken
            → lower    the level has come to rest: the next one; or one above no longer is: that one
            → mend     the limit of iterations is reached, and levels above are off
            → search   the level is met, or in a cold solve half as far off as at the last search
    restore → restore  a level above is still off
            → lower    the step is taken; or it failed, and a shorter one promises nothing
            → shorten  it failed
            → mend     it failed, and began with a level above off
    shorten → restore  less of the step was taken
    mend    → lower    the levels above are restored, or cannot be

So what the levels below want has no influence on an unmet level and those above it: to leave them
out gives the same. And in a cold solve whether a level is at rest depends on the posture only, not
on how it was reached: when all are met or at rest, but not all met, each level is looked at once
more as by a solve that starts there.
(One that recruits only some joints is not: what it comes to depends on where the others were when
it was its turn, and levels below may move these.) The first that would move is lowered again, and
those below it; if none would, one more search asks whether something can be met after all. So a
solve that starts where another one ended stays there.
Only what still moves and gains nothing is given up after some repeats, and what stays though its
model promises more has stalled. A warm one, which follows goals that move a little, goes on
cautiously instead, and may take some solves to arrive.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.compiling import compiled, entry
from poise.kernel.contacts.bodies import forget_all, forget_far
from poise.kernel.ending import COLD, ITERATIONS, SOLVED, STALLED, STATIONARY, WARM
from poise.kernel.filling import copy
from poise.kernel.hierarchy.step import forget
from poise.kernel.lex.judging import judge
from poise.kernel.lex.levels import (
    are_lower,
    is_any_unmet,
    lower_again,
    next_unmet,
    note_if_best,
    note_least,
    note_met,
)
from poise.kernel.lex.lowering import go
from poise.kernel.lex.memory import LOWER, MEND, RESTORE, SEARCH, SHORTEN, Memory
from poise.kernel.lex.recruiting import freeze, is_any_frozen, note_restricted, stage_end
from poise.kernel.lex.rows import criteria_value, fill_scale
from poise.kernel.lex.search import begin_search, reset, seek
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.lex.writing import NOTHING, RESTED, write
from poise.kernel.problem import Problem
from poise.kernel.residuals.blocks import KIND
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.kinds import is_of_criterion
from poise.kernel.residuals.sizes import sizes, worst


@entry
def lex(
    problem: Problem, memory: Memory, q: Floats, tolerance: float, limit: int, begin: int
) -> int:
    """Solve from a valid posture q, in place; how it ended. Counts go on from where they are.

    Args:
        problem: what is wanted.
        memory: what a solve works with, and what the last one knew.
        q: (n,) the start, within limits; the result.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations.
        begin: COLD; CALM, which tries no postures elsewhere; or WARM, near the end of a solve like
            this one; not CONTINUED.
    """
    run = memory.run
    _begin(problem, memory, q, begin != WARM)
    run.may_recentre = begin == COLD
    run.tolerance, run.limit = tolerance, limit
    passes = SETTINGS.passes * (limit + 1)
    for number in range(passes):
        memory.counts.is_cut = number == passes - 1
        _evaluate(problem, memory, q)
        if not judge(problem.blocks, memory, q):
            continue
        _choose_phase(memory, q)
        if _update_status(memory):
            break
        found = write(problem, memory, q)
        if found != NOTHING:
            _note_found(problem.blocks, memory, found)
        elif run.all_at_rest:
            if not _go_on_from_rest(problem.blocks, memory, q):
                break
        elif run.phase == SEARCH:
            if not seek(problem, memory, q):
                break
        elif run.phase == LOWER and memory.counts.iterations >= limit:
            break
        else:
            go(problem, memory, q)
    return _end(problem, memory, q)


@compiled
def _begin(problem, memory, q, is_cold):
    """Begin a solve with a search for all levels."""
    run, levels, lowering, result = memory.run, memory.levels, memory.lowering, memory.result
    count = levels.error.size - 1
    run.is_cold = is_cold
    run.strongest_pull = fill_scale(problem.coordinates, memory.postures.scale)
    copy(memory.postures.scale, memory.postures.usual_scale)
    reset(levels, not is_cold)
    if is_cold:
        forget(memory.inner)
    for k in range(count):
        levels.best_error[k], levels.least_error[k] = np.inf, np.inf
    copy(q, memory.postures.origin)
    if is_cold:
        forget_all(memory.scratch.kept)
    else:
        forget_far(memory.scratch.bodies, memory.scratch.kept)
    run.tasks = count - 1 if _has_criteria_rows(problem.blocks) else count
    note_restricted(problem.recruited, levels, run.tasks, memory.postures.scale)
    run.searched = stage_end(levels, run.tasks, 0)
    run.status, run.phase, run.level, run.depth, run.floor = ITERATIONS, SEARCH, 0, run.searched, 0
    run.all_at_rest, run.is_evaluated, run.knows_active_set = False, False, not is_cold
    run.has_moved, run.has_stalled = False, False
    run.search_steps, run.last_step = 0, 0.5 * SETTINGS.search_radius
    run.recentrings, run.first_unmet = 0, 0
    run.first_radius = SETTINGS.newton_radius if is_cold else SETTINGS.cautious_radius
    run.is_eager, run.caution = is_cold, SETTINGS.warm_path_budget
    if not is_cold and run.tasks < count and not run.is_dragged:
        levels.newton_radius[run.tasks] = SETTINGS.criteria_radius
    lowering.predicted_decrease, lowering.merit, lowering.step_length = 0.0, 0.0, 0.0
    lowering.negligible, lowering.restoration_steps, lowering.hidden_tries = 0.0, 0, 0
    lowering.is_charged, lowering.began_off, lowering.off_before = False, False, 0.0
    lowering.meets_hidden_task = False
    _forget_straying(memory.straying)
    memory.straying.is_off = False
    result.is_settled, result.first_mover, result.iterations = False, -1, -1
    result.has_searched, result.promises_more = False, False
    result.is_there, result.is_firm, result.in_vain = False, False, 0
    result.status, result.optimality = ITERATIONS, 0.0


@compiled
def _has_criteria_rows(blocks):
    """Whether the last level is of criteria with rows of their own."""
    last = blocks.block.shape[0] - 2
    return last >= 0 and is_of_criterion(blocks.block[last, KIND])


@compiled
def _forget_straying(straying):
    """Let a level that is taken up leave those above off, if it may."""
    straying.is_over, straying.has_strayed, straying.sound_value = False, False, np.inf


@compiled
def _measure(problem, memory):
    """Fill the error of every level, of its worst task, and how many are unmet."""
    blocks, levels, residual = problem.blocks, memory.levels, memory.residuals.now
    sizes(blocks.level, blocks.inequality, residual, levels.error)
    worst(
        blocks.block, blocks.factor, blocks.level, blocks.inequality, residual,
        memory.run.tolerance, levels.worst, levels.unmet,
    )  # fmt: skip


@compiled
def _evaluate(problem, memory, q):
    """Place the posture, unless that is done, and measure the errors there."""
    tree, run, state = problem.tree, memory.run, memory.state
    if not run.is_evaluated:
        place(tree, q, state)
        differentiate(tree, state)
        if run.phase != SHORTEN:  # it goes along the path that is stored, and needs no Jacobian
            residual = memory.residuals.now
            evaluate(tree, problem.blocks, state, memory.scratch, residual, memory.jacobian, True)
    run.is_evaluated = False
    _measure(problem, memory)
    if run.strongest_pull > 0.0:
        value = criteria_value(problem.coordinates, q, run.strongest_pull)
        memory.levels.error[memory.levels.error.size - 1] = math.sqrt(2.0 * value)


@compiled
def _search_from(memory, q, floor):
    """Let a search for all levels begin here; those before `floor` are not to be given up."""
    run = memory.run
    run.searched = stage_end(memory.levels, run.tasks, floor)
    run.phase, run.depth, run.floor, run.search_steps = SEARCH, run.searched, floor, 0
    run.knows_active_set = False  # there are other rows now
    begin_search(memory.levels, floor, q, memory.postures.origin, run.first_radius)


@compiled
def _keep_as_sound(memory, q):
    """Keep the posture as the best on the way of the level where no level above is off."""
    size = memory.levels.error[memory.run.level]
    copy(q, memory.postures.sound)
    memory.straying.sound_value = 0.5 * size * size


@compiled
def _begin_next_stage(memory, q):
    """Search for the levels after those that were searched for and are met, as far as there are."""
    run, levels = memory.run, memory.levels
    while run.depth == run.searched < run.tasks and not is_any_unmet(
        levels, run.searched, run.tolerance
    ):
        run.floor, run.search_steps, run.recentrings = run.searched, 0, 0
        run.searched = stage_end(levels, run.tasks, run.searched)
        run.depth, run.knows_active_set = run.searched, False
        copy(q, memory.postures.origin)


@compiled
def _choose_phase(memory, q):
    """Choose between search and lowering, and which level is lowered."""
    run, levels, straying = memory.run, memory.levels, memory.straying
    tolerance = run.tolerance
    if run.phase == LOWER and _comes_near(memory):
        k = run.level
        levels.retry_error[k], memory.lowering.hidden_tries = levels.worst[k], 0
        if note_if_best(levels, tolerance):
            copy(q, memory.postures.best)
        _search_from(memory, q, k + 1 if levels.worst[k] <= tolerance else k)
    if run.phase == SEARCH:
        _begin_next_stage(memory, q)
    if run.phase == SEARCH and not is_any_unmet(levels, run.depth, tolerance):
        # What was searched for is met. Next comes the level that could not be; then, since nothing
        # may disturb a level at rest, one after the other; the criteria in the end.
        k = run.depth
        run.phase, run.level, run.may_recentre = LOWER, k, False
        _forget_straying(straying)
        _keep_as_sound(memory, q)
        levels.retry_error[k] = min(levels.retry_error[k], levels.worst[k])
        if k < run.tasks and levels.worst[k] <= tolerance:
            _search_from(memory, q, k + 1)  # it was met at the origin, and only lost on the way
    if run.phase == LOWER:
        if run.depth == run.searched and not straying.is_off:
            run.level = next_unmet(levels, tolerance)
        if straying.sound_value == np.inf:
            _keep_as_sound(memory, q)


@compiled
def _comes_near(memory):
    """Whether the level that is lowered is met, or near enough to be searched for again.

    A warm solve must not leap.
    """
    run, levels, k = memory.run, memory.levels, memory.run.level
    near = SETTINGS.closer * levels.retry_error[k] if run.is_cold else 0.0
    is_near = levels.worst[k] <= max(near, run.tolerance) and not memory.straying.is_off
    return is_near and k < run.tasks and levels.at_rest[k] == 0.0


@compiled
def _update_status(memory):
    """Set whether all is at rest, and the status then; whether the solve ends here."""
    run, levels = memory.run, memory.levels
    criteria = levels.error.size - 1
    is_last = run.phase == LOWER and run.level == criteria
    run.all_at_rest = is_last and (run.strongest_pull == 0.0 or levels.at_rest[criteria] > 0.0)
    if run.all_at_rest:
        run.status = SOLVED
        if run.tasks < criteria and run.has_stalled:
            run.status = STALLED
        for k in range(run.tasks):
            if levels.worst[k] > run.tolerance:
                run.status = STALLED if run.has_stalled else STATIONARY
    is_at_limit = memory.counts.iterations >= run.limit
    if is_at_limit and memory.straying.is_off:
        run.phase, memory.straying.is_off, memory.lowering.restoration_steps = MEND, False, 0
    # What is settled may still be looked at beyond the limit, but not moved.
    is_enough = is_at_limit and not memory.result.is_settled
    return run.status == SOLVED or (is_enough and run.phase < RESTORE and not run.all_at_rest)


@compiled
def _note_found(blocks, memory, found):
    """Note that the level has come to rest, or that it and those below it no longer are."""
    run, levels, k, criteria = (
        memory.run,
        memory.levels,
        memory.run.level,
        memory.levels.error.size - 1,
    )
    run.is_evaluated, run.depth = True, run.searched
    if found == RESTED:
        run.floor = k + 1
        memory.lowering.hidden_tries = 0
        memory.straying.is_over, memory.straying.sound_value = False, np.inf
        levels.at_rest[k], levels.rest_error[k] = 1.0, levels.error[k]
        if k < run.tasks:
            freeze(blocks, memory, k)
            note_met(blocks, memory.residuals.now, k, run.tolerance, memory.met)
    else:
        run.status, run.floor = ITERATIONS, min(run.floor, k)
        _forget_straying(memory.straying)
        for j in range(k, criteria + 1):
            levels.at_rest[j], levels.slow_steps[j] = 0.0, 0.0


@compiled
def _note_result(memory, q):
    """Note a posture where all is at rest.

    Whether no step was taken since the last one, and whether it is worse than the best so far.
    """
    run, levels, result, counts = memory.run, memory.levels, memory.result, memory.counts
    count, tolerance = levels.error.size - 1, run.tolerance
    no_step_since = result.iterations == counts.iterations
    result.iterations = counts.iterations
    if result.promises_more and (no_step_since or counts.iterations >= run.limit):
        run.status = STALLED if no_step_since else ITERATIONS
    is_better = are_lower(
        levels.error, levels.unmet, levels.least_error, levels.least_unmet, count, tolerance
    )
    is_worse = are_lower(
        levels.least_error, levels.least_unmet, levels.error, levels.unmet, count, tolerance
    )
    result.is_settled = (result.is_settled or no_step_since) and not is_worse
    if not is_worse:  # of two as good the later one, to which another solve would lead
        result.is_there, result.is_firm = True, result.is_settled
        result.status, result.optimality = run.status, memory.optimality[0]
        copy(q, memory.postures.result)
    if is_better:
        note_least(levels, tolerance)
    result.in_vain = 0 if is_better else result.in_vain + 1
    return no_step_since, is_worse


@compiled
def _go_on_from_rest(blocks, memory, q):
    """Where all is at rest: note that, and go on as if a solve started here; whether it does."""
    run, levels, result, counts = memory.run, memory.levels, memory.result, memory.counts
    no_step_since, is_worse = _note_result(memory, q)
    if not run.is_cold or (no_step_since and (result.has_searched or is_worse)):
        return False
    if is_worse and result.first_mover < 0:
        return False
    if result.is_settled and is_any_frozen(levels):
        return False
    if counts.iterations >= run.limit and not result.is_settled:
        run.status = ITERATIONS
        return False
    if result.in_vain == SETTINGS.patience:
        run.status = STALLED
        return False
    run.status, run.has_stalled, run.has_moved, run.is_eager = ITERATIONS, False, False, True
    run.is_evaluated, memory.lowering.hidden_tries = True, 0
    _forget_straying(memory.straying)
    result.has_searched = result.is_settled
    if result.is_settled:  # would a search find what can be met?
        run.last_step = 0.5 * SETTINGS.search_radius
        reset(levels, False)
        _search_from(memory, q, 0)
    else:
        run.phase, run.depth, run.floor = LOWER, run.searched, result.first_mover
        lower_again(levels, result.first_mover)
        for k in range(min(result.first_mover, run.tasks)):
            freeze(blocks, memory, k)
    return True


@compiled
def _evaluate_again(problem, memory, q):
    """Fill residuals and errors of the posture, without its Jacobian."""
    blocks, state, residual = problem.blocks, memory.state, memory.residuals.now
    place(problem.tree, q, state)
    evaluate(problem.tree, blocks, state, memory.scratch, residual, memory.jacobian, False)
    sizes(blocks.level, blocks.inequality, residual, memory.levels.error)


@compiled
def _end(problem, memory, q):
    """Take the best posture that was found, and fill its residuals; how the solve ended."""
    run, levels, result, postures = memory.run, memory.levels, memory.result, memory.postures
    count, tolerance = levels.error.size - 1, run.tolerance
    if run.phase >= RESTORE or memory.straying.has_strayed:  # no pass is left to judge the step
        copy(postures.sound if memory.straying.has_strayed else postures.base, q)
        run.is_evaluated = False
    if not run.is_evaluated:
        _evaluate_again(problem, memory, q)
    _measure(problem, memory)
    changes = run.status == ITERATIONS and are_lower(
        levels.best_error, levels.best_unmet, levels.error, levels.unmet, count, tolerance
    )
    if changes:
        copy(postures.best, q)
        for k in range(count):
            levels.error[k], levels.unmet[k] = levels.best_error[k], levels.best_unmet[k]
    if run.status == SOLVED:
        memory.optimality[0] = 0.0
    elif run.status == ITERATIONS or run.phase == SEARCH:
        memory.optimality[0] = np.nan
    is_lower = are_lower(
        levels.error, levels.unmet, levels.least_error, levels.least_unmet, count, tolerance
    )
    if result.is_there and run.status != SOLVED and not is_lower:
        # One that was cut on its way from there might have come to something better; one that would
        # move there and gains nothing has stalled.
        if run.status != ITERATIONS:
            run.status = result.status if result.is_firm else STALLED
        changes, memory.optimality[0] = True, result.optimality
        copy(postures.result, q)
    if changes:
        _evaluate_again(problem, memory, q)
    return run.status
