"""The projected gradient: its steps as the paper has them, and what it keeps."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.figure.test_clamping import leg
from tests.kernel.published.test_nlp import ARM, random_problem
from tests.kernel.residuals.test_evaluation import with_sites
from tests.kernel.residuals.test_gradients import gradient_of, potential_of
from tests.random_figures import differences, random_figure, random_q
from tests.tasks.residual import Residual

import poise
from poise import PoiseError, Scene, kernel
from poise.figure import Transform
from poise.figure.transform import rotation_matrix
from poise.kernel.residuals.blocks import KIND, ROWS
from poise.kernel.residuals.kinds import ORIENTATION_VECTORS
from poise.models.published import person_of_71
from poise.solvers import projected, solver
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import Aim, Frame, Loop, Orientation, Position, Rest

Values = NDArray[np.float64]
LEG = leg()


def run(problem: Problem, start: Values, *, limit: int = 2000, **options: Any) -> Outcome:
    return projected.solve(
        problem, start, tolerance=1e-4, max_iterations=limit, max_seconds=None, **options
    )


def test_a_chain_reaches_what_is_within_reach() -> None:
    chain = poise.chain(6, length=0.2)
    start = np.full(6, 0.1)
    problem = pack(chain, chain.posture(start), [Wish("tip", Position("tip", (0.6, 0, 0.5)), 1)])
    outcome = run(problem, start)
    assert outcome.status == "solved"
    assert chain.place(outcome.q)["tip"].position == pytest.approx([0.6, 0.0, 0.5], abs=1e-4)


def test_a_person_of_71_comes_within_a_centimetre_as_in_the_paper() -> None:
    figure, rng = person_of_71(), np.random.default_rng(1)
    start = figure.clamp(figure.rest()).q
    goal = start + np.where(figure.root_coordinates, 0.0, rng.uniform(-0.2, 0.2, figure.n))
    places = figure.place(figure.clamp(figure.posture(goal)))
    sites = ("left_hand", "right_hand", "left_foot", "right_foot", "head")
    problem = pack(
        figure, figure.posture(start), [Wish(s, Position(s, places[s].position), 1) for s in sites]
    )
    outcome = run(problem, start)
    assert problem.sizes(outcome.residual).max() < 0.01
    assert figure.within_limits(figure.posture(outcome.q))


@pytest.mark.parametrize("seed", range(4))
def test_the_first_steps_are_those_of_the_paper(seed: int) -> None:
    """Equations 34, 39 and 40 again, in numpy, with the step remembered."""
    problem, chain = _reach(seed)
    residual = Residual(problem)
    q, tau = chain.posture(np.full(4, 0.3)).q, 1.0
    expected, iterations = q.copy(), 0
    for _ in range(6):
        f, g = potential_of(residual, expected), gradient_of(residual, expected)
        trial, tries = expected, 0
        while tries < 30:
            tries += 1
            trial = np.clip(expected - tau * g, chain.lower, chain.upper)
            if potential_of(residual, trial) < f + 1e-4 * g @ (trial - expected):
                break
            tau *= 0.5
        tau *= 2.0 if tries == 1 else 1.0
        expected, iterations = trial, iterations + 1
    outcome = run(problem, q, limit=6)
    assert outcome.iterations == iterations
    assert outcome.q == pytest.approx(expected, abs=1e-12)


def _reach(seed: int) -> tuple[Problem, poise.Figure]:
    rng = np.random.default_rng(seed)
    chain = poise.chain(4, length=0.3, limit=0.8)
    target = (float(rng.uniform(0.4, 0.9)), 0.0, float(rng.uniform(0.2, 0.6)))
    wishes = [Wish("tip", Position("tip", target), 1, 3.0)]
    return pack(chain, chain.rest(), wishes), chain


@settings(max_examples=30)
@given(st.integers(0, 1000))
def test_no_iteration_raises_the_sum_nor_breaks_a_limit(seed: int) -> None:
    problem = random_problem(seed)
    packed = projected._packed(problem, "vectors")
    memory = kernel.published.projected.memory(packed, 0, problem.trace)
    options = kernel.published.projected.Settings()
    q, last, begin = ARM.rest().q.copy(), np.inf, kernel.ending.COLD
    for _ in range(30):
        status = kernel.published.projected.projected(packed, memory, options, q, 1e-4, 1, begin)
        begin = kernel.ending.CONTINUED
        assert memory.progress.value <= last
        last = memory.progress.value
        assert ARM.within_limits(ARM.posture(q))
        if status != kernel.ending.ITERATIONS:
            break


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_curved_limits_hold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start = LEG.clamp(rng.normal(size=LEG.n) * 0.3).q
    problem = pack(
        LEG,
        LEG.posture(start),
        [Wish("foot", Orientation("foot", rotation_matrix(rng.normal(size=3))), 1)],
    )
    outcome = run(problem, start, limit=200)
    residual = Residual(problem)
    assert np.isfinite(outcome.q).all()
    assert LEG.within_limits(LEG.posture(outcome.q))
    assert outcome.residual == pytest.approx(residual(outcome.q))


@given(st.integers(0, 1000))
def test_nine_vectors_want_what_the_tasks_want(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = with_sites(rng, random_figure(rng, 5))
    q = random_q(rng, figure)
    there = figure.place(q)["tip"]
    goal = Transform(rotation_matrix(1e-3 * rng.normal(size=3)) @ there.rotation, there.position)
    wishes = [
        Wish("frame", Frame("tip", goal, position_share=0.3), 1, 2.0),
        Wish("axis", Orientation("tip", goal, free="y"), 2),
        Wish("loop", Loop("tip", "other", match="both"), 2),
    ]
    problem = pack(figure, figure.posture(q), wishes)
    vectors = projected.by_vectors(problem.blocks)
    assert vectors.block[:, KIND].tolist().count(ORIENTATION_VECTORS) == 2
    assert vectors.block[-1, 3] == vectors.inequality.size == vectors.block[:, ROWS].sum()
    twin = pack(figure, figure.posture(q), wishes)
    twin.blocks = vectors
    rotation, found = Residual(problem), Residual(twin)
    # The same place is wanted: sizes of both are alike near the goal, by at most √2.
    whole, chords = rotation(q), found(q)
    assert np.linalg.norm(whole[3:6]) <= np.linalg.norm(chords[3:9]) * (1 + 1e-6)
    assert np.linalg.norm(chords[3:9]) <= np.sqrt(2) * np.linalg.norm(whole[3:6]) * (1 + 1e-6)
    assert np.linalg.norm(chords[9:15]) == pytest.approx(np.linalg.norm(whole[6:9]), rel=1e-6)
    expected = differences(lambda at: np.array(potential_of(found, at)), q)
    assert gradient_of(found, q) == pytest.approx(expected, abs=1e-8)


@given(st.floats(1e-6, 3.0), st.integers(0, 1000))
def test_by_vectors_no_orientation_is_met_that_the_task_would_not_call_met(
    angle: float, seed: int
) -> None:
    figure = poise.chain(2, length=0.3, joint="ball")
    axis = np.random.default_rng(seed).normal(size=3)
    goal = rotation_matrix(angle * axis / np.linalg.norm(axis))
    goal = goal @ figure.place(figure.rest())["tip"].rotation
    wishes = [
        Wish("tip", Orientation("tip", goal), 1, metres_per_radian=0.25),
        Wish("place", Position("tip"), 1, metres_per_radian=1e-3),
    ]
    problem = pack(figure, figure.rest(), wishes)
    twin = pack(figure, figure.rest(), wishes)
    twin.blocks = projected.by_vectors(problem.blocks)
    arc, chord = sizes_at_rest(problem)[0], sizes_at_rest(twin)[0]
    assert arc == pytest.approx(0.25 * angle, rel=1e-6)
    # An error of just more than the tolerance is more than the aim, too.
    assert chord > projected._chord(problem, 0.999 * arc)
    # And the aim is no smaller than it must be.
    assert projected._chord(problem, arc) == pytest.approx(0.5 * np.sin(0.5 * angle), rel=1e-6)


def sizes_at_rest(problem: Problem) -> Values:
    return problem.sizes(Residual(problem)(problem.figure.rest().q))


def test_orientations_are_met_in_either_form() -> None:
    figure = poise.chain(4, length=0.3, joint="ball")
    start = np.full(figure.n, 0.1)
    goal = figure.place(np.full(figure.n, 0.2))["tip"]
    problem = pack(figure, figure.posture(start), [Wish("tip", Frame("tip", goal), 1)])
    outcomes = [run(problem, start, form=form) for form in ("vectors", "rotation")]
    for outcome in outcomes:
        assert outcome.status == "solved"
        assert problem.met(problem.sizes(outcome.residual), 1e-4).all()
    assert outcomes[0].iterations != outcomes[1].iterations


def test_weights_are_the_same_in_function_and_gradient() -> None:
    rng = np.random.default_rng(5)
    figure = with_sites(rng, random_figure(rng, 5))
    q = random_q(rng, figure)
    wishes = [
        Wish("a", Position("tip", (0.3, 0.2, 0.1)), 1, 7.0),
        Wish("b", Aim("other", (2.0, 1.0, 0.0)), 1, 0.2),
    ]
    residual = Residual(pack(figure, figure.posture(q), wishes))
    expected = differences(lambda at: np.array(potential_of(residual, at)), q)
    assert gradient_of(residual, q) == pytest.approx(expected, abs=1e-8)
    a, b = (Residual(pack(figure, figure.posture(q), [Wish("", w.task, 1)])) for w in wishes)
    share = 0.2 / 7.0  # the greatest weight counts as 1
    whole = potential_of(a, q) + share * potential_of(b, q)
    assert potential_of(residual, q) == pytest.approx(whole)
    whole = gradient_of(a, q) + share * gradient_of(b, q)
    assert gradient_of(residual, q) == pytest.approx(whole)


def test_out_of_reach_the_arm_points_at_its_target() -> None:
    chain = poise.chain(2, length=0.5)
    start = np.array([0.3, 0.3])
    problem = pack(chain, chain.posture(start), [Wish("tip", Position("tip", (0, 0, 3.0)), 1)])
    outcome = run(problem, start)
    assert outcome.status == "stationary"
    assert chain.place(outcome.q)["tip"].position == pytest.approx([0, 0, 1.0], abs=1e-4)


def test_locked_joints_stay_exactly() -> None:
    chain = poise.chain(5, length=0.25)
    start = np.full(5, 0.1)
    chain.lock("joint_3")
    problem = pack(chain, chain.posture(start), [Wish("tip", Position("tip", (0.7, 0, 0.6)), 1)])
    outcome = run(problem, start)
    assert outcome.status == "solved"
    assert outcome.q[2] == start[2]


def test_several_priorities_are_one_weighted_sum_and_the_solution_says_so() -> None:
    scene = Scene(poise.chain(3, length=0.3))
    scene.add(Position("tip", (0.5, 0, 0.5)), priority=1, name="first")
    scene.add(Position("tip", (0.5, 0, -0.5)), priority=2, name="second")
    solution = scene.solve(method="projected", restarts=0)
    told = "projected knows no priorities: 1 and 2 were solved as one weighted sum"
    assert solution.notes == (told,)


def test_it_stops_for_the_count_and_for_the_clock() -> None:
    chain = poise.chain(8, length=0.2)
    start = np.full(8, 0.1)
    problem = pack(chain, chain.posture(start), [Wish("tip", Position("tip", (-0.5, 0, 0.5)), 1)])
    few = run(problem, start, limit=3)
    assert (few.status, few.iterations) == ("iterations", 3)
    short = projected.solve(problem, start, tolerance=1e-14, max_iterations=10**6, max_seconds=1e-9)
    assert short.status == "time"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": 0.0}, "alpha must be greater than 0, not 0"),
        ({"alpha": "much"}, "alpha must be a number, not 'much'"),
        ({"beta": 1.0}, "beta must be less than 1, not 1"),
        ({"beta": 1e-5}, "beta must be at least 0.0001, not 1e-05"),
        ({"step": -1.0}, "the first step must be greater than 0, not -1"),
        ({"form": "vector"}, "there is no form 'vector'; did you mean 'vectors'? "
         "There are: vectors, rotation"),
    ],
)  # fmt: skip
def test_bad_options_are_refused(options: dict[str, Any], words: str) -> None:
    chain = poise.chain(3)
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        run(pack(chain, chain.rest(), []), chain.rest().q, **options)


def test_criteria_are_refused_by_name() -> None:
    chain = poise.chain(3)
    words = "projected takes no criteria; lex, priority, nlp and pinv take them"
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        solver("projected").check(pack(chain, chain.rest(), [], [(Rest(), 1.0)]))
