"""Room that distances need while they are computed, and what is remembered of a pair."""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats2, Ints, Ints2

COUNT, HINTS, CORNERS = 0, 1, 3
"""Columns of what is remembered of a pair: the number of corners of its simplex, the vertices of
both hulls from which to climb, then each corner as a point of either shape, in its own frame."""
REMEMBERED = 32
"""Numbers that are remembered of a pair, in whole cache lines: zeros to begin with."""

VERTICES, FACES = 400, 1200
"""Most points and faces of the polytope that approaches a difference of two shapes from inside."""


class Workspace(NamedTuple):
    """Room for one distance at a time.

    Corners and vertices have nine columns: a point of A − B in the frame of A, and the points of
    A and B that it comes from, each in its own frame.
    """

    corner: Floats2  # (4, 9) of the simplex
    vertex: Floats2  # (VERTICES, 9) of the polytope
    face: Ints2  # (FACES, 6) three vertices, and the faces beyond the edges after each
    plane: Floats2  # (FACES, 4) outward unit normal, and distance of the origin; infinite: unused
    seen: Ints  # (FACES,) the round in which a face was last found visible
    visible: Ints  # (FACES,) the faces visible from a new vertex
    made: Ints  # (FACES,) the faces made for it
    unused: Ints  # (FACES,) faces that were taken out
    leaving: Ints  # (VERTICES,) the new face whose horizon edge begins at a vertex


def workspace() -> Workspace:
    """Room for distances."""
    return Workspace(
        corner=np.zeros((4, 9)),
        vertex=np.zeros((VERTICES, 9)),
        face=np.zeros((FACES, 6), np.int64),
        plane=np.zeros((FACES, 4)),
        seen=np.zeros(FACES, np.int64),
        visible=np.zeros(FACES, np.int64),
        made=np.zeros(FACES, np.int64),
        unused=np.zeros(FACES, np.int64),
        leaving=np.zeros(VERTICES, np.int64),
    )
