"""Postures a person would take, measured against those that people took.

python benchmarks/natural.py [cold] [--every 12] [--json FILE]

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

"none" is a scene without criteria, "default" one as it is made: with `Natural`, by itself.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mocap
import numpy as np
from numpy.typing import NDArray
from timing import show

import poise
from poise import Scene, tasks
from poise.figure import Figure, Placements, Posture
from poise.figure.kinds import Free
from poise.figure.transform import Transform, rotation_matrix
from poise.motion.tracking import track_joints
from poise.scene import Solution
from poise.tasks.task import Criterion

Values = NDArray[np.float64]

SIDES = ("left", "right")
CENTRES = (
    *(
        f"{side}_{part}"
        for side in SIDES
        for part in ("hip", "knee", "ankle", "toes", "shoulder", "elbow", "wrist")
    ),
    *("pelvis", "chest", "neck", "head", "head_top"),
)
"""The 19 centres whose distances count."""
EVERY = 12
"""Of so many frames one is taken; clips have 120 a second."""
SIGHT = 2.0
"""Metres to what the eyes look at."""

Ask = Callable[[Scene, Placements, int], None]
"""Adds the goals of a frame, from its placements and its number."""
Way = Callable[[Figure], Scene]
"""Makes a scene of a figure at rest, with criteria."""


class Frame(NamedTuple):
    """A posture that a person took, brought to the origin and facing +x."""

    clip: str
    posture: Posture


def six(scene: Scene, where: Placements, _: int) -> None:
    """Positions of pelvis, head, hands and feet."""
    for site in ("pelvis", "head", *_both("hand"), *_both("foot")):
        scene.add(tasks.Position(site, where[site].position))


def feet_and_hands(scene: Scene, where: Placements, _: int) -> None:
    """Positions of feet and hands."""
    for site in (*_both("hand"), *_both("foot")):
        scene.add(tasks.Position(site, where[site].position))


def feet_hand_and_gaze(scene: Scene, where: Placements, number: int) -> None:
    """Frames of the feet, the position of one hand, and where the eyes look."""
    for site in _both("foot"):
        scene.add(tasks.Frame(site, where[site]))
    hand = f"{SIDES[number % 2]}_hand"
    scene.add(tasks.Position(hand, where[hand].position))
    eyes = where["eyes"]
    scene.add(tasks.Aim("eyes", eyes.position + SIGHT * eyes.rotation[:, 0]))


GOALS: dict[str, Ask] = {
    "six goals": six,
    "feet and hands": feet_and_hands,
    "feet, hand and gaze": feet_hand_and_gaze,
}


def _both(part: str) -> tuple[str, ...]:
    return tuple(f"{side}_{part}" for side in SIDES)


def _only(criterion: Criterion) -> Way:
    """A scene whose one criterion is this."""

    def made(figure: Figure) -> Scene:
        scene = Scene(figure, natural=False)
        scene.add(criterion, weight=0.1)
        return scene

    return made


WAYS: dict[str, Way] = {
    "none": lambda figure: Scene(figure, natural=False),
    "Rest": _only(tasks.Rest()),
    "Comfort": _only(tasks.Comfort()),
    "default": Scene,
}
"""What is compared: scenes with criteria, without goals yet."""


def frames(every: int) -> list[Frame]:
    """All frames that are asked for; none where there is no data."""
    person = poise.human()
    found: list[Frame] = []
    for file in mocap.files():
        clip = mocap.loaded(file)[::every]
        found += [Frame(file.stem, brought(each)) for each in track_joints(clip, person).clip]
    return found


def brought(posture: Posture) -> Posture:
    """A posture with the middle of its feet over the origin, facing +x; heights stay."""
    figure = posture.figure
    where = figure.place(posture)
    turn = rotation_matrix([0.0, 0.0, -heading(where)])
    root = where.segment("pelvis")
    middle = np.mean([where[foot].position for foot in _both("foot")], axis=0)
    position = turn @ (root.position - [*middle[:2], 0.0])
    moved = posture.copy()
    moved["root"] = Free().values(Transform(turn @ root.rotation, position))
    return moved


def heading(where: Placements) -> float:
    """Which way (rad about z) a person faces: the pelvis' x axis, or z if that is upright."""
    turn = where.segment("pelvis").rotation
    ahead = turn[:, 0]
    if np.hypot(*ahead[:2]) < 0.3:
        ahead = -np.sign(ahead[2]) * turn[:, 2]
    return float(np.arctan2(ahead[1], ahead[0]))


def centres(figure: Figure, posture: Posture) -> Values:
    """Where the centres are: (19, 3)."""
    where = figure.place(posture)
    return np.array([where[name].position for name in CENTRES])


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


def cell(found: Mapping[str, list[Any]]) -> list[str]:
    """Off, met and time of one way with one set of goals."""
    off = 1e3 * np.array(found["off"])
    return [
        f"{off.mean():.0f} / {np.median(off):.0f}",
        f"{sum(found['met'])} of {len(found['met'])}",
        f"{1e3 * float(np.mean(found['seconds'])):.2f}",
    ]


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
    rows: list[list[str] | None] = []
    for goals, by_way in found.items():
        plain = float(np.mean(by_way["none"]["off"]))
        for name, each in by_way.items():
            share = float(np.mean(each["off"])) / plain
            rows.append([goals if name == "none" else "", name, *cell(each), f"{share:.2f}"])
        rows.append(None)
    clips = len({frame.clip for frame in asked})
    show(
        f"cold: {len(asked)} frames of {clips} clips, each alone, from rest",
        ("goals", "criterion", "off, mm mean / median", "met", "ms", "of none"),
        rows[:-1],
    )
    return found


SECTIONS: dict[str, Callable[[int], Any]] = {"cold": cold}


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
