"""Steps in which every part turns by itself: where they lead, and how they bend."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from tests.kernel.residuals.test_curvature import figure
from tests.solvers import scenes

from poise import kernel
from poise.figure import Ball, Builder, Figure
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.lex.retraction import retract, turning_torques
from poise.kernel.residuals.blocks import make_scratch
from poise.kernel.residuals.curvature import curvature
from poise.solvers.problem import Wish, pack
from poise.tasks import CenterOfMass

Values = np.ndarray


SUBJECTS = ["balls", "balls, from the other end", "human", "human on one foot"]


def state_at(subject: Figure, q: Values) -> kernel.body.tree.State:
    tree = subject.packed.tree
    state = kernel.body.tree.state(tree)
    place(tree, q, state)
    differentiate(tree, state)
    return state


def retracted(subject: Figure, q: Values, step: Values, scale: Values | None = None) -> Values:
    tree, move = subject.packed.tree, step.copy()
    free = np.ones(subject.n) if scale is None else scale
    retract(tree, state_at(subject, q), np.ones((tree.parent.size, 15)), free, q, move)
    return q + move


@pytest.mark.parametrize("name", SUBJECTS)
@settings(deadline=None, max_examples=12)
@given(seed=st.integers(0, 10_000), wide=st.sampled_from([0.0, 1e-4, 0.3, 1.0]))
def test_the_bend_of_the_way_is_what_a_gradient_gets(name: str, seed: int, wide: float) -> None:
    subject = scenes.figure(name) if "human" in name else figure(name)
    rng = np.random.default_rng(seed)
    tree, n = subject.packed.tree, subject.n
    q = subject.rest().q + rng.uniform(-wide, wide, n)
    g, d, scale = rng.normal(size=n), rng.normal(size=n), rng.uniform(0.5, 2.0, n)
    locked = rng.random(n) < 0.2
    scale[locked], d[locked] = 0.0, 0.0
    state, torques, out = state_at(subject, q), np.ones((tree.parent.size, 3)), np.ones((n, n))
    turning_torques(tree, state, 1.0, -g * scale, scale, torques)
    problem = pack(subject, subject.rest(), [Wish("any", CenterOfMass((0, 0, 1)), 1)])
    scratch, loads = (
        make_scratch(problem.blocks, n, problem.corners),
        np.ones((tree.parent.size, 15)),
    )
    rows, nothing = np.zeros((3, n)), np.zeros(3)
    curvature(
        tree, problem.blocks, state, scratch, nothing, rows, nothing, 1, torques, loads, scale, out
    )
    u = np.divide(d, scale, out=np.zeros(n), where=scale > 0.0)
    h = 1e-4
    ahead, back = retracted(subject, q, h * d, scale), retracted(subject, q, -h * d, scale)
    assert np.allclose((ahead - back) / (2 * h), d, atol=1e-6)
    assert np.array_equal(ahead[locked], q[locked])
    bend = float(g @ (ahead + back - 2 * q)) / h**2
    assert u @ out @ u == pytest.approx(bend, abs=2e-5 * (1.0 + abs(bend)))
    assert np.allclose(out, out.T)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_all_parts_turn_as_if_nothing_held_them_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    builder = Builder("balls only")
    builder.segment("base", mass=1.0)
    builder.root("base", "free")
    for i in range(4):
        builder.segment(f"{i}", mass=1.0)
        parent = "base" if i in (0, 3) else f"{i - 1}"
        builder.joint(f"j{i}", Ball("xyz"[i % 3]), parent, f"{i}", (0.1, 0.0, 0.3))
    subject = builder.build()
    q, d = rng.uniform(-0.8, 0.8, subject.n), rng.uniform(-0.5, 0.5, subject.n)
    h = 1e-6
    before, after = (subject.place(subject.posture(each)) for each in (q, retracted(subject, q, d)))
    ahead, back = (subject.place(subject.posture(q + t * d)) for t in (h, -h))
    for name in subject.segments:
        spin = ahead.segment(name).rotation @ back.segment(name).rotation.T
        turn = Rotation.from_rotvec(Rotation.from_matrix(spin).as_rotvec() / (2 * h)).as_matrix()
        expected = turn @ before.segment(name).rotation
        np.testing.assert_allclose(after.segment(name).rotation, expected, atol=1e-8)


def test_what_has_no_balls_goes_straight() -> None:
    subject = figure("hinges and sliders")
    inner = ~subject.root_coordinates
    step = np.random.default_rng(3).uniform(-0.5, 0.5, subject.n)
    q = subject.rest().q + 0.2
    assert np.array_equal(retracted(subject, q, step)[inner], (q + step)[inner])


def test_full_turns_of_a_twist_are_kept() -> None:
    subject = figure("balls")
    q, step, own = subject.rest().q + 0.2, np.full(subject.n, 0.1), subject.span("j_0")
    other = q.copy()
    other[subject.index("j_0.twist")] += 2 * np.pi
    moves = [retracted(subject, each, step) - each for each in (q, other)]
    np.testing.assert_allclose(moves[1], moves[0], atol=1e-12)
    assert abs(moves[0] - step)[own].max() > 1e-3, "it is not gone straight"


def test_a_rotation_by_more_than_half_a_turn_stays_one() -> None:
    subject = figure("balls")
    q, step = subject.rest().q.copy(), np.full(subject.n, 0.1)
    own = np.arange(subject.n)[subject.span("root")][-3:]
    q[own] = (4.0, 0.5, 0.2)
    end = retracted(subject, q, step)
    before, after = (
        subject.place(subject.posture(each)).segment("base").rotation for each in (q, end)
    )
    np.testing.assert_allclose(after, spin(subject, q, step) @ before, atol=1e-8)
    assert np.linalg.norm(end[own]) > np.pi


def test_a_swing_near_its_antipode_is_gone_straight() -> None:
    subject = figure("balls")
    q, step = subject.rest().q.copy(), np.full(subject.n, 0.05)
    own = subject.span("j_0")
    q[subject.index("j_0.swing_x")] = 3.05
    np.testing.assert_allclose((retracted(subject, q, step) - q)[own], step[own], atol=1e-12)


def spin(subject: Figure, q: Values, step: Values) -> Values:
    """The rotation of the first segment by its angular velocity."""
    h = 1e-6
    ahead, back = (
        subject.place(subject.posture(q + t * step)).segment("base").rotation for t in (h, -h)
    )
    turn = Rotation.from_matrix(ahead @ back.T).as_rotvec() / (2 * h)
    return Rotation.from_rotvec(turn).as_matrix()
