"""How rows are filled: with zeros, with those of others, evenly spread."""

import math

from poise.kernel.compiling import compiled


@compiled
def clear(rows, count):
    """Set so many rows to zero."""
    for r in range(count):
        for i in range(rows.shape[1]):
            rows[r, i] = 0.0


@compiled
def copy(source, target):
    """Copy as much of a row as another one takes."""
    for i in range(target.size):
        target[i] = source[i]


GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
"""The golden ratio: its multiples are spread evenly over the fractions."""


@compiled
def evenly(i, number):
    """A number from −1 to 1 for a coordinate: a Kronecker sequence, another for each number."""
    x = (i + 1) * (number + 1) * GOLDEN
    return 2.0 * (x - math.floor(x)) - 1.0
