"""Joints in many frames at once do what they do in one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.random_figures import KINDS, random_kind

from poise.figure import Ball, Elbow, Free, Hinge
from poise.figure.transform import rotation_vector

SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS, st.sampled_from(KINDS))
def test_motions_are_those_of_each_posture(seed: int, name: str) -> None:
    rng = np.random.default_rng(seed)
    kind = random_kind(rng, name)
    values = rng.normal(size=(5, len(kind.coordinates)))
    rotations, positions = kind.motions(values)
    for i, each in enumerate(values):
        one = kind.motion(each)
        np.testing.assert_allclose(rotations[i], one.rotation, atol=1e-14)
        np.testing.assert_allclose(positions[i], one.position, atol=1e-15)


@given(SEEDS, st.sampled_from(KINDS))
def test_values_are_those_of_each_posture(seed: int, name: str) -> None:
    rng = np.random.default_rng(seed)
    kind = random_kind(rng, name)
    rotations, positions = kind.motions(rng.normal(size=(5, len(kind.coordinates))))
    values = kind.values_of(rotations, positions)
    again = kind.motions(values)
    np.testing.assert_allclose(again[0], rotations, atol=1e-12)
    np.testing.assert_allclose(again[1], positions, atol=1e-12)
    for i in range(5):
        one = kind.values(type(kind.motion(values[i]))(rotations[i], positions[i]))
        np.testing.assert_allclose(values[i], one, atol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 3.0, np.pi - 1e-9, np.pi])
def test_rotation_vectors_stay_canonical(angle: float) -> None:
    values = np.array([[0.0, angle, 0.0]])
    found = Ball().values_of(*Ball().motions(values))
    assert np.linalg.norm(found) == pytest.approx(angle, abs=1e-12)


def test_halfway_goes_the_short_way_at_constant_speed() -> None:
    before = np.array([[1.0, 0.0, 0.0, 0.0, 0.0, np.deg2rad(170)]])
    after = np.array([[3.0, 0.0, 0.0, 0.0, 0.0, np.deg2rad(-170)]])
    found = Free().between(before, after, np.array([[0.25]]))
    np.testing.assert_allclose(found[0, :3], [1.5, 0, 0], atol=1e-15)
    assert found[0, 5] == pytest.approx(np.deg2rad(175), abs=1e-12)


def test_between_keeps_full_turns_of_hinges() -> None:
    half = np.array([[0.5]])
    assert Hinge().between(np.array([[0.0]]), np.array([[7.0]]), half) == pytest.approx(3.5)
    elbow = Elbow().between(np.array([[-4.0, 1.0]]), np.array([[4.0, 9.0]]), half)
    np.testing.assert_allclose(elbow, [[0.0, 5.0]], atol=1e-15)


@given(SEEDS, st.sampled_from(["ball", "rotation", "free"]), st.floats(0, 1))
def test_between_is_slerp(seed: int, name: str, share: float) -> None:
    rng = np.random.default_rng(seed)
    kind = random_kind(rng, name)
    ends = rng.normal(size=(2, 1, len(kind.coordinates)))
    found = kind.motions(kind.between(ends[0], ends[1], np.array([[share]])))[0][0]
    start, end = kind.motions(ends[0])[0][0], kind.motions(ends[1])[0][0]
    whole = rotation_vector(start.T @ end)
    np.testing.assert_allclose(rotation_vector(start.T @ found), share * whole, atol=1e-7)
