"""Components of a centre of mass: e_r = d_r · (c − g) − o_r, in metres; of all masses or a part.

Values: as of `position`, without its point; then, from `node` on, a part (see `body.masses`), which
is empty for all masses. Only of all masses are there a gradient by a wrench and second derivatives:
a force on c acts on every node by its share of the mass.
"""

import numpy as np
from numpy.typing import NDArray

from poise.kernel.body.bends import hang
from poise.kernel.body.kinematics import locate
from poise.kernel.body.masses import MOMENTS
from poise.kernel.body.vectors import add
from poise.kernel.compiling import compiled
from poise.kernel.residuals.blocks import Head, Nodes
from poise.kernel.residuals.position import DIRECTIONS, GOAL, along, pull
from poise.kernel.residuals.sites import center_of


def touched(head: Head) -> Nodes:
    """The nodes of the part."""
    part = head.values[head.node :]
    return frozenset((part[MOMENTS:] > 0).nonzero()[0].tolist()) if part.size else None


def touched_beside(head: Head, nodes: NDArray[np.float64]) -> Nodes:
    """The nodes of the part, and others."""
    masses = touched(head)
    return None if masses is None else masses | {int(each) for each in nodes}


@compiled
def residual(tree, state, scratch, node, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    center, rows = center_of(tree, state, scratch, v[node:], wanted)
    along(rows, center, v[GOAL:DIRECTIONS], v, e, A, wanted)


@compiled
def wrench(room, v, e, inequality, scale):
    """Add the force on the centre of all masses that is the gradient of the rows."""
    add(room.center, 0, pull(v, e, inequality, scale))


@compiled
def load(tree, state, scratch, v, force, inequality, scale, loads):
    """Hang the rows' force on all nodes by their mass, for second derivatives."""
    f, share = pull(v, force, inequality, scale), 1.0 / tree.below[0]
    for node in range(1, tree.parent.size):
        locate(state, node, tree.center[node], scratch.site)
        hang(loads[node], share * tree.mass[node], scratch.site, f)
