"""The lexicographic solver on figures whose best posture is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solvers.stops import beyond_a_stop

from poise.figure import Builder, Figure, Hinge
from poise.models.chain import chain
from poise.solvers import lex
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import HalfSpace, Position, Rest

TOLERANCE = 1e-4


def two_arms() -> Figure:
    """A trunk of three hinges with two arms of three; all turn in every plane, within ±2 rad."""
    builder = Builder("two arms")
    builder.segment("base", mass=1.0)
    builder.root("base", "fixed")
    limits = (-2.0, 2.0)
    parent = "base"
    for i, axis in enumerate("xyz"):
        builder.segment(f"trunk_{i}", mass=1.0)
        builder.joint(f"t_{i}", Hinge(axis, limits=limits), parent, f"trunk_{i}", (0, 0, 0.2))
        parent = f"trunk_{i}"
    for side, sign in (("left", 1.0), ("right", -1.0)):
        above = parent
        for i, axis in enumerate("xyx"):
            name = f"{side}_{i}"
            builder.segment(name, mass=0.5)
            at = (0.0, 0.2 * sign, 0.0) if i == 0 else (0.0, 0.0, 0.3)
            builder.joint(f"j_{name}", Hinge(axis, limits=limits), above, name, at)
            above = name
        builder.site(f"{side}_hand", above, (0.0, 0.0, 0.3))
    bent = {"j_left_0": {"angle": 0.4}, "j_left_2": {"angle": 0.5}, "j_right_2": {"angle": 0.5}}
    builder.posture("rest", bent)
    return builder.build()


FIGURE = two_arms()


def run(problem: Problem, start: np.ndarray, *, limit: int = 100, warm: bool = False) -> Outcome:
    return lex.solve(
        problem, start, tolerance=TOLERANCE, max_iterations=limit, max_seconds=None, warm=warm
    )


def random_goal(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    q = FIGURE.rest().q + rng.uniform(-0.6, 0.6, FIGURE.n)
    places = FIGURE.place(FIGURE.clamp(FIGURE.posture(q)))
    return {site: places[site].position for site in ("left_hand", "right_hand")}


def within(figure: Figure, q: np.ndarray) -> bool:
    return bool(np.all(q >= figure.lower - 1e-9) and np.all(q <= figure.upper + 1e-9))


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_what_cannot_be_reached_costs_the_level_above_nothing(seed: int) -> None:
    goals = random_goal(seed)
    away = np.random.default_rng(seed + 1).normal(size=3)
    far = goals["left_hand"] + 2.0 * away / np.linalg.norm(away)
    problem = pack(
        FIGURE,
        FIGURE.rest(),
        [
            Wish("right", Position("right_hand", goals["right_hand"]), 1),
            Wish("left", Position("left_hand", far), 2),
        ],
    )
    first = pack(FIGURE, FIGURE.rest(), problem.wishes[:1])
    if run(first, FIGURE.rest().q).status != "solved":
        return
    outcome = run(problem, FIGURE.rest().q)
    assert outcome.status in ("stationary", "stalled", "iterations")
    assert problem.levels(outcome.residual)[0] <= TOLERANCE
    assert within(FIGURE, outcome.q)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000))
def test_goals_of_a_posture_near_rest_are_met_in_a_few_steps(seed: int) -> None:
    goal = random_goal(seed)["left_hand"]
    problem = pack(FIGURE, FIGURE.rest(), [Wish("left", Position("left_hand", goal), 1)])
    outcome = run(problem, FIGURE.rest().q)
    assert outcome.status == "solved"
    assert outcome.iterations <= 30
    assert outcome.optimality == 0.0
    assert problem.levels(outcome.residual)[0] <= TOLERANCE
    assert within(FIGURE, outcome.q)


@pytest.mark.parametrize("links", [3, 10])
def test_a_chain_stretches_towards_what_it_cannot_reach(links: int) -> None:
    figure = chain(links, 1.0 / links, "ball")
    q = figure.rest().q + 0.2 * np.cos(np.arange(figure.n))
    start = figure.clamp(figure.posture(q))
    goal = np.array([1.2, 0.9, 2.0])
    problem = pack(figure, start, [Wish("tip", Position("tip", goal), 1)])
    outcome = run(problem, start.q, limit=200)
    least = np.linalg.norm(goal) - 1.0
    assert outcome.status == "stationary"
    assert problem.levels(outcome.residual)[0] == pytest.approx(least, rel=1e-3)
    assert outcome.optimality < 0.05


def test_a_stop_in_the_way_is_met_exactly() -> None:
    problem = beyond_a_stop()
    outcome = run(problem, problem.figure.rest().q)
    assert outcome.status == "stationary"
    assert outcome.q[0] == pytest.approx(0.5, abs=1e-12)
    assert outcome.optimality == pytest.approx(0.0, abs=1e-9)


def test_an_inequality_that_holds_asks_for_nothing() -> None:
    above = HalfSpace("left_hand", (0.0, 0.0, -5.0))
    problem = pack(FIGURE, FIGURE.rest(), [Wish("above", above, 1)])
    outcome = run(problem, FIGURE.rest().q)
    assert outcome.status == "solved"
    assert outcome.iterations == 0
    assert np.array_equal(outcome.q, FIGURE.rest().q)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_a_criterion_takes_what_the_tasks_leave_and_no_more(seed: int) -> None:
    goal = random_goal(seed)["left_hand"]
    wish = Wish("left", Position("left_hand", goal), 1)
    free = run(pack(FIGURE, FIGURE.rest(), [wish]), FIGURE.rest().q)
    start = FIGURE.clamp(FIGURE.posture(free.q + np.where(np.arange(FIGURE.n) > 5, 0.3, 0.0)))
    problem = pack(FIGURE, FIGURE.rest(), [wish], [(Rest(), 1.0)])
    outcome = run(problem, start.q)
    assert outcome.status == "solved"
    assert problem.levels(outcome.residual)[0] <= TOLERANCE
    # The right arm has nothing else to do than to rest.
    np.testing.assert_allclose(outcome.q[6:], FIGURE.rest().q[6:], atol=1e-3)


def test_joints_that_no_task_recruits_stay_where_they_are() -> None:
    goal = random_goal(3)["left_hand"]
    arm = ("j_left_0", "j_left_1", "j_left_2")
    wish = Wish("left", Position("left_hand", goal), 1, joints=arm)
    outcome = run(pack(FIGURE, FIGURE.rest(), [wish]), FIGURE.rest().q)
    moved = np.flatnonzero(outcome.q != FIGURE.rest().q)
    own = np.concatenate([np.arange(FIGURE.n)[FIGURE.span(name)] for name in arm])
    assert set(moved) <= set(own)
    assert len(moved) > 0


def test_a_warm_start_follows_a_target_that_moves_a_little() -> None:
    goal = random_goal(5)["left_hand"]
    problem = pack(FIGURE, FIGURE.rest(), [Wish("left", Position("left_hand", goal), 1)])
    q = run(problem, FIGURE.rest().q).q
    for frame in range(20):
        goal = goal + np.array([0.002, -0.003, 0.001])
        problem.aim(0, [goal])
        outcome = run(problem, q, warm=True)
        assert outcome.status == "solved", frame
        assert outcome.iterations <= 3
        assert np.abs(outcome.q - q).max() < 0.1
        q = outcome.q


def test_time_that_runs_out_is_said() -> None:
    goal = random_goal(7)["left_hand"] + np.array([0.0, 0.0, 3.0])
    problem = pack(FIGURE, FIGURE.rest(), [Wish("left", Position("left_hand", goal), 1)])
    outcome = lex.solve(
        problem, FIGURE.rest().q, tolerance=TOLERANCE, max_iterations=10_000, max_seconds=0.0
    )
    assert outcome.status == "time"
    assert 0 < outcome.iterations <= 8
    patient = lex.solve(
        problem, FIGURE.rest().q, tolerance=TOLERANCE, max_iterations=300, max_seconds=1e3
    )
    assert patient.status == "stationary"
    unhurried = lex.solve(
        problem, FIGURE.rest().q, tolerance=TOLERANCE, max_iterations=300, max_seconds=None
    )
    assert np.array_equal(patient.q, unhurried.q)
    assert problem.levels(patient.residual)[0] < problem.levels(outcome.residual)[0] + 1e-9
