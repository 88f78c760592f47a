"""Scene files: what is saved is loaded again, and what is wrong is said by line."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scene.random_scenes import differences, random_scene
from tests.scene.schema import fits

import poise
from poise import PoiseError, Scene, tasks
from poise.documents import parse
from poise.figure import Ellipsoid, Transform
from poise.figure.files import figure_from
from poise.figure.transform import rotation_matrix
from poise.scene import Options, Origin
from poise.scene.files import kinds, scene_from, scene_schema, scene_text, values, writing
from poise.scene.files.postures import SharedPostures
from poise.scene.files.values import read_rotation, write_rotation

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))


def loaded(text: str, folder: Path = Path()) -> Scene:
    return scene_from(parse(text, "scene.yaml"), folder)


def written(scene: Scene) -> dict[str, Any]:
    return parse(scene_text(scene, Path()), "scene.yaml").data["scene"]


# there and back --------------------------------------------------------------------------------


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_what_is_saved_is_the_same_scene_to_1e_12(seed: int) -> None:
    scene = random_scene(seed)
    again = loaded(scene_text(scene, Path()))
    assert differences(scene, again) == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_the_same_after_saving_and_loading(path: Path, tmp_path: Path) -> None:
    scene = Scene.load(path)
    scene.save(tmp_path / "again.yaml")
    again = Scene.load(tmp_path / "again.yaml")
    assert differences(scene, again) == []
    assert scene.origins == again.origins


def test_the_differences_of_scenes_are_found() -> None:
    first, second = random_scene(1), random_scene(1)
    assert differences(first, second) == []
    second.metres_per_radian += 1e-9
    next(iter(second.handles.values())).weight = 77.0
    assert len(differences(first, second)) == 2


def test_a_scene_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    scene = Scene(poise.chain(3))
    scene.save(path)
    before = path.read_bytes()

    class Odd(tasks.Position):
        pass

    scene.add(Odd("tip"), name="odd")
    with pytest.raises(PoiseError, match=r"'odd' cannot be saved: files know .* and so no Odd"):
        scene.save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["scene.yaml"]


def test_a_scene_file_has_a_suffix_and_a_place(tmp_path: Path) -> None:
    scene = Scene(poise.chain(3))
    with pytest.raises(PoiseError, match=r"a scene file is named \.yaml or \.yml, not"):
        scene.save(tmp_path / "scene.json")
    with pytest.raises(PoiseError, match=r"cannot write .*No such file or directory"):
        scene.save(tmp_path / "no" / "scene.yaml")
    with pytest.raises(PoiseError, match="must be a string or a Path, not 3"):
        scene.save(3)  # type: ignore[arg-type]


# figures ---------------------------------------------------------------------------------------


def test_a_ready_figure_is_named_and_one_of_its_own_written_out() -> None:
    assert written(Scene(poise.human()))["figure"] == {"ready": "human"}
    female = {"ready": "human", "arguments": {"sex": "female"}}
    assert written(Scene(poise.human(sex="female")))["figure"] == female
    own = Scene(poise.chain(3, length=0.123))
    assert written(own)["figure"]["arguments"] == {"n": 3, "length": 0.123}
    own.given["chain"].recipe = None  # as if it had been built by hand
    assert list(written(own)["figure"]) == ["inline"]
    own.origins["chain"] = Origin("chain", {"n": 3, "length": 0.123})
    assert written(own)["figure"] == {"ready": "chain", "arguments": {"n": 3, "length": 0.123}}


def test_an_origin_that_does_not_give_the_figure_is_not_believed() -> None:
    scene = Scene(poise.chain(3, length=0.123))
    scene.given["chain"].recipe = None
    for origin in (
        Origin("chain", {"n": 3, "length": 0.2}),
        Origin("nothing"),
        Origin("chain", {"m": 3}),
        Origin("chain"),
        Origin("chain", {"n": []}),
        Origin(file=Path("nowhere.yaml")),
    ):
        scene.origins["chain"] = origin
        assert list(written(scene)["figure"]) == ["inline"]


def test_a_figure_file_is_seen_from_the_scene_file(tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "scenes").mkdir()
    poise.chain(3, length=0.123).save(tmp_path / "figures" / "rope.yaml")
    path = tmp_path / "scenes" / "a.yaml"
    path.write_text(
        "scene:\n  version: 2\n  figure: {file: ../figures/rope.yaml}\n", encoding="utf-8"
    )
    scene = Scene.load(path)
    assert scene.figures["chain"].n == 3
    scene.save(tmp_path / "b.yaml")
    assert yaml.safe_load((tmp_path / "b.yaml").read_text())["scene"] == {
        "version": 2,
        "figure": {"file": "figures/rope.yaml"},
    }


@pytest.mark.parametrize(
    ("keys", "restarts"),
    [
        ("", 0),
        ("version: 1, solve: {method: nlp}, ", 0),
        ("solve: {restarts: 5}, ", 5),
        ("solve: {restarts: auto}, ", "auto"),
        ("version: 2, ", "auto"),
        ("version: 2, solve: {restarts: 0}, ", 0),
    ],
)
def test_a_file_without_a_version_tries_no_other_starts_unless_it_says_so(
    keys: str, restarts: int | str, tmp_path: Path
) -> None:
    scene = loaded(f"scene: {{{keys}figure: human}}")
    assert scene.options.restarts == restarts
    scene.save(tmp_path / "again.yaml")
    assert Scene.load(tmp_path / "again.yaml").options == scene.options


def test_angles_among_arguments_are_degrees() -> None:
    scene = loaded("scene: {figure: {ready: chain, arguments: {n: 3, limit: 30}}}")
    assert scene.figures["chain"].upper == pytest.approx(np.deg2rad(30))
    assert written(scene)["figure"]["arguments"] == {"n": 3, "limit": 30}


def test_a_start_is_a_posture_on_top_of_where_the_figure_stands() -> None:
    scene = loaded(
        """
        scene:
          figure:
            ready: human
            position: [1, 2, 0]
            heading: 90
            postures: {bent: {left_knee.flexion: 40}}
            posture: {left_hip: {flexion: 30}, spine.flexion: 10, root.z: 0.8}
        """
    )
    posture, rest = scene.posture, scene.figures["human"].rest()
    assert posture["root.x"] == pytest.approx(1.0, abs=0.1)
    assert posture["root.z"] == 0.8
    assert posture["root.rz"] == pytest.approx(np.pi / 2)
    assert posture.angles("left_hip")["flexion"] == pytest.approx(np.deg2rad(30))
    assert posture["spine.flexion"] == pytest.approx(np.deg2rad(10))
    assert posture["right_elbow.flexion"] == rest["right_elbow.flexion"]
    bent = scene.figures["human"].posture("bent")
    assert bent["left_knee"] == pytest.approx(np.deg2rad(40))
    named = loaded(
        "scene: {figure: {ready: human, postures: {bent: {left_knee.flexion: 40}}, posture: bent}}"
    )
    assert named.posture == bent


def test_named_postures_serve_tasks() -> None:
    scene = loaded(
        """
        scene:
          figures:
            a: {ready: chain, arguments: {n: 2}, postures: {bent: {joint_1.angle: 40}}}
            b: {ready: chain, arguments: {n: 2}}
          criteria:
            - rest: a/bent
            - rest: {posture: {b/joint_2: {angle: 20}}}
        """
    )
    solution = scene.solve()
    assert solution.postures["a"].q == pytest.approx(np.deg2rad([40, 0]), abs=1e-3)
    assert solution.postures["b"].q == pytest.approx(np.deg2rad([0, 20]), abs=1e-3)


# tasks -----------------------------------------------------------------------------------------


def test_priorities_follow_the_order_unless_given() -> None:
    scene = loaded(
        """
        scene:
          figure: {ready: chain, arguments: {n: 3}}
          tasks:
            - position: tip
            - {aim: tip, priority: 4}
            - orientation: tip
            - frame: {site: tip}
              priority: 2
            - half_space: tip
        """
    )
    assert [handle.priority for handle in scene.handles.values()] == [1, 4, 5, 2, 3]


@pytest.mark.parametrize("several", [False, True])
def test_a_figure_is_written_out_once_while_only_tasks_and_postures_change(
    several: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    told = writing.figure_text

    def counting(figure: poise.Figure) -> str:
        counted.append(figure.name)
        return told(figure)

    monkeypatch.setattr(writing, "figure_text", counting)
    figure = figure_from(parse(told(poise.chain(4)), "chain.yaml"))  # made by no recipe
    scene = Scene({"one": figure, "two": poise.chain(3)} if several else figure)
    first = scene_text(scene, Path())
    scene.add(tasks.Position("one/tip" if several else "tip", (0.2, 0.0, 0.1)))
    scene.q = scene.q + 0.1
    second = scene_text(scene, Path())
    assert counted == ["chain"]
    assert first != second
    again = loaded(second)
    assert np.array_equal(again.q, scene.q)
    assert next(iter(again.given.values())).segments == figure.segments
    for change in ("lock", "stiffness", "posture"):
        if change == "lock":
            figure.lock("joint_2")
        elif change == "stiffness":
            figure.stiffness["joint_1"] = 0.5
        else:
            figure.postures["bent"] = figure.rest().q + 0.2
        third = next(iter(loaded(scene_text(scene, Path())).given.values()))
        assert third.locked_names == figure.locked_names
        assert np.array_equal(third.stiffness.values, figure.stiffness.values)
        assert third.postures.keys() == figure.postures.keys()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(-3.0, 3.0), min_size=3, max_size=3),
    st.sampled_from([0.0, 1e-16, 1e-9, 1.0, np.pi]),
)
def test_a_rotation_that_was_read_is_written_alike(axis: list[float], angle: float) -> None:
    size = float(np.linalg.norm(axis))
    rotation = rotation_matrix(np.array(axis) * (angle / size if size > 1e-3 else 0.0))
    # Whatever a processor leaves in the last digits.
    rotation = rotation @ rotation_matrix(np.array(axis) * 1e-16)
    text = write_rotation(rotation)
    ((form, value),) = text.items()
    again = read_rotation(form, value)
    assert np.abs(again - rotation).max() < 1e-13
    assert write_rotation(again) == text


def test_the_dust_of_rounding_in_a_rotation_is_not_written() -> None:
    for turn in ([0.0, 0.0, 0.0], [0.0, 0.0, 90.0], [10.0, 20.0, 30.0], [-179.0, 0.0, 0.0]):
        rotation = rotation_matrix(np.radians(turn)) @ rotation_matrix([3e-16, -2e-16, 1e-16])
        assert write_rotation(rotation) == {"rotation": turn}


def test_rotations_have_three_forms() -> None:
    turns = [
        "rotation: [0, 0, 90]",
        "quaternion: [1, 0, 0, 1]",
        "matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]",
    ]
    for turn in turns:
        scene = loaded(
            f"""
            scene:
              figure: {{ready: chain, arguments: {{n: 3}}}}
              tasks:
                - orientation: {{site: tip, target: {{{turn}}}}}
                - frame: {{site: tip, target: {{position: [1, 2, 3], {turn}}}}}
            """
        )
        first, second = scene.handles.values()
        expected = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
        assert np.array(first.target) == pytest.approx(expected, abs=1e-12)
        assert isinstance(second.target, Transform)
        assert second.target.rotation == pytest.approx(expected, abs=1e-12)
        assert second.target.position.tolist() == [1, 2, 3]


def test_a_word_alone_and_nothing_at_all_are_a_task_too() -> None:
    scene = loaded(
        """
        scene:
          figure: human
          tasks:
            - frame: left_foot
            - balance
            - center_of_mass:
          criteria: [rest]
        """
    )
    assert list(scene.handles) == ["left_foot", "balance", "center_of_mass", "rest"]


def test_what_a_file_says_of_solving_is_what_happens() -> None:
    scene = loaded(
        """
        scene:
          figure: {ready: chain, arguments: {n: 3}}
          tasks: [{position: {site: tip, target: [0.1, 0, 0.2]}}]
          solve: {max_iterations: 1, tolerance: 0.01}
        """
    )
    assert scene.options == Options(max_iterations=1, tolerance=0.01, restarts=0)
    assert scene.solve().iterations == 1
    assert scene.solve(max_iterations=50).iterations > 1


# forms of fields -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Region:
    """What a task of the future may be about."""

    corners: Any
    angle: float = 0.0
    axis: Any = (0.0, 0.0, 1.0)
    zones: Any = None
    rotation: Any = (0.0, 0.0, 0.0)
    ellipsoid: Any = None

    @classmethod
    def cube(cls, edge: float, rotation: Any = (0.0, 0.0, 0.0)) -> Region:
        return cls(((edge, edge, edge),), rotation=rotation)


@pytest.fixture
def postures(monkeypatch: pytest.MonkeyPatch) -> SharedPostures:
    known = {**kinds.descriptions(), "region": Region}
    monkeypatch.setattr(values, "descriptions", lambda: known)
    return SharedPostures({"human": poise.human()}, several=False)


def test_every_form_of_a_field_is_written_in_the_units_of_files(postures: SharedPostures) -> None:
    region = Region(
        ((1.0, 2.0, 3.0),),
        np.deg2rad(30),
        (-1.0, 0.0, 0.0),
        {"left_knee.flexion": (np.deg2rad(10), np.inf), "root.x": (-1.0, 2.0)},
        (0.0, 0.0, np.pi / 2),
        Ellipsoid((0, 0, 1), (0.1, 0.2, 0.3), (np.pi, 0, 0)),
    )
    plain = values.written(region, postures)
    assert plain == {
        "corners": [[1, 2, 3]],
        "angle": 30,
        "axis": "-x",
        "zones": {"left_knee.flexion": [10, np.inf], "root.x": [-1, 2]},
        "rotation": [0, 0, 90],
        "ellipsoid": {"center": [0, 0, 1], "radii": [0.1, 0.2, 0.3], "rotation": [180, 0, 0]},
    }
    again = values.described("region", {**plain, "axis": (-1.0, 0.0, 0.0)}, postures)
    assert again == region


def test_other_ways_to_make_something_go_by_their_names(postures: SharedPostures) -> None:
    given = {"cube": {"edge": 2.0, "rotation": [0, 0, 90]}}
    region = values.described("region", given, postures)
    assert region == Region(((2.0, 2.0, 2.0),), rotation=(0.0, 0.0, np.pi / 2))
    assert values.described("region", {"cube": 3.0}, postures).corners == ((3.0, 3.0, 3.0),)
    assert values.described("region", [[1.0, 2.0, 3.0]], postures).corners == ((1.0, 2.0, 3.0),)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cub": 3}, "region: there is no key 'cub'; did you mean 'cube'?"),
        ({"cube": {"edg": 3}}, "cube: there is no key 'edg'; did you mean 'edge'?"),
        ({"cube": {}}, "cube needs the key 'edge'"),
        ({"angle": 3}, "region needs the key 'corners'"),
        ({"corners": 1, "angle": "a"}, "angle must be a number, not 'a'"),
        ({"corners": 1, "rotation": [1, 2]}, "the rotation (degrees) must be 3 numbers, not 2"),
        ({"corners": 1, "zones": 3}, "zones must be intervals by coordinate, not 3"),
        ({"corners": 1, "zones": {"nek": [0, 1]}}, "there is no coordinate 'nek'"),
        ({"corners": 1, "zones": {"root.x": 1}}, "zones of 'root.x' must be two numbers, not 1"),
        ({"corners": {"a": 1, "b": 2}}, "a mapping must be a frame (with some of position, "),
    ],
)
def test_what_is_wrong_in_a_field_is_said(
    given: Any, message: str, postures: SharedPostures
) -> None:
    with pytest.raises(PoiseError) as error:
        values.described("region", given, postures)
    assert message in str(error.value)


def test_every_task_and_criterion_has_a_key() -> None:
    expected = {
        "aim",
        "balance",
        "center_of_mass",
        "frame",
        "half_space",
        "loop",
        "orientation",
        "position",
        "rest",
    }
    assert expected <= set(kinds.descriptions())


# props -----------------------------------------------------------------------------------------


def test_props_are_held_and_placed() -> None:
    scene = loaded(
        """
        scene:
          figure: {ready: chain, arguments: {n: 3}}
          props:
            cup: {cylinder: {radius: 0.04, height: 0.1}, mass: 0.3, held: tip, at: left}
            jar: {sphere: 0.1, held: link_2, position: [0, 0, 0.1], rotation: [0, 0, 90]}
            rod: {box: [1, 0.1, 0.1], position: [0, 1, 0], quaternion: [0, 0, 0, 1]}
            odd:
              shapes: [{sphere: {center: [0, 0, 1], radius: 0.1}}]
              density: 100
              sites: {end: {position: [0, 0, 1.1]}}
        """
    )
    places = scene.places
    assert places["cup/left"].position == pytest.approx([0.3, 0, 0])
    assert places["jar"].position == pytest.approx([0.1, 0, 0.1])
    assert places["jar"].rotation[:, 0] == pytest.approx([0, 1, 0], abs=1e-12)
    assert places["rod/front"].position == pytest.approx([-0.5, 1, 0])
    assert places["odd/end"].position == pytest.approx([0, 0, 1.1])
    assert scene.props["odd"].prop.mass == pytest.approx(100 * 4 / 3 * np.pi * 1e-3)


# what is wrong ---------------------------------------------------------------------------------

HEAD = "scene:\n  figure: {ready: chain, arguments: {n: 3}}\n"
TASK = HEAD + "  tasks:\n    - "
PROP = HEAD + "  props:\n    cup: "

WRONG = {
    "figure: {}": (
        "scene.yaml, line 1: figure: this is a figure, not a scene; a scene names it: "
        "figure: {file: …}"
    ),
    "scene: {}": "scene.yaml, line 1: scene: needs one of the keys 'figure' and 'figures'",
    "scene: {figure: hunan}": (
        "scene.yaml, line 1: scene.figure: there is no ready figure 'hunan'; did you mean 'human'?"
    ),
    "scene:\n  figure: {redy: human}": (
        "scene.yaml, line 2: scene.figure.redy: there is no key 'redy'; did you mean 'ready'?"
    ),
    "scene: {figure: {}}": ("scene.figure: needs one of the keys 'ready', 'file' and 'inline'"),
    "scene: {figure: {ready: human, file: a.yaml}}": (
        "needs one of the keys 'ready', 'file' and 'inline', not ready and file"
    ),
    "scene: {figure: {file: a.yaml, arguments: {n: 3}}}": "arguments are for `ready`",
    "scene: {figure: {file: no.yaml}}": "scene.figure.file: there is no file 'no.yaml'",
    "scene: {figure: {ready: chain}}": (
        "scene.figure.ready: the ready figure 'chain' needs the argument 'n'"
    ),
    "scene: {figure: {ready: human, arguments: {statur: 2}}}": (
        "ready figure 'human': there is no argument 'statur'; did you mean 'stature'?"
    ),
    "scene: {figure: {ready: human, arguments: {stature: 175}}}": (
        "stature must be between 1.2 and 2.2 metres, not 175; 175 cm would be 1.75"
    ),
    "scene: {figure: {ready: human, arguments: {stature: [1]}}}": (
        "scene.figure.arguments.stature: an argument must be a number, a text, or true or false"
    ),
    "scene: {figure: {inline: {segments: {a: {mas: 3}}}}}": (
        "scene.figure.inline.segments.a.mas: there is no key 'mas'; did you mean 'mass'?"
    ),
    "scene:\n  figure:\n    inline:\n      segments: {a: {}}\n      joints:\n"
    "        j: {kind: hinge, parent: a, child: b}": (
        "scene.yaml, line 6: scene.figure.inline.joints.j.child: there is no segment 'b'"
    ),
    "scene: {figure: {ready: human, posture: {left_kne: {flexion: 3}}}}": (
        "scene.figure.posture.left_kne: there is no joint or group 'left_kne'; did you mean "
        "'left_knee'?"
    ),
    "scene: {figure: {ready: human, posture: crouch}}": (
        "scene.figure.posture: the figure 'human': there is no posture 'crouch'"
    ),
    "scene: {figure: {ready: chain, arguments: {n: 3}, heading: 90}}": (
        "scene.figure.heading: 'chain' cannot be stood elsewhere: its root is not free"
    ),
    "scene: {figure: {ready: human, locked: [nek]}}": (
        "scene.figure.locked[0]: there is no joint, group, limb or coordinate 'nek'; did you mean "
        "'neck'?"
    ),
    "scene: {figure: {ready: human, stiffness: {neck: 1}}}": (
        "scene.figure.stiffness.neck: found 1; must be a number from 0 to below 1"
    ),
    "scene: {figure: {ready: human, sites: {a: {segment: hed}}}}": (
        "scene.figure.sites.a.segment: there is no segment 'hed'; did you mean 'head'?"
    ),
    TASK + "positon: tip": (
        "scene.yaml, line 4: scene.tasks[0].positon: there is no key 'positon'; did you mean "
        "'position'?"
    ),
    TASK + "banance": "scene.tasks[0]: there is no task 'banance'; did you mean 'balance'?",
    TASK + "{priority: 3}": "scene.tasks[0]: a task has one key of: aim, any, avoid, ",
    TASK + "{position: tip, aim: tip}": "found aim and position at once",
    TASK + "position: tipp": "scene.tasks[0].position: there is no site, segment or joint 'tipp'",
    TASK + "position: {}": "scene.tasks[0].position: needs the key 'site'",
    TASK + "position: {site: tip, taget: [0, 0, 1]}": (
        "scene.tasks[0].position.taget: there is no key 'taget'; did you mean 'target'?"
    ),
    TASK + "position: {site: tip, target: [0, 1]}": (
        "scene.tasks[0].position: the target of 'tip' must be 3 numbers, not 2"
    ),
    TASK + "orientation: {site: tip, target: {rotaton: [0, 0, 1]}}": (
        "there is no task or criterion 'rotaton'; did you mean 'orientation'?"
    ),
    TASK + "orientation: {site: tip, target: {rotation: [0, 1], matrix: 3}}": (
        "scene.tasks[0].orientation: give one of rotation, matrix, not all"
    ),
    TASK + "orientation: {site: tip, target: {quaternion: [0, 0, 0, 0]}}": (
        "the quaternion must not be all zero"
    ),
    TASK + "orientation: {site: tip, free: w}": 'scene.tasks[0].orientation.free: found "w"; ',
    TASK + "{position: tip, priority: 0}": (
        "scene.tasks[0].priority: found 0; must be a whole number, at least 1"
    ),
    TASK + "{position: tip, weight: 0}": (
        "scene.tasks[0].weight: found 0; must be a number greater than 0"
    ),
    TASK + "{position: tip, joints: []}": (
        "scene.tasks[0].joints: there is no joint; name one at least, or leave the key out for all"
    ),
    TASK + "{position: tip, joints: {}}": "scene.tasks[0].joints: there is no joint; name one",
    TASK + "{position: tip, joints: }": "scene.tasks[0].joints: there is no value; give one, or",
    TASK + "{position: tip, joints: tip}": (
        "scene.tasks[0].joints: 'tip' is a site, and no joint, group, limb or coordinate; "
        "did you mean 'chain', the limb that carries it?"
    ),
    TASK + "{position: tip, joints: [joint_9]}": (
        "scene.tasks[0].joints: there is no joint, group, limb or coordinate 'joint_9'"
    ),
    TASK + "{position: tip, name: a}\n    - {aim: tip, name: a}": (
        "scene.yaml, line 5: scene.tasks[1].aim: there is a task named 'a' already"
    ),
    TASK + "rest": "there is no task 'rest'",
    HEAD + "  criteria: [{rest: {posture: 3}}]": (
        "scene.criteria[0].rest: a posture must be a name, or values by coordinate or joint, not 3"
    ),
    HEAD + "  criteria: [{rest: {}, priority: 1}]": "there is no key 'priority'",
    HEAD + "  solve: {tolerance: -1}": (
        "scene.solve.tolerance: found -1; must be a number greater than 0"
    ),
    HEAD + "  solve: {method: magic}": "scene.solve: there is no method 'magic'",
    HEAD + "  solve: {restart: 3}": "there is no key 'restart'; did you mean 'restarts'?",
    PROP + "{box: [1, 2]}": (
        "scene.props.cup.box: found [1, 2]; must be three lengths [x, y, z] in metres"
    ),
    PROP + "{box: [1, 2, 3], sphere: 2}": "scene.props.cup.sphere: give this or box, not both",
    PROP + "{box: [1, 1, 1], density: 2}": (
        "scene.props.cup.density: this is for shapes, not for a box"
    ),
    PROP + "{sphere: 1, held: tipp}": "scene.props.cup.held: there is no site, segment or joint",
    PROP + "{sphere: 1, held: tip, at: lft}": (
        "scene.props.cup.at: prop 'cup': there is no site 'lft'; did you mean 'left'?"
    ),
    PROP + "{sphere: 1, at: left}": "scene.props.cup.at: this is for a prop that is held",
    PROP + "{sphere: 1, held: tip, at: left, position: [1, 0, 0]}": (
        "scene.props.cup.at: give this or position, not both"
    ),
    PROP + "{sphere: 1, rotation: [0, 0, 1], matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}": (
        "scene.props.cup.matrix: give this or rotation, not both"
    ),
    PROP + "{sphere: 1, matrix: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}": (
        "scene.props.cup.matrix: the matrix must be a rotation matrix, orthonormal and right-handed"
    ),
    HEAD + "  props:\n    tip: {sphere: 1}": (
        "scene.props.tip: a prop cannot be named 'tip': 'chain' has a site of that name"
    ),
    "scene:\n  figures:\n    a: {ready: chain, arguments: {n: 2}}\n  tasks:\n    - aim: tip": (
        "scene.yaml, line 5: scene.tasks[0].aim: there is no site, segment or joint 'tip'; did you "
        "mean 'a/tip'?"
    ),
}


@pytest.mark.parametrize("text", list(WRONG))
def test_what_is_wrong_is_said_with_its_line(text: str) -> None:
    with pytest.raises(PoiseError) as error:
        loaded(text)
    assert WRONG[text] in str(error.value)
    assert str(error.value).startswith("scene.yaml, line ")


def test_all_wrong_keys_are_told_at_once() -> None:
    with pytest.raises(PoiseError) as error:
        loaded(TASK + "{aim: tip, wieght: 2}\n    - {position: tip, nam: a}")
    first, second = str(error.value).splitlines()
    assert first.startswith("scene.yaml, line 4: scene.tasks[0].wieght: there is no key 'wieght'")
    assert second.startswith("scene.yaml, line 5: scene.tasks[1].nam: there is no key 'nam'")


# the schema ------------------------------------------------------------------------------------


def test_the_schema_in_the_docs_is_the_present_one() -> None:
    text = (ROOT / "docs" / "scene.schema.json").read_text(encoding="utf-8")
    hint = "poise show --schema scene > docs/scene.schema.json"
    assert json.loads(text) == scene_schema(), hint


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_schema_takes_the_examples(path: Path) -> None:
    assert fits(yaml.safe_load(path.read_text(encoding="utf-8")), scene_schema())


@pytest.mark.parametrize("seed", range(10))
def test_the_schema_takes_what_is_saved(seed: int) -> None:
    data = {"scene": written(random_scene(seed))}
    assert fits(data, scene_schema())


@pytest.mark.parametrize(
    "text",
    [
        "figure: {}",
        TASK + "positon: tip",
        TASK + "{position: tip, priority: 0}",
        TASK + "orientation: {site: tip, free: w}",
        PROP + "{box: [1, 2]}",
        HEAD + "  solve: {tolerance: -1}",
    ],
)
def test_the_schema_refuses_what_is_wrong(text: str) -> None:
    assert not fits(yaml.safe_load(text), scene_schema())


@pytest.mark.parametrize(
    ("figure", "ready", "arguments"),
    [
        (lambda: poise.human(1.85), "human", {"stature": 1.85}),
        (lambda: poise.human(sex="female", hands=True), "human", {"sex": "female", "hands": True}),
        (lambda: poise.chain(7, limit=np.pi / 4), "chain", {"n": 7, "limit": 45}),
        (lambda: poise.quadruped(np.float64(0.5)), "quadruped", {"height": 0.5}),
        (poise.bird, "bird", {}),  # type: ignore[attr-defined]
    ],
)
def test_a_ready_figure_is_saved_by_how_it_was_made(
    figure: Any, ready: str, arguments: dict[str, Any], tmp_path: Path
) -> None:
    scene = Scene(figure())
    scene.save(tmp_path / "a.yaml")
    text = (tmp_path / "a.yaml").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 12
    source = parse(text, "a").data["scene"]["figure"]
    assert source == {"ready": ready, **({"arguments": arguments} if arguments else {})}
    again = Scene.load(tmp_path / "a.yaml")
    assert next(iter(again.given.values())).segments == next(iter(scene.given.values())).segments


def test_a_ready_figure_that_was_changed_since_is_written_out(tmp_path: Path) -> None:
    figure = poise.chain(2)
    other, _ = figure.rooted_at("link_2", figure.rest())
    Scene(other).save(tmp_path / "a.yaml")
    assert "inline:" in (tmp_path / "a.yaml").read_text(encoding="utf-8")
