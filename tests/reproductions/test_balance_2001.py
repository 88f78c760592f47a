"""What the examples of Baerlocher's thesis are made of."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.figure import Ellipsoid
from poise.models import human, shoulder_complex
from poise.reproductions.balance_2001 import anatomy, cost
from poise.reproductions.balance_2001.chains import nearest_elbow, two_tips
from poise.reproductions.balance_2001.forces import chains as loaded
from poise.reproductions.balance_2001.forces.arcs import Loaded
from poise.reproductions.balance_2001.forces.statics import unbalanced
from poise.reproductions.balance_2001.stepping import linear_step, settle, site


@settings(max_examples=30)
@given(st.integers(6, 40), st.integers(1, 8), st.integers(1, 5))
def test_steps_with_and_without_the_recursion_are_the_kernel_s(n: int, m: int, p: int) -> None:
    if m * p > n - 2:
        return  # nearly dependent levels differ in what counts as zero
    levels = cost.random_levels(n, m, p)
    expected = linear_step(levels)[0]
    np.testing.assert_allclose(cost.recursive_step(levels), expected, atol=1e-8)
    np.testing.assert_allclose(cost.plain_step(levels), expected, atol=1e-8)
    both = zip(cost.recursive_projectors(levels), cost.plain_projectors(levels), strict=True)
    for recursive, plain in both:
        np.testing.assert_allclose(recursive, plain, atol=1e-8)


@settings(max_examples=15)
@given(st.floats(0.35, 0.9), st.floats(20.0, 70.0), st.floats(100.0, 170.0))
def test_no_posture_brings_a_tip_nearer_than_the_geometry_says(
    reach: float, turn: float, other: float
) -> None:
    angles = np.deg2rad([turn, other])
    main, goal = (
        r * np.array([np.cos(a), np.sin(a)]) for r, a in zip((reach, 1.6), angles, strict=True)
    )
    least = float(np.linalg.norm(goal - nearest_elbow(main, goal))) - 0.4
    figure = two_tips()
    levels = [site(figure, "right", main), site(figure, "left", goal)]
    q = settle(figure.rest().q, levels, "first", longest=0.25, most=400)[-1]
    if float(np.linalg.norm(levels[0](q).wanted)) < 1e-6:
        assert float(np.linalg.norm(levels[1](q).wanted)) > least - 1e-6


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_the_gap_to_the_thorax_is_the_distance_to_its_nearest_point(seed: int) -> None:
    figure = shoulder_complex()
    rng = np.random.default_rng(seed)
    posture = figure.clamp(figure.rest().q + 0.3 * rng.standard_normal(figure.n))
    where = figure.place(posture)
    (thorax,) = figure.segments["thorax"].shapes
    assert isinstance(thorax, Ellipsoid)
    local = where["thorax_center"].inverse().apply(where["scapula_point"].position)
    u, v = np.meshgrid(np.linspace(0, np.pi, 400), np.linspace(0, 2 * np.pi, 800))
    grid = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], -1)
    nearest = np.linalg.norm(grid * np.array(thorax.radii) - local, axis=-1).min()
    gap = anatomy._gap(posture)
    assert abs(gap) == pytest.approx(nearest, abs=1.5e-3)
    outside = np.linalg.norm(local / np.array(thorax.radii)) > 1
    assert (gap > 0) == outside


def test_a_figure_without_a_coupling_is_otherwise_the_same() -> None:
    coupled = human()
    free = anatomy._without(coupled, "hamstrings")
    assert set(coupled.couplings) - set(free.couplings) == {"left_hamstrings", "right_hamstrings"}
    assert free.coordinates == coupled.coordinates
    np.testing.assert_array_equal(free.rest().q, coupled.rest().q)
    hand = free.place(free.rest())["left_hand"].position
    np.testing.assert_array_equal(hand, coupled.place(coupled.rest())["left_hand"].position)


# chains under forces -----------------------------------------------------------------------------


@settings(max_examples=20)
@given(st.floats(-20.0, 20.0), st.floats(-30.0, 10.0), st.integers(0, 10_000))
def test_the_moment_that_is_left_is_that_about_any_point(x: float, z: float, seed: int) -> None:
    scene = loaded.standing_chain((x, 0.0, z))
    posture = scene.posture.copy()
    posture.q[:] += 0.3 * np.random.default_rng(seed).standard_normal(len(posture.q))
    figure = posture.figure
    center, tip = figure.center_of_mass(posture), figure.place(posture)["tip"].position
    weight = np.array([0.0, 0.0, -9.81 * figure.mass])
    about_base = np.cross(tip, (x, 0.0, z)) + np.cross(center, weight)
    assert unbalanced(scene, posture) == pytest.approx(np.linalg.norm(about_base), abs=1e-9)


def test_links_in_line_with_the_force_are_not_misaligned() -> None:
    scene = loaded.standing_chain()
    posture = scene.posture.copy()
    posture.q[:] = 0.0
    posture.q[0] = -np.pi / 2
    assert loaded.misaligned(scene, posture) == pytest.approx(0.0, abs=1e-6)
    posture.q[0] = 0.0
    assert loaded.misaligned(scene, posture) == pytest.approx(np.pi / 2)


def test_arrows_balance_and_arcs_turn_as_the_joints_push() -> None:
    scene = loaded.standing_chain((6.0, 0.0, 0.0))
    posture = scene.posture.copy()
    posture.q[:] = 0.0  # stretched out along x: each joint must lift what is beyond it
    found = Loaded.of(scene, posture)
    np.testing.assert_allclose(sum(force for _, force, _ in found.forces), 0.0, atol=1e-9)
    torques = [torque for _, torque in sorted(found.torques, key=lambda each: each[0][0])]
    assert all(torque > 0 for torque in torques)  # anti-clockwise lifts the tip
    assert torques == sorted(torques, reverse=True)
