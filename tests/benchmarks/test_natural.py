"""Postures of people, found again from some of what they do; here without motion capture."""

from __future__ import annotations

import natural
import numpy as np
import pytest

import poise
from poise.figure.transform import rotation_matrix


def frame(pose: str = "walking") -> natural.Frame:
    return natural.Frame("made", natural.brought(poise.models.pose(poise.human(), pose)))


def test_a_posture_is_brought_to_the_origin_facing_x() -> None:
    figure = poise.human()
    posture = figure.rest()
    posture["root"] = [2.0, -1.0, 0.9, 0.0, 0.0, 2.5]
    where = figure.place(natural.brought(posture))
    middle = 0.5 * (where["left_foot"].position + where["right_foot"].position)
    np.testing.assert_allclose(middle[:2], 0.0, atol=1e-9)
    np.testing.assert_allclose(where["pelvis"].rotation, np.eye(3), atol=1e-9)
    assert where["pelvis"].position[2] == pytest.approx(0.9)


def test_one_who_lies_on_the_back_faces_where_the_feet_do_not() -> None:
    figure = poise.human()
    posture = figure.rest()
    posture["root.ry"] = -np.pi / 2  # the face up, the head towards −x
    turned = figure.place(posture)["pelvis"].rotation
    np.testing.assert_allclose(turned, rotation_matrix([0, -np.pi / 2, 0]), atol=1e-9)
    assert abs(natural.heading(figure.place(posture))) < 1e-6


@pytest.mark.parametrize("goals", natural.GOALS)
def test_a_frame_is_solved_and_measured(goals: str) -> None:
    asked = [frame(), frame("standing")]
    found = natural.measured(asked, natural.GOALS[goals], natural.WAYS["none"])
    assert found["met"] == [True, True]
    assert found["off"][1] < 0.02  # who stands is found standing
    assert 0.005 < found["off"][0] < 0.5
    off, met, _ = natural.cell(found)
    assert met == "2 of 2"
    assert float(off.split("/")[0]) == pytest.approx(500 * sum(found["off"]), abs=0.6)


def test_only_the_scene_as_it_is_made_is_natural() -> None:
    made = {name: way(poise.human()) for name, way in natural.WAYS.items()}
    assert [name for name, scene in made.items() if scene.natural] == ["default"]
    added = {name: list(scene.handles) for name, scene in made.items()}
    assert added == {"none": [], "Rest": ["rest"], "Comfort": ["comfort"], "default": []}
