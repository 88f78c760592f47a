"""Convex regions for pictures, and the polygon of support."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from poise.pictures.convex import convex_body, nearest_inside, nearest_outside
from poise.pictures.support import Support

BOX = np.concatenate([np.eye(3), -np.eye(3)])
SEEDS = st.integers(0, 2**32 - 1)


def volume(points: np.ndarray, triangles: np.ndarray) -> float:
    a, b, c = points[triangles].transpose(1, 0, 2)
    return float((a * np.cross(b, c)).sum() / 6.0)


@settings(deadline=None, max_examples=30)
@given(SEEDS)
def test_the_nearest_point_inside_is_inside_and_none_is_nearer(seed: int) -> None:
    random = np.random.default_rng(seed)
    hull = ConvexHull(random.normal(size=(12, 3)))
    normals, offsets = hull.equations[:, :3], -hull.equations[:, 3]
    point = 3.0 * random.normal(size=3)
    nearest = nearest_inside(normals, offsets, point)
    assert (normals @ nearest - offsets).max() < 1e-8
    # No corner lies on the point's side of the plane across the way: so no point of the hull does.
    assert ((hull.points - nearest) @ (point - nearest)).max() < 1e-7


@settings(deadline=None, max_examples=30)
@given(SEEDS)
def test_the_way_out_leads_straight_to_the_nearest_face(seed: int) -> None:
    random = np.random.default_rng(seed)
    hull = ConvexHull(random.normal(size=(12, 3)))
    normals, offsets = hull.equations[:, :3], -hull.equations[:, 3]
    point = random.dirichlet(np.ones(12)) @ hull.points
    way = nearest_outside(normals, offsets, point) - point
    assert (normals @ (point + way) - offsets).max() == pytest.approx(0, abs=1e-9)
    assert np.linalg.norm(way) == pytest.approx((offsets - normals @ point).min(), abs=1e-9)
    outside = point + 100.0 * normals[0]
    assert (nearest_outside(normals, offsets, outside) == outside).all()


def test_a_box_has_its_volume_and_twelve_edges() -> None:
    body = convex_body(BOX, np.array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0]), np.zeros(3), 10.0)
    assert body is not None
    mesh, edges = body
    assert volume(mesh.points, mesh.triangles) == pytest.approx(6.0)
    lengths = sorted(float(np.linalg.norm(b - a)) for a, b in edges)
    assert lengths == pytest.approx([1.0] * 4 + [2.0] * 4 + [3.0] * 4)
    facing = mesh.normals[mesh.triangles[:, 0]]
    assert np.abs(facing).max(axis=1) == pytest.approx(np.ones(len(facing)))


def test_an_endless_region_is_cut_and_a_flat_one_has_no_body() -> None:
    half = convex_body(np.array([[0.0, 0.0, 1.0]]), np.array([0.5]), np.zeros(3), 2.0)
    assert half is not None
    assert volume(half[0].points, half[0].triangles) == pytest.approx(4.0 * 4.0 * 2.5)
    flat = convex_body(BOX, np.array([1.0, 1.0, 0.0, 1.0, 1.0, 0.0]), np.zeros(3), 2.0)
    assert flat is None


# the support -----------------------------------------------------------------------------------


def support(points: np.ndarray) -> Support:
    return Support(points[ConvexHull(points).vertices], 0.0)


def test_a_rectangle_shrinks_by_its_margin_on_every_side() -> None:
    inner = support(np.array([[0, 0], [0.4, 0], [0.4, 0.2], [0, 0.2]])).inset(0.05)
    assert inner is not None
    assert inner.min(axis=0) == pytest.approx([0.05, 0.05])
    assert inner.max(axis=0) == pytest.approx([0.35, 0.15])
    assert ConvexHull(inner).volume == pytest.approx(0.3 * 0.1)


def test_nothing_is_left_inside_too_large_a_margin() -> None:
    assert support(np.array([[0, 0], [0.4, 0], [0.4, 0.2], [0, 0.2]])).inset(0.11) is None


@settings(deadline=None, max_examples=30)
@given(SEEDS, st.floats(0.0, 0.3))
def test_corners_inside_the_margin_are_as_far_from_the_edge_as_it_says(
    seed: int, margin: float
) -> None:
    points = np.random.default_rng(seed).normal(size=(9, 2))
    polygon = support(points)
    inner = polygon.inset(margin)
    if inner is None:
        return
    edges = ConvexHull(points).equations
    depth = -(inner @ edges[:, :2].T + edges[:, 2]).max(axis=1)
    assert depth == pytest.approx(np.full(len(inner), margin), abs=1e-9)
