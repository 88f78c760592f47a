"""Limbs: names for sets of coordinates, stated or found."""

import copy
import pickle
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import poise
from poise import Builder, Figure, PoiseError
from poise.documents import parse
from poise.figure import Ball, Free, Hinge, Slider, Twist
from poise.figure.anatomy import Told, corners_of, told_by
from poise.figure.files import figure_from, figure_text
from poise.figure.limbs import joints_of_limb
from poise.figure.merging import merge
from poise.models.catalogue import catalogue

PERSON = {"spine", "neck", "left_arm", "right_arm", "left_leg", "right_leg"}
FINGERS = {"thumb", "index", "middle", "ring", "little"}
CHOICES = ("grouped", "independent")


def tree(*joints: tuple[str, str, str], free: bool = False) -> Figure:
    """A figure of hinges: (name, parent, child)."""
    builder = Builder("robot")
    for name in dict.fromkeys(["base", *(child for _, _, child in joints)]):
        builder.segment(name, mass=1.0)
    builder.root("base", "free" if free else "fixed")
    for name, parent, child in joints:
        builder.joint(name, Hinge("y"), parent, child, (0.0, 0.0, 0.1))
    return builder.build()


def by_joint(figure: Figure) -> dict[str, list[str]]:
    return {limb: joints_of_limb(figure, limb) for limb in figure.limbs}


# the ready figures -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spine", "shoulders", "hands"), list(product(CHOICES, CHOICES, (False, True)))
)
def test_a_person_has_the_same_limbs_however_it_is_made(
    spine: str, shoulders: str, hands: bool
) -> None:
    person = poise.human(spine=spine, shoulders=shoulders, hands=hands)  # type: ignore[arg-type]
    assert set(person.limbs) == PERSON | ({"left_hand", "right_hand"} if hands else set())
    limbs = by_joint(person)
    shoulder = ["shoulder_complex"] if shoulders == "grouped" else ["clavicle", "shoulder"]
    assert limbs["left_arm"] == [f"left_{each}" for each in (*shoulder, "elbow", "wrist")]
    assert limbs["right_leg"] == ["right_hip", "right_knee", "right_ankle", "right_toes"]
    assert limbs["neck"] == ["neck", "head"]
    assert len(person.limbs["spine"]) == (3 if spine == "grouped" else 51)
    if hands:
        assert len(limbs["left_hand"]) == 15


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.name)
def test_every_coordinate_of_a_ready_figure_but_the_roots_is_in_just_one_limb(entry) -> None:  # type: ignore[no-untyped-def]
    figure: Figure = entry.build()
    named = [coordinate for own in figure.limbs.values() for coordinate in own]
    free = [c for joint in figure.joints.values() if joint.kind.is_free for c in joint.coordinates]
    assert sorted(named) == sorted(set(figure.coordinates) - set(free))
    for own in figure.limbs.values():
        places = [figure.index(each) for each in own]
        assert places == sorted(places)


@pytest.mark.parametrize(
    ("make", "limbs"),
    [
        (poise.hand, FINGERS),
        (lambda: poise.hand(side="left"), FINGERS),
        (lambda: poise.chain(5), {"chain"}),
        (poise.bird, {"neck", "tail", "left_wing", "right_wing", "left_leg", "right_leg"}),
        (poise.planar_person, {"leg", "spine", "neck", "arm", "hand"}),
        (poise.shoulder_complex, {"arm"}),
        (poise.upper_body_of_70, PERSON - {"left_leg", "right_leg"}),
        (poise.person_of_71, PERSON | {"left_hand", "right_hand"}),
        (
            poise.quadruped,
            {f"{side}_{end}_leg" for side in ("left", "right") for end in ("front", "hind")}
            | {"spine", "neck", "tail"},
        ),
    ],
)
def test_ready_figures_have_limbs_in_the_words_of_their_field(
    make: Callable[[], Figure], limbs: set[str]
) -> None:
    assert set(make().limbs) == limbs


# names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("left_elbow", Told("arm", "left")),
        ("LeftForeArm", Told("arm", "left")),
        ("LShoulderPitch", Told("arm", "left")),
        ("rShldr", Told("arm", "right")),
        ("lhumerus", Told("arm", "left")),
        ("LLEG_HIP_R", Told("leg", "left")),
        ("hip_x_right", Told("leg", "right")),
        ("leftUpperLeg", Told("leg", "left")),
        ("LHipJoint", Told("leg", "left")),
        ("right_hand", Told("arm", "right")),
        ("left_hand_middle_0_joint", Told("hand", "left", "", "middle")),
        ("RightHandIndex1", Told("hand", "right", "", "index")),
        ("rh_LFJ5", Told("hand", "", "", "little")),
        ("middle_back", Told("spine")),
        ("middle", Told()),
        ("knee_back_left", Told("leg", "left", "hind")),
        ("left_front_shoulder", Told("leg", "left", "front")),
        ("yaw_back_right", Told("", "right")),
        ("l5_s1", Told("spine")),
        ("t12_l1", Told("spine")),
        ("c7_t1", Told("neck")),
        ("vl5", Told("spine")),
        ("left_ear", Told("neck", "left")),
        ("tail_3", Told("tail")),
        ("rear_axle", Told()),
        ("joint_4", Told()),
        ("", Told()),
    ],
)
def test_a_name_tells_side_and_kind_of_its_limb(name: str, told: Told) -> None:
    assert told_by(name) == told


def test_two_letters_stand_for_a_leg_only_where_all_four_are_there() -> None:
    four = corners_of(["FL_calf", "FR_calf", "RL_calf", "RR_calf"])
    assert told_by("RL_calf", four) == Told("leg", "left", "hind")
    assert told_by("FR_motor", four) == Told("leg", "right", "front")
    assert not corners_of(["rf_mcp", "lf_mcp"])


# found by names and topology -------------------------------------------------------------------


def test_a_joint_without_a_telling_name_belongs_with_what_carries_it() -> None:
    figure = tree(
        ("left_shoulder", "base", "a"),
        ("motor", "a", "b"),
        ("left_rod", "b", "c"),
        ("right_rod", "b", "d"),
    )
    assert by_joint(figure) == {
        "left_arm": ["left_shoulder", "motor", "left_rod"],
        "chain": ["right_rod"],
    }


def test_without_names_limbs_are_the_branches_off_a_trunk() -> None:
    figure = tree(
        ("j1", "base", "a"), ("j2", "a", "b"), ("j3", "b", "c"), ("j4", "a", "d"), ("j5", "d", "e")
    )
    assert by_joint(figure) == {"trunk": ["j1"], "branch_1": ["j2", "j3"], "branch_2": ["j4", "j5"]}


def test_what_carries_named_limbs_is_the_trunk_and_a_lone_branch_the_chain() -> None:
    two = tree(("j1", "base", "a"), ("left_arm", "a", "b"), ("right_arm", "a", "c"))
    assert by_joint(two) == {"trunk": ["j1"], "left_arm": ["left_arm"], "right_arm": ["right_arm"]}
    one = tree(
        ("j1", "base", "a"), ("j2", "a", "b"), ("finger_1", "b", "c"), ("finger_2", "b", "d")
    )
    assert by_joint(one) == {"chain": ["j1", "j2"], "hand": ["finger_1", "finger_2"]}


def test_legs_of_no_side_are_numbered() -> None:
    joints = [(f"leg{i}_{each}", parent, f"{each}_{i}") for i in (1, 2, 3)
              for each, parent in (("hip", "base"), ("knee", f"hip_{i}"))]  # fmt: skip
    assert by_joint(tree(*joints)) == {
        f"leg_{i}": [f"leg{i}_hip", f"leg{i}_knee"] for i in (1, 2, 3)
    }


def test_a_hip_that_carries_both_legs_belongs_to_the_spine() -> None:
    figure = tree(("hip", "base", "a"), ("left_leg", "a", "b"), ("right_leg", "a", "c"))
    assert by_joint(figure) == {
        "spine": ["hip"],
        "left_leg": ["left_leg"],
        "right_leg": ["right_leg"],
    }


def test_a_free_root_is_in_no_limb_and_what_does_not_move_has_none() -> None:
    assert by_joint(tree(("knee", "base", "a"), free=True)) == {"leg": ["knee"]}
    assert dict(tree().limbs) == {}


@pytest.mark.parametrize(("kind", "count"), [(Hinge("y"), 1), (Slider("x"), 1), (Ball(), 3)])
def test_limbs_have_the_coordinates_of_every_kind_of_joint(kind: object, count: int) -> None:
    builder = Builder("robot")
    builder.segment("base")
    builder.segment("upper")
    builder.joint("left_shoulder", kind, "base", "upper")  # type: ignore[arg-type]
    assert len(builder.build().limbs["left_arm"]) == count


# stated ----------------------------------------------------------------------------------------


def stated() -> Figure:
    builder = Builder("robot")
    for name in ("base", "a", "b", "c"):
        builder.segment(name, mass=1.0)
    builder.root("base", "free")
    builder.joint("one", Ball("z", twist=Twist(-1.0, 1.0)), "base", "a")
    builder.joint("two", Hinge("y"), "a", "b", (0, 0, 0.1))
    builder.joint("three", Hinge("y"), "b", "c", (0, 0, 0.1))
    builder.limb("ends", ["three", "one"])
    builder.limb("outer", ("one.twist", "two", "three"))
    return builder.build()


def test_stated_limbs_may_share_joints_and_have_gaps() -> None:
    figure = stated()
    assert dict(figure.limbs) == {
        "ends": ("one.swing_x", "one.swing_y", "one.twist", "three.angle"),
        "outer": ("one.twist", "two.angle", "three.angle"),
    }
    assert figure.indices("ends").tolist() == [6, 7, 8, 10]
    assert by_joint(figure) == {"ends": ["one", "three"], "outer": ["one.twist", "two", "three"]}


def test_limbs_are_kept_by_files_pickles_copies_sites_and_other_roots() -> None:
    figure = stated()
    again = figure_from(parse(figure_text(figure), "robot.yaml"))
    others = [
        again,
        pickle.loads(pickle.dumps(figure)),
        copy.copy(figure),
        copy.deepcopy(figure),
        figure.with_site("tip", "c"),
        figure.rooted_at("c", figure.rest())[0],
        figure.rooted_at("c", figure.rest(), root="fixed")[0],
    ]
    for other in others:
        assert other.limbs == figure.limbs
        assert list(other.limbs) == list(figure.limbs)


def test_the_limbs_of_a_person_stay_with_another_root_and_in_a_file(tmp_path: Path) -> None:
    person = poise.human()
    grounded, _ = person.rooted_at("left_foot", person.rest(), root="fixed")
    assert grounded.limbs == person.limbs
    person.save(tmp_path / "person.yaml")
    assert "limbs:" not in (tmp_path / "person.yaml").read_text(encoding="utf-8")
    assert poise.load(tmp_path / "person.yaml").limbs == person.limbs
    grounded.save(tmp_path / "grounded.yaml")
    assert poise.load(tmp_path / "grounded.yaml").limbs == person.limbs


def test_a_figure_that_holds_a_prop_has_its_limbs() -> None:
    person = poise.human()
    scene = poise.Scene(person)
    scene.hold(poise.box(0.1, 0.1, 0.1, name="parcel"), "right_hand")
    assert scene.figure.limbs == person.limbs


def test_figures_as_one_have_limbs_under_their_own_names(tmp_path: Path) -> None:
    whole = merge({"anna": poise.human(), "rex": poise.quadruped()})
    assert whole.limbs["anna/left_arm"][0] == "anna/left_shoulder_complex.elevation"
    assert "rex/left_hind_leg" in whole.limbs
    whole.save(tmp_path / "both.yaml")
    assert poise.load(tmp_path / "both.yaml").limbs == whole.limbs


def test_another_figure_can_be_given_more_limbs() -> None:
    person = poise.human()
    other = person.with_limbs({"arms": ["left_elbow", "right_elbow"], "spine": "spine.flexion"})
    assert other.limbs["arms"] == tuple(f"{s}_elbow.{c}" for s in ("left", "right")
                                        for c in ("flexion", "pronation"))  # fmt: skip
    assert other.limbs["left_leg"] == person.limbs["left_leg"]
    assert other.limbs["spine"] == ("spine.flexion",)
    assert "arms" not in person.limbs


def test_limbs_cannot_be_changed() -> None:
    figure = stated()
    with pytest.raises(PoiseError, match="with_limbs"):
        figure.limbs = {}  # type: ignore[misc]
    with pytest.raises(PoiseError):
        figure.limbs["arm"] = ("two.angle",)  # type: ignore[index]


@pytest.mark.parametrize(
    ("limbs", "words"),
    [
        ({"x": ["tow"]}, "limb 'x': there is no joint, group or coordinate 'tow'; did you mean "),
        ({"x": []}, "the limb 'x' of 'robot' has nothing that moves"),
        ({"x": 3}, "the limb 'x' must be a list of joints, groups or coordinates, not 3"),
        ({3: ["two"]}, "the name of a limb must be a string, not 3"),
        ({"a.b": ["two"]}, "the name 'a.b' of a limb must not contain '.'"),
        (["two"], "the limbs of 'robot' must be lists of joints, groups or coordinates, by name"),
    ],
)  # fmt: skip
def test_what_is_no_limb_is_refused_in_plain_words(limbs: object, words: str) -> None:
    with pytest.raises(PoiseError) as raised:
        stated().with_limbs(limbs)  # type: ignore[arg-type]
    assert str(raised.value).startswith(words)


def test_a_limb_of_a_joint_that_a_group_drives_names_the_group() -> None:
    with pytest.raises(PoiseError, match=r"driven by the group 'spine'.*name 'spine' instead"):
        poise.human().with_limbs({"back": ["l5_s1"]})


def test_a_limb_that_is_named_twice_is_refused() -> None:
    builder = Builder("robot")
    builder.limb("arm", "shoulder")
    with pytest.raises(PoiseError, match="two limbs named 'arm'"):
        builder.limb("arm", "elbow")


def test_what_is_wrong_with_limbs_in_a_file_is_told_with_its_line() -> None:
    text = figure_text(stated()).replace("ends: [one, three]", "ends: [one, thre]")
    line = 1 + text[: text.index("ends:")].count("\n")
    with pytest.raises(PoiseError) as raised:
        figure_from(parse(text, "robot.yaml"))
    assert str(raised.value).startswith(
        f"robot.yaml, line {line}: figure.limbs.ends: limb 'ends': there is no joint, group or "
        "coordinate 'thre'; did you mean 'three'?"
    )


# where joints are named ------------------------------------------------------------------------


def test_a_limb_is_locked_stiffened_and_let_go() -> None:
    person = poise.human()
    person.lock("left_arm", ["left_toes"])
    arm = person.indices("left_arm")
    assert person.locked_names == ("left_arm", "left_toes")
    assert person.locked[arm].all()
    assert person.locked.sum() == arm.size + 1
    person.unlock("left_arm")
    assert not person.locked[arm].any()
    person.stiffness["left_leg"] = 0.4
    assert person.stiffness["left_knee"] == person.stiffness["left_leg"] == 0.4
    assert np.count_nonzero(person.stiffness.values) == len(person.limbs["left_leg"])
    assert "left_leg" in person.stiffness
    assert "left_leg" not in dict(person.stiffness)


def test_locked_limbs_stay_locked_with_another_root_and_in_a_file() -> None:
    person = poise.human()
    person.lock("left_arm")
    assert person.rooted_at("left_foot", person.rest())[0].locked_names == ("left_arm",)
    again = figure_from(parse(figure_text(person), "person.yaml"))
    assert np.array_equal(again.locked, person.locked)


def test_a_joint_or_group_comes_before_a_limb_of_the_same_name() -> None:
    person = poise.human()
    assert person.indices("neck").size == 3
    assert len(person.limbs["neck"]) == 5
    assert person.indices("spine").tolist() == [person.index(c) for c in person.limbs["spine"]]


def test_an_unknown_name_is_answered_with_the_nearest_limb() -> None:
    with pytest.raises(PoiseError, match=r"no joint, group, limb .* did you mean 'right_arm'\?"):
        poise.human().lock("rigth_arm")


@pytest.mark.parametrize(
    ("name", "what", "limb"),
    [
        ("right_hand", "site", "right_arm"),
        ("left_heel", "site", "left_leg"),
        ("eyes", "site", "neck"),
        ("chest", "site", "spine"),
        ("left_forearm", "segment", "left_arm"),
    ],
)
@pytest.mark.parametrize("root", [None, "right_foot"])
def test_a_site_or_segment_in_place_of_joints_is_answered_with_the_limb_that_carries_it(
    name: str, what: str, limb: str, root: str | None
) -> None:
    person = poise.human()
    if root is not None:
        person = person.rooted_at(root, person.rest())[0]
    words = f"'{name}' is a {what}, and no .*; did you mean '{limb}', the limb that carries it"
    with pytest.raises(PoiseError, match=words):
        person.indices(name)


def test_what_only_the_root_carries_is_no_site_of_a_limb() -> None:
    with pytest.raises(PoiseError, match="no joint, group, limb or coordinate 'pelvis'"):
        poise.human().indices("pelvis")


@pytest.mark.parametrize(
    "ask",
    [
        lambda f: f.rest()["left_arm"],
        lambda f: f.range("left_arm"),
        lambda f: f.span("left_arm"),
        lambda f: f.index("left_arm"),
    ],
)
def test_where_one_place_is_wanted_a_limb_is_refused_with_its_coordinates(
    ask: Callable[[Figure], object],
) -> None:
    words = r"'left_arm' is a limb \(left_shoulder_complex.elevation, .* and 1 more\); here a .*is"
    with pytest.raises(PoiseError, match=words):
        ask(poise.human())


def test_a_free_joint_within_a_figure_may_be_in_a_limb() -> None:
    builder = Builder("robot")
    for name in ("base", "ball"):
        builder.segment(name, mass=1.0)
    builder.joint("toy", Free(), "base", "ball")
    assert len(builder.build().limbs["chain"]) == 6


# robots of others ------------------------------------------------------------------------------

FOUR = {f"{side}_{end}_leg" for side in ("left", "right") for end in ("front", "hind")}


@pytest.mark.parametrize(
    ("file", "limbs"),
    [
        ("menagerie/unitree_g1/g1.xml", PERSON - {"neck"}),
        ("menagerie/unitree_g1/g1_with_hands.xml", PERSON - {"neck"} | {"left_hand", "right_hand"}),
        ("menagerie/unitree_go2/go2.xml", FOUR),
        ("menagerie/shadow_hand/right_hand.xml", FINGERS | {"wrist"}),
        ("menagerie/franka_emika_panda/panda.xml", {"chain", "hand"}),
        ("menagerie/agility_cassie/cassie.xml", {"left_leg", "right_leg"}),
        ("dm_control/humanoid_CMU.xml", PERSON | {"left_hand", "right_hand"}),
        ("mujoco/humanoid.xml", PERSON - {"neck"}),
        ("erd/solo12.urdf", FOUR),
        ("erd/double_pendulum_simple.urdf", {"chain"}),
    ],
)
@pytest.mark.filterwarnings("ignore::poise.PoiseWarning")
def test_robots_have_limbs_by_the_names_of_their_joints(
    data: Path, file: str, limbs: set[str]
) -> None:
    assert set(poise.load(data / "robots" / file).limbs) == limbs


def with_hinges(folder: Path) -> Path:
    """A person in MJCF with CMU's names, three hinges for each joint of trunk and neck."""

    def body(name: str, joints: str, inside: str = "") -> str:
        axes = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}
        hinges = "".join(
            f'<joint name="{name}r{axis}" axis="{axes[axis]}" range="-40 40"/>' for axis in joints
        )
        geom = '<geom type="capsule" size="0.05" fromto="0 0 0 0 0 0.2"/>'
        return f'<body name="{name}" pos="0 0 0.2">{hinges}{geom}{inside}</body>'

    limbs = {
        end: "".join(
            body(f"{side}{upper}", "zyx", body(f"{side}{lower}", "x")) for side in ("l", "r")
        )
        for end, upper, lower in (("arms", "humerus", "radius"), ("legs", "femur", "tibia"))
    }
    neck = body("lowerneck", "zyx", body("head", "zyx"))
    trunk = body("lowerback", "zyx", body("thorax", "zyx", limbs["arms"] + neck))
    whole = body("root", "", limbs["legs"] + trunk).replace(">", '><freejoint name="root"/>', 1)
    path = folder / "person.xml"
    path.write_text(f"<mujoco><worldbody>{whole}</worldbody></mujoco>", encoding="utf-8")
    return path


@pytest.mark.filterwarnings("ignore::poise.PoiseWarning")
@pytest.mark.parametrize("names", [None, "auto"])
@pytest.mark.parametrize("balls", [False, True])
def test_a_person_of_hinges_has_all_limbs(
    tmp_path: Path, names: str | None, *, balls: bool
) -> None:
    given = {} if names is None else {"names": names}
    person = poise.load(with_hinges(tmp_path), balls=balls, **given)
    counts = {limb: len(own) for limb, own in person.limbs.items()}
    four = {f"{side}_{end}": 4 for side in ("left", "right") for end in ("arm", "leg")}
    assert counts == {**four, "spine": 6, "neck": 6}


@pytest.mark.filterwarnings("ignore::poise.PoiseWarning")
def test_the_name_of_a_limb_is_not_that_of_one_of_its_hinges(tmp_path: Path) -> None:
    person = poise.load(with_hinges(tmp_path), names="auto")
    assert {"left_hip", "left_knee", "upper_chest"} <= set(person.joints), "these are no limbs"
    for limb in ("spine", "neck"):
        assert limb in person.segments
        assert limb not in person.joints
        assert person.indices(limb).tolist() == [person.index(c) for c in person.limbs[limb]]
    scene = poise.Scene(person)
    scene.add(poise.tasks.Position("head"), joints={"neck": 1.0, "spine": 0.2})
    assert int((scene._problem().recruited[0] > 0).sum()) == 12
