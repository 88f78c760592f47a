"""Second derivatives of distances against differences of the first."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.kernel.contacts.bodies import PAIRS, Crowd, Values, crowd, is_closed, parts

from poise.kernel.contacts.curvature import distance_curvature
from poise.kernel.contacts.workspace import REMEMBERED

COUNT = 300
CLOSED_STEP, ITERATED_STEP = 1e-5, 1e-3
"""Half the time between which first derivatives are compared: iterated normals are known to about
a millionth, so that what is to be seen of their change must be more."""


def moved(pairs: Crowd, points: Values, twists: Values, time: float) -> Crowd:
    """All shapes after moving for a time, each with the velocity of a point and a turn about it."""
    places = pairs.places.copy()
    turn = Rotation.from_rotvec(time * twists[:, 3:]).as_matrix()
    places[:, :9] = (turn @ places[:, :9].reshape(-1, 3, 3)).reshape(-1, 9)
    away = np.einsum("pij,pj->pi", turn, places[:, 9:] - points)
    places[:, 9:] = points + time * twists[:, :3] + away
    return Crowd(pairs.shapes, places)


def rates(pairs: Crowd, points: Values, twists: Values, time: float) -> Values:
    """The rate of every distance after a time, by the normal."""
    after = moved(pairs, points, twists, time)
    _, normal, *ends = parts(after.contacts())
    speeds = [
        twists[k::2, :3]
        + np.cross(twists[k::2, 3:], ends[k] - points[k::2] - time * twists[k::2, :3])
        for k in range(2)
    ]
    return (normal * (speeds[1] - speeds[0])).sum(axis=1)


@pytest.mark.parametrize("swapped", [False, True], ids=["in order", "swapped"])
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_second_derivatives_are_those_of_the_first(a: str, b: str, swapped: bool) -> None:
    if swapped and a == b:
        return
    first, second = (b, a) if swapped else (a, b)
    pairs = crowd(first, second, COUNT, "random", seed=11)
    warm = np.zeros((COUNT, REMEMBERED))
    contacts = pairs.contacts(warm)
    distance, _, start, end = parts(contacts)
    points = np.stack([start, end], axis=1).reshape(-1, 3)
    twists = np.random.default_rng(4).normal(size=(2 * COUNT, 6))
    closed = is_closed(a, b)
    step = CLOSED_STEP if closed else ITERATED_STEP
    late, early = (rates(pairs, points, twists, time) for time in (step, -step))
    expected = (late - early) / (2 * step)
    form = np.zeros((12, 12))
    found = np.zeros(COUNT)
    for p in range(COUNT):
        distance_curvature(pairs.shapes, pairs.places, 2 * p, 2 * p + 1, warm[p], contacts[p], form)
        assert np.isfinite(form).all()
        assert np.abs(form - form.T).max() <= 1e-9 * np.abs(form).max()
        velocity = twists[2 * p : 2 * p + 2].ravel()
        found[p] = velocity @ form @ velocity
    wrong = np.abs(found - expected) > (1e-4 if closed else 1e-2) * (1.0 + np.abs(expected))
    # A step may pass from one feature to the next, more often deep inside.
    assert wrong[distance > 0.02].mean() <= (0.01 if closed else 0.06)
    assert wrong.mean() <= (0.01 if closed else 0.15)
