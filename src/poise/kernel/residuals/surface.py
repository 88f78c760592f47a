"""Signed distance of a point to an ellipsoid, positive outside, less a distance (m); one row.

The ellipsoid is about the origin of a frame that rides on a node. The gradient is the outward
normal at the nearest point; where several are nearest it is that of one of them.
"""

from poise.kernel.body.vectors import turned
from poise.kernel.compiling import compiled
from poise.kernel.contacts.ellipsoids import nearest
from poise.kernel.residuals.framed import OWN, find_framed
from poise.kernel.residuals.sites import combine

SEMI_AXES, DISTANCE = OWN, OWN + 3
"""Values: those of `framed`, with semi-axes (3) and the distance wanted for its own."""


@compiled
def residual(tree, state, scratch, node, other, v, e, A, wanted):
    """Write the row, and its Jacobian if wanted."""
    find_framed(tree, state, scratch, node, other, v, wanted)
    y, a, b, c = scratch.local, v[SEMI_AXES], v[SEMI_AXES + 1], v[SEMI_AXES + 2]
    distance, n0, n1, n2 = nearest(y[0], y[1], y[2], a, b, c)
    e[0] = distance - v[DISTANCE]
    if wanted:
        combine(scratch.site_rows, turned(scratch.goal_turn, (n0, n1, n2)), A[0])
