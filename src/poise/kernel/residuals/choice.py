"""The best of several blocks: the one with the least potential |e|², chosen at every posture.

All are looked at without derivatives, and then the best once more. Rows that it has not got are
met.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from poise.kernel.compiling import compiled
from poise.kernel.filling import clear
from poise.kernel.residuals import kinds
from poise.kernel.residuals.blocks import Head

KIND, NODE, OTHER, ROWS, INEQUALITY, FACTOR, SIZE, HEAD = range(8)
"""Values: for each block to choose from its kind, node, other, number of rows, whether it is an
inequality, a factor for its rows, how many numbers it has; and then these. `other` is how many
blocks there are."""


def packed(head: Head, rows: int, inequality: bool, factor: float) -> NDArray[np.float64]:
    """The values of one block to choose from."""
    numbers = [head.kind, head.node, head.other, rows, inequality, factor, head.values.size]
    return np.concatenate([numbers, head.values], dtype=np.float64)


def starts(values: NDArray[np.float64], count: int) -> Iterator[int]:
    """Where in the values each of so many blocks begins."""
    at = 0
    for _ in range(count):
        yield at
        at += HEAD + int(values[at + SIZE])


def heads(head: Head) -> list[Head]:
    """The blocks to choose from."""
    values = head.values
    found: list[Head] = []
    for at in starts(values, head.other):
        kind, node, other = (int(values[at + each]) for each in (KIND, NODE, OTHER))
        found.append(
            Head(kind, node, other, values[at + HEAD : at + HEAD + int(values[at + SIZE])])
        )
    return found


@compiled
def residual(tree, state, scratch, count, v, e, A, wanted, one_sided, gathered):
    """Write the rows, and their Jacobian if wanted; which moments are gathered now."""
    head, best, least = 0, 0, np.inf
    for look in range(count + 1):
        is_last = look == count
        derive = wanted and is_last
        head = best if is_last else head
        kind, rows, size = int(v[head + KIND]), int(v[head + ROWS]), int(v[head + SIZE])
        node, other = int(v[head + NODE]), int(v[head + OTHER])
        gathered = kinds.gather(tree, state, scratch, kind, gathered, wanted)
        values = v[head + HEAD : head + HEAD + size]
        kinds.residual(kind, tree, state, scratch, node, other, values, e[:rows], A[:rows], derive)
        potential = _scaled(v[head : head + HEAD], one_sided, e[:rows], A[:rows], derive)
        if potential < least and not is_last:
            best, least = head, potential
        head += HEAD + size
    rows = int(v[best + ROWS])
    for r in range(rows, e.size):
        e[r] = 1.0 if one_sided else 0.0
    if wanted:
        clear(A[rows:], e.size - rows)
    return gathered


@compiled
def _scaled(head, one_sided, e, A, wanted):
    """Scale the rows of a block; its potential. An inequality among equalities is cut off."""
    inequality, factor = head[INEQUALITY] > 0.0, head[FACTOR]
    potential = 0.0
    for r in range(e.size):
        e[r] *= factor
        holds = inequality and e[r] >= 0.0
        if not holds:
            potential += e[r] * e[r]
        if holds and not one_sided:
            e[r] = 0.0
        if wanted:
            scale = 0.0 if holds and not one_sided else factor
            for i in range(A.shape[1]):
                A[r, i] *= scale
    return potential
