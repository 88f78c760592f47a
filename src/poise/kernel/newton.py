"""Newton steps for a level that can't be met, along what keeps the levels above it.

A level whose error e stays has the Hessian H = JᵀJ + S, S = Σ e ∇²e + Σ λ ∇²(rows above), with
the multipliers λ of the rows above; Gauss-Newton, which leaves S out, overshoots by 1 + |e|/ℓ. So
such a level is lowered by itself, by Newton steps in the space that the rows above and the bounds
leave to it:

- `face` finds that space: an orthonormal basis of the rows in force, those above and the bounds
  that the level presses against.
- `descend` minimises the quadratic model there by conjugate gradients, up to a radius of trust
  (Steihaug), and takes in every bound that is met on the way.
- `learn` remembers where a step brought less than H had promised; `forget` forgets it.
- `stiff_rows` turns what the level needs, once it has come to rest, into rows for the levels
  below: L with LᵀL ≈ H in that space. `restoring_rows` and `restore` bring back, after a step of
  such a level, those above it.

Everything is in the coordinates of the inner step, scaled by its metric.
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

NOTHING = 1e-10
"""A pull of this share of the whole gradient is none."""

EXACT = 0.02
"""The share of the first residual at which conjugate gradients stop."""

BENDS = 6
"""So many steps that went wrong are remembered."""

RELEASES = 20
"""So many bounds may be released in one step."""

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
def _project(basis, first, rank, v):
    """Take the rows from first to rank out of v."""
    for c in range(first, rank):
        b, s = basis[c], 0.0
        for t in range(b.size):
            s += b[t] * v[t]
        for t in range(b.size):
            v[t] -= s * b[t]


@compiled
def _hold(ws, room, rank, member, side):
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
def _pushed(ws, first, along, least):
    """The touched bound that a direction pushes hardest against: member, side, and how hard."""
    boxes, rows = ws.boxes, ws.rows
    member, side = np.int64(0), np.int64(0)
    for j in range(ws.box_sets.shape[1]):
        if along[j] > least and boxes[at.BOX_UPPER, j] <= AT_STOP:
            member, side, least = -1 - j, np.int64(1), along[j]
        elif -along[j] > least and boxes[at.BOX_LOWER, j] >= -AT_STOP:
            member, side, least = -1 - j, np.int64(-1), -along[j]
    for r in range(first):
        low, up = rows[at.LOWER, r], rows[at.UPPER, r]
        if up - low > at.EQUAL and (up <= AT_STOP or low >= -AT_STOP):
            a, s = ws.matrix[r], 0.0
            for t in range(a.size):
                s += a[t] * along[t]
            if s > least and up <= AT_STOP:
                member, side, least = np.int64(r), np.int64(1), s
            elif -s > least and low >= -AT_STOP:
                member, side, least = np.int64(r), np.int64(-1), -s
    return member, side, least


@compiled
def face(ws, room, first, last):
    """Find what holds the level of the rows from first to last; the rank of the basis.

    Without rows it is the criteria, which ask for the resting step. Rows before `first` are kept:
    equalities as they are, the others and the box as long as the level presses against them. Fills
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
    rank = np.int64(0)
    for r in range(first):
        if rows[at.UPPER, r] - rows[at.LOWER, r] <= at.EQUAL:
            rank = _hold(ws, room, rank, np.int64(r), np.int64(0))
    for j in range(ws.box_sets.shape[1]):
        if ws.boxes[at.BOX_UPPER, j] - ws.boxes[at.BOX_LOWER, j] <= at.EQUAL:
            rank = _hold(ws, room, rank, np.int64(-1 - j), np.int64(0))
    equalities = rank
    whole = 0.0
    for t in range(width):
        left[t] = -gradient[t]
        whole += gradient[t] * gradient[t]
    none = NOTHING * math.sqrt(whole)
    _project(room.basis, np.int64(0), rank, left)
    for release in range(RELEASES + 1):
        while rank < room.basis.shape[0] - 1:
            member, side, least = _pushed(ws, first, left, none)
            if side == 0:
                break
            before = rank
            rank = _hold(ws, room, rank, member, side)
            if rank == before:  # nothing but rounding pushes there
                none = max(none, least)
            _project(room.basis, before, rank, left)
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
            rank = _hold(ws, room, rank, members[0, c], members[1, c])
        for t in range(width):
            left[t] = -gradient[t]
        _project(room.basis, np.int64(0), rank, left)
    return rank


@compiled
def _times(ws, room, first, last, learned, x, out):
    """Fill out = H x: S, and JᵀJ of the level's rows that are not satisfied."""
    for i in range(room.hessian.shape[0]):
        row, s = room.hessian[i], 0.0
        for t in range(row.size):
            s += row[t] * x[t]
        out[i] = s
    for r in range(first, last):
        if ws.rows[at.UPPER, r] < 0.0 or ws.rows[at.LOWER, r] > 0.0 or (
            ws.rows[at.UPPER, r] - ws.rows[at.LOWER, r] <= at.EQUAL
        ):  # fmt: skip
            a, s = ws.matrix[r], 0.0
            for t in range(a.size):
                s += a[t] * x[t]
            for t in range(a.size):
                out[t] += s * a[t]
    width = room.bends.shape[1] - 1
    for k in range(room.bends.shape[0] if learned else 0):
        d, s = room.bends[k], 0.0
        if d[width] > 0.0:
            for t in range(width):
                s += d[t] * x[t]
            s *= d[width]
            for t in range(width):
                out[t] += s * d[t]


@compiled
def learn(room, failing):
    """Remember that H along the last step is stiffer than it was taken for.

    What is not in H, such as how limits curve, shows in what a step failed to bring: half of
    c (d · d)² if H had c d dᵀ more. The oldest such step is forgotten.
    """
    bends, step, width = room.bends, room.vectors[STEP], room.bends.shape[1] - 1
    square = 0.0
    for k in range(bends.shape[0] - 1, 0, -1):
        for t in range(width + 1):
            bends[k, t] = bends[k - 1, t]
    for t in range(width):
        bends[0, t] = step[t]
        square += step[t] * step[t]
    bends[0, width] = 2.0 * failing / (square * square) if square > 0.0 else 0.0


@compiled
def forget(room):
    """Forget the steps that went wrong."""
    for k in range(room.bends.shape[0]):
        room.bends[k, room.bends.shape[1] - 1] = 0.0


@compiled
def restore(ws, room, first, rank, radius):
    """Fill STEP with the shortest step that gives the rows before `first` what they want; the rank.

    No longer than the radius. Bounds and inequalities that it would break are held from here on.
    """
    n, width = ws.box_sets.shape[1], ws.matrix.shape[1]
    rows, boxes, members, basis = ws.rows, ws.boxes, room.members, room.basis
    step, share = room.vectors[STEP], room.vectors[ALONG]
    for t in range(width):
        step[t] = 0.0
    begin, square = np.int64(0), 0.0
    while True:
        for c in range(begin, rank):
            member, side = members[0, c], members[1, c]
            if member >= 0:
                wanted = rows[at.UPPER if side > 0 else at.LOWER, member]
            elif side == 0:
                wanted = 0.0
            else:
                wanted = boxes[at.BOX_UPPER if side > 0 else at.BOX_LOWER, -1 - member]
            for i in range(c):
                wanted -= room.triangle[c, i] * share[i]
            share[c] = wanted / room.triangle[c, c]
            square += share[c] * share[c]
            b = basis[c]
            for t in range(width):
                step[t] += share[c] * b[t]
        begin = rank
        if square > radius * radius or rank == basis.shape[0] - 1:
            break
        member, side, worst = np.int64(0), np.int64(0), AT_STOP
        for j in range(n):
            if step[j] - boxes[at.BOX_UPPER, j] > worst:
                member, side, worst = -1 - j, np.int64(1), step[j] - boxes[at.BOX_UPPER, j]
            elif boxes[at.BOX_LOWER, j] - step[j] > worst:
                member, side, worst = -1 - j, np.int64(-1), boxes[at.BOX_LOWER, j] - step[j]
        for r in range(first):
            low, up = rows[at.LOWER, r], rows[at.UPPER, r]
            if up - low > at.EQUAL:
                a, s = ws.matrix[r], 0.0
                for t in range(width):
                    s += a[t] * step[t]
                if s - up > worst:
                    member, side, worst = np.int64(r), np.int64(1), s - up
                elif low - s > worst:
                    member, side, worst = np.int64(r), np.int64(-1), low - s
        if side == 0:
            break
        rank = _hold(ws, room, rank, member, side)
        if rank == begin:
            break
    scale = min(1.0, radius / math.sqrt(max(square, 1e-300)))
    for j in range(n):  # what can't be held is not gone beyond
        step[j] = min(max(scale * step[j], boxes[at.BOX_LOWER, j]), boxes[at.BOX_UPPER, j])
    return rank


@compiled
def descend(ws, room, first, last, rank, radius, learned):
    """Go down the level's quadratic model from the face that `face` found; what that promises.

    Fills STEP, no longer than the radius, and VALUE of the rows before `first`. Bounds that are
    met on the way are held from there on.
    """
    n, width = ws.box_sets.shape[1], ws.matrix.shape[1]
    rows, boxes = ws.rows, ws.boxes
    step, left, along = room.vectors[STEP], room.vectors[LEFT], room.vectors[ALONG]
    curved, value = room.vectors[CURVED], room.vectors[VALUE]
    square = 0.0
    for t in range(width):
        step[t], along[t], curved[t] = 0.0, left[t], 0.0
        square += left[t] * left[t]
    for r in range(first):
        value[r] = 0.0
    enough, promise = EXACT * EXACT * square, 0.0
    for _ in range(2 * n):
        if square <= enough:
            break
        _times(ws, room, first, last, learned, along, curved)
        bend, slope, cross, long, gone = 0.0, 0.0, 0.0, 0.0, 0.0
        for t in range(width):
            bend += along[t] * curved[t]
            slope += along[t] * left[t]
            cross += along[t] * step[t]
            long += along[t] * along[t]
            gone += step[t] * step[t]
        # To the radius; to the minimum, if there is one; to the next bound.
        room_left = max(radius * radius - gone, 0.0)
        far = (math.sqrt(cross * cross + long * room_left) - cross) / long
        share, end, member, side = far, True, np.int64(0), np.int64(0)
        if bend > 1e-12 * long and slope / bend < far:
            share, end = slope / bend, False
        for j in range(n):
            a = along[j]
            if a != 0.0:
                room_left = (boxes[at.BOX_UPPER if a > 0.0 else at.BOX_LOWER, j] - step[j]) / a
                if room_left < share and abs(a) * share > 1e-14:
                    share, member, side = room_left, np.int64(-1 - j), np.int64(1 if a > 0 else -1)
        for r in range(first):
            low, up = rows[at.LOWER, r], rows[at.UPPER, r]
            if up - low > at.EQUAL:
                row, s = ws.matrix[r], 0.0
                for t in range(width):
                    s += row[t] * along[t]
                if s != 0.0:
                    room_left = ((up if s > 0.0 else low) - value[r]) / s
                    if room_left < share and abs(s) * share > 1e-14:
                        share, member, side = room_left, np.int64(r), np.int64(1 if s > 0 else -1)
                rows[at.CHANGE, r] = s
        share = max(share, 0.0)
        promise += share * slope - 0.5 * share * share * bend
        for t in range(width):
            step[t] += share * along[t]
            left[t] -= share * curved[t]
        for r in range(first):
            if rows[at.UPPER, r] - rows[at.LOWER, r] > at.EQUAL:
                value[r] += share * rows[at.CHANGE, r]
        if side == 0 and end:
            break
        before = rank
        if side != 0:
            if rank == room.basis.shape[0] - 1:
                break
            rank = _hold(ws, room, rank, member, side)
            if rank == before:
                break
        _project(room.basis, np.int64(0), rank, left)
        new = 0.0
        for t in range(width):
            new += left[t] * left[t]
        ratio = 0.0 if side != 0 else new / square
        square = new
        for t in range(width):
            along[t] = left[t] + ratio * along[t]
    return promise


@compiled
def stiff_rows(ws, room, first, last, rank, enough, tilt, kept, pivots):
    """Replace the rows from first on by those that keep the level at rest; how many there are.

    Stops when no diagonal entry of what is left of H exceeds `enough`, or at the most rows.
    Bounds that the level presses against become equalities.
    """
    n, width = ws.box_sets.shape[1], ws.matrix.shape[1]
    hessian, gradient = room.hessian, room.vectors[GRADIENT]
    force, members = room.vectors[FORCE], room.members
    for r in range(first, last):
        satisfied = ws.rows[at.UPPER, r] >= 0.0 and ws.rows[at.LOWER, r] <= 0.0
        if satisfied and ws.rows[at.UPPER, r] - ws.rows[at.LOWER, r] > at.EQUAL:
            continue
        a = ws.matrix[r]
        for i in range(n):
            row, f = hessian[i], a[i]
            for t in range(width):
                row[t] += f * a[t]
    turned = room.vectors[CURVED]
    for c in range(rank):  # H becomes P H P, P = I − bbᵀ, for one row after the other
        b, s = room.basis[c], 0.0
        for i in range(n):
            row, d = hessian[i], 0.0
            for t in range(width):
                d += row[t] * b[t]
            turned[i] = d
            s += b[i] * d
        for i in range(n):
            turned[i] -= 0.5 * s * b[i]
        for t in range(n, width):
            turned[t] = 0.0
        for i in range(n):
            row, x, y = hessian[i], b[i], turned[i]
            for t in range(width):
                row[t] -= x * turned[t] + y * b[t]
    size = 0.0
    for t in range(width):
        size = max(size, abs(gradient[t]))
    for c in range(rank):
        member, side = members[0, c], members[1, c]
        if side != 0 and force[c] * side > 1e-6 * size:
            if member >= 0:
                ws.rows[at.LOWER, member], ws.rows[at.UPPER, member] = 0.0, 0.0
            else:
                ws.boxes[at.BOX_LOWER, -1 - member] = 0.0
                ws.boxes[at.BOX_UPPER, -1 - member] = 0.0
    diagonal, count = room.vectors[ALONG], np.int64(0)
    for i in range(n):
        diagonal[i] = hessian[i, i]
    while count < kept.shape[0]:
        p, best = np.int64(0), -np.inf
        for i in range(n):
            if diagonal[i] > best:
                p, best = np.int64(i), diagonal[i]
        if best <= enough:
            break
        row, source, root = kept[count], hessian[p], math.sqrt(best)
        for t in range(width):
            row[t] = source[t]
        for k in range(count):
            other = kept[k]
            f = other[p]
            for t in range(width):
                row[t] -= f * other[t]
        for t in range(width):
            row[t] /= root
        for i in range(n):
            diagonal[i] -= row[i] * row[i]
        diagonal[p] = -np.inf
        count += 1
        pivots[count] = p
    pivots[0] = count
    for c in range(count):
        row = ws.matrix[first + c]
        for t in range(width):
            row[t] = kept[c, t]
        ws.rows[at.LOWER, first + c], ws.rows[at.UPPER, first + c] = 0.0, 0.0
    slope, left = 0.0, room.vectors[LEFT]
    for t in range(width):
        slope += left[t] * left[t]
    slope = math.sqrt(slope)
    if slope > tilt:
        row = ws.matrix[first + count]
        for t in range(width):
            row[t] = left[t] / slope
        ws.rows[at.LOWER, first + count], ws.rows[at.UPPER, first + count] = 0.0, np.inf
        count += 1
    return count


@compiled
def restoring_rows(ws, room, first, kept, pivots, soft):
    """Replace the rows from first on by those that bring a level back to rest; their number.

    They are the stiff rows L from before, with what they must come to: LᵀL u is minus the slope.
    Along what bends less than `soft` it is not brought back: that would lead too far.
    """
    left, count = room.vectors[LEFT], pivots[0]
    for c in range(count):
        p, row = pivots[c + 1], ws.matrix[first + c]
        wanted = left[p]
        for k in range(c):
            wanted -= kept[k, p] * ws.rows[at.LOWER, first + k]
        wanted /= kept[c, p]
        for t in range(row.size):
            row[t] = kept[c, t]
        ws.rows[at.LOWER, first + c] = wanted
    for c in range(count):
        bend = kept[c, pivots[c + 1]] ** 2
        wanted = ws.rows[at.LOWER, first + c] * bend / (bend + soft)
        ws.rows[at.LOWER, first + c], ws.rows[at.UPPER, first + c] = wanted, wanted
    return count
