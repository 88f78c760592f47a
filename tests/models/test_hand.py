from __future__ import annotations

import numpy as np
import pytest

import poise
from poise import PoiseError
from poise.models.tables import table

FINGERS = ("index", "middle", "ring", "little", "thumb")
DEGREES = np.pi / 180


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_hand_is_as_long_as_it_was_asked_for(side):
    figure = poise.hand(side, length=0.2)
    flat = figure.place(figure.posture())
    assert flat[f"{side}_fingertip"].position[2] == pytest.approx(-0.2, abs=1e-3)
    assert figure.n == 4 * 4 + 4
    assert {f"{side}_{finger}_tip" for finger in FINGERS} <= set(figure.sites)
    assert 0.3 < figure.mass < 0.8


@pytest.mark.parametrize("side", ["left", "right"])
def test_rest_is_within_limits_and_the_palm_faces_forward(side):
    figure = poise.hand(side)
    rest = figure.rest()
    assert figure.within_limits(rest)
    palm = figure.place(rest)[f"{side}_palm"]
    assert palm.rotation[:, 2] == pytest.approx([1, 0, 0], abs=1e-12)
    assert palm.rotation[:, 0] == pytest.approx([0, 0, -1], abs=1e-12)
    assert len(figure.sites[f"{side}_palm"].outline) >= 4


def test_left_and_right_hands_are_mirror_images():
    left, right = poise.hand("left"), poise.hand("right")
    a, b = left.place(left.rest()), right.place(right.rest())
    for finger in FINGERS:
        image = a[f"left_{finger}_tip"].position * [1, -1, 1]
        assert b[f"right_{finger}_tip"].position == pytest.approx(image, abs=1e-12)
    assert a["left_thumb_tip"].position[1] > 0.03  # outwards, the palm being forward


def test_the_last_joint_of_a_finger_bends_two_thirds_of_the_one_before():
    figure = poise.hand()
    posture = figure.rest()
    posture["right_index_pip"] = 60 * DEGREES
    posture["right_index_dip"] = 40 * DEGREES
    assert figure.within_limits(posture)
    posture["right_index_dip"] = 30 * DEGREES
    assert not figure.within_limits(posture)
    clamped = figure.clamp(posture)
    assert clamped["right_index_dip"] == pytest.approx(2 / 3 * clamped["right_index_pip"])


@pytest.mark.parametrize(("flexion", "allowed"), [(-20, 20), (0, 20), (45, 10.5), (85, 2)])
def test_fingers_spread_less_when_they_are_bent(flexion, allowed):
    figure = poise.hand("left")
    posture = figure.rest()
    for finger in FINGERS[:4]:
        for sign in (1, -1):
            posture[f"left_{finger}_mcp"] = sign * (allowed - 0.3) * DEGREES, flexion * DEGREES
            assert figure.within_limits(posture)
            posture[f"left_{finger}_mcp"] = sign * (allowed + 0.5) * DEGREES, flexion * DEGREES
            assert not figure.within_limits(posture)
        posture[f"left_{finger}_mcp"] = 0, 0


@pytest.mark.parametrize("side", ["left", "right"])
def test_abduction_moves_fingers_apart_and_the_thumb_out_of_the_palm(side):
    figure = poise.hand(side)
    start = figure.place(figure.rest())
    sign = 1 if side == "left" else -1
    for finger, axis, direction in (
        ("index", 1, sign),
        ("little", 1, -sign),
        ("thumb", 0, 1),
    ):
        posture = figure.rest()
        joint = f"{side}_{finger}_{'cmc' if finger == 'thumb' else 'mcp'}"
        posture.set_angles(joint, abduction=posture.angles(joint)["abduction"] + 0.2)
        moved = figure.place(posture)[f"{side}_{finger}_tip"].position
        assert direction * (moved - start[f"{side}_{finger}_tip"].position)[axis] > 0.005


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_fist_brings_the_fingertips_to_the_palm(side):
    figure = poise.hand(side)
    posture = figure.rest()
    limits = table("hand")["ranges"]
    for finger in FINGERS[:4]:
        posture[f"{side}_{finger}_mcp"] = 0, 85 * DEGREES
        posture[f"{side}_{finger}_pip"] = 100 * DEGREES
        posture[f"{side}_{finger}_dip"] = limits["dip_of_pip"] * 100 * DEGREES
    assert figure.within_limits(posture)
    where = figure.place(posture)
    for finger in FINGERS[:4]:
        tip = where[f"{side}_{finger}_tip"].position
        assert np.linalg.norm(tip - where[f"{side}_hand"].position) < 0.05
        assert 0.0 < tip[0] < 0.06


def test_the_fingers_of_a_person_share_the_hands_mass():
    stiff, moving = poise.human(), poise.human(hands=True)
    whole = stiff.segments["left_hand"].mass
    parts = [
        segment.mass_properties()[0]
        for name, segment in moving.segments.items()
        if name == "left_hand" or name.startswith(tuple(f"left_{f}_" for f in FINGERS))
    ]
    assert len(parts) == 16
    assert sum(parts) == pytest.approx(whole, rel=1e-9)


def test_the_root_is_fixed_or_free():
    assert poise.hand(root="free").n == poise.hand().n + 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"side": "up"}, r"side must be 'left' or 'right', not 'up'"),
        ({"length": 19}, r"length must be between 0.08 and 0.3 m, .* not 19"),
        ({"length": None}, r"length must be a number, not None"),
        ({"root": "palm"}, r"root must be 'free' or 'fixed', not 'palm'"),
    ],
)
def test_wrong_arguments_are_told(arguments, message):
    with pytest.raises(PoiseError, match=message):
        poise.hand(**arguments)
