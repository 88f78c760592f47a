"""Mass properties of shapes, against points counted inside and against known formulas."""

# ruff: noqa: E501  (a table of messages reads best with each on its line)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.optimize import nnls
from scipy.stats import qmc

from poise.errors import PoiseError
from poise.figure.parts import Segment
from poise.figure.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Hull,
    Shape,
    Sphere,
    TaperedCapsule,
    combined,
)
from poise.figure.transform import rotation_matrix

Values = NDArray[np.float64]

TURN = (0.3, -0.5, 0.8)
EXAMPLES: list[Shape] = [
    Sphere((0.2, -0.1, 0.3), 0.25),
    Capsule((0.1, 0.0, -0.2), (0.3, 0.2, 0.2), 0.15),
    TaperedCapsule((0.1, 0.0, -0.2), (0.3, 0.2, 0.2), 0.2, 0.08),
    TaperedCapsule((0.1, 0.0, -0.2), (0.3, 0.2, 0.2), 0.08, 0.2),
    Cylinder((0.1, 0.0, -0.2), (0.3, 0.2, 0.2), 0.15),
    Ellipsoid((0.1, 0.2, -0.1), (0.1, 0.2, 0.35), TURN),
    Box((0.1, 0.2, -0.1), (0.3, 0.5, 0.2), TURN),
    Hull(((0.1, 0.0, 0.0), (0.4, 0.1, 0.1), (0.0, 0.5, -0.1), (0.1, 0.2, 0.4), (0.4, 0.4, 0.3))),
    Hull(((0.1, 0.0, 0.0), (0.3, 0.1, 0.1), (0.0, 0.3, -0.1), (0.1, 0.2, 0.3)), 0.15),
]


def inside(shape: Shape, points: Values) -> NDArray[np.bool_]:
    """Which points are in a shape, by what the shape is said to be."""
    if isinstance(shape, Sphere):
        return np.linalg.norm(points - shape.center, axis=1) <= shape.radius
    if isinstance(shape, (Ellipsoid, Box)):
        local = (points - shape.center) @ rotation_matrix(shape.rotation)
        if isinstance(shape, Box):
            return np.abs(local / np.array(shape.size)).max(axis=1) <= 0.5
        return np.linalg.norm(local / np.array(shape.radii), axis=1) <= 1
    if isinstance(shape, Hull):
        return np.array([_reach(shape, point) <= shape.radius for point in points])
    start, along = np.array(shape.start), np.subtract(shape.end, shape.start)
    share = (points - start) @ along / (along @ along)
    if isinstance(shape, Cylinder):
        off = np.linalg.norm(points - start - share[:, None] * along, axis=1)
        return (share >= 0) & (share <= 1) & (off <= shape.radius)
    if isinstance(shape, Capsule):
        nearest = start + np.clip(share, 0, 1)[:, None] * along
        return np.linalg.norm(points - nearest, axis=1) <= shape.radius
    found = np.zeros(len(points), bool)
    for t in np.linspace(0, 1, 81):  # balls all along the line
        radius = shape.start_radius + t * (shape.end_radius - shape.start_radius)
        found |= np.linalg.norm(points - start - t * along, axis=1) <= radius
    return found


def _reach(shape: Hull, point: Values) -> float:
    """How far a point is from the hull of a shape's points: a least square with weights ≥ 0."""
    corners = np.array(shape.points) - point
    # Weights that do not sum to 1 cost a thousand times as much as the distance.
    rows = np.vstack([corners.T, np.full(len(corners), 1e3)])
    weights = nnls(rows, np.array([0.0, 0.0, 0.0, 1e3]))[0]
    return float(np.linalg.norm(weights @ corners)) - 1e-9


@pytest.mark.parametrize("shape", EXAMPLES, ids=lambda shape: shape.kind)
def test_volume_centroid_and_inertia_are_those_of_the_points_inside(shape: Shape) -> None:
    solid = shape.solid()
    low, high = solid.center - 0.5, solid.center + 0.5
    points = qmc.Sobol(3, scramble=False).random_base2(17) * (high - low) + low
    points = points[inside(shape, points)]
    volume = len(points) / 2**17
    center = points.mean(axis=0)
    away = points - center
    spread = away.T @ away / len(points)
    # Some thousands of points inside, evenly spread, err by a few parts in a thousand.
    assert solid.volume == pytest.approx(volume, rel=8e-3)
    assert solid.center == pytest.approx(center, abs=1.5e-3)
    tensor = np.trace(spread) * np.eye(3) - spread
    assert np.abs(solid.inertia / solid.volume - tensor).max() < 8e-3 * np.abs(tensor).max()


def profile_moments(radius: Callable[[float], float], low: float, high: float) -> list[float]:
    """Volume, centroid and moments along and across of a solid of revolution, by quadrature."""

    def integral(function: Callable[[float, float], float]) -> float:
        found = quad(
            lambda z: np.pi * function(z, radius(z) ** 2), low, high, epsabs=1e-13, limit=400
        )
        return float(found[0])

    volume = integral(lambda _, s: s)
    middle = integral(lambda z, s: z * s) / volume
    along = integral(lambda _, s: 0.5 * s * s)
    across = integral(lambda z, s: 0.25 * s * s + s * (z - middle) ** 2)
    return [volume, middle, along, across]


@settings(max_examples=20)
@given(st.floats(0.05, 0.3), st.floats(0.05, 0.3), st.floats(0.3, 1.0))
def test_a_tapered_capsule_is_the_hull_of_two_balls(r: float, s: float, length: float) -> None:
    def radius(z: float) -> float:
        """Half the width of the hull at z: the greatest of all balls between the two."""
        t = np.linspace(0, 1, 2001)
        square = (r + t * (s - r)) ** 2 - (z - t * length) ** 2
        return float(np.sqrt(max(square.max(), 0.0)))

    z = np.linspace(-r, length + s, 401)
    squares = np.array([radius(each) for each in z]) ** 2
    solid = TaperedCapsule((0, 0, 0), (0, 0, length), r, s).solid()
    trapezoid = np.pi * np.trapezoid(squares, z)
    assert solid.volume == pytest.approx(trapezoid, rel=2e-4)
    middle = np.pi * np.trapezoid(squares * z, z) / trapezoid
    assert solid.center == pytest.approx([0.0, 0.0, middle], abs=1e-4)
    about = 0.5 * np.pi * np.trapezoid(squares**2, z)
    assert solid.inertia[2, 2] == pytest.approx(about, rel=3e-4)


def test_a_capsule_agrees_with_quadrature() -> None:
    r, length = 0.12, 0.4

    def radius(z: float) -> float:
        beyond = max(-z, z - length, 0.0)
        return float(np.sqrt(max(r * r - beyond * beyond, 0.0)))

    volume, middle, along, across = profile_moments(radius, -r, length + r)
    solid = Capsule((0, 0, 0), (0, 0, length), r).solid()
    assert solid.volume == pytest.approx(volume, rel=1e-9)
    assert solid.volume == pytest.approx(np.pi * r * r * length + 4 / 3 * np.pi * r**3, rel=1e-14)
    assert solid.center == pytest.approx([0, 0, middle], abs=1e-9)
    assert np.diag(solid.inertia) == pytest.approx([across, across, along], rel=1e-8)


def test_equal_radii_make_a_tapered_capsule_a_capsule() -> None:
    ends = (0.1, 0.2, 0.3), (0.4, -0.2, 0.5)
    plain, tapered = Capsule(*ends, 0.1).solid(), TaperedCapsule(*ends, 0.1, 0.1).solid()
    assert tapered.volume == pytest.approx(plain.volume, rel=1e-14)
    assert tapered.center == pytest.approx(plain.center, abs=1e-15)
    assert tapered.inertia == pytest.approx(plain.inertia, abs=1e-16)


def test_turning_a_tapered_capsule_round_changes_nothing() -> None:
    start, end = (0.1, 0.2, 0.3), (0.4, -0.2, 0.5)
    one, other = (
        TaperedCapsule(start, end, 0.2, 0.1).solid(),
        TaperedCapsule(end, start, 0.1, 0.2).solid(),
    )
    assert one.volume == pytest.approx(other.volume, rel=1e-13)
    assert one.center == pytest.approx(other.center, abs=1e-14)
    assert one.inertia == pytest.approx(other.inertia, abs=1e-15)


def test_a_round_ellipsoid_is_a_sphere() -> None:
    round_, ball = (
        Ellipsoid((1, 2, 3), (0.3, 0.3, 0.3), TURN).solid(),
        Sphere((1, 2, 3), 0.3).solid(),
    )
    assert round_.volume == pytest.approx(ball.volume, rel=1e-14)
    assert round_.inertia == pytest.approx(ball.inertia, abs=1e-16)


def test_two_halves_of_a_box_make_the_box() -> None:
    halves = [Box((x, 0.2, 0.0), (0.2, 0.3, 0.4)).solid() for x in (-0.1, 0.1)]
    whole = Box((0.0, 0.2, 0.0), (0.4, 0.3, 0.4)).solid()
    together = combined(halves)
    assert together.volume == pytest.approx(whole.volume, rel=1e-14)
    assert together.center == pytest.approx(whole.center, abs=1e-15)
    assert together.inertia == pytest.approx(whole.inertia, abs=1e-16)


def test_a_segment_takes_what_is_not_given_from_its_shapes() -> None:
    ball = Sphere((0.1, 0.0, 0.0), 0.2)
    mass, center, inertia = Segment("a", shapes=(ball,), density=500.0).mass_properties()
    assert mass == pytest.approx(500 * 4 / 3 * np.pi * 0.2**3)
    assert center == pytest.approx([0.1, 0, 0])
    assert inertia == pytest.approx(0.4 * mass * 0.04 * np.eye(3))
    mass, center, inertia = Segment("a", 2.0, (0.0, 0.0, 1.0), shapes=(ball,)).mass_properties()
    assert (mass, center.tolist()) == (2.0, [0.0, 0.0, 1.0])
    assert inertia == pytest.approx(0.4 * 2.0 * 0.04 * np.eye(3))
    assert Segment("a", shapes=(ball,)).mass_properties()[0] == 0.0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Sphere((0, 0, 0), 0), "the radius of a sphere must be from 1e-06 to 1e[+]06 metres, not 0"),
        (lambda: Sphere((0, 0), 1), "the centre of a sphere must be 3 numbers, not 2"),  # type: ignore[arg-type]
        (lambda: Sphere((0, 0, np.nan), 1), r"the centre of a sphere must be finite, not \[0.0, 0.0, nan\]"),
        (lambda: Capsule((1, 2, 3), (1, 2, 3), 1), r"a capsule must have two different ends, not \(1.0, 2.0, 3.0\) twice"),
        (lambda: Cylinder((0, 0, 0), (0, 0, 1), -2), "the radius of a cylinder must be from 1e-06 to 1e[+]06 metres, not -2"),
        (lambda: TaperedCapsule((0, 0, 0), (0, 0, 0.1), 0.3, 0.1), "a tapered capsule of length 0.1 m with radii 0.3 and 0.1 m is only a ball"),
        (lambda: Box((0, 0, 0), (1, 0, 1)), "the size of a box must be from 1e-06 to 1e[+]06 metres, not 0"),
        (lambda: Ellipsoid((0, 0, 0), (1, 1, "a")), "the radii of an ellipsoid must be numbers"),  # type: ignore[arg-type]
        (lambda: Segment("arm", shapes=("ball",)), "a shape of segment 'arm' must be a Sphere, Capsule, TaperedCapsule, Cylinder, Ellipsoid, Box or Hull, not 'ball'"),  # type: ignore[arg-type]
        (lambda: Segment("arm", mass=-1), r"the mass \(kg\) of segment 'arm' must be at least 0, not -1"),
        (lambda: Segment("arm", mass="heavy"), r"the mass \(kg\) of segment 'arm' must be a number, not 'heavy'"),  # type: ignore[arg-type]
        (lambda: Segment("arm", density=1000), "the density of segment 'arm' means nothing without shapes"),
        (lambda: Segment("arm", mass=1, density=1, shapes=(Sphere((0, 0, 0), 1),)), "give the mass of segment 'arm' or its density, not both"),
        (lambda: Segment("arm", mass=1, inertia=np.diag([1, 1, 3])), r"the inertia of segment 'arm' belongs to no body: its principal moments 1, 1, 3 kg·m² must be positive and none greater than the sum of the others"),  # type: ignore[arg-type]
        (lambda: Segment("arm", mass=1, inertia=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "the inertia of segment 'arm' must be symmetric"),  # type: ignore[arg-type]
        (lambda: Segment("arm", color="red"), "the color of segment 'arm' must be like '#3f74ad', not 'red'"),
        (lambda: Segment(""), "the name of a segment must be a non-empty string, not ''"),
        (lambda: Segment("a.b"), "the name 'a.b' of a segment must not contain '.'"),
    ],
)  # fmt: skip
def test_what_no_body_can_be_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(PoiseError, match=words):
        make()


def test_a_rounded_hull_of_a_box_has_the_volume_of_steiners_formula() -> None:
    a, b, c, r = 0.4, 0.5, 0.2, 0.1
    hull = Hull(tuple((x * a, y * b, z * c) for x in (0, 1) for y in (0, 1) for z in (0, 1)), r)
    faces, edges = 2 * (a * b + b * c + c * a), a + b + c
    expected = a * b * c + faces * r + np.pi * edges * r**2 + 4 / 3 * np.pi * r**3
    assert hull.solid().volume == pytest.approx(expected, rel=1e-9)
    assert hull.solid().center == pytest.approx([a / 2, b / 2, c / 2])
    assert hull.box().solid().volume == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("points", "radius", "said"),
    [
        (
            [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
            0.0,
            "at least four points that are not in a plane, not 3",
        ),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], 0.0, "not 4 in a plane"),
        (
            [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
            -1.0,
            "the radius of a hull must be at least 0",
        ),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0)], 0.0, "point 3 of a hull"),
        ("four", 0.0, "a list of points"),
    ],
)
def test_hulls_that_are_none_are_refused(points: Any, radius: float, said: str) -> None:
    with pytest.raises(PoiseError, match=said):
        Hull(points, radius)
