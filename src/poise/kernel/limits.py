"""The limits of one joint: whether they hold, the nearest configuration where they do.

A joint's configuration `x` is (sx, sy), (sx, sy, τ) or a rotation vector, by its chart: SWING,
BALL or ROTATION of `kernel.tree`. `lower` and `upper` are its box, `first` and `last` (excluded)
its limits in a `Limits`. A rotation vector has no box, and no limit but on its total angle.
Angles are radians.
"""

import math

import numpy as np

from poise.kernel.compiling import compiled
from poise.kernel.limit_arrays import ANGLE, SPHERICAL, TABLE
from poise.kernel.rotations import (
    canonical_swing,
    direction_swing,
    induced_twist,
    quaternion_rotation_vector,
    quaternion_swing_twist,
    rotation_vector_quaternion,
    swing_direction,
    swing_twist_quaternion,
)
from poise.kernel.swings import TOLERANCE, nearest_swing, region_violation, swing_violation
from poise.kernel.tree import BALL, ROTATION

# How often a limit on the total angle and the others are applied in turn, and how often more
# with the angle shrinking to zero.
_TURNS, _SHRINKING = 40, 40


@compiled(inline="always")
def _cell(grid, value):
    """The cell of an ascending grid that holds a value, its share, and 1/width (0 outside)."""
    n = grid.size
    if value <= grid[0]:
        return 0, 0.0, 0.0
    if value >= grid[n - 1]:
        return n - 2, 1.0, 0.0
    i = 0
    while grid[i + 1] <= value:
        i += 1
    width = grid[i + 1] - grid[i]
    return i, (value - grid[i]) / width, 1.0 / width


@compiled
def _bilinear(table, i, j, u, v, du, dv):
    """The value of a table within a cell, and its two slopes."""
    a, b, c, d = table[i, j], table[i + 1, j], table[i, j + 1], table[i + 1, j + 1]
    value = (1.0 - v) * ((1.0 - u) * a + u * b) + v * ((1.0 - u) * c + u * d)
    along_x = (1.0 - v) * (b - a) + v * (d - c)
    along_y = (1.0 - u) * (c - a) + u * (d - b)
    return value, du * along_x, dv * along_y


@compiled
def twist_ends(kind, values, sx, sy):
    """The twist interval at a swing and its slopes: lower, upper, ∂lower (2), ∂upper (2)."""
    if kind != TABLE:
        low = values[6] + values[0] + values[2] * sx + values[3] * sy
        high = values[6] + values[1] + values[4] * sx + values[5] * sy
        return low, high, values[2], values[3], values[4], values[5]
    m, k = int(values[0]), int(values[1])
    i, u, du = _cell(values[3 : 3 + m], sx)
    j, v, dv = _cell(values[3 + m : 3 + m + k], sy)
    size = m * k
    lows = values[3 + m + k : 3 + m + k + size].reshape(m, k)
    highs = values[3 + m + k + size : 3 + m + k + 2 * size].reshape(m, k)
    low, low_x, low_y = _bilinear(lows, i, j, u, v, du, dv)
    high, high_x, high_y = _bilinear(highs, i, j, u, v, du, dv)
    low, high = values[2] + low, values[2] + high
    return low, high, low_x, low_y, high_x, high_y


@compiled(inline="always")
def twist_interval(sx, sy, lower, upper, limits, first, last):
    """The valid twists of a ball at a swing, from its box and its twist limit."""
    low, high = lower[2], upper[2]
    for i in range(first, last):
        kind = limits.kind[i]
        if kind > SPHERICAL and kind != ANGLE:
            values = limits.values[limits.start[i] : limits.start[i + 1]]
            ends = twist_ends(kind, values, sx, sy)
            low, high = max(low, ends[0]), min(high, ends[1])
    return low, high


@compiled
def rotation_angle(x, chart):
    """The total angle of a joint's rotation; of a rotation vector its length, also beyond π."""
    if chart == ROTATION:
        return math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    w, i, j, k = swing_twist_quaternion(x[0], x[1], x[2])
    return 2.0 * math.atan2(math.sqrt(i * i + j * j + k * k), abs(w))


@compiled(inline="always")
def limit_violation(x, chart, limits, i):
    """How far one limit is violated, in radians; not positive where it holds.

    Regions of swings as `swings.region_violation`; a twist by its distance to the interval at
    the present swing; a total angle by its excess.
    """
    kind = limits.kind[i]
    values = limits.values[limits.start[i] : limits.start[i + 1]]
    if kind == ANGLE:
        return rotation_angle(x, chart) - values[0]
    if kind > SPHERICAL:
        ends = twist_ends(kind, values, x[0], x[1])
        return max(ends[0] - x[2], x[2] - ends[1])
    a, b, c = swing_direction(x[0], x[1])
    beyond = math.sqrt(x[0] * x[0] + x[1] * x[1]) - math.pi
    return max(beyond, region_violation(kind, values, x[0], x[1], a, b, c))


@compiled
def joint_violation(x, lower, upper, chart, limits, first, last):
    """The greatest violation of the box and all limits of a joint; not positive where all hold."""
    worst = -np.inf
    for k in range(x.size):
        worst = max(worst, max(lower[k] - x[k], x[k] - upper[k]))
    for i in range(first, last):
        worst = max(worst, limit_violation(x, chart, limits, i))
    return worst


@compiled(inline="always")
def _nearest_twist(tau, low, high):
    """The nearest twist within an interval; τ and τ + 2π are the same orientation.

    An interval open to one side is meant as a stop: there τ is not turned round to the other side.
    """
    if low > high:
        return 0.5 * (low + high)
    if low <= tau <= high:
        return tau
    if math.isinf(low) or math.isinf(high):
        return min(max(tau, low), high)
    middle = 0.5 * (low + high)
    turns = (tau - middle) / (2.0 * math.pi)
    offset = 2.0 * math.pi * (turns - math.floor(turns + 0.5))
    return min(max(middle + offset, low), high)


@compiled(inline="always")
def _clamp_swing_twist(x, lower, upper, chart, limits, first, last):
    """Clamp a swing, or a swing and twist, by all but a limit on the total angle."""
    found = True
    if swing_violation(x[0], x[1], lower, upper, limits, first, last, last) > TOLERANCE:
        sx, sy = canonical_swing(x[0], x[1])
        found, tx, ty = nearest_swing(sx, sy, lower, upper, limits, first, last)
        if chart == BALL and (tx != sx or ty != sy):
            x[2] += induced_twist(sx, sy, tx, ty)
        # The edges of the box are met to the last bit.
        x[0] = min(max(tx, lower[0]), upper[0])
        x[1] = min(max(ty, lower[1]), upper[1])
    if chart == BALL:
        low, high = twist_interval(x[0], x[1], lower, upper, limits, first, last)
        x[2] = _nearest_twist(x[2], low, high)
    return found


@compiled(inline="always")
def _clamp_angle(x, chart, maximum):
    """Turn a rotation about its own axis until its total angle is the maximum."""
    if chart == ROTATION:
        w, i, j, k = rotation_vector_quaternion(x[0], x[1], x[2])
    else:
        w, i, j, k = swing_twist_quaternion(x[0], x[1], x[2])
    i, j, k = quaternion_rotation_vector(w, i, j, k)
    angle = math.sqrt(i * i + j * j + k * k)
    scale = min(1.0, maximum / angle)
    i, j, k = scale * i, scale * j, scale * k
    if chart == ROTATION:
        x[0], x[1], x[2] = i, j, k
    else:
        w, i, j, k = rotation_vector_quaternion(i, j, k)
        x[0], x[1], x[2] = quaternion_swing_twist(w, i, j, k)


@compiled
def clamp_joint(x, lower, upper, chart, limits, first, last):
    """Move a joint, in place, to the nearest configuration within its limits.

    The segment turns directly to the nearest valid direction, without induced twist; then the
    twist goes to the nearest end of its interval there (thesis 3.7.1–3.7.2). A limit on the total
    angle alone shortens the rotation about its axis. Together with other limits the two are
    applied in turn until all hold, which is near but need not be nearest. Should that not end,
    the angle aimed at shrinks step by step: at zero the other limits lead to the valid
    configuration next to none.
    A configuration that violates no limit by more than TOLERANCE does not change by a bit.

    Returns whether the result is valid: it always is unless no configuration is, or one was given
    that is not finite, which stays as it is.
    """
    for k in range(x.size):
        if not math.isfinite(x[k]):
            return False
    for turn in range(_TURNS + _SHRINKING + 1):
        if joint_violation(x, lower, upper, chart, limits, first, last) <= TOLERANCE:
            return True
        if chart != ROTATION and not _clamp_swing_twist(
            x, lower, upper, chart, limits, first, last
        ):
            return False
        share = 1.0 - max(0, turn - _TURNS) / _SHRINKING
        for i in range(first, last):
            if limits.kind[i] == ANGLE:
                maximum = limits.values[limits.start[i]]
                if rotation_angle(x, chart) - maximum > TOLERANCE:
                    _clamp_angle(x, chart, share * maximum)
    return False


@compiled
def advance(start, end, lower, upper, chart, limits, first, last):
    """Move a joint from a valid configuration towards another, not across what is invalid.

    `end` is clamped in place. Then the middle of the great arc that the segment sweeps is tried
    (thesis 3.7.3): where it is invalid the joint stops at the middle, clamped. The middle in the
    chart is tried too, and one of the two suffices, so that a joint that slides along an edge
    straight in the chart, or along an ellipse wider than a hemisphere, is not slowed down.

    Returns whether the joint arrived at the (clamped) end.
    """
    clamp_joint(end, lower, upper, chart, limits, first, last)
    if chart == ROTATION:
        return True
    mx, my = 0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1])
    if swing_violation(mx, my, lower, upper, limits, first, last, last) <= TOLERANCE:
        return True
    ax, ay, az = swing_direction(start[0], start[1])
    bx, by, bz = swing_direction(end[0], end[1])
    x, y, z = ax + bx, ay + by, az + bz
    length = math.sqrt(x * x + y * y + z * z)
    if length > 1e-9:  # opposite directions have no middle; the one in the chart serves
        mx, my = direction_swing(x / length, y / length, z / length)
        if swing_violation(mx, my, lower, upper, limits, first, last, last) <= TOLERANCE:
            return True
    if chart == BALL:
        # Half of the twist that is left when the swing is a direct rotation all the way.
        turn = end[2] - start[2] - induced_twist(start[0], start[1], end[0], end[1])
        turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
        end[2] = start[2] + induced_twist(start[0], start[1], mx, my) + 0.5 * turn
    end[0], end[1] = mx, my
    clamp_joint(end, lower, upper, chart, limits, first, last)
    return False
