"""An orientation: e = log(R Gᵀ), a rotation vector in the world's axes, in radians; three rows.

The rate is ė = Jl⁻¹(e)(ω − R Gᵀ ω_goal), with Jl⁻¹ = 1 − ½[e×] + c [e×]². The gradient of ½|e|² is
the torque e, which Jl⁻¹ maps to itself. Second derivatives, where the goal stands still: a moment M
gives ½ M · (ω_i × ω_j), and the Hessian of ½|e|² on the rotations, 1 along e and
κ = (θ/2) cot (θ/2) across, takes the place of Gauss-Newton's 1 and η = (θ/2)²/sin² (θ/2).
"""

import math

import numpy as np
from numpy.typing import NDArray

from poise.kernel.body import bends
from poise.kernel.body.kinematics import turn_rows
from poise.kernel.body.vectors import add, dot, three, times
from poise.kernel.compiling import compiled
from poise.kernel.filling import clear
from poise.kernel.residuals.sites import TORQUE, combine, find_turn

OWN, GOAL = 0, 9
"""Values: the site's rotation in its node (9), the goal's rotation (9) in the world, or in the
other node's frame where there is one."""

_SMALL = 1e-6
"""Below this angle (rad, times the block's scale) second derivatives are Gauss-Newton's alone: the
difference is of the order of its square."""


def packed(own: NDArray[np.float64], goal: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values, of two rotation matrices."""
    return np.concatenate([own.ravel(), goal.ravel()])


def unpacked(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both rotation matrices."""
    return values[OWN:GOAL].reshape(3, 3), values[GOAL:].reshape(3, 3)


@compiled
def residual(tree, state, scratch, node, other, v, e, A, wanted):
    """Write the rows, and their Jacobian if wanted."""
    turn, rows, goal_turn = scratch.turn, scratch.turn_rows, scratch.goal_turn
    between = scratch.between
    find_turn(tree, state, node, turn, rows, wanted)
    if other >= 0:
        find_turn(tree, state, other, goal_turn, scratch.goal_turn_rows, wanted)
    for r in range(3):
        for c in range(3):
            s = 0.0
            for k in range(3):
                a = 0.0
                g = v[GOAL + 3 * c + k]
                if other >= 0:
                    g = 0.0
                for l in range(3):
                    a += turn[3 * r + l] * v[OWN + 3 * l + k]
                    if other >= 0:
                        g += goal_turn[3 * c + l] * v[GOAL + 3 * l + k]
                s += a * g
            between[3 * r + c] = s
    x, y, z = _logarithm(between)
    e[0], e[1], e[2] = x, y, z
    if not wanted:
        return
    if other >= 0:
        goal_rows = scratch.goal_turn_rows
        for i in range(A.shape[1]):
            for r in range(3):
                for k in range(3):
                    rows[r, i] -= between[3 * r + k] * goal_rows[k, i]
    c = _inverse_coefficient(x * x + y * y + z * z)
    combine(rows, (1.0 - c * (y * y + z * z), c * x * y + 0.5 * z, c * x * z - 0.5 * y), A[0])
    combine(rows, (c * x * y - 0.5 * z, 1.0 - c * (x * x + z * z), c * y * z + 0.5 * x), A[1])
    combine(rows, (c * x * z + 0.5 * y, c * y * z - 0.5 * x, 1.0 - c * (x * x + y * y)), A[2])


@compiled
def wrench(room, node, other, e, scale):
    """Add the torques on the nodes that are the gradient of the rows, or of one axis's."""
    torque = times(scale, e)
    add(room.node[node], TORQUE, torque)
    if other >= 0:
        add(room.node[other], TORQUE, times(-1.0, torque))


@compiled
def load(node, other, force, scale, loads):
    """Hang the rows' moment on the node, for second derivatives."""
    if other < 0:
        add(loads[node], bends.TORQUE, times(scale, force))


@compiled
def add_curvature(tree, state, scratch, node, other, terms, scale, out):
    """Add α (ω_i · ω_j − (d · ω_i)(d · ω_j)), d along e, α = s (κ − η) where the force is s e."""
    size = math.sqrt(dot(terms.residual, terms.residual))
    if other >= 0 or size < _SMALL:
        return
    e, f = three(terms.residual, 0), times(terms.weight, terms.force)
    d = e[0] / size, e[1] / size, e[2] / size
    half = 0.5 * size / terms.weight
    alpha = terms.weight * dot(f, d) / size
    alpha *= half / math.tan(half) - (half / math.sin(half)) ** 2
    rows = scratch.turn_rows
    clear(rows, 3)
    turn_rows(tree, state, node, rows)
    bends.add_form(tree, node, rows, alpha, d, times(-0.5 * alpha, d), scale, out)


@compiled
def _logarithm(d):
    """The rotation vector of a rotation matrix, by its quaternion's largest part."""
    trace = d[0] + d[4] + d[8]
    if trace >= d[0] and trace >= d[4] and trace >= d[8]:
        w, x, y, z = 1.0 + trace, d[7] - d[5], d[2] - d[6], d[3] - d[1]
    elif d[0] >= d[4] and d[0] >= d[8]:
        w, x, y, z = d[7] - d[5], 1.0 + 2.0 * d[0] - trace, d[1] + d[3], d[2] + d[6]
    elif d[4] >= d[8]:
        w, x, y, z = d[2] - d[6], d[1] + d[3], 1.0 + 2.0 * d[4] - trace, d[5] + d[7]
    else:
        w, x, y, z = d[3] - d[1], d[2] + d[6], d[5] + d[7], 1.0 + 2.0 * d[8] - trace
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-300:
        return 0.0, 0.0, 0.0
    scale = 2.0 * math.atan2(length, w) / length
    return scale * x, scale * y, scale * z


@compiled
def _inverse_coefficient(square):
    """The c of Jl⁻¹: (1 − (θ/2) cot(θ/2)) / θ²; 1/12 at zero."""
    if square < 1e-3:
        return 1.0 / 12.0 + square * (1.0 / 720.0 + square / 30240.0)
    half = 0.5 * math.sqrt(square)
    return (1.0 - half / math.tan(half)) / square
