"""Which nodes the rows of a block depend on, and which blocks call Python."""

from itertools import pairwise

from poise.errors import PoiseError
from poise.kernel.residuals import choice
from poise.kernel.residuals.blocks import KIND, NODE, OTHER, START, Blocks, Head, Nodes
from poise.kernel.residuals.kinds import CHOICE, CUSTOM, KINDS


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
    if head.kind == CHOICE:
        found = [touched(each) for each in choice.heads(head)]
        return None if None in found else frozenset[int]().union(*(each or () for each in found))
    if head.kind not in KINDS:
        raise PoiseError(f"there is no kind of block {head.kind}; there are 0 … {max(KINDS)}")
    return KINDS[head.kind].touched(head)


def calls_python(head: Head) -> bool:
    """Whether a block is a function written in Python, or may choose one."""
    if head.kind == CHOICE:
        return any(map(calls_python, choice.heads(head)))
    return head.kind == CUSTOM
