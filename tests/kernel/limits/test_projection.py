"""The nearest point that fits linear rows, against quadprog."""

import numpy as np
import pytest
import quadprog

from poise.kernel.limits.projection import project


def nearest(rows, lower, upper, point):
    """By quadprog: equalities first, then each finite end as an inequality."""
    equal = lower == upper
    low, high = ~equal & np.isfinite(lower), ~equal & np.isfinite(upper)
    normals = np.vstack([rows[equal], rows[low], -rows[high]])
    least = np.concatenate([lower[equal], lower[low], -upper[high]])
    return quadprog.solve_qp(np.eye(point.size), point, normals.T.copy(), least, int(equal.sum()))[
        0
    ]


def projected(rows, lower, upper, point):
    result = point.copy()
    return project(rows, np.array([lower, upper]), len(rows), result), result


def random_rows(random, n, count, inside):
    """Rows that all fit a point: some equalities, some one-sided, some boxes."""
    rows = random.normal(size=(count, n)) * (random.uniform(size=(count, n)) < 0.6)
    rows[np.arange(count), random.integers(0, n, count)] += 1.0
    value = rows @ inside
    lower, upper = value - random.exponential(0.5, count), value + random.exponential(0.5, count)
    lower[random.uniform(size=count) < 0.4] = -np.inf
    equal = np.arange(count) < random.integers(0, max(1, n // 2))
    lower[equal] = upper[equal] = value[equal]
    return rows, lower, upper


@pytest.mark.parametrize("seed", range(500))
def test_the_nearest_point_is_that_of_quadprog(seed):
    random = np.random.default_rng(seed)
    n, count = random.integers(2, 13), random.integers(1, 30)
    rows, lower, upper = random_rows(random, n, count, random.normal(size=n))
    point = random.normal(size=n) * 3
    fits, result = projected(rows, lower, upper, point)
    assert fits
    assert np.abs(result - nearest(rows, lower, upper, point)).max() < 1e-8


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("angle", [1e-2, 1e-4, 1e-6])
def test_rows_nearly_parallel_are_told_apart(seed, angle):
    random = np.random.default_rng(seed)
    n = random.integers(2, 8)
    inside = random.normal(size=n)
    rows, lower, upper = random_rows(random, n, random.integers(1, 8), inside)
    twin = rows + angle * random.normal(size=rows.shape)
    value = twin @ inside
    rows = np.vstack([rows, twin])
    lower = np.concatenate([lower, value - angle * random.exponential(1, value.size)])
    upper = np.concatenate([upper, value + angle * random.exponential(1, value.size)])
    point = random.normal(size=n) * 3
    fits, result = projected(rows, lower, upper, point)
    assert fits
    length = np.linalg.norm(rows, axis=1)
    assert ((lower - rows @ result) / length).max() < 1e-13
    assert ((rows @ result - upper) / length).max() < 1e-13
    # No farther than what quadprog found, whose own rows hold only to its rounding.
    reference = nearest(rows, lower, upper, point)
    slack = 1e-8 if angle > 1e-5 else 1e-6
    assert np.abs(result - reference).max() < slack


def test_a_point_that_fits_is_not_moved_by_a_bit():
    rows, point = np.array([[1.0, 2.0], [0.3, -1.0]]), np.array([0.1, 0.7])
    fits, result = projected(rows, rows @ point - 0.1, rows @ point, point)
    assert fits
    assert result.tobytes() == point.tobytes()


def test_the_same_row_twice_and_a_row_of_zeros_do_no_harm():
    rows = np.array([[1.0, 1.0], [2.0, 2.0], [0.0, 0.0], [1.0, 1.0]])
    ends = np.array([1.0, 2.0, 0.0, 1.0])
    fits, result = projected(rows, ends, ends, np.array([3.0, 0.0]))
    assert fits
    np.testing.assert_allclose(result, [2.0, -1.0], atol=1e-14)


def test_rows_with_nothing_in_common_are_said_so():
    rows = np.array([[1.0, 1.0], [1.0, 1.0]])
    fits, _ = projected(rows, np.array([0.0, 2.0]), np.array([1.0, 3.0]), np.zeros(2))
    assert not fits
