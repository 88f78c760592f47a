"""Components of the gap between points of two nodes: e_r = d_r · (x − y) − o_r, in metres.

Values: as of `position`, with the point y in the other node's frame for the goal.
"""

from poise.kernel.body.bends import hang
from poise.kernel.body.kinematics import locate
from poise.kernel.body.vectors import times
from poise.kernel.compiling import compiled
from poise.kernel.residuals.position import DIRECTIONS, GOAL, PLACE, along, pull
from poise.kernel.residuals.sites import find_point, located, push, subtract


@compiled
def residual(tree, state, scratch, node, other, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    x, y, rows = scratch.site, scratch.goal, scratch.site_rows
    find_point(tree, state, node, v[PLACE:GOAL], x, rows, wanted)
    find_point(tree, state, other, v[GOAL:DIRECTIONS], y, scratch.goal_rows, wanted)
    if wanted:
        subtract(rows, scratch.goal_rows)
    along(rows, x, y, v, e, A, wanted)


@compiled
def wrench(state, room, node, other, v, e, inequality, scale):
    """Add the wrenches on both nodes that are the gradient of the rows."""
    force = pull(v, e, inequality, scale)
    push(room.node[node], located(state, node, v[PLACE:GOAL]), force)
    push(room.node[other], located(state, other, v[GOAL:DIRECTIONS]), times(-1.0, force))


@compiled
def load(state, scratch, node, other, v, force, inequality, scale, loads):
    """Hang the rows' force on both nodes, for second derivatives."""
    f = pull(v, force, inequality, scale)
    locate(state, node, v[PLACE:GOAL], scratch.site)
    hang(loads[node], 1.0, scratch.site, f)
    locate(state, other, v[GOAL:DIRECTIONS], scratch.goal)
    hang(loads[other], -1.0, scratch.goal, f)
