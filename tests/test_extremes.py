"""Every public way in, given numbers beyond all measure and things that are no numbers.

Only a PoiseError may come out, or what was given is taken; then it is also used. Warnings of numpy
count as errors.
"""

# ruff: noqa: E501  (tables of calls read best with each on its line)

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError, PoiseWarning, Scene, figure, models
from poise import tasks as t
from poise.figure import Segment, Site
from poise.figure.frames import turned_place
from poise.scene import Options
from poise.solvers import METHODS, options_of
from poise.statics.loads import Load, Support

VALUES: dict[str, Any] = {
    "1e300": 1e300,
    "-1e300": -1e300,
    "1e-300": 1e-300,
    "nan": float("nan"),
    "inf": float("inf"),
    "a string": "text",
    "None": None,
    "an empty list": [],
}

POINT = (0.1, 0.2, 0.3)
SQUARE = [(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)]
REGION = t.Convex.box((0, 0, 0), (1, 1, 1))
EGG = figure.Ellipsoid((0, 0, 0), (0.2, 0.3, 0.4))
HINGE = figure.Hinge("y", (-1.0, 1.0))


def level(posture: Any, places: Any) -> list[float]:
    return [0.0]


# What each takes, right; what is not here is as usual. One argument after the other is replaced.
MADE: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "poise.box": (poise.box, {"x": 0.1, "y": 0.1, "z": 0.1, "mass": 1.0, "name": "box", "color": "#b98a5a"}),
    "poise.sphere": (poise.sphere, {"radius": 0.1, "mass": 1.0, "name": "ball", "color": "#b98a5a"}),
    "poise.cylinder": (poise.cylinder, {"radius": 0.1, "height": 0.1, "mass": 1.0, "name": "rod", "color": "#b98a5a"}),
    "poise.Prop": (poise.Prop, {"segment": Segment("cup", 1.0), "sites": (Site("rim", "cup"),)}),
    "poise.Clip": (lambda **given: poise.Clip(poise.chain(2), **given), {"q": [[0.0, 0.1]], "fps": 30.0, "name": "nod"}),
    "poise.Posture": (lambda q: poise.Posture(poise.chain(2), q), {"q": [0.0, 0.1]}),
    "poise.Builder": (poise.Builder, {"name": "arm", "description": ""}),
    "poise.Figure": (poise.Figure, {"segments": [Segment("a")], "joints": [], "couplings": [], "groups": [], "name": "arm", "sites": [Site("tip", "a")], "postures": {}, "description": ""}),
    "poise.Scene": (Scene, {"figures": poise.chain(2), "metres_per_radian": 0.5, "description": ""}),
    "poise.load": (poise.load, {"path": "nothing.urdf"}),
    "poise.load_clip": (poise.load_clip, {"path": "nothing.bvh", "name": "a"}),
    "poise.export": (lambda thing: poise.export(thing, "nothing.none"), {"thing": poise.chain(2)}),
    "poise.picture": (lambda subject: poise.picture(subject, "nothing.none"), {"subject": poise.chain(2)}),
    "models.chain": (models.chain, {"n": 3, "length": 0.1, "joint": "ball", "root": "free", "limit": 0.5}),
    "models.human": (models.human, {"stature": 1.7, "sex": "male", "mass": 70.0, "spine": "grouped", "shoulders": "grouped", "hands": False, "root": "free"}),
    "models.hand": (models.hand, {"side": "left", "length": 0.19, "root": "fixed"}),
    "models.quadruped": (models.quadruped, {"height": 0.6, "root": "free"}),
    "models.bird": (models.bird, {"height": 0.3, "root": "free"}),
    "models.planar_person": (models.planar_person, {"stature": 1.7}),
    "models.shoulder_complex": (models.shoulder_complex, {"stature": 1.7, "side": "left"}),
    "models.person_of_63": (models.person_of_63, {"stature": 1.7, "mass": 70.0}),
    "models.person_of_71": (models.person_of_71, {"stature": 1.7, "mass": 70.0}),
    "models.arms_of_16": (models.arms_of_16, {"stature": 1.7, "mass": 70.0}),
    "models.box_carrier_of_10": (models.box_carrier_of_10, {"stature": 1.7, "mass": 70.0}),
    "models.torso_arm_of_22": (models.torso_arm_of_22, {"stature": 1.7, "mass": 70.0}),
    "models.torso_arms_of_31": (models.torso_arms_of_31, {"stature": 1.7, "mass": 70.0}),
    "models.upper_body_of_22": (models.upper_body_of_22, {"stature": 1.7, "mass": 70.0}),
    "models.upper_body_of_70": (models.upper_body_of_70, {"stature": 1.7, "mass": 70.0}),
    "models.catalogue": (models.catalogue, {}),
    "models.pose": (models.pose, {"figure": poise.human(), "name": "standing"}),
    "models.pose_names": (models.pose_names, {"figure": poise.human()}),
    "models.hand_shape": (models.hand_shape, {"posture": poise.hand().rest(), "name": "fist", "hand": "both"}),
    "models.hand_shape_names": (models.hand_shape_names, {"figure": poise.hand()}),
    "figure.Angle": (figure.Angle, {"maximum": 1.0}),
    "figure.Ball": (figure.Ball, {"axis": POINT, "zero": POINT, "swing": (), "twist": None, "angle": None, "swing_x": (-1.0, 1.0), "swing_y": (-1.0, 1.0), "chart": None, "coordinates": None}),
    "figure.Box": (figure.Box, {"center": POINT, "size": POINT, "rotation": POINT}),
    "figure.Capsule": (figure.Capsule, {"start": POINT, "end": (0, 0, 0), "radius": 0.1}),
    "figure.Coupling": (figure.Coupling, {"name": "law", "terms": {"a.angle": 1.0}, "lower": 0.0, "upper": 1.0}),
    "figure.Cylinder": (figure.Cylinder, {"start": POINT, "end": (0, 0, 0), "radius": 0.1}),
    "figure.Elbow": (figure.Elbow, {"flexion_axis": (0, 1, 0), "twist_axis": (0, 0, 1), "flexion_limits": (0.0, 1.0), "twist_limits": (0.0, 1.0), "coordinates": ("a", "b")}),
    "figure.Ellipsoid": (figure.Ellipsoid, {"center": POINT, "radii": POINT, "rotation": POINT}),
    "figure.Fixed": (figure.Fixed, {}),
    "figure.Free": (figure.Free, {}),
    "figure.Group": (figure.Group, {"name": "g", "parameters": {"p": (0.0, 1.0)}, "members": {"a.angle": {"p": 1.0}}}),
    "figure.Hinge": (figure.Hinge, {"axis": POINT, "limits": (0.0, 1.0), "coordinate": "angle"}),
    "figure.Joint": (figure.Joint, {"name": "j", "kind": HINGE, "parent": "a", "child": "b", "position": POINT, "rotation": POINT, "child_position": POINT, "child_rotation": POINT, "clinical": {}}),
    "figure.Monomial": (figure.Monomial, {"factor": 1.0, "powers": {"p": 1}}),
    "figure.Placements": (lambda: None, {}),
    "figure.PlanarPolygon": (figure.PlanarPolygon, {"points": SQUARE}),
    "figure.Segment": (figure.Segment, {"name": "s", "mass": 1.0, "center": POINT, "inertia": np.eye(3).tolist(), "shapes": (), "density": None, "color": "#b98a5a"}),
    "figure.Site": (figure.Site, {"name": "s", "segment": "a", "position": POINT, "rotation": POINT, "outline": SQUARE}),
    "figure.Slider": (figure.Slider, {"axis": POINT, "limits": (0.0, 1.0), "coordinate": "way"}),
    "figure.Sphere": (figure.Sphere, {"center": POINT, "radius": 0.1}),
    "figure.SphericalEllipse": (figure.SphericalEllipse, {"rx": 0.5, "ry": 0.6, "centre": (0.1, 0.1)}),
    "figure.SphericalPolygon": (figure.SphericalPolygon, {"directions": [(0.6, 0.0, 0.8), (0.0, 0.6, 0.8), (-0.6, 0.0, 0.8)]}),
    "figure.Stiffness": (lambda value: poise.chain(2).stiffness.__setitem__("joint_1", value), {"value": 0.5}),
    "figure.Swing": (figure.Swing, {"axis": POINT, "zero": POINT, "swing": (), "angle": None, "swing_x": (-1.0, 1.0), "swing_y": (-1.0, 1.0), "coordinates": ("a", "b")}),
    "figure.Hull": (figure.Hull, {"points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], "radius": 0.1}),
    "figure.TaperedCapsule": (figure.TaperedCapsule, {"start": POINT, "end": (0, 0, 0), "start_radius": 0.1, "end_radius": 0.12}),
    "figure.Transform": (lambda **given: turned_place(figure.Transform(**given), None, "of it"), {"rotation": np.eye(3).tolist(), "position": POINT}),
    "figure.Twist": (figure.Twist, {"lower": -0.5, "upper": 0.5, "lower_slope": (0.0, 0.0), "upper_slope": (0.1, 0.0), "zero": 0.0}),
    "figure.TwistTable": (figure.TwistTable, {"sx": [0.0, 1.0], "sy": [0.0, 1.0], "lower": [[0.0, 0.0], [0.0, 0.0]], "upper": [[1.0, 1.0], [1.0, 1.0]], "zero": 0.0}),
    "tasks.Aim": (t.Aim, {"site": "tip", "target": POINT, "axis": "x", "metres_per_radian": 0.5}),
    "tasks.Any": (t.Any, {"tasks": [t.Position("tip", POINT), t.Aim("tip", POINT)]}),
    "tasks.Balance": (t.Balance, {"margin": 0.01, "supports": (), "figure": None}),
    "tasks.MidSupport": (t.MidSupport, {"supports": (), "figure": None}),
    "tasks.CenterOfMass": (t.CenterOfMass, {"target": POINT, "axes": "xyz", "frame": np.eye(3), "figure": None}),
    "tasks.Comfort": (t.Comfort, {"joints": None, "share": 0.5, "zones": {"joint_1.angle": (-0.5, 0.5)}}),
    "tasks.Contact": (t.Contact, {"site": "tip", "target": POINT, "normal": POINT, "slide": True, "turn": True, "metres_per_radian": 0.5}),
    "tasks.Convex": (t.Convex, {"normals": [(0, 0, 1), (0, 1, 0)], "offsets": [1.0, 1.0]}),
    "tasks.Convex.box": (t.Convex.box, {"center": POINT, "size": POINT, "rotation": POINT}),
    "tasks.Convex.hull": (t.Convex.hull, {"points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]}),
    "tasks.Criterion": (t.Criterion, {}),
    "tasks.Custom": (t.Custom, {"residual": level, "rows": 1, "jacobian": None, "unit": "m", "inequality": False, "metres_per_radian": 0.5}),
    "tasks.Natural": (t.Natural, {"stance": "stand", "figure": None}),
    "tasks.Effort": (t.Effort, {"joints": None, "strength": {"joint_1": 10.0}}),
    "tasks.Equilibrium": (t.Equilibrium, {"figure": None, "metres_per_newton_metre": 0.01}),
    "tasks.Flexion": (t.Flexion, {"joints": ("joint_1",), "amount": 0.5}),
    "tasks.Frame": (t.Frame, {"site": "tip", "target": (POINT, (1.0, 0, 0, 0)), "position_share": 0.5, "metres_per_radian": 0.5}),
    "tasks.HalfSpace": (t.HalfSpace, {"site": "tip", "target": POINT, "normal": POINT, "frame": None}),
    "tasks.Inertia": (t.Inertia, {"axis": POINT, "target": 0.1, "figure": None}),
    "tasks.Inside": (t.Inside, {"site": "tip", "convex": REGION, "margin": 0.01, "frame": None}),
    "tasks.Line": (t.Line, {"site": "tip", "target": POINT, "direction": POINT, "frame": None}),
    "tasks.Loop": (t.Loop, {"site": "tip", "other": "base", "match": "both", "metres_per_radian": 0.5}),
    "tasks.Avoid": (t.Avoid, {"margin": 0.01, "bodies": None, "things": None}),
    "tasks.AvoidSelf": (t.AvoidSelf, {"margin": 0.01}),
    "tasks.MidRange": (t.MidRange, {"joints": ("joint_1",)}),
    "tasks.Orientation": (t.Orientation, {"site": "tip", "target": np.eye(3).tolist(), "free": None, "form": "vectors", "cx": 1.0, "cy": 1.0, "metres_per_radian": 0.5}),
    "tasks.Outside": (t.Outside, {"site": "tip", "convex": REGION, "margin": 0.01, "frame": None}),
    "tasks.Plane": (t.Plane, {"site": "tip", "target": POINT, "normal": POINT, "frame": None}),
    "tasks.Position": (t.Position, {"site": "tip", "target": POINT, "axes": "xyz", "frame": None}),
    "tasks.Rest": (t.Rest, {"posture": None}),
    "tasks.Surface": (t.Surface, {"site": "tip", "ellipsoid": EGG, "distance": 0.01, "frame": None}),
    "tasks.Task": (t.Task, {}),
    "scene.Options": (Options, {"method": "lex", "tolerance": 1e-4, "max_iterations": 10, "max_seconds": 5.0, "restarts": 0}),
    "statics.Load": (Load, {"site": "tip", "force": POINT, "torque": POINT, "point": POINT}),
    "statics.Support": (Support, {"site": "tip", "ratio": 1.0, "friction": 0.5}),
}  # fmt: skip


FILES = ("poise.load", "poise.load_clip", "poise.export", "poise.picture")
"""These would need files, of which there are none."""


def usual(make: Callable[..., Any]) -> dict[str, Any]:
    """What a function or class takes when it is not told: so no argument is forgotten below."""
    parameters = inspect.signature(make).parameters.values()
    return {each.name: each.default for each in parameters if each.default is not each.empty}


def variants(given: Mapping[str, Any], value: Any) -> Iterator[dict[str, Any]]:
    """The arguments with one of them replaced, or one number within it."""
    for name, right in given.items():
        yield {**given, name: value}
        if isinstance(right, (tuple, list)) and right:
            first, *others = right
            yield {**given, name: [value, *others]}
            if isinstance(first, (tuple, list)):
                yield {**given, name: [[value, *first[1:]], *others]}
        elif isinstance(right, dict) and right:
            yield {**given, name: dict.fromkeys(right, value)}
            yield {**given, name: {value if isinstance(value, str) else 3: 1.0}}


def survives(call: Callable[[], object]) -> None:
    """What is called gives something or a PoiseError, and numpy has nothing to say."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", PoiseWarning)
        try:
            call()
        except PoiseError:
            return


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("name", MADE)
def test_what_is_made_of_extremes_is_refused_or_taken(
    name: str, value: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make, right = MADE[name]
    for given in variants({**usual(make), **right}, value):
        survives(lambda given=given: used(make(**given)))


@pytest.mark.parametrize("name", [name for name in MADE if name not in FILES])
def test_what_is_right_is_taken(name: str) -> None:
    make, right = MADE[name]
    make(**right)


def used(made: Any) -> None:
    """Ask what was made for what it is for."""
    if isinstance(made, poise.Prop):
        assert np.isfinite(made.segment.mass_properties()[0])
    elif isinstance(made, (Segment, figure.Segment)):
        assert all(np.isfinite(each).all() for each in made.mass_properties())
    elif isinstance(made, poise.Figure):
        assert np.isfinite(made.place(made.rest())[next(iter(made.segments))].position).all()
    elif isinstance(made, (t.Task, t.Criterion)) and type(made) not in (t.Task, t.Criterion):
        scene = Scene(poise.chain(3, joint="ball", limit=1.0))
        scene.forces.support("base")
        scene.add(made)
        solved(scene, max_iterations=3)


SHAKEN: dict[str, Callable[[Scene, Any], object]] = {
    "weight": lambda s, v: s.add(t.Position("tip", (0.2, 0.0, 0.1)), weight=v),
    "weight of a criterion": lambda s, v: s.add(t.Rest(), weight=v),
    "priority": lambda s, v: s.add(t.Rest(), priority=v),
    "name": lambda s, v: s.add(t.Rest(), name=v),
    "joints": lambda s, v: s.add(t.Position("tip"), joints=v),
    "a thing": lambda s, v: s.add(v),
    "handle.target": lambda s, v: setattr(s.handles["reach"], "target", v),
    "a number of handle.target": lambda s, v: setattr(s.handles["reach"], "target", (v, 0, 0)),
    "a number of a frame": lambda s, v: setattr(s.handles["hold"], "target", ((0, v, 0), (1, 0, 0, 0))),
    "a number of a quaternion": lambda s, v: setattr(s.handles["hold"], "target", ((0, 0, 0), (v, 0, 0, 0))),
    "a number of a 4 × 4 matrix": lambda s, v: setattr(s.handles["hold"], "target", [[1, 0, 0, v], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
    "handle.weight": lambda s, v: setattr(s.handles["reach"], "weight", v),
    "handle.priority": lambda s, v: setattr(s.handles["reach"], "priority", v),
    "handle.enabled": lambda s, v: setattr(s.handles["reach"], "enabled", v),
    "handle.joints": lambda s, v: setattr(s.handles["reach"], "joints", v),
    "handle.name": lambda s, v: setattr(s.handles["reach"], "name", v),
    "handle.wanted": lambda s, v: setattr(s.handles["reach"], "wanted", v),
    "metres_per_radian": lambda s, v: setattr(s, "metres_per_radian", v),
    "options": lambda s, v: setattr(s, "options", v),
    "posture": lambda s, v: setattr(s, "posture", v),
    "a number of posture": lambda s, v: setattr(s, "posture", [v, 0.0, 0.0, *[0.0] * 6]),
    "postures": lambda s, v: setattr(s, "postures", {"chain": v}),
    "q": lambda s, v: setattr(s, "q", [v, *[0.0] * 8]),
    "posture's coordinate": lambda s, v: s.posture.__setitem__("joint_1.swing_x", v),
    "posture's joint": lambda s, v: s.posture.__setitem__("joint_1", (v, 0, 0)),
    "posture.set_angles": lambda s, v: s.posture.set_angles("joint_1", twist=v),
    "posture.blend": lambda s, v: setattr(s, "posture", s.posture.blend(s.posture, v)),
    "posture.q": lambda s, v: setattr(s.posture, "q", [v] * 9),
    "stand": lambda s, v: s.stand("chain", position=v),
    "a number of stand": lambda s, v: s.stand("chain", position=(v, 0, 0)),
    "heading": lambda s, v: s.stand("chain", heading=v),
    "place": lambda s, v: s.place(poise.sphere(0.1), v),
    "a number of place": lambda s, v: s.place(poise.sphere(0.1), (0, 0, v)),
    "place turned": lambda s, v: s.place(poise.sphere(0.1), (0, 0, 0), (0, 0, v)),
    "hold": lambda s, v: s.hold(poise.sphere(0.1), "tip", at=v),
    "hold at a number": lambda s, v: s.hold(poise.sphere(0.1), "tip", at=((v, 0, 0), np.eye(3))),
    "hold something": lambda s, v: s.hold(v, "tip"),
    "mass in hand": lambda s, v: s.hold(poise.sphere(0.1, mass=v), "tip"),
    "release": lambda s, v: s.release(v),
    "remove": lambda s, v: s.remove(v),
    "lock": lambda s, v: s.figures["chain"].lock(v),
    "stiffness": lambda s, v: s.figures["chain"].stiffness.__setitem__("joint_1", v),
    "with_site": lambda s, v: s.figures["chain"].with_site("a", "base", (v, 0, 0)),
    "with_site turned": lambda s, v: s.figures["chain"].with_site("a", "base", rotation=(v, 0, 0)),
    "with_outline": lambda s, v: s.figures["chain"].with_outline("tip", [(v, 0), (0, 1), (1, 0)]),
    "jacobian": lambda s, v: s.figures["chain"].jacobian(s.posture, "tip", point=(v, 0, 0)),
    "inertia": lambda s, v: s.figures["chain"].inertia(s.posture, (v, 0, 0)),
    "within_limits": lambda s, v: s.figures["chain"].within_limits([v] * 9),
    "clamp": lambda s, v: s.figures["chain"].clamp([v] * 9),
    "rooted_at": lambda s, v: s.figures["chain"].rooted_at("link_2", [v] * 9),
    "support": lambda s, v: s.forces.support("base", ratio=v),
    "friction": lambda s, v: s.forces.support("base", friction=v),
    "force": lambda s, v: s.forces.apply("tip", force=(v, 0, 0)),
    "torque": lambda s, v: s.forces.apply("tip", torque=(v, 0, 0)),
    "point of a force": lambda s, v: s.forces.apply("tip", force=(1, 0, 0), point=(v, 0, 0)),
    "age": lambda s, v: s.forces.set_person(age=v),
    "mass of a person": lambda s, v: s.forces.set_person(mass=v),
    "stature of a person": lambda s, v: s.forces.set_person(stature=v),
    "strength": lambda s, v: s.forces.set_strength({"joint_1": v}),
    "strengths": lambda s, v: s.forces.set_strength({"joint_1": (v, 1.0)}),
    "strongest": lambda s, v: s.forces.strongest("tip", (v, 0, 0)),
    "diagram": lambda s, v: s.forces.diagram("tip", directions=v),
    "solve_many": lambda s, v: s.solve_many({"reach": v}),
    "a number of solve_many": lambda s, v: s.solve_many({"reach": [(v, 0, 0)]}, max_iterations=2),
    "threads": lambda s, v: s.solve_many({"reach": [(0, 0, 0)]}, threads=v, max_iterations=2),
    "animate": lambda s, v: s.animate({"reach": v}),
    "a number of animate": lambda s, v: s.animate({"tip": [(v, 0, 0)]}, max_iterations=2),
    "fps": lambda s, v: s.animate({"reach": [(0, 0, 0)]}, fps=v, max_iterations=2).clip.seconds,
    "progress": lambda s, v: s.animate({"reach": [(0, 0, 0)]}, progress=v, max_iterations=2),
    "tolerance": lambda s, v: solved(s, tolerance=v, max_iterations=3),
    "max_iterations": lambda s, v: solved(s, max_iterations=v, max_seconds=0.1),
    "max_seconds": lambda s, v: solved(s, max_seconds=v, max_iterations=3),
    "restarts": lambda s, v: solved(s, restarts=v, max_iterations=3, max_seconds=0.1),
    "method": lambda s, v: solved(s, v),
    "resampled": lambda s, v: poise.Clip(s.figures["chain"], np.zeros((2, 9)), 30).resampled(v),
}  # fmt: skip


def solved(given: Scene, *args: Any, **options: Any) -> None:
    """Solve, and see that all that comes out are numbers."""
    solution = given.solve(*args, **options)
    assert np.isfinite(solution.together.q).all()
    for report in solution.tasks:
        assert all(np.isfinite(each.value) for each in report.errors)
    str(solution)


def scene() -> Scene:
    result = Scene(poise.chain(3, joint="ball", limit=1.0))
    result.forces.support("base")
    result.add(t.Position("tip", (0.25, 0.0, 0.1)), name="reach")
    result.add(t.Frame("link_2"), priority=2, name="hold")
    result.add(t.Rest(), weight=0.1)
    return result


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("name", SHAKEN)
def test_what_is_set_to_extremes_is_refused_or_solved(name: str, value: Any) -> None:
    given = scene()
    survives(lambda: SHAKEN[name](given, value))
    survives(lambda: solved(given, max_iterations=3))
    survives(lambda: given.forces.torques())


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("method", METHODS)
def test_options_of_methods_at_extremes_are_refused_or_used(method: str, value: Any) -> None:
    for option in options_of(method):
        given = scene()
        survives(
            lambda given=given, option=option: solved(
                given, method, max_iterations=3, **{option: value}
            )
        )


def test_every_public_name_that_is_made_of_something_is_shaken() -> None:
    for module, prefix in ((figure, "figure"), (t, "tasks"), (models, "models")):
        for name in module.__all__:
            if callable(getattr(module, name)) and f"poise.{name}" not in MADE:
                assert f"{prefix}.{name}" in MADE, f"{prefix}.{name} is not shaken"
