"""One scene with thousands of targets: results as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from poise.calls import public
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.scene.distances import may_be_far
from poise.scene.solution import Solution
from poise.scene.solving import Prepared, prepare
from poise.scene.threads import spread
from poise.solvers.outcome import Outcome, Tried
from poise.tasks.task import Task

if TYPE_CHECKING:
    from poise.scene.options import Options
    from poise.scene.wanting import Wanting
    from poise.solvers import Solver
    from poise.solvers.problem import Problem
    from poise.tasks.task import Context

Values = NDArray[np.float64]
Aims = list[Task]
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
        prepared: Prepared,
        aims: Mapping[int, Aims],
        tolerance: float,
    ) -> None:
        """Make room for a result for each target; they go by the index of a wish."""
        count = len(next(iter(aims.values())))
        self._aims = aims
        self._prepared = prepared
        self._problem = problem = prepared.problem
        self._tolerance = tolerance
        self.q = np.zeros((count, problem.figure.n))
        self.status = np.full(count, "", dtype="<U10")
        self.iterations = np.zeros(count, np.int64)
        self.seconds = np.zeros(count)
        self.optimality = np.zeros(count)
        self._note = self._method = ""
        self._residual: Values = np.zeros((count, problem.blocks.inequality.size))
        self._tried: list[Tried | None] = [None] * count

    def __repr__(self) -> str:
        """How many, and how many met everything."""
        return f"<Solutions: {len(self)}, of which {int(self.met.sum())} meet every task>"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of all solves, as `Solution.notes`."""
        notes = self._prepared.notes
        return (*notes, self._note) if self._note else notes

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
            tried=self._tried[index],
        )
        problem = self._problem.twin()
        for wish, tasks in self._aims.items():
            problem.retarget(wish, tasks[index])
        return self._prepared._replace(problem=problem).report(outcome, self._tolerance)

    def __iter__(self) -> Iterator[Solution]:
        """One after the other."""
        return (self[i] for i in range(len(self)))

    def _put(self, i: int, outcome: Outcome) -> None:
        """Write down the result of one solve."""
        self.q[i] = outcome.q
        self.status[i] = outcome.status
        self.iterations[i] = outcome.iterations
        self.seconds[i] = outcome.seconds
        self.optimality[i] = outcome.optimality
        self._note, self._method = outcome.note, outcome.method
        self._residual[i] = outcome.residual
        self._tried[i] = outcome.tried


def aims_of(scene: Wanting, targets: Mapping[str, Any]) -> dict[int, Aims]:
    """Many targets for tasks by name, checked: by the index of a wish, each task as often.

    The scene must be packed, and stay as it is meanwhile.
    """
    context, handles, indices = scene._context(), scene.handles, scene._rows
    aims: dict[int, Aims] = {}
    for name, rows in targets.items():
        if name not in handles:
            raise unknown_name("task", name, handles)
        wanted = handles[name].wanted
        if not isinstance(wanted, Task) or not wanted.has_target:
            raise PoiseError(f"{name!r} is a {type(wanted).__name__}, which has no target")
        if name not in indices:
            raise PoiseError(f"{name!r} is disabled; enable it before solving for its targets")
        tasks = aims[indices[name]] = _aimed(wanted, name, rows, context)
        if tasks and may_be_far(rows):
            far = max(tasks, key=lambda each: max(map(abs, each.spot() or (0.0,))))
            scene._warn_if_far(far, name)
    counts = {name: len(rows) for name, rows in zip(targets, aims.values(), strict=True)}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{count} for {name!r}" for name, count in counts.items())
        raise PoiseError(f"there must be as many targets for each task, not {listed}")
    return aims


def _aimed(task: Task, name: str, targets: Any, context: Context) -> Aims:
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


def solve_many(
    scene: Wanting, solve: Solver, targets: Mapping[str, Any], options: Options, *, threads: int
) -> Solutions:
    """Solve for many targets, each from the same start; see `Scene.solve_many`."""
    if not isinstance(targets, Mapping) or not targets:
        raise PoiseError(f"targets must be given by the names of tasks, not as {targets!r}")
    with scene._turn:
        prepared, aims = prepare(scene), aims_of(scene, targets)
    results = Solutions(prepared, aims, options.tolerance)

    def job(twin: Problem, i: int) -> None:
        for wish, tasks in aims.items():
            twin.aim(wish, tasks[i].goals())
        results._put(i, prepared._replace(problem=twin).solve(solve, options, threads=1))

    spread(prepared.problem, len(results), job, threads)
    return results
