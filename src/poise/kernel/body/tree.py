"""The flat form of a figure: what the kernels compute with.

A figure's joints are taken apart into *nodes* of six simple kinds. A node moves one
frame against its parent's: `placement = parent · fixed · motion(coordinates)`. An elbow
is two hinges; a free joint is a translation and a rotation; fixed joints vanish into the
fixed parts of the nodes beyond them. Node 0 is the ground.

Three vectors are told apart. `q` holds the n public coordinates. `x` holds the *member*
coordinates, those of the nodes; where no joint group drives a member it is one of the q.
A *twist* is the velocity of rigid motion that one coordinate gives to what hangs from it:
angular velocity, and velocity of the point that passes the world's origin.
"""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints

FIXED, HINGE, SLIDER, TRANSLATION, SWING, BALL, ROTATION = range(7)
"""Kinds of node. HINGE turns about z and SLIDER moves along z of its fixed frame; SWING and
BALL are the swing-twist chart, ROTATION the rotation vector."""

WIDTH = (0, 1, 1, 3, 2, 3, 3)
"""Number of coordinates of each kind of node."""


class Tree(NamedTuple):
    """A figure as flat arrays. N nodes (parents first), m members, n coordinates.

    Members of groups are sums of terms, `x[i] = Σ value · Π q[c]^power`. A *drive* is a
    pair (member, coordinate) with ∂x/∂q ≠ 0; drive d < m belongs to member d alone, for
    members that no group drives.

    Cumulated twists: a group's parameter moves several nodes in a row. What it does to a
    node is the sum over the members below, kept for each node where it changes.
    """

    parent: Ints  # (N,)
    kind: Ints  # (N,)
    reverse: Ints  # (N,) 1 where the motion is inverted (re-rooted figures)
    first: Ints  # (N,) first member coordinate
    turned: Ints  # (N,) 0 where the fixed rotation is the identity
    fixed_rotation: Floats2  # (N, 9)
    fixed_position: Floats2  # (N, 3)

    mass: Floats  # (N,)
    center: Floats2  # (N, 3) centre of mass in the node's frame
    second_moment: Floats2  # (N, 6) ∫ r rᵀ about the node's origin: xx yy zz xy xz yz
    below: Floats  # (N,) mass of the node and all that hangs from it
    member_node: Ints  # (m,)

    source: Ints  # (m,) coordinate of each member, −1 where a group drives it
    term_member: Ints  # (T,)
    term_value: Floats  # (T,)
    factor_start: Ints  # (T + 1,)
    factor_coordinate: Ints
    factor_power: Ints
    factor_drive: Ints

    drive_member: Ints  # (D,)
    drive_coordinate: Ints  # (D,)
    drive_rate: Floats  # (D,) constant rates; those of groups are filled in anew

    sum_before: Ints  # (S,) slot of the sum that this one continues, −1 for none
    sum_start: Ints  # (S + 1,) into sum_drive
    sum_drive: Ints

    column_start: Ints  # (N + 1,) which coordinates move a node, and by which twist
    column_coordinate: Ints
    column_twist: Ints


class State(NamedTuple):
    """Everything that is computed from one posture; made once for a figure, used again."""

    coordinate: Floats  # (n,) q
    member: Floats  # (m,) x
    rate: Floats  # (D,) ∂x/∂q
    angle: Floats  # (m,) half the swing angle, twist, or hinge angle
    sine: Floats  # (m,)
    cosine: Floats  # (m,)
    rotation: Floats2  # (N, 9) row-major, local to world
    position: Floats2  # (N, 3)
    twist: Floats2  # (m + S, 6) angular velocity; velocity at the world's origin
    moment: Floats2  # (N, 9) Σ m r of the node and what hangs from it; then Σ m r rᵀ


def state(tree: Tree) -> State:
    """Room for one posture's results."""
    nodes, members = tree.parent.size, tree.source.size
    last = max(tree.source.max(initial=-1), tree.drive_coordinate.max(initial=-1))
    rotation = np.zeros((nodes, 9))
    rotation[:, ::4] = 1.0  # the identity, for the ground
    return State(
        coordinate=np.zeros(last + 1),
        member=np.zeros(members),
        rate=tree.drive_rate.copy(),
        angle=np.zeros(members),
        sine=np.zeros(members),
        cosine=np.ones(members),
        rotation=rotation,
        position=np.zeros((nodes, 3)),
        twist=np.zeros((members + tree.sum_before.size, 6)),
        moment=np.zeros((nodes, 9)),
    )
