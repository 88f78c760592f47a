"""Bodies that do not pass through things: starts inside them, and what it costs.

python benchmarks/avoiding.py [starts] [cost] [slide] [--count 100]

- starts: figures in postures at random within limits, with a box and a cylinder put into them, so
  that they are inside the props, the floor and themselves; `Avoid` and `AvoidSelf`, one start. How
  many end free (no pair deeper than 0.1 mm beyond what is allowed), and whether any ends deeper
  than it began.
- cost: a standing person with fingers among 20 boxes whose hand goes round a circle, with and
  without `Avoid` and `AvoidSelf`: milliseconds of a frame.
- slide: a hand passes before a box, its fingers pressed against it, at 120 frames a second. The
  largest acceleration of a joint against the same motion without the box, and how deep any body is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from reachable import data_folder
from timing import show

import poise
from poise import Scene, tasks
from poise.figure import Figure
from poise.figure.overlaps import somewhere
from poise.scene import Solution

Values = NDArray[np.float64]
DEEP = 1e-4 + 1e-9
"""Bodies that are deeper in each other (m) are not free."""


def _humanoid() -> Figure | None:
    path = data_folder() / "robots" / "mujoco" / "humanoid.xml"
    return poise.load(path) if path.exists() else None


FIGURES: dict[str, tuple[Callable[[], Figure | None], float]] = {
    "person": (poise.human, 1.0),
    "quadruped": (poise.quadruped, 0.8),
    "bird": (poise.models.bird, 0.5),
    "MuJoCo's humanoid": (_humanoid, 1.0),
}
"""Figures, and how large the props are (m)."""


def depth(solution: Solution) -> float:
    """How deep (m) any two bodies are in each other, beyond what is allowed."""
    return max((each.depth for each in solution.contacts()), default=0.0)


def starts(count: int) -> None:
    """Starts inside props, the floor and oneself."""
    rows: list[list[str]] = []
    for name, (make, size) in FIGURES.items():
        figure = make()
        if figure is None:
            print(f"{name} is left out: its file is not in POISE_DATA or ../shared/data")
            continue
        rng, free, deeper, seconds = np.random.default_rng(11), 0, 0, list[float]()
        began = list[float]()
        rest = figure.place(figure.rest())
        middle = np.mean([rest.segment(each).position for each in figure.segments], axis=0)
        for _ in range(count):
            scene = Scene(figure, natural=False)
            edge = 0.5 * size
            scene.place(
                poise.box(edge, edge, edge, name="block"),
                middle + rng.uniform(-0.4, 0.4, 3) * size,
            )
            scene.place(
                poise.cylinder(0.15 * size, 0.8 * size, name="post"),
                middle + rng.uniform(-0.4, 0.4, 3) * size,
            )
            scene.posture = figure.posture(somewhere(figure, rng))
            before = depth(scene.assess())
            scene.add(tasks.Avoid(), priority=1)
            scene.add(tasks.AvoidSelf(), priority=1)
            solution = scene.solve(restarts=0)
            after = depth(solution)
            began.append(before)
            free += after <= DEEP
            deeper += after > before + 1e-4
            seconds.append(solution.seconds)
        rows.append(
            [
                name,
                f"{figure.n}",
                f"{1e3 * np.median(began):.0f} / {1e3 * max(began):.0f}",
                f"{free / count:.1%}",
                f"{deeper}",
                f"{1e3 * np.median(seconds):.1f} / {1e3 * np.percentile(seconds, 95):.1f}",
            ]
        )
    show(
        f"starts inside props, the floor and oneself, {count} each, one start",
        ("figure", "n", "deep at first, mm median / most", "free", "deeper", "ms median / p95"),
        rows,
    )


def crowded(*, avoids: bool, boxes: int = 20) -> Scene:
    """A standing person with fingers, and boxes round about."""
    scene = Scene(poise.human(hands=True), natural=False)
    rng = np.random.default_rng(2)
    for i in range(boxes):
        angle, far = 2 * np.pi * i / boxes, rng.uniform(0.55, 0.9)
        place = far * np.cos(angle), far * np.sin(angle), rng.uniform(0.2, 1.6)
        scene.place(poise.box(0.2, 0.2, 0.2, name=f"box{i}"), place)
    for side in ("left", "right"):
        scene.add(tasks.Frame(f"{side}_foot"), priority=1)
    scene.add(tasks.Balance(), priority=2)
    scene.add(tasks.Position("right_hand", (0.35, -0.25, 1.15)), priority=3, name="hand")
    if avoids:
        scene.add(tasks.Avoid(), priority=1)
        scene.add(tasks.AvoidSelf(), priority=1)
    return scene


def cost(_: int) -> None:
    """What a frame of a motion costs."""
    angles = np.linspace(0.0, 4 * np.pi, 121)
    path = np.stack([0.3 + 0 * angles, -0.3 + 0.1 * np.sin(angles), 1.1 + 0.1 * np.cos(angles)], 1)
    times: dict[bool, float] = {}
    for avoids in (False, True):
        scene = crowded(avoids=avoids)
        scene.handles["hand"].target = path[0]
        scene.posture = scene.solve().posture
        frames = [scene.animate({"hand": path}).solutions.seconds[1:] for _ in range(7)]
        times[avoids] = 1e3 * float(np.min(frames, axis=0).mean())
    pairs = crowded(avoids=True)._problem().blocks.bodies.owner.size
    show(
        f"a frame of a person with fingers, {pairs} pairs of shapes",
        ("without, ms", "with, ms", "ratio"),
        [[f"{times[False]:.3f}", f"{times[True]:.3f}", f"{times[True] / times[False]:.2f}"]],
    )


def slide(_: int) -> None:
    """A hand whose fingers slide along a box."""
    frames = 240
    share = 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, frames))
    path = np.array([0.33, -0.4, 1.1]) + share[:, None] * [0.0, 0.4, 0.0]
    found: dict[bool, tuple[float, float, float]] = {}
    for solid in (False, True):
        scene = Scene(poise.human(), natural=False)
        scene.place(poise.box(0.2, 0.2, 0.3, name="block", solid=solid), (0.5, -0.2, 1.1))
        for side in ("left", "right"):
            scene.add(tasks.Frame(f"{side}_foot"), priority=1)
        scene.add(tasks.Balance(), priority=2)
        scene.add(tasks.Avoid(), priority=1)
        scene.add(tasks.AvoidSelf(), priority=1)
        scene.add(tasks.Position("right_hand", path[0]), priority=3, name="hand")
        scene.posture = scene.solve().posture
        motion = scene.animate({"hand": path}, fps=120)
        q = motion.solutions.q[:, ~scene.figure.root_coordinates]
        faster = np.abs(np.diff(q, 2, axis=0)).max(axis=1) * 120.0**2
        deep = max(depth(each) for each in motion.solutions)
        found[solid] = float(np.sort(faster)[-5]), float(faster.max()), deep
    rows = [
        ["with the box" if solid else "without", *(f"{each:.0f}" for each in values[:2]),
         f"{1e3 * values[2]:.3f}"]
        for solid, values in found.items()
    ]  # fmt: skip
    show(
        f"fingers that slide along a box, {frames} frames at 120 a second",
        ("", "rad/s², the fifth largest", "largest", "deepest, mm"),
        rows,
    )


SECTIONS: dict[str, Callable[[int], None]] = {"starts": starts, "cost": cost, "slide": slide}


def main(given: list[str]) -> None:
    """Print the sections that are asked for, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("section", nargs="*", choices=[*SECTIONS, []])
    parser.add_argument("--count", type=int, default=100)
    asked = parser.parse_args(given)
    for name in asked.section or SECTIONS:
        SECTIONS[name](asked.count)


if __name__ == "__main__":
    main(sys.argv[1:])
