"""Newton steps for a level that can't be met, along what keeps the levels above it.

A level whose error e stays has the Hessian H = JᵀJ + S, S = Σ e ∇²e + Σ λ ∇²(rows above), with
the multipliers λ of the rows above and of limits; Gauss-Newton, which leaves S out, overshoots by
1 + |e|/ℓ. So such a level is lowered by itself, by Newton steps in the face that these rows and the
bounds leave to it (`faces`): `descend` minimises the quadratic model there by conjugate gradients,
up to a radius of trust (Steihaug), and takes in every bound that is met on the way. Where the rows
above are a little off, it begins with a step that brings them back. How such a step is gone, and
what that adds to H, is in `retraction`.
"""

import math

from poise.kernel.compiling import compiled, entry
from poise.kernel.filling import copy, evenly
from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.arrays import Workspace
from poise.kernel.lex.echelon import NEW
from poise.kernel.lex.faces import (
    BEFORE,
    BOUND_SHARE,
    DIRECTION,
    GRADIENT,
    H_DIRECTION,
    MOST_SEGMENTS,
    REDUCED_GRADIENT,
    SEGMENTS,
    STEP,
    VALUE,
    Newton,
    hold,
    project,
)

EXACT = 0.02
"""The share of the first residual at which conjugate gradients stop: what is soft shows late."""


@compiled
def _times(ws, newton, first, last, x, out):
    """Fill out = H x: S, and JᵀJ of the level's rows that are not satisfied."""
    n, width = newton.hessian.shape
    for i in range(0, n, 4):  # four rows at once: no sum waits for another
        j1, j2, j3 = min(i + 1, n - 1), min(i + 2, n - 1), min(i + 3, n - 1)
        a0, a1, a2, a3 = (
            newton.hessian[i],
            newton.hessian[j1],
            newton.hessian[j2],
            newton.hessian[j3],
        )
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
def _begin(ws, newton, first, last, rank, back):
    """Let a CG path begin here, or at STEP; what going there promises.

    Fills REDUCED_GRADIENT with the part of the negative gradient there that is free, BEFORE with
    what it was here, and VALUE.
    """
    step, left, curved = (
        newton.vectors[STEP],
        newton.vectors[REDUCED_GRADIENT],
        newton.vectors[H_DIRECTION],
    )
    value, begin, before = newton.vectors[VALUE], newton.path[0], newton.vectors[BEFORE]
    promise = 0.0
    for t in range(begin.size):
        step[t] = step[t] if back and t < ws.box_sets.shape[1] else 0.0
        begin[t], curved[t], before[t] = step[t], 0.0, left[t]
    for r in range(first):
        value[r] = 0.0
    if back:
        _times(ws, newton, first, last, step, curved)
        for t in range(begin.size):
            promise += (left[t] - 0.5 * curved[t]) * step[t]
            left[t] -= curved[t]
        project(newton, rank, left, newton.vectors[BOUND_SHARE])
        for r in range(first):
            a = ws.matrix[r]
            for t in range(begin.size):
                value[r] += a[t] * step[t]
    return promise


@entry
def descend(
    ws: Workspace,
    newton: Newton,
    first: int,
    last: int,
    rank: int,
    radius: float,
    back: bool,
    little: float,
) -> float:
    """Go down the level's quadratic model from the face that `face` found; what that promises.

    With `back` it goes on from STEP, which brings back the rows above, and which the rows in force
    can take up. Fills STEP, besides that no longer than the radius, and VALUE of the rows before
    `first`. Bounds that are met on the way are held from there on. `shorten` knows the way that was
    gone. Without `back` it goes no farther where no more than `little` can be gained, by the slope
    that is left and the radius; but once along the slope, which may bend down.
    """
    n, width = ws.box_sets.shape[1], ws.matrix.shape[1]
    rows, boxes = ws.rows, ws.boxes
    step, left, along = (
        newton.vectors[STEP],
        newton.vectors[REDUCED_GRADIENT],
        newton.vectors[DIRECTION],
    )
    curved, value = newton.vectors[H_DIRECTION], newton.vectors[VALUE]
    promise = _begin(ws, newton, first, last, rank, back)
    square, most = 0.0, radius * radius
    for t in range(width):
        along[t] = left[t]
        square += left[t] * left[t]
        most += step[t] * step[t]
    enough, segments = EXACT * EXACT * square, 0
    worth = enough  # where it is worth going there, whatever bounds take up
    for _ in range(2 * n):
        left_over = 0.0 if back or segments == 0 else max(little - promise, 0.0)
        if square <= (worth if promise > little else enough) or square * radius**2 <= left_over**2:
            break
        _times(ws, newton, first, last, along, curved)
        bend, slope, cross, long, gone = 0.0, 0.0, 0.0, 0.0, 0.0
        for t in range(width):
            bend += along[t] * curved[t]
            slope += along[t] * left[t]
            cross += along[t] * step[t]
            long += along[t] * along[t]
            gone += step[t] * step[t]
        # To the radius; to the minimum, if there is one; to the next bound.
        room_left = max(most - gone, 0.0)
        far = (math.sqrt(cross * cross + long * room_left) - cross) / long
        share, end, member, side = far, True, 0, 0
        if bend > 1e-12 * long and slope / bend < far:
            share, end = slope / bend, False
        # What is no more than rounding along the direction is not met: it could not be held.
        for j in range(n):
            a = along[j]
            if a * a > NEW * long:
                room_left = (boxes[at.BOX_UPPER if a > 0.0 else at.BOX_LOWER, j] - step[j]) / a
                if room_left < share:
                    share, member, side = room_left, -1 - j, 1 if a > 0 else -1
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
                        share, member, side = room_left, r, 1 if s > 0 else -1
                rows[at.CHANGE, r] = s
        share = max(share, 0.0)
        if segments < MOST_SEGMENTS:
            segment = newton.segments[segments]
            segment[0], segment[1], segment[2] = promise, share * slope, share * share * bend
        promise += share * slope - 0.5 * share * share * bend
        for t in range(width):
            step[t] += share * along[t]
            left[t] -= share * curved[t]
        segments += 1
        if segments <= MOST_SEGMENTS:
            for t in range(width):
                newton.path[segments, t] = step[t]
        for r in range(first):
            if rows[at.UPPER, r] - rows[at.LOWER, r] > at.EQUAL:
                value[r] += share * rows[at.CHANGE, r]
        if side == 0 and end:
            break
        before = rank
        if side != 0:
            rank = hold(ws, newton, rank, member, side)
            if rank == before:
                break
        project(newton, rank, left, newton.vectors[BOUND_SHARE])
        new = 0.0
        for t in range(width):
            new += left[t] * left[t]
        ratio = 0.0 if side != 0 else new / square
        square = new
        if side != 0:  # what a bound takes up is no measure of what is left
            enough = min(enough, EXACT * EXACT * new)
        for t in range(width):
            along[t] = left[t] + ratio * along[t]
    newton.face_state[SEGMENTS] = segments
    return promise


@entry
def descend_from_saddle(
    ws: Workspace, newton: Newton, first: int, last: int, rank: int, radius: float, pull: float
) -> float:
    """Go down where the slope is next to nothing but the model may bend down; what that promises.

    Conjugate gradients see a direction of negative curvature only if the slope has a part along it.
    So they begin with the slope and a little more that has parts along all directions: of each
    coordinate a number of its own between ±pull/√n, projected to what the face leaves free. Its
    norm is at most `pull`. What is promised is that of the model with the slope alone, along the
    step that was found. Called after `descend`, from the same face.
    """
    step, left, gradient = (
        newton.vectors[STEP],
        newton.vectors[REDUCED_GRADIENT],
        newton.vectors[GRADIENT],
    )
    n = ws.box_sets.shape[1]
    undo(newton)
    for i in range(n):
        left[i] += pull * evenly(i, 1) / math.sqrt(n)
    project(newton, rank, left, newton.vectors[BOUND_SHARE])
    descend(ws, newton, first, last, rank, radius, False, 0.0)
    curved = newton.vectors[H_DIRECTION]
    _times(ws, newton, first, last, step, curved)
    slope, bend = 0.0, 0.0
    for t in range(ws.matrix.shape[1]):
        slope -= gradient[t] * step[t]
        bend += step[t] * curved[t]
    return slope - 0.5 * bend


@entry
def undo(newton: Newton) -> None:
    """Let REDUCED_GRADIENT be what it was before the last CG path; the face is what it was, too."""
    left, before = newton.vectors[REDUCED_GRADIENT], newton.vectors[BEFORE]
    for t in range(newton.path.shape[1]):
        left[t] = before[t]


@entry
def shorten(newton: Newton, radius: float) -> float:
    """Fill STEP with where the last CG path leaves a smaller radius; what that promises.

    The way does not depend on the radius, so that it is not to be looked for again. Where it is not
    known so far nothing is promised, and STEP is where it began. VALUE and what is held stay those
    of the whole way.
    """
    path, step, segments = newton.path, newton.vectors[STEP], newton.face_state[SEGMENTS]
    most = radius * radius
    for t in range(path.shape[1]):
        most += path[0, t] * path[0, t]
    for segment in range(min(segments, MOST_SEGMENTS)):
        begin, end, gone, cross, long = path[segment], path[segment + 1], 0.0, 0.0, 0.0
        for t in range(path.shape[1]):
            gone += begin[t] * begin[t]
            cross += begin[t] * (end[t] - begin[t])
            long += (end[t] - begin[t]) * (end[t] - begin[t])
        room_left = max(most - gone, 0.0)
        if long + 2.0 * cross < room_left or long == 0.0:
            continue
        share = (math.sqrt(cross * cross + long * room_left) - cross) / long
        for t in range(path.shape[1]):
            step[t] = begin[t] + share * (end[t] - begin[t])
        before, slope, bend = (
            newton.segments[segment, 0],
            newton.segments[segment, 1],
            newton.segments[segment, 2],
        )
        return before + share * slope - 0.5 * share * share * bend
    copy(path[0], step[: path.shape[1]])
    return 0.0


@entry
def step_norm(newton: Newton) -> float:
    """The length of STEP."""
    length = 0.0
    for t in range(newton.hessian.shape[0]):
        length += newton.vectors[STEP, t] * newton.vectors[STEP, t]
    return math.sqrt(length)


@entry
def tangential_norm(newton: Newton) -> float:
    """The length of STEP besides what it began with."""
    step, begin, length = newton.vectors[STEP], newton.path[0], 0.0
    for t in range(newton.hessian.shape[0]):
        length += (step[t] - begin[t]) * (step[t] - begin[t])
    return math.sqrt(length)
