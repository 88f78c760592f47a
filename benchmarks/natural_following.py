"""Postures a person would take in a motion: the sections `following` and `calm` of natural.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import mocap
import numpy as np
from natural_frames import GOALS, WAYS, Way, brought_by, centres, compared, placed_by
from numpy.typing import NDArray
from timing import show

import poise
from poise import Clip, Scene, tasks
from poise.figure import Placements
from poise.motion.tracking import track_joints
from poise.scene import Solution

Values = NDArray[np.float64]

THINNED = 4
"""Of so many frames one is taken: clips have 120 a second, and are followed at 30."""
FOLLOWED = ("none", "Rest", "default")
STEP = 0.005
"""Metres that the target moves in a frame, as in calm.py, whose mark this is. At 20 mm joints
turn by more than the mark without `Natural`, too: near the edge of reach arms straighten fast."""
MARK = 10.0
"""Degrees that a joint may turn in a frame."""


def clips() -> list[Clip]:
    """The clips tracked by a person, 30 frames a second, each brought to the origin."""
    person, found = poise.human(), list[Clip]()
    for file in mocap.files():
        tracked = track_joints(mocap.loaded(file)[::THINNED], person).clip
        way = brought_by(tracked[0])
        q = np.array([placed_by(each, way).q for each in tracked])
        found.append(Clip(person, q, tracked.fps, file.stem))
    return found


def followed(clip: Clip, goals: str, way: Way) -> dict[str, list[Any]]:
    """A clip followed from rest by the loop that users write, each frame from the one before."""
    figure, scene = clip.figure, way(clip.figure)
    number = 1  # the hand that is asked for stays the same in a clip: the right one
    GOALS[goals](scene, figure.place(clip[0]), number)
    found: dict[str, list[Any]] = {"clip": [], "met": [], "off": [], "seconds": []}
    for posture in clip:
        aim(scene, GOALS[goals], figure.place(posture), number)
        solution = scene.solve()
        scene.posture = solution.posture
        off = centres(figure, solution.posture) - centres(figure, posture)
        found["clip"].append(clip.name)
        found["met"].append(solution.met)
        found["off"].append(float(np.linalg.norm(off, axis=1).mean()))
        found["seconds"].append(solution.seconds)
    return found


def aim(
    scene: Scene, ask: Callable[[Scene, Placements, int], None], where: Placements, number: int
) -> None:
    """Let the goals that a scene has be those of another frame."""
    goals = Scene(scene.figure, natural=False)
    ask(goals, where, number)
    for name, handle in goals.handles.items():
        scene.handles[name].target = handle.target


def following(_: int) -> dict[str, dict[str, dict[str, list[Any]]]]:
    """Measure and print; what was measured, by goals and way."""
    there = clips()
    if not there:
        print("following is left out: there is no bvh/cmu in POISE_DATA or ../shared/data")
        return {}
    found: dict[str, dict[str, dict[str, list[Any]]]] = {}
    for goals in GOALS:
        found[goals] = {
            name: mocap.joined([followed(clip, goals, WAYS[name]) for clip in there])
            for name in FOLLOWED
        }
    count = sum(clip.frames for clip in there)
    show(
        f"following: {count} frames of {len(there)} clips, 30 a second, each from the one before",
        ("goals", "criterion", "off, mm mean / median", "met", "ms", "of none"),
        compared(found),
    )
    return found


class Sweep(NamedTuple):
    """A way of the hand: from rest, out of reach and back, in steps of `STEP`."""

    name: str
    far: tuple[float, float, float]


SWEPT = (
    Sweep("ahead", (1.1, -0.2, 1.1)),
    Sweep("to the side", (0.1, -1.3, 1.2)),
    Sweep("up", (0.2, -0.2, 2.7)),
    Sweep("down ahead", (1.2, -0.2, 0.1)),
    Sweep("across", (0.6, 1.1, 1.3)),
    Sweep("behind", (-0.9, -0.5, 1.2)),
)


def path(start: Values, sweep: Sweep) -> Values:
    """Targets (k, 3) to the far end and back."""
    far = np.array(sweep.far)
    count = int(np.ceil(np.linalg.norm(far - start) / STEP))
    out = start + np.linspace(0.0, 1.0, count + 1)[:, None] * (far - start)
    return np.vstack([out, out[-2::-1]])


def swept(sweep: Sweep, *, natural: bool, animated: bool) -> dict[str, list[Any]]:
    """A person on both feet, in balance, whose right hand follows a sweep."""
    figure = poise.human()
    scene = Scene(figure, natural=natural)
    for foot in ("left_foot", "right_foot"):
        scene.add(tasks.Frame(foot), priority=1)
    scene.add(tasks.Balance(margin=0.02), priority=2)
    targets = path(figure.place(figure.rest())["right_hand"].position, sweep)
    scene.add(tasks.Position("right_hand", targets[0]), priority=3, name="hand")
    solutions: Sequence[Solution]
    if animated:
        solutions = scene.animate({"hand": targets}, fps=30).solutions
    else:
        solutions = looped(scene, targets)
    q = np.array([each.posture.q for each in solutions])
    turned = np.abs(np.diff(q[:, ~figure.root_coordinates], axis=0))
    joints = np.array(figure.coordinates)[~figure.root_coordinates]
    return {
        "degrees": np.rad2deg(turned.max(axis=1)).tolist(),
        "joint": joints[turned.argmax(axis=1)].tolist(),
        "met": [each.met for each in solutions],
    }


def looped(scene: Scene, targets: Values) -> list[Solution]:
    """The loop that users write."""
    found: list[Solution] = []
    for target in targets:
        scene.handles["hand"].target = target
        found.append(scene.solve(restarts=0))
        scene.posture = found[-1].posture
    return found


def calm(_: int) -> Mapping[str, Any]:
    """Measure and print the largest turn of a joint in a frame."""
    found: dict[str, dict[str, list[Any]]] = {}
    rows: list[list[str] | None] = []
    for sweep in SWEPT:
        for name, natural, animated in (
            ("none, animate", False, True),
            ("default, animate", True, True),
            ("default, solve", True, False),
        ):
            each = swept(sweep, natural=natural, animated=animated)
            found[f"{sweep.name}, {name}"] = each
            degrees = np.array(each["degrees"])
            worst = int(degrees.argmax())
            rows.append(
                [
                    sweep.name if name.startswith("none") else "",
                    name,
                    f"{len(degrees)}, {1 - np.mean(each['met']):.0%}",
                    f"{np.percentile(degrees, 99):.1f} / {degrees.max():.1f}",
                    f"{int((degrees > MARK).sum())}",
                    f"{each['joint'][worst]}, frame {worst + 1}",
                ]
            )
        rows.append(None)
    show(
        f"calm: a hand out of reach and back, {1e3 * STEP:.0f} mm a frame; mark: below {MARK:.0f}°",
        ("sweep", "criterion", "frames, unmet", "° a frame p99 / most", "above", "where"),
        rows[:-1],
    )
    return found
