"""What solving a scene gives: postures, why the solver stopped, and a report for each task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.calls import public
from poise.closed import ReadOnlyDict, closed
from poise.errors import PoiseError
from poise.figure import Placements, Posture
from poise.scene.blocking import Blocker, Obstruction, Obstructions
from poise.scene.found import Reports, found_posture, read_only
from poise.scene.things import Thing
from poise.scene.tracing import Trace, by_priority
from poise.solvers import METHODS
from poise.tasks.task import Context, Error, Task, digits

if TYPE_CHECKING:
    from poise.scene.contacts import BodyContact
    from poise.scene.ensemble import Ensemble
    from poise.solvers.outcome import Outcome, Tried
    from poise.solvers.problem import Problem
    from poise.statics.answers import Distribution
    from poise.statics.torques import Torques

_FAST = 0.1
"""Of the effort that is left (its root), what may still be gained per radian where it is solved."""
_AS_IT_STANDS = "not solved: as it stands"
"""What is said of `Scene.assess` in place of why a solver stopped."""
_TOLD = 4  # of what is in the way; more hide what matters


@closed
@dataclass(frozen=True)
class Report:
    """How a task came out."""

    name: str
    priority: int
    error: float
    """In `unit`; of a task with two parts, such as `Frame`, that of the position."""
    unit: str
    """"m", "rad" or "N·m"."""
    met: bool
    """Whether every part is within the tolerance; angles count with metres per radian."""
    errors: tuple[Error, ...]
    """All parts."""
    note: str = ""
    """What else a person should know; mostly nothing."""
    starts: int = 1
    """From how many starts the scene was solved, the first included."""
    find_obstruction: Callable[[], Obstruction] = field(default=Obstruction, repr=False)
    """How `obstruction` is found, when it is first asked for."""

    @cached_property
    def obstruction(self) -> Obstruction:
        """Why the task is not met; nothing if it is."""
        return Obstruction() if self.met else self.find_obstruction()

    @property
    def blockers(self) -> tuple[Blocker, ...]:
        """What keeps the task from being met, the most important first; nothing if it is met.

        Nothing, too, where it is `out_of_reach`, and where the solver stopped early.
        """
        return self.obstruction.blockers

    @property
    def blocked_by(self) -> tuple[str, ...]:
        """The names of `blockers`: limits at their stop, other tasks, joints that stay."""
        return tuple(blocker.name for blocker in self.blockers)

    @property
    def out_of_reach(self) -> bool:
        """Whether the goal is too far, and nothing is in the way of coming nearer."""
        return self.obstruction.is_out_of_reach

    @property
    def sizes(self) -> str:
        """All parts of the error as text; what is below a thousandth of a mm or a degree is 0."""
        return ", ".join(
            str(Error(error.value if error.value >= 1e-6 else 0.0, error.unit))
            for error in self.errors
        )

    @property
    def remarks(self) -> str:
        """The note, and what is in its way, the most important of it; empty for most tasks.

        What is in its way is so where the search ended. Where other starts were tried first, their
        number is told before it: that nothing was found says more than where the search ended.
        """
        told = [not_found(self.starts)] if self.starts > 1 and not self.met else []
        told += [self.note] if self.note else []
        told += [str(blocker) for blocker in self.blockers[:_TOLD]]
        if len(self.blockers) > _TOLD:
            told.append(f"{len(self.blockers) - _TOLD} more")
        if self.out_of_reach:
            told.append(f"out of reach by {self.sizes}, with nothing in its way")
        if self.obstruction.is_unfinished:
            told.append("the solver stopped on its way")
        return "; ".join(told)

    def __str__(self) -> str:
        """One line."""
        verdict = "met" if self.met else "not met"
        remarks = f" ({self.remarks})" if self.remarks else ""
        return f"{self.name} (priority {self.priority}): {self.sizes}, {verdict}{remarks}"


def _sparing_more(method: str) -> str:
    """The note on effort that could fall further, after a solve by a method, if there was one."""
    others = (name for name in METHODS if name != method and METHODS[name].takes_rows)
    hint = f"; method={next(others)!r} may find more" if method else ""
    return f"effort could fall further{hint}"


def not_found(starts: int) -> str:
    """What is said of a task that is unmet from so many starts."""
    return f"not found from {starts} starts"


def _from_where(tried: Tried, *, met: bool) -> str:
    """The note on what other starts came to."""
    if not tried.others and tried.most:
        return "other starts were not tried: the time was up"
    if not tried.others:
        return (
            "other starts were not tried, as this goes on from the last solve: "
            "solve(warm=False) tries them"
        )
    if met:
        return f"found from another start: {tried.name} ({tried.number} of {tried.most} tried)"
    nearest = f"; the nearest is from {tried.name}" if tried.name else ""
    return not_found(tried.others + 1) + nearest


@closed
class Solution:
    """A posture for every figure, why the solver stopped, and how each task came out.

    `print(solution)` gives a table.
    """

    _ensemble: Ensemble
    _problem: Problem
    _outcome: Outcome
    _tolerance: float
    _told: tuple[str, ...]
    _postures: Mapping[str, Posture] | None

    def __init__(
        self,
        ensemble: Ensemble,
        problem: Problem,
        outcome: Outcome,
        tolerance: float,
        notes: tuple[str, ...] = (),
    ) -> None:
        """Keep what a solver found; reports are made when they are asked for."""
        # All attributes at once: setting them one by one, a closed class would check each name.
        vars(self).update(
            _ensemble=ensemble,
            _problem=problem,
            _outcome=outcome,
            _tolerance=tolerance,
            _told=notes,
            _postures=None,
        )

    def __repr__(self) -> str:
        """Why it stopped, and when."""
        if not self._was_solved:
            return f"<Solution: {_AS_IT_STANDS}, {'met' if self.met else 'not met'}>"
        return f"<Solution: {self.status} after {self.iterations} iterations>"

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a person should know.

        That the start was outside limits, and by how much; how the method took the problem; what
        other starts came to.
        """
        outcome = self._outcome
        told = (*self._told, outcome.note) if outcome.note else self._told
        if outcome.tried is not None:
            told += (_from_where(outcome.tried, met=self.met),)
        if "Effort" in self._problem.with_rows and self._could_spare_more:
            told += (_sparing_more(outcome.method),)
        return told

    @property
    def postures(self) -> Mapping[str, Posture]:
        """The postures by the figures' names; to be read, `copy` one to change it."""
        # Not a cached property, which takes a lock before Python 3.12: each frame asks for it.
        postures = self._postures
        if postures is None:
            figures, q = self._ensemble.figures, self._outcome.q
            made: dict[str, Posture] = {}
            for name, (_, span) in self._ensemble.parts.items():
                made[name] = found_posture(figures[name], q[span])
            postures = vars(self)["_postures"] = ReadOnlyDict(made)
        return postures

    @property
    def posture(self) -> Posture:
        """The posture of the one figure, to be read; where there are several, see `postures`."""
        return self.postures[self._ensemble.only()]

    @property
    def stances(self) -> Mapping[str, str]:
        """The stance of `tasks.Natural` that each person takes, by the figures' names.

        Such as "stand" or "crouch"; in a loop of solves, the one that it fades to. People whom it
        does not draw are left out. Frames of `Scene.animate` and `solve_many` do not keep it.
        """
        roots = {name: span.start for name, (_, span) in self._ensemble.parts.items()}
        found: dict[str, str] = {}
        for each, stance in zip(self._problem.stances, self._outcome.stances, strict=False):
            first = each.first_coordinate
            found[max((n for n in roots if roots[n] <= first), key=lambda n: roots[n])] = stance
        return ReadOnlyDict(found)

    @property
    def q(self) -> NDArray[np.float64]:
        """All coordinates of all figures, one figure after the other; to be read, not written."""
        return read_only(self._outcome.q)

    @property
    def together(self) -> Posture:
        """All figures with what they hold as one figure, as `Scene.together`."""
        return self._ensemble.together(self._outcome.q)

    @cached_property
    def places(self) -> Placements:
        """Where everything is, by the names that tasks use: props, and `figure/name` of several."""
        return self._problem.figure.place(self._outcome.q)

    @property
    def props(self) -> Mapping[str, Thing]:
        """The props of the scene when it was solved, by name."""
        return self._ensemble.things

    @property
    def wanted(self) -> Mapping[str, Task]:
        """The tasks that were solved for, by name, in the order of `tasks`."""
        return ReadOnlyDict({wish.name: wish.task for wish in self._problem.wishes})

    @property
    def status(self) -> str:
        """Why the solver stopped: solved, stationary, stalled, iterations or time.

        After `Scene.assess`, where no solver was at work: solved if every task is met, else
        stationary.
        """
        word = self._outcome.status
        if word == "stationary" and self._problem.has_criteria_rows and self.met:
            # That some effort remains is no failure; that it could still fall fast is one.
            return "stalled" if self._could_spare_more else "solved"
        return word

    @property
    def _was_solved(self) -> bool:
        """Whether a solver was at work; `Scene.assess` uses none."""
        return self._outcome.method != ""

    @property
    def _could_spare_more(self) -> bool:
        """Whether the effort that is left falls fast in some direction that is allowed."""
        left = float(self._problem.levels(self._outcome.residual)[-1])
        return left > 0 and self._outcome.optimality > _FAST * left

    @property
    def iterations(self) -> int:
        """How many iterations it took."""
        return self._outcome.iterations

    @property
    def seconds(self) -> float:
        """Time inside the solver."""
        return self._outcome.seconds

    @property
    def optimality(self) -> float:
        """How fast an unmet level could still be lowered, to first order (m/rad).

        0 if all are met; nan if the solver was stopped before it looked.
        """
        return self._outcome.optimality

    @cached_property
    def trace(self) -> Trace | None:
        """What each iteration did, after `solve(trace=True)`; otherwise None.

        With restarts, that of the start whose result was kept.
        """
        outcome = self._outcome
        if outcome.trace is None:
            return None
        rows = by_priority(self._problem, outcome.trace)
        return Trace(outcome.method, self._problem.priorities, self._tolerance, rows)

    @cached_property
    def met(self) -> bool:
        """Whether every task is met."""
        return bool(self._met().all())

    def _context(self) -> Context:
        """What tasks may ask about the postures that were found."""
        problem = self._problem
        posture = problem.figure.posture(self._outcome.q)
        return Context(
            problem.figure,
            posture,
            self.places,
            problem.supports,
            parts=self._ensemble.parts,
            acting=problem.acting,
        )

    @public
    def contacts(self, within: float = 0.0) -> tuple[BodyContact, ...]:
        """Bodies that touch, whether or not a task keeps them apart; the deepest first.

        Each figure's segments with each other, beyond what touches by design, with props, with the
        floor and with other figures; what is not solid is left out. A sole that stands on the
        floor touches it.

        Args:
            within: how near (m) bodies must be to be told; 0 for those that touch.
        """
        from poise.scene.contacts import contacts_in

        return contacts_in(self._context(), within)

    @public
    def torques(self, *, forces: Distribution | None = None) -> Torques:
        """What each joint holds: moment, strength, share, the weakest first.

        Under the forces that the scene had when it was solved.

        Args:
            forces: those that `scene.forces.distribute(solution.posture)` found, instead of the
                supports' shares by ratio.
        """
        from poise.scene.holding_torques import torques_in
        from poise.statics.loads import UnsupportedError

        try:
            return torques_in(self._context(), self._problem.acting, forces)
        except UnsupportedError as error:
            raise PoiseError(
                f"when this was solved nothing supported {error.whose}",
                code=": name what it stands on, such as "
                'scene.forces.support("left_foot", ratio=1.0), and solve again',
                remedy=error.remedy,
            ) from None

    @cached_property
    def tasks(self) -> Reports:
        """A report for each task, in order of priority; also by name, `solution.tasks["reach"]`."""
        problem, met = self._problem, self._met()
        obstructions = Obstructions(problem, self._outcome, self._tolerance)
        context = None if met.all() else self._context()
        reports: list[Report] = []
        for index, (wish, errors, good) in enumerate(
            zip(problem.wishes, problem.errors(self._outcome.residual), met.tolist(), strict=True)
        ):
            note = "" if good or context is None else wish.task.remark(context)
            first = errors[0]
            reports.append(
                Report(
                    wish.name,
                    wish.priority,
                    first.value,
                    first.unit,
                    good,
                    tuple(errors),
                    note,
                    1 + (self._outcome.tried.others if self._outcome.tried else 0),
                    partial(obstructions.of, index),
                )
            )
        return Reports(reports)

    @property
    def level_errors(self) -> tuple[float, ...]:
        """The size of each priority's errors (m), weights included, the most important first."""
        problem = self._problem
        return tuple(problem.by_priority(problem.levels(self._outcome.residual)).tolist())

    def _met(self) -> NDArray[np.bool_]:
        problem = self._problem
        return problem.met(problem.sizes(self._outcome.residual), self._tolerance)

    def __str__(self) -> str:
        """A table that a person can read."""
        time = f"{digits(1e3 * self.seconds)} ms"
        head = f"{self.status} after {self.iterations} iterations in {time}"
        if not self._was_solved:
            head = _AS_IT_STANDS
        rows = [("priority", "task", "error", "")]
        rows += [
            (
                str(report.priority),
                report.name,
                report.sizes,
                "met" if report.met else "not met",
            )
            for report in self.tasks
        ]
        told = [f"note: {each}" for each in self.notes]
        if len(rows) == 1:
            return "\n".join([head, "no tasks", *told])
        wide = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = [
            "  ".join(
                (a.rjust(wide[0]), b.ljust(wide[1]), c.rjust(wide[2]), d.ljust(wide[3]))
            ).rstrip()
            for a, b, c, d in rows
        ]
        notes = [f"{report.name}: {report.remarks}" for report in self.tasks if report.remarks]
        return "\n".join([head, *lines, *notes, *told])
