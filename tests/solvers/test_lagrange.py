"""Multipliers: one system for all figures, eliminated along what ties them together."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tasks.residual import Residual

import poise
from poise import PoiseError, Scene
from poise.models import chain, human
from poise.reproductions.lpik_2005.scenes import ring
from poise.scene.solving import prepare
from poise.solvers import solver
from poise.solvers.lagrange import shortest
from poise.solvers.linear import Linear, linear
from poise.solvers.multipliers import Multipliers
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Balance, CenterOfMass, Custom, Frame, HalfSpace, Loop, Position, Rest

ARM = chain(4, 0.3, "ball")
GRAPHS = {
    "alone": [],
    "chain": [(i, i + 1) for i in range(5)],
    "ring": [(i, (i + 1) % 6) for i in range(6)],
    "odd ring": [(i, (i + 1) % 5) for i in range(5)],
    "tree": [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5)],
    "star": [(0, i) for i in range(1, 6)],
    "everyone": list(itertools.combinations(range(6), 2)),
}
seeds = st.integers(0, 10_000)


def crowd(graph: str, seed: int = 0) -> tuple[Problem, np.ndarray]:
    """Six arms that hold each other by a graph, and a posture for each."""
    rng = np.random.default_rng(seed)
    scene = Scene({f"p{i}": ARM for i in range(6)})
    scene.postures = {f"p{i}": rng.uniform(-0.5, 0.5, ARM.n) for i in range(6)}
    for i in range(6):
        scene.add(Position(f"p{i}/link_2", rng.normal(0, 0.3, 3)), name=f"own {i}")
    for k, (i, j) in enumerate(GRAPHS[graph]):
        sites = (f"p{i}/tip", f"p{j}/tip") if k % 2 else (f"p{j}/link_3", f"p{i}/tip")
        scene.add(Loop(*sites), name=f"contact {k}")
    return scene._problem(), prepare(scene).start


def stepped(problem: Problem, q: np.ndarray, elimination: str, damping: float) -> np.ndarray:
    at = linear(problem)
    at.look(q)
    at.look_at_limits(q, 0.5)
    return shortest(at, Multipliers(at, elimination), q, damping)[0]


def run(problem: Problem, start: np.ndarray, limit: int = 200, **own: Any) -> Outcome:
    return solver("lagrange", **own)(
        problem, start, tolerance=1e-6, max_iterations=limit, max_seconds=None
    )


# the system --------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    graph=st.sampled_from(sorted(GRAPHS)), seed=seeds, damping=st.sampled_from([1e-6, 1e-3, 0.1])
)
def test_blocks_superlu_and_singular_values_give_the_same_step(
    graph: str, seed: int, damping: float
) -> None:
    problem, q = crowd(graph, seed)
    blocks = stepped(problem, q, "blocks", damping)
    longest = np.abs(blocks).max()
    assert longest > 1e-3
    close = 1e-9 * max(1.0, longest)  # little damping leaves steps of a hundred radians
    for other in ("superlu", "dense"):
        np.testing.assert_allclose(stepped(problem, q, other, damping), blocks, rtol=0, atol=close)


@settings(max_examples=20, deadline=None)
@given(graph=st.sampled_from(sorted(GRAPHS)), seed=seeds)
def test_the_step_is_the_weighted_pseudo_inverse(graph: str, seed: int) -> None:
    problem, q = crowd(graph, seed)
    residual = Residual(problem)
    e, J = residual(q), residual.jacobian(q)
    expected = -J.T @ np.linalg.solve(J @ J.T + 1e-4 * np.eye(e.size), e)  # eq. 3, damped
    np.testing.assert_allclose(stepped(problem, q, "blocks", 1e-4), expected, atol=1e-9)


def test_rows_in_few_columns_are_the_jacobian() -> None:
    for graph in GRAPHS:
        problem, q = crowd(graph, 3)
        at = Linear(problem)
        at.look(q)
        J = at.sparse(np.arange(at.rows), at.contacts.group_of_row).toarray()
        np.testing.assert_allclose(J, Residual(problem).jacobian(q), atol=1e-14)
        step = np.random.default_rng(0).normal(size=at.n)
        np.testing.assert_allclose(at.times(step), J @ step, atol=1e-12)
    assert crowd_width("ring") == crowd_width("tree") == 2 * ARM.n
    assert crowd_width("odd ring") == 3 * ARM.n
    assert crowd_width("alone") == ARM.n
    assert crowd_width("everyone") == 6 * ARM.n


def crowd_width(graph: str) -> int:
    return Linear(crowd(graph)[0]).contacts.width


def test_a_chain_and_a_tree_fill_nothing_in_and_a_ring_little() -> None:
    def blocks(graph: str) -> int:
        return Linear(crowd(graph)[0]).contacts.plan.link.size

    # A contact meets two figures' own rows, and the next contact of either.
    assert blocks("chain") == 2 * 5 + 4
    # Round a ring of six there are six next contacts, and three blocks fill in.
    assert blocks("ring") == 2 * 6 + 6 + 3


def test_masses_of_all_bring_all_together_and_masses_of_one_do_not() -> None:
    pair = Scene({"one": human(), "two": human()})
    pair.stand("two", (1.0, 0.0, 0.0))
    for name in pair.figures:
        pair.add(Frame(f"{name}/left_foot"))
        pair.add(Balance(figure=name), name=f"balance {name}")
    n = pair.figures["one"].n
    assert Linear(pair._problem()).contacts.width == n
    pair.add(CenterOfMass((0.4, 0.0, 0.9)))
    assert Linear(pair._problem()).contacts.width == 2 * n


def test_custom_tasks_see_all_coordinates() -> None:
    scene = Scene({"one": ARM, "two": ARM})
    scene.postures = {"one": np.full(ARM.n, 0.1), "two": np.full(ARM.n, 0.2)}
    gap = 0.8

    def apart(_: Any, places: Any) -> Any:
        difference = places["one/tip"].position - places["two/tip"].position
        return [difference[0] - gap, difference[1], difference[2]]

    scene.add(Custom(apart, rows=3, unit="m"))
    assert scene.solve("lagrange").met


# solving -----------------------------------------------------------------------------------


@pytest.mark.parametrize("graph", [graph for graph in GRAPHS if graph != "alone"])
def test_contacts_within_reach_are_met(graph: str) -> None:
    problem, start = crowd(graph, 1)
    contacts = [wish for wish in problem.wishes if isinstance(wish.task, Loop)]
    outcome = run(pack(problem.figure, problem.figure.posture(start), contacts), start)
    assert outcome.status == "solved"
    assert outcome.optimality == 0.0
    assert outcome.note == ""


def test_limits_are_added_where_a_step_would_break_them() -> None:
    figure = chain(3, 0.4, limit=0.3)
    goal = figure.place(figure.posture([0.3, 0.25, 0.1]))["tip"].position
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", goal, axes="z"), 1)])
    start = np.array([0.25, 0.05, 0.05])
    for method, own in (("lagrange", {}), ("pinv", {"limits": "added"})):
        outcome = solver(method, **own)(
            problem, start, tolerance=1e-8, max_iterations=50, max_seconds=None
        )
        assert outcome.status == "solved", method
        assert figure.within_limits(figure.posture(outcome.q))
    at = linear(problem)
    at.look(start)
    step, held = shortest(at, Multipliers(at, "blocks"), start, 1e-12)
    assert held == 1
    assert step[0] == pytest.approx(0.05, abs=1e-12)  # on its limit, just
    assert np.all(np.abs(start + step) <= 0.3 + 1e-9)


def test_one_sided_tasks_are_added_only_when_they_would_be_broken() -> None:
    figure = chain(4, 0.25)
    start = np.full(4, 0.2)
    tip = Wish("tip", Position("tip", (0.5, 0.0, -0.6), axes="z"), 1)
    height = figure.place(start)["link_2"].position[2]
    floor = Wish("floor", HalfSpace("link_2", (0.0, 0.0, height - 0.01), normal=(0, 0, 1)), 1)
    free = run(pack(figure, figure.rest(), [tip]), start)
    assert figure.place(free.q)["link_2"].position[2] < height - 0.02
    for method, own in (("lagrange", {}), ("pinv", {"limits": "added"})):
        outcome = solver(method, **own)(
            pack(figure, figure.rest(), [tip, floor]),
            start,
            tolerance=1e-6,
            max_iterations=50,
            max_seconds=None,
        )
        assert outcome.status == "solved"
        assert figure.place(outcome.q)["link_2"].position[2] >= height - 0.01 - 1e-6


@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_a_person_with_curved_limits_stays_within_them(seed: int) -> None:
    body = human()
    goal = np.random.default_rng(seed).uniform((-0.5, -1.5, 0.0), (1.5, 1.5, 2.5))
    wishes = [
        Wish("hand", Position("right_hand", goal), 1),
        Wish("foot", Frame("left_foot"), 1),
    ]
    problem = pack(body, body.rest(), wishes)
    outcome = run(problem, body.rest().q, 15)
    assert body.within_limits(body.posture(outcome.q))
    np.testing.assert_allclose(outcome.residual, Residual(problem)(outcome.q), atol=1e-12)
    assert np.linalg.norm(outcome.residual) <= np.linalg.norm(Residual(problem)(body.rest().q))


def test_contacts_that_contradict_each_other_end_in_a_compromise() -> None:
    scene = Scene({"one": ARM, "two": ARM})
    scene.postures = {"one": np.full(ARM.n, 0.1), "two": np.full(ARM.n, 0.2)}
    for sign in (-1, 1):
        scene.add(Position("one/tip", (0.9, 0.1 * sign, 0.2)), name=f"one {sign}")
    scene.add(Loop("one/tip", "two/tip"), name="contact")
    solution = scene.solve("lagrange")
    assert solution.status == "stationary"
    assert solution.optimality < 1e-3
    errors = {report.name: report.error for report in solution.tasks}
    assert errors["contact"] < 1e-4
    assert errors["one -1"] == pytest.approx(0.1, abs=1e-4)
    assert errors["one 1"] == pytest.approx(0.1, abs=1e-4)


def test_a_task_twice_is_as_good_as_once() -> None:
    scene = Scene({"one": ARM, "two": ARM})
    scene.postures = {"one": np.full(ARM.n, 0.1), "two": np.full(ARM.n, 0.2)}
    for k in range(2):
        scene.add(Loop("one/tip", "two/tip"), name=f"contact {k}")
    assert scene.solve("lagrange").status == "solved"
    assert scene.solve("lagrange", elimination="superlu").status == "solved"


def test_what_is_out_of_reach_comes_to_rest() -> None:
    problem = pack(ARM, ARM.rest(), [Wish("tip", Position("tip", (3.0, 1.0, 0.0)), 1)])
    outcome = run(problem, np.full(ARM.n, 0.3))
    assert outcome.status == "stationary"
    assert outcome.optimality < 0.02
    assert np.linalg.norm(outcome.residual) == pytest.approx(np.hypot(3, 1) - 1.2, abs=1e-3)


def test_a_ring_of_persons_holds_hands() -> None:
    scene = ring(5)
    solution = scene.solve("lagrange")
    assert solution.met
    for name, posture in solution.postures.items():
        assert scene.figures[name].within_limits(posture)


# what is refused ---------------------------------------------------------------------------


def test_what_an_option_cannot_be_is_said() -> None:
    problem = pack(ARM, ARM.rest(), [Wish("tip", Position("tip"), 1)])
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"elimination": "block"}, "there is no elimination 'block'; did you mean 'blocks'?"),
        ({"max_turn": 0.0}, "max_turn (rad) must be greater than 0, not 0"),
    )
    for own, message in cases:
        with pytest.raises(PoiseError, match=re.escape(message)):
            run(problem, ARM.rest().q, **own)
    problem = pack(ARM, ARM.rest(), [Wish("tip", Position("tip"), 1)], [(Rest(), 1.0)])
    refused: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("lagrange", {}, "lagrange takes no criteria; "),
        ("pinv", {"limits": "added"}, 'pinv with limits="added" takes no criteria; '),
    )
    for method, own, message in refused:
        with pytest.raises(PoiseError, match=re.escape(message)):
            solver(method, **own)(
                problem, ARM.rest().q, tolerance=1e-4, max_iterations=9, max_seconds=None
            )


def test_several_priorities_are_one_sum_and_the_outcome_says_so() -> None:
    wishes = [Wish("tip", Position("tip"), 1), Wish("middle", Position("link_2"), 2)]
    outcome = run(pack(ARM, ARM.rest(), wishes), np.full(ARM.n, 0.1))
    assert outcome.note.startswith("lagrange knows no priorities")


def test_time_that_runs_out_is_said_and_a_stone_stays() -> None:
    problem = pack(ARM, ARM.rest(), [Wish("tip", Position("tip", (3.0, 1.0, 0.0)), 1)])
    outcome = solver("lagrange")(
        problem, np.full(ARM.n, 0.3), tolerance=1e-4, max_iterations=999, max_seconds=0.0
    )
    assert outcome.status == "time"
    assert outcome.iterations == 1
    build = poise.figure.Builder("stone")
    build.segment("stone", mass=1.0)
    build.root("stone", "fixed")
    stone = build.build()
    problem = pack(stone, stone.rest(), [Wish("up", Position("stone", (0.0, 0.0, 1.0)), 1)])
    for method in ("lagrange", "lp"):
        outcome = solver(method)(
            problem, stone.rest().q, tolerance=1e-4, max_iterations=9, max_seconds=None
        )
        assert outcome.status == "stationary"
        np.testing.assert_allclose(outcome.residual, [0.0, 0.0, -1.0])


def test_locked_joints_stay() -> None:
    figure = chain(5, 0.2, "ball")
    figure.lock("joint_2")
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", (0.7, 0.2, 0.2)), 1)])
    start = np.full(figure.n, 0.1)
    locked = problem.metric == 0
    assert locked.any()
    for method in ("lagrange", "lp"):
        outcome = solver(method)(
            problem, start, tolerance=1e-4, max_iterations=50, max_seconds=None
        )
        assert outcome.status == "solved"
        np.testing.assert_array_equal(outcome.q[locked], start[locked])
