"""A plain person whose joints are chosen one by one, for figures of published sizes.

Lengths: Drillis & Contini 1966 (in Winter 2009), with the breadth of the shoulders from ANSUR II.
Masses and ranges of joints: the tables of the human figure. All is drawn in the anatomical
position (arms hanging, palms forward), in shares of stature and of the body's mass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from poise.checking import Vec3, number
from poise.figure import Ellipsoid, Figure, Fixed, Sphere
from poise.figure.kinds import JointKind
from poise.figure.shapes import Shape
from poise.models.sketch import (
    DOWN,
    SIDES,
    Sketch,
    limb,
    limb_angles,
    rectangle,
)
from poise.models.tables import table

ANKLE, KNEE, HIP, SHOULDER, EYES = 0.039, 0.285, 0.530, 0.818, 0.936  # heights
UPPER_ARM, FOREARM, HAND, FOOT = 0.186, 0.146, 0.108, 0.152  # lengths
HIP_SIDE, SHOULDER_SIDE = 0.05, 0.108  # of joint centres; half the biacromial breadth is 0.118
LOWEST_JOINT, NECK_BASE, NECK_TOP = 0.582, 0.856, 0.912  # heights: sacrum, C7, skull

_STANDING = {"flexion": "y", "bend": "x", "rotation": "z"}  # forward, to the right, to the left

# The trunk's ellipses: height, half breadth, half depth; by eye.
_PROFILE = np.array(
    [
        (0.485, 0.080, 0.056),
        (0.520, 0.097, 0.066),
        (0.560, 0.096, 0.066),
        (0.600, 0.087, 0.060),
        (0.640, 0.084, 0.061),
        (0.700, 0.093, 0.069),
        (0.760, 0.101, 0.069),
        (0.800, 0.098, 0.062),
        (0.830, 0.076, 0.050),
        (0.856, 0.040, 0.036),
    ]
)
# Shares that de Leva does not give; estimates. Clavicle and neck are of the body's mass, the
# others of the hand's and the foot's.
_CLAVICLE, _NECK, _FINGERS, _THUMB, _TOES = 0.006, 0.015, 0.35, 0.1, 0.15

STIFF = Fixed()
"""A joint that does not move."""


class Person:
    """Draws a person part by part, with the joints that are asked for.

    A joint is given as a kind; by default it is stiff, so that a figure of few coordinates is
    still a whole person.
    """

    def __init__(self, name: str, description: str, *, stature: float, mass: float) -> None:
        """Start with a size: stature in metres, mass in kilograms."""
        stature = number(stature, "the stature (m)", above=0, least=0.1, most=10)
        self.mass = number(mass, "the mass (kg)", above=0, most=1e4)
        self.sketch = Sketch(name, description, scale=stature, mass_scale=self.mass)
        self._chest = self._top = "pelvis"
        self._colors = table("look")["colors"]

    def build(self) -> Figure:
        """Put the parts together."""
        return self.sketch.build()

    def trunk(
        self,
        kinds: Mapping[str, tuple[str, JointKind]],
        *,
        root: str = "fixed",
        heights: Sequence[float] | None = None,
    ) -> None:
        """The pelvis, which is the root, and the trunk: (joint, kind) by segment, from below.

        Segments are of even height, or as the given heights are to each other.
        """
        steps = np.ones(len(kinds)) if heights is None else np.array(heights)
        ends = LOWEST_JOINT + (NECK_BASE - LOWEST_JOINT) * np.cumsum([0, *steps]) / steps.sum()
        shares = np.diff([0.5, *ends]) / (NECK_BASE - 0.5)
        mass = sum(_mass(f"{part}_trunk") for part in ("upper", "middle", "lower"))
        masses = (shares * (mass - 2 * _CLAVICLE)).tolist()
        middle = (0.0, 0.0, HIP)
        color = self._colors["trousers"]
        self.sketch.segment("pelvis", middle, _slices(0.51, ends[0]), mass=masses[0], color=color)
        self.sketch.root("pelvis", root)
        for i, (name, (joint, kind)) in enumerate(kinds.items()):
            shapes = _slices(ends[i], ends[i + 1])
            self._stack(name, ends[i], shapes, joint, kind, masses[i + 1], "shirt")
        self._chest = self._top

    def neck(self, kinds: Mapping[str, tuple[str, JointKind]], head: JointKind) -> None:
        """Neck segments of even height, (joint, kind) by name, from below, and the head."""
        ends = np.linspace(NECK_BASE, NECK_TOP, len(kinds) + 1)
        for i, (name, (joint, kind)) in enumerate(kinds.items()):
            shape = limb((0.0, 0.0, ends[i] - 0.012), (0.004, 0.0, ends[i + 1]), 0.034, 0.031)
            self._stack(name, ends[i], [shape], joint, kind, _NECK / len(kinds), "skin")
        face = 0.006  # the head's middle, ahead of the neck
        shapes: list[Shape] = [
            Ellipsoid((face, 0.0, 0.943), (0.055, 0.0435, 0.057)),
            limb((0.014, 0.0, 0.930), (0.027, 0.0, 0.896), 0.042, 0.023),
            Sphere((0.0575, 0.0, 0.925), 0.0085),
        ]
        mass = _mass("head") - _NECK
        self._stack("head", NECK_TOP, shapes, "head", head, mass, "skin")
        self.sketch.site("eyes", "head", (0.058, 0.0, EYES))
        self.sketch.site("head_top", "head", (face, 0.0, 1.0))

    def arm(
        self,
        side: str,
        *,
        clavicle: JointKind = STIFF,
        shoulder: JointKind = STIFF,
        elbow: JointKind = STIFF,
        wrist: JointKind = STIFF,
        knuckles: JointKind | None = None,
        thumb: JointKind | None = None,
        names: tuple[str, str] = ("clavicle", "shoulder"),
    ) -> None:
        """Clavicle, upper arm, forearm and hand; with knuckles, fingers and thumb as well.

        `names` are those of the two joints of the shoulder.
        """
        sign = dict(SIDES)[side]
        y, ends = sign * SHOULDER_SIDE, np.cumsum([SHOULDER, -UPPER_ARM, -FOREARM, -HAND])
        upper, lower, hand, tip = ((0.0, y, float(z)) for z in ends)
        inner = (0.012, sign * 0.018, SHOULDER + 0.006)
        shape = limb((0.0, sign * 0.04, SHOULDER + 0.004), (0.0, y, SHOULDER - 0.002), 0.03, 0.032)
        joint = (f"{side}_{names[0]}", clavicle, self._chest)
        self._bone(f"{side}_clavicle", inner, [shape], joint, _CLAVICLE, "shirt", _girdle(sign))
        joint = (f"{side}_{names[1]}", shoulder, f"{side}_clavicle")
        flesh = [limb(upper, lower, 0.031, 0.023)]
        mass = _mass("upper_arm")
        self._bone(f"{side}_upper_arm", upper, flesh, joint, mass, "shirt", limb_angles(sign))
        joint = (f"{side}_elbow", elbow, f"{side}_upper_arm")
        flesh = [limb(lower, hand, 0.0235, 0.0155)]
        self._bone(
            f"{side}_forearm", lower, flesh, joint, _mass("forearm"), "skin", limb_angles(sign)
        )
        _, _, z = hand
        inside: list[Shape] = [Ellipsoid((0.0, y, z - 0.026), (0.0105, 0.0235, 0.034))]
        fingers = Ellipsoid((0.002, y, z - 0.076), (0.0085, 0.0215, 0.034))
        root = (0.004, y + sign * 0.016, z - 0.018)
        digit = limb(root, (0.016, y + sign * 0.034, z - 0.058), 0.0085, 0.006)
        inside += [] if knuckles else [fingers]
        inside += [] if thumb else [digit]
        mass = _mass("hand") * (1 - (_FINGERS if knuckles else 0) - (_THUMB if thumb else 0))
        joint = (f"{side}_wrist", wrist, f"{side}_forearm")
        self._bone(f"{side}_hand", hand, inside, joint, mass, "skin", limb_angles(sign))
        if knuckles:
            joint = (f"{side}_knuckles", knuckles, f"{side}_hand")
            bend = (0.0, y, z - 0.052)
            mass = _mass("hand") * _FINGERS
            self._bone(f"{side}_fingers", bend, [fingers], joint, mass, "skin", limb_angles(sign))
        if thumb:
            joint = (f"{side}_thumb", thumb, f"{side}_hand")
            self._bone(f"{side}_thumb", root, [digit], joint, _mass("hand") * _THUMB, "skin", {})
        self.sketch.site(f"{side}_shoulder", f"{side}_upper_arm", upper)
        self.sketch.site(f"{side}_elbow", f"{side}_forearm", lower)
        palm_out = (0.0, float(np.pi / 2), 0.0)  # z out of the palm, forward
        self.sketch.site(f"{side}_hand", f"{side}_hand", palm(sign), rotation=palm_out)
        end = f"{side}_fingers" if knuckles else f"{side}_hand"
        self.sketch.site(f"{side}_fingertip", end, tip)

    def leg(
        self,
        side: str,
        *,
        hip: JointKind = STIFF,
        knee: JointKind = STIFF,
        ankle: JointKind = STIFF,
        toes: JointKind | None = None,
    ) -> None:
        """Thigh, shank and foot; with a joint for the toes, these as well."""
        sign = dict(SIDES)[side]
        y = sign * HIP_SIDE
        top, middle, low = (0.0, y, HIP), (0.0, y, KNEE), (0.0, y, ANKLE)
        heel, ball, tip = -0.04, FOOT - 0.04 - 0.042, FOOT - 0.04
        joint = (f"{side}_hip", hip, "pelvis")
        flesh = [limb(top, middle, 0.05, 0.034)]
        self._bone(
            f"{side}_thigh", top, flesh, joint, _mass("thigh"), "trousers", limb_angles(sign)
        )
        joint = (f"{side}_knee", knee, f"{side}_thigh")
        calf = (-0.006, y, KNEE - 0.065)
        flesh = [limb(middle, low, 0.033, 0.021), limb(calf, low, 0.033, 0.021)]
        bent = {"flexion": "y", **{k: a for k, a in limb_angles(sign).items() if k != "flexion"}}
        self._bone(f"{side}_shank", middle, flesh, joint, _mass("shank"), "trousers", bent)
        joint = (f"{side}_ankle", ankle, f"{side}_shank")
        sole: list[Shape] = [
            limb((heel + 0.02, y, 0.02), (ball, y + across, 0.0155), 0.02, 0.0155)
            for across in (-0.0115, 0.0115)
        ]
        sole.append(limb(low, (ball, y, 0.019), 0.0225, 0.015))
        front: list[Shape] = [
            limb((ball, y + across, 0.0155), (tip - 0.012, y + 0.8 * across, 0.012), 0.0155, 0.012)
            for across in (-0.0115, 0.0115)
        ]
        mass = _mass("foot") * (1 - (_TOES if toes else 0))
        shapes = sole if toes else sole + front
        turned = {"dorsiflexion": "-y", "eversion": limb_angles(sign)["abduction"]}
        if ankle.spherical is not None and ankle.spherical.twists:
            turned["rotation"] = limb_angles(sign)["rotation"]
        self._bone(f"{side}_foot", low, shapes, joint, mass, "shoes", turned)
        if toes:
            joint = (f"{side}_toes", toes, f"{side}_foot")
            place = (ball, y, 0.0155)
            self._bone(f"{side}_toes", place, front, joint, _mass("foot") * _TOES, "shoes", {})
        center = 0.5 * (heel + tip)
        outline = rectangle(heel - center, (ball if toes else tip) - center, 0.0275)
        place = (center, y, 0.0)
        self.sketch.site(f"{side}_foot", f"{side}_foot", place, rotation=DOWN, outline=outline)

    def _stack(
        self,
        name: str,
        height: float,
        shapes: Sequence[Shape],
        joint: str,
        kind: JointKind,
        mass: float,
        color: str,
    ) -> None:
        """A segment on top of what there is of trunk, neck and head."""
        at = (0.0, 0.0, float(height))
        self._bone(name, at, shapes, (joint, kind, self._top), mass, color, _STANDING)
        self._top = name

    def _bone(
        self,
        name: str,
        origin: Vec3,
        shapes: Sequence[Shape],
        joint: tuple[str, JointKind, str],
        mass: float,
        color: str,
        clinical: Mapping[str, str],
    ) -> None:
        kind = joint[1]
        angles = dict(clinical) if kind.is_spherical else {}
        if kind.spherical is not None and not kind.spherical.twists:
            angles.pop("rotation", None)
        shade = self._colors[color]
        self.sketch.bone(name, origin, shapes, joint=joint, mass=mass, color=shade, clinical=angles)


def palm(side: float) -> Vec3:
    """The middle of a palm's skin, as it is drawn."""
    return (0.012, side * SHOULDER_SIDE, SHOULDER - UPPER_ARM - FOREARM - 0.045)


def _mass(segment: str) -> float:
    """A man's share of his mass (de Leva 1996)."""
    return 0.01 * float(table("body_segments")["segments"][segment]["mass"][0])


def _slices(low: float, high: float) -> list[Shape]:
    """Flat ellipsoids that fill the trunk between two heights, overlapping."""
    count = max(1, round((high - low) / 0.012))
    slices: list[Shape] = []
    for i in range(count):
        z = float(low + (high - low) * (i + 0.5) / count)
        breadth, depth = (float(np.interp(z, _PROFILE[:, 0], _PROFILE[:, k])) for k in (1, 2))
        tall = min(0.05, NECK_BASE + 0.012 - z)  # much overlap looks smooth; the top stays flat
        slices.append(Ellipsoid((0.004, 0.0, z), (depth, breadth, tall)))
    return slices


def _girdle(side: float) -> dict[str, str]:
    """Clinical angles of a clavicle, which points to its side: up, forward, turned back."""
    if side > 0:
        return {"elevation": "x", "protraction": "-z", "rotation": "-y"}
    return {"elevation": "-x", "protraction": "z", "rotation": "-y"}
