"""The arrays of the inner step: where a caller writes its problem and reads the answer.

Arrays of one length share one block; the constants below name their rows.
"""

from typing import NamedTuple

import numpy as np

from poise.errors import PoiseError
from poise.kernel.arrays import Floats, Floats2, Floats3, Ints, Ints2, aligned

(
    LOWER, UPPER, VALUE, LOW, UP, NORM, BASE, TARGET, RESIDUAL, SHARE, CHANGE, SUMS, NU,
    MULTIPLIER, INVERSE, COLUMN, HELD,
) = range(17)  # fmt: skip
"""Rows of `Workspace.rows`. A caller fills LOWER and UPPER, and reads VALUE, the product A u."""

BOX_LOWER, BOX_UPPER, REST, STEP, CENTER, HOME, GRADIENT, POINT, TURNED = range(9)
"""Rows of `Workspace.boxes`. A caller fills BOX_LOWER, BOX_UPPER and REST, and reads STEP."""

GRAM, PRODUCT, FACTOR, NORMAL = range(4)
"""Squares: A Aᵀ; the same over the free columns; the factor's transpose; a level's own factor."""

ROW_STATE, ROW_WANTED, ROW_ENTRY, ORDER, PIVOT, KNOWN, LIST, ROW_MEMORY = range(8)
"""Rows of `Workspace.row_sets`; from ROW_MEMORY on, the set each level ended with."""

BOX_STATE, BOX_WANTED, BOX_ENTRY, FREE, BOX_MEMORY = range(5)
"""Rows of `Workspace.box_sets`; from BOX_MEMORY on, the set each level ended with.

States of rows and coordinates: 0 not in force; 1 held at the upper end and −1 at the lower, as
long as the multiplier has that sign; ±2 held for good: equalities, locked and frozen ones.
"""

ABOVE, END, HARD, PIVOTS, ROUNDS, DESCENTS, STALLS = range(7)
"""Entries of `Workspace.counts`; ROUNDS and DESCENTS are for a caller to read."""

EQUAL = 1e-12
"""A row whose interval is no longer than this is an equality."""

FLOOR = 1e-10
"""Least damping of a level, as a share of the square of its longest row."""

SMALLEST = 1e-6
"""Square of the length below which the longest row of a level is no measure for its damping."""


class Workspace(NamedTuple):
    """One problem of n coordinates and m rows, and all that solving it needs.

    The first `starts[1]` rows of `matrix` are hard; those from `starts[k]` to `starts[k + 1]`
    belong to level k = 1, 2, …. Columns from n to the width w are padding and must stay zero.
    """

    matrix: Floats2  # (m, w)
    rows: Floats2  # (17, m)
    boxes: Floats2  # (9, w)
    starts: Ints  # (levels + 2,)
    damping: Floats  # (levels,)
    squares: Floats3  # (4, m, m)
    row_sets: Ints2  # (8 + levels, m)
    box_sets: Ints2  # (5 + levels, n)
    counts: Ints  # (7,)
    spare: Floats2  # (m, w) rows turned by reflections
    panel: Floats2  # (2 m, m + 1) a small least-squares problem, its right side last
    ladder: Floats2  # (levels + 1, w) the step after each level, and after the resting step


def workspace(n: int, rows: int, hard_rows: int, levels: int) -> Workspace:
    """Make room for problems of n coordinates and at most so many rows, hard rows and levels.

    Without bounds (±inf), rows and damping until they are filled in.
    """
    if n < 1 or rows < 0 or hard_rows < 0 or levels < 0:
        raise PoiseError(
            f"an inner step needs n ≥ 1 and no negative sizes, but got n = {n}, rows = {rows}, "
            f"hard_rows = {hard_rows}, levels = {levels}"
        )
    width = (n + 7) // 8 * 8
    m = rows + hard_rows + 1  # the factor writes a row before it knows whether it is a pivot
    boxes = aligned(TURNED + 1, width)
    boxes[BOX_LOWER] = -np.inf
    boxes[BOX_UPPER] = np.inf
    return Workspace(
        matrix=aligned(m, width),
        rows=np.zeros((HELD + 1, m)),
        boxes=boxes,
        starts=np.zeros(levels + 2, np.int64),
        damping=np.zeros(levels),
        squares=np.zeros((NORMAL + 1, m, m)),
        row_sets=np.zeros((ROW_MEMORY + levels + 1, m), np.int64),
        box_sets=np.zeros((BOX_MEMORY + levels + 1, n), np.int64),
        counts=np.zeros(STALLS + 1, np.int64),
        spare=aligned(m, width),
        panel=np.zeros((2 * m, m + 1)),
        ladder=aligned(levels + 1, width),
    )
