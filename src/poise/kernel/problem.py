"""What a solver is given, and how criteria draw its coordinates."""

from typing import NamedTuple

from poise.kernel.arrays import Floats2
from poise.kernel.body.tree import Tree
from poise.kernel.compiling import compiled
from poise.kernel.limits.bounds import Bounds
from poise.kernel.residuals.blocks import Blocks

(
    METRIC, GOAL, PULL, ZONE_LOW, ZONE_HIGH, ZONE_PULL, MIDDLE, HALF_RANGE, LEAST, MOST,
) = range(10)  # fmt: skip
"""Rows of `Problem.coordinates`: how willingly a coordinate moves, 1 freely, 0 not at all; where
criteria draw it and how strongly, 0 … 1; the zone into which they draw it back from outside, and
how strongly; the middle of its range and half its width, nan where it has none; the least and the
most that it may be in this solve, beside its limits: −inf and inf where it may go anywhere."""


class Problem(NamedTuple):
    """What is to be solved."""

    tree: Tree
    bounds: Bounds
    blocks: Blocks
    coordinates: Floats2  # (10, n)
    recruited: Floats2  # (L, n) how readily each moves for the sake of a level, 0: it only reacts


@compiled
def spring(coordinates, i, x):
    """What criteria make of a coordinate: ½ pull (x − goal)² and the like beyond the zone.

    Its value, slope and bend.
    """
    pull, away = coordinates[PULL, i], x - coordinates[GOAL, i]
    value, slope, bend = 0.5 * pull * away * away, pull * away, pull
    away = x - min(max(x, coordinates[ZONE_LOW, i]), coordinates[ZONE_HIGH, i])
    if away != 0.0:
        pull = coordinates[ZONE_PULL, i]
        value, slope, bend = value + 0.5 * pull * away * away, slope + pull * away, bend + pull
    return value, slope, bend
