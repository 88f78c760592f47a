"""The scene: figures, what is wanted of them, and how it is found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from poise.calls import public
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.scene.distances import may_be_far
from poise.scene.many import Aims, Solutions, aimed, solve_all
from poise.scene.options import Options, count, solver_of
from poise.scene.restarts import solve_with
from poise.scene.solution import Solution
from poise.scene.threads import cores
from poise.scene.wanting import Wanting
from poise.solvers import Solver, following, solver
from poise.solvers.lex import measured
from poise.solvers.problem import Problem
from poise.tasks.task import Task

if TYPE_CHECKING:
    from poise.scene.animate import Animation, Progress
    from poise.scene.ensemble import Ensemble

Values = NDArray[np.float64]


@closed
@public
class Scene(Wanting):
    """Figures with tasks and criteria: the whole problem.

    ```python
    scene = poise.Scene(poise.human())
    scene.add(tasks.Frame("left_foot"), priority=1)
    reach = scene.add(tasks.Position("right_hand", (0.6, -0.2, 1.3)), priority=2)
    solution = scene.solve()
    ```

    In a scene of several figures, given by name or as a list (figure_1, figure_2, …), names of
    sites and joints are written `figure/name`.

    Attributes:
        description: one line about it.
        forces: what supports and pushes the figures, see `Forces`.
        origins: by the figures' names, what they were made from, so that a scene file can name
            that rather than write the figure out: `Origin("human", {"stature": 1.68})`. One that
            does not give just that figure is not used.
    """

    _instead: ClassVar[Mapping[str, str]] = {
        "figure": "make another Scene",
        "figures": "make another Scene",
        "given": "make another Scene",
        "forces": "use scene.forces.support and scene.forces.apply",
        "handles": "use scene.add, and handle.remove()",
        "tasks": "use scene.add, and handle.remove()",
        "props": "use scene.hold, scene.place and scene.remove",
        "places": "it follows from scene.posture",
        "together": "it follows from scene.postures",
    }

    def __repr__(self) -> str:
        """The figures and the number of tasks."""
        figures = ", ".join(self.figures)
        return f"<Scene of {figures}: {len(self._handles)} tasks and criteria>"

    # solving -------------------------------------------------------------------------------

    def solve(
        self,
        method: str | None = None,
        *,
        tolerance: float | None = None,
        max_iterations: int | None = None,
        max_seconds: float | None = None,
        restarts: int | None = None,
        warm: bool = True,
        **own: Any,
    ) -> Solution:
        """Find a posture. The scene's own stays as it is: go on with `scene.posture = …`.

        Where the posture is what the last `solve` found, and only targets have moved since, and not
        far, the solve goes on from there; otherwise it begins from nothing.

        A start outside limits is brought inside first, and `Solution.notes` says so. What is not
        given is taken from `scene.options`, whose defaults are in brackets.

        Args:
            method: how ("lex"); `poise.solvers.METHODS` has the others.
            tolerance: a task is met when its error is at most this, in metres; angles count with
                metres per radian (1e-4).
            max_iterations: when to give up (200).
            max_seconds: when to give up (never); inf for never.
            restarts: how many other starts to try, in parallel, when tasks are not met from the
                scene's posture (0). The lexicographically best result is kept.
            warm: False to begin from nothing in any case: the same scene and posture then give the
                same result to the last bit, whatever was solved before.
            **own: options of the method's own, such as `formulation="cascaded"` of "priority".
        """
        if warm is not True and warm is not False:
            raise PoiseError(f"warm must be True or False, not {warm!r}")
        options = self._options
        if not (method is tolerance is max_iterations is max_seconds is restarts is None):
            options = options.changed(
                method=method,
                tolerance=tolerance,
                max_iterations=max_iterations,
                max_seconds=max_seconds,
                restarts=restarts,
            )
        solve = solver_of(options, own, Scene.solve, make=following if warm else solver)
        # Threads take turns: what a solve works with is the scene's.
        with self._turn:
            return self._solved(solve, options)

    def _solved(self, solve: Solver, options: Options) -> Solution:
        problem = self._problem()
        start, notes = self._start(problem)
        outcome = solve_with(problem, solve, start, options)
        self._valid = (start.tobytes(), outcome.q.tobytes())
        return Solution(self._ensemble, problem.twin(), outcome, options.tolerance, notes)

    def assess(self) -> Solution:
        """How the tasks stand in the scene's posture as it is: a solution without any step."""
        tolerance = self.options.tolerance
        with self._turn:
            problem, q = self._problem(), self._ensemble.q()
            outcome = measured(problem, q, tolerance=tolerance)
            return Solution(self._ensemble, problem.twin(), outcome, tolerance)

    def solve_many(
        self,
        targets: Mapping[str, Any],
        method: str | None = None,
        *,
        tolerance: float | None = None,
        max_iterations: int | None = None,
        max_seconds: float | None = None,
        restarts: int | None = None,
        threads: int | None = None,
        **own: Any,
    ) -> Solutions:
        """Solve for many targets, each from the scene's posture, on all cores.

        Args:
            targets: for one or more tasks by name, as many targets each: points (k, 3), frames
                (k, 4, 4), rotation matrices (k, 3, 3), quaternions w x y z (k, 4), or a list of
                what the task takes as its target.
            method: as in `solve`.
            tolerance: as in `solve`.
            max_iterations: as in `solve`.
            max_seconds: as in `solve`, for each.
            restarts: as in `solve`, for each.
            threads: how many solves at once; by default as many as there are cores.
            **own: as in `solve`.
        """
        options = self.options.changed(
            method=method,
            tolerance=tolerance,
            max_iterations=max_iterations,
            max_seconds=max_seconds,
            restarts=restarts,
        )
        solve = solver_of(options, own, Scene.solve_many)
        threads = cores() if threads is None else count(threads, "threads", 1)
        if not isinstance(targets, Mapping) or not targets:
            raise PoiseError(f"targets must be given by the names of tasks, not as {targets!r}")
        with self._turn:
            ensemble, problem, start, notes = self.prepared()
            aims = self.aims(targets)
        results = Solutions(ensemble, problem, aims, options.tolerance, notes)
        solve_all(
            results,
            problem,
            solve,
            start,
            aims,
            threads=threads,
            options=options,
        )
        return results

    def animate(
        self,
        targets: Mapping[str, Any],
        method: str | None = None,
        *,
        fps: float = 60.0,
        tolerance: float | None = None,
        max_iterations: int | None = None,
        max_seconds: float | None = None,
        progress: bool | Progress = False,
        **own: Any,
    ) -> Animation:
        """Solve frame after frame for targets that move, each from the posture before.

        The first frame is solved from the scene's posture, which stays as it is. From then on what
        the method knows of the last frame is used again, and "lp" keeps near the last step
        (eq. 8 of its paper).

        Args:
            targets: by name, as many targets each as there are frames of the motion, as in
                `solve_many`. The name is that of a task. It may also be a site's (`figure/name` of
                several figures), which then follows its path as by a task of the last priority
                there is.
            method: as in `solve`.
            fps: frames for each second, of the clips.
            tolerance: as in `solve`.
            max_iterations: as in `solve`, for each frame.
            max_seconds: as in `solve`, for each frame.
            progress: True for a bar on the terminal, or what to call after each frame with its
                number, from 1 on, and that of all.
            **own: as in `solve`.

        Returns:
            A `Clip` for each figure by name; `Animation.solutions` has every frame's report.
        """
        from poise.scene.animate import animate

        options = self.options.changed(
            method=method,
            tolerance=tolerance,
            max_iterations=max_iterations,
            max_seconds=max_seconds,
        )
        solver_of(options, own, Scene.animate)  # a wrong option is better said before the work
        with self._turn:
            return animate(self, targets, options, own, fps=fps, progress=progress)

    def prepared(self) -> tuple[Ensemble, Problem, Values, tuple[str, ...]]:
        """What a solve starts with: the figures, a problem of its own, a start, and notes on it."""
        problem = self._problem()
        start, notes = self._start(problem)
        return self._ensemble, problem.twin(), start, notes

    def aims(self, targets: Mapping[str, Any]) -> dict[int, Aims]:
        """Many targets for tasks by name, checked: by the index of a wish, each task as often."""
        context = self.context()
        aims: dict[int, Aims] = {}
        for name, rows in targets.items():
            if name not in self._handles:
                raise unknown_name("task", name, self._handles)
            wanted = self._handles[name].wanted
            if not isinstance(wanted, Task) or not wanted.has_target:
                raise PoiseError(f"{name!r} is a {type(wanted).__name__}, which has no target")
            if name not in self._rows:
                raise PoiseError(f"{name!r} is disabled; enable it before solving for its targets")
            tasks = aims[self._rows[name]] = aimed(wanted, name, rows, context)
            if tasks and may_be_far(rows):
                far = max(tasks, key=lambda each: max(map(abs, each.spot() or (0.0,))))
                self.warn_if_far(far, name)
        counts = {name: len(rows) for name, rows in zip(targets, aims.values(), strict=True)}
        if len(set(counts.values())) > 1:
            listed = ", ".join(f"{count} for {name!r}" for name, count in counts.items())
            raise PoiseError(f"there must be as many targets for each task, not {listed}")
        return aims

    # files ---------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: str | Path) -> Scene:
        """Read a scene file (YAML, top key `scene`)."""
        from poise.scene.files import load

        return load(path)

    def save(self, path: str | Path) -> None:
        """Write a scene file (YAML) that a person can edit; all of it or nothing."""
        from poise.scene.files import save

        save(self, path)

    # where it starts -----------------------------------------------------------------------

    def _start(self, problem: Problem) -> tuple[Values, tuple[str, ...]]:
        """All coordinates, within limits, and notes on them and on the problem.

        Those of the last solve are within limits, and need no clamping.
        """
        q = self._ensemble.q()
        if q.tobytes() in self._valid:
            return q, problem.costs
        whole = self._ensemble.whole
        start = whole.clamp(q).q
        return start, (*problem.costs, *_brought_within(whole, q, start))


def _brought_within(whole: Figure, q: Values, start: Values) -> tuple[str, ...]:
    """The note on coordinates q (n,) that had to be brought within limits to start."""
    from poise.figure.ranges import described

    if np.array_equal(q, start):
        return ()
    # What a file loses by rounding is not worth a word.
    broken = whole.broken_limits(q, tolerance=1e-6)
    words = described(whole, broken)
    return (f"the start broke limits and was brought within them: {words}",) if broken else ()
