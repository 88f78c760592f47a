"""MJCF: what is read agrees with MuJoCo, and what is written reads back the same."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.fuzzing_mjcf import fuzz
from tests.formats.robots import MJCF_ROBOT, TIGHT, assert_same, changed
from tests.random_figures import random_figure, random_q

import poise
from poise import Figure, PoiseError
from poise.figure.kinds import Ball, Fixed, Free, Hinge, Slider
from poise.figure.limits import Angle
from poise.figure.parts import WORLD, Coupling, Joint, Segment, Site
from poise.figure.shapes import Box, Capsule, Cylinder, Ellipsoid, Sphere
from poise.figure.transform import quaternion
from poise.formats import hostile, mjcf
from poise.formats.mjcf import budget, compiling, prepass
from poise.formats.reading import Reading
from poise.tasks import Loop

FREE, BALL, SLIDE, HINGE = range(4)


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    path = tmp_path / "robot.xml"
    path.write_text(MJCF_ROBOT, encoding="utf-8")
    return path


def small(folder: Path, inside: str, name: str = "small.xml") -> Path:
    """A file with some elements of <mujoco>."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"<mujoco>{inside}</mujoco>", encoding="utf-8")
    return path


# beside MuJoCo -------------------------------------------------------------------------------


def own_model(path: Path) -> Any:
    """MuJoCo's model of a file by itself, without the meshes that are not there."""
    spec: Any = mujoco.MjSpec.from_file(str(path))
    for geom in list(spec.geoms):
        if geom.type == mujoco.mjtGeom.mjGEOM_MESH:
            spec.delete(geom)
    for part in [*spec.geoms, *spec.sites]:
        part.material = ""
    for part in [*spec.meshes, *spec.textures, *spec.materials]:
        spec.delete(part)
    return spec.compile()


def our_q(figure: Figure, model: Any, qpos: np.ndarray) -> np.ndarray:
    """Our coordinates for MuJoCo's, from its own account of its joints."""
    q = np.zeros(figure.n)
    for j in range(model.njnt):
        at, kind = int(model.jnt_qposadr[j]), int(model.jnt_type[j])
        span = figure.span(model.joint(j).name or f"{model.body(model.jnt_bodyid[j]).name}_joint")
        if kind == FREE:
            q[span] = [*qpos[at : at + 3], *rotation_vector_of(qpos[at + 3 : at + 7])]
        elif kind == BALL:
            q[span] = rotation_vector_of(qpos[at : at + 4])
        else:
            q[span] = qpos[at]
    return q


def rotation_vector_of(turn: np.ndarray) -> np.ndarray:
    result = np.zeros(3)
    mujoco.mju_quat2Vel(result, turn / np.linalg.norm(turn), 1.0)
    return result


def random_qpos(model: Any, rng: np.random.Generator) -> np.ndarray:
    qpos = rng.uniform(-1.2, 1.2, model.nq)
    for j in range(model.njnt):
        at = int(model.jnt_qposadr[j]) + (3 if model.jnt_type[j] == FREE else 0)
        if model.jnt_type[j] in (FREE, BALL):
            qpos[at : at + 4] /= np.linalg.norm(qpos[at : at + 4])
    return qpos


def assert_agrees(figure: Figure, model: Any) -> None:
    data = mujoco.MjData(model)
    assert figure.n == model.nv
    assert figure.mass == pytest.approx(model.body_mass.sum(), abs=TIGHT)
    rng = np.random.default_rng(0)
    for _ in range(10):
        data.qpos[:] = random_qpos(model, rng)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        q = our_q(figure, model, data.qpos)
        where = figure.place(q)
        for i in range(1, model.nbody):
            place = where.segment(model.body(i).name)
            assert np.abs(place.position - data.xpos[i]).max() < TIGHT
            assert np.abs(place.rotation.ravel() - data.xmat[i]).max() < TIGHT
        for i in range(model.nsite):
            place = where[model.site(i).name]
            assert np.abs(place.position - data.site_xpos[i]).max() < TIGHT
            assert np.abs(place.rotation.ravel() - data.site_xmat[i]).max() < TIGHT
        if figure.mass:
            assert np.abs(figure.center_of_mass(q) - center(model, data)).max() < TIGHT
            assert figure.inertia(q, "z") == pytest.approx(inertia(model, data)[2, 2], abs=1e-8)
    for j in range(model.njnt):
        span = figure.span(model.joint(j).name or f"{model.body(model.jnt_bodyid[j]).name}_joint")
        if model.jnt_type[j] in (SLIDE, HINGE):
            ends = model.jnt_range[j] if model.jnt_limited[j] else (-np.inf, np.inf)
            assert (figure.lower[span.start], figure.upper[span.start]) == pytest.approx(ends)


def center(model: Any, data: Any) -> np.ndarray:
    return model.body_mass @ data.xipos / model.body_mass.sum()


def inertia(model: Any, data: Any) -> np.ndarray:
    """Of all bodies about their common centre of mass."""
    total = np.zeros((3, 3))
    for mass, at, axes, moments in zip(
        model.body_mass, data.xipos, data.ximat, model.body_inertia, strict=True
    ):
        turn, d = axes.reshape(3, 3), at - center(model, data)
        total += turn @ np.diag(moments) @ turn.T + mass * (d @ d * np.eye(3) - np.outer(d, d))
    return total


def test_our_robot_agrees_with_mujoco(robot: Path) -> None:
    assert_agrees(mjcf.read(robot).figure, own_model(robot))


FILES = [
    *("mujoco/humanoid", "dm_control/humanoid_CMU", "dm_control/quadruped"),
    *("menagerie/unitree_g1/g1", "menagerie/unitree_g1/g1_with_hands"),
    *("menagerie/agility_cassie/cassie", "menagerie/franka_emika_panda/panda"),
    *("menagerie/shadow_hand/right_hand", "menagerie/unitree_go2/go2"),
]


@pytest.mark.parametrize("name", FILES)
def test_real_models_agree_with_mujoco(data: Path, name: str) -> None:
    path = data / "robots" / f"{name}.xml"
    assert_agrees(mjcf.read(path).figure, own_model(path))


@pytest.mark.parametrize("name", FILES)
def test_real_models_with_balls_stand_where_they_stood(data: Path, name: str) -> None:
    path = data / "robots" / f"{name}.xml"
    plain, balls = mjcf.read(path), mjcf.read(path, balls=True)
    assert plain.posture is not None
    assert balls.posture is not None
    pairs = [(plain.posture, balls.posture)]
    pairs += [(plain.postures[key], balls.postures[key]) for key in plain.postures]
    for one, other in pairs:
        here, there = plain.figure.place(one), balls.figure.place(other)
        for segment in balls.figure.segments:
            a, b = here.segment(segment), there.segment(segment)
            assert np.abs(a.position - b.position).max() < TIGHT
            assert np.abs(a.rotation - b.rotation).max() < TIGHT


def test_the_humanoid_of_the_data_has_its_tendons_and_key_frames(data: Path) -> None:
    reading = mjcf.read(data / "robots" / "mujoco" / "humanoid.xml")
    assert list(reading.postures) == ["squat", "stand_on_left_leg", "prone", "supine"]
    hamstring = reading.figure.couplings["hamstring_right"]
    assert set(hamstring.terms) == {"hip_y_right.angle", "knee_right.angle"}
    assert (hamstring.lower, hamstring.upper) == (-0.3, 2.0)


def test_cassie_of_the_data_has_its_loops(data: Path) -> None:
    reading = mjcf.read(data / "robots" / "menagerie" / "agility_cassie" / "cassie.xml")
    assert len(reading.loops) == 4
    where = reading.figure.place(reading.postures["home"])
    for loop in reading.loops:
        assert isinstance(loop, Loop)
        assert np.linalg.norm(where[loop.site].position - where[loop.other].position) < 5e-3


# what is read --------------------------------------------------------------------------------


def test_every_type_of_joint_is_read(robot: Path) -> None:
    figure = mjcf.read(robot).figure
    kinds = {name: joint.kind for name, joint in figure.joints.items()}
    assert isinstance(kinds["root"], Free)
    assert isinstance(kinds["post"], Fixed)
    assert isinstance(kinds["slide"], Slider)
    assert kinds["knee"] == Hinge((0, 1, 0), tuple(np.deg2rad([-10, 140])))
    ankle = kinds["ankle"]
    assert isinstance(ankle, Ball)
    assert ankle.angle == Angle(np.deg2rad(40))
    assert [joint.child for joint in figure.joints.values() if joint.name.startswith("hip")] == [
        *("thigh_hip_x", "thigh_hip_y", "thigh")
    ]


def test_shapes_and_colours_are_read(robot: Path) -> None:
    segments = mjcf.read(robot).figure.segments
    kinds = {name: [type(s) for s in each.shapes] for name, each in segments.items() if each.shapes}
    assert kinds == {
        "torso": [Box],
        "thigh": [Capsule],
        "shin": [Capsule],
        "foot": [Ellipsoid],
        "arm": [Cylinder],
        "hand": [Sphere],
        "post": [Box],
    }
    torso, thigh = segments["torso"].shapes[0], segments["thigh"].shapes[0]
    assert isinstance(torso, Box)
    assert torso.size == pytest.approx((0.3, 0.4, 0.6))
    assert isinstance(thigh, Capsule)
    assert np.abs(np.array([thigh.start, thigh.end])[:, 2]).max() == pytest.approx(0.4)
    assert segments["torso"].color == "#336699"


def test_equalities_and_tendons_are_couplings(robot: Path) -> None:
    couplings = mjcf.read(robot).figure.couplings
    gear = couplings["gear"]
    assert gear.terms == {"wrist.angle": 1.0, "swivel.angle": -0.5}
    assert gear.lower == gear.upper == pytest.approx(0.1)
    still = couplings["still"]
    assert still.terms == {"slide.distance": 1.0}
    assert still.lower == still.upper == pytest.approx(0.1 + 0.05)
    hamstring = couplings["hamstring"]
    assert hamstring.terms == {"hip_y.angle": 0.5, "knee.angle": -0.5}
    assert (hamstring.lower, hamstring.upper) == (-0.3, 2.0)


def test_couplings_vanish_where_mujocos_equalities_do(robot: Path) -> None:
    """Where a posture keeps our laws, MuJoCo measures no error of its equalities."""
    reading = mjcf.read(robot)
    figure, model = reading.figure, own_model(robot)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(2)
    linear = [model.equality(name).id for name in ("gear", "still", "pull")]
    for _ in range(5):
        # Solve the laws for some coordinates, whatever the others are.
        q = our_q(figure, model, random_qpos(model, rng))
        laws = [figure.couplings[name] for name in ("gear", "still", "pull")]
        rows = np.zeros((3, figure.n))
        for row, law in zip(rows, laws, strict=True):
            for coordinate, factor in law.terms.items():
                row[figure.index(coordinate)] = factor
        q -= np.linalg.pinv(rows) @ (rows @ q - [law.lower for law in laws])
        for j in range(model.njnt):
            if model.jnt_type[j] in (SLIDE, HINGE):
                data.qpos[model.jnt_qposadr[j]] = q[figure.span(model.joint(j).name).start]
        mujoco.mj_forward(model, data)
        for i in linear:
            errors = data.efc_pos[(data.efc_type == 0) & (data.efc_id == i)]
            assert errors.size == 1
            assert np.abs(errors).max() < TIGHT


def test_connections_are_loops(robot: Path) -> None:
    reading = mjcf.read(robot)
    leash, grasp, dock = reading.loops
    assert leash == Loop("leash_hand", "leash_torso")
    assert grasp == Loop("grasp_hand", "grasp_post", match="both")
    assert dock == Loop("chest", "anchor", match="both")
    assert reading.figure.sites["anchor"].segment == "ground"
    assert "equality idle is not active: left out" in reading.notes


def test_loops_are_closed_where_mujocos_are(robot: Path) -> None:
    """What MuJoCo measures as the error of a connection is the gap between our sites."""
    reading, model = mjcf.read(robot), own_model(robot)
    data = mujoco.MjData(model)
    data.qpos[:] = random_qpos(model, np.random.default_rng(4))
    mujoco.mj_forward(model, data)
    where = reading.figure.place(our_q(reading.figure, model, data.qpos))
    for loop, name in zip(reading.loops, ("leash", "grasp", "dock"), strict=True):
        assert isinstance(loop, Loop)
        errors = data.efc_pos[(data.efc_type == 0) & (data.efc_id == model.equality(name).id)]
        gap = where[loop.site].position - where[loop.other].position
        assert np.abs(np.abs(errors[:3]) - np.abs(gap)).max() < TIGHT
        if loop.match == "both":
            turn = where[loop.site].rotation.T @ where[loop.other].rotation
            measured = np.linalg.norm(errors[3:6])
            # MuJoCo's measure is the vector part of the quaternion.
            assert measured == pytest.approx(np.linalg.norm(quaternion(turn)[1:]), abs=1e-8)


def test_key_frames_are_postures(robot: Path) -> None:
    reading, model = mjcf.read(robot), own_model(changed(robot, 'ctrl="0.5"', ""))
    crouch = reading.postures["crouch"]
    assert np.abs(crouch.q - our_q(reading.figure, model, model.key_qpos[0])).max() < 1e-12
    assert reading.posture is not None
    assert np.abs(reading.posture.q - our_q(reading.figure, model, model.qpos0)).max() < 1e-12
    assert reading.figure.within_limits(reading.figure.rest())


def test_a_key_frame_that_has_the_name_of_the_posture_that_is_shown_is_told(
    tmp_path: Path,
) -> None:
    inside = """<worldbody><body name="a"><joint name="j"/><geom size="1"/></body></worldbody>
        <keyframe><key name="shown" qpos="0.5"/><key name="other" qpos="0.2"/></keyframe>"""
    reading = mjcf.read(small(tmp_path, inside))
    assert list(reading.postures) == ["other"]
    assert reading.posture is not None
    assert reading.posture.q == pytest.approx([0.5])
    assert "the key frame 'shown' is taken for the posture that the file shows" in reading.notes


@pytest.mark.parametrize(
    "keys",
    [
        '<key name="shown" qpos="0"/>',  # nothing else would be shown without it
        '<key name="shown" qpos="0.5"/><key name="rest" qpos="0.2"/>',  # as poise writes it
    ],
)
def test_of_a_key_frame_that_is_plainly_what_is_shown_nothing_is_told(
    tmp_path: Path, keys: str
) -> None:
    inside = f"""<worldbody><body name="a"><joint name="j"/><geom size="1"/></body></worldbody>
        <keyframe>{keys}</keyframe>"""
    assert mjcf.read(small(tmp_path, inside)).notes == ()


def test_three_hinges_become_a_ball_by_option(tmp_path: Path) -> None:
    joints = "".join(
        f'<joint name="hip_{a}" axis="{axis}" pos="0.1 0 0" range="{limits}"/>'
        for a, axis, limits in [
            ("x", "1 0 0", "-30 40"),
            ("y", "0 1 0", "-50 60"),
            ("z", "0 0 -1", "-20 25"),
        ]
    )
    path = small(
        tmp_path,
        f"""<worldbody><body name="leg" pos="0 0 1">{joints}<geom size="0.1"/></body></worldbody>
        <keyframe><key name="bent" qpos="0.4 -0.5 0.3"/></keyframe>""",
    )
    plain, balls = mjcf.read(path), mjcf.read(path, balls=True)
    ball = balls.figure.joints["hip"].kind
    assert isinstance(ball, Ball)
    assert balls.figure.n == 3
    here = plain.figure.place(plain.postures["bent"])["leg"]
    there = balls.figure.place(balls.postures["bent"])["leg"]
    assert np.abs(here.position - there.position).max() < 1e-12
    assert np.abs(here.rotation - there.rotation).max() < 1e-12
    # Each hinge by itself stops where it did.
    for name, axis in (("hip_x", "x"), ("hip_y", "y"), ("hip_z", "-z")):
        for end in (plain.figure.lower, plain.figure.upper):
            q = np.zeros(3)
            q[plain.figure.index(f"{name}.angle")] = end[plain.figure.index(f"{name}.angle")]
            turn = plain.figure.joints[name].kind.motion(q[plain.figure.span(name)])
            assert balls.figure.violation(ball.values(turn)) == pytest.approx(0, abs=1e-9), axis


@pytest.mark.parametrize(
    "spoil",
    [
        ('pos="0 0 0"', 'pos="0 0 0.1"'),  # they do not meet
        ('axis="0 0 1"', 'axis="0 1 1"'),  # not at right angles
        ('range="-20 20"', 'range="-20 20" ref="5"'),
        ('type="hinge"', 'type="slide"'),
    ],
)
def test_hinges_that_are_no_ball_stay_hinges(tmp_path: Path, spoil: tuple[str, str]) -> None:
    joints = "".join(
        f'<joint type="hinge" axis="{axis}" pos="0 0 0" range="-20 20"/>'
        for axis in ("1 0 0", "0 1 0", "0 0 1")
    )
    first, last = joints.rsplit("<joint", 1)
    inside = f'<worldbody><body name="a">{first}<joint{last.replace(*spoil)}<geom size="1"/></body>'
    path = small(tmp_path, f"{inside}</worldbody>")
    assert len(mjcf.read(path, balls=True).figure.segments) == 3


def test_a_body_without_mass_is_read(tmp_path: Path) -> None:
    path = small(tmp_path, '<worldbody><body name="a"><joint name="j"/></body></worldbody>')
    figure = mjcf.read(path).figure
    assert figure.mass == 0
    assert list(figure.coordinates) == ["j.angle"]


def test_names_that_we_do_not_take_are_changed(tmp_path: Path) -> None:
    inside = '<worldbody><body name="a/b.c"><geom size="1"/></body><body/></worldbody>'
    reading = mjcf.read(small(tmp_path, inside))
    assert list(reading.figure.segments) == ["a_b_c", "body_2"]
    assert "bodies renamed: a/b.c is a_b_c" in reading.notes


def test_the_figure_is_named_after_its_model_or_its_file(robot: Path, tmp_path: Path) -> None:
    assert mjcf.read(robot).figure.name == "walker"
    body = '<worldbody><body name="a"/></worldbody>'
    assert mjcf.read(small(tmp_path, body)).figure.name == "small"


# files ---------------------------------------------------------------------------------------


def test_includes_are_read_from_the_folder(tmp_path: Path) -> None:
    small(tmp_path, '<worldbody><body name="b"/></worldbody>', "parts/b.xml")
    small(tmp_path, '<include file="parts/b.xml"/>', "parts/a.xml")
    path = small(tmp_path, '<include file="parts/a.xml"/><worldbody><body name="c"/></worldbody>')
    assert set(mjcf.read(path).figure.segments) == {"b", "c"}


def test_what_an_included_file_names_is_looked_for_as_mujoco_does(tmp_path: Path) -> None:
    """From the main file's folder; if it is not there, from the folder of the included file."""
    small(tmp_path, '<worldbody><body name="beside"/></worldbody>', "parts/b.xml")
    small(tmp_path, '<include file="b.xml"/>', "parts/a.xml")
    small(tmp_path, '<include file="../up.xml"/>', "parts/deep/c.xml")
    small(tmp_path, '<worldbody><body name="up"/></worldbody>', "parts/up.xml")
    (tmp_path / "parts" / "solid.obj").write_text(TETRAHEDRON, encoding="utf-8")
    geom = '<geom type="mesh" mesh="solid" density="600"/>'
    shown = f'<worldbody><body name="s"><joint/>{geom}</body></worldbody>'
    small(tmp_path, f'<asset><mesh file="solid.obj"/></asset>{shown}', "parts/s.xml")
    files = ("parts/a.xml", "parts/deep/c.xml", "parts/s.xml")
    path = small(tmp_path, "".join(f'<include file="{each}"/>' for each in files))
    figure = mjcf.read(path).figure
    assert set(figure.segments) == set(bodies(path)) == {"beside", "up", "s"}
    assert figure.mass == pytest.approx(100)
    small(tmp_path, '<worldbody><body name="first"/></worldbody>', "b.xml")
    segments = mjcf.read(path).figure.segments
    assert set(segments) == set(bodies(path)) == {"first", "up", "s"}


def bodies(path: Path) -> list[str]:
    """The bodies that MuJoCo itself finds in a file."""
    model: Any = mujoco.MjModel.from_xml_path(str(path))  # pyright: ignore
    return [model.body(i).name for i in range(1, model.nbody)]


def test_an_error_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    small(tmp_path, '\n\n<worldbody><body pos="x"/></worldbody>', "part.xml")
    path = small(tmp_path, '<include file="part.xml"/>')
    with pytest.raises(PoiseError, match=r"part.xml, line 3: <body>: bad format in .*'pos'"):
        mjcf.read(path)


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ('<include file="../b.xml"/>', "lies outside the file's folder"),
        ('<include file="/etc/passwd"/>', "lies outside the file's folder"),
        ('<include file="small.xml"/>', "is included twice"),
        ('<include file="none.xml"/>', "there is no file"),
        ("<include/>", "it lacks the attribute 'file'"),
        ('<asset><mesh file="../../a.stl"/></asset>', "lies outside the file's folder"),
        ('<asset><model file="../a.xml"/></asset>', "lies outside the file's folder"),
    ],
)
def test_files_that_must_not_be_read_are_refused(tmp_path: Path, inside: str, message: str) -> None:
    path = small(tmp_path, f"\n{inside}")
    with pytest.raises(PoiseError, match=message) as caught:
        mjcf.read(path)
    assert f"{path}, line 2" in str(caught.value)


def test_missing_meshes_are_dropped_with_a_note(robot: Path) -> None:
    assert "meshes left out, missing on disk: shell" in mjcf.read(robot).notes


BY_CLASS = """
<default>
  <default class="shown">
    <geom type="mesh"/>
    <default class="tip"><geom mesh="tip" rgba=""/></default>
    <default class="light"><geom density="0"/></default>
  </default>
</default>
<asset><mesh name="tip" file="tip.obj"/><mesh file="palm.obj"/></asset>
<worldbody>
  <body name="palm" childclass="shown"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    <geom mesh="palm"/>
    <body name="finger"><joint/><frame childclass="tip"><geom/></frame></body>
    <body name="thumb"><joint/><geom class="tip"/>
      <geom class="main" type="box" size="0.1 0.1 0.1" density="125"/></body>
    <body name="nail"><joint/><geom class="light" mesh="palm"/></body>
  </body>
</worldbody>"""
"""A hand whose geoms name their meshes themselves or by their default classes."""


def test_geoms_whose_mesh_is_missing_are_left_out_though_a_class_names_it(tmp_path: Path) -> None:
    path = small(tmp_path, BY_CLASS)
    with pytest.warns(poise.PoiseWarning) as caught:
        figure = poise.load(path)
    (message,) = [str(each.message) for each in caught]
    assert "meshes left out, missing on disk: tip, palm" in message
    assert message.endswith("lack the mass that their meshes would give them: finger, thumb")
    assert {name: len(each.shapes) for name, each in figure.segments.items()} == {
        "palm": 0,
        "finger": 0,
        "thumb": 1,
        "nail": 0,
    }
    assert figure.mass == pytest.approx(2.0)


def test_meshes_that_give_no_mass_never_reach_mujoco(tmp_path: Path) -> None:
    """To read the meshes of a robot takes seconds, and of most nothing is used."""
    for name in ("tip", "palm"):
        (tmp_path / f"{name}.obj").write_text(TETRAHEDRON, encoding="utf-8")
    path = small(tmp_path, BY_CLASS.replace('rgba=""', 'rgba="1 0 0 1" density="600"'))
    clean = prepass.cleaned(path)
    assert list(map(bytes.decode, clean.assets.values())) == [TETRAHEDRON]
    assert clean.text.count("file=") == 1
    reading = mjcf.read(path)
    masses = {name: each.mass_properties()[0] for name, each in reading.figure.segments.items()}
    assert masses == pytest.approx({"palm": 1.0, "finger": 100.0, "thumb": 101.0, "nail": 0.0})
    assert reading.figure.segments["finger"].color == "#ff0000"
    clean = prepass.cleaned(small(tmp_path, f"<compiler inertiafromgeom='true'/>{BY_CLASS}"))
    assert len(clean.assets) == 2


def test_an_empty_colour_is_none(tmp_path: Path) -> None:
    inside = """<default><geom rgba="0 0 1 1"/></default><worldbody><body name="a">
        <geom size="1" rgba=""/></body></worldbody>"""
    assert mjcf.read(small(tmp_path, inside)).figure.segments["a"].color == "#0000ff"


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


def test_meshes_on_disk_give_their_mass(tmp_path: Path) -> None:
    (tmp_path / "solid.obj").write_text(TETRAHEDRON, encoding="utf-8")
    inside = """<asset><mesh file="solid.obj"/></asset><worldbody><body name="a"><joint/>
        <geom type="mesh" mesh="solid" density="600"/></body></worldbody>"""
    reading = mjcf.read(small(tmp_path, inside))
    assert reading.figure.mass == pytest.approx(100)
    assert reading.figure.segments["a"].shapes == ()


@pytest.mark.parametrize("suffix", [".obj", ".stl", ".msh"])
def test_a_spoilt_mesh_is_one_error(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"solid{suffix}").write_bytes(b"\xff\x00 nothing" * 20)
    inside = f"""<asset><mesh file="solid{suffix}"/></asset><worldbody><body name="a"><joint/>
        <geom type="mesh" mesh="solid"/></body></worldbody>"""
    with pytest.raises(PoiseError, match=r"small.xml"):
        mjcf.read(small(tmp_path, inside))


def test_attached_models_are_read_from_the_folder(tmp_path: Path) -> None:
    small(tmp_path, '<worldbody><body name="b"><geom size="1"/></body></worldbody>', "part.xml")
    inside = """<asset><model name="part" file="part.xml"/></asset>
        <worldbody><attach model="part" body="b" prefix="one_"/></worldbody>"""
    assert list(mjcf.read(small(tmp_path, inside)).figure.segments) == ["one_b"]


def test_plugins_and_other_machinery_never_reach_mujoco(robot: Path) -> None:
    changed(
        robot,
        "<worldbody>",
        """<extension><plugin plugin="mujoco.elasticity.cable"/></extension>
      <worldbody>""",
    )
    text = prepass.cleaned(robot).text
    for tag in ("plugin", "extension", "actuator", "option", "spatial", "include", "texture"):
        assert f"<{tag}" not in text


def test_nothing_is_written_into_the_working_folder(
    robot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    mjcf.read(robot)
    assert list(folder.iterdir()) == []


def test_without_mujoco_the_reader_says_what_to_install(
    robot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(PoiseError, match="needs MuJoCo, which is not installed: pip install"):
        mjcf.read(robot)


class Accident:
    """What stands for `mujoco.MjModel` when its parser has an accident."""

    @staticmethod
    def from_xml_string(text: str, assets: dict[str, bytes]) -> None:
        raise RuntimeError("Caught an unknown exception!")


def test_after_an_accident_in_mujoco_nothing_waits_for_ever(
    robot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "_broken", [])
    with monkeypatch.context() as patch:
        patch.setattr(mujoco, "MjModel", Accident)
        with pytest.raises(PoiseError, match="makes MuJoCo's parser fail"):
            mjcf.read(robot)
    with pytest.raises(PoiseError, match=r"cannot be read any more: .* start Python again"):
        mjcf.read(robot)


# bad input -----------------------------------------------------------------------------------

WRONG = {
    'anchor="0 0 0.1"': ('anchor=""', "line 59: .*the attribute 'anchor' is empty"),
    'type="slide"': ('type="glide"', "line 42: <joint name='slide'>: invalid keyword: 'glide'"),
    'joint2="swivel"': ('joint2="swivl"', "line 57: <joint name='gear'>: .*'swivl'"),
    'size="0.1 0.05 0.03"': ('size="0.1 -1 0.03"', "line 35: <geom>: size 1 must be positive"),
    'pos="0 0 1.2"': ('pos="0 0 nan"', "line 19: <body name='torso'>: pos must be finite"),
    'axis="0 0 1" range="-100': ('axis="0 0 0" range="-100', "line 43: .*axis too small"),
    'name="shin"': ('name="thigh"', "repeated name 'thigh'"),
    'range="-100 100"': ('range="9 -9" limited="true"', "line 43: .*range"),
    'qpos="0.1': ('qpos="', "line 79: <key name='crouch'>: qpos must be 18 numbers, not 17"),
    'pos="1 1 0"': ('pos="1 1e8 0"', "must lie within"),
    "</frame>": ("</frme>", "this is not XML: mismatched tag"),
    '<mujoco model="walker">': ("<!DOCTYPE m><mujoco>", "document types and entities"),
    '<mesh name="shell" file="shell.stl"/>': (
        '<mesh name="shell" builtin="plate" params="9999 9999"/>',
        "line 12: <mesh name='shell'>: params must be 100 at most, not 9999",
    ),
    "<light": ('<replicate count="1000000"><body/></replicate><light', "more than 4,000 bodies"),
    'polycoef="0.1 0.5': ('poly="0.1 0.5', "line 57: .*unrecognized attribute: 'poly'"),
}


@pytest.mark.parametrize("old", WRONG)
def test_what_is_wrong_is_said_with_its_place(robot: Path, old: str) -> None:
    new, message = WRONG[old]
    with pytest.raises(PoiseError, match=message) as caught:
        mjcf.read(changed(robot, old, new))
    assert str(caught.value).startswith(str(robot))
    assert "\n" not in str(caught.value)


MISSPELT = {
    "<jont/>": "line 5: in <body>: there is no element 'jont'; did you mean 'joint'?",
    "<joint><rnge/></joint>": "line 5: in <joint>: there is no element 'rnge'",
    "<motor/>": "line 5: in <body>: there is no element 'motor'",  # not here
    '<joint rnge="0 1"/>': "line 5: <joint>: .*unrecognized attribute: 'rnge'",
    "<geom><plugin/><plugn/></geom>": "line 5: in <geom>: .*did you mean 'plugin'?",
    "TOP<actuatr/>": "line 2: in <mujoco>: .*did you mean 'actuator'?",
    "TOP<body/>": "line 2: in <mujoco>: there is no element 'body'",
    "TOP<default><geom><jont/></geom></default>": "line 2: in <geom>: there is no element 'jont'",
    "TOP<default><tendon><fixed/></tendon></default>": "in <tendon>: there is no element 'fixed'",
    "TOP<default><default><gom/></default></default>": "in <default>: .*did you mean 'geom'?",
    "TOP<keyframe><kay/></keyframe>": "line 2: in <keyframe>: .*did you mean 'key'?",
    'TOP<compiler angel="radian"/>': "line 2: <compiler>: .*unrecognized attribute: 'angel'",
}


@pytest.mark.parametrize("wrong", MISSPELT)
def test_words_that_mjcf_has_not_are_refused_with_their_line(tmp_path: Path, wrong: str) -> None:
    top, inside = (wrong[3:], "") if wrong.startswith("TOP") else ("", wrong)
    body = f'<worldbody>\n<body name="b">\n{inside}<geom size="1"/></body></worldbody>'
    path = small(tmp_path, f"\n{top}\n{body}")
    with pytest.raises(PoiseError, match=MISSPELT[wrong].replace("?", r"\?")) as caught:
        mjcf.read(path)
    assert str(caught.value).startswith(str(path))


def test_what_mujoco_knows_and_makes_no_figure_is_left_out_whatever_it_says(tmp_path: Path) -> None:
    """Files for other versions of MuJoCo differ most in these."""
    beside = "<option apirate='5'><flag bygone='enable'/></option><sensor><newest/></sensor>"
    body = '<worldbody><body name="b"><geom size="1"/><camera fov="3"/></body></worldbody>'
    assert mjcf.read(small(tmp_path, beside + body)).notes == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot/>", "this is a URDF file"),
        ("<svg/>", "must have the root element <mujoco>"),
        ("<mujoco/>", "no bodies in it"),
    ],
)
def test_what_is_no_model_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PoiseError, match=message):
        mjcf.read(path)


def test_copies_within_copies_are_counted(tmp_path: Path) -> None:
    copies = '<replicate count="100">' * 3 + "<body/>" + "</replicate>" * 3
    with pytest.raises(PoiseError, match="with all copies made"):
        mjcf.read(small(tmp_path, f"<worldbody>{copies}</worldbody>"))


def test_attached_copies_are_counted(tmp_path: Path) -> None:
    bodies = '<replicate count="3000"><body/></replicate>'
    small(tmp_path, f'<worldbody><body name="b">{bodies}</body></worldbody>', "part.xml")
    inside = """<asset><model name="part" file="part.xml"/></asset><worldbody>
        <attach model="part" body="b" prefix="a"/><attach model="part" body="b" prefix="b"/>
        </worldbody>"""
    with pytest.raises(PoiseError, match="with all copies made"):
        mjcf.read(small(tmp_path, inside))


BODY = '<worldbody><body name="b"/></worldbody>'


def models(count: int) -> str:
    """So many models of one file, each attached once."""
    named = "".join(f'<model name="m{i}" file="part.xml"/>' for i in range(count))
    attached = "".join(f'<attach model="m{i}" body="b" prefix="p{i}_"/>' for i in range(count))
    return f"<asset>{named}</asset><worldbody>{attached}</worldbody>"


def copies(count: int) -> str:
    """One model, attached so many times."""
    attached = "".join(f'<attach model="m" body="b" prefix="p{i}_"/>' for i in range(count))
    return f"""<asset><model name="m" file="part.xml"/></asset>
        <worldbody>{attached}</worldbody>"""


@pytest.mark.parametrize("inside", [models, copies])
def test_a_mesh_counts_for_every_time_that_its_model_is_attached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: Callable[[int], str]
) -> None:
    monkeypatch.setattr(budget, "LARGEST_FILE", 5_500)
    padded = TETRAHEDRON + "#" * (1_000 - len(TETRAHEDRON))
    (tmp_path / "solid.obj").write_text(padded, encoding="utf-8")
    part = """<asset><mesh file="solid.obj"/></asset><worldbody><body name="b">
        <geom type="mesh" mesh="solid"/></body></worldbody>"""
    small(tmp_path, part, "part.xml")
    clean = prepass.cleaned(small(tmp_path, inside(3)))
    assert list(map(len, clean.assets.values())).count(1_000) == 1
    assert mjcf.read(tmp_path / "small.xml").figure.mass == pytest.approx(3 * 1_000 / 6)
    with pytest.raises(PoiseError, match=r"small.xml, line \d: .* together are larger than"):
        prepass.cleaned(small(tmp_path, inside(5)))


def test_two_meshes_of_one_file_count_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "LARGEST_FILE", 2_500)
    (tmp_path / "solid.obj").write_text("#" * 1_000, encoding="utf-8")
    meshes = [f'<mesh name="{i}" file="solid.obj"/>' for i in range(3)]
    geoms = "".join(f'<geom type="mesh" mesh="{i}"/>' for i in range(3))
    body = f"<worldbody><body>{geoms}</body></worldbody>"
    clean = prepass.cleaned(small(tmp_path, f"<asset>{''.join(meshes[:2])}</asset>{body}"))
    assert len(clean.assets) == 1
    with pytest.raises(PoiseError, match=r"<mesh name='2'>: .* larger than 0.0025 MB"):
        prepass.cleaned(small(tmp_path, f"<asset>{''.join(meshes)}</asset>{body}"))


def test_a_model_that_is_attached_many_times_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def parse(content: bytes, name: str) -> hostile.Element:
        parsed.append(Path(name).name)
        return hostile.parse_xml(content, name)

    monkeypatch.setattr(budget, "parse_xml", parse)
    small(tmp_path, f"{BODY}<deformable/>", "part.xml")
    reading = mjcf.read(small(tmp_path, models(20)))
    assert parsed == ["small.xml", "part.xml"]
    assert list(reading.figure.segments) == [f"p{i}_b" for i in range(20)]
    assert reading.notes.count("left out: <deformable> (1)") == 1


def test_more_models_than_the_bound_are_refused_though_they_are_one_file(tmp_path: Path) -> None:
    small(tmp_path, BODY, "part.xml")
    assert len(mjcf.read(small(tmp_path, models(200))).figure.segments) == 200
    with pytest.raises(PoiseError, match=r"m200.*more than 200 models and meshes"):
        mjcf.read(small(tmp_path, models(201)))


def test_models_that_double_at_every_depth_are_refused(tmp_path: Path) -> None:
    small(tmp_path, BODY, "0.xml")
    for i in range(1, 5):
        named = "".join(f'<model name="{k}" file="{i - 1}.xml"/>' for k in range(5))
        small(tmp_path, f"<asset>{named}</asset>{BODY}", f"{i}.xml")
    assert prepass.cleaned(tmp_path / "3.xml").handed.models == 5 + 5**2 + 5**3
    with pytest.raises(PoiseError, match="more than 200 models and meshes"):
        mjcf.read(tmp_path / "4.xml")


def test_models_nest_no_deeper_for_having_been_read_before(tmp_path: Path) -> None:
    small(tmp_path, BODY, "0.xml")
    for i in range(1, 6):
        small(tmp_path, f'<asset><model file="{i - 1}.xml"/></asset>{BODY}', f"{i}.xml")
    assert prepass.cleaned(tmp_path / "4.xml").depth == 4
    with pytest.raises(PoiseError, match="models attach models more than 4 deep"):
        mjcf.read(tmp_path / "5.xml")
    named = "".join(f'<model name="{i}" file="{i}.xml"/>' for i in range(5))
    with pytest.raises(PoiseError, match=r"<model name='4'>: .* more than 4 deep"):
        mjcf.read(small(tmp_path, f"<asset>{named}</asset>{BODY}"))
    small(tmp_path, f'<asset><model file="self.xml"/></asset>{BODY}', "self.xml")
    with pytest.raises(PoiseError, match="more than 4 deep"):
        mjcf.read(tmp_path / "self.xml")


@pytest.mark.parametrize("tag", ["include", "model"])
def test_elements_of_all_files_together_are_counted_though_they_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tag: str
) -> None:
    monkeypatch.setattr(budget, "MOST_ELEMENTS", 1_000)
    for i in range(4):
        small(tmp_path, f"{'<custom/>' * 300}<size/>", f"part_{i}.xml")
    parts = [f'<{tag} file="part_{i}.xml"/>' for i in range(4)]

    def whole(count: int) -> Path:
        inside = "".join(parts[:count])
        return small(tmp_path, (f"<asset>{inside}</asset>" if tag == "model" else inside) + BODY)

    assert prepass.cleaned(whole(3)).text
    with pytest.raises(PoiseError, match=f"<{tag}.* together have more than 1,000 elements"):
        mjcf.read(whole(4))


def test_includes_of_few_elements_and_many_bytes_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "LARGEST_FILE", 3_000)
    for i in range(3):
        small(tmp_path, f"<!-- {'+' * 1_000} -->", f"part_{i}.xml")
    parts = [f'<include file="part_{i}.xml"/>' for i in range(3)]
    assert prepass.cleaned(small(tmp_path, "".join(parts[:2]) + BODY)).text
    with pytest.raises(PoiseError, match=r"<include>: .* together are larger than 0.003 MB"):
        mjcf.read(small(tmp_path, "".join(parts) + BODY))


def test_laws_that_leave_no_posture_are_told(robot: Path) -> None:
    changed(robot, 'polycoef="0.05 0 0 0 0"', 'polycoef="5 0 0 0 0"')
    reading = mjcf.read(robot)
    assert "rest" not in reading.figure.postures
    assert any("no posture within all limits" in note for note in reading.notes)


def test_spoilt_files_give_a_figure_or_one_error() -> None:
    readable, refused = fuzz(300, 7)
    assert readable > 30
    assert refused > 30


# what is written -----------------------------------------------------------------------------


def assert_all_same(figure: Figure, q: np.ndarray, other: Figure, there: np.ndarray) -> None:
    """Segments, masses and sites are in the same places."""
    assert_same(figure, q, other, there)
    here, where = figure.place(q), other.place(there)
    for name in figure.sites:
        assert np.abs(here[name].position - where[name].position).max() < TIGHT
        assert np.abs(here[name].rotation - where[name].rotation).max() < TIGHT


@pytest.mark.parametrize("hinges", [False, True])
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_any_figure_reads_back_in_the_same_place(
    seed: int, hinges: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng)
    posture = figure.posture(random_q(rng, figure))
    path = tmp_path_factory.mktemp("mjcf") / "a.xml"
    mjcf.write(Reading(figure, postures={"there": posture}), path, hinges=hinges)
    reading = mjcf.read(path)
    there = reading.postures["there"].q if figure.n else np.zeros(0)
    assert_all_same(figure, posture.q, reading.figure, there)


def test_a_written_person_stands_in_mujoco_where_it_stands_here(tmp_path: Path) -> None:
    person = poise.human(hands=True)
    rng = np.random.default_rng(0)
    postures = {f"p{i}": person.clamp(rng.normal(size=person.n) * 0.5) for i in range(3)}
    mjcf.write(Reading(person, postures=postures), tmp_path / "a.xml")
    model: Any = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    data = mujoco.MjData(model)
    assert model.body_mass.sum() == pytest.approx(person.mass, abs=TIGHT)
    for name, posture in postures.items():
        data.qpos[:] = model.key(name).qpos
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        where = person.place(posture)
        for segment in person.segments:
            assert np.abs(where.segment(segment).position - data.body(segment).xpos).max() < TIGHT
        assert np.abs(person.center_of_mass(posture) - center(model, data)).max() < TIGHT
        other = mjcf.read(tmp_path / "a.xml")
        assert other.figure.violation(other.postures[name]) < 1e-5


def test_a_re_rooted_person_reads_back_in_the_same_place(tmp_path: Path) -> None:
    person = poise.human()
    figure, posture = person.rooted_at("left_foot", person.rest())
    mjcf.write(Reading(figure, postures={"there": posture}), tmp_path / "a.xml")
    reading = mjcf.read(tmp_path / "a.xml")
    assert_all_same(figure, posture.q, reading.figure, reading.postures["there"].q)


def test_our_robot_survives_a_round_trip(robot: Path, tmp_path: Path) -> None:
    first = mjcf.read(robot)
    mjcf.write(first, tmp_path / "b.xml")
    again = mjcf.read(tmp_path / "b.xml")
    assert list(again.figure.coordinates) == list(first.figure.coordinates)
    kept = [i for i, name in enumerate(first.figure.coordinates) if name != "slide.distance"]
    assert again.figure.upper[kept] == pytest.approx(first.figure.upper[kept])
    assert [type(loop) for loop in again.loops] == [Loop] * 3
    assert [(loop.site, loop.other) for loop in again.loops if isinstance(loop, Loop)] == [
        (loop.site, loop.other) for loop in first.loops if isinstance(loop, Loop)
    ]
    laws = again.figure.couplings
    for name, coupling in first.figure.couplings.items():
        if name in laws:
            assert laws[name].terms == pytest.approx(dict(coupling.terms))
            assert laws[name].upper == pytest.approx(coupling.upper)
    assert set(first.figure.couplings) - set(laws) == {"still"}  # one coordinate: a limit now
    slide = again.figure.index("slide.distance")
    assert again.figure.lower[slide] == pytest.approx(0.15)
    posture = first.postures["crouch"]
    assert_all_same(first.figure, posture.q, again.figure, again.postures["crouch"].q)


def test_laws_are_written_as_equalities_and_tendons(tmp_path: Path) -> None:
    names = "abcd"
    segments = [Segment("base"), *(Segment(name, 1.0) for name in names)]
    joints = [Joint(f"j{name}", Hinge("z", (-1, 1)), "base", name) for name in names]
    couplings = [
        Coupling("pair", {"ja.angle": 2, "jb.angle": -1}, 0.5, 0.5),
        Coupling("three", {"ja.angle": 1, "jc.angle": 1, "jd.angle": 1}, 0.25, 0.25),
        Coupling("one_sided", {"jc.angle": 1, "jd.angle": -3}, -np.inf, 0.5),
    ]
    figure = Figure("bound", segments, joints, couplings=couplings)
    assert mjcf.write(Reading(figure), tmp_path / "a.xml") == ()
    again = mjcf.read(tmp_path / "a.xml").figure.couplings
    assert again["three"].terms == {"ja.angle": 1.0, "jc.angle": 1.0, "jd.angle": 1.0}
    assert again["three"].lower == again["three"].upper == pytest.approx(0.25)
    assert again["pair"].terms == {"ja.angle": 1.0, "jb.angle": -0.5}
    assert (again["one_sided"].lower, again["one_sided"].upper) == (-np.inf, 0.5)


def test_a_free_joint_within_the_tree_is_written_as_slides_and_a_ball(tmp_path: Path) -> None:
    joint = Joint("loose", Free(), "base", "thing", (1, 2, 3), (0.1, 0.2, 0.3), (0.3, 0, 0))
    figure = Figure(
        "pair", [Segment("base", 1.0), Segment("thing", 1.0)], [joint], sites=[Site("s", "thing")]
    )
    posture = figure.posture([0.1, 0.2, 0.3, 0.4, -0.5, 0.6])
    mjcf.write(Reading(figure, postures={"there": posture}), tmp_path / "a.xml")
    reading = mjcf.read(tmp_path / "a.xml")
    assert reading.figure.n == 6
    assert_all_same(figure, posture.q, reading.figure, reading.postures["there"].q)


def test_loops_that_mjcf_cannot_say_are_told(tmp_path: Path) -> None:
    figure = Figure("one", [Segment("a")], [], sites=[Site("s", "a"), Site("t", "a")])
    loops = (Loop("s", "t", match="orientation"), Loop("s", "a"))
    notes = mjcf.write(Reading(figure, loops=loops), tmp_path / "a.xml")
    assert len(notes) == 2
    assert all(note.startswith("left out, as MJCF cannot say it: Loop(") for note in notes)


def test_a_chain_too_long_for_mujoco_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match="chains of 490 bodies at most"):
        mjcf.write(Reading(poise.chain(600)), tmp_path / "a.xml")
    path = tmp_path / "b.xml"
    mjcf.write(Reading(poise.chain(480)), path)
    assert mjcf.read(path).figure.n == 480


def test_the_ground_has_a_segment_only_where_it_is_used(robot: Path) -> None:
    assert mjcf.read(robot).figure.joints["ground"].parent == WORLD
    changed(robot, '<site name="anchor" pos="1 0 1"/>', "")
    changed(robot, '<weld name="dock" site1="chest" site2="anchor"/>', "")
    assert "ground" not in mjcf.read(robot).figure.segments
