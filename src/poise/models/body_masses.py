"""Mass, centre and inertia of every segment of a person, from de Leva's tables.

The tables know rigid trunk parts, a head with its neck, a whole foot; the figure has finer
segments. A part is shared out so that its mass, the height of its centre and its moments of
inertia, with all joints straight, remain those of the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.models.proportions import LEVELS, VERTEBRAE, Proportions, usual_mass
from poise.models.tables import table
from poise.models.torso import Torso

Vector = NDArray[np.float64]

_SINGLE = ("head", "upper_trunk", "middle_trunk", "lower_trunk")


@dataclass(frozen=True)
class Body:
    """A mass (kg), its centre (m, in the world, standing) and its moments about it (kg·m²).

    The moments are about the axes x, y, z; products of inertia are left out.
    """

    mass: float
    center: Vector
    moments: Vector


def body_masses(person: Proportions) -> dict[str, Body]:
    """By segment, those of the left side for both; the hand is whole.

    The tables know no stout or lean people: the shares are those of a usual build.
    """
    c = person.centres
    torso = Torso(replace(person, mass=usual_mass(person.stature, person.sex)))
    fingertip = c["wrist"] - np.array([0.0, 0.0, person.length("hand_length")])
    bodies = {**_trunk(person, torso), **_head(person), **_foot(person)}
    for name, start, end in (
        ("upper_arm", c["shoulder"], c["elbow"]),
        ("forearm", c["elbow"], c["wrist"]),
        ("hand", c["wrist"], fingertip),
        ("thigh", c["hip"], c["knee"]),
        ("shank", c["knee"], c["ankle"]),
    ):
        bodies[name] = _part(person, name, start, end)
    return bodies


def _part(person: Proportions, name: str, start: Vector, end: Vector) -> Body:
    """A row of the table between two ends; its long axis is taken as z."""
    rows, of = table("body_segments")["segments"], person.of_sex
    whole = sum(of(row["mass"]) * (1 if each in _SINGLE else 2) for each, row in rows.items())
    row = rows[name]
    mass = person.mass * of(row["mass"]) / whole
    length = of(row["length"]) * person.stature if "length" in row else np.linalg.norm(end - start)
    gyration = 0.01 * np.array(row["gyration"][person.sex]) * length
    return Body(mass, start + 0.01 * of(row["centre"]) * (end - start), mass * gyration**2)


def _trunk(person: Proportions, torso: Torso) -> dict[str, Body]:
    """Pelvis, vertebrae with what surrounds them, and shoulder girdles.

    A vertebra takes the slice of the trunk between its joints, the pelvis what is below them. A
    trunk part is shared among the slices by volume, tilted linearly in height so that the part's
    centre is where the table has it; all its slices have the same radii of gyration.
    """
    numbers, tall = table("body_segments"), person.length
    cervicale, hips = tall("cervicale_height"), tall("trochanterion_height")
    omphalion, sternum = tall("omphalion_height"), tall("suprasternale_height")
    xiphion = sternum + person.of_sex(numbers["xiphion_share"]) * (omphalion - sternum)
    crotch = tall("crotch_height")
    edges = np.array([crotch, *(person.spine[level][2] for level in LEVELS), cervicale])
    slices: dict[str, list[Body]] = {name: [] for name in ("pelvis", *VERTEBRAE)}
    bodies: dict[str, Body] = {}
    for name, top, bottom in (
        ("upper_trunk", cervicale, xiphion),
        ("middle_trunk", xiphion, omphalion),
        ("lower_trunk", omphalion, hips),
    ):
        part = _part(person, name, torso.middle(top), torso.middle(bottom))
        if name == "upper_trunk":
            girdle = _girdle(person, part.mass)
            bodies["clavicle"] = girdle
            part = _without(_without(part, girdle), _mirrored(girdle))
        floor = crotch if name == "lower_trunk" else bottom
        low, high = np.maximum(edges[:-1], floor), np.minimum(edges[1:], top)
        middle = 0.5 * (low + high)
        volume = np.maximum(high - low, 0.0) * [torso.area(z) for z in middle]
        mass = part.mass * _tilted(volume, middle, float(part.center[2]))
        points = np.array([torso.middle(z) for z in middle])
        center = mass @ points / part.mass
        apart = sum(m * _steiner(point - center) for m, point in zip(mass, points, strict=True))
        own = _possible((part.moments - apart) / part.mass)
        for each, m, point in zip(slices, mass, points, strict=True):
            if m > 0:
                slices[each].append(Body(float(m), point, m * own))
    bodies.update({name: _joined(parts) for name, parts in slices.items()})
    return bodies


def _girdle(person: Proportions, upper_trunk: float) -> Body:
    """Clavicle and shoulder blade with their muscles, of one side."""
    numbers = table("body_segments")["girdle"]
    mass = numbers["share_of_upper_trunk"] * upper_trunk
    inner, outer = person.centres["sternoclavicular"], person.centres["shoulder"]
    center = inner + numbers["centre"] * (outer - inner)
    gyration = numbers["gyration"] * person.stature
    return Body(mass, center, np.full(3, mass * gyration**2))


def _head(person: Proportions) -> dict[str, Body]:
    """Head and neck; together they are the table's."""
    base, joint, eyes = person.spine["neck"], person.centres["head"], person.centres["eyes"]
    numbers = table("body_segments")["neck"]
    x = joint[0] + numbers["head_forward"] * (eyes[0] - joint[0])
    top = np.array([x, 0.0, person.stature])
    bottom = np.array([x, 0.0, person.length("cervicale_height")])
    whole = _part(person, "head", top, bottom)
    mass = numbers["share_of_head"] * whole.mass
    gyration = np.square(person.radius("neck")) * 0.5  # of a cylinder about as high as wide
    neck = Body(mass, 0.5 * (base + joint), np.full(3, mass * gyration))
    return {"neck": neck, "head": _without(whole, neck)}


def _foot(person: Proportions) -> dict[str, Body]:
    """Foot and toes; together they are the table's."""
    c, numbers = person.centres, table("body_segments")["toes"]
    up = np.array([0.0, 0.0, numbers["foot_height"] * c["ankle"][2]])
    whole = _part(person, "foot", c["heel"] + up, c["toe"] + up)
    # The foot's long axis is x: its sagittal, transverse and longitudinal axes are z, y and x.
    whole = Body(whole.mass, whole.center, whole.moments[::-1])
    mass = numbers["share_of_foot"] * whole.mass
    center = np.array([0.5 * (c["ball"][0] + c["toe"][0]), c["ball"][1], c["ball"][2]])
    gyration = 0.25 * (c["toe"][0] - c["ball"][0])
    toes = Body(mass, center, np.full(3, mass * gyration**2))
    return {"toes": toes, "foot": _without(whole, toes)}


def _tilted(volume: Vector, height: Vector, center: float) -> Vector:
    """Shares (sum 1) by volume, times 1 + k·height with the k that gives the centre wanted."""
    share = volume / volume.sum()
    away = height - share @ height
    tilt = (center - share @ height) / (share @ np.square(away))
    return share * (1.0 + tilt * away)


def _possible(moments: Vector) -> Vector:
    """Moments of a body that can be: no second moment ∫x², ∫y², ∫z² is negative.

    The table's middle trunk of women is shorter than ours; its slices are then flat, and its
    moments about x and y are 12 and 18 % above the table's.
    """
    second = np.maximum(0.5 * moments.sum() - moments, 0.0)
    return second.sum() - second


def _steiner(offset: Vector) -> Vector:
    """Moments of a unit mass at an offset."""
    square = np.square(offset)
    return square.sum() - square


def _joined(bodies: list[Body]) -> Body:
    """Several bodies as one."""
    mass = sum(body.mass for body in bodies)
    center = sum((body.mass * body.center for body in bodies), np.zeros(3)) / mass
    moments = sum(
        (body.moments + body.mass * _steiner(body.center - center) for body in bodies), np.zeros(3)
    )
    return Body(mass, center, moments)


def _without(whole: Body, part: Body) -> Body:
    """What is left of a body when a part is taken away."""
    mass = whole.mass - part.mass
    center = (whole.mass * whole.center - part.mass * part.center) / mass
    moments = whole.moments - part.moments
    moments = moments - part.mass * _steiner(part.center - whole.center)
    return Body(mass, center, moments - mass * _steiner(center - whole.center))


def _mirrored(body: Body) -> Body:
    return Body(body.mass, body.center * np.array([1.0, -1.0, 1.0]), body.moments)
