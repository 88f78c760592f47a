"""All kinds of block: which there are, and for each what computes it.

A kind is a file beside this one: it says the formula, names where in a block's values what stands
(`packed` writes them), and has

- `residual`, which writes its rows and their Jacobian;
- `touched`, which nodes the rows depend on, unless it is the block's node and other, or all;
- `wrench`, if the gradient of ½|e|² is a wrench on nodes: then no Jacobian is formed for it;
- `load` and `add_curvature`, if second derivatives count: forces to be hung on nodes, which
  `curvature` sweeps up the tree, and what there is besides.

To add one: its file, a number and a line in `KINDS`, and its line in each function below that it
has something for.
"""

from collections.abc import Callable
from typing import NamedTuple

from poise.kernel.body import masses
from poise.kernel.compiling import compiled
from poise.kernel.failures import UnknownBlockError
from poise.kernel.residuals import (
    aim,
    balance,
    center_of_mass,
    custom,
    effort,
    effort_curvature,
    equilibrium,
    framed,
    inertia,
    loop,
    orientation,
    orientation_axis,
    orientation_vectors,
    outside,
    position,
    surface,
)
from poise.kernel.residuals.blocks import Head, Nodes, both_nodes, everything
from poise.kernel.residuals.sites import find_center

(
    POINT, MASS, GAP, TURN, AXIS, VECTORS, AIM, HULL, RIDE, PART, OUTSIDE, ELLIPSOID, GYRATION, ANY,
    CUSTOM, MOMENT, EFFORT,
) = range(17)  # fmt: skip
"""The numbers of the kinds: a point, the centre of mass, the gap between two points, an
orientation, an axis of it, two axes of it as vectors, a line of sight, the centre of mass over its
support, a point in a frame that rides on a node, the centre of mass of one figure among several, a
point outside a convex body, a point on an ellipsoid, a radius of gyration, the best of several
blocks (`choice`), a function written in Python, the moment of all forces, what joints hold."""


class Kind(NamedTuple):
    """What is known of a kind of block before it is computed."""

    touched: Callable[[Head], Nodes] = both_nodes
    """The nodes that its rows depend on."""
    is_swept: Callable[[int, int], bool] = lambda other, rows: False
    """Whether its gradient is a wrench, for an `other` and a number of rows."""


KINDS: dict[int, Kind] = {
    POINT: Kind(is_swept=lambda other, rows: True),
    MASS: Kind(everything, lambda other, rows: True),
    GAP: Kind(is_swept=lambda other, rows: True),
    TURN: Kind(is_swept=lambda other, rows: True),
    # A goal that rides on a node pulls at it, too; an axis in two rows is one split up.
    AXIS: Kind(is_swept=lambda other, rows: other < 0 and rows == 3),
    VECTORS: Kind(is_swept=lambda other, rows: other < 0),
    AIM: Kind(is_swept=lambda other, rows: other < 0),
    HULL: Kind(balance.touched),
    RIDE: Kind(),
    PART: Kind(center_of_mass.touched),
    OUTSIDE: Kind(),
    ELLIPSOID: Kind(),
    GYRATION: Kind(center_of_mass.touched),
    CUSTOM: Kind(everything),
    MOMENT: Kind(equilibrium.touched),
    EFFORT: Kind(everything),
}
"""All but ANY, which `choice` makes of the others."""


@compiled
def moments(kind):
    """Which moments of masses its residual needs: 0 none, 1 the first, 2 the second, too."""
    if kind == GYRATION:
        return 2
    weighs = kind == MASS or kind == PART or kind == HULL or kind == MOMENT or kind == EFFORT
    return 1 if weighs else 0


@compiled
def gather(tree, state, scratch, kind, gathered, wanted):
    """Gather the moments that a kind needs, unless they are; which there are now."""
    needed = moments(kind)
    if gathered >= needed:
        return gathered
    masses.gather(tree, state, needed == 2)
    if gathered == 0:
        everything = tree.below[:0]
        find_center(tree, state, everything, scratch.center, scratch.center_rows, wanted)
    return needed


@compiled
def residual(kind, tree, state, scratch, node, other, v, e, A, wanted):
    """Write the rows of a block, and their Jacobian if wanted."""
    if kind == POINT:
        position.residual(tree, state, scratch, node, v, e, A, wanted)
    elif kind == GAP:
        loop.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == MASS or kind == PART:
        center_of_mass.residual(tree, state, scratch, node, v, e, A, wanted)
    elif kind == HULL:
        balance.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == RIDE:
        framed.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == OUTSIDE:
        outside.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == ELLIPSOID:
        surface.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == TURN:
        orientation.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == AXIS:
        orientation_axis.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == VECTORS:
        orientation_vectors.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == AIM:
        aim.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == GYRATION:
        inertia.residual(tree, state, v, e, A, wanted)
    elif kind == CUSTOM:
        custom.residual(state, other, e, A, wanted)
    elif kind == MOMENT:
        equilibrium.residual(tree, state, scratch, node, v, e, A, wanted)
    elif kind == EFFORT:
        effort.residual(tree, state, v, e, A, wanted)
    else:
        raise UnknownBlockError


@compiled
def wrench(kind, state, room, node, other, v, e, inequality, scale):
    """Add the wrenches that forces on the rows of a block do: each row times a scale."""
    if kind == POINT:
        position.wrench(state, room, node, v, e, inequality, scale)
    elif kind == GAP:
        loop.wrench(state, room, node, other, v, e, inequality, scale)
    elif kind == MASS:
        center_of_mass.wrench(room, v, e, inequality, scale)
    elif kind == TURN or kind == AXIS:
        orientation.wrench(room, node, other, e, scale)
    elif kind == VECTORS:
        orientation_vectors.wrench(state, room, node, v, e, scale)
    elif kind == AIM:
        aim.wrench(state, room, node, v, e, scale)


@compiled
def load(kind, tree, state, scratch, node, other, v, force, inequality, scale, loads):
    """Hang forces on the rows of a block, each times a scale, on nodes."""
    if kind == POINT:
        position.load(state, scratch, node, v, force, inequality, scale, loads)
    elif kind == GAP:
        loop.load(state, scratch, node, other, v, force, inequality, scale, loads)
    elif kind == MASS:
        center_of_mass.load(tree, state, scratch, v, force, inequality, scale, loads)
    elif kind == TURN:
        orientation.load(node, other, force, scale, loads)
    elif kind == VECTORS:
        orientation_vectors.load(state, node, other, v, force, scale, loads)
    elif kind == AIM:
        aim.load(state, scratch, node, other, v, force, scale, loads)
    elif kind == MOMENT:
        equilibrium.load(tree, state, scratch, node, v, force, scale, loads)


@compiled
def add_curvature(kind, tree, state, scratch, node, other, v, terms, scale, out):
    """Add what second derivatives a block has besides loads to the symmetric matrix `out`."""
    if kind == TURN:
        orientation.add_curvature(tree, state, scratch, node, other, terms, scale, out)
    elif kind == AIM:
        aim.add_curvature(tree, state, scratch, node, other, v, terms, scale, out)
    elif kind == EFFORT:
        effort_curvature.add_curvature(tree, state, scratch, v, terms, scale, out)
