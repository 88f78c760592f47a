"""Postures of people, found again from some of what they do; here without motion capture."""

from __future__ import annotations

from pathlib import Path

import natural
import natural_following
import natural_frames
import natural_humanoids
import numpy as np
import pytest
from tests.skeletons_of_cmu import HANGING, bvh

import poise
from poise.figure.transform import rotation_matrix
from poise.formats import read


def frame(pose: str = "walking") -> natural_frames.Frame:
    posture = poise.models.pose(poise.human(), pose)
    return natural_frames.Frame("made", natural_frames.brought(posture))


def test_a_posture_is_brought_to_the_origin_facing_x() -> None:
    figure = poise.human()
    posture = figure.rest()
    posture["root"] = [2.0, -1.0, 0.9, 0.0, 0.0, 2.5]
    where = figure.place(natural_frames.brought(posture))
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
    assert abs(natural_frames.heading(figure.place(posture))) < 1e-6


@pytest.mark.parametrize("goals", natural_frames.GOALS)
def test_a_frame_is_solved_and_measured(goals: str) -> None:
    asked = [frame(), frame("standing")]
    found = natural.measured(asked, natural_frames.GOALS[goals], natural_frames.WAYS["none"])
    assert found["met"] == [True, True]
    assert found["off"][1] < 0.02  # who stands is found standing
    assert 0.005 < found["off"][0] < 0.5
    off, met, _ = natural_frames.cell(found)
    assert met == "2 of 2"
    assert float(off.split("/")[0]) == pytest.approx(500 * sum(found["off"]), abs=0.6)


def test_ways_are_compared_with_the_one_without_criteria() -> None:
    plain = {"off": [0.1, 0.3], "met": [True, False], "seconds": [1e-3, 3e-3]}
    found = {goals: {"none": plain, "half": {**plain, "off": [0.1, 0.1]}} for goals in ("a", "b")}
    rows = natural_frames.compared(found)
    assert rows[0] == ["a", "none", "200 / 200", "1 of 2", "2.00", "1.00"]
    assert rows[1] == ["", "half", "100 / 100", "1 of 2", "2.00", "0.50"]
    assert [row and row[0] for row in rows] == ["a", "", None, "b", ""]


def test_only_the_scene_as_it_is_made_is_natural() -> None:
    made = {name: way(poise.human()) for name, way in natural_frames.WAYS.items()}
    assert [name for name, scene in made.items() if scene.natural] == ["default"]
    added = {name: list(scene.handles) for name, scene in made.items()}
    assert added == {"none": [], "Rest": ["rest"], "Comfort": ["comfort"], "default": []}


def test_a_followed_clip_is_measured_frame_by_frame() -> None:
    posture = frame("walking").posture
    clip = poise.Clip(posture.figure, np.array([posture.q] * 3), 30.0, "still")
    for goals in natural_frames.GOALS:
        found = natural_following.followed(clip, goals, natural_frames.WAYS["default"])
        assert found["met"] == [True] * 3
        assert found["off"][2] == pytest.approx(found["off"][1], abs=1e-3)


def test_a_sweep_goes_out_and_back_in_even_steps() -> None:
    start = np.array([0.1, -0.2, 0.9])
    way = natural_following.path(start, natural_following.SWEPT[0])
    np.testing.assert_allclose(way, way[::-1], atol=1e-12)
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
    assert steps.max() <= natural_following.STEP + 1e-12
    np.testing.assert_allclose(way[len(way) // 2], natural_following.SWEPT[0].far)


def test_six_goals_are_measured_on_a_skeleton_of_its_own(tmp_path: Path) -> None:
    """One who stands with hanging arms is found so from the T-pose, if only with the prior."""
    path = tmp_path / "stands.bvh"
    path.write_text(bvh([HANGING]), encoding="utf-8")
    clip = read(path, up="y", forward="z", unit="cm", names="auto", limits="human").clips
    (posture,) = next(iter(clip.values()))
    own = posture.figure
    stands = natural_frames.brought(own.clamp(posture))
    names = natural_humanoids.named(own)
    assert {"root", "spine", "left_elbow", "right_knee"} <= set(names)
    asked = [natural_frames.Frame("stands", stands)]
    found = {
        name: natural_humanoids.measured(asked, natural_frames.WAYS[name])
        for name in natural_humanoids.COMPARED
    }
    assert all(each["met"] == [True] for each in found.values())
    assert found["default"]["off"][0] < min(0.03, found["none"]["off"][0])
