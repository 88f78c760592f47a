"""Forces that balance a pull: against linear programs and bounded least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog, lsq_linear, nnls

import poise
from poise import Scene, kernel
from poise.scene import Solution
from poise.scene.blocking_forces import Balance, Rows, steady_least_squares
from poise.tasks import Balance as Balanced
from poise.tasks import Frame, Position

_SIZE, _OWNERS = 12, 9


def _random(seed: int) -> tuple[np.ndarray, Rows]:
    """A pull and rows of nine owners, some of which depend on each other."""
    rng = np.random.default_rng([18, seed])
    either = rng.normal(size=(int(rng.integers(0, 7)), _SIZE))
    one_way = rng.normal(size=(int(rng.integers(0, 8)), _SIZE))
    if len(either) > 2:
        either[1] = either[0] - 0.5 * either[-1]
    if len(one_way) > 3:
        one_way[1] = 0.5 * one_way[0] + 2.0 * one_way[2]
        one_way[3] = 0.7 * one_way[0]
    if len(one_way) > 5 and len(either):
        one_way[5] = one_way[4] + either[0]
    held = rng.permutation(_SIZE)[: int(rng.integers(0, 4))]
    return rng.normal(size=_SIZE), Rows(
        either,
        one_way,
        held,
        np.concatenate([rng.integers(0, 3, len(either)), rng.integers(3, 5, held.size)]),
        rng.integers(2, _OWNERS, len(one_way)),
    )


def _all_rows(rows: Rows) -> np.ndarray:
    return np.concatenate([rows.either, np.eye(_SIZE)[rows.held], rows.one_way])


def _left(pull: np.ndarray, rows: Rows) -> float:
    """What cannot be balanced, by bounded least squares on all rows at once.

    Two solvers are asked, as either may end too soon where rows depend on each other.
    """
    matrix = _all_rows(rows)
    if not len(matrix):
        return float(np.linalg.norm(pull))
    lower = np.where(np.arange(len(matrix)) < len(rows.owner), -np.inf, 0.0)
    found = lsq_linear(matrix.T, -pull, (lower, np.inf), method="bvls", tol=1e-14)
    free = matrix[: len(rows.owner)]
    _, left = nnls(np.concatenate([matrix, -free]).T, -pull)
    return min(float(np.sqrt(2 * found.cost)), float(left))


def _needed(balance: Balance, owner: int) -> tuple[float, float]:
    """The least sum of an owner's multipliers, by a linear program; how many are of any sign."""
    rows = balance.rows
    either = np.concatenate([rows.either, np.eye(_SIZE)[rows.held]])
    columns = np.concatenate([either, -either, rows.one_way]).T
    owners = np.concatenate([rows.owner, rows.owner, rows.one_way_owner])
    force = either.T @ balance.free + rows.one_way.T @ balance.along
    found: Any = linprog((owners == owner).astype(float), A_eq=columns, b_eq=force)
    assert found.success
    return float(found.fun), float(np.sum(rows.owner == owner))


@pytest.mark.parametrize("seed", range(40))
def test_what_is_left_is_as_little_as_bounded_least_squares_finds(seed: int) -> None:
    pull, rows = _random(seed)
    balance = Balance(pull, rows)
    assert balance.left == pytest.approx(_left(pull, rows), abs=1e-7)
    pushed = _all_rows(rows).T @ np.concatenate([balance.free, balance.along])
    assert np.linalg.norm(pull + pushed) == pytest.approx(balance.left, abs=1e-7)
    assert balance.along.min(initial=0.0) >= 0.0


@pytest.mark.parametrize("seed", range(40))
def test_no_owner_needs_more_or_less_than_a_linear_program_says(seed: int) -> None:
    pull, rows = _random(seed)
    balance = Balance(pull, rows)
    here = balance.multipliers(_OWNERS)
    for owner in range(_OWNERS):
        least, several = _needed(balance, owner)
        found = balance.needed(owner)
        # A sum is between the root of the sum of squares and √k times that.
        assert found <= least + 1e-5
        assert found >= least / np.sqrt(several + 1.0) - 1e-5
        if several == 0:
            assert found == pytest.approx(least, abs=1e-5)
        if owner not in balance.undecided:
            assert found == pytest.approx(here[owner], abs=1e-6)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_freed_is_what_is_left_without_an_owner(seed: int) -> None:
    pull, rows = _random(seed)
    balance = Balance(pull, rows)
    for owner in range(_OWNERS):
        more = _left(pull, rows.without([owner])) ** 2 - balance.left**2
        assert balance.freed(owner) == pytest.approx(np.sqrt(max(more, 0.0)), abs=1e-6)


def test_a_problem_that_nnls_of_scipy_gets_wrong_is_solved() -> None:
    """Versions 1.15 to 1.17 end where more can be gained (their issue 25389)."""
    matrix = np.array([[0.0, 2, -2], [1, 0, 0], [-2, 1, 2], [1, 2, -2]])
    goal = np.array([0.0, 1, 1, -2])
    x, left = steady_least_squares(matrix, goal)
    found = lsq_linear(matrix, goal, (0.0, np.inf), method="bvls", tol=1e-14)
    assert x == pytest.approx(found.x, abs=1e-6)
    assert left == pytest.approx(float(np.linalg.norm(matrix @ found.x - goal)))


def test_what_others_can_do_with_far_greater_forces_is_not_needed() -> None:
    none = np.zeros(0, np.int64)
    one_way = np.array([[1.0, 0.0], [1e-4, 1.0], [1e-4, -1.0]])
    balance = Balance(
        np.array([-1.0, 0.0]), Rows(np.zeros((0, 2)), one_way, none, none, np.arange(3))
    )
    assert 0 in balance.undecided
    assert balance.freed(0) < 1e-6 * balance.multipliers(3)[0]


def _unreachable() -> Solution:
    scene = Scene(poise.human())
    for foot in ("left_foot", "right_foot"):
        scene.add(Frame(foot), priority=1)
    scene.add(Balanced(margin=0.02), priority=2)
    for i, hand in enumerate(("left_hand", "right_hand", "head")):
        scene.add(Position(hand, (1.5, 0.1, 1.0 + 0.1 * i)), priority=3 + i, name=hand)
    return scene.solve()


def test_a_printed_solution_looks_at_its_posture_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = _unreachable()
    assert sum(not report.met for report in solution.tasks) == 3
    evaluated: list[int] = []
    evaluate = kernel.residuals.evaluation.evaluate

    def counted(*arguments: Any) -> Any:
        evaluated.append(1)
        return evaluate(*arguments)

    monkeypatch.setattr(kernel.residuals.evaluation, "evaluate", counted)
    assert str(solution) == str(solution)
    assert len(evaluated) == 1


def test_a_printed_solution_needs_no_linear_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a linear program costs a millisecond")

    solution = _unreachable()
    monkeypatch.setattr("scipy.optimize.linprog", refuse)
    assert "balance (priority 2), which comes before it" in str(solution)
