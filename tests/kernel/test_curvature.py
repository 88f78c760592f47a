"""Second derivatives against central differences, and their factor."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise import kernel
from poise.figure import Builder, Figure, Hinge, Slider
from poise.kernel.blocks import make_scratch
from poise.kernel.curvature import curvature, factor
from poise.kernel.kinematics import differentiate, place
from poise.kernel.residuals import evaluate
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import CenterOfMass, Loop, Position, Task

TASKS: dict[str, Task] = {
    "a point": Position("tip", (0.4, 0.2, 0.1)),
    "the centre of mass": CenterOfMass((0.1, 0.0, 0.3)),
    "the gap between two points": Loop("tip", "other_tip"),
}


def tree_of_hinges() -> Figure:
    builder = Builder("hinges")
    builder.segment("base", mass=1.0)
    builder.root("base", "fixed")
    for arm, axes in (("", ("x", "z", "y", "x")), ("other_", ("y", "x", "z", "y"))):
        parent = "base"
        for i, axis in enumerate(axes):
            name = f"{arm}{i}"
            builder.segment(name, mass=1.0 + i, center=(0.02, 0.01, 0.1))
            kind = Slider("z") if i == 2 else Hinge(axis)
            builder.joint(f"j_{name}", kind, parent, name, (0.03, 0.02 * i, 0.2))
            parent = name
        builder.site(f"{arm}tip", parent, (0.0, 0.05, 0.2))
    return builder.build()


FIGURE = tree_of_hinges()


def gradient(problem: Problem, q: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Jᵀf with a force that does not change."""
    tree, state = FIGURE.packed.tree, kernel.tree.state(FIGURE.packed.tree)
    residual, matrix = np.zeros(force.size), np.zeros((force.size, FIGURE.n))
    place(tree, q, state)
    differentiate(tree, state)
    scratch = make_scratch(FIGURE.n, problem.corners)
    evaluate(tree, problem.blocks, state, scratch, residual, matrix, True)
    return matrix.T @ force


@pytest.mark.parametrize("name", TASKS)
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_of_hinges_and_sliders_it_is_the_derivative_of_the_gradient(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = pack(FIGURE, FIGURE.rest(), [Wish("task", TASKS[name], 1)])
    q, force = rng.uniform(-1.5, 1.5, FIGURE.n), rng.normal(size=problem.blocks.inequality.size)
    tree, state = FIGURE.packed.tree, kernel.tree.state(FIGURE.packed.tree)
    scratch, out = make_scratch(FIGURE.n, problem.corners), np.ones((FIGURE.n, FIGURE.n))
    residual, matrix = np.zeros(force.size), np.zeros((force.size, FIGURE.n))
    place(tree, q, state)
    differentiate(tree, state)
    evaluate(tree, problem.blocks, state, scratch, residual, matrix, True)
    trace = curvature(tree, problem.blocks, state, scratch, force, 1, out)
    h = 1e-5
    expected = [
        (gradient(problem, q + h * d, force) - gradient(problem, q - h * d, force)) / (2 * h)
        for d in np.eye(FIGURE.n)
    ]
    np.testing.assert_allclose(out, expected, atol=1e-8)
    assert trace == pytest.approx(np.maximum(np.diag(out), 0.0).sum())


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10_000), rank=st.integers(1, 6))
def test_a_positive_matrix_is_the_product_of_its_rows(seed: int, rank: int) -> None:
    rng = np.random.default_rng(seed)
    half, scale = rng.normal(size=(rank, 9)), rng.uniform(0.2, 1.0, 9)
    scale[3] = 0.0
    matrix, rows, diagonal = half.T @ half, np.zeros((8, 9)), np.zeros(9)
    count, left = factor(matrix, scale, 1e-9, rows, diagonal)
    whole = scale[:, None] * matrix * scale
    assert count == rank
    assert left <= 1e-9
    np.testing.assert_allclose(rows[:count].T @ rows[:count], whole, atol=1e-7)


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10_000))
def test_what_a_short_factor_leaves_out_is_on_the_diagonal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(7, 7))
    matrix, rows, diagonal = half.T @ half, np.zeros((3, 7)), np.zeros(7)
    count, left = factor(matrix, np.ones(7), 1e-9, rows, diagonal)
    rest = np.diag(matrix - rows.T @ rows)
    assert count == 3
    assert left == pytest.approx(rest.max())
    open_ = np.isfinite(diagonal)
    np.testing.assert_allclose(diagonal[open_], rest[open_], atol=1e-9)
    np.testing.assert_allclose(rest[~open_], 0.0, atol=1e-9)
