import numpy as np
import pytest
from numpy.typing import ArrayLike

from poise import models
from poise.figure import Figure, Posture
from poise.figure.shapes import Box, Capsule, Ellipsoid, Shape, Sphere, TaperedCapsule
from poise.figure.transform import Transform, rotation_matrix
from poise.models import catalogue

ENTRIES = {entry.name: entry for entry in catalogue()}
MINE = [name for name in ENTRIES if not name.startswith(("human", "hand"))]
WALKERS = [name for name in MINE if name not in ("chain", "shoulder_complex")]
EVEN = [
    *("bird", "quadruped", "person_of_63", "person_of_71", "upper_body_of_22"),
    *("upper_body_of_70", "arms_of_16", "torso_arms_of_31"),
]


@pytest.fixture(scope="module")
def figures() -> dict[str, Figure]:
    return {name: ENTRIES[name].build() for name in MINE}


def test_every_entry_is_described_and_named_once() -> None:
    assert len(ENTRIES) == len(catalogue())
    assert all(entry.description for entry in ENTRIES.values())
    assert {"human", "hand", "chain", "bird", "quadruped"} <= set(ENTRIES)


def test_a_name_is_that_of_the_function_that_builds_it() -> None:
    functions = set(ENTRIES) - {"human_female"}  # human(sex="female")
    assert functions <= set(models.__all__)
    assert all(callable(getattr(models, name)) for name in functions)


@pytest.mark.parametrize("name", MINE)
def test_the_rest_posture_is_within_all_limits(figures: dict[str, Figure], name: str) -> None:
    figure = figures[name]
    rest = figure.rest()
    assert figure.violation(rest) <= 1e-12
    np.testing.assert_array_equal(figure.clamp(rest).q, rest.q)


@pytest.mark.parametrize("name", MINE)
def test_every_segment_has_a_mass_and_a_shape(figures: dict[str, Figure], name: str) -> None:
    for segment in figures[name].segments.values():
        assert segment.mass_properties()[0] > 0
        assert segment.shapes
        assert segment.color


@pytest.mark.parametrize("name", WALKERS)
def test_it_stands_on_the_floor_and_over_its_feet(figures: dict[str, Figure], name: str) -> None:
    figure = figures[name]
    rest = figure.rest()
    assert lowest(figure, rest) == pytest.approx(0.0, abs=2e-3)
    where = figure.place(rest)
    corners: list[np.ndarray] = []
    for site in figure.sites.values():
        if not site.outline:
            continue
        points = where[site.name].apply([(x, y, 0.0) for x, y in site.outline])
        np.testing.assert_allclose(points[:, 2], 0.0, atol=1e-12)
        np.testing.assert_allclose(where[site.name].rotation[:, 2], [0, 0, -1], atol=1e-12)
        corners.extend(points)
    x, y, _ = figure.center_of_mass(rest)
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    assert low[0] < x < high[0]
    assert low[1] < y < high[1]


@pytest.mark.parametrize("name", EVEN)
def test_left_and_right_are_mirror_images(figures: dict[str, Figure], name: str) -> None:
    figure = figures[name]
    rest = figure.rest()
    np.testing.assert_allclose(rest.mirrored().q, rest.q, atol=1e-12)
    where = figure.place(rest)
    for site in (each for each in figure.sites if each.startswith("left_")):
        left, right = where[site].position, where["right_" + site[5:]].position
        np.testing.assert_allclose(left * [1, -1, 1], right, atol=1e-12)
    generator = np.random.default_rng(1)
    for _ in range(20):
        valid = figure.clamp(rest.with_q(rest.q + generator.uniform(-1, 1, figure.n)))
        assert figure.within_limits(valid.mirrored(), tolerance=1e-9)


# The planar person's joints are between its two legs and its two arms.
@pytest.mark.parametrize("name", [name for name in MINE if name != "planar_person"])
def test_neighbouring_segments_touch_at_rest(figures: dict[str, Figure], name: str) -> None:
    """Every joint that moves lies within or near the shapes on both of its sides."""
    figure = figures[name]
    for joint in figure.joints.values():
        if joint.parent == "world" or not joint.coordinates:
            continue
        for end, point in ((joint.parent, joint.position), (joint.child, (0.0, 0.0, 0.0))):
            gap = min(distance(shape, point) for shape in figure.segments[end].shapes)
            assert gap < 0.02, f"{joint.name} is {gap:.3f} m off {end}"


def lowest(figure: Figure, posture: Posture) -> float:
    """The height of the lowest point of any shape."""
    return min(
        bottom(shape, segment_place(figure, posture, name))
        for name, segment in figure.segments.items()
        for shape in segment.shapes
    )


def segment_place(figure: Figure, posture: Posture, name: str) -> Transform:
    """Where a segment is, whether or not a site has its name."""
    place = figure.place(posture)[name]
    site = figure.sites.get(name)
    return place @ site.place.inverse() if site else place


def bottom(shape: Shape, where: Transform) -> float:
    """The height of a shape's lowest point."""
    if isinstance(shape, Sphere):
        return float(where.apply(shape.center)[2]) - shape.radius
    if isinstance(shape, (Ellipsoid, Box)):
        axes = (where.rotation @ rotation_matrix(shape.rotation))[2]
        height = float(where.apply(shape.center)[2])
        if isinstance(shape, Ellipsoid):
            return height - float(np.linalg.norm(axes * shape.radii))
        return height - 0.5 * float(np.abs(axes) @ shape.size)
    ends = where.apply([shape.start, shape.end])[:, 2]
    radii = (
        (shape.start_radius, shape.end_radius)
        if isinstance(shape, TaperedCapsule)
        else (shape.radius, shape.radius)
    )
    return float(np.min(ends - radii))


def distance(shape: Shape, point: ArrayLike) -> float:
    """About how far a point is outside a shape (m); negative within."""
    p = np.asarray(point, dtype=np.float64)
    if isinstance(shape, Sphere):
        return float(np.linalg.norm(p - shape.center)) - shape.radius
    if isinstance(shape, Ellipsoid):
        local = rotation_matrix(shape.rotation).T @ (p - shape.center)
        return (float(np.linalg.norm(local / shape.radii)) - 1.0) * min(shape.radii)
    assert isinstance(shape, (Capsule, TaperedCapsule))
    start, along = np.array(shape.start), np.subtract(shape.end, shape.start)
    share = float(np.clip((p - start) @ along / (along @ along), 0.0, 1.0))
    if isinstance(shape, TaperedCapsule):
        radius = (1 - share) * shape.start_radius + share * shape.end_radius
    else:
        radius = shape.radius
    return float(np.linalg.norm(p - start - share * along)) - radius
