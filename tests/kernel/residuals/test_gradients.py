"""The gradient of the potential against Jacobians and differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.kernel.residuals.test_evaluation import TASKS, with_sites
from tests.random_figures import KINDS, differences, grouped, random_figure, random_q, unit, vector
from tests.tasks.residual import Residual, residual_of

from poise import kernel
from poise.kernel.residuals.blocks import KIND, ROWS
from poise.kernel.residuals.kinds import BALANCE
from poise.tasks import Aim, HalfSpace, Loop

Values = NDArray[np.float64]


SMOOTH = (
    "position",
    "position on a line",
    "centre of mass",
    "orientation",
    "orientation with a free axis",
    "orientation by vectors",
    "frame",
    "aim",
    "loop",
)
"""Tasks whose potential has a gradient at nearly every posture."""


def potential_of(residual: Residual, q: Values) -> float:
    return float(kernel.residuals.gradients.total(residual.problem.blocks.inequality, residual(q)))


def gradient_of(residual: Residual, q: Values) -> Values:
    """By the sweep; whatever it does not write shows."""
    parts = kernel.residuals.gradients.potential(residual.problem.blocks)
    room = kernel.residuals.gradients.wrenches(residual.tree.parent.size, *residual.matrix.shape)
    out = np.full(q.size, np.nan)
    e = residual(q)
    kernel.body.kinematics.differentiate(residual.tree, residual.state)
    kernel.residuals.gradients.gradient(
        residual.tree, parts, residual.state, residual.scratch, e, room, out
    )
    return out


def expected_gradient(residual: Residual, q: Values) -> Values:
    """2 Jᵀe, without the inequalities that hold."""
    e = residual(q)
    e = np.where(residual.problem.blocks.inequality == 1, np.minimum(e, 0.0), e)
    return 2.0 * residual.jacobian(q).T @ e


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task", TASKS)
def test_the_gradient_is_twice_the_transposed_jacobian_times_the_residual(
    task: str, kind: str
) -> None:
    for seed in range(2):
        rng = np.random.default_rng(seed)
        kinds = (kind,) if kind != "fixed" else ("fixed", "hinge", "ball")
        figure = with_sites(rng, random_figure(rng, 5, kinds=kinds, chain=seed == 0))
        residual = residual_of(figure, TASKS[task](rng), weight=2.0, scale=0.3)
        q = random_q(rng, figure)
        expected = expected_gradient(residual, q)
        assert gradient_of(residual, q) == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 1000))
def test_the_gradient_is_that_of_differences_for_all_tasks_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = with_sites(rng, random_figure(rng, 6))
    residual = residual_of(figure, *(TASKS[name](rng) for name in SMOOTH), weight=1.7)
    q = random_q(rng, figure)
    errors = [each for parts in residual.problem.errors(residual(q)) for each in parts]
    assume(all(each.value < 3.0 for each in errors if each.unit == "rad"))  # at π there is a kink
    expected = differences(lambda at: np.array(potential_of(residual, at)), q)
    found = gradient_of(residual, q)
    assert np.abs(found - expected).max() < 1e-6 * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("degree", [1, 3])
def test_the_gradient_is_right_with_joint_groups(task: str, degree: int) -> None:
    rng = np.random.default_rng(degree)
    figure = with_sites(rng, grouped(rng, random_figure(rng, 7), degree=degree))
    residual = residual_of(figure, TASKS[task](rng))
    q = random_q(rng, figure)
    assert gradient_of(residual, q) == pytest.approx(expected_gradient(residual, q), abs=1e-11)


@given(st.integers(0, 1000))
def test_blocks_of_both_sorts_add_up(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = with_sites(rng, random_figure(rng, 5))
    names = ["balance", "position", "balance", "frame", "centre of mass", "balance"]
    residual = residual_of(figure, *(TASKS[name](rng) for name in names))
    q = random_q(rng, figure)
    expected = expected_gradient(residual, q)
    assert gradient_of(residual, q) == pytest.approx(expected, abs=1e-11)


def test_only_what_is_no_wrench_has_its_jacobian_formed() -> None:
    rng = np.random.default_rng(0)
    figure = with_sites(rng, random_figure(rng, 5))
    names = ["orientation", "balance", "frame", "aim", "centre of mass", "loop"]
    residual = residual_of(figure, *(TASKS[name](rng) for name in names))
    block = kernel.residuals.gradients.potential(residual.problem.blocks).formed.block
    assert block[block[:, ROWS] > 0, KIND].tolist() == [BALANCE]


def test_an_inequality_that_holds_has_no_gradient() -> None:
    rng = np.random.default_rng(0)
    figure = with_sites(rng, random_figure(rng, 4))
    q, normal = random_q(rng, figure), unit(rng)
    tip = figure.place(q)["tip"].position
    inside = residual_of(figure, HalfSpace("tip", tip - 0.1 * np.array(normal), normal=normal))
    outside = residual_of(figure, HalfSpace("tip", tip + 0.1 * np.array(normal), normal=normal))
    assert not gradient_of(inside, q).any()
    assert potential_of(inside, q) == 0.0
    assert np.abs(gradient_of(outside, q)).max() > 1e-3
    assert potential_of(outside, q) == pytest.approx(0.01)


def test_aiming_at_the_site_itself_has_no_gradient() -> None:
    rng = np.random.default_rng(2)
    figure = with_sites(rng, random_figure(rng, 4))
    q = random_q(rng, figure)
    assert not gradient_of(residual_of(figure, Aim("tip", figure.place(q)["tip"])), q).any()


def test_a_target_that_is_moved_moves_for_both_sorts() -> None:
    rng = np.random.default_rng(3)
    figure = with_sites(rng, random_figure(rng, 4))
    residual = residual_of(figure, TASKS["position"](rng), Loop("tip", "other"))
    parts = kernel.residuals.gradients.potential(residual.problem.blocks)
    residual.problem.aim(0, [vector(rng, 1.0)])
    assert parts.blocks.values is residual.problem.blocks.values
    assert parts.formed.values is residual.problem.blocks.values


@given(st.integers(0, 1000))
def test_the_worst_error_is_that_of_the_worst_block_without_its_weight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = with_sites(rng, random_figure(rng, 4))
    residual = residual_of(figure, *(make(rng) for make in TASKS.values()), weight=3.0)
    e, blocks = residual(random_q(rng, figure)), residual.problem.blocks
    found = kernel.residuals.gradients.worst(blocks.block, blocks.factor, blocks.inequality, e)
    assert found == pytest.approx(residual.problem.sizes(e).max())
