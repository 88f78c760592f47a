"""One task-priority step within limits: the working set of thesis 5.4.2."""

import math

import numpy as np

from poise.kernel.compiling import compiled, entry
from poise.kernel.limits.bounds import LOWER, UPPER
from poise.kernel.published.priority_arrays import (
    CASCADED,
    ERROR,
    FACTORED,
    GUEST,
    KEPT,
    LOCKED,
    MOVE,
    SPARE,
    WANTED,
    Step,
)
from poise.kernel.published.projectors import hold, hold_box, hold_row, recurse
from poise.kernel.published.reflections import factor

BROKEN, CONTRADICTS = 1e-12, 1e-9
"""By how much a step may miss a limit (rad or m); and one in the working set, as a share of the
step, until the set's rows count as contradicting each other."""

_NOTHING, _BOX, _HARD, _TASK, _STUCK = range(5)


@compiled
def _value(row, move):
    s = 0.0
    for i in range(move.size):
        s += row[i] * move[i]
    return s


@compiled
def _nearest(step, depth, count):
    """What the step breaks first on its way: what it is, which, its end, the share until there.

    _STUCK where something in the working set does not hold, because the set's rows contradict
    each other.
    """
    move, box, ends = step.vector[MOVE], step.box, step.ends
    what, which, side, least = _NOTHING, 0, 1, np.inf
    longest = 1.0
    for i in range(move.size):
        longest = max(longest, abs(move[i]))
    for k in range(move.size + count):
        r = k - move.size
        value = move[k] if r < 0 else _value(step.hard[r], move)
        held = step.box_state[k] if r < 0 else step.hard_state[r]
        end = UPPER if (value if held == 0 else held) > 0 else LOWER
        room = box[end, k] if r < 0 else ends[end, r]
        if held != 0 and abs(value - room) > CONTRADICTS * longest:
            return _STUCK, 0, 1, 0.0
        if held == 0 and abs(value) > abs(room) + BROKEN and room / value < least:
            what, which, least = (_BOX, k, room / value) if r < 0 else (_HARD, r, room / value)
            side = 1 if value > 0.0 else -1
    for r in range(step.starts[depth]):
        if step.entered[r] == 0:
            value = _value(step.rows[r], move)
            room = -step.increment[ERROR, r]
            if value < room - BROKEN and room / value < least:
                what, which, side, least = _TASK, r, -1, room / value
    return what, which, side, least


@entry
def take(step: Step, depth: int, count: int, longest: float, how: int) -> int:
    """The step within limits: `how` is RECURSIVE, CASCADED or FACTORED. How often it was computed.

    Working set of thesis 5.4.2, Fig. 5.16: it begins with the equalities, and of what the step
    breaks the nearest joins it, until nothing is broken. `count` hard rows are there.
    """
    move, kept, n = step.vector[MOVE], step.vector[KEPT], step.box_state.size
    for r in range(step.hard_state.size):
        step.hard_state[r] = 1 if r < count and step.ends[LOWER, r] == step.ends[UPPER, r] else 0
    for i in range(n):
        if step.box_state[i] != LOCKED:
            step.box_state[i] = 0
    for r in range(step.entered.size):
        if step.entered[r] == GUEST:
            step.entered[r] = 0
    if how != FACTORED:
        hold(step)
    rounds, before = 0, 0.0
    while True:
        if how == FACTORED:
            factor(step, depth, longest)
        else:
            recurse(step, depth, longest, how == CASCADED)
        rounds += 1
        what, which, side, share = _nearest(step, depth, count)
        if what == _NOTHING:
            return rounds
        if what == _STUCK:
            # What has joined last contradicts the others: the step ends where it was met.
            for i in range(n):
                move[i] = before * kept[i]
            return rounds
        before = share
        for i in range(n):
            kept[i] = move[i]
        if what == _BOX:
            step.box_state[which] = side
            if how != FACTORED:
                hold_box(step, which)
        elif what == _HARD:
            step.hard_state[which] = side
            if how != FACTORED:
                hold_row(step, step.hard[which], step.ends[UPPER if side > 0 else LOWER, which])
        else:
            step.entered[which] = GUEST
            step.increment[WANTED, which] = -step.increment[ERROR, which]


@entry
def slope(step: Step, level: int) -> float:
    """How fast a level could be lowered within the working set and the levels above (m/rad).

    |P_{k−1} J_kᵀ e_k| / |e_k|. Needs the working set of a step.
    """
    vector = step.vector
    n, size = vector.shape[1], 0.0
    hold(step)
    recurse(step, level, 1.0, False)
    gradient = vector[SPARE]
    for i in range(n):
        gradient[i] = 0.0
    for r in range(step.starts[level], step.starts[level + 1]):
        e = step.increment[ERROR, r]
        if step.entered[r] == 1:  # a guest holds: there is nothing of it to lower
            size += e * e
            for i in range(n):
                gradient[i] += step.rows[r, i] * e
    square = 0.0
    for i in range(n):
        s = _value(step.projector[i], gradient)
        square += s * s
    return math.sqrt(square / size) if size > 0.0 else 0.0
