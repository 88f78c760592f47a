"""Degrees for radians and millimetres for metres: what is refused, warned of, and left alone."""

# ruff: noqa: E501  (a table of messages reads best with each on its line)

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import poise
from poise import PoiseError, PoiseWarning, Scene
from poise import tasks as t
from poise.figure import Angle, Builder, Free, Hinge, Slider, SphericalEllipse, Transform
from poise.scene.distances import reach


def person() -> Scene:
    return Scene(poise.human())


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: person().stand("human", heading=90), "the heading is 90 rad, more than a full turn; did you mean np.deg2rad(90)?"),
    (lambda: person().stand("human", heading=-45.0), "the heading is -45 rad, more than a full turn; did you mean np.deg2rad(-45)?"),
    (lambda: person().stand("human", heading=1e300), "the heading (rad) must be at most 1000, not 1e+300"),
    (lambda: poise.human().rest().set_angles("left_hip", flexion=30), "flexion of 'left_hip' is 30 rad, more than a full turn; did you mean np.deg2rad(30)?"),
    (lambda: poise.human().rest().__setitem__("left_knee", 30), "left_knee.flexion is 30 rad, more than a full turn; did you mean np.deg2rad(30)?"),
    (lambda: poise.chain(3, limit=90), "the limit of a chain's hinges must be at most 3.142 rad, not 90; angles are radians: did you mean degrees?"),
    (lambda: Angle(90), "the maximum of an angle limit must be at most π: no rotation is larger, but 90 was given; angles are radians: did you mean degrees?"),
    (lambda: SphericalEllipse(60, 40), "a spherical ellipse must keep the swing within 150°, but it reaches 3438°; angles are radians: did you mean degrees?"),
    (lambda: person().place(poise.box(0.3, 0.2, 0.1), (0.4, 0.3, 1), (0, 0, 90)), "the rotation of 'box' is (0, 0, 90) rad, more than a full turn; did you mean np.deg2rad((0, 0, 90))?"),
    (lambda: poise.box(0.3, 0.2, 0.1).with_site("grip", (0, 0, 0), (0, 45, 0)), "the rotation of site 'grip' is (0, 45, 0) rad, more than a full turn; did you mean np.deg2rad((0, 45, 0))?"),
    (lambda: poise.human().with_site("heel", "left_foot", rotation=(180, 0, 0)), "the rotation of site 'heel' is (180, 0, 0) rad, more than a full turn; did you mean np.deg2rad((180, 0, 0))?"),
    (lambda: Builder("arm").site("tip", "arm", rotation=(-90, 0, 0)), "the rotation of site 'tip' is (-90, 0, 0) rad, more than a full turn; did you mean np.deg2rad((-90, 0, 0))?"),
    (lambda: Builder("arm").joint("elbow", Hinge("y"), "upper", "lower", rotation=(0, 30, 0)), "the rotation of joint 'elbow' is (0, 30, 0) rad, more than a full turn; did you mean np.deg2rad((0, 30, 0))?"),
    (lambda: Builder("arm").joint("elbow", Hinge("y"), "upper", "lower", child_rotation=(0, 30, 0)), "the child rotation of joint 'elbow' is (0, 30, 0) rad, more than a full turn; did you mean np.deg2rad((0, 30, 0))?"),
]  # fmt: skip


def test_a_full_turn_as_a_rotation_is_taken_however_it_was_computed() -> None:
    scene = person()
    scene.place(poise.box(0.3, 0.2, 0.1), (0.4, 0.3, 1), np.deg2rad((0, 0, 360)))
    scene.place("box", (0.4, 0.3, 1), (0, -2 * np.pi, 0))


def test_a_turn_that_a_file_gives_is_taken_however_long_it_is(tmp_path: Path) -> None:
    path = tmp_path / "bent.yaml"
    path.write_text(
        "figure:\n  name: bent\n  segments: {base: {}}\n"
        "  joints: {root: {kind: fixed, parent: world, child: base}}\n"
        "  sites: {tip: {segment: base, rotation: [0, 0, 540]}}\n"
    )
    assert poise.load(path).sites["tip"].rotation == pytest.approx((0, 0, 3 * np.pi))


@pytest.mark.parametrize(("make", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_can_only_be_degrees_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        make()


WARNED: list[tuple[Callable[[], object], str]] = [
    (lambda: person().stand("human", heading=22.5), "the heading is 22.5 rad, 4 turns; did you mean np.deg2rad(22.5)?"),
    (lambda: poise.human().rest().set_angles("left_hip", flexion=5), "flexion of 'left_hip' is 5 rad, 286°, which is more than half a turn; did you mean np.deg2rad(5)?"),
    (lambda: poise.human().rest().__setitem__("left_knee", 5), "left_knee.flexion is 5 rad, 286°, which is beyond its limits and more than half a turn; did you mean np.deg2rad(5)?"),
    (lambda: Hinge("y", (0, 140)), "the limits of a hinge, 0 and 140, are radians, and 140 rad are 22 turns; did you mean degrees, np.deg2rad((0, 140))?"),
    (lambda: poise.box(300, 200, 100), "box(300, 200, 100) is in metres; did you mean millimetres, box(0.3, 0.2, 0.1)?"),
    (lambda: poise.cylinder(40, 250), "cylinder(40, 250) is in metres; did you mean millimetres, cylinder(0.04, 0.25)?"),
    (lambda: poise.sphere(33), "sphere(33) is in metres; did you mean millimetres, sphere(0.033)?"),
    (lambda: person().add(t.Position("right_hand", (600, -200, 1300))), "the target of 'right_hand' is 1445 m away from the nearest figure, for lengths are in metres; did you mean millimetres, (0.6, -0.2, 1.3)?"),
    (lambda: person().add(t.CenterOfMass((60, 0, 900)), name="mass"), "the target of 'mass' is 901 m away from the nearest figure, for lengths are in metres; did you mean millimetres, (0.06, 0, 0.9)?"),
    (lambda: person().place(poise.box(0.3, 0.2, 0.1), (500, 0, 700)), "the position of 'box' is 860 m away from the nearest figure, for lengths are in metres; did you mean millimetres, (0.5, 0, 0.7)?"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), WARNED, ids=[words for _, words in WARNED])
def test_what_is_hardly_meant_is_warned_of_where_it_is_written(
    make: Callable[[], object], words: str
) -> None:
    with pytest.warns(PoiseWarning) as caught:
        make()
    assert [str(each.message) for each in caught] == [words]
    assert caught[0].filename == __file__


@pytest.mark.parametrize("joint", ["left_hip", "left_knee"])
def test_an_angle_is_warned_of_before_it_is_set(joint: str) -> None:
    posture = poise.human().rest()
    before = posture.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(PoiseWarning, match="half a turn"):
            posture.set_angles(joint, flexion=5)
    assert posture == before


def test_a_posture_has_one_way_to_set_angles() -> None:
    assert [name for name in dir(poise.Posture) if name.endswith("_angles") and name[0] != "_"] == [
        "set_angles"
    ]


def test_a_target_in_millimetres_is_warned_of_however_it_comes() -> None:
    scene = person()
    reach = scene.add(t.Position("right_hand"), name="reach")
    far = (600.0, -200.0, 1300.0)
    with pytest.warns(PoiseWarning, match="the target of 'reach' is 1445 m away"):
        reach.target = far
    reach.target = (0.6, -0.2, 1.3)
    with pytest.warns(PoiseWarning, match="the target of 'reach' is 1445 m away") as caught:
        scene.solve_many({"reach": [(0.6, -0.2, 1.3), far, far]}, max_iterations=1)
    assert len(caught) == 1
    with pytest.warns(PoiseWarning, match="the target of 'frame' is 1445 m away"):
        scene.add(t.Frame("right_hand", Transform.make(far)), name="frame")


def test_what_may_well_be_meant_passes_in_silence() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scene = person()
        for heading in (np.pi, -np.pi, 2 * np.pi, 3.3 * np.pi, -9.4):
            scene.stand("human", heading=heading)
        scene.add(t.Aim("eyes", (1e5, 0.0, 1e3)))  # the sun
        scene.add(t.Position("left_hand", (1e4, 0.3, 1.0), axes="yz"))
        scene.add(t.Position("right_hand", (30.0, 0.0, 1.0)))
        scene.stand("human", (400.0, 300.0, 0.0))
        scene.add(t.Position("right_hand", (400.5, 300.0, 1.0)), name="there")
        scene.add(t.Frame("left_foot"))
        poise.box(80.0, 60.0, 0.1, name="floor")
        poise.box(12.0, 9.0, 4.0, name="house")
        poise.cylinder(0.05, 30.0, name="pole")
        long = Scene(poise.chain(1000, length=1.0))
        long.add(t.Position("tip", (400.0, 0.0, 700.0)))
        posture = poise.human().rest()
        posture.set_angles("left_knee", flexion=np.deg2rad(150))  # beyond its limits, but an angle
        posture["left_knee"] = -3.29157  # computed, not written
        posture.q[:] = 70.0  # what a solver or a file gives is never looked at
        Hinge("y", (-1e3, 1e3 + 0.5))
        wheel = poise.chain(2).rest()
        wheel["joint_1"] = 400.0
        rail = Builder("crane")
        rail.segment("base")
        rail.segment("trolley")
        rail.joint("rail", Slider("x"), "base", "trolley")
        Scene(rail.build()).add(t.Position("trolley", (300.0, 0.0, 0.0)))


def test_angles_in_files_are_degrees_and_are_not_warned_of(tmp_path: Path) -> None:
    text = "scene:\n  figure: {ready: human, heading: 400, posture: {left_hip: {flexion: 300}}}\n"
    (tmp_path / "scene.yaml").write_text(text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Scene.load(tmp_path / "scene.yaml")


def test_a_figure_reaches_as_far_as_its_longest_branch() -> None:
    assert reach(poise.chain(20, length=0.1)) == pytest.approx(2.0)
    body = Builder("lift")
    for name in ("cage", "mast", "base"):  # parents come last
        body.segment(name)
    body.joint("run", Slider("z", (-1.0, 3.0)), "mast", "cage", (0, 0, 1))
    body.joint("stand", Hinge(), "base", "mast", (0, 0, 0.5))
    body.site("hook", "cage", (0, 3, 4))
    assert reach(body.build()) == pytest.approx(0.5 + 1.0 + 3.0 + 5.0)


def test_what_a_free_joint_carries_reaches_everywhere() -> None:
    body = Builder("loose")
    for name in ("base", "kite"):
        body.segment(name)
    body.root("base")
    body.joint("string", Free(), "base", "kite")
    assert reach(body.build()) == np.inf
