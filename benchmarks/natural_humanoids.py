"""Six goals on the skeletons of the clips themselves: what the posture prior is worth there.

Skeletons are loaded with the person's names, joints and limits (names="auto", limits="human"), and
have the prior by the names of their joints. Frames are those of the clips, clamped to the limits;
goals are positions of pelvis, head, hands and feet, and each frame is solved alone, from rest.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import mocap
import numpy as np
from natural_frames import WAYS, Frame, Way, brought, cell, six
from timing import show

import poise
from poise.figure import Figure

COMPARED = ("none", "Rest", "default")


def loaded(file: Path) -> poise.Clip:
    """A clip of CMU's on its own skeleton with a person's joints, without its first frame."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", poise.PoiseWarning)  # limits that the motion breaks
        return poise.load_clip(file, up="y", forward="z", unit="cmu", names="auto", limits="human")[
            1:
        ]


def frames(file: Path, every: int) -> list[Frame]:
    """Frames of a clip within limits, over the origin and facing +x."""
    clip = loaded(file)[::every]
    return [Frame(file.stem, brought(clip.figure.clamp(posture))) for posture in clip]


def named(figure: Figure) -> list[str]:
    """Joints whose centres count: those that the maps of names know, and that move something."""
    return [
        joint.name
        for joint in figure.joints.values()
        if joint.original_name is not None and joint.coordinates
    ]


def measured(asked: list[Frame], way: Way) -> dict[str, list[Any]]:
    """Every frame: whether all is met, how far off it is (m), and how long it took (s)."""
    found: dict[str, list[Any]] = {"clip": [], "met": [], "off": [], "seconds": []}
    for number, frame in enumerate(asked):
        figure = frame.posture.figure
        scene, own = way(figure), figure.place(frame.posture)
        six(scene, own, number)
        solution = scene.solve()
        found["seconds"].append(solution.seconds)
        there = figure.place(solution.posture)
        off = [there[each].position - own[each].position for each in named(figure)]
        found["clip"].append(frame.clip)
        found["met"].append(solution.met)
        found["off"].append(float(np.linalg.norm(off, axis=1).mean()))
    return found


def humanoids(every: int) -> dict[str, dict[str, list[Any]]]:
    """Measure and print; what was measured, by criterion."""
    asked = [frame for file in mocap.files() for frame in frames(file, every)]
    if not asked:
        print("humanoids is left out: there is no bvh/cmu in POISE_DATA or ../shared/data")
        return {}
    found = {name: measured(asked, WAYS[name]) for name in COMPARED}
    plain = float(np.mean(found["none"]["off"]))
    rows = [
        [name, *cell(each), f"{float(np.mean(each['off'])) / plain:.2f}"]
        for name, each in found.items()
    ]
    clips = len({frame.clip for frame in asked})
    show(
        f"humanoids: six goals of {len(asked)} frames of {clips} clips on their own skeletons",
        ("criterion", "off, mm mean / median", "met", "ms", "of none"),
        rows,
    )
    return found
