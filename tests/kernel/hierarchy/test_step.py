"""The inner step against an independent reference, and what it promises beside."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernel.reference import Floats, Level, Problem, random_problem, solve

from poise.errors import PoiseError
from poise.kernel.hierarchy import arrays as at
from poise.kernel.hierarchy.householder import steady_step
from poise.kernel.hierarchy.step import SOLVED, STEADY, STOPPED, step

TIGHT = [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 2.0]


def packed(problem: Problem) -> at.Workspace:
    """The problem in a workspace."""
    n = problem.lower.size
    levels = [problem.hard, *problem.levels]
    sizes = [len(level.A) for level in levels]
    m = sum(sizes)
    ws = at.workspace(n, m - sizes[0], sizes[0], len(problem.levels))
    ws.starts[1:] = np.cumsum(sizes)
    ws.matrix[:m, :n] = np.vstack([level.A for level in levels])
    ws.rows[at.LOWER, :m] = np.concatenate([level.lower for level in levels])
    ws.rows[at.UPPER, :m] = np.concatenate([level.upper for level in levels])
    ws.boxes[at.BOX_LOWER, :n] = problem.lower
    ws.boxes[at.BOX_UPPER, :n] = problem.upper
    ws.boxes[at.REST, :n] = problem.rest
    ws.damping[:] = [level.damping for level in problem.levels]
    return ws


def answer(ws: at.Workspace) -> Floats:
    return ws.boxes[at.STEP, : ws.box_sets.shape[1]].copy()


def solved(problem: Problem) -> Floats:
    ws = packed(problem)
    step(ws, len(problem.levels), False, False)
    return answer(ws)


def draw(seed: int) -> Problem:
    """A random problem: every other one of the size of a person, 71 coordinates and 27 rows."""
    rng = np.random.default_rng([3, seed])
    n, sizes = 71, [6, 3, 6, 12]
    if seed % 2:
        n = int(rng.integers(8, 60))
        sizes = [int(size) for size in rng.integers(1, 9, rng.integers(1, 5))]
    return random_problem(rng, n, sizes, float(rng.choice(TIGHT)))


def same(ours: Floats, theirs: Floats) -> bool:
    return bool(np.all(np.abs(ours - theirs) <= 1e-6 * np.maximum(1.0, theirs)))


def plain(n: int, *levels: Level, reach: float = np.inf) -> Problem:
    """A problem without hard rows, with bounds ±reach."""
    empty = Level(np.zeros((0, n)), np.zeros(0), np.zeros(0))
    return Problem(np.full(n, -reach), np.full(n, reach), empty, list(levels), np.zeros(n))


def equality(A: list[list[float]], b: list[float], damping: float = 0.0) -> Level:
    return Level(np.array(A), np.array(b), np.array(b), damping)


def test_a_thousand_random_steps_agree_with_the_reference(
    record_property: Callable[[str, object], None],
) -> None:
    agree, ways = 0, {SOLVED: 0, STOPPED: 0, STEADY: 0}
    for seed in range(1000):
        problem = draw(seed)
        reference = solve(problem)
        ws = packed(problem)
        ways[step(ws, len(problem.levels), False, False)] += 1
        u = answer(ws)
        assert np.all(np.isfinite(u))
        assert problem.broken(u) <= 1e-10
        if same(problem.residuals(u), reference.residuals):
            agree += 1
        else:
            assert not reference.trusted, f"problem {seed}"
    assert agree >= 995
    record_property("steps that agree with the reference, of 1000", agree)
    record_property("of them by reflections", ways[STEADY])
    record_property("stopped short of a certain minimum", ways[STOPPED])


def test_the_second_method_agrees_with_the_reference() -> None:
    for seed in range(2000, 2200):
        problem = draw(seed)
        reference = solve(problem)
        ws = packed(problem)
        steady_step(ws, len(problem.levels))
        assert problem.broken(answer(ws)) <= 1e-10
        if not same(problem.residuals(answer(ws)), reference.residuals):
            assert not reference.trusted, f"problem {seed}"


def test_a_warm_start_changes_the_time_and_not_the_answer() -> None:
    rng = np.random.default_rng(0)
    for seed in range(100):
        problem = draw(seed)
        ws = packed(problem)
        step(ws, len(problem.levels), False, False)
        rounds = ws.counts[at.ROUNDS]
        way = step(ws, len(problem.levels), True, False)
        assert same(problem.residuals(answer(ws)), problem.residuals(solved(problem)))
        if way == SOLVED:
            assert ws.counts[at.ROUNDS] <= rounds
        for level in problem.levels:
            shift = 0.01 * rng.standard_normal(len(level.A))
            level.lower += shift
            level.upper += shift
        moved = packed(problem)
        ws.rows[at.LOWER], ws.rows[at.UPPER] = moved.rows[at.LOWER], moved.rows[at.UPPER]
        step(ws, len(problem.levels), True, True)
        assert same(problem.residuals(answer(ws)), problem.residuals(solved(problem)))


def test_fewer_levels_can_be_solved_in_the_same_workspace() -> None:
    problem = draw(8)
    ws = packed(problem)
    step(ws, 4, False, False)
    step(ws, 2, False, True)
    problem.levels = problem.levels[:2]
    assert np.allclose(answer(ws), solved(problem), atol=1e-9)


@given(st.integers(0, 10_000), st.floats(0.0, 1.0))
def test_a_level_below_never_worsens_one_above(seed: int, damping: float) -> None:
    problem = draw(seed)
    problem.rest[:] = 0.0
    for level in problem.levels[::2]:
        level.damping = damping
    ws = packed(problem)
    step(ws, len(problem.levels), False, False)
    whole = problem.residuals(answer(ws))
    for k in range(1, len(problem.levels)):
        step(ws, k, False, True)
        alone = problem.residuals(answer(ws))[k - 1]
        assert whole[k - 1] <= alone + 1e-6 * max(1.0, alone)


def test_without_rows_the_step_is_the_resting_step_within_the_bounds() -> None:
    problem = plain(3, reach=1.0)
    assert np.all(solved(problem) == 0.0)
    problem.rest = np.array([0.3, -2.0, 5.0])
    assert np.allclose(solved(problem), [0.3, -1.0, 1.0], atol=1e-12)


def test_the_resting_step_moves_only_what_the_levels_leave_free() -> None:
    problem = plain(3, equality([[1.0, 1.0, 0.0]], [1.0]))
    problem.rest = np.array([1.0, 0.0, 2.0])
    assert np.allclose(solved(problem), [1.0, 0.0, 2.0], atol=1e-8)
    problem.rest = np.array([5.0, 0.0, 2.0])
    assert np.allclose(solved(problem), [3.0, -2.0, 2.0], atol=1e-8)


def test_rows_that_contradict_each_other_meet_in_the_middle() -> None:
    problem = plain(
        2, equality([[1.0, 0.0], [1.0, 0.0]], [0.0, 1.0]), equality([[1.0, 1.0]], [2.0])
    )
    assert np.allclose(solved(problem), [0.5, 1.5], atol=1e-8)


def test_the_smaller_of_two_contradicting_levels_yields_wholly() -> None:
    problem = plain(1, equality([[2.0]], [1.0]), equality([[1.0]], [3.0]))
    assert np.allclose(solved(problem), [0.5], atol=1e-9)


def test_a_level_that_cannot_be_met_still_leaves_the_shortest_step() -> None:
    one_sided = Level(np.array([[1.0, 0.0, 0.0]]), np.array([1.0]), np.array([np.inf]), 1.0)
    hopeless = equality([[0.0, 1.0, 1.0], [0.0, 1.0, 1.0]], [-10.0, 10.0])
    assert np.allclose(solved(plain(3, one_sided, hopeless)), [0.5, 0.0, 0.0], atol=1e-8)


def test_damping_is_added_to_the_square_of_the_residual() -> None:
    problem = plain(2, equality([[3.0, 4.0]], [10.0], damping=25.0))
    assert np.allclose(solved(problem), [0.6, 0.8], atol=1e-12)


def test_an_inequality_acts_only_when_it_is_violated() -> None:
    above = Level(np.array([[1.0, 0.0]]), np.array([-np.inf]), np.array([1.0]))
    assert np.allclose(
        solved(plain(2, above, equality([[1.0, 0.0]], [0.7]))), [0.7, 0.0], atol=1e-9
    )
    assert np.allclose(
        solved(plain(2, above, equality([[1.0, 0.0]], [3.0]))), [1.0, 0.0], atol=1e-9
    )


def test_a_joint_at_its_stop_stays_there_and_the_others_take_over() -> None:
    problem = plain(2, equality([[1.0, 1.0]], [1.0]))
    problem.upper[0] = 0.0
    assert np.allclose(solved(problem), [0.0, 1.0], atol=1e-8)


def test_a_coupling_holds_while_a_level_pulls_at_it() -> None:
    problem = plain(2, equality([[1.0, 0.0], [0.0, 1.0]], [1.0, 1.0]))
    problem.hard = equality([[2.0 / 3.0, -1.0]], [0.0])
    u = solved(problem)
    assert abs(u[1] - 2.0 / 3.0 * u[0]) <= 1e-12
    assert np.allclose(u, np.array([1.0, 2.0 / 3.0]) * (5.0 / 3.0) / (13.0 / 9.0), atol=1e-8)


def test_a_locked_coordinate_does_not_move() -> None:
    problem = plain(2, equality([[1.0, 1.0]], [1.0]))
    problem.lower[1] = problem.upper[1] = 0.0
    assert np.allclose(solved(problem), [1.0, 0.0], atol=1e-8)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_stop_the_step_at_a_valid_one(bad: float) -> None:
    problem = plain(2, equality([[1.0, bad]], [1.0]), equality([[0.0, 1.0]], [1.0]), reach=1.0)
    ws = packed(problem)
    assert step(ws, 2, False, False) == STOPPED
    assert problem.broken(answer(ws)) == 0.0


def test_a_workspace_without_coordinates_is_refused() -> None:
    with pytest.raises(PoiseError, match="n = 0"):
        at.workspace(0, 1, 0, 1)
