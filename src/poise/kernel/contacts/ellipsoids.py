"""The point of an ellipsoid nearest to a point."""

import math

from poise.kernel.compiling import compiled, entry


@entry(exact=True)
def nearest(
    x: float, y: float, z: float, a: float, b: float, c: float
) -> tuple[float, float, float, float]:
    """Signed distance of a point to an ellipsoid along the axes; the normal where it is nearest.

    With semi-axes r_i, least among them r, the nearest point is p_i = r_i w_i with
    w_i = a_i/(u + δ_i), a_i = |x_i| r_i/r², δ_i = r_i²/r² − 1, where u ≥ 0 makes |w| = 1; the point
    is outside where u > 1. 1/|w| is an increasing concave function of u: from the left Newton's
    method comes to the root from below, without a step too far. Where a_i is zero for every axis
    as short as r, |w| may stay below 1 down to u = 0: then there are two nearest points or a circle
    or sphere of them, and w along a shortest axis takes up what is lacking.
    """
    least = min(a, min(b, c))
    a0, a1, a2 = _scaled(x, a, least), _scaled(y, b, least), _scaled(z, c, least)
    d0 = (a - least) * (a + least) / (least * least)
    d1 = (b - least) * (b + least) / (least * least)
    d2 = (c - least) * (c + least) / (least * least)
    u = max(0.0, max(a0 - d0, max(a1 - d1, a2 - d2)))
    w0, w1, w2 = 0.0, 0.0, 0.0
    for _ in range(60):
        w0 = a0 / (u + d0) if a0 > 0.0 else 0.0
        w1 = a1 / (u + d1) if a1 > 0.0 else 0.0
        w2 = a2 / (u + d2) if a2 > 0.0 else 0.0
        square = w0 * w0 + w1 * w1 + w2 * w2
        if square <= 1.0:
            break
        slope = 0.0
        if a0 > 0.0:
            slope += w0 * w0 / (u + d0)
        if a1 > 0.0:
            slope += w1 * w1 / (u + d1)
        if a2 > 0.0:
            slope += w2 * w2 / (u + d2)
        following = u + square / slope * (math.sqrt(square) - 1.0)
        if following == u:
            break
        u = following
    if u == 0.0:
        lack = math.sqrt(max(1.0 - w0 * w0 - w1 * w1 - w2 * w2, 0.0))
        if a == least:
            w0 = lack
        elif b == least:
            w1 = lack
        else:
            w2 = lack
    n0, n1, n2 = w0 / a, w1 / b, w2 / c
    size = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    n0, n1, n2 = (
        math.copysign(n0, x) / size,
        math.copysign(n1, y) / size,
        math.copysign(n2, z) / size,
    )
    return least * least * (u - 1.0) * size, n0, n1, n2


@compiled
def _scaled(x, radius, least):
    """|x| r_i/r²; what is too small to divide by counts as zero."""
    scaled = abs(x) * radius / (least * least)
    return scaled if scaled > 1e-100 else 0.0
