"""Centre of mass and moment of inertia with their derivatives, in one sweep up the tree.

A twist moves all that hangs from its node. What the derivatives need of that part is its
mass m, first moment h = Σ m r and second moment H = Σ m r rᵀ about the world's origin.
"""

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.tree import State, Tree
from poise.kernel.compiling import compiled, entry

MOMENTS = 10
"""A figure among several is so many moments of what of it stands still (mass, first moment, second
moment xx yy zz xy xz yz about the world's origin), then for each node 1 where it is the figure's
own, 0 elsewhere. No numbers at all stand for everything."""


@entry
def gather(tree: Tree, state: State, second: bool) -> None:
    """Sum the moments of every node and what hangs from it into `state.moment`.

    The second moment is left out unless wanted: it costs as much as the rest.
    """
    parents, mass, center, local = tree.parent, tree.mass, tree.center, tree.second_moment
    R, p, h = state.rotation, state.position, state.moment
    for j in range(parents.size):
        m, x, y, z = mass[j], center[j, 0], center[j, 1], center[j, 2]
        for r in range(3):
            h[j, r] = m * (p[j, r] + R[j, 3 * r] * x + R[j, 3 * r + 1] * y + R[j, 3 * r + 2] * z)
    width = 3
    if second:
        width = 9
        for j in range(parents.size):
            _second_moment(mass[j], R, p, local, h, j)
    for j in range(parents.size - 1, 0, -1):
        for c in range(width):
            h[parents[j], c] += h[j, c]


@compiled
def _second_moment(m, R, p, local, h, j):
    """H = R L Rᵀ + p cᵀ + c pᵀ + m p pᵀ, with c = R·Σm r and L about the node's origin."""
    xx, yy, zz = local[j, 0], local[j, 1], local[j, 2]
    xy, xz, yz = local[j, 3], local[j, 4], local[j, 5]
    for e in range(6):
        r = e if e < 3 else (0 if e < 5 else 1)
        s = e if e < 3 else (1 if e == 3 else 2)
        x, y, z = R[j, 3 * s], R[j, 3 * s + 1], R[j, 3 * s + 2]
        turned = (
            R[j, 3 * r] * (xx * x + xy * y + xz * z)
            + R[j, 3 * r + 1] * (xy * x + yy * y + yz * z)
            + R[j, 3 * r + 2] * (xz * x + yz * y + zz * z)
        )
        h[j, 3 + e] = turned + p[j, r] * h[j, s] + h[j, r] * p[j, s] - m * p[j, r] * p[j, s]


@compiled
def mass_of(tree, part):
    """The mass of a part: see `MOMENTS`; with no numbers, of everything."""
    if part.size == 0:
        return tree.below[0]
    total = part[0]
    for j in range(1, tree.parent.size):
        if tree.parent[j] == 0:
            total += part[MOMENTS + j] * tree.below[j]
    return total


@compiled
def _moment_of(tree, state, part, column):
    """One of the moments of a part, by its column in `State.moment`, after `gather`."""
    if part.size == 0:
        return state.moment[0, column]
    total = part[1 + column]
    for j in range(1, tree.parent.size):
        if tree.parent[j] == 0:
            total += part[MOMENTS + j] * state.moment[j, column]
    return total


@entry
def center_of_mass(tree: Tree, state: State, center: Floats) -> None:
    """The whole figure's centre of mass, after `gather`. A figure without mass has none: zero."""
    center_of_part(tree, state, tree.below[:0], center)


@compiled
def center_of_part(tree, state, part, center):
    """The centre of mass of a part, after `gather`; zero where there is no mass."""
    total = mass_of(tree, part)
    for r in range(3):
        center[r] = _moment_of(tree, state, part, r) / total if total > 0.0 else 0.0


@entry
def center_of_mass_rows(tree: Tree, state: State, rows: Floats2) -> None:
    """Add the Jacobian of the centre of mass to three rows, after `gather`."""
    center_of_part_rows(tree, state, tree.below[:0], rows)


@compiled
def center_of_part_rows(tree, state, part, rows):
    """Add the Jacobian of the centre of mass of a part to three rows, after `gather`."""
    coordinates, members, nodes = tree.drive_coordinate, tree.drive_member, tree.member_node
    below, T, rate, h = tree.below, state.twist, state.rate, state.moment
    total = mass_of(tree, part)
    share = 1.0 / total if total > 0.0 else 0.0
    for d in range(members.size):
        c, i = coordinates[d], members[d]
        if c >= 0 and (part.size == 0 or part[MOMENTS + nodes[i]] > 0.0):
            j = nodes[i]
            factor = rate[d] * share
            m, x, y, z = factor * below[j], factor * h[j, 0], factor * h[j, 1], factor * h[j, 2]
            rows[0, c] += m * T[i, 3] + T[i, 1] * z - T[i, 2] * y
            rows[1, c] += m * T[i, 4] + T[i, 2] * x - T[i, 0] * z
            rows[2, c] += m * T[i, 5] + T[i, 0] * y - T[i, 1] * x


@entry
def inertia(tree: Tree, state: State, u: Floats, row: Floats) -> float:
    """Moment of inertia (kg·m²) about the axis u through the centre of mass; add its gradient.

    Needs `gather` with the second moment.
    """
    return inertia_of_part(tree, state, tree.below[:0], u, row, True)


@compiled
def inertia_of_part(tree, state, part, u, row, wanted):
    """Moment of inertia of a part about the axis u through its centre; add its gradient if wanted.

    I = Σ m |P(r − c)|² with P = 1 − u uᵀ. A twist (ω, v) on what hangs from a node, with m, h, H,
    changes it by 2 P(h − m c)·v − 2 ω·((H u) × u + h × P c); the centre's own motion does not
    count, since Σ m (r − c) = 0. Needs `gather` with the second moment.
    """
    coordinates, members, nodes = tree.drive_coordinate, tree.drive_member, tree.member_node
    below, T, rate, h = tree.below, state.twist, state.rate, state.moment
    total = mass_of(tree, part)
    share = 1.0 / total if total > 0.0 else 0.0
    x, y, z = u[0], u[1], u[2]
    c0 = share * _moment_of(tree, state, part, 0)
    c1 = share * _moment_of(tree, state, part, 1)
    c2 = share * _moment_of(tree, state, part, 2)
    along = x * c0 + y * c1 + z * c2
    p0, p1, p2 = c0 - along * x, c1 - along * y, c2 - along * z
    value = -total * (p0 * p0 + p1 * p1 + p2 * p2)
    value += (1.0 - x * x) * _moment_of(tree, state, part, 3)
    value += (1.0 - y * y) * _moment_of(tree, state, part, 4)
    value += (1.0 - z * z) * _moment_of(tree, state, part, 5)
    value -= 2.0 * x * y * _moment_of(tree, state, part, 6)
    value -= 2.0 * x * z * _moment_of(tree, state, part, 7)
    value -= 2.0 * y * z * _moment_of(tree, state, part, 8)
    if not wanted:
        return value
    for d in range(members.size):
        c, i = coordinates[d], members[d]
        if c >= 0 and (part.size == 0 or part[MOMENTS + nodes[i]] > 0.0):
            j = nodes[i]
            h0, h1, h2 = h[j, 0], h[j, 1], h[j, 2]
            d0, d1, d2 = h0 - below[j] * c0, h1 - below[j] * c1, h2 - below[j] * c2
            lift = x * d0 + y * d1 + z * d2
            g0, g1, g2 = _apply(h, j, x, y, z)
            row[c] += (
                2.0
                * rate[d]
                * (
                    (d0 - lift * x) * T[i, 3]
                    + (d1 - lift * y) * T[i, 4]
                    + (d2 - lift * z) * T[i, 5]
                    - (g1 * z - g2 * y + h1 * p2 - h2 * p1) * T[i, 0]
                    - (g2 * x - g0 * z + h2 * p0 - h0 * p2) * T[i, 1]
                    - (g0 * y - g1 * x + h0 * p1 - h1 * p0) * T[i, 2]
                )
            )
    return value


@compiled
def _apply(h, j, x, y, z):
    """H u, with the H that `gather` left of a node."""
    return (
        h[j, 3] * x + h[j, 6] * y + h[j, 7] * z,
        h[j, 6] * x + h[j, 4] * y + h[j, 8] * z,
        h[j, 7] * x + h[j, 8] * y + h[j, 5] * z,
    )
