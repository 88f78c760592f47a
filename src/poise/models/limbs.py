"""Joints of legs, lower arms, neck and head, with the ranges of the table `joints`.

A limb hangs along −z; in the chart of that axis sx is a turn about the body's x axis and sy a
flexion, forward. `side` is +1 for the left, −1 for the right.
"""

from __future__ import annotations

import numpy as np

from poise.checking import Vec3
from poise.figure import Ball, Builder, Elbow, Hinge, SphericalEllipse, Swing, Twist
from poise.figure.kinds import Interval
from poise.models.tables import table

UP: Vec3 = (0.0, 0.0, 1.0)
DOWN: Vec3 = (0.0, 0.0, -1.0)
FORWARD_TURN: Vec3 = (0.0, -1.0, 0.0)
"""The axis about which hanging limbs move forward, and feet and toes up."""


LegJoint = Ball | Hinge | Swing


def degrees(joint: str) -> dict[str, float]:
    """The ranges of a joint, in radians."""
    return {motion: float(np.deg2rad(value)) for motion, value in table("joints")[joint].items()}


def hip(side: float) -> Ball:
    """The zero of the chart is in the middle of flexion, and swing_y is flexion less that."""
    own = degrees("hip")
    middle, reach = _split(-own["extension"], own["flexion"])
    aside, spread = _split(*_sided(side, -own["adduction"], own["abduction"]))
    return Ball(
        axis=DOWN,
        zero=(0.0, -middle, 0.0),
        swing=(SphericalEllipse(spread, reach, (aside, 0.0)),),
        twist=Twist(*_sided(side, -own["external"], own["internal"])),
    )


def knee() -> Hinge:
    """The shank goes back."""
    own = degrees("knee")
    return Hinge((0.0, 1.0, 0.0), (-own["extension"], own["flexion"]), "flexion")


def ankle(side: float) -> Swing:
    """Dorsiflexion is swing_y; eversion is swing_x, of the left foot."""
    own = degrees("ankle")
    return Swing(
        axis=DOWN,
        swing_x=_sided(side, -own["inversion"], own["eversion"]),
        swing_y=(-own["plantarflexion"], _dorsiflexion(degrees("knee")["flexion"])),
    )


def toes() -> Hinge:
    """Extension lifts them."""
    own = degrees("toes")
    return Hinge(FORWARD_TURN, (-own["flexion"], own["extension"]), "extension")


def elbow(side: float) -> Elbow:
    """Flexion, and pronation from the palm forward: 90° is with the thumb forward."""
    own, turn = degrees("elbow"), degrees("forearm")
    return Elbow(
        flexion_axis=FORWARD_TURN,
        twist_axis=(0.0, 0.0, -side),
        flexion_limits=(-own["extension"], own["flexion"]),
        twist_limits=(0.5 * np.pi - turn["supination"], 0.5 * np.pi + turn["pronation"]),
        coordinates=("flexion", "pronation"),
    )


def wrist(side: float) -> Swing:
    """Flexion is towards the palm; radial deviation towards the thumb."""
    own = degrees("wrist")
    aside, spread = _split(*_sided(side, -own["ulnar"], own["radial"]))
    middle, reach = _split(-own["extension"], own["flexion"])
    return Swing(axis=DOWN, swing=(SphericalEllipse(spread, reach, (aside, middle)),))


def neck() -> Ball:
    """All cervical joints but the head's own nods."""
    own = degrees("neck")
    middle, reach = _split(-own["extension"], own["flexion"])
    ellipse = SphericalEllipse(own["lateral"], reach, (0.0, middle))
    return Ball(axis=UP, swing=(ellipse,), twist=Twist(-own["axial"], own["axial"]))


def head() -> Swing:
    """The two upper joints of the neck; they nod and tilt."""
    own = degrees("head")
    middle, reach = _split(-own["extension"], own["flexion"])
    return Swing(axis=UP, swing=(SphericalEllipse(own["lateral"], reach, (0.0, middle)),))


def clinical(side: float, *names: str) -> dict[str, str]:
    """Clinical angles of a hanging limb: forward, away from the body, and (if wanted) inward."""
    axes = ("-y", "x", "-z") if side > 0 else ("-y", "-x", "z")
    return dict(zip(names, axes, strict=False))


def couple_leg(builder: Builder, side: str) -> None:
    """The muscles that span two joints: hamstrings, and calf."""
    numbers = table("joints")["couplings"]
    own = degrees("hip")
    middle = _split(-own["extension"], own["flexion"])[0]
    flexion = {f"{side}_hip.swing_y": 1.0, f"{side}_knee.flexion": -1.0}
    hamstrings = float(np.deg2rad(numbers["hip_less_knee"])) - middle
    builder.couple(f"{side}_hamstrings", flexion, upper=hamstrings)
    row = numbers["dorsiflexion"]
    lift = {f"{side}_ankle.swing_y": 1.0, f"{side}_knee.flexion": -row["more"] / row["bent"]}
    builder.couple(f"{side}_calf", lift, upper=float(np.deg2rad(row["straight"])))


def _dorsiflexion(knee_flexion: float) -> float:
    """The greatest dorsiflexion at a knee flexion, both in radians."""
    row = table("joints")["couplings"]["dorsiflexion"]
    return float(np.deg2rad(row["straight"])) + knee_flexion * row["more"] / row["bent"]


def _split(low: float, high: float) -> tuple[float, float]:
    """Middle and half width of an interval."""
    return 0.5 * (low + high), 0.5 * (high - low)


def _sided(side: float, low: float, high: float) -> Interval:
    """An interval of the left side, or its mirror image."""
    return (low, high) if side > 0 else (-high, -low)
