"""ASF skeletons and AMC motions as figures and clips."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.formats.skeletons import MOVES, SKELETON

import poise
from poise import PoiseError
from poise.figure import Ball, Elbow, Fixed, Free, Hinge
from poise.formats import Reading, read

Values = NDArray[np.float64]

UNIT = 0.0254 / 0.45
TO_OURS = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "88.asf").write_text(SKELETON, encoding="utf-8")
    (tmp_path / "88_01.amc").write_text(MOVES, encoding="utf-8")
    return tmp_path


def turn(axis: str, degrees: float) -> Values:
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return {
        "x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


def xyz(angles: Any) -> Values:
    x, y, z = angles
    return turn("z", z) @ turn("y", y) @ turn("x", x)


def slow_placements(frame: dict[str, list[float]]) -> dict[str, Values]:
    """Where the bones begin and end, in the file's axes and unit, bone by bone."""
    unit = np.array
    bones = {
        "lfemur": ("root", [0.34202, -0.939693, 0], 7.5, (0, 0, 20), "xyz"),
        "ltibia": ("lfemur", [0.34202, -0.939693, 0], 7.2, (0, 0, 20), "x"),
        "lfoot": ("ltibia", [0, -0.3, 0.9], 2.0, (-90, 0, 20), "xz"),
        "lowerback": ("root", [0, 1, 0], 7, (0, 0, 0), "xyz"),
        "head": ("lowerback", [0, 1, 0.1], 6, (0, 0, 0), ""),
    }
    turns = {"root": xyz(frame["root"][3:])}
    ends = {"root": np.array(frame["root"][:3])}
    places = {"root": ends["root"]}
    for name, (parent, direction, length, axis, dofs) in bones.items():
        moved = np.eye(3)
        for dof, angle in zip(dofs, frame.get(name, ()), strict=True):
            moved = turn(dof, angle) @ moved
        axes = xyz(axis)
        turns[name] = turns[parent] @ axes @ moved @ axes.T
        places[name] = ends[parent]
        ends[name] = (
            places[name] + turns[name] @ (unit(direction) / np.linalg.norm(direction)) * length
        )
    return places | {f"{name}_end": ends[name] for name in ("lfoot", "head")}


def test_every_placement_is_that_of_the_files(folder: Path) -> None:
    clip = poise.load_clip(folder / "88_01.amc")
    assert (clip.frames, clip.fps, clip.name) == (2, 120.0, "88_01")
    for i, block in enumerate(MOVES.split(":DEGREES\n")[1].split("root ")[1:]):
        lines = ("root " + block).split("\n")
        frame = {
            words[0]: list(map(float, words[1:]))
            for words in (line.split() for line in lines)
            if len(words) > 1
        }
        where = clip.figure.place(clip[i])
        for name, place in slow_placements(frame).items():
            np.testing.assert_allclose(
                where[name].position, TO_OURS @ place * UNIT, atol=1e-9, err_msg=f"{i} {name}"
            )


def test_bones_have_the_freedoms_and_limits_of_the_file(folder: Path) -> None:
    figure = poise.load(folder / "88.asf")
    kinds = {name: joint.kind for name, joint in figure.joints.items()}
    assert isinstance(kinds["root"], Free)
    knee, ankle = kinds["ltibia"], kinds["lfoot"]
    assert isinstance(knee, Hinge)
    np.testing.assert_allclose(np.rad2deg(knee.limits), [-10, 170])
    assert isinstance(ankle, Elbow)
    np.testing.assert_allclose(np.rad2deg(ankle.box), [[-70, 20], [-45, 90]])
    assert ankle.coordinates == ("rz", "rx")
    assert isinstance(kinds["lowerback"], Ball)
    assert kinds["lowerback"].chart == "rotation_vector"
    assert isinstance(kinds["head"], Fixed)
    assert list(figure.sites) == ["lfoot_end", "head_end"]


def test_a_ball_goes_wherever_its_three_angles_go(folder: Path) -> None:
    text = SKELETON.replace("(-160.0 20.0)", "(-50 20)").replace("(-70.0 70.0)", "(-20 30)")
    (folder / "88.asf").write_text(text.replace("(-60.0 70.0)", "(-25 35)"), encoding="utf-8")
    rng = np.random.default_rng(1)
    allowed = rng.uniform([-50, -20, -25], [20, 30, 35], size=(60, 3))
    far = [(-80, 0, 0), (50, 0, 0), (0, 70, 0), (0, 0, -60), (0, 0, 75)]
    frames = "".join(
        f"{i}\nroot 0 0 0 0 0 0\nlfemur {x} {y} {z}\nltibia 0\nlfoot 0 0\nlowerback 0 0 0\n"
        for i, (x, y, z) in enumerate([*allowed.tolist(), *far], 1)
    )
    (folder / "88_02.amc").write_text(":DEGREES\n" + frames, encoding="utf-8")
    clip = poise.load_clip(folder / "88_02.amc")
    for posture in clip[:60]:
        assert clip.figure.within_limits(posture, tolerance=0.01)
    for posture in clip[60:]:
        assert not clip.figure.within_limits(posture, tolerance=0.1)


STILL = {
    "root": [0.0] * 6,
    "lfemur": [0.0] * 3,
    "ltibia": [0.0],
    "lfoot": [0.0] * 2,
    "lowerback": [0.0] * 3,
}


@pytest.mark.parametrize("name", ["88.asf", "88_01.amc"])
def test_the_rest_posture_is_the_one_with_all_angles_zero(folder: Path, name: str) -> None:
    reading = read(folder / name)
    where = reading.figure.place(reading.figure.rest())
    for bone, place in slow_placements(STILL).items():
        np.testing.assert_allclose(
            where[bone].position, TO_OURS @ place * UNIT, atol=1e-9, err_msg=bone
        )
    assert not any("zero posture" in note for note in reading.notes)


def test_where_limits_exclude_zero_the_rest_posture_is_clamped_and_told(folder: Path) -> None:
    text = SKELETON.replace("(-10.0 170.0)", "(15.0 170.0)")
    (folder / "88.asf").write_text(text, encoding="utf-8")
    reading = read(folder / "88.asf")
    rest = reading.figure.rest()
    np.testing.assert_allclose(rest["ltibia"], np.deg2rad([15.0]), atol=1e-9)
    np.testing.assert_allclose(rest["lfoot"], 0.0, atol=1e-9)
    (note,) = [each for each in reading.notes if "zero posture" in each]
    assert note.endswith("the rest posture is clamped: ltibia.rx 15°")


def test_limits_can_be_left_out(folder: Path) -> None:
    figure = poise.load(folder / "88.asf", limits=False)
    assert not np.isfinite(figure.lower).any()
    assert not np.isfinite(figure.upper).any()


def test_whole_turns_are_taken_back_where_limits_tell(folder: Path) -> None:
    moves = MOVES.replace("ltibia 40", "ltibia -320").replace(
        "lowerback 5 6 7", "lowerback 5 6 367"
    )
    plain = poise.load_clip(folder / "88_01.amc")
    (folder / "88_01.amc").write_text(moves, encoding="utf-8")
    turned = poise.load_clip(folder / "88_01.amc")
    np.testing.assert_allclose(turned.q, plain.q, atol=1e-12)


def test_the_skeleton_beside_a_motion_is_found(folder: Path) -> None:
    (folder / "other.asf").write_text(SKELETON.replace("7.5", "9.5"), encoding="utf-8")
    assert "the skeleton is 88.asf" in read(folder / "88_01.amc").notes
    named = read(folder / "88_01.amc", asf=folder / "other.asf")
    assert "the skeleton is other.asf" in named.notes
    (folder / "88.asf").rename(folder / "unlike.asf")
    with pytest.raises(
        PoiseError, match=r"none beside it is named 88\.asf \(there: other\.asf, unl"
    ):
        read(folder / "88_01.amc")
    (folder / "other.asf").unlink()
    assert "the skeleton is unlike.asf" in read(folder / "88_01.amc").notes


def test_the_rate_is_what_is_said(folder: Path) -> None:
    assert read(folder / "88_01.amc", fps=60).clips["88_01"].fps == 60
    text = MOVES.replace(":DEGREES", ":SAMPLES-PER-SECOND 30\n:DEGREES")
    (folder / "88_01.amc").write_text(text, encoding="utf-8")
    assert read(folder / "88_01.amc").clips["88_01"].fps == 30


def test_radians_are_read_as_such(folder: Path) -> None:
    degrees = poise.load_clip(folder / "88_01.amc")
    lines: list[str] = []
    for line in MOVES.replace(":DEGREES", ":RADIANS").split("\n"):
        words = line.split()
        if len(words) > 1 and not line.startswith(("#", ":")):
            fixed = 3 if words[0] == "root" else 0
            angles = [repr(np.deg2rad(float(each)).item()) for each in words[1 + fixed :]]
            line = " ".join(words[: 1 + fixed] + angles)
        lines.append(line)
    (folder / "88_01.amc").write_text("\n".join(lines), encoding="utf-8")
    radians = poise.load_clip(folder / "88_01.amc")
    np.testing.assert_allclose(radians.q, degrees.q, atol=1e-12)


def test_the_unit_is_that_of_the_file_if_it_makes_a_person(folder: Path) -> None:
    assert poise.load(folder / "88.asf").joints["ltibia"].position[2] == pytest.approx(
        -7.5 * 0.939693 * UNIT, rel=1e-5
    )
    said = poise.load(folder / "88.asf", unit="cm")
    assert said.joints["ltibia"].position[2] == pytest.approx(-7.5 * 0.939693 * 0.01, rel=1e-5)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            ":version",
            "version",
            "line 2: an ASF file begins with a section such as :version, not 'v",
        ),
        (":bonedata", ":bones", "line 15: there is no section ':bones'"),
        (":hierarchy", ":name", "line 61: a second section :name"),
        ("length 0.45", "length 0", "line 6: the unit of length cannot be 0"),
        ("angle deg", "angle grad", "line 7: angles must be deg or rad, not 'grad'"),
        ("order TX TY", "order TX TX", "line 11: the order of the root must be of TX … RZ"),
        ("axis XYZ", "axis XXZ", "line 12: the axis of the root must be an order such as XYZ"),
        ("position 0 0 0", "position 0 0", "line 13: the position of the root needs three numbers"),
        ("  begin\n     id 1", "     id 1", "line 16: expected begin of a bone, not 'id'"),
        ("name lfemur", "name", "line 18: a bone needs a name"),
        ("name lfemur", "", "line 16: a bone needs a name"),
        ("name ltibia", "name lfemur", "line 27: there are two bones named 'lfemur'"),
        ("name ltibia", "name root", "line 27: there are two bones named 'root'"),
        ("length 7.5", "length long", "line 20: the length of a bone must be a number, not 'long'"),
        ("dof rx ry rz", "dof rx ry l", "line 22: bones turn by rx, ry and rz; 'l' (a bone that"),
        ("dof rx ry rz", "dof rx rx rz", "line 22: a bone turns about one axis twice"),
        ("(-70.0 70.0)", "(-70.0)", "line 24: limits must be (lower upper), not '-70.0'"),
        ("(-70.0 70.0)", "", "line 26: bone 'lfemur' has 3 degrees of freedom, and 2 limits"),
        ("axis 0 0 20 XYZ", "axis 0 0 XYZ", "line 21: the axis of a bone must be a number"),
        ("lfemur ltibia", "lfemur knee", "line 64: there is no bone 'knee' to hang somewhere"),
        ("lfemur ltibia", "knee ltibia", "line 64: there is no bone 'knee' to hang others on"),
        ("lfemur ltibia", "lfemur ltibia lfoot", "line 65: bone 'lfoot' hangs on two others"),
        ("    lowerback head\n", "", "line 54: bone 'head' does not hang on the root"),
        ("root lfemur lowerback", "root lowerback", "line 16: bone 'lfemur' does not hang on the"),
    ],
)
def test_a_wrong_skeleton_is_told_where(folder: Path, old: str, new: str, message: str) -> None:
    assert old in SKELETON
    (folder / "88.asf").write_text(SKELETON.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(PoiseError) as raised:
        read(folder / "88.asf")
    assert str(raised.value).startswith(str(folder / "88.asf") + ", line ")
    assert message in str(raised.value)


def test_a_section_that_is_missing_is_told(folder: Path) -> None:
    (folder / "88.asf").write_text(SKELETON.split(":hierarchy")[0], encoding="utf-8")
    with pytest.raises(PoiseError, match="an ASF file needs a section :hierarchy"):
        read(folder / "88.asf")


def test_bones_that_hang_in_a_ring_are_told(folder: Path) -> None:
    text = SKELETON.replace("root lfemur lowerback", "root lowerback").replace(
        "ltibia lfoot", "ltibia lfoot\nlfoot lfemur"
    )
    (folder / "88.asf").write_text(text, encoding="utf-8")
    with pytest.raises(PoiseError, match="bone 'lfemur' does not hang on the root"):
        read(folder / "88.asf")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\n1\n", "\n", ", line 4: expected the number of a frame before 'root'"),
        ("ltibia 40", "ltibia 40 50", ", line 13: 'ltibia' needs 1 numbers, not 2"),
        ("ltibia 40", "ltibia forty", ", line 13: 'ltibia' must be a number, not 'forty'"),
        ("ltibia 40", "tibia 40", ", line 13: there is no bone 'tibia' in 88.asf"),
        ("ltibia 40", "head 40", ", line 13: nothing moves the bone 'head' in 88.asf"),
        ("ltibia 40\n", "", ", line 10: frame 2 lacks 'ltibia'"),
        ("ltibia 0\n", "", ", line 4: frame 1 lacks 'ltibia'"),
        ("ltibia 40", "lfoot 40 50", ", line 14: 'lfoot' is there twice in frame 2"),
        ("ltibia 40", "ltibia inf", ": 'ltibia' in frame 2 must be within ±1e+09, not inf"),
    ],
)
def test_a_wrong_motion_is_told_where(folder: Path, old: str, new: str, message: str) -> None:
    assert old in MOVES
    (folder / "88_01.amc").write_text(MOVES.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(PoiseError) as raised:
        read(folder / "88_01.amc")
    assert str(raised.value).startswith(str(folder / "88_01.amc") + message)


def test_a_motion_without_frames_is_told(folder: Path) -> None:
    (folder / "88_01.amc").write_text(":DEGREES\n", encoding="utf-8")
    with pytest.raises(PoiseError, match="there is no frame in this file"):
        read(folder / "88_01.amc")


def test_a_skeleton_has_no_motion(folder: Path) -> None:
    reading: Reading = read(folder / "88.asf")
    assert (reading.clips, reading.posture) == ({}, None)
    with pytest.raises(PoiseError, match="there is no motion in"):
        poise.load_clip(folder / "88.asf")
