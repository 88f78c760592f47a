"""Postures: values by name, clinical angles, mirror images and blends."""

# ruff: noqa: E501  (messages read best on one line)

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.random_figures import random_figure, random_q

from poise.checking import Vec3
from poise.errors import PoiseError
from poise.figure.builder import Builder
from poise.figure.figure import Figure
from poise.figure.kinds import Ball, Elbow, Hinge, Slider, Swing
from poise.figure.parts import Monomial
from poise.figure.posture import Posture
from poise.figure.transform import rotation_matrix, rotation_vector

Values = NDArray[np.float64]
seeds = st.integers(0, 2**32 - 1)
DOWN: Vec3 = (0.0, 0.0, -1.0)
MIRROR = np.diag([1.0, -1.0, 1.0])


def doll(*, polynomial: bool = False) -> Figure:
    """Pelvis, grouped spine, head, arms and legs; the right side mirrors the left."""
    builder = Builder("doll")
    for name in ("pelvis", "lumbar", "chest", "head"):
        builder.segment(name, mass=1.0)
    builder.root("pelvis", position=(0.1, 0.0, 1.0))
    builder.joint("low", Ball(chart="swing_twist"), "pelvis", "lumbar", (0, 0, 0.1))
    builder.joint("high", Ball(chart="swing_twist"), "lumbar", "chest", (0, 0, 0.2))
    builder.joint("neck", Ball(), "chest", "head", (0, 0, 0.3))
    for side, y in (("left", 1.0), ("right", -1.0)):
        for name in ("clavicle", "arm", "forearm", "hand", "thigh", "shank", "foot"):
            builder.segment(f"{side}_{name}", mass=1.0)

        def join(
            name: str, kind: object, parent: str, child: str, at: Vec3, **clinical: str
        ) -> None:
            above = parent if parent in ("pelvis", "chest") else f"{side}_{parent}"  # noqa: B023
            place = (at[0], at[1] * y, at[2])  # noqa: B023
            joint = f"{side}_{name}"  # noqa: B023
            builder.joint(joint, kind, above, f"{side}_{child}", place, clinical=clinical)  # type: ignore[arg-type] # noqa: B023

        out, inward = ("x", "-z") if y > 0 else ("-x", "z")
        join("shrug", Slider((0.0, 0.0, 1.0)), "chest", "clavicle", (0, 0.02, 0.2))
        shoulder = Ball(DOWN, (0.8 * y, -0.5, 0.2 * y), chart="swing_twist")
        join(
            "shoulder",
            shoulder,
            "clavicle",
            "arm",
            (0, 0.2, 0),
            flexion="-y",
            abduction=out,
            rotation=inward,
        )
        elbow = Elbow((0.0, -1.0, 0.0), (0.0, 0.1, -y))
        join("elbow", elbow, "arm", "forearm", (0, 0, -0.3))
        join(
            "wrist",
            Swing(DOWN, (0.1 * y, 0, 0)),
            "forearm",
            "hand",
            (0, 0, -0.25),
            flexion="-y",
            abduction=out,
        )
        hip = Ball(DOWN, (0, -0.6, 0), chart="swing_twist")
        join(
            "hip", hip, "pelvis", "thigh", (0, 0.1, 0), flexion="-y", abduction=out, rotation=inward
        )
        join("knee", Hinge((0.0, 1.0, 0.0), coordinate="flexion"), "thigh", "shank", (0, 0, -0.4))
        join("ankle", Swing(DOWN), "shank", "foot", (0, 0, -0.4))
        builder.site(f"{side}_palm", f"{side}_hand", (0.0, -0.02 * y, -0.08))
    bend = {"low.swing_y": {"flexion": 0.6}, "high.swing_y": {"flexion": 0.4}}
    lean = {"low.swing_x": {"lean": 0.5}, "high.swing_x": {"lean": 0.5}}
    members: dict[str, object] = {**bend, **lean, "high.twist": {"turn": 1.0}}
    if polynomial:
        members["low.swing_y"] = (Monomial(0.6, {"flexion": 1}), Monomial(0.1, {"flexion": 3}))
    parameters = {"flexion": (-1.0, 2.0), "lean": (-1.0, 1.0), "turn": (-1.0, 1.0)}
    builder.group("spine", parameters, members)  # type: ignore[arg-type]
    return builder.build()


DOLL, CURVED = doll(), doll(polynomial=True)


def moderate(rng: np.random.Generator, figure: Figure) -> Posture:
    """Coordinates that are canonical: every angle well within a half turn."""
    return figure.posture(np.clip(random_q(rng, figure), -1.5, 1.5))


# values by name -----------------------------------------------------------------------------


def test_values_are_set_and_read_by_joint_group_or_coordinate() -> None:
    posture = DOLL.posture()
    posture["left_knee"] = 0.5
    assert posture["left_knee"] == 0.5
    assert posture["left_knee.flexion"] == 0.5
    assert posture.q[DOLL.index("left_knee.flexion")] == 0.5
    posture["left_hip"] = (0.1, 0.2, 0.3)
    assert np.array_equal(posture["left_hip"], [0.1, 0.2, 0.3])
    posture["left_hip.twist"] = -0.3
    assert np.array_equal(posture["left_hip"], [0.1, 0.2, -0.3])
    posture["spine"] = [0.4, 0.5, 0.6]
    assert posture["spine.lean"] == 0.5
    assert np.count_nonzero(posture.q) == 7


def test_what_is_read_does_not_write_through() -> None:
    posture = DOLL.posture()
    posture["left_hip"][:] = 1.0  # type: ignore[index]
    assert not posture.q.any()


def test_a_posture_keeps_its_own_values() -> None:
    q = np.zeros(DOLL.n)
    posture = DOLL.posture(q)
    other = posture.copy()
    q[0], other.q[1] = 1.0, 2.0
    assert not posture.q.any()
    third = posture.with_q(other.q)
    other.q[1] = 3.0
    assert third.q[1] == 2.0
    assert third.figure is DOLL
    assert repr(posture) == f"<Posture of 'doll', {DOLL.n} coordinates: all zero>"
    posture["left_knee"], posture["root.z"] = 0.25, -1.0
    assert (
        repr(posture)
        == f"<Posture of 'doll', {DOLL.n} coordinates: root.z -1, left_knee.flexion 0.25>"
    )
    posture.q = np.ones(DOLL.n)
    assert repr(posture).endswith(f"root.rz 1, … {DOLL.n - 6} more>")


def test_all_values_can_be_set_at_once_and_are_checked() -> None:
    posture, q = DOLL.posture(), np.ones(DOLL.n)
    posture.q = q
    q[0] = 2.0
    assert (posture.q == 1).all()
    for wrong, words in (
        ([1, 2], f"a posture of 'doll' must be {DOLL.n} numbers, not 2"),
        ("bent", "a posture of 'doll' must be numbers, not 'bent'"),
        (np.where(np.arange(DOLL.n) == 2, np.nan, 0.0), "a posture of 'doll' must be finite: root.z is nan"),
    ):  # fmt: skip
        with pytest.raises(PoiseError) as refused:
            posture.q = wrong
        assert str(refused.value) == words
    assert (posture.q == 1).all()
    posture.q[0] = 3.0
    assert posture["root.x"] == 3.0


def test_a_posture_is_a_mapping_of_its_coordinates_and_an_array() -> None:
    posture = DOLL.posture(np.arange(DOLL.n))
    assert list(posture) == list(DOLL.coordinates)
    assert len(posture) == DOLL.n
    assert dict(posture) == dict(zip(DOLL.coordinates, range(DOLL.n), strict=True))
    assert "left_knee" in posture
    assert "left_knee.flexion" in posture
    assert "spine" in posture
    assert "low" not in posture
    assert "knee" not in posture
    assert np.array_equal(np.asarray(posture), posture.q)
    assert np.asarray(posture, dtype=int).dtype == int


def test_postures_are_equal_when_their_values_are() -> None:
    posture = DOLL.posture()
    assert posture == DOLL.posture()
    assert posture == CURVED.posture()
    assert posture != DOLL.posture(np.ones(DOLL.n))
    assert posture != "posture"
    with pytest.raises(TypeError, match="unhashable"):
        hash(posture)


def toy() -> Figure:
    builder = Builder("toy")
    for name in ("base", "drawer", "wheel", "screw", "knee", "door"):
        builder.segment(name)
    builder.root("base")
    builder.joint("rail", Slider("x", (0.0, 20.0)), "base", "drawer")
    builder.joint("axle", Hinge("y"), "base", "wheel")
    builder.joint("screw", Hinge("y", (-60.5, 60.5)), "base", "screw")
    builder.joint("knee", Hinge("y", (0.0, 2.0), "flexion"), "base", "knee")
    builder.joint("door", Slider("y"), "base", "door")
    builder.group("lift", {"height": (0.0, 2.0)}, {"door.distance": {"height": 1.0}})
    return builder.build()


def test_degrees_by_mistake_are_refused() -> None:
    posture = DOLL.posture()
    for change, words in (
        (lambda: posture.set_angles("left_hip", flexion=80), "flexion of 'left_hip' is 80 rad, more than a full turn; did you mean np.deg2rad(80)?"),
        (lambda: posture.set_angles("spine", lean=-12.5), "lean of 'spine' is -12.5 rad, more than a full turn; did you mean np.deg2rad(-12.5)?"),
        (lambda: posture.__setitem__("spine.lean", 30), "spine.lean is 30 rad, more than a full turn; did you mean np.deg2rad(30)?"),
        (lambda: posture.__setitem__("left_hip", (0, 45, 0)), "left_hip.swing_y is 45 rad, more than a full turn; did you mean np.deg2rad(45)?"),
        (lambda: posture.__setitem__("root.rz", 90), "root.rz is 90 rad, more than a full turn; did you mean np.deg2rad(90)?"),
    ):  # fmt: skip
        with pytest.raises(PoiseError) as refused:
            change()
        assert str(refused.value) == words
    assert not posture.q.any()
    other = toy().posture()
    with pytest.raises(PoiseError, match=r"knee\.flexion is 95 rad, more than a full turn"):
        other["knee"] = 95


def test_distances_wheels_and_screws_may_have_great_values() -> None:
    posture = toy().posture()
    for name in ("root.x", "rail", "axle", "screw", "lift"):
        posture[name] = 15.0
        assert posture[name] == 15.0
    posture.set_angles("axle", angle=40.0)
    posture.set_angles("root", y=40.0)
    posture.set_angles("knee", flexion=6.01)  # beyond its limits, but an angle
    with pytest.raises(PoiseError, match=r"screw\.angle is 70 rad, more than a full turn"):
        posture["screw"] = 70.0


def test_wrong_values_are_refused_and_change_nothing() -> None:
    posture = DOLL.posture()
    for name, value, words in (
        ("left_kne", 0.1, "there is no joint, group or coordinate 'left_kne'; did you mean 'left_knee'"),
        ("left_knee", np.nan, "the value of 'left_knee' must be finite, not \\[nan\\]"),
        ("left_knee", "bent", "the value of 'left_knee' must be numbers, not \\['bent'\\]"),
        ("left_knee", [0.1, 0.2], "the value of 'left_knee' must be 1 numbers, not 2"),
        ("left_hip", 0.1, "the value of 'left_hip' must be 3 numbers, not one"),
        ("low", 0.1, r"joint 'low' is driven by the group 'spine' \(flexion, lean, turn\); set 'spine', or posture.set_angles\('low', …\)"),
    ):  # fmt: skip
        with pytest.raises(PoiseError, match=words):
            posture[name] = value
    assert not posture.q.any()


def test_a_posture_of_the_wrong_length_or_not_a_number_is_refused() -> None:
    with pytest.raises(PoiseError, match=f"a posture of 'doll' must be {DOLL.n} numbers, not 3"):
        DOLL.posture([1, 2, 3])
    with pytest.raises(PoiseError, match=f"must be finite: root.x is nan, and {DOLL.n - 1} more"):
        DOLL.posture(np.full(DOLL.n, np.nan))
    broken = DOLL.posture()
    broken.q[3] = np.inf
    for question in (DOLL.place, DOLL.center_of_mass, DOLL.members, DOLL.violation, DOLL.clamp):
        with pytest.raises(PoiseError, match="a posture of 'doll' must be finite"):
            question(broken)
    with pytest.raises(PoiseError, match="a posture of 'doll' must be finite"):
        broken.copy()


def test_a_posture_of_another_figure_is_refused() -> None:
    other = random_figure(np.random.default_rng(0), 3, kinds=["hinge"])
    words = f"a posture of 'random' \\(8 coordinates\\) does not fit the figure 'doll' \\({DOLL.n} coordinates\\)"
    with pytest.raises(PoiseError, match=words):
        DOLL.place(other.posture())
    with pytest.raises(PoiseError, match=words):
        DOLL.posture().blend(other.posture(), 0.5)
    # One of a figure with the same coordinates fits.
    assert DOLL.place(CURVED.posture())["head"].position[2] > 1.5


# clinical angles ------------------------------------------------------------------------------


def test_in_the_anatomical_position_all_angles_are_zero_though_coordinates_are_not() -> None:
    posture = DOLL.posture()
    for joint in ("left_shoulder", "right_shoulder", "left_hip"):
        posture.set_angles(joint, flexion=0, abduction=0, rotation=0)
        assert np.abs(posture.angles(joint)["flexion"]) < 1e-15
        assert np.abs(posture[joint]).max() > 0.4
    posture.set_angles("left_wrist", flexion=0, abduction=0)
    where = DOLL.place(posture)
    for side in ("left", "right"):
        assert where[f"{side}_arm"].rotation == pytest.approx(np.eye(3), abs=1e-15)


@pytest.mark.parametrize(("side", "sign"), [("left", 1.0), ("right", -1.0)])
def test_angles_mean_what_clinicians_mean(side: str, sign: float) -> None:
    posture = DOLL.posture()
    posture.set_angles(f"{side}_shoulder", flexion=np.pi / 2, abduction=0, rotation=0)
    arm = DOLL.place(posture)[f"{side}_arm"].rotation
    assert arm @ DOWN == pytest.approx([1, 0, 0], abs=1e-15)  # forward
    posture.set_angles(f"{side}_shoulder", flexion=0, abduction=np.pi / 2)
    arm = DOLL.place(posture)[f"{side}_arm"].rotation
    assert arm @ DOWN == pytest.approx([0, sign, 0], abs=1e-15)  # out to the side
    posture.set_angles(f"{side}_shoulder", abduction=0, rotation=np.pi / 2)
    arm = DOLL.place(posture)[f"{side}_arm"].rotation
    assert arm @ [1, 0, 0] == pytest.approx([0, -sign, 0], abs=1e-15)  # inwards


@given(seeds)
def test_angles_that_are_set_are_read(seed: int) -> None:
    rng = np.random.default_rng(seed)
    posture = DOLL.posture()
    for joint in ("left_shoulder", "right_hip", "left_wrist"):
        swing = rng.normal(size=2)
        swing *= rng.uniform(0, 2.9) / np.linalg.norm(swing)
        given = {"flexion": swing[0], "abduction": swing[1], "rotation": rng.uniform(-3, 3)}
        if joint == "left_wrist":
            del given["rotation"]
        posture.set_angles(joint, **given)
        assert posture.angles(joint) == pytest.approx(given, abs=1e-12)


@given(seeds)
def test_setting_the_angles_that_are_there_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    posture = moderate(rng, DOLL)
    before = posture.q.copy()
    for joint in DOLL.joints:
        if joint not in ("low", "high"):
            posture.set_angles(joint, **posture.angles(joint))
            angles = posture.angles(joint)
            if "flexion" in angles:
                posture.set_angles(joint, flexion=angles["flexion"])
    posture.set_angles("spine", **posture.angles("spine"))
    assert np.abs(posture.q - before).max() < 1e-11


def test_angles_without_a_name_stay() -> None:
    builder = Builder("arm")
    builder.segment("base")
    builder.segment("arm")
    ball = Ball(DOWN, (0.3, 0, 0), chart="swing_twist")
    builder.joint("joint", ball, "base", "arm", clinical={"flexion": "-y", "abduction": "x"})
    posture = builder.build().posture([0.2, 0.1, 0.7])
    posture.set_angles("joint", **posture.angles("joint"))
    assert posture.q == pytest.approx([0.2, 0.1, 0.7], abs=1e-14)
    posture.set_angles("joint", flexion=0.4)
    assert posture.angles("joint")["flexion"] == pytest.approx(0.4, abs=1e-14)


def test_other_joints_and_groups_give_their_coordinates() -> None:
    posture = DOLL.posture()
    posture["left_knee"] = 0.3
    assert posture.angles("left_knee") == {"flexion": 0.3}
    assert posture.angles("root") == dict.fromkeys(("x", "y", "z", "rx", "ry", "rz"), 0.0)
    posture.set_angles("spine", lean=0.2)
    assert posture.angles("spine") == {"flexion": 0.0, "lean": 0.2, "turn": 0.0}
    assert posture.angles("left_elbow") == {"flexion": 0.0, "twist": 0.0}
    assert posture.angles("low") == {"swing_x": 0.1, "swing_y": 0.0, "twist": 0.0}  # by the group


def test_wrong_angles_are_refused_and_change_nothing() -> None:
    posture = DOLL.posture()
    words = "joint 'left_hip': there is no angle 'flexon'; did you mean 'flexion'"
    with pytest.raises(PoiseError, match=words):
        posture.set_angles("left_hip", flexon=0.1)
    with pytest.raises(PoiseError, match="flexion of 'left_hip' must be a finite number, not nan"):
        posture.set_angles("left_hip", abduction=0.4, flexion=np.nan)
    with pytest.raises(PoiseError, match="there is no joint or group 'hip'"):
        posture.angles("hip")
    assert not posture.q.any()


# mirror images ----------------------------------------------------------------------------------


@pytest.mark.parametrize("figure", [DOLL, CURVED], ids=["linear", "polynomial"])
@given(seed=seeds)
def test_a_mirrored_posture_is_the_mirror_image(figure: Figure, seed: int) -> None:
    rng = np.random.default_rng(seed)
    posture = moderate(rng, figure)
    where, image = figure.place(posture), figure.place(posture.mirrored())
    # Parameters of a polynomial group are found by iteration.
    tolerance = 1e-12 if figure is DOLL else 1e-7
    for name in figure.segments:
        other = name
        for side, across in (("left_", "right_"), ("right_", "left_")):
            if name.startswith(side):
                other = across + name.removeprefix(side)
        position = MIRROR @ where[name].position
        rotation = MIRROR @ where[name].rotation @ MIRROR
        assert np.abs(image[other].position - position).max() < tolerance
        assert np.abs(image[other].rotation - rotation).max() < tolerance


@given(seeds)
def test_a_posture_mirrored_twice_is_itself(seed: int) -> None:
    posture = moderate(np.random.default_rng(seed), DOLL)
    assert np.abs(posture.mirrored().mirrored().q - posture.q).max() < 1e-12


def test_joints_of_different_kinds_do_not_mirror_each_other() -> None:
    builder = Builder("odd")
    for name in ("base", "a", "b"):
        builder.segment(name)
    builder.joint("left_arm", Hinge(), "base", "a")
    builder.joint("right_arm", Ball(), "base", "b")
    words = r"'left_arm' \(hinge\) and 'right_arm' \(ball\) do not mirror each other"
    with pytest.raises(PoiseError, match=words):
        builder.build().posture().mirrored()


# blends -----------------------------------------------------------------------------------------


@given(seeds)
def test_a_blend_begins_at_one_and_ends_at_the_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = moderate(rng, DOLL), moderate(rng, DOLL)
    assert np.abs(one.blend(other, 0.0).q - one.q).max() < 1e-13
    assert np.abs(one.blend(other, 1.0).q - other.q).max() < 1e-12


@given(seeds, st.floats(0, 1))
def test_a_blend_turns_balls_evenly_by_the_shortest_way(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    one, other = moderate(rng, DOLL), moderate(rng, DOLL)
    between = one.blend(other, share)
    kind, span = DOLL.joints["left_hip"].kind, DOLL.span("left_hip")

    def angle(a: Posture, b: Posture) -> float:
        first, second = kind.motion(a.q[span]).rotation, kind.motion(b.q[span]).rotation
        return float(np.linalg.norm(rotation_vector(first.T @ second)))

    assert angle(one, between) == pytest.approx(share * angle(one, other), abs=1e-12)
    knee = one["left_knee"], other["left_knee"]
    assert between["left_knee"] == pytest.approx(knee[0] + share * (knee[1] - knee[0]))  # type: ignore[operator]
    root = DOLL.span("root")
    straight = one.q[root][:3] + share * (other.q[root][:3] - one.q[root][:3])
    assert between.q[root][:3] == pytest.approx(straight, abs=1e-15)


def test_a_blend_does_not_go_the_long_way_round() -> None:
    one, other = DOLL.posture(), DOLL.posture()
    one["neck"], other["neck"] = (0, 0, 3.0), (0, 0, -3.0)
    half = one.blend(other, 0.5)["neck"]
    assert rotation_matrix(half) == pytest.approx(rotation_matrix((0, 0, np.pi)), abs=1e-12)


def test_the_share_of_a_blend_must_be_a_number() -> None:
    with pytest.raises(PoiseError, match="the share of a blend must be a finite number, not nan"):
        DOLL.posture().blend(DOLL.posture(), np.nan)
