"""Our names for other people's skeletons."""

from pathlib import Path

import numpy as np
import pytest
from tests.formats.skeletons import MOVES, PERSON, SKELETON

import poise
from poise import PoiseError
from poise.figure import Builder, Figure, Hinge
from poise.formats import Reading, read
from poise.formats.names import READY, correspondence, name_map, recognised
from poise.formats.renaming import joint_of, renamed
from poise.tasks import Loop

BODY = ("pelvis", "neck", "head") + tuple(
    f"{side}_{part}"
    for side in ("left", "right")
    for part in ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes")
)


@pytest.mark.parametrize("name", READY)
def test_every_ready_map_knows_the_whole_body(name: str) -> None:
    ours = set(name_map(name).ours.values())
    assert set(BODY) <= ours
    assert name_map(name).description


@pytest.mark.parametrize("name", READY)
def test_every_ready_map_recognises_its_own_names(name: str) -> None:
    given = name_map(name)
    found = recognised(given.ours)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("name", READY)
def test_a_map_names_only_parts_that_people_have(name: str) -> None:
    whole = set(poise.human(hands=True).segments)
    besides = {"spine", "chest", "upper_chest", "jaw"} | {
        f"{side}_{part}"
        for side in ("left", "right")
        for part in ("eye", "hip_bone", "lower_forearm")
    }
    assert set(name_map(name).ours.values()) <= whole | besides


def test_prefixes_are_left_away() -> None:
    names = [f"mixamorig:{each}" for each in name_map("mixamo").ours]
    found = recognised(names)
    assert found is not None
    assert found.known(names)["mixamorig:LeftForeArm"] == "left_forearm"


def test_few_known_names_do_not_make_a_skeleton() -> None:
    assert recognised(["Hips", "Head", "Tail", "Wing"]) is None


@pytest.fixture
def person(tmp_path: Path) -> Path:
    (tmp_path / "person.bvh").write_text(PERSON, encoding="utf-8")
    return tmp_path / "person.bvh"


def test_a_clip_is_read_with_our_names(person: Path) -> None:
    plain, ours = read(person), read(person, names="mixamo")
    assert list(ours.figure.segments) == [
        "pelvis", "spine", "head", "left_upper_arm", "left_forearm", "right_upper_arm",
        "left_thigh", "left_foot", "right_thigh", "right_foot",
    ]  # fmt: skip
    assert list(ours.figure.joints) == [
        "root", "spine", "head", "left_shoulder", "left_elbow", "right_shoulder",
        "left_hip", "left_ankle", "right_hip", "right_ankle",
    ]  # fmt: skip
    assert "left_forearm_end" in ours.figure.sites
    np.testing.assert_array_equal(ours.clips["person"].q, plain.clips["person"].q)
    assert ours.posture is not None
    assert ours.posture.figure is ours.figure
    assert ours.notes[-1] == "10 names are ours, by the map 'mixamo'"


def test_the_map_that_fits_is_found(person: Path) -> None:
    assert read(person, names="auto").notes[-1] == "10 names are ours, by the map 'mixamo'"


def test_names_stay_where_no_map_fits(tmp_path: Path) -> None:
    (tmp_path / "88.asf").write_text(SKELETON, encoding="utf-8")
    (tmp_path / "88_01.amc").write_text(MOVES, encoding="utf-8")
    reading = read(tmp_path / "88_01.amc", names="auto")
    assert "lfemur" in reading.figure.segments
    assert reading.notes[-1] == "no map of names fits; names are as read"
    assert "left_thigh" in read(tmp_path / "88_01.amc", names="cmu_asf").figure.segments


def test_a_map_of_ones_own_is_a_file(person: Path) -> None:
    path = person.parent / "mine.yaml"
    path.write_text(
        "names:\n  sides: {left: Left, right: Right}\n  prefixes: [Hi]\n"
        '  map: {ps: belly, "{side}Arm": "{side}_wing"}\n',
        encoding="utf-8",
    )
    figure = read(person, names=path).figure
    assert {"belly", "left_wing", "right_wing", "Spine"} <= set(figure.segments)
    assert "left_wing" in figure.joints


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "names: {map: {A: a.b}}",
            "line 1: names.map.A: the name 'a.b' of a segment must not cont",
        ),
        ("names: {map: {A: '{side}_b'}}", "{side} must stand in both names or in none"),
        ("names: {sides: {links: l}, map: {}}", "names.sides: must be {left: …, right: …}"),
        ("names: {mapp: {}}", "there is no key 'mapp'; did you mean 'map'?"),
    ],
)
def test_a_wrong_map_is_told_where(person: Path, text: str, message: str) -> None:
    path = person.parent / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PoiseError) as raised:
        read(person, names=path)
    assert message in str(raised.value)


def test_a_map_that_is_not_there_is_told(person: Path) -> None:
    with pytest.raises(
        PoiseError, match="there is no map of names 'mixama'; did you mean 'mixamo'"
    ):
        read(person, names="mixama")
    with pytest.raises(PoiseError, match="there is no file"):
        read(person, names=person.parent / "none.yaml")
    with pytest.raises(PoiseError, match="the map 'daz' knows no name of 'person': Hips, Spine"):
        read(person, names="daz")


def machine() -> Figure:
    builder = Builder("machine")
    for name in ("Hips", "LeftArm", "LeftForeArm", "left_hand"):
        builder.segment(name)
    builder.joint("Hips", Hinge(), "world", "Hips")
    builder.joint("LeftArm", Hinge(), "Hips", "LeftArm")
    builder.joint("LeftForeArm", Hinge(), "LeftArm", "LeftForeArm")
    builder.joint("left_hand", Hinge(), "LeftForeArm", "left_hand")
    builder.group("arm", {"bend": (-1, 1)}, {"LeftArm.angle": {"bend": 1.0}})
    builder.couple("strap", {"LeftForeArm.angle": 1, "arm.bend": 2}, upper=1)
    builder.site("LeftForeArm_end", "LeftForeArm", (1, 0, 0))
    builder.posture("up", {"LeftForeArm": 0.5})
    figure = builder.build()
    figure.lock("LeftForeArm")
    figure.stiffness["Hips"] = 0.5
    return figure


def test_all_that_names_joints_follows() -> None:
    before = Reading(machine(), loops=(Loop("LeftForeArm_end", "Hips"),))
    after = renamed(before, "mixamo")
    figure = after.figure
    assert list(figure.couplings["strap"].terms) == ["left_elbow.angle", "arm.bend"]
    assert list(figure.groups["arm"].terms) == ["left_shoulder.angle"]
    assert figure.locked_names == ("left_elbow",)
    assert figure.stiffness.values[0] == 0.5
    np.testing.assert_array_equal(figure.postures["up"], before.figure.postures["up"])
    (loop,) = after.loops
    assert loop == Loop("left_forearm_end", "pelvis")


def test_a_name_that_is_taken_is_not_given_again() -> None:
    builder = Builder("two")
    for name in ("Hips", "pelvis", "Head"):
        builder.segment(name)
    builder.joint("a", Hinge(), "Hips", "pelvis")
    builder.joint("b", Hinge(), "pelvis", "Head")
    reading = renamed(Reading(builder.build()), "mixamo")
    assert list(reading.figure.segments) == ["Hips", "pelvis", "head"]
    assert reading.notes == ("1 names are ours, by the map 'mixamo'",)


def test_names_that_were_ours_already_are_counted() -> None:
    builder = Builder("two")
    for name in ("hips", "spine", "head"):
        builder.segment(name)
    builder.joint("a", Hinge(), "hips", "spine")
    builder.joint("b", Hinge(), "spine", "head")
    reading = renamed(Reading(builder.build()), "vrm")
    assert list(reading.figure.segments) == ["pelvis", "spine", "head"]
    assert reading.notes == ("3 names are ours, by the map 'vrm'",)


def test_parts_correspond_by_our_names(person: Path) -> None:
    found = correspondence(poise.load(person))
    assert found["left_forearm"] == "LeftForeArm"
    human = correspondence(poise.human())
    assert human["left_forearm"] == "left_forearm"
    assert correspondence(poise.chain(3)) == {}


# written again ---------------------------------------------------------------------------------


def bvh_names(path: Path) -> list[str]:
    """The joints of a BVH file, as it is written."""
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return [words[1] for words in lines if words and words[0] in ("ROOT", "JOINT")]


def test_a_file_is_written_with_the_names_that_it_had(person: Path) -> None:
    clip = poise.load_clip(person, names="auto")
    assert "left_forearm" in clip.figure.segments
    notes = poise.export(clip, person.parent / "again.bvh")
    assert any("names are those of the file that was read: pelvis is Hips" in n for n in notes)
    assert bvh_names(person.parent / "again.bvh") == bvh_names(person)
    again = poise.load_clip(person.parent / "again.bvh", names="auto", unit="cm")
    assert list(again.figure.segments) == list(clip.figure.segments)
    for before, after in zip(clip, again, strict=True):
        here, there = clip.figure.place(before), again.figure.place(after)
        for name in clip.figure.segments:
            np.testing.assert_allclose(here[name].position, there[name].position, atol=1e-6)


def test_our_names_are_written_by_option_and_read_back(person: Path) -> None:
    clip = poise.load_clip(person, names="auto")
    clip.save(person.parent / "ours.bvh", names="ours")
    assert bvh_names(person.parent / "ours.bvh") == list(clip.figure.segments)
    reading = read(person.parent / "ours.bvh", names="auto")
    assert list(reading.figure.joints) == list(clip.figure.joints)
    assert f"{len(clip.figure.segments)} names are ours, by the map 'poise'" in reading.notes
    with pytest.raises(PoiseError, match="names must be 'file' or 'ours' to write BVH, not 'our'"):
        clip.save(person.parent / "ours.bvh", names="our")


def test_names_of_the_file_survive_what_is_made_of_a_figure(person: Path) -> None:
    figure = poise.load(person, names="auto")
    scene = poise.Scene({"anna": figure, "ben": figure})
    scene.hold(poise.box(0.1, 0.1, 0.1), "anna/left_forearm")
    poise.export(scene, person.parent / "pair.bvh")
    names = bvh_names(person.parent / "pair.bvh")
    assert {"anna_Hips", "ben_LeftForeArm", "anna_box"} <= set(names)
    scene = poise.Scene(figure)
    scene.hold(poise.box(0.1, 0.1, 0.1), "left_forearm")
    poise.export(scene, person.parent / "one.bvh")
    assert set(bvh_names(person.parent / "one.bvh")) == {*bvh_names(person), "box"}


def test_a_figure_file_has_our_names(person: Path) -> None:
    poise.export(poise.load(person, names="auto"), person.parent / "person.yaml")
    assert "left_forearm" in poise.load(person.parent / "person.yaml").segments


@pytest.mark.parametrize("suffix", [".bvh", ".glb"])
def test_what_poise_wrote_is_recognised_by_our_names(tmp_path: Path, suffix: str) -> None:
    human = poise.human(hands=True)
    q = np.tile(human.rest().q, (3, 1))
    q[:, human.index("left_elbow.flexion")] = [0.5, 0.8, 1.1]
    clip = poise.Clip(human, q, 30, "bend")
    clip.save(tmp_path / f"bend{suffix}")
    reading = read(tmp_path / f"bend{suffix}", names="auto")
    assert set(reading.figure.segments) == set(human.segments)
    assert set(reading.figure.joints) == set(human.joints)
    assert f"{len(human.segments)} names are ours, by the map 'poise'" in reading.notes
    (moved,) = reading.clips.values()
    for before, after in zip(clip, moved, strict=True):
        here, there = human.place(before), moved.figure.place(after)
        for name in human.segments:
            at = there.segment(name).position
            np.testing.assert_allclose(here.segment(name).position, at, atol=1e-5)


def test_joints_of_our_human_are_called_after_what_they_move() -> None:
    human = poise.human(hands=True)
    for joint in human.joints.values():
        assert joint_of(joint.child) == joint.name
