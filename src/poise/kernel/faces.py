"""The face that a level can move in: what rows above it and bounds that it presses against leave.

`face` finds an orthonormal basis of the rows in force and their multipliers. Everything is in the
coordinates of the inner step, scaled by its metric.
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel import hierarchy_arrays as at
from poise.kernel.arrays import Floats2, Ints2
from poise.kernel.compiling import compiled

AT_STOP = 1e-9
"""A bound this near is touched (rad)."""

NEW = 1e-12
"""Square of the share of a row that must be new for it to join the basis."""

ROUNDING = 1e-24
"""A row whose square is below this share of the longest one's is rounding: what a figure in a plane
has across it. Held, it would take the place of a row that means something."""

NOTHING = 1e-10
"""A pull of this share of the whole gradient is none."""

RELEASES = 20
"""So many bounds may be released in one step."""

BENDS = 6
"""So many steps that went wrong are remembered."""

GRADIENT, STEP, LEFT, ALONG, CURVED, VALUE, FORCE = range(7)
"""Rows of `Room.vectors`: the level's gradient; the step; the negative gradient of the model
there; the direction of search and H times it; the products of the rows with the step; the
multipliers of the basis' rows."""


class Room(NamedTuple):
    """What a Newton step works with."""

    hessian: Floats2  # (n, w) S, then what is left of H in the face
    loads: Floats2  # (N, 15) for `curvature`
    basis: Floats2  # (n + 1, w) orthonormal rows
    triangle: Floats2  # (n + 1, n + 1) the rows in force in terms of the basis
    vectors: Floats2  # (7, max(w, m))
    bends: Floats2  # (6, w + 1) steps that went wrong, and how much stiffer H is along them
    bend: Floats2  # (3, 3) how one limit curves
    members: Ints2  # (2, n + 1) what each row of the basis came from: row r, or −1 − coordinate;
    # and the end that it is held at: 1 upper, −1 lower, 0 both


def make_room(n: int, rows: int, nodes: int) -> Room:
    """Room for n coordinates, so many rows and the nodes of a tree."""
    width = (n + 7) // 8 * 8
    return Room(
        hessian=np.zeros((n, width)),
        loads=np.zeros((nodes, 15)),
        basis=np.zeros((n + 1, width)),
        triangle=np.zeros((n + 1, n + 1)),
        vectors=np.zeros((FORCE + 1, max(width, rows))),
        bends=np.zeros((BENDS, width + 1)),
        bend=np.zeros((3, 3)),
        members=np.zeros((2, n + 1), np.int64),
    )


@compiled
def _extend(basis, triangle, rank):
    """Make the row at `rank` orthonormal to those before; the new rank, the same if it depends."""
    if rank == basis.shape[0] - 1:  # all of the space
        return rank
    v, factors = basis[rank], triangle[rank]
    whole = 0.0
    for t in range(v.size):
        whole += v[t] * v[t]
    for c in range(rank):
        factors[c] = 0.0
    left = whole
    for _ in range(2):
        before, left = left, 0.0
        for c in range(rank):
            b, s = basis[c], 0.0
            for t in range(b.size):
                s += b[t] * v[t]
            for t in range(b.size):
                v[t] -= s * b[t]
            factors[c] += s
        for t in range(v.size):
            left += v[t] * v[t]
        if left <= NEW * whole:
            return rank
        if left > 0.01 * before:  # else once more, for what rounding has left
            break
    length = math.sqrt(left)
    for t in range(v.size):
        v[t] /= length
    factors[rank] = length
    return rank + 1


@compiled
def take_out(basis, first, rank, v):
    """Take the rows from first to rank out of v."""
    for c in range(first, rank):
        b, s = basis[c], 0.0
        for t in range(b.size):
            s += b[t] * v[t]
        for t in range(b.size):
            v[t] -= s * b[t]


@compiled
def hold(ws, room, rank, member, side):
    """Hold a row, or for a negative member the coordinate −1 − member, from now on; the rank."""
    v = room.basis[rank]
    if member >= 0:
        a = ws.matrix[member]
        for t in range(v.size):
            v[t] = a[t]
    else:
        for t in range(v.size):
            v[t] = 0.0
        v[-1 - member] = 1.0
    room.members[0, rank], room.members[1, rank] = member, side
    return _extend(room.basis, room.triangle, rank)


@compiled
def _square(row):
    """The square of a row's length."""
    s = 0.0
    for t in range(row.size):
        s += row[t] * row[t]
    return s


@compiled
def _multipliers(room, rank):
    """Fill FORCE with the λ for which gradient + Σ λ row vanishes in the span of the basis."""
    gradient, force = room.vectors[GRADIENT], room.vectors[FORCE]
    for c in range(rank - 1, -1, -1):
        b, s = room.basis[c], 0.0
        for t in range(b.size):
            s -= b[t] * gradient[t]
        for i in range(c + 1, rank):
            s -= room.triangle[i, c] * force[i]
        force[c] = s / room.triangle[c, c]


@compiled
def _pushed(ws, first, along, least, near):
    """The bound nearer than `near` that a direction pushes hardest against: member, side, how."""
    boxes, rows = ws.boxes, ws.rows
    member, side = np.int64(0), np.int64(0)
    for j in range(ws.box_sets.shape[1]):
        if along[j] > least and boxes[at.BOX_UPPER, j] <= near:
            member, side, least = -1 - j, np.int64(1), along[j]
        elif -along[j] > least and boxes[at.BOX_LOWER, j] >= -near:
            member, side, least = -1 - j, np.int64(-1), -along[j]
    for r in range(first):
        low, up = rows[at.LOWER, r], rows[at.UPPER, r]
        if up - low > at.EQUAL and (up <= near or low >= -near):
            a, s = ws.matrix[r], 0.0
            for t in range(a.size):
                s += a[t] * along[t]
            if s > least and up <= near:
                member, side, least = np.int64(r), np.int64(1), s
            elif -s > least and low >= -near:
                member, side, least = np.int64(r), np.int64(-1), -s
    return member, side, least


@compiled
def face(ws, room, first, last, near):
    """Find what holds the level of the rows from first to last; the rank of the basis.

    Without rows it is the criteria, which ask for the resting step. Rows before `first` are kept:
    equalities as they are, the others and the box, where they are nearer than `near` (rad or m), as
    long as the level presses against them. Fills
    GRADIENT; LEFT with the part of its negative that is free; FORCE with the multipliers.
    """
    gradient, left, force = room.vectors[GRADIENT], room.vectors[LEFT], room.vectors[FORCE]
    rows, members = ws.rows, room.members
    width = ws.matrix.shape[1]
    for t in range(width):
        gradient[t] = -ws.boxes[at.REST, t] if first == last else 0.0
    for r in range(first, last):
        e = max(-rows[at.UPPER, r], 0.0) + min(-rows[at.LOWER, r], 0.0)
        if e != 0.0:
            a = ws.matrix[r]
            for t in range(width):
                gradient[t] += e * a[t]
    longest = 0.0
    for r in range(first):
        longest = max(longest, _square(ws.matrix[r]))
    rank = np.int64(0)
    for r in range(first):
        equal = rows[at.UPPER, r] - rows[at.LOWER, r] <= at.EQUAL
        if equal and _square(ws.matrix[r]) > ROUNDING * longest:
            rank = hold(ws, room, rank, np.int64(r), np.int64(0))
    for j in range(ws.box_sets.shape[1]):
        if ws.boxes[at.BOX_UPPER, j] - ws.boxes[at.BOX_LOWER, j] <= at.EQUAL:
            rank = hold(ws, room, rank, np.int64(-1 - j), np.int64(0))
    equalities = rank
    whole = 0.0
    for t in range(width):
        left[t] = -gradient[t]
        whole += gradient[t] * gradient[t]
    none = NOTHING * math.sqrt(whole)
    take_out(room.basis, np.int64(0), rank, left)
    for release in range(RELEASES + 1):
        while rank < room.basis.shape[0] - 1:
            member, side, least = _pushed(ws, first, left, none, near)
            if side == 0:
                break
            before = rank
            rank = hold(ws, room, rank, member, side)
            if rank == before:  # nothing but rounding pushes there
                none = max(none, least)
            take_out(room.basis, before, rank, left)
        _multipliers(room, rank)
        worst, drop = -1e3 * none, np.int64(-1)
        for c in range(equalities, rank):
            if force[c] * members[1, c] < worst:
                worst, drop = force[c] * members[1, c], c
        if drop < 0 or release == RELEASES:
            break
        held = rank
        rank = drop
        for c in range(drop + 1, held):
            rank = hold(ws, room, rank, members[0, c], members[1, c])
        for t in range(width):
            left[t] = -gradient[t]
        take_out(room.basis, np.int64(0), rank, left)
    return rank
