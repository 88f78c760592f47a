"""A person in the plane: twelve hinges from the toes to the fingers."""

from __future__ import annotations

from collections.abc import Sequence

from poise.checking import Vec3, number
from poise.figure import Ellipsoid, Figure, Sphere
from poise.figure.kinds import Hinge
from poise.figure.recipes import ready
from poise.figure.shapes import Shape
from poise.models.person import ANKLE, EYES, FOOT, FOREARM, HAND, HIP, KNEE, SHOULDER, UPPER_ARM
from poise.models.sketch import DOWN, Sketch, hinge, limb, rectangle
from poise.models.tables import table

_DENSITY = 1000.0  # kg/m³, the same for all parts
_BALL, _HEEL, _TIP = 0.07, -0.04, FOOT - 0.04  # of the foot, ahead of the ankle
_WAIST, _MIDDLE, _NECK, _SKULL = 0.60, 0.70, 0.84, 0.91  # heights of joints
_ELBOW = SHOULDER - UPPER_ARM
_WRIST = _ELBOW - FOREARM
_KNUCKLES = _WRIST - 0.052
_HIPS, _SHOULDERS = 0.05, 0.108  # of the limbs' middles, to each side

Part = tuple[str, Vec3, Sequence[Shape], tuple[str, Hinge, str], str]


@ready
def planar_person(stature: float = 1.75) -> Figure:
    """A person seen from the side, who stands on the toes of both feet: 12 coordinates.

    The thesis (7.3.3, Fig. 7.8) has a simple 2D human figure of 12 degrees of freedom with
    limits, made of simple shapes of one density; it does not say which. Chosen: all hinges
    about y, the toes fixed to the floor, then toe joint, ankle, knee, hip, waist, back, neck,
    head, and shoulder, elbow, wrist and knuckles. Both legs, and both arms, are one segment
    each, for they move together. Positive is flexion; for the ankle dorsiflexion, for the toes
    rising on them. Ranges are those of the human figure, with the trunk's shared by two joints.

    It stands at rest on z = 0 and faces +x. Sites: foot (the soles, with the outline of both),
    toes (likewise), knee, hip, shoulder, elbow, hand, fingertip, eyes, head_top.

    Args:
        stature: in metres; the mass follows from the shapes.
    """
    stature = number(stature, "the stature (m)", above=0, least=0.1, most=10)
    person = Sketch("planar_person", "a person in the sagittal plane, 12 hinges", scale=stature)
    colors = table("look")["colors"]
    toes = _both((_BALL, 0.0155), (_TIP - 0.012, 0.012), 0.0155, 0.012, _HIPS)
    place = (_BALL, 0.0, 0.0155)
    person.segment("toes", place, toes, density=_DENSITY, color=colors["shoes"])
    person.root("toes", "fixed")
    for name, origin, shapes, joint, color in _parts():
        person.bone(name, origin, shapes, joint=joint, density=_DENSITY, color=colors[color])
    rest = table("joints")["rest"]
    person.rest("shoulder", flexion=rest["arm"]["flexion"])
    person.rest("elbow", flexion=rest["elbow"]["flexion"])
    _sites(person)
    return person.build()


def _parts() -> list[Part]:
    """Segments in order: name, origin, shapes, joint with kind and parent, color."""
    r = table("joints")
    waist = hinge("y", -13.0, 40.0)  # half of the trunk's range, AAOS 1965, secondary
    foot = [
        *_both((_HEEL + 0.02, 0.02), (_BALL, 0.0155), 0.02, 0.0155, _HIPS),
        *_both((0.0, ANKLE), (_BALL, 0.019), 0.0225, 0.015, _HIPS),
    ]
    belly: list[Shape] = [Ellipsoid((0.004, 0.0, 0.64), (0.058, 0.088, 0.065))]
    chest: list[Shape] = [
        Ellipsoid((0.004, 0.0, 0.752), (0.068, 0.1, 0.098)),
        limb((0.0, -0.09, SHOULDER), (0.0, 0.09, SHOULDER), 0.032, 0.032),
    ]
    head: list[Shape] = [
        Ellipsoid((0.006, 0.0, 0.943), (0.055, 0.0435, 0.057)),
        Sphere((0.0575, 0.0, 0.925), 0.0085),
    ]
    return [
        (
            "foot",
            (_BALL, 0.0, 0.0155),
            foot,
            ("toe", hinge("y", 0.0, r["toes"]["extension"]), "toes"),
            "shoes",
        ),
        (
            "shank",
            (0.0, 0.0, ANKLE),
            _both((0.0, KNEE), (0.0, ANKLE), 0.033, 0.021, _HIPS),
            ("ankle", hinge("y", -r["ankle"]["plantarflexion"], 20.0, "dorsiflexion"), "foot"),
            "trousers",
        ),
        (
            "thigh",
            (0.0, 0.0, KNEE),
            _both((0.0, HIP), (0.0, KNEE), 0.05, 0.034, _HIPS),
            ("knee", hinge("-y", 0.0, r["knee"]["flexion"]), "shank"),
            "trousers",
        ),
        (
            "pelvis",
            (0.0, 0.0, HIP),
            [Ellipsoid((0.0, 0.0, 0.555), (0.06, 0.095, 0.056))],
            ("hip", hinge("y", -r["hip"]["extension"], r["hip"]["flexion"]), "thigh"),
            "trousers",
        ),
        ("belly", (0.0, 0.0, _WAIST), belly, ("waist", waist, "pelvis"), "shirt"),
        ("chest", (0.0, 0.0, _MIDDLE), chest, ("back", waist, "belly"), "shirt"),
        (
            "neck",
            (0.0, 0.0, _NECK),
            [limb((0.0, 0.0, _NECK), (0.004, 0.0, _SKULL), 0.034, 0.031)],
            ("neck", hinge("y", -r["neck"]["extension"], r["neck"]["flexion"]), "chest"),
            "skin",
        ),
        (
            "head",
            (0.004, 0.0, _SKULL),
            head,
            ("head", hinge("y", -r["head"]["extension"], r["head"]["flexion"]), "neck"),
            "skin",
        ),
        (
            "upper_arm",
            (0.0, 0.0, SHOULDER),
            _both((0.0, SHOULDER), (0.0, _ELBOW), 0.031, 0.0235, _SHOULDERS),
            ("shoulder", hinge("-y", -57.0, 165.0), "chest"),  # Boone & Azen 1979, secondary
            "shirt",
        ),
        (
            "forearm",
            (0.0, 0.0, _ELBOW),
            _both((0.0, _ELBOW), (0.0, _WRIST), 0.0235, 0.0155, _SHOULDERS),
            ("elbow", hinge("-y", 0.0, r["elbow"]["flexion"]), "upper_arm"),
            "skin",
        ),
        (
            "hand",
            (0.0, 0.0, _WRIST),
            _both((0.0, _WRIST - 0.005), (0.0, _KNUCKLES), 0.015, 0.013, _SHOULDERS),
            ("wrist", hinge("-y", -r["wrist"]["extension"], r["wrist"]["flexion"]), "forearm"),
            "skin",
        ),
        (
            "fingers",
            (0.0, 0.0, _KNUCKLES),
            _both((0.0, _KNUCKLES), (0.0, _WRIST - HAND + 0.008), 0.0125, 0.008, _SHOULDERS),
            ("knuckles", hinge("-y", 0.0, 90.0), "hand"),
            "skin",
        ),
    ]


def _sites(person: Sketch) -> None:
    wide = _HIPS + 0.03
    sole = rectangle(_HEEL - 0.015, _BALL - 0.015, wide)
    person.site("foot", "foot", (0.015, 0.0, 0.0), rotation=DOWN, outline=sole)
    half = 0.5 * (_TIP - _BALL)
    under = (_BALL + half, 0.0, 0.0)
    person.site("toes", "toes", under, rotation=DOWN, outline=rectangle(-half, half, wide))
    places = (
        ("knee", "thigh", 0.0, KNEE),
        ("hip", "pelvis", 0.0, HIP),
        ("shoulder", "upper_arm", 0.0, SHOULDER),
        ("elbow", "forearm", 0.0, _ELBOW),
        ("hand", "hand", 0.012, _WRIST - 0.045),
        ("fingertip", "fingers", 0.0, _WRIST - HAND),
        ("eyes", "head", 0.058, EYES),
        ("head_top", "head", 0.006, 1.0),
    )
    for name, segment, x, z in places:
        person.site(name, segment, (x, 0.0, z))


def _both(
    start: tuple[float, float],
    end: tuple[float, float],
    start_radius: float,
    end_radius: float,
    side: float,
) -> list[Shape]:
    """A limb on the left and its mirror image, from (x, z) to (x, z)."""
    (x, z), (u, w) = start, end
    return [limb((x, y, z), (u, y, w), start_radius, end_radius) for y in (side, -side)]
