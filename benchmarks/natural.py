"""Postures a person would take, measured against those that people took.

python benchmarks/natural.py [cold] [following] [calm] [humanoids] [--every 12] [--json FILE]

cold: frames of motion capture, each alone. Clips of bvh/cmu in the data folder (POISE_DATA, or
../shared/data) are tracked by `poise.human()`; none of their subjects is among those that the
posture prior was fitted to. Every twelfth frame is then asked for by some of what it does, and
solved from the rest posture, which stands where the frame does, facing the same way:

- six goals: positions of pelvis, head, hands and feet;
- feet and hands: positions of these four;
- feet, hand and gaze: both feet as frames, the position of one hand (left and right by turns), and
  the eyes aimed at what they look at, 2 m away.

"off" is how far joint centres are from those of the frame: for each frame the mean over 19
centres, of these mean / median over frames, in mm. It is what goals do not determine, so zero is
not to be had. "met" counts frames of which all goals are met.

following: the same goals of the same clips, followed at 30 frames a second by the loop that users
write, each frame from the posture before. Of the hands it is the right one.

calm: a person in balance on both feet whose right hand follows a target out of reach and back, and
by how much a joint turns in a frame; without `Natural` and with it.

humanoids: six goals, cold, on the skeletons of the clips themselves, which have the person's joints
and limits by the names of their own; centres are those of the joints with known names.

"none" is a scene without criteria, "default" one as it is made: with `Natural`, by itself.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mocap
import numpy as np
from natural_following import calm, following
from natural_frames import GOALS, WAYS, Ask, Frame, Way, brought, centres, compared
from natural_humanoids import humanoids
from timing import show

import poise
from poise.motion.tracking import track_joints
from poise.scene import Solution

EVERY = 12
"""Of so many frames one is taken; clips have 120 a second."""


def frames(every: int) -> list[Frame]:
    """All frames that are asked for; none where there is no data."""
    person = poise.human()
    found: list[Frame] = []
    for file in mocap.files():
        clip = mocap.loaded(file)[::every]
        found += [Frame(file.stem, brought(each)) for each in track_joints(clip, person).clip]
    return found


def solved(frame: Frame, number: int, ask: Ask, way: Way) -> Solution:
    """One frame, cold."""
    figure = frame.posture.figure
    scene = way(figure)
    ask(scene, figure.place(frame.posture), number)
    return scene.solve()


def measured(asked: Sequence[Frame], ask: Ask, way: Way) -> dict[str, list[Any]]:
    """Every frame: whether all is met, how far off it is (m), and how long it took (s)."""
    found: dict[str, list[Any]] = {"clip": [], "met": [], "off": [], "seconds": []}
    for number, frame in enumerate(asked):
        solution = solved(frame, number, ask, way)
        figure = frame.posture.figure
        off = centres(figure, solution.posture) - centres(figure, frame.posture)
        found["clip"].append(frame.clip)
        found["met"].append(solution.met)
        found["off"].append(float(np.linalg.norm(off, axis=1).mean()))
        found["seconds"].append(solution.seconds)
    return found


def cold(every: int) -> dict[str, dict[str, dict[str, list[Any]]]]:
    """Measure and print; what was measured, by goals and way."""
    asked = frames(every)
    if not asked:
        print("cold is left out: there is no bvh/cmu in POISE_DATA or ../shared/data")
        return {}
    found = {
        goals: {name: measured(asked, ask, way) for name, way in WAYS.items()}
        for goals, ask in GOALS.items()
    }
    clips = len({frame.clip for frame in asked})
    show(
        f"cold: {len(asked)} frames of {clips} clips, each alone, from rest",
        ("goals", "criterion", "off, mm mean / median", "met", "ms", "of none"),
        compared(found),
    )
    return found


SECTIONS: dict[str, Callable[[int], Any]] = {
    "cold": cold,
    "following": following,
    "calm": calm,
    "humanoids": humanoids,
}


def main(arguments: Sequence[str]) -> int:
    """Print the sections that are named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sections", nargs="*", choices=[*SECTIONS, []], help="all by default")
    parser.add_argument("--every", type=int, default=EVERY, help="take one frame of so many")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write down every frame")
    given = parser.parse_args(arguments)
    found = {name: SECTIONS[name](given.every) for name in given.sections or SECTIONS}
    if given.json:
        given.json.write_text(json.dumps(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
