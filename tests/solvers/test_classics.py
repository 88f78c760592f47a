"""The methods that the papers compare with."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.random_figures import differences
from tests.solvers.stops import beyond_a_stop
from tests.tasks.residual import Residual

from poise import PoiseError
from poise.figure import Builder, Figure, Hinge
from poise.models import chain, human
from poise.solvers import solver
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Frame, HalfSpace, Orientation, Position, Rest

METHODS = ("pinv", "dls", "transpose", "ccd", "partition")
TOLERANCE = 1e-4
BODY = human()
seeds = st.integers(0, 10_000)


def run(method: str, problem: Problem, start: np.ndarray, limit: int = 300, **own: Any) -> Outcome:
    return solver(method, **own)(
        problem, start, tolerance=TOLERANCE, max_iterations=limit, max_seconds=None
    )


def bent(seed: int = 0) -> tuple[Figure, Problem, np.ndarray]:
    """A chain of balls without limits, a goal within its reach, and a bent start."""
    figure = chain(5, 0.2, "ball")
    rng = np.random.default_rng(seed)
    start = rng.uniform(-0.4, 0.4, figure.n)
    near = figure.posture(start + rng.uniform(-0.3, 0.3, figure.n))
    goal = figure.place(near)["tip"].position
    return figure, pack(figure, figure.rest(), [Wish("tip", Position("tip", goal), 1)]), start


@pytest.mark.parametrize(
    ("method", "own"),
    [
        *((method, {}) for method in METHODS if method != "transpose"),
        ("pinv", {"limits": "last"}),
        ("transpose", {"step": 0.3}),
        ("transpose", {"rule": "exact"}),
        ("transpose", {"rule": "tracking", "step": 0.3}),
    ],
)
def test_a_chain_without_limits_reaches_its_goal(method: str, own: dict[str, Any]) -> None:
    for seed in range(4):
        _, problem, start = bent(seed)
        outcome = run(method, problem, start, 5000, **own)
        assert outcome.status == "solved"
        assert outcome.optimality == 0.0
        assert problem.levels(outcome.residual)[0] <= TOLERANCE
        assert outcome.note == ""


# the formulas ------------------------------------------------------------------------------


def first_step(method: str, problem: Problem, start: np.ndarray, **own: Any) -> np.ndarray:
    return run(method, problem, start, 1, **own).q - start


@settings(max_examples=10)
@given(seed=seeds)
def test_first_steps_are_those_of_the_formulas(seed: int) -> None:
    figure, problem, start = bent(seed)
    residual = Residual(problem)
    e, J = residual(start), residual.jacobian(start)
    far = {"max_turn": 1e3}
    np.testing.assert_allclose(
        first_step("pinv", problem, start, **far), -np.linalg.pinv(J, rcond=1e-3) @ e, atol=1e-9
    )
    damped = -np.linalg.solve(J.T @ J + 0.3**2 * np.eye(figure.n), J.T @ e)  # 2011, eq. 15
    for method in ("dls", "partition"):
        step = first_step(method, problem, start, damping=0.3, **far)
        np.testing.assert_allclose(step, damped, atol=1e-9)
    down = -differences(lambda q: np.array([residual(q) @ residual(q)]), start)[0]
    np.testing.assert_allclose(
        first_step("transpose", problem, start, step=0.1), 0.1 * down, atol=1e-7
    )
    z = J @ J.T @ e  # (28)
    np.testing.assert_allclose(
        first_step("transpose", problem, start, rule="exact"),
        -(e @ z) / (z @ z) * J.T @ e,
        atol=1e-9,
    )


def test_the_tracking_rule_shortens_what_no_linear_step_can_follow() -> None:
    figure = chain(3, 0.3, "hinge")
    start = np.array([0.1, 0.2, -0.1])
    goal = figure.place(figure.posture(start))["tip"].position + [0.05, 0.2, 0.1]
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", goal), 1)])
    residual = Residual(problem)
    e, J = residual(start), residual.jacobian(start)
    beyond = np.linalg.norm(e - J @ np.linalg.pinv(J) @ e)  # (29)
    step = first_step("transpose", problem, start, rule="tracking", step=0.5, deviation=0.01)
    np.testing.assert_allclose(step, -2 * 0.01 / beyond * J.T @ e, rtol=1e-6)
    long = first_step("transpose", problem, start, rule="tracking", step=0.01, deviation=0.01)
    np.testing.assert_allclose(long, -2 * 0.01 * J.T @ e, rtol=1e-6)


def test_the_transpose_diverges_when_its_step_is_too_long() -> None:
    _, problem, start = bent(1)
    before = np.linalg.norm(Residual(problem)(start))
    outcome = run("transpose", problem, start, 200, step=20.0)
    assert outcome.status in ("stalled", "iterations")
    assert np.isfinite(outcome.q).all()
    assert np.linalg.norm(outcome.residual) > before


@settings(max_examples=10)
@given(seed=seeds)
def test_a_round_of_ccd_never_raises_the_sum(seed: int) -> None:
    _, problem, q = bent(seed)
    last = np.inf
    for _ in range(5):
        outcome = run("ccd", problem, q, 1)
        size = np.linalg.norm(outcome.residual)
        assert size <= last
        q, last = outcome.q, size


def test_a_criterion_moves_what_the_pseudo_inverse_leaves() -> None:
    figure, _, start = bent(2)
    goal = figure.place(figure.posture(0.5 * start))["tip"].position
    wish = Wish("tip", Position("tip", goal), 1)
    free = run("pinv", pack(figure, figure.rest(), [wish]), start)
    drawn = run("pinv", pack(figure, figure.rest(), [wish], [(Rest(), 1.0)]), start)
    assert free.status == drawn.status == "solved"
    assert np.linalg.norm(drawn.q - figure.rest().q) < np.linalg.norm(free.q - figure.rest().q)


# limits ------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(
    seed=seeds,
    method=st.sampled_from(METHODS),
    when=st.sampled_from(["each", "last"]),
)
def test_a_person_comes_back_within_limits(seed: int, method: str, when: str) -> None:
    goal = np.random.default_rng(seed).uniform((-0.5, -1.5, 0.0), (1.5, 1.5, 2.5))
    problem = pack(
        BODY,
        BODY.rest(),
        [
            Wish("hand", Position("right_hand", goal), 1),
            Wish("foot", Position("left_foot"), 2),
            Wish("head", Orientation("head"), 2),
        ],
    )
    own = {} if method == "ccd" else {"limits": when}
    outcome = run(method, problem, BODY.rest().q, 10, **own)
    assert np.isfinite(outcome.q).all()
    assert BODY.within_limits(BODY.posture(outcome.q))
    np.testing.assert_allclose(outcome.residual, Residual(problem)(outcome.q), atol=1e-9)


@pytest.mark.parametrize("step", [1.0, 3.0, 300.0])
def test_a_method_that_diverges_comes_back_within_limits_at_last(step: float) -> None:
    feet = [Wish(foot, Frame(foot), 1) for foot in ("left_foot", "right_foot")]
    hand = BODY.place(BODY.rest())["right_hand"].position + [0.2, 0.0, 0.3]
    problem = pack(BODY, BODY.rest(), [*feet, Wish("hand", Position("right_hand", hand), 1)])
    outcome = run("transpose", problem, BODY.rest().q, limits="last", step=step)
    assert BODY.within_limits(BODY.posture(outcome.q))
    np.testing.assert_allclose(outcome.residual, Residual(problem)(outcome.q), atol=1e-9)


def test_projecting_after_the_last_step_misses_what_clamping_each_step_reaches() -> None:
    builder = Builder("arm")
    builder.segment("base", mass=1.0)
    builder.root("base", "fixed")
    parent = "base"
    for i, most in enumerate((0.1, 2.5, 2.5)):
        builder.segment(f"link_{i}", mass=1.0)
        at = (0.0, 0.0, 0.4 if i else 0.0)
        builder.joint(f"j_{i}", Hinge("y", limits=(-most, most)), parent, f"link_{i}", at)
        parent = f"link_{i}"
    builder.site("hand", parent, (0.0, 0.0, 0.4))
    figure = builder.build()
    goal = figure.place(figure.posture([0.1, 0.8, 0.5]))["hand"].position
    problem = pack(figure, figure.rest(), [Wish("hand", Position("hand", goal), 1)])
    start = np.array([0.0, 0.3, 0.3])
    for method in ("pinv", "dls"):
        assert run(method, problem, start, limits="each").status == "solved"
        last = run(method, problem, start, limits="last")
        assert last.status == "stalled"
        assert figure.within_limits(figure.posture(last.q))
        assert np.linalg.norm(last.residual) > 0.01
        assert last.optimality > 0.02


def test_an_end_at_a_stop_is_stationary_when_nothing_within_limits_is_better() -> None:
    problem = beyond_a_stop()
    for method in METHODS:
        outcome = run(method, problem, np.zeros(1))
        assert outcome.status == "stationary", method
        assert outcome.q[0] == pytest.approx(0.5, abs=1e-9)
        assert outcome.optimality == pytest.approx(0.0, abs=1e-9)


# priorities --------------------------------------------------------------------------------


def seven() -> tuple[Figure, list[Wish]]:
    """A trunk of three hinges and two arms of two; both hands can be at their goals at once."""
    builder = Builder("seven")
    builder.segment("base", mass=1.0)
    builder.root("base", "fixed")
    parent = "base"
    for name, above, at in (
        ("t_0", "base", (0, 0, 0)), ("t_1", "t_0", (0, 0, 0.3)), ("t_2", "t_1", (0, 0, 0.3)),
        ("l_0", "t_2", (0, 0, 0.3)), ("l_1", "l_0", (0, 0, 0.2)),
        ("r_0", "t_2", (0, 0, 0.3)), ("r_1", "r_0", (0, 0, 0.2)),
    ):  # fmt: skip
        parent = above
        builder.segment(name, mass=1.0)
        builder.joint(f"j_{name}", Hinge("y"), parent, name, at)
    builder.site("left", "l_1", (0.0, 0.0, 0.2))
    builder.site("right", "r_1", (0.0, 0.0, 0.2))
    angles = {"l_0": 0.8, "l_1": 0.4, "r_0": -0.3, "r_1": -2.6}
    builder.posture("rest", {f"j_{name}": {"angle": angle} for name, angle in angles.items()})
    figure = builder.build()
    # The right hand is where it should be; the left goal is farther than its arm is long.
    return figure, [
        Wish("right", Position("right", figure.place(figure.rest())["right"].position), 1),
        Wish("left", Position("left", (0.5, 0.0, 1.05)), 2),
    ]


def test_dividing_the_joints_misses_a_goal_that_priorities_reach() -> None:
    figure, wishes = seven()  # thesis Fig. 5.4
    problem = pack(figure, figure.rest(), wishes)
    divided = run("partition", problem, figure.rest().q)
    shared = run("priority", problem, figure.rest().q)
    assert shared.status == "solved"
    assert problem.levels(divided.residual)[0] <= TOLERANCE
    assert problem.levels(divided.residual)[1] > 0.05
    assert divided.status == "stalled"
    assert divided.optimality > 0.02
    moved = np.abs(divided.q - figure.rest().q) > 1e-9
    own = np.zeros(figure.n, bool)
    own[figure.span("j_l_0")] = own[figure.span("j_l_1")] = True
    np.testing.assert_array_equal(moved, own)


def test_several_priorities_are_one_weighted_sum_and_the_outcome_says_so() -> None:
    figure, wishes = seven()
    problem = pack(figure, figure.rest(), wishes)
    for method in ("pinv", "dls", "transpose", "ccd"):
        assert run(method, problem, figure.rest().q, 2).note.startswith(f"{method} knows no")
    assert run("partition", problem, figure.rest().q, 2).note == ""


# what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_one_sided_tasks_are_refused_by_name(method: str) -> None:
    figure, _, start = bent()
    wishes = [Wish("tip", Position("tip"), 1), Wish("floor", HalfSpace("tip"), 1)]
    problem = pack(figure, figure.rest(), wishes)
    expected = f"{method} takes no one-sided tasks, and 'floor' (HalfSpace) is one"
    with pytest.raises(PoiseError, match=re.escape(expected)):
        run(method, problem, start)


@pytest.mark.parametrize("method", [m for m in METHODS if m != "pinv"])
def test_criteria_are_refused_where_there_is_no_room_for_them(method: str) -> None:
    figure, _, start = bent()
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip"), 1)], [(Rest(), 1.0)])
    with pytest.raises(PoiseError, match=f"{method} takes no criteria"):
        run(method, problem, start)


@pytest.mark.parametrize(
    ("method", "own", "message"),
    [
        ("pinv", {"cutoff": 2.0}, "the cutoff must be at most 1, not 2"),
        ("pinv", {"limits": "never"}, "there is no way to keep limits 'never'"),
        ("dls", {"damping": 0.0}, "the damping (m/rad) must be greater than 0, not 0"),
        ("dls", {"max_turn": -1.0}, "max_turn (rad) must be greater than 0, not -1"),
        ("transpose", {"rule": "exakt"}, "there is no rule for the step 'exakt'; did you mean"),
        ("transpose", {"step": "long"}, "the step (1/m²) must be a number, not 'long'"),
        ("transpose", {"deviation": 0}, "the deviation (m) must be greater than 0, not 0"),
        ("ccd", {"limits": "last"}, "there is no ccd option 'limits'"),
        ("partition", {"dampin": 1.0}, "there is no partition option 'dampin'"),
    ],
)
def test_what_an_option_cannot_be_is_said(method: str, own: dict[str, Any], message: str) -> None:
    _, problem, start = bent()
    with pytest.raises(PoiseError, match=re.escape(message)):
        run(method, problem, start, **own)


@pytest.mark.parametrize("method", ["priority", *METHODS])
def test_a_figure_that_cannot_move_is_left_as_it_is(method: str) -> None:
    builder = Builder("stone")
    builder.segment("stone", mass=1.0)
    builder.root("stone", "fixed")
    figure = builder.build()
    problem = pack(figure, figure.rest(), [Wish("up", Position("stone", (0.0, 0.0, 1.0)), 1)])
    outcome = run(method, problem, figure.rest().q)
    assert outcome.status == "stationary"
    assert outcome.q.size == 0
    np.testing.assert_allclose(outcome.residual, [0.0, 0.0, -1.0])


@pytest.mark.parametrize("method", METHODS)
def test_time_that_runs_out_is_said(method: str) -> None:
    figure = chain(5, 0.2, "ball", limit=0.5)
    start = figure.clamp(figure.posture(np.full(figure.n, 0.3))).q
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", (0.2, 3.0, 1.0)), 1)])
    outcome = solver(method)(
        problem, start, tolerance=TOLERANCE, max_iterations=10_000, max_seconds=0.0
    )
    assert outcome.status == "time"
    assert 0 < outcome.iterations <= 5
    assert figure.within_limits(figure.posture(outcome.q))


def test_locked_joints_stay() -> None:
    figure, problem, start = bent(3)
    figure.lock("joint_2")
    problem = pack(figure, figure.rest(), problem.wishes)
    locked = problem.metric == 0
    assert locked.any()
    for method in METHODS:
        outcome = run(method, problem, start, 5)
        np.testing.assert_array_equal(outcome.q[locked], start[locked])
        assert (outcome.q[~locked] != start[~locked]).any()
