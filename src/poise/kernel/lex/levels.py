"""What is known of every level while a solve runs, and questions to it.

Level L stands for the criteria, which come after all levels.
"""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats
from poise.kernel.compiling import compiled, entry
from poise.kernel.lex.settings import SETTINGS
from poise.kernel.residuals.blocks import ROW
from poise.kernel.residuals.sizes import error


class Levels(NamedTuple):
    """Of every level, and last of the criteria: (L + 1,) each. Errors are in metres."""

    error: Floats
    """The norm of its rows now; inequalities that hold count nothing."""
    worst: Floats
    """The worst error of one of its tasks."""
    unmet: Floats
    """How many of its tasks are not met."""
    row_length: Floats
    """The norm of its longest row of the Jacobian (m/rad)."""

    restricted: Floats
    """1 where only some joints are recruited for it."""
    weighed: Floats
    """1 where its joints are recruited by different shares."""

    predicted: Floats
    """Its error after the step, to first order."""
    predicted_best: Floats
    """Its error after the whole step of the inner problem, to first order."""
    tried: Floats
    """Its error in the posture that is tried."""
    funnel: Floats
    """A search's step is not judged by a level whose error is less than this."""
    damping: Floats
    """The factor of its damping in a search."""
    search_radius: Floats
    """How far its own part of a search's step may go (rad)."""
    part_length: Floats
    """The length of its own part of the inner step (rad)."""
    part_share: Floats
    """The share of that part which is taken."""
    in_vain: Floats
    """For how many steps of the search it has hardly fallen."""

    newton_radius: Floats
    """The radius of its Newton steps."""
    slow_steps: Floats
    """How many Newton steps in a row have gained next to nothing."""
    retry_error: Floats
    """Its worst error when it was last searched for again."""
    at_rest: Floats
    """1 where it has come to rest."""
    rest_error: Floats
    """Its error when it came to rest."""
    growth_before: Floats
    """How far it had grown since, where the last Newton step began; see `growth`."""
    lost: Floats
    """The worst error of its tasks that were met when it came to rest."""

    best_error: Floats
    """Its error in the best posture that a search has left."""
    best_unmet: Floats
    """How many of its tasks were not met there."""
    least_error: Floats
    """Its least error where all came to rest."""
    least_unmet: Floats
    """How many of its tasks were not met there."""


def make_levels(count: int) -> Levels:
    """Room for so many levels and the criteria."""
    return Levels(*(np.zeros(count + 1) for _ in Levels._fields))


@compiled
def note_met(blocks, residual, k, tolerance, met):
    """Note which tasks of level k, that comes to rest, are met: they must stay so.

    A far goal outweighs them in the error of their level, which would hardly grow by theirs.
    """
    block, starts = blocks.block, blocks.level
    for b in range(block.shape[0] - 1):
        if starts[k] <= block[b, ROW] < starts[k + 1]:
            met[b] = error(block, blocks.factor, blocks.inequality, residual, b) <= tolerance


@compiled
def note_lost(blocks, residual, met, levels):
    """Fill `lost` of every level at rest: the greatest error of tasks that were met then."""
    block, starts, k = blocks.block, blocks.level, 0
    for j in range(starts.size - 1):
        levels.lost[j] = 0.0
    for b in range(block.shape[0] - 1):
        while block[b, ROW] >= starts[k + 1]:
            k += 1
        if levels.at_rest[k] > 0.0 and met[b]:
            e = error(block, blocks.factor, blocks.inequality, residual, b)
            levels.lost[k] = max(levels.lost[k], e)


@entry
def is_any_unmet(levels: Levels, depth: int, tolerance: float) -> bool:
    """Whether a level before `depth` that is not at rest is unmet."""
    is_unmet = False
    for k in range(depth):
        is_unmet |= levels.at_rest[k] == 0.0 and not levels.worst[k] <= tolerance
    return is_unmet


@compiled
def next_unmet(levels, tolerance):
    """The first level that is neither met nor at rest; L if there is none."""
    k = 0
    while k < levels.error.size - 1 and (levels.worst[k] <= tolerance or levels.at_rest[k] > 0.0):
        k += 1
    return k


@entry
def is_any_at_rest_below(levels: Levels, k: int) -> bool:
    """Whether a level after k, or the criteria, is at rest."""
    rests = False
    for j in range(k + 1, levels.error.size):
        rests |= levels.at_rest[j] > 0.0
    return rests


@entry
def may_stray(levels: Levels, k: int) -> bool:
    """Whether a level, not the criteria, may leave those above off: if none is at rest, nor itself.

    What is lowered has nothing above it but what is met or at rest. Where none is at rest, all
    above is met, and can be restored.
    """
    may = k < levels.error.size - 1
    for j in range(k + 1):
        may &= levels.at_rest[j] == 0.0
    return may


@entry
def worst_before(levels: Levels, depth: int) -> float:
    """The worst error of any task in the levels before `depth`."""
    most = 0.0
    for k in range(depth):
        most = max(most, levels.worst[k])
    return most


@entry
def within_reach(levels: Levels, k: int, size: float) -> float:
    """An error, or what the level could move at all if that is less: of this shares are taken.

    Of a goal a kilometre away a thousandth is more than a figure can do about it.
    """
    return min(size, SETTINGS.reach * levels.row_length[k])


@entry
def growth(levels: Levels, k: int, tolerance: float) -> float:
    """How far a level has grown since it came to rest: 1 is as far as it may."""
    may = SETTINGS.unmoved * within_reach(levels, k, levels.rest_error[k])
    return (levels.error[k] - levels.rest_error[k]) / max(may, SETTINGS.fine * tolerance)


@entry
def has_grown(levels: Levels, depth: int, share: float, tolerance: float) -> bool:
    """Whether a level before `depth` that is at rest has grown in a step by more than a share.

    A share of what it still could: a step that begins with a level that has grown need not bring
    back what others have left.
    """
    grown = False
    for k in range(depth):
        began = min(max(levels.growth_before[k], 0.0), 1.0)
        most = 1.0 - (1.0 - share) * (1.0 - began)
        grown |= levels.at_rest[k] > 0.0 and growth(levels, k, tolerance) > most
    return grown


@compiled
def has_lost(levels, depth, tolerance):
    """Whether a task that was met in a level before `depth`, now at rest, no longer is."""
    gone = False
    for k in range(depth):
        gone |= levels.at_rest[k] > 0.0 and levels.lost[k] > tolerance
    return gone


@entry
def are_lower(
    errors: Floats,
    unmet: Floats,
    others: Floats,
    others_unmet: Floats,
    count: int,
    tolerance: float,
) -> bool:
    """Whether levels are lexicographically lower than others, by more than what is negligible.

    What is met is met: below the tolerance they are the same. Where a level is as low, fewer of its
    tasks may be unmet: a far goal hides the others.
    """
    for k in range(count):
        size, other = max(errors[k], tolerance), max(others[k], tolerance)
        if not abs(size - other) <= SETTINGS.negligible * min(size, other):
            return size < other
        if unmet[k] != others_unmet[k]:
            return unmet[k] < others_unmet[k]
    return False


@entry
def note_if_best(levels: Levels, tolerance: float) -> bool:
    """Whether the errors now are lower than the best that a search has left; they are it then."""
    count = levels.error.size - 1
    is_best = are_lower(
        levels.error, levels.unmet, levels.best_error, levels.best_unmet, count, tolerance
    )
    for k in range(count if is_best else 0):
        levels.best_error[k], levels.best_unmet[k] = levels.error[k], levels.unmet[k]
    return is_best


@entry
def note_least(levels: Levels, tolerance: float) -> None:
    """Let the errors now, which are lower than the least, take their place.

    Levels above the one that decides stay as low as they were: they may be higher by a little, and
    from one time to the next that would add up.
    """
    same = True
    for k in range(levels.error.size - 1):
        size, least = max(levels.error[k], tolerance), max(levels.least_error[k], tolerance)
        same &= abs(size - least) <= SETTINGS.negligible * min(size, least)
        same &= levels.unmet[k] == levels.least_unmet[k]
        levels.least_error[k] = (
            min(levels.error[k], levels.least_error[k]) if same else levels.error[k]
        )
        levels.least_unmet[k] = levels.unmet[k]


@entry
def lower_again(levels: Levels, first: int) -> None:
    """Let the levels from the first on be lowered again, as by a solve that starts here.

    What is at rest above is so as it is now, and may grow again by as much.
    """
    for k in range(levels.error.size):
        levels.newton_radius[k], levels.slow_steps[k] = SETTINGS.newton_radius, 0.0
        levels.retry_error[k] = SETTINGS.retry
        if k < first:
            levels.rest_error[k] = levels.error[k]
        else:
            levels.at_rest[k] = 0.0
