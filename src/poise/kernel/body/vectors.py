"""Vectors of three numbers: tuples, which stay in registers, or rows of arrays."""

from poise.kernel.compiling import compiled


@compiled
def three(values, first):
    """Three of many numbers."""
    return values[first], values[first + 1], values[first + 2]


@compiled
def add(values, first, a):
    """Add to three of many numbers."""
    values[first] += a[0]
    values[first + 1] += a[1]
    values[first + 2] += a[2]


@compiled
def plus(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@compiled
def minus(a, b):
    """a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@compiled
def times(factor, a):
    """A vector times a number."""
    return factor * a[0], factor * a[1], factor * a[2]


@compiled
def dot(a, b):
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def cross(a, b):
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@compiled
def plus_cross(a, b, c):
    """a + b × c."""
    return (
        a[0] + b[1] * c[2] - b[2] * c[1],
        a[1] + b[2] * c[0] - b[0] * c[2],
        a[2] + b[0] * c[1] - b[1] * c[0],
    )


@compiled
def minus_cross(a, b, c):
    """a − b × c."""
    return (
        a[0] - b[1] * c[2] + b[2] * c[1],
        a[1] - b[2] * c[0] + b[0] * c[2],
        a[2] - b[0] * c[1] + b[1] * c[0],
    )


@compiled
def turned(R, a):
    """R a, with the nine numbers of a matrix by rows."""
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@compiled
def turned_back(R, a):
    """Rᵀ a, with the nine numbers of a matrix by rows."""
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )
