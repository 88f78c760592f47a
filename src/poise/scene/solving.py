"""How a scene is solved: prepare, check, solve, report.

Every solve goes these four steps: those of `Scene.solve`, `solve_many` and `animate`, and those of
the studio. `Scene.assess` leaves out the third.

1. `prepare` packs the scene into a problem, which raises for what makes no sense, and brings its
   posture within limits: there a solve starts.
2. `options.solver_of` finds the method with its options, and raises for names that are not there.
   A method refuses a problem that it cannot take, whoever calls it, by its `Method` record; `check`
   asks that beforehand.
3. `Prepared.solve` solves from the start, and from others (`starts`) where tasks are not met and
   the options say so.
4. `Prepared.report` makes a `Solution` of what was found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure
from poise.scene.restarts import solve_with
from poise.scene.solution import Solution
from poise.solvers import Solver, solver
from poise.solvers.lex import measured

if TYPE_CHECKING:
    from poise.scene.ensemble import Ensemble
    from poise.scene.options import Options
    from poise.scene.wanting import Wanting
    from poise.solvers.outcome import Outcome
    from poise.solvers.problem import Problem
    from poise.tasks.task import Context

Values = NDArray[np.float64]


class Prepared(NamedTuple):
    """A scene that is ready to be solved."""

    ensemble: Ensemble
    """The figures as they are now."""
    problem: Problem
    start: Values
    """(n,) all coordinates, within limits."""
    notes: tuple[str, ...]
    """What a person should know of the start and of the tasks."""

    def moving(self, readily: Values) -> Prepared:
        """The same with coordinates (n,) that move so readily, from 0 (not at all) to 1."""
        problem = replace(self.problem, metric=self.problem.metric * readily)
        return self._replace(problem=problem)

    def solve(
        self,
        method: Solver,
        options: Options,
        *,
        start: Values | None = None,
        threads: int | None = None,
    ) -> Outcome:
        """Solve, from its start or from other coordinates (n,) within limits.

        Args:
            method: with its own options.
            options: how it is solved.
            start: where to begin; None for its own.
            threads: how many other starts are tried at once; None for as many as there are cores.
        """
        begin = self.start if start is None else start
        parts = self.ensemble.parts
        return solve_with(self.problem, method, begin, options, parts=parts, threads=threads)

    def report(self, outcome: Outcome, tolerance: float) -> Solution:
        """What a solver found as a solution; the problem may go on to other targets."""
        return Solution(self.ensemble, self.problem.twin(), outcome, tolerance, self.notes)


def prepare(scene: Wanting) -> Prepared:
    """Make a scene ready for solves of its own: nothing that they do changes the scene.

    Raises where what is wanted makes no sense together.
    """
    with scene._turn:
        prepared = _prepare(scene)
        return prepared._replace(problem=prepared.problem.twin())


def check(scene: Wanting) -> None:
    """Raise where the scene's method cannot take what is wanted."""
    solver(scene.options.method).check(prepare(scene).problem)


def solve(scene: Wanting, method: Solver, options: Options) -> Solution:
    """Solve a scene from its posture; see `Scene.solve`."""
    # Threads take turns: what a solve works with is the scene's.
    with scene._turn:
        prepared = _prepare(scene)
        outcome = prepared.solve(method, options)
        # Not as an attribute: a closed class would check the name, and a loop does this each time.
        vars(scene)["_valid"] = (prepared.start.tobytes(), outcome.q.tobytes())
        return prepared.report(outcome, options.tolerance)


def assess(scene: Wanting) -> Solution:
    """See how the tasks stand, without any step; see `Scene.assess`."""
    tolerance = scene.options.tolerance
    with scene._turn:
        as_it_is = Prepared(scene._ensemble, scene._problem(), scene._ensemble.q(), ())
        outcome = measured(as_it_is.problem, as_it_is.start, tolerance=tolerance)
        return as_it_is.report(outcome, tolerance)


def _prepare(scene: Wanting) -> Prepared:
    """Make a scene ready, with its own problem: what the last solve has left is still in it."""
    ensemble, problem = scene._ensemble, scene._problem()
    q = ensemble.q()
    if q.tobytes() in scene._valid:  # as the last solve left it: within limits
        return Prepared(ensemble, problem, q, problem.costs)
    start = ensemble.whole.clamp(q).q
    notes = (*problem.costs, *_brought_within(ensemble.whole, q, start))
    return Prepared(ensemble, problem, start, notes)


def _brought_within(whole: Figure, q: Values, start: Values) -> tuple[str, ...]:
    """The note on coordinates q (n,) that had to be brought within limits to start."""
    from poise.figure.ranges import described

    if np.array_equal(q, start):
        return ()
    # What a file loses by rounding is not worth a word.
    broken = whole.broken_limits(q, tolerance=1e-6)
    words = described(whole, broken)
    return (f"the start broke limits and was brought within them: {words}",) if broken else ()


def context_of(subject: Wanting | Solution) -> Context:
    """What tasks may ask about a scene as it is now, or about the postures of a solution."""
    return subject._context()
