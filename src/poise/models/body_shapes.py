"""What a person looks like: solid shapes on every segment, in the segment's own frame.

The numbers stand in the table `look`; sides are the left one's, to be mirrored for the right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poise.checking import Vec3
from poise.figure.shapes import Ellipsoid, Shape, Sphere, TaperedCapsule
from poise.models.proportions import LEVELS, VERTEBRAE, Point, Proportions
from poise.models.tables import table
from poise.models.torso import Torso


def body_shapes(person: Proportions, torso: Torso) -> dict[str, list[Shape]]:
    """By segment, hands left out."""
    look, c = table("look"), person.centres
    shapes: dict[str, list[Shape]] = {"head": []}
    shapes.update(_trunk(person, torso))
    for name, start, end in (
        ("neck", person.spine["neck"], c["head"]),
        ("thigh", c["hip"], c["knee"]),
        ("shank", c["knee"], c["ankle"]),
        ("upper_arm", c["shoulder"], c["elbow"]),
        ("forearm", c["elbow"], c["wrist"]),
    ):
        shapes[name] = _limb(person, look["limbs"][name], end - start)
    for name, rows in look["ellipsoids"].items():
        for row in rows:
            shapes[name] += _ellipsoids(person, row, person.of_sex(look["scale"].get(name, [1, 1])))
    shapes["head"] += _face(person)
    shapes["clavicle"] = _girdle(person)
    shapes.update(_foot(person))
    return shapes


def mirrored(shapes: Iterable[Shape]) -> list[Shape]:
    """The same shapes on the other side of the plane y = 0."""
    return [_mirrored(shape) for shape in shapes]


def capsule(start: ArrayLike, end: ArrayLike, start_radius: float, end_radius: float) -> Shape:
    """A tapered capsule, or the ball that it is when its ends are near each other."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    if np.linalg.norm(b - a) <= abs(start_radius - end_radius) + 1e-9:
        larger = a if start_radius >= end_radius else b
        return Sphere(_tuple(larger), max(start_radius, end_radius))
    return TaperedCapsule(_tuple(a), _tuple(b), start_radius, end_radius)


def _trunk(person: Proportions, torso: Torso) -> dict[str, list[Shape]]:
    """Ellipsoids that overlap: one for each vertebra, some for the pelvis."""
    hips = person.centres["hip"] * np.array([1.0, 0.0, 1.0])
    heights = [hips[2] + above * person.stature for above in table("look")["pelvis_slices"]]
    shapes: dict[str, list[Shape]] = {"pelvis": [_slice(torso, z, hips) for z in heights]}
    origins = [person.spine[level] for level in (*LEVELS, "neck")]
    for name, (low, up) in zip(VERTEBRAE, pairwise(origins), strict=True):
        shapes[name] = [_slice(torso, 0.5 * (low[2] + up[2]), low)]
    return shapes


def _slice(torso: Torso, height: float, origin: Point) -> Shape:
    whole = torso.slice(height)
    return replace(whole, center=_tuple(np.array(whole.center) - origin))


def _limb(person: Proportions, rows: list[dict[str, Any]], bone: Point) -> list[Shape]:
    """Tapered capsules along a bone that goes from the segment's origin."""
    balls: list[tuple[Point, float]] = []
    for row in rows:
        forward, outward = row["offset"]
        center = row["at"] * bone + np.array([forward, outward, 0.0]) * person.stature
        balls.append((center, person.of_sex(row["factor"]) * person.radius(row["circumference"])))
    return [capsule(a, b, r, s) for (a, r), (b, s) in pairwise(balls)]


def _ellipsoids(person: Proportions, row: dict[str, Any], scale: float) -> list[Shape]:
    if row.get("only", person.sex) != person.sex:
        return []
    size = scale * person.stature
    power = table("anthropometry")["girths"][row["grows"]][person.sex][1] if "grows" in row else 0.0
    center = _tuple(np.array(row["center"]) * size)
    radii = _tuple(np.array(row["radii"]) * size * person.stoutness**power)
    shape = Ellipsoid(center, radii)
    return [shape, _mirrored(shape)] if row.get("mirrored") else [shape]


def _face(person: Proportions) -> list[Shape]:
    """What is on the head besides ellipsoids."""
    look = table("look")
    size = person.of_sex(look["scale"]["head"]) * person.stature
    shapes: list[Shape] = []
    for row in look["capsules"]:
        start, end = np.array(row["from"]) * size, np.array(row["to"]) * size
        shape = capsule(start, end, row["radii"][0] * size, row["radii"][1] * size)
        shapes += [shape, _mirrored(shape)] if row.get("mirrored") else [shape]
    return shapes


def _girdle(person: Proportions) -> list[Shape]:
    """The slope from the neck to the shoulder."""
    girdle, c, tall = table("look")["girdle"], person.centres, person.stature
    origin = c["sternoclavicular"]
    inner = person.spine["t1_t2"] + np.array(girdle["neck_side"]) * tall - origin
    outer = c["shoulder"] - origin
    return [capsule(inner, outer, girdle["radii"][0] * tall, girdle["radii"][1] * tall)]


def _foot(person: Proportions) -> dict[str, list[Shape]]:
    """A left shoe on the floor: heel, two edges to the ball, instep; and the toes' part of it."""
    look, c = table("look")["foot"], person.centres
    ankle, heel, ball, toe = c["ankle"], c["heel"], c["ball"], c["toe"]
    breadth = person.girth("foot_breadth")
    r_heel, r_ball, r_toes, r_instep, r_ankle = (
        look[each] * breadth for each in ("heel", "ball", "toes", "instep", "ankle")
    )
    side = 0.5 * breadth - r_ball
    # In the world, but for y, from the ankle; every ball touches the floor.
    top = np.array([ankle[0], 0.0, ankle[2]])
    back = np.array([heel[0] + r_heel, 0.0, r_heel])
    inner = np.array([ball[0] + look["inner"] * breadth, -side, r_ball])
    outer = np.array([ball[0] + look["outer"] * breadth, side, r_ball])
    along, across = look["instep_at"]
    instep = np.array([ankle[0] + along * (ball[0] - ankle[0]), -across * side, r_instep])
    reach = toe[0] - r_toes - ball[0]
    tips = [
        np.array([ball[0] + share * reach, sign * wide * side, r_toes])
        for sign, (share, wide) in ((-1.0, look["great_toe"]), (1.0, look["small_toe"]))
    ]
    foot = [
        (back, inner, r_heel, r_ball),
        (back, outer, r_heel, r_ball),
        (inner, outer, r_ball, r_ball),
        (top, back, r_ankle, r_heel),
        (top, instep, r_ankle, r_instep),
        (instep, 0.5 * (inner + outer), r_instep, r_ball),
    ]
    toes = [
        (inner, tips[0], r_ball, r_toes),
        (outer, tips[1], r_ball, r_toes),
        (0.5 * (inner + outer), 0.5 * (tips[0] + tips[1]), r_ball, r_toes),
        (tips[0], tips[1], r_toes, r_toes),
    ]
    joint = np.array([ball[0], 0.0, ball[2]])
    return {
        "foot": [capsule(a - top, b - top, r, s) for a, b, r, s in foot],
        "toes": [capsule(a - joint, b - joint, r, s) for a, b, r, s in toes],
    }


def _mirrored(shape: Shape) -> Shape:
    def across(point: Vec3) -> Vec3:
        return (point[0], -point[1], point[2])

    if isinstance(shape, Sphere):
        return replace(shape, center=across(shape.center))
    if isinstance(shape, Ellipsoid):
        x, y, z = shape.rotation
        return replace(shape, center=across(shape.center), rotation=(-x, y, -z))
    if isinstance(shape, TaperedCapsule):
        return replace(shape, start=across(shape.start), end=across(shape.end))
    raise TypeError(f"no mirror image of a {shape.kind}")


def _tuple(values: ArrayLike) -> Vec3:
    x, y, z = np.asarray(values, dtype=np.float64).tolist()
    return (x, y, z)
