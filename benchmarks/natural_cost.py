"""What `Natural` costs: cold and warm solves of a person with it and without, in one run.

    python benchmarks/natural_cost.py

Feet pinned, balance, one hand (or both, and the gaze) at goals within reach. Cold: 40 goals, each
solved from rest, the least of some repeats, and the mean over the goals. Warm: a hand that goes
round a circle, 60 frames a turn, by `animate`; the least of some runs. Beside it the greatest turn
of a joint from one frame to the next.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

import poise
from poise import tasks as t

REPEATS = 5


def standing(natural: bool, *, goals: int) -> poise.Scene:
    """A person on both feet, with some goals: right hand, left hand, gaze."""
    scene = poise.Scene(poise.human(), natural=natural)
    for side in ("left", "right"):
        scene.add(t.Frame(f"{side}_foot"), priority=1)
    scene.add(t.Balance(margin=0.02), priority=2)
    scene.add(t.Position("right_hand", (0.4, -0.2, 1.2)), priority=3, name="right")
    if goals > 1:
        scene.add(t.Position("left_hand", (0.4, 0.25, 1.1)), priority=3, name="left")
        scene.add(t.Aim("eyes", (3.0, 0.0, 1.2)), priority=4, name="gaze")
    return scene


def cold(natural: bool, *, goals: int) -> tuple[float, int]:
    """Milliseconds of a cold solve, a mean over goals; how many met all."""
    scene, rng = standing(natural, goals=goals), np.random.default_rng(5)
    total, met, found = 0.0, 0, scene.solve(warm=False)
    for _ in range(40):
        scene.tasks["right"].target = (0.4, -0.2, 1.0) + rng.uniform(-0.25, 0.25, 3)
        best = np.inf
        for _ in range(REPEATS):
            begun = perf_counter()
            found = scene.solve(warm=False)
            best = min(best, perf_counter() - begun)
        total, met = total + best, met + found.met
    return 1e3 * total / 40, met


def warm(natural: bool, *, goals: int) -> tuple[float, float]:
    """Milliseconds of a frame, and the greatest turn of a joint in one (degrees)."""
    scene, angles = standing(natural, goals=goals), np.linspace(0.0, 4 * np.pi, 121)
    path = np.stack([0.4 + 0 * angles, -0.2 + 0.2 * np.sin(angles), 1.1 + 0.2 * np.cos(angles)], 1)
    scene.tasks["right"].target = path[0]
    scene.posture = scene.solve().posture
    best, turn = np.inf, 0.0
    for _ in range(REPEATS):
        motion = scene.animate({"right": path})
        best = min(best, float(motion.solutions.seconds[1:].mean()))
        turn = float(np.abs(np.diff(motion.solutions.q[1:], axis=0)).max())
    return 1e3 * best, float(np.rad2deg(turn))


def main() -> None:
    """Print the table."""
    print("goals      without   with   ratio")
    for goals in (1, 3):
        one, other = cold(False, goals=goals), cold(True, goals=goals)
        print(
            f"{goals} cold    {one[0]:6.3f} {other[0]:6.3f} ms {other[0] / one[0]:5.2f}"
            f"   met {one[1]} and {other[1]} of 40"
        )
        one, other = warm(False, goals=goals), warm(True, goals=goals)
        print(
            f"{goals} warm    {one[0]:6.3f} {other[0]:6.3f} ms {other[0] / one[0]:5.2f}"
            f"   turns {one[1]:.1f}° and {other[1]:.1f}° a frame"
        )


if __name__ == "__main__":
    main()
