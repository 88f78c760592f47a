"""Regions of swings: how far a swing lies outside, and the nearest valid one.

`x, y, z` is always the direction of the segment, a unit vector in the frame of the chart. All
limits of a joint stand from `first` to `last` (excluded) in a `Limits`; those that are no regions
of swings are passed over.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats
from poise.kernel.body.rotations import swing_direction
from poise.kernel.compiling import compiled, entry
from poise.kernel.limits.arrays import EDGE, ELLIPSE, HEADER, PIECE, PLANAR, SPHERICAL, Limits
from poise.kernel.limits.boundaries import (
    BOX,
    box_size,
    chord,
    disc_size,
    edge_swing,
    nearest_on_boundary,
    nearest_on_piece,
    write_box,
    write_disc,
)

TOLERANCE = 1e-12
"""What counts as valid, in radians: what violates its limits by no more stays as it is."""

STRICT = 0.5 * TOLERANCE
"""What a search accepts: a little better than it must be, so that the rounding of the way back
into the chart does not make it invalid."""

_PARTS = 4
_ZOOMS, _SAMPLES = 14, 8
_SWING_MOST = 5.3  # θ / sin θ at 150°: how much longer a line is in the chart than on the sphere


@compiled
def polygon_in_chart(values, at, sx, sy):
    """The signed distance (positive outside) and nearest edge of a planar polygon of swings.

    Nearest at a corner, the side is told by the sum of the two inward normals: the direction to
    the point lies between them, or between their opposites.
    """
    first = at + HEADER
    last = first + EDGE * int(values[at])
    previous = last - EDGE
    best, best_edge, side = np.inf, first, 0.0
    for e in range(first, last, EDGE):
        ax, ay = sx - values[e], sy - values[e + 1]
        height = ax * values[e + 4] + ay * values[e + 5]
        along = ax * values[e + 5] - ay * values[e + 4]
        if 0.0 <= along <= values[e + 6]:
            if height * height < best:
                best, best_edge, side = height * height, e, height
        else:
            square = ax * ax + ay * ay
            if square < best:
                before = ax * values[previous + 4] + ay * values[previous + 5]
                # At a corner both edges are as near: the one with more room keeps the point valid.
                best_edge = previous if before > height else e
                best, side = square, height + before
        previous = e
    distance = math.sqrt(best)
    return (-distance if side >= 0.0 else distance), best_edge


@compiled
def polygon_on_sphere(values, at, x, y, z):
    """The signed angle (positive outside) to a spherical polygon, its nearest edge and where on it.

    As `polygon_in_chart`; a vertex or the foot of a perpendicular is nearest, by chords.
    """
    first = at + HEADER
    last = first + EDGE * int(values[at])
    previous = last - EDGE
    best, best_edge, best_t, side = np.inf, first, 0.0, 0.0
    for e in range(first, last, EDGE):
        a = x * values[e] + y * values[e + 1] + z * values[e + 2]
        b = x * values[e + 3] + y * values[e + 4] + z * values[e + 5]
        height = x * values[e + 6] + y * values[e + 7] + z * values[e + 8]
        if b >= 0.0 and b * values[e + 11] <= a * values[e + 10]:
            lift = height * height / (1.0 + math.sqrt(a * a + b * b))
            square = height * height + lift * lift
            if square < best:
                best, best_edge, best_t, side = square, e, math.atan2(b, a), height
        else:
            square = (x - values[e]) ** 2 + (y - values[e + 1]) ** 2 + (z - values[e + 2]) ** 2
            if square < best:
                before = (
                    x * values[previous + 6] + y * values[previous + 7] + z * values[previous + 8]
                )
                best_edge, best_t = e, 0.0
                if before > height:
                    best_edge, best_t = previous, values[previous + 9]
                best, side = square, height + before
        previous = e
    distance = 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(best)))
    return (-distance if side >= 0.0 else distance), best_edge, best_t


@compiled
def region_violation(kind, values, at, sx, sy):
    """How far a swing lies outside a region, in radians; negative inside.

    A spherical polygon is measured along the sphere, a planar one in the chart, a box along its
    coordinates. Of an ellipse it is (ρ − 1)·min(rx, ry), ρ the factor by which the ellipse grows
    to pass through the point: never more than the distance in the chart.
    """
    edge = at + HEADER
    if kind == SPHERICAL:
        x, y, z = swing_direction(sx, sy)
        return polygon_on_sphere(values, at, x, y, z)[0]
    if kind == PLANAR:
        return polygon_in_chart(values, at, sx, sy)[0]
    if kind == ELLIPSE:
        u, v = (sx - values[edge]) / values[edge + 2], (sy - values[edge + 1]) / values[edge + 3]
        return (math.sqrt(u * u + v * v) - 1.0) * min(values[edge + 2], values[edge + 3])
    corner = edge + 2 * EDGE
    return max(
        max(values[edge] - sx, sx - values[corner]),
        max(values[edge + 1] - sy, sy - values[corner + 1]),
    )


@entry
def swing_violation(
    sx: float, sy: float, lower: Floats, upper: Floats, limits: Limits, first: int, last: int
) -> float:
    """The greatest violation of all regions of swings and of the box.

    Where there is a region, a swing beyond π is none: the same direction has one below.
    """
    kinds, starts, values = limits.kind, limits.start, limits.values
    worst = max(max(lower[0] - sx, sx - upper[0]), max(lower[1] - sy, sy - upper[1]))
    for i in range(first, last):
        if kinds[i] <= SPHERICAL:
            worst = max(worst, math.sqrt(sx * sx + sy * sy) - math.pi)
            worst = max(worst, region_violation(kinds[i], values, starts[i], sx, sy))
    return worst


@compiled(allocates=True)
def _gathered(lower, upper, radius, limits, first, last):
    """All regions of swings of a joint in one place, its box and a disc among them.

    Sides of the box beyond |s| = π are no swings, and are cut off.
    """
    left, right = max(lower[0], -math.pi), min(upper[0], math.pi)
    bottom, top = max(lower[1], -math.pi), min(upper[1], math.pi)
    has_box = max(left, bottom) > -math.pi or min(right, top) < math.pi
    has_disc = radius < math.pi
    count, size = 0, 0
    for i in range(first, last):
        if limits.kind[i] <= SPHERICAL:
            count += 1
            size += limits.start[i + 1] - limits.start[i]
    if has_box:
        count += 1
        size += box_size(left, bottom, right, top)
    if has_disc:
        count += 1
        size += disc_size()
    kinds, starts = np.empty(count, np.int64), np.empty(count, np.int64)
    values = np.empty(size)
    count, size = 0, 0
    for i in range(first, last):
        if limits.kind[i] <= SPHERICAL:
            kinds[count], starts[count] = limits.kind[i], size
            count += 1
            for k in range(limits.start[i], limits.start[i + 1]):
                values[size] = limits.values[k]
                size += 1
    if has_box:
        kinds[count], starts[count] = BOX, size
        write_box(left, bottom, right, top, values, starts[count])
        size += box_size(left, bottom, right, top)
        count += 1
    if has_disc:
        kinds[count], starts[count] = ELLIPSE, size
        write_disc(radius, values, starts[count])
    return kinds, starts, values


@compiled
def _worst(kinds, starts, values, sx, sy, skip):
    """The greatest violation of gathered regions but one, and of |s| ≤ π."""
    worst = math.sqrt(sx * sx + sy * sy) - math.pi
    for i in range(kinds.size):
        if i != skip:
            worst = max(worst, region_violation(kinds[i], values, starts[i], sx, sy))
    return worst


@compiled
def _others(kinds, starts, values, own, at, t):
    """The violation of all regions but one along an edge of that one."""
    sx, sy = edge_swing(kinds[own], values, at, t)
    return _worst(kinds, starts, values, sx, sy, own)


@compiled
def _last_valid(kinds, starts, values, own, at, valid, goal):
    """How far one can go along an edge from a valid parameter to a goal, by bisection."""
    t = goal
    for _ in range(60):
        if _others(kinds, starts, values, own, at, t) <= STRICT:
            valid = t
        else:
            goal = t
        if abs(goal - valid) <= 1e-15:
            break
        t = 0.5 * (valid + goal)
    return valid


@compiled
def _least_invalid(kinds, starts, values, own, at, begin, end, reach):
    """The parameter of the least violation of the other regions, and that violation.

    Evenly spaced samples, again and again between the neighbours of the least. A violation
    changes no faster than the swing, which changes by `reach` at most on the way.
    """
    best, least = begin, np.inf
    for _ in range(_ZOOMS):
        step = (end - begin) / _SAMPLES
        for i in range(_SAMPLES + 1):
            t = begin + i * step
            worst = _others(kinds, starts, values, own, at, t)
            if worst < least:
                best, least = t, worst
        reach = reach / _SAMPLES
        if least <= STRICT or least > reach:
            break
        begin, end, reach = max(begin, best - step), min(end, best + step), 2.0 * reach
    return best, least


@compiled
def _nearest_valid_on_part(kinds, starts, values, own, at, begin, end, f, g, reach, x, y, z):
    """The nearest point of a short stretch of edge that is valid for the other regions.

    f and g are their violations at its two ends, reach its length in the chart. Returns whether
    there is one, and its parameter.
    """
    kind, seed = kinds[own], begin if f <= g else end
    if min(f, g) > STRICT:
        # Both ends are outside; the stretch may still touch or cross the rest in between.
        if f + g > reach:
            return False, begin
        seed, worst = _least_invalid(kinds, starts, values, own, at, begin, end, reach)
        if worst > STRICT:
            return False, begin
    low = high = seed
    low_goal, high_goal = begin, end
    for _ in range(2):
        low = _last_valid(kinds, starts, values, own, at, low, low_goal)
        high = _last_valid(kinds, starts, values, own, at, high, high_goal)
        t = nearest_on_piece(kind, values, at, low, high, x, y, z)
        if _others(kinds, starts, values, own, at, t) <= STRICT:
            return True, t
        # A notch between two valid ends: stop at its nearer side.
        low_goal = high_goal = t
    if chord(kind, values, at, low, x, y, z) <= chord(kind, values, at, high, x, y, z):
        return True, low
    return True, high


@compiled
def _nearest_valid_on_region(kinds, starts, values, own, x, y, z, best):
    """The nearest boundary point of one region that is valid for all others.

    `best` is the squared distance to beat. Returns the squared distance (`best` if there is no
    nearer point) and the swing.
    """
    kind, start = kinds[own], starts[own]
    first = start + HEADER + EDGE * int(values[start])
    pieces = int(values[start + 1])
    best_x = best_y = 0.0
    for n in range(2 * pieces):
        p = first + PIECE * (n % pieces)
        gap = (x - values[p + 3]) ** 2 + (y - values[p + 4]) ** 2 + (z - values[p + 5]) ** 2
        if math.sqrt(gap) - values[p + 6] > math.sqrt(best):
            continue
        begin, end, at = values[p + 1], values[p + 2], start + HEADER + EDGE * int(values[p])
        # How long a part is on the sphere, at most, and in the chart.
        length = (end - begin) / _PARTS
        if kind == ELLIPSE:
            length *= max(values[at + 2], values[at + 3])
        elif kind != SPHERICAL:
            length *= abs(values[at + 2] - values[at]) + abs(values[at + 3] - values[at + 1])
        reach = _SWING_MOST * length if kind == SPHERICAL else length
        before, f, far = begin, np.inf, np.inf
        # The ends of the pieces come first: where they are valid most of the rest is too far.
        parts = 0 if n < pieces else _PARTS
        for part in range(parts + 1):
            t = begin + (end - begin) * part / _PARTS
            away = math.sqrt(chord(kind, values, at, t, x, y, z))
            g = np.inf
            if parts > 0 or away < math.sqrt(best):
                g = _others(kinds, starts, values, own, at, t)
            found, nearest = g <= STRICT, t
            if part > 0 and far + away - length < 2.0 * math.sqrt(best):
                found, nearest = _nearest_valid_on_part(
                    kinds, starts, values, own, at, before, t, f, g, reach, x, y, z
                )
            if found:
                square = chord(kind, values, at, nearest, x, y, z)
                if square < best:
                    best = square
                    best_x, best_y = edge_swing(kind, values, at, nearest)
            before, f, far = t, g, away
    return best, best_x, best_y


@entry(allocates=True)
def nearest_swing(
    sx: float,
    sy: float,
    lower: Floats,
    upper: Floats,
    radius: float,
    limits: Limits,
    first: int,
    last: int,
) -> tuple[bool, float, float]:
    """The valid swing nearest along the sphere to one with |s| ≤ π, among those up to a radius.

    First the nearest point of each violated region alone: when all other regions hold there it
    is the nearest of their intersection too. Otherwise the boundaries of all regions are searched
    piece by piece for what the others leave of them.

    Returns whether there is a valid swing, and the swing; if not, the one given.
    """
    kinds, starts, values = _gathered(lower, upper, radius, limits, first, last)
    x, y, z = swing_direction(sx, sy)
    valid = True
    for i in range(kinds.size):
        kind, at = kinds[i], starts[i]
        if region_violation(kind, values, at, sx, sy) <= TOLERANCE:
            continue
        valid = False
        if kind == SPHERICAL:
            _, edge, t = polygon_on_sphere(values, at, x, y, z)
        else:
            edge, t = nearest_on_boundary(kind, values, at, x, y, z)
        tx, ty = edge_swing(kind, values, edge, t)
        if _worst(kinds, starts, values, tx, ty, kinds.size) <= STRICT:
            return True, tx, ty
    if valid:
        return True, sx, sy
    best, best_x, best_y = np.inf, sx, sy
    for i in range(kinds.size):
        square, tx, ty = _nearest_valid_on_region(kinds, starts, values, i, x, y, z, best)
        if square < best:
            best, best_x, best_y = square, tx, ty
    return best < np.inf, best_x, best_y
