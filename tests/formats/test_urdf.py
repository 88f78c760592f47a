"""URDF: what is read agrees with pinocchio, and what is written reads back the same."""

from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.fuzzing_urdf import fuzz
from tests.formats.robots import TIGHT, URDF_ROBOT, assert_same, changed
from tests.random_figures import grouped, random_figure, random_q

import poise
from poise import Figure, PoiseError
from poise.figure.kinds import Ball, Elbow, Fixed, Free, Hinge, Slider
from poise.figure.parts import WORLD, Coupling, Group, Joint, Segment
from poise.figure.shapes import Box, Capsule, Cylinder, Sphere
from poise.formats import urdf
from poise.formats.moves import Crossing, taken_apart
from poise.formats.reading import Reading


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    path = tmp_path / "robot.urdf"
    path.write_text(URDF_ROBOT, encoding="utf-8")
    return path


# beside pinocchio ----------------------------------------------------------------------------


def free_model(text: str) -> Any:
    """Pinocchio's model with a free root, so that the root link's mass counts."""
    # Its parser does not know capsules, and takes the plane's normal for granted.
    text = text.replace("<capsule", "<cylinder")
    return pin.buildModelFromXML(text, pin.JointModelFreeFlyer())


def pinocchio_q(figure: Figure, model: Any, q: np.ndarray) -> np.ndarray:
    """Pinocchio's configuration for ours."""
    result = pin.neutral(model)
    for i in range(1, model.njoints):
        joint, name = model.joints[i], model.names[i]
        at = slice(joint.idx_q, joint.idx_q + joint.nq)
        ours = "root" if name == "root_joint" else name
        if joint.shortname() == "JointModelPlanar":
            x, y = q[figure.span(f"{ours}_x")], q[figure.span(f"{ours}_y")]
            angle = q[figure.span(ours)]
            result[at] = np.concatenate([x, y, np.cos(angle), np.sin(angle)])
        elif joint.nq == 7:
            value = q[figure.span(ours)]
            turn = pin.Quaternion(pin.exp3(value[3:])).coeffs()
            result[at] = np.concatenate([value[:3], turn])
        elif joint.nq == 2:
            (angle,) = q[figure.span(ours)]
            result[at] = np.cos(angle), np.sin(angle)
        else:
            result[at] = q[figure.span(ours)]
    return result


def assert_agrees(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    figure = urdf.read(path, root="free").figure
    model = free_model(text)
    data = model.createData()
    assert figure.mass == pytest.approx(pin.computeTotalMass(model), abs=TIGHT)
    assert figure.n == model.nv
    rng = np.random.default_rng(0)
    for _ in range(10):
        q = rng.uniform(-1.2, 1.2, figure.n)
        configuration = pinocchio_q(figure, model, q)
        pin.framesForwardKinematics(model, data, configuration)
        where = figure.place(q)
        bodies = [i for i, f in enumerate(model.frames) if f.type == pin.FrameType.BODY]
        assert {model.frames[i].name for i in bodies} <= set(figure.segments)
        for i in bodies:
            place = where.segment(model.frames[i].name)
            assert np.abs(place.position - data.oMf[i].translation).max() < TIGHT
            assert np.abs(place.rotation - data.oMf[i].rotation).max() < TIGHT
        pin.ccrba(model, data, configuration, np.zeros(model.nv))
        assert np.abs(figure.center_of_mass(q) - data.com[0]).max() < TIGHT
        for axis, moment in zip("xyz", np.diag(data.Ig.inertia), strict=True):
            assert figure.inertia(q, axis) == pytest.approx(moment, abs=TIGHT)
    for i in range(1, model.njoints):
        joint = model.joints[i]
        if joint.nq == joint.nv == 1:
            at = figure.span(model.names[i]).start
            assert figure.lower[at] == pytest.approx(model.lowerPositionLimit[joint.idx_q])
            assert figure.upper[at] == pytest.approx(model.upperPositionLimit[joint.idx_q])


def test_our_robot_agrees_with_pinocchio(robot: Path) -> None:
    assert_agrees(robot)


NAMES = ["panda", "simple_humanoid", "solo12", "double_pendulum_simple"]


@pytest.mark.parametrize("name", NAMES)
def test_real_robots_agree_with_pinocchio(data: Path, name: str) -> None:
    assert_agrees(data / "robots" / "erd" / f"{name}.urdf")


# what is read --------------------------------------------------------------------------------


def test_every_type_of_joint_is_read(robot: Path) -> None:
    figure = urdf.read(robot).figure
    kinds = {name: joint.kind for name, joint in figure.joints.items()}
    assert isinstance(kinds["root"], Fixed)
    assert kinds["shoulder"] == Hinge((0, 1, 1), (-1.5, 2.0))
    assert kinds["elbow"] == Hinge((0, 0, 1))
    assert kinds["left_grip"] == Slider((0, 1, 0), (0.0, 0.04))
    assert isinstance(kinds["roller"], Fixed)
    assert isinstance(kinds["flight"], Free)
    assert [kinds[each].kind for each in ("drive_x", "drive_y", "drive")] == [
        *("slider", "slider", "hinge")
    ]


def test_a_planar_joint_needs_an_axis(robot: Path) -> None:
    text = robot.read_text(encoding="utf-8")
    start = text.index('<joint name="drive"')
    changed = text[start:].replace('<axis xyz="0 0 1"/>', '<axis xyz="0 0 0"/>', 1)
    robot.write_text(text[:start] + changed, encoding="utf-8")
    with pytest.raises(PoiseError, match="<axis>: xyz has no direction"):
        urdf.read(robot)


def test_a_planar_joint_moves_across_its_axis(robot: Path) -> None:
    changed(
        robot,
        '<axis xyz="0 0 1"/>\n  </joint>\n  <joint name="flight"',
        """
    <axis xyz="0 1 0"/></joint><joint name="flight" """,
    )
    figure = urdf.read(robot).figure
    start = figure.place(np.zeros(figure.n))["cart"]
    q = np.zeros(figure.n)
    q[figure.index("drive_x.distance")], q[figure.index("drive_y.distance")] = 0.3, 0.4
    moved = figure.place(q)["cart"].position - start.position
    assert np.linalg.norm(moved) == pytest.approx(0.5)
    assert start.rotation[:, 1] @ moved == pytest.approx(0, abs=1e-12)


def test_mimicking_is_a_coupling(robot: Path) -> None:
    coupling = urdf.read(robot).figure.couplings["right_grip"]
    assert coupling.terms == {"right_grip.distance": 1.0, "left_grip.distance": -0.5}
    assert coupling.lower == coupling.upper == 0.01


def test_a_fixed_joint_that_mimics_another_is_told(robot: Path) -> None:
    changed(robot, 'name="right_grip" type="prismatic"', 'name="right_grip" type="fixed"')
    with pytest.warns(poise.PoiseWarning, match="joint right_grip is fixed: .* is left out"):
        figure = poise.load(robot)
    assert not figure.couplings
    assert isinstance(figure.joints["right_grip"].kind, Fixed)


def test_a_joint_that_mimics_a_fixed_one_stays_at_its_offset(robot: Path) -> None:
    changed(robot, 'name="left_grip" type="prismatic"', 'name="left_grip" type="fixed"')
    with pytest.warns(poise.PoiseWarning, match="mimics left_grip, which is fixed: it .* at 0.01"):
        figure = poise.load(robot)
    np.testing.assert_allclose(figure.rest()["right_grip"], [0.01], atol=1e-9)


def test_shapes_and_colours_are_read(robot: Path) -> None:
    segments = urdf.read(robot).figure.segments
    assert isinstance(segments["base"].shapes[0], Box)
    assert segments["base"].color == "#336699"
    assert segments["upper"].shapes == (Cylinder((0, 0, 0), (0, 0, 0.4), 0.05),)
    assert segments["lower"].shapes == (Sphere((0, 0, 0), 0.06),)
    assert segments["lower"].color == "#ff0000"
    assert segments["wheel"].shapes == (Capsule((0, 0, -0.1), (0, 0, 0.1), 0.03),)


def test_the_root_may_be_free(robot: Path) -> None:
    assert isinstance(urdf.read(robot, root="free").figure.joints["root"].kind, Free)
    with pytest.raises(PoiseError, match="root must be 'fixed' or 'free', not 'loose'"):
        urdf.read(robot, root="loose")  # type: ignore[arg-type]


def test_a_bare_root_link_named_world_is_the_ground(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_text(
        """<robot name="a"><link name="world"/><link name="base"/>
        <joint name="hold" type="fixed"><origin xyz="0 0 2"/><parent link="world"/>
        <child link="base"/></joint></robot>""",
        encoding="utf-8",
    )
    figure = urdf.read(path).figure
    assert list(figure.segments) == ["base"]
    assert figure.joints["hold"].parent == WORLD
    assert figure.place(np.zeros(0))["base"].position.tolist() == [0, 0, 2]


def test_a_link_named_world_that_holds_something_is_renamed(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_text(
        """<robot name="a"><link name="world"><inertial><mass value="1"/></inertial></link>
        </robot>""",
        encoding="utf-8",
    )
    reading = urdf.read(path)
    assert list(reading.figure.segments) == ["world_2"]
    assert "links renamed: world is world_2" in reading.notes


def test_a_joint_may_be_named_root(robot: Path) -> None:
    changed(robot, 'name="shoulder"', 'name="root"')
    figure = urdf.read(robot).figure
    assert figure.joints["root"].parent == "base"
    assert figure.joints["ground"].parent == WORLD


def test_an_inertia_that_no_body_has_is_left_out_with_a_note(robot: Path) -> None:
    changed(robot, 'ixx="0.04"', 'ixx="4"')
    reading = urdf.read(robot)
    assert reading.figure.segments["base"].mass == 4.5
    assert reading.figure.segments["base"].inertia is None
    assert any("belongs to no body" in note for note in reading.notes)


def test_meshes_are_not_looked_for(robot: Path) -> None:
    changed(robot, '<box size="0.3 0.2 0.1"/>', '<mesh filename="/etc/passwd"/>')
    reading = urdf.read(robot)
    assert reading.figure.segments["base"].shapes == ()
    assert "shapes left out, meshes are not read: 1 of base" in reading.notes


def test_limits_beyond_all_measure_are_none(robot: Path) -> None:
    changed(robot, 'lower="-1.5" upper="2"', 'lower="-1e16" upper="1e16"')
    assert urdf.read(robot).figure.joints["shoulder"].kind == Hinge((0, 1, 1))


WRONG = {
    '<robot name="carrier">': ('<robat name="carrier">', "not XML: mismatched tag"),
    'type="revolute"': ('type="hinge"', "line 36: <joint name='shoulder'>: there is no type of"),
    '<parent link="upper"/>': ('<parent link="uper"/>', "did you mean 'upper'"),
    '<child link="lower"/>': (
        '<child link="upper"/>',
        "child of another joint already, in line 36",
    ),
    '<child link="upper"/>': ("", "line 36: <joint name='shoulder'>: it lacks <child>"),
    'xyz="0 1 1"': ('xyz="0 0 0"', "line 38: <axis>: xyz has no direction"),
    'lower="-1.5"': ('lower="3"', "line 38: <limit>: lower must not be above upper"),
    'upper="2"': ('upper="two"', "line 38: <limit>: upper must be a number, not 'two'"),
    'rpy="0.3 -0.2 0.5"': ('rpy="0.3 -0.2"', "line 6: <origin>: rpy must be 3 numbers"),
    'mass value="4.5"': ('mass value="-4"', "the mass .* must be at least 0, not -4"),
    'joint="left_grip" mul': ('joint="grip" mul', "line 56: <mimic>: there is no joint 'grip'"),
    'joint="left_grip" mult': ('joint="right_grip" mult', "cannot mimic itself"),
    'joint="left_grip" multi': ('joint="flight" multi', "only revolute, continuous and prismatic"),
    'name="elbow"': ('name="shoulder"', "another joint has this name, in line 36"),
    'link name="upper"': ('link name="base"', "another link has this name, in line 4"),
    'radius="0.05"': ('radius="-1"', "line 18: <cylinder>: its sizes must not be negative"),
    '<sphere radius="0.06"/>': ("<egg/>", "<geometry>: it must hold one of box, cylinder"),
    '<link name="cart"/>': ('<link name="cart"/><link name="stray"/>', "no joint has it as its"),
    '<gazebo reference="base"/>': ("<xacro:macro/>", "must be expanded first"),
    '<origin xyz="0 0 0.4"': ('<origin xyz="0 0 1e9"', "position of joint 'elbow' must lie within"),
}


@pytest.mark.parametrize("old", WRONG)
def test_what_is_wrong_is_said_with_its_place(robot: Path, old: str) -> None:
    new, message = WRONG[old]
    with pytest.raises(PoiseError, match=message) as caught:
        urdf.read(changed(robot, old, new))
    assert str(caught.value).startswith(str(robot))


def test_a_ring_of_links_is_refused(robot: Path) -> None:
    changed(
        robot,
        '<parent link="base"/><child link="upper"/>',
        '<parent link="wheel"/><child link="upper"/>',
    )
    with pytest.raises(PoiseError, match="round in a cycle"):
        urdf.read(robot)


def test_another_kind_of_xml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_text("<svg/>", encoding="utf-8")
    with pytest.raises(PoiseError, match="must have the root element <robot>"):
        urdf.read(path)


def test_a_long_chain_is_read(tmp_path: Path) -> None:
    count = 3000
    links = "".join(f'<link name="l{i}"/>' for i in range(count))
    joints = "".join(
        f'<joint name="j{i}" type="fixed"><parent link="l{i}"/><child link="l{i + 1}"/></joint>'
        for i in range(count - 1)
    )
    path = tmp_path / "a.urdf"
    path.write_text(f'<robot name="a">{links}{joints}</robot>', encoding="utf-8")
    assert len(urdf.read(path).figure.joints) == count


def test_spoilt_files_give_a_figure_or_one_error() -> None:
    readable, refused = fuzz(300, 7)
    assert readable > 30
    assert refused > 30


# what is written -----------------------------------------------------------------------------


def written(figure: Figure, path: Path, q: np.ndarray) -> tuple[Figure, np.ndarray]:
    """A figure written with hinges and read again, and its coordinates for the same posture."""
    urdf.write(Reading(figure), path, hinges=True)
    other = urdf.read(path).figure
    return other, translated(figure, other, taken_apart(figure, hinges=True), q)


def translated(figure: Figure, other: Figure, crossed: list[Crossing], q: np.ndarray) -> np.ndarray:
    """The coordinates of a written figure in a posture of the first one."""
    members = dict(figure.members(q))
    result = np.zeros(other.n)
    for crossing in crossed:
        if isinstance(crossing.joint.kind, Free):
            result[other.span(crossing.joint.name)] = free_values(figure, other, crossing, q)
            continue
        for move, value in zip(crossing.moves, crossing.values(members), strict=True):
            result[other.span(move.name)] = value
    return result


def free_values(figure: Figure, other: Figure, crossing: Crossing, q: np.ndarray) -> np.ndarray:
    where = figure.place(q)
    child = where.segment(crossing.child) @ crossing.end.inverse()
    if crossing.parent != WORLD:
        child = where.segment(crossing.parent).inverse() @ child
    return other.joints[crossing.joint.name].kind.values(crossing.start.inverse() @ child)


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_any_figure_reads_back_in_the_same_place(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng)
    q = random_q(rng, figure)
    path = tmp_path_factory.mktemp("urdf") / "a.urdf"
    assert_same(figure, q, *written(figure, path, q))


def test_a_re_rooted_person_reads_back_in_the_same_place(tmp_path: Path) -> None:
    person = poise.human()
    figure, posture = person.rooted_at("left_foot", person.rest())
    other, there = written(figure, tmp_path / "a.urdf", posture.q)
    assert_same(figure, posture.q, other, there)
    assert other.violation(there) < TIGHT


def test_a_written_person_agrees_with_pinocchio(tmp_path: Path) -> None:
    urdf.write(Reading(poise.human(root="fixed")), tmp_path / "a.urdf", hinges=True)
    figure = urdf.read(tmp_path / "a.urdf").figure
    model = pin.buildModelFromUrdf(str(tmp_path / "a.urdf"))
    data = model.createData()
    q = np.random.default_rng(0).uniform(-1, 1, figure.n)
    pin.framesForwardKinematics(model, data, pinocchio_q(figure, model, q))
    hand = data.oMf[model.getFrameId("right_hand")]
    place = figure.place(q).segment("right_hand")
    assert np.abs(place.position - hand.translation).max() < TIGHT


def test_our_robot_survives_a_round_trip(robot: Path, tmp_path: Path) -> None:
    figure = urdf.read(robot).figure
    notes = urdf.write(Reading(figure), tmp_path / "b.urdf")
    assert notes == ("capsules are written as a cylinder and two spheres each",)
    again = urdf.read(tmp_path / "b.urdf").figure
    assert again.couplings == figure.couplings
    assert set(again.coordinates) == set(figure.coordinates)
    for name in figure.coordinates:
        i, j = figure.index(name), again.index(name)
        assert (again.lower[j], again.upper[j]) == (figure.lower[i], figure.upper[i])
    q = np.random.default_rng(0).uniform(-1, 1, figure.n)
    there = np.zeros(again.n)
    for name, value in zip(figure.coordinates, q, strict=True):
        there[again.index(name)] = value
    assert_same(figure, q, again, there)


def test_without_the_option_balls_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match=r"URDF has no .* joints, such as .* hinges=True"):
        urdf.write(Reading(poise.human()), tmp_path / "a.urdf")
    assert not (tmp_path / "a.urdf").exists()


def bound_figure(couplings: list[Coupling], groups: list[Group]) -> Figure:
    names = "abcd"
    segments = [Segment("base"), *(Segment(name) for name in names)]
    joints = [Joint(f"j{name}", Hinge("z", (-1, 1)), "base", name) for name in names]
    return Figure("bound", segments, joints, couplings=couplings, groups=groups)


def test_laws_that_urdf_can_say_are_written(tmp_path: Path) -> None:
    couplings = [
        Coupling("pair", {"ja.angle": 2, "jb.angle": -1}, 0.5, 0.5),
        Coupling("stop", {"jc.angle": 2}, -0.5, 1.0),
        Coupling("three", {"ja.angle": 1, "jc.angle": 1, "jd.angle": 1}, 0, 0),
        Coupling("ring", {"ja.angle": 1, "jb.angle": 1}, 0, 0),
    ]
    notes = urdf.write(Reading(bound_figure(couplings, [])), tmp_path / "a.urdf")
    assert [note.split("'")[1] for note in notes] == ["three", "ring"]
    figure = urdf.read(tmp_path / "a.urdf").figure
    (coupling,) = figure.couplings.values()
    assert coupling.terms == {"ja.angle": 1.0, "jb.angle": -0.5}
    assert (coupling.lower, coupling.upper) == (0.25, 0.25)
    assert figure.range("jc") == {"angle": (-0.25, 0.5)}


def test_a_linear_group_is_written_as_joints_that_mimic(tmp_path: Path) -> None:
    members = {f"j{name}.angle": {"bend": 0.25 * k} for k, name in enumerate("abcd", 1)}
    figure = bound_figure([], [Group("spine", {"bend": (-2.0, 2.0)}, members)])
    notes = urdf.write(Reading(figure), tmp_path / "a.urdf")
    assert notes == ("group 'spine' is written as laws between its joints",)
    other = urdf.read(tmp_path / "a.urdf").figure
    assert len(other.couplings) == 3
    there = np.array([0.25, 0.5, 0.75, 1.0]) * 0.8
    assert other.violation(there) < 1e-12
    assert other.range("ja")["angle"] == pytest.approx((-0.5, 0.5))
    assert_same(figure, np.array([0.8]), other, there)


def test_a_group_that_is_not_linear_goes_free_with_a_note(tmp_path: Path) -> None:
    figure = grouped(np.random.default_rng(3), random_figure(np.random.default_rng(3)), degree=2)
    notes = urdf.write(Reading(figure), tmp_path / "a.urdf", hinges=True)
    assert any("go free of one another" in note for note in notes)


def test_an_elbow_and_a_shifted_child_keep_their_place(tmp_path: Path) -> None:
    joint = Joint(
        "elbow",
        Elbow((0, 1, 0.2), (0, 0, 1), (-1, 2), (-0.5, 0.5)),
        "base",
        "arm",
        *((0.1, 0.2, 0.3), (0.3, 0.2, 0.1), (0.4, 0.5, 0.6), (0.6, 0.5, 0.4)),
    )
    figure = Figure("arm", [Segment("base"), Segment("arm", 1.0)], [joint])
    q = np.array([0.7, -0.3])
    assert_same(figure, q, *written(figure, tmp_path / "a.urdf", q))


def test_limits_of_balls_become_boxes_that_hold_all_they_allow(tmp_path: Path) -> None:
    figure = poise.human(spine="independent", shoulders="independent")
    crossed = taken_apart(figure, hinges=True)
    other, _ = written(figure, tmp_path / "a.urdf", figure.rest().q)
    rng = np.random.default_rng(1)
    for _ in range(20):
        posture = figure.clamp(rng.normal(size=figure.n) * 0.8)
        assert other.violation(translated(figure, other, crossed, posture.q)) < 1e-5


def test_an_unlimited_ball_becomes_hinges_that_turn_all_round(tmp_path: Path) -> None:
    figure = Figure(
        "ball", [Segment("base"), Segment("ball")], [Joint("ball", Ball(), "base", "ball")]
    )
    q = np.array([2.0, -1.0, 1.5])
    other, there = written(figure, tmp_path / "a.urdf", q)
    assert_same(figure, q, other, there)
    assert np.isinf(other.range("ball_x")["angle"]).all()


SRDF = """\
<robot name="carrier">
  <!-- groups -->
  <group name="arm"><chain base_link="base" tip_link="lower"/></group>
  <group name="by_joint"><joint name="shoulder"/></group>
  <group name="by_link"><link name="lower"/><link name="base"/></group>
  <group name="both"><group name="by_link"/><group name="by_joint"/></group>
  <group name="stiff"><joint name="roller"/></group>
  <end_effector name="hand" parent_link="lower" group="arm"/>
</robot>
"""


def beside(tmp_path: Path, srdf: str) -> Reading:
    (tmp_path / "carrier.urdf").write_text(URDF_ROBOT, encoding="utf-8")
    (tmp_path / "carrier.srdf").write_text(srdf, encoding="utf-8")
    return urdf.read(tmp_path / "carrier.urdf")


def test_groups_of_an_srdf_file_beside_it_are_limbs(tmp_path: Path) -> None:
    limbs = beside(tmp_path, SRDF).figure.limbs
    assert limbs["arm"] == ("shoulder.angle", "elbow.angle")
    assert limbs["by_joint"] == ("shoulder.angle",)
    assert limbs["by_link"] == ("elbow.angle",)
    assert limbs["both"] == ("shoulder.angle", "elbow.angle")
    assert "stiff" not in limbs  # nothing of it moves
    (tmp_path / "carrier.srdf").unlink()
    found = urdf.read(tmp_path / "carrier.urdf").figure
    assert found.stated_limbs is None
    assert set(found.limbs) <= set(limbs)


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [
        ('tip_link="lower"', 'tip_link="lowr"', "there is no link 'lowr'; did you mean 'lower'?"),
        ('joint name="shoulder"', 'joint name="hip"', "there is no joint 'hip'"),
        ('group name="by_link"/', 'group name="both"/', "it contains itself, by way of both"),
        ('group name="by_link"/', 'group name="none"/', "there is no group 'none'"),
        ('base_link="base"', 'base_link="drone"', "'drone' does not carry the tip"),
        ("<joint name", "<joint nam", "it lacks the attribute 'name'"),
        ("</robot>", "", "cannot be read"),
        ("robot", "model", "an SRDF file must have the root element <robot>"),
    ],
)
def test_what_is_wrong_in_an_srdf_file_is_a_note(
    tmp_path: Path, before: str, after: str, note: str
) -> None:
    reading = beside(tmp_path, SRDF.replace(before, after))
    assert any(note in each for each in reading.notes)
    assert reading.figure.limbs


def test_the_humanoid_with_an_srdf_file_has_its_groups_and_the_usual_limbs(data: Path) -> None:
    robot = urdf.read(data / "robots" / "erd" / "simple_humanoid.urdf").figure
    assert {"left_arm", "right_arm", "left_leg", "right_leg", "spine"} <= set(robot.limbs)
    assert len(robot.limbs["mapURDFToOpenHRP"]) == 29
