"""The starter library: poses of people, for any stature, either sex and all kinds of joints.

A pose is a row of the table `poses`: angles, and what bears the body. The angles are set first;
then what bears the body is brought to the floor (`landing`), for legs of other lengths need
slightly other angles.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from poise.calls import public
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture
from poise.figure.kinds import Free
from poise.figure.transform import Transform, rotation_matrix
from poise.models import shoulder
from poise.models.hand_shapes import fingered, hand_shape
from poise.models.landing import Landing, landed
from poise.models.proportions import LEVELS
from poise.models.spine import ranges
from poise.models.standing import hanging
from poise.models.tables import table

_SIDES: tuple[tuple[Literal["left", "right"], float], ...] = (("left", 1.0), ("right", -1.0))
_PARTS = ("hip", "knee", "ankle", "toes", "clavicle", "shoulder", "elbow", "wrist")


@public
def pose_names(figure: Figure) -> list[str]:
    """The poses that `pose` knows for a figure: those of people, and none for any other."""
    if not isinstance(figure, Figure):
        raise PoiseError(f"poses are those of a figure, not of {figure!r}")
    return list(table("poses")["poses"]) if is_person(figure) else []


@public
def pose(figure: Figure, name: str) -> Posture:
    """A ready pose of a person, on the floor z = 0 and facing +x.

    It is within the figure's limits. Feet and whatever else bears the body are on the floor; who
    stands, squats or kneels is balanced. A figure whose root is fixed takes the angles, and stays
    where it is.

    Args:
        figure: a person, `poise.human()` with any options.
        name: one of `pose_names(figure)`, such as "sitting".
    """
    names = pose_names(figure)
    if not names:
        raise PoiseError(
            f"there are no ready poses for {figure.name!r}: they need a person's joints",
            code=", as poise.human() has them",
        )
    if name not in names:
        raise unknown_name("pose", name, names)
    posture = in_the_air(figure, name)
    if not figure.joints["root"].kind.is_free:
        return posture
    return landed(posture, Landing.of(table("poses")["poses"][name]), name)


def in_the_air(figure: Figure, name: str) -> Posture:
    """A ready pose of a person with the pelvis at its height of rest: nothing is on the floor yet.

    It is within limits.
    """
    row = table("poses")["poses"][name]
    posture = figure.rest()
    _set_trunk(posture, row)
    for side, sign in _SIDES:
        _set_arm(posture, side, sign, {**row.get("arms", {}), **row.get(f"{side}_arm", {})})
        _set_leg(posture, side, {**row.get("legs", {}), **row.get(f"{side}_leg", {})})
        shape = row.get(f"{side}_hand", row.get("hands"))
        if shape is not None and side in fingered(figure):
            posture = hand_shape(posture, shape, hand=side)
    return figure.clamp(posture)


def is_person(figure: Figure) -> bool:
    """Whether a figure has the joints of our person."""
    needed = ["root", *LEVELS, "neck", "head"]
    needed += [f"{side}_{part}" for side, _ in _SIDES for part in _PARTS]
    return all(name in figure.joints for name in needed) and figure.joints["root"].child == "pelvis"


def _set_trunk(posture: Posture, row: Mapping[str, Any]) -> None:
    """Pelvis, spine, neck and head."""
    figure = posture.figure
    if figure.joints["root"].kind.is_free:
        pelvis = _radians(row.get("pelvis", {}))
        lean = rotation_matrix([0.0, pelvis.get("lean", 0.0), 0.0])
        roll = rotation_matrix([pelvis.get("roll", 0.0), 0.0, 0.0])
        turn = rotation_matrix([0.0, 0.0, pelvis.get("turn", 0.0)])
        place = Transform(turn @ roll @ lean, np.array([0.0, 0.0, posture["root.z"]]))
        posture["root"] = Free().values(place)
    spine = _radians(row.get("spine", {}))
    if "spine" in figure.groups:
        posture.set_angles("spine", **spine)
    else:
        _bend(posture, spine)
    for name in ("neck", "head"):
        posture.set_angles(name, **_radians(row.get(name, {})))


def _bend(posture: Posture, angles: Mapping[str, float]) -> None:
    """Independent vertebrae as the group would bend them: each by its share of the whole range."""
    rows = ranges()
    whole = {
        angle: sum(getattr(each, angle) for each in rows.values())
        for angle in ("flexion", "lateral", "axial")
    }
    for level, own in rows.items():
        share = {angle: getattr(own, angle) / total for angle, total in whole.items()}
        posture[level] = [
            -share["lateral"] * angles.get("lateral", 0.0),
            share["flexion"] * angles.get("flexion", 0.0),
            share["axial"] * angles.get("axial", 0.0),
        ]


def _set_arm(posture: Posture, side: str, sign: float, row: Mapping[str, float]) -> None:
    """Clavicle, shoulder, elbow and wrist."""
    angles = _radians(row)
    if "flexion" in angles:
        parameters = _arm_parameters(angles["flexion"], angles["abduction"], angles["internal"])
        if f"{side}_shoulder_complex" in posture.figure.groups:
            posture[f"{side}_shoulder_complex"] = parameters
        else:
            for joint, values in shoulder.member_values(parameters, sign).items():
                posture[f"{side}_{joint}"] = values
    if "elbow" in angles:
        posture[f"{side}_elbow"] = [angles["elbow"], angles["pronation"]]
    wrist = {"flexion": angles.get("wrist", 0.0), "radial_deviation": angles.get("deviation", 0.0)}
    posture.set_angles(f"{side}_wrist", **wrist)


@cache
def _arm_parameters(flexion: float, abduction: float, internal: float) -> NDArray[np.float64]:
    """Those of the left arm, of which the right one's are the mirror image; to be read.

    They are the same for all people, and take longer to find than all else of a pose.
    """
    return shoulder.arm_parameters(hanging(1.0, flexion, abduction, internal))


def _set_leg(posture: Posture, side: str, row: Mapping[str, float]) -> None:
    """Hip, knee, ankle and toes."""
    angles = _radians(row)
    if "flexion" in angles:
        posture.set_angles(
            f"{side}_hip",
            flexion=angles["flexion"],
            abduction=angles["abduction"],
            rotation=-angles["external"],
        )
    if "knee" in angles:
        posture.set_angles(f"{side}_knee", flexion=angles["knee"])
    if "ankle" in angles:
        posture.set_angles(f"{side}_ankle", dorsiflexion=angles["ankle"], eversion=0.0)
    if "toes" in angles:
        posture.set_angles(f"{side}_toes", extension=angles["toes"])


def _radians(row: Mapping[str, float]) -> dict[str, float]:
    return {name: float(np.deg2rad(value)) for name, value in row.items()}
