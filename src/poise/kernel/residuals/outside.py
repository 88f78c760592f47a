"""Outside a convex body: the greatest e = d_k · (y − g) − o_k over its faces, in metres; one row.

y is a point in the frame on which the body rides. Inside, that is the nearest face. Values: those
of `framed`, with any number of faces.
"""

import math

from poise.kernel.compiling import compiled
from poise.kernel.residuals.framed import OWN, distance, find_framed, slope


@compiled
def residual(tree, state, scratch, node, other, v, e, A, wanted):
    """Write the row, and its Jacobian if wanted."""
    find_framed(tree, state, scratch, node, other, v, wanted)
    faces = (v.size - OWN) // 4
    best, most = 0, -math.inf
    for k in range(faces):
        s = distance(scratch.local, v, k, faces)
        if s > most:
            best, most = k, s
    e[0] = most
    if wanted:
        slope(scratch, v, best, A[0])
