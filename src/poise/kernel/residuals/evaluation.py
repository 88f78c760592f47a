"""What tasks want: residuals and their Jacobians.

A task is one or more *blocks*, each a residual of one kind about one or two nodes. What a kind is,
and how to add one, is in `kernel.residuals.kinds`. Residuals are in metres; those of angles are
scaled by the task's metres per radian.
"""

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.tree import State, Tree
from poise.kernel.compiling import entry
from poise.kernel.residuals import choice, kinds
from poise.kernel.residuals.blocks import (
    END,
    KIND,
    NODE,
    OTHER,
    ROW,
    ROWS,
    SCALE,
    START,
    Blocks,
    Scratch,
)


@entry
def evaluate(
    tree: Tree,
    blocks: Blocks,
    state: State,
    scratch: Scratch,
    residual: Floats,
    matrix: Floats2,
    wanted: bool,
) -> None:
    """Residuals of all blocks, and their Jacobian if wanted, at the posture in `state`.

    Needs `place`, and `differentiate` where the Jacobian is wanted.
    """
    block, values = blocks.block, blocks.values
    gathered = 0
    for b in range(block.shape[0] - 1):
        kind, node, other, row = block[b, KIND], block[b, NODE], block[b, OTHER], block[b, ROW]
        stop, v = row + block[b, ROWS], values[block[b, START] : block[b + 1, START]]
        e, A = residual[row:stop], matrix[row:stop]
        if kind == kinds.CHOICE:
            one_sided = blocks.inequality[row] == 1
            gathered = choice.residual(
                tree, state, scratch, other, v, e, A, wanted, one_sided, gathered
            )
        elif kind != END:
            gathered = kinds.gather(tree, state, scratch, kind, gathered, wanted)
            kinds.residual(kind, tree, state, scratch, node, other, v, e, A, wanted)
        scale = blocks.factor[b, SCALE]
        for r in range(row, stop):
            residual[r] *= scale
            if wanted and scale != 1.0:
                for i in range(matrix.shape[1]):
                    matrix[r, i] *= scale
