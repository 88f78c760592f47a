"""Criteria as solvers take them: one weighted sum, by springs on coordinates or by rows.

Where all criteria are springs, and zones that do not differ, they need no rows: their sum is one
spring and one zone for each coordinate. Where some have rows of their own all become rows of one
level, after those of the tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.kernel.residuals import springs
from poise.kernel.residuals.kinds import SPRINGS
from poise.tasks.task import Block, Context, Criterion

Values = NDArray[np.float64]
Weighted = tuple[Criterion, float]
"""A criterion with its weight."""
Springs = tuple[Values, Values, Values, Values, Values]
"""`rest`, `pull`, `zone_lower`, `zone_upper` and `zone_strength` of a problem."""

TIGHTEST = "of several comfort zones of a coordinate the tightest is taken"
"""The note of a method without rows on what it makes of zones that differ."""


class Without(NamedTuple):
    """What a problem is without some of its rows: those of criteria that can do without."""

    blocks: int
    """The first so many blocks are the same."""
    springs: Springs
    """`rest` … `zone_strength` there."""


class PackedCriteria(NamedTuple):
    """All criteria of a problem: as rows, or as springs and zones."""

    blocks: list[tuple[Block, float]]
    """Their rows, each block with its weight; none where springs and zones are enough."""
    springs: Springs
    """Springs and zones; none where there are rows."""
    with_rows: tuple[str, ...]
    """As of `Problem`."""
    without: Without | None
    """As of `Problem`."""
    tightest: Without | None
    """As of `Problem`."""


def pack_criteria(
    context: Context,
    criteria: Sequence[Weighted],
    usual: Sequence[Weighted],
    moves: NDArray[np.bool_],
    *,
    after: int,
) -> PackedCriteria:
    """Pack criteria.

    Args:
        context: what is posed.
        criteria: with their weights.
        usual: some with rows that are added to the others, and that methods which take no rows
            leave out.
        moves: (n,) which coordinates may move.
        after: how many blocks the tasks have, which come before.
    """
    zones = _shared_zones(context, criteria, moves)
    with_rows = [type(each).__name__ for each, _ in criteria if each.blocks(context)]
    with_rows += zones.apart
    blocks: list[tuple[Block, float]] = []
    if usual or with_rows or zones.differ:
        blocks = _rows_of_criteria(context, [*criteria, *usual])
    without = tightest = None
    springs_alone = Without(after, _springs_alone(context, criteria))
    if usual and with_rows:
        left_out = sum(len(each.blocks(context)) for each, _ in usual)
        without = Without(after + len(blocks) - left_out, _springs_alone(context, []))
    elif usual:
        without = springs_alone
    elif zones.differ and not with_rows:
        tightest = springs_alone
    return PackedCriteria(
        blocks,
        _springs_alone(context, []) if blocks else springs_alone.springs,
        tuple(with_rows),
        without,
        tightest,
    )


def _rows_of_criteria(context: Context, criteria: Sequence[Weighted]) -> list[tuple[Block, float]]:
    """The rows of criteria with their weights: of springs and zones, then those of their own."""
    blocks = [(block, w) for criterion, w in criteria for block in criterion.blocks(context)]
    springs: list[tuple[Block, float]] = []
    for criterion, weight in criteria:
        _check_weight(weight)
        springs += [(block, weight) for block in _springs(criterion, context)]
    return springs + blocks


def _check_weight(weight: float) -> None:
    if weight <= 0:
        raise PoiseError(f"the weight of a criterion must be greater than 0, not {weight:g}")


def _springs(criterion: Criterion, context: Context) -> list[Block]:
    """The springs and the zones of a criterion as rows."""
    goal, spring = criterion.springs(context)
    low, high, strength = criterion.zone(context)
    found: list[Block] = []
    for lower, upper, strong in ((goal, goal, spring), (low, high, strength)):
        (drawn,) = np.nonzero(strong > 0)
        if drawn.size:
            values = springs.packed(drawn, lower[drawn], upper[drawn], strong[drawn])
            found.append(Block(SPRINGS, drawn.size, values))
    return found


class _SharedZones(NamedTuple):
    """What there is to say of zones that several criteria have of one coordinate."""

    differ: bool
    """Whether some have different ends: then their sum is no zone, and needs rows."""
    apart: list[str]
    """For each criterion that has a zone beside another's with nothing in common, what it is."""


def _shared_zones(
    context: Context, criteria: Sequence[Weighted], moves: NDArray[np.bool_]
) -> _SharedZones:
    """Compare the zones of coordinates that may move (n,)."""
    n, differ, apart = context.figure.n, False, list[str]()
    lower, upper, taken = np.full(n, -np.inf), np.full(n, np.inf), np.zeros(n, bool)
    for criterion, _ in criteria:
        low, high, strength = criterion.zone(context)
        acts = (strength > 0) & moves
        shared = acts & taken
        differ = differ or bool((shared & ((low != lower) | (high != upper))).any())
        lower[acts] = np.maximum(lower, low)[acts]
        upper[acts] = np.minimum(upper, high)[acts]
        taken |= acts
        if (shared & (lower > upper)).any():
            first = context.figure.coordinates[int(np.argmax(shared & (lower > upper)))]
            name = type(criterion).__name__
            apart.append(f"{name}, whose zone of {first!r} has nothing in common with another's,")
    return _SharedZones(differ, apart)


def _springs_alone(context: Context, criteria: Sequence[Weighted]) -> Springs:
    """All criteria together, without rows: goal and strength of springs; zones.

    Springs add up: the strengths, and the goals by their strengths. Of zones the tightest counts,
    and strengths add up; that is their sum only where they are the same (see `_shared_zones`).
    Zones of which nothing is in common are not for this: they meet in the middle. All strengths
    are divided by the greatest sum of both on one coordinate.
    """
    n = context.figure.n
    moment, pull, strength = np.zeros(n), np.zeros(n), np.zeros(n)
    lower, upper = np.full(n, -np.inf), np.full(n, np.inf)
    for criterion, weight in criteria:
        _check_weight(weight)
        goal, spring = criterion.springs(context)
        moment += weight * spring * goal
        pull += weight * spring
        low, high, outside = criterion.zone(context)
        acts = outside > 0
        lower[acts] = np.maximum(lower, low)[acts]
        upper[acts] = np.minimum(upper, high)[acts]
        strength += weight * outside
    apart = lower > upper
    lower[apart] = upper[apart] = 0.5 * (lower[apart] + upper[apart])
    rest = np.divide(moment, pull, out=np.zeros(n), where=pull > 0)
    most = float((pull + strength).max(initial=0.0)) or 1.0
    return rest, pull / most, lower, upper, strength / most
