"""One door for all files: what can be read is read, what cannot is told."""

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.formats.skeletons import MOVES, PERSON, SKELETON

import poise
from poise import Clip, PoiseError, PoiseWarning
from poise import tasks as t
from poise.figure import Coupling, Figure, Hinge, Joint, Segment
from poise.formats import Reading, export, load, load_clip, read
from poise.formats.registry import FORMATS, format_of
from poise.motion.links import placed

FIGURE = "figure: {name: post, segments: {base: {mass: 2}}}\n"


@pytest.mark.parametrize("name", ["a.yaml", "a.yml", "A.YAML"])
def test_a_figure_file_is_loaded(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(FIGURE, encoding="utf-8")
    assert load(tmp_path / name).name == "post"
    assert load(str(tmp_path / name)).mass == 2


@pytest.mark.parametrize(
    ("name", "what"), [("a.fbx", ".fbx files"), ("a", "files without a suffix")]
)
def test_another_file_is_told_what_can_be_read(name: str, what: str) -> None:
    with pytest.raises(PoiseError) as raised:
        load(name)
    assert str(raised.value) == (
        f"cannot read '{name}': not {what}, only figure file (.yaml .yml), BVH (.bvh), ASF (.asf), "
        "AMC (.amc), URDF (.urdf), MJCF (.xml .mjcf), glTF (.glb .gltf), VRM (.vrm)"
    )


def test_another_file_is_told_what_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(PoiseError) as raised:
        export(poise.chain(2), "a.asf")
    assert str(raised.value) == (
        "cannot write 'a.asf': not .asf files, only figure file (.yaml .yml), BVH (.bvh), "
        "URDF (.urdf), MJCF (.xml .mjcf), glTF (.glb .gltf)"
    )


@pytest.mark.parametrize("path", [3, None, b"a.bvh"])
def test_a_path_that_is_none_is_told(path: object) -> None:
    for call in (load, load_clip, read, lambda each: export(poise.chain(2), each)):
        with pytest.raises(PoiseError, match="the path of a file must be a string or a Path"):
            call(path)  # type: ignore[operator]


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_every_format_that_is_listed_is_there(each: object) -> None:
    kind = next(one for one in FORMATS if one is each)
    for verb in kind.verbs:
        assert callable(kind.function(verb))
        for suffix in kind.suffixes:
            assert format_of(Path(f"a{suffix.upper()}"), verb) is kind


def test_a_scene_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("# reach\nscene: {tasks: []}\n", encoding="utf-8")
    with pytest.raises(PoiseError) as raised:
        load(path)
    assert str(raised.value) == f"{path}, line 2: scene: this is a scene, not a figure"


def test_a_file_that_holds_something_else_is_told_what_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("figures: {}\n", encoding="utf-8")
    with pytest.raises(PoiseError, match="there is no key 'figures'; did you mean 'figure'"):
        load(path)


@pytest.mark.parametrize("suffix", [each for kind in FORMATS for each in kind.suffixes])
def test_a_missing_file_is_told(suffix: str) -> None:
    with pytest.raises(PoiseError, match=rf"there is no file 'nowhere\{suffix}'"):
        load(f"nowhere{suffix}")


@pytest.mark.parametrize("suffix", [each for kind in FORMATS for each in kind.suffixes])
def test_a_folder_is_told(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"a{suffix}").mkdir()
    with pytest.raises(PoiseError, match=r"(is a folder|is a directory|Is a directory)"):
        load(tmp_path / f"a{suffix}")


@pytest.mark.parametrize("kind", FORMATS, ids=lambda each: each.name)
def test_an_option_that_a_format_does_not_have_is_told(kind: object) -> None:
    one = next(each for each in FORMATS if each is kind)
    with pytest.raises(PoiseError, match=f"to read {one.name}: there is no option 'colour'"):
        load(f"a{one.suffixes[0]}", colour="red")


def test_a_motion_is_loaded_on_its_own_figure(tmp_path: Path) -> None:
    (tmp_path / "walk.bvh").write_text(PERSON, encoding="utf-8")
    clip = poise.load_clip(tmp_path / "walk.bvh")
    assert isinstance(clip, poise.Clip)
    assert (clip.name, clip.q.shape) == ("walk", (3, clip.figure.n))
    assert poise.load_clip(tmp_path / "walk.bvh", "walk").frames == 3
    with pytest.raises(PoiseError, match="there is no motion 'run'"):
        poise.load_clip(tmp_path / "walk.bvh", "run")


def test_one_of_several_motions_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = poise.chain(2)
    clips = {name: Clip(chain, np.zeros((1, 2)), 1.0, name) for name in ("walk", "run")}
    monkeypatch.setattr("poise.formats.bvh.read", lambda path: Reading(chain, clips=clips))
    with pytest.raises(PoiseError, match="holds 2 motions: choose one by name, from walk, run"):
        load_clip("a.bvh")
    assert load_clip("a.bvh", "run").name == "run"


def test_a_posture_becomes_part_of_a_figure_file(tmp_path: Path) -> None:
    chain = poise.chain(2)
    notes = poise.export(chain.posture([0.1, 0.2]), tmp_path / "a.yaml")
    again = read(tmp_path / "a.yaml")
    assert notes == ()
    assert again.posture is not None
    np.testing.assert_allclose(again.posture.q, [0.1, 0.2], atol=1e-12)
    assert "shown" not in chain.postures


def test_what_a_figure_file_cannot_hold_is_told(tmp_path: Path) -> None:
    clip = Clip(poise.chain(2), np.zeros((2, 2)), 10.0)
    notes = poise.export(clip, tmp_path / "a.yaml")
    assert notes == ("a figure file does not hold motions",)
    assert read(tmp_path / "a.yaml").figure.n == 2


def test_a_scene_and_a_solution_are_written_as_they_stand(tmp_path: Path) -> None:
    scene = poise.Scene(poise.chain(3, length=0.1))
    scene.add(t.Position("tip", (0.2, 0, 0.1)), priority=1)
    solution = scene.solve()
    poise.export(solution, tmp_path / "a.bvh")
    again = read(tmp_path / "a.bvh", up="y", forward="z", unit="cm")
    assert again.posture is not None
    last = list(again.figure.segments)[-1]
    tip = again.figure.place(again.posture)[f"{last}_end"].position
    np.testing.assert_allclose(
        tip, solution.posture.figure.place(solution.posture)["tip"].position, atol=1e-6
    )
    poise.export(scene, tmp_path / "b.bvh")
    assert read(tmp_path / "b.bvh", up="y", forward="z", unit="cm").posture is not None


def test_several_figures_are_written_together(tmp_path: Path) -> None:
    pair = poise.Scene({"anna": poise.chain(2), "ben": poise.chain(3)})
    poise.export(pair, tmp_path / "a.bvh")
    figure = load(tmp_path / "a.bvh", up="y", forward="z", unit="cm")
    assert len(figure.segments) == 7
    assert sum(joint.parent == "world" for joint in figure.joints.values()) == 2


def test_something_else_is_told_what_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(PoiseError) as raised:
        poise.export([1, 2], tmp_path / "a.bvh")
    assert str(raised.value) == (
        "a Figure, Posture, Clip, Solution, Scene, Animation or Reading can be written, not list"
    )


@pytest.mark.parametrize("name", ["a.bvh", "a.yaml"])
def test_a_folder_that_is_not_there_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(PoiseError, match="cannot write"):
        poise.export(poise.chain(2), tmp_path / "none" / name)


def test_what_was_guessed_is_a_warning_where_it_cannot_be_given_back(tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    path.write_text(PERSON, encoding="utf-8")
    for call in (poise.load, poise.load_clip):
        with pytest.warns(PoiseWarning, match=r"walk\.bvh: guessed that y points up") as told:
            call(path)
        assert [each.filename for each in told] == [__file__]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(path, up="y", forward="z", unit="cm", positions="replace")


def test_a_clip_tells_what_its_file_cannot_hold(tmp_path: Path) -> None:
    clip = Clip(poise.chain(2), np.zeros((2, 2)), 10.0)
    assert clip.save(tmp_path / "a.yaml") == ("a figure file does not hold motions",)


def test_postures_that_break_limits_are_clamped_in_a_figure_file(tmp_path: Path) -> None:
    arm = Figure(
        "arm",
        [Segment("upper"), Segment("lower")],
        [Joint("elbow", Hinge("y", (0.0, 2.0)), "upper", "lower")],
    )
    postures = {"far": arm.posture([2.5]), "fine": arm.posture([1.0])}
    notes = export(Reading(arm, arm.posture([-0.1]), postures), tmp_path / "a.yaml")
    assert notes == (
        "the posture 'far' breaks limits: it is written clamped",
        "the posture 'shown' breaks limits: it is written clamped",
    )
    again = read(tmp_path / "a.yaml")
    assert [again.figure.posture(name).q[0] for name in ("far", "fine")] == [2.0, 1.0]
    assert again.posture is not None
    assert again.posture.q[0] == 0.0


def test_a_posture_that_limits_and_laws_do_not_allow_is_left_out(tmp_path: Path) -> None:
    figure = Figure(
        "stuck",
        [Segment("a"), Segment("b")],
        [Joint("j", Hinge("y", (0.0, 1.0)), "a", "b")],
        couplings=[Coupling("law", {"j.angle": 1.0}, 5.0, 5.0)],
    )
    (note,) = export(Reading(figure, figure.posture([0.5])), tmp_path / "a.yaml")
    assert note == "the posture 'shown' is left out: none within all limits is near it"
    assert read(tmp_path / "a.yaml").posture is None


def test_a_posture_named_shown_gives_way_with_a_note(tmp_path: Path) -> None:
    chain = poise.chain(1)
    reading = Reading(chain, chain.posture([0.1]), {"shown": chain.posture([0.2])})
    for file in ("a.yaml", "a.xml"):
        notes = export(reading, tmp_path / file)
        assert "the posture named 'shown' gives way to the one that is shown" in notes
        again = read(tmp_path / file)
        assert again.posture is not None
        assert again.posture.q == pytest.approx([0.1])


SUFFIXES = [suffix for each in FORMATS for suffix in each.suffixes]


@pytest.mark.parametrize("content", [b"", b" \r\n\n"], ids=["no bytes", "white space"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_of_an_empty_file_that_is_said(tmp_path: Path, suffix: str, content: bytes) -> None:
    path = tmp_path / f"nothing{suffix}"
    path.write_bytes(content)
    with pytest.raises(PoiseError) as raised:
        read(path)
    assert str(raised.value) == f"{path} is empty"


def test_a_robot_that_cannot_stand_at_zero_comes_back_as_it_starts(tmp_path: Path) -> None:
    """As the Panda arm, whose elbow must be bent."""
    (tmp_path / "arm.urdf").write_text(
        """<robot name="arm"><link name="base"/><link name="upper"/><link name="lower"/>
        <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
          <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
        <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
          <limit lower="-3" upper="-0.07" effort="1" velocity="1"/></joint></robot>""",
        encoding="utf-8",
    )
    robot = read(tmp_path / "arm.urdf")
    assert robot.posture is None
    assert robot.figure.rest().q == pytest.approx([0.0, -0.07])
    assert export(robot, tmp_path / "arm.xml") == ()
    again = read(tmp_path / "arm.xml")
    assert again.posture is not None
    assert again.posture.q == pytest.approx([0.0, -0.07])
    assert again.figure.rest().q == pytest.approx([0.0, -0.07])
    assert again.notes == ()


MISSING = {
    "include.xml": '<mujoco><include file="parts/none.xml"/></mujoco>',
    "inside.xml": '<mujoco><include file="parts/broken.xml"/></mujoco>',
    "model.xml": '<mujoco><asset><model name="m" file="parts/none.xml"/></asset></mujoco>',
    "buffer.gltf": '{"asset": {"version": "2.0"}, "nodes": [{}], "skins": [{"joints": [0], '
    '"inverseBindMatrices": 0}], "accessors": [{"bufferView": 0, "componentType": 5126, '
    '"count": 1, "type": "MAT4"}], "bufferViews": [{"buffer": 0, "byteLength": 64}], '
    '"buffers": [{"uri": "parts/none.bin", "byteLength": 64}], "meshes": [{"primitives": '
    '[{"attributes": {"POSITION": 0}}]}], "scenes": [{"nodes": [0]}]}',
    "alone.amc": MOVES,
    "robot.urdf": "<robot",
    "figure.yaml": "figure: [",
    "walk.bvh": "HIERARCHY",
    "bones.asf": ":root",
}


@pytest.mark.parametrize("name", MISSING)
def test_messages_name_files_as_the_caller_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = tmp_path / "here"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "broken.xml").write_text("<mujoco><body", encoding="utf-8")
    (folder / name).write_text(MISSING[name], encoding="utf-8")
    if name != "alone.amc":
        (folder / "bones.asf").write_text(MISSING["bones.asf"], encoding="utf-8")
    if name == "buffer.gltf":
        text = MISSING[name].replace("[{}]", '[{"mesh": 0, "skin": 0}]')
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PoiseError) as raised:
        read(f"here/{name}")
    assert "here/" in str(raised.value)
    assert str(tmp_path) not in str(raised.value)


# real files ----------------------------------------------------------------------------------


def test_every_motion_capture_file_loads(data: Path) -> None:
    files = sorted(data.glob("bvh/*/*.bvh")) + sorted(data.glob("asf_amc/*.amc"))
    assert len(files) >= 26
    for path in files:
        reading = read(path)
        assert len(reading.clips) == 1
        again = read(path, names="auto")
        assert again.figure.n == reading.figure.n


@pytest.mark.parametrize(
    ("name", "up", "unit", "positions"),
    [
        ("cmu1_jumping_jacks", "y", "cmu", None),
        ("cmu_daz_pirouette", "y", "cm", None),
        ("fair1_zombie", "z", None, None),
        ("makehuman_benchmark_poses", "z", "dm", "add"),
        ("makehuman_dance1", "z", "dm", "replace"),
        ("makehuman_walk1", "z", "dm", "add"),
        ("pybvh_rotation_first_root", "y", "cm", None),
        ("pybvh_test1", "z", "in", None),
    ],
)
def test_conventions_of_real_files_are_guessed(
    data: Path, name: str, up: str, unit: str | None, positions: str | None
) -> None:
    notes = " ".join(read(data / "bvh" / "other" / f"{name}.bvh").notes)
    assert f"up={up!r}" in notes
    assert (f"unit={unit!r}" in notes) if unit else ("no common unit fits" in notes)
    assert ("positions=" in notes) == bool(positions)
    if positions:
        assert f"positions={positions!r}" in notes


def test_bvh_and_amc_files_of_one_motion_agree_within_a_millimetre(
    data: Path, record_property: Callable[[str, object], None]
) -> None:
    worst = 0.0
    for path in sorted((data / "asf_amc").glob("*.amc")):
        one = poise.load_clip(path, names="cmu_asf")
        other = poise.load_clip(data / "bvh" / "cmu" / f"{path.stem}.bvh", names="cmu")[1:]
        assert one.frames == other.frames
        here, there = placed(one.figure, one.q), placed(other.figure, other.q)
        shared = here.keys() & there.keys()
        assert len(shared) >= 24
        for name in shared:
            worst = max(worst, float(np.abs(here[name][1] - there[name][1]).max()))
    assert worst < 1e-3
    record_property("BVH against AMC, worst place (m)", worst)


def test_real_motions_read_back_within_a_thousandth_of_a_millimetre(
    data: Path, tmp_path: Path
) -> None:
    for path in sorted((data / "bvh" / "other").glob("*.bvh")):
        clip = poise.load_clip(path)
        clip.save(tmp_path / "again.bvh")
        again = poise.load_clip(tmp_path / "again.bvh", up="y", forward="z", unit="cm")
        here, there = placed(clip.figure, clip.q), placed(again.figure, again.q)
        for (_, one), (_, other) in zip(here.values(), there.values(), strict=True):
            np.testing.assert_allclose(other, one, atol=1e-6)


def test_a_folder_of_skeleton_and_motion_goes_through_the_same_door(tmp_path: Path) -> None:
    (tmp_path / "88.asf").write_text(SKELETON, encoding="utf-8")
    (tmp_path / "88_01.amc").write_text(MOVES, encoding="utf-8")
    assert load(tmp_path / "88.asf").n == load(tmp_path / "88_01.amc").n
