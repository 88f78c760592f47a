"""What the examples of Ho, Komura & Lau 2005 are made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.reproductions.lpik_2005 import pace
from poise.reproductions.lpik_2005.flexion import jaggedness
from poise.reproductions.lpik_2005.scenes import (
    pair,
    pulled_hand,
    pushing,
    ring,
    swaying,
    thinned,
)


@pytest.mark.parametrize("constraints", [8, 13, 18])
def test_a_pair_has_as_many_constraints_as_it_should_and_meets_them(constraints: int) -> None:
    scene = pair(constraints)
    assert len(scene.handles) == constraints
    assert scene.solve("lagrange").met
    assert set(pushing(scene, 5)) == {"a/pelvis", "b/pelvis"}


def test_a_ring_has_four_constraints_for_each_person_with_its_torso() -> None:
    scene = ring(5)
    paths = swaying(scene, 3)
    assert len(scene.handles) + len(paths) == 4 * 5
    assert all(path.shape == (3, 3) for path in paths.values())


@given(st.integers(1, 24))
def test_constraints_are_let_go_until_so_many_are_left(wanted: int) -> None:
    scene = ring(6)
    paths = thinned(scene, swaying(scene, 2), wanted)
    assert len(scene.handles) + len(paths) == wanted


@given(st.floats(0.2, 3.0), st.floats(0.1, 10.0))
def test_a_power_is_found_again(power: float, scale: float) -> None:
    sizes = np.array([2.0, 4.0, 20.0, 40.0])
    assert pace.exponent(sizes, scale * sizes**power) == pytest.approx(power)


def test_times_are_positive_and_leave_the_scene_as_it_was() -> None:
    scene = ring(2)
    before = set(scene.handles)
    paths = swaying(scene, 5)
    moves, milliseconds = pace.timed(scene, paths, "lagrange")
    assert milliseconds > 0
    assert moves.solutions.met.all()
    assert pace.pseudo_inverse(scene, paths) > 0
    assert set(scene.handles) == before


def test_jaggedness_is_nothing_for_a_parabola_and_counts_every_tooth() -> None:
    assert jaggedness(np.arange(10.0)) == pytest.approx(0.0, abs=1e-12)
    assert jaggedness(np.array([0.0, 1.0, 0.0, 1.0])) == pytest.approx(4.0)


def test_the_hand_is_pulled_to_the_front_and_comes_to_rest() -> None:
    _, paths = pulled_hand(50)
    steps = np.diff(paths["right_hand"], axis=0)
    assert steps[:, 0].min() > 0
    assert np.linalg.norm(steps[-1]) < 0.2 * np.linalg.norm(steps, axis=1).max()
