"""The point nearest to another among those that fit linear rows, exactly.

The dual active-set method of Goldfarb and Idnani (Mathematical Programming 27, 1983), for a
distance: from the point itself, the row broken most is made to hold, rows whose multipliers
would change sign are let go on the way, and so on. It needs no valid point to start from, and
ends after finitely many steps. The rows that hold are written with an orthonormal basis, made
after Gram and Schmidt twice over, so that rows nearly parallel are told apart.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.compiling import compiled, entry

# A row (scaled to unit length) that is broken by no more than this holds; the second where
# nothing more can be done for it.
_HOLDS, _ENOUGH = 1e-14, 1e-12

# What is left across those that hold of a row of unit length that depends on them.
_DEPENDENT = 1e-12


@compiled
def _split(matrix, row, scale, basis, held, triangle):
    """Split a row into parts along those of a basis and across; the length of the last.

    The parts along go to triangle[held], the one across to basis[held].
    """
    n = basis.shape[1]
    for i in range(n):
        basis[held, i] = scale * matrix[row, i]
    for k in range(held):
        triangle[held, k] = 0.0
    for _ in range(2):
        for k in range(held):
            along = 0.0
            for i in range(n):
                along += basis[k, i] * basis[held, i]
            triangle[held, k] += along
            for i in range(n):
                basis[held, i] -= along * basis[k, i]
    square = 0.0
    for i in range(n):
        square += basis[held, i] * basis[held, i]
    return math.sqrt(square)


@entry(allocates=True)
def project(matrix: Floats2, box: Floats2, count: int, u: Floats) -> bool:
    """Move u, in place, to the nearest point with box[0] ≤ matrix · u ≤ box[1].

    Args:
        matrix: (R, n), of which the first `count` rows count; rows of zeros do not.
        box: (2, R), the lower ends and the upper; both are the same for an equality.
        count: how many rows.
        u: the point (n,).

    Returns:
        Whether the rows have a point in common; if not u fits some of them.
    """
    n = u.size
    goal, change, is_held = u.copy(), np.empty(n + 1), np.zeros(count, np.bool_)
    # 1 / length of each row; with the other sign for one to be held at its upper end.
    scale = np.zeros(count)
    for r in range(count):
        square = 0.0
        for i in range(n):
            square += matrix[r, i] * matrix[r, i]
        scale[r] = 1.0 / math.sqrt(square) if square > 0.0 else np.inf
    # Rows that hold, their multipliers, and what they are: triangle · basis.
    rows, multiplier = np.empty(n + 1, np.int64), np.zeros(n + 1)
    basis, triangle = np.empty((n + 1, n)), np.zeros((n + 1, n + 1))
    held = count - count
    for _ in range(20 * (count + 1)):
        row, worst = count, _HOLDS
        for r in range(count):
            size = abs(scale[r])
            if is_held[r] or size == np.inf:
                continue
            value = 0.0
            for i in range(n):
                value += matrix[r, i] * u[i]
            below, above = size * (box[0, r] - value), size * (value - box[1, r])
            if max(below, above) > worst:
                row, worst = r, max(below, above)
                scale[r] = size if below > above else -size
        if row == count:
            return True
        rows[held], multiplier[held], is_held[row] = row, 0.0, True
        while True:
            left = _split(matrix, row, scale[row], basis, held, triangle)
            # How the multipliers of the others fall while that of the new row rises, and which
            # of an inequality comes to zero first.
            step, first = np.inf, held
            for k in range(held - 1, -1, -1):
                change[k] = triangle[held, k]
                for j in range(k + 1, held):
                    change[k] -= triangle[j, k] * change[j]
                change[k] /= triangle[k, k]
                if change[k] > 0.0 and box[0, rows[k]] < box[1, rows[k]]:
                    until = max(multiplier[k], 0.0) / change[k]
                    if until < step:
                        step, first = until, k
            full = worst / (left * left) if left > _DEPENDENT else np.inf
            if min(step, full) == np.inf:
                return worst <= _ENOUGH
            if full <= step:
                break
            worst -= step * left * left
            for k in range(held):
                multiplier[k] -= step * change[k]
            multiplier[held] += step
            # Let that row go, and make the basis of those after it anew.
            is_held[rows[first]] = False
            for k in range(first, held):
                rows[k], multiplier[k] = rows[k + 1], multiplier[k + 1]
            held -= 1
            for k in range(first, held):
                triangle[k, k] = _split(matrix, rows[k], scale[rows[k]], basis, k, triangle)
                for i in range(n):
                    basis[k, i] /= triangle[k, k]
        triangle[held, held] = left
        for i in range(n):
            basis[held, i] /= left
        held += 1
        # The point and the multipliers of the rows that hold now, free of what rounding added up.
        for i in range(n):
            u[i] = goal[i]
        for k in range(held):
            r = rows[k]
            end = box[0, r] if scale[r] > 0.0 else box[1, r]
            change[k] = scale[r] * end
            for i in range(n):
                change[k] -= scale[r] * matrix[r, i] * goal[i]
            for j in range(k):
                change[k] -= triangle[k, j] * change[j]
            change[k] /= triangle[k, k]
            for i in range(n):
                u[i] += change[k] * basis[k, i]
        for k in range(held - 1, -1, -1):
            multiplier[k] = change[k]
            for j in range(k + 1, held):
                multiplier[k] -= triangle[j, k] * multiplier[j]
            multiplier[k] /= triangle[k, k]
    return False
