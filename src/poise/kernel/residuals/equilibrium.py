"""The moment of all forces and of the weight about the world's origin, times metres per N·m.

Three rows: e = s (Σ t + Σ x × f + G × w), all forces f at points x and the weight w at the centre
of mass G, with J = −Σ [f×] J_x − [w×] J_G (thesis 6.6). Forces keep their direction in the world. A
moment λ · (x × f) = x · (f × λ) is linear in points: its second derivatives are those of forces
f × λ at every x, and w × λ at all masses.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.kernel.body.bends import hang
from poise.kernel.body.kinematics import locate
from poise.kernel.body.masses import MOMENTS, mass_of
from poise.kernel.body.vectors import cross, plus_cross, three, times
from poise.kernel.compiling import compiled
from poise.kernel.residuals import center_of_mass
from poise.kernel.residuals.blocks import Head, Nodes
from poise.kernel.residuals.sites import center_of, find_point

METRES, TORQUE, WEIGHT, FORCES = 0, 1, 4, 7
FORCE_NODE, FORCE_PLACE, FORCE_VALUE, FORCE = 0, 1, 4, 7
"""Values: metres per N·m, the sum of all torques (3), the weight (3); then for each force its node,
its point there (3) and itself (3), so many numbers; then, from `node` on, a part of the masses."""


def packed(
    metres: float, torque: ArrayLike, weight: ArrayLike, forces: ArrayLike, part: ArrayLike
) -> NDArray[np.float64]:
    """The values; forces are rows of a node, a point there and a force."""
    return np.concatenate([[metres], torque, weight, np.ravel(forces), part])


def touched(head: Head) -> Nodes:
    """The nodes of the masses and of the forces."""
    pushed = head.values[FORCES + FORCE_NODE : head.node : FORCE]
    return center_of_mass.touched_beside(head, pushed)


@compiled
def residual(tree, state, scratch, node, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    center, center_rows = center_of(tree, state, scratch, v[node:], wanted)
    scale, weight = v[METRES], three(v, WEIGHT)
    total = plus_cross(three(v, TORQUE), center, weight)
    if wanted:
        for c in range(A.shape[1]):
            rate = center_rows[0, c], center_rows[1, c], center_rows[2, c]
            A[0, c], A[1, c], A[2, c] = times(scale, cross(rate, weight))
    point, rows = scratch.site, scratch.site_rows
    for k in range(FORCES, node, FORCE):
        force = three(v, k + FORCE_VALUE)
        place = v[k + FORCE_PLACE : k + FORCE_VALUE]
        find_point(tree, state, int(v[k + FORCE_NODE]), place, point, rows, wanted)
        total = plus_cross(total, point, force)
        if wanted:
            for c in range(A.shape[1]):
                rate = cross((rows[0, c], rows[1, c], rows[2, c]), force)
                A[0, c] += scale * rate[0]
                A[1, c] += scale * rate[1]
                A[2, c] += scale * rate[2]
    e[0], e[1], e[2] = times(scale, total)


@compiled
def load(tree, state, scratch, node, v, force, scale, loads):
    """Hang what the rows pull with on the nodes, for second derivatives. Torques bend nothing."""
    pull, point, part = times(scale * v[METRES], force), scratch.site, v[node:]
    for k in range(FORCES, node, FORCE):
        at = int(v[k + FORCE_NODE])
        locate(state, at, v[k + FORCE_PLACE : k + FORCE_VALUE], point)
        hang(loads[at], 1.0, point, cross(three(v, k + FORCE_VALUE), pull))
    share, f = 1.0 / mass_of(tree, part), cross(three(v, WEIGHT), pull)
    for at in range(1, tree.parent.size):
        if part.size == 0 or part[MOMENTS + at] > 0.0:
            locate(state, at, tree.center[at], point)
            hang(loads[at], share * tree.mass[at], point, f)
