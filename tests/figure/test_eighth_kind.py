"""A kind of joint is one class: some that poise does not have go through all of it.

`Cylindrical` turns about an axis and moves along it: angles and distances in one joint. `Post`
moves along an axis and swings at its end: limits that are no boxes, not on the first coordinate.
`Stalk` moves along an axis and turns anyhow at its end, by a rotation vector in the joint's own
axes; it says nothing but its steps and values. Those below in tests have one feature each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

import poise
from poise import tasks as t
from poise.checking import Interval, Vec3, direction
from poise.errors import PoiseError
from poise.figure import (
    Angle,
    Ball,
    Builder,
    Capsule,
    Figure,
    Free,
    Hinge,
    Joint,
    Posture,
    SphericalEllipse,
    Swing,
    Twist,
)
from poise.figure.charts import twist_about
from poise.figure.files import figure_schema, load, save
from poise.figure.kinds import EVERYTHING, KINDS, JointKind, Spherical, Step
from poise.figure.kinds.kind import entry, put
from poise.figure.limits import SwingLimit
from poise.figure.transform import Transform, rotation_vector
from poise.formats.loading import read
from poise.pictures.limits import joint_limits
from poise.statics.components import components_of, generalised, held
from poise.studio.figures import with_kind
from poise.studio.overlays.limits import limits as drawn_limits

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Cylindrical(JointKind):
    """Turning about an axis and moving along it."""

    kind: ClassVar[str] = "cylindrical"
    axis: Vec3 | str = field(default=(0.0, 0.0, 1.0), metadata=entry("direction", "the axis"))
    turn: Interval = field(default=EVERYTHING, metadata=entry("angle_interval", "degrees"))
    slide: Interval = field(default=EVERYTHING, metadata=entry("distance_interval", "metres"))

    def __post_init__(self) -> None:
        put(self, "axis", direction(self.axis, "the axis"))

    @property
    def steps(self) -> tuple[Step, ...]:
        axis = direction(self.axis, "the axis")
        return (
            Step("hinge", ("angle",), axis, (self.turn,)),
            Step("slider", ("distance",), axis, (self.slide,)),
        )

    def values(self, motion: Transform) -> Values:
        along = float(motion.position @ np.array(self.axis))
        return np.array([twist_about(self.axis, motion.rotation), along])


@dataclass(frozen=True)
class Post(JointKind):
    """Moving along the x axis, then swinging."""

    kind: ClassVar[str] = "post"
    slide: Interval = field(default=EVERYTHING, metadata=entry("distance_interval", "metres"))
    swing: tuple[SwingLimit, ...] = field(default=(), metadata=entry("swing_limits", "regions"))

    @property
    def spherical(self) -> Spherical:
        return Swing("x", swing=self.swing)

    @property
    def steps(self) -> tuple[Step, ...]:
        return (Step("slider", ("out",), (1.0, 0.0, 0.0), (self.slide,)), *self.spherical.steps)

    def values(self, motion: Transform) -> Values:
        return np.array([motion.position[0], *self.spherical.values(motion)])


@dataclass(frozen=True)
class Stalk(JointKind):
    """Moving along the x axis, then turning about any."""

    kind: ClassVar[str] = "stalk"
    slide: Interval = field(default=EVERYTHING, metadata=entry("distance_interval", "metres"))

    @property
    def steps(self) -> tuple[Step, ...]:
        turn = Step("rotation", ("rx", "ry", "rz"))
        return (Step("slider", ("out",), (1.0, 0.0, 0.0), (self.slide,)), turn)

    def values(self, motion: Transform) -> Values:
        return np.array([motion.position[0], *rotation_vector(motion.rotation)])


@dataclass(frozen=True)
class Made(JointKind):
    """Of any steps, from which no values are found."""

    kind: ClassVar[str] = "made"
    made_of: tuple[Step, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.made_of

    def values(self, motion: Transform) -> Values:
        raise NotImplementedError


NEW: dict[str, JointKind] = {
    "cylindrical": Cylindrical((0.6, 0.0, 0.8), (-0.5, 1.0), (-0.1, 0.2)),
    "post": Post((-0.1, 0.2), (SphericalEllipse(0.4, 0.9),)),
    "stalk": Stalk((-0.1, 0.2)),
}


@pytest.fixture(params=list(NEW))
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> JointKind:
    """One of the new kinds, known to figure files by one line."""
    new = NEW[request.param]
    monkeypatch.setitem(KINDS, new.kind, type(new))
    return new


def arm(kind: JointKind) -> Figure:
    """An arm with a joint of the kind between two hinges."""
    builder = Builder("arm")
    for name in ("base", "upper", "lower", "hand"):
        builder.segment(name, mass=1.0, shapes=[Capsule((0, 0, 0), (0.3, 0, 0), 0.04)])
    builder.root("base", "fixed")
    builder.joint("shoulder", Hinge("y", (-2.0, 2.0)), "base", "upper", (0.3, 0.0, 0.0))
    turn = (0.2, -0.3, 0.1)
    builder.joint("new", kind, "upper", "lower", (0.3, 0.0, 0.0), rotation=turn)
    builder.joint("wrist", Hinge("z", (-1.5, 1.5)), "lower", "hand", (0.3, 0.0, 0.0))
    builder.site("tip", "hand", (0.3, 0.0, 0.0))
    return builder.build()


def bent(figure: Figure) -> Posture:
    """A posture within all limits, nowhere zero."""
    rng = np.random.default_rng(1)
    return figure.clamp(rng.uniform(-0.3, 0.3, figure.n))


def places(figure: Figure, posture: Posture) -> Values:
    where = figure.place(posture)
    return np.array([where.segment(each).position for each in ("upper", "lower", "hand")])


def test_it_moves_and_its_values_are_found_again(kind: JointKind) -> None:
    figure = arm(kind)
    posture = bent(figure)
    values = posture.q[figure.span("new")]
    joint, where = figure.joints["new"], figure.place(posture)
    expected = where.segment("upper") @ joint.before @ kind.motion(values) @ joint.after
    np.testing.assert_allclose(where.segment("lower").position, expected.position, atol=1e-14)
    np.testing.assert_allclose(where.segment("lower").rotation, expected.rotation, atol=1e-14)
    np.testing.assert_allclose(kind.values(kind.motion(values)), values, atol=1e-12)
    rotations, positions = kind.motions(values[None])
    np.testing.assert_allclose(kind.values_of(rotations, positions), values[None], atol=1e-12)
    assert kind.units.count("m") == 1
    other, there = figure.rooted_at("hand", posture)
    np.testing.assert_allclose(places(other, there), places(figure, posture), atol=1e-12)


def test_its_limits_hold(kind: JointKind) -> None:
    figure = arm(kind)
    far = np.full(figure.n, 1.4)
    assert "new" in " ".join(figure.broken_limits(far))
    posture = figure.clamp(far)
    assert figure.violation(posture) <= 1e-9
    slide = next(i for i, unit in enumerate(kind.units) if unit == "m")
    assert posture.q[figure.span("new")][slide] == pytest.approx(0.2, abs=1e-12)
    assert figure.range("new")[kind.coordinates[slide]] == pytest.approx((-0.1, 0.2), abs=1e-9)


def test_it_is_held_in_figure_files(kind: JointKind, tmp_path: Path) -> None:
    figure = arm(kind)
    figure.postures["rest"] = bent(figure).q
    path = tmp_path / "arm.yaml"
    save(figure, path)
    again = load(path)
    assert again.joints == figure.joints
    np.testing.assert_allclose(again.postures["rest"], figure.postures["rest"], atol=1e-15)
    assert f"{type(kind).__name__}Part" in figure_schema()["$defs"]
    wrong = path.read_text().replace("- 0.2\n", "- -0.2\n", 1)
    wrong = wrong.replace("[-0.1, 0.2]", "[0.2, -0.1]")
    path.write_text(wrong)
    with pytest.raises(PoiseError, match=r"slide.*two numbers \[lower, upper\] in metres"):
        load(path)


def test_a_file_says_which_kinds_there_are(tmp_path: Path) -> None:
    path = tmp_path / "arm.yaml"
    save(arm(Hinge()), path)
    path.write_text(path.read_text().replace("kind: hinge", "kind: cylindrical", 1))
    with pytest.raises(PoiseError, match=r"cylindrical.*fixed, hinge, slider"):
        load(path)


def test_clinical_angles_are_those_of_balls_alone(kind: JointKind) -> None:
    with pytest.raises(PoiseError, match=f"a {kind.kind} names its coordinates instead"):
        Joint("new", kind, "upper", "lower", clinical={"flexion": "y"})


def test_it_holds_torques(kind: JointKind) -> None:
    figure = arm(kind)
    posture = bent(figure)
    components = [each for each in components_of(figure) if each.joint == "new"]
    assert {each.unit for each in components} == {"N·m", "N"}
    along = next(each for each in components if each.unit == "N")
    (force,) = held(figure, posture, [along], [])
    expected = generalised(figure, posture, [])[figure.index(along.full_name)]
    assert force == pytest.approx(expected, abs=1e-9)
    assert abs(force) > 0.1


@pytest.mark.parametrize("suffix", [".bvh", ".gltf", ".xml", ".urdf"])
def test_it_is_written_for_other_programs(kind: JointKind, suffix: str, tmp_path: Path) -> None:
    figure = arm(kind)
    posture = bent(figure)
    path = tmp_path / f"arm{suffix}"
    options: dict[str, Any] = {"hinges": True} if suffix == ".urdf" else {}
    notes = poise.export(posture, path, **options)
    told = {
        "cylindrical": "cylindrical joints are written as a hinge and a slide each",
        "post": "post joints are written as three hinges and a slide each",
        "stalk": "stalk joints are written as three hinges and a slide each",
    }
    assert (told[kind.kind] in notes) == (suffix in (".xml", ".urdf"))
    axes = {"up": "y", "forward": "z", "unit": "cm"} if suffix == ".bvh" else {}
    reading = read(path, **axes)
    if suffix == ".urdf":  # it holds no posture
        assert {"new", "new_angle", "new_distance", "new_out"} & {*reading.figure.joints}
        return
    assert reading.posture is not None
    np.testing.assert_allclose(
        places(reading.figure, reading.posture), places(figure, posture), atol=2e-6
    )


def test_it_is_solved(kind: JointKind) -> None:
    figure = arm(kind)
    goal = figure.place(bent(figure))["tip"].position
    scene = poise.Scene(figure)
    scene.add(t.Position("tip", goal))
    solution = scene.solve()
    assert solution.status == "solved"
    assert figure.violation(solution.posture) <= 1e-9
    scene.tasks["tip"].target = (3.0, 0.0, 0.0)
    assert figure.violation(scene.solve().posture) <= 1e-9


def test_its_limits_are_drawn(kind: JointKind) -> None:
    figure = arm(kind)
    posture = bent(figure)
    items, _ = joint_limits(posture, "new")
    assert items
    sight: Any = SimpleNamespace(
        selection=SimpleNamespace(kind="joint", name="new"),
        group=SimpleNamespace(joints={"new": (posture, "new")}),
    )
    drawn = drawn_limits(sight)
    assert drawn is not None
    turns = 0 if kind.kind == "stalk" else 3  # a turn without limits is not drawn
    assert len(drawn["lines"]) >= 2 + turns  # the slide's two, and those of the turn


def test_the_studio_gives_it_to_a_joint(kind: JointKind) -> None:
    figure = with_kind(arm(Hinge()), "new", kind.kind)
    assert isinstance(figure.joints["new"].kind, type(kind))
    assert figure.joints["new"].coordinates == arm(kind).joints["new"].coordinates


AXIS: Vec3 = (0.0, 0.6, 0.8)
CHARTS = {
    "ball": Ball(AXIS, swing=(SphericalEllipse(0.4, 0.9),), twist=Twist(-0.5, 0.6, (0.1, 0))),
    "round": Ball(AXIS, twist=Twist(-0.5, 0.6), swing_x=(-0.2, 0.3)),
    "turn": Ball(AXIS, angle=Angle(0.7)),
    "swing": Swing(AXIS, angle=Angle(1.2), swing_y=(-0.4, 0.4)),
    "free": Swing(AXIS),
}


@pytest.mark.parametrize("chart", CHARTS)
def test_the_ball_in_a_kind_is_told_from_its_steps(chart: str) -> None:
    known = CHARTS[chart]
    assert Made(known.steps).spherical == known
    assert not Made(known.steps).is_spherical
    assert Made((Step("hinge", ("turn",), AXIS), *known.steps)).spherical == known
    assert Free().spherical is None
    assert Hinge().spherical is None


def test_several_charts_in_one_kind_are_written_each_by_itself(tmp_path: Path) -> None:
    swing = Swing("x", swing=(SphericalEllipse(0.4, 0.9),))
    turn = Step("rotation", ("a", "b", "c"))
    figure = arm(Made((*swing.steps, turn)))
    posture = bent(figure)
    path = tmp_path / "arm.xml"
    assert "made joints are written as six hinges each" in poise.export(posture, path)
    reading = read(path)
    assert reading.posture is not None
    np.testing.assert_allclose(
        places(reading.figure, reading.posture), places(figure, posture), atol=2e-6
    )
    many = bent(arm(Made((*swing.steps, turn, Step("hinge", ("turn",), AXIS)))))
    notes = poise.export(many, tmp_path / "arm.urdf", hinges=True)
    assert "made joints are written as 7 hinges each" in notes
    with pytest.raises(PoiseError, match="in 6 ways at the most, and joint 'new', which is made"):
        poise.export(many, path)


def test_a_rotation_vector_alone_is_a_ball_to_all_others(tmp_path: Path) -> None:
    figure = arm(Made((Step("rotation", ("a", "b", "c")),)))
    posture = bent(figure)
    poise.export(posture, tmp_path / "arm.xml")
    reading = read(tmp_path / "arm.xml")
    assert reading.posture is not None
    np.testing.assert_allclose(
        places(reading.figure, reading.posture), places(figure, posture), atol=2e-6
    )
    alike = arm(Ball())
    moments, expected = (held(each, posture.q, components_of(each), []) for each in (figure, alike))
    np.testing.assert_allclose(moments, expected, atol=1e-12)
    assert joint_limits(posture, "new")[0]


def test_a_translation_is_written_with_its_limits_and_holds_nothing(tmp_path: Path) -> None:
    box: tuple[Interval, ...] = ((-0.1, 0.2), (-0.3, 0.1), (-0.2, 0.2))
    move = Step("translation", ("a", "b", "c"), box=box)
    figure = arm(Made((move, Step("hinge", ("turn",), AXIS, ((-0.5, 1.0),)))))
    posture = bent(figure)
    poise.export(posture, tmp_path / "arm.xml")
    reading = read(tmp_path / "arm.xml")
    again = reading.figure
    assert reading.posture is not None
    np.testing.assert_allclose(places(again, reading.posture), places(figure, posture), atol=2e-6)
    lower = figure.lower[figure.span("new")]
    np.testing.assert_allclose(np.sort(again.lower), np.sort(figure.lower), atol=1e-6)
    assert lower[:3].tolist() == [-0.1, -0.3, -0.2]
    own = [each.full_name for each in components_of(figure) if each.joint == "new"]
    assert own == ["new.turn"]
    scene = poise.Scene(figure)
    scene.add(t.Position("tip", figure.place(posture)["tip"].position))
    assert scene.solve().status == "solved"
    assert joint_limits(posture, "new")[0]  # of the hinge
    with pytest.raises(PoiseError, match="'new' is made; limits are drawn of what turns"):
        joint_limits(bent(arm(Made((move,)))), "new")
