"""Orthonormal rows: how much of them there is in a vector, and what is left without them."""

import math

from poise.kernel.compiling import compiled

ONCE_MORE = 0.01
"""Of a row with no more than this square of a share across others, these are taken out twice, for
what rounding has left."""


@compiled
def measure(basis, first, rank, v, shares):
    """Fill `shares` with how much of the rows from first to rank of a basis there is in v.

    Four rows at once: v is read a quarter as often, and no sum waits for another.
    """
    width, blocks = basis.shape[1], (rank - first) // 4
    for block in range(blocks):
        c = first + 4 * block
        a0, a1, a2, a3 = basis[c], basis[c + 1], basis[c + 2], basis[c + 3]
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        for t in range(width):
            x = v[t]
            s0 += a0[t] * x
            s1 += a1[t] * x
            s2 += a2[t] * x
            s3 += a3[t] * x
        shares[c], shares[c + 1], shares[c + 2], shares[c + 3] = s0, s1, s2, s3
    for c in range(first + 4 * blocks, rank):
        b, s = basis[c], 0.0
        for t in range(width):
            s += b[t] * v[t]
        shares[c] = s


@compiled
def add(basis, first, rank, sign, shares, v):
    """Add ± Σ share row over the rows from first to rank of a basis to v."""
    width, blocks = basis.shape[1], (rank - first) // 4
    for block in range(blocks):
        c = first + 4 * block
        a0, a1, a2, a3 = basis[c], basis[c + 1], basis[c + 2], basis[c + 3]
        s0, s1 = sign * shares[c], sign * shares[c + 1]
        s2, s3 = sign * shares[c + 2], sign * shares[c + 3]
        for t in range(width):
            v[t] += s0 * a0[t] + s1 * a1[t] + s2 * a2[t] + s3 * a3[t]
    for c in range(first + 4 * blocks, rank):
        b, s = basis[c], sign * shares[c]
        for t in range(width):
            v[t] += s * b[t]


@compiled
def take_out(basis, first, rank, v, shares):
    """Take the rows from first to rank of a basis out of v; `shares` say how much of each."""
    measure(basis, first, rank, v, shares)
    add(basis, first, rank, -1.0, shares, v)


@compiled
def square_of(v, width):
    """The square of the length of v."""
    square = 0.0
    for t in range(width):
        square += v[t] * v[t]
    return square


@compiled
def make_unit(basis, rank, shares):
    """Turn the row of a basis at `rank`, which does not depend on those before, into a next one."""
    v = basis[rank]
    whole = square_of(v, v.size)
    take_out(basis, 0, rank, v, shares)
    left = square_of(v, v.size)
    if left <= ONCE_MORE * whole:
        take_out(basis, 0, rank, v, shares)
        left = square_of(v, v.size)
    factor = 1.0 / math.sqrt(left)
    for t in range(v.size):
        v[t] *= factor
