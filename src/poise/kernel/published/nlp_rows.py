"""Limits as rows of the working set of `nlp`, numbered as in `working_set`.

Boxes never turn. A curved limit is a row through its nearest point: after each step general rows
are written anew, and one that has turned is dropped by (30) and added by (32).
"""

import math

import numpy as np

from poise.kernel.compiling import compiled
from poise.kernel.limits.bounds import LOWER, UPPER, write_rows
from poise.kernel.problem import METRIC
from poise.kernel.published.nlp_arrays import GRADIENT, STEP
from poise.kernel.published.working_set import ABSENT, SKIPPED, add, along, clear, drop

ACTIVE = 1e-10
"""A row is active when there is no more room to it than this (rad)."""

TURNED = 1e-12
"""A row has turned when an entry of its unit normal changed by more than this."""


@compiled
def write_general(problem, m, q):
    """Write unit normals of x for all general rows at q, and the room to both their ends."""
    normal, room, metric = m.normal, m.room, problem.coordinates[METRIC]
    if normal.shape[0] == 0:
        return
    count = write_rows(problem.tree, problem.bounds, q, np.inf, m.state, m.hard)
    matrix, box = m.hard.matrix, m.hard.box
    for r in range(normal.shape[0]):
        square = 0.0
        if r < count:
            for i in range(metric.size):
                normal[r, i] = matrix[r, i] * metric[i]
                square += normal[r, i] * normal[r, i]
        if square < 1e-24:  # nothing that may move touches it
            for i in range(metric.size):
                normal[r, i] = 0.0
            room[LOWER, r], room[UPPER, r] = -np.inf, np.inf
            continue
        size = math.sqrt(square)
        for i in range(metric.size):
            normal[r, i] /= size
        room[LOWER, r] = min(box[LOWER, r] / size, 0.0)
        room[UPPER, r] = max(box[UPPER, r] / size, 0.0)


@compiled
def room_to(problem, m, q, k):
    """How far x may go along row k."""
    n, box, metric = q.size, problem.bounds.box, problem.coordinates[METRIC]
    rows = m.room.shape[1]
    if k < n:
        return max(box[UPPER, k] - q[k], 0.0) / metric[k]
    if k < 2 * n:
        return max(q[k - n] - box[LOWER, k - n], 0.0) / metric[k - n]
    if k < 2 * n + rows:
        return m.room[UPPER, k - 2 * n]
    return -m.room[LOWER, k - 2 * n - rows]


@compiled
def _is_equality(room, r):
    """Whether general row r, from either side, has both ends in one place."""
    r = r % room.shape[1]
    return room[UPPER, r] - room[LOWER, r] <= ACTIVE


@compiled
def begin(problem, m, q):
    """Step 0: H_0, and the working set of all active rows."""
    w, n, metric, progress = m.working, q.size, problem.coordinates[METRIC], m.progress
    square = 0.0
    for i in range(n):
        square += m.vector[GRADIENT, i] ** 2
    clear(w, metric, 2.0 * progress.value / square if square > 0.0 else 1.0)
    progress.updates, progress.since, progress.value_before = 0, 0, progress.value
    for r in range(m.normal.shape[0]):
        for i in range(n):
            w.normal[r, i] = m.normal[r, i]
    for k in range(2 * n, 2 * n + m.normal.shape[0]):  # equalities before all others
        if _is_equality(m.room, k - 2 * n):
            add(w, k)
    for k in range(w.place.size):
        if k < 2 * n and metric[k % n] == 0.0:
            continue
        equal = k >= 2 * n and _is_equality(m.room, k - 2 * n)
        if not equal and room_to(problem, m, q, k) <= ACTIVE:
            add(w, k)


@compiled
def exchange(m, n):
    """Bring the working set up to rows written anew; whether any has turned, any has gone.

    A row that has turned is dropped and added as it is now; one that is out of reach is dropped.
    """
    w, rows = m.working, m.normal.shape[0]
    turned, gone = False, False
    for r in range(rows):
        moved = 0.0
        for i in range(n):
            moved = max(moved, abs(m.normal[r, i] - w.normal[r, i]))
        for side in range(2):
            k = 2 * n + side * rows + r
            room = m.room[UPPER, r] if side == 0 else -m.room[LOWER, r]
            if w.place[k] == SKIPPED:
                w.place[k] = ABSENT
            if w.place[k] < 0:
                continue
            away = room > ACTIVE
            if moved > TURNED or away:
                drop(w, w.place[k])
                for i in range(n):
                    w.normal[r, i] = m.normal[r, i]
                if away or not add(w, k):
                    gone = True
                else:
                    turned = True
        for i in range(n):
            w.normal[r, i] = m.normal[r, i]
    for k in range(2 * n):
        if w.place[k] == SKIPPED:
            w.place[k] = ABSENT
    return turned, gone


@compiled
def droppable(m, n):
    """The position of the row whose loss would help most, and λ a^(−1/2); −1, 0 if none would."""
    w, position, most = m.working, -1, 0.0
    for k in range(w.size[0]):
        if w.multiplier[k] > 0.0:
            row = w.row[k]
            if row >= 2 * n and _is_equality(m.room, row - 2 * n):
                continue
            gain = w.multiplier[k] / math.sqrt(w.gram[k, k])
            if gain > most:
                position, most = k, gain
    return position, most


@compiled
def find_reach(problem, m, q):
    """Find the greatest step along s, and the row that stops it: `reach` and `blocking_row`."""
    w, s, n, rows = m.working, m.vector[STEP], q.size, m.normal.shape[0]
    metric = problem.coordinates[METRIC]
    longest = 0.0
    for i in range(n):
        longest = max(longest, abs(s[i]))
    tiny, reach, blocking = 1e-12 * longest, np.inf, -1
    for i in range(n):
        if metric[i] > 0.0 and abs(s[i]) > tiny:
            k = i if s[i] > 0.0 else n + i
            if w.place[k] == ABSENT:
                t = room_to(problem, m, q, k) / abs(s[i])
                if t < reach:
                    reach, blocking = t, k
    for r in range(rows):
        rate = along(w, 2 * n + r, s)
        if abs(rate) > tiny:
            k = 2 * n + r if rate > 0.0 else 2 * n + rows + r
            if w.place[k] == ABSENT:
                t = room_to(problem, m, q, k) / abs(rate)
                if t < reach:
                    reach, blocking = t, k
    m.progress.reach, m.progress.blocking_row = reach, blocking
