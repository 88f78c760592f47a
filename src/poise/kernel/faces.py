"""The face that a level can move in: what rows above it and bounds that it presses against leave.

`face` finds an orthonormal basis of the rows in force and their multipliers. Levels are looked at
one after the other, and what one must keep, the next must keep too: the basis of the equalities
grows from call to call, until `anew` says that other rows are there. Everything is in the
coordinates of the inner step, scaled by its metric.
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel import hierarchy_arrays as at
from poise.kernel.arrays import Floats2, Ints, Ints2
from poise.kernel.compiling import compiled

AT_STOP = 1e-9
"""A bound this near is touched (rad)."""

NEW = 1e-12
"""Square of the share of a row that must be new for it to join the basis."""

ROUNDING = 1e-12
"""A row shorter than this (m/rad) is rounding: what a figure in a plane has across it. Held, it
would take the place of a row that means something."""

NOTHING = 1e-10
"""A pull of this share of the whole gradient is none."""

RELEASES = 20
"""So many bounds may be released in one step."""

GRADIENT, STEP, LEFT, ALONG, CURVED, VALUE, PULL, FORCE = range(8)
"""Rows of `Room.vectors`: the level's gradient; the step; the negative gradient of the model
there; the direction of search and H times it; the products of the rows with the step; what the
rows of the basis take up of the negative gradient; the multipliers of the rows that they come
from."""

EQUALITIES, SEEN, HELD = range(3)
"""Entries of `Room.known`: how many rows of the basis are equalities; the row up to which they were
looked for, −1 if not even among the coordinates; the rank of the last face."""


class Room(NamedTuple):
    """What a Newton step works with."""

    hessian: Floats2  # (n, w) S, then what is left of H in the face
    loads: Floats2  # (N, 15) for `curvature`
    basis: Floats2  # (n + 1, w) orthonormal rows
    triangle: Floats2  # (n + 1, n + 1) the rows in force in terms of the basis
    vectors: Floats2  # (8, max(w, m))
    bend: Floats2  # (3, 3) how one limit curves
    members: Ints2  # (2, n + 1) what each row of the basis came from: row r, or −1 − coordinate;
    # and the end that it is held at: 1 upper, −1 lower, 0 both
    known: Ints  # (3,) what the last face has left, see `SEEN`


def make_room(n: int, rows: int, nodes: int) -> Room:
    """Room for n coordinates, so many rows and the nodes of a tree."""
    width = (n + 7) // 8 * 8
    return Room(
        hessian=np.zeros((n, width)),
        loads=np.zeros((nodes, 15)),
        basis=np.zeros((n + 1, width)),
        triangle=np.zeros((n + 1, n + 1)),
        vectors=np.zeros((FORCE + 1, max(width, rows))),
        bend=np.zeros((3, 3)),
        members=np.zeros((2, n + 1), np.int64),
        known=np.array([0, -1, 0]),
    )


@compiled
def anew(room):
    """Forget the basis: rows or bounds have changed."""
    room.known[EQUALITIES], room.known[SEEN], room.known[HELD] = 0, -1, 0


@compiled
def take_out(basis, first, rank, v, shares):
    """Take the rows from first to rank out of v; `shares` grow by what was theirs.

    Four rows at once: v is read and written a quarter as often, and no sum waits for another.
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
        for t in range(width):
            v[t] -= s0 * a0[t] + s1 * a1[t] + s2 * a2[t] + s3 * a3[t]
        shares[c] += s0
        shares[c + 1] += s1
        shares[c + 2] += s2
        shares[c + 3] += s3
    for c in range(first + 4 * blocks, rank):
        b, s = basis[c], 0.0
        for t in range(width):
            s += b[t] * v[t]
        for t in range(width):
            v[t] -= s * b[t]
        shares[c] += s


@compiled
def _extend(basis, triangle, rank):
    """Make the row at `rank` orthonormal to those before; the new rank, the same if it depends."""
    if rank == basis.shape[0] - 1:  # all of the space
        return rank
    v, factors = basis[rank], triangle[rank]
    whole = 0.0
    for t in range(v.size):
        whole += v[t] * v[t]
    if whole < ROUNDING * ROUNDING:
        return rank
    for c in range(rank):
        factors[c] = 0.0
    left = whole
    for _ in range(2):
        before, left = left, 0.0
        take_out(basis, np.int64(0), rank, v, factors)
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
def _equal(ws, member):
    """Whether a row, or for a negative member the coordinate −1 − member, has one value only."""
    if member >= 0:
        return ws.rows[at.UPPER, member] - ws.rows[at.LOWER, member] <= at.EQUAL
    return ws.boxes[at.BOX_UPPER, -1 - member] - ws.boxes[at.BOX_LOWER, -1 - member] <= at.EQUAL


@compiled
def _keep(ws, room, first):
    """Hold all equalities among coordinates and the rows before `first`; the rank."""
    known, members = room.known, room.members
    rank, seen, held = known[EQUALITIES], known[SEEN], known[HELD]
    for c in range(rank, held):  # bounds that a level at rest has made equalities
        if _equal(ws, members[0, c]):
            rank = hold(ws, room, rank, members[0, c], np.int64(0))
    for j in range(ws.box_sets.shape[1] if seen < 0 else 0):
        if _equal(ws, np.int64(-1 - j)):
            rank = hold(ws, room, rank, np.int64(-1 - j), np.int64(0))
    for r in range(max(seen, 0), first):
        if _equal(ws, np.int64(r)):
            rank = hold(ws, room, rank, np.int64(r), np.int64(0))
    known[EQUALITIES], known[SEEN] = rank, first
    return rank


@compiled
def _take_up(room, first, rank):
    """Take the rows of the basis from first to rank out of LEFT, into PULL."""
    pull = room.vectors[PULL]
    for c in range(first, rank):
        pull[c] = 0.0
    take_out(room.basis, first, rank, room.vectors[LEFT], pull)


@compiled
def _multipliers(room, rank):
    """Fill FORCE with the λ for which gradient + Σ λ row vanishes in the span of the basis."""
    pull, force = room.vectors[PULL], room.vectors[FORCE]
    for c in range(rank):
        force[c] = pull[c]
    for i in range(rank - 1, -1, -1):
        factors = room.triangle[i]
        force[i] /= factors[i]
        f = force[i]
        for c in range(i):
            force[c] -= factors[c] * f


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
    long as the level presses against them. Since the last `anew` no row before the `first` of an
    earlier call may have changed, but for bounds that have become equalities. Fills GRADIENT; LEFT
    with the part of its negative that is free; FORCE with the multipliers.
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
    rank = _keep(ws, room, first)
    equalities = rank
    whole = 0.0
    for t in range(width):
        left[t] = -gradient[t]
        whole += gradient[t] * gradient[t]
    none = NOTHING * math.sqrt(whole)
    _take_up(room, np.int64(0), rank)
    for release in range(RELEASES + 1):
        while rank < room.basis.shape[0] - 1:
            member, side, least = _pushed(ws, first, left, none, near)
            if side == 0:
                break
            before = rank
            rank = hold(ws, room, rank, member, side)
            if rank == before:  # nothing but rounding pushes there
                none = max(none, least)
            _take_up(room, before, rank)
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
        _take_up(room, np.int64(0), rank)
    room.known[HELD] = rank
    return rank
