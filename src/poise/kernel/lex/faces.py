"""The face that a level can move in: what rows above it and bounds that it presses against leave.

`face` finds the rows in force and their multipliers. Equalities come first. They are eliminated
(`echelon`), and what they span, or what they leave where that is less, gets an orthonormal basis.
Bounds follow, each as what is new in it, an orthonormal row. Levels are looked at one after the
other, and what one must keep, the next must keep too: equalities are added from call to call,
until `anew` says that other rows are there. Everything is in the coordinates of the inner step,
scaled by its metric.
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints, Ints2, aligned
from poise.kernel.compiling import compiled, entry
from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.arrays import Workspace
from poise.kernel.hierarchy.orthonormal import (
    ONCE_MORE,
    add,
    make_unit,
    measure,
    square_of,
    take_out,
)
from poise.kernel.lex.echelon import (
    NEW,
    PIVOT,
    ROUNDING,
    adopt,
    eliminate,
    fits,
    join,
    slopes,
    write_free,
)
from poise.kernel.lex.settings import SETTINGS

NO_FORCE = 1e-10
"""A pull of this share of the whole gradient is none."""

WRONG_SIDE = 1e3
"""A bound is released if its multiplier has the wrong sign by so many times what is no force."""

RELEASES = 20
"""So many bounds may be released in one step."""

(
    GRADIENT, STEP, REDUCED_GRADIENT, DIRECTION, H_DIRECTION, VALUE, BOUND_SHARE, MULTIPLIERS,
    SHARE, AGAIN, TAKEN, BEFORE,
) = range(12)  # fmt: skip
"""Rows of `Newton.vectors`: the level's gradient; the step; the negative gradient of the model
there; the direction of search and H times it; the products of the rows with the step; what bounds
in the basis take up of the negative gradient, before them room; the multipliers of the rows in
force; what elimination has left of the square of each equality; room for doing something twice; not
zero at coordinates that had better not become pivots; the reduced gradient before a CG path."""

EQUALITIES, SEEN, SPANNED, FREE, SEGMENTS = range(5)
"""Entries of `Newton.face_state`: how many rows are equalities; the row up to which they were
looked for, −1 if not even among the coordinates; how many of them the basis is made for; how many
orthonormal steps it has that keep these, −1 if it is made of the equalities themselves; how many
segments the last CG path has."""

MOST_SEGMENTS = 40
"""The most segments of a CG path that are remembered."""


class Newton(NamedTuple):
    """What a Newton step works with."""

    hessian: Floats2  # (n, w) S, then what is left of H in the face
    loads: Floats2  # (N, 15) for `curvature`
    torques: Floats2  # (N, 3) for `curvature`
    echelon: Floats2  # (n + 1, w) the equalities, eliminated
    slopes: Floats2  # (n + 4, w) how their pivots follow the other coordinates
    basis: Floats2  # (n + 1, w) orthonormal: one for equalities, see `FREE`; bounds at their place
    triangle: Floats2  # (n + 1, n + 1) equalities in terms of echelon, bounds of basis
    vectors: Floats2  # (12, max(n + 3, m), then padded like w)
    path: Floats2  # (MOST_SEGMENTS + 1, w) where the last CG path began, and each segment ended
    segments: Floats2  # (MOST_SEGMENTS, 3) what had been gained before it, its slope, how it bends
    bend: Floats2  # (3, 3) how one limit curves
    active: Ints2  # (2, n + 1) what each row in force came from: row r, or −1 − coordinate;
    # and the end that it is held at: 1 upper, −1 lower, 0 both
    columns: Ints2  # (2, n + 1) the pivots of echelon, and the other coordinates
    face_state: Ints  # (5,) what the last face has left, see `SEEN`


def make_newton(n: int, rows: int, nodes: int) -> Newton:
    """Newton for n coordinates, so many rows and the nodes of a tree."""
    width, longest = (n + 7) // 8 * 8, (max(n + 3, rows) + 7) // 8 * 8
    return Newton(
        hessian=aligned(n, width),
        loads=np.zeros((nodes, 15)),
        torques=np.zeros((nodes, 3)),
        echelon=aligned(n + 1, width),
        slopes=aligned(n + 4, width),
        basis=aligned(n + 1, width),
        triangle=np.zeros((n + 1, n + 1)),
        vectors=aligned(BEFORE + 1, longest),
        path=aligned(MOST_SEGMENTS + 1, width),
        segments=np.zeros((MOST_SEGMENTS, 3)),
        bend=np.zeros((3, 3)),
        active=np.zeros((2, n + 1), np.int64),
        columns=np.zeros((2, n + 1), np.int64),
        face_state=np.array([0, -1, 0, -1, 0]),
    )


@entry
def anew(newton: Newton) -> None:
    """Forget the equalities: rows or bounds have changed."""
    known = newton.face_state
    known[EQUALITIES], known[SEEN], known[SPANNED], known[FREE] = 0, -1, 0, -1
    for t in range(newton.echelon.shape[1]):
        newton.vectors[TAKEN, t] = 0.0


@compiled
def span(newton):
    """Make the basis for all equalities: of themselves, or of what they leave where that is less.

    Rows in echelon form are far from depending on each other, and steps that they leave too.
    """
    known, basis, echelon, columns = newton.face_state, newton.basis, newton.echelon, newton.columns
    rank, spanned, shares = known[EQUALITIES], known[SPANNED], newton.vectors[BOUND_SHARE]
    if spanned == rank:
        return
    known[SPANNED], known[FREE] = rank, -1
    if 2 * rank < basis.shape[0]:
        for c in range(spanned, rank):
            for t in range(basis.shape[1]):
                basis[c, t] = echelon[c, t]
            make_unit(basis, c, shares)
    else:
        free = slopes(echelon, columns, rank, newton.slopes)
        for i in range(free):
            write_free(newton.slopes, columns, rank, i, basis[i])
            make_unit(basis, i, shares)
        known[FREE] = free


@entry
def project(newton: Newton, rank: int, v: Floats, shares: Floats) -> None:
    """Take all that the first `rank` rows in force can take up out of v.

    `shares` say how much of each bound that was; entries before those are room.
    """
    basis, free, first = newton.basis, newton.face_state[FREE], 0
    if free >= 0:
        first = newton.face_state[EQUALITIES]
        measure(basis, 0, free, v, shares)
        for t in range(basis.shape[1]):
            v[t] = 0.0
        add(basis, 0, free, 1.0, shares, v)
    take_out(basis, first, rank, v, shares)


@compiled
def _write(matrix, member, v):
    """Write a row, or for a negative member that of the coordinate −1 − member."""
    if member >= 0:
        a = matrix[member]
        for t in range(v.size):
            v[t] = a[t]
    else:
        for t in range(v.size):
            v[t] = 0.0
        v[-1 - member] = 1.0


@entry
def hold(ws: Workspace, newton: Newton, rank: int, member: int, side: int) -> int:
    """Hold a row, or for a negative member the coordinate −1 − member, from now on; the rank.

    It comes after those in force: what is new in it joins the basis. The rank stays the same if
    that is nothing.
    """
    if rank == ws.box_sets.shape[1]:  # all of the space
        return rank
    v, factors, again = newton.basis[rank], newton.triangle[rank], newton.vectors[AGAIN]
    _write(ws.matrix, member, v)
    whole = square_of(v, v.size)
    project(newton, rank, v, factors)
    left = square_of(v, v.size)
    if left <= ONCE_MORE * whole:
        project(newton, rank, v, again)
        left = square_of(v, v.size)
        for c in range(rank):
            factors[c] += again[c]
    if left <= NEW * whole or whole < ROUNDING * ROUNDING:
        return rank
    factors[rank] = math.sqrt(left)
    for t in range(v.size):
        v[t] /= factors[rank]
    newton.active[0, rank], newton.active[1, rank] = member, side
    return rank + 1


@compiled
def _join(matrix, echelon, pivots, triangle, members, shares, taken, rank, member):
    """Make a row, or for a negative member the coordinate −1 − member, the next equality.

    Unless it depends on those before it; how many there are now.
    """
    if rank == echelon.shape[0] - 1:  # all of the space
        return rank
    _write(matrix, member, echelon[rank])
    shares[rank] = join(echelon, pivots, rank, triangle[rank], taken)
    members[0, rank], members[1, rank] = member, 0
    return rank + 1 if shares[rank] > 0.0 else rank


@compiled
def keep(ws, newton, member):
    """Make a row, or for a negative member the coordinate −1 − member, an equality from now on.

    Bounds are not in force then until the next face.
    """
    newton.face_state[EQUALITIES] = _join(
        ws.matrix, newton.echelon, newton.columns[PIVOT], newton.triangle, newton.active,
        newton.vectors[SHARE], newton.vectors[TAKEN], newton.face_state[EQUALITIES], member,
    )  # fmt: skip


@compiled
def keep_before(ws, newton, first):
    """Find all equalities among coordinates and the rows before `first`."""
    rows, boxes, matrix, seen = ws.rows, ws.boxes, ws.matrix, newton.face_state[SEEN]
    echelon, pivots, triangle = newton.echelon, newton.columns[PIVOT], newton.triangle
    shares, taken = newton.vectors[SHARE], newton.vectors[TAKEN]
    members, rank = newton.active, newton.face_state[EQUALITIES]
    for j in range(ws.box_sets.shape[1] if seen < 0 else 0):
        if boxes[at.BOX_UPPER, j] - boxes[at.BOX_LOWER, j] <= at.EQUAL:
            member = -1 - j
            rank = _join(
                matrix, echelon, pivots, triangle, members, shares, taken, rank, member
            )  # fmt: skip
    for r in range(max(seen, 0), first):
        if rows[at.UPPER, r] - rows[at.LOWER, r] <= at.EQUAL:
            rank = _join(
                matrix, echelon, pivots, triangle, members, shares, taken, rank, r
            )  # fmt: skip
    newton.face_state[EQUALITIES], newton.face_state[SEEN] = rank, first


@compiled
def keep_made(ws, newton, first, rows, pivots, count):
    """Make equalities of the rows from `first` on, so many, which are made to be in echelon form.

    They are also `rows`, each zero at the `pivots` of those before. The equalities before `first`
    are all there. If they have other pivots than those that the rows were made for, they get these
    where they can; else the rows are eliminated like others. How many those before are.
    """
    members, own, taken = newton.active, newton.columns[PIVOT], newton.vectors[TAKEN]
    rank = newton.face_state[EQUALITIES]
    if not fits(own, rank, rows, count):
        for c in range(count):
            for t in range(rows.shape[1]):
                taken[t] += rows[c, t] * rows[c, t]
        newton.face_state[EQUALITIES], newton.face_state[SPANNED] = 0, 0
        for c in range(rank):
            keep(ws, newton, members[0, c])
        rank = newton.face_state[EQUALITIES]
        if not fits(own, rank, rows, count):
            return rank
    adopt(newton.echelon, own, newton.triangle, rank, rows, pivots, count)
    for c in range(count):
        members[0, rank + c], members[1, rank + c], newton.vectors[SHARE, rank + c] = (
            first + c,
            0,
            1.0,
        )
    newton.face_state[EQUALITIES], newton.face_state[SEEN] = rank + count, first + count
    return rank


@compiled
def _take_up(newton, first, rank):
    """Take the bounds from first to rank out of REDUCED_GRADIENT, into BOUND_SHARE."""
    take_out(
        newton.basis, first, rank, newton.vectors[REDUCED_GRADIENT], newton.vectors[BOUND_SHARE]
    )


@compiled
def _divide(triangle, first, rank, force):
    """Turn what the rows of a basis take up into the multipliers of those that they come from."""
    for i in range(rank - 1, first - 1, -1):
        factors = triangle[i]
        force[i] /= factors[i]
        f = force[i]
        if f != 0.0:
            for c in range(first, i):
                force[c] -= factors[c] * f


@compiled
def _force_bounds(newton, rank):
    """Fill MULTIPLIERS with the multipliers of bounds: those of what they take up."""
    pull, force, equalities = (
        newton.vectors[BOUND_SHARE],
        newton.vectors[MULTIPLIERS],
        newton.face_state[EQUALITIES],
    )
    for c in range(equalities, rank):
        force[c] = pull[c]
    _divide(newton.triangle, equalities, rank, force)


@compiled
def _force_equalities(ws, newton, rank):
    """Fill MULTIPLIERS with the λ of equalities: gradient + Σ λ row is minus REDUCED_GRADIENT."""
    gradient, left, force = (
        newton.vectors[GRADIENT],
        newton.vectors[REDUCED_GRADIENT],
        newton.vectors[MULTIPLIERS],
    )
    taken, equalities = newton.vectors[H_DIRECTION], newton.face_state[EQUALITIES]
    for t in range(ws.matrix.shape[1]):
        taken[t] = -gradient[t] - left[t]
    for c in range(equalities, rank):
        member = newton.active[0, c]
        if member >= 0:
            a = ws.matrix[member]
            for t in range(a.size):
                taken[t] -= force[c] * a[t]
        else:
            taken[-1 - member] -= force[c]
    eliminate(newton.echelon, newton.columns[PIVOT], equalities, taken, force)
    _divide(newton.triangle, 0, equalities, force)


@compiled
def _pushed(ws, first, along, least, near):
    """The bound nearer than `near` that a direction pushes hardest against: member, side, how."""
    boxes, rows = ws.boxes, ws.rows
    member, side = 0, 0
    for j in range(ws.box_sets.shape[1]):
        if along[j] > least and boxes[at.BOX_UPPER, j] <= near:
            member, side, least = -1 - j, 1, along[j]
        elif -along[j] > least and boxes[at.BOX_LOWER, j] >= -near:
            member, side, least = -1 - j, -1, -along[j]
    for r in range(first):
        low, up = rows[at.LOWER, r], rows[at.UPPER, r]
        if up - low > at.EQUAL and (up <= near or low >= -near):
            a, s = ws.matrix[r], 0.0
            for t in range(a.size):
                s += a[t] * along[t]
            if s > least and up <= near:
                member, side, least = r, 1, s
            elif -s > least and low >= -near:
                member, side, least = r, -1, -s
    return member, side, least


@entry
def only_nears(ws: Workspace, newton: Newton, rank: int) -> bool:
    """Whether a bound in force is only near, not touched."""
    nears = False
    for c in range(newton.face_state[EQUALITIES], rank):
        member, side = newton.active[0, c], newton.active[1, c]
        if member >= 0:
            at_side = ws.rows[at.UPPER if side > 0 else at.LOWER, member]
        else:
            at_side = ws.boxes[at.BOX_UPPER if side > 0 else at.BOX_LOWER, -1 - member]
        nears |= side * at_side > SETTINGS.at_stop
    return nears


@entry
def face(ws: Workspace, newton: Newton, first: int, last: int, near: float) -> int:
    """Find what holds the level of the rows from first to last; how many rows that are.

    Without rows it is the criteria, which ask for the resting step. Rows before `first` are kept:
    equalities as they are, the others and the box, where they are nearer than `near` (rad or m), as
    long as the level presses against them. Since the last `anew` no row before the `first` of an
    earlier call may have changed, but for bounds that were given to `keep`. Fills GRADIENT;
    REDUCED_GRADIENT with the part of its negative that is free; MULTIPLIERS with the multipliers.
    """
    gradient, left, force = (
        newton.vectors[GRADIENT],
        newton.vectors[REDUCED_GRADIENT],
        newton.vectors[MULTIPLIERS],
    )
    rows, members = ws.rows, newton.active
    width = ws.matrix.shape[1]
    for t in range(width):
        gradient[t] = -ws.boxes[at.REST, t] if first == last else 0.0
    for r in range(first, last):
        e = max(-rows[at.UPPER, r], 0.0) + min(-rows[at.LOWER, r], 0.0)
        if e != 0.0:
            a = ws.matrix[r]
            for t in range(width):
                gradient[t] += e * a[t]
    keep_before(ws, newton, first)
    span(newton)
    rank = newton.face_state[EQUALITIES]
    equalities = rank
    whole = 0.0
    for t in range(width):
        left[t] = -gradient[t]
        whole += gradient[t] * gradient[t]
    none = NO_FORCE * math.sqrt(whole)
    project(newton, rank, left, newton.vectors[BOUND_SHARE])
    for release in range(RELEASES + 1):
        while rank < ws.box_sets.shape[1]:
            member, side, least = _pushed(ws, first, left, none, near)
            if side == 0:
                break
            before = rank
            rank = hold(ws, newton, rank, member, side)
            if rank == before:  # nothing but rounding pushes there
                none = max(none, least)
            _take_up(newton, before, rank)
        _force_bounds(newton, rank)
        worst, drop = -WRONG_SIDE * none, -1
        for c in range(equalities, rank):
            if force[c] * members[1, c] < worst:
                worst, drop = force[c] * members[1, c], c
        if drop < 0 or release == RELEASES:
            break
        held = rank
        rank = drop
        for c in range(drop + 1, held):
            rank = hold(ws, newton, rank, members[0, c], members[1, c])
        for t in range(width):
            left[t] = -gradient[t]
        project(newton, equalities, left, newton.vectors[BOUND_SHARE])
        _take_up(newton, equalities, rank)
    _force_equalities(ws, newton, rank)
    return rank
