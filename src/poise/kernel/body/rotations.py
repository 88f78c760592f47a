"""Rotations in the charts of the joints, and directions on the unit sphere.

Swing-twist: `R = exp([sx, sy, 0]) · Rz(τ)`, the segment along local z (thesis 3.5.3, Appendix C).
Rotation vector: `R = exp(r)`, canonical when |r| ≤ π. Angles are radians, quaternions (w, x, y, z)
with w ≥ 0 where they are made here.
"""

import math

from poise.kernel.arrays import Floats2
from poise.kernel.compiling import compiled, entry

# Below this θ² coefficients that cancel are taken from their series.
_SMALL = 1e-3

# A length below which a direction is taken as undefined: its square is still a normal number.
_TINY = 1e-150


@entry
def swing_direction(sx: float, sy: float) -> tuple[float, float, float]:
    """The unit direction of the segment at a swing: exp([sx, sy, 0]) ẑ."""
    theta = math.sqrt(sx * sx + sy * sy)
    k = math.sin(theta) / theta if theta > _TINY else 1.0
    return k * sy, -k * sx, math.cos(theta)


@entry
def direction_swing(x: float, y: float, z: float) -> tuple[float, float]:
    """The swing (|s| ≤ π) of a direction; at −ẑ, where every axis serves, the one about x."""
    across = math.sqrt(x * x + y * y)
    theta = math.atan2(across, z)
    if across > _TINY:
        k = theta / across
        return -k * y, k * x
    return theta, 0.0


@entry
def swing_direction_rate(sx: float, sy: float, vx: float, vy: float) -> tuple[float, float, float]:
    """How the direction of the segment changes when the swing changes at the rate (vx, vy)."""
    square = sx * sx + sy * sy
    theta = math.sqrt(square)
    k = math.sin(theta) / theta if theta > _TINY else 1.0
    if square < _SMALL:
        m = -1.0 / 3.0 + square * (1.0 / 30.0 + square * (-1.0 / 840.0 + square / 45360.0))
    else:
        m = (math.cos(theta) - k) / square
    along = sx * vx + sy * vy
    return k * vy + m * along * sy, -k * vx - m * along * sx, -k * along


@entry
def canonical_swing(sx: float, sy: float) -> tuple[float, float]:
    """The swing with |s| ≤ π that is the same rotation; it stays as it is when it is one."""
    theta = math.sqrt(sx * sx + sy * sy)
    if theta <= math.pi:
        return sx, sy
    scale = 1.0 - 2.0 * math.pi * math.floor(theta / (2.0 * math.pi) + 0.5) / theta
    return scale * sx, scale * sy


@compiled
def quaternion_product(a, b):
    """The quaternion of rotation a after rotation b."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@entry
def swing_twist_quaternion(sx: float, sy: float, tau: float) -> tuple[float, float, float, float]:
    """The quaternion of exp([sx, sy, 0]) · Rz(τ)."""
    theta = math.sqrt(sx * sx + sy * sy)
    h = math.sin(0.5 * theta) / theta if theta > _TINY else 0.5
    w, x, y = math.cos(0.5 * theta), h * sx, h * sy
    c, s = math.cos(0.5 * tau), math.sin(0.5 * tau)
    return w * c, x * c + y * s, y * c - x * s, w * s


@entry
def quaternion_swing_twist(w: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Swing and twist (sx, sy, τ) of a unit quaternion, |s| ≤ π and τ in (−π, π].

    Thesis, Appendix C. At |s| = π the split is arbitrary, and τ = 0 is taken.
    """
    if w < 0.0 or (w == 0.0 and z < 0.0):
        w, x, y, z = -w, -x, -y, -z
    about = math.sqrt(w * w + z * z)
    across = math.sqrt(x * x + y * y)
    if about == 0.0:
        c, s, tau = 1.0, 0.0, 0.0
    else:
        c, s = w / about, z / about
        tau = 2.0 * math.atan2(z, w)
        if tau <= -math.pi:  # w is so small that the quotient is −∞; the same rotation as π
            tau = math.pi
    scale = 2.0 * math.atan2(across, about) / across if across > _TINY else 2.0
    return scale * (c * x - s * y), scale * (s * x + c * y), tau


@entry
def rotation_vector_quaternion(x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """The quaternion of exp(r)."""
    theta = math.sqrt(x * x + y * y + z * z)
    h = math.sin(0.5 * theta) / theta if theta > _TINY else 0.5
    return math.cos(0.5 * theta), h * x, h * y, h * z


@entry
def quaternion_rotation_vector(
    w: float, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """The rotation vector, |r| ≤ π, of a unit quaternion."""
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    across = math.sqrt(x * x + y * y + z * z)
    k = 2.0 * math.atan2(across, w) / across if across > _TINY else 2.0
    return k * x, k * y, k * z


@compiled
def _left_coefficients(square):
    """(1 − cos θ)/θ² and (θ − sin θ)/θ³ from θ²."""
    theta = math.sqrt(square)
    half = math.sin(0.5 * theta) / theta if theta > _TINY else 0.5
    if square < _SMALL:
        b = 1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0 - square / 362880.0))
    else:
        b = (theta - math.sin(theta)) / (square * theta)
    return 2.0 * half * half, b


@entry
def swing_twist_rates(sx: float, sy: float, rates: Floats2) -> None:
    """Write E (3, 3): angular velocity, seen from the fixed side, of (ṡx, ṡy, τ̇).

    Its determinant is sin θ / θ: it is singular only at |s| = π.
    """
    a, b = _left_coefficients(sx * sx + sy * sy)
    x, y, z = swing_direction(sx, sy)
    rates[0, 0] = 1.0 - b * sy * sy
    rates[1, 0] = b * sx * sy
    rates[2, 0] = -a * sy
    rates[0, 1] = b * sx * sy
    rates[1, 1] = 1.0 - b * sx * sx
    rates[2, 1] = a * sx
    rates[0, 2] = x
    rates[1, 2] = y
    rates[2, 2] = z


@entry
def direct_rotation(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float
) -> tuple[float, float, float, float]:
    """The quaternion of the shortest rotation that takes one direction to another.

    Of opposite directions, for which there are many, one about an axis across the first.
    """
    w = 1.0 + ax * bx + ay * by + az * bz
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    length = math.sqrt(w * w + x * x + y * y + z * z)
    if length < 1e-14:
        if abs(ax) < 0.7:
            w, x, y, z = 0.0, 0.0, az, -ay
        else:
            w, x, y, z = 0.0, -az, 0.0, ax
        length = math.sqrt(x * x + y * y + z * z)
    return w / length, x / length, y / length, z / length


@entry
def induced_twist(sx: float, sy: float, tx: float, ty: float) -> float:
    """What a direct rotation of the segment from swing s to swing t adds to τ, in (−π, π].

    Thesis 3.7.1: D(s→t) · exp(s) = exp(t) · Rz(induced).
    """
    ax, ay, az = swing_direction(sx, sy)
    bx, by, bz = swing_direction(tx, ty)
    turned = quaternion_product(
        direct_rotation(ax, ay, az, bx, by, bz), swing_twist_quaternion(sx, sy, 0.0)
    )
    target = swing_twist_quaternion(-tx, -ty, 0.0)
    w, _, _, z = quaternion_product(target, turned)
    return 2.0 * math.atan2(-z, -w) if w < 0.0 else 2.0 * math.atan2(z, w)
