"""Dense pieces of the inner step: Gram matrix, echelon Cholesky factor, substitutions.

Rows of the matrix A are padded with zeros to a multiple of eight columns, so that the loops over
a row run in whole vector registers. All loops run along rows.

The factor is kept as U = Lᵀ: row c of U belongs to pivot c and holds L[i, c] for every position i
of `order`, the list of active rows. A row that depends on those before it gets no pivot, but its
entries L[i, :] are there like those of any other row: L is a trapezoid in row echelon form.
"""

import numpy as np

from poise.kernel.compiling import compiled
from poise.kernel.hierarchy import arrays as at


@compiled
def gram(matrix, rows, count, product):
    """Fill product[r, s] = A_r · A_s for all r, s among the first `count` of `rows`."""
    for i in range(0, count, 2):
        i0 = rows[i]
        i1 = rows[min(i + 1, count - 1)]
        a0 = matrix[i0]
        a1 = matrix[i1]
        for j in range(0, i + 1, 2):
            j0 = rows[j]
            j1 = rows[min(j + 1, count - 1)]
            b0 = matrix[j0]
            b1 = matrix[j1]
            s00 = 0.0
            s01 = 0.0
            s10 = 0.0
            s11 = 0.0
            for t in range(a0.size):
                s00 += a0[t] * b0[t]
                s01 += a0[t] * b1[t]
                s10 += a1[t] * b0[t]
                s11 += a1[t] * b1[t]
            product[i0, j0] = s00
            product[j0, i0] = s00
            product[i0, j1] = s01
            product[j1, i0] = s01
            product[i1, j0] = s10
            product[j0, i1] = s10
            product[i1, j1] = s11
            product[j1, i1] = s11


@compiled
def add_column(matrix, column, rows, sign, change, buffer, product, value):
    """Add sign·a aᵀ to `product` and change·a to `value`, where a is a column of A.

    With sign −1 the column leaves the Gram matrix: the coordinate is fixed from now on.
    """
    a = buffer[:rows]
    for r in range(rows):
        a[r] = matrix[r, column]
    for r in range(rows):
        if a[r] != 0.0:
            value[r] += change * a[r]
            factor = sign * a[r]
            target = product[r, :rows]
            for t in range(target.size):
                target[t] += factor * a[t]


@compiled
def factorise(ws, begin, end, total, tolerance):
    """Append the rows at positions begin..end of `order` to the factor; return its pivots.

    Entries are computed for all positions below `total`, so rows may be appended later without
    touching those before. A row becomes a pivot when the square of what is new in it exceeds
    `tolerance` times `norm`, the square of the whole row.
    """
    product, upper, norm = ws.squares[at.PRODUCT], ws.squares[at.FACTOR], ws.rows[at.NORM]
    order, pivot, inverse = ws.row_sets[at.ORDER], ws.row_sets[at.PIVOT], ws.rows[at.INVERSE]
    pivots = ws.counts[at.PIVOTS]
    for i in range(begin, end):
        source = product[order[i]]
        row = upper[pivots, i:total]
        for t in range(row.size):
            row[t] = source[order[i + t]]
        c = 0
        while c + 4 <= pivots:
            r0 = upper[c, i:total]
            r1 = upper[c + 1, i:total]
            r2 = upper[c + 2, i:total]
            r3 = upper[c + 3, i:total]
            f0 = r0[0]
            f1 = r1[0]
            f2 = r2[0]
            f3 = r3[0]
            for t in range(row.size):
                row[t] -= f0 * r0[t] + f1 * r1[t] + f2 * r2[t] + f3 * r3[t]
            c += 4
        while c < pivots:
            r0 = upper[c, i:total]
            f0 = r0[0]
            for t in range(row.size):
                row[t] -= f0 * r0[t]
            c += 1
        if row[0] > tolerance * norm[order[i]]:
            scale = 1.0 / np.sqrt(row[0])
            for t in range(row.size):
                row[t] *= scale
            before = upper[pivots, :i]
            for t in range(before.size):
                before[t] = 0.0
            inverse[pivots] = scale
            pivot[pivots] = i
            pivots += 1
    return pivots


@compiled
def forward(upper, inverse, pivot, pivots, total, residual, solution):
    """Solve L z = residual over the first pivots; what is left of `residual` stays in it."""
    for c in range(pivots):
        i = pivot[c]
        x = residual[i] * inverse[c]
        solution[c] = x
        row = upper[c, i:total]
        rest = residual[i:total]
        for t in range(row.size):
            rest[t] -= x * row[t]


@compiled
def backward(upper, inverse, pivot, pivots, total, given, solution):
    """Solve Lᵀ x = given; `solution` is by position, zero where a row is no pivot."""
    for i in range(total):
        solution[i] = 0.0
    for c in range(pivots - 1, -1, -1):
        i = pivot[c]
        row = upper[c, i:total]
        known = solution[i:total]
        x = given[c]
        for t in range(row.size):
            x -= row[t] * known[t]
        solution[i] = x * inverse[c]


@compiled
def normal_factor(upper, begin, end, first, last, damping, normal):
    """Factor LᵀL + damping = RᵀR for the pivots begin..end over the positions first..last.

    R is left in the upper triangle of `normal`, with reciprocals on its diagonal.
    """
    size = end - begin
    for a in range(size):
        row = upper[begin + a, first:last]
        for b in range(a, size):
            other = upper[begin + b, first:last]
            s = 0.0
            for t in range(row.size):
                s += row[t] * other[t]
            normal[a, b] = s
        normal[a, a] += damping
    for a in range(size):
        row = normal[a, a:size]
        for b in range(a):
            other = normal[b, a:size]
            f = other[0]
            for t in range(row.size):
                row[t] -= f * other[t]
        scale = 1.0 / np.sqrt(row[0])
        for t in range(row.size):
            row[t] *= scale
        row[0] = scale


@compiled
def normal_solve(normal, size, x):
    """Solve RᵀR x = x in place with the factor of `normal_factor`."""
    for a in range(size):
        x[a] *= normal[a, a]
        row = normal[a, a + 1 : size]
        rest = x[a + 1 : size]
        for t in range(row.size):
            rest[t] -= x[a] * row[t]
    for a in range(size - 1, -1, -1):
        row = normal[a, a + 1 : size]
        known = x[a + 1 : size]
        s = x[a]
        for t in range(row.size):
            s -= row[t] * known[t]
        x[a] = s * normal[a, a]


@compiled
def add_rows(matrix, order, count, coefficient, x):
    """Add Σ coefficient[i] · A[order[i]] to x."""
    i = 0
    while i + 4 <= count:
        c0 = coefficient[i]
        c1 = coefficient[i + 1]
        c2 = coefficient[i + 2]
        c3 = coefficient[i + 3]
        a0 = matrix[order[i]]
        a1 = matrix[order[i + 1]]
        a2 = matrix[order[i + 2]]
        a3 = matrix[order[i + 3]]
        for t in range(x.size):
            x[t] += c0 * a0[t] + c1 * a1[t] + c2 * a2[t] + c3 * a3[t]
        i += 4
    while i < count:
        c0 = coefficient[i]
        a0 = matrix[order[i]]
        for t in range(x.size):
            x[t] += c0 * a0[t]
        i += 1


@compiled
def times(matrix, rows, x, value):
    """Fill value = A x for the first `rows` rows."""
    r = 0
    while r + 4 <= rows:
        a0 = matrix[r]
        a1 = matrix[r + 1]
        a2 = matrix[r + 2]
        a3 = matrix[r + 3]
        s0 = 0.0
        s1 = 0.0
        s2 = 0.0
        s3 = 0.0
        for t in range(x.size):
            s0 += a0[t] * x[t]
            s1 += a1[t] * x[t]
            s2 += a2[t] * x[t]
            s3 += a3[t] * x[t]
        value[r] = s0
        value[r + 1] = s1
        value[r + 2] = s2
        value[r + 3] = s3
        r += 4
    while r < rows:
        a0 = matrix[r]
        s0 = 0.0
        for t in range(x.size):
            s0 += a0[t] * x[t]
        value[r] = s0
        r += 1
