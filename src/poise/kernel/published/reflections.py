"""A task-priority step by reflections: the steps of `projectors` without n × n projectors.

Householder reflections turn the rows of all levels to lower triangular form, J Q = [L 0], from
the most important row down. Each level then leaves a small square of L, which is made bidiagonal
for its least singular value and for the damped inverse.
"""

import math

from poise.kernel.compiling import compiled
from poise.kernel.limits.bounds import LOWER, UPPER
from poise.kernel.published.priority_arrays import (
    DRAWN,
    LOCKED,
    MOVE,
    NEW,
    RANK,
    SPARE,
    TURNED,
    WANTED,
)
from poise.kernel.published.projectors import damping


@compiled
def _reflect(work, row, pivot, width, reflections):
    """Make the reflection that takes a row, from a column on, to one entry; write that.

    It is 1 − v vᵀ with |v|² = 2, and v is kept in a row of its own.
    """
    x, v = work[row, pivot:width], reflections[pivot, pivot:width]
    square = 0.0
    for i in range(x.size):
        square += x[i] * x[i]
    length = math.sqrt(square)
    end = -length if x[0] > 0.0 else length
    scale = 1.0 / math.sqrt(length * (length + abs(x[0])))
    for i in range(x.size):
        v[i] = scale * x[i]
        x[i] = 0.0
    v[0] -= scale * end
    x[0] = end


@compiled
def _apply(v, x):
    """Reflect x by 1 − v vᵀ."""
    s = 0.0
    for i in range(v.size):
        s += v[i] * x[i]
    for i in range(v.size):
        x[i] -= s * v[i]


@compiled
def _bidiagonalize(small, right, count, rank, band):
    """Turn a level's part of L (count × rank) to an upper bidiagonal square; right sides too.

    Golub and Kahan 1965. The reflections of columns stay in the rows, right of the band.
    """
    for k in range(rank):
        square = 0.0
        for r in range(k, count):
            square += small[r, k] * small[r, k]
        length = math.sqrt(square)
        band[0, k] = length
        if length > 0.0:
            head = small[k, k]
            end = -length if head > 0.0 else length
            scale = 1.0 / math.sqrt(length * (length + abs(head)))
            small[k, k] = head - end
            for r in range(k, count):
                small[r, k] *= scale
            for c in range(k + 1, rank):
                s = 0.0
                for r in range(k, count):
                    s += small[r, k] * small[r, c]
                for r in range(k, count):
                    small[r, c] -= s * small[r, k]
            s = 0.0
            for r in range(k, count):
                s += small[r, k] * right[r]
            for r in range(k, count):
                right[r] -= s * small[r, k]
            band[0, k] = end
        band[2, k] = right[k]
        band[1, k] = 0.0
        if k + 1 == rank:
            break
        square = 0.0
        for c in range(k + 1, rank):
            square += small[k, c] * small[k, c]
        length = math.sqrt(square)
        if length == 0.0:
            continue
        head = small[k, k + 1]
        end = -length if head > 0.0 else length
        scale = 1.0 / math.sqrt(length * (length + abs(head)))
        small[k, k + 1] = head - end
        v = small[k, k + 1 : rank]
        for c in range(v.size):
            v[c] *= scale
        for r in range(k + 1, count):
            _apply(v, small[r, k + 1 : rank])
        band[1, k] = end


@compiled
def _least_singular_value(band, rank, bound):
    """The least singular value of an upper bidiagonal square, or the bound where it is greater.

    Bisection by counting those below a value, with the recurrence that keeps small ones accurate
    (Fernando 1998).
    """
    low, high = 0.0, bound
    middle = bound
    for _ in range(64):
        shift = middle * middle
        t, below = -shift, False
        for k in range(rank):
            d = band[0, k] * band[0, k] + t
            if d < 0.0:
                below = True
                break
            d = max(d, 1e-300)
            t = t * (band[1, k] * band[1, k] / d) - shift
        if below:
            high = middle
        else:
            low = middle
            if middle == bound:
                return bound
        middle = 0.5 * (low + high)
        if high - low <= 1e-15 * high:
            break
    return middle


@compiled
def _solve_band(band, rank, damped):
    """Least squares of [B; λ1] y = [b; 0] for an upper bidiagonal B, by rotations (Eldén 1977)."""
    below, height = damped, 0.0
    for k in range(rank):
        a, b, g = band[0, k], band[1, k], band[2, k]
        if below != 0.0:
            length = math.sqrt(a * a + below * below)
            c, s = a / length, below / length
            band[0, k], band[1, k], band[2, k] = length, c * b, c * g + s * height
            over, height = -s * b, c * height - s * g
            below = math.sqrt(damped * damped + over * over)
            height *= over / below
    for k in range(rank - 1, -1, -1):
        y = band[2, k]
        if k + 1 < rank:
            y -= band[1, k] * band[3, k + 1]
        band[3, k] = y / band[0, k]


@compiled
def _norm(step, level):
    """The greatest entry of a level's rows in force, or for level −1 of the working set's."""
    norm = 0.0
    if level < 0:
        for r in range(step.hard.shape[0]):
            if step.hard_state[r] != 0:
                for i in range(step.hard.shape[1]):
                    norm = max(norm, abs(step.hard[r, i]))
        return norm
    for r in range(step.starts[level], step.starts[level + 1]):
        if step.entered[r] != 0:
            for i in range(step.rows.shape[1]):
                norm = max(norm, abs(step.rows[r, i]))
    return norm


@compiled
def _pack(step, depth):
    """Write all rows in force over the free columns to `work`; width, hard rows, all rows.

    What the working set fixes is taken out of the right sides.
    """
    rows, hard, work, right, free = step.rows, step.hard, step.work, step.right, step.free
    move = step.vector[MOVE]
    n, width, count = move.size, 0, 0
    for i in range(n):
        move[i] = 0.0
        if step.box_state[i] == 0:
            free[width] = i
            width += 1
        elif step.box_state[i] != LOCKED:
            move[i] = step.box[UPPER if step.box_state[i] > 0 else LOWER, i]
    for r in range(hard.shape[0]):
        if step.hard_state[r] != 0:
            b = step.ends[UPPER if step.hard_state[r] > 0 else LOWER, r]
            for i in range(n):
                b -= hard[r, i] * move[i]
            for t in range(width):
                work[count, t] = hard[r, free[t]]
            right[count] = b
            count += 1
    first = count
    for r in range(step.starts[depth]):
        if step.entered[r] != 0:
            b = step.increment[WANTED, r]
            for i in range(n):
                b -= rows[r, i] * move[i]
            for t in range(width):
                work[count, t] = rows[r, free[t]]
            right[count] = b
            count += 1
    return width, first, count


@compiled
def factor(step, depth, longest):
    """The step of Fig. 5.12 with its working set, without projectors.

    Reflections Q turn the rows, from the most important down, to J Q = [L 0]. The coordinates
    z = Qᵀu that a level uses are those of its pivots: what stands to the left of them in its
    rows is −J_i Δq of (5.9), what stands below them is J̃_i in other axes, with the same
    singular values.
    """
    work, right, reflections, free = step.work, step.right, step.projector, step.free
    z, move, small, band = step.vector[TURNED], step.vector[MOVE], step.small, step.band
    n = move.size
    width, hard_rows, end = _pack(step, depth)
    pivot, start = 0, 0
    for k in range(-1, depth):
        # The rows of the working set one by one, then level after level.
        count = hard_rows
        if k >= 0:
            count = 0
            for r in range(step.starts[k], step.starts[k + 1]):
                count += 1 if step.entered[r] != 0 else 0
        norm = _norm(step, k)
        before, last = pivot, start + count
        for r in range(start, last):
            if pivot == width:
                break
            chosen, most = r, -1.0
            for candidate in range(r, last):
                tail = work[candidate, pivot:width]
                square = 0.0
                for t in range(tail.size):
                    square += tail[t] * tail[t]
                if square > most:
                    chosen, most = candidate, square
            share = NEW if k < 0 else RANK
            if math.sqrt(most) <= share * norm:
                break
            if chosen != r:
                for t in range(width):
                    work[r, t], work[chosen, t] = work[chosen, t], work[r, t]
                right[r], right[chosen] = right[chosen], right[r]
            _reflect(work, r, pivot, width, reflections)
            v = reflections[pivot, pivot:width]
            for below in range(r + 1, end):
                _apply(v, work[below, pivot:width])
            pivot += 1
        rank = pivot - before
        for r in range(start, last):
            b = right[r]
            for t in range(before):
                b -= work[r, t] * z[t]
            right[r] = b
        if k < 0:
            for r in range(rank):  # no damping, forward substitution: C†b of (5.24)
                b = right[r]
                for t in range(r):
                    b -= work[r, t] * z[t]
                z[r] = b / work[r, r]
        elif rank > 0:
            length = 0.0
            for r in range(count):
                length += right[start + r] * right[start + r]
                for t in range(rank):
                    small[r, t] = work[start + r, before + t]
            length = math.sqrt(length)
            _bidiagonalize(small, right[start:last], count, rank, band)
            allowed = longest * step.trust[k]
            least = _least_singular_value(band, rank, length / allowed)
            _solve_band(band, rank, damping(least, length, allowed))
            y = band[3]
            for t in range(rank - 2, -1, -1):
                _apply(small[t, t + 1 : rank], y[t + 1 : rank])
            for t in range(rank):
                z[before + t] = y[t]
        start = last
    # The criterion in what is left (the last line of Fig. 5.12), and back: u = Q z.
    drawn = step.vector[SPARE]
    for t in range(width):
        drawn[t] = step.vector[DRAWN, free[t]]
    for p in range(pivot):
        _apply(reflections[p, p:width], drawn[p:width])
    for t in range(pivot, width):
        z[t] = drawn[t]
    for t in range(pivot):
        drawn[t] = 0.0
    for p in range(pivot - 1, -1, -1):
        _apply(reflections[p, p:width], z[p:width])
        _apply(reflections[p, p:width], drawn[p:width])
    for t in range(width):
        move[free[t]] = z[t]
    for i in range(n):
        z[i] = 0.0
    for t in range(width):
        z[free[t]] = drawn[t]
    for i in range(n):
        drawn[i] = z[i]
