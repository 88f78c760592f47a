"""Convex shapes on nodes, as flat arrays, and where they are in the world.

Every shape has a frame of its own at its centre, with its axis along z. It is a *core* with a
rounding radius: what lies within the radius of the core. Distances and depths of two shapes are
those of their cores less the two radii, exactly, whether the cores are apart or overlap: support
functions add up.

    kind            size[0:3]                       core
    SPHERE          -                               the centre
    CAPSULE         half length                     the segment from −z to +z
    TAPERED         half length, radius at −z, +z   the hull of a ball and a point
    ELLIPSOID       semi-axes                       what is deeper inside than the radius
    BOX             half edges                      itself
    CYLINDER        half length, radius             itself
    HULL            -                               the hull of its vertices
    HALF_SPACE      -                               all z ≤ 0

size[3] is the rounding radius. That of a tapered capsule is the lesser of its radii, that of an
ellipsoid its least radius of curvature: so the cores of two that touch are well apart, and have a
direction.
"""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.body.tree import State
from poise.kernel.body.vectors import plus, turned, turned_back
from poise.kernel.compiling import compiled, entry

SPHERE, CAPSULE, TAPERED, ELLIPSOID, BOX, CYLINDER, HULL, HALF_SPACE = range(8)
"""Kinds of shape."""

RADIUS = 3
"""Column of `Shapes.size` that has the rounding radius."""


class Shapes(NamedTuple):
    """Shapes as flat arrays: S of them, with V vertices of hulls."""

    kind: Ints  # (S,)
    node: Ints  # (S,) which carries it; 0 is the ground
    rotation: Floats2  # (S, 9) of its frame in that of the node, by rows
    position: Floats2  # (S, 3)
    size: Floats2  # (S, 4)
    bound: Floats  # (S,) radius of a ball about its centre that holds it; infinite for HALF_SPACE
    first_vertex: Ints  # (S,) of a hull; copies of a hull may share their vertices
    vertex: Floats2  # (V, 3) in the shape's frame
    first_neighbor: Ints  # (V + 1,) edges of a hull: the vertices next to each,
    neighbor: Ints  # counted within the hull


def no_shapes() -> Shapes:
    """Shapes of which there are none."""
    none = np.zeros(0, np.int64)
    return Shapes(
        none,
        none,
        np.zeros((0, 9)),
        np.zeros((0, 3)),
        np.zeros((0, 4)),
        np.zeros(0),
        none,
        np.zeros((0, 3)),
        np.zeros(1, np.int64),
        none,
    )


@entry
def place_shapes(shapes: Shapes, state: State, places: Floats2) -> None:
    """Write the frame of every shape in the world: nine numbers of a rotation, then the centre."""
    for i in range(shapes.kind.size):
        node = shapes.node[i]
        N, L = state.rotation[node], shapes.rotation[i]
        place = places[i]
        for row in range(3):
            for column in range(3):
                place[3 * row + column] = (
                    N[3 * row] * L[column]
                    + N[3 * row + 1] * L[3 + column]
                    + N[3 * row + 2] * L[6 + column]
                )
            place[9 + row] = (
                state.position[node, row]
                + N[3 * row] * shapes.position[i, 0]
                + N[3 * row + 1] * shapes.position[i, 1]
                + N[3 * row + 2] * shapes.position[i, 2]
            )


@compiled
def is_round(shapes, i):
    """Whether a core has curved parts."""
    kind = shapes.kind[i]
    return kind == TAPERED or kind == ELLIPSOID or kind == CYLINDER


@compiled
def center_of(places, i):
    """Centre of a shape."""
    return places[i, 9], places[i, 10], places[i, 11]


@compiled
def axis_of(places, i):
    """The z axis of a shape."""
    return places[i, 2], places[i, 5], places[i, 8]


@compiled
def rotation_of(places, i):
    """The nine numbers of a shape's rotation, by rows."""
    return (
        places[i, 0],
        places[i, 1],
        places[i, 2],
        places[i, 3],
        places[i, 4],
        places[i, 5],
        places[i, 6],
        places[i, 7],
        places[i, 8],
    )


@compiled
def to_local(places, i, a):
    """A vector of the world in a shape's frame."""
    return turned_back(rotation_of(places, i), a)


@compiled
def to_world(places, i, a):
    """A vector of a shape's frame in the world."""
    return turned(rotation_of(places, i), a)


@compiled
def point_to_world(places, i, a):
    """A point of a shape's frame in the world."""
    return plus(center_of(places, i), turned(rotation_of(places, i), a))
