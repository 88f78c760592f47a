"""Second derivatives of what joints hold and of moments, against differences of Jacobians."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from numpy.typing import NDArray
from tests.random_figures import KINDS, differences, random_figure
from tests.statics.forces import SEEDS, forces_in, forces_on, random_case, two_people
from tests.tasks.residual import Residual

from poise import kernel
from poise.kernel.residuals.effort import sine_ratio
from poise.scene.solving import context_of
from poise.statics.components import components_of
from poise.statics.loads import Load, Support

Values = NDArray[np.float64]


def bends(residual: Residual, q: Values, force: Values, scale: Values) -> Values:
    """S of all blocks, each row times a number."""
    problem, n = residual.problem, q.size
    rows, matrix = residual(q), residual.jacobian(q)  # the latter leaves twists behind
    out, loads = np.ones((n, n)), np.ones((residual.tree.parent.size, 15))
    kernel.residuals.curvature.curvature(
        residual.tree,
        problem.blocks,
        residual.state,
        residual.scratch,
        rows,
        matrix,
        force,
        len(problem.blocks.block) - 1,
        np.zeros((len(loads), 3)),
        loads,
        scale,
        out,
    )
    return out


def check(residual: Residual, q: Values, seed: int, *, balances: int = 3) -> int:
    """Compare S with the differences of Jᵀp, p a random number for each row; how many counted."""
    rng, rows = np.random.default_rng(seed), residual(q)
    force, scale = rng.normal(size=rows.size), rng.uniform(0.5, 2.0, q.size)
    # A row whose sign changes within a step has another strength there.
    force[balances:][np.abs(rows[balances:]) < 1e-2] = 0.0
    expected = differences(lambda at: residual.jacobian(at).T @ force, q, 1e-4)
    found = bends(residual, q, force, scale) / np.outer(scale, scale)
    assert np.abs(found - expected).max() < 1e-7 * max(1.0, np.abs(expected).max())
    return int(np.count_nonzero(force))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "fixed"])
@pytest.mark.parametrize("root", ["s0", "s4"])
@settings(max_examples=6, deadline=None)
@given(seed=SEEDS)
def test_they_are_exact_for_every_kind_of_joint(kind: str, root: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 6, kinds=("hinge", kind))
    q = 0.4 * rng.normal(size=figure.n)
    if root != "s0":
        figure, posture = figure.rooted_at(root, q)
        q = posture.q
    assume(components_of(figure))
    check(forces_on(rng, figure), q, seed)


@pytest.mark.parametrize("load", ["force", "torque"])
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_they_are_exact_for_forces_and_for_torques_alone(load: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 5, kinds=("hinge", "ball", "elbow"), chain=True)
    push = Load("s4", force=(90.0, -60.0, 50.0))
    if load == "torque":
        push = Load("s4", torque=(30.0, -20.0, 60.0))
    residual = forces_on(rng, figure, (Support("s0"),), (push,))
    assert check(residual, 0.4 * rng.normal(size=figure.n), seed) > 3


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_groups_pass_them_on_to_their_parameters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure, q = random_case(rng, "grouped", degree=1)
    assume(components_of(figure))
    check(forces_on(rng, figure), q, seed)


def test_they_are_exact_on_two_people() -> None:
    scene = two_people()
    posture = context_of(scene).posture
    q = posture.q + 0.2 * np.random.default_rng(1).normal(size=posture.q.size)
    assert check(forces_in(scene), q, 3, balances=6) > 40


def test_without_a_push_nothing_bends() -> None:
    rng = np.random.default_rng(4)
    figure = random_figure(rng, 6)
    residual = forces_on(rng, figure)
    force = np.zeros(residual.matrix.shape[0])
    q = 0.3 * rng.normal(size=figure.n)
    assert not np.any(bends(residual, q, force, np.ones(q.size)))


@pytest.mark.parametrize("x", [0.0, 1e-9, 1e-4, 0.0199, 0.0201, 0.3, 1.0, 1.9])
def test_the_ratio_of_an_angle_to_its_sine_has_two_exact_derivatives(x: float) -> None:
    c = 1.0 - x
    # The series, which converges for all of these, with as many terms as that takes.
    terms = np.cumprod([1.0, *(n / (2 * n + 1) for n in range(1, 1500))])
    series = np.polynomial.Polynomial(terms)
    expected = series(x), -series.deriv()(x), series.deriv(2)(x)
    assert np.allclose(sine_ratio(c), expected, rtol=1e-11)
