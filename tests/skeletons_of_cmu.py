"""A clip as CMU's BVH files have it, made here: a skeleton of 22 joints that stands and bends."""

from __future__ import annotations

from collections.abc import Sequence

BONES: dict[str, tuple[str, tuple[float, float, float]]] = {
    "Hips": ("", (0, 0, 0)),
    "LeftUpLeg": ("Hips", (9, -8, 2)),
    "LeftLeg": ("LeftUpLeg", (0, -40, 0)),
    "LeftFoot": ("LeftLeg", (0, -41, 0)),
    "LeftToeBase": ("LeftFoot", (0, -7, 13)),
    "RightUpLeg": ("Hips", (-9, -8, 2)),
    "RightLeg": ("RightUpLeg", (0, -40, 0)),
    "RightFoot": ("RightLeg", (0, -41, 0)),
    "RightToeBase": ("RightFoot", (0, -7, 13)),
    "LowerBack": ("Hips", (0, 3, 0)),
    "Spine": ("LowerBack", (0, 12, 0)),
    "Spine1": ("Spine", (0, 12, 0)),
    "Neck": ("Spine1", (0, 22, 0)),
    "Head": ("Neck", (0, 14, 2)),
    "LeftArm": ("Spine1", (19, 16, -2)),
    "LeftForeArm": ("LeftArm", (28, 0, 0)),
    "LeftHand": ("LeftForeArm", (18, 0, 0)),
    "LeftFingerBase": ("LeftHand", (8, 0, 0)),
    "RightArm": ("Spine1", (-19, 16, -2)),
    "RightForeArm": ("RightArm", (-28, 0, 0)),
    "RightHand": ("RightForeArm", (-18, 0, 0)),
    "RightFingerBase": ("RightHand", (-8, 0, 0)),
}
"""By name the bone before it, and where it begins (cm; y up, z forward, x to the left)."""

Turns = dict[str, tuple[float, float, float]]
"""By bone the turns in degrees about z, then y, then x."""

HANGING: Turns = {"LeftArm": (-80, 0, 0), "RightArm": (80, 0, 0)}
"""What brings the arms down from the T-pose."""


def bvh(
    frames: Sequence[Turns],
    *,
    scale: float = 1.0,
    shank: float = 1.0,
    fps: float = 8.0,
    without: Sequence[str] = (),
) -> str:
    """The text of a file.

    Args:
        frames: how bones turn in each frame.
        scale: of all lengths.
        shank: the shank's length, as a share of the usual one.
        fps: frames a second.
        without: bones that end the chain before them.
    """
    names: list[str] = []

    def tree(name: str, indent: str) -> list[str]:
        names.append(name)
        share = scale * (shank if name.endswith("Foot") else 1.0)
        x, y, z = (share * each for each in BONES[name][1])
        children = [child for child, (parent, _) in BONES.items() if parent == name]
        children = [child for child in children if child not in without]
        places = "6 Xposition Yposition Zposition" if name == "Hips" else "3"
        lines = [
            f"{indent}{'ROOT' if name == 'Hips' else 'JOINT'} {name}",
            f"{indent}{{",
            f"{indent}  OFFSET {x:g} {y:g} {z:g}",
            f"{indent}  CHANNELS {places} Zrotation Yrotation Xrotation",
        ]
        for child in children:
            lines += tree(child, indent + "  ")
        if not children:
            lines += [f"{indent}  End Site", f"{indent}  {{", f"{indent}    OFFSET 0 -5 5"]
            lines.append(f"{indent}  }}")
        return [*lines, f"{indent}}}"]

    lines = ["HIERARCHY", *tree("Hips", ""), "MOTION", f"Frames: {len(frames)}"]
    lines.append(f"Frame Time: {1 / fps:.7f}")
    for turns in frames:
        height = scale * (8 + 40 + 41 * shank + 9)
        numbers = [0.0, height, 0.0]
        for name in names:
            numbers += turns.get(name, (0, 0, 0))
        lines.append(" ".join(f"{number:g}" for number in numbers))
    return "\n".join(lines) + "\n"


def bending(degrees: float, knee: float = 0.0) -> Turns:
    """The thighs raised forward by an angle, and the knees bent by another, arms hanging."""
    legs: Turns = {}
    for side in ("Left", "Right"):
        legs[f"{side}UpLeg"] = (0, 0, -degrees)
        legs[f"{side}Leg"] = (0, 0, knee)
        legs[f"{side}Foot"] = (0, 0, degrees - knee)
    return {**HANGING, **legs}
