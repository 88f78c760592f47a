"""Parts of props and of several figures, whose names have a "/", in every format."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poise
from poise.figure import (
    WORLD,
    Ball,
    Coupling,
    Elbow,
    Figure,
    Free,
    Hinge,
    Joint,
    Posture,
    Segment,
    Swing,
)
from poise.formats import Reading, read
from poise.formats.renaming import written
from poise.tasks import Loop

FILES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a.yaml": ({}, {}),
    "a.bvh": ({}, {"up": "y", "forward": "z", "unit": "cm"}),
    "a.urdf": ({"hinges": True}, {}),
    "a.xml": ({}, {}),
    "a.mjcf": ({"hinges": True}, {}),
    "a.glb": ({}, {}),
    "a.gltf": ({}, {}),
}
"""Options to write and to read."""


def carrying() -> Posture:
    """A person that holds a box."""
    scene = poise.Scene(poise.human())
    scene.hold(poise.box(0.3, 0.2, 0.2, mass=5.0), "right_hand")
    return scene.postures[next(iter(scene.postures))]


@pytest.mark.parametrize("file", FILES)
def test_a_human_that_holds_a_box_reads_back(tmp_path: Path, file: str) -> None:
    here = carrying()
    write_options, read_options = FILES[file]
    notes = poise.export(here, tmp_path / file, **write_options)
    assert any("box/top is box_top" in note for note in notes)
    again = read(tmp_path / file, **read_options)
    assert "box" in again.figure.segments
    if file != "a.bvh":
        assert again.figure.mass == pytest.approx(here.figure.mass, abs=1e-9)
    if file not in ("a.bvh", "a.urdf"):
        assert "box_top" in again.figure.sites
    if file in ("a.yaml", "a.glb", "a.gltf"):
        assert again.figure.coordinates == here.figure.coordinates
    if again.posture is not None:
        wanted = here.figure.place(here)
        shown = again.figure.place(again.posture)
        for segment in ("box", "right_hand", "head"):
            place, other = wanted.segment(segment), shown.segment(segment)
            np.testing.assert_allclose(other.position, place.position, atol=2e-6)
            np.testing.assert_allclose(other.rotation, place.rotation, atol=2e-6)


@pytest.mark.parametrize("file", FILES)
def test_two_people_read_back(tmp_path: Path, file: str) -> None:
    pair = poise.Scene({"anna": poise.human(sex="female"), "ben": poise.human()})
    write_options, read_options = FILES[file]
    poise.export(pair, tmp_path / file, **write_options)
    figure = read(tmp_path / file, **read_options).figure
    assert {"anna_head", "ben_head", "anna_left_foot", "ben_left_foot"} <= set(figure.segments)
    if file in ("a.yaml", "a.glb", "a.gltf"):
        assert figure.n == sum(posture.figure.n for posture in pair.postures.values())
        assert "ben_spine" in figure.groups


def test_names_that_become_the_same_are_kept_apart(tmp_path: Path) -> None:
    pair = poise.Scene({"a": poise.chain(2), "a_link": poise.chain(2)})
    whole = Reading(poise.chain(1))
    assert written(whole, originals=False) == (whole, [])
    for file, (write_options, read_options) in FILES.items():
        poise.export(pair, tmp_path / file, **write_options)
        again = read(tmp_path / file, **read_options).figure
        assert len([name for name in again.segments if name != WORLD]) >= 6


def test_a_loop_follows_the_names_of_its_sites() -> None:
    here = carrying()
    reading = Reading(here.figure, here, loops=(Loop("box/left", "left_hand"),))
    again, _ = written(reading, originals=False)
    assert [(loop.site, loop.other) for loop in again.loops] == [("box_left", "left_hand")]  # type: ignore[attr-defined]


# names of hinges that stand for other joints -------------------------------------------------


def clashing() -> Figure:
    """Joints whose parts would be called like other joints: `arm_x`, `arm_flexion`, …"""
    kinds = {
        "arm": Ball(),
        "arm_x": Hinge("y", (-0.1, 0.1)),
        "wrist": Swing(),
        "wrist_x": Hinge("z", (-0.2, 0.2)),
        "wrist_x_again": Hinge("x", (-0.3, 0.3)),
        "elbow": Elbow(),
        "elbow_flexion": Hinge("y", (-0.4, 0.4)),
        "boat": Free(),
        "boat_x": Hinge("x", (-0.5, 0.5)),
        "arm_end": Hinge("x", (-0.6, 0.6)),
    }
    joints: list[Joint] = []
    parent = WORLD
    for name, kind in kinds.items():
        joints.append(Joint(name, kind, parent, f"{name}_part", (0.0, 0.0, 0.1)))
        parent = f"{name}_part"
    joints[0] = replace(joints[0], child_position=(0.1, 0.0, 0.0))
    terms = {"arm_x.angle": 1.0, "wrist_x.angle": -0.5}
    return Figure(
        "clashing",
        [Segment(f"{name}_part", 1.0) for name in kinds],
        joints,
        couplings=[Coupling("gear", terms, 0.0, 0.0)],
    )


@pytest.mark.parametrize("file", ["a.urdf", "a.xml", "a.mjcf"])
def test_hinges_that_stand_for_a_joint_have_names_of_their_own(tmp_path: Path, file: str) -> None:
    figure = clashing()
    poise.export(figure, tmp_path / file, **FILES[file][0])
    again = read(tmp_path / file).figure
    for name, joint in figure.joints.items():
        if isinstance(joint.kind, Hinge):
            kept = again.joints[name].kind
            assert isinstance(kept, Hinge)
            assert kept.limits == pytest.approx(joint.kind.limits)
    law = next(each for each in again.couplings.values() if "arm_x.angle" in each.terms)
    ratio = law.terms["wrist_x.angle"] / law.terms["arm_x.angle"]
    assert (set(law.terms), ratio) == ({"arm_x.angle", "wrist_x.angle"}, pytest.approx(-0.5))


def test_props_that_stand_in_the_world_are_left_out_with_a_note(tmp_path: Path) -> None:
    scene = poise.Scene(poise.chain(3, 0.3))
    scene.place(poise.box(0.4, 0.4, 0.7, name="table"), (0.5, 0.0, 0.35))
    scene.hold(poise.box(0.1, 0.1, 0.1, name="parcel"), "tip")
    told = "props that stand in the world left out: table"
    assert told in poise.export(scene, tmp_path / "a.bvh")
    assert told in poise.export(scene.solve(), tmp_path / "b.xml")
    assert not any("table" in note for note in poise.export(scene.posture, tmp_path / "c.bvh"))
