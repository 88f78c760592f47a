"""Joints of a plain person: an interval for every coordinate.

The published figures limit each angle by itself, and so do these; the human figure has better
limits. Ranges are those of the tables of the human figure.
"""

from __future__ import annotations

from collections.abc import Mapping

from poise.figure import Ball, Hinge, Swing
from poise.figure.kinds import Interval
from poise.models.sketch import boxed_ball, boxed_swing, hinge, limb_ranges
from poise.models.tables import table

_WAIST: dict[str, float] = {"flexion": 80.0, "extension": 27.0, "lateral": 35.0, "axial": 45.0}
# AAOS 1965, secondary: the trunk as a whole.


def trunk(joints: int) -> Ball:
    """One of so many joints that share the trunk's range."""
    return _standing({name: angle / joints for name, angle in _WAIST.items()})


def neck(joints: int = 1) -> Ball:
    """One of so many joints that share the neck's range."""
    return _standing({name: angle / joints for name, angle in table("joints")["neck"].items()})


def head() -> Swing:
    """The head on the neck: nodding and tilting."""
    ranges = table("joints")["head"]
    side = ranges["lateral"]
    return boxed_swing("z", (-side, side), (-ranges["extension"], ranges["flexion"]))


def head_ball() -> Ball:
    """The head on the neck, turning a little as well."""
    return _standing({**table("joints")["head"], "axial": 5.0})


def vertebra(level: str) -> Ball:
    """A joint of the spine by its level, such as "l5_s1"; see `vertebral_range`."""
    return _standing(vertebral_range(level))


def vertebral_range(level: str) -> dict[str, float]:
    """Flexion, extension, lateral bend and axial rotation (to one side) of a level, in degrees."""
    spine = table("spine")
    ranges, shares = spine["levels"][level], spine["thoracic_share"]
    stiff = {name: shares[name] if level.startswith("t") else 1.0 for name in shares}
    arc = ranges["flexion"] * stiff["flexion"]
    return {
        "flexion": arc * spine["flexion_share"],
        "extension": arc * (1 - spine["flexion_share"]),
        "lateral": ranges["lateral"] * stiff["lateral"],
        "axial": ranges["axial"] * stiff["axial"],
    }


def clavicle(side: float) -> Swing:
    """The clavicle on the sternum: elevation and protraction."""
    up, forward = _girdle_ranges(side)
    return boxed_swing("y" if side > 0 else "-y", up, forward)


def clavicle_hinge(side: float) -> Hinge:
    """The clavicle on the sternum: elevation only."""
    low, high = table("shoulder")["clavicle"]["elevation"]
    return hinge("x" if side > 0 else "-x", low, high, "elevation")


def clavicle_ball(side: float) -> Ball:
    """The clavicle on the sternum, which also turns about itself, backward (an estimate)."""
    up, forward = _girdle_ranges(side)
    turn = (-30.0, 5.0) if side > 0 else (-5.0, 30.0)
    return boxed_ball("y" if side > 0 else "-y", up, forward, turn)


SHOULDER_MIDDLE = 50.0
"""Flexion and abduction (degrees) of the upper arm where its chart is zero: ahead and aside."""


def shoulder(side: float) -> Ball:
    """The upper arm; the chart's zero is in the middle of its range."""
    m = SHOULDER_MIDDLE
    ranges = limb_ranges(side, (-95.0, 82.0), (-70.0, 82.0), (-85.0, 90.0))
    return boxed_ball("-z", *ranges, zero=(side * m, -m, 0.0))


def elbow() -> Hinge:
    """Flexion of the forearm."""
    ranges = table("joints")["elbow"]
    return hinge("-y", -ranges["extension"], ranges["flexion"])


def elbow_ball(side: float) -> Ball:
    """The forearm with its pronation, and a trace of what the elbow gives to the sides."""
    ranges = table("joints")["elbow"]
    flexion = (-ranges["extension"], ranges["flexion"])
    return boxed_ball("-z", *limb_ranges(side, flexion, (-3.0, 3.0), _pronation()))


def wrist_ball(side: float, *, pronates: bool = True) -> Ball:
    """The hand, with the forearm's pronation unless the elbow has that."""
    ranges = table("joints")["wrist"]
    flexion = (-ranges["extension"], ranges["flexion"])
    deviation = (-ranges["ulnar"], ranges["radial"])
    turn = _pronation() if pronates else (-10.0, 10.0)
    return boxed_ball("-z", *limb_ranges(side, flexion, deviation, turn))


def knuckles() -> Hinge:
    """All fingers together."""
    return hinge("-y", 0.0, 90.0)


def thumb(side: float) -> Hinge:
    """The thumb, folding over the palm."""
    return hinge("-z" if side > 0 else "z", -20.0, 60.0)


def hip(side: float) -> Ball:
    """The thigh."""
    r = table("joints")["hip"]
    flexion, abduction = (-r["extension"], r["flexion"]), (-r["adduction"], r["abduction"])
    return boxed_ball("-z", *limb_ranges(side, flexion, abduction, (-r["external"], r["internal"])))


def knee() -> Hinge:
    """Flexion of the shank."""
    ranges = table("joints")["knee"]
    return hinge("y", -ranges["extension"], ranges["flexion"])


def knee_ball(side: float) -> Ball:
    """The shank, with the little that the knee gives to the sides and about its axis."""
    ranges = table("joints")["knee"]
    forward = (-ranges["flexion"], ranges["extension"])
    return boxed_ball("-z", *limb_ranges(side, forward, (-2.0, 2.0), (-10.0, 10.0)))


def ankle_ball(side: float) -> Ball:
    """The foot: dorsiflexion, eversion and a little rotation."""
    ranges = table("joints")["ankle"]
    flexion = (-ranges["plantarflexion"], 20.0)
    eversion = (-ranges["inversion"], ranges["eversion"])
    return boxed_ball("-z", *limb_ranges(side, flexion, eversion, (-15.0, 15.0)))


def toes() -> Hinge:
    """The toes, upward."""
    ranges = table("joints")["toes"]
    return hinge("-y", -ranges["flexion"], ranges["extension"], "extension")


def _standing(r: Mapping[str, float]) -> Ball:
    """A ball below a segment that stands on it: sx bends to the right, sy forward."""
    side, turn = (-r["lateral"], r["lateral"]), (-r["axial"], r["axial"])
    return boxed_ball("z", side, (-r["extension"], r["flexion"]), turn)


def _girdle_ranges(side: float) -> tuple[Interval, Interval]:
    """Of a clavicle's sx, which is elevation on the left, and sy, which is protraction."""
    ranges = table("shoulder")["clavicle"]
    low, high = ranges["elevation"]
    back, forward = ranges["protraction"]
    return ((low, high) if side > 0 else (-high, -low)), (back, forward)


def _pronation() -> Interval:
    """From the anatomical position, in which the palm looks forward; 90 is the middle."""
    return (0.0, 90.0 + table("joints")["forearm"]["pronation"])
