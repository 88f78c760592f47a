"""The rows of a pass: which levels the phase is about, and what each of them writes.

`write` writes the bounds of coordinates, and then level after level what the inner problem or the
Newton step needs of it. A level that can still be met writes its linearised rows; one that only
some joints serve those as well, without the other joints (`recruiting`). One at rest writes what is
met of it, and the rows that keep it at rest; while levels above are restored, those that bring it
back. The level that is lowered gets its model and its Newton step here (`lowering`), and the levels
that are looked at once more, where all is at rest, are checked (`resting`): writing so finds that a
level has come to rest, or that it no longer is.
"""

import numpy as np

from poise.kernel.compiling import compiled
from poise.kernel.lex.faces import anew, face
from poise.kernel.lex.levels import growth, is_any_at_rest_below
from poise.kernel.lex.lowering import model, negligible_decrease, newton_step
from poise.kernel.lex.memory import LOWER, MEND, RESTORE, SEARCH, SHORTEN
from poise.kernel.lex.recruiting import hold_others, weigh, write_frozen, write_restricted
from poise.kernel.lex.resting import check_rest, is_disturbed, keep_at_rest
from poise.kernel.lex.restoration import restoring_rows
from poise.kernel.lex.rows import write_bounds, write_level, write_met
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.residuals.blocks import ROW

NOTHING, DISTURBED, RESTED = range(3)
"""What writing the rows has found of a level: nothing; it was at rest and is no longer; it has come
to rest."""


@compiled
def write(problem, memory, q):
    """Write the rows of the levels that the phase is about; what was found of one of them."""
    run, levels, written = memory.run, memory.levels, memory.written
    criteria = levels.error.size - 1
    memory.optimality[0] = 0.0
    anew(memory.newton)
    written.count, written.hard, written.block = 0, 0, 0
    if run.phase == SHORTEN:
        return NOTHING
    if run.phase == SEARCH:
        last, ahead = run.depth, 2.0 * run.last_step
    elif run.phase == LOWER:
        last, ahead = run.level + 1, levels.newton_radius[run.level]
    else:
        last = run.level
        ahead = SETTINGS.mending_radius if run.phase == MEND else memory.lowering.step_length
    if run.phase == SEARCH or run.phase == LOWER:
        k = levels.error.size - 1 if run.all_at_rest else last - 1
        weigh(problem.recruited, levels, k, memory.postures.usual_scale, memory.postures.scale)
    write_bounds(problem, memory, q, ahead)
    if run.phase != SEARCH and run.level >= run.tasks and not run.all_at_rest:
        hold_others(problem, memory)
    if run.all_at_rest:
        result = memory.result
        result.is_settled, result.first_mover, result.promises_more = True, -1, False
    for k in range(last):
        if k == criteria and run.strongest_pull == 0.0:
            break
        if run.all_at_rest and k == run.tasks:
            hold_others(problem, memory)
            anew(memory.newton)
        found = _write_one(problem, memory, q, k)
        if found != NOTHING:
            run.level = k
            return found
    return NOTHING


@compiled
def _write_one(problem, memory, q, k):
    """Write the rows of one level, or those that keep it at rest; what was found of it.

    The level that is lowered gets its Newton step.
    """
    blocks, run, levels, written = problem.blocks, memory.run, memory.levels, memory.written
    criteria, is_at_rest = levels.error.size - 1, levels.at_rest[k] > 0.0
    is_lowered = run.phase == LOWER and k == run.level and not run.all_at_rest
    is_checked = run.all_at_rest and run.is_cold
    is_restricted = levels.restricted[k] > 0.0
    is_frozen = is_restricted and is_at_rest and not is_lowered
    if k < criteria and is_at_rest and not is_frozen:
        write_met(blocks, memory, k)
    first = written.count
    if is_frozen:
        write_frozen(blocks, memory, k)
    elif is_restricted and (is_lowered or (run.phase == SEARCH and k == run.depth - 1)):
        first = write_restricted(problem, memory, k)
    elif k < criteria:
        write_level(blocks, memory, k)
    if k < criteria:
        while blocks.block[written.block, ROW] < blocks.level[k + 1]:
            written.block += 1
    if is_frozen or not (is_lowered or (is_at_rest if k < criteria else is_checked)):
        return NOTHING
    has_grown = is_at_rest and growth(levels, k, run.tolerance) > SETTINGS.growth_to_recheck
    if run.phase >= RESTORE:
        _write_restoring(memory, k, first, has_grown)
        return NOTHING
    rank, has_near_bounds = model(problem, memory, q, k, first)
    if is_lowered:
        return RESTED if newton_step(problem, memory, k, first, rank) else NOTHING
    little = negligible_decrease(memory, k)
    if is_checked:
        rank = check_rest(memory, blocks, k, first, rank, has_near_bounds, little)
        if not is_any_at_rest_below(levels, k):
            return NOTHING
    elif has_grown and is_disturbed(memory, k, first, rank, little):
        return DISTURBED
    keep_at_rest(memory, k, first, rank)
    return NOTHING


@compiled
def _write_restoring(memory, k, first, has_grown):
    """Replace the rows of a level at rest by those that restore it, if it has grown."""
    inner, newton, levels, written = memory.inner, memory.newton, memory.levels, memory.written
    soft = np.inf  # what has not grown is only kept from moving
    if has_grown:
        soft = SETTINGS.soft * levels.error[k] * levels.row_length[k]
        face(inner, newton, first, written.count, SETTINGS.at_stop)
    count = restoring_rows(inner, newton, first, memory.rest_rows[k], memory.pivots[k], soft)
    inner.starts[k + 2] = first + count
    written.count = first + count
