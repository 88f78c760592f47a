"""Linear programming: eq. 7 and 8 of Ho, Komura & Lau 2005, and rows that give way."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from tests.tasks.residual import Residual

from poise import PoiseError, Scene
from poise.models import chain, human
from poise.scene.solving import prepare
from poise.solvers import solver
from poise.solvers.linear import linear
from poise.solvers.linear_program import Program, Step
from poise.solvers.lp import costs_of
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Frame, HalfSpace, Loop, Position, Rest

ARM = chain(4, 0.3, "ball", limit=1.0)
seeds = st.integers(0, 10_000)


def trio(seed: int) -> tuple[Problem, np.ndarray]:
    """Three arms that touch, near goals of their own, above a floor."""
    rng = np.random.default_rng(seed)
    scene = Scene({f"p{i}": ARM for i in range(3)})
    start = {f"p{i}": ARM.clamp(rng.uniform(-0.6, 0.6, ARM.n)).q for i in range(3)}
    scene.postures = start
    for name in start:
        scene.add(Position(f"{name}/link_2", axes="yz"), name=f"own {name}")
        at = scene.places[f"{name}/link_3"].position + rng.normal(0, 0.01, 3)
        scene.add(HalfSpace(f"{name}/link_3", at, normal=(0, 0, 1)), name=f"floor {name}")
    for i, j in ((0, 1), (1, 2)):
        scene.add(Loop(f"p{i}/tip", f"p{j}/tip"), name=f"contact {i}", weight=0.5, priority=2)
    problem = scene._problem()
    return problem, prepare(scene).start


def stepped(
    problem: Problem,
    q: np.ndarray,
    gone: np.ndarray,
    previous: np.ndarray | None,
    form: str,
    reach: float = 0.5,
    **own: Any,
) -> Step:
    given: dict[str, Any] = {"a": None, "b": None, "alpha": 0.7, "penalty": 1e3, **own}
    costs = costs_of(problem, **given)
    at = linear(problem)
    at.look(q)
    at.look_at_limits(q, reach)
    return Program(at).step(q, gone, previous, costs, reach, form)


def run(problem: Problem, start: np.ndarray, limit: int = 200, **own: Any) -> Outcome:
    return solver("lp", **own)(
        problem, start, tolerance=1e-5, max_iterations=limit, max_seconds=None
    )


# the program -------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(seed=seeds, smooth=st.booleans(), reach=st.sampled_from([0.01, 0.1, 0.5]))
def test_segments_have_the_optimum_of_the_printed_form(
    seed: int, smooth: bool, reach: float
) -> None:
    problem, q = trio(seed)
    rng = np.random.default_rng(seed)
    gone = rng.normal(0, 0.05, q.size)
    previous = rng.normal(0, 0.05, q.size) if smooth else None
    weights = {"a": rng.uniform(0.1, 2.0, q.size), "b": rng.uniform(0.0, 2.0, q.size)}
    penalty = costs_of(problem, None, None, 1.0, 1e3).penalty
    totals: list[float] = []
    for form in ("segments", "literal"):
        step = stepped(problem, q, gone, previous, form, reach, **weights)
        totals.append(step.objective + float(penalty @ step.unmet))
        assert np.abs(step.move).max() <= reach + 1e-12
    assert totals[0] == pytest.approx(totals[1], rel=1e-9, abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_equation_7_is_the_optimum_that_scipy_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = chain(5, 0.2, "ball")
    q = rng.uniform(-0.5, 0.5, figure.n)
    goal = figure.place(q)["tip"].position + rng.normal(0, 0.02, 3)
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", goal), 1)])
    residual = Residual(problem)
    e, J = residual(q), residual.jacobian(q)
    step = stepped(problem, q, np.zeros(q.size), None, "segments")
    both = linprog(np.ones(2 * q.size), A_eq=np.hstack([J, -J]), b_eq=-e)
    assert step.objective == pytest.approx(both.fun, abs=1e-9)
    np.testing.assert_allclose(J @ step.move, -e, atol=1e-9)
    assert np.count_nonzero(np.abs(step.move) > 1e-12) <= 3  # a vertex: few coordinates move
    shortest = -np.linalg.pinv(J) @ e
    assert step.objective <= np.abs(shortest).sum() + 1e-12


def test_equation_8_keeps_to_the_step_before() -> None:
    figure = chain(5, 0.2, "ball")
    q = np.full(figure.n, 0.2)
    previous = np.full(q.size, 0.01)
    goal = figure.place(q + 1.1 * previous)["tip"].position
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", goal), 1)])
    apart = {
        alpha: np.abs(
            stepped(problem, q, np.zeros(q.size), previous, "segments", alpha=alpha).move - previous
        )
        for alpha in (0.0, 10.0)
    }
    assert apart[10.0].sum() < 0.2 * apart[0.0].sum()
    assert np.count_nonzero(apart[10.0] > 1e-9) <= 3  # all others move just as before


def test_what_is_stiff_moves_last() -> None:
    figure = chain(5, 0.2, "ball")
    q = np.full(figure.n, 0.2)
    goal = figure.place(q)["tip"].position + [0.0, 0.02, 0.01]
    wishes = [Wish("tip", Position("tip", goal), 1)]
    problem = pack(figure, figure.rest(), wishes)
    zero = np.zeros(q.size)
    free = stepped(problem, q, zero, None, "segments").move
    moved = np.abs(free) > 1e-9
    dear = stepped(problem, q, zero, None, "segments", a=np.where(moved, 100.0, 1.0)).move
    assert not np.any(moved & (np.abs(dear) > 1e-9))
    figure.stiffness["joint_1"] = 0.99
    figure.stiffness["joint_2"] = 0.99
    stiff = stepped(pack(figure, figure.rest(), wishes), q, zero, None, "segments").move
    assert np.all(stiff[:6] == 0)


def test_a_basis_that_is_kept_saves_iterations() -> None:
    problem, q = trio(2)
    at, costs = linear(problem), costs_of(problem, None, None, 1.0, 1e3)
    at.look(q)
    at.look_at_limits(q, 0.5)
    program = Program(at)
    zero = np.zeros(q.size)
    first = program.step(q, zero, None, costs, 0.5)
    again = program.step(q, zero, None, costs, 0.5)
    assert first.simplex_iterations > 3
    assert again.simplex_iterations == 0
    assert again.objective == pytest.approx(first.objective, abs=1e-9)
    program.forget()
    assert program.step(q, zero, None, costs, 0.5).simplex_iterations > 3


def test_the_basis_is_kept_from_frame_to_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    step = Program.step

    def counted(program: Program, *given: Any) -> Step:
        found = step(program, *given)
        taken.append(found.simplex_iterations)
        return found

    def iterations(count: Callable[..., Step]) -> int:
        monkeypatch.setattr(Program, "step", count)
        taken.clear()
        scene = Scene({f"p{i}": ARM for i in range(3)})
        scene.postures = {
            name: np.full(ARM.n, 0.1 + 0.1 * i) for i, name in enumerate(scene.figures)
        }
        for i in range(2):
            scene.add(Loop(f"p{i}/tip", f"p{i + 1}/tip"), name=f"contact {i}")
        scene.postures = scene.solve().postures
        sway = 0.05 * np.sin(np.linspace(0, np.pi, 12))[:, None] * [0.0, 1.0, 0.0]
        path = scene.places["p0/link_3"].position + sway
        assert scene.animate({"p0/link_3": path}, "lp").solutions.met.all()
        return sum(taken[1:])

    def forgetful(program: Program, *given: Any) -> Step:
        program.forget()
        return counted(program, *given)

    assert iterations(counted) < 0.5 * iterations(forgetful)


# solving -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["segments", "literal"])
def test_goals_within_reach_are_met(form: str) -> None:
    figure = chain(6, 0.2, "ball", limit=1.0)
    rng = np.random.default_rng(3)
    for _ in range(4):
        goal = figure.place(figure.clamp(rng.uniform(-0.6, 0.6, figure.n)))["tip"].position
        problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", goal), 1)])
        outcome = run(problem, figure.clamp(rng.uniform(-0.3, 0.3, figure.n)).q, form=form)
        assert outcome.status == "solved"
        assert outcome.optimality == 0.0
        assert outcome.note == ""
        assert figure.within_limits(figure.posture(outcome.q))


@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_a_person_with_curved_limits_stays_within_them(seed: int) -> None:
    body = human()
    goal = np.random.default_rng(seed).uniform((-0.5, -1.5, 0.0), (1.5, 1.5, 2.5))
    wishes = [Wish("foot", Frame("left_foot"), 1), Wish("hand", Position("right_hand", goal), 2)]
    problem = pack(body, body.rest(), wishes)
    outcome = run(problem, body.rest().q, 10)
    assert body.within_limits(body.posture(outcome.q))
    np.testing.assert_allclose(outcome.residual, Residual(problem)(outcome.q), atol=1e-12)


def test_contacts_that_cannot_all_be_met_give_way_by_priority_and_are_named() -> None:
    scene = Scene({"one": ARM, "two": ARM})
    scene.postures = {"one": np.full(ARM.n, 0.1), "two": np.full(ARM.n, 0.2)}
    scene.add(Loop("one/tip", "two/tip"), priority=1, name="contact")
    scene.add(Position("one/tip", (0.9, 0.3, 0.2)), priority=2, name="here")
    scene.add(Position("two/tip", (0.9, -0.3, 0.2)), priority=3, name="there")
    solution = scene.solve("lp", restarts=0)
    assert solution.status == "stationary"
    errors = {report.name: report.error for report in solution.tasks}
    assert errors["contact"] < 1e-4
    assert errors["here"] < 1e-4
    assert errors["there"] == pytest.approx(0.6, abs=1e-3)
    (note,) = solution.notes
    assert note.startswith("lp knows priorities by what they cost only")
    assert note.endswith("no step meets all tasks at once: 'there' gave way")


def test_contacts_of_one_priority_that_contradict_each_other_are_named() -> None:
    scene = Scene({"one": ARM, "two": ARM})
    scene.postures = {"one": np.full(ARM.n, 0.1), "two": np.full(ARM.n, 0.2)}
    scene.add(Position("one/tip", (0.9, 0.1, 0.2)), name="here", weight=4.0)
    scene.add(Position("one/tip", (0.9, -0.1, 0.2)), name="there")
    solution = scene.solve("lp", restarts=0)
    errors = {report.name: report.error for report in solution.tasks}
    assert errors["here"] < 1e-4  # the greater weight: a sum of absolute values takes sides
    assert errors["there"] == pytest.approx(0.2, abs=1e-3)
    assert solution.notes == ("no step meets all tasks at once: 'there' gave way",)


def test_what_is_out_of_reach_comes_to_rest() -> None:
    problem = pack(ARM, ARM.rest(), [Wish("tip", Position("tip", (3.0, 0.0, 0.0)), 1)])
    outcome = run(problem, ARM.clamp(np.full(ARM.n, 0.3)).q)
    assert outcome.status == "stationary"
    assert np.linalg.norm(outcome.residual) == pytest.approx(1.8, abs=1e-3)
    assert outcome.note == "no step meets all tasks at once: 'tip' gave way"


def test_time_and_iterations_that_run_out_are_said() -> None:
    problem = pack(ARM, ARM.rest(), [Wish("tip", Position("tip", (3.0, 0.0, 0.0)), 1)])
    start = ARM.clamp(np.full(ARM.n, 0.3)).q
    late = solver("lp")(problem, start, tolerance=1e-4, max_iterations=999, max_seconds=0.0)
    assert (late.status, late.iterations) == ("time", 1)
    assert run(problem, start, 2, max_turn=0.05).status == "iterations"


# what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"form": "literally"}, "there is no form 'literally'; did you mean 'literal'?"),
        ({"a": -1.0}, "a must be finite and not negative, not -1.0"),
        ({"b": [1.0, 2.0]}, "b must be a number or 12 of them, not [1.0, 2.0]"),
        ({"a": "much"}, "a must be a number or 12 of them, not 'much'"),
        ({"alpha": -0.1}, "alpha must be at least 0, not -0.1"),
        ({"penalty": 0.0}, "the penalty (1/m) must be greater than 0, not 0"),
        ({"max_turn": 0.0}, "max_turn (rad) must be greater than 0, not 0"),
    ],
)
def test_what_an_option_cannot_be_is_said(own: dict[str, Any], message: str) -> None:
    problem = pack(ARM, ARM.rest(), [Wish("tip", Position("tip"), 1)])
    with pytest.raises(PoiseError, match=re.escape(message)):
        run(problem, ARM.rest().q, **own)


def test_criteria_are_refused() -> None:
    problem = pack(ARM, ARM.rest(), [Wish("tip", Position("tip"), 1)], [(Rest(), 1.0)])
    with pytest.raises(PoiseError, match="lp takes no criteria"):
        run(problem, ARM.rest().q)
