"""Joint kinds: motion and its inverse, names, and what they refuse."""

# ruff: noqa: E501  (a table of messages reads best with each on its line)

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.linalg import expm
from tests.random_figures import KINDS, random_kind

from poise.errors import PoiseError, PoiseWarning
from poise.figure.charts import swing_twist
from poise.figure.kinds import Ball, Elbow, Fixed, Free, Hinge, JointKind, Slider, Swing
from poise.figure.limits import Angle, SphericalEllipse, Twist
from poise.figure.parts import Joint
from poise.figure.transform import Transform, rotation_matrix, rotation_to, rotation_vector

Values = NDArray[np.float64]
seeds = st.integers(0, 2**32 - 1)


def canonical(rng: np.random.Generator, kind: JointKind) -> Values:
    """Coordinates that their own motion gives back: angles within π."""
    values = rng.uniform(-3.0, 3.0, len(kind.coordinates or ()))
    turn = {"swing": slice(0, 2), "free": slice(3, 6)}.get(kind.kind, slice(0, 0))
    if isinstance(kind, Ball):
        turn = slice(0, 3) if kind.chart == "rotation_vector" else slice(0, 2)
    length = np.linalg.norm(values[turn])
    if length > 3.0:
        values[turn] *= 3.0 / length
    return values


@pytest.mark.parametrize("name", KINDS)
@given(seed=seeds)
def test_values_give_back_what_motion_was_made_of(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind = random_kind(rng, name)
    values = canonical(rng, kind)
    # At 3 rad of swing the chart is stretched some twenty times.
    assert kind.values(kind.motion(values)) == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize("name", KINDS)
@given(seed=seeds)
def test_the_chain_of_nodes_makes_the_same_motion(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind = random_kind(rng, name)
    motion = kind.motion(canonical(rng, kind))
    values = kind.values(motion).tolist()
    total = Transform.make()
    for link in kind.chain():
        if isinstance(link, Transform):
            total = total @ link
        elif link == "hinge":
            total = total @ Transform.make(rotation=(0, 0, values.pop(0)))
        elif link == "slider":
            total = total @ Transform.make((0, 0, values.pop(0)))
        elif link == "translation":
            total = total @ Transform.make([values.pop(0) for _ in range(3)])
        elif link == "rotation":
            total = total @ Transform.make(rotation=[values.pop(0) for _ in range(3)])
        else:
            total = total @ Transform.make(rotation=(values.pop(0), values.pop(0), 0))
            if link == "ball":
                total = total @ Transform.make(rotation=(0, 0, values.pop(0)))
    assert not values
    assert np.abs(motion.rotation - total.rotation).max() < 1e-14
    assert np.abs(motion.position - total.position).max() < 1e-14


@given(seeds)
def test_rotations_are_those_of_the_matrix_exponential(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y, z = rng.normal(size=3) * 10.0 ** rng.uniform(-8, 0.5)
    exact = expm(np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]))
    assert np.abs(rotation_matrix((x, y, z)) - exact).max() < 5e-15


@given(seeds)
def test_a_rotation_vector_gives_its_rotation_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    angle = rng.choice([0.0, 1e-200, 1e-9, 0.5, 3.0, np.pi - 1e-9, np.pi])
    R = rotation_matrix(axis / np.linalg.norm(axis) * angle)
    found = rotation_vector(R)
    assert np.linalg.norm(found) <= np.pi + 1e-15
    assert np.abs(rotation_matrix(found) - R).max() < 4e-15


@given(seeds)
def test_swing_and_twist_make_the_rotation_again(seed: int) -> None:
    rng = np.random.default_rng(seed)
    R = rotation_matrix(rng.normal(size=3) * 2)
    sx, sy, twist = swing_twist(R)
    assert np.hypot(sx, sy) <= np.pi
    assert -np.pi < twist <= np.pi
    again = rotation_matrix((sx, sy, 0)) @ rotation_matrix((0, 0, twist))
    assert np.abs(again - R).max() < 1e-14


def test_half_turns_have_a_swing_and_twist_too() -> None:
    for axis in np.vstack([np.eye(3), -np.eye(3), [[0.6, 0.8, 0]], [[0, 0.6, -0.8]]]):
        R = rotation_matrix(axis * np.pi)
        sx, sy, twist = swing_twist(R)
        assert -np.pi < twist <= np.pi
        again = rotation_matrix((sx, sy, 0)) @ rotation_matrix((0, 0, twist))
        assert np.abs(again - R).max() < 1e-14


@given(seeds)
def test_the_chart_turns_the_long_axis_and_keeps_x_near(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    K = rotation_to(axis)
    assert np.abs(K @ (0, 0, 1) - axis).max() < 1e-14
    assert np.abs(K.T @ K - np.eye(3)).max() < 1e-14
    hanging = rotation_to((0, 0, -1))
    assert hanging.tolist() == [[1, 0, 0], [0, -1, 0], [0, 0, -1]]


def test_a_swing_leaves_no_twist_and_reports_none() -> None:
    swing = Swing((0.0, 0.0, 1.0))
    turned = Transform.make(rotation=(0.3, 0.4, 0.0)) @ Transform.make(rotation=(0.0, 0.0, 1.0))
    assert swing.values(turned) == pytest.approx([0.3, 0.4])
    assert swing.twist is None


def test_zero_is_where_the_zero_says() -> None:
    ball = Ball((0.0, 0.0, -1.0), (0.1, -0.7, 0.2), chart="swing_twist")
    motion = ball.motion(np.zeros(3))
    assert motion.rotation == pytest.approx(rotation_matrix((0.1, -0.7, 0.2)), abs=1e-15)


def test_the_chart_of_a_ball_follows_from_its_limits() -> None:
    assert Ball().chart == "rotation_vector"
    assert Ball(angle=Angle(1.0)).chart == "rotation_vector"
    assert Ball(swing=(SphericalEllipse(1.0, 1.0),)).chart == "swing_twist"
    assert Ball(twist=Twist(-1.0, 1.0)).chart == "swing_twist"
    assert Ball(swing_x=(-1.0, 1.0)).chart == "swing_twist"
    assert Ball().coordinates == ("rx", "ry", "rz")
    assert Ball(chart="swing_twist").coordinates == ("swing_x", "swing_y", "twist")


def test_a_constant_twist_limit_is_a_box() -> None:
    ball = Ball(twist=Twist(-0.5, 0.75), swing_y=(-1.0, 0.25))
    assert ball.box == ((-np.inf, np.inf), (-1.0, 0.25), (-0.5, 0.75))
    sloped = Ball(twist=Twist(-0.5, 0.75, lower_slope=(0.1, 0.0)))
    assert sloped.box[2] == (-np.inf, np.inf)


def test_axes_may_be_named_and_need_not_be_of_unit_length() -> None:
    assert Hinge("-y").axis == (0.0, -1.0, 0.0)  # type: ignore[arg-type]
    assert Slider((0.0, 3.0, 4.0)).axis == pytest.approx((0.0, 0.6, 0.8))


def test_a_bound_of_a_ball_may_stand_alone() -> None:
    ellipse = SphericalEllipse(0.5, 0.7)
    assert Swing(swing=ellipse).swing == (ellipse,)  # type: ignore[arg-type]


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Hinge((0, 0, 0)), r"the axis of a hinge has no direction: \[0.0, 0.0, 0.0\]"),
    (lambda: Hinge("w"), "the axis of a hinge must be one of x, y, z, -x, -y, -z or three numbers, not 'w'"),  # type: ignore[arg-type]
    (lambda: Hinge(limits=(1, -1)), "the limits of a hinge must be lower before upper, not 1 before -1"),
    (lambda: Hinge(limits=(0, np.nan)), "the limits of a hinge must be a number, not nan"),
    (lambda: Hinge(limits=5), "the limits of a hinge must be two numbers, not 5"),  # type: ignore[arg-type]
    (lambda: Hinge(limits=(np.inf, np.inf)), "the limits of a hinge must be lower before upper, not inf before inf"),
    (lambda: Hinge(coordinate=""), "the name of a coordinate of the kind hinge must be a non-empty string, not ''"),
    (lambda: Slider(limits=(2, 1)), "the limits of a slider must be lower before upper, not 2 before 1"),
    (lambda: Elbow((0, 0, 1), (0, 0, -1)), "the flexion axis and the twist axis of an elbow must not be parallel"),
    (lambda: Elbow(twist_limits=(1, 0)), "the twist limits must be lower before upper, not 1 before 0"),
    (lambda: Elbow(coordinates=("a", "a")), r"the kind elbow needs 2 different coordinate names, not \('a', 'a'\)"),
    (lambda: Swing(swing_x=(1, 0)), "the limits swing_x of a swing must be lower before upper, not 1 before 0"),
    (lambda: Swing(zero=(0, 0, np.inf)), r"the zero of a swing must be finite, not \[0.0, 0.0, inf\]"),
    (lambda: Swing(swing=3.0), "a swing limit of a swing must be of the type SphericalEllipse or SphericalPolygon or PlanarPolygon, not 3.0"),  # type: ignore[arg-type]
    (lambda: Ball(twist=(-1, 1)), r"the twist limit of a ball must be of the type Twist or TwistTable, not \(-1, 1\)"),  # type: ignore[arg-type]
    (lambda: Ball(angle=1.0), "the angle limit of a ball must be of the type Angle, not 1.0"),  # type: ignore[arg-type]
    (lambda: Ball(chart="euler"), "the chart of a ball must be swing_twist or rotation_vector, not 'euler'"),  # type: ignore[arg-type]
    (lambda: Ball(chart="rotation_vector", twist=Twist(-1, 1)), "limits of swing and twist need the chart swing_twist"),
    (lambda: Joint("knee", "hinge", "a", "b"), "the kind of joint 'knee' must be a Fixed, Hinge, Slider, Elbow, Swing, Ball or Free, not 'hinge'"),  # type: ignore[arg-type]
    (lambda: Joint("knee", Hinge, "a", "b"), "the kind of joint 'knee' must be a Fixed, Hinge, Slider, Elbow, Swing, Ball or Free, not <class"),  # type: ignore[arg-type]
    (lambda: Joint("knee", Hinge(), "a", "b", (0, 0)), "the position of joint 'knee' must be 3 numbers, not 2"),  # type: ignore[arg-type]
    (lambda: Joint("knee", Hinge(), "a", "b", clinical={"flexion": "y"}), "clinical angles of joint 'knee': a hinge names its coordinates instead"),
    (lambda: Joint("hip", Ball(), "a", "b", clinical={"flexion": "-w"}), "the clinical angle 'flexion' of joint 'hip': there is no axis '-w'"),
    (lambda: Joint("hip", Ball(), "a", "b", clinical={"flexion": "-y", "bend": "y"}), "clinical angles of joint 'hip' use one axis twice"),
    (lambda: Joint("a/b", Hinge(), "a", "b"), "the name 'a/b' of a joint must not contain '/'"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), REFUSED)
def test_what_no_joint_can_be_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(PoiseError, match=words):
        make()


def test_fixed_joints_have_nothing_to_say() -> None:
    assert Fixed().values(Transform.make((1, 2, 3))).size == 0
    assert Fixed().motion(np.zeros(0)).position.tolist() == [0, 0, 0]
    assert Free().coordinates == ("x", "y", "z", "rx", "ry", "rz")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: Hinge("y", (0, 140)),
            "the limits of a hinge, 0 and 140, are radians, and 140 rad are 22 turns; "
            "did you mean degrees, np.deg2rad((0, 140))?",
        ),
        (
            lambda: Elbow(flexion_limits=(0, 150)),
            "the flexion limits of an elbow, 0 and 150, are radians, and 150 rad are 24 turns; "
            "did you mean degrees, np.deg2rad((0, 150))?",
        ),
        (
            lambda: Ball(swing_x=(-45, 45)),
            "the limits swing_x of a ball, -45 and 45, are radians, and -45 rad are 7 turns; "
            "did you mean degrees, np.deg2rad((-45, 45))?",
        ),
        (
            lambda: Twist(-90, 90),
            "the ends of a twist limit, -90 and 90, are radians, and -90 rad are 14 turns; "
            "did you mean degrees, np.deg2rad((-90, 90))?",
        ),
    ],
)
def test_limits_that_look_like_degrees_are_warned_of(make: Any, words: str) -> None:
    with pytest.warns(PoiseWarning, match="are radians") as caught:
        make()
    assert [str(each.message) for each in caught] == [words]
    assert caught[0].filename == __file__


def test_limits_of_many_turns_are_not() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for limits in ((-40.5, 40.5), (-12, 12), (-np.inf, np.inf), (0.0, 2.4)):
            Hinge("y", limits)
        Slider("z", (0, 140))


EVERY: list[JointKind] = [Fixed(), Free(), Hinge(), Slider(), Elbow(), Swing(), Ball()]
EVERY += [Ball(chart="swing_twist"), Ball(twist=Twist(-1, 1), coordinates=("a", "b", "c"))]


@pytest.mark.parametrize("kind", EVERY, ids=repr)
def test_a_kind_takes_the_limits_that_it_lists_and_no_others(kind: JointKind) -> None:
    names = kind.limit_names
    assert len({*names}) == len(names)
    for name in names:
        limited = kind.limited({name: (0.2, 0.4)})
        assert limited != kind
        assert name in limited.limit_names
    words = f"a {kind.kind} joint has no limits to set" if not names else "there is no limit of a"
    with pytest.raises(PoiseError, match=words):
        kind.limited({"wag": (0.2, 0.4)})
    assert kind.limited({}) == kind


def test_which_limits_there_are() -> None:
    assert Fixed().limit_names == Free().limit_names == ()
    assert Ball().limit_names == ("swing", "twist")
    assert Ball(chart="swing_twist").limit_names == ("swing_x", "swing_y", "twist", "swing")
    assert Swing().limit_names == ("swing_x", "swing_y", "swing")
    with pytest.raises(PoiseError, match=r"no limit of a hinge 'angel'; did you mean 'angle'\?"):
        Hinge().limited({"angel": (0.0, 1.0)})


def test_none_takes_limits_of_swing_and_twist_away() -> None:
    ball = Ball(swing=(SphericalEllipse(0.4, 0.9),), twist=Twist(-1, 1))
    assert ball.limited({"twist": None}).twist is None
    assert ball.limited({"twist": None}).swing == ball.swing
    assert ball.limited({"swing": None, "twist": None}).limits == Ball(chart="swing_twist").limits
    named = Ball(twist=Twist(-1, 1), coordinates=("a", "b", "c"))
    assert named.limited({"c": (0.0, 0.5)}).twist == Twist(0.0, 0.5)


def test_limits_that_are_none_are_refused_in_words() -> None:
    with pytest.raises(PoiseError, match=r"swing of a ball must be two radii .* not 1\.0"):
        Ball().limited({"swing": 1.0})
    with pytest.raises(PoiseError, match=r"twist of a ball must be two numbers, not 1\.0"):
        Ball().limited({"twist": 1.0})
    with pytest.raises(PoiseError, match="limits of a hinge must be two numbers, not None"):
        Hinge().limited({"angle": None})
