"""Solves sets of problems, with the poise that this process imports, for `verdicts.py`.

Two commits run this one file, so it uses only public names, and of tests/solvers/scenes.py that of
the commit itself; only `digest` looks at packed problems, to tell whether both solve the same.
Persons have no `Natural`: the problems would differ from those of commits before it, and the time
would be that of one more level; `natural_cost.py` measures it.

Requests:
    where: the folder of the package that is used, and the names of the sets.
    build: a set of problems, by its name in `SETS`; its tolerance, and why it is empty if it is.
    round: solve all problems of the set once, for their times.
    judge: solve them once, for statuses, errors, iterations, frames in which a joint jumps, and a
        digest of each problem.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import against_worker
import forces
import lines
import mocap
import numpy as np
from comparing import TOLERANCE
from person_of_71 import GROUPS, Values, drawn, person, wandering
from tests.solvers import scenes

import poise
from poise import Scene, tasks
from poise.reproductions.lpik_2005.scenes import ring, swaying
from poise.scene import Solution


class Run(NamedTuple):
    """One problem, or a motion frame after frame."""

    scene: Scene
    """Where it starts."""
    solve: Callable[[], Sequence[Solution]]


class ProblemSet(NamedTuple):
    """Problems of one sort."""

    runs: Callable[[], Iterator[Run]]
    tolerance: float = TOLERANCE
    """To which they are solved (m): smaller errors are no errors, and smaller differences none."""
    needs: str = ""
    """What must be there for them, if anything."""


TIGHT = 1e-6
"""The tolerance (m) of random scenes, as in tests/solvers/test_strict.py."""
JUMP = np.deg2rad(10.0)
"""More than this a joint should not move in a frame, as in `calm.py`."""


def cold(scene: Scene, **options: Any) -> Run:
    """Solve a scene from where it stands, from nothing, and from no other start."""
    return Run(scene, lambda: [scene.solve(warm=False, restarts=0, **options)])


def strict() -> Iterator[Run]:
    """Random scenes with two to five levels, within reach and out of it."""
    for seed in range(500):
        figure, wishes, start = scenes.scene(seed)
        yield cold(made(figure, wishes, start), tolerance=TIGHT)


def adorned() -> Iterator[Run]:
    """The same with weights, locked and stiff joints, loops and criteria."""
    for seed in range(120):
        figure, wishes, criteria, start = scenes.adorned(seed)
        scene = made(figure, wishes, start)
        for criterion, weight in criteria:
            scene.add(criterion, weight=weight)
        yield cold(scene, tolerance=TIGHT)


def made(figure: poise.Figure, wishes: Sequence[Any], start: Any) -> Scene:
    """A scene of what tests want of a figure."""
    scene = Scene(figure)
    scene.posture = start
    for wish in wishes:
        scene.add(
            wish.task,
            priority=wish.priority,
            weight=wish.weight,
            joints=wish.joints,
            name=wish.name,
        )
    return scene


def persons(groups: Sequence[tuple[str, bool, float]], count: int) -> Iterator[Run]:
    """Goals of `lex.py`, so many of each group, from rest."""
    figure = person()
    for _, anywhere, metres in groups:
        for seed in range(count):
            goal = drawn(figure, seed, anywhere=anywhere, metres=metres)
            yield cold(against_worker.scene(figure, *goal), max_iterations=against_worker.LIMIT)


def calm() -> Iterator[Run]:
    """A hand that follows a path in and out of reach, as in `calm.py`."""
    scene, path = following()
    yield Run(scene, lambda: scene.animate({"hand": path}).solutions)


def warm() -> Iterator[Run]:
    """The same path by a loop of `scene.solve()`, which goes for all that is to be gained."""
    scene, path = following()
    start = scene.posture

    def run() -> list[Solution]:
        found: list[Solution] = []
        for target in path:
            scene.handles["hand"].target = target
            found.append(scene.solve(restarts=0))
            scene.posture = found[-1].posture
        scene.posture = start
        return found

    yield Run(scene, run)


def following() -> tuple[Scene, Values]:
    """A person who stands on both feet, balanced, and where a hand goes."""
    figure = person()
    scene = Scene(figure)
    for foot in ("left_foot", "right_foot"):
        scene.add(tasks.Position(foot), priority=1)
    scene.add(tasks.CenterOfMass(axes="xy"), priority=2)
    scene.add(tasks.Position("left_hand"), priority=3, name="hand")
    return scene, wandering(figure, 1500)


def forced() -> Iterator[Run]:
    """Forces, equilibrium, balance and effort, as in `forces.py`, and a hand that is dragged."""
    for build in (forces.pushing, forces.pulling, forces.lifting, forces.carrying):
        yield cold(build())
        scene = build()
        scene.add(tasks.Effort())
        yield cold(scene)
    for links in (10, 20):
        yield cold(forces.chained(links))
    path = (0.45, -0.2, 1.3) + 0.003 * np.arange(40)[:, None] * [1.0, 0.0, 0.0]
    for spares in (False, True):
        scene = forces.pushing()
        if spares:
            scene.add(tasks.Effort())
        yield Run(scene, lambda scene=scene: scene.animate({"right_hand": path}).solutions)


def crowds() -> Iterator[Run]:
    """Rings of persons hand in hand, who sway."""
    for count in (2, 4, 20, 40):
        scene = ring(count)
        paths = swaying(scene, 20)
        yield Run(scene, lambda scene=scene, paths=paths: scene.animate(paths).solutions)


def captured(mode: str) -> Iterator[Run]:
    """Motion capture, as in `mocap.py`; nothing where there are no clips."""
    large, follow = mocap.MODES[mode]
    for file in mocap.files():
        for motion in mocap.motions(mocap.loaded(file), large=large):
            yield Run(motion.scene, lambda motion=motion: follow(motion))


CLIPS = "bvh/cmu in POISE_DATA or ../shared/data"
SETS: dict[str, ProblemSet] = {
    "strict": ProblemSet(strict, TIGHT),
    "adorned": ProblemSet(adorned, TIGHT),
    "near": ProblemSet(lambda: persons(GROUPS[:1], 300)),
    "cold": ProblemSet(lambda: persons(GROUPS[1:2], 400)),
    "far": ProblemSet(lambda: persons(GROUPS[2:], 100)),
    "calm": ProblemSet(calm),
    "warm": ProblemSet(warm),
    "forces": ProblemSet(forced),
    "crowds": ProblemSet(crowds),
    **{
        f"mocap {mode}": ProblemSet(lambda mode=mode: captured(mode), needs=CLIPS)
        for mode in mocap.MODES
    },
}


def levels(solution: Solution) -> list[float]:
    """The error of each level (m), the most important first; 0 where all its tasks are met."""
    unmet = {report.priority for report in solution.tasks if not report.met}
    ranks = sorted({report.priority for report in solution.tasks})
    return [
        error if rank in unmet else 0.0
        for rank, error in zip(ranks, solution.level_errors, strict=True)
    ]


def jumps(frames: Sequence[Solution]) -> int:
    """In how many frames of a motion a joint moves by more than 10°."""
    q = np.array([inner(each) for each in frames])
    return int((np.abs(np.diff(q, axis=0)).max(axis=1, initial=0.0) > JUMP).sum())


def inner(solution: Solution) -> Values:
    """The coordinates of all joints but the roots."""
    return np.concatenate(
        [each.q[~each.figure.root_coordinates] for each in solution.postures.values()]
    )


def digest(start: Values, solution: Solution) -> str:
    """What tells one problem from another: where it starts, and all that was packed for it.

    Empty where a commit packs problems in another way, and nothing can be told.
    """
    found = hashlib.sha256(start.tobytes())
    try:
        problem: Any = solution._problem
        figure = problem.figure
        packed = [each for each in problem.blocks if isinstance(each, np.ndarray)]
        for array in (*packed, problem.metric, figure.lower, figure.upper):
            found.update(f"{array.shape}{array.dtype}".encode() + array.tobytes())
    except AttributeError:
        return ""
    return found.hexdigest()[:16]


class Solving:
    """Answers requests."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._starts: list[Values] = []

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request."""
        match request["do"]:
            case "where":
                return {"folder": str(Path(poise.__file__).parent), "sets": list(SETS)}
            case "build":
                chosen = SETS[request["name"]]
                self._runs = list(chosen.runs())
                for run in self._runs:
                    if hasattr(run.scene, "natural"):
                        run.scene.natural = False
                self._starts = [run.scene.q.copy() for run in self._runs]
                lacking = f"there is no {chosen.needs}" if chosen.needs else "it has no problems"
                return {
                    "tolerance": chosen.tolerance,
                    "lacking": "" if self._runs else lacking,
                }
            case "round":
                return {"seconds": [each.seconds for run in self._runs for each in run.solve()]}
            case "judge":
                solved = [run.solve() for run in self._runs]
                found = [each for frames in solved for each in frames]
                told = zip(self._starts, solved, strict=True)
                return {
                    "digests": [digest(start, each) for start, frames in told for each in frames],
                    "jumps": sum(map(jumps, solved)),
                    "statuses": [each.status for each in found],
                    "iterations": [each.iterations for each in found],
                    "levels": [levels(each) for each in found],
                }
            case other:
                raise ValueError(f"there is no request {other!r}")


if __name__ == "__main__":
    lines.serve(Solving().reply)
