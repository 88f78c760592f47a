"""What each iteration of a solve did, noted by every method in the same rows."""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.compiling import entry
from poise.kernel.records import Numbers
from poise.kernel.residuals.blocks import Blocks
from poise.kernel.residuals.sizes import sizes

PHASE, LEVEL, RADIUS, STEP, ERRORS = range(5)
"""Columns of `Trace.rows`: what the iteration was for, a number of the method's own; the level that
it was about, 0 for the first, −1 if for none alone; how far it might have gone, nan if no radius
bounds it; how far the coordinate went that moved most (rad or m); from ERRORS on the size of every
level's error after it (m)."""


class Length(Numbers):
    """How long a trace is."""

    count: int
    """Iterations that were noted, or would have been if there had been room."""


class Trace(NamedTuple):
    """The rows, and how to tell one level from another. Without rows nothing is noted."""

    rows: Floats2  # (T, ERRORS + L)
    length: Length
    starts: Ints  # (L + 1,) the first row of every level's residual, and the end
    inequality: Ints  # (R,) 1 for rows that may be positive


def make_trace(blocks: Blocks, most: int) -> Trace:
    """Room for so many iterations of a problem with these blocks."""
    levels = blocks.level.size - 1
    return Trace(np.zeros((most, ERRORS + levels)), Length(), blocks.level, blocks.inequality)


@entry
def note(
    trace: Trace, residual: Floats, phase: int, level: int, radius: float, step: float
) -> None:
    """Note an iteration that ended with a residual; nothing where there is no room."""
    at = trace.length.count
    if trace.rows.shape[0] > 0:
        trace.length.count = at + 1
    if at < trace.rows.shape[0]:
        row = trace.rows[at]
        row[PHASE], row[LEVEL], row[RADIUS], row[STEP] = phase, level, radius, step
        sizes(trace.starts, trace.inequality, residual, row[ERRORS:])
