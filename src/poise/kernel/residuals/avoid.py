"""Bodies that stay apart: e = d + a for each pair that is near, in metres, not to be negative.

d is the signed distance of two shapes, a the depth that is allowed less the distance that is
wanted. A row is that of the pair in its slot (`contacts.bodies`); one without a pair, and one whose
pair is beyond reach, is met and moves with nothing.
"""

from poise.kernel.body.bends import hang
from poise.kernel.body.kinematics import add_speed_row, point_rows, turn_rows
from poise.kernel.body.vectors import three, times
from poise.kernel.compiling import compiled
from poise.kernel.contacts.bodies import REACH, least_left, look, measure
from poise.kernel.contacts.curvature import distance_curvature
from poise.kernel.contacts.distance import FIRST, NORMAL, SECOND
from poise.kernel.filling import clear

BLOCK, LOOKS = 0, 1
"""Values: the number of the block among those of its kind, and whether it is the first of them,
which places the shapes for all."""

FREE = 1.0
"""The residual (m) of a row without a pair."""


@compiled
def residual(tree, state, scratch, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    bodies, kept = scratch.bodies, scratch.kept
    if v[LOOKS] > 0.0:
        look(bodies, kept, state)
    first = bodies.first_slot[int(v[BLOCK])]
    if wanted:
        clear(A, e.size)
    for r in range(e.size):
        s = first + r
        p = kept.pair[s]
        e[r] = FREE
        if p < 0:
            continue
        e[r] = least_left(bodies, kept, p)
        if e[r] > REACH:
            continue
        i, j, contact = bodies.pairs.pair[p, 0], bodies.pairs.pair[p, 1], kept.contact[s]
        e[r] = measure(bodies, kept, p, kept.warm[s], contact)
        if wanted and e[r] <= REACH:
            n = three(contact, NORMAL)
            add_speed_row(tree, state, bodies.shapes.node[j], three(contact, SECOND), n, A[r])
            back = times(-1.0, n)
            add_speed_row(tree, state, bodies.shapes.node[i], three(contact, FIRST), back, A[r])


@compiled
def load(scratch, v, force, scale, loads):
    """Hang the rows' force on the material points that touch, for second derivatives."""
    bodies, kept = scratch.bodies, scratch.kept
    first = bodies.first_slot[int(v[BLOCK])]
    for r in range(force.size):
        p = kept.pair[first + r]
        if p < 0 or force[r] >= 0.0:  # it holds, and pushes nothing
            continue
        contact = kept.contact[first + r]
        f = times(force[r], three(contact, NORMAL))
        one, other = bodies.pairs.pair[p, 0], bodies.pairs.pair[p, 1]
        hang(loads[bodies.shapes.node[one]], -scale, contact[FIRST : FIRST + 3], f)
        hang(loads[bodies.shapes.node[other]], scale, contact[SECOND : SECOND + 3], f)


@compiled
def add_curvature(tree, state, scratch, v, terms, scale, out):
    """Add what the points of contact do that move along the surfaces while the bodies turn."""
    bodies, kept = scratch.bodies, scratch.kept
    first = bodies.first_slot[int(v[BLOCK])]
    for r in range(terms.force.size):
        s = first + r
        p = kept.pair[s]
        if p < 0 or terms.force[r] >= 0.0:
            continue
        i, j = bodies.pairs.pair[p, 0], bodies.pairs.pair[p, 1]
        shapes, contact = bodies.shapes, kept.contact[s]
        distance_curvature(shapes, kept.places, i, j, kept.warm[s], contact, kept.form)
        _fill(tree, state, scratch, shapes.node[i], contact[FIRST : FIRST + 3], 0)
        _fill(tree, state, scratch, shapes.node[j], contact[SECOND : SECOND + 3], 1)
        _add_form(scratch, kept.form, terms.weight * terms.force[r], scale, out)


@compiled
def _fill(tree, state, scratch, node, point, which):
    """Write the Jacobians of the velocity of a point of a node, and of its angular velocity."""
    points = scratch.site_rows if which == 0 else scratch.goal_rows
    turns = scratch.turn_rows if which == 0 else scratch.goal_turn_rows
    clear(points, 3)
    clear(turns, 3)
    point_rows(tree, state, node, point, points)
    turn_rows(tree, state, node, turns)


@compiled
def _add_form(scratch, form, weight, scale, out):
    """Add weight Jᵀ F J of a form F (12, 12) on the twelve rows."""
    n, rows = scale.size, scratch.four_rows
    for k in range(12):
        row, image = rows[k], scratch.image
        for i in range(n):
            image[i] = 0.0
        for m in range(12):
            factor = weight * form[k, m]
            if factor != 0.0:
                other = rows[m]
                for i in range(n):
                    image[i] += factor * other[i] * scale[i]
        for i in range(n):
            if row[i] != 0.0:
                share = row[i] * scale[i]
                for m in range(n):
                    out[i, m] += share * image[m]
