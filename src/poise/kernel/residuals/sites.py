"""What several kinds of block share: points and turns of nodes with their Jacobians, and forces."""

from poise.kernel.body.kinematics import locate, point_rows, turn_rows
from poise.kernel.body.masses import center_of_part, center_of_part_rows
from poise.kernel.body.vectors import add, cross, plus, turned
from poise.kernel.compiling import compiled
from poise.kernel.filling import clear

TORQUE, FORCE = 0, 3
"""Where in the six numbers of a wrench are the torque about the world's origin, and the force."""


@compiled
def find_point(tree, state, node, local, point, rows, wanted):
    """Write where a point of a node is, and its Jacobian into three rows if wanted."""
    locate(state, node, local, point)
    if wanted:
        clear(rows, 3)
        point_rows(tree, state, node, point, rows)


@compiled
def find_turn(tree, state, node, turn, rows, wanted):
    """Write how a node is turned, and the Jacobian of ω into three rows if wanted."""
    for k in range(9):
        turn[k] = state.rotation[node, k]
    if wanted:
        clear(rows, 3)
        turn_rows(tree, state, node, rows)


@compiled
def find_center(tree, state, part, center, rows, wanted):
    """Write the centre of mass of a part, after `gather`, and its Jacobian if wanted."""
    center_of_part(tree, state, part, center)
    if wanted:
        clear(rows, 3)
        center_of_part_rows(tree, state, part, rows)


@compiled
def center_of(tree, state, scratch, part, wanted):
    """Where the centre of mass of a part is, and its Jacobian if wanted; of all where it is empty.

    That of all masses is there already (see `kinds`).
    """
    if part.size == 0:
        return scratch.center, scratch.center_rows
    find_center(tree, state, part, scratch.part_center, scratch.part_rows, wanted)
    return scratch.part_center, scratch.part_rows


@compiled
def subtract(rows, others):
    """Take three rows from others."""
    for r in range(3):
        for i in range(rows.shape[1]):
            rows[r, i] -= others[r, i]


@compiled
def combine(rows, d, out):
    """out = d · rows, for three rows."""
    for i in range(out.size):
        out[i] = d[0] * rows[0, i] + d[1] * rows[1, i] + d[2] * rows[2, i]


@compiled
def located(state, node, local):
    """Where a point of a node is."""
    return plus(state.position[node], turned(state.rotation[node], local))


@compiled
def push(wrench, x, force):
    """Add a force at a point of the world to a wrench."""
    add(wrench, TORQUE, cross(x, force))
    add(wrench, FORCE, force)
