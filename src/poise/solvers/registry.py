"""The methods by name."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, Unpack

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError, enough_memory, unknown_name
from poise.figure.ranges import turning
from poise.solvers.method import Method, RefusedError, in_words
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Left, Problem
from poise.solvers.ranking import gains
from poise.solvers.stances import go_on, left_out, names_of, recall, remember, solve_cold


class _NoMethodError(PoiseError, KeyError):
    """There is no method of that name."""

    __str__ = PoiseError.__str__  # a KeyError would quote the words


def _no_method(name: object) -> _NoMethodError:
    return _NoMethodError(str(unknown_name("method", name, METHODS)))


class _Methods(Mapping[str, Method]):
    """What methods can do, by name; a method's file is imported when it is asked about."""

    def __init__(self, *names: str) -> None:
        self._names = dict.fromkeys(names)

    def __getitem__(self, name: str) -> Method:
        if name not in self:
            raise _no_method(name)
        return module_of(name).METHOD

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<Methods: {', '.join(self)}>"


METHODS: Mapping[str, Method] = _Methods(
    "lex",
    "priority",
    "nlp",
    "projected",
    "lp",
    "lagrange",
    "pinv",
    "dls",
    "transpose",
    "ccd",
    "partition",
)
"""The methods by name: each is a file here, with a function `solve` (`Solver`) and a `METHOD`."""

DEFAULT = "lex"
"""The method of a scene that says none, and of drags: no other is as quick and as calm."""


def module_of(method: str) -> Any:
    """The file of a method."""
    return importlib.import_module(f"poise.solvers.{method}")


class Solver(Protocol):
    """A method: it solves a packed problem from a posture within limits and says why it stopped."""

    def __call__(
        self,
        problem: Problem,
        start: NDArray[np.float64],
        *,
        tolerance: float,
        max_iterations: int,
        max_seconds: float | None,
    ) -> Outcome:
        """Solve.

        A method may have options of its own, each a keyword with a default.

        Args:
            problem: what is wanted; its scratch is used, so threads need one each.
            start: (n,) coordinates within limits.
            tolerance: a task is met when its error is at most this (m).
            max_iterations: when to give up.
            max_seconds: when to give up; None for never.
        """
        ...


_SHARED = frozenset(inspect.signature(Solver.__call__).parameters)
_REST = inspect.Parameter.VAR_KEYWORD  # where a method passes on what is shared
_FRAMES = frozenset({"warm", "previous", "window"})
# What the last frame has left is for whoever solves one problem again and again, from its result.

NEAR, NEAR_SHARE = 0.03, 0.02
"""Targets that have moved by no more than this since the last solve let the next be warm: in metres
(the root of the sum of all squares; of rotations the entries of the matrix), and as a share of the
longest chain of the smallest figure; the lesser counts. Measured on a person who reaches for a
target that moves by so much at once (`benchmarks/calls.py`): up to 0.03 m a warm solve met all that
a cold one met, in 800 of 800 moves, and left a criterion at most 1e-3 rad farther off; at 0.06 m it
missed 2 of 800, at 0.3 m 59 of 795, and left a criterion up to 4e-2 rad farther off."""

CALM_TURN, CALM_PACE = 0.15, 30.0
"""How far a joint may turn in a solve of a motion that is shown, while targets move by little: by
so much (rad), or by so much for each metre that targets move (rad/m) if that is more. What cannot
be met so fast is met some frames later. Near the edge of reach a target that moves on evenly may
ask for any speed of a joint."""


@dataclass(frozen=True)
class _Checked:
    """A method that raises for what it cannot do, whoever calls it, and signs its outcomes.

    It begins from nothing, unless it is told what the last solve of the problem has left.
    """

    name: str
    record: Method = field(compare=False)
    """What it can do with its options."""
    module: Any = field(compare=False)
    options: Mapping[str, Any] = field(compare=False)
    key: tuple[Any, ...]
    """The options as something that can be compared: two with the same key solve alike."""
    takes_all: bool = field(compare=False)
    """Whether the method refuses nothing, so that nothing need be looked at."""

    def __call__(
        self, problem: Problem, start: NDArray[np.float64], **ending: Unpack[Ending]
    ) -> Outcome:
        return self.run(problem, start, ending, self.options)

    def check(self, problem: Problem) -> None:
        """Raise for what is wanted and the method cannot do; the error names those that can."""
        method, one_sided = self.record, problem.blocks.inequality
        if problem.with_rows and not method.takes_rows:
            name, able = self._refused("takes_rows", "or")
            raise RefusedError(
                f"the criterion {problem.with_rows[0]} needs a method with levels, {able}, "
                f"not {name!r}"
            )
        if not method.takes_one_sided and one_sided.any():
            name, able = self._refused("takes_one_sided")
            first = problem.one_sided[0]
            raise RefusedError(
                f"{name} takes no one-sided tasks, and {first.name!r} "
                f"({type(first.task).__name__}) is one; {able} take them"
            )
        if not method.takes_criteria and problem.plain().has_criteria:
            name, able = self._refused("takes_criteria")
            raise RefusedError(f"{name} takes no criteria; {able} take them")

    def _refused(self, ability: str, last: str = "and") -> tuple[str, str]:
        """What it is called where it lacks an ability, and what has it, in words."""
        own = {self.name: self.options}
        able = [way for name, each in METHODS.items() for way in each.ways(ability, own.get(name))]
        return METHODS[self.name].called(ability, self.options), in_words(able, last)

    def run(
        self,
        problem: Problem,
        start: NDArray[np.float64],
        ending: Ending,
        options: Mapping[str, Any],
        *,
        goes_on: bool = False,
    ) -> Outcome:
        """Solve with options that may say what the last solve of the problem has left.

        With `goes_on` it takes the place of a warm solve (`stances.solve_cold`).
        """
        problem.left = None  # whoever goes on from here says so
        if not self.takes_all:
            self.check(problem)
        try:
            outcome = self._solved(problem, start, ending, options, goes_on)
        except MemoryError:
            rows, levels = problem.blocks.inequality.size, problem.blocks.level.size - 1
            size = f"{problem.figure.n} coordinates, {rows} rows and {levels} priorities"
            with enough_memory(f"{self.name} with {size}"):
                raise
        if outcome.method:
            return outcome
        note = "; ".join(each for each in (self.record.note(problem), outcome.note) if each)
        return outcome._replace(method=self.name, note=note)

    def _solved(
        self,
        problem: Problem,
        start: NDArray[np.float64],
        ending: Ending,
        options: Mapping[str, Any],
        goes_on: bool,
    ) -> Outcome:
        """Solve in the stances that fit, or without the scene's own criterion."""
        record, is_crowd = self.record, False
        if record.takes_rows and record.is_for_crowds:
            is_crowd = self.module.is_crowd_of_people(problem)
        if problem.without is not None and (is_crowd or not record.takes_rows):
            outcome: Outcome = self.module.solve(problem.plain(), start, **ending, **options)
            why = "of a crowd" if is_crowd else f"by {self.name}"
            return left_out(problem, outcome, f"Natural is left out {why}")
        if options.get("warm"):
            outcome = self.module.solve(problem, start, **ending, **options)
            taken = names_of(problem)
            go_on(problem, outcome.q)
            return outcome._replace(stances=taken) if taken else outcome

        def solve(start: NDArray[np.float64], ending: Ending) -> Outcome:
            found: Outcome = self.module.solve(problem, start, **ending, **options)
            return found

        outcome = solve_cold(problem, solve, start, ending, goes_on=goes_on)
        return outcome._replace(stances=names_of(problem)) if problem.stances else outcome


@dataclass(frozen=True)
class _Following:
    """A method that begins warm where it may: see `following`."""

    method: _Checked
    warm: Mapping[str, Any]
    """The method's options for a warm solve."""
    is_calm: bool

    def __call__(
        self, problem: Problem, start: NDArray[np.float64], **ending: Unpack[Ending]
    ) -> Outcome:
        left, values, method = problem.left, problem.blocks.values, self.method
        if left is not None and (left.q != start.tobytes() or left.method != method):
            left = None
        is_from_elsewhere = left is not None and left.is_from_elsewhere
        outcome, is_near = None, False
        if left is not None:
            way = values - left.values
            moved = float(way.dot(way))
            is_near = moved <= problem.scratch.get("near", 0.0)
            if (self.is_calm or is_near) and not is_from_elsewhere:
                turn = max(CALM_TURN, CALM_PACE * moved**0.5) if is_near else np.inf
                options = self._options(problem, start, left, turn)
                outcome = method.run(problem, start, ending, options)
                if not (_is_met(problem, outcome, ending) or (self.is_calm and is_near)):
                    outcome = self._from_nothing(problem, start, outcome, ending, is_near)
        if outcome is None:
            outcome = method.run(problem, start, ending, method.options, goes_on=is_near)
        step = None
        if self.method.record.asks_for_step:  # the way to the first frame is no step of the motion
            step = np.zeros_like(start) if left is None else outcome.q - start
        is_solved = _is_met(problem, outcome, ending)
        if "near" not in problem.scratch:
            problem.scratch["near"] = min(NEAR, NEAR_SHARE * problem.least_extent()) ** 2
        problem.left = Left(method, outcome.q.tobytes(), values.copy(), step)
        return outcome._replace(goes_on=True) if is_near and not is_solved else outcome

    def _options(
        self, problem: Problem, start: NDArray[np.float64], left: Left, turn: float
    ) -> Mapping[str, Any]:
        """The options of a warm solve from a start (n,), where joints may turn so far (rad)."""
        record, options = self.method.record, self.warm
        if record.asks_for_step:
            options = {**options, "previous": left.step}
        if record.takes_window and self.is_calm and turn < np.inf:
            if "turning" not in problem.scratch:
                problem.scratch["turning"] = turning(problem.figure)
            turns = np.where(problem.scratch["turning"], turn, np.inf)
            options = {**options, "window": (start - turns, start + turns)}
        return options

    def _from_nothing(
        self,
        problem: Problem,
        start: NDArray[np.float64],
        warm: Outcome,
        ending: Ending,
        is_near: bool,
    ) -> Outcome:
        """What a cold solve finds after a warm one that did not arrive, unless the time is up.

        Where targets have moved by little it must be worth the leap.
        """
        seconds = ending["max_seconds"]
        if seconds is not None:
            seconds -= warm.seconds
            if seconds <= 0:
                return warm
        rest: Ending = {**ending, "max_seconds": seconds}
        kept = remember(problem)
        cold = self.method.run(problem, start, rest, self.method.options, goes_on=True)
        found = cold
        is_worth_it = _is_met(problem, cold, ending)
        is_worth_it = is_worth_it or gains(problem, warm, cold, ending["tolerance"])
        if is_near and not is_worth_it:
            recall(problem, kept)
            found = warm
        both = warm.iterations + cold.iterations
        return found._replace(seconds=warm.seconds + cold.seconds, iterations=both)


def _is_met(problem: Problem, outcome: Outcome, ending: Ending) -> bool:
    """Whether all tasks are met, whatever the criteria would still gain."""
    if outcome.status == "solved":
        return True
    return bool(problem.met(problem.sizes(outcome.residual), ending["tolerance"]).all())


def _comparable(value: Any) -> Any:
    """An option, arrays and lists too, as something that can be compared and hashed."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, (list, tuple)):
        return tuple(map(_comparable, value))
    if isinstance(value, Mapping):
        return tuple(sorted((name, _comparable(each)) for name, each in value.items()))
    return value


def solver(method: str, **options: Any) -> _Checked:
    """The method of that name, imported when it is first asked for, with options of its own.

    It begins every solve from nothing: the same problem, start and options give the same bits.
    """
    if method not in METHODS:
        raise _no_method(method)
    own = options_of(method)
    for name in options:
        if name not in own:
            raise unknown_name(f"{method} option", name, own)
    record = METHODS[method].with_options(options)
    module, key = module_of(method), _comparable(options)
    return _Checked(method, record, module, options, key, record.takes_all)


def options_of(method: str) -> list[str]:
    """The names of a method's own options."""
    hidden = _SHARED | _FRAMES
    given = inspect.signature(module_of(method).solve).parameters.values()
    return [each.name for each in given if each.name not in hidden and each.kind != _REST]


def following(method: str, *, calm: bool = False, **options: Any) -> Solver:
    """The method for targets that move: it begins warm where it may, or else from nothing.

    A solve is warm when it starts from what the last solve of the same problem found, by the same
    method, and only targets have moved since. It begins with what that solve has left, such as the
    limits that held. Methods that keep nothing begin every solve from nothing.

    A warm solve goes on cautiously. After a jump of the targets, or where something cannot be met,
    it may end sooner than a cold one would. So it is only tried when the targets have moved by
    little since (`NEAR`). Where it does not meet all tasks, a cold one from the same start takes
    its place, if that comes nearer by enough to be worth a leap (`ranking.gains`).

    Args:
        method: by name.
        calm: for motions that are shown. Where something cannot be met a warm solve stays near
            the posture before, and a cold one may leap. So a warm solve is always tried, and a cold
            one takes its place only where targets have jumped, by more than `NEAR`.
        **options: of the method's own.
    """
    solve = solver(method, **options)
    record = solve.record
    if not record.is_warm:
        return solve
    return _Following(solve, {**options, "warm": True}, calm)
