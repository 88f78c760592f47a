"""Whatever a writer is given reads back as it was, or a note names it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poise
from poise.figure import (
    WORLD,
    Ball,
    Coupling,
    Elbow,
    Figure,
    Fixed,
    Free,
    Group,
    Hinge,
    Joint,
    Segment,
    Site,
    Slider,
    Swing,
    Twist,
)
from poise.figure.limits import Angle, SphericalEllipse, TwistTable
from poise.figure.shapes import Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere, TaperedCapsule
from poise.figure.skin import Skin, Surface
from poise.formats import Reading, leaving, read
from poise.formats.leaving import left_out, parts_of
from poise.motion import Clip
from poise.tasks import Loop

WRITERS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "figure file": ("a.yaml", {}, {}),
    "BVH": ("a.bvh", {}, {"up": "y", "forward": "z", "unit": "cm"}),
    "URDF": ("a.urdf", {"hinges": True}, {}),
    "MJCF": ("a.xml", {}, {}),
    "MJCF, hinges": ("a.xml", {"hinges": True}, {}),
    "GLB": ("a.glb", {}, {}),
    "glTF": ("a.gltf", {}, {}),
    "GLB, shapes": ("a.glb", {"surface": "shapes"}, {}),
}
"""File, options to write and options to read."""


def everything() -> Reading:
    """A reading with all that one can have."""
    shapes = (
        Box((0.0, 0.0, 0.1), (0.1, 0.2, 0.3)),
        Sphere((0.1, 0.0, 0.0), 0.05),
        Capsule((0.0, 0.0, 0.0), (0.0, 0.0, 0.2), 0.03),
        Cylinder((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), 0.02),
        Ellipsoid((0.0, 0.1, 0.0), (0.05, 0.06, 0.07)),
        TaperedCapsule((0.0, 0.0, 0.0), (0.0, 0.3, 0.0), 0.05, 0.03),
        Hull(((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)), 0.01),
    )
    table = TwistTable((-0.1, 0.1), (-0.1, 0.1), ((-0.3, -0.2), (-0.2, -0.1)), ((0.3, 0.3),) * 2)
    kinds = {
        "pelvis": Free(),
        "thigh": Ball(swing=(SphericalEllipse(0.5, 0.7),), twist=Twist(-0.4, 0.4, (0.1, 0.0))),
        "arm": Ball(swing=(SphericalEllipse(0.5, 0.7),), twist=table),
        "shank": Hinge("y", (0.0, 2.0), "flexion"),
        "foot": Swing(swing_x=(-0.4, 0.5), swing_y=(-0.3, 0.2)),
        "toes": Hinge("y", (-0.5, np.inf)),
        "forearm": Elbow("y", "z", (0.0, 2.5), (-1.0, 1.0)),
        "tray": Slider("x", (-0.2, 0.3)),
        "lid": Hinge("x"),
        "tail_1": Hinge("y"),
        "tail_2": Hinge("y"),
        "label": Fixed(),
    }
    parents = {
        "pelvis": WORLD,
        "shank": "thigh",
        "foot": "shank",
        "toes": "foot",
        "forearm": "arm",
        "lid": "tray",
        "tail_2": "tail_1",
    }
    clinical = {"flexion": "-y", "abduction": "x", "rotation": "z"}
    joints = [
        Joint(f"{name}_joint", kind, parents.get(name, "pelvis"), name, (0.0, 0.1 * i, -0.2))
        for i, (name, kind) in enumerate(kinds.items())
    ]
    joints[1] = replace(joints[1], clinical=clinical)
    segments = [Segment(name, 1.0 + i, (0.0, 0.0, 0.05)) for i, name in enumerate(kinds)]
    segments[0] = Segment("pelvis", 10.0, shapes=shapes, color="#3f74ad")
    segments[1] = replace(segments[1], color="#ff0000")
    tail = {"tail_1_joint.angle": {"bend": 0.5}, "tail_2_joint.angle": {"bend": 1.0}}
    figure = Figure(
        "everything",
        segments,
        joints,
        sites=[
            Site("sole", "foot", (0.0, 0.0, -0.1), outline=((0.0, 0.0), (0.1, 0.0), (0.0, 0.1))),
            Site("tip", "toes", (0.1, 0.0, 0.0), (0.0, 0.3, 0.0)),
            Site("button", "lid", (0.1, 0.2, 0.0)),
        ],
        couplings=[
            Coupling("gear", {"lid_joint.angle": 1.0, "toes_joint.angle": -0.5}, 0.0, 0.0),
            Coupling("strap", {"shank_joint.flexion": 1.0, "lid_joint.angle": -1.0}, -1.0, 2.0),
        ],
        groups=[Group("tail", {"bend": (-1.0, 1.0)}, tail)],
        postures={"rest": {}, "bent": {"shank_joint.flexion": 0.5}},
        description="one of each",
    )
    figure.stiffness["tray_joint"] = 0.5
    figure.lock("forearm_joint")
    shown = figure.posture()
    shown["shank_joint"] = 0.7
    shown["pelvis_joint.z"] = 1.0
    points = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]])
    surface = Surface(
        "cloth",
        points,
        np.array([[0, 1, 2]]),
        np.tile([0.0, 0.0, 1.0], (3, 1)),
        ("pelvis",),
        np.eye(4)[None],
        np.zeros((3, 1), np.int64),
        np.ones((3, 1)),
    )
    q = np.stack([shown.q, figure.posture().q])
    return Reading(
        figure,
        shown,
        {"reaching": figure.posture("bent")},
        {"wave": Clip(figure, q, 30.0, "wave")},
        (Loop("button", "tip"), Loop("button", "tip", match="orientation")),
        Skin((surface,)),
    )


def of_figure(value: Callable[[Figure], Any]) -> Callable[[Reading], Any]:
    return lambda reading: value(reading.figure)


def of_joint(name: str, value: Callable[[Any], Any]) -> Callable[[Reading], Any]:
    """Of a joint's kind; None where another program has taken the joint apart."""

    def found(reading: Reading) -> Any:
        joint = reading.figure.joints.get(name)
        return None if joint is None else value(joint.kind)

    return found


def shown(reading: Reading) -> Any:
    posture = reading.posture
    if posture is None:
        return None
    return reading.figure.place(posture)["toes"].position.round(5).tolist()


def rounded(values: Any) -> list[float]:
    return np.round(np.array(values, dtype=float), 9).tolist()


def masses(figure: Figure) -> dict[str, float]:
    """Of the segments that weigh anything."""
    found = {name: each.mass_properties()[0] for name, each in figure.segments.items()}
    return {name: round(mass, 9) for name, mass in found.items() if mass > 1e-12}


def named(reading: Reading) -> set[str]:
    return {*reading.postures, *reading.figure.postures}


VALUES: dict[str, Callable[[Reading], Any]] = {
    leaving.MOTIONS: lambda r: [len(clip) for clip in r.clips.values()],
    leaving.LOOPS: lambda r: [each.match for each in r.loops],
    leaving.SKIN: lambda r: r.skin and sum(len(s.points) for s in r.skin.surfaces),
    leaving.NAMED_POSTURES: lambda r: {"rest", "bent", "reaching"} <= named(r),
    leaving.SHOWN_POSTURE: shown,
    leaving.KINDS: of_figure(lambda f: [j.kind.kind for j in f.joints.values()]),
    leaving.BALLS: of_joint("thigh_joint", lambda k: k.kind),
    leaving.SWINGS: of_joint("foot_joint", lambda k: k.kind),
    leaving.ELBOWS: of_joint("forearm_joint", lambda k: k.kind),
    leaving.LIMITS: of_joint("toes_joint", lambda k: rounded(k.box)),
    leaving.BALL_LIMITS: of_joint("arm_joint", lambda k: getattr(k, "swing", ())),
    leaving.TWISTS: of_joint("arm_joint", lambda k: getattr(k, "twist", 0)),
    leaving.COUPLINGS: of_figure(
        lambda f: {c.name: rounded([*c.terms.values()]) for c in f.couplings.values()}
    ),
    leaving.GROUPS: of_figure(lambda f: list(f.groups)),
    leaving.SHAPES: of_figure(lambda f: [s.kind for s in f.segments["pelvis"].shapes]),
    leaving.COLORS: of_figure(lambda f: f.segments["pelvis"].color),
    leaving.BARE_COLORS: of_figure(lambda f: f.segments["thigh"].color),
    leaving.MASSES: of_figure(masses),
    leaving.SITES: of_figure(lambda f: {s.name: rounded(s.position) for s in f.sites.values()}),
    leaving.OUTLINES: of_figure(lambda f: [bool(s.outline) for s in f.sites.values()]),
    leaving.ANGLES: of_figure(lambda f: "shank_joint.flexion" in f.coordinates),
    leaving.RELUCTANCE: of_figure(lambda f: (f.locked_names, f.stiffness.values.max())),
    leaving.DESCRIPTION: of_figure(lambda f: f.description),
}
"""What of a part must read back."""

BVH_BALLS = "kinds of joints are written as balls, whatever they are"
BVH_SITES = (
    "sites are written as end sites, without names and rotations and only the farthest one on "
    "each last segment"
)
ELBOWS = "elbow joints are written as two hinges each"
SWINGS = "swing joints are written as three hinges each"
BALLS = "ball joints are written as three hinges each"
BOXES = "limits of balls and swings are written as boxes of hinges round them, which allow more"
CONES = (
    "limits of balls and swings are written as boxes of hinges or cones round them, which allow "
    "more"
)
TWISTS = "limits of twist that depend on the swing are written as intervals at their widest"
TAIL = "group 'tail' is written as laws between its joints"
MJCF: dict[str, tuple[str, ...]] = {
    leaving.LOOPS: (
        "left out, as MJCF cannot say it: "
        "Loop(metres_per_radian=None, site='button', other='tip', match='orientation')",
    ),
    leaving.KINDS: (ELBOWS, SWINGS),
    leaving.SWINGS: (SWINGS,),
    leaving.ELBOWS: (ELBOWS,),
    leaving.BALL_LIMITS: (CONES,),
    leaving.TWISTS: (TWISTS,),
    leaving.COUPLINGS: (TAIL,),
    leaving.GROUPS: (TAIL,),
    leaving.SHAPES: (
        "tapered capsules are written as plain ones with the mean radius",
        "hulls are written as the boxes around them",
    ),
}
SENTENCES: dict[str, dict[str, tuple[str, ...]]] = {
    "BVH": {
        **dict.fromkeys(
            (leaving.KINDS, leaving.BALLS, leaving.SWINGS, leaving.ELBOWS), (BVH_BALLS,)
        ),
        leaving.SITES: (BVH_SITES,),
    },
    "URDF": {
        leaving.KINDS: (ELBOWS, SWINGS, BALLS),
        leaving.BALLS: (BALLS,),
        leaving.SWINGS: (SWINGS,),
        leaving.ELBOWS: (ELBOWS,),
        leaving.BALL_LIMITS: (BOXES,),
        leaving.TWISTS: (TWISTS,),
        leaving.COUPLINGS: (TAIL, "coupling 'strap' left out: no joint can mimic it"),
        leaving.GROUPS: (TAIL,),
        leaving.SHAPES: (
            "capsules are written as a cylinder and two spheres each",
            "ellipsoids are written as boxes of the same volume",
            "hulls are written as the boxes around them",
        ),
    },
    "MJCF": MJCF,
    "MJCF, hinges": {**MJCF, leaving.KINDS: (ELBOWS, SWINGS, BALLS), leaving.BALLS: (BALLS,)},
    "GLB, shapes": {leaving.SKIN: ("the skin is left out, for surface='shapes'",)},
}
"""What each writer says of parts that it changes, word for word; of others, that it holds none."""

WITHIN = {
    leaving.BALL_LIMITS: leaving.LIMITS,
    leaving.TWISTS: leaving.LIMITS,
    leaving.BARE_COLORS: leaving.COLORS,
}
"""What goes without saying where all of something is left out."""


@pytest.fixture(scope="module")
def whole() -> Reading:
    return everything()


@pytest.fixture(scope="module", params=WRITERS)
def both(
    request: pytest.FixtureRequest, whole: Reading, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Reading, tuple[str, ...]]:
    """The writer, what is read back, and the notes of writing."""
    file, write_options, read_options = WRITERS[request.param]
    path = tmp_path_factory.mktemp("written") / file
    notes = poise.export(whole, path, **write_options)
    return request.param, read(path, **read_options), notes


def test_the_reading_has_all_that_one_can_have(whole: Reading) -> None:
    assert parts_of(whole) == set(VALUES)


@pytest.mark.parametrize("part", VALUES)
def test_every_part_reads_back_or_is_told(
    both: tuple[str, Reading, tuple[str, ...]], whole: Reading, part: str
) -> None:
    writer, again, notes = both
    if VALUES[part](again) == VALUES[part](whole):
        return
    if sentences := SENTENCES.get(writer, {}).get(part):
        assert set(sentences) <= set(notes)
        return
    (note,) = (note for note in notes if " does not hold " in note)
    listed = note.partition(" does not hold ")[2].split(", ")
    assert part in listed or WITHIN.get(part) in listed


@pytest.mark.parametrize("writer", SENTENCES)
def test_every_sentence_is_about_a_part_that_changes(
    whole: Reading, tmp_path: Path, writer: str
) -> None:
    file, write_options, read_options = WRITERS[writer]
    poise.export(whole, tmp_path / file, **write_options)
    again = read(tmp_path / file, **read_options)
    assert [part for part in SENTENCES[writer] if VALUES[part](again) == VALUES[part](whole)] == []


def test_what_is_not_there_is_not_told(tmp_path: Path) -> None:
    bare = Figure("bare", [Segment("a"), Segment("b")], [Joint("j", Hinge("y"), "a", "b")])
    for file, options, _ in WRITERS.values():
        notes = poise.export(bare, tmp_path / file, **options)
        assert notes == (
            ("kinds of joints are written as balls, whatever they are",) * (".bvh" in file)
        )


@pytest.mark.parametrize("hinges", [False, True])
def test_a_cone_is_kept_in_mjcf_unless_hinges_stand_for_the_ball(
    tmp_path: Path, hinges: bool
) -> None:
    ball = Ball(angle=Angle(0.5))
    figure = Figure("cone", [Segment("a"), Segment("b")], [Joint("j", ball, "a", "b")])
    notes = poise.export(figure, tmp_path / "a.xml", hinges=hinges)
    assert any(leaving.BALL_LIMITS in note for note in notes) == hinges
    if not hinges:
        kind = read(tmp_path / "a.xml").figure.joints["j"].kind
        assert isinstance(kind, Ball)
        assert kind.angle is not None
        assert kind.angle.maximum == pytest.approx(0.5)


def test_several_motions_of_which_one_is_written_are_told(tmp_path: Path, whole: Reading) -> None:
    clips = {name: replace(whole.clips["wave"], name=name) for name in ("wave", "nod", "turn")}
    notes = poise.export(replace(whole, clips=clips), tmp_path / "a.bvh", clip="nod")
    assert "a BVH file holds one motion; left out: wave, turn" in notes


def test_what_is_held_is_not_told(whole: Reading) -> None:
    assert left_out(whole, "a file", tuple(parts_of(whole))) == []
    (note,) = left_out(whole, "a file", [part for part in parts_of(whole) if part != leaving.SITES])
    assert note == "a file does not hold sites"
