"""Figures: what makes a tree, names, and what is refused."""

# ruff: noqa: E501  (messages read best on one line)

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest
from tests.random_figures import random_figure, random_joint, random_q

import poise
from poise.errors import PoiseError
from poise.figure import ranges
from poise.figure.builder import Builder
from poise.figure.figure import Figure
from poise.figure.kinds import Ball, Fixed, Free, Hinge, JointKind, Slider
from poise.figure.limits import SphericalEllipse, Twist
from poise.figure.parts import Coupling, Joint, Segment, Site


def arm() -> Builder:
    builder = Builder("arm", "one line")
    for name in ("base", "upper", "fore"):
        builder.segment(name, mass=1.0)
    builder.joint("shoulder", Ball(chart="swing_twist"), "base", "upper")
    builder.joint("elbow", Hinge(limits=(0.0, 2.5)), "upper", "fore", (0.3, 0, 0))
    builder.site("tip", "fore", (0.25, 0, 0), rotation=(0, 0, np.pi / 2))
    return builder


def chain(
    *pairs: str, segments: str = "abcd", kind: JointKind | None = None
) -> Callable[[], Figure]:
    """A maker of figures: joints from "ab" (a's child is b), segments named by one letter."""

    def make() -> Figure:
        names = {"w": "world"}
        joints = [
            Joint(f"j{i}", kind or Hinge(), names.get(p, p), names.get(c, c))
            for i, (p, c) in enumerate(pairs)
        ]
        return Figure("it", [Segment(name) for name in segments], joints)

    return make


def test_a_figure_tells_its_size_and_names() -> None:
    figure = arm().build()
    assert figure.n == 4
    assert figure.coordinates == [
        "shoulder.swing_x",
        "shoulder.swing_y",
        "shoulder.twist",
        "elbow.angle",
    ]
    assert list(figure.segments) == ["base", "upper", "fore"]
    assert list(figure.joints) == ["root", "shoulder", "elbow"]
    assert list(figure.sites) == ["tip"]
    assert figure.lower.tolist() == [-np.inf] * 3 + [0.0]
    assert figure.upper.tolist() == [np.inf] * 3 + [2.5]
    assert repr(figure) == "<Figure 'arm': 4 coordinates, 3 segments>"
    assert figure.mass == 3.0


def test_names_are_looked_up_among_sites_then_segments_then_joints() -> None:
    builder = arm()
    builder.site("upper", "upper", (0.1, 0, 0))  # named as its segment: the site wins
    figure = builder.build()
    where = figure.place(np.zeros(4))
    assert where["tip"].position == pytest.approx([0.55, 0, 0])
    assert where["tip"].rotation @ [1, 0, 0] == pytest.approx([0, 1, 0])
    assert where["upper"].position == pytest.approx([0.1, 0, 0])
    assert where["fore"].position == pytest.approx([0.3, 0, 0])
    assert where["elbow"].position == pytest.approx([0.3, 0, 0])
    assert list(where) == ["tip", "upper", "base", "fore", "root", "shoulder", "elbow"]
    assert len(where) == 7
    assert "elbow" in where
    assert "knee" not in where
    assert 3 not in where


def test_a_joints_frame_does_not_move_with_the_joint() -> None:
    figure = arm().build()
    rows = figure.jacobian([0.1, 0.2, 0.3, 0.4], "elbow")
    assert not rows[:, 3].any()
    assert rows[3:, :3].any()


def test_placements_stay_when_others_are_asked_for() -> None:
    figure = arm().build()
    before = figure.place(np.zeros(4))
    figure.place([0.1, 0.2, 0.3, 0.4])
    assert before["fore"].position == pytest.approx([0.3, 0, 0])


def test_without_a_root_joint_the_root_stands_in_the_origin() -> None:
    figure = arm().build()
    assert figure.joints["root"].child == "base"
    assert isinstance(figure.joints["root"].kind, Fixed)
    assert figure.place(np.zeros(4))["base"].position.tolist() == [0, 0, 0]


def test_roots_are_free_or_fixed() -> None:
    builder = arm()
    builder.root("base", "free", (0, 0, 1))
    figure = builder.build()
    assert figure.coordinates[-6:] == [f"root.{c}" for c in ("x", "y", "z", "rx", "ry", "rz")]
    assert figure.place(np.zeros(10))["base"].position.tolist() == [0, 0, 1]
    with pytest.raises(PoiseError, match="a root must be 'free' or 'fixed', not 'floating'"):
        arm().root("base", "floating")


def test_several_trees_may_stand_on_the_ground() -> None:
    rng = np.random.default_rng(0)
    joints = [
        random_joint(rng, "left", Free(), "world", "a"),
        random_joint(rng, "right", Hinge(), "world", "b"),
        random_joint(rng, "up", Hinge(), "b", "c"),
    ]
    figure = Figure("two", [Segment(name, 1.0) for name in "abc"], joints)
    assert figure.n == 8
    q = random_q(rng, figure)
    rows = figure.jacobian(q, "a")
    assert not rows[:, 6:].any()
    rows = figure.jacobian(q, "c")
    assert not rows[:, :6].any()
    moved = q.copy()
    moved[:6] += 0.3
    before, after = figure.place(q), figure.place(moved)
    assert np.array_equal(before["c"].position, after["c"].position)
    assert not np.allclose(before["a"].position, after["a"].position)


def test_a_figure_of_one_segment_has_nothing_to_move() -> None:
    figure = Figure("stone", [Segment("stone", 2.0, (1.0, 0.0, 0.0))], [])
    assert figure.n == 0
    assert figure.center_of_mass([]) == pytest.approx([1, 0, 0])
    assert figure.jacobian([], "stone").shape == (6, 0)
    assert figure.place(figure.posture())["stone"].position.tolist() == [0, 0, 0]


def test_the_order_of_joints_does_not_matter_to_where_things_are() -> None:
    rng = np.random.default_rng(1)
    figure = random_figure(rng, 8)
    posture = figure.posture(random_q(rng, figure))
    shuffled = [list(figure.joints.values())[i] for i in rng.permutation(8)]
    other = Figure("shuffled", list(figure.segments.values()), shuffled)
    same = other.posture()
    for coordinate in figure.coordinates:
        same[coordinate] = posture[coordinate]
    one, two = figure.place(posture), other.place(same)
    for name in figure.segments:
        assert np.abs(one[name].position - two[name].position).max() < 1e-13


def test_figures_can_be_pickled() -> None:
    figure = random_figure(np.random.default_rng(2), 6)
    q = random_q(np.random.default_rng(3), figure)
    figure.place(q)
    again = pickle.loads(pickle.dumps(figure))
    assert np.array_equal(again.place(q)["s5"].position, figure.place(q)["s5"].position)


def test_named_postures_are_kept() -> None:
    builder = arm()
    builder.posture("rest", {"elbow": {"angle": 0.5}})
    builder.posture("straight", {})
    figure = builder.build()
    assert figure.rest()["elbow"] == 0.5
    assert figure.posture(figure.postures["straight"]).q.tolist() == [0, 0, 0, 0]


def test_locks_and_stiffness_go_by_name() -> None:
    figure = arm().build()
    figure.lock("elbow", "shoulder.twist")
    assert figure.locked.tolist() == [False, False, True, True]
    assert figure.locked_names == ("elbow", "shoulder.twist")
    figure.unlock("elbow")
    assert figure.locked.tolist() == [False, False, True, False]
    figure.unlock()
    assert not figure.locked.any()
    figure.stiffness["shoulder"] = 0.5
    figure.stiffness["shoulder.twist"] = 0.75
    assert figure.stiffness["shoulder"] == 0.75
    assert figure.stiffness.values.tolist() == [0.5, 0.5, 0.75, 0.0]


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (lambda f: f.lock("elbwo"), r"there is no joint, group, limb or coordinate 'elbwo'; did you mean 'elbow'\?"),
        (lambda f: f.unlock("elbow"), "there is no locked joint 'elbow', nor any other"),
        (lambda f: f.stiffness.__setitem__("elbow", 1.0), r"the stiffness of 'elbow' must be below 1, not 1; to keep it from moving at all, lock\('elbow'\)"),
        (lambda f: f.stiffness.__setitem__("elbow", -0.1), r"the stiffness of 'elbow' must be at least 0, not -0.1"),
        (lambda f: f.stiffness["knee"], "there is no joint, group, limb or coordinate 'knee'"),
        (lambda f: f.place(np.zeros(4))["tpi"], r"there is no site, segment or joint 'tpi'; did you mean 'tip'\? There are: tip, base, upper, fore, root, shoulder, elbow"),
        (lambda f: f.jacobian(np.zeros(4), "hand"), r"there is no site, segment or joint 'hand'\. There are: tip"),
        (lambda f: f.jacobian(np.zeros(4), "tip", point=(1, 2)), "the point must be 3 numbers, not 2"),
        (lambda f: f.jacobian(np.zeros((2, 2)), "tip"), "a posture of 'arm' must be 4 numbers, not 2 × 2"),
        (lambda f: f.place([0, 0, np.nan, 0]), r"a posture of 'arm' must be finite: shoulder.twist is nan$"),
        (lambda f: f.place("rest"), "a posture of 'arm' must be numbers, not 'rest'"),
        (lambda f: f.place(None), "a posture of 'arm' must be 4 numbers, not one"),
        (lambda f: f.inertia(np.zeros(4), "w"), "the axis must be one of x, y, z, -x, -y, -z or three numbers, not 'w'"),
        (lambda f: f.inertia(np.zeros(4), (0, 0, 0)), "the axis has no direction"),
        (lambda f: f.place([0, np.inf, np.nan, 0]), "a posture of 'arm' must be finite: shoulder.swing_y is inf, and 1 more$"),
        (lambda f: f.index("elbow.twist"), r"^elbow has no coordinate 'twist' \(it has angle\)$"),
        (lambda f: f.index("elbow.angel"), r"^elbow has no coordinate 'angel' \(it has angle\); did you mean 'elbow.angle'\?$"),
        (lambda f: f.lock("root.x"), r"^root has no coordinate 'x' \(it does not move\)$"),
        (lambda f: f.lock(["elbow", 3]), "a joint, group, limb or coordinate goes by its name, not 3"),
        (lambda f: f.lock(3), "a joint, group, limb or coordinate goes by its name, not 3"),
        (lambda f: f.range("elbwo"), r"there is no joint, group or coordinate 'elbwo'; did you mean 'elbow'\?"),
        (lambda f: f.save(123), "the path of a figure file must be a string or a Path, not 123"),
        (lambda f: f.posture("crouch"), "the figure 'arm': there is no posture 'crouch', nor any other"),
        (lambda f: f.posture().__setitem__("root", []), "joint 'root' does not move: it has no values to set"),
        (lambda f: f.segment_of("hand"), "there is no site, segment or joint 'hand'"),
    ],
)  # fmt: skip
def test_wrong_questions_are_answered_in_words(
    request_: Callable[[Figure], object], words: str
) -> None:
    with pytest.raises(PoiseError, match=words):
        request_(arm().build())


def built(change: Callable[[Builder], object]) -> Callable[[], object]:
    def make() -> object:
        builder = arm()
        change(builder)
        return builder.build()

    return make


TWICE = Segment("a"), Segment("a")
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Figure("it", [], []), "the figure 'it' has no segments"),
    (lambda: Figure("it", TWICE, []), "there are two segments named 'a'; names must be unique"),
    (lambda: Figure("it", [Segment("world")], []), "no segment may be named 'world': it is the ground"),
    (chain("ab"), "the figure 'it' has 3 roots, 'a', 'c', 'd': join all but one to a parent, or to 'world'"),
    (chain("ab", "bc", "ca", segments="abc"), "the joints of 'it' go round in a cycle: [abc] → [abc] → [abc] → [abc]; a figure is a tree, loops are closed with a Loop task"),
    (chain("ab", "cd", "dc"), "the joints of 'it' go round in a cycle: (c → d → c|d → c → d)"),
    (chain("ab", "bc", "ad", "dc"), "the segment 'c' is the child of two joints, 'j1' and 'j3'; close loops with a Loop task"),
    (chain("wa", "ab", "bc", "wc", segments="abc"), "joint 'j[0123]' closes a cycle in 'it': '.*' and '.*' are joined already; loops are closed with a Loop task"),
    (chain("wa", "wa", segments="a"), "joint 'j1' closes a cycle in 'it': 'world' and 'a' are joined already"),
    (chain("wa", "ab"), "no joint holds 'c', 'd' to the rest of 'it'; join each to a parent, or to 'world'"),
    (chain("wa", "ab", "cd"), "no joint holds 'c' to the rest of 'it'; join it to a parent, or to 'world'"),
    (chain("aa", segments="a"), "joint 'j0' joins 'a' to itself"),
    (chain("ax", segments="a"), r"joint 'j0': there is no segment 'x'\. There are: a"),
    (chain("aw", segments="a"), "joint 'j0': there is no segment 'world'"),
    (built(lambda b: b.joint("elbow", Hinge(), "base", "fore")), "there are two joints named 'elbow'"),
    (built(lambda b: (b.segment("x"), b.joint("root", Hinge(), "fore", "x"))), "joint 'root' of 'arm' joins two segments; the name is that of the joint which holds 'base' to 'world'"),
    (built(lambda b: b.site("tip", "base")), "there are two sites named 'tip'"),
    (built(lambda b: b.site("nail", "fingr")), "site 'nail': there is no segment 'fingr'"),
    (built(lambda b: b.couple("law", {"elbow.angel": 1}, upper=1)), r"coupling 'law': elbow has no coordinate 'angel' \(it has angle\); did you mean 'elbow.angle'\?"),
    (built(lambda b: b.couple("law", {"elbow.angle": 0}, upper=1)), "coupling 'law' needs a coordinate with a factor that is not 0"),
    (built(lambda b: b.couple("law", {"elbow.angle": 1})), "coupling 'law' binds nothing: give a lower or an upper bound"),
    (built(lambda b: b.couple("law", {"elbow.angle": 1}, lower=2, upper=1)), "the bounds of coupling 'law' must be lower before upper, not 2, 1"),
    (built(lambda b: b.posture("rest", {"elbwo": {"angle": 1}})), r"posture 'rest': there is no joint or group 'elbwo'; did you mean 'elbow'\?"),
    (built(lambda b: b.posture("rest", {"elbow": {"bend": 1}})), "joint 'elbow': there is no angle 'bend'"),
    (built(lambda b: b.posture("rest", {}, x=1.0)), r"posture 'rest': root has no coordinate 'x' \(it does not move\)"),
    (lambda: Figure("it", [Segment("a")], [], postures={"rest": {"a.b": 1.0}}), "posture 'rest': there is no coordinate 'a.b', nor any other"),
    (built(lambda b: b.posture("rest", {"shoulder": 0.1})), r"posture 'rest': 'shoulder' has 3 angles \(swing_x, swing_y, twist\); one number will not do, give them by name"),
    (built(lambda b: b.posture("rest", {"elbow": "bent"})), "'elbow' of posture 'rest' must be a number, not 'bent'"),  # type: ignore[dict-item]
    (lambda: Builder(3), "the name of a figure must be a non-empty string, not 3"),  # type: ignore[arg-type]
    (built(lambda b: b.segment("x", mass=1, inertia=(1, 1, np.nan))), "the inertia of segment 'x' must be finite"),
    (built(lambda b: b.segment("x", mass=1, inertia=(1, 1, 3))), "the inertia of segment 'x' belongs to no body"),
    (lambda: Site("s", "a", (0, 0, 0), (0, 0, 0), ((0, 0), (1, 0))), "the outline of site 's' needs at least 3 points, not 2"),
    (lambda: Site("s", "a", (0, 0)), "the position of site 's' must be 3 numbers, not 2"),  # type: ignore[arg-type]
    (lambda: Coupling("c", {"a.b": np.nan}, 0, 0), "the factor of 'a.b' of coupling 'c' must be a finite number, not nan"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), REFUSED)
def test_what_makes_no_figure_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(PoiseError, match=words):
        make()


def test_the_box_limits_cannot_be_written_over():
    figure = poise.chain(2)
    with pytest.raises(ValueError, match="read-only"):
        figure.lower[0] = 1.0


def test_names_to_lock_may_come_in_a_list() -> None:
    figure = arm().build()
    figure.lock(["elbow", "shoulder.twist"], "shoulder.swing_x")
    assert figure.locked_names == ("elbow", "shoulder.swing_x", "shoulder.twist")
    figure.unlock(("elbow", "shoulder.twist"))
    assert figure.locked_names == ("shoulder.swing_x",)
    figure.unlock([])
    assert figure.locked_names == ("shoulder.swing_x",)


def test_stiffness_can_be_listed() -> None:
    builder = arm()
    builder.root("base", "fixed")
    figure = builder.build()
    assert repr(figure.stiffness) == "<Stiffness of 'arm': all 0>"
    figure.stiffness["elbow"] = 0.5
    assert dict(figure.stiffness) == {"shoulder": 0.0, "elbow": 0.5}
    assert list(figure.stiffness) == figure.stiffness.keys() == ["shoulder", "elbow"]
    assert len(figure.stiffness) == 2
    assert "elbow.angle" in figure.stiffness
    assert "root" not in figure.stiffness
    assert repr(figure.stiffness) == "<Stiffness of 'arm': elbow 0.5, all else 0>"


def test_placements_say_what_they_hold() -> None:
    where = arm().build().place(np.zeros(4))
    assert repr(where) == "<Placements of 'arm': 1 site, 3 segments, 3 joints>"


def test_a_posture_can_be_named_with_plain_numbers_and_full_names() -> None:
    builder = arm()
    builder.root("base", "free")
    builder.posture("rest", {"elbow": 0.5}, z=0.9)
    builder.posture("other", **{"root.z": 0.9, "elbow.angle": 0.5})  # type: ignore[arg-type]
    figure = builder.build()
    assert figure.rest() == figure.posture("other")
    assert (figure.rest()["elbow"], figure.rest()["root.z"]) == (0.5, 0.9)


def test_three_principal_moments_make_an_inertia() -> None:
    builder = Builder("stone")
    builder.segment("stone", mass=2.0, inertia=(0.1, 0.2, 0.25))
    figure = builder.build()
    assert figure.inertia([], "y") == pytest.approx(0.2)
    assert figure.segments["stone"].inertia == ((0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.25))


# limits -----------------------------------------------------------------------------------------


def limited() -> Builder:
    """A ball that swings within 0.5 and 0.8, a slider, a wheel, two hinges with a law."""
    builder = Builder("toy")
    for name in ("base", "arm", "drawer", "wheel", "finger", "tip"):
        builder.segment(name, mass=1.0)
    ball = Ball("-z", swing=SphericalEllipse(0.5, 0.8), twist=Twist(-0.3, 0.4))  # type: ignore[arg-type]
    clinical = {"flexion": "-y", "abduction": "x", "rotation": "-z"}
    builder.joint("shoulder", ball, "base", "arm", clinical=clinical)
    builder.joint("rail", Slider("x", (0.0, 20.0)), "base", "drawer")
    builder.joint("axle", Hinge("y"), "base", "wheel")
    builder.joint("pip", Hinge("y", (0.0, 1.6)), "base", "finger")
    builder.joint("dip", Hinge("y", (0.0, 1.0)), "finger", "tip")
    builder.couple("tendon", {"dip.angle": 1, "pip.angle": -0.5}, lower=0, upper=0)
    return builder


def test_the_range_of_a_joint_is_that_of_each_angle_by_itself() -> None:
    figure = limited().build()
    found = figure.range("shoulder")
    assert list(found) == ["flexion", "abduction", "rotation"]
    assert found["flexion"] == pytest.approx((-0.8, 0.8), abs=1e-8)
    assert found["abduction"] == pytest.approx((-0.5, 0.5), abs=1e-8)
    assert found["rotation"] == pytest.approx((-0.3, 0.4), abs=1e-8)
    assert figure.range("shoulder.twist")["twist"] == pytest.approx((-0.3, 0.4), abs=1e-8)
    assert figure.range("rail") == figure.range("rail.distance") == {"distance": (0.0, 20.0)}
    assert figure.range("axle") == {"angle": (-np.inf, np.inf)}
    assert figure.range("dip") == {"angle": (0.0, 1.0)}  # whatever the coupling says
    assert figure.range("root") == {}


def test_a_range_is_looked_for_once_until_the_rest_posture_is_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    figure = poise.human()
    found = figure.range("left_hip")
    found["flexion"] = (0.0, 0.0)  # somebody's own
    looked: list[str] = []
    look = ranges._looked_for

    def counted(figure: Figure, name: str) -> dict[str, tuple[float, float]]:
        looked.append(name)
        return look(figure, name)

    monkeypatch.setattr(ranges, "_looked_for", counted)
    before = figure.range("left_hip")
    assert before["flexion"][1] > 1.0
    assert not looked
    figure.postures["rest"] = figure.rest().q
    figure.postures["rest"][figure.index("left_hip.swing_x")] = 0.3
    assert figure.range("left_hip") != before
    assert looked == ["left_hip"]
    with pytest.raises(PoiseError, match="joint, group or coordinate"):
        figure.range(["left_hip"])  # type: ignore[arg-type]


def test_the_range_of_an_angle_without_limits_has_no_ends() -> None:
    figure = arm().build()
    found, everything = figure.range("shoulder"), (-np.inf, np.inf)
    # The chart ends at a swing of 150°.
    assert found["swing_x"] == pytest.approx(np.deg2rad([-150, 150]), abs=1e-8)
    assert found["twist"] == figure.range("shoulder.twist")["twist"] == everything
    spatial = poise.chain(2, joint="ball").range("joint_1")
    assert spatial == dict.fromkeys(("rx", "ry", "rz"), everything)


def test_every_end_of_a_range_is_the_last_valid_value() -> None:
    figure = poise.human()
    for name in (
        "left_hip",
        "neck",
        "right_wrist",
        "spine",
        "left_shoulder_complex",
        "left_shoulder",
    ):
        for angle, ends in figure.range(name).items():
            for end, sign in zip(ends, (-1, 1), strict=True):
                for beyond, valid in ((-1e-6, True), (1e-6, False)):
                    posture = figure.rest()
                    posture.set_angles(name, **{angle: end + sign * beyond})
                    broken = set(figure.broken_limits(posture)) - set(figure.couplings)
                    assert (not broken) is valid, (name, angle, end)


def test_broken_limits_are_named_with_how_much() -> None:
    figure = limited().build()
    posture = figure.posture()
    assert figure.broken_limits(posture) == {}
    posture["rail"], posture["pip"] = 20.5, 0.4
    posture.set_angles("shoulder", abduction=0.6)
    found = figure.broken_limits(posture)
    assert found == pytest.approx({"rail.distance": 0.5, "shoulder": 0.1, "tendon": 0.2}, abs=1e-6)


def test_a_named_posture_that_breaks_limits_is_refused_when_it_is_taken() -> None:
    builder = limited()
    builder.posture("rest", {"pip": -0.1, "rail": -0.5, "dip": 0.5})
    figure = builder.build()
    words = (
        "the posture 'rest' of 'toy' breaks limits: rail.distance by 0.5 m, pip.angle by 0.1 rad "
        "(5.7°), coupling tendon by 0.55; figure.clamp(figure.postures['rest']) is the nearest "
        "that breaks none"
    )
    with pytest.raises(PoiseError) as refused:
        figure.rest()
    assert str(refused.value) == words
    assert figure.within_limits(figure.clamp(figure.postures["rest"]))
    assert figure.range("shoulder")["flexion"][1] > 0.7


def test_a_rest_that_rounding_has_put_over_a_limit_is_mended() -> None:
    builder = limited()
    builder.posture("rest", {"rail": -1e-8})
    assert builder.build().rest()["rail"] == 0.0


def test_a_posture_that_is_changed_after_its_check_is_checked_again():
    figure = poise.chain(1, limit=1.0)
    figure.postures["rest"] = np.array([0.5])
    assert figure.rest().q.tolist() == [0.5]
    figure.postures["rest"] = np.array([3.0])
    with pytest.raises(PoiseError):
        figure.rest()
