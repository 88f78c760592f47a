"""Second derivatives of what joints hold and of moments, against differences of Jacobians."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.random_figures import KINDS, differences, grouped, random_figure
from tests.statics.forces import SEEDS, forces_on, random_strengths
from tests.statics.random_loads import random_loads
from tests.tasks.residual import Residual

import poise
from poise import kernel, tasks
from poise.figure import Figure
from poise.solvers.problem import Wish, pack
from poise.statics.acting import Acting
from poise.statics.components import components_of
from poise.statics.loads import Support

Values = NDArray[np.float64]


def bends(residual: Residual, q: Values, force: Values) -> Values:
    """S of all blocks, each row times a number."""
    problem, n = residual.problem, q.size
    matrix, rows = residual.jacobian(q), residual(q)
    residual.jacobian(q)
    out, loads = np.ones((n, n)), np.ones((residual.tree.parent.size, 15))
    kernel.curvature.curvature(
        residual.tree,
        problem.blocks,
        residual.state,
        residual.scratch,
        rows,
        matrix,
        force,
        len(problem.blocks.block) - 1,
        loads,
        np.ones(n),
        out,
    )
    return out


def check(residual: Residual, q: Values, seed: int, fixed: int) -> None:
    """Compare S with the differences of Jᵀp, for rows that have no kink nearby."""
    rows = residual(q)
    force = np.random.default_rng(seed).normal(size=rows.size)
    # A row whose sign changes within a step has another strength there.
    force[fixed:][np.abs(rows[fixed:]) < 1e-2] = 0.0
    expected = differences(lambda at: residual.jacobian(at).T @ force, q, 1e-4)
    found = bends(residual, q, force)
    assert np.abs(found - expected).max() < 1e-7 * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "fixed"])
@pytest.mark.parametrize("case", ["plain", "rooted elsewhere"])
@settings(max_examples=5, deadline=None)
@given(seed=SEEDS)
def test_they_are_exact_for_every_kind_of_joint(kind: str, case: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 6, kinds=("hinge", kind))
    q = 0.4 * rng.normal(size=figure.n)
    if case == "rooted elsewhere":
        figure, posture = figure.rooted_at("s4", q)
        q = posture.q
    assume(components_of(figure))
    check(forces_on(rng, figure), q, seed, 3)
