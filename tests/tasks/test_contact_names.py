"""Contact with a named frame: the face of a prop, a site of a figure, in place or in a hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.tasks.figures import context_of, stander
from tests.tasks.residual import residual_of

import poise
from poise import PoiseError, Scene
from poise import tasks as t
from poise.figure import Transform
from poise.figure.transform import rotation_matrix


def arm_at_table(tilt: float = 0.0) -> Scene:
    scene = Scene(poise.human())
    table = poise.box(0.6, 0.8, 0.04, name="table")
    scene.place(table, (0.5, 0.0, 0.9), (0.0, tilt, 0.0))
    for side in ("left", "right"):
        scene.add(t.Frame(f"{side}_foot"), priority=1, name=side)
    return scene


@pytest.mark.parametrize("tilt", [0.0, 0.3])
def test_a_palm_lies_flat_on_the_face_of_a_prop(tilt: float) -> None:
    scene = arm_at_table(tilt)
    scene.add(t.Contact("right_palm", "table/top"), priority=2, name="lay")
    scene.add(t.Position("right_palm", "table/top", axes="y"), priority=3)
    solution = scene.solve()
    assert solution.met, solution
    palm, face = solution.places["right_palm"], scene.places["table/top"]
    normal = scene.places["table"].rotation[:, 2]
    assert normal @ (palm.position - face.position) == pytest.approx(0.0, abs=1e-3)
    assert palm.rotation[:, 2] == pytest.approx(-normal, abs=1e-3)


def test_where_it_may_neither_slide_nor_turn_both_frames_coincide() -> None:
    scene = arm_at_table()
    scene.add(t.Contact("right_palm", "table/top", slide=False, turn=False), priority=2)
    palm = scene.solve().places["right_palm"]
    face = scene.places["table/top"]
    np.testing.assert_allclose(palm.position, face.position, atol=1e-3)
    np.testing.assert_allclose(palm.rotation, face.rotation, atol=1e-3)


def test_the_ground_of_a_figures_site_is_outside_its_body() -> None:
    scene = Scene(poise.human())
    scene.add(t.Contact("right_palm", "left_palm"), name="clap")
    solution = scene.solve()
    left, right = (solution.places[f"{side}_palm"] for side in ("left", "right"))
    assert solution.met
    assert left.rotation[:, 2] == pytest.approx(-right.rotation[:, 2], abs=1e-3)


def test_a_normal_is_given_in_the_axes_of_the_surface() -> None:
    scene = arm_at_table()
    scene.add(t.Contact("right_palm", "table/top", "x"), priority=2)
    palm = scene.solve().places["right_palm"]
    assert palm.rotation[:, 2] == pytest.approx((-1.0, 0.0, 0.0), abs=1e-3)
    assert palm.position[0] == pytest.approx(0.5, abs=1e-3)


def test_the_plane_follows_the_prop_when_it_is_placed_again() -> None:
    scene = arm_at_table()
    scene.add(t.Contact("right_palm", "table/top"), priority=2)
    scene.solve()
    scene.place("table", (0.5, 0.0, 1.1))
    assert scene.solve().places["right_palm"].position[2] == pytest.approx(1.12, abs=1e-3)


def test_a_sole_on_a_level_face_bears_and_one_on_a_wall_does_not() -> None:
    scene = Scene(poise.human())
    scene.place(poise.box(0.4, 0.6, 0.2, name="step"), (0.0, 0.0, -0.1))
    scene.add(t.Frame("left_foot"), priority=1)
    foot = scene.add(t.Contact("right_foot", "step/top"), priority=1)
    scene.add(t.Balance(), priority=2)
    assert foot.wanted.held() == ("right_foot",)  # type: ignore[union-attr]
    assert scene.solve().met
    wall = scene.add(t.Contact("right_palm", "step/front"), priority=3)
    assert wall.wanted.held() == ()  # type: ignore[union-attr]


def test_a_prop_in_a_hand_is_a_ground_that_moves() -> None:
    scene = Scene(poise.human())
    scene.hold(poise.box(0.3, 0.2, 0.02, name="tray"), "left_palm", at="bottom")
    scene.add(t.Contact("right_palm", "tray/top", slide=False), name="lay")
    solution = scene.solve()
    assert solution.met, solution
    palm, face = solution.places["right_palm"], solution.places["tray/top"]
    np.testing.assert_allclose(palm.position, face.position, atol=1e-3)
    np.testing.assert_allclose(palm.rotation[:, 2], face.rotation[:, 2], atol=1e-3)


@pytest.mark.parametrize("slide", [True, False])
@pytest.mark.parametrize("turn", [True, False])
def test_the_error_is_that_of_the_same_plane_in_the_world(slide: bool, turn: bool) -> None:
    figure = stander().with_site("ground", "leg", (0.4, 0.1, 0.2), rotation=(0.3, -0.2, 0.5))
    context = context_of(figure)
    place = context.places["ground"]
    options: dict[str, Any] = {"slide": slide, "turn": turn}
    named = t.Contact("hand", "ground", **options)
    over = Transform(place.rotation @ rotation_matrix((np.pi, 0, 0)), place.position)
    fixed = t.Contact("hand", over, place.rotation[:, 2], **options)
    q = figure.posture()
    q["hip"] = 0.4
    sizes = [np.linalg.norm(residual_of(figure, task)(q.q)) for task in (named, fixed)]
    assert sizes[0] == pytest.approx(sizes[1], abs=1e-9)


def test_a_contact_with_a_name_is_kept_in_a_file(tmp_path: Any) -> None:
    scene = arm_at_table()
    scene.add(t.Contact("right_palm", "table/top", "-z", turn=False), priority=2, name="lay")
    scene.add(t.Contact("left_palm", "table/top"), priority=2, name="rest")
    scene.save(tmp_path / "scene.yaml")
    again = Scene.load(tmp_path / "scene.yaml")
    for name in ("lay", "rest"):
        assert again.handles[name].wanted == scene.handles[name].wanted


def test_a_contact_with_a_name_that_is_not_there_says_so() -> None:
    scene = arm_at_table()
    with pytest.raises(PoiseError, match="there is no site, segment or joint 'table/topp'"):
        scene.add(t.Contact("right_palm", "table/topp"))
    with pytest.raises(PoiseError, match="must be another site, not 'right_palm' itself"):
        t.Contact("right_palm", "right_palm")
