"""The task-priority method on figures."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solvers.stops import beyond_a_stop

from poise import PoiseError
from poise.figure import Builder, Figure, Hinge
from poise.models import chain, human
from poise.solvers import solver
from poise.solvers.outcome import Outcome
from poise.solvers.priority import solve
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Balance, Frame, HalfSpace, Position, Rest

TOLERANCE = 1e-4
BODY = human()
seeds = st.integers(0, 10_000)


def run(problem: Problem, start: np.ndarray, limit: int = 200, **options: Any) -> Outcome:
    return solve(
        problem, start, tolerance=TOLERANCE, max_iterations=limit, max_seconds=None, **options
    )


def standing(hand: np.ndarray, *more: Wish) -> Problem:
    """Both feet held, then a hand."""
    return pack(
        BODY,
        BODY.rest(),
        [
            Wish("left_foot", Frame("left_foot"), 1),
            Wish("right_foot", Frame("right_foot"), 1),
            Wish("hand", Position("right_hand", hand), 3),
            *more,
        ],
    )


def reached(seed: int) -> np.ndarray:
    """Where the right hand is when arm and spine are anywhere."""
    q = BODY.rest().q + np.random.default_rng(seed).uniform(-0.5, 0.5, BODY.n)
    kept = np.ones(BODY.n, bool)
    for name in ("spine", "right_shoulder_complex", "right_elbow"):
        kept[BODY.span(name)] = False
    posture = BODY.posture(np.where(kept, BODY.rest().q, q))
    return BODY.place(BODY.clamp(posture))["right_hand"].position


@settings(max_examples=15)
@given(seed=seeds)
def test_a_person_reaches_with_feet_held_and_limits_kept(seed: int) -> None:
    problem = standing(reached(seed))
    outcome = run(problem, BODY.rest().q)
    assert outcome.status == "solved"
    assert outcome.optimality == 0.0
    assert problem.levels(outcome.residual).max() <= TOLERANCE
    assert BODY.within_limits(BODY.posture(outcome.q))


@settings(max_examples=10)
@given(seed=seeds)
def test_a_hand_out_of_reach_does_not_pull_the_feet_off_the_floor(seed: int) -> None:
    away = np.random.default_rng(seed).normal(size=3)
    problem = standing(reached(seed) + 2.5 * away / np.linalg.norm(away))
    outcome = run(problem, BODY.rest().q)
    assert outcome.status in ("stationary", "stalled", "iterations")
    levels = problem.levels(outcome.residual)
    assert levels[0] <= TOLERANCE
    assert levels[1] > 0.1
    assert BODY.within_limits(BODY.posture(outcome.q))


@settings(max_examples=10)
@given(seed=seeds)
def test_both_decompositions_take_the_same_way(seed: int) -> None:
    problem = standing(reached(seed))
    one = run(problem, BODY.rest().q, decomposition="lq")
    other = run(problem, BODY.rest().q, decomposition="svd")
    assert one.iterations == other.iterations
    np.testing.assert_allclose(one.q, other.q, atol=1e-7)


def test_the_cascaded_formulation_keeps_priorities_and_takes_longer() -> None:
    cascaded, recursive = [], []
    for seed in range(6):
        problem = standing(reached(seed))
        outcome = run(problem, BODY.rest().q, formulation="cascaded")
        assert problem.levels(outcome.residual)[0] <= TOLERANCE
        cascaded.append(outcome.iterations)
        recursive.append(run(problem, BODY.rest().q).iterations)
    assert np.median(cascaded) > np.median(recursive)


@pytest.mark.parametrize("joint", ["hinge", "ball"])
def test_a_chain_stretches_towards_what_it_cannot_reach(joint: str) -> None:
    figure = chain(6, 1.0 / 6.0, joint)
    start = figure.rest().q + 0.2 * np.cos(np.arange(figure.n))
    goal = np.array([1.2, 0.0, 1.6])
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", goal), 1)])
    outcome = run(problem, start, 400)
    assert problem.levels(outcome.residual)[0] == pytest.approx(1.0, rel=2e-3)
    # Nothing is left of the gradient at a minimum (thesis 4.8).
    assert outcome.optimality < 0.1


def test_a_stop_in_the_way_is_met_exactly() -> None:
    problem = beyond_a_stop()
    outcome = run(problem, np.zeros(1))
    assert outcome.status == "stationary"
    assert outcome.q[0] == pytest.approx(0.5, abs=1e-12)
    assert outcome.optimality == pytest.approx(0.0, abs=1e-9)


def coupled() -> Figure:
    """Three hinges, of which two are coupled by an equality and two by an inequality."""
    builder = Builder("finger")
    builder.segment("palm", mass=1.0)
    builder.root("palm", "fixed")
    parent = "palm"
    for i in range(3):
        builder.segment(f"bone_{i}", mass=0.1)
        builder.joint(
            f"j_{i}", Hinge("y", limits=(-2.0, 2.0)), parent, f"bone_{i}", (0.4 * (i > 0), 0, 0)
        )
        parent = f"bone_{i}"
    builder.site("tip", parent, (0.4, 0.0, 0.0))
    even = {"j_2.angle": 1.0, "j_1.angle": -2.0 / 3.0}
    builder.couple("even", even, lower=0.0, upper=0.0)
    builder.couple("together", {"j_0.angle": 1.0, "j_1.angle": 1.0}, upper=1.0)
    return builder.build()


@pytest.mark.parametrize("decomposition", ["lq", "svd"])
def test_couplings_hold_and_those_in_the_way_are_met(decomposition: str) -> None:
    figure = coupled()
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", (0.2, 0.0, -0.9)), 1)])
    outcome = run(problem, figure.rest().q, decomposition=decomposition)
    assert outcome.q[2] == pytest.approx(2.0 / 3.0 * outcome.q[1], abs=1e-9)
    assert outcome.q[0] + outcome.q[1] == pytest.approx(1.0, abs=1e-9)
    assert outcome.status == "stationary"
    assert figure.within_limits(figure.posture(outcome.q))


def test_one_sided_tasks_are_met_at_their_priority() -> None:
    hand = reached(3)
    wall = HalfSpace("left_hand", BODY.place(BODY.rest())["left_hand"].position + [0, 0, 0.1])
    problem = standing(hand, Wish("balance", Balance(), 2), Wish("up", wall, 2))
    outcome = run(problem, BODY.rest().q)
    assert problem.levels(outcome.residual)[:2].max() <= TOLERANCE
    assert outcome.status == "solved"


def test_a_criterion_takes_what_the_tasks_leave() -> None:
    figure = chain(8, 0.1, "hinge")
    start = figure.rest().q + 0.4
    goal = figure.place(figure.posture(np.full(8, 0.15)))["tip"].position
    wish = Wish("tip", Position("tip", goal), 1)
    free = run(pack(figure, figure.rest(), [wish]), start)
    problem = pack(figure, figure.rest(), [wish], [(Rest(), 1.0)])
    drawn = run(problem, start)
    assert free.status == drawn.status == "solved"
    assert np.linalg.norm(drawn.q - figure.rest().q) < np.linalg.norm(free.q - figure.rest().q)
    alone = run(pack(figure, figure.rest(), [], [(Rest(), 1.0)]), start)
    np.testing.assert_allclose(alone.q, figure.rest().q, atol=1e-3)


def test_locked_joints_stay_and_stiff_ones_move_less() -> None:
    figure = chain(6, 0.2, "hinge")
    start = np.full(6, 0.2)
    goal = figure.place(figure.posture(np.full(6, 0.3)))["tip"].position
    wishes = [Wish("tip", Position("tip", goal), 1)]
    figure.lock("joint_1")
    free = run(pack(figure, figure.rest(), wishes), start)
    figure.stiffness["joint_2"] = 0.9
    stiff = run(pack(figure, figure.rest(), wishes), start)
    assert free.status == stiff.status == "solved"
    assert free.q[0] == stiff.q[0] == start[0]
    assert abs(stiff.q[1] - start[1]) < 0.7 * abs(free.q[1] - start[1])


def test_time_that_runs_out_is_said() -> None:
    problem = standing(reached(1) + np.array([0.0, 0.0, 3.0]))
    outcome = solve(
        problem, BODY.rest().q, tolerance=TOLERANCE, max_iterations=10_000, max_seconds=0.0
    )
    assert outcome.status == "time"
    assert 0 < outcome.iterations <= 5
    assert BODY.within_limits(BODY.posture(outcome.q))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"formulation": "recursiv"}, "there is no formulation 'recursiv'; did you mean"),
        ({"decomposition": "qr"}, "there is no decomposition 'qr'"),
        ({"formulation": "cascaded", "decomposition": "lq"}, "decomposition='svd', not 'lq'"),
        ({"max_step": 0.0}, "max_step (m) must be greater than 0, not 0"),
        ({"max_turn": "far"}, "max_turn (rad) must be a number, not 'far'"),
        ({"gain": 2.0}, "the gain of the criteria must be at most 1, not 2"),
    ],
)
def test_what_an_option_cannot_be_is_said(options: dict[str, Any], message: str) -> None:
    problem = standing(reached(0))
    with pytest.raises(PoiseError, match=re.escape(message)):
        run(problem, BODY.rest().q, **options)


def test_the_method_goes_by_its_name() -> None:
    problem = standing(reached(2))
    named = solver("priority", formulation="cascaded")
    outcome = named(problem, BODY.rest().q, tolerance=TOLERANCE, max_iterations=3, max_seconds=None)
    assert outcome.iterations == 3
    with pytest.raises(PoiseError, match="formulation"):
        solver("priority", formulations="cascaded")
