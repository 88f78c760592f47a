"""Non-negative least squares, by the conditions that tell the minimum."""

from __future__ import annotations

import numpy as np
import pytest

from poise.statics.programs import least_squares_program, nonnegative_least_squares


@pytest.mark.parametrize("seed", range(4))
def test_no_x_could_bring_it_nearer_to_the_goal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(100):
        rows, count = int(rng.integers(2, 12)), int(rng.integers(2, 20))
        matrix = rng.normal(size=(rows, count))
        matrix[:, -1] = matrix[:, 0] + 1e-7 * rng.normal(size=rows)  # nearly dependent
        goal = rng.normal(size=rows)
        x = nonnegative_least_squares(matrix, goal)
        gain = matrix.T @ (goal - matrix @ x)
        assert (x >= 0).all()
        assert gain.max() <= 1e-9 * np.linalg.norm(matrix, axis=0).max()
        assert np.abs(gain[x > 0]).max(initial=0.0) <= 1e-9 * np.linalg.norm(matrix, axis=0).max()


def test_where_scipy_stops_too_early_another_solver_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import scipy.optimize

    def early(matrix: np.ndarray, goal: np.ndarray, **_: object) -> tuple[np.ndarray, float]:
        return np.zeros(matrix.shape[1]), 0.0

    monkeypatch.setattr(scipy.optimize, "nnls", early)
    x = nonnegative_least_squares(np.diag([1.0, 2.0]), np.array([3.0, -1.0]))
    np.testing.assert_allclose(x, [3.0, 0.0], atol=1e-12)


def test_equalities_hold_and_squares_are_least() -> None:
    weight, rows = np.array([1.0, 4.0]), np.array([[1.0, 1.0]])
    x = least_squares_program(weight, rows, np.array([5.0]))
    np.testing.assert_allclose(x, [4.0, 1.0], atol=1e-6)
