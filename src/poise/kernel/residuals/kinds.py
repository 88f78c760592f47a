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
    avoid,
    balance,
    center_of_mass,
    custom,
    effort,
    effort_curvature,
    equilibrium,
    framed,
    inertia,
    loop,
    mid_support,
    natural,
    orientation,
    orientation_axis,
    orientation_vectors,
    outside,
    position,
    springs,
    surface,
)
from poise.kernel.residuals.blocks import Head, Nodes, both_nodes, everything
from poise.kernel.residuals.sites import find_center

(
    POSITION, CENTER_OF_MASS, LOOP, ORIENTATION, ORIENTATION_AXIS, ORIENTATION_VECTORS, AIM,
    BALANCE, FRAMED, CENTER_OF_PART, OUTSIDE, SURFACE, INERTIA, CHOICE, CUSTOM, EQUILIBRIUM, EFFORT,
    SPRINGS, NATURAL, MID_SUPPORT, AVOID,
) = range(21)  # fmt: skip
"""The numbers of the kinds, each called as its file; the centre of mass of one figure among
several, `CENTER_OF_PART`, is in the file of the centre of mass. `CHOICE` is the best of several
blocks, of one kind or of many. Four are criteria's (`is_of_criterion`)."""


class Kind(NamedTuple):
    """What is known of a kind of block before it is computed."""

    touched: Callable[[Head], Nodes] = both_nodes
    """The nodes that its rows depend on."""
    is_swept: Callable[[int, int], bool] = lambda other, rows: False
    """Whether its gradient is a wrench, for an `other` and a number of rows."""


KINDS: dict[int, Kind] = {
    POSITION: Kind(is_swept=lambda other, rows: True),
    CENTER_OF_MASS: Kind(everything, lambda other, rows: True),
    LOOP: Kind(is_swept=lambda other, rows: True),
    ORIENTATION: Kind(is_swept=lambda other, rows: True),
    # A goal that rides on a node pulls at it, too; an axis in two rows is one split up.
    ORIENTATION_AXIS: Kind(is_swept=lambda other, rows: other < 0 and rows == 3),
    ORIENTATION_VECTORS: Kind(is_swept=lambda other, rows: other < 0),
    AIM: Kind(is_swept=lambda other, rows: other < 0),
    BALANCE: Kind(balance.touched),
    FRAMED: Kind(),
    CENTER_OF_PART: Kind(center_of_mass.touched),
    OUTSIDE: Kind(),
    SURFACE: Kind(),
    INERTIA: Kind(center_of_mass.touched),
    CUSTOM: Kind(everything),
    EQUILIBRIUM: Kind(equilibrium.touched),
    EFFORT: Kind(everything),
    SPRINGS: Kind(everything),
    NATURAL: Kind(),
    MID_SUPPORT: Kind(mid_support.touched),
    AVOID: Kind(everything),
}
"""All but CHOICE, which `choice` makes of the others."""


@compiled
def is_of_criterion(kind):
    """Whether only criteria have blocks of that kind: their level is never met, only lowered."""
    return kind == EFFORT or kind == SPRINGS or kind == NATURAL or kind == MID_SUPPORT


@compiled
def moments(kind):
    """Which moments of masses its residual needs: 0 none, 1 the first, 2 the second, too."""
    if kind == INERTIA:
        return 2
    weighs = (
        kind == CENTER_OF_MASS
        or kind == CENTER_OF_PART
        or kind == BALANCE
        or kind == EQUILIBRIUM
        or kind == EFFORT
        or kind == MID_SUPPORT
    )
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
    if kind == POSITION:
        position.residual(tree, state, scratch, node, v, e, A, wanted)
    elif kind == LOOP:
        loop.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == CENTER_OF_MASS or kind == CENTER_OF_PART:
        center_of_mass.residual(tree, state, scratch, node, v, e, A, wanted)
    elif kind == BALANCE:
        balance.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == FRAMED:
        framed.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == OUTSIDE:
        outside.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == SURFACE:
        surface.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == ORIENTATION:
        orientation.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == ORIENTATION_AXIS:
        orientation_axis.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == ORIENTATION_VECTORS:
        orientation_vectors.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == AIM:
        aim.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == INERTIA:
        inertia.residual(tree, state, v, e, A, wanted)
    elif kind == CUSTOM:
        custom.residual(state, other, e, A, wanted)
    elif kind == EQUILIBRIUM:
        equilibrium.residual(tree, state, scratch, node, v, e, A, wanted)
    elif kind == EFFORT:
        effort.residual(tree, state, v, e, A, wanted)
    elif kind == SPRINGS:
        springs.residual(state, v, e, A, wanted)
    elif kind == NATURAL:
        natural.residual(tree, state, scratch, node, v, e, A, wanted)
    elif kind == MID_SUPPORT:
        mid_support.residual(tree, state, scratch, node, other, v, e, A, wanted)
    elif kind == AVOID:
        avoid.residual(tree, state, scratch, v, e, A, wanted)
    else:
        raise UnknownBlockError


@compiled
def wrench(kind, state, room, node, other, v, e, inequality, scale):
    """Add the wrenches that forces on the rows of a block do: each row times a scale."""
    if kind == POSITION:
        position.wrench(state, room, node, v, e, inequality, scale)
    elif kind == LOOP:
        loop.wrench(state, room, node, other, v, e, inequality, scale)
    elif kind == CENTER_OF_MASS:
        center_of_mass.wrench(room, v, e, inequality, scale)
    elif kind == ORIENTATION or kind == ORIENTATION_AXIS:
        orientation.wrench(room, node, other, e, scale)
    elif kind == ORIENTATION_VECTORS:
        orientation_vectors.wrench(state, room, node, v, e, scale)
    elif kind == AIM:
        aim.wrench(state, room, node, v, e, scale)


@compiled
def load(kind, tree, state, scratch, node, other, v, force, inequality, scale, loads):
    """Hang forces on the rows of a block, each times a scale, on nodes."""
    if kind == POSITION:
        position.load(state, scratch, node, v, force, inequality, scale, loads)
    elif kind == LOOP:
        loop.load(state, scratch, node, other, v, force, inequality, scale, loads)
    elif kind == CENTER_OF_MASS:
        center_of_mass.load(tree, state, scratch, v, force, inequality, scale, loads)
    elif kind == ORIENTATION:
        orientation.load(node, other, force, scale, loads)
    elif kind == ORIENTATION_VECTORS:
        orientation_vectors.load(state, node, other, v, force, scale, loads)
    elif kind == AIM:
        aim.load(state, scratch, node, other, v, force, scale, loads)
    elif kind == EQUILIBRIUM:
        equilibrium.load(tree, state, scratch, node, v, force, scale, loads)
    elif kind == NATURAL:
        natural.load(state, node, v, force, scale, loads)
    elif kind == MID_SUPPORT:
        mid_support.load(tree, state, scratch, node, other, v, force, scale, loads)
    elif kind == AVOID:
        avoid.load(scratch, v, force, scale, loads)


@compiled
def add_curvature(kind, tree, state, scratch, node, other, v, terms, scale, out):
    """Add what second derivatives a block has besides loads to the symmetric matrix `out`."""
    if kind == ORIENTATION:
        orientation.add_curvature(tree, state, scratch, node, other, terms, scale, out)
    elif kind == AIM:
        aim.add_curvature(tree, state, scratch, node, other, v, terms, scale, out)
    elif kind == EFFORT:
        effort_curvature.add_curvature(tree, state, scratch, v, terms, scale, out)
    elif kind == AVOID:
        avoid.add_curvature(tree, state, scratch, v, terms, scale, out)
