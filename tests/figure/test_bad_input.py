"""What the figure's classes refuse, word for word, and what keeps numbers from overflowing."""

# ruff: noqa: E501  (a table of messages reads best with each on its line)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.checking import array, direction, length, number, place, turn, vector
from poise.errors import PoiseError
from poise.figure import Builder, Figure
from poise.figure.files import load
from poise.figure.kinds import Ball, Elbow, Hinge, Slider, Swing
from poise.figure.limits import (
    LARGEST_SWING,
    Angle,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    Twist,
    TwistTable,
)
from poise.figure.parts import Coupling, Group, Joint, Monomial, Segment, Site
from poise.figure.shapes import Box, Capsule, Cylinder, Ellipsoid, Sphere, TaperedCapsule

# Wrong on purpose, which a type checker would see.
HUGE: Any = 10**400
SQUARE = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))
SHAPES = "Sphere, Capsule, TaperedCapsule, Cylinder, Ellipsoid, Box or Hull"


def wrong(value: object) -> Any:
    """A value whose type is not the declared one."""
    return value


def case(name: str, make: Callable[[], object], message: str) -> Any:
    return pytest.param(make, message, id=name)


def ball() -> Sphere:
    return Sphere((0, 0, 0), 0.1)


NUMBERS = [
    case("text", lambda: number("3", "the mass"), "the mass must be a number, not '3'"),
    case("bytes", lambda: number(b"3", "the mass"), "the mass must be a number, not b'3'"),
    case("truth", lambda: number(True, "the mass"), "the mass must be a number, not True"),
    case("numpy truth", lambda: number(np.True_, "the mass"), "the mass must be a number, not np.True_"),
    case("nothing", lambda: number(None, "the mass"), "the mass must be a number, not None"),
    case("complex", lambda: number(1j, "the mass"), "the mass must be a number, not 1j"),
    case("a list", lambda: number([3.0], "the mass"), "the mass must be a number, not [3.0]"),
    case("an array", lambda: number(np.array([3.0]), "the mass"), "the mass must be a number, not array([3.])"),
    case("huge", lambda: number(HUGE, "the mass"), "the mass must be a finite number, not one too large for a float"),
    case("unprintable", lambda: number(10**5000, "the mass"), "the mass must be a finite number, not one too large for a float"),
    case("too much", lambda: number(3, "the share", most=1), "the share must be at most 1, not 3"),
    case("texts", lambda: array(["1", "2"], "the data", (2,)), "the data must be numbers, not ['1', '2']"),
    case("a text among", lambda: array([1.0, "2"], "the data", (2,)), "the data must be numbers, not [1.0, '2']"),
    case("a truth among", lambda: array([1.0, True], "the data", (2,)), "the data must be numbers, not [1.0, True]"),
    case("a truth within", lambda: array([[1.0], [False]], "the data", (2, 1)), "the data must be numbers, not [[1.0], [False]]"),
    case("truths", lambda: array(np.array([True]), "the data", (1,)), "the data must be numbers, not array([ True])"),
    case("complex array", lambda: array(np.array([1j]), "the data", (1,)), "the data must be numbers, not array([0.+1.j])"),
    case("uneven", lambda: array([[1, 2], [3]], "the data", (2, 2)), "the data must be numbers, not [[1, 2], [3]]"),
    case("one huge", lambda: array([1, HUGE], "the data", (2,)), "the data must be finite numbers, not one too large for a float"),
    case("bound", lambda: array([1.0, -1e200, 2.0], "the data", (3,), most=1e6), "the data must lie within ±1e+06, not -1e+200"),
    case("bound with unit", lambda: vector((0, 0, 7), "the target", most=5, unit="m"), "the target must lie within ±5 m, not 7"),
    case("far place", lambda: place((0, 2e6, 0), "the position"), "the position must lie within ±1e+06 m, not 2e+06"),
    case("many turns", lambda: turn((-2e3, 0, 0), "the rotation"), "the rotation must lie within ±1000 rad, not -2000"),
    case("short", lambda: length(1e-7, "the radius"), "the radius must be from 1e-06 to 1e+06 metres, not 1e-07"),
    case("long direction", lambda: direction((1e200, 1e200, 0), "the axis"), "the axis is too long for a direction: [1e+200, 1e+200, 0.0]"),
]  # fmt: skip

PARTS = [
    case("mass huge", lambda: Segment("arm", mass=HUGE), "the mass (kg) of segment 'arm' must be a finite number, not one too large for a float"),
    case("mass great", lambda: Segment("arm", mass=1e200), "the mass (kg) of segment 'arm' must be at most 1e+12, not 1e+200"),
    case("mass text", lambda: Segment("arm", mass=wrong("3")), "the mass (kg) of segment 'arm' must be a number, not '3'"),
    case("mass truth", lambda: Segment("arm", mass=True), "the mass (kg) of segment 'arm' must be a number, not True"),
    case("density great", lambda: Segment("arm", density=1e200, shapes=(ball(),)), "the density (kg/m³) of segment 'arm' must be at most 1e+12, not 1e+200"),
    case("centre huge", lambda: Segment("arm", center=(HUGE, 0, 0)), "the centre of mass of segment 'arm' must be finite numbers, not one too large for a float"),
    case("centre far", lambda: Segment("arm", center=(1e200, 0, 0)), "the centre of mass of segment 'arm' must lie within ±1e+06 m, not 1e+200"),
    case("inertia great", lambda: Segment("arm", inertia=wrong(np.eye(3) * 1e300)), "the inertia of segment 'arm' must lie within ±1e+12 kg·m², not 1e+300"),
    case("shapes nothing", lambda: Segment("arm", shapes=wrong(None)), f"a shape of segment 'arm' must be a {SHAPES}, not None"),
    case("shapes number", lambda: Segment("arm", shapes=wrong(5)), f"a shape of segment 'arm' must be a {SHAPES}, not 5"),
    case("parent", lambda: Joint("hip", Ball(), wrong(None), "leg"), "the parent of joint 'hip' must be the name of a segment, not None"),
    case("child", lambda: Joint("hip", Ball(), "pelvis", wrong([])), "the child of joint 'hip' must be the name of a segment, not []"),
    case("joint far", lambda: Joint("hip", Ball(), "pelvis", "leg", (0, 1e200, 0)), "the position of joint 'hip' must lie within ±1e+06 m, not 1e+200"),
    case("joint turned", lambda: Joint("hip", Ball(), "pelvis", "leg", rotation=(0, 1e200, 0)), "the rotation of joint 'hip' must lie within ±1000 rad, not 1e+200"),
    case("child far", lambda: Joint("hip", Ball(), "pelvis", "leg", child_position=(1e9, 0, 0)), "the child position of joint 'hip' must lie within ±1e+06 m, not 1e+09"),
    case("child turned", lambda: Joint("hip", Ball(), "pelvis", "leg", child_rotation=(0, 0, -1e9)), "the child rotation of joint 'hip' must lie within ±1000 rad, not -1e+09"),
    case("clinical nothing", lambda: Joint("hip", Ball(), "pelvis", "leg", clinical=wrong(None)), "clinical angles of joint 'hip' must be signed axes by name, not None"),
    case("clinical axis", lambda: Joint("hip", Ball(), "pelvis", "leg", clinical={"flexion": wrong(["y"])}), "the clinical angle 'flexion' of joint 'hip': there is no axis \"['y']\"; did you mean 'y' or '-y'? There are: x, y, z, -x, -y, -z"),
    case("clinical name", lambda: Joint("hip", Ball(), "pelvis", "leg", clinical={"a.b": "y"}), "the name 'a.b' of a clinical angle of joint 'hip' must not contain '.'"),
    case("site's segment", lambda: Site("sole", wrong(3)), "the segment of site 'sole' must be the name of a segment, not 3"),
    case("site far", lambda: Site("sole", "foot", (1e7, 0, 0)), "the position of site 'sole' must lie within ±1e+06 m, not 1e+07"),
    case("site turned", lambda: Site("sole", "foot", rotation=(1e7, 0, 0)), "the rotation of site 'sole' must lie within ±1000 rad, not 1e+07"),
    case("outline nothing", lambda: Site("sole", "foot", outline=wrong(None)), "the outline of site 'sole' must be numbers, not None"),
    case("outline number", lambda: Site("sole", "foot", outline=wrong(5)), "the outline of site 'sole' must be any × 2 numbers, not one"),
    case("outline far", lambda: Site("sole", "foot", outline=((0, 0), (1e8, 0), (0, 1))), "the outline of site 'sole' must lie within ±1e+06 m, not 1e+08"),
    case("outline clockwise", lambda: Site("sole", "foot", outline=SQUARE[::-1]), "the outline of site 'sole' must go counter-clockwise: reverse the order of its points"),
    case("outline crossed", lambda: Site("sole", "foot", outline=((0, 0), (1, 1), (1, 0), (0, 1))), "the outline of site 'sole' crosses or touches itself: edges 1 and 3 meet"),
    case("outline repeats", lambda: Site("sole", "foot", outline=(*SQUARE, SQUARE[0])), "corners 1 and 5 of the outline of site 'sole' are the same"),
    case("terms nothing", lambda: Coupling("c", wrong(None)), "the terms of coupling 'c' must be factors by the names of coordinates, not None"),
    case("terms list", lambda: Coupling("c", wrong([1])), "the terms of coupling 'c' must be factors by the names of coordinates, not [1]"),
    case("terms by number", lambda: Coupling("c", {wrong(1): 2}), "the terms of coupling 'c' must be factors by the names of coordinates, not by 1"),
    case("term text", lambda: Coupling("c", {"knee.angle": wrong("2")}), "the factor of 'knee.angle' of coupling 'c' must be a number, not '2'"),
    case("term great", lambda: Coupling("c", {"knee.angle": 1e200}), "the factor of 'knee.angle' of coupling 'c' must be at most 1e+09, not 1e+200"),
    case("powers nothing", lambda: Monomial(1, wrong(None)), "the powers in a group's term must be powers by parameter, not None"),
    case("power truth", lambda: Monomial(1, {"p": True}), "the power of 'p' in a group's term must be 1, 2, …, not True"),
    case("powers high", lambda: Monomial(1, {"p": 10, "q": 11}), "the powers in a group's term must sum to 20 or less"),
    case("factor low", lambda: Monomial(-1e200, {"p": 1}), "the factor of a group's term must be at least -1e+09, not -1e+200"),
    case("group nothing", lambda: Group("g", wrong(None), wrong(None)), "the parameters of group 'g' must be limits by parameter, not None"),
    case("members nothing", lambda: Group("g", {"p": (0, 1)}, wrong(None)), "the members of group 'g' must be terms by the names of coordinates, not None"),
    case("members by number", lambda: Group("g", {"p": (0, 1)}, {wrong(1): {"p": 1}}), "the members of group 'g' must be terms by the names of coordinates, not by 1"),
    case("parameter far", lambda: Group("g", {"p": (0, 1e200)}, {"a.b": {"p": 1}}), "the limits of 'p' of group 'g' must be within ±1e+06, or ±inf for no limit, not 1e+200"),
]  # fmt: skip

KINDS = [
    case("dot", lambda: Hinge(coordinate="a.b"), "the name 'a.b' of a coordinate of the kind hinge must not contain '.'"),
    case("slash", lambda: Slider(coordinate="a/b"), "the name 'a/b' of a coordinate of the kind slider must not contain '/'"),
    case("no name", lambda: Hinge(coordinate=wrong(None)), "the name of a coordinate of the kind hinge must be a non-empty string, not None"),
    case("elbow dot", lambda: Elbow(coordinates=("flexion", "a.b")), "the name 'a.b' of a coordinate of the kind elbow must not contain '.'"),
    case("swing dot", lambda: Swing(coordinates=("a.b", "c")), "the name 'a.b' of a coordinate of the kind swing must not contain '.'"),
    case("ball dot", lambda: Ball(coordinates=("a", "b", "c.d")), "the name 'c.d' of a coordinate of the kind ball must not contain '.'"),
    case("ball number", lambda: Ball(coordinates=wrong(5)), "the kind ball needs 3 different coordinate names, not 5"),
    case("ball text", lambda: Ball(coordinates=wrong("abc")), "the kind ball needs 3 different coordinate names, not 'abc'"),
    case("ball lists", lambda: Ball(coordinates=wrong([[1], [2], [3]])), "the name of a coordinate of the kind ball must be a non-empty string, not [1]"),
    case("ball chart", lambda: Ball(chart=wrong(np.zeros(2))), "the chart of a ball must be swing_twist or rotation_vector, not array([0., 0.])"),
    case("hinge far", lambda: Hinge(limits=(0, 1e200)), "the limits of a hinge must be within ±1e+06, or ±inf for no limit, not 1e+200"),
    case("hinge text", lambda: Hinge(limits=wrong("12")), "the limits of a hinge must be a number, not '1'"),
    case("zero of a swing", lambda: Swing(zero=(1e200, 0, 0)), "the zero of a swing must lie within ±1000 rad, not 1e+200"),
    case("zero of a ball", lambda: Ball(zero=(0, -1e4, 0)), "the zero of a ball must lie within ±1000 rad, not -10000"),
    case("box behind", lambda: Swing(swing_x=(2.8, 3.0)), "the limits swing_x and swing_y of a swing must reach within 150°, where every swing stops, but they begin at 160.4°"),
    case("box corner behind", lambda: Ball(swing_x=(-3, -2), swing_y=(2, 3)), "the limits swing_x and swing_y of a ball must reach within 150°, where every swing stops, but they begin at 162.1°"),
    case("twist far", lambda: Twist(0, 1e200), "the upper end of a twist limit must be at most 1e+06, not 1e+200"),
    case("twist steep", lambda: Twist(0, 1, (1e200, 0)), "the lower slope of a twist limit must lie within ±1e+06, not 1e+200"),
    case("table far", lambda: TwistTable((0, 1), (0, 1), ((0, 0), (0, 0)), ((1, 1), (1, 1e200))), "the table upper of a twist table must lie within ±1e+06, not 1e+200"),
    case("directions long", lambda: SphericalPolygon(np.eye(3) * 1e300), "the directions of a spherical polygon must have length 1, but number 1 has length 1e+300"),
    case("angle truth", lambda: Angle(True), "the maximum of an angle limit must be a number, not True"),
]  # fmt: skip

SOLIDS = [
    case("sphere tiny", lambda: Sphere((0, 0, 0), 1e-120), "the radius of a sphere must be from 1e-06 to 1e+06 metres, not 1e-120"),
    case("sphere vast", lambda: Sphere((0, 0, 0), 1e120), "the radius of a sphere must be from 1e-06 to 1e+06 metres, not 1e+120"),
    case("sphere far", lambda: Sphere((0, 0, 1e120), 1), "the centre of a sphere must lie within ±1e+06 m, not 1e+120"),
    case("capsule thin", lambda: Capsule((0, 0, 0), (0, 0, 1), 1e-9), "the radius of a capsule must be from 1e-06 to 1e+06 metres, not 1e-09"),
    case("capsule short", lambda: Capsule((0, 0, 0), (0, 0, 1e-160), 1), "the ends of a capsule must be at least 1e-06 metres apart, not (0.0, 0.0, 0.0) and (0.0, 0.0, 1e-160)"),
    case("cylinder long", lambda: Cylinder((0, 0, 0), (0, 0, 1e9), 1), "the end of a cylinder must lie within ±1e+06 m, not 1e+09"),
    case("tapered thin", lambda: TaperedCapsule((0, 0, 0), (0, 0, 1), 0.1, 1e-9), "the end radius of a tapered capsule must be from 1e-06 to 1e+06 metres, not 1e-09"),
    case("ellipsoid flat", lambda: Ellipsoid((0, 0, 0), (1, 1e-9, 1)), "the radii of an ellipsoid must be from 1e-06 to 1e+06 metres, not 1e-09"),
    case("ellipsoid far", lambda: Ellipsoid((0, 1e9, 0), (1, 1, 1)), "the centre of an ellipsoid must lie within ±1e+06 m, not 1e+09"),
    case("box vast", lambda: Box((0, 0, 0), (1, 1, 1e9)), "the size of a box must be from 1e-06 to 1e+06 metres, not 1e+09"),
    case("box turned", lambda: Box((0, 0, 0), (1, 1, 1), (0, 1e200, 0)), "the rotation of a box must lie within ±1000 rad, not 1e+200"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "message"), [*NUMBERS, *PARTS, *KINDS, *SOLIDS])
def test_what_cannot_be_used_is_refused_in_these_words(
    make: Callable[[], object], message: str
) -> None:
    with pytest.raises(PoiseError) as caught:
        make()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "value", [3, 3.0, np.float32(3), np.int16(3), np.array(3.0), Fraction(3)], ids=repr
)
def test_every_kind_of_number_is_one(value: Any) -> None:
    assert number(value, "the mass") == 3.0
    assert array([value, 4], "the data", (2,)).tolist() == [3.0, 4.0]


def test_numbers_at_the_bounds_are_taken() -> None:
    assert place((1e6, -1e6, 0), "the position") == (1e6, -1e6, 0.0)
    assert turn((1e3, -1e3, 0), "the rotation") == (1e3, -1e3, 0.0)
    assert (length(1e-6, "the radius"), length(1e6, "the radius")) == (1e-6, 1e6)
    assert Hinge(limits=(-np.inf, 1e6)).limits == (-np.inf, 1e6)
    assert array([], "the data", (0,), most=1.0).size == 0


@pytest.mark.parametrize("radius", [1e-6, 1e6])
def test_the_smallest_and_the_largest_solids_have_mass_properties(radius: float) -> None:
    end, sides = (0.0, 0.0, radius), (radius, radius, radius)
    for shape in (
        Sphere((0, 0, 0), radius),
        Capsule((0, 0, 0), end, radius),
        TaperedCapsule((0, 0, 0), end, radius, radius),
        Cylinder((0, 0, 0), end, radius),
        Ellipsoid((0, 0, 0), sides),
        Box((0, 0, 0), sides),
    ):
        mass, center, inertia = Segment("a", 2.0, shapes=(shape,)).mass_properties()
        assert mass == 2.0
        assert 0.0 <= center[2] <= radius
        assert (np.diag(inertia) / radius**2 > 0.1).all()
        assert (np.diag(inertia) / radius**2 < 10.0).all()


def test_a_single_shape_may_stand_alone() -> None:
    assert Segment("a", shapes=wrong(ball())) == Segment("a", shapes=(ball(),))
    assert Segment("a", shapes=wrong([ball()])).shapes == (ball(),)


def test_an_outline_goes_counter_clockwise() -> None:
    assert Site("sole", "foot", outline=SQUARE).outline == SQUARE
    assert Site("sole", "foot", outline=wrong(np.array(SQUARE))).outline == SQUARE
    assert Site("sole", "foot").outline == ()


STOP = SphericalEllipse(LARGEST_SWING, LARGEST_SWING)


@pytest.mark.parametrize(
    "kind",
    [
        Swing(),
        Swing(angle=Angle(np.pi)),
        Swing(swing_x=(-3.1, 3.1)),
        Swing(swing_x=(-2.0, 2.0), swing_y=(-2.0, 2.0)),
        Swing(swing_x=(-1.0, 1.0)),
        Ball(chart="swing_twist"),
        Ball(twist=Twist(-1, 1)),
        Ball(twist=Twist(-1, 1, (0.1, 0.0), (0.1, 0.0))),
        Ball(chart="swing_twist", angle=Angle(2.7)),
    ],
    ids=repr,
)
@settings(max_examples=20)
@given(data=st.data())
def test_a_swing_stops_at_150_degrees_by_itself(kind: Swing | Ball, data: st.DataObject) -> None:
    figure = _one_joint(kind)
    names = kind.coordinates or ()
    given = data.draw(st.lists(st.floats(-4, 4), min_size=len(names), max_size=len(names)))
    q = figure.clamp(np.array(given)).q
    assert np.hypot(q[0], q[1]) <= LARGEST_SWING + 1e-9
    assert figure.within_limits(q)
    assert STOP in kind.limits
    assert not figure.within_limits([2.7, *np.zeros(len(names) - 1)])


@pytest.mark.parametrize(
    "kind",
    [
        Swing(swing=(SphericalEllipse(1.0, 0.5),)),
        Swing(swing=(PlanarPolygon(((1, 0), (0, 1), (-1, -1))),)),
        Swing(angle=Angle(1.0)),
        Swing(swing_x=(-1.0, 1.0), swing_y=(-1.0, 1.0)),
        Swing(swing_x=(-1.8, 1.8), swing_y=(-1.8, 1.8)),
        Ball(chart="swing_twist", angle=Angle(2.6)),
        Ball(swing_x=(-1.0, 1.0), swing_y=(-1.0, 1.0), twist=Twist(-1, 1)),
        Ball(),
        Ball(angle=Angle(3.0)),
    ],
    ids=repr,
)
def test_joints_with_limits_of_their_own_need_no_other_stop(kind: Swing | Ball) -> None:
    assert STOP not in kind.limits


def test_the_stop_is_no_part_of_the_kind_itself() -> None:
    assert Swing().swing == ()
    assert Swing() == Swing()
    assert Swing() != Swing(swing=(STOP,))
    assert replace(Swing(), coordinates=("a", "b")).swing == ()
    assert Ball(chart="swing_twist").swing == ()


def test_a_file_does_not_hold_the_stop(tmp_path: Path) -> None:
    figure = _one_joint(Ball(twist=Twist(-1, 1)))
    figure.save(tmp_path / "arm.yaml")
    assert "ellipse" not in (tmp_path / "arm.yaml").read_text()
    again = load(tmp_path / "arm.yaml")
    assert again.joints["shoulder"].kind == figure.joints["shoulder"].kind


def _one_joint(kind: Swing | Ball) -> Figure:
    builder = Builder("arm")
    builder.segment("base")
    builder.segment("upper")
    builder.joint("shoulder", kind, "base", "upper")
    return builder.build()
