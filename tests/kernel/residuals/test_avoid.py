"""Rows of bodies that stay apart: values against all pairs, derivatives against differences."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.random_figures import differences
from tests.tasks.residual import Residual

import poise
from poise import Scene, kernel
from poise import tasks as t
from poise.figure.collision import parts_of
from poise.kernel.contacts.bodies import REACH
from poise.kernel.residuals.avoid import FREE
from poise.scene.solving import prepare

Values = NDArray[np.float64]


def crouched(seed: int) -> tuple[Residual, Values]:
    """A person among props, some of them inside each other, in a posture at random."""
    rng = np.random.default_rng(seed)
    figure = poise.human()
    scene = Scene(figure, natural=False)
    scene.place(poise.box(0.3, 0.4, 0.2, name="box"), (0.1, -0.3, 0.9))
    scene.place(poise.cylinder(0.1, 0.5, name="post"), (0.0, 0.35, 0.8))
    scene.place(poise.sphere(0.2, name="ball"), (0.25, 0.1, 0.4))
    scene.add(t.Avoid())
    scene.add(t.AvoidSelf())
    q = figure.clamp(figure.rest().q + rng.normal(scale=0.15, size=figure.n)).q
    return Residual(prepare(scene).problem), q


def near(residual: Residual) -> NDArray[np.intp]:
    """The rows of pairs within reach, of the posture that was evaluated last."""
    kept, bodies = residual.scratch.kept, residual.problem.blocks.bodies
    left = kept.contact[:, 0] + bodies.pairs.allowed[np.maximum(kept.pair, 0)]
    return np.flatnonzero((kept.pair >= 0) & (left < 0.9 * REACH))


@pytest.mark.parametrize("seed", range(4))
def test_every_pair_within_reach_has_a_row_with_its_distance(seed: int) -> None:
    residual, q = crouched(seed)
    rows, bodies = residual(q), residual.problem.blocks.bodies
    kept = residual.scratch.kept
    both = bodies.pairs.pair
    warm = np.zeros((len(both), kernel.contacts.workspace.REMEMBERED))
    contacts = np.zeros((len(both), kernel.contacts.distance.CONTACT))
    kernel.contacts.distance.distances(
        bodies.shapes, kept.places, both, warm, kernel.contacts.workspace.workspace(), contacts
    )
    left = contacts[:, 0] + bodies.pairs.allowed
    within = np.flatnonzero(left <= REACH)
    assert within.size > 20
    assert (left < -0.01).any()
    assert (kept.slot[within] >= 0).all()
    assert np.abs(rows[kept.slot[within]] - left[within]).max() < 2e-6
    others = np.ones(rows.size, bool)
    others[kept.slot[within]] = False
    assert (rows[others] > REACH).all()
    assert (rows[kept.pair < 0] == FREE).all()
    assert len(parts_of(residual.problem.figure)) == bodies.shapes.kind.size


@pytest.mark.parametrize("seed", range(3))
def test_rows_move_as_their_jacobian_says(seed: int) -> None:
    residual, q = crouched(seed)
    found = residual.jacobian(q)
    rows = near(residual)
    assert rows.size > 20
    expected = differences(residual, q, 1e-4)[rows]
    off = np.abs(found[rows] - expected).max(axis=1)
    # Where the nearest features of two shapes change within the step there is no derivative.
    assert np.quantile(off, 0.9) < 1e-4
    others = np.setdiff1d(np.arange(len(found)), rows)
    beyond = others[residual.scratch.kept.pair[others] < 0]
    assert not found[beyond].any()


def test_curvature_is_the_derivative_of_the_gradient() -> None:
    residual, q = crouched(1)
    residual.jacobian(q)
    rows = near(residual)
    good = 0
    for row in rows.tolist():
        force = np.zeros(len(residual.matrix))
        force[row] = -1.0  # those that hold push nothing
        expected = differences(lambda at, f=force: residual.jacobian(at).T @ f, q, 1e-3)
        residual.jacobian(q)
        tree, blocks = residual.tree, residual.problem.blocks
        n, out = q.size, np.zeros((q.size, q.size))
        kernel.residuals.curvature.curvature(
            tree, blocks, residual.state, residual.scratch, np.zeros(force.size), residual.matrix,
            force, len(blocks.block) - 1, np.zeros((tree.parent.size, 3)),
            np.zeros((tree.parent.size, 15)), np.ones(n), out,
        )  # fmt: skip
        # Normals that are found by iteration are known to some 1e-6 only.
        good += np.abs(out - expected).max() < 1e-2 * max(1.0, np.abs(expected).max())
    assert good >= 0.95 * rows.size


def test_rows_that_hold_have_no_curvature() -> None:
    residual, q = crouched(1)
    residual.jacobian(q)
    tree, blocks = residual.tree, residual.problem.blocks
    force = np.maximum(residual(q), 0.0)
    assert force.any()
    out = np.ones((q.size, q.size))
    residual.jacobian(q)
    kernel.residuals.curvature.curvature(
        tree, blocks, residual.state, residual.scratch, np.zeros(force.size), residual.matrix,
        force, len(blocks.block) - 1, np.zeros((tree.parent.size, 3)),
        np.zeros((tree.parent.size, 15)), np.ones(q.size), out,
    )  # fmt: skip
    assert not out.any()
