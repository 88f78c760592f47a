"""The scene: figures, what is wanted of them, and how it is found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from poise.calls import public
from poise.closed import closed
from poise.errors import PoiseError
from poise.scene import solving
from poise.scene.many import Solutions, solve_many
from poise.scene.options import Restarts, count, solver_of
from poise.scene.solution import Solution
from poise.scene.threads import cores
from poise.scene.tracing import traced
from poise.scene.wanting import Wanting
from poise.solvers import following, solver

if TYPE_CHECKING:
    from poise.scene.animate import Animation, Progress


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
        restarts: Restarts | None = None,
        warm: bool = True,
        trace: bool = False,
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
            restarts: other starts to try, in parallel, when tasks are not met from the scene's
                posture ("auto"): "auto" for eight with at most 60 iterations each, 0 for none, or
                how many, each with all iterations. They are postures of people for a person, the
                middle of all ranges and samples for any figure. The lexicographically best result
                is kept, the same on any number of threads, and `Solution.notes` says from where.
                None are tried by a solve that goes on from the last: a loop must not leap.
            warm: False to begin from nothing in any case: the same scene and posture then give the
                same result to the last bit, whatever was solved before.
            trace: True to note what each iteration does, in `Solution.trace`; the solve then begins
                from nothing, whatever `warm` is.
            **own: options of the method's own, such as `formulation="cascaded"` of "priority".
        """
        for name, value in (("warm", warm), ("trace", trace)):
            if value is not True and value is not False:
                raise PoiseError(f"{name} must be True or False, not {value!r}")
        options = self._options
        if not (method is tolerance is max_iterations is max_seconds is restarts is None):
            options = options.changed(
                method=method,
                tolerance=tolerance,
                max_iterations=max_iterations,
                max_seconds=max_seconds,
                restarts=restarts,
            )
        method_of = following if warm and not trace else solver
        solve = solver_of(options, own, Scene.solve, make=method_of)
        return solving.solve(self, traced(solve) if trace else solve, options)

    def assess(self) -> Solution:
        """How the tasks stand in the scene's posture as it is: a solution without any step.

        Its `status` is "solved" if every task is met, else "stationary".
        """
        return solving.assess(self)

    def solve_many(
        self,
        targets: Mapping[str, Any],
        method: str | None = None,
        *,
        tolerance: float | None = None,
        max_iterations: int | None = None,
        max_seconds: float | None = None,
        restarts: Restarts | None = None,
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
            restarts: as in `solve`, for each, one after the other on its thread.
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
        return solve_many(self, solve, targets, options, threads=threads)

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

        No other starts are tried, which would make the motion leap; `Animation.notes` says so where
        frames do not meet every task.

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
        from poise.scene.animate import CALM, animate

        options = self.options.changed(
            method=method,
            tolerance=tolerance,
            max_iterations=max_iterations,
            max_seconds=max_seconds,
        )
        solve = solver_of(options, own, Scene.animate, make=CALM)
        return animate(self, solve, targets, options, fps=fps, progress=progress)

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
