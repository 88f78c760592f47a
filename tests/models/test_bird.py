import numpy as np
import pytest

from poise.errors import PoiseError
from poise.figure.transform import Transform, rotation_matrix
from poise.models import bird


def test_a_bird_has_48_coordinates_with_a_free_root() -> None:
    assert bird().n == 48
    assert bird(root="fixed").n == 42


def test_the_crown_is_at_the_height_and_the_mass_grows_with_its_cube() -> None:
    small, large = bird(0.65), bird(1.3)
    assert large.mass == pytest.approx(8 * small.mass)
    beak = large.place(large.rest())["beak"].position
    np.testing.assert_allclose(small.place(small.rest())["beak"].position, 0.5 * beak, atol=1e-12)
    crown = large.segments["crown"].shapes[0]
    top = large.place(large.rest())["crown"].position[2] + crown.center[2] + crown.radii[2]  # type: ignore[union-attr]
    assert top == pytest.approx(1.3, abs=0.015)


def test_the_wings_spread_within_their_limits() -> None:
    """The upper arm out of the fold by 75°, then the wing from the flank to the level."""
    figure = bird()
    posture = figure.rest()
    folded = figure.place(posture)["left_wing_tip"].position
    for side, sign in (("left", 1), ("right", -1)):
        turn = rotation_matrix([sign * 1.5, 0, 0]) @ rotation_matrix([0, np.deg2rad(-75), 0])
        joint = figure.joints[f"{side}_shoulder"]
        posture[f"{side}_shoulder"] = joint.kind.values(Transform.turn(turn))
        posture[f"{side}_elbow"] = np.deg2rad(140)
        posture[f"{side}_wrist"] = np.deg2rad(130)
    assert figure.within_limits(posture)
    tip = figure.place(posture)["left_wing_tip"].position
    assert folded[1] < 0.15
    assert tip[1] > 0.7


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(PoiseError, match="height"):
        bird(0.0)
    with pytest.raises(PoiseError, match="'free' or 'fixed'"):
        bird(root="air")
