"""Human limits for skeletons of other people's files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.formats.gltf_files import packed, unpacked
from tests.formats.skeletons import SKELETON

import poise
from poise import PoiseError
from poise.figure import Elbow, Fixed, Free, Hinge
from poise.formats import Reading, read

Values = NDArray[np.float64]
Turns = Mapping[str, tuple[float, float, float]]

MIXAMO: dict[str, tuple[str, tuple[float, float, float]]] = {
    "Hips": ("", (0, 0, 0)),
    "Spine": ("Hips", (0, 12, 0)),
    "Spine1": ("Spine", (0, 15, 0)),
    "Neck": ("Spine1", (0, 25, 0)),
    "Head": ("Neck", (0, 10, 0)),
}
CMU: dict[str, tuple[str, tuple[float, float, float]]] = {
    "Hips": ("", (0, 0, 0)),
    "LowerBack": ("Hips", (0, 12, 0)),
    "Spine1": ("LowerBack", (0, 15, 0)),
    "Neck": ("Spine1", (0, 25, 0)),
    "Head": ("Neck", (0, 10, 0)),
}
for side, sign, letter in (("Left", 1, "L"), ("Right", -1, "R")):
    for bones in (MIXAMO, CMU):
        bones[f"{side}Shoulder"] = ("Spine1", (3 * sign, 20, 0))
        bones[f"{side}Arm"] = (f"{side}Shoulder", (15 * sign, 0, 0))
        bones[f"{side}ForeArm"] = (f"{side}Arm", (28 * sign, 0, 0))
    MIXAMO[f"{side}Hand"] = (f"{side}ForeArm", (25 * sign, 0, 0))
    CMU[f"{side}Hand"] = (f"{side}ForeArm", (17 * sign, 0, 0))
    CMU[f"{side}FingerBase"] = (f"{side}Hand", (8 * sign, 0, 0))
    CMU[f"{letter}HipJoint"] = ("Hips", (0, 0, 0))
    for bones, hip in ((MIXAMO, "Hips"), (CMU, f"{letter}HipJoint")):
        bones[f"{side}UpLeg"] = (hip, (9 * sign, -5, 0))
        bones[f"{side}Leg"] = (f"{side}UpLeg", (0, -42, 0))
        bones[f"{side}Foot"] = (f"{side}Leg", (0, -42, 0))
        bones[f"{side}ToeBase"] = (f"{side}Foot", (0, -5, 14))
"""People in a T-pose, in centimetres, x left, y up, z forward: parents and offsets of joints."""


def bvh(bones: Mapping[str, tuple[str, tuple[float, float, float]]], *frames: Turns) -> str:
    """A file in which some joints turn about z, x and y, in degrees; the first frame is still."""
    lines = ["HIERARCHY"]

    def add(name: str) -> None:
        parent, offset = bones[name]
        lines.append(f"{'JOINT' if parent else 'ROOT'} {name}\n{{")
        lines.append(f"OFFSET {offset[0]} {offset[1]} {offset[2]}")
        places = "" if parent else "Xposition Yposition Zposition "
        count = 3 if parent else 6
        lines.append(f"CHANNELS {count} {places}Zrotation Xrotation Yrotation")
        order.append(name)
        below = [each for each in bones if bones[each][0] == name]
        for each in below:
            add(each)
        if not below:
            lines.append("End Site\n{\nOFFSET 0 0 5\n}")
        lines.append("}")

    order: list[str] = []
    add("Hips")
    shown: list[Turns] = [{}, *frames]
    lines.append(f"MOTION\nFrames: {len(shown)}\nFrame Time: 0.1")
    for frame in shown:
        numbers = [0, 95, 0, *(each for name in order for each in frame.get(name, (0, 0, 0)))]
        lines.append(" ".join(map(str, numbers)))
    return "\n".join(lines) + "\n"


def written(folder: Path, text: str, name: str = "person.bvh") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def places(clip: poise.Clip) -> list[dict[str, Values]]:
    """Where all segments are in every frame."""
    return [
        {each: where.segment(each).position for each in clip.figure.segments}
        for where in map(clip.figure.place, clip)
    ]


BENT: Turns = {
    "LeftLeg": (0, 80, 0),
    "LeftForeArm": (0, 0, -70),
    "RightForeArm": (0, 0, 60),
    "Neck": (0, 20, 0),
}


@pytest.mark.parametrize("bones", [MIXAMO, CMU], ids=["mixamo", "cmu"])
def test_a_known_skeleton_gets_the_joints_of_our_human(
    tmp_path: Path, bones: dict[str, Any]
) -> None:
    reading = read(written(tmp_path, bvh(bones, BENT)), limits="human", names="auto")
    figure, human = reading.figure, poise.human()
    for name in ("left_knee", "right_hip", "left_ankle", "right_wrist", "neck", "head"):
        assert figure.joints[name].kind == human.joints[name].kind
    assert isinstance(figure.joints["root"].kind, Free)
    assert {"left_hamstrings", "right_calf"} <= set(figure.couplings)
    rest = figure.rest()
    assert figure.broken_limits(rest) == {}
    assert rest.angles("left_shoulder")["abduction"] == pytest.approx(0.5 * np.pi, abs=1e-6)
    assert rest.angles("right_knee") == pytest.approx({"flexion": 0.0}, abs=1e-9)
    assert not [note for note in reading.notes if "limits" in note or "miss" in note]


@pytest.mark.parametrize("bones", [MIXAMO, CMU], ids=["mixamo", "cmu"])
def test_what_human_joints_can_do_is_followed_exactly(tmp_path: Path, bones: Any) -> None:
    path = written(tmp_path, bvh(bones, BENT))
    plain = poise.load_clip(path, names="auto")
    clip = poise.load_clip(path, limits="human", names="auto")
    for before, after in zip(places(plain), places(clip), strict=True):
        for name, place in before.items():
            np.testing.assert_allclose(after[name], place, atol=1e-6, err_msg=name)
    bent = clip[1]
    assert np.rad2deg(bent.angles("left_knee")["flexion"]) == pytest.approx(80, abs=1e-6)
    assert np.rad2deg(bent.angles("left_elbow")["flexion"]) == pytest.approx(70, abs=1e-6)
    assert np.rad2deg(bent.angles("right_elbow")["flexion"]) == pytest.approx(60, abs=1e-6)
    assert np.rad2deg(bent.angles("neck")["flexion"]) == pytest.approx(20, abs=1e-6)


def test_a_forearm_that_turns_in_a_part_of_its_own_has_its_pronation_there(tmp_path: Path) -> None:
    turned: Turns = {"LeftForeArm": (0, 0, -70), "LeftHand": (0, 45, 0), "LHipJoint": (0, 3, 0)}
    reading = read(written(tmp_path, bvh(CMU, turned)), limits="human", names="auto")
    joints, human = reading.figure.joints, poise.human().joints["left_elbow"].kind
    assert isinstance(human, Elbow)
    elbow, lower = joints["left_elbow"].kind, joints["left_lower_forearm"].kind
    assert isinstance(elbow, Hinge)
    assert isinstance(lower, Hinge)
    assert (elbow.limits, lower.limits) == (human.flexion_limits, human.twist_limits)
    (clip,) = reading.clips.values()
    start, end = (np.rad2deg(each["left_lower_forearm"]) for each in clip)
    assert (start, abs(end - start)) == pytest.approx((90, 45), abs=1e-6)
    assert isinstance(joints["left_hip_bone"].kind, Fixed)
    told = "joints that cannot turn as the file has it miss by left_hip_bone 3°"
    assert f"in the motion 'person' {told}" in reading.notes


def test_a_motion_that_breaks_limits_is_told_and_not_clamped(tmp_path: Path) -> None:
    """A knee that bends forward, by 50° in one frame and 40° in another."""
    path = written(tmp_path, bvh(MIXAMO, {"LeftLeg": (0, -50, 0)}, {"LeftLeg": (0, -40, 0)}))
    with pytest.warns(poise.PoiseWarning) as caught:
        clip = poise.load_clip(path, limits="human", names="auto")
    low = np.rad2deg(clip.figure.lower[clip.figure.index("left_knee.flexion")])
    (message,) = [str(each.message) for each in caught]
    told = f"breaks human limits, and is not clamped: left_knee.flexion {50 + low:.3g}°"
    assert told in message
    bent = [np.rad2deg(each["left_knee"]) for each in clip]
    assert bent == pytest.approx([0, -50, -40], abs=1e-6)


def test_without_names_parts_keep_those_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, bvh(MIXAMO, {"LeftLeg": (0, -50, 0)}))
    reading = read(path, limits="human")
    assert list(reading.figure.segments) == list(poise.load(path).segments)
    assert "LeftLeg.flexion" in reading.figure.coordinates
    assert any("clamped: LeftLeg.flexion " in note for note in reading.notes)
    assert not any("names" in note for note in reading.notes)


def test_elbows_bend_about_the_axis_that_the_motion_shows(tmp_path: Path) -> None:
    """In this T-pose the hollow of the elbow looks up and ahead, half and half."""
    tilted: list[Turns] = []
    for angle in (20.0, 60.0, 90.0):
        half = np.deg2rad(angle) / 2
        axis = np.array([0.0, -1.0, 1.0]) / np.sqrt(2)
        turn = poise.figure.transform.rotation_matrix(2 * half * axis)
        x = np.rad2deg(np.arcsin(turn[2, 1]))
        z = np.rad2deg(np.arctan2(-turn[0, 1], turn[1, 1]))
        y = np.rad2deg(np.arctan2(-turn[2, 0], turn[2, 2]))
        tilted.append({"LeftForeArm": (z, x, y)})
    path = written(tmp_path, bvh(MIXAMO, *tilted))
    reading = read(path, limits="human", names="auto")
    assert not any("miss" in note for note in reading.notes)
    (clip,) = reading.clips.values()
    bent = [np.rad2deg(each.angles("left_elbow")["flexion"]) for each in clip]
    assert bent == pytest.approx([0, 20, 60, 90], abs=1e-6)
    rolled = np.rad2deg(clip.figure.rest().angles("left_shoulder")["rotation"])
    assert abs(rolled) == pytest.approx(45, abs=1e-3)


def test_a_glb_and_its_skin_get_human_limits(tmp_path: Path) -> None:
    """A file of plain nodes, as other programs write them."""
    plain = poise.load_clip(written(tmp_path, bvh(MIXAMO, BENT)))
    plain.save(tmp_path / "ours.glb")
    data, chunk = unpacked((tmp_path / "ours.glb").read_bytes())
    segments = [i for i, node in enumerate(data["nodes"]) if "segment" in node["extras"]["poise"]]
    data["skins"] = [{"joints": segments}]
    for part in (data, *data["nodes"], *data["meshes"], *data["animations"]):
        part.pop("extras", None)
    (tmp_path / "person.glb").write_bytes(packed(data, chunk))
    reading = read(tmp_path / "person.glb", limits="human", names="auto")
    assert isinstance(reading.figure.joints["left_knee"].kind, Hinge)
    assert reading.skin is not None
    assert set(reading.skin.surfaces[0].segments) <= set(reading.figure.segments)
    (clip,) = reading.clips.values()
    for before, after in zip(places(plain), places(clip), strict=True):
        np.testing.assert_allclose(after["left_hand"], before["LeftHand"], atol=1e-5)


ASF = f"""\
{SKELETON.partition(":bonedata")[0]}:bonedata
{{bones}}
:hierarchy
  begin
{{children}}
  end
"""
ASF_BONES = {
    "lhipjoint": ("root", (1.5, -1, 0), "", ""),
    "lfemur": ("lhipjoint", (0, -7.5, 0), "rx ry rz", "(-160 20) (-70 70) (-60 70)"),
    "ltibia": ("lfemur", (0, -7, 0), "rx", "(-10 170)"),
    "lfoot": ("ltibia", (0, -0.5, 2), "rx rz", "(-45 90) (-70 20)"),
    "rhipjoint": ("root", (-1.5, -1, 0), "", ""),
    "rfemur": ("rhipjoint", (0, -7.5, 0), "rx ry rz", "(-160 20) (-70 70) (-60 70)"),
    "rtibia": ("rfemur", (0, -7, 0), "rx", "(-10 170)"),
    "rfoot": ("rtibia", (0, -0.5, 2), "rx rz", "(-45 90) (-70 20)"),
    "lowerback": ("root", (0, 7, 0), "rx ry rz", "(-20 45) (-30 30) (-30 30)"),
    "thorax": ("lowerback", (0, 3, 0), "rx ry rz", "(-20 45) (-30 30) (-30 30)"),
    "head": ("thorax", (0, 3, 0), "rx ry rz", "(-20 45) (-30 30) (-30 30)"),
}


def asf(folder: Path) -> Path:
    """A skeleton and a motion of two frames in which the left knee bends by 80°."""
    bones = "".join(
        f"begin\nid {i}\nname {name}\ndirection {x} {y} {z}\nlength {np.linalg.norm((x, y, z))}\n"
        f"axis 0 0 0 XYZ\n{f'dof {dof}' if dof else ''}\n{f'limits {limits}' if dof else ''}\nend\n"
        for i, (name, (_, (x, y, z), dof, limits)) in enumerate(ASF_BONES.items(), 1)
    )
    parents = dict.fromkeys(parent for parent, *_ in ASF_BONES.values())
    children = "\n".join(
        " ".join([parent, *(name for name, each in ASF_BONES.items() if each[0] == parent)])
        for parent in parents
    )
    written(folder, ASF.format(bones=bones, children=children), "person.asf")
    frames = ""
    for i, angle in enumerate((0, 80), 1):
        frames += f"{i}\nroot 0 17 0 0 0 0\n"
        for name, (_, _, dof, _) in ASF_BONES.items():
            values = [angle if name == "ltibia" else 0 for _ in dof.split()]
            frames += f"{name} {' '.join(map(str, values))}\n" if dof else ""
    return written(folder, f":DEGREES\n{frames}", "person.amc")


def test_asf_and_amc_files_get_human_limits_for_their_own(tmp_path: Path) -> None:
    path = asf(tmp_path)
    human = poise.human()
    for each in (path, tmp_path / "person.asf"):
        figure = poise.load(each, limits="human", names="cmu_asf")
        assert figure.joints["left_knee"].kind == human.joints["left_knee"].kind
        assert figure.broken_limits(figure.rest()) == {}
    clip = poise.load_clip(path, limits="human", names="cmu_asf")
    assert np.rad2deg(clip[1].angles("left_knee")["flexion"]) == pytest.approx(80, abs=1e-6)
    own = poise.load(path, names="cmu_asf").joints["left_knee"].kind
    assert np.rad2deg(own.box) == pytest.approx(np.array([[-10, 170]]))


def test_our_own_human_comes_back_from_bvh_with_its_limits(tmp_path: Path) -> None:
    human = poise.human()
    q = np.tile(human.rest().q, (3, 1))
    q[:, human.index("left_elbow.flexion")] = [0.3, 0.8, 1.3]
    poise.Clip(human, q, 30, "bend").save(tmp_path / "bend.bvh")
    reading = read(tmp_path / "bend.bvh", limits="human", names="auto")
    (clip,) = reading.clips.values()
    told = "the rest posture is clamped: left_elbow.pronation 5°, right_elbow.pronation 5°"
    assert f"the file's own posture breaks human limits; {told}" in reading.notes
    for name in ("left_elbow", "right_hip", "left_knee", "l3_l4", "right_wrist"):
        assert reading.figure.joints[name].kind.kind == human.joints[name].kind.kind
    for i, posture in enumerate(clip):
        before = poise.Posture(human, q[i]).angles("left_elbow")
        assert posture.angles("left_elbow") == pytest.approx(before, abs=1e-6)


def test_a_figure_that_has_limits_keeps_them(tmp_path: Path) -> None:
    human = poise.human()
    poise.export(human.rest(), tmp_path / "human.glb")
    reading = read(tmp_path / "human.glb", limits="human")
    assert reading.figure.coordinates == human.coordinates
    assert "the figure has limits of its own in the file; they stay" in reading.notes


def test_joints_of_which_nothing_is_known_are_told(tmp_path: Path) -> None:
    tailed = {**MIXAMO, "Tail": ("Hips", (0.0, -5.0, -10.0))}
    reading = read(written(tmp_path, bvh(tailed)), limits="human")
    assert "joints that stay without limits: Tail" in reading.notes


def lying() -> dict[str, tuple[str, tuple[float, float, float]]]:
    return {name: (parent, (x, -z, y)) for name, (parent, (x, y, z)) in MIXAMO.items()}


@pytest.mark.parametrize(
    ("bones", "options", "message"),
    [
        ({"Hips": ("", (0, 0, 0)), "Tail": ("Hips", (0, 0, 9))}, {}, "no map of names fits 'pers"),
        (lying(), {"up": "y", "forward": "z"}, "that stands and looks ahead while nothing is"),
        (
            MIXAMO,
            {"up": "y", "forward": "x"},
            "that stands and looks ahead while nothing is turned",
        ),
        (MIXAMO, {"limits": "humans"}, "limits must be 'human' to read BVH, not 'humans'"),
        (MIXAMO, {"limits": True}, "limits must be 'human' to read BVH, not True"),
    ],
)
def test_where_human_limits_cannot_be_given_that_is_said(
    tmp_path: Path, bones: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(PoiseError, match=message):
        read(written(tmp_path, bvh(bones)), **{"limits": "human", **options})


def test_limits_of_asf_files_are_the_own_the_human_ones_or_none(tmp_path: Path) -> None:
    path = asf(tmp_path)
    with pytest.raises(
        PoiseError, match="limits must be True, False or 'human' to read AMC, not 1"
    ):
        read(path, limits=1)
    assert isinstance(read(path, limits=False), Reading)
