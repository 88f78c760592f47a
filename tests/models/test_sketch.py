import numpy as np
import pytest

from poise.figure import Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere, TaperedCapsule
from poise.figure.shapes import Shape
from poise.models.sketch import Sketch, hinge, leaf, limb_angles, limb_ranges, round_ball

SHAPES: list[Shape] = [
    Sphere((1.0, 0.0, 0.5), 0.1),
    Capsule((1.0, 0.0, 0.5), (1.2, 0.1, 0.5), 0.05),
    TaperedCapsule((1.0, 0.0, 0.5), (1.2, 0.1, 0.5), 0.05, 0.02),
    Cylinder((1.0, 0.0, 0.5), (1.2, 0.1, 0.5), 0.05),
    Ellipsoid((1.0, 0.2, 0.5), (0.1, 0.2, 0.3), (0.1, 0.2, 0.3)),
    Box((1.0, 0.2, 0.5), (0.1, 0.2, 0.3), (0.1, 0.2, 0.3)),
    Hull(((1.0, 0.2, 0.5), (1.2, 0.2, 0.5), (1.0, 0.3, 0.5), (1.0, 0.2, 0.8)), 0.01),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
@pytest.mark.parametrize("root", ["fixed", "free"])
def test_what_is_drawn_in_the_world_is_there_at_rest_in_every_size(shape: Shape, root: str) -> None:
    sketch = Sketch("thing", "", scale=2.0)
    sketch.segment("base", (0.5, 0.0, 0.3), [shape], density=1000.0)
    sketch.root("base", root)
    ball = round_ball("z", (-30.0, 30.0), (-20.0, 40.0), (-10.0, 10.0))
    joint = ("neck", ball, "base")
    angles = {"flexion": "y", "bend": "x", "rotation": "z"}
    sketch.bone("top", (0.7, 0.1, 0.8), [shape], joint=joint, density=1000.0, clinical=angles)
    sketch.site("end", "top", (1.0, 2.0, 3.0))
    figure = sketch.build()
    where = figure.place(figure.rest())
    np.testing.assert_allclose(where["end"].position, [2.0, 4.0, 6.0], atol=1e-12)
    solid = shape.solid()
    for name in ("base", "top"):
        mass, center, _ = figure.segments[name].mass_properties()
        assert mass == pytest.approx(8 * 1000 * solid.volume)
        np.testing.assert_allclose(where[name].apply(center), 2 * solid.center, atol=1e-12)


def test_a_joint_rests_as_it_is_told_to() -> None:
    sketch = Sketch("thing", "")
    sketch.segment("base", (0, 0, 0), [Sphere((0, 0, 0), 0.1)], mass=1.0)
    sketch.root("base", "fixed")
    joint = ("knee", hinge("y", 0.0, 90.0), "base")
    sketch.bone("shank", (0, 0, 0), [Sphere((0, 0, -1), 0.1)], joint=joint, mass=1.0)
    sketch.rest("knee", flexion=30.0)
    figure = sketch.build()
    assert figure.rest()["knee"] == pytest.approx(np.pi / 6)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_ranges_of_a_limb_are_those_of_its_clinical_angles(side: float) -> None:
    x, y, twist = limb_ranges(side, (-10.0, 40.0), (-5.0, 30.0), (-15.0, 20.0))
    sketch = Sketch("thing", "")
    sketch.segment("base", (0, 0, 0), [Sphere((0, 0, 0), 0.1)], mass=1.0)
    sketch.root("base", "fixed")
    joint = ("hip", round_ball("-z", x, y, twist), "base")
    shapes = [Sphere((0, 0, -1), 0.1)]
    clinical = limb_angles(side)
    sketch.bone("thigh", (0, 0, 0), shapes, joint=joint, mass=1.0, clinical=clinical)
    figure = sketch.build()
    for angle, low, high, middle in (
        ("flexion", -10, 40, {"abduction": 12.5}),
        ("abduction", -5, 30, {"flexion": 15.0}),
        ("rotation", -15, 20, {"flexion": 15.0, "abduction": 12.5}),
    ):
        for value, within in (
            (low + 0.1, True),
            (low - 0.1, False),
            (high - 0.1, True),
            (high + 0.1, False),
        ):
            posture = figure.rest()
            degrees = {**middle, angle: value}
            posture.set_angles("hip", **{k: float(np.deg2rad(v)) for k, v in degrees.items()})
            assert figure.within_limits(posture) == within, (angle, value)


def test_a_leaf_reaches_from_point_to_point_and_is_thin_across() -> None:
    shape = leaf((0.1, 0.0, 0.2), (0.4, 0.1, 0.6), 0.2, 0.02)
    solid = shape.solid()
    np.testing.assert_allclose(solid.center, [0.25, 0.05, 0.4], atol=1e-12)
    along = np.array([0.3, 0.1, 0.4]) / np.linalg.norm([0.3, 0.1, 0.4])
    moments, axes = np.linalg.eigh(solid.inertia)
    assert abs(axes[:, 0] @ along) == pytest.approx(1.0)
    assert moments[0] > 0
