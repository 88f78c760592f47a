"""Arrows, arcs and the stability diagram change the picture where they should."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene
from poise.pictures import diagram_picture, picture

SIZE = (220, 220)


def standing() -> Scene:
    scene = Scene(poise.human())
    scene.forces.support("left_foot", ratio=0.5)
    scene.forces.support("right_foot", ratio=0.5)
    scene.forces.apply("right_hand", force=(-60.0, 0.0, 0.0), torque=(0.0, 0.0, 5.0))
    return scene


def test_forces_and_torques_are_drawn() -> None:
    scene = standing()
    plain = picture(scene, size=SIZE, forces=False)
    arrows = picture(scene, size=SIZE)
    arcs = picture(scene, size=SIZE, torques=True)
    found = picture(scene, size=SIZE, forces=scene.forces.distribute())
    assert (plain != arrows).any()
    assert (arrows != arcs).any()
    assert (arrows != found).any()


def test_a_diagram_is_plotted_and_written(tmp_path: Path) -> None:
    diagram = standing().forces.diagram("right_hand", directions=8)
    image = diagram_picture(diagram, tmp_path / "diagram.png", size=(400, 300))
    assert image.shape == (300, 400, 3)
    assert image.dtype == np.uint8
    assert (tmp_path / "diagram.png").stat().st_size > 1000


def test_what_is_no_diagram_is_refused() -> None:
    with pytest.raises(PoiseError, match=r"is no stability diagram; scene\.forces\."):
        diagram_picture(3)  # type: ignore[arg-type]
    diagram = standing().forces.diagram("right_hand", directions=4)
    for most in (0, -1.0, float("nan")):
        with pytest.raises(PoiseError, match=r"the force .N. at which a diagram ends must be"):
            diagram_picture(diagram, most=most)


def test_there_is_no_diagram_of_who_cannot_stand() -> None:
    scene = standing()
    scene.forces.apply("pelvis", force=(5e3, 0.0, 0.0))
    with pytest.raises(PoiseError, match="nothing to plot: cannot stand at 'right_hand'"):
        diagram_picture(scene.forces.diagram("right_hand", directions=4))
