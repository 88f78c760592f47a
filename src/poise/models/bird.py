"""A biped bird: a crane, with a long neck to reach with and long legs to balance on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poise.checking import Vec3, number, vector
from poise.figure import Ball, Ellipsoid, Figure, Fixed, Sphere, SphericalEllipse, Twist
from poise.figure.recipes import ready
from poise.figure.shapes import Shape
from poise.models.sketch import (
    DOWN,
    SIDES,
    Sketch,
    hinge,
    interval,
    leaf,
    limb,
    limb_angles,
    limb_ranges,
    round_ball,
    round_swing,
)

_HEIGHT = 1.3  # m: the height of the crown at which the points below are drawn
_FEATHERS, _WING, _SKIN, _BEAK, _DARK, _RED = (
    "#e9e7e1",
    "#a9b0b8",
    "#4a4f57",
    "#c9a227",
    "#22252a",
    "#b5322c",
)

_RAISED = {
    "left": {"raising": "x", "pitch": "y", "sweep": "z"},
    "right": {"raising": "-x", "pitch": "y", "sweep": "-z"},
}


@ready
def bird(height: float = 1.3, *, root: str = "free") -> Figure:
    """A crane on two legs, with neck, wings and tail; 48 coordinates with a free root.

    It stands at rest with its feet on z = 0, facing +x, the wings folded. Proportions, masses
    and ranges are chosen, of no species in particular; the mass grows with height³. Sites:
    beak (its tip), eyes, tail_tip, left and right wing_tip, left and right foot (under the
    ankle, with the outline that its toes span).

    The bird of Mas 1996 (thesis, Fig. 2.7) keeps its balance while its beak reaches a point.

    Args:
        height: of the crown above the floor, in metres.
        root: "free" (the body may go anywhere) or "fixed".
    """
    height = number(height, "the height (m) of a bird", above=0, least=0.01, most=100)
    crane = Sketch("bird", "a crane standing on two legs", scale=height / _HEIGHT)
    crane.segment(
        "body",
        (0.0, 0.0, 0.72),
        [
            Ellipsoid((-0.01, 0.0, 0.73), (0.21, 0.105, 0.12), (0.0, -0.38, 0.0)),
            limb((0.07, 0.0, 0.77), (0.165, 0.0, 0.815), 0.098, 0.05),
        ],
        mass=3.3,
        color=_FEATHERS,
    )
    crane.root("body", root)
    crane.bone(
        "tail",
        (-0.17, 0.0, 0.665),
        [
            limb((-0.15, 0.0, 0.685), (-0.255, 0.0, 0.60), 0.062, 0.028),
            limb((-0.17, 0.035, 0.665), (-0.27, 0.03, 0.565), 0.04, 0.014),
            limb((-0.17, -0.035, 0.665), (-0.27, -0.03, 0.565), 0.04, 0.014),
        ],
        joint=("tail", round_swing("-x", (-30.0, 30.0), (-30.0, 40.0)), "body"),
        mass=0.12,
        color=_SKIN,
        clinical={"lift": "y", "turn": "z"},
    )
    crane.site("tail_tip", "tail", (-0.28, 0.0, 0.565))
    _neck(crane)
    _head(crane)
    for name, side in SIDES:
        _wing(crane, name, side)
        _leg(crane, name, side)
    _limbs(crane)
    return crane.build()


def _limbs(crane: Sketch) -> None:
    """Named as those of birds: by their joints alone the wings would be arms."""
    crane.limb("neck", [*(f"neck_{i}" for i in range(1, 7)), "head", "beak"])
    crane.limb("tail", ["tail"])
    for side, _ in SIDES:
        crane.limb(f"{side}_wing", [f"{side}_{each}" for each in ("shoulder", "elbow", "wrist")])
        leg = ("hip", "knee", "ankle", "toes")
        crane.limb(f"{side}_leg", [f"{side}_{each}" for each in leg])


def _neck(crane: Sketch) -> None:
    """Six segments that rest in the shape of an S, each bending a third of a right angle."""
    points = (
        (0.185, 0.83),
        (0.245, 0.885),
        (0.262, 0.96),
        (0.248, 1.035),
        (0.235, 1.105),
        (0.242, 1.17),
        (0.275, 1.225),
    )
    radii = (0.05, 0.041, 0.034, 0.03, 0.027, 0.025, 0.025)
    kind = round_swing("z", (-30.0, 30.0), (-40.0, 40.0))
    parent = "body"
    for i in range(6):
        name = f"neck_{i + 1}"
        (x, z), (u, v) = points[i], points[i + 1]
        crane.bone(
            name,
            (x, 0.0, z),
            [limb((x, 0.0, z), (u, 0.0, v), radii[i], radii[i + 1])],
            joint=(name, kind, parent),
            mass=0.12 - 0.012 * i,
            color=_FEATHERS if i < 3 else _SKIN,
            clinical={"flexion": "y", "bend": "x"},
        )
        parent = name


def _head(crane: Sketch) -> None:
    crane.bone(
        "head",
        (0.275, 0.0, 1.225),
        [
            Ellipsoid((0.298, 0.0, 1.25), (0.052, 0.036, 0.036), (0.0, 0.12, 0.0)),
            limb((0.275, 0.0, 1.225), (0.29, 0.0, 1.245), 0.026, 0.03),
        ],
        joint=("head", round_ball("x", (-50.0, 50.0), (-45.0, 70.0), (-40.0, 40.0)), "neck_6"),
        mass=0.1,
        color=_FEATHERS,
        clinical={"flexion": "y", "turn": "z", "roll": "x"},
    )
    upper = limb((0.33, 0.0, 1.248), (0.465, 0.0, 1.222), 0.0135, 0.003)
    lower = limb((0.33, 0.0, 1.238), (0.455, 0.0, 1.217), 0.011, 0.003)
    crown = Ellipsoid((0.295, 0.0, 1.278), (0.034, 0.022, 0.0125))
    eyes = [Sphere((0.323, y, 1.258), 0.0065) for y in (0.028, -0.028)]
    parts: tuple[tuple[str, Vec3, Sequence[Shape], str], ...] = (
        ("upper_beak", (0.335, 0.0, 1.25), [upper], _BEAK),
        ("crown", (0.29, 0.0, 1.28), [crown], _RED),
        ("face", (0.32, 0.0, 1.255), eyes, _DARK),
    )
    for name, origin, shapes, color in parts:
        crane.bone(name, origin, shapes, joint=(name, Fixed(), "head"), mass=0.01, color=color)
    crane.bone(
        "lower_beak",
        (0.315, 0.0, 1.238),
        [lower],
        joint=("beak", hinge("y", 0.0, 35.0, "opening"), "head"),
        mass=0.01,
        color=_BEAK,
    )
    crane.site("beak", "upper_beak", (0.468, 0.0, 1.222))
    crane.site("eyes", "head", (0.328, 0.0, 1.258))


def _wing(crane: Sketch, name: str, side: float) -> None:
    """Upper arm, forearm and hand, folded like a Z at rest; opening all three spreads them."""
    shoulder, elbow = (0.13, side * 0.082, 0.80), (-0.02, side * 0.108, 0.745)
    wrist, tip = (0.145, side * 0.115, 0.735), (-0.24, side * 0.075, 0.60)
    crane.bone(
        f"{name}_upper_wing",
        shoulder,
        [leaf(np.add(shoulder, (0.03, 0.0, 0.01)), np.add(elbow, (-0.03, 0.0, 0.0)), 0.1, 0.04)],
        joint=(f"{name}_shoulder", _wing_ball(shoulder, elbow, side), "body"),
        mass=0.16,
        color=_WING,
        clinical=_RAISED[name],
    )
    crane.bone(
        f"{name}_lower_wing",
        elbow,
        [leaf(np.add(elbow, (-0.07, 0.0, 0.0)), np.add(wrist, (0.02, 0.0, 0.01)), 0.13, 0.035)],
        joint=(f"{name}_elbow", hinge("y", 0.0, 150.0, "opening"), f"{name}_upper_wing"),
        mass=0.14,
        color=_WING,
    )
    crane.bone(
        f"{name}_wing_hand",
        wrist,
        [leaf(np.add(wrist, (0.015, 0.0, 0.0)), tip, 0.095, 0.028)],
        joint=(f"{name}_wrist", hinge("-y", 0.0, 150.0, "opening"), f"{name}_lower_wing"),
        mass=0.1,
        color=_WING,
    )
    crane.site(f"{name}_wing_tip", f"{name}_wing_hand", tip)


def _wing_ball(shoulder: Vec3, elbow: Vec3, side: float) -> Ball:
    """A shoulder whose zero is the wing held out, so that folded and raised are in its range."""
    along = np.subtract(elbow, shoulder)
    along = along / np.linalg.norm(along)
    middle = np.array([-0.35, side * 0.9, 0.1])
    middle /= np.linalg.norm(middle)
    axis = np.cross(along, middle)
    angle = np.arctan2(np.linalg.norm(axis), along @ middle)
    zero = axis / np.linalg.norm(axis) * angle
    twist = interval(-110.0, 20.0) if side > 0 else interval(-20.0, 110.0)
    ellipse = SphericalEllipse(*np.deg2rad([80.0, 80.0]).tolist())
    return Ball(vector(along, "along"), vector(zero, "zero"), swing=(ellipse,), twist=Twist(*twist))


def _leg(crane: Sketch, name: str, side: float) -> None:
    """Thigh, hidden in the feathers, shank, shaft and toes; the bend behind is the ankle."""
    hip, knee = (0.01, side * 0.055, 0.69), (0.085, side * 0.075, 0.60)
    ankle, knuckle = (-0.035, side * 0.072, 0.33), (0.005, side * 0.072, 0.02)
    ranges = limb_ranges(side, (-50.0, 50.0), (-15.0, 40.0), (-25.0, 25.0))
    crane.bone(
        f"{name}_thigh",
        hip,
        [limb(hip, knee, 0.062, 0.046)],
        joint=(f"{name}_hip", round_ball("-z", *ranges), "body"),
        mass=0.2,
        color=_FEATHERS,
        clinical=limb_angles(side),
    )
    calf = np.array(knee) + 0.45 * np.subtract(ankle, knee)
    crane.bone(
        f"{name}_shank",
        knee,
        [limb(knee, calf, 0.045, 0.018), limb(calf, ankle, 0.018, 0.012)],
        joint=(f"{name}_knee", hinge("y", -60.0, 75.0), f"{name}_thigh"),
        mass=0.15,
        color=_FEATHERS,
    )
    crane.bone(
        f"{name}_shaft",
        ankle,
        [limb(ankle, knuckle, 0.0135, 0.010)],
        joint=(f"{name}_ankle", hinge("-y", -32.0, 125.0), f"{name}_shank"),
        mass=0.06,
        color=_SKIN,
    )
    x, y, _ = knuckle
    toes: list[Shape] = [
        limb((x, y, 0.0105), (x + u, y + v, 0.006), 0.0105, 0.006)
        for u, v in ((0.1, 0.0), (0.085, 0.05), (0.085, -0.05), (-0.045, 0.0))
    ]
    turn = round_swing("-z", (-25.0, 25.0), (-60.0, 60.0))
    crane.bone(
        f"{name}_toes",
        knuckle,
        toes,
        joint=(f"{name}_toes", turn, f"{name}_shaft"),
        mass=0.03,
        color=_SKIN,
        clinical={"flexion": "y", "tilt": "x"},
    )
    outline = [(-0.045, -0.006), (0.085, -0.05), (0.1, 0.0), (0.085, 0.05), (-0.045, 0.006)]
    crane.site(f"{name}_foot", f"{name}_toes", (x, y, 0.0), rotation=DOWN, outline=outline)
