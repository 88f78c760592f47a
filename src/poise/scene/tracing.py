"""What each iteration of a solve did, for a person who asks how it went: `solve(trace=True)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from poise.calls import public
from poise.closed import closed
from poise.errors import PoiseError
from poise.kernel.tracing import ERRORS, LEVEL, PHASE, RADIUS, STEP
from poise.solvers import METHODS, Solver
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem
from poise.tasks.task import digits

if TYPE_CHECKING:
    from poise.pictures.stage import Image

MOST = 10_000
"""Iterations that a trace has room for: what comes later is solved, and not noted."""


@closed
@dataclass(frozen=True, eq=False)
class Iteration:
    """What one iteration did; equal to another that did the same."""

    number: int
    """From 1 on."""
    phase: str
    """What it was for, in the method's words; "criteria" where these were lowered by themselves."""
    priority: int | None
    """Whose tasks it was for; None if not for those of one priority alone."""
    radius: float
    """How far it might have gone, nan if nothing of the method's own bounds that."""
    step: float
    """How far the coordinate went that moved most (rad or m)."""
    errors: tuple[float, ...]
    """The size of each priority's errors after it (m), as `Solution.level_errors`."""

    def __eq__(self, other: object) -> bool:
        """Whether both did the same; no radius is like no other radius."""
        return self._key == other._key if isinstance(other, Iteration) else NotImplemented

    def __hash__(self) -> int:
        """As equal ones have."""
        return hash(self._key)

    @property
    def _key(self) -> tuple[Any, ...]:
        radius = None if np.isnan(self.radius) else self.radius
        return (self.number, self.phase, self.priority, radius, self.step, self.errors)


class _NoIterationError(PoiseError, IndexError):
    """A trace is not that long; an IndexError, which is what Python's own loops end by."""


@closed
@public
class Trace(Sequence[Iteration]):
    """The iterations of a solve, one after the other: of the one whose result was kept.

    The last need not be that result, whose errors are `Solution.level_errors`: a method may go back
    to a posture that it saw before.

    `print(trace)` gives a table, `trace.plot("errors.png")` draws the errors. A trace is equal to
    another of the same method, priorities and tolerance that has the same iterations.
    """

    method: Final[str]
    priorities: Final[tuple[int, ...]]
    """The most important first: whose errors the iterations have."""
    tolerance: Final[float]
    """A task is met when its error is at most this (m)."""

    def __init__(
        self, method: str, priorities: Sequence[int], tolerance: float, rows: NDArray[np.float64]
    ) -> None:
        """Read the rows (T, …) that a method has noted; see `poise.kernel.tracing`."""
        self.method, self.priorities, self.tolerance = method, tuple(priorities), tolerance
        phases = METHODS[method].phases
        self._iterations = tuple(
            _iteration(i, row, phases, self.priorities) for i, row in enumerate(rows, 1)
        )

    @overload
    def __getitem__(self, at: int) -> Iteration: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Iteration, ...]: ...
    def __getitem__(self, at: int | slice) -> Iteration | tuple[Iteration, ...]:
        """One or several, from 0 on: `trace[-1]` is the last."""
        try:
            return self._iterations[at]
        except IndexError:
            there = f"from 0 to {len(self) - 1}" if self._iterations else "none: nothing was to do"
            raise _NoIterationError(
                f"there is no iteration at {at} of this trace; there are {there}"
            ) from None

    def __len__(self) -> int:
        """How many iterations were noted: all, up to 10000."""
        return len(self._iterations)

    def __iter__(self) -> Iterator[Iteration]:
        """One after the other."""
        return iter(self._iterations)

    def __repr__(self) -> str:
        """The method, and how many."""
        return f"<Trace of {self.method}: {self._counted}>"

    def __eq__(self, other: object) -> bool:
        """Whether both tell of the same."""
        return self._key == other._key if isinstance(other, Trace) else NotImplemented

    def __hash__(self) -> int:
        """As equal ones have."""
        return hash(self._key)

    @property
    def _key(self) -> tuple[Any, ...]:
        return (self.method, self.priorities, self.tolerance, self._iterations)

    @property
    def _counted(self) -> str:
        return f"{len(self)} iteration{'' if len(self) == 1 else 's'}"

    def __str__(self) -> str:
        """A table that a person can read."""
        head = f"{self.method}, {self._counted}"
        if not self._iterations:
            return head
        errors = [f"error {priority}" for priority in self.priorities]
        lines = [("iteration", "phase", "priority", "radius", "step", *errors)]
        for each in self._iterations:
            lines.append(
                (
                    str(each.number),
                    each.phase,
                    "" if each.priority is None else str(each.priority),
                    "" if np.isnan(each.radius) else digits(each.radius),
                    digits(each.step),
                    *(digits(1e3 * error) for error in each.errors),
                )
            )
        wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [f"{head}; radius and step in rad or m, errors of each priority in mm"]
        for line in lines:
            number, phase, *rest = (each.rjust(w) for each, w in zip(line, wide, strict=True))
            text.append("  ".join((number, phase.strip().ljust(wide[1]), *rest)))
        if len(self) == MOST:
            text.append(f"no more than {MOST} iterations are noted")
        return "\n".join(text)

    def plot(self, path: str | Path | None = None, *, size: tuple[int, int] = (1000, 640)) -> Image:
        """Draw the errors of every priority over the iterations, and the radius and the steps.

        Needs the extra `poise[pictures]`.

        Args:
            path: where to write the picture, a file ending in .png; None writes none.
            size: width and height, in pixels; one that leaves no room beside the words is refused.

        Returns:
            The image (height, width, 3), bytes from 0 to 255.
        """
        import poise

        return poise.pictures.trace_picture(self, path, size=size)


def _iteration(
    number: int, row: NDArray[np.float64], phases: Sequence[str], priorities: Sequence[int]
) -> Iteration:
    """What a row says; levels after those of all tasks are criteria."""
    level, count = int(row[LEVEL]), len(priorities)
    return Iteration(
        number,
        phases[int(row[PHASE])] if level < count else "criteria",
        priorities[level] if 0 <= level < count else None,
        float(row[RADIUS]),
        float(row[STEP]),
        tuple(row[ERRORS : ERRORS + count].tolist()),
    )


def by_priority(problem: Problem, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows (T, …) that a method has noted, with priorities in place of levels."""
    levels, priorities = problem.level_priorities, problem.priorities
    place = [priorities.index(each) for each in levels]
    place += [len(priorities)] * (problem.blocks.level.size - len(levels))  # the criteria
    sizes = problem.by_priority(rows[:, ERRORS : ERRORS + len(levels)])
    result = np.concatenate([rows[:, :ERRORS], sizes], axis=1)
    level = rows[:, LEVEL].astype(np.int64)
    result[:, LEVEL] = np.where(level >= 0, np.array(place)[level], level)
    return result


def traced(method: Solver) -> Solver:
    """The method, whose every solve begins from nothing and gives its iterations as well."""

    def solve(problem: Problem, start: NDArray[Any], **ending: Unpack[Ending]) -> Outcome:
        twin = problem.twin()
        trace = twin.trace_iterations(MOST)
        outcome = method(twin, start, **ending)
        return outcome._replace(trace=trace.rows[: trace.length.count].copy())

    return solve
