"""The prior on skeletons from files, by the names of their joints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poise
from poise import Scene
from poise import tasks as t
from poise.figure import Figure
from poise.formats import read
from poise.models.humanoids import is_humanoid, names_of_person, trunk_law, trunk_of
from poise.models.prior import prior_of, shipped

SKELETON = [
    ("Hips", None, (0, 95, 0)),
    ("LowerBack", "Hips", (0, 5, 0)),
    ("Spine", "LowerBack", (0, 12, 0)),
    ("Spine1", "Spine", (0, 12, 0)),
    ("Neck", "Spine1", (0, 15, 0)),
    ("Head", "Neck", (0, 12, 0)),
    *(
        row
        for side, sign in (("Left", 1), ("Right", -1))
        for row in (
            (f"{side}UpLeg", "Hips", (9 * sign, -5, 0)),
            (f"{side}Leg", f"{side}UpLeg", (0, -42, 0)),
            (f"{side}Foot", f"{side}Leg", (0, -42, 0)),
            (f"{side}ToeBase", f"{side}Foot", (0, -4, 14)),
            (f"{side}Shoulder", "Spine1", (3 * sign, 10, 0)),
            (f"{side}Arm", f"{side}Shoulder", (13 * sign, 0, 0)),
            (f"{side}ForeArm", f"{side}Arm", (28 * sign, 0, 0)),
            (f"{side}Hand", f"{side}ForeArm", (26 * sign, 0, 0)),
        )
    ),
]
"""A person of 1.7 m in a T-pose, y up and z forward, in centimetres: name, parent, offset."""


def written(name: str, indent: int = 0) -> list[str]:
    """A joint of the skeleton with all below it, as BVH has it."""
    _, parent, offset = next(row for row in SKELETON if row[0] == name)
    pad = "  " * indent
    kind, places = ("ROOT", 6) if parent is None else ("JOINT", 3)
    channels = "Xposition Yposition Zposition " * (places == 6) + "Zrotation Xrotation Yrotation"
    lines = [f"{pad}{kind} {name}", f"{pad}{{", f"{pad}  OFFSET {' '.join(map(str, offset))}"]
    lines.append(f"{pad}  CHANNELS {places} {channels}")
    below = [row[0] for row in SKELETON if row[1] == name]
    for each in below:
        lines += written(each, indent + 1)
    if not below:
        lines += [f"{pad}  End Site", f"{pad}  {{", f"{pad}    OFFSET 0 5 0", f"{pad}  }}"]
    return [*lines, f"{pad}}}"]


def loaded(folder: Path, limits: str | bool = "human") -> Figure:
    count = 3 * len(SKELETON) + 3
    zero = " ".join(["0", "95", "0", *["0"] * (count - 3)])
    lines = ["HIERARCHY", *written("Hips"), "MOTION", "Frames: 1", "Frame Time: 0.1", zero]
    path = folder / "person.bvh"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    options: dict[str, Any] = {"limits": limits} if limits else {}
    return read(path, up="y", forward="z", unit="cm", names="auto", **options).figure


@pytest.fixture
def skeleton(tmp_path: Path) -> Figure:
    return loaded(tmp_path)


def test_a_skeleton_with_human_joints_has_the_prior(skeleton: Figure) -> None:
    assert is_humanoid(skeleton)
    prior = prior_of(skeleton)
    assert prior is not None
    assert len(prior.indices) == skeleton.n - 6
    assert [each.name for each in prior.stances] == ["stand", "crouch", "low", "stride"]
    assert shipped().starts(skeleton) == {}  # it has no soles to stand on


def test_its_means_are_those_of_our_person(skeleton: Figure) -> None:
    person = poise.human(shoulders="independent")
    ours, theirs = prior_of(person), prior_of(skeleton)
    assert ours is not None
    assert theirs is not None
    for own, other in zip(ours.stances, theirs.stances, strict=True):
        mean = dict(zip([person.coordinates[i] for i in ours.indices], own.mean, strict=False))
        got = dict(zip([skeleton.coordinates[i] for i in theirs.indices], other.mean, strict=False))
        for name in ("left_hip.swing_y", "right_knee.flexion", "left_shoulder.swing_x"):
            assert got[name] == pytest.approx(mean[name], abs=1e-9)
        trunk = [got[f"{joint}.swing_y"] for joint in ("spine", "chest", "upper_chest")]
        assert trunk == pytest.approx([mean["spine.flexion"] / 3] * 3)


def test_a_trunk_bends_as_the_spine_does(skeleton: Figure) -> None:
    """The same lean by vertebrae and by balls turns the trunk to the same side."""
    person = poise.human()
    for i, angle in enumerate(("flexion", "lateral", "axial")):
        bent, other = person.rest(), skeleton.rest()
        bent[f"spine.{angle}"] = 0.3
        members, shares = trunk_law(trunk_of(skeleton.coordinates))
        for name, share in zip(members, shares[:, i], strict=True):
            other[name] = 0.3 * share
        turned = [
            figure.place(posture).segment(top).rotation
            @ figure.place(figure.rest()).segment(top).rotation.T
            for figure, posture, top in (
                (person, bent, "head"),
                (skeleton, other, "head"),
            )
        ]
        np.testing.assert_allclose(turned[1], turned[0], atol=0.05)


def test_what_moves_as_the_spine_would_is_as_usual_as_there(skeleton: Figure) -> None:
    """Bent evenly a trunk costs what the spine costs; bent unevenly it costs more."""
    prior = prior_of(skeleton)
    assert prior is not None
    even, uneven = skeleton.rest(), skeleton.rest()
    for joint in ("spine", "chest", "upper_chest"):
        even[f"{joint}.swing_y"] = 0.1
    uneven["spine.swing_y"] = 0.3
    assert prior.log_likelihoods(even)["stand"] > prior.log_likelihoods(uneven)["stand"] + 5


def test_without_human_limits_or_a_trunk_it_is_no_humanoid(tmp_path: Path) -> None:
    plain = loaded(tmp_path, limits=False)
    assert not is_humanoid(plain)
    assert prior_of(plain) is None
    assert not Scene(plain).natural
    assert not is_humanoid(poise.models.quadruped())
    assert prior_of(poise.models.quadruped()) is None


def test_names_that_differ_are_read_as_ours() -> None:
    own = ("left_lower_forearm.pronation", "right_elbow.pronation", "head.swing_x", "head.twist")
    assert names_of_person(own) == (
        "left_elbow.pronation",
        "right_elbow.pronation",
        "neck.swing_x",
        "neck.twist",
    )
    necked = ("neck.twist", "head.swing_x", "head.twist")
    assert names_of_person(necked) == necked
    both = ("left_elbow.pronation", "left_lower_forearm.pronation")
    assert names_of_person(both) == both


def test_a_scene_holds_it_as_people_hold_themselves(skeleton: Figure) -> None:
    """By default: arms come down from the T-pose in which such skeletons rest."""
    scene = Scene(skeleton)
    assert scene.natural
    for foot in ("left_foot", "right_foot"):
        scene.add(t.Frame(foot))
    solution = scene.solve()
    assert solution.met
    where = skeleton.place(solution.posture)
    assert where["left_lower_forearm"].position[2] < where["left_shoulder"].position[2] - 0.4
    scene.natural = False
    assert scene.solve().met
    low = skeleton.place(scene.solve().posture)
    assert low["left_lower_forearm"].position[2] == pytest.approx(
        skeleton.place(skeleton.rest())["left_lower_forearm"].position[2], abs=1e-3
    )
