"""The rest posture of a person: standing at ease, feet flat on the floor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure, Posture
from poise.figure.transform import Matrix, Transform, rotation_matrix
from poise.models import limbs, shoulder
from poise.models.assembly import SIDES
from poise.models.hand import finger_rest
from poise.models.proportions import Proportions
from poise.models.tables import table

Values = NDArray[np.float64]


def standing_height(person: Proportions) -> float:
    """The height (m) of the hip joints over the soles in the rest posture."""
    c, turn, height = person.centres, np.eye(3), 0.0
    joints, values = _leg_joints(1.0), leg_at_rest(1.0)
    for name, start, end in (
        ("hip", c["hip"], c["knee"]),
        ("knee", c["knee"], c["ankle"]),
        ("ankle", c["ankle"], c["heel"]),
    ):
        turn = turn @ joints[name].motion(values[name]).rotation
        height -= float((turn @ (end - start))[2])
    return height


def rest_posture(figure: Figure, height: float) -> Posture:
    """Standing at ease, the pelvis at a height."""
    posture = figure.posture()
    if "root.z" in figure.coordinates:
        posture["root.z"] = height
    parameters = arm_at_rest()
    rest = table("joints")["rest"]
    for side, sign in SIDES:
        for joint, values in leg_at_rest(sign).items():
            posture[f"{side}_{joint}"] = values
        if f"{side}_shoulder_complex" in figure.groups:
            posture[f"{side}_shoulder_complex"] = parameters
        else:
            for joint, values in shoulder.member_values(parameters, sign).items():
                posture[f"{side}_{joint}"] = values
        bent, turned = rest["elbow"]["flexion"], rest["elbow"]["pronation"]
        posture[f"{side}_elbow"] = np.deg2rad([bent, turned])
        if f"{side}_thumb_cmc" in figure.joints:
            for joint, angles in finger_rest(side).items():
                posture.set_angles(joint, **angles)
    return posture


def arm_at_rest() -> Values:
    """Elevation, abduction and twist of either arm."""
    row = table("joints")["rest"]["arm"]
    flexion, abduction, internal = np.deg2rad([row["flexion"], row["abduction"], row["internal"]])
    return shoulder.arm_parameters(hanging(1.0, flexion, abduction, internal))


def leg_at_rest(sign: float) -> dict[str, Values]:
    """Coordinates of a leg's joints; the ankle is such that the foot is level."""
    rest, joints = table("joints")["rest"], _leg_joints(sign)
    row = rest["hip"]
    flexion, abduction, external = np.deg2rad([row["flexion"], row["abduction"], row["external"]])
    thigh = hanging(sign, flexion, abduction, -external)
    knee = np.deg2rad([rest["knee"]])
    shank = thigh @ joints["knee"].motion(knee).rotation
    return {
        "hip": joints["hip"].values(Transform.turn(thigh)),
        "knee": knee,
        # It undoes the shank's tilt, not its turn about the vertical: its kind has no twist, and
        # drops that of what it is given.
        "ankle": joints["ankle"].values(Transform.turn(shank.T)),
        "toes": np.deg2rad([rest["toes"]]),
    }


def _leg_joints(sign: float) -> dict[str, limbs.LegJoint]:
    return {"hip": limbs.hip(sign), "knee": limbs.knee(), "ankle": limbs.ankle(sign)}


def hanging(sign: float, flexion: float, abduction: float, internal: float) -> Matrix:
    """The rotation of a limb that hangs in the anatomical position."""
    swing = rotation_matrix([sign * abduction, -flexion, 0.0])
    return swing @ rotation_matrix([0.0, 0.0, -sign * internal])
