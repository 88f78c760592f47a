"""Equalities by elimination: rows in echelon form, and what they leave free.

Each row is reduced by those before it and divided by its entry at a pivot of its own: V_c is zero
at the pivots of the rows before, one at its own, and row c is Σ_k f[c, k] V_k, k ≤ c, with f in
`triangle`. Where all rows vanish, the pivots follow the other coordinates, u_p = −T u_r, so that
the columns of [−T; 1] span what is left.

To reduce a row that has nothing at the pivots before it costs nothing: the rows that keep a level
at rest are made like that (`resting`). And T has few columns where many rows hold. That is why
rows are eliminated here, and not made orthonormal.
"""

from poise.kernel.arrays import Floats, Floats2, Ints, Ints2
from poise.kernel.compiling import compiled, entry

NEW = 1e-12
"""Square of the share of a row that must be new for it to be held."""

ROUNDING = 1e-12
"""A row shorter than this (m/rad) is rounding: what a figure in a plane has across it. Held, it
would take the place of a row that means something."""

PIVOT, NONPIVOT = range(2)
"""Rows of `columns`: the pivot of each row in echelon form; the coordinates that are no pivots."""


@entry
def eliminate(echelon: Floats2, pivots: Ints, rank: int, v: Floats, factors: Floats) -> None:
    """Take so many rows out of v that nothing is left at their pivots; `factors` are how much.

    Four rows at once: v is read and written a quarter as often.
    Rows that it has nothing of cost nothing.
    """
    width, blocks = echelon.shape[1], rank // 4
    for block in range(blocks):
        c = 4 * block
        a0, a1, a2, a3 = echelon[c], echelon[c + 1], echelon[c + 2], echelon[c + 3]
        p0, p1, p2, p3 = pivots[c], pivots[c + 1], pivots[c + 2], pivots[c + 3]
        if v[p0] == 0.0 and v[p1] == 0.0 and v[p2] == 0.0 and v[p3] == 0.0:
            factors[c], factors[c + 1], factors[c + 2], factors[c + 3] = 0.0, 0.0, 0.0, 0.0
            continue
        f0 = v[p0]
        f1 = v[p1] - f0 * a0[p1]
        f2 = v[p2] - f0 * a0[p2] - f1 * a1[p2]
        f3 = v[p3] - f0 * a0[p3] - f1 * a1[p3] - f2 * a2[p3]
        factors[c], factors[c + 1], factors[c + 2], factors[c + 3] = f0, f1, f2, f3
        for t in range(width):
            v[t] -= f0 * a0[t] + f1 * a1[t] + f2 * a2[t] + f3 * a3[t]
        v[p0], v[p1], v[p2], v[p3] = 0.0, 0.0, 0.0, 0.0  # not even rounding
    for c in range(4 * blocks, rank):
        a, f = echelon[c], v[pivots[c]]
        factors[c] = f
        if f != 0.0:
            for t in range(width):
                v[t] -= f * a[t]
            v[pivots[c]] = 0.0


@compiled
def _divide(v, square, taken):
    """Divide v, of that square, by its greatest entry; which that is, and its value.

    The greatest of those that are not `taken`, unless it is below the mean of all.
    """
    p, most = 0, 0.0
    for t in range(v.size):
        size = abs(v[t])
        if size > most and taken[t] == 0.0:
            p, most = t, size
    if most * most * v.size < square:
        for t in range(v.size):
            size = abs(v[t])
            if size > most:
                p, most = t, size
    own = v[p]
    for t in range(v.size):
        v[t] /= own
    v[p] = 1.0
    return p, own


@entry
def join(echelon: Floats2, pivots: Ints, rank: int, factors: Floats, taken: Floats) -> float:
    """Bring the row at `rank` into echelon form; what that leaves of its square, as a share.

    At least what is new in it. It is 0 if the row depends on those before or is rounding: it is not
    to be taken then. `taken` (w,) is not zero at coordinates that had better not become pivots.
    """
    v, width = echelon[rank], echelon.shape[1]
    whole, left = 0.0, 0.0
    for t in range(width):
        whole += v[t] * v[t]
    if whole < ROUNDING * ROUNDING:
        return 0.0
    eliminate(echelon, pivots, rank, v, factors)
    for t in range(width):
        left += v[t] * v[t]
    if left <= NEW * whole:
        return 0.0
    pivots[rank], factors[rank] = _divide(v, left, taken)
    return left / whole


@entry
def fits(pivots: Ints, rank: int, rows: Floats2, count: int) -> bool:
    """Whether so many rows are zero at the pivots of those in echelon form."""
    for c in range(count):
        row = rows[c]
        for k in range(rank):
            if row[pivots[k]] != 0.0:
                return False
    return True


@entry
def adopt(
    echelon: Floats2,
    pivots: Ints,
    triangle: Floats2,
    rank: int,
    rows: Floats2,
    own: Ints,
    count: int,
) -> None:
    """Add so many rows that are zero at the pivots before them, each for a pivot of its `own`."""
    for c in range(count):
        v, row, factors, p = echelon[rank + c], rows[c], triangle[rank + c], own[c]
        factor = 1.0 / row[p]
        for t in range(v.size):
            v[t] = factor * row[t]
        for k in range(rank + c):
            factors[k] = 0.0
        v[p], factors[rank + c], pivots[rank + c] = 1.0, row[p], p


@entry
def slopes(echelon: Floats2, columns: Ints2, rank: int, out: Floats2) -> int:
    """Fill T (rank, d) and the NONPIVOT of the columns; d, how many those are.

    T has few columns, so two rows of it are made at once, of four below at once: they are read half
    as often, and written a quarter. It is padded with zeros to a multiple of eight columns, and by
    three rows.
    """
    n, pivots, rest, last = echelon.shape[0] - 1, columns[PIVOT], columns[NONPIVOT], rank - 1
    for j in range(n):
        rest[j] = 1
    for c in range(rank):
        rest[pivots[c]] = 0
    d = 0
    for j in range(n):
        if rest[j] == 1:
            rest[d] = j
            d += 1
    padded = (d + 7) // 8 * 8
    for c in range(rank + 3):
        source, row, filled = echelon[min(c, rank)], out[c], d if c < rank else 0
        for i in range(filled):
            row[i] = source[rest[i]]
        for i in range(filled, padded):
            row[i] = 0.0
    for c in range(rank - 2 - rank % 2, -1, -2):  # of an odd number the last has none below
        source, row, source_below, row_below = echelon[c], out[c], echelon[c + 1], out[c + 1]
        for k in range(c + 2, rank, 4):
            a0, a1, a2, a3 = out[k], out[k + 1], out[k + 2], out[k + 3]
            p0, p1 = pivots[k], pivots[min(k + 1, last)]
            p2, p3 = pivots[min(k + 2, last)], pivots[min(k + 3, last)]
            f0, f1, f2, f3 = source[p0], source[p1], source[p2], source[p3]
            g0, g1 = source_below[p0], source_below[p1]
            g2, g3 = source_below[p2], source_below[p3]
            for i in range(padded):
                x0, x1, x2, x3 = a0[i], a1[i], a2[i], a3[i]
                row[i] -= f0 * x0 + f1 * x1 + f2 * x2 + f3 * x3
                row_below[i] -= g0 * x0 + g1 * x1 + g2 * x2 + g3 * x3
        f = source[pivots[c + 1]]
        for i in range(padded):
            row[i] -= f * row_below[i]
    return d


@entry
def write_free(slope: Floats2, columns: Ints2, rank: int, i: int, v: Floats) -> None:
    """Write the step along which only one coordinate of NONPIVOT, the i-th, and the pivots move."""
    pivots = columns[PIVOT]
    for t in range(v.size):
        v[t] = 0.0
    v[columns[NONPIVOT, i]] = 1.0
    for c in range(rank):
        v[pivots[c]] = -slope[c, i]


@entry
def basic(echelon: Floats2, pivots: Ints, rank: int, values: Floats, step: Floats) -> None:
    """Fill the step that moves pivots only and gives the rows in echelon form these values."""
    for t in range(echelon.shape[1]):
        step[t] = 0.0
    for c in range(rank - 1, -1, -1):
        a, s = echelon[c], values[c]
        for t in range(echelon.shape[1]):
            s -= a[t] * step[t]
        step[pivots[c]] = s


@entry
def reduce(hessian: Floats2, echelon: Floats2, columns: Ints2, rank: int, room: Floats2) -> None:
    """Turn a symmetric matrix H (n, w) into EᵀHE, E u the step that follows u where u is no pivot.

    With t a row in echelon form and h the row of H at its pivot, H loses t uᵀ + u tᵀ,
    u = h − ½ h_p t. Four rows at once, with `room` (4, w) for their u: H is read and written a
    quarter as often. Rows of H at pivots stay as they were when it was their turn: what they would
    be is zero. In its other rows rounding is left at the pivots. NONPIVOT of the columns is room.
    """
    n, width = hessian.shape
    pivots, done = columns[PIVOT], columns[NONPIVOT]
    for i in range(n):
        done[i] = 0
    for first in range(0, rank, 4):
        for k in range(4):
            u = room[k]
            if first + k >= rank:  # those that are missing count nothing
                for t in range(width):
                    u[t] = 0.0
                continue
            own, p = echelon[first + k], pivots[first + k]
            for t in range(width):
                u[t] = hessian[p, t]
            for j in range(k):
                a, b = echelon[first + j], room[j]
                f, g = b[p], a[p]
                for t in range(width):
                    u[t] -= f * a[t] + g * b[t]
            half = 0.5 * u[p]
            for t in range(width):
                u[t] -= half * own[t]
            done[p] = 1
        last = rank - 1
        a0, a1 = echelon[first], echelon[min(first + 1, last)]
        a2, a3 = echelon[min(first + 2, last)], echelon[min(first + 3, last)]
        b0, b1, b2, b3 = room[0], room[1], room[2], room[3]
        for i in range(n):
            if done[i] == 1:
                continue
            row = hessian[i]
            x0, x1, x2, x3 = a0[i], a1[i], a2[i], a3[i]
            y0, y1, y2, y3 = b0[i], b1[i], b2[i], b3[i]
            for t in range(width):
                row[t] -= (
                    x0 * b0[t] + y0 * a0[t] + x1 * b1[t] + y1 * a1[t]
                    + x2 * b2[t] + y2 * a2[t] + x3 * b3[t] + y3 * a3[t]
                )  # fmt: skip
