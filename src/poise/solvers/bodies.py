"""Bodies that are to stay apart, packed for the kernel: those of all tasks of a problem."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poise import kernel
from poise.figure import Figure, Posture
from poise.figure.collision import pack_shapes, parts_of
from poise.kernel.contacts.bodies import NO_BODIES, Bodies
from poise.kernel.contacts.pairs import groups_of, pair_list
from poise.kernel.residuals import avoid
from poise.kernel.residuals.kinds import AVOID
from poise.tasks.task import Block


def pack_bodies(figure: Figure, posture: Posture, blocks: Sequence[Block]) -> Bodies:
    """The shapes and pairs of all blocks; what each block needs is written into its values."""
    own = [block for block in blocks if block.kind == AVOID]
    if not own:
        return NO_BODIES
    parts = parts_of(figure)
    shapes = pack_shapes([(part.node, part.place, part.shape) for part in parts])
    tree = figure.packed.tree
    state, places = kernel.body.tree.state(tree), np.zeros((len(parts), 12))
    kernel.body.kinematics.place(tree, posture.q, state)
    kernel.contacts.shapes.place_shapes(shapes, state, places)
    apart = [each for block in own for each in block.apart]
    pairs = pair_list(
        [(each.first, each.second) for each in apart],
        [each.allowed for each in apart],
        groups_of(shapes, places),
    )
    owner = np.repeat(np.arange(len(own)), [len(block.apart) for block in own])
    for number, block in enumerate(own):
        block.values[avoid.BLOCK] = number
        block.values[avoid.LOOKS] = 1.0 if number == 0 else 0.0
    return Bodies(
        shapes,
        pairs,
        owner[pairs.number],
        np.cumsum([0, *(block.rows for block in own)]).astype(np.int64),
    )
