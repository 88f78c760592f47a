"""Quasi-Newton within limits: that it finds what there is to find, and keeps what it must."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import nnls
from tests.figure.test_clamping import fingers, leg
from tests.kernel.published.test_nlp import ARM, random_problem
from tests.tasks.residual import Residual

import poise
from poise import PoiseError, Scene
from poise.figure import Figure
from poise.figure.transform import rotation_matrix
from poise.models.published import person_of_71
from poise.solvers import nlp
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import (
    Aim,
    Any,
    Balance,
    Convex,
    Frame,
    HalfSpace,
    Orientation,
    Outside,
    Position,
    Rest,
)

Values = NDArray[np.float64]
LEG = leg()


def run(problem: Problem, start: Values, *, limit: int = 400, update: str = "switch") -> Outcome:
    return nlp.solve(
        problem, start, tolerance=1e-4, max_iterations=limit, max_seconds=None, update=update
    )


@pytest.fixture(scope="module")
def person() -> Figure:
    return poise.human()


@pytest.mark.parametrize("update", ["switch", "bfgs", "dfp"])
def test_a_chain_reaches_what_is_within_reach(update: str) -> None:
    chain = poise.chain(6, length=0.2)
    start = np.full(6, 0.1)
    problem = pack(chain, chain.posture(start), [Wish("tip", Position("tip", (0.6, 0, 0.5)), 1)])
    outcome = run(problem, start, update=update)
    assert outcome.status == "solved"
    assert chain.place(outcome.q)["tip"].position == pytest.approx([0.6, 0.0, 0.5], abs=1e-4)
    assert outcome.optimality == 0.0


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_a_person_of_71_meets_the_goals_of_another_posture(seed: int) -> None:
    figure, rng = person_of_71(), np.random.default_rng(seed)
    start = figure.clamp(figure.rest()).q
    inner = ~figure.root_coordinates
    goal = start + np.where(inner, rng.uniform(-0.4, 0.4, figure.n), 0.0)
    places = figure.place(figure.clamp(figure.posture(goal)))
    sites = ("left_hand", "right_hand", "left_foot", "right_foot")
    problem = pack(
        figure, figure.posture(start), [Wish(s, Position(s, places[s].position), 1) for s in sites]
    )
    outcome = run(problem, start)
    assert outcome.status == "solved"
    assert figure.within_limits(figure.posture(outcome.q))


def test_a_standing_person_reaches_and_looks(person: Figure) -> None:
    scene = Scene(person, natural=False)
    scene.add(Frame("left_foot"))
    scene.add(Frame("right_foot"))
    scene.add(Balance())
    scene.add(Aim("eyes", (1.0, 0.2, 1.0)))
    hand = person.place(scene.posture)["right_hand"].position + np.array([0.25, 0.0, 0.3])
    scene.add(Position("right_hand", hand))
    solution = scene.solve(method="nlp")
    assert solution.status == "solved"
    assert solution.met
    assert solution.notes == ()
    assert person.within_limits(solution.posture)


@settings(max_examples=30)
@given(st.integers(0, 1000))
def test_what_is_out_of_reach_ends_where_the_kuhn_tucker_conditions_hold(seed: int) -> None:
    problem = random_problem(seed)
    outcome = run(problem, ARM.rest().q)
    assert outcome.status in ("solved", "stationary")
    if outcome.status == "solved":
        return
    # −∇P is a sum of the normals of rows that hold, with weights that are not negative.
    residual = Residual(problem)
    e = np.where(problem.blocks.inequality == 1, np.minimum(outcome.residual, 0), outcome.residual)
    g = 2.0 * residual.jacobian(outcome.q).T @ e
    rows = [sign * np.eye(6)[i] for i in range(6) for sign, end in ((1, 1.5), (-1, -1.5))
            if abs(outcome.q[i] - end) < 1e-9]  # fmt: skip
    together = np.array([0, 0, 0, 0, -0.5, 1.0])
    rows += [together, -together]
    if outcome.q[0] + outcome.q[1] > 0.4 - 1e-9:
        rows.append(np.array([1.0, 1.0, 0, 0, 0, 0]))
    _, lack = nnls(np.array(rows).T, -g)
    size = np.sqrt(e @ e)
    assert lack / (2.0 * size) < 1e-5
    assert outcome.optimality == pytest.approx(lack / (2.0 * size), abs=1e-5)


@settings(max_examples=60)
@given(st.integers(0, 1000))
def test_on_curved_limits_no_valid_posture_near_by_is_better(seed: int) -> None:
    # It stops where the size of the residual falls by less than the tolerance in thirty iterations.
    rng = np.random.default_rng(seed)
    start = LEG.clamp(rng.normal(size=LEG.n) * 0.3).q
    wishes = [
        Wish("foot", Orientation("foot", np.eye(3)), 1),
        Wish("thigh", Aim("thigh", rng.normal(size=3)), 1),
    ]
    problem = pack(LEG, LEG.posture(start), wishes)
    outcome = run(problem, start, limit=1000)
    assert outcome.status in ("solved", "stationary", "stalled")
    assert LEG.within_limits(LEG.posture(outcome.q))
    residual = Residual(problem)
    best = np.linalg.norm(outcome.residual)
    assert best <= np.linalg.norm(residual(start))
    much = 3e-4 if outcome.status == "stalled" else 1e-4
    for _ in range(40):
        near = LEG.clamp(outcome.q + rng.normal(size=LEG.n) * 10.0 ** rng.uniform(-4, -2)).q
        assert np.linalg.norm(residual(near)) > best - much


def test_locked_joints_stay_exactly_and_stiff_ones_move_less() -> None:
    chain = poise.chain(5, length=0.25)
    start = np.full(5, 0.1)
    moved: list[float] = []
    for stiffness in (0.0, 0.8):
        chain.stiffness["joint_2"] = stiffness
        chain.lock("joint_4")
        problem = pack(
            chain, chain.posture(start), [Wish("tip", Position("tip", (0.7, 0, 0.6)), 1)]
        )
        outcome = run(problem, start)
        assert outcome.status == "solved"
        assert outcome.q[3] == start[3]
        moved.append(abs(outcome.q[1] - start[1]))
    assert moved[1] < 0.5 * moved[0]


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_a_locked_coordinate_of_a_curved_joint_stays_and_the_others_go_on(seed: int) -> None:
    figure, rng = leg(), np.random.default_rng(seed)
    figure.lock(["hip.swing_x", "hip.twist", "ankle.swing_y"][seed % 3])
    start = figure.clamp(rng.normal(size=figure.n) * 0.3).q
    goal = rotation_matrix(rng.normal(size=3))
    problem = pack(figure, figure.posture(start), [Wish("foot", Orientation("foot", goal), 1)])
    outcome = run(problem, start)
    assert outcome.status in ("solved", "stationary", "iterations")
    assert (outcome.q[figure.locked] == start[figure.locked]).all()
    assert figure.within_limits(figure.posture(outcome.q))


@settings(max_examples=30)
@given(st.integers(0, 1000))
def test_an_equality_is_never_dropped_though_the_start_meets_it_but_for_rounding(seed: int) -> None:
    figure, rng = fingers(), np.random.default_rng(seed)
    start = figure.clamp(rng.uniform(-0.5, 1.5, 3)).q
    target = rng.normal(size=3)
    problem = pack(figure, figure.posture(start), [Wish("last", Aim("last", target), 1)])
    outcome = run(problem, start)
    assert outcome.status in ("solved", "stationary")
    assert outcome.q[2] == pytest.approx(2 / 3 * outcome.q[1], abs=1e-9)
    working = problem.scratch["nlp"][1].working
    assert working.place[2 * figure.n] >= 0


def test_a_joint_that_no_task_recruits_stays(person: Figure) -> None:
    scene = Scene(person)
    hand = person.place(scene.posture)["right_hand"].position + np.array([0.2, 0.05, 0.2])
    arm = ["right_shoulder_complex", "right_elbow", "right_wrist"]
    scene.add(Position("right_hand", hand), joints=arm)
    solution = scene.solve(method="nlp")
    moved = solution.posture.q != scene.posture.q
    recruited = np.zeros(person.n, bool)
    for name in arm:
        recruited[person.span(name)] = True
    assert moved.any()
    assert not moved[~recruited].any()


def test_several_priorities_are_one_weighted_sum_and_the_solution_says_so() -> None:
    chain = poise.chain(3, length=0.3)
    scene = Scene(chain)
    scene.posture = [0.2, 0.3, 0.2]
    scene.add(Position("tip", (0.5, 0, 0.9)), priority=1, name="far")
    scene.add(Position("tip", (0.5, 0, -0.9)), priority=3, weight=4.0, name="other")
    scene.add(Position("tip", (0.5, 0, 0.9)), priority=3, weight=3.0, name="far as well")
    solution = scene.solve(method="nlp", restarts=0)
    told = "nlp knows no priorities: 1 and 3 were solved as one weighted sum"
    assert solution.notes == (told,)
    assert f"note: {told}" in str(solution).splitlines()
    assert solution.status == "stationary"
    # Weights count within a priority: seven parts against four.
    tip = chain.place(solution.posture)["tip"].position
    want = (7 * np.array([0.5, 0, 0.9]) + 4 * np.array([0.5, 0, -0.9])) / 11
    assert tip == pytest.approx(want, abs=1e-4)


def test_an_inequality_pulls_only_while_it_is_broken() -> None:
    chain = poise.chain(4, length=0.25)
    start = np.full(4, 0.2)
    above = HalfSpace("tip", (0, 0, 0.1), normal=(0, 0, 1))
    problem = pack(chain, chain.posture(start), [Wish("above", above, 1)])
    outcome = run(problem, start)
    assert outcome.status == "solved"
    assert outcome.iterations > 0
    assert outcome.residual[0] >= -1e-4
    high = outcome.q - np.array([0.3, 0.0, 0.0, 0.0])
    assert chain.place(high)["tip"].position[2] > 0.1
    assert run(problem, high).q.tolist() == high.tolist()


def test_a_criterion_takes_the_freedom_that_is_left_and_costs_the_tasks_nothing() -> None:
    chain = poise.chain(6, length=0.2)
    start = np.array([0.9, -0.8, 0.7, -0.6, 0.5, -0.4])
    wishes = [Wish("tip", Position("tip", (0.8, 0, 0.4)), 1)]
    plain = run(pack(chain, chain.posture(start), wishes), start)
    drawn = run(pack(chain, chain.posture(start), wishes, [(Rest(), 1.0)]), start)
    assert plain.status == drawn.status == "solved"
    rest = chain.rest().q
    assert np.linalg.norm(drawn.q - rest) < 0.8 * np.linalg.norm(plain.q - rest)
    # Where P is 0 the criterion's gradient is a combination of the task's rows, nearly.
    J = Residual(pack(chain, chain.posture(start), wishes)).jacobian(drawn.q)
    away = drawn.q - rest
    left = away - np.linalg.pinv(J) @ (J @ away)
    assert np.linalg.norm(left) < 0.03 * np.linalg.norm(away)


def test_criteria_alone_are_obeyed() -> None:
    chain = poise.chain(4, length=0.2)
    start = np.array([0.5, -0.5, 0.4, 0.2])
    outcome = run(pack(chain, chain.posture(start), [], [(Rest(), 1.0)]), start)
    assert outcome.status == "solved"
    assert outcome.q == pytest.approx(chain.rest().q, abs=2e-3)


def test_nothing_wanted_is_nothing_done() -> None:
    chain = poise.chain(3)
    start = np.array([0.1, 0.2, 0.3])
    outcome = run(pack(chain, chain.posture(start), []), start)
    assert (outcome.status, outcome.iterations) == ("solved", 0)
    assert outcome.q.tolist() == start.tolist()


def test_with_everything_locked_the_start_is_stationary() -> None:
    chain = poise.chain(3)
    for name in chain.joints:
        chain.lock(name)
    start = np.array([0.1, 0.2, 0.3])
    outcome = run(
        pack(chain, chain.posture(start), [Wish("tip", Position("tip", (0, 0, 1)), 1)]), start
    )
    assert outcome.status == "stationary"
    assert outcome.q.tolist() == start.tolist()


def test_it_stops_for_the_count_and_for_the_clock(person: Figure) -> None:
    start = person.clamp(person.rest()).q
    goal = person.place(person.clamp(start + 0.2))
    sites = ("left_hand", "right_hand", "left_foot", "right_foot")
    problem = pack(person, person.posture(start), [Wish(s, Frame(s, goal[s]), 1) for s in sites])
    few = run(problem, start, limit=3)
    assert (few.status, few.iterations) == ("iterations", 3)
    assert few.optimality > 0.0
    short = nlp.solve(problem, start, tolerance=1e-9, max_iterations=10**6, max_seconds=1e-9)
    assert short.status == "time"
    assert short.iterations < run(problem, start).iterations
    assert person.within_limits(person.posture(short.q))


def test_a_target_that_is_moved_is_followed_with_the_same_memory() -> None:
    chain = poise.chain(5, length=0.2)
    q = np.full(5, 0.2)
    problem = pack(chain, chain.posture(q), [Wish("tip", Position("tip", (0.6, 0, 0.3)), 1)])
    for x in np.linspace(0.6, 0.3, 10):
        problem.aim(0, [(x, 0.0, 0.3)])
        outcome = run(problem, q)
        assert outcome.status == "solved"
        q = outcome.q
        assert chain.place(q)["tip"].position == pytest.approx([x, 0.0, 0.3], abs=1e-4)


def test_of_a_disjunction_the_nearest_member_is_met() -> None:
    chain = poise.chain(5, length=0.2)
    start = np.full(5, 0.2)
    there = chain.place(start)["tip"].position
    near, far = there + np.array([0.05, 0.0, 0.1]), there - np.array([0.4, 0.0, 0.1])
    either = Any([Position("tip", far), Position("tip", near)])
    outcome = run(pack(chain, chain.posture(start), [Wish("either", either, 1)]), start)
    assert outcome.status == "solved"
    assert chain.place(outcome.q)["tip"].position == pytest.approx(near, abs=1e-4)


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_outside_a_polyhedron_is_the_disjunction_of_its_faces(seed: int) -> None:
    # 1994, section 8: the outside is the disjunction of the outward half-spaces of the faces.
    rng = np.random.default_rng(seed)
    chain = poise.chain(4, length=0.25, joint="ball")
    start = chain.clamp(rng.uniform(-0.4, 0.4, chain.n)).q
    center = chain.place(start)["tip"].position + rng.uniform(-0.05, 0.05, 3)
    half = rng.uniform(0.1, 0.2, 3)
    faces = [
        HalfSpace("tip", center + sign * half[i] * np.eye(3)[i], normal=sign * np.eye(3)[i])
        for i in range(3)
        for sign in (1.0, -1.0)
    ]
    ends = []
    for task in (Any(faces), Outside("tip", Convex.box(center, 2 * half))):
        outcome = run(pack(chain, chain.posture(start), [Wish("out", task, 1)]), start)
        assert outcome.status == "solved"
        ends.append(outcome.q)
    away = np.abs(chain.place(ends[0])["tip"].position - center) - half
    assert away.max() > -1e-4
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_chains_of_joints_are_reconciled(person: Figure) -> None:
    # 1994, section 10: the spine is not of the right hand's chain, but of the left one's. It moves
    # the right hand too, and so joins its chain; otherwise that hand would be dragged along.
    scene = Scene(person)
    places = person.place(scene.posture)
    arms = {s: [f"{s}_shoulder_complex", f"{s}_elbow", f"{s}_wrist"] for s in ("left", "right")}
    left = places["left_hand"].position + np.array([0.45, 0.0, 0.1])
    scene.add(Position("left_hand", left), joints=["spine", *arms["left"]])
    scene.add(Position("right_hand", places["right_hand"].position), joints=arms["right"])
    solution = scene.solve(method="nlp")
    assert solution.met
    moved = solution.posture.q != scene.posture.q
    for name in ("spine", *arms["left"], *arms["right"]):
        assert moved[person.span(name)].any()
        moved[person.span(name)] = False
    assert not moved.any()


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_far_out_of_reach_a_solve_ends_when_nothing_is_left_to_gain(seed: int) -> None:
    figure, rng = person_of_71(), np.random.default_rng(seed)
    start = figure.clamp(figure.rest()).q
    places = figure.place(start)
    away = rng.normal(size=3)
    out = 2.0 * away / np.linalg.norm(away)
    problem = pack(
        figure,
        figure.posture(start),
        [
            *(Wish(s, Frame(s, places[s]), 1) for s in ("left_foot", "right_foot")),
            *(Wish(s, Position(s, places[s].position + out), 1) for s in ("left_hand", "eyes")),
        ],
    )
    outcome = run(problem, start, limit=2000)
    assert outcome.status == "stationary"
    assert outcome.optimality < 0.02
    # Starting there once more hardly helps.
    again = run(problem, outcome.q, limit=300)
    gained = np.linalg.norm(outcome.residual) - np.linalg.norm(again.residual)
    assert -1e-12 <= gained < 0.01 * np.linalg.norm(outcome.residual)


def test_an_update_that_is_not_there_is_refused() -> None:
    chain = poise.chain(3)
    problem = pack(chain, chain.rest(), [])
    words = "there is no update 'bfg'; did you mean 'bfgs'? There are: bfgs, dfp, switch"
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        run(problem, chain.rest().q, update="bfg")
