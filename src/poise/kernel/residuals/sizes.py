"""How large errors are: of every level, and of every task."""

import math

from poise.kernel.arrays import Floats, Floats2, Ints, Ints2
from poise.kernel.compiling import compiled, entry
from poise.kernel.residuals.blocks import ROW, WEIGHT


@entry
def sizes(starts: Ints, inequality: Ints, residual: Floats, out: Floats) -> None:
    """The size |e| of every level; inequalities that hold count nothing."""
    for k in range(starts.size - 1):
        total = 0.0
        for r in range(starts[k], starts[k + 1]):
            e = residual[r]
            if inequality[r] == 0 or e < 0.0:
                total += e * e
        out[k] = math.sqrt(total)


@compiled
def error(block, factors, inequality, residual, b):
    """The error of a task, its weight taken out; inequalities that hold count nothing."""
    total = 0.0
    for r in range(block[b, ROW], block[b + 1, ROW]):
        e = residual[r]
        if inequality[r] == 0 or e < 0.0:
            total += e * e
    return math.sqrt(total) / factors[b, WEIGHT]


@entry
def worst(
    block: Ints2,
    factors: Floats2,
    starts: Ints,
    inequality: Ints,
    residual: Floats,
    tolerance: float,
    out: Floats,
    missed: Floats,
) -> None:
    """The greatest error of any task of each level, and how many of its tasks are unmet."""
    for k in range(starts.size - 1):
        out[k], missed[k] = 0.0, 0.0
    k = 0
    for b in range(block.shape[0] - 1):
        while block[b, ROW] >= starts[k + 1]:
            k += 1
        e = error(block, factors, inequality, residual, b)
        out[k] = max(out[k], e)
        missed[k] += 0.0 if e <= tolerance else 1.0
