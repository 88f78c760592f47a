"""Whether a Newton step is taken, and how far the next one may go.

A step is judged when the levels above are restored, or when it is clear that it has failed, by its
trust ratio: what the level gained of the predicted decrease. As long as all levels above can be met
it may also be judged at once (`judge_charged`): what they are off by is charged by their
multipliers, and the next step begins with restoring them. That one can do so in the way that costs
the level least; the shortest way back from a step as long as a radian often costs more than it has
gained.

One that failed is gone less far; one that keeps its promise may be followed by a longer one.
"""

from poise.kernel.compiling import compiled, entry
from poise.kernel.filling import copy
from poise.kernel.lex.levels import (
    Levels,
    has_grown,
    has_lost,
    is_any_unmet,
    may_stray,
    note_lost,
    within_reach,
    worst_before,
)
from poise.kernel.lex.memory import LOWER, MEND, RESTORE, SHORTEN, Lowering
from poise.kernel.lex.newton import shorten
from poise.kernel.lex.rows import multiplier_cost
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.tracing import note

UNDECIDED, ACCEPTED, REJECTED = range(3)
"""What a step is: not to be judged before more is restored; taken; not taken."""


@entry
def judge_restored(
    levels: Levels, k: int, gained: float, predicted: float, steps: int, tolerance: float
) -> int:
    """What a step of level k is that has gained so much, after some steps that restored others."""
    may_still_gain = steps == 0 or gained >= SETTINGS.fails * predicted
    if may_still_gain and steps < SETTINGS.restorations:
        half = SETTINGS.restored * tolerance
        is_off = is_any_unmet(levels, k, half) or has_lost(levels, k, half)
        if is_off or has_grown(levels, k, 0.5, tolerance):
            return UNDECIDED
    is_off = is_any_unmet(levels, k, tolerance) or has_lost(levels, k, tolerance)
    is_off |= has_grown(levels, k, 1.0, tolerance)
    return REJECTED if is_off or not gained > SETTINGS.fails * predicted else ACCEPTED


@entry
def judge_charged(
    levels: Levels, lowering: Lowering, k: int, gained: float, cost: float, tolerance: float
) -> int:
    """What a step of level k is that may leave the levels above off; all of them can be met.

    The level has gained so much, and by their multipliers it costs so much to restore the others.
    """
    predicted, before = lowering.predicted_decrease, lowering.off_before
    if is_any_unmet(levels, k, SETTINGS.most_off):
        return REJECTED
    if predicted > lowering.negligible or before <= SETTINGS.restored * tolerance:
        if gained - cost > SETTINGS.fails * predicted:
            return ACCEPTED
        # Where the levels above can hardly move, to restore them may cost far less than it seems.
        return UNDECIDED if gained > SETTINGS.fails * predicted else REJECTED
    # Little more than a way back, which may cost something.
    is_nearer = worst_before(levels, k) <= 0.5 * before
    least = predicted - SETTINGS.cost_of_restoring * lowering.negligible
    return ACCEPTED if is_nearer and gained - cost > least else REJECTED


@entry
def update_radius(
    levels: Levels, k: int, gained: float, predicted: float, step_length: float
) -> None:
    """Set the radius of a level's Newton steps after a good step of that length."""
    radius = levels.newton_radius[k]
    if gained < SETTINGS.poor * predicted:
        levels.newton_radius[k] = SETTINGS.radius_shrinks * step_length
    elif gained > SETTINGS.good * predicted and step_length > SETTINGS.uses_radius * radius:
        wider = SETTINGS.radius_widens * radius
        levels.newton_radius[k] = min(wider, SETTINGS.largest_radius)


@entry
def count_slow_steps(
    levels: Levels, k: int, gained: float, negligible: float, tolerance: float
) -> bool:
    """Count the good steps in a row that gain next to nothing; whether this is none of them.

    Next to nothing is less than half the share that is negligible of the error.
    """
    size = levels.error[k]
    reach = within_reach(levels, k, size) if k < levels.error.size - 1 else size
    little = max(0.5 * negligible * reach, SETTINGS.fine * tolerance) * size
    is_slow = gained < little
    levels.slow_steps[k] = levels.slow_steps[k] + 1.0 if is_slow else 0.0
    return not is_slow


@compiled
def negligible_share(run, k):
    """The share of its error that it is negligible for a level, or for the criteria, to gain."""
    is_criteria = k >= run.tasks and run.is_cold
    return SETTINGS.negligible_of_criteria if is_criteria else SETTINGS.negligible


@compiled
def _reject(memory, q):
    """Go back to where a Newton step began; what follows is a shorter one, or restoration."""
    run, lowering, levels = memory.run, memory.lowering, memory.levels
    copy(memory.postures.base, q)
    run.phase = LOWER
    if lowering.meets_hidden_task:
        lowering.hidden_tries = SETTINGS.hidden_tries
        return
    radius = SETTINGS.radius_shrinks * lowering.step_length
    levels.newton_radius[run.level] = radius
    lowering.predicted_decrease = shorten(memory.newton, radius)
    # What promises next to nothing, or would not be cautious, is looked at anew.
    is_allowed = run.is_cold or radius <= max(run.caution, SETTINGS.least_caution)
    is_worth_it = lowering.predicted_decrease > lowering.negligible
    lowering.is_whole = False
    if is_worth_it and is_allowed and radius > SETTINGS.least_radius:
        run.phase, lowering.step_length = SHORTEN, radius
    elif lowering.began_off:
        run.phase, lowering.restoration_steps = MEND, 0


@compiled
def _accept(memory, q, gained):
    """Take a Newton step that has gained so much."""
    run, lowering, levels = memory.run, memory.lowering, memory.levels
    moved = 0.0
    for i in range(q.size):
        moved = max(moved, abs(q[i] - memory.postures.base[i]))
    run.phase = LOWER
    memory.counts.iterations += 1
    run.caution -= lowering.step_length
    predicted = lowering.predicted_decrease
    radius = levels.newton_radius[run.level]
    note(memory.trace, memory.residuals.now, LOWER, run.level, radius, moved)
    if lowering.meets_hidden_task:
        run.has_moved, levels.slow_steps[run.level] = True, 0.0
    elif predicted > lowering.negligible or not lowering.began_off:  # not only restored
        share = negligible_share(run, run.level)
        run.has_moved |= count_slow_steps(levels, run.level, gained, share, run.tolerance)
        update_radius(levels, run.level, gained, predicted, lowering.step_length)
    # To where the model is least, and as promised: a warm solve need not look again. So it does one
    # Newton step of the criteria's rows for each frame, which follow from frame to frame.
    is_criteria = run.tasks <= run.level < levels.error.size - 1
    is_done = lowering.is_whole and gained > SETTINGS.good * predicted
    if is_criteria and is_done and not run.is_cold:
        levels.at_rest[run.level], levels.rest_error[run.level] = 1.0, levels.error[run.level]


@compiled
def _judge_newton_step(blocks, memory, q, value):
    """Judge the Newton step; whether the posture stays what it is."""
    run, lowering, levels = memory.run, memory.lowering, memory.levels
    note_lost(blocks, memory.residuals.now, memory.met, levels)
    gained = lowering.merit - value
    if lowering.is_charged and lowering.restoration_steps == 0:
        cost = multiplier_cost(blocks.level, blocks.inequality, memory.residuals, run.level)
        how = judge_charged(levels, lowering, run.level, gained, cost, run.tolerance)
        gained -= cost if how == ACCEPTED else 0.0
    else:
        predicted, steps = lowering.predicted_decrease, lowering.restoration_steps
        how = judge_restored(levels, run.level, gained, predicted, steps, run.tolerance)
    if how == REJECTED:
        _reject(memory, q)
        return False
    if how == ACCEPTED:
        _accept(memory, q, gained)
    return True


@compiled
def _watch_straying(memory, q, value, is_mended, is_unsound):
    """Keep the best posture where no level above is off, and go back to it where that helps.

    Whether the posture stays what it is.
    """
    run, straying, levels = memory.run, memory.straying, memory.levels
    may = run.phase == LOWER and run.is_cold and not straying.is_over
    may &= may_stray(levels, run.level)
    is_off = is_any_unmet(levels, run.level, SETTINGS.restored * run.tolerance)
    straying.is_off = may and not is_mended and is_off
    straying.has_strayed |= straying.is_off
    if may and not straying.is_off:
        little = 0.5 * memory.lowering.negligible
        straying.is_over = straying.has_strayed and not value < straying.sound_value - little
        is_unsound |= straying.has_strayed and not value < straying.sound_value
        if value < straying.sound_value:
            copy(q, memory.postures.sound)
            straying.sound_value = value
        straying.has_strayed = False
    if is_unsound:
        copy(memory.postures.sound, q)
        memory.result.iterations = -1
        straying.is_over, straying.has_strayed = True, False
        levels.slow_steps[run.level] = 0.0
    return not is_unsound


@compiled
def judge(blocks, memory, q):
    """Judge what the last pass did; whether the posture stays what it is."""
    run, levels = memory.run, memory.levels
    value = 0.5 * levels.error[run.level] * levels.error[run.level]
    is_mended, is_unsound = False, False
    if run.phase == MEND:
        steps = memory.lowering.restoration_steps
        # No gain is asked for.
        how = judge_restored(levels, run.level, 1.0, 0.0, steps, run.tolerance)
        is_mended, is_unsound = how == ACCEPTED, how == REJECTED
        if how != UNDECIDED:
            radius = levels.newton_radius[run.level]
            run.phase = LOWER
            levels.newton_radius[run.level] = max(radius, SETTINGS.cautious_radius)
    elif run.phase == RESTORE and not _judge_newton_step(blocks, memory, q, value):
        return False
    return _watch_straying(memory, q, value, is_mended, is_unsound)
