"""How far the centre of mass is from the middle of its support, seen from above: two rows, metres.

e = c − (1/k) Σ p over k points of nodes, x and y of it: the points are the middles of the outlines
that bear. Their mean moves smoothly with the feet, where the middle of the hull of all corners
would jump as corners enter and leave the hull. All is linear in points: second derivatives are
those of a force f at the centre of mass, which acts on every node by its share of the mass, and of
−f/k at every point; they are exact.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.kernel.body.bends import hang
from poise.kernel.body.kinematics import locate, point_rows
from poise.kernel.body.masses import MOMENTS, mass_of
from poise.kernel.compiling import compiled
from poise.kernel.filling import clear
from poise.kernel.residuals import center_of_mass
from poise.kernel.residuals.blocks import Head, Nodes
from poise.kernel.residuals.sites import center_of

POINT_NODE, POINT_PLACE, POINT = 0, 1, 4
"""Values: for each point its node and its place there, so many numbers; then, from `node` on, a
part of the masses. `other` is the number of points, one at least."""

ROWS = 2


def packed(points: ArrayLike, part: ArrayLike) -> NDArray[np.float64]:
    """The values; points are rows of a node and a place there."""
    return np.concatenate([np.ravel(points), part], dtype=np.float64)


def touched(head: Head) -> Nodes:
    """The nodes of the masses and of the points."""
    points = head.values[POINT_NODE : POINT * head.other : POINT]
    return center_of_mass.touched_beside(head, points)


@compiled
def residual(tree, state, scratch, node, points, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    center, center_rows = center_of(tree, state, scratch, v[node:], wanted)
    point, rows, share = scratch.site, scratch.site_rows, 1.0 / points
    e[0], e[1] = center[0], center[1]
    if wanted:
        clear(rows, 3)
    for k in range(points):
        at = POINT * k
        bearer = int(v[at + POINT_NODE])
        locate(state, bearer, v[at + POINT_PLACE : at + POINT], point)
        e[0] -= share * point[0]
        e[1] -= share * point[1]
        if wanted:
            point_rows(tree, state, bearer, point, rows)
    if not wanted:
        return
    for i in range(A.shape[1]):
        A[0, i] = center_rows[0, i] - share * rows[0, i]
        A[1, i] = center_rows[1, i] - share * rows[1, i]


@compiled
def load(tree, state, scratch, node, points, v, force, scale, loads):
    """Hang the rows' force on all masses, and its opposite on the points."""
    part, point = v[node:], scratch.site
    f = scale * force[0], scale * force[1], 0.0
    for k in range(points):
        at = POINT * k
        bearer = int(v[at + POINT_NODE])
        locate(state, bearer, v[at + POINT_PLACE : at + POINT], point)
        hang(loads[bearer], -1.0 / points, point, f)
    share = 1.0 / mass_of(tree, part)
    for each in range(1, tree.parent.size):
        if part.size == 0 or part[MOMENTS + each] > 0.0:
            locate(state, each, tree.center[each], point)
            hang(loads[each], share * tree.mass[each], point, f)
