"""Scenes solved: what comes back, and that it is true."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import RLock
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene
from poise.figure import Figure, Transform
from poise.models.published import person_of_71
from poise.scene import Solution
from poise.scene.solving import Prepared, prepare
from poise.solvers import solver
from poise.solvers.outcome import Outcome
from poise.studio.dragging.following import Following
from poise.studio.settling import settled
from poise.tasks import Aim, Balance, Frame, HalfSpace, Loop, Position, Rest


def standing(figure: Figure) -> Scene:
    scene = Scene(figure)
    scene.add(Frame("left_foot"), priority=1)
    scene.add(Frame("right_foot"), priority=1)
    scene.add(Balance(), priority=2)
    return scene


def test_a_chain_reaches_what_is_within_reach(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.add(Position("tip", (0.5, 0.0, 0.4)))
    solution = scene.solve()
    assert solution.status == "solved"
    assert solution.met
    assert arm.place(solution.posture)["tip"].position == pytest.approx([0.5, 0.0, 0.4], abs=1e-4)
    assert scene.posture.q.tolist() == [0.2, -0.3, 0.4, 0.3]


def test_a_scene_that_wants_nothing_stays_where_it_is(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    solution = scene.solve()
    assert solution.met
    assert solution.tasks == ()
    assert solution.posture.q.tolist() == [0.2, -0.3, 0.4, 0.3]


@pytest.mark.parametrize("make", [poise.human, person_of_71])
def test_a_person_reaches_and_keeps_the_feet_where_they_are(make: Callable[[], Figure]) -> None:
    figure = make()
    scene = standing(figure)
    scene.posture = figure.clamp(scene.posture)
    start = figure.place(scene.posture)
    hand = start["right_hand"].position + np.array([0.25, 0.0, 0.3])
    scene.add(Position("right_hand", hand), priority=3, name="reach")
    solution = scene.solve()
    where = figure.place(solution.posture)
    assert solution.met
    assert figure.within_limits(solution.posture)
    assert where["right_hand"].position == pytest.approx(hand, abs=1e-4)
    for foot in ("left_foot", "right_foot"):
        assert where[foot].position == pytest.approx(start[foot].position, abs=1e-4)
        assert where[foot].rotation == pytest.approx(start[foot].rotation, abs=1e-3)


def test_reports_say_how_far_off_the_posture_is(person: Figure) -> None:
    scene = standing(person)
    start = person.place(scene.posture)
    scene.add(Position("left_hand", (3.0, 0.5, 1.0)), priority=4, name="beyond")
    solution = scene.solve(max_iterations=20)
    where = person.place(solution.posture)
    reports = {report.name: report for report in solution.tasks}
    assert list(reports) == ["left_foot", "right_foot", "balance", "beyond"]
    assert [report.priority for report in solution.tasks] == [1, 1, 2, 4]
    away = float(np.linalg.norm(where["left_hand"].position - [3.0, 0.5, 1.0]))
    assert (reports["beyond"].error, reports["beyond"].unit) == (pytest.approx(away), "m")
    assert not reports["beyond"].met
    assert not solution.met
    for foot in ("left_foot", "right_foot"):
        gap = float(np.linalg.norm(where[foot].position - start[foot].position))
        assert reports[foot].errors[0].value == pytest.approx(gap, abs=1e-9)
        assert [error.unit for error in reports[foot].errors] == ["m", "rad"]


def test_only_recruited_joints_move_and_locked_ones_stay(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    arm.lock("joint_3")
    scene.add(Position("tip", (0.6, 0.0, 0.3)), joints=["joint_1", "joint_3", "joint_4"])
    scene.add(Rest())
    moved = scene.solve().posture.q != scene.posture.q
    assert moved.tolist() == [True, False, False, True]


def test_a_task_that_has_been_moved_is_solved_at_its_new_place(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    reach = scene.add(Position("tip", (0.5, 0.0, 0.4)))
    for target in ([0.5, 0.0, 0.4], [0.55, 0.0, 0.35], [0.6, 0.0, 0.3]):
        reach.target = target
        solution = scene.solve()
        assert solution.met
        scene.posture = solution.posture
        assert arm.place(scene.posture)["tip"].position == pytest.approx(target, abs=1e-4)


def test_an_inequality_that_holds_asks_for_nothing_and_one_that_does_not_is_mended(
    arm: Figure,
) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    height = float(arm.place(scene.posture)["tip"].position[2])
    side = scene.add(HalfSpace("tip", (0, 0, height - 0.1)))
    assert scene.solve().posture.q.tolist() == scene.posture.q.tolist()
    side.target = (0, 0, height + 0.1)
    tip = arm.place(scene.solve().posture)["tip"]
    assert tip.position[2] > height + 0.1 - 1e-4


def test_two_people_shake_hands(person: Figure) -> None:
    pair = Scene({"anna": poise.human(sex="female"), "ben": person})
    pair.stand("ben", position=(0.8, 0.0, 0.0), heading=np.pi)
    for name in ("anna", "ben"):
        for foot in ("left_foot", "right_foot"):
            pair.add(Frame(f"{name}/{foot}"))
    pair.add(Loop("anna/right_hand", "ben/right_hand"), priority=2)
    solution = pair.solve()
    hands = [
        pair.figures[name].place(posture)["right_hand"].position
        for name, posture in solution.postures.items()
    ]
    assert solution.met
    assert hands[0] == pytest.approx(hands[1], abs=1e-4)
    for name, posture in solution.postures.items():
        assert pair.figures[name].within_limits(posture)
    with pytest.raises(PoiseError, match="there are several figures, anna, ben"):
        assert solution.posture
    pair.postures = solution.postures
    assert pair.solve().iterations == 0


# reports -----------------------------------------------------------------------------------


def made(scene: Scene, q: list[float], *, iterations: int = 7) -> Solution:
    """A solution as a solver would give it that stopped at q."""
    from tests.tasks.residual import Residual

    problem = scene._problem()
    residual = Residual(problem)(np.array(q))
    outcome = Outcome(np.array(q), "stationary", iterations, 0.00123, residual, 0.0, method="lex")
    return Solution(scene._ensemble, problem, outcome, 1e-4)


def test_a_solution_is_printed_as_a_table(arm: Figure) -> None:
    scene = Scene(arm)
    target = Transform.make((1.0, 0.0, 0.0321), (0.0, 0.0, np.deg2rad(2.5)))
    scene.add(Frame("tip", target), priority=12)
    scene.add(Position("link_4", axes="y"), priority=2, name="side")
    solution = made(scene, [0.0] * 4)
    assert str(solution).splitlines() == [
        "stationary after 7 iterations in 1.23 ms",
        "priority  task          error",
        "       2  side           0 mm  met",
        "      12  tip   32.1 mm, 2.5°  not met",
        "tip: the solver stopped on its way",
    ]
    assert str(solution.tasks[1]) == (
        "tip (priority 12): 32.1 mm, 2.5°, not met (the solver stopped on its way)"
    )
    assert repr(solution) == "<Solution: stationary after 7 iterations>"


def test_a_report_says_when_a_support_is_too_small(person: Figure) -> None:
    scene = standing(person)
    scene.handles["balance"].remove()
    scene.add(Balance(margin=0.5), priority=2)
    solution = made(scene, person.rest().q.tolist())
    assert "the support is too small for a margin of 500 mm" in solution.tasks[2].note
    assert "balance: the support is too small" in str(solution)


def test_an_aim_is_reported_as_an_angle(arm: Figure) -> None:
    scene = Scene(arm)
    scene.add(Aim("tip", (1.0, 2.0, 0.0)))
    report = made(scene, [0.0] * 4).tasks[0]
    assert (report.error, report.unit) == (pytest.approx(np.pi / 2), "rad")


# many --------------------------------------------------------------------------------------


def test_many_targets_give_what_each_gives_alone_on_any_number_of_threads(person: Figure) -> None:
    scene = standing(person)
    scene.posture = person.clamp(scene.posture)
    hand = person.place(scene.posture)["right_hand"].position
    reach = scene.add(Position("right_hand"), priority=3, name="reach")
    look = scene.add(Aim("eyes"), priority=4, name="look")
    points = hand + np.random.default_rng(0).uniform(-0.2, 0.3, (12, 3))
    results = scene.solve_many({"reach": points, "look": points})
    again = scene.solve_many({"reach": points, "look": points}, threads=1)
    assert results.q.tolist() == again.q.tolist()
    assert results.names == ("left_foot", "right_foot", "balance", "reach", "look")
    assert results.units == ("m", "m", "m", "m", "rad")
    assert results.errors.shape == results.met_tasks.shape == (12, 5)
    for i, point in enumerate(points):
        reach.target = look.target = point
        alone = scene.solve()
        assert results[i].posture.q.tolist() == alone.posture.q.tolist()
        assert results.status[i] == alone.status
        assert results.iterations[i] == alone.iterations
        assert results.met[i] == alone.met
        errors = [report.error for report in alone.tasks]
        assert results.errors[i] == pytest.approx(errors, abs=1e-12)
        assert [str(r) for r in results[i].tasks] == [str(r) for r in alone.tasks]


def test_many_results_are_a_sequence(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.add(Position("tip"), name="reach")
    results = scene.solve_many({"reach": np.array([[0.5, 0.0, 0.4], [0.6, 0.0, 0.3], [9, 0, 0]])})
    assert len(results) == 3
    assert results.met.tolist() == [True, True, False]
    assert [solution.met for solution in results] == [True, True, False]
    assert [solution.met for solution in results[1:]] == [True, False]
    assert not results[-1].met
    assert repr(results) == "<Solutions: 3, of which 2 meet every task>"
    with pytest.raises(IndexError):
        assert results[3]


def test_many_frames_may_be_given_as_transforms_or_points(person: Figure) -> None:
    scene = Scene(person)
    foot = scene.add(Frame("left_foot"), name="foot")
    now = foot.target
    frames = [now, Transform(now.rotation, now.position + [0.0, 0.1, 0.0])]
    results = scene.solve_many({"foot": frames})
    points = scene.solve_many({"foot": [frame.position for frame in frames]})
    assert results.met.all()
    assert points.q.tolist() == results.q.tolist()
    assert foot.target is now


def test_no_targets_give_no_results(arm: Figure) -> None:
    scene = Scene(arm)
    scene.add(Position("tip"), name="reach")
    results = scene.solve_many({"reach": np.zeros((0, 3))})
    assert len(results) == 0
    assert results.errors.shape == (0, 1)


def test_each_of_many_knows_its_own_target(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.add(Position("tip", (0.5, 0.0, 0.4)), name="reach")
    results = scene.solve_many({"reach": [(0.6, 0.0, 0.3), (0.4, 0.0, 0.5)]})
    assert [each.wanted["reach"].target for each in results] == [(0.6, 0, 0.3), (0.4, 0, 0.5)]


def test_many_solves_try_other_starts_as_one_does(arm: Figure) -> None:
    scene = Scene(arm)
    scene.add(Position("tip", (0.5, 0.0, 0.4)), name="reach")
    goals = [(-0.6, 0.0, 0.01), (-0.3, 0.0, 0.0), (3.0, 0.0, 0.0)]
    once = scene.solve_many({"reach": goals}, restarts=0)
    assert not once.met.all()  # straight, with goals behind it
    assert scene.solve_many({"reach": goals}).met.tolist() == [True, True, False]
    scene.options = scene.options.changed(restarts=4)
    again = scene.solve_many({"reach": goals})
    assert again.met.tolist() == [True, True, False]
    assert scene.solve_many({"reach": goals}, restarts=0).q.tolist() == once.q.tolist()
    for goal, q in zip(goals, again.q, strict=True):
        scene.handles["reach"].target = goal
        assert scene.solve().posture.q.tolist() == q.tolist()


def test_a_scenes_limit_of_time_can_be_switched_off_in_a_call(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.add(Position("tip", (-0.5, 0.0, 0.4)))
    free = scene.solve().posture.q.tolist()
    scene.options = scene.options.changed(max_seconds=1e-9)
    assert scene.solve(max_seconds=np.inf).posture.q.tolist() == free
    assert scene.options.changed(max_seconds=np.inf).max_seconds is None


def test_threads_that_solve_one_scene_take_turns(person: Figure) -> None:
    scene = standing(person)
    scene.add(Position("right_hand", (0.6, -0.2, 1.2)), priority=3)
    alone = scene.solve().posture.q.tolist()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: scene.solve().posture.q.tolist(), range(12)))
    assert found == [alone] * 12


def test_a_limit_of_time_that_is_not_reached_changes_nothing(person: Figure) -> None:
    scene = standing(person)
    scene.add(Position("right_hand", (1.5, -0.2, 1.3)), priority=3)
    hurried = scene.solve(max_seconds=1e3)
    assert hurried.posture.q.tolist() == scene.solve().posture.q.tolist()


def test_what_is_straight_behind_can_be_looked_at() -> None:
    figure = poise.chain(3, joint="ball")
    scene = Scene(figure)
    tip = scene.places["tip"]
    scene.add(Aim("tip", tip.apply((-1.0, 0.0, 0.0))))
    assert scene.solve().met


def test_only_the_ratio_of_weights_counts(arm: Figure) -> None:
    def solved(weight: float) -> list[float]:
        scene = Scene(arm)
        scene.posture = [0.2, -0.3, 0.4, 0.3]
        scene.add(Position("tip", (0.5, 0.0, 2.0)), weight=weight)
        scene.add(Position("link_3", (0.3, 0.0, 0.4)), weight=2 * weight)
        return scene.solve().posture.q.tolist()

    assert solved(1.0) == pytest.approx(solved(1e-12), abs=1e-9)


def test_a_scene_that_is_ready_is_solved_as_the_scene_is(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.add(Position("tip", (0.5, 0.0, 0.4)), name="tip")
    prepared, lex = prepare(scene), solver("lex")
    outcome = prepared.solve(lex, scene.options)
    expected = scene.solve(warm=False)
    assert outcome.q.tobytes() == expected.q.tobytes()
    assert str(prepared.report(outcome, scene.options.tolerance).tasks) == str(expected.tasks)
    other = np.array([0.1, 0.1, -0.2, 0.3])
    elsewhere = prepared.solve(lex, scene.options, start=other)
    scene.posture = other
    assert elsewhere.q.tobytes() == scene.solve(warm=False).q.tobytes()
    assert elsewhere.q.tobytes() != outcome.q.tobytes()


def test_every_solve_of_a_scene_goes_one_way(arm: Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    solved, ways = Prepared.solve, list[str]()

    def watched(self: Prepared, *arguments: Any, **options: Any) -> Outcome:
        ways.append(way)
        return solved(self, *arguments, **options)

    monkeypatch.setattr(Prepared, "solve", watched)
    scene = Scene(arm)
    scene.add(Position("tip", (0.5, 0.0, 0.4)), name="tip")
    for way in ("solve", "solve_many", "animate"):
        getattr(scene, way)(*([] if way == "solve" else [{"tip": [(0.5, 0.0, 0.4)]}]))
    way = "settled"
    settled(scene, [], contact_forces=False, lock=RLock())
    way = "dragged"
    Following(scene).solve(1.0, about=["tip"])
    assert ways == ["solve", "solve_many", "animate", "settled", "dragged"]
