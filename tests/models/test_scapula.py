import numpy as np
import pytest

from poise.errors import PoiseError
from poise.figure import Ball, Ellipsoid
from poise.models import shoulder_complex


@pytest.mark.parametrize("side", ["left", "right"])
def test_there_are_three_balls_a_two_way_elbow_and_a_wrist(side: str) -> None:
    figure = shoulder_complex(side)
    assert figure.n == 3 + 3 + 3 + 2 + 2
    balls = ("sternoclavicular", "acromioclavicular", "glenohumeral")
    assert all(isinstance(figure.joints[ball].kind, Ball) for ball in balls)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("stature", [1.5, 1.75, 2.0])
def test_the_scapula_lies_on_the_thorax_at_rest(side: str, stature: float) -> None:
    figure = shoulder_complex(side, stature=stature)
    where = figure.place(figure.rest())
    (thorax,) = figure.segments["thorax"].shapes
    assert isinstance(thorax, Ellipsoid)
    np.testing.assert_allclose(thorax.center, 0.0, atol=1e-12)
    local = where["thorax_center"].inverse().apply(where["scapula_point"].position)
    assert np.linalg.norm(local / thorax.radii) == pytest.approx(1.0, abs=1e-12)


def test_the_left_one_mirrors_the_right_one() -> None:
    left, right = shoulder_complex("left"), shoulder_complex("right")
    a, b = left.place(left.rest()), right.place(right.rest())
    for site in left.sites:
        np.testing.assert_allclose(a[site].position * [1, -1, 1], b[site].position, atol=1e-12)
    assert b["shoulder"].position[1] < 0


@pytest.mark.parametrize("side", ["left", "right"])
def test_clinical_angles_move_the_bones_the_way_they_say(side: str) -> None:
    figure = shoulder_complex(side)
    out = 1.0 if side == "left" else -1.0
    rest = figure.place(figure.rest())

    def moved(joint: str, site: str, **angles: float) -> np.ndarray:
        posture = figure.rest()
        posture.set_angles(joint, **angles)
        assert figure.within_limits(posture), joint
        return figure.place(posture)[site].position - rest[site].position

    assert moved("sternoclavicular", "acromion", elevation=0.3)[2] > 0.02
    assert moved("sternoclavicular", "acromion", protraction=0.1)[0] > 0.01
    assert moved("acromioclavicular", "scapula_point", abduction=0.2)[1] * out > 0.01
    assert moved("glenohumeral", "elbow", abduction=1.2)[1] * out > 0.2
    assert moved("glenohumeral", "elbow", flexion=0.8)[0] > 0.1


def test_the_arm_cannot_go_through_the_trunk() -> None:
    figure = shoulder_complex("right")
    posture = figure.rest()
    posture.set_angles("glenohumeral", abduction=-0.8)
    assert not figure.within_limits(posture)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(PoiseError, match="left, right"):
        shoulder_complex("middle")
    with pytest.raises(PoiseError, match="stature"):
        shoulder_complex(stature=-1.0)
