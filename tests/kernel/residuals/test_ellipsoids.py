"""The distance to an ellipsoid, against brute force and where it degenerates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize
from tests.tasks.residual import residual_of

from poise import kernel
from poise.figure import Builder, Ellipsoid, Figure, Transform
from poise.tasks import Surface

Values = NDArray[np.float64]
radii = st.tuples(*[st.floats(0.05, 2.0)] * 3)
places = st.tuples(*[st.one_of(st.just(0.0), st.floats(-3.0, 3.0))] * 3)


def nearest(point: Values, semi: Values) -> tuple[float, Values]:
    distance, *normal = kernel.residuals.surface.nearest(*point.tolist(), *semi.tolist())
    return float(distance), np.array(normal)


def foot(point: Values, semi: Values) -> Values:
    """The point of the surface to which the distance and the normal lead."""
    distance, normal = nearest(point, semi)
    return point - distance * normal


@given(places, radii)
def test_the_way_back_ends_on_the_surface_and_along_its_normal(
    place: tuple[float, ...], semi_axes: tuple[float, ...]
) -> None:
    point, semi = np.array(place), np.array(semi_axes)
    distance, normal = nearest(point, semi)
    there = foot(point, semi)
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-12)
    assert np.sum((there / semi) ** 2) == pytest.approx(1.0, abs=1e-9)
    outward = there / semi**2
    assert normal == pytest.approx(outward / np.linalg.norm(outward), abs=1e-7)
    assert (distance > 0) == (np.sum((point / semi) ** 2) > 1) or abs(distance) < 1e-12


@given(places, radii, st.integers(0, 1000))
def test_no_point_of_the_surface_is_nearer(
    place: tuple[float, ...], semi_axes: tuple[float, ...], seed: int
) -> None:
    point, semi = np.array(place), np.array(semi_axes)
    directions = np.random.default_rng(seed).normal(size=(4000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    least = np.linalg.norm(directions * semi - point, axis=1).min()
    assert abs(nearest(point, semi)[0]) <= least + 1e-12


def test_the_distance_is_that_of_a_minimiser() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        point, semi = rng.normal(size=3), rng.uniform(0.2, 1.5, 3)

        def far(angles: Values, point: Values = point, semi: Values = semi) -> float:
            a, b = angles
            unit = np.array([np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)])
            return float(np.sum((semi * unit - point) ** 2))

        starts = [(a, b) for a in np.arange(0, 6.3, 0.7) for b in (-1.2, -0.4, 0.4, 1.2)]
        best = min(minimize(far, start, tol=1e-14).fun for start in starts)
        assert abs(nearest(point, semi)[0]) == pytest.approx(np.sqrt(best), abs=1e-7)


def test_in_the_centre_the_nearest_point_is_the_end_of_a_shortest_axis() -> None:
    for semi, along in (
        ((0.2, 0.3, 0.4), 0),
        ((0.4, 0.2, 0.3), 1),
        ((0.3, 0.4, 0.2), 2),
        ((0.3, 0.3, 0.3), 0),
        ((0.5, 0.3, 0.3), 1),
    ):
        distance, normal = nearest(np.zeros(3), np.array(semi))
        assert distance == pytest.approx(-min(semi), abs=1e-15)
        assert np.abs(normal) == pytest.approx(np.eye(3)[along], abs=1e-15)


@pytest.mark.parametrize("hair", [0.0, 5e-324, 1e-300, 1e-160, 1e-100, 1e-30, 1e-12, 1e-8, 1e-4])
def test_near_the_middle_plane_the_distance_goes_on_without_a_jump(hair: float) -> None:
    semi = np.array([1.0, 0.5, 0.2])
    for x, y in ((0.0, 0.0), (0.3, 0.0), (0.3, 0.2), (0.97, 0.0), (0.99, 0.05), (2.0, 0.0)):
        there, beside = nearest(np.array([x, y, hair]), semi), nearest(np.array([x, y, 0.0]), semi)
        assert there[0] == pytest.approx(beside[0], abs=1e-14 + 2 * hair)
        assert np.isfinite(there[1]).all()


def test_a_sphere_is_measured_from_its_centre() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        point = rng.normal(size=3)
        distance, normal = nearest(point, np.full(3, 0.7))
        assert distance == pytest.approx(np.linalg.norm(point) - 0.7, abs=1e-14)
        assert normal == pytest.approx(point / np.linalg.norm(point), abs=1e-14)


@pytest.mark.parametrize("semi", [(1e-6, 1.0, 1e6), (1e-6, 1e-6, 1e6), (1e6, 1e6, 1e-6)])
def test_needles_and_discs_are_measured_too(semi: tuple[float, float, float]) -> None:
    for point in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.3, 2.0, -5.0), (1e-7, 1e-7, 1e-7)):
        distance, normal = nearest(np.array(point), np.array(semi))
        assert np.isfinite(distance)
        assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-9)


def test_on_the_surface_it_is_zero_with_the_outward_normal() -> None:
    semi = np.array([0.3, 0.2, 0.5])
    rng = np.random.default_rng(3)
    for _ in range(50):
        direction = rng.normal(size=3)
        point = semi * direction / np.linalg.norm(direction)
        distance, normal = nearest(point, semi)
        assert distance == pytest.approx(0.0, abs=1e-15)
        outward = point / semi**2
        assert normal == pytest.approx(outward / np.linalg.norm(outward), abs=1e-12)


def _pair() -> Figure:
    pair = Builder("pair")
    for name in ("thorax", "blade"):
        pair.segment(name, mass=1.0)
        pair.root(name) if name == "thorax" else None
    from poise.figure import Free

    pair.joint("hung", Free(), "thorax", "blade")
    return pair.build()


def test_an_ellipsoid_rides_on_its_site_at_its_own_place() -> None:
    figure = _pair()
    rng = np.random.default_rng(4)
    shape = Ellipsoid((0.1, -0.2, 0.05), (0.2, 0.3, 0.15), (0.3, -0.5, 0.2))
    residual = residual_of(figure, Surface("blade", shape, frame="thorax", distance=0.01))
    for _ in range(10):
        q = 0.5 * rng.normal(size=12)
        where = figure.place(q)
        own = where["thorax"] @ Transform.make(shape.center, shape.rotation)
        local = own.inverse().apply(where["blade"].position)
        expected = nearest(local, np.array(shape.radii))[0] - 0.01
        assert residual(q) == pytest.approx([expected], abs=1e-13)
        residual.check(q, step=1e-4, within=1e-7)


@pytest.mark.parametrize("point", [(0.0, 0.0, 0.0), (0.0, 0.05, 0.0), (0.25, 0.0, 0.0)])
def test_deep_inside_the_gradient_leads_out(point: tuple[float, float, float]) -> None:
    body = Builder("body")
    body.segment("body", mass=1.0)
    body.root("body")
    shape = Ellipsoid((0.0, 0.0, 0.0), (0.3, 0.2, 0.1))
    residual = residual_of(body.build(), Surface("body", shape))
    q = np.array([*point, 0.0, 0.0, 0.0])
    gradient = residual.jacobian(q)[0, :3]
    before = residual(q)[0]
    assert before < 0
    assert residual(q + 0.01 * np.array([*gradient, 0, 0, 0]))[0] == pytest.approx(before + 0.01)
