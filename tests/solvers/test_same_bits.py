"""The same scene, start and options give the same bits, whatever was solved in between."""

from __future__ import annotations

import numpy as np
import pytest
from tests.solvers.scenes import adorned, scene

from poise import PoiseError, Scene
from poise.figure import Figure
from poise.models import chain
from poise.reproductions.lpik_2005.scenes import circle
from poise.scene.solving import prepare
from poise.solvers import METHODS, lex, solver
from poise.solvers.linear import Linear, linear
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Criterion, Loop, Position, Rest

ENDING: Ending = {"tolerance": 1e-4, "max_iterations": 60, "max_seconds": None}
Case = tuple[Figure, list[Wish], list[tuple[Criterion, float]], np.ndarray]


def same(one: Outcome, other: Outcome) -> bool:
    return (
        np.array_equal(one.q, other.q)
        and np.array_equal(one.residual, other.residual)
        and np.array_equal(one.optimality, other.optimality, equal_nan=True)
        and (one.status, one.iterations, one.note) == (other.status, other.iterations, other.note)
    )


def disturb(method: str, problem: Problem, start: np.ndarray) -> None:
    """Solve for other targets from elsewhere; then they are as before."""
    values = problem.blocks.values.copy()
    for wish, targets in zip(problem.wishes, problem.targets, strict=True):
        if isinstance(wish.task, Position):
            problem.blocks.values[targets[0] : targets[0] + 3] += 0.2
    solver(method)(problem, problem.figure.clamp(start + 0.1).q, **ENDING)
    problem.blocks.values[:] = values


def check(method: str, case: Case) -> bool:
    """Solve twice, and once more after something else; whether the method takes the scene."""
    figure, wishes, criteria, start = case
    problem = pack(figure, figure.rest(), wishes, criteria)
    solve = solver(method)
    try:
        first = solve(problem, start, **ENDING)
    except PoiseError as error:
        if "takes no" in str(error):
            return False
        raise
    assert same(first, solve(problem, start, **ENDING))
    disturb(method, problem, start)
    assert same(first, solve(problem, start, **ENDING))
    return True


@pytest.mark.parametrize("method", METHODS)
def test_a_second_solve_gives_the_same_bits(method: str) -> None:
    taken = 0
    for seed in range(18):
        figure, wishes, start = scene(seed)
        taken += check(method, (figure, wishes, [], start))
    assert taken >= 3


@pytest.mark.parametrize("method", ["lex", "priority", "nlp", "pinv"])
def test_a_second_solve_with_criteria_gives_the_same_bits(method: str) -> None:
    assert sum(check(method, adorned(seed)) for seed in range(25)) >= 3


def test_limits_that_held_an_earlier_solve_of_lex_are_not_recalled() -> None:
    figure, wishes, start = scene(821)
    assert check("lex", (figure, wishes, [], start))
    assert check("lex", adorned(1196))


@pytest.mark.parametrize(
    ("method", "criteria"), [("lex", False), ("lex", True), ("lp", False), ("lagrange", False)]
)
def test_a_second_solve_of_a_crowd_gives_the_same_bits(
    method: str, criteria: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lex, "CROWD", (1, 2))
    ring = circle(3)
    names = list(ring.figures)
    for one, other in zip(names, [*names[1:], names[0]], strict=True):
        ring.add(Loop(f"{one}/right_hand", f"{other}/left_hand"), priority=2)
    ring.add(Position("p0/upper_back", (0.0, 0.0, 3.0)), priority=3, name="far")
    if criteria:
        ring.add(Rest())
    first = ring.solve(method, max_iterations=30)
    assert np.array_equal(ring.solve(method, max_iterations=30).together.q, first.together.q)
    far = ring.handles["far"]
    far.target = (0.3, 0.0, 1.2)
    ring.solve(method, max_iterations=30)
    far.target = (0.0, 0.0, 3.0)
    assert np.array_equal(ring.solve(method, max_iterations=30).together.q, first.together.q)


@pytest.mark.parametrize("method", METHODS)
def test_a_scene_forgets_its_earlier_solves(method: str) -> None:
    arm = Scene(chain(6, 0.2, "ball", limit=0.8))
    start = arm.figures["chain"].clamp(np.full(18, 0.2)).q
    arm.posture = start
    reach = arm.add(Position("tip", (0.5, 0.3, 0.6)))
    first = arm.solve(method, max_iterations=40)
    arm.posture = first.posture
    reach.target = (0.2, 0.6, 0.5)
    arm.solve(method, max_iterations=40)
    reach.target = (0.5, 0.3, 0.6)
    arm.posture = start
    again = arm.solve(method, max_iterations=40)
    assert np.array_equal(again.posture.q, first.posture.q)
    assert (again.status, again.iterations) == (first.status, first.iterations)


def test_rows_of_the_same_places_may_belong_to_other_figures() -> None:
    arms = Scene({"one": chain(3, 0.2), "two": chain(3, 0.2)})
    for name in arms.figures:
        arms.add(Position(f"{name}/tip", (0.4, 0.0, 0.2)))
    at: Linear = linear(prepare(arms).problem)
    at.look(np.full(6, 0.2))
    rows, own = np.array([0]), at.contacts.own
    one, two = (at.sparse(rows, own[[f]]).toarray() for f in range(2))
    assert np.flatnonzero(one[0]).max() < 3 <= np.flatnonzero(two[0]).min()
