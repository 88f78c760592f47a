"""Regions of swings: how far a swing lies outside, and the nearest valid one.

`x, y, z` is always the direction of the segment, a unit vector in the frame of the chart. All
limits of a joint stand from `first` to `last` (excluded) in a `Limits`; those that are no regions
of swings are passed over. The box on sx and sy is one more region, straight in the chart, and
goes by the index `first` − 1.
"""

import math

import numpy as np

from poise.kernel.boundaries import (
    box_region,
    chord,
    edge_swing,
    nearest_on_boundary,
    nearest_on_piece,
)
from poise.kernel.compiling import compiled
from poise.kernel.limit_arrays import EDGE, ELLIPSE, HEADER, PIECE, PLANAR, SPHERICAL
from poise.kernel.rotations import swing_direction

TOLERANCE = 1e-12
"""What counts as valid, in radians: what violates its limits by no more stays as it is."""

# Points that the search accepts are a little better than they must be, so that the rounding of
# the way back into the chart does not make them invalid.
_STRICT = 0.5 * TOLERANCE

_PARTS = 4
_ZOOMS, _SAMPLES = 14, 8
_SWING_MOST = 5.3  # θ / sin θ at 150°: how much longer a line is in the chart than on the sphere


@compiled
def polygon_in_chart(region, sx, sy):
    """The signed distance (positive outside) and nearest edge of a planar polygon of swings.

    Nearest at a corner, the side is told by the sum of the two inward normals: the direction to
    the point lies between them, or between their opposites.
    """
    edges = region[HEADER : HEADER + EDGE * int(region[0])].reshape(-1, EDGE)
    previous = edges[edges.shape[0] - 1]
    best, best_edge, side = np.inf, 0, 0.0
    for i in range(edges.shape[0]):
        edge = edges[i]
        ax, ay = sx - edge[0], sy - edge[1]
        height = ax * edge[4] + ay * edge[5]
        along = ax * edge[5] - ay * edge[4]
        if 0.0 <= along <= edge[6]:
            if height * height < best:
                best, best_edge, side = height * height, i, height
        else:
            square = ax * ax + ay * ay
            if square < best:
                before = ax * previous[4] + ay * previous[5]
                # At a corner both edges are as near: the one with more room keeps the point valid.
                best_edge = i
                if before > height:
                    best_edge = i - 1 if i > 0 else edges.shape[0] - 1
                best, side = square, height + before
        previous = edge
    distance = math.sqrt(best)
    return (-distance if side >= 0.0 else distance), best_edge


@compiled
def polygon_on_sphere(region, x, y, z):
    """The signed angle (positive outside) to a spherical polygon, its nearest edge and where on it.

    As `polygon_in_chart`; a vertex or the foot of a perpendicular is nearest, by chords.
    """
    edges = region[HEADER : HEADER + EDGE * int(region[0])].reshape(-1, EDGE)
    previous = edges[edges.shape[0] - 1]
    best, best_edge, best_t, side = np.inf, 0, 0.0, 0.0
    for i in range(edges.shape[0]):
        edge = edges[i]
        a = x * edge[0] + y * edge[1] + z * edge[2]
        b = x * edge[3] + y * edge[4] + z * edge[5]
        height = x * edge[6] + y * edge[7] + z * edge[8]
        if b >= 0.0 and b * edge[11] <= a * edge[10]:
            lift = height * height / (1.0 + math.sqrt(a * a + b * b))
            square = height * height + lift * lift
            if square < best:
                best, best_edge, best_t, side = square, i, math.atan2(b, a), height
        else:
            square = (x - edge[0]) ** 2 + (y - edge[1]) ** 2 + (z - edge[2]) ** 2
            if square < best:
                before = x * previous[6] + y * previous[7] + z * previous[8]
                best_edge, best_t = i, 0.0
                if before > height:
                    best_edge = i - 1 if i > 0 else edges.shape[0] - 1
                    best_t = previous[9]
                best, side = square, height + before
        previous = edge
    distance = 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(best)))
    return (-distance if side >= 0.0 else distance), best_edge, best_t


@compiled(inline="always")
def region_violation(kind, region, sx, sy, x, y, z):
    """How far a swing lies outside a region, in radians; negative inside.

    A spherical polygon is measured along the sphere, a planar one in the chart. Of an ellipse it
    is (ρ − 1)·min(rx, ry), ρ the factor by which the ellipse grows to pass through the point:
    never more than the distance in the chart.
    """
    if kind == ELLIPSE:
        edge = region[HEADER : HEADER + EDGE]
        u, v = (sx - edge[0]) / edge[2], (sy - edge[1]) / edge[3]
        return (math.sqrt(u * u + v * v) - 1.0) * min(edge[2], edge[3])
    if kind == PLANAR:
        return polygon_in_chart(region, sx, sy)[0]
    return polygon_on_sphere(region, x, y, z)[0]


@compiled(inline="always")
def box_violation(sx, sy, lower, upper):
    """How far a swing lies outside the box on its two coordinates."""
    return max(max(lower[0] - sx, sx - upper[0]), max(lower[1] - sy, sy - upper[1]))


@compiled
def swing_violation(sx, sy, lower, upper, limits, first, last, skip):
    """The greatest violation of all regions of swings and of the box.

    The region of index `skip` does not count; `last` skips none. Where there is a region, a swing
    beyond π is none: the same direction has one below.
    """
    worst = -np.inf if skip == first - 1 else box_violation(sx, sy, lower, upper)
    x, y, z = swing_direction(sx, sy)
    for i in range(first, last):
        kind = limits.kind[i]
        if kind > SPHERICAL:
            continue
        worst = max(worst, math.sqrt(sx * sx + sy * sy) - math.pi)
        if i != skip:
            region = limits.values[limits.start[i] : limits.start[i + 1]]
            worst = max(worst, region_violation(kind, region, sx, sy, x, y, z))
    return worst


@compiled(inline="always")
def nearest_in_region(kind, region, x, y, z):
    """The swing on the boundary of one region that is nearest to a direction."""
    if kind == SPHERICAL:
        _, at, t = polygon_on_sphere(region, x, y, z)
    else:
        _, at, t = nearest_on_boundary(kind, region, x, y, z)
    return edge_swing(kind, region[HEADER + EDGE * at : HEADER + EDGE * (at + 1)], t)


@compiled(inline="always")
def _others(kind, edge, t, lower, upper, limits, first, last, own):
    """The violation of all regions but one along an edge of that one."""
    sx, sy = edge_swing(kind, edge, t)
    beyond = math.sqrt(sx * sx + sy * sy) - math.pi
    return max(beyond, swing_violation(sx, sy, lower, upper, limits, first, last, own))


@compiled
def _last_valid(kind, edge, valid, goal, lower, upper, limits, first, last, own):
    """How far one can go along an edge from a valid parameter to a goal, by bisection."""
    at = goal
    for _ in range(60):
        if _others(kind, edge, at, lower, upper, limits, first, last, own) <= _STRICT:
            valid = at
        else:
            goal = at
        if abs(goal - valid) <= 1e-15:
            break
        at = 0.5 * (valid + goal)
    return valid


@compiled(inline="always")
def _least_invalid(kind, edge, begin, end, reach, lower, upper, limits, first, last, own):
    """The parameter of the least violation of the other regions, and that violation.

    Evenly spaced samples, again and again between the neighbours of the least. A violation
    changes no faster than the swing, which changes by `reach` at most on the way.
    """
    best, least = begin, np.inf
    for _ in range(_ZOOMS):
        step = (end - begin) / _SAMPLES
        for i in range(_SAMPLES + 1):
            t = begin + i * step
            worst = _others(kind, edge, t, lower, upper, limits, first, last, own)
            if worst < least:
                best, least = t, worst
        reach = reach / _SAMPLES
        if least <= _STRICT or least > reach:
            break
        begin, end, reach = max(begin, best - step), min(end, best + step), 2.0 * reach
    return best, least


@compiled(inline="always")
def _nearest_valid_on_part(
    kind, edge, begin, end, f, g, reach, x, y, z, lower, upper, limits, first, last, own
):
    """The nearest point of a short stretch of edge that is valid for the other regions.

    f and g are their violations at its two ends, reach its length in the chart. Returns whether
    there is one, and its parameter.
    """
    seed = begin if f <= g else end
    if min(f, g) > _STRICT:
        # Both ends are outside; the stretch may still touch or cross the rest in between.
        if f + g > reach:
            return False, begin
        seed, worst = _least_invalid(
            kind, edge, begin, end, reach, lower, upper, limits, first, last, own
        )
        if worst > _STRICT:
            return False, begin
    low = high = seed
    low_goal, high_goal = begin, end
    for _ in range(2):
        low = _last_valid(kind, edge, low, low_goal, lower, upper, limits, first, last, own)
        high = _last_valid(kind, edge, high, high_goal, lower, upper, limits, first, last, own)
        t = nearest_on_piece(kind, edge, low, high, x, y, z)
        if _others(kind, edge, t, lower, upper, limits, first, last, own) <= _STRICT:
            return True, t
        # A notch between two valid ends: stop at its nearer side.
        low_goal = high_goal = t
    if chord(kind, edge, low, x, y, z) <= chord(kind, edge, high, x, y, z):
        return True, low
    return True, high


@compiled(inline="always")
def _nearest_valid_on_region(kind, region, x, y, z, best, lower, upper, limits, first, last, own):
    """The nearest boundary point of one region that is valid for all others.

    `best` is the squared distance to beat. Returns the squared distance (`best` if there is no
    nearer point) and the swing.
    """
    at = HEADER + EDGE * int(region[0])
    pieces = region[at : at + PIECE * int(region[1])].reshape(-1, PIECE)
    best_x = best_y = 0.0
    for n in range(2 * pieces.shape[0]):
        piece = pieces[n % pieces.shape[0]]
        gap = math.sqrt((x - piece[3]) ** 2 + (y - piece[4]) ** 2 + (z - piece[5]) ** 2)
        if gap - piece[6] > math.sqrt(best):
            continue
        at = HEADER + EDGE * int(piece[0])
        edge = region[at : at + EDGE]
        # How long a part is on the sphere, at most, and in the chart.
        length = (piece[2] - piece[1]) / _PARTS
        if kind == ELLIPSE:
            length *= max(edge[2], edge[3])
        elif kind == PLANAR:
            length *= abs(edge[2] - edge[0]) + abs(edge[3] - edge[1])
        reach = length if kind == ELLIPSE or kind == PLANAR else _SWING_MOST * length
        before, f, far = piece[1], np.inf, np.inf
        # The ends of the pieces come first: where they are valid most of the rest is too far.
        parts = 0 if n < pieces.shape[0] else _PARTS
        for part in range(parts + 1):
            t = piece[1] + (piece[2] - piece[1]) * part / _PARTS
            away = math.sqrt(chord(kind, edge, t, x, y, z))
            g = np.inf
            if parts > 0 or away < math.sqrt(best):
                g = _others(kind, edge, t, lower, upper, limits, first, last, own)
            found, nearest = g <= _STRICT, t
            if part > 0 and far + away - length < 2.0 * math.sqrt(best):
                found, nearest = _nearest_valid_on_part(
                    kind,
                    edge,
                    before,
                    t,
                    f,
                    g,
                    reach,
                    x,
                    y,
                    z,
                    lower,
                    upper,
                    limits,
                    first,
                    last,
                    own,
                )
            square = chord(kind, edge, nearest, x, y, z)
            if found and square < best:
                best = square
                best_x, best_y = edge_swing(kind, edge, nearest)
            before, f, far = t, g, away
    return best, best_x, best_y


@compiled
def nearest_swing(sx, sy, lower, upper, limits, first, last):
    """The valid swing nearest along the sphere to one with |s| ≤ π.

    First the nearest point of each violated region alone: when all other regions hold there it
    is the nearest of their intersection too. Otherwise the boundaries of all regions are searched
    piece by piece for what the others leave of them.

    Returns whether there is a valid swing, and the swing; if not, the one given.
    """
    x, y, z = swing_direction(sx, sy)
    best, best_x, best_y = np.inf, sx, sy
    box = box_region(lower, upper)
    count = last - first + 1
    valid = True
    for n in range(2 * count):
        i = first - 1 + n % count
        kind, region = PLANAR, box
        if i >= first:
            kind = limits.kind[i]
            region = limits.values[limits.start[i] : limits.start[i + 1]]
        if kind > SPHERICAL or region[1] == 0.0:
            continue
        if n >= count:
            if valid:
                return True, sx, sy
            square, tx, ty = _nearest_valid_on_region(
                kind, region, x, y, z, best, lower, upper, limits, first, last, i
            )
            if square < best:
                best, best_x, best_y = square, tx, ty
            continue
        outside = box_violation(sx, sy, lower, upper)
        if i >= first:
            outside = region_violation(kind, region, sx, sy, x, y, z)
        if outside > TOLERANCE:
            valid = False
            tx, ty = nearest_in_region(kind, region, x, y, z)
            beyond = math.sqrt(tx * tx + ty * ty) - math.pi
            worst = swing_violation(tx, ty, lower, upper, limits, first, last, last)
            if max(beyond, worst) <= _STRICT:
                return True, tx, ty
    return best < np.inf, best_x, best_y
