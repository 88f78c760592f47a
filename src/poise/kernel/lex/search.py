"""The search: lexicographic Gauss-Newton steps, as long as levels can be met.

The inner step (`hierarchy`) gives not one step but a ladder: the best for the first level, for the
first two, and so on. The part of level k is what its rung u_k adds to that of the levels above, and
the step taken is Σ t_k (u_k − u_{k−1}) with 1 ≥ t_1 ≥ t_2 ≥ … > 0, each t_k as large as the level's
radius allows. It is a mean of the rungs and of zero, so it keeps what they keep.

Levels may drift a little as others move, since the next step mends that to second order: a level
judges a step only when it is outside its *funnel*, which narrows from step to step (a trust funnel,
Gould & Toint 2010; Nocedal & Wright, 15.4 and 15.6). The first level outside that should become
smaller decides, by what it gained of what was predicted. When it rejects the step, the parts of the
levels below become shorter first.

A level that its own linear step hardly lowers cannot be met from here. In a cold solve the search
then goes on from elsewhere: from the posture that it has come to, moved towards the middle of the
joints' ranges. Straight limbs are singular, and long steps leave joints at their stops, where the
error may have a local minimum though it can be met. If it comes as near as before, or does not meet
the level after some tries, the posture goes back to where the search began, and it is repeated
without the levels from there on.
"""

import numpy as np

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.compiling import compiled, entry
from poise.kernel.ending import STALLED
from poise.kernel.filling import copy, evenly
from poise.kernel.hierarchy.arrays import VALUE
from poise.kernel.hierarchy.step import step
from poise.kernel.lex.levels import Levels, is_any_unmet, note_if_best
from poise.kernel.lex.memory import SEARCH
from poise.kernel.lex.rows import damping_of, predict
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.limits.bounds import step_within
from poise.kernel.problem import HALF_RANGE, MIDDLE
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.sizes import sizes
from poise.kernel.tracing import note


@entry
def reset(levels: Levels, is_warm: bool) -> None:
    """Let a solve begin: with wide funnels and radii, or warm with narrow ones and its damping."""
    for k in range(levels.error.size):
        levels.funnel[k] = SETTINGS.warm_funnel if is_warm else SETTINGS.funnel
        levels.search_radius[k] = SETTINGS.warm_search_radius if is_warm else SETTINGS.search_radius
        levels.in_vain[k], levels.at_rest[k], levels.slow_steps[k] = 0.0, 0.0, 0.0
        levels.lost[k], levels.retry_error[k] = 0.0, SETTINGS.retry
        levels.newton_radius[k] = SETTINGS.cautious_radius if is_warm else SETTINGS.newton_radius
        if not is_warm:
            levels.damping[k] = SETTINGS.damping


@entry
def begin_search(
    levels: Levels, first: int, q: Floats, origin: Floats, newton_radius: float
) -> None:
    """Let a search for the levels from the first on begin here: nothing of them is known."""
    copy(q, origin)
    for k in range(first, levels.error.size):
        levels.funnel[k], levels.damping[k] = SETTINGS.funnel, SETTINGS.damping
        levels.search_radius[k], levels.newton_radius[k] = SETTINGS.search_radius, newton_radius
        levels.in_vain[k], levels.slow_steps[k] = 0.0, 0.0


@entry
def combine(ladder: Floats2, levels: Levels, scale: Floats, rungs: int, move: Floats) -> None:
    """Add up the parts of the first rungs, each as long as its radius allows; unscaled."""
    n, share = scale.size, 1.0
    for i in range(n):
        move[i] = 0.0
    for k in range(rungs):
        length = 0.0
        for i in range(n):
            d = ladder[k, i] - (ladder[k - 1, i] if k > 0 else 0.0)
            length = max(length, abs(d * scale[i]))
        if length * share > levels.search_radius[k]:
            share = levels.search_radius[k] / length
        for i in range(n):
            d = ladder[k, i] - (ladder[k - 1, i] if k > 0 else 0.0)
            move[i] += share * d * scale[i]
        levels.part_length[k], levels.part_share[k] = length, share


@compiled
def _longest_part(levels, first):
    """The length of the longest part that is taken, of the levels from the first on."""
    longest = 0.0
    for k in range(first, levels.error.size):
        longest = max(longest, levels.part_share[k] * levels.part_length[k])
    return longest


@compiled
def _allowed_drift(length):
    """What a step of that length may raise the error of a met level by."""
    return min(SETTINGS.drift * length * length, SETTINGS.most_off)


@entry
def rejecting_level(levels: Levels, depth: int, length: float, tolerance: float) -> int:
    """The level that rejects a trial, −1 if none does.

    Levels whose own part and those below are next to nothing do not judge.
    """
    drift = _allowed_drift(length)
    for k in range(depth):
        if k > 0 and _longest_part(levels, k) < SETTINGS.side_step * length:
            break
        size, predicted, tried = levels.error[k], levels.predicted[k], levels.tried[k]
        funnel = max(levels.funnel[k], drift)
        if max(size, tried) <= funnel:
            continue
        gain, real = size * size - predicted * predicted, size * size - tried * tried
        counts = SETTINGS.decides * size * size * levels.part_share[k]
        if gain > max(counts, (SETTINGS.fine * tolerance) ** 2):
            return k if real < SETTINGS.rejects * gain else -1
        if not tried <= max(size, predicted) * (1.0 + SETTINGS.unmoved) + funnel:
            return k
    return -1


@entry
def shorten_parts(levels: Levels, k: int, length: float) -> None:
    """Shorten the parts of the levels below the one that rejects a step, or else its own too."""
    below = _longest_part(levels, k + 1)
    if below > SETTINGS.side_step * length:
        first, most = k + 1, SETTINGS.shortens * below
    else:
        first, most = k, SETTINGS.shortens * (levels.part_share[k] * levels.part_length[k])
    for j in range(first, levels.error.size):
        levels.search_radius[j] = min(levels.search_radius[j], most)


@entry
def adapt(levels: Levels, depth: int, length: float, tolerance: float) -> None:
    """After an accepted step: new funnels, radii, damping; for which levels it was in vain."""
    drift = _allowed_drift(length)
    for k in range(depth):
        size, predicted, tried = levels.error[k], levels.predicted[k], levels.tried[k]
        share, own = levels.part_share[k], levels.part_length[k]
        gain, real = size * size - predicted * predicted, size * size - tried * tried
        is_outside = size > max(levels.funnel[k], drift)
        decides = gain > SETTINGS.decides * size * size * share and is_outside
        if decides and real < SETTINGS.poor * gain:
            levels.search_radius[k] = SETTINGS.search_narrows * min(
                levels.search_radius[k], share * own
            )
            levels.damping[k] = min(SETTINGS.damps * levels.damping[k], SETTINGS.most_damping)
        elif not decides or real > SETTINGS.good * gain:
            wider = SETTINGS.radius_widens * levels.search_radius[k]
            levels.search_radius[k] = min(wider, SETTINGS.longest_search_step)
            levels.damping[k] *= SETTINGS.decay
        is_in_vain = (
            levels.worst[k] > tolerance
            and tried > SETTINGS.share_left_in_vain * size
            and is_outside
        )
        levels.in_vain[k] = levels.in_vain[k] + 1.0 if is_in_vain else 0.0
        narrower = SETTINGS.decay * levels.funnel[k]
        levels.funnel[k] = max(narrower, SETTINGS.least_funnel * tolerance)


@entry
def level_to_give_up(levels: Levels, depth: int, tolerance: float, is_long: bool) -> int:
    """The level before `depth` to go without: the first that linear steps don't bring down.

    `depth` if there is none. As long as a level above is far off, what a level could gain means
    nothing. When the search has been long and none is stuck, it is the last that is not met: that
    makes those above drift.
    """
    last = depth
    for k in range(depth):
        if levels.at_rest[k] == 0.0 and levels.worst[k] > tolerance:
            left = SETTINGS.unmovable * levels.error[k]
            if levels.in_vain[k] >= SETTINGS.steps_in_vain or levels.predicted_best[k] > left:
                return k
            if is_long:
                last = k
            elif levels.worst[k] > SETTINGS.far:
                break
    return last


@compiled
def _damp_more(memory, first):
    """Damp the levels from the first on more: the step of the inner problem was rejected."""
    levels, inner = memory.levels, memory.inner
    for k in range(first, memory.run.depth):
        levels.damping[k] *= SETTINGS.damps_rejected
        inner.damping[k] = damping_of(levels, k)


@compiled
def _inner_step(problem, memory, is_again):
    """Solve the inner problem; fill the errors that its whole step predicts."""
    run, inner, residuals, starts = memory.run, memory.inner, memory.residuals, problem.blocks.level
    step(inner, run.depth, run.knows_active_set, is_again)
    run.knows_active_set = True
    for k in range(run.depth):
        for r in range(starts[k], starts[k + 1]):
            residuals.predicted[r] = residuals.now[r]
        for row in range(memory.rows[k], inner.starts[k + 2]):
            if memory.sources[row] >= 0:
                residuals.predicted[memory.sources[row]] += inner.rows[VALUE, row]
    sizes(starts, problem.blocks.inequality, residuals.predicted, memory.levels.predicted_best)


@compiled
def _try_lengths(problem, memory, q, rungs):
    """Try the step that the parts add up to, shorter and shorter; who rejects the last, −1: none.

    The length of the step, too. What an accepted trial has found serves the next pass.
    """
    tree, blocks, run, levels = problem.tree, problem.blocks, memory.run, memory.levels
    postures, residuals, scale = memory.postures, memory.residuals, memory.postures.scale
    trial, rejecting, length = postures.trial, -1, 0.0
    combine(memory.inner.ladder, levels, scale, rungs, postures.step)
    for k in range(rungs, levels.error.size):
        levels.part_length[k], levels.part_share[k] = 0.0, 0.0
    for _ in range(SETTINGS.trials):
        step_within(tree, problem.bounds, scale, q, postures.step, trial, memory.state, memory.hard)
        predict(blocks, memory)
        place(tree, trial, memory.state)
        differentiate(tree, memory.state)
        evaluate(tree, blocks, memory.state, memory.scratch, residuals.trial, memory.jacobian, True)
        sizes(blocks.level, blocks.inequality, residuals.trial, levels.tried)
        memory.counts.trials += 1
        length = 0.0
        for i in range(q.size):
            length = max(length, abs(trial[i] - q[i]))
        rejecting = rejecting_level(levels, run.depth, length, run.tolerance)
        if rejecting < 0:
            run.is_evaluated = True
            break
        place(tree, q, memory.state)
        differentiate(tree, memory.state)
        evaluate(tree, blocks, memory.state, memory.scratch, residuals.now, memory.jacobian, True)
        shorten_parts(levels, rejecting, length)
        combine(memory.inner.ladder, levels, scale, rungs, postures.step)
    return rejecting, length


@compiled
def _find_step(problem, memory, q):
    """Find the next step: who rejects it, −1 for none; which level to give up instead; its length.

    The level to give up is `depth` if a step was looked for.
    """
    run, levels = memory.run, memory.levels
    has_criteria = run.depth == levels.error.size - 1 and run.strongest_pull > 0.0
    most = SETTINGS.long_search + (SETTINGS.longer_search if has_criteria else 0)
    rejecting, length = -1, 0.0
    for attempt in range(SETTINGS.damping_attempts):
        if attempt > 0:
            _damp_more(memory, rejecting)
        _inner_step(problem, memory, attempt > 0)
        is_long = run.search_steps >= most
        level = level_to_give_up(levels, run.depth, run.tolerance, is_long)
        level = max(level, run.floor)
        if level < run.depth:
            return rejecting, level, length
        draws = has_criteria and run.search_steps < SETTINGS.long_search
        rejecting, length = _try_lengths(problem, memory, q, run.depth + (1 if draws else 0))
        if rejecting < 0:
            break
    return rejecting, run.depth, length


@compiled
def _is_worth_recentring(memory, level):
    """Whether a search that cannot meet a level is to go on from elsewhere.

    Not if it came as near as from elsewhere before: then it is as near as it can come. Nor if steps
    in vain have left it far beyond what its joints can do.
    """
    run, levels = memory.run, memory.levels
    if run.recentrings == 0:
        run.first_unmet, run.least_left = level, np.inf
        if _is_beyond(levels, level):
            return False
    left, least = levels.error[run.first_unmet], run.least_left
    run.least_left = min(left, least)
    comes_as_near = abs(left - least) <= SETTINGS.as_near * min(left, least)
    is_allowed = run.may_recentre and run.recentrings < SETTINGS.recentrings
    return is_allowed and not (comes_as_near and level >= run.first_unmet)


@compiled
def _is_beyond(levels, k):
    """Whether steps in vain leave level k so far off that it is hardly a local minimum."""
    reach, is_in_vain = levels.row_length[k], levels.in_vain[k] >= SETTINGS.steps_in_vain
    is_far = levels.error[k] > SETTINGS.beyond * reach
    is_far |= levels.predicted_best[k] > SETTINGS.linearly_beyond * reach
    return is_in_vain and is_far


@compiled
def _is_needed(jacobian, rows, i):
    """Whether one of the first rows depends on a coordinate."""
    for r in range(rows):
        if jacobian[r, i] != 0.0:
            return True
    return False


@compiled
def _recentre(problem, memory, q):
    """Let the search go on from a posture nearer to the middle of the joints' ranges.

    From the second time on each coordinate goes to a place of its own about the middle. What no
    level that is searched for depends on stays where it is.
    """
    run, levels, postures = memory.run, memory.levels, memory.postures
    middle, half = problem.coordinates[MIDDLE], problem.coordinates[HALF_RANGE]
    spread = SETTINGS.recentring_spread if run.recentrings > 0 else 0.0
    for i in range(q.size):
        way = middle[i] + spread * half[i] * evenly(i, run.recentrings) - q[i]
        may = postures.scale[i] > 0.0 and way == way  # not where there is no middle
        may = may and _is_needed(memory.jacobian, problem.blocks.level[run.depth], i)
        may = may and problem.recruited[run.depth - 1, i] > 0.0
        postures.step[i] = SETTINGS.recentring * way if may else 0.0
    step_within(
        problem.tree, problem.bounds, postures.scale, q, postures.step, postures.trial,
        memory.state, memory.hard,
    )  # fmt: skip
    copy(postures.trial, q)
    begin_search(levels, 0, postures.origin, postures.origin, run.first_radius)
    run.recentrings += 1
    run.search_steps, run.knows_active_set, run.is_evaluated = 0, False, False


@compiled
def _give_up(memory, q):
    """Go back to where the search began, and search without the level that cannot be met."""
    run, postures = memory.run, memory.postures
    copy(postures.origin, q)
    run.depth, run.search_steps, run.recentrings = run.first_unmet, 0, 0
    run.is_evaluated = False
    begin_search(memory.levels, 0, q, postures.origin, run.first_radius)


@compiled
def seek(problem, memory, q):
    """One step of a search, or a search without a level that cannot be met; whether it goes on."""
    run, levels, postures, result = memory.run, memory.levels, memory.postures, memory.result
    rejecting, level, length = _find_step(problem, memory, q)
    if level < run.depth:
        if result.is_settled and not is_any_unmet(levels, level, run.tolerance):
            run.status = result.status  # a solve that started here would not move
            return False
        if note_if_best(levels, run.tolerance):  # should no iteration be left
            copy(q, postures.best)
        if _is_worth_recentring(memory, level):
            _recentre(problem, memory, q)
            return True
        _give_up(memory, q)
        return True
    if rejecting >= 0:
        if run.recentrings > 0:  # elsewhere: what was known where the search began still holds
            _give_up(memory, q)
            return True
        run.status = STALLED
        return False
    if memory.counts.iterations >= run.limit:
        run.is_evaluated = False
        return False
    copy(postures.trial, q)
    copy(memory.residuals.trial, memory.residuals.now)
    note(memory.trace, memory.residuals.now, SEARCH, -1, levels.search_radius[0], length)
    adapt(levels, run.depth, length, run.tolerance)
    result.is_settled, run.has_moved = False, True
    memory.counts.iterations += 1
    run.search_steps += 1
    run.last_step = length
    return True
