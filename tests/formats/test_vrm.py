"""VRM humanoids: our names, our human's limits, and the file's pose."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.gltf_files import Draft, person

import poise
from poise import PoiseError
from poise.formats import gltf, vrm
from poise.formats.reading import Reading

PAIRS = ["hip", "knee", "ankle", "toes", "clavicle", "shoulder", "elbow", "wrist"]


def read(draft: Draft, folder: Path, **options: Any) -> Reading:
    return vrm.read(draft.save(folder / "person.vrm"), **options)


@pytest.mark.parametrize("version", [0, 1])
def test_bones_get_the_names_of_our_human(tmp_path: Path, version: int) -> None:
    figure = read(person(version), tmp_path).figure
    human = poise.human(hands=True)
    for side in ("left", "right"):
        for joint in PAIRS:
            name = f"{side}_{joint}"
            assert figure.joints[name].child == human.joints[name].child
            assert figure.joints[name].kind.kind == human.joints[name].kind.kind
            assert figure.joints[name].coordinates == human.joints[name].coordinates
        for joint in ("index_mcp", "index_pip", "index_dip", "thumb_cmc", "thumb_mcp", "thumb_ip"):
            assert figure.joints[f"{side}_{joint}"].child == human.joints[f"{side}_{joint}"].child
    assert figure.joints["root"].child == "pelvis"
    assert {"spine", "chest", "neck", "head"} <= set(figure.joints)


@pytest.mark.parametrize("version", [0, 1])
def test_the_person_stands_facing_forward_with_the_left_on_the_left(
    tmp_path: Path, version: int
) -> None:
    reading = read(person(version), tmp_path)
    assert reading.posture is not None
    where = reading.figure.place(reading.posture)
    np.testing.assert_allclose(where["pelvis"].position, [0, 0, 1], atol=1e-9)
    np.testing.assert_allclose(where["left_hand"].position, [0, 0.7, 1.43], atol=1e-9)
    np.testing.assert_allclose(where["right_hand"].position, [0, -0.7, 1.43], atol=1e-9)
    np.testing.assert_allclose(where["left_toes"].position, [0.13, 0.09, 0.04], atol=1e-9)
    np.testing.assert_allclose(where["eyes"].position, [0.08, 0, 1.64], atol=1e-9)
    np.testing.assert_allclose(where["eyes"].rotation, np.eye(3), atol=1e-9)


@pytest.mark.parametrize("arms", [0.0, 45.0, 80.0])
@pytest.mark.parametrize("version", [0, 1])
def test_a_t_pose_has_the_angles_of_a_t_pose_and_breaks_no_limit(
    tmp_path: Path, version: int, arms: float
) -> None:
    reading = read(person(version, arms=arms), tmp_path)
    figure, posture = reading.figure, reading.posture
    assert posture is not None
    assert figure.broken_limits(posture) == {}
    assert figure.rest() == posture
    for side in ("left", "right"):
        raised = np.rad2deg(posture.angles(f"{side}_shoulder")["abduction"])
        assert raised == pytest.approx(90 - arms, abs=1e-6)
        assert posture.angles(f"{side}_elbow") == pytest.approx(
            {"flexion": 0.0, "pronation": 0.5 * np.pi}, abs=1e-9
        )
        for joint in ("hip", "knee", "ankle", "wrist", "index_mcp"):
            angles = posture.angles(f"{side}_{joint}")
            assert list(angles.values()) == pytest.approx([0.0] * len(angles), abs=1e-9)


def moved(reading: Reading, joint: str, **angles: float) -> Any:
    """Where everything is after a joint has been set to clinical angles, in degrees."""
    assert reading.posture is not None
    posture = reading.posture.copy()
    posture.set_angles(joint, **{name: np.deg2rad(value) for name, value in angles.items()})
    assert reading.figure.within_limits(posture), reading.figure.broken_limits(posture)
    return reading.figure.place(posture)


@pytest.mark.parametrize("version", [0, 1])
def test_clinical_angles_mean_what_they_mean_for_our_human(tmp_path: Path, version: int) -> None:
    reading = read(person(version), tmp_path)
    hanging = moved(reading, "left_shoulder", abduction=10.0)
    assert hanging["left_hand"].position[2] < 1.0
    assert hanging["left_hand"].position[1] > 0.17
    bent = moved(reading, "left_elbow", flexion=90.0)  # the forearm goes forward, not up or back
    np.testing.assert_allclose(bent["left_hand"].position, [0.25, 0.45, 1.43], atol=1e-6)
    bent = moved(reading, "right_elbow", flexion=90.0)
    np.testing.assert_allclose(bent["right_hand"].position, [0.25, -0.45, 1.43], atol=1e-6)
    kneeling = moved(reading, "left_knee", flexion=90.0)  # the shank goes back
    np.testing.assert_allclose(kneeling["left_foot"].position, [-0.43, 0.09, 0.53], atol=1e-6)
    lifted = moved(reading, "right_hip", flexion=60.0)
    assert lifted["right_shank"].position[0] > 0.3
    aside = moved(reading, "right_hip", abduction=30.0)
    assert aside["right_shank"].position[1] < -0.25
    palm = moved(reading, "left_wrist", flexion=60.0)  # palms look down
    assert palm["left_index_proximal"].position[2] < 1.36
    finger = moved(reading, "left_index_mcp", flexion=80.0)
    assert finger["left_index_distal"].position[2] < 1.38
    nod = moved(reading, "neck", flexion=30.0)
    assert nod["head"].position[0] > 0.04
    toes = moved(reading, "left_ankle", dorsiflexion=10.0)
    assert toes["left_toes"].position[2] > 0.04


@pytest.mark.parametrize("version", [0, 1])
def test_eyes_look_down_farther_than_up(tmp_path: Path, version: int) -> None:
    reading = read(person(version), tmp_path)
    assert reading.posture is not None
    before = reading.figure.place(reading.posture)["left_eye"].rotation
    posture = reading.posture.copy()
    posture["left_eye.swing_y"] = np.deg2rad(20.0)
    after = reading.figure.place(posture)["left_eye"].rotation
    looks = after @ before.T @ [1.0, 0.0, 0.0]
    np.testing.assert_allclose(np.rad2deg(np.arcsin(looks[2])), -20.0, atol=1e-9)
    low, high = reading.figure.range("left_eye.swing_y")["swing_y"]
    assert high > -low


def test_limits_are_those_of_our_human(tmp_path: Path) -> None:
    figure, human = read(person(), tmp_path).figure, poise.human()
    for joint in ("left_knee", "right_elbow", "left_ankle", "right_hip", "left_wrist"):
        assert figure.joints[joint].kind == human.joints[joint].kind
    assert {"left_hamstrings", "right_calf", "left_index_tendon"} <= set(figure.couplings)


def test_without_limits_every_bone_is_a_ball(tmp_path: Path) -> None:
    reading = read(person(), tmp_path, limits=False)
    kinds = {joint.kind.kind for joint in reading.figure.joints.values()}
    assert kinds == {"free", "ball"}
    assert not reading.figure.couplings
    limited = read(person(), tmp_path)
    assert reading.posture is not None
    assert limited.posture is not None
    free, bound = reading.figure.place(reading.posture), limited.figure.place(limited.posture)
    for name in reading.figure.segments:
        np.testing.assert_allclose(free[name].position, bound[name].position, atol=1e-9)
        np.testing.assert_allclose(free[name].rotation, bound[name].rotation, atol=1e-9)


def test_a_person_with_few_bones_is_read(tmp_path: Path) -> None:
    draft = person()
    bones = draft.data["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]
    for name in list(bones):
        if any(part in name for part in ("neck", "Eye", "Shoulder", "Thumb", "Index", "Toes")):
            del bones[name]
    draft.data["skins"] = [{"joints": [0]}]
    reading = read(draft, tmp_path)
    assert "neck" not in reading.figure.joints
    assert reading.figure.joints["head"].kind.kind == "ball"
    assert reading.posture is not None
    assert reading.figure.within_limits(reading.posture)


def test_where_the_eyes_are_may_be_told_instead(tmp_path: Path) -> None:
    for version, extension, part, value in (
        (1, "VRMC_vrm", "lookAt", {"offsetFromHeadBone": [0, 0.1, 0]}),
        (0, "VRM", "firstPerson", {"firstPersonBoneOffset": {"x": 0, "y": 0.1, "z": 0}}),
    ):
        draft = person(version)
        draft.data["extensions"][extension][part] = value
        bones = draft.data["extensions"][extension]["humanoid"]["humanBones"]
        if version:
            del bones["leftEye"]
        else:
            bones[:] = [bone for bone in bones if bone["bone"] != "leftEye"]
        reading = read(draft, tmp_path)
        assert reading.posture is not None
        where = reading.figure.place(reading.posture)
        gap = np.linalg.norm(where["eyes"].position - where["head"].position)
        assert gap == pytest.approx(0.1)


@pytest.mark.parametrize("version", [0, 1])
def test_eyes_of_which_the_file_says_nothing_are_guessed(tmp_path: Path, version: int) -> None:
    draft = person(version)
    humanoid = draft.data["extensions"]["VRMC_vrm" if version else "VRM"]["humanoid"]
    bones = humanoid["humanBones"]
    if version:
        humanoid["humanBones"] = {k: v for k, v in bones.items() if not k.endswith("Eye")}
    else:
        humanoid["humanBones"] = [bone for bone in bones if not bone["bone"].endswith("Eye")]
    reading = read(draft, tmp_path)
    assert "guessed where the eyes are: the file does not say" in reading.notes
    assert reading.posture is not None
    where = reading.figure.place(reading.posture)
    ahead, aside, up = where["eyes"].position - where["head"].position
    assert 0.05 < ahead < 0.12
    assert aside == pytest.approx(0.0, abs=1e-9)
    assert 0.01 < up < 0.1
    np.testing.assert_allclose(where["eyes"].rotation, np.eye(3), atol=1e-9)


@pytest.mark.parametrize(
    ("extensions", "message"),
    [
        ({}, "neither the extension VRM nor VRMC_vrm"),
        ({"VRMC_vrm": {}}, "extensions.VRMC_vrm: humanoid: it is missing"),
        ({"VRMC_vrm": {"humanoid": {"humanBones": []}}}, "humanBones"),
        ({"VRMC_vrm": {"humanoid": {"humanBones": {}}}}, "has no bone 'hips'"),
        (
            {"VRMC_vrm": {"humanoid": {"humanBones": {"hips": {"node": 999}}}}},
            "the bone 'hips' is node 999",
        ),
        (
            {"VRMC_vrm": {"humanoid": {"humanBones": {"hips": {"node": 0}, "head": {"node": 0}}}}},
            "node 0 is two bones",
        ),
        ({"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": "0"}]}}}, "node"),
        ({"VRM": 7}, "extensions.VRM"),
    ],
)
def test_a_humanoid_that_is_none_is_refused(tmp_path: Path, extensions: Any, message: str) -> None:
    draft = person()
    draft.data["extensions"] = extensions
    with pytest.raises(PoiseError, match=message) as caught:
        read(draft, tmp_path)
    assert "person.vrm" in str(caught.value)


def test_bones_that_are_not_known_are_told(tmp_path: Path) -> None:
    draft = person()
    draft.data["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["tail"] = {"node": 3}
    assert any("not known: tail" in note for note in read(draft, tmp_path).notes)


def test_limits_must_be_true_false_or_human(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match="limits must be True, False or 'human', not 'no'"):
        read(person(), tmp_path, limits="no")


def test_a_person_goes_out_as_glb_and_comes_back_with_limits(tmp_path: Path) -> None:
    reading = read(person(), tmp_path)
    gltf.write(reading, tmp_path / "person.glb")
    back = gltf.read(tmp_path / "person.glb")
    assert back.figure.coordinates == reading.figure.coordinates
    np.testing.assert_allclose(back.figure.upper, reading.figure.upper, atol=1e-12)
    assert back.posture is not None
    assert reading.posture is not None
    np.testing.assert_allclose(back.posture.q, reading.posture.q, atol=1e-9)


def test_the_real_person_stands_in_a_t_pose_within_limits(data: Path) -> None:
    reading = vrm.read(data / "meshes" / "cryptovoxels.vrm")
    figure, posture = reading.figure, reading.posture
    assert posture is not None
    assert reading.skin is not None
    assert figure.broken_limits(posture) == {}
    where = figure.place(posture)
    hands = where["left_hand"].position, where["right_hand"].position
    assert hands[0][1] > 0.5
    assert hands[1][1] < -0.5
    assert where["left_toes"].position[0] > where["left_foot"].position[0] + 0.05
    (points,) = reading.skin.placed(figure, posture).values()
    size = np.ptp(points, axis=0)
    assert 1.4 < size[2] < 1.6
    assert 1.4 < size[1] < 1.5
