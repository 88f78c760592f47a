"""The steps of the classic methods, each from the residual and the scaled Jacobian at a posture."""

import math

from poise.kernel.compiling import compiled
from poise.kernel.problem import METRIC, spring
from poise.kernel.published.classics_arrays import (
    DRAWN,
    EXACT,
    PARTITION,
    PINV,
    STEP,
    TRACKING,
    TRANSPOSE,
)
from poise.kernel.published.projectors import decompose
from poise.kernel.published.stepping import EASED, longest

NEEDS = 1e-9
"""A joint can move a level if its column has an entry greater than this (m/rad)."""


@compiled
def write_step(problem, m, settings, q):
    """Write the step of any method but CCD, over the metric."""
    u = m.vector[STEP]
    for i in range(u.size):
        u[i] = 0.0
    if settings.method == PINV:
        _pinv(problem, m, settings, q)
    elif settings.method == TRANSPOSE:
        _transpose(m, settings)
    else:
        if settings.method == PARTITION:
            _allot(m)
        for k in range(m.level.size - 1):
            _damped(m, k, settings.damping**2)


@compiled
def write_coordinate_step(m, i):
    """Write the step of one coordinate alone that makes the linear residual least."""
    u = m.vector[STEP]
    for j in range(u.size):
        u[j] = 0.0
    above, below = 0.0, 0.0
    for r in range(m.rows.shape[0]):
        a = m.rows[r, i]
        above += a * m.residual[0, r]
        below += a * a
    if below > NEEDS * NEEDS:
        u[i] = -above / below


@compiled
def _pinv(problem, m, settings, q):
    """−J⁺e, and the criterion's pull in the null space of J (thesis 4.14, 4.17)."""
    u, drawn = m.vector[STEP], m.vector[DRAWN]
    _pull(problem, q, settings.max_turn, drawn)
    rank, least = _inverted(m, settings.cutoff)
    for r in range(rank):
        along = 0.0
        for i in range(u.size):
            along += m.work[r, i] * drawn[i]
        gain = m.right[0, r] / m.right[1, r] if m.right[1, r] > least else 0.0
        for i in range(u.size):
            drawn[i] -= along * m.work[r, i]
            u[i] += gain * m.work[r, i]
    for i in range(u.size):
        u[i] += drawn[i]
    m.progress.is_at_ease = longest(problem.coordinates[METRIC], drawn) < EASED


@compiled
def _pull(problem, q, longest, drawn):
    """How the criterion draws the coordinates, over the metric, no farther than `longest`."""
    coordinates, most = problem.coordinates, 0.0
    for i in range(q.size):
        metric = coordinates[METRIC, i]
        drawn[i] = -spring(coordinates, i, q[i])[1] if metric > 0.0 else 0.0
        most = max(most, abs(drawn[i]))
    share = longest / most if most > longest else 1.0
    for i in range(q.size):
        if drawn[i] != 0.0:
            drawn[i] *= share / coordinates[METRIC, i]


@compiled
def _inverted(m, cutoff):
    """Decompose J, and say which singular value is the last that counts: rank, threshold."""
    rows, work, right, n = m.rows, m.work, m.right, m.rows.shape[1]
    norm, count = 0.0, rows.shape[0]
    for r in range(count):
        right[0, r] = -m.residual[0, r]
        for i in range(n):
            work[r, i] = rows[r, i]
            norm = max(norm, abs(rows[r, i]))
    rank = decompose(work, right[0], right[1], count, norm)
    greatest = 0.0
    for r in range(rank):
        greatest = max(greatest, right[1, r])
    return rank, cutoff * greatest


@compiled
def _transpose(m, settings):
    """−τ 2Jᵀe, the steepest descent of P (2011, eq. 26, 27)."""
    rows, e, u = m.rows, m.residual[0], m.vector[STEP]
    n, count = u.size, e.size
    for r in range(count):
        for i in range(n):
            u[i] -= 2.0 * e[r] * rows[r, i]
    length = settings.length
    if settings.rule == EXACT:  # (28): e·z / z·z with z = JJᵀe, here for twice that
        above, below = 0.0, 0.0
        for r in range(count):
            z = 0.0
            for i in range(n):
                z -= rows[r, i] * u[i]
            above += e[r] * z
            below += z * z
        length = above / below if below > 0.0 else 0.0
    elif settings.rule == TRACKING:  # (29): what of τe no linear step can follow is at most ε
        rank, least = _inverted(m, settings.cutoff)
        square = 0.0
        for r in range(count):
            square += e[r] * e[r]
        for r in range(rank):
            if m.right[1, r] > least:
                square -= m.right[0, r] * m.right[0, r]
        if square > 0.0:
            length = min(length, settings.deviation / math.sqrt(square))
    for i in range(n):
        u[i] *= length


@compiled
def _damped(m, k, squared):
    """Add Jᵀ(JJᵀ + λ²)⁻¹ Δx̂ to the step, with the columns that level k owns.

    Δx̂ = −e − J u takes the step so far into account.
    """
    rows, square, right, u, owner = m.rows, m.square, m.right[0], m.vector[STEP], m.owner
    n, first, last = u.size, m.level[k], m.level[k + 1]
    for r in range(first, last):
        done = 0.0
        for i in range(n):
            done += rows[r, i] * u[i]
            m.work[r, i] = rows[r, i] if owner[i] == k else 0.0
        right[r] = -m.residual[0, r] - done
        for c in range(first, r + 1):
            s = squared if c == r else 0.0
            for i in range(n):
                s += m.work[r, i] * m.work[c, i]
            square[r, c] = s
    for r in range(first, last):
        for c in range(first, r + 1):
            s = square[r, c]
            for t in range(first, c):
                s -= square[r, t] * square[c, t]
            square[r, c] = s / square[c, c] if c < r else math.sqrt(s)
        s = right[r]
        for t in range(first, r):
            s -= square[r, t] * right[t]
        right[r] = s / square[r, r]
    for r in range(last - 1, first - 1, -1):
        s = right[r]
        for t in range(r + 1, last):
            s -= square[t, r] * right[t]
        right[r] = s / square[r, r]
        for i in range(n):
            u[i] += m.work[r, i] * right[r]


@compiled
def _allot(m):
    """Give each joint to the most important level that it can move, here or at a posture before.

    At some postures a joint moves nothing that it could move elsewhere.
    """
    owner, joint, level, matrix = m.owner, m.joint, m.level, m.matrix
    n = owner.size
    for i in range(n):
        k = 0
        while k < owner[i]:
            needed = False
            for r in range(level[k], level[k + 1]):
                needed |= abs(matrix[r, i]) > NEEDS
            if needed:
                owner[i] = k
            k += 1
    for i in range(n):
        for j in range(n):
            if joint[j] == joint[i]:
                owner[i] = min(owner[i], owner[j])
