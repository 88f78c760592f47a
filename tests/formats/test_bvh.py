"""BVH files as figures and clips."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.formats.skeletons import PERSON

import poise
from poise import PoiseError
from poise.figure import Ball, Elbow, Fixed, Free, Hinge
from poise.formats import Reading, read

Values = NDArray[np.float64]

# From a file with y up and z forward to ours.
TO_OURS = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def read_text(folder: Path, text: str, **options: Any) -> Reading:
    path = folder / "person.bvh"
    path.write_text(text, encoding="utf-8")
    return read(path, **options)


def turn(axis: str, degrees: float) -> Values:
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    i = "XYZ".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    result = np.eye(3)
    result[j, j], result[j, k], result[k, j], result[k, k] = c, -s, s, c
    return result


def slow_placements(text: str, frame: int) -> dict[str, Values]:
    """Where the joints and ends of a file are, in its own axes and unit, word by word."""
    words = text.split()
    numbers = list(map(float, words[words.index("Time:") + 2 :]))
    width = sum(int(words[i + 1]) for i, word in enumerate(words) if word == "CHANNELS")
    row = numbers[frame * width : (frame + 1) * width]
    stack: list[tuple[str, Values]] = []
    places: dict[str, Values] = {}
    name = ""
    for i, word in enumerate(words[: words.index("MOTION")]):
        if word in ("ROOT", "JOINT"):
            name = words[i + 1]
        elif word == "End":
            name = stack[-1][0] + "_end"
        elif word == "{":
            stack.append((name, np.eye(4) if not stack else stack[-1][1].copy()))
        elif word == "}":
            stack.pop()
        elif word == "OFFSET":
            shift = np.eye(4)
            shift[:3, 3] = list(map(float, words[i + 1 : i + 4]))
            stack[-1] = (stack[-1][0], stack[-1][1] @ shift)
            places[stack[-1][0]] = stack[-1][1][:3, 3]
        elif word == "CHANNELS":
            for channel in words[i + 2 : i + 2 + int(words[i + 1])]:
                value, step = row.pop(0), np.eye(4)
                if channel.endswith("position"):
                    step["XYZ".index(channel[0]), 3] = value
                else:
                    step[:3, :3] = turn(channel[0], value)
                stack[-1] = (stack[-1][0], stack[-1][1] @ step)
            places[stack[-1][0]] = stack[-1][1][:3, 3]
    return places


def test_every_placement_is_that_of_the_file(tmp_path: Path) -> None:
    reading = read_text(tmp_path, PERSON)
    clip = reading.clips["person"]
    for frame in range(3):
        where = reading.figure.place(clip[frame])
        for name, place in slow_placements(PERSON, frame).items():
            np.testing.assert_allclose(
                where[name].position, TO_OURS @ place * 0.01, atol=1e-12, err_msg=name
            )


def test_joints_have_as_many_freedoms_as_channels(tmp_path: Path) -> None:
    kinds = {name: joint.kind for name, joint in read_text(tmp_path, PERSON).figure.joints.items()}
    assert isinstance(kinds["Hips"], Free)
    assert isinstance(kinds["Spine"], Ball)
    assert isinstance(kinds["LeftForeArm"], Hinge)
    assert isinstance(kinds["LeftFoot"], Elbow)
    assert isinstance(kinds["RightFoot"], Fixed)


def test_the_file_gives_names_rate_and_the_first_posture(tmp_path: Path) -> None:
    reading = read_text(tmp_path, PERSON)
    clip = reading.clips["person"]
    assert list(reading.figure.segments)[:3] == ["Hips", "Spine", "Head"]
    assert list(reading.figure.sites) == [
        f"{name}_end" for name in ("Head", "LeftForeArm", "RightArm", "LeftFoot", "RightFoot")
    ]
    assert (clip.frames, clip.fps, clip.name) == (3, 120.0, "person")
    assert reading.posture == clip[0]


def test_guesses_are_told(tmp_path: Path) -> None:
    assert read_text(tmp_path, PERSON).notes == (
        "guessed that y points up (say so with up='y')",
        "guessed that z points forward (say so with forward='z')",
        "guessed that one unit is 0.01 m (say so with unit='cm'); the figure is about 1.78 m tall",
    )


def test_what_is_said_is_not_guessed(tmp_path: Path) -> None:
    reading = read_text(tmp_path, PERSON, up="y", forward="z", unit="cm")
    assert reading.notes == ()
    other = read_text(tmp_path, PERSON, up="y", forward="x", unit=0.5).figure
    np.testing.assert_allclose(other.joints["Head"].position, [0, 0, 22.5], atol=1e-12)


def turned(text: str, permutation: str, factor: float = 1.0) -> str:
    """A file with other axes: `permutation` "zxy" writes x as z, y as x and z as y."""
    lines: list[str] = []
    for line in text.split("MOTION")[0].split("\n"):
        words = line.split()
        if words and words[0] == "OFFSET":
            values = dict(zip("xyz", words[1:], strict=True))
            moved = {
                new: float(values[old]) * factor
                for old, new in zip("xyz", permutation, strict=True)
            }
            line = "OFFSET " + " ".join(str(moved[axis]) for axis in "xyz")
        elif words and words[0] == "CHANNELS":
            renamed = [permutation["XYZ".index(w[0])].upper() + w[1:] for w in words[2:]]
            line = " ".join(words[:2] + renamed)
        lines.append(line)
    rows = text.split("MOTION")[1].split("\n")
    for i, row in enumerate(rows[3:], 3):
        numbers = row.split()
        numbers[:3] = [str(float(each) * factor) for each in numbers[:3]]
        rows[i] = " ".join(numbers)
    return "\n".join(lines) + "MOTION" + "\n".join(rows)


def test_a_file_with_z_up_is_recognised(tmp_path: Path) -> None:
    upright = read_text(tmp_path, PERSON)
    # x stays the left; a person that looks along y with z up is a turned one with x to the left.
    other = read_text(tmp_path, turned(PERSON, "yzx"))
    assert "guessed that z points up (say so with up='z')" in other.notes
    assert "guessed that x points forward (say so with forward='x')" in other.notes
    for frame in range(3):
        one = upright.figure.place(upright.clips["person"][frame])
        two = other.figure.place(other.clips["person"][frame])
        np.testing.assert_allclose(two["Head_end"].position, one["Head_end"].position, atol=1e-12)


@pytest.mark.parametrize(
    ("unit", "metres"),
    [("m", 1.0), ("dm", 0.1), ("cm", 0.01), ("mm", 0.001), ("in", 0.0254), ("cmu", 0.0254 / 0.45)],
)
def test_common_units_are_recognised(tmp_path: Path, unit: str, metres: float) -> None:
    reading = read_text(tmp_path, turned(PERSON, "xyz", 0.01 / metres))
    assert f"(say so with unit={unit!r})" in reading.notes[2]
    where = reading.figure.place(reading.clips["person"][0])
    assert where["Head"].position[2] == pytest.approx(0.95 + 0.2 + 0.45)


def test_a_unit_that_nobody_uses_is_guessed_from_the_stature(tmp_path: Path) -> None:
    reading = read_text(tmp_path, turned(PERSON, "xyz", 0.27))
    assert "no common unit fits" in reading.notes[2]
    assert reading.notes[2].endswith("the figure is about 1.70 m tall")


# positions that replace the OFFSET or add to it --------------------------------------------

SLIDING = """\
HIERARCHY
ROOT A
{
	OFFSET 1 2 3
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT B
	{
		OFFSET 0 50 0
		CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
		End Site
		{
			OFFSET 0 10 0
		}
	}
}
MOTION
Frames: 2
Frame Time: 0.1
"""


def heights(folder: Path, rows: str, **options: Any) -> tuple[Reading, list[float]]:
    reading = read_text(folder, SLIDING + rows, up="y", forward="z", unit="cm", **options)
    clip = reading.clips["person"]
    return reading, [float(reading.figure.place(each)["B"].position[2]) for each in clip]


def test_positions_about_zero_add_to_the_offset(tmp_path: Path) -> None:
    reading, found = heights(tmp_path, "0 0 0 0 0 0 0 0.5 0 0 0 0\n0 7 0 0 0 0 0 -0.5 0 0 0 0\n")
    assert found == pytest.approx([0.525, 0.585])
    assert reading.notes == (
        "guessed that positions add to the OFFSET (say so with positions='add')",
    )


def test_positions_about_the_offset_replace_it(tmp_path: Path) -> None:
    reading, found = heights(tmp_path, "0 9 0 0 0 0 0 50.5 0 0 0 0\n0 7 0 0 0 0 0 49 0 0 0 0\n")
    assert found == pytest.approx([0.595, 0.56])
    assert reading.notes == (
        "guessed that positions replace the OFFSET (say so with positions='replace')",
    )


def test_the_rule_can_be_given(tmp_path: Path) -> None:
    rows = "0 9 0 0 0 0 0 50.5 0 0 0 0\n0 7 0 0 0 0 0 49 0 0 0 0\n"
    reading, found = heights(tmp_path, rows, positions="add")
    assert found == pytest.approx([0.11 + 1.005, 0.09 + 0.99])
    assert reading.notes == ()


def test_a_joint_that_never_slides_is_a_ball(tmp_path: Path) -> None:
    reading, _ = heights(tmp_path, "0 9 0 0 0 0 0 50 0 1 2 3\n0 7 0 0 0 0 0 50 0 4 5 6\n")
    assert isinstance(reading.figure.joints["B"].kind, Ball)
    sliding, _ = heights(tmp_path, "0 9 0 0 0 0 0 50 0 1 2 3\n0 7 0 0 0 0 0 51 0 4 5 6\n")
    assert isinstance(sliding.figure.joints["B"].kind, Free)


ROOTED = SLIDING.replace("6 Xposition Yposition Zposition Zrot", "3 Zrot").replace(
    "3 Zrot", "6 Xposition Yposition Zposition Zrot", 1
)


@pytest.mark.parametrize(
    ("first", "height"),
    [("0 0 0", 0.02), ("1 2 3", 0.02), ("0 90 0", 0.9)],
    ids=["zero: it adds", "the offset: it replaces", "elsewhere: it replaces"],
)
def test_a_root_alone_follows_its_own_numbers(tmp_path: Path, first: str, height: float) -> None:
    row = f"{first} 0 0 0 0 0 0\n"
    reading = read_text(tmp_path, ROOTED + 2 * row, up="y", forward="z", unit="cm")
    where = reading.figure.place(reading.clips["person"][0])
    assert where["A"].position[2] == pytest.approx(height)


# habits of writers ---------------------------------------------------------------------------


def same_as_person(folder: Path, text: str) -> None:
    wanted, found = read_text(folder, PERSON), read_text(folder, text)
    assert list(found.figure.segments) == list(wanted.figure.segments)
    np.testing.assert_allclose(found.clips["person"].q, wanted.clips["person"].q, atol=1e-12)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace("\t", "    "),
        lambda text: text.replace("\n\t", "\n").replace("\t", ""),
        lambda text: re.sub(r"\s*{", " {", text),
        lambda text: "\n\n" + text.replace("\n", "  \n\n"),
        lambda text: text.replace("End Site", "End site").replace("Xrotation", "XROTATION"),
        lambda text: text.replace("HIERARCHY", "hierarchy").replace("Frames:", "FRAMES:  "),
        lambda text: text.replace("Frames: 3\n", "Frames:\t3 \n\n").replace("Time:", "Time:\t"),
        lambda text: text.replace(" 40 50", "\n40 50"),
        lambda text: "\ufeff" + text.rstrip(),
        lambda text: text.replace("OFFSET 0.0 20.0 -1.0", "OFFSET 0e0 +2.0E1 -1."),
    ],
)
def test_habits_of_writing_make_no_difference(tmp_path: Path, change: Any) -> None:
    same_as_person(tmp_path, change(PERSON))


def test_rotations_before_positions_are_the_same_motion(tmp_path: Path) -> None:
    head, rows = PERSON.split("Frame Time: .0083333\n")
    head = head.replace(
        "Xposition Yposition Zposition Zrotation Xrotation Yrotation",
        "Zrotation Xrotation Yrotation Xposition Yposition Zposition",
    )
    moved = [
        "" if not r else " ".join(r.split()[3:6] + r.split()[:3] + r.split()[6:])
        for r in rows.split("\n")
    ]
    same_as_person(tmp_path, head + "Frame Time: .0083333\n" + "\n".join(moved))


def test_names_that_ours_cannot_be_are_changed(tmp_path: Path) -> None:
    text = PERSON.replace("JOINT Spine", "JOINT Bip01 Spine.x").replace("RightArm", "Head")
    reading = read_text(tmp_path, text)
    assert "Bip01 Spine_x" in reading.figure.segments
    assert "Head_2" in reading.figure.segments
    assert reading.notes[-1] == "joints renamed: Bip01 Spine.x is Bip01 Spine_x, Head is Head_2"


def test_several_roots_are_several_trees(tmp_path: Path) -> None:
    second = "ROOT Prop\n{\nOFFSET 5 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 1 0 0\n}\n}\nMOTION"
    reading = read_text(tmp_path, PERSON.replace("MOTION", second))
    assert reading.figure.joints["Prop"].parent == "world"


def test_a_skeleton_without_motion_is_a_figure(tmp_path: Path) -> None:
    for text in (PERSON.split("MOTION")[0], PERSON.split("Frames")[0] + "Frames: 0\nFrame Time: 1"):
        reading = read_text(tmp_path, text)
        assert (len(reading.figure.segments), reading.clips, reading.posture) == (10, {}, None)
        assert reading.notes[-1] == "there is no motion, only a skeleton"
    with pytest.raises(PoiseError, match=r"there is no motion in '.*person\.bvh'"):
        poise.load_clip(tmp_path / "person.bvh")


@pytest.mark.parametrize(
    ("text", "fps"),
    [
        ("0.0083333", 120),
        (".0333333", 30),
        ("0.04", 25),
        ("0.033367", 1 / 0.033367),
        ("0.03", 1 / 0.03),
        ("8.3333e-3", 120),
    ],
)
def test_a_rate_that_was_cut_short_is_mended(tmp_path: Path, text: str, fps: float) -> None:
    reading = read_text(tmp_path, PERSON.replace("Time: .0083333", f"Time: {text}"))
    assert reading.clips["person"].fps == pytest.approx(fps, rel=1e-12)


def test_one_frame_needs_no_time(tmp_path: Path) -> None:
    text = "\n".join(PERSON.replace("Frames: 3", "Frames: 1").split("\n")[:-3])
    reading = read_text(tmp_path, text.replace(".0083333", "0"))
    assert reading.clips["person"].fps == 30
    assert "the one frame has no time" in reading.notes[-1]


def test_bones_can_be_left_undrawn(tmp_path: Path) -> None:
    assert read_text(tmp_path, PERSON).figure.segments["Spine"].shapes
    plain = read_text(tmp_path, PERSON, bones=False).figure
    assert not any(segment.shapes for segment in plain.segments.values())


# wrong files ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("HIERARCHY", "HIERACHY", ", line 1: a BVH file begins with HIERARCHY, not 'HIERACHY'"),
        ("ROOT Hips", "JOINT Hips", ", line 2: expected ROOT or MOTION, not 'JOINT'"),
        ("ROOT Hips", "ROOT", ", line 2: ROOT needs a name"),
        ("JOINT Spine\n\t{", "JOINT Spine\n\t", ", line 8: expected '{', not 'OFFSET'"),
        ("\t\tOFFSET 0.0 20.0 -1.0", "", ", line 6: joint 'Spine' has no OFFSET"),
        ("0.0 20.0 -1.0", "0.0 2O.0 -1.0", ", line 8: OFFSET must be a number, not '2O.0'"),
        ("0.0 20.0 -1.0", "0.0 nan -1.0", ", line 8: OFFSET must be a number, not 'nan'"),
        ("0.0 20.0 -1.0", "0.0 20.0", ", line 9: OFFSET must be a number, not 'CHANNELS'"),
        ("0.0 20.0 -1.0", "0 1e10 0", ", line 8: OFFSET must be within ±1e+09, not 1e+10"),
        (
            "CHANNELS 1 Y",
            "CHANNELS 7 Y",
            ", line 26: the number of CHANNELS must be 0 to 6, not '7'",
        ),
        ("CHANNELS 1 Y", "CHANNELS 1 W", ", line 26: there is no channel 'Wrotation'. There are: "),
        (
            "2 Xrotation Zr",
            "2 Zrotation Zr",
            ", line 50: joint 'LeftFoot' has the channel Zrotation twice",
        ),
        ("MOTION", "}\nMOTION", ", line 72: expected ROOT or MOTION, not '}'"),
        ("\n}\nMOTION", "\nMOTION", ", line 71: expected '}' of joint 'Hips', and the file ends"),
        ("Frames: 3", "Frames: three", ", line 73: Frames must be a whole number, not 'three'"),
        (
            "Frames: 3",
            "Frames: 99999999",
            ", line 73: 99999999 frames of 27 channels are more than",
        ),
        ("Frames: 3", "Time: 3", ", line 72: expected 'Frames: <number>' after MOTION"),
        (
            "Frame Time: .0083333",
            "1 2 3",
            ", line 73: expected 'Frame Time: <seconds>' after Frames",
        ),
        (".0083333", "0", ", line 74: Frame Time must be from 1e-6 to 1e6 seconds, not 0"),
        (".0083333", "fast", ", line 74: Frame Time must be a number, not 'fast'"),
        (
            "Frames: 3",
            "Frames: 4",
            ": 4 frames of 27 channels need 108 numbers, and there are only 81",
        ),
        (
            "Frames: 3",
            "Frames: 2",
            ", line 77: 2 frames of 27 channels need 54 numbers, and with the",
        ),
        ("1 95 2", "1 x 2", ", line 76: the motion must be a number, not 'x'"),
        ("1 95 2", "1 1e99 2", ": number 2 of frame 2 must be within ±1e+09, not 1e+99"),
        ("1 95 2", "1 nan 2", ": number 2 of frame 2 must be within ±1e+09, not nan"),
        (
            "CHANNELS 1 Y",
            "CHANNEL 1 Y",
            ", line 26: expected OFFSET, CHANNELS, JOINT, End Site or '}'",
        ),
    ],
)
def test_a_wrong_file_is_told_where(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in PERSON
    with pytest.raises(PoiseError) as raised:
        read_text(tmp_path, PERSON.replace(old, new, 1))
    assert str(raised.value).startswith(str(tmp_path / "person.bvh") + message.partition(",")[0])
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"up": "w"}, "there is no axis that points up 'w'. There are: x, y, z, auto"),
        ({"forward": "w"}, "there is no axis that points forward 'w'"),
        ({"up": "y", "forward": "-y"}, "forward must be across up, not '-y' with 'y' up"),
        ({"unit": "furlong"}, "there is no unit 'furlong'"),
        ({"unit": -1}, r"the unit \(metres\) must be at least 1e-06, not -1"),
        ({"positions": "some"}, "there is no way of positions 'some'"),
        ({"upp": "y"}, "to read BVH: there is no option 'upp'; did you mean 'up'"),
    ],
)
def test_a_wrong_option_is_told(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(PoiseError, match=message):
        read_text(tmp_path, PERSON, **options)


def test_deep_nesting_is_refused_without_recursion(tmp_path: Path) -> None:
    deep = "".join(f"JOINT j{i}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n" for i in range(5000))
    text = f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{deep}{'}' * 5001}\n"
    with pytest.raises(PoiseError, match="joints are nested more than 1000 deep"):
        read_text(tmp_path, text)


def test_too_many_joints_are_refused(tmp_path: Path) -> None:
    many = "".join(f"JOINT j{i}\n{{\nOFFSET 0 1 0\n}}\n" for i in range(10_001))
    with pytest.raises(PoiseError, match="there are more than 10,000 joints"):
        read_text(tmp_path, f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\n{many}}}\n")
