"""Centre of mass and moment of inertia, against plain sums and against differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.random_figures import KINDS, differences, grouped, random_figure, random_q, unit

from poise.errors import PoiseError
from poise.figure.builder import Builder
from poise.figure.figure import Figure
from poise.figure.kinds import Fixed, Hinge
from poise.kernel.body.masses import center_of_mass, center_of_mass_rows, gather, inertia
from poise.kernel.body.tree import state

Values = NDArray[np.float64]
seeds = st.integers(0, 2**32 - 1)


def summed_center(figure: Figure, q: Values) -> Values:
    where, total, moment = figure.place(q), 0.0, np.zeros(3)
    for name, segment in figure.segments.items():
        mass, center, _ = segment.mass_properties()
        total += mass
        moment += mass * where[name].apply(center)
    return moment / total


def summed_inertia(figure: Figure, q: Values, axis: Values) -> float:
    """Σ u·(R I Rᵀ)u + m |u × (r − c)|²."""
    where, middle, result = figure.place(q), summed_center(figure, q), 0.0
    for name, segment in figure.segments.items():
        mass, center, tensor = segment.mass_properties()
        local = where[name].rotation.T @ axis
        across = np.cross(axis, where[name].apply(center) - middle)
        result += float(local @ tensor @ local + mass * across @ across)
    return result


def compare_with_differences(figure: Figure, q: Values, axis: Values) -> None:
    rows = figure.center_of_mass_jacobian(q)
    assert np.abs(rows - differences(figure.center_of_mass, q)).max(initial=0) < 1e-10
    gradient = figure.inertia_gradient(q, axis)
    there = differences(lambda x: np.array(figure.inertia(x, axis)), q)
    # Ten segments of up to 2 kg at up to 2 m: the inertia is some ten kg·m².
    assert np.abs(gradient - there).max(initial=0) < 1e-8


@given(seeds)
def test_both_are_the_sums_over_the_segments(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, root="fixed" if seed % 3 == 0 else "free")
    q, axis = random_q(rng, figure), np.array(unit(rng))
    assert figure.center_of_mass(q) == pytest.approx(summed_center(figure, q), abs=1e-13)
    assert figure.inertia(q, axis) == pytest.approx(summed_inertia(figure, q, axis), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_derivatives_agree_with_differences_for_each_kind(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 4, kinds=[kind])
    q, axis = random_q(rng, figure), np.array(unit(rng))
    compare_with_differences(figure, q, axis)
    turned, posture = figure.rooted_at("s3", q)
    compare_with_differences(turned, posture.q, axis)


@given(seeds)
def test_derivatives_agree_with_differences_in_random_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 8, root="fixed" if seed % 3 == 0 else "free")
    compare_with_differences(figure, random_q(rng, figure), np.array(unit(rng)))


@pytest.mark.parametrize("chain", [True, False])
@pytest.mark.parametrize("degree", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_derivatives_agree_with_differences_in_groups(seed: int, degree: int, chain: bool) -> None:
    rng = np.random.default_rng(seed)
    figure = grouped(rng, random_figure(rng, 8, chain=chain), degree=degree)
    q, axis = random_q(rng, figure), np.array(unit(rng))
    compare_with_differences(figure, q, axis)
    turned, posture = figure.rooted_at("s5", q)
    compare_with_differences(turned, posture.q, axis)


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-6, 1e-3, 0.03163, np.deg2rad(150.0)])
def test_derivatives_agree_with_differences_at_any_swing(size: float) -> None:
    rng = np.random.default_rng(2)
    figure = random_figure(rng, 5, kinds=["ball", "swing"])
    q = random_q(rng, figure)
    for name in (f"j{i}" for i in range(1, 5)):
        x = q[figure.span(name)]
        x[:2] *= size / np.linalg.norm(x[:2])
    compare_with_differences(figure, q, np.array(unit(rng)))


@given(seeds)
def test_moving_or_turning_the_whole_figure_carries_the_centre_along(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng)
    q = random_q(rng, figure)
    rows = figure.center_of_mass_jacobian(q)
    before = figure.joints["root"].before.rotation
    assert np.abs(rows[:, :3] - before).max() < 1e-13
    assert np.abs(figure.inertia_gradient(q, "z")[:3]).max() < 1e-11  # inertia stays


def test_inertia_does_not_depend_on_where_the_figure_stands() -> None:
    rng = np.random.default_rng(3)
    figure = random_figure(rng)
    q = random_q(rng, figure)
    far = q.copy()
    far[:3] += (100.0, -50.0, 20.0)
    # Second moments are about the world's origin: 1e4 m² times 1e-16 is lost.
    assert figure.inertia(far, "y") == pytest.approx(figure.inertia(q, "y"), rel=1e-9)


def test_a_mass_that_rides_on_the_ground_counts() -> None:
    builder = Builder("lever")
    builder.segment("base", mass=3.0, center=(0.0, 0.0, 1.0))
    builder.segment("arm", mass=1.0, center=(1.0, 0.0, 0.0))
    builder.joint("joint", Hinge((0.0, 0.0, 1.0)), "base", "arm")
    figure = builder.build()
    assert figure.mass == 4.0
    assert figure.center_of_mass([0.0]) == pytest.approx([0.25, 0.0, 0.75])
    assert figure.center_of_mass_jacobian([0.0])[:, 0] == pytest.approx([0.0, 0.25, 0.0])
    # Two points 1 m apart across the axis: reduced mass 3/4.
    assert figure.inertia([0.7], "z") == pytest.approx(0.75)


def test_masses_joined_by_fixed_joints_are_one_body() -> None:
    rng = np.random.default_rng(4)
    figure = random_figure(rng, 6, kinds=["fixed"])
    assert figure.packed.tree.mass.nonzero()[0].size == 1
    q, axis = random_q(rng, figure), np.array(unit(rng))
    assert figure.inertia(q, axis) == pytest.approx(summed_inertia(figure, q, axis), rel=1e-12)


def weightless() -> Figure:
    builder = Builder("ghost")
    builder.segment("base")
    builder.segment("arm")
    builder.joint("joint", Hinge((0.0, 0.0, 1.0)), "base", "arm")
    builder.joint("end", Fixed(), "world", "base")
    return builder.build()


@pytest.mark.parametrize("question", ["center_of_mass", "center_of_mass_jacobian"])
def test_a_figure_without_mass_has_no_centre_and_says_so(question: str) -> None:
    with pytest.raises(PoiseError, match="'ghost' has no mass; give its segments masses"):
        getattr(weightless(), question)([0.0])
    with pytest.raises(PoiseError, match="'ghost' has no mass; give its segments masses"):
        weightless().inertia([0.0], "x")


def test_kernels_give_zero_and_not_infinity_without_mass() -> None:
    tree = weightless().packed.tree
    room, rows, center = state(tree), np.zeros((3, 1)), np.ones(3)
    gather(tree, room, True)
    center_of_mass(tree, room, center)
    center_of_mass_rows(tree, room, rows)
    assert not center.any()
    assert not rows.any()
    assert inertia(tree, room, np.array([0.0, 0.0, 1.0]), rows[0]) == 0.0
