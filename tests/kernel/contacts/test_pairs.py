"""The broad phase against all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation
from tests.kernel.contacts.bodies import KINDS, body

from poise.figure.collision import HalfSpace, pack_shapes
from poise.figure.transform import Transform
from poise.kernel.contacts.distance import CONTACT, DISTANCE, distances
from poise.kernel.contacts.pairs import groups_of, make_near, near_pairs, pair_list
from poise.kernel.contacts.shapes import Shapes
from poise.kernel.contacts.workspace import REMEMBERED, workspace

Values = NDArray[np.float64]
MOVING, STANDING = 24, 40
SLACK = 0.02


def world(seed: int) -> tuple[Shapes, Values]:
    """Shapes on nodes, standing ones and a floor; frames of all."""
    rng = np.random.default_rng(seed)
    kinds = list(KINDS)[:7]
    here = Transform(np.eye(3), np.zeros(3))
    bodies = [(1 + k // 3, here, body(kinds[k % 7], rng)) for k in range(MOVING)]
    bodies += [(0, here, body(kinds[k % 7], rng)) for k in range(STANDING)]
    shapes = pack_shapes([*bodies, (0, here, HalfSpace())])
    places = np.zeros((len(bodies) + 1, 12))
    places[:, :9] = Rotation.random(len(places), rng=rng).as_matrix().reshape(-1, 9)
    places[:, 9:] = rng.uniform(-1, 1, size=(len(places), 3)) * [3.0, 3.0, 1.0]
    places[-1, :9], places[-1, 9:] = np.eye(3).ravel(), 0.0
    return shapes, places


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("stride", [1e-3, 0.01, 0.3])
def test_no_pair_within_reach_is_left_out(seed: int, stride: float) -> None:
    shapes, places = world(seed)
    rng = np.random.default_rng(seed)
    total = shapes.kind.size
    pairs = [(i, j) for i in range(MOVING) for j in range(i + 1, total)]
    allowed = rng.choice([0.0, 0.1], size=len(pairs))
    listing = pair_list(pairs, allowed.tolist(), groups_of(shapes, places))
    near = make_near(listing, SLACK)
    found = np.zeros(len(pairs), np.int64)
    both, warm = np.array(pairs), np.zeros((len(pairs), REMEMBERED))
    contacts = np.zeros((len(pairs), CONTACT))
    sizes: list[int] = []
    for turn in range(12):
        reach = float(rng.choice([0.0, 0.05, 0.2]))
        count = near_pairs(shapes, places, listing, near, reach, found)
        given = listing.number[found[:count]]
        assert len(set(given.tolist())) == count
        distances(shapes, places, both, warm, workspace(), contacts)
        within = np.nonzero(contacts[:, DISTANCE] + allowed <= reach)[0]
        assert set(within.tolist()) <= set(given.tolist())
        assert np.array_equal(both[given], listing.pair[found[:count]])
        sizes.append(count)
        places[:MOVING, 9:] += rng.normal(size=(MOVING, 3)) * stride
        if turn == 8:
            places[-1, 11] += 0.5  # the floor rises
    assert max(sizes) < 0.5 * len(pairs)
    if stride == 1e-3:
        assert near.listed.made < 8


def test_without_pairs_nothing_is_near() -> None:
    shapes, places = world(0)
    listing = pair_list([], [], groups_of(shapes, places))
    near = make_near(listing, SLACK)
    assert near_pairs(shapes, places, listing, near, 1.0, np.zeros(0, np.int64)) == 0
