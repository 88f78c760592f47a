"""Forces in scene files: read, written, and refused with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from poise import PoiseError, Scene, tasks
from poise.documents import parse
from poise.scene.files import scene_from, scene_text

HEAD = "scene:\n  figure: human\n  forces:\n"


def loaded(text: str) -> Scene:
    return scene_from(parse(HEAD + text, "scene.yaml"), Path())


def test_forces_are_read() -> None:
    scene = loaded(
        "    supports: {left_foot: 0.25, right_foot: {ratio: 0.75, friction: 0.3}}\n"
        "    applied:\n"
        "      right_hand: {force: [-60, 0, 0]}\n"
        "      bag: {site: left_hand, force: [0, 0, -50], torque: [0, 0, 1], point: [0.1, 0, 0]}\n"
        "    person: {age: 60}\n"
        "    strength: {neck: 30, left_elbow.flexion: [77, 46]}\n"
    )
    assert scene.forces.supports["left_foot"].ratio == 0.25
    assert scene.forces.supports["right_foot"].friction == 0.3
    assert scene.forces.applied["bag"].site == "left_hand"
    assert scene.forces.applied["bag"].torque == (0.0, 0.0, 1.0)
    assert scene.forces.person == {"age": 60}
    assert set(scene.forces.strength) == {"neck", "left_elbow.flexion"}


def test_forces_that_were_found_are_kept() -> None:
    scene = loaded("    supports: {left_foot: 0.5, right_foot: 0.5}\n")
    scene.forces.use(scene.forces.distribute())
    scene.add(tasks.Effort(strength={"neck": (20.0, 30.0)}))
    again = scene_from(parse(scene_text(scene, Path()), "scene.yaml"), Path())
    assert again.forces.borne == scene.forces.borne != ()
    assert again.handles["effort"].wanted == scene.handles["effort"].wanted
    again.forces.apply("right_hand", force=(0, 0, -1))
    assert again.forces.borne == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("    supports: {left_fot: 1}\n", "line 4.*did you mean 'left_foot'"),
        ("    supports: {left_foot: {friction: 0}}\n", "line 4.*must be a number greater than 0"),
        ("    supports: {left_foot: {share: 1}}\n", "line 4.*share"),
        ("    applied: {wing: {force: [1, 0, 0]}}\n", "line 4.*there is no site"),
        ("    applied: {right_hand: {force: [1, 0]}}\n", "line 4.*three numbers"),
        ("    borne: [{site: left_foot, force: [0, 0, 1]}]\n", "line 4.*there is no support"),
        ("    person: {age: 400}\n", "line 4.*at most 110"),
        ("    person: {sex: other}\n", "line 4.*male"),
        ("    strength: {left_elbo: 3}\n", "line 4.*did you mean 'left_elbow'"),
        ("    strength: {neck: -3}\n", "line 4.*greater than 0"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(PoiseError, match=message):
        loaded(text)


def test_forces_that_do_not_balance_are_not_taken() -> None:
    scene = loaded("    supports: {left_foot: {ratio: 1, friction: 0.1}}\n")
    scene.forces.apply("pelvis", force=(400.0, 0.0, 0.0))
    with pytest.raises(PoiseError, match="do not balance"):
        scene.forces.use(scene.forces.distribute())
    with pytest.raises(PoiseError, match="must be loads"):
        scene.forces.use([3])  # type: ignore[list-item]
