"""How long `print(solution)` takes: reports of tasks that are not met, and what is in their way.

Random scenes of a person: feet held or not, balance, and one to five more wishes of many kinds at
several priorities, most of them out of reach, some joints locked; the figure with a spine of three
parameters, with a joint for each vertebra, and with fingers. The least of a few repeats of each
counts; the mark is 5 ms.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from timing import least_seconds, show

import poise
from poise import PoiseError, Scene, tasks
from poise.figure.transform import Transform, rotation_matrix
from poise.scene import Solution

FIGURES: dict[str, dict[str, Any]] = {
    "human()": {},
    'human(spine="independent")': {"spine": "independent"},
    "human(hands=True)": {"hands": True},
}
SITES = ("left_hand", "right_hand", "head", "pelvis", "left_foot")


def random_scene(options: dict[str, Any], rng: np.random.Generator) -> Scene:
    """A person who is asked for more than she can do."""
    figure = poise.human(**options)
    joints = [name.partition(".")[0] for name in figure.coordinates]
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(1, 4))):
            figure.lock(str(rng.choice(joints)))
    scene = Scene(figure)
    if rng.random() < 0.8:
        for foot in ("left_foot", "right_foot"):
            scene.add(tasks.Frame(foot), priority=1)
        if rng.random() < 0.6:
            scene.add(tasks.Balance(margin=0.02), priority=int(rng.integers(1, 4)))
    for i in range(int(rng.integers(1, 6))):
        some = [str(rng.choice(joints)) for _ in range(4)] if rng.random() < 0.15 else None
        scene.add(
            random_task(list(figure.segments), rng),
            priority=int(rng.integers(1, 6)),
            weight=float(rng.choice([1, 1, 0.3, 3])),
            name=f"wish {i}",
            joints=some,
        )
    return scene


def random_task(segments: list[str], rng: np.random.Generator) -> tasks.Task:
    """A task of any kind, for a hand, a foot, the head, the pelvis or any segment."""
    site = str(rng.choice(segments if rng.random() < 0.3 else SITES))
    other = str(rng.choice([each for each in segments if each != site]))
    towards = rng.normal(size=3)
    towards *= rng.uniform(0.5, 2.2 if rng.random() < 0.6 else 0.9) / np.linalg.norm(towards)
    point = tuple((np.array([0.0, 0.0, 1.0]) + towards).tolist())
    turn = rotation_matrix(1.2 * rng.normal(size=3))
    kinds = [
        tasks.Position(site, point),
        tasks.Position(site, point),
        tasks.Frame(site, Transform(turn, np.array(point))),
        tasks.Orientation(site, turn),
        tasks.Aim(site, point),
        tasks.HalfSpace(site, point, normal=tuple(rng.normal(size=3).tolist())),
        tasks.CenterOfMass(point, axes="xy"),
        tasks.Loop(site, other),
    ]
    return kinds[int(rng.integers(len(kinds)))]


def printing(solution: Solution) -> float:
    """Seconds for the text of a solution that nobody has looked at."""

    def look() -> str:
        vars(solution).pop("tasks", None)
        return str(solution)

    return least_seconds(look, repeats=3)


def row(name: str, count: int) -> list[str]:
    """How long it takes for some scenes of a figure."""
    rng, times, unmet = np.random.default_rng(18), list[float](), 0
    while len(times) < count:
        try:
            solution = random_scene(FIGURES[name], rng).solve(restarts=0)
        except PoiseError:  # a balance without anything to stand on
            continue
        times.append(1e3 * printing(solution))
        unmet += sum(not report.met for report in solution.tasks)
    mean, p95, most = np.mean(times), np.percentile(times, 95), max(times)
    return [name, str(unmet), f"{mean:.2f}", f"{p95:.2f}", f"{most:.2f}"]


def main(count: int) -> None:
    """Print the table."""
    show(
        f"print(solution), {count} scenes each; mark: 5 ms",
        ("figure", "unmet tasks", "ms mean", "p95", "most"),
        [row(name, count) for name in FIGURES],
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
