"""Every method but `lex` of one figure notes its iterations, and solves as it does without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.kernel.published.test_nlp import ARM

from poise.kernel.lex.memory import LOWER, SEARCH
from poise.kernel.tracing import ERRORS, LEVEL, PHASE, RADIUS, STEP, Trace
from poise.models import chain
from poise.reproductions.lpik_2005.scenes import circle
from poise.scene.solving import prepare
from poise.solvers import METHODS, solver
from poise.solvers.cascade import Cascade
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Loop, Position, Rest

ENDING: Ending = {"tolerance": 1e-4, "max_iterations": 120, "max_seconds": None}

WAYS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in METHODS if name != "lex"),
    ("nlp", {"update": "dfp"}),
    ("projected", {"form": "rotation"}),
    ("priority", {"formulation": "cascaded"}),
    ("pinv", {"limits": "last"}),
    ("pinv", {"limits": "added"}),
    ("transpose", {"rule": "exact"}),
    ("transpose", {"step": 5.0, "limits": "last"}),
    ("lagrange", {"elimination": "superlu"}),
]


def problem_of(which: str) -> Problem:
    """Two priorities within reach, or out of it; within boxes, curved limits, or couplings."""
    figure, tip, middle = chain(8, 0.15, limit=1.0), "tip", "link_4"
    if which == "curved":
        figure, tip, middle = chain(6, 0.2, "ball", limit=1.0), "tip", "link_3"
    if which == "coupled":
        figure, tip, middle = ARM, "tip", "middle"
    turned = figure.clamp(figure.rest().q + np.linspace(-0.5, 0.5, figure.n))
    places = figure.place(turned)
    away = np.array([0.0, 0.5, 0.9]) if which == "far" else np.zeros(3)
    wishes = [
        Wish("middle", Position(middle, places[middle].position), 1),
        Wish("tip", Position(tip, places[tip].position + away), 2, 2.0),
    ]
    return pack(figure, figure.rest(), wishes)


def traced(
    problem: Problem, method: str, options: dict[str, Any], ending: Ending = ENDING
) -> tuple[Outcome, Outcome, Trace]:
    """The outcome without a trace and with one, and the trace."""
    start = problem.figure.clamp(problem.figure.rest().q + 0.1).q
    solve = solver(method, **options)
    plain = solve(problem, start, **ending)
    assert problem.trace.length.count == 0
    trace = problem.trace_iterations(500)
    return plain, solve(problem, start, **ending), trace


def check_same(plain: Outcome, outcome: Outcome) -> None:
    assert np.array_equal(plain.q, outcome.q)
    assert np.array_equal(plain.residual, outcome.residual)
    assert (plain.status, plain.iterations) == (outcome.status, outcome.iterations)
    assert plain.optimality == outcome.optimality


def check_rows(rows: np.ndarray, phases: int) -> None:
    assert np.isfinite(rows[:, ERRORS:]).all()
    assert np.isin(rows[:, PHASE], range(phases)).all()
    assert (rows[:, STEP] >= 0).all()
    assert ((rows[:, RADIUS] > 0) | np.isnan(rows[:, RADIUS])).all()


@pytest.mark.parametrize("which", ["near", "far", "curved", "coupled"])
@pytest.mark.parametrize(("method", "options"), WAYS, ids=str)
def test_every_iteration_is_noted_and_the_result_is_the_same(
    method: str, options: dict[str, Any], which: str
) -> None:
    problem = problem_of(which)
    plain, outcome, trace = traced(problem, method, options)
    check_same(plain, outcome)
    rows = trace.rows[: trace.length.count]
    phases = METHODS[method].phases
    check_rows(rows, len(phases))
    assert (rows[:, LEVEL] == -1).all()
    if which in ("near", "far"):  # to bring it within other limits may lengthen a step
        bounded = ~np.isnan(rows[:, RADIUS])
        assert (rows[bounded, STEP] <= rows[bounded, RADIUS] * (1 + 1e-9)).all()
    if method == "priority":
        # Steps that restore drifted levels in the end are no iterations; and the best is returned.
        assert (rows[:, PHASE] == phases.index("seeking")).sum() == outcome.iterations
        errors = problem.levels(outcome.residual)
        assert np.isclose(rows[:, ERRORS:], errors, rtol=1e-9, atol=1e-12).all(axis=1).any()
        return
    assert trace.length.count == outcome.iterations > 0
    if options.get("limits") != "last":  # which moves the posture once more after the last step
        assert rows[-1, ERRORS:] == pytest.approx(problem.levels(outcome.residual), abs=1e-12)


@pytest.mark.parametrize(("method", "options"), WAYS[:10], ids=str)
def test_a_solve_in_pieces_notes_each_iteration_once(method: str, options: dict[str, Any]) -> None:
    problem = problem_of("far")
    whole = traced(problem, method, options)[2].rows
    slowly: Ending = {**ENDING, "max_seconds": 1e9}
    pieces = traced(problem_of("far"), method, options, slowly)[2]
    assert np.array_equal(whole, pieces.rows, equal_nan=True)


def test_iterations_beyond_the_room_of_a_trace_are_counted() -> None:
    problem = problem_of("far")
    trace = problem.trace_iterations(3)
    outcome = solver("nlp")(problem, problem.figure.rest().q, **ENDING)
    assert outcome.iterations > 3
    assert trace.length.count == outcome.iterations
    assert (trace.rows[:, STEP] > 0).all()


def test_nlp_tells_steps_with_criteria_from_those_of_the_tasks_alone() -> None:
    problem = problem_of("near")
    problem = pack(problem.figure, problem.figure.rest(), problem.wishes, [(Rest(), 1.0)])
    plain, outcome, trace = traced(problem, "nlp", {})
    check_same(plain, outcome)
    assert trace.length.count == outcome.iterations
    phases = trace.rows[: trace.length.count, PHASE]
    assert phases[0] == 0
    assert (np.diff(phases) >= 0).all()
    assert phases[-1] == 1


@pytest.mark.parametrize("criteria", [False, True])
def test_a_crowd_notes_each_iteration(criteria: bool) -> None:
    ring = circle(3)
    names = list(ring.figures)
    for one, other in zip(names, [*names[1:], names[0]], strict=True):
        ring.add(Loop(f"{one}/right_hand", f"{other}/left_hand"), priority=2)
    ring.add(Position("p0/upper_back", (0.0, 0.0, 3.0)), priority=3)
    if criteria:
        ring.add(Rest())
    prepared = prepare(ring)
    problem, start = prepared.problem, prepared.start
    ending: Ending = {**ENDING, "max_iterations": 60}
    plain = Cascade(problem).solve(start, **ending)
    trace = problem.trace_iterations(100)
    outcome = Cascade(problem).solve(start, **ending)
    check_same(plain, outcome)
    assert trace.length.count == outcome.iterations > 0
    rows = trace.rows[: outcome.iterations]
    check_rows(rows, 2)
    assert rows[-1, ERRORS:] == pytest.approx(problem.levels(outcome.residual), abs=1e-12)
    searching, criteria_level = rows[:, PHASE] == SEARCH, problem.blocks.level.size - 1
    assert (rows[searching, LEVEL] == -1).all()
    assert (rows[~searching, PHASE] == LOWER).all()
    assert (rows[~searching, LEVEL] < criteria_level).any()
    assert (rows[:, LEVEL] == criteria_level).any() == criteria
