"""A task-priority step as the thesis prints it: singular values, projectors, recursion.

The levels of Fig. 5.12 and of (5.13), from the working set's step and projector (5.24). The
same steps are computed faster by `reflections`.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.compiling import compiled, entry
from poise.kernel.limits.bounds import LOWER, UPPER
from poise.kernel.published.priority_arrays import (
    DRAWN,
    LOCKED,
    MOVE,
    NEW,
    RANK,
    SIGMA,
    SPARE,
    START,
    TURNED,
    WANTED,
)


@entry
def orthogonalize(rows: Floats2, right: Floats, count: int, least: float) -> None:
    """Turn rows among each other until they are perpendicular, and their right sides with them.

    One-sided rotations (Hestenes 1958). Then row i is σ_i v_iᵀ of the singular value
    decomposition (4.11), and right[i] is u_iᵀ Δx. Rows not longer than `least` stay.
    """
    n = rows.shape[1]
    for _ in range(40):
        turned = False
        for a in range(count - 1):
            for b in range(a + 1, count):
                p, q, r = 0.0, 0.0, 0.0
                for i in range(n):
                    x, y = rows[a, i], rows[b, i]
                    p += x * x
                    q += y * y
                    r += x * y
                if abs(r) <= 1e-14 * math.sqrt(p * q) or min(p, q) <= least * least:
                    continue
                turned = True
                z = (q - p) / (2.0 * r)
                t = math.copysign(1.0, z) / (abs(z) + math.sqrt(1.0 + z * z))
                c = 1.0 / math.sqrt(1.0 + t * t)
                s = c * t
                for i in range(n):
                    x, y = rows[a, i], rows[b, i]
                    rows[a, i], rows[b, i] = c * x - s * y, s * x + c * y
                x, y = right[a], right[b]
                right[a], right[b] = c * x - s * y, s * x + c * y
        if not turned:
            return


@entry
def damping(least: float, length: float, longest: float) -> float:
    """λ from the least singular value (Maciejewski and Klein 1988; thesis Fig. 4.7).

    The smallest for which σ/(σ² + λ²) ‖Δx‖, at the least σ and beyond, is no longer than asked.
    """
    bound = length / longest
    if least >= bound:
        return 0.0
    if least <= 0.5 * bound:
        return 0.5 * bound
    return math.sqrt(least * (bound - least))


@compiled
def hold_row(step, c, b):
    """Add a row c · u = b to the working set's C†b and projector on N(C), by Appendix H."""
    move, projector, across = step.vector[START], step.first_projector, step.vector[SPARE]
    n = move.size
    whole, square, value = 0.0, 0.0, 0.0
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += projector[i, j] * c[j]
        across[i] = s
        square += s * s
        whole += c[i] * c[i]
        value += c[i] * move[i]
    if square <= NEW * NEW * whole:
        return
    gain = (b - value) / square
    for i in range(n):
        move[i] += gain * across[i]
        s = across[i] / square
        for j in range(n):
            projector[i, j] -= s * across[j]


@compiled
def hold_box(step, i):
    """Add the limit of one coordinate, at the end that its state says."""
    unit = step.vector[TURNED]
    for j in range(unit.size):
        unit[j] = 0.0
    unit[i] = 1.0
    hold_row(step, unit, step.box[UPPER if step.box_state[i] > 0 else LOWER, i])


@compiled
def hold(step):
    """Make C†b and the projector on N(C) of the working set anew (5.24)."""
    projector, n = step.first_projector, step.box_state.size
    for i in range(n):
        step.vector[START, i] = 0.0
        for j in range(n):
            projector[i, j] = 0.0
        if step.box_state[i] != LOCKED:
            projector[i, i] = 1.0
    for r in range(step.hard_state.size):
        if step.hard_state[r] != 0:
            hold_row(step, step.hard[r], step.ends[UPPER if step.hard_state[r] > 0 else LOWER, r])
    for i in range(n):
        if step.box_state[i] != 0 and step.box_state[i] != LOCKED:
            hold_box(step, i)


@compiled
def decompose(work, right, sigma, count, norm):
    """The singular value decomposition of some rows, and their right sides; the rank.

    The unit vectors v_i come first, with σ_i and u_iᵀ Δx.
    """
    n, rank = work.shape[1], 0
    orthogonalize(work, right, count, 1e-15 * norm)
    for r in range(count):
        square = 0.0
        for i in range(n):
            square += work[r, i] * work[r, i]
        length = math.sqrt(square)
        if length > RANK * norm:
            sigma[rank], right[rank] = length, right[r]
            for i in range(n):
                work[rank, i] = work[r, i] / length
            rank += 1
    return rank


@compiled
def _project(step, first, last, move, projector):
    """Write a level's rows in force, times a projector, to `work`, and Δx̂ beside (5.9).

    Returns their number and the greatest entry of the Jacobian.
    """
    rows, work = step.rows, step.work
    n, count, norm = move.size, 0, 0.0
    for r in range(first, last):
        if step.entered[r] == 0:
            continue
        done = 0.0
        for j in range(n):
            done += rows[r, j] * move[j]
            norm = max(norm, abs(rows[r, j]))
            work[count, j] = 0.0
        for j in range(n):
            a = rows[r, j]
            if a != 0.0:
                for i in range(n):
                    work[count, i] += a * projector[j, i]
        step.right[count] = step.increment[WANTED, r] - done
        count += 1
    return count, norm


@compiled
def recurse(step, depth, longest, cascaded):
    """The levels of Fig. 5.12, or with `cascaded` of (5.13), from the working set's step and P_0.

    For (5.13) each level is solved by itself, within the working set, and then projected on what
    the levels above leave: Δq ← Δq + P_{i−1} (J_i P_0)^{†λ} (Δx_i − J_i Δq_0).
    """
    vector, work, right = step.vector, step.work, step.right
    move, projector, sigma = vector[MOVE], step.projector, step.increment[SIGMA]
    n = move.size
    for i in range(n):
        move[i] = vector[START, i]
        for j in range(n):
            projector[i, j] = step.first_projector[i, j]
    for k in range(depth):
        first, last = step.starts[k], step.starts[k + 1]
        if cascaded:
            count, norm = _project(step, first, last, vector[START], step.first_projector)
        else:
            count, norm = _project(step, first, last, move, projector)
        length = 0.0
        for r in range(count):
            length += right[r] * right[r]
        rank = decompose(work, right, sigma, count, norm)
        least = np.inf
        for r in range(rank):
            least = min(least, sigma[r])
        square = damping(least, math.sqrt(length), longest * step.trust[k]) ** 2
        for i in range(n):
            vector[SPARE, i] = 0.0
        for r in range(rank):
            gain = right[r] * sigma[r] / (sigma[r] * sigma[r] + square)  # (4.17)
            for i in range(n):
                vector[SPARE, i] += gain * work[r, i]
        for i in range(n):
            s = vector[SPARE, i]
            if cascaded:
                s = 0.0
                for j in range(n):
                    s += projector[i, j] * vector[SPARE, j]
            vector[TURNED, i] = s
        for i in range(n):
            move[i] += vector[TURNED, i]
        if cascaded:
            count, norm = _project(step, first, last, move, projector)
            rank = decompose(work, right, sigma, count, norm)
        for r in range(rank):  # (5.20), (5.21)
            for i in range(n):
                s = work[r, i]
                for j in range(n):
                    projector[i, j] -= s * work[r, j]
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += projector[i, j] * vector[DRAWN, j]
        vector[SPARE, i] = s
    for i in range(n):
        move[i] += vector[SPARE, i]
