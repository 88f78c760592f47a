"""A quadruped: a dog of medium size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poise.checking import Vec3, number
from poise.figure import Ellipsoid, Figure, Fixed, Sphere
from poise.figure.kinds import JointKind
from poise.figure.recipes import ready
from poise.figure.shapes import Shape
from poise.models.sketch import (
    DOWN,
    SIDES,
    Sketch,
    hinge,
    limb,
    limb_angles,
    limb_ranges,
    rectangle,
    round_ball,
    round_swing,
)

_WITHERS = 0.6  # m: the height of the withers at which the points below are drawn
_COAT, _LEGS, _DARK, _PALE = "#b9844c", "#c8975f", "#2b2521", "#d9b48a"
_FORWARD = {"flexion": "y", "bend": "z", "roll": "x"}  # of what points forward: down, left, right


@ready
def quadruped(height: float = 0.6, *, root: str = "free") -> Figure:
    """A dog, with neck, head and jaw, tail and four legs; 60 coordinates with a free root.

    It stands at rest with its paws on z = 0, facing +x. Proportions, masses and ranges are
    chosen, of no breed in particular; the mass grows with height³. Sites: nose, eyes,
    head_top, withers, tail_tip, and for each leg the paw (the centre of its sole, with its
    outline): left_front_paw, right_hind_paw, …

    Args:
        height: of the withers above the floor, in metres.
        root: "free" (the pelvis may go anywhere) or "fixed".
    """
    height = number(height, "the height (m) of a quadruped", above=0, least=0.01, most=100)
    dog = Sketch("quadruped", "a dog standing on four legs", scale=height / _WITHERS)
    _trunk(dog)
    dog.root("pelvis", root)
    _neck_and_head(dog)
    _tail(dog)
    for name, side in SIDES:
        _front_leg(dog, name, side)
        _hind_leg(dog, name, side)
    _limbs(dog)
    return dog.build()


def _limbs(dog: Sketch) -> None:
    """Named as those of animals: by their joints alone the front legs would be arms."""
    dog.limb("spine", ("lumbar", "thoracic"))
    dog.limb("neck", ("neck_base", "neck", "head", "jaw", "left_ear", "right_ear"))
    dog.limb("tail", ("tail_1", "tail_2", "tail_3", "tail_4"))
    front = ("scapula", "shoulder", "elbow", "carpus", "front_paw")
    hind = ("hip", "stifle", "hock", "hind_paw")
    for side, _ in SIDES:
        dog.limb(f"{side}_front_leg", [f"{side}_{each}" for each in front])
        dog.limb(f"{side}_hind_leg", [f"{side}_{each}" for each in hind])


def _trunk(dog: Sketch) -> None:
    dog.segment(
        "pelvis",
        (-0.29, 0.0, 0.53),
        [
            Ellipsoid((-0.30, 0.0, 0.515), (0.115, 0.085, 0.082)),
            limb((-0.24, 0.0, 0.52), (-0.35, 0.0, 0.535), 0.08, 0.05),
        ],
        mass=4.0,
        color=_COAT,
    )
    bow, arch, turn = (-25.0, 25.0), (-20.0, 35.0), (-12.0, 12.0)
    kind = round_ball("x", bow, arch, turn)
    dog.bone(
        "loin",
        (-0.22, 0.0, 0.55),
        [limb((-0.20, 0.0, 0.505), (-0.02, 0.0, 0.475), 0.088, 0.118)],
        joint=("lumbar", kind, "pelvis"),
        mass=4.5,
        color=_COAT,
        clinical=_FORWARD,
    )
    dog.bone(
        "chest",
        (-0.03, 0.0, 0.56),
        [
            Ellipsoid((0.09, 0.0, 0.455), (0.19, 0.112, 0.145), (0.0, 0.12, 0.0)),
            limb((-0.02, 0.0, 0.49), (0.15, 0.0, 0.52), 0.10, 0.08),
            limb((0.12, 0.0, 0.52), (0.22, 0.0, 0.50), 0.08, 0.075),
        ],
        joint=("thoracic", kind, "loin"),
        mass=8.5,
        color=_COAT,
        clinical=_FORWARD,
    )
    dog.site("withers", "chest", (0.13, 0.0, 0.60))


def _neck_and_head(dog: Sketch) -> None:
    low, middle, top = (0.22, 0.0, 0.52), (0.29, 0.0, 0.595), (0.35, 0.0, 0.68)
    crane = round_ball("x", (-40.0, 40.0), (-40.0, 60.0), (-20.0, 20.0))
    nod = round_ball("x", (-45.0, 45.0), (-45.0, 70.0), (-40.0, 40.0))
    skull = Ellipsoid((0.388, 0.0, 0.718), (0.083, 0.068, 0.064))
    muzzle = limb((0.43, 0.0, 0.708), (0.525, 0.0, 0.682), 0.046, 0.029)
    lower, upper = [limb(low, middle, 0.082, 0.066)], [limb(middle, top, 0.066, 0.053)]
    bones: tuple[tuple[str, Vec3, Sequence[Shape], tuple[str, JointKind, str], float], ...] = (
        ("lower_neck", low, lower, ("neck_base", crane, "chest"), 1.6),
        ("upper_neck", middle, upper, ("neck", crane, "lower_neck"), 1.0),
        ("head", top, [skull, muzzle], ("head", nod, "upper_neck"), 1.6),
    )
    for name, origin, shapes, joint, mass in bones:
        dog.bone(name, origin, shapes, joint=joint, mass=mass, color=_COAT, clinical=_FORWARD)
    dog.bone(
        "jaw",
        (0.40, 0.0, 0.672),
        [limb((0.41, 0.0, 0.668), (0.512, 0.0, 0.652), 0.032, 0.018)],
        joint=("jaw", hinge("y", 0.0, 40.0, "opening"), "head"),
        mass=0.3,
        color=_PALE,
    )
    dog.bone(
        "face",
        (0.54, 0.0, 0.69),
        [
            Ellipsoid((0.551, 0.0, 0.694), (0.013, 0.016, 0.012)),
            Sphere((0.447, 0.037, 0.742), 0.0095),
            Sphere((0.447, -0.037, 0.742), 0.0095),
        ],
        joint=("face", Fixed(), "head"),
        mass=0.03,
        color=_DARK,
    )
    for name, side in SIDES:
        base, tip = (0.365, side * 0.042, 0.762), (0.348, side * 0.064, 0.848)
        dog.bone(
            f"{name}_ear",
            base,
            [limb(base, tip, 0.028, 0.006)],
            joint=(f"{name}_ear", hinge("-y", -20.0, 60.0, "folding"), "head"),
            mass=0.04,
            color=_DARK,
        )
    dog.site("nose", "face", (0.564, 0.0, 0.694))
    dog.site("eyes", "head", (0.455, 0.0, 0.742))
    dog.site("head_top", "head", (0.388, 0.0, 0.782))


def _tail(dog: Sketch) -> None:
    points = ((-0.385, 0.55), (-0.445, 0.545), (-0.505, 0.515), (-0.555, 0.465), (-0.595, 0.40))
    radii = (0.03, 0.028, 0.026, 0.022, 0.011)
    masses = (0.15, 0.12, 0.08, 0.05)
    parent = "pelvis"
    for i in range(4):
        name = f"tail_{i + 1}"
        (x, z), (u, v) = points[i], points[i + 1]
        dog.bone(
            name,
            (x, 0.0, z),
            [limb((x, 0.0, z), (u, 0.0, v), radii[i], radii[i + 1])],
            joint=(name, round_swing("-x", (-40.0, 40.0), (-45.0, 45.0)), parent),
            mass=masses[i],
            color=_COAT,
            clinical={"lift": "y", "wag": "z"},
        )
        parent = name
    dog.site("tail_tip", parent, (points[-1][0], 0.0, points[-1][1]))


def _front_leg(dog: Sketch, name: str, side: float) -> None:
    """Shoulder blade, upper arm, forearm, metacarpus and paw."""
    withers, shoulder = (0.12, side * 0.05, 0.575), (0.215, side * 0.085, 0.425)
    elbow, carpus = (0.115, side * 0.092, 0.315), (0.13, side * 0.085, 0.135)
    knuckle = (0.145, side * 0.085, 0.03)
    dog.bone(
        f"{name}_scapula",
        withers,
        [limb((0.13, side * 0.062, 0.55), shoulder, 0.04, 0.055)],
        joint=(f"{name}_scapula", round_swing("-z", (-8.0, 8.0), (-25.0, 25.0)), "chest"),
        mass=0.7,
        color=_COAT,
        clinical={"flexion": "-y", "abduction": limb_angles(side)["abduction"]},
    )
    ranges = limb_ranges(side, (-35.0, 65.0), (-15.0, 30.0), (-20.0, 20.0))
    dog.bone(
        f"{name}_upper_arm",
        shoulder,
        [limb(shoulder, elbow, 0.055, 0.043)],
        joint=(f"{name}_shoulder", round_ball("-z", *ranges), f"{name}_scapula"),
        mass=0.8,
        color=_COAT,
        clinical=limb_angles(side),
    )
    dog.bone(
        f"{name}_forearm",
        elbow,
        [limb(elbow, carpus, 0.041, 0.022)],
        joint=(f"{name}_elbow", hinge("-y", -25.0, 80.0), f"{name}_upper_arm"),
        mass=0.4,
        color=_LEGS,
    )
    dog.bone(
        f"{name}_metacarpus",
        carpus,
        [limb(carpus, knuckle, 0.023, 0.021)],
        joint=(f"{name}_carpus", hinge("y", -20.0, 110.0), f"{name}_forearm"),
        mass=0.12,
        color=_LEGS,
    )
    _paw(dog, f"{name}_front_paw", knuckle, f"{name}_metacarpus")


def _hind_leg(dog: Sketch, name: str, side: float) -> None:
    """Thigh, shank, metatarsus and paw."""
    hip, stifle = (-0.30, side * 0.06, 0.49), (-0.215, side * 0.082, 0.33)
    hock, knuckle = (-0.375, side * 0.075, 0.165), (-0.345, side * 0.075, 0.03)
    ranges = limb_ranges(side, (-45.0, 60.0), (-15.0, 50.0), (-25.0, 25.0))
    dog.bone(
        f"{name}_thigh",
        hip,
        [limb(hip, stifle, 0.078, 0.046), limb((-0.335, side * 0.06, 0.47), stifle, 0.06, 0.04)],
        joint=(f"{name}_hip", round_ball("-z", *ranges), "pelvis"),
        mass=1.6,
        color=_COAT,
        clinical=limb_angles(side),
    )
    calf = (np.add(stifle, (-0.02, 0.0, -0.01)), np.add(hock, (0.04, 0.0, 0.05)))
    dog.bone(
        f"{name}_shank",
        stifle,
        [limb(stifle, hock, 0.045, 0.02), limb(*calf, 0.046, 0.028)],
        joint=(f"{name}_stifle", hinge("y", -40.0, 75.0), f"{name}_thigh"),
        mass=0.6,
        color=_COAT,
    )
    dog.bone(
        f"{name}_metatarsus",
        hock,
        [limb(hock, knuckle, 0.022, 0.021)],
        joint=(f"{name}_hock", hinge("-y", -45.0, 80.0), f"{name}_shank"),
        mass=0.15,
        color=_LEGS,
    )
    _paw(dog, f"{name}_hind_paw", knuckle, f"{name}_metatarsus")


def _paw(dog: Sketch, name: str, knuckle: Vec3, parent: str) -> None:
    """Toes that lie on the floor, and the site in the middle of their sole."""
    x, y, _ = knuckle
    toes: list[Shape] = [
        limb((x, y, 0.026), (x + 0.045, y + across, 0.018), 0.026, 0.018)
        for across in (-0.018, 0.0, 0.018)
    ]
    kind = hinge("y", -50.0, 70.0)
    dog.bone(name, knuckle, toes, joint=(name, kind, parent), mass=0.1, color=_LEGS)
    sole = rectangle(-0.035, 0.035, 0.03)
    dog.site(name, name, (x + 0.025, y, 0.0), rotation=DOWN, outline=sole)
