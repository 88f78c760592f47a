"""Signed distances of all pairs of kinds: certificates, symmetry, motion, degenerate cases.

A unit vector n along which two shapes are apart by g proves that they are at least g apart, or can
be separated by a translation of −g. The distance is the greatest such g, so: along the normal it is
just the distance, and along no other vector is it more.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.kernel.contacts.bodies import CASES, PAIRS, Crowd, Values, crowd, is_closed, parts

from poise.kernel.contacts.workspace import REMEMBERED

COUNT = 400
CLOSED, ITERATED = 1e-9, 1e-6
"""Errors allowed in metres, for shapes of up to a metre."""
POINTS = 2e-5
"""How far a point of two shapes that touch, and are curved, may be off its surface."""


def directions(count: int, seed: int = 5) -> Values:
    found = np.random.default_rng(seed).normal(size=(300, 3))
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return np.broadcast_to(found, (count, 300, 3))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_normal_and_points_prove_the_distance(a: str, b: str, case: str) -> None:
    pairs = crowd(a, b, COUNT, case)
    contacts = pairs.contacts()
    distance, normal, first, second = parts(contacts)
    tolerance = CLOSED if is_closed(a, b) else ITERATED
    assert np.isfinite(contacts).all()
    assert np.abs((normal**2).sum(axis=1) - 1).max() < 1e-12
    assert np.abs(second - first - distance[:, None] * normal).max() < 1e-12
    assert np.abs(pairs.gaps(normal[:, None])[:, 0] - distance).max() < tolerance
    around = directions(COUNT)
    off = np.einsum("pki,pi->pk", around, first) - pairs.supports(0, around)
    assert np.quantile(off.max(axis=1), 0.99) < tolerance
    assert off.max() < (tolerance if is_closed(a, b) else POINTS)
    if b != "half-space":
        assert (pairs.gaps(around).max(axis=1) - distance).max() < tolerance
        off = np.einsum("pki,pi->pk", around, second) - pairs.supports(1, around)
        assert np.quantile(off.max(axis=1), 0.99) < tolerance
        assert off.max() < (tolerance if is_closed(a, b) else POINTS)


@pytest.mark.parametrize("case", ["random", "deep"])
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_pair_may_be_swapped(a: str, b: str, case: str) -> None:
    pairs = crowd(a, b, COUNT, case)
    distance, normal, first, second = parts(pairs.contacts())
    swapped, other, *points = parts(pairs.contacts(swapped=True))
    assert np.abs(swapped - distance).max() < (CLOSED if is_closed(a, b) else ITERATED)
    if a != b:  # they are computed in the order of their kinds: the same to the last bit
        assert np.array_equal(other, -normal)
        assert np.array_equal(points[0], second)
        assert np.array_equal(points[1], first)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_distances_do_not_change_when_both_are_moved(a: str, b: str) -> None:
    pairs = crowd(a, b, COUNT, "random")
    before = parts(pairs.contacts())
    turn = Rotation.from_rotvec([0.3, -1.2, 0.7]).as_matrix()
    places = pairs.places.copy()
    places[:, :9] = (turn @ places[:, :9].reshape(-1, 3, 3)).reshape(-1, 9)
    places[:, 9:] = places[:, 9:] @ turn.T + [0.4, -0.2, 1.0]
    after = parts(Crowd(pairs.shapes, places).contacts())
    tolerance = 1e-9 if is_closed(a, b) else ITERATED
    assert np.abs(after[0] - before[0]).max() < tolerance
    apart = before[0] > 0.05  # where normals are well defined
    assert np.abs(after[1] - before[1] @ turn.T)[apart].max() < 1e-4


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_shift_by_the_depth_separates(a: str, b: str) -> None:
    pairs = crowd(a, b, COUNT, "deep")
    distance, normal, _, _ = parts(pairs.contacts())
    places = pairs.places.copy()
    places[1::2, 9:] += (np.maximum(-distance, 0.0) + 1e-3)[:, None] * normal
    after = parts(Crowd(pairs.shapes, places).contacts())[0]
    assert after.min() > 1e-3 - 2 * ITERATED


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_what_is_remembered_of_a_pair_does_not_change_its_distance(a: str, b: str) -> None:
    pairs = crowd(a, b, COUNT, "random")
    warm = np.zeros((COUNT, REMEMBERED))
    rng = np.random.default_rng(0)
    for _ in range(5):
        pairs.places[:, 9:] += rng.normal(size=(2 * COUNT, 3)) * rng.choice([1e-4, 1e-2, 0.3])
        turns = Rotation.from_rotvec(rng.normal(size=(2 * COUNT, 3)) * 0.05).as_matrix()
        pairs.places[:, :9] = (turns @ pairs.places[:, :9].reshape(-1, 3, 3)).reshape(-1, 9)
        cold, kept = pairs.contacts()[:, 0], pairs.contacts(warm)[:, 0]
        assert np.abs(cold - kept).max() < ITERATED


@pytest.mark.parametrize(("a", "b"), [pair for pair in PAIRS if pair[1] != "half-space"])
def test_the_first_derivative_is_the_normal(a: str, b: str) -> None:
    pairs = crowd(a, b, COUNT, "random", seed=3)
    distance, normal, _, _ = parts(pairs.contacts())
    rng, step = np.random.default_rng(2), 1e-6
    shift = rng.normal(size=(COUNT, 3))
    found = np.zeros((2, COUNT))
    for k, sign in enumerate((-step, step)):
        places = pairs.places.copy()
        places[1::2, 9:] += sign * shift
        found[k] = parts(Crowd(pairs.shapes, places).contacts())[0]
    slope = (found[1] - found[0]) / (2 * step)
    wrong = np.abs(slope - (normal * shift).sum(axis=1)) > 1e-3
    # Deep inside, the normal jumps from one side to another: few are within a step of that.
    assert wrong[distance > 1e-3].sum() == 0
    assert wrong.mean() < 0.01
