"""Distances against coal's, for pairs that it computes reliably."""

from __future__ import annotations

import numpy as np
import pytest
from contacts import coal_distances
from tests.kernel.contacts.bodies import crowd, parts

COUNT = 150


@pytest.mark.parametrize("case", ["random", "touching", "deep", "aligned"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("sphere", "box"),
        ("sphere", "hull"),
        ("capsule", "capsule"),
        ("capsule", "box"),
        ("capsule", "hull"),
        ("box", "box"),
        ("box", "hull"),
        ("hull", "hull"),
        ("cylinder", "half-space"),
    ],
)
def test_distances_are_those_of_coal(a: str, b: str, case: str) -> None:
    pytest.importorskip("coal")
    pairs = crowd(a, b, COUNT, case, seed=7)
    expected = np.array([each[0] for each in coal_distances(pairs)])
    assert np.abs(parts(pairs.contacts())[0] - expected).max() < 1e-6


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ellipsoid", "ellipsoid"),
        ("ellipsoid", "box"),
        ("cylinder", "cylinder"),
        ("box", "cylinder"),
    ],
)
def test_for_curved_shapes_most_are_and_no_direction_of_coal_is_better(a: str, b: str) -> None:
    pytest.importorskip("coal")
    pairs = crowd(a, b, COUNT, "random", seed=7)
    ours = parts(pairs.contacts())[0]
    told = list(coal_distances(pairs))
    expected = np.array([each[0] for each in told])
    normals = np.nan_to_num(np.array([each[1] for each in told]))
    size = np.linalg.norm(normals, axis=1)
    known = np.abs(size - 1) < 1e-6
    assert (np.abs(ours - expected) < 1e-6).mean() > 0.9
    assert (pairs.gaps(normals[:, None])[known, 0] - ours[known]).max() < 1e-6
