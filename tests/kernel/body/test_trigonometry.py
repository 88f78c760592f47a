"""Sines and cosines of whole vectors, against numpy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from poise.kernel.body.trigonometry import sines

# numpy's own are right to half a unit in the last place of a number up to 1 (1.1e-16), ours to one.
TOLERANCE = 2.3e-16


def both(angle: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    angle = np.asarray(angle, np.float64)
    sine, cosine = np.empty(angle.size), np.empty(angle.size)
    sines(angle, sine, cosine)
    return sine, cosine


def check(angle: ArrayLike) -> None:
    sine, cosine = both(angle)
    assert np.abs(sine - np.sin(angle)).max() <= TOLERANCE
    assert np.abs(cosine - np.cos(angle)).max() <= TOLERANCE


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9))
def test_they_agree_with_numpy_to_the_last_place(angles: list[float]) -> None:
    check(np.array(angles))


@pytest.mark.parametrize("largest", [0.8, 4.0, 100.0, 1e4, 1e6])
def test_they_agree_with_numpy_at_many_angles(largest: float) -> None:
    rng = np.random.default_rng(3)
    check(rng.uniform(-largest, largest, 100_000))


def test_they_agree_with_numpy_beside_every_multiple_of_a_quarter_turn() -> None:
    turns = np.arange(-600_000, 600_000, 7) * (np.pi / 2)
    check(turns)
    check(np.nextafter(turns, np.inf))
    check(np.nextafter(turns, -np.inf))
    check((np.arange(-2000, 2000) + 0.5) * (np.pi / 2))


def test_they_agree_with_numpy_beyond_where_the_reduction_holds() -> None:
    rng = np.random.default_rng(4)
    check(10.0 ** rng.uniform(6.0, 300.0, 10_000))
    check(-(10.0 ** rng.uniform(6.0, 17.0, 10_000)))
    check(np.array([np.nextafter(1e6, 0), 1e6, np.nextafter(1e6, 2e6), 1.7e6]))


def test_small_sines_keep_their_relative_accuracy() -> None:
    angle = 10.0 ** np.linspace(-300, -1, 5000)
    sine, cosine = both(angle)
    assert np.abs(sine / np.sin(angle) - 1).max() <= 2.3e-16
    assert cosine[0] == 1.0


def test_what_is_not_finite_stays_not_a_number() -> None:
    sine, cosine = both(np.array([np.nan, np.inf, -np.inf, 0.5]))
    assert np.isnan(sine[:3]).all()
    assert np.isnan(cosine[:3]).all()
    assert sine[3] == pytest.approx(np.sin(0.5), abs=TOLERANCE)


def test_no_angles_are_no_trouble() -> None:
    sine, _ = both(np.zeros(0))
    assert sine.size == 0
