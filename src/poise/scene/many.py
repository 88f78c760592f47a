"""One scene with thousands of targets: results as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from poise.calls import public
from poise.closed import closed
from poise.errors import PoiseError
from poise.scene.restarts import solve_with
from poise.scene.solution import Solution
from poise.scene.threads import spread
from poise.solvers.outcome import Outcome

if TYPE_CHECKING:
    from poise.scene.ensemble import Ensemble
    from poise.scene.options import Options
    from poise.solvers import Solver
    from poise.solvers.problem import Problem
    from poise.tasks.task import Context, Task

Values = NDArray[np.float64]
Aims = list["Task"]
"""One task with each of its targets, solve by solve."""


@closed
@public
class Solutions(Sequence[Solution]):
    """The results of `Scene.solve_many` as arrays, one row a solve; an item is a `Solution`."""

    q: Final[Values]
    """(k, n) all coordinates; of several figures one after the other."""
    status: Final[NDArray[np.str_]]
    """(k,) why each solve stopped."""
    iterations: Final[NDArray[np.int64]]
    """(k,)"""
    seconds: Final[Values]
    """(k,) time inside the solver."""
    optimality: Final[Values]
    """(k,) as in `Solution`."""

    def __init__(
        self,
        ensemble: Ensemble,
        problem: Problem,
        aims: Mapping[int, Aims],
        tolerance: float,
        notes: tuple[str, ...] = (),
    ) -> None:
        """Make room for a result for each target; they go by the index of a wish."""
        count = len(next(iter(aims.values())))
        self._aims = aims
        self._ensemble = ensemble
        self._problem = problem
        self._tolerance = tolerance
        self._notes = notes
        self.q = np.zeros((count, problem.figure.n))
        self.status = np.full(count, "", dtype="<U10")
        self.iterations = np.zeros(count, np.int64)
        self.seconds = np.zeros(count)
        self.optimality = np.zeros(count)
        self._note = self._method = ""
        self._residual: Values = np.zeros((count, problem.blocks.inequality.size))

    def __repr__(self) -> str:
        """How many, and how many met everything."""
        return f"<Solutions: {len(self)}, of which {int(self.met.sum())} meet every task>"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of all solves, as `Solution.notes`."""
        return (*self._notes, self._note) if self._note else self._notes

    @property
    def names(self) -> tuple[str, ...]:
        """The tasks' names, in the order of the columns of `errors`."""
        return tuple(wish.name for wish in self._problem.wishes)

    @property
    def units(self) -> tuple[str, ...]:
        """The units of the columns of `errors`: "m" or "rad"."""
        return tuple(self._problem.units[span.start] for span in self._problem.spans)

    @property
    def errors(self) -> Values:
        """(k, tasks) the error of every task; of a task with two parts that of the position."""
        problem = self._problem
        firsts = [span.start for span in problem.spans]
        return problem.measured(problem.sizes(self._residual))[:, firsts]

    @property
    def met_tasks(self) -> NDArray[np.bool_]:
        """(k, tasks) whether each task is met."""
        return self._problem.met(self._problem.sizes(self._residual), self._tolerance)

    @property
    def met(self) -> NDArray[np.bool_]:
        """(k,) whether every task is met."""
        return np.asarray(self.met_tasks.all(axis=1))

    def __len__(self) -> int:
        """The number of solves."""
        return len(self.q)

    @overload
    def __getitem__(self, index: int) -> Solution: ...
    @overload
    def __getitem__(self, index: slice) -> list[Solution]: ...
    def __getitem__(self, index: int | slice) -> Solution | list[Solution]:
        """One result, or a list of them."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        outcome = Outcome(
            self.q[index].copy(),
            str(self.status[index]),
            int(self.iterations[index]),
            float(self.seconds[index]),
            self._residual[index].copy(),
            float(self.optimality[index]),
            self._note,
            self._method,
        )
        problem = self._problem.twin()
        for wish, tasks in self._aims.items():
            problem.retarget(wish, tasks[index])
        return Solution(self._ensemble, problem, outcome, self._tolerance, self._notes)

    def __iter__(self) -> Iterator[Solution]:
        """One after the other."""
        return (self[i] for i in range(len(self)))

    def put(self, i: int, outcome: Outcome) -> None:
        """Write down the result of one solve."""
        self.q[i] = outcome.q
        self.status[i] = outcome.status
        self.iterations[i] = outcome.iterations
        self.seconds[i] = outcome.seconds
        self.optimality[i] = outcome.optimality
        self._note, self._method = outcome.note, outcome.method
        self._residual[i] = outcome.residual


def aimed(task: Task, name: str, targets: Any, context: Context) -> Aims:
    """A task with each of its targets, whatever one of them may be: points (k, 3), and so on."""
    try:
        rows = list(targets)
    except TypeError:
        raise PoiseError(
            f"the targets of {name!r} must be one for each solve, not {targets!r}"
        ) from None
    tasks: Aims = []
    for i, target in enumerate(rows):
        if target is None:
            raise PoiseError(f"target {i} of {name!r} must be given, not None")
        try:
            tasks.append(task.with_target(target).resolved(context))
        except PoiseError as error:
            raise PoiseError(f"target {i} of {name!r}: {error}") from None
    return tasks


def solve_all(
    results: Solutions,
    problem: Problem,
    solve: Solver,
    start: Values,
    aims: Mapping[int, Aims],
    *,
    threads: int,
    options: Options,
) -> None:
    """Solve for all targets, each from the same start.

    Args:
        results: where the outcomes go.
        problem: the scene's.
        solve: the method.
        start: (n,) coordinates within limits.
        aims: by the index of a wish.
        threads: how many solves at once.
        options: how each is solved.
    """

    def job(twin: Problem, i: int) -> None:
        for wish, tasks in aims.items():
            twin.aim(wish, tasks[i].goals())
        results.put(i, solve_with(twin, solve, start, options, threads=1))

    spread(problem, len(results), job, threads)
