"""Clamping whole figures: joints, couplings and groups together."""

import numpy as np
import pytest
import quadprog
from hypothesis import given, settings
from hypothesis import strategies as st

import poise
from poise import PoiseError
from poise.figure import (
    Ball,
    Builder,
    Figure,
    Hinge,
    Monomial,
    SphericalEllipse,
    SphericalPolygon,
    Swing,
    Twist,
)

few = settings(deadline=None, max_examples=60)
seeds = st.integers(0, 2**32 - 1)


def leg() -> Figure:
    """A leg with a curved hip, a polygonal ankle, and the coupling of the hamstrings."""
    turn = np.arange(8) * np.pi / 4
    octagon = np.stack([0.4 * np.cos(turn), 0.3 * np.sin(turn), np.ones(8)], axis=-1)
    octagon /= np.linalg.norm(octagon, axis=1)[:, None]
    build = Builder("leg")
    for name in ("pelvis", "thigh", "shank", "foot"):
        build.segment(name)
    hip = Ball(
        "-z",
        zero=(0, -0.7, 0),
        swing=(SphericalEllipse(0.6, 1.2),),
        twist=Twist(-0.7, 0.7, (0.1, 0.1), (0.2, 0)),
    )
    build.joint("hip", hip, "pelvis", "thigh")
    build.joint("knee", Hinge("y", (0, 2.4), "flexion"), "thigh", "shank")
    ankle = Swing("-z", swing=(SphericalPolygon(octagon.tolist()),))
    build.joint("ankle", ankle, "shank", "foot")
    build.couple("hamstrings", {"hip.swing_y": 1, "knee.flexion": -1}, upper=0.2)
    return build.build()


def fingers() -> Figure:
    """Hinges tied by an equality and an inequality: all limits are linear."""
    build = Builder("finger")
    for name in ("palm", "first", "middle", "last"):
        build.segment(name)
    build.joint("mcp", Hinge("y", (-0.5, 1.5)), "palm", "first")
    build.joint("pip", Hinge("y", (0, 1.8)), "first", "middle")
    build.joint("dip", Hinge("y", (0, 1.0)), "middle", "last")
    build.couple("dip", {"dip.angle": 1, "pip.angle": -2 / 3}, lower=0, upper=0)
    build.couple("curl", {"mcp.angle": 1, "pip.angle": 1}, upper=2.0)
    return build.build()


def grouped() -> Figure:
    """Two hinges driven by two parameters, one of them also by a square; boxes on the members."""
    build = Builder("grouped")
    for name in ("a", "b", "c"):
        build.segment(name)
    build.joint("first", Hinge("y", (-0.4, 0.4)), "a", "b")
    build.joint("second", Hinge("x", (-0.3, 0.5)), "b", "c")
    members = {
        "first.angle": {"p": 0.5, "r": 0.5},
        "second.angle": (Monomial(0.7, {"p": 1}), Monomial(-0.2, {"r": 2})),
    }
    build.group("both", {"p": (-1, 1), "r": (-1, 1)}, members)
    return build.build()


FIGURES = {"leg": leg(), "fingers": fingers(), "grouped": grouped(), "human": poise.human()}


@pytest.mark.parametrize("name", FIGURES)
@given(seed=seeds)
@few
def test_a_clamped_posture_is_valid_and_clamping_it_again_changes_no_bit(name: str, seed: int):
    figure = FIGURES[name]
    q = np.random.default_rng(seed).normal(0, 1.5, figure.n)
    clamped = figure.clamp(q)
    assert figure.violation(clamped) <= 1e-12
    assert figure.clamp(clamped).q.tobytes() == clamped.q.tobytes()


@pytest.mark.parametrize("name", FIGURES)
def test_a_valid_posture_is_not_moved_by_a_bit(name: str):
    figure = FIGURES[name]
    rest = figure.rest()
    assert figure.within_limits(rest)
    assert (figure.clamp(rest).q == rest.q).all()


@given(seed=seeds)
@few
def test_with_linear_limits_alone_the_clamped_posture_is_the_nearest(seed: int):
    figure = FIGURES["fingers"]
    q = np.random.default_rng(seed).normal(0, 2, 3)
    equality = np.array([0, -2 / 3, 1.0])
    rows = np.vstack([equality, -np.array([1.0, 1, 0]), np.eye(3), -np.eye(3)])
    least = np.concatenate([[0, -2.0], figure.lower, -figure.upper])
    nearest = quadprog.solve_qp(np.eye(3), q, rows.T.copy(), least, 1)[0]
    assert np.abs(figure.clamp(q).q - nearest).max() < 1e-8


@given(seed=seeds)
@few
def test_where_couplings_bind_curved_joints_no_valid_posture_nearby_is_nearer(seed: int):
    figure, rng = FIGURES["leg"], np.random.default_rng(seed)
    q = rng.normal(0, 1, figure.n)
    clamped = figure.clamp(q).q
    # Joints by themselves first; what couplings then change is the least change of coordinates.
    alone = leg_without_coupling().clamp(q).q
    goal = np.concatenate([alone[:3], [q[3]], alone[4:]])
    reached = np.linalg.norm(clamped - goal)
    for _ in range(200):
        trial = clamped + rng.normal(0, 0.02, figure.n)
        if figure.violation(trial) <= 0:
            assert np.linalg.norm(trial - goal) > reached - 1e-7


def leg_without_coupling() -> Figure:
    figure = FIGURES["leg"]
    return Figure("leg", list(figure.segments.values()), list(figure.joints.values()))


@given(seed=seeds)
@few
def test_limits_of_members_bind_the_parameters_of_a_group(seed: int):
    figure = FIGURES["grouped"]
    q = np.random.default_rng(seed).uniform(-1.5, 1.5, 2)
    clamped = figure.clamp(q)
    members = figure.members(clamped)
    assert -0.4 - 1e-9 <= members["first.angle"] <= 0.4 + 1e-9
    assert -0.3 - 1e-9 <= members["second.angle"] <= 0.5 + 1e-9


def bent() -> Figure:
    """A hinge that a coupling and a curved group limit keep away from zero, without a rest."""
    build = Builder("bent")
    for name in ("a", "b", "c"):
        build.segment(name)
    build.joint("first", Hinge("y", (0.3, 0.9)), "a", "b")
    build.joint("second", Hinge("x", (-2.0, 2.0)), "b", "c")
    members = {
        "first.angle": (Monomial(1.0, {"p": 1}), Monomial(0.3, {"p": 2})),
        "second.angle": {"r": 1.0},
    }
    build.group("both", {"p": (-1.5, 1.5), "r": (-2, 2)}, members)
    build.couple("sum", {"both.p": 1, "both.r": -1}, lower=-0.1, upper=0.1)
    return build.build()


@given(seed=seeds)
@few
def test_a_figure_whose_zero_posture_is_invalid_is_clamped_too(seed: int):
    figure = bent()
    clamped = figure.clamp(np.random.default_rng(seed).uniform(-2, 2, 2))
    assert figure.violation(clamped) <= 1e-12
    assert figure.within_limits(figure.rest())


def test_limits_that_leave_no_posture_are_said_so():
    build = Builder("stuck")
    build.segment("a")
    build.segment("b")
    build.joint("hinge", Hinge("y", (0.0, 1.0)), "a", "b")
    build.couple("away", {"hinge.angle": 1}, lower=2.0)
    with pytest.raises(
        PoiseError, match="no posture of 'stuck' near this one is within all limits"
    ):
        build.build().clamp([0.5])


def test_the_swing_of_a_boxed_ball_is_clamped_along_the_sphere_and_without_induced_twist():
    build = Builder("ball")
    build.segment("a")
    build.segment("b")
    ball = Ball(swing_x=(-1.0, 1.0), swing_y=(-0.5, 0.5), twist=Twist(-1, 1))
    build.joint("ball", ball, "a", "b")
    figure = build.build()
    q = np.array([1.3, 0.9, 0.2])
    before, after = (figure.place(p).segment("b").rotation for p in (q, figure.clamp(q).q))
    turn = after @ before.T
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    assert abs(axis @ before[:, 2]) < 1e-9  # the turn is across the segment's old direction
    assert abs(axis @ after[:, 2]) < 1e-9
