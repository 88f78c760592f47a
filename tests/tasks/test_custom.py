"""Tasks written in Python: what they are told, what they give, and how they fail."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from numpy.typing import ArrayLike
from tests.random_figures import grouped, random_figure, random_q
from tests.tasks.residual import Residual, residual_of

import poise
from poise import PoiseError, Scene
from poise.figure import Placements, Posture
from poise.models import chain
from poise.solvers.problem import Wish, pack
from poise.tasks import Any, Custom, Frame, Position, Task


def tip(posture: Posture, places: Placements) -> ArrayLike:
    return places["tip"].position - [0.4, 0.1, 0.2]


def tip_rates(posture: Posture, places: Placements) -> ArrayLike:
    return posture.figure.jacobian(posture, "tip")[:3]


@pytest.mark.parametrize("jacobian", [None, tip_rates])
def test_a_position_of_ones_own_is_like_the_ready_one(jacobian: object) -> None:
    figure = chain(4, length=0.2, joint="ball")
    own = residual_of(figure, Custom(tip, 3, jacobian=jacobian))  # type: ignore[arg-type]
    ready = residual_of(figure, Position("tip", (0.4, 0.1, 0.2)))
    q = random_q(np.random.default_rng(0), figure)
    assert own(q) == pytest.approx(ready(q), abs=1e-14)
    assert own.jacobian(q) == pytest.approx(ready.jacobian(q), abs=1e-9)


@pytest.mark.parametrize("degree", [1, 3])
def test_it_is_told_the_posture_also_where_groups_drive_joints(degree: int) -> None:
    rng = np.random.default_rng(degree)
    figure = grouped(rng, random_figure(rng, 7), degree=degree)
    told: list[Posture] = []

    def listen(posture: Posture, places: Placements) -> ArrayLike:
        told.append(posture)
        expected = figure.place(posture)
        for name in figure.segments:
            assert places[name].position == pytest.approx(expected[name].position, abs=1e-12)
        return [0.0]

    residual = residual_of(figure, Custom(listen, 1))
    q = np.zeros(figure.n)
    for _ in range(4):
        q += 0.1 * random_q(rng, figure)
        residual(q)
        assert told[-1].q.tolist() == q.tolist()
        assert told[-1].figure is figure


@pytest.mark.parametrize(("unit", "expected"), [("m", 0.3), ("rad", 0.3)])
def test_its_error_is_read_in_its_unit(unit: str, expected: float) -> None:
    figure = chain(2, length=0.2)

    def constant(posture: Posture, places: Placements) -> ArrayLike:
        return [expected]

    task = Custom(constant, 1, unit=unit)  # type: ignore[arg-type]
    problem = pack(figure, figure.rest(), [Wish("it", task, 1, metres_per_radian=0.2)])
    rows = Residual(problem)(figure.rest().q)
    assert rows == pytest.approx([0.3 if unit == "m" else 0.06])
    (error,) = problem.errors(rows)[0]
    assert (error.unit, error.value) == (unit, pytest.approx(expected))


def reach(*tasks: Task) -> poise.Scene:
    scene = poise.Scene(chain(4, length=0.2, joint="ball"))
    for priority, task in enumerate(tasks, 1):
        scene.add(task, priority=priority)
    return scene


def test_it_is_solved_beside_others() -> None:
    def level(posture: Posture, places: Placements) -> ArrayLike:
        return [places["tip"].position[2] - 0.15]

    solution = reach(Custom(level, 1), Position("tip", (0.5, 0.2, 9.0), axes="xy")).solve()
    assert solution.met
    where = solution.posture.figure.place(solution.posture)["tip"].position
    assert where == pytest.approx([0.5, 0.2, 0.15], abs=2e-4)


def test_an_inequality_of_ones_own_counts_only_while_it_is_violated() -> None:
    def floor(posture: Posture, places: Placements) -> ArrayLike:
        return [places["tip"].position[2] - 0.1]

    task = Custom(floor, 1, inequality=True)
    low = reach(task, Position("tip", (0.5, 0.2, -0.2))).solve()
    high = reach(task, Position("tip", (0.5, 0.2, 0.3))).solve()
    figure = low.posture.figure
    assert figure.place(low.posture)["tip"].position[2] == pytest.approx(0.1, abs=1e-3)
    assert [report.met for report in low.tasks] == [True, False]
    assert high.met


def test_it_can_be_one_of_several() -> None:
    solution = reach(Any([Position("tip", (9, 9, 9)), Custom(tip, 3)])).solve()
    assert solution.met


class WrongError(Exception):
    """What a user's function raises in these tests."""


def failing(after: int) -> Custom:
    calls = 0

    def fail(posture: Posture, places: Placements) -> ArrayLike:
        nonlocal calls
        calls += 1
        if calls > after:
            raise WrongError("no more")
        return places["tip"].position - [9.0, 9.0, 9.0]

    return Custom(fail, 3)


def test_what_it_raises_ends_the_solve_and_is_the_cause() -> None:
    scene = reach(failing(60))
    words = r"^the custom task 'fail' failed: WrongError: no more$"
    with pytest.raises(PoiseError, match=words) as caught:
        scene.solve()
    assert isinstance(caught.value.__cause__, WrongError)


def test_a_wrong_shape_in_the_middle_of_a_solve_is_said_so() -> None:
    calls = 0

    def fickle(posture: Posture, places: Placements) -> ArrayLike:
        nonlocal calls
        calls += 1
        return np.full(3 if calls < 40 else 2, 1.0)

    words = r"^what the custom task 'fickle' gives must be 3 numbers, not 2$"
    with pytest.raises(PoiseError, match=words):
        reach(Custom(fickle, 3)).solve()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused(bad: float) -> None:
    calls = 0

    def odd(posture: Posture, places: Placements) -> ArrayLike:
        nonlocal calls
        calls += 1
        return [1.0 if calls < 40 else bad]

    words = rf"^what the custom task 'odd' gives must be finite, not \[{bad}\]$"
    with pytest.raises(PoiseError, match=words):
        reach(Custom(odd, 1)).solve()


def test_numbers_whose_squares_are_none_are_refused() -> None:
    def huge(posture: Posture, places: Placements) -> list[float]:
        return [1e200 * posture.q[0]]

    scene = Scene(poise.chain(2))
    scene.posture = [0.5, 0.5]
    with pytest.raises(PoiseError) as caught:
        scene.add(Custom(huge, 1))
    assert str(caught.value) == (
        "what the custom task 'huge' gives must lie within ±1e+12, not 5e+199"
    )


def test_a_persons_grouped_joints_are_told_as_their_parameters() -> None:
    asked: list[np.ndarray] = []

    def spine(posture: Posture, places: Placements) -> ArrayLike:
        asked.append(posture.q.copy())
        where = posture.figure.place(posture)["right_hand"].position
        assert where == pytest.approx(places["right_hand"].position, abs=1e-12)
        return np.atleast_1d(posture["spine.flexion"]) - 0.4

    scene = Scene(poise.human())
    for side in ("left", "right"):
        scene.add(Frame(f"{side}_foot"), priority=1)
    scene.add(Custom(spine, 1, unit="rad"), priority=2)
    solution = scene.solve()
    assert solution.met
    assert solution.posture["spine.flexion"] == pytest.approx(0.4, abs=1e-3)
    assert any(np.array_equal(each, solution.posture.q) for each in asked)


def test_after_a_failure_the_scene_solves_again() -> None:
    trouble = True

    def moody(posture: Posture, places: Placements) -> ArrayLike:
        if trouble:
            raise WrongError
        return tip(posture, places)

    trouble = False
    scene = reach(Custom(moody, 3))
    trouble = True
    with pytest.raises(PoiseError, match="moody"):
        scene.solve()
    trouble = False
    assert scene.solve().met


def test_many_solves_share_it_on_several_threads() -> None:
    seen: set[int] = set()

    def level(posture: Posture, places: Placements) -> ArrayLike:
        seen.add(threading.get_ident())
        return [places["tip"].position[2] - 0.15]

    scene = reach(Custom(level, 1))
    scene.add(Position("tip", (0.5, 0.2, 0.0), axes="xy"), priority=2, name="reach")
    points = np.column_stack([np.linspace(0.3, 0.6, 8), np.full(8, 0.1), np.zeros(8)])
    solutions = scene.solve_many({"reach": points}, threads=3)
    assert solutions.met.all()
    one = scene.solve_many({"reach": points}, threads=1)
    assert solutions.q == pytest.approx(one.q, abs=1e-12)


def test_a_failure_on_one_of_several_threads_is_raised() -> None:
    scene = reach(failing(400))
    scene.add(Position("tip", (0.5, 0.2, 0.0)), priority=2, name="reach")
    with pytest.raises(PoiseError, match="no more") as caught:
        scene.solve_many({"reach": np.full((8, 3), 0.3)}, threads=3)
    assert isinstance(caught.value.__cause__, WrongError)


def test_an_interrupt_inside_it_stays_one() -> None:
    calls = 0

    def interrupted(posture: Posture, places: Placements) -> ArrayLike:
        nonlocal calls
        calls += 1
        if calls > 40:
            raise KeyboardInterrupt
        return places["tip"].position - [9.0, 9.0, 9.0]

    scene = reach(Custom(interrupted, 3))
    with pytest.raises(KeyboardInterrupt):
        scene.solve()
    assert calls == 41
