"""How a Newton step is gone: every part turns by itself, as the world sees it.

Coordinates are those of joints: a pelvis that turns takes along all that hangs from it. A step that
turns it alone asks its neighbours to turn back, which straight lines in their coordinates do only
to first order, so that steps must be short. `retract` goes another way with the same beginning: a
part that turns with ω in the world is turned by exp(ω), and a ball between it and the part before,
which turns with ω₀, by exp(−ω₀) exp(ω). It is as if nothing held the parts together. Joints that
are no balls, those that a group drives and those of which something is locked are gone straight.

The way bends: q + t d + ½ t² c(d, d) + …, so that a function with the gradient g in q changes by
½ t² (dᵀH d + g · c(d, d)). In terms of rotations exp(−ω₀) exp(ω₀ + u) is u − ½ ω₀ × u, without
what the coordinates of the ball itself bend: `turning_torques` let `curvature` add that. Near
where the axes of a ball become the same, at a swing of π or a full turn, it is gone straight, too.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.body.rotations import (
    quaternion_product,
    quaternion_rotation_vector,
    quaternion_swing_twist,
    rotation_vector_quaternion,
    swing_twist_quaternion,
)
from poise.kernel.body.tree import BALL, ROTATION, WIDTH, State, Tree
from poise.kernel.compiling import compiled, entry

APART = 0.1
"""The axes of a ball must span this (of 1 for three at right angles) for it to turn freely."""

STAYS = 1e-12
"""What a step moves by less (rad) is held, and stays where it is."""

FARTHEST = 1.0
"""A ball whose coordinates would end this far (rad) from a straight line is gone straight."""


@compiled
def _volume(T, i):
    """What the angular velocities of three members from i on span."""
    return (
        T[i, 0] * (T[i + 1, 1] * T[i + 2, 2] - T[i + 1, 2] * T[i + 2, 1])
        + T[i, 1] * (T[i + 1, 2] * T[i + 2, 0] - T[i + 1, 0] * T[i + 2, 2])
        + T[i, 2] * (T[i + 1, 0] * T[i + 2, 1] - T[i + 1, 1] * T[i + 2, 0])
    )


@compiled
def _turns_freely(tree, T, scale, node):
    """Whether a node is a ball, of its own free coordinates, with axes apart."""
    kind, first, sources = tree.kind[node], tree.first[node], tree.source
    if (kind != BALL and kind != ROTATION) or sources[first] < 0:
        return False
    free = scale[sources[first]] * scale[sources[first + 1]] * scale[sources[first + 2]] > 0.0
    return free and abs(_volume(T, first)) > APART


@entry
def retract(
    tree: Tree, state: State, turns: Floats2, scale: Floats, q: Floats, move: Floats
) -> None:
    """Bend a step: change what it moves coordinates by, so that every part turns by itself.

    Args:
        tree: the figure.
        state: the posture q, with twists.
        turns: (N, 7 or more) room: how each node turns, as a vector and as a quaternion.
        scale: (n,) 0 for what is locked.
        q: (n,) where the step begins.
        move: (n,) the step as a velocity; in the end, as a displacement.
    """
    T, sources, members, drives = state.twist, tree.source, tree.drive_member, tree.drive_coordinate
    for c in range(7):
        turns[0, c] = 1.0 if c == 3 else 0.0
    for node in range(1, tree.kind.size):
        before, first, turn = turns[tree.parent[node]], tree.first[node], turns[node]
        x, y, z = before[0], before[1], before[2]
        for i in range(first, first + WIDTH[tree.kind[node]]):
            rate = move[sources[i]] if sources[i] >= 0 else 0.0
            for d in range(sources.size, members.size if sources[i] < 0 else 0):
                if members[d] == i:
                    rate += state.rate[d] * move[drives[d]]
            x, y, z = x + rate * T[i, 0], y + rate * T[i, 1], z + rate * T[i, 2]
        turn[0], turn[1], turn[2] = x, y, z
        turn[3], turn[4], turn[5], turn[6] = rotation_vector_quaternion(x, y, z)
    for node in range(1, tree.kind.size):
        if _turns_freely(tree, T, scale, node):
            _retract_ball(tree, state, node, turns[tree.parent[node]], turns[node], q, move)


@compiled
def _retract_ball(tree, state, node, before, turn, q, move):
    """Give the three coordinates of a ball what lies between two turns."""
    kind, i, R = tree.kind[node], tree.first[node], state.rotation[node]
    a, b, c = tree.source[i], tree.source[i + 1], tree.source[i + 2]
    w, x, y, z = quaternion_product(
        (before[3], -before[4], -before[5], -before[6]), (turn[3], turn[4], turn[5], turn[6])
    )
    # In the node's frame: what it does besides what it has done.
    more = (
        w,
        R[0] * x + R[3] * y + R[6] * z,
        R[1] * x + R[4] * y + R[7] * z,
        R[2] * x + R[5] * y + R[8] * z,
    )
    if kind == BALL:
        own = swing_twist_quaternion(q[a], q[b], q[c])
    else:
        own = rotation_vector_quaternion(q[a], q[b], q[c])
    if tree.reverse[node]:
        w, x, y, z = quaternion_product((more[0], -more[1], -more[2], -more[3]), own)
    else:
        w, x, y, z = quaternion_product(own, more)
    if kind == BALL:
        x, y, z = quaternion_swing_twist(w, x, y, z)
        z += 2.0 * math.pi * np.round((q[c] + move[c] - z) / (2.0 * math.pi))
    else:
        x, y, z = quaternion_rotation_vector(w, x, y, z)
        angle = math.sqrt(x * x + y * y + z * z)
        along = x * (q[a] + move[a]) + y * (q[b] + move[b]) + z * (q[c] + move[c])
        if angle > 0.0:  # the same rotation by full turns more or less, whichever is nearer
            nearest = angle + 2.0 * math.pi * np.round((along / angle - angle) / (2.0 * math.pi))
            x, y, z = x * nearest / angle, y * nearest / angle, z * nearest / angle
    x, y, z = x - q[a], y - q[b], z - q[c]
    off = max(abs(x - move[a]), abs(y - move[b]), abs(z - move[c]))
    if off < FARTHEST:
        move[a] = x if abs(move[a]) > STAYS else 0.0
        move[b] = y if abs(move[b]) > STAYS else 0.0
        move[c] = z if abs(move[c]) > STAYS else 0.0


@entry
def turning_torques(
    tree: Tree, state: State, share: float, left: Floats, scale: Floats, out: Floats2
) -> None:
    """Fill the moments with which `curvature` adds g · c(d, d), the bend of the way that is gone.

    What bends the way of a ball is what a moment −τ on it would do, with the torque τ that g is in
    its own coordinates: −½ τ · (ω₀ × u), and no more what its axes do as they turn.

    Args:
        tree: the figure.
        state: its posture, with twists.
        share: 1, or 0 for none.
        left: (n,) minus the gradient g, in the units of the coordinates.
        scale: (n,) these units, 0 for what is locked.
        out: (N, 3) the moments.
    """
    for node in range(tree.kind.size):
        out[node, 0], out[node, 1], out[node, 2] = 0.0, 0.0, 0.0
        if node > 0 and share > 0.0 and _turns_freely(tree, state.twist, scale, node):
            x, y, z = _torque(tree.source, state.twist, tree.first[node], left, scale)
            out[node, 0], out[node, 1], out[node, 2] = -share * x, -share * y, -share * z


@compiled
def _torque(sources, T, i, left, scale):
    """The torque τ with ω · τ = g for the three axes ω of a ball."""
    a, b, c = sources[i], sources[i + 1], sources[i + 2]
    ga = -left[a] / scale[a] if scale[a] > 0.0 else 0.0
    gb = -left[b] / scale[b] if scale[b] > 0.0 else 0.0
    gc = -left[c] / scale[c] if scale[c] > 0.0 else 0.0
    u, v, w, volume = T[i], T[i + 1], T[i + 2], _volume(T, i)
    # Cramer's rule: the products across of two axes each
    return (
        (
            ga * (v[1] * w[2] - v[2] * w[1])
            + gb * (w[1] * u[2] - w[2] * u[1])
            + gc * (u[1] * v[2] - u[2] * v[1])
        )
        / volume,
        (
            ga * (v[2] * w[0] - v[0] * w[2])
            + gb * (w[2] * u[0] - w[0] * u[2])
            + gc * (u[2] * v[0] - u[0] * v[2])
        )
        / volume,
        (
            ga * (v[0] * w[1] - v[1] * w[0])
            + gb * (w[0] * u[1] - w[1] * u[0])
            + gc * (u[0] * v[1] - u[1] * v[0])
        )
        / volume,
    )
