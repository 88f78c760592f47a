"""Multipliers of many figures, eliminated block by block along what ties the figures together.

Of the system (6) of Ho, Komura & Lau 2005, with the columns scaled by the metric and damping ρ for
each row, the coordinates are eliminated first: (J Jᵀ + ρ) y = r, Δu = Jᵀ y. That is the least of
|Δu|² + Σ (J Δu − r)²/ρ: rows with next to no damping are kept, others as well as they can be.

Rows that touch the same figures are one *group*; J Jᵀ has a block for two groups only where they
share a figure. The groups are numbered in the order in which they are eliminated, which whoever
makes the `Plan` chooses: along a chain or a tree of figures nothing fills in, round a ring one
block for each.

J is kept in few columns. Figures whose rows never meet share the same ones: a ring of forty has
the columns of two figures. A `Plan` says which figure has which.
"""

import math
from typing import NamedTuple

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.compiling import compiled, entry


class Plan(NamedTuple):
    """Which rows meet, and in which order they are eliminated. F figures, G groups, E links.

    Blocks of the triangle are numbered: the G on the diagonal, then one for each link.
    """

    member_start: Ints  # (F + 1,) into the next
    member: Ints  # (n,) the coordinates of each figure
    first: Ints  # (F,) the first column of each figure
    touched_start: Ints  # (G + 1,) into the next
    touched: Ints  # the figures that each group touches
    link_start: Ints  # (G + 1,) into the next
    link: Ints  # (E,) the later groups that each group meets, or will when it is its turn
    shared_start: Ints  # (G + E + 1,) into the next
    shared: Ints  # the figures that the two groups of each block share
    target: Ints  # the block that each pair of links of a group changes, in the order of pairs


class Room(NamedTuple):
    """Room to eliminate R rows or fewer, and the multipliers."""

    offset: Ints  # (G + E,) where in `storage` each block begins
    storage: Floats  # all blocks
    rows: Floats2  # (R, w) the rows with their columns scaled
    y: Floats  # (R,) the multipliers, a result


@entry
def multipliers(
    plan: Plan,
    room: Room,
    start: Ints,
    chosen: Ints,
    matrix: Floats2,
    metric: Floats,
    right: Floats,
    damping: Floats,
    step: Floats,
) -> bool:
    """The shortest step with J Δq = r, in the metric; whether it could be found.

    Args:
        plan: which rows meet.
        room: as much as it takes, with offsets.
        start: (G + 1,) the rows of each group.
        chosen: (R,) where in `matrix` each row stands.
        matrix: (M, w) rows in few columns.
        metric: (n,) how willingly each coordinate moves; 0 for one that does not.
        right: (R,) r.
        damping: (R,) ρ, above 0, so that rows which depend on each other do no harm.
        step: (n,) Δq, a result.
    """
    offset, storage, rows, y = room.offset, room.storage, room.rows, room.y
    _scale(plan, start, chosen, matrix, metric, rows)
    _multiply(plan, start, offset, rows, damping, storage)
    if not _factor(plan, start, offset, storage):
        return False
    for r in range(right.size):
        y[r] = right[r]
    _substitute(plan, start, offset, storage, y)
    first, touched = plan.first, plan.touched
    for i in range(step.size):
        step[i] = 0.0
    for g in range(start.size - 1):
        for k in range(plan.touched_start[g], plan.touched_start[g + 1]):
            f = touched[k]
            members = plan.member[plan.member_start[f] : plan.member_start[f + 1]]
            for r in range(start[g], start[g + 1]):
                row, factor = rows[r, first[f] : first[f] + members.size], y[r]
                for j in range(members.size):
                    step[members[j]] += factor * row[j]
    for i in range(step.size):
        step[i] *= metric[i]
    return True


@entry
def apply(
    plan: Plan, start: Ints, chosen: Ints, matrix: Floats2, step: Floats, out: Floats
) -> None:
    """J Δq for the chosen rows."""
    first, touched = plan.first, plan.touched
    for g in range(start.size - 1):
        for r in range(start[g], start[g + 1]):
            total = 0.0
            for k in range(plan.touched_start[g], plan.touched_start[g + 1]):
                f = touched[k]
                members = plan.member[plan.member_start[f] : plan.member_start[f + 1]]
                row = matrix[chosen[r], first[f] : first[f] + members.size]
                for j in range(members.size):
                    total += row[j] * step[members[j]]
            out[r] = total


@entry
def draw(plan: Plan, start: Ints, chosen: Ints, matrix: Floats2, y: Floats, out: Floats) -> None:
    """Jᵀ y over the chosen rows, for every coordinate."""
    first, touched = plan.first, plan.touched
    for i in range(out.size):
        out[i] = 0.0
    for g in range(start.size - 1):
        for k in range(plan.touched_start[g], plan.touched_start[g + 1]):
            f = touched[k]
            members = plan.member[plan.member_start[f] : plan.member_start[f + 1]]
            for r in range(start[g], start[g + 1]):
                row, factor = matrix[chosen[r], first[f] : first[f] + members.size], y[r]
                for j in range(members.size):
                    out[members[j]] += factor * row[j]


@compiled
def _scale(plan, start, chosen, matrix, metric, rows):
    """The chosen rows with their columns scaled."""
    first, touched = plan.first, plan.touched
    for g in range(start.size - 1):
        for k in range(plan.touched_start[g], plan.touched_start[g + 1]):
            f = touched[k]
            members = plan.member[plan.member_start[f] : plan.member_start[f + 1]]
            for r in range(start[g], start[g + 1]):
                source = matrix[chosen[r], first[f] : first[f] + members.size]
                row = rows[r, first[f] : first[f] + members.size]
                for j in range(members.size):
                    row[j] = source[j] * metric[members[j]]


@compiled
def _multiply(plan, start, offset, rows, damping, storage):
    """The lower triangle of J Jᵀ + ρ, block by block."""
    groups = start.size - 1
    for g in range(groups):
        width = start[g + 1] - start[g]
        for e in range(plan.link_start[g] - 1, plan.link_start[g + 1]):
            # Before the links the block on the diagonal.
            alone = e < plan.link_start[g]
            h, block = (g, g) if alone else (plan.link[e], groups + e)
            for p in range(start[h + 1] - start[h]):
                for q in range(p + 1 if alone else width):
                    total = damping[start[g] + p] if alone and p == q else 0.0
                    for k in range(plan.shared_start[block], plan.shared_start[block + 1]):
                        f = plan.shared[k]
                        first = plan.first[f]
                        last = first + plan.member_start[f + 1] - plan.member_start[f]
                        a, b = rows[start[h] + p, first:last], rows[start[g] + q, first:last]
                        for j in range(a.size):
                            total += a[j] * b[j]
                    storage[offset[block] + p * width + q] = total


@compiled
def _factor(plan, start, offset, storage):
    """Cholesky's factor in place, group by group; False where a pivot is not positive."""
    groups, pair = start.size - 1, 0
    for g in range(groups):
        width, own = start[g + 1] - start[g], offset[g]
        for p in range(width):
            for q in range(p + 1):
                s = storage[own + p * width + q]
                for t in range(q):
                    s -= storage[own + p * width + t] * storage[own + q * width + t]
                if q < p:
                    storage[own + p * width + q] = s / storage[own + q * width + q]
                elif s > 0.0:
                    storage[own + p * width + q] = math.sqrt(s)
                else:
                    return False
        begin, end = plan.link_start[g], plan.link_start[g + 1]
        for e in range(begin, end):
            h, at = plan.link[e], offset[groups + e]
            for p in range(start[h + 1] - start[h]):
                for q in range(width):
                    s = storage[at + p * width + q]
                    for t in range(q):
                        s -= storage[at + p * width + t] * storage[own + q * width + t]
                    storage[at + p * width + q] = s / storage[own + q * width + q]
        for e in range(begin, end):
            h, at = plan.link[e], offset[groups + e]
            across = start[h + 1] - start[h]
            for d in range(e, end):
                other, from_ = plan.link[d], offset[groups + d]
                to = offset[plan.target[pair]]
                pair += 1
                for p in range(start[other + 1] - start[other]):
                    for q in range(across):
                        s = 0.0
                        for t in range(width):
                            s += storage[from_ + p * width + t] * storage[at + q * width + t]
                        storage[to + p * across + q] -= s
    return True


@compiled
def _substitute(plan, start, offset, storage, y):
    """Solve with the factor, forward and back, in place."""
    groups = start.size - 1
    for g in range(groups):
        width, own, first = start[g + 1] - start[g], offset[g], start[g]
        for p in range(width):
            s = y[first + p]
            for t in range(p):
                s -= storage[own + p * width + t] * y[first + t]
            y[first + p] = s / storage[own + p * width + p]
        for e in range(plan.link_start[g], plan.link_start[g + 1]):
            h, at = plan.link[e], offset[groups + e]
            for p in range(start[h + 1] - start[h]):
                for t in range(width):
                    y[start[h] + p] -= storage[at + p * width + t] * y[first + t]
    for g in range(groups - 1, -1, -1):
        width, own, first = start[g + 1] - start[g], offset[g], start[g]
        for e in range(plan.link_start[g], plan.link_start[g + 1]):
            h, at = plan.link[e], offset[groups + e]
            for p in range(start[h + 1] - start[h]):
                for t in range(width):
                    y[first + t] -= storage[at + p * width + t] * y[start[h] + p]
        for p in range(width - 1, -1, -1):
            s = y[first + p]
            for t in range(p + 1, width):
                s -= storage[own + t * width + p] * y[first + t]
            y[first + p] = s / storage[own + p * width + p]
