"""Newton steps for a level that can't be met, along what keeps the levels above it.

A level whose error e stays has the Hessian H = JᵀJ + S, S = Σ e ∇²e + Σ λ ∇²(rows above), with
the multipliers λ of the rows above and of limits; Gauss-Newton, which leaves S out, overshoots by
1 + |e|/ℓ. So such a level is lowered by itself, by Newton steps in the face that these rows and the
bounds leave to it (`faces`): `descend` minimises the quadratic model there by conjugate gradients,
up to a radius of trust (Steihaug), and takes in every bound that is met on the way. How such a step
is gone, and what that adds to H, is in `retraction`.
"""

import math

import numpy as np

from poise.kernel import hierarchy_arrays as at
from poise.kernel.compiling import compiled
from poise.kernel.echelon import NEW
from poise.kernel.faces import (
    ALONG,
    CURVED,
    LEFT,
    LEGS,
    MOST_LEGS,
    PULL,
    STEP,
    VALUE,
    hold,
    project,
)

EXACT = 0.02
"""The share of the first residual at which conjugate gradients stop."""


@compiled
def _times(ws, room, first, last, x, out):
    """Fill out = H x: S, and JᵀJ of the level's rows that are not satisfied."""
    n, width = room.hessian.shape
    for i in range(0, n, 4):  # four rows at once: no sum waits for another
        j1, j2, j3 = min(i + 1, n - 1), min(i + 2, n - 1), min(i + 3, n - 1)
        a0, a1, a2, a3 = room.hessian[i], room.hessian[j1], room.hessian[j2], room.hessian[j3]
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        for t in range(width):
            s0 += a0[t] * x[t]
            s1 += a1[t] * x[t]
            s2 += a2[t] * x[t]
            s3 += a3[t] * x[t]
        out[i], out[j1], out[j2], out[j3] = s0, s1, s2, s3
    for r in range(first, last):
        if ws.rows[at.UPPER, r] < 0.0 or ws.rows[at.LOWER, r] > 0.0 or (
            ws.rows[at.UPPER, r] - ws.rows[at.LOWER, r] <= at.EQUAL
        ):  # fmt: skip
            a, s = ws.matrix[r], 0.0
            for t in range(a.size):
                s += a[t] * x[t]
            for t in range(a.size):
                out[t] += s * a[t]


@compiled
def descend(ws, room, first, last, rank, radius):
    """Go down the level's quadratic model from the face that `face` found; what that promises.

    Fills STEP, no longer than the radius, and VALUE of the rows before `first`. Bounds that are
    met on the way are held from there on. `shorten` knows the way that was gone.
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
    enough, promise, legs = EXACT * EXACT * square, 0.0, np.int64(0)
    for _ in range(2 * n):
        if square <= enough:
            break
        _times(ws, room, first, last, along, curved)
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
        # What is no more than rounding along the direction is not met: it could not be held.
        for j in range(n):
            a = along[j]
            if a * a > NEW * long:
                room_left = (boxes[at.BOX_UPPER if a > 0.0 else at.BOX_LOWER, j] - step[j]) / a
                if room_left < share:
                    share, member, side = room_left, np.int64(-1 - j), np.int64(1 if a > 0 else -1)
        for r in range(first):
            low, up = rows[at.LOWER, r], rows[at.UPPER, r]
            if up - low > at.EQUAL:
                row, s, whole = ws.matrix[r], 0.0, 0.0
                for t in range(width):
                    s += row[t] * along[t]
                    whole += row[t] * row[t]
                if s * s > NEW * long * whole:
                    room_left = ((up if s > 0.0 else low) - value[r]) / s
                    if room_left < share:
                        share, member, side = room_left, np.int64(r), np.int64(1 if s > 0 else -1)
                rows[at.CHANGE, r] = s
        share = max(share, 0.0)
        if legs < MOST_LEGS:
            leg = room.legs[legs]
            leg[0], leg[1], leg[2] = promise, share * slope, share * share * bend
        promise += share * slope - 0.5 * share * share * bend
        for t in range(width):
            step[t] += share * along[t]
            left[t] -= share * curved[t]
        if legs < MOST_LEGS:
            for t in range(width):
                room.path[legs, t] = step[t]
        legs += 1
        for r in range(first):
            if rows[at.UPPER, r] - rows[at.LOWER, r] > at.EQUAL:
                value[r] += share * rows[at.CHANGE, r]
        if side == 0 and end:
            break
        before = rank
        if side != 0:
            rank = hold(ws, room, rank, member, side)
            if rank == before:
                break
        project(room, rank, left, room.vectors[PULL])
        new = 0.0
        for t in range(width):
            new += left[t] * left[t]
        ratio = 0.0 if side != 0 else new / square
        square = new
        if side != 0:  # what a bound takes up is no measure of what is left
            enough = min(enough, EXACT * EXACT * new)
        for t in range(width):
            along[t] = left[t] + ratio * along[t]
    room.known[LEGS] = legs
    return promise


@compiled
def shorten(room, radius):
    """Fill STEP with where the last way down leaves a smaller radius; what that promises.

    The way does not depend on the radius, so that it is not to be looked for again. Nothing is
    promised where it is not known so far. VALUE and what is held stay those of the whole way.
    """
    path, step, legs = room.path, room.vectors[STEP], room.known[LEGS]
    for leg in range(min(legs, MOST_LEGS)):
        end, gone, cross, long = path[leg], 0.0, 0.0, 0.0
        for t in range(path.shape[1]):
            begin = path[leg - 1, t] if leg > 0 else 0.0
            gone += begin * begin
            cross += begin * (end[t] - begin)
            long += (end[t] - begin) * (end[t] - begin)
        room_left = max(radius * radius - gone, 0.0)
        if long + 2.0 * cross < room_left or long == 0.0:
            continue
        share = (math.sqrt(cross * cross + long * room_left) - cross) / long
        for t in range(path.shape[1]):
            begin = path[leg - 1, t] if leg > 0 else 0.0
            step[t] = begin + share * (end[t] - begin)
        before, slope, bend = room.legs[leg, 0], room.legs[leg, 1], room.legs[leg, 2]
        return before + share * slope - 0.5 * share * share * bend
    return 0.0


@compiled
def stride(room):
    """The length of STEP."""
    length = 0.0
    for t in range(room.hessian.shape[0]):
        length += room.vectors[STEP, t] * room.vectors[STEP, t]
    return math.sqrt(length)
