"""What the methods of the papers share: when they stop, and how a step ends within limits."""

import math

from poise.kernel.arrays import Floats
from poise.kernel.body.tree import State, Tree
from poise.kernel.compiling import compiled, entry
from poise.kernel.ending import ITERATIONS, RUNNING, SOLVED, STALLED, STATIONARY
from poise.kernel.limits.bounds import Bounds, Rows, clamp, clamp_joints, violation
from poise.kernel.problem import METRIC, PULL, ZONE_PULL
from poise.kernel.records import Numbers

STOPPED = 1e-6
"""A step that moves no coordinate by more than this (rad) is the last."""

SHORT = 1e-3
"""Steps that move no coordinate by more than this (rad) are short."""

CALM, PATIENT = 10, 40
"""After so many steps without gain a solve ends: if the last was short; in any case."""

FLAT = 0.02
"""Where no level could be lowered faster than this (m/rad), an end without gain is stationary."""

EASED = 1e-4
"""Criteria are obeyed when they move no coordinate by more than this (rad)."""

BROKEN = 1e-11
"""A posture that breaks couplings by more than this (rad) is projected onto them."""


class Progress(Numbers):
    """What a solve knows from one step to the next, and leaves to the next call."""

    iterations: int
    """Steps of this call; of CCD rounds through all coordinates."""
    since: int
    """Steps since the last gain."""
    longest_move: float
    """The farthest that a coordinate went in the last step (rad or m)."""
    is_at_ease: bool
    """Whether the criterion has what it wants."""
    is_met: bool
    """Whether all tasks are met now."""
    optimality: float
    """How fast a level could still be lowered (m/rad), the greatest; 0 where all are met."""


@compiled
def ending(progress, limit):
    """Why a solve should end before its next step, of which it may take so many; or RUNNING."""
    if progress.is_met and progress.is_at_ease:
        return SOLVED
    if is_at_rest(progress.longest_move, progress.since):
        return STATIONARY
    if progress.since >= PATIENT:
        return STALLED
    return ITERATIONS if progress.iterations >= limit else RUNNING


@compiled
def is_pulled(coordinates):
    """Whether criteria draw a coordinate that may move."""
    for i in range(coordinates.shape[1]):
        if (coordinates[PULL, i] + coordinates[ZONE_PULL, i]) * coordinates[METRIC, i] != 0.0:
            return True
    return False


@compiled
def is_at_rest(longest_move, since):
    """Whether a solve should end after a last step so long (rad), and so many without gain."""
    return longest_move <= STOPPED or (since >= CALM and longest_move < SHORT)


@compiled
def longest(metric, step):
    """How far a step over the metric moves a coordinate at most (rad or m)."""
    most = 0.0
    for i in range(step.size):
        most = max(most, abs(metric[i] * step[i]))
    return most


@compiled
def move_to(q, following):
    """Go to the end of a step; how far the coordinate went that moved most (rad or m)."""
    most = 0.0
    for i in range(q.size):
        most = max(most, abs(following[i] - q[i]))
        q[i] = following[i]
    return most


@entry
def limited(
    tree: Tree,
    bounds: Bounds,
    metric: Floats,
    q: Floats,
    following: Floats,
    state: State,
    rows: Rows,
) -> bool:
    """Bring the end of a step from a valid posture within all limits (5.4.3); whether it worked.

    It did not where what is locked would have to move, or nothing valid was found.
    """
    clamp_joints(tree.source, bounds, following, q)
    left = 0.0
    if bounds.tied.size > 0 and violation(tree, bounds, following, state) > BROKEN:
        left = clamp(tree, bounds, following, q, state, rows)
    good = left <= 1e-9
    for i in range(q.size):
        good &= math.isfinite(following[i]) and (metric[i] > 0.0 or following[i] == q[i])
    return good


@compiled
def projected_end(tree, bounds, metric, q, following, state, rows):
    """As `limited`, for an end that is within its box; what is locked is put back first."""
    if bounds.limits.kind.size > 0:
        clamp_joints(tree.source, bounds, following, q)
    unsure, good = bounds.tied.size > 0, True
    for i in range(q.size):
        if metric[i] == 0.0 and following[i] != q[i]:
            following[i], unsure = q[i], True
    if unsure and violation(tree, bounds, following, state) > BROKEN:
        good = not clamp(tree, bounds, following, q, state, rows) > 1e-10
        for i in range(q.size):
            good &= metric[i] > 0.0 or following[i] == q[i]
    return good
