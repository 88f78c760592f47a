"""The motion that methods are compared on."""

import numpy as np

from poise.reproductions.projected_2011.motion import GOALS, made
from poise.reproductions.projected_2011.protocol import UNIT, outliers, spread, total


def test_the_exercise_made_here_is_a_closed_cycle_within_limits() -> None:
    clip = made().clip
    figure = clip.figure
    assert clip.seconds == 5.0
    assert all(figure.within_limits(posture) for posture in clip)
    np.testing.assert_allclose(clip.q[0], clip.q[-1], atol=1e-9)


def test_the_exercise_made_here_moves_every_goal_and_stands_on_the_floor() -> None:
    motion = made()
    places = [motion.clip.figure.place(motion.at(share)) for share in np.linspace(0, 1, 15)]
    for name in GOALS:
        assert np.ptp([where[name].position for where in places], axis=0).max() > 0.2
    for where in places:
        heights = [where[f"{side}_foot"].position[2] for side in ("left", "right")]
        assert abs(min(heights)) < 1e-2


def test_the_function_value_is_in_units_of_the_paper() -> None:
    posture = made().clip[0]
    moved = posture.copy()
    moved["root.x"] = float(moved["root.x"]) + UNIT
    assert np.isclose(total(moved, posture), len(GOALS))


def test_boxes_and_outliers_are_those_of_a_box_plot() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 100.0])
    assert np.isclose(spread(values), 2.5)
    assert outliers(values) == 1
