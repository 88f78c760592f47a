"""A shoulder with clavicle and scapula, which must slide on an ellipsoid for a thorax."""

from __future__ import annotations

import numpy as np

from poise.checking import AXES, Vec3, number, vector
from poise.errors import unknown_name
from poise.figure import Ball, Elbow, Ellipsoid, Figure, Fixed, Sphere, SphericalEllipse, Twist
from poise.figure.kinds import Interval
from poise.figure.recipes import ready
from poise.figure.shapes import Shape
from poise.models.sketch import (
    SIDES,
    Sketch,
    interval,
    limb,
    limb_angles,
    limb_ranges,
    round_swing,
)
from poise.models.tables import table

_STATURE, _MASS = 1.75, 75.0  # m and kg: the size at which the points below are drawn
_CENTER: Vec3 = (0.0, 0.0, 1.215)  # of the thorax
_RADII: Vec3 = (0.118, 0.148, 0.235)
_BONE, _RIBS, _MUTED = "#e8dfcc", "#c9b9a6", "#b9bec6"


@ready
def shoulder_complex(side: str = "right", *, stature: float = 1.75) -> Figure:
    """Clavicle, scapula and arm on a fixed trunk: 13 coordinates.

    The joints at both ends of the clavicle and the shoulder joint are balls; elbow 2, wrist 2.
    Nothing holds the scapula to the thorax: its point `scapula_point`, in the middle of the
    border near the spine, lies at rest on the thorax, and a task must keep it there (thesis
    7.3.1 and Fig. 7.3, after Maurel & Thalmann 2000). The thorax is an ellipsoid, the one shape
    of the segment `thorax`, whose frame is in its centre, and so is the site `thorax_center`.

    Half-angles of the three cones: Garner & Pandy 1999 and its line, secondary. How the cones lie
    in our frames is not in the source: chosen so that the resting arm is near an edge, as it
    is in people. Twists are estimates. Sites: thorax_center, scapula_point, acromion, shoulder,
    elbow, hand, fingertip.

    Args:
        side: "right" (as in the thesis) or "left".
        stature: in metres, of the person whose shoulder it is.
    """
    if not isinstance(side, str) or side not in dict(SIDES):
        raise unknown_name("side", side, dict(SIDES), "shoulder_complex")
    stature = number(stature, "the stature (m)", above=0, least=0.1, most=10)
    sign = dict(SIDES)[side]
    body = Sketch(
        "shoulder_complex",
        f"a {side} shoulder whose scapula slides on the thorax",
        scale=stature / _STATURE,
    )
    _trunk(body)
    _girdle(body, sign)
    _arm(body, sign)
    return body.build()


def _trunk(body: Sketch) -> None:
    """What does not move: spine, pelvis and head for orientation, and the thorax."""
    body.segment(
        "trunk",
        (0.0, 0.0, 0.93),
        [
            Ellipsoid((0.0, 0.0, 0.96), (0.10, 0.15, 0.09)),
            limb((-0.05, 0.0, 0.97), (-0.112, 0.0, 1.22), 0.028, 0.024),
            limb((-0.112, 0.0, 1.22), (-0.02, 0.0, 1.58), 0.024, 0.022),
            Ellipsoid((0.01, 0.0, 1.65), (0.095, 0.076, 0.10)),
            limb((0.03, 0.0, 1.63), (0.05, 0.0, 1.57), 0.06, 0.038),
        ],
        mass=(_share("head") + _share("lower_trunk") + _share("middle_trunk")) * _MASS,
        color=_MUTED,
    )
    body.root("trunk", "fixed")
    body.bone(
        "thorax",
        _CENTER,
        [Ellipsoid(_CENTER, _RADII)],
        joint=("thorax", Fixed(), "trunk"),
        mass=_share("upper_trunk") * _MASS,
        color=_RIBS,
    )
    body.site("thorax_center", "thorax", _CENTER)


def _girdle(body: Sketch, side: float) -> None:
    """The clavicle on the sternum, and the scapula on the clavicle."""
    sternum, acromion = (0.062, side * 0.022, 1.428), (-0.035, side * 0.172, 1.452)
    body.bone(
        "clavicle",
        sternum,
        [
            limb(sternum, (0.045, side * 0.10, 1.447), 0.012, 0.009),
            limb((0.045, side * 0.10, 1.447), acromion, 0.009, 0.010),
        ],
        joint=("sternoclavicular", _sternoclavicular(side), "thorax"),
        mass=0.3,
        color=_BONE,
        clinical={
            "elevation": "x" if side > 0 else "-x",
            "protraction": "-z" if side > 0 else "z",
            "rotation": "-y",
        },
    )
    point = _on_thorax(side * 0.08, 1.345)
    corners = np.array(
        [
            (-0.060, side * 0.070, 1.440),
            (-0.068, side * 0.075, 1.400),
            (point[0] - 0.006, *point[1:]),  # half the blade's thickness behind the thorax
            (-0.097, side * 0.092, 1.272),
        ]
    )
    shares = np.linspace(0.0, 3.0, 13)
    border = np.stack([np.interp(shares, range(4), corners[:, k]) for k in range(3)], axis=-1)
    socket, tip = (-0.022, side * 0.152, 1.405), (-0.030, side * 0.185, 1.450)
    blade: list[Shape] = [limb(start, socket, 0.006, 0.012) for start in border]
    blade += [limb(corners[i], corners[i + 1], 0.006, 0.006) for i in range(3)]
    blade.append(limb(corners[1], tip, 0.008, 0.010))
    body.bone(
        "scapula",
        acromion,
        blade,
        joint=("acromioclavicular", _acromioclavicular(side), "clavicle"),
        mass=0.8,
        color=_BONE,
        clinical=limb_angles(side),
    )
    body.site("scapula_point", "scapula", point)
    body.site("acromion", "scapula", tip)


def _arm(body: Sketch, side: float) -> None:
    y = side * 0.178
    shoulder, elbow, wrist = (-0.008, y, 1.408), (-0.008, y, 1.083), (-0.008, y, 0.828)
    humerus: list[Shape] = [
        Sphere(shoulder, 0.025),
        limb(shoulder, elbow, 0.016, 0.013),
        Ellipsoid(elbow, (0.016, 0.03, 0.017)),
    ]
    body.bone(
        "upper_arm",
        shoulder,
        humerus,
        joint=("glenohumeral", _glenohumeral(side), "scapula"),
        mass=_share("upper_arm") * _MASS,
        color=_BONE,
        clinical=limb_angles(side),
    )
    ranges = table("joints")
    inward = AXES["-z"] if side > 0 else AXES["z"]
    hinge_and_twist = Elbow(
        AXES["-y"],
        inward,
        interval(-ranges["elbow"]["extension"], ranges["elbow"]["flexion"]),
        interval(0.0, 90.0 + ranges["forearm"]["pronation"]),  # 90: from palm forward to inward
        ("flexion", "pronation"),
    )
    body.bone(
        "forearm",
        elbow,
        [
            limb(np.add(elbow, (0.0, k, -0.01)), np.add(wrist, (0.0, k, 0.0)), 0.012, 0.010)
            for k in (-0.013, 0.013)
        ],
        joint=("elbow", hinge_and_twist, "upper_arm"),
        mass=_share("forearm") * _MASS,
        color=_BONE,
    )
    bend = ranges["wrist"]
    flexion, deviation = (-bend["extension"], bend["flexion"]), (-bend["ulnar"], bend["radial"])
    x, y, _ = limb_ranges(side, flexion, deviation, (0.0, 0.0))
    body.bone(
        "hand",
        wrist,
        _fingers(wrist, side),
        joint=("wrist", round_swing("-z", x, y), "forearm"),
        mass=_share("hand") * _MASS,
        color=_BONE,
        clinical={k: limb_angles(side)[k] for k in ("flexion", "abduction")},
    )
    body.site("shoulder", "upper_arm", shoulder)
    body.site("elbow", "forearm", elbow)
    body.site("hand", "hand", np.add(wrist, (0.02, 0.0, -0.08)))
    body.site("fingertip", "hand", np.add(wrist, (0.0, 0.0, -0.189)))
    rest = table("joints")["rest"]
    body.rest("glenohumeral", abduction=rest["arm"]["abduction"], rotation=rest["arm"]["internal"])
    body.rest("elbow", **rest["elbow"])


def _fingers(wrist: Vec3, side: float) -> list[Shape]:
    """Bones of a hand that hangs with its palm forward, the thumb outward."""
    root = np.array(wrist)
    bones: list[Shape] = [
        Ellipsoid(vector(root - (0.0, 0.0, 0.014), "wrist"), (0.012, 0.026, 0.02))
    ]
    ends = (
        (0.012, 0.03, 0.180),
        (0.0, 0.01, 0.189),
        (-0.012, -0.01, 0.178),
        (-0.024, -0.03, 0.155),
    )
    for knuckle, tip, down in ends:
        middle = root + (0.0, side * 1.2 * knuckle, -0.095)
        bones.append(limb(root + (0.0, side * knuckle, -0.02), middle, 0.008, 0.009))
        bones.append(limb(middle, root + (0.004, side * tip, -down), 0.009, 0.006))
    start = root + (0.006, side * 0.022, -0.02)
    bones.append(limb(start, root + (0.03, side * 0.062, -0.10), 0.009, 0.007))
    return bones


# The three balls. Each half-angle is a cone's in the table of the shoulder --------------------


def _sternoclavicular(side: float) -> Ball:
    """Up 34.8° and down 10.8°, forward and back 14°."""
    middle = (side * 12.0, 0.0)
    turn = (-45.0, 10.0) if side > 0 else (-10.0, 45.0)
    return _cone("y" if side > 0 else "-y", (22.8, 14.0), middle, turn)


def _acromioclavicular(side: float) -> Ball:
    """The lower end out 29.3° and in 9.3°, forward and back 15.1°; it turns 25° either way."""
    return _cone("-z", (19.3, 15.1), (side * 10.0, 0.0), (-25.0, 25.0))


def _glenohumeral(side: float) -> Ball:
    """About an arm held out by 50° and forward by 25°, which is the zero of its chart."""
    _, _, turn = limb_ranges(side, (0.0, 0.0), (0.0, 0.0), (-65.0, 75.0))
    return _cone("-z", (67.4, 47.7), (0.0, 0.0), turn, zero=(side * 50.0, -25.0, 0.0))


def _cone(
    axis: str,
    half: tuple[float, float],
    centre: tuple[float, float],
    twist: Interval,
    *,
    zero: Vec3 = (0.0, 0.0, 0.0),
) -> Ball:
    """A ball limited by an elliptic cone of two half-angles about its sx and sy, in degrees."""
    (rx, ry), (cx, cy) = np.deg2rad(half).tolist(), np.deg2rad(centre).tolist()
    limits = (SphericalEllipse(rx, ry, (cx, cy)),)
    offset = vector(np.deg2rad(zero), "the zero of a cone")
    return Ball(AXES[axis], offset, swing=limits, twist=Twist(*interval(*twist)))


def _on_thorax(y: float, z: float) -> Vec3:
    """The point of the thorax's back at a place to the side and a height."""
    depth = 1.0 - ((y - _CENTER[1]) / _RADII[1]) ** 2 - ((z - _CENTER[2]) / _RADII[2]) ** 2
    return (_CENTER[0] - _RADII[0] * float(np.sqrt(depth)), y, z)


def _share(segment: str) -> float:
    """A man's share of his mass (de Leva 1996)."""
    return 0.01 * float(table("body_segments")["segments"][segment]["mass"][0])
