"""One step of the task-priority method against the thesis' formulas in numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.kernel.reference import Level, Problem, solve

from poise.kernel.published import priority_arrays as at
from poise.kernel.published.priority_steps import slope, take
from poise.kernel.published.projectors import damping, orthogonalize

Values = NDArray[np.float64]

UNDAMPED = 1e9
seeds = st.integers(0, 100_000)


@dataclass
class Drawn:
    """Random rows, increments, limits and couplings."""

    rows: list[Values]
    wanted: list[Values]
    box: Values
    hard: Values
    ends: Values
    drawn: Values

    def step(self, how: int, longest: float = UNDAMPED, depth: int | None = None) -> at.Step:
        n, count = self.box.shape[1], len(self.hard)
        level = np.cumsum([0, *(len(each) for each in self.rows)], dtype=np.int64)
        step = at.make_step(n, count, level)
        step.rows[:] = np.vstack(self.rows)
        step.increment[at.WANTED] = np.concatenate(self.wanted)
        step.increment[at.ERROR] = -step.increment[at.WANTED]
        step.entered[:] = 1
        step.box[:], step.hard[:], step.ends[:] = self.box, self.hard, self.ends
        step.vector[at.DRAWN] = self.drawn
        take(step, len(self.rows) if depth is None else depth, count, longest, how)
        return step

    def move(self, how: int, longest: float = UNDAMPED, depth: int | None = None) -> Values:
        return self.step(how, longest, depth).vector[at.MOVE].copy()


def draw(seed: int, *, tight: float = np.inf, couplings: bool = False) -> Drawn:
    """Two to thirty coordinates, one to four levels, some of them of deficient rank."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    rows, wanted = [], []
    for _ in range(rng.integers(1, 5)):
        m = int(rng.integers(1, 7))
        J = rng.standard_normal((m, n)) / np.sqrt(n)
        if m > 2 and rng.random() < 0.3:
            J[2:] = rng.standard_normal((m - 2, 2)) @ J[:2]
        if rows and rng.random() < 0.3:
            J[0] = rows[-1][0]  # a conflict with the level above
        rows.append(J)
        wanted.append(0.05 * rng.standard_normal(m))
    box = np.array([-np.ones(n), np.ones(n)]) * rng.uniform(0.0, 1.0, (2, n)) * tight
    box[np.isnan(box)] = np.inf
    count = int(rng.integers(1, 4)) if couplings and n > 3 else 0
    hard = np.zeros((count, n))
    for row in hard:
        row[rng.choice(n, 3, replace=False)] = rng.uniform(-1.0, 1.0, 3)
    ends = np.array([[-0.01] * count, [0.01] * count])
    ends[:, ::2] = 0.0
    drawn = 0.1 * rng.standard_normal(n) * (rng.random() < 0.5)
    return Drawn(rows, wanted, box, hard, ends, drawn)


def pseudo_inverse(J: Values, damped: float = 0.0) -> Values:
    u, s, vt = np.linalg.svd(J, full_matrices=False)
    keep = s > 1e-7  # of rows of order one; what projecting leaves of none is no direction
    u, s, vt = u[:, keep], s[keep], vt[keep]
    return vt.T @ np.diag(s / (s**2 + damped**2)) @ u.T


def least(J: Values) -> float:
    s = np.linalg.svd(J, compute_uv=False)
    return float(s[s > 1e-7].min(initial=np.inf))


def printed(drawn: Drawn, longest: float) -> Values:
    """Fig. 5.12, line by line."""
    n = drawn.box.shape[1]
    move, P = np.zeros(n), np.eye(n)
    for J, dx in zip(drawn.rows, drawn.wanted, strict=True):
        left = dx - J @ move
        across = J @ P
        damped = damping(least(across), float(np.linalg.norm(left)), longest)
        move = move + pseudo_inverse(across, damped) @ left
        P = P - pseudo_inverse(across) @ across
    return move + P @ drawn.drawn


@settings(max_examples=60)
@given(seed=seeds, longest=st.sampled_from([UNDAMPED, 0.2, 0.02]))
def test_a_step_without_limits_is_that_of_figure_5_12(seed: int, longest: float) -> None:
    drawn = draw(seed)
    for how in (at.RECURSIVE, at.FACTORED):
        np.testing.assert_allclose(drawn.move(how, longest), printed(drawn, longest), atol=1e-9)


@settings(max_examples=60)
@given(seed=seeds)
def test_the_cascaded_step_projects_what_each_level_wants_by_itself(seed: int) -> None:
    drawn = draw(seed)
    n = drawn.box.shape[1]
    move, P = np.zeros(n), np.eye(n)
    for J, dx in zip(drawn.rows, drawn.wanted, strict=True):  # (5.13)
        move = move + P @ pseudo_inverse(J) @ dx
        P = P - pseudo_inverse(J @ P) @ (J @ P)
    move = move + P @ drawn.drawn
    np.testing.assert_allclose(drawn.move(at.CASCADED), move, atol=1e-9)


@settings(max_examples=100)
@given(
    seed=seeds,
    tight=st.sampled_from([np.inf, 0.3, 0.05, 0.01]),
    longest=st.sampled_from([UNDAMPED, 0.2, 0.02]),
)
def test_reflections_and_projectors_give_the_same_steps(
    seed: int, tight: float, longest: float
) -> None:
    drawn = draw(seed, tight=tight, couplings=True)
    one, other = drawn.step(at.RECURSIVE, longest), drawn.step(at.FACTORED, longest)
    np.testing.assert_allclose(one.vector[at.MOVE], other.vector[at.MOVE], atol=1e-8)
    np.testing.assert_array_equal(one.box_state, other.box_state)
    np.testing.assert_array_equal(one.hard_state, other.hard_state)


@settings(max_examples=60)
@given(seed=seeds, how=st.sampled_from([at.RECURSIVE, at.CASCADED, at.FACTORED]))
def test_a_step_breaks_no_limit_and_lands_exactly_on_those_it_meets(seed: int, how: int) -> None:
    drawn = draw(seed, tight=0.05, couplings=True)
    step = drawn.step(how, 0.2)
    move = step.vector[at.MOVE]
    assert np.all(move <= drawn.box[1] + 1e-9)
    assert np.all(move >= drawn.box[0] - 1e-9)
    assert np.all(drawn.hard @ move <= drawn.ends[1] + 1e-9)
    assert np.all(drawn.hard @ move >= drawn.ends[0] - 1e-9)
    ends = np.where(step.box_state > 0, drawn.box[1], drawn.box[0])
    held = np.abs(step.box_state) == 1
    short = held & (np.abs(move - ends) > 1e-9)
    if short.any():  # the working set contradicts itself: the step ends where the last was met
        shares = move[short] / ends[short]
        assert shares[0] < 1.0
        np.testing.assert_allclose(shares, shares[0], rtol=1e-6)
        sides = np.where(step.hard_state > 0, drawn.ends[1], drawn.ends[0])
        rows = (step.hard_state != 0) & (drawn.ends[0] < drawn.ends[1])
        met = rows & (np.abs(drawn.hard @ move - sides) <= 1e-9)
        assert (held & ~short).sum() + met.sum() >= 1


@pytest.mark.parametrize("how", [at.RECURSIVE, at.CASCADED, at.FACTORED])
def test_steps_drawn_with_tight_limits_meet_some(how: int) -> None:
    steps = [draw(seed, tight=0.05, couplings=True).step(how, 0.2) for seed in range(20)]
    assert sum(bool(np.isin(step.box_state, (-1, 1)).any()) for step in steps) >= 10
    assert any((step.hard_state[1::2] != 0).any() for step in steps)  # not an equality


def test_a_joint_that_would_pass_its_limit_stops_there_and_others_do_its_work() -> None:
    drawn = Drawn(
        [np.array([[1.0, 1.0, 0.0]])],
        [np.array([0.4])],
        np.array([[-1.0] * 3, [0.05, 1.0, 1.0]]),
        np.zeros((0, 3)),
        np.zeros((2, 0)),
        np.zeros(3),
    )
    for how in (at.RECURSIVE, at.CASCADED, at.FACTORED):
        np.testing.assert_allclose(drawn.move(how), [0.05, 0.35, 0.0], atol=1e-12)


@settings(max_examples=40)
@given(seed=seeds, how=st.sampled_from([at.RECURSIVE, at.CASCADED, at.FACTORED]))
def test_lower_levels_and_criteria_change_nothing_of_what_is_above(seed: int, how: int) -> None:
    drawn = draw(seed)
    drawn.drawn = np.zeros(drawn.box.shape[1])
    for k in range(len(drawn.rows)):
        before, after = drawn.move(how, 0.1, depth=k + 1), drawn.move(how, 0.1)
        np.testing.assert_allclose(drawn.rows[k] @ before, drawn.rows[k] @ after, atol=1e-6)
    after = drawn.move(how, 0.1)
    drawn.drawn = np.random.default_rng(seed).standard_normal(drawn.box.shape[1])
    for J in drawn.rows:
        np.testing.assert_allclose(J @ drawn.move(how, 0.1), J @ after, atol=1e-6)


@settings(max_examples=40)
@given(seed=seeds)
def test_an_undamped_step_leaves_each_level_least_after_those_above(seed: int) -> None:
    drawn = draw(seed)
    n = drawn.box.shape[1]
    levels = [Level(J, dx, dx) for J, dx in zip(drawn.rows, drawn.wanted, strict=True)]
    empty = Level(np.zeros((0, n)), np.zeros(0), np.zeros(0))
    problem = Problem(np.full(n, -1e3), np.full(n, 1e3), empty, levels, np.zeros(n))
    expected = solve(problem)
    if not expected.trusted or np.abs(expected.u).max() > 50.0:
        return
    drawn.drawn = np.zeros(n)
    found = problem.residuals(drawn.move(at.FACTORED))
    np.testing.assert_allclose(found, expected.residuals, atol=1e-5)


@settings(max_examples=60)
@given(seed=seeds)
def test_rows_turned_perpendicular_are_the_singular_value_decomposition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 12, 2)
    A, b = rng.standard_normal((m, n)), rng.standard_normal(m)
    if rng.random() < 0.5:
        A[0] = A[-1]
    rows, right = A.copy(), b.copy()
    orthogonalize(rows, right, m, 1e-15)
    found = np.sort(np.linalg.norm(rows, axis=1))[::-1][: min(m, n)]
    np.testing.assert_allclose(found, np.linalg.svd(A, compute_uv=False), atol=1e-12)
    np.testing.assert_allclose(rows.T @ rows, A.T @ A, atol=1e-12)
    np.testing.assert_allclose(rows.T @ right, A.T @ b, atol=1e-12)


@given(st.floats(1e-6, 10.0), st.floats(1e-6, 2.0), st.floats(1e-3, 1.0), st.floats(1.0, 1e4))
def test_damping_keeps_every_partial_step_within_its_length(
    smallest: float, length: float, longest: float, factor: float
) -> None:
    damped = damping(smallest, length, longest)
    for sigma in (smallest, smallest * factor, max(damped, smallest)):
        assert sigma / (sigma**2 + damped**2) * length <= longest * (1 + 1e-9)
    if smallest >= length / longest:
        assert damped == 0.0


def test_a_one_sided_row_that_holds_is_free_until_the_step_would_break_it() -> None:
    for wanted, expected in ((0.1, 0.1), (0.5, 0.3)):
        level = np.array([0, 1, 2], np.int64)
        for how in (at.RECURSIVE, at.FACTORED):
            step = at.make_step(1, 0, level)
            step.box[:] = [[-np.inf], [np.inf]]
            step.rows[:] = [[-1.0], [1.0]]  # 0.3 − u ≥ 0; u = wanted
            step.increment[at.ERROR], step.increment[at.WANTED] = [0.3, -wanted], [0.0, wanted]
            step.entered[:] = [0, 1]
            take(step, 2, 0, UNDAMPED, how)
            assert step.vector[at.MOVE, 0] == pytest.approx(expected)


@pytest.mark.parametrize("how", [at.RECURSIVE, at.FACTORED])
def test_a_one_sided_row_that_holds_is_no_part_of_what_could_be_lowered(how: int) -> None:
    step = at.make_step(2, 0, np.array([0, 2], np.int64))
    step.box[:] = [[-np.inf] * 2, [np.inf] * 2]
    step.rows[:] = [[1.0, 0.0], [-1.0, 0.0]]  # u = 0.5; 0.3 − u ≥ 0
    step.increment[at.ERROR], step.increment[at.WANTED] = [-0.5, 0.3], [0.5, 0.0]
    step.entered[:] = [1, 0]
    take(step, 1, 0, UNDAMPED, how)
    assert step.entered.tolist() == [1, at.GUEST]
    assert slope(step, 0) == pytest.approx(1.0)
    step.increment[at.ERROR, 1] = 0.6  # out of the way now
    take(step, 1, 0, UNDAMPED, how)
    assert step.entered.tolist() == [1, 0]
    assert step.vector[at.MOVE, 0] == pytest.approx(0.5)
