"""What must hold of every solve, whatever the scene: each check says in words what does not."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from tests.campaign import limits, task_errors
from tests.campaign.scenes import Case

import poise
from poise.errors import PoiseError
from poise.scene.solution import Solution

REFUSALS = (
    r"takes no (criteria|one-sided tasks)",
    r"Effort needs a method with levels",
    r"nothing supports",
    r"Equilibrium of .* needs supports|Equilibrium of",
    r"has no joint to spare",
)
"""What a solve of these scenes may be refused for: a method that cannot do it, nothing to stand
on, nothing to spare."""
STATUSES = ("solved", "stationary", "stalled", "iterations", "time")
SAME = 1e-6
"""Relative and absolute: what two ways to compute an error may differ by."""
NEAR_SINGULAR = 1e-4
"""Of π: near it the logarithm of a rotation is ill-conditioned."""
SETTLED, LOWERED = 5e-4, 1e-3
"""By how much (m), and by which share of it beside, a level must change to count as changed: tasks
are met to 1e-4, and what is left at rest may still fall by a thousandth."""


@dataclass
class Findings:
    """What came of some cases."""

    cases: int = 0
    solved: int = 0
    """Solves that gave a solution."""
    tasks: int = 0
    """Errors of tasks that were computed again."""
    refused: Counter[str] = field(default_factory=Counter[str])
    """Solves that were refused, by what was said."""
    statuses: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])
    """What must never be, with the seed."""
    rested: int = 0
    """Solves by lex that said solved or stationary, and were solved again from their result."""
    better: list[int] = field(default_factory=list[int])
    """Seeds of those that a second solve made better."""
    worse: list[int] = field(default_factory=list[int])
    """Seeds of those that a second solve made worse."""
    judged: int = 0
    """Solves by lex with several levels."""
    costly: list[int] = field(default_factory=list[int])
    """Seeds where the levels above alone came out better, from the same start."""
    stalled: int = 0
    """Solves by lex that said stalled, and were solved again from their result."""
    stayed: int = 0
    """Those of them that stayed: "stationary" would have been as true."""

    def add(self, other: Findings) -> None:
        """Count others in."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def judge(case: Case) -> Findings:
    """Solve a case and check all that can be checked."""
    found = Findings(cases=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            solution = case.scene.solve(case.method, max_iterations=100)
            again = _solved_again(case)
        except PoiseError as error:
            found.refused[str(error).split("'")[0][:60]] += 1
            if not any(re.search(each, str(error)) for each in REFUSALS):
                found.wrong.append(f"seed {case.seed}, {case.method}: refused: {error}")
            return found
        except Exception as error:  # whatever it is, it is the finding
            found.wrong.append(f"seed {case.seed}, {case.method}: {type(error).__name__}: {error}")
            return found
        found.solved = 1
        found.statuses[solution.status] += 1
        if not np.array_equal(solution.q, again.q):
            found.wrong.append(f"seed {case.seed}, {case.method}: other bits the second time")
        wrong = [*sound(case.scene, solution), *agreeing(solution)]
        found.tasks = len(solution.tasks)
        found.wrong += [f"seed {case.seed}, {case.method}: {each}" for each in wrong]
        if case.method == "lex":
            _rest(case, solution, found)
            _strict(case, solution, found)
    return found


def _solved_again(case: Case) -> Solution:
    """The same solve once more, after one from another start: nothing of that may be left."""
    scene, start = case.scene, case.scene.q
    scene.posture = {name: figure.rest() for name, figure in scene.figures.items()}
    scene.solve(case.method, max_iterations=20)
    scene.q = start
    return scene.solve(case.method, max_iterations=100)


def sound(scene: poise.Scene, solution: Solution) -> list[str]:
    """Whether the posture is finite and valid, and what is said of it true."""
    wrong: list[str] = []
    q, start = solution.q, scene.q
    if not np.isfinite(q).all():
        return [f"not finite: {q}"]
    for name, posture in solution.postures.items():
        wrong += limits.broken(posture.figure, posture.q)
        locked = posture.figure.locked
        if not solution.notes and not np.array_equal(
            posture.q[locked], scene.postures[name].q[locked]
        ):
            wrong.append(f"a locked coordinate of {name} moved")  # not by bringing it within limits
    if start.shape != q.shape:
        wrong.append(f"{q.size} coordinates from {start.size}")
    if solution.status not in STATUSES:
        wrong.append(f"status {solution.status!r}")
    if solution.status == "solved" and not solution.met:
        wrong.append("says solved, and tasks are not met")
    if solution.met != all(report.met for report in solution.tasks):
        wrong.append("met is not what the reports say")
    if not str(solution):
        wrong.append("no text")
    return wrong


def agreeing(solution: Solution) -> list[str]:
    """Whether reported errors are those that places tell."""
    wrong: list[str] = []
    for report in solution.tasks:
        task = solution.wanted[report.name]
        known = task_errors.errors(task, solution)
        if not known:
            continue
        for said, possible in zip(report.errors, known, strict=True):
            if not np.isfinite(said.value):
                wrong.append(f"{report.name}: error {said.value}")
                continue
            if said.unit == "rad" and any(np.pi - each < NEAR_SINGULAR for each in possible):
                continue
            if not any(abs(said.value - each) <= SAME * (1 + abs(each)) for each in possible):
                wrong.append(f"{type(task).__name__} {report.name}: {said.value}, not {possible}")
    return wrong


def levels(solution: Solution) -> np.ndarray:
    """The size of every level of tasks (m), weights included: what is compared in order."""
    problem, outcome = solution._problem, solution._outcome
    priorities = {report.priority for report in solution.tasks}
    return problem.levels(outcome.residual)[: len(priorities)]


def compared(before: np.ndarray, after: np.ndarray) -> int:
    """−1 where the first level that differs has fallen, 1 where it has risen, 0 for the same."""
    for old, new in zip(before, after, strict=True):
        if abs(new - old) > SETTLED + LOWERED * old:
            return -1 if new < old else 1
    return 0


def _rest(case: Case, solution: Solution, found: Findings) -> None:
    """Solve again from a result that claims to be at rest, or to have stalled."""
    if solution.status not in ("solved", "stationary", "stalled"):
        return
    scene, start = case.scene, case.scene.q
    scene.q = solution.q
    change = compared(levels(solution), levels(scene.solve(max_iterations=100, warm=False)))
    scene.q = start
    if solution.status == "stalled":
        found.stalled += 1
        found.stayed += change == 0
        return
    found.rested += 1
    if change < 0:
        found.better.append(case.seed)
    if change > 0:
        found.worse.append(case.seed)


def _strict(case: Case, solution: Solution, found: Findings) -> None:
    """Solve the levels above alone, from the same start: what is below must not cost them."""
    scene, whole = case.scene, levels(solution)
    if whole.size < 2 or solution.status not in ("solved", "stationary"):
        return
    found.judged += 1
    last = max(report.priority for report in solution.tasks)
    lowest = [handle for handle in scene.handles.values() if handle.priority == last]
    for handle in lowest:
        handle.enabled = False
    try:
        alone = scene.solve(max_iterations=100)
        if compared(whole[:-1], levels(alone)) < 0:
            found.costly.append(case.seed)
    except PoiseError:  # what remains may rest on what was left out, as Balance does on pins
        found.judged -= 1
    finally:
        for handle in lowest:
            handle.enabled = True
