"""The blocks of criteria against differences: springs, how people hold themselves, MidSupport."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.kernel.residuals.test_curvature import figure
from tests.kernel.residuals.test_effort_curvature import bends
from tests.random_figures import differences
from tests.tasks.residual import Residual

from poise.figure import Figure
from poise.kernel.residuals import mid_support, natural, springs
from poise.kernel.residuals.kinds import MID_SUPPORT, NATURAL, SPRINGS
from poise.models import human
from poise.scene import Scene
from poise.solvers.problem import pack
from poise.tasks import MidSupport
from poise.tasks.task import Block, Context, Criterion

Values = NDArray[np.float64]
SEEDS = st.integers(0, 10_000)


@dataclass(frozen=True)
class Drawn(Criterion):
    """A criterion of given blocks."""

    given: tuple[Block, ...]

    def springs(self, context: Context) -> tuple[Values, Values]:
        return np.zeros(context.figure.n), np.zeros(context.figure.n)

    def blocks(self, context: Context) -> list[Block]:
        return list(self.given)


def held(subject: Figure, rng: np.random.Generator, site: str, rows: int = 9) -> Block:
    """How a person holds himself, of random numbers, with a tilt of what a site is on."""
    node, place = subject.frame(site)
    indices = rng.choice(subject.n, size=subject.n // 2, replace=False)
    mean, matrix = rng.normal(size=indices.size + 2), rng.normal(size=(rows, indices.size + 2))
    values = natural.packed(place.rotation.T[:2], indices, mean, matrix)
    return Block(NATURAL, rows, values, node=node)


def rows_of(subject: Figure, *blocks: Block) -> Residual:
    return Residual(pack(subject, subject.rest(), [], [(Drawn(blocks), 1.0)]))


def check(residual: Residual, q: Values, seed: int) -> None:
    """Compare the Jacobian, and the curvature of a random force on the rows."""
    rng = np.random.default_rng(seed)
    residual.check(q)
    force, scale = rng.normal(size=residual(q).size), rng.uniform(0.5, 2.0, q.size)
    expected = differences(lambda at: residual.jacobian(at).T @ force, q, 1e-4)
    found = bends(residual, q, force, scale) / np.outer(scale, scale)
    assert np.abs(found - expected).max() < 1e-7 * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("name", ["hinges and sliders", "balls", "balls, from the other end"])
@settings(deadline=None, max_examples=12)
@given(seed=SEEDS, wide=st.sampled_from([0.0, 1e-4, 0.05, 1.2]))
def test_how_people_hold_themselves_has_exact_derivatives(
    name: str, seed: int, wide: float
) -> None:
    subject, rng = figure(name), np.random.default_rng(seed)
    q = subject.rest().q + rng.uniform(-wide, wide, subject.n)
    check(rows_of(subject, held(subject, rng, "tip")), q, seed)


@pytest.mark.parametrize("site", ["pelvis", "left_hand", "head"])
@pytest.mark.parametrize("root", ["", "left_foot"])
def test_so_it_has_where_groups_drive_the_joints(site: str, root: str) -> None:
    rng, subject = np.random.default_rng(3), human()
    if root:
        subject = subject.rooted_at(root, subject.rest())[0]
    q = subject.rest().q + rng.uniform(-0.2, 0.2, subject.n)
    check(rows_of(subject, held(subject, rng, site)), q, 2)


def test_rows_are_what_the_formula_says() -> None:
    subject, rng = human(), np.random.default_rng(8)
    indices = rng.choice(subject.n, size=subject.n // 2, replace=False)
    mean, matrix = rng.normal(size=indices.size + 2), rng.normal(size=(5, indices.size + 2))
    node, place = subject.frame("pelvis")
    values = natural.packed(place.rotation.T[:2], indices, mean, matrix)
    block = Block(NATURAL, 5, values, node=node)
    q = subject.rest().q + rng.uniform(-0.3, 0.3, subject.n)
    up = subject.place(q)["pelvis"].rotation.T @ (0.0, 0.0, 1.0)
    expected = matrix @ (np.append(q[indices], up[:2]) - mean)
    np.testing.assert_allclose(rows_of(subject, block)(q), expected, atol=1e-12)


def test_turning_about_the_vertical_and_moving_changes_nothing() -> None:
    subject, rng = human(), np.random.default_rng(8)
    moved = [i for i in range(subject.n) if not subject.root_coordinates[i]]
    node, place = subject.frame("pelvis")
    values = natural.packed(
        place.rotation.T[:2],
        np.array(moved),
        np.zeros(len(moved) + 2),
        rng.normal(size=(4, len(moved) + 2)),
    )
    rows = rows_of(subject, Block(NATURAL, 4, values, node=node))
    posture = subject.rest()
    before = rows(posture.q)
    other = posture.q.copy()
    other[:3] += (0.4, -1.0, 0.2)
    other[5] += 1.1  # about z: the rest posture is upright
    np.testing.assert_allclose(rows(other), before, atol=1e-12)
    other[3] += 0.3
    assert np.abs(rows(other) - before).max() > 0.01


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS)
def test_springs_and_zones_draw_by_the_way_to_the_nearest_value(seed: int) -> None:
    subject, rng = figure("balls"), np.random.default_rng(seed)
    drawn = rng.choice(subject.n, size=6, replace=False)
    low, strength = rng.uniform(-1, 1, 6), rng.uniform(0.1, 3.0, 6)
    high = low + np.where(np.arange(6) < 3, 0.0, 0.5)
    block = Block(SPRINGS, 6, springs.packed(drawn, low, high, strength))
    q = subject.rest().q + rng.uniform(-1.5, 1.5, subject.n)
    x = q[drawn]
    q[drawn] = np.where(np.minimum(abs(x - low), abs(x - high)) < 0.01, x + 0.05, x)  # no kinks
    rows = rows_of(subject, block)
    away = q[drawn] - np.clip(q[drawn], low, high)
    np.testing.assert_allclose(rows(q), np.sqrt(strength) * away, atol=1e-15)
    check(rows, q, seed)


def over(subject: Figure, rng: np.random.Generator, *sites: str) -> Block:
    """The centre of mass over the mean of random points of sites' nodes."""
    points = [(subject.frame(site)[0], *rng.normal(size=3)) for site in sites]
    values = mid_support.packed(points, [])
    return Block(MID_SUPPORT, 2, values, node=values.size, other=len(points))


@pytest.mark.parametrize("name", ["hinges and sliders", "balls", "balls, from the other end"])
@settings(deadline=None, max_examples=12)
@given(seed=SEEDS, wide=st.sampled_from([0.0, 1e-4, 0.05, 1.2]), both=st.booleans())
def test_the_way_to_the_middle_of_the_support_has_exact_derivatives(
    name: str, seed: int, wide: float, both: bool
) -> None:
    subject, rng = figure(name), np.random.default_rng(seed)
    q = subject.rest().q + rng.uniform(-wide, wide, subject.n)
    check(
        rows_of(subject, over(subject, rng, *(("tip", "other_tip") if both else ("tip",)))), q, seed
    )


@pytest.mark.parametrize("root", ["", "left_foot"])
def test_so_it_has_on_a_person(root: str) -> None:
    rng, subject = np.random.default_rng(3), human()
    if root:
        subject = subject.rooted_at(root, subject.rest())[0]
    criterion = MidSupport(supports=("left_foot", "right_foot"))
    rows = Residual(pack(subject, subject.rest(), [], [(criterion, 1.0)]))
    for seed in range(3):
        check(rows, subject.rest().q + rng.uniform(-0.3, 0.3, subject.n), seed)


def test_so_it_has_on_one_figure_among_several() -> None:
    scene, rng = Scene({"anna": human(), "ben": human()}, natural=False), np.random.default_rng(4)
    scene.add(MidSupport(supports=("ben/left_foot", "ben/right_foot"), figure="ben"))
    problem = scene._problem()
    q = problem.figure.rest().q + rng.uniform(-0.2, 0.2, problem.figure.n)
    check(Residual(problem), q, 1)
