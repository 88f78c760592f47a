from collections.abc import Callable

import numpy as np
import pytest

from poise.errors import PoiseError
from poise.figure import Figure
from poise.models import published

SIZES: dict[Callable[[], Figure], int] = {
    published.person_of_63: 63,
    published.person_of_71: 71,
    published.upper_body_of_22: 22,
    published.upper_body_of_70: 70,
    published.torso_arm_of_22: 22,
    published.arms_of_16: 16,
    published.torso_arms_of_31: 31,
    published.box_carrier_of_10: 10,
}


def coordinates(figure: Figure, *joints: str) -> int:
    spans = [figure.span(joint) for joint in joints]
    return sum(span.stop - span.start for span in spans)


@pytest.mark.parametrize("build", SIZES, ids=lambda build: build.__name__)
def test_the_size_is_the_published_one(build: Callable[[], Figure]) -> None:
    assert build().n == SIZES[build]
    assert build().name == build.__name__


@pytest.mark.parametrize("build", SIZES, ids=lambda build: build.__name__)
def test_every_coordinate_but_the_root_s_has_both_limits(build: Callable[[], Figure]) -> None:
    figure = build()
    bounded = np.isfinite(figure.lower) & np.isfinite(figure.upper)
    free = [name for name, both in zip(figure.coordinates, bounded, strict=True) if not both]
    assert all(name.startswith("root.") for name in free)


def test_63_is_20_segments_a_free_root_and_19_balls() -> None:
    figure = published.person_of_63()
    assert len(figure.segments) == 20
    kinds = [joint.kind.kind for joint in figure.joints.values()]
    assert kinds.count("free") == 1
    assert kinds.count("ball") == 19


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_arms_of_71_are_2_3_1_3_and_2(side: str) -> None:
    figure = published.person_of_71()
    counts = [
        coordinates(figure, *(f"{side}_{joint}" for joint in part))
        for part in (("clavicle",), ("shoulder",), ("elbow",), ("wrist",), ("knuckles", "thumb"))
    ]
    assert counts == [2, 3, 1, 3, 2]


def test_grouping_17_vertebrae_saves_48_coordinates() -> None:
    grouped, free = published.upper_body_of_22(), published.upper_body_of_70()
    assert coordinates(grouped, "spine") == 3
    vertebral = [name for name in free.joints if name[0] in "lt" and name[1].isdigit()]
    assert len(vertebral) == 17
    assert coordinates(free, *vertebral) == 51


def test_both_upper_bodies_are_the_same_body() -> None:
    grouped, free = published.upper_body_of_22(), published.upper_body_of_70()
    bent = grouped.rest()
    bent["spine"] = np.deg2rad([40.0, 15.0, -10.0])
    copy = free.rest()
    for coordinate, value in grouped.members(bent).items():
        if coordinate in free.coordinates:
            copy[coordinate] = value
    a, b = grouped.place(bent), free.place(copy)
    for site in grouped.sites:
        np.testing.assert_allclose(a[site].position, b[site].position, atol=1e-12)


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_grouped_vertebrae_reach_their_stops_together(end: str) -> None:
    grouped, free = published.upper_body_of_22(), published.upper_body_of_70()
    posture = grouped.rest()
    posture["spine"] = getattr(grouped, end)[grouped.span("spine")]
    members = grouped.members(posture)
    for joint in free.joints:
        if joint[0] in "lt" and joint[1].isdigit():
            reached = [members[name] for name in free.joints[joint].coordinates]
            np.testing.assert_allclose(reached, getattr(free, end)[free.span(joint)], atol=1e-12)


@pytest.mark.parametrize("parameter", ["elevation", "abduction", "twist"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_grouped_shoulder_keeps_its_members_within_their_limits(
    side: str, parameter: str
) -> None:
    figure = published.upper_body_of_22()
    for limits in (figure.lower, figure.upper):
        posture = figure.rest()
        index = figure.index(f"{side}_shoulder.{parameter}")
        posture.q[index] = limits[index]
        assert figure.within_limits(posture)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_grouped_shoulder_raises_the_arm(side: str) -> None:
    figure = published.upper_body_of_22()
    posture = figure.rest()
    low = figure.place(posture)[f"{side}_elbow"].position
    posture[f"{side}_shoulder.abduction"] = np.deg2rad(90.0)
    aside = figure.place(posture)[f"{side}_elbow"].position
    assert aside[2] > low[2] + 0.2
    assert abs(aside[1]) > abs(low[1]) + 0.15


def test_the_torso_of_22_has_five_balls_and_an_arm_of_7() -> None:
    figure = published.torso_arm_of_22()
    torso = [f"torso_{i}" for i in range(1, 6)]
    assert coordinates(figure, *torso) == 15
    assert coordinates(figure, "right_shoulder", "right_elbow", "right_wrist") == 7
    assert coordinates(figure, "left_shoulder", "left_elbow", "left_wrist") == 0


@pytest.mark.parametrize("build", [published.arms_of_16, published.torso_arms_of_31])
def test_both_arms_have_8(build: Callable[[], Figure]) -> None:
    figure = build()
    for side in ("left", "right"):
        names = (f"{side}_{joint}" for joint in ("clavicle", "shoulder", "elbow", "wrist"))
        assert coordinates(figure, *names) == 8


def test_the_carrier_holds_a_box_upright_in_front() -> None:
    figure = published.box_carrier_of_10()
    where = figure.place(figure.rest())
    assert where["box"].position[0] > 0.3
    assert where["right_fingertip"].position[2] < where["box"].position[2]
    assert figure.mass == pytest.approx(77.0)


def test_stature_and_mass_are_what_was_asked_for() -> None:
    figure = published.person_of_71(stature=1.6, mass=60.0)
    assert figure.mass == pytest.approx(60.0)
    assert figure.place(figure.rest())["head_top"].position[2] == pytest.approx(1.6)


def test_the_centre_of_mass_of_a_standing_person_is_where_it_is_in_people() -> None:
    figure = published.person_of_71()
    assert 0.55 < figure.center_of_mass(figure.rest())[2] / 1.75 < 0.575


@pytest.mark.parametrize("build", SIZES, ids=lambda build: build.__name__)
def test_wrong_arguments_are_named(build: Callable[..., Figure]) -> None:
    with pytest.raises(PoiseError, match="stature"):
        build(stature=0.0)
    with pytest.raises(PoiseError, match="mass"):
        build(mass=float("nan"))
