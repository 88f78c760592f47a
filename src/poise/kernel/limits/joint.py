"""The limits of one joint: whether they hold, the nearest configuration where they do.

A joint's configuration `x` is (sx, sy), (sx, sy, τ) or a rotation vector, by its chart: SWING,
BALL or ROTATION of `body.tree`. `lower` and `upper` are its box, `first` and `last` (excluded) its
limits in a `Limits`. A rotation vector has no box, and no limit but on its total angle. Angles are
radians.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats
from poise.kernel.body.rotations import (
    canonical_swing,
    direction_swing,
    induced_twist,
    quaternion_rotation_vector,
    quaternion_swing_twist,
    rotation_vector_quaternion,
    swing_direction,
    swing_twist_quaternion,
)
from poise.kernel.body.tree import BALL, ROTATION
from poise.kernel.compiling import compiled, entry
from poise.kernel.limits.arrays import ANGLE, SPHERICAL, TABLE, Limits
from poise.kernel.limits.swings import STRICT, TOLERANCE, nearest_swing, swing_violation

# How often the disc of swings that a total angle leaves is tried: enough to bisect its radius.
_TRIES = 64

# A disc of swings is never smaller: an ellipse cannot have the radius 0.
_LEAST_RADIUS = 1e-12


@compiled
def _cell(values, at, count, value):
    """The cell of an ascending grid that holds a value, its share, and 1/width (0 outside)."""
    if value <= values[at]:
        return 0, 0.0, 0.0
    if value >= values[at + count - 1]:
        return count - 2, 1.0, 0.0
    i = 0
    while values[at + i + 1] <= value:
        i += 1
    width = values[at + i + 1] - values[at + i]
    return i, (value - values[at + i]) / width, 1.0 / width


@compiled
def _bilinear(values, corner, across, u, v, du, dv):
    """The value of a table within a cell that begins at `corner`, and its two slopes."""
    a, b = values[corner], values[corner + across]
    c, d = values[corner + 1], values[corner + across + 1]
    value = (1.0 - v) * ((1.0 - u) * a + u * b) + v * ((1.0 - u) * c + u * d)
    along_x = (1.0 - v) * (b - a) + v * (d - c)
    along_y = (1.0 - u) * (c - a) + u * (d - b)
    return value, du * along_x, dv * along_y


@compiled
def twist_ends(kind, values, at, sx, sy):
    """The twist interval at a swing and its slopes: lower, upper, ∂lower (2), ∂upper (2)."""
    if kind != TABLE:
        low_x, low_y = values[at + 2], values[at + 3]
        high_x, high_y = values[at + 4], values[at + 5]
        low = values[at + 6] + values[at] + low_x * sx + low_y * sy
        high = values[at + 6] + values[at + 1] + high_x * sx + high_y * sy
    else:
        m, k = int(values[at]), int(values[at + 1])
        i, u, du = _cell(values, at + 3, m, sx)
        j, v, dv = _cell(values, at + 3 + m, k, sy)
        corner = at + 3 + m + k + i * k + j
        low, low_x, low_y = _bilinear(values, corner, k, u, v, du, dv)
        high, high_x, high_y = _bilinear(values, corner + m * k, k, u, v, du, dv)
        low, high = values[at + 2] + low, values[at + 2] + high
    return low, high, low_x, low_y, high_x, high_y


@entry
def rotation_angle(x: Floats, chart: int) -> float:
    """The total angle of a joint's rotation; of a rotation vector its length, also beyond π."""
    if chart == ROTATION:
        return math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    w, i, j, k = swing_twist_quaternion(x[0], x[1], x[2])
    return 2.0 * math.atan2(math.sqrt(i * i + j * j + k * k), abs(w))


@entry
def joint_violation(
    x: Floats, lower: Floats, upper: Floats, chart: int, limits: Limits, first: int, last: int
) -> float:
    """The greatest violation of the box and all limits of a joint; not positive where all hold.

    In radians. Regions of swings as `swings.region_violation`; a twist by its distance to the
    interval at the present swing; a total angle by its excess.
    """
    worst = -np.inf
    if chart != ROTATION:
        worst = swing_violation(x[0], x[1], lower, upper, limits, first, last)
    if chart == BALL:
        worst = max(worst, max(lower[2] - x[2], x[2] - upper[2]))
    for i in range(first, last):
        kind, at = limits.kind[i], limits.start[i]
        if kind == ANGLE:
            worst = max(worst, rotation_angle(x, chart) - limits.values[at])
        elif kind > SPHERICAL:
            ends = twist_ends(kind, limits.values, at, x[0], x[1])
            worst = max(worst, max(ends[0] - x[2], x[2] - ends[1]))
    return worst


@compiled
def angle_left(maximum, used):
    """What a total angle leaves to the twist when the swing uses so much, or the other way round.

    The angle is given by cos(θ/2) cos(τ/2); 0 where nothing is left. All from 0 to π.
    """
    if used >= maximum:
        return 0.0
    square = math.sin(0.5 * (maximum - used)) * math.sin(0.5 * (maximum + used))
    return 2.0 * math.asin(min(1.0, math.sqrt(square) / math.cos(0.5 * used)))


@compiled
def _least_twist(low, high):
    """The least angle, 0 to π, of a rotation by a twist within an interval."""
    turn = 2.0 * math.pi
    if turn * math.ceil(low / turn) <= high:
        return 0.0
    return min(low - turn * math.floor(low / turn), turn * math.ceil(high / turn) - high)


@compiled
def nearest_twist(tau, low, high, room):
    """The nearest twist within an interval that turns by no more than `room`, 0 to π.

    τ and τ + 2π are the same orientation. An interval open to one side is meant as a stop: there
    τ is not turned round to the other side. There must be such a twist.
    """
    turn = 2.0 * math.pi
    wraps = not (math.isinf(low) or math.isinf(high))
    around = math.floor(min(max(tau, low), high) / turn + 0.5)
    best, nearest = np.inf, tau
    for k in range(3):
        a, b = low, high
        if room < math.pi:
            centre = turn * (around + (k + 1) % 3 - 1)  # the nearest turn first
            a, b = max(low, centre - room), min(high, centre + room)
        if a > b:
            continue
        goal = tau
        if wraps and not a <= tau <= b:
            middle = 0.5 * (a + b)
            turns = (tau - middle) / turn
            goal = middle + turn * (turns - math.floor(turns + 0.5))
        to = min(max(goal, a), b)
        if abs(to - goal) < best:
            best, nearest = abs(to - goal), to
    return nearest


@compiled
def _clamp_angle(x, chart, maximum):
    """Turn a rotation back about its own axis until its total angle is the maximum."""
    if chart == ROTATION:
        w, i, j, k = rotation_vector_quaternion(x[0], x[1], x[2])
    else:
        w, i, j, k = swing_twist_quaternion(x[0], x[1], x[2])
    i, j, k = quaternion_rotation_vector(w, i, j, k)
    scale = min(1.0, maximum / math.sqrt(i * i + j * j + k * k))
    i, j, k = scale * i, scale * j, scale * k
    if chart == BALL:
        w, i, j, k = rotation_vector_quaternion(i, j, k)
        i, j, k = quaternion_swing_twist(w, i, j, k)
    x[0], x[1], x[2] = i, j, k


@compiled
def _twist_at(sx, sy, tau, lower, upper, maximum, limits, first, last):
    """The valid twist of a ball at a swing that is nearest to one given.

    Returns whether there is one, the twist, and the least angle of any twist in the interval.
    """
    low, high = lower[2], upper[2]
    for i in range(first, last):
        kind = limits.kind[i]
        if kind > SPHERICAL and kind != ANGLE:
            ends = twist_ends(kind, limits.values, limits.start[i], sx, sy)
            low, high = max(low, ends[0]), min(high, ends[1])
    if low > high:
        return False, tau, 0.0
    if maximum == np.inf:
        return True, nearest_twist(tau, low, high, maximum), 0.0
    least = _least_twist(low, high)
    room = max(least, angle_left(maximum, math.sqrt(sx * sx + sy * sy)))
    tau = nearest_twist(tau, low, high, room)
    w, i, j, k = swing_twist_quaternion(sx, sy, tau)
    angle = 2.0 * math.atan2(math.sqrt(i * i + j * j + k * k), abs(w))
    return angle <= maximum + STRICT, tau, least


@entry
def clamp_joint(
    x: Floats, lower: Floats, upper: Floats, chart: int, limits: Limits, first: int, last: int
) -> bool:
    """Move a joint, in place, to the nearest configuration within its limits.

    The segment turns directly to the nearest valid direction, without induced twist; then the
    twist goes to the nearest end of its interval there (thesis 3.7.1–3.7.2), round the back
    if that is nearer. A limit on the total angle alone shortens the rotation about its axis.
    Together with others it counts twice: directions are valid up to the swing that it leaves when
    the twist is as small as its interval allows, and twists are valid up to what it leaves at the
    swing reached. Where the interval depends on the swing and leaves out zero twist, that greatest
    swing is the greatest for which the nearest direction has a valid twist.
    A configuration that violates no limit by more than TOLERANCE does not change by a bit.

    Returns whether the result is valid: it always is unless no configuration is, or one was given
    that is not finite, which stays as it is.
    """
    for k in range(x.size):
        if not math.isfinite(x[k]):
            return False
    if joint_violation(x, lower, upper, chart, limits, first, last) <= TOLERANCE:
        return True
    maximum, others = np.inf, False
    for k in range(x.size):
        others = others or lower[k] > -np.inf or upper[k] < np.inf
    for i in range(first, last):
        if limits.kind[i] == ANGLE:
            maximum = limits.values[limits.start[i]]
        else:
            others = True
    if not others:
        _clamp_angle(x, chart, maximum)
        return True
    sx, sy, tau = x[0], x[1], x[2] if chart == BALL else 0.0
    outside = swing_violation(sx, sy, lower, upper, limits, first, last) > TOLERANCE
    if outside or math.sqrt(sx * sx + sy * sy) > maximum:
        outside = True
        sx, sy = canonical_swing(sx, sy)
    # Swings up to an inner radius are known to leave a twist, those up to an outer one not.
    inner, outer, radius, least = -1.0, maximum, maximum, 0.0
    for attempt in range(_TRIES):
        found, tx, ty = True, sx, sy
        if attempt == 2 and inner < 0.0:
            # The valid direction nearest to zero swing leaves most.
            radius = np.inf
            tx, ty = 0.0, 0.0
        if outside or attempt > 0:
            found, tx, ty = nearest_swing(tx, ty, lower, upper, radius, limits, first, last)
            # The edges of the box are met to the last bit.
            tx, ty = min(max(tx, lower[0]), upper[0]), min(max(ty, lower[1]), upper[1])
        before, turned = least, tau
        if chart == BALL and found:
            if tx != sx or ty != sy:
                turned += induced_twist(sx, sy, tx, ty)
            found, turned, least = _twist_at(
                tx, ty, turned, lower, upper, maximum, limits, first, last
            )
        if found:
            inner = radius if radius < np.inf else math.sqrt(tx * tx + ty * ty)
            x[0], x[1] = tx, ty
            if chart == BALL:
                x[2] = turned
            # Where the interval does not depend on the swing the second radius is exact.
            if attempt == 0 or (attempt == 1 and least == before):
                return True
        elif maximum == np.inf or radius == np.inf:
            return False
        else:
            outer = radius
        radius = 0.5 * (inner + outer) if attempt > 0 else angle_left(maximum, least)
        radius = max(radius, _LEAST_RADIUS)
        if inner >= 0.0 and outer - inner <= 1e-15:
            break
    return True


@compiled
def _stops_halfway(start, end, lower, upper, chart, limits, first, last):
    """Whether what lies in the middle of a joint's way is invalid; then it is the new end."""
    mx, my = 0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1])
    if swing_violation(mx, my, lower, upper, limits, first, last) <= TOLERANCE:
        return False
    ax, ay, az = swing_direction(start[0], start[1])
    bx, by, bz = swing_direction(end[0], end[1])
    x, y, z = ax + bx, ay + by, az + bz
    length = math.sqrt(x * x + y * y + z * z)
    if length > 1e-9:  # opposite directions have no middle; the one in the chart serves
        mx, my = direction_swing(x / length, y / length, z / length)
        if swing_violation(mx, my, lower, upper, limits, first, last) <= TOLERANCE:
            return False
    if chart == BALL:
        # Half of the twist that is left when the swing is a direct rotation all the way.
        turn = end[2] - start[2] - induced_twist(start[0], start[1], end[0], end[1])
        turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
        end[2] = start[2] + induced_twist(start[0], start[1], mx, my) + 0.5 * turn
    end[0], end[1] = mx, my
    return True


@entry
def advance(
    start: Floats,
    end: Floats,
    lower: Floats,
    upper: Floats,
    chart: int,
    limits: Limits,
    first: int,
    last: int,
) -> bool:
    """Move a joint from a valid configuration towards another, not across what is invalid.

    `end` is clamped in place. Then the middle of the great arc that the segment sweeps is tried
    (thesis 3.7.3): where it is invalid the joint stops at the middle, clamped. The middle in the
    chart is tried too, and one of the two suffices, so that a joint that slides along an edge
    straight in the chart, or along an ellipse wider than a hemisphere, is not slowed down.
    When `start` is the same array as `end`, that is clamped and no more.

    Returns whether the joint arrived at the (clamped) end.
    """
    arrived, stops = True, True
    while stops:
        clamp_joint(end, lower, upper, chart, limits, first, last)
        stops = arrived and chart != ROTATION
        if stops:
            stops = _stops_halfway(start, end, lower, upper, chart, limits, first, last)
            arrived = not stops
    return arrived
