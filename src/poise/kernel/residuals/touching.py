"""Which nodes the rows of a block depend on: one line for each kind of block."""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.kernel.body.masses import MOMENTS
from poise.kernel.residuals.blocks import (
    AIM,
    ANY,
    AXIS,
    CHOICE,
    CUSTOM,
    EFFORT,
    ELLIPSOID,
    FORCE,
    GAP,
    GYRATION,
    HULL,
    KIND,
    MASS,
    MOMENT,
    MOMENT_HEAD,
    NODE,
    OTHER,
    OUTSIDE,
    PART,
    POINT,
    RIDE,
    START,
    TURN,
    VECTORS,
    Blocks,
)


class Head(NamedTuple):
    """What says where a block acts: see the columns of `Blocks.block`."""

    kind: int
    node: int
    other: int
    values: NDArray[np.float64]


Nodes = frozenset[int] | None
"""Nodes of the tree; None for every one."""


def heads(blocks: Blocks) -> list[Head]:
    """The heads of all blocks."""
    table = blocks.block.tolist()
    return [
        Head(block[KIND], block[NODE], block[OTHER], blocks.values[block[START] : after[START]])
        for block, after in pairwise(table)
    ]


def touched(head: Head) -> Nodes:
    """The nodes that a block's rows depend on.

    Raises:
        PoiseError: where there is no such kind of block.
    """
    if head.kind not in TOUCHES:
        raise PoiseError(f"there is no kind of block {head.kind}; there are 0 … {max(TOUCHES)}")
    return TOUCHES[head.kind](head)


def calls_python(head: Head) -> bool:
    """Whether a block is a function written in Python, or may choose one."""
    return head.kind == CUSTOM or (head.kind == ANY and any(map(calls_python, _choices(head))))


def _everything(head: Head) -> Nodes:
    return None


def _sites(head: Head) -> Nodes:
    return frozenset((head.node, head.other)) - {-1}


def _masses(head: Head) -> Nodes:
    part = head.values[head.node :]
    return frozenset(np.flatnonzero(part[MOMENTS:] > 0).tolist()) if part.size else None


def _support(head: Head) -> Nodes:
    masses, corners = _masses(head), head.values[1 : 1 + 4 * head.other : 4]
    return None if masses is None else masses | {int(each) for each in corners}


def _forces(head: Head) -> Nodes:
    masses, pushed = _masses(head), head.values[MOMENT_HEAD : head.node : FORCE]
    return None if masses is None else masses | {int(each) for each in pushed}


def _any(head: Head) -> Nodes:
    found: frozenset[int] = frozenset()
    for each in _choices(head):
        nodes = touched(each)
        if nodes is None:
            return None
        found |= nodes
    return found


def _choices(head: Head) -> list[Head]:
    """The blocks that one of kind ANY chooses from."""
    result: list[Head] = []
    at, values = 0, head.values
    for _ in range(head.other):
        kind, node, other = (int(each) for each in values[at : at + 3])
        start = at + CHOICE
        at = start + int(values[start - 1])
        result.append(Head(kind, node, other, values[start:at]))
    return result


TOUCHES: dict[int, Callable[[Head], Nodes]] = {
    POINT: _sites,
    MASS: _everything,
    GAP: _sites,
    TURN: _sites,
    AXIS: _sites,
    VECTORS: _sites,
    AIM: _sites,
    HULL: _support,
    RIDE: _sites,
    PART: _masses,
    OUTSIDE: _sites,
    ELLIPSOID: _sites,
    GYRATION: _masses,
    ANY: _any,
    CUSTOM: _everything,
    MOMENT: _forces,
    EFFORT: _everything,
}
"""For each kind of block, how its nodes are found."""
