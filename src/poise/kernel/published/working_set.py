"""Linear rows that hold with equality, and the inverse Hessian on what they leave free.

The arithmetic of Zhao & Badler 1994, Appendix A, which follows Goldfarb 1969: A_q has the unit
normals of the q rows of the working set as columns; H_q is the inverse Hessian projected onto what
is perpendicular to all of them, H_q A_q = 0; (A_qᵀA_q)⁻¹ is kept by recursion as rows come and go.
Adding or dropping a row, and an update by a new gradient, cost O(n²).

Rows say aᵀx ≤ b. Numbered are first the upper ends of the n coordinates (a is a unit vector), then
their lower ends (the negative unit vectors), then M general rows with their upper ends, then the
same rows, turned round, with their lower ends. Coordinates that are locked have zeros everywhere.
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.compiling import compiled, entry

BFGS, DFP, SWITCH = range(3)
"""How the inverse Hessian is updated; SWITCH is Fletcher's choice between the two."""

DEPENDENT = 1e-10
"""A row whose part outside the working set is shorter than the root of this adds nothing."""

ABSENT, SKIPPED = -1, -2
"""Of a row that is not in the working set: as usual; because it depends on those that are."""


class WorkingSet(NamedTuple):
    """Rows in the working set, and what is known of the objective on what they leave free."""

    inverse: Floats2  # (n, n) H_q
    gram: Floats2  # (n, n) (A_qᵀA_q)⁻¹
    row: Ints  # (n,) the numbers of the rows, as far as `size` says
    place: Ints  # (2 n + 2 M,) where each row stands in the working set, or ABSENT, SKIPPED
    size: Ints  # (1,) q
    normal: Floats2  # (M, n) unit normals of the general rows
    multiplier: Floats  # (n,) λ
    weight: Floats2  # (2, n) room for A_qᵀa and (A_qᵀA_q)⁻¹A_qᵀa
    vector: Floats2  # (2, n) room for a row and its image
    unit: Floats  # (1,) H_0 is this times the identity; later, how soft the last step was


def working_set(n: int, rows: int) -> WorkingSet:
    """Room for n coordinates and so many general rows; `clear` makes it empty."""
    return WorkingSet(
        inverse=np.zeros((n, n)),
        gram=np.zeros((n, n)),
        row=np.zeros(n, np.int64),
        place=np.full(2 * (n + rows), ABSENT, np.int64),
        size=np.zeros(1, np.int64),
        normal=np.zeros((rows, n)),
        multiplier=np.zeros(n),
        weight=np.zeros((2, n)),
        vector=np.zeros((2, n)),
        unit=np.ones(1),
    )


@entry
def clear(w: WorkingSet, free: Floats, unit: float) -> None:
    """No rows, and H_0 = unit · 1 on the coordinates that are free (> 0)."""
    n = free.size
    w.size[0], w.unit[0] = 0, unit
    for k in range(w.place.size):
        w.place[k] = ABSENT
    for i in range(n):
        for j in range(n):
            w.inverse[i, j] = 0.0
        if free[i] > 0.0:
            w.inverse[i, i] = unit


@compiled
def along(w, k, v):
    """aᵀv for row k."""
    n = v.size
    if k < n:
        return v[k]
    if k < 2 * n:
        return -v[k - n]
    rows = w.normal.shape[0]
    sign, r = 1.0, k - 2 * n
    if r >= rows:
        sign, r = -1.0, r - rows
    value = 0.0
    for i in range(n):
        value += w.normal[r, i] * v[i]
    return sign * value


@compiled
def _add_row(w, k, factor, out):
    """out += factor · a for row k."""
    n = out.size
    if k < n:
        out[k] += factor
    elif k < 2 * n:
        out[k - n] -= factor
    else:
        rows = w.normal.shape[0]
        r = k - 2 * n
        if r >= rows:
            factor, r = -factor, r - rows
        for i in range(n):
            out[i] += factor * w.normal[r, i]


@compiled
def _weigh(w, v, by, out):
    """by = A_qᵀv and out = (A_qᵀA_q)⁻¹ A_qᵀv."""
    size = w.size[0]
    for k in range(size):
        by[k] = along(w, w.row[k], v)
    for k in range(size):
        value = 0.0
        for j in range(size):
            value += w.gram[k, j] * by[j]
        out[k] = value


@entry
def reduce(w: WorkingSet, v: Floats, multiplier: Floats, out: Floats) -> None:
    """Multipliers λ = (A_qᵀA_q)⁻¹A_qᵀv and the part of v outside the working set, v − A_q λ."""
    n = v.size
    _weigh(w, v, w.weight[0], multiplier)
    for i in range(n):
        out[i] = v[i]
    for k in range(w.size[0]):
        _add_row(w, w.row[k], -multiplier[k], out)
    for k in range(w.size[0]):
        if w.row[k] < 2 * n:  # exactly, not but for rounding
            out[w.row[k] % n] = 0.0


@entry
def add(w: WorkingSet, k: int) -> bool:
    """Add row k, (32); whether that could be done: not where it depends on those that are in."""
    n, size, H, W = w.vector.shape[1], w.size[0], w.inverse, w.gram
    a, h, by, share = w.vector[0], w.vector[1], w.weight[0], w.weight[1]
    for i in range(n):
        a[i] = 0.0
    _add_row(w, k, 1.0, a)
    _weigh(w, a, by, share)
    left = 0.0
    for i in range(n):
        left += a[i] * a[i]
    for j in range(size):
        left -= by[j] * share[j]
    # H a and aᵀH a.
    curved = 0.0
    for i in range(n):
        value = 0.0
        for j in range(n):
            value += H[i, j] * a[j]
        h[i] = value
        curved += a[i] * value
    if size == n or left < DEPENDENT or not curved > 0.0:
        w.place[k] = SKIPPED
        return False
    # The inverse of the bordered Gram matrix, by its Schur complement.
    for i in range(size):
        for j in range(size):
            W[i, j] += share[i] * share[j] / left
        W[i, size], W[size, i] = -share[i] / left, -share[i] / left
    W[size, size] = 1.0 / left
    w.row[size], w.place[k] = k, size
    w.size[0] = size + 1
    for i in range(n):
        factor = h[i] / curved
        if factor != 0.0:
            for j in range(n):
                H[i, j] -= factor * h[j]
    if k < 2 * n:
        c = k % n
        for i in range(n):
            H[c, i], H[i, c] = 0.0, 0.0
    return True


@entry
def drop(w: WorkingSet, position: int) -> None:
    """Drop the row at a position of the working set, (30), in units in which `unit` is 1."""
    n, last, H, W = w.vector.shape[1], w.size[0] - 1, w.inverse, w.gram
    a, p, by, share = w.vector[0], w.vector[1], w.weight[0], w.weight[1]
    k = w.row[position]
    if position != last:  # the order of rows does not matter
        w.row[position] = w.row[last]
        w.place[w.row[position]] = position
        for i in range(last + 1):
            W[position, i], W[last, i] = W[last, i], W[position, i]
        for i in range(last + 1):
            W[i, position], W[i, last] = W[i, last], W[i, position]
    w.place[k], w.size[0] = ABSENT, last
    for i in range(last):
        factor = W[i, last] / W[last, last]
        for j in range(last):
            W[i, j] -= factor * W[last, j]
    # p = P_{q−1} a, and aᵀ P_{q−1} a = aᵀp.
    for i in range(n):
        a[i] = 0.0
    _add_row(w, k, 1.0, a)
    _weigh(w, a, by, share)
    for i in range(n):
        p[i] = a[i]
    for j in range(last):
        _add_row(w, w.row[j], -share[j], p)
    for j in range(last):
        if w.row[j] < 2 * n:
            p[w.row[j] % n] = 0.0
    left = 0.0
    for i in range(n):
        left += a[i] * p[i]
    if left <= 0.0:
        return
    for i in range(n):
        factor = w.unit[0] * p[i] / left
        if factor != 0.0:
            for j in range(n):
                H[i, j] += factor * p[j]


@entry
def descend(w: WorkingSet, g: Floats, out: Floats) -> float:
    """out = −H_q g; its length."""
    H, n, square = w.inverse, g.size, 0.0
    for i in range(n):
        value = 0.0
        for j in range(n):
            value -= H[i, j] * g[j]
        out[i] = value
        square += value * value
    return math.sqrt(square)


@entry
def learn(w: WorkingSet, sigma: Floats, y: Floats, formula: int) -> bool:
    """Update H_q by a step σ and the change y of the gradient along it, (33) or (34).

    Nothing is learned, and False returned, from a step along which the gradient did not grow, nor
    by (34) where H_q y has nothing along y.
    """
    n, H, image = sigma.size, w.inverse, w.vector[1]
    grown, long, change = 0.0, 0.0, 0.0
    for i in range(n):
        grown += sigma[i] * y[i]
        long += sigma[i] * sigma[i]
        change += y[i] * y[i]
    if not grown > 1e-10 * math.sqrt(long * change):
        return False
    descend(w, y, image)  # −H y
    curved = 0.0
    for i in range(n):
        curved -= y[i] * image[i]
    if formula == BFGS or (formula == SWITCH and grown >= curved):
        for i in range(n):
            one = ((1.0 + curved / grown) * sigma[i] + image[i]) / grown
            two = sigma[i] / grown
            if one != 0.0 or two != 0.0:
                for j in range(n):
                    H[i, j] += one * sigma[j] + two * image[j]
    elif not curved > 0.0:
        return False
    else:
        for i in range(n):
            one, two = sigma[i] / grown, image[i] / curved
            if one != 0.0 or two != 0.0:
                for j in range(n):
                    H[i, j] += one * sigma[j] - two * image[j]
    w.unit[0] = long / grown
    return True
