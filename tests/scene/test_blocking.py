"""What is in a task's way: what is named matters, and what is not named does not."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise import Scene
from poise.figure import Ball, Builder, Capsule, Figure, Hinge, SphericalEllipse
from poise.scene import Report, Solution
from poise.tasks import Balance, Frame, HalfSpace, Position


def arm(
    upper: float = 0.3, middle: float = 2.0, lower: float = -2.0, *, ellipse: float = 0.0
) -> Figure:
    """Three links that bend upwards, with stops; with an ellipse a shoulder before them."""
    builder = Builder("arm")
    for name in ("base", "trunk", "a", "b", "c"):
        shape = Capsule((0, 0, 0), (0.3, 0, 0), 0.02)
        builder.segment(name, mass=1.0, shapes=[shape])
    builder.root("base", "fixed")
    swing = (SphericalEllipse(ellipse, ellipse),) if ellipse else ()
    kind = Ball("x", swing=swing) if ellipse else Hinge("-y", (-0.01, 0.01))
    builder.joint("shoulder", kind, "base", "trunk")
    builder.joint("first", Hinge("-y", (lower, upper)), "trunk", "a", (0.3, 0, 0))
    builder.joint("second", Hinge("-y", (lower, middle)), "a", "b", (0.3, 0, 0))
    builder.joint("third", Hinge("-y", (lower, 2.0)), "b", "c", (0.3, 0, 0))
    builder.site("tip", "c", (0.3, 0, 0))
    return builder.build()


def report(solution: Solution, name: str) -> Report:
    return next(each for each in solution.tasks if each.name == name)


def reaching(figure: Figure, target: tuple[float, float, float]) -> Scene:
    scene = Scene(figure)
    scene.posture = figure.clamp(np.full(figure.n, 0.05))
    scene.add(Position("tip", target), priority=3, name="reach")
    return scene


UP = (-0.2, 0.0, 1.3)


def test_limits_that_are_named_matter_as_much_as_they_say() -> None:
    wide = {"upper": 0.3, "middle": 0.4}
    solution = reaching(arm(**wide), UP).solve(restarts=0)  # so that all end in the same bend
    before = report(solution, "reach")
    assert not before.met
    assert set(before.blocked_by) == {"shoulder.angle", "first.angle", "second.angle"}
    for name, joint in (("first.angle", "upper"), ("second.angle", "middle")):
        assert name in before.blocked_by
        wider = reaching(arm(**{**wide, joint: wide[joint] + 0.05}), UP)
        after = report(wider.solve(restarts=0), "reach")
        assert after.error < before.error - 1e-3
        (blocker,) = (each for each in before.blockers if each.name == name)
        assert before.error - after.error == pytest.approx(0.05 * blocker.rate, rel=0.1)


def test_a_curved_limit_is_named_by_its_joint() -> None:
    narrow = arm(ellipse=0.3)
    before = report(reaching(narrow, UP).solve(), "reach")
    assert "shoulder" in before.blocked_by
    after = report(reaching(arm(ellipse=0.4), UP).solve(), "reach")
    assert after.error < before.error - 1e-3


def test_a_coupling_is_named() -> None:
    def coupled(most: float) -> Figure:
        builder = Builder("pair")
        for name in ("base", "a", "b"):
            builder.segment(name, mass=1.0)
        builder.joint("first", Hinge("-y"), "base", "a")
        builder.joint("second", Hinge("-y"), "a", "b", (0.5, 0, 0))
        builder.couple("cord", {"first.angle": 1, "second.angle": 1}, upper=most)
        builder.site("tip", "b", (0.5, 0, 0))
        return builder.build()

    before = report(reaching(coupled(0.5), (-0.5, 0, 0.5)).solve(), "reach")
    assert before.blocked_by == ("cord",)
    assert report(reaching(coupled(0.6), (-0.5, 0, 0.5)).solve(), "reach").error < before.error


def test_tasks_above_that_are_named_matter_and_others_do_not() -> None:
    figure = poise.chain(3, length=0.3)
    scene = reaching(figure, (0.3, 0.0, 0.75))
    scene.add(HalfSpace("link_3", (0, 0, 0.35), normal="-z"), priority=1, name="ceiling")
    scene.add(HalfSpace("link_2", (0, 0, -2.0)), priority=1, name="floor")
    before = report(scene.solve(), "reach")
    assert not before.met
    assert before.blocked_by == ("ceiling",)
    scene.handles["floor"].enabled = False
    assert report(scene.solve(), "reach").error == pytest.approx(before.error, abs=1e-4)
    scene.handles["ceiling"].enabled = False
    assert report(scene.solve(), "reach").error < before.error - 1e-2


def test_a_task_beside_is_named() -> None:
    scene = reaching(poise.chain(4, length=0.25), (0.5, 0.0, 0.5))
    scene.add(Position("tip", (0.5, 0.0, -0.1)), priority=3, name="other")
    before = report(scene.solve(), "reach")
    (blocker,) = before.blockers
    assert (blocker.kind, blocker.name, str(blocker)) == ("beside", "other", "other beside it")
    scene.handles["other"].remove()
    assert report(scene.solve(), "reach").met


@pytest.mark.parametrize("weights", [(1.0, 1.0), (1.0, 100.0), (7.0, 700.0)])
def test_the_rate_of_a_task_beside_is_for_a_metre_whatever_the_weights(
    weights: tuple[float, float],
) -> None:
    scene = Scene(poise.chain(4, length=0.25))
    scene.posture = np.full(4, 0.05)
    for name, height, weight in zip(("up", "down"), (0.5, -0.1), weights, strict=True):
        scene.add(Position("tip", (0.5, 0.0, height)), weight=weight, name=name)
    solution = scene.solve()
    for each in solution.tasks:
        (blocker,) = each.blockers
        assert blocker.rate == pytest.approx(1.0, abs=0.01)  # the tip is between the two targets


def test_a_locked_joint_is_named() -> None:
    figure = poise.chain(2, length=0.5)
    figure.lock("joint_1")
    scene = reaching(figure, (0.3, 0.0, 0.6))
    before = report(scene.solve(), "reach")
    assert before.blocked_by == ("joint_1",)
    figure.unlock()
    assert report(scene.solve(), "reach").error < before.error


def test_a_report_names_what_was_locked_when_it_was_solved() -> None:
    figure = poise.chain(2, length=0.5)
    figure.lock("joint_1")
    solution = reaching(figure, (0.3, 0.0, 0.6)).solve()
    figure.unlock()
    assert report(solution, "reach").blocked_by == ("joint_1",)


def test_a_lock_that_tasks_above_hold_anyway_is_not_named() -> None:
    figure = poise.chain(3, length=0.3)
    figure.lock("joint_1")
    scene = Scene(figure)
    scene.posture = [0.3, 0.4, 0.5]
    scene.add(Position("link_3"), priority=1, name="elbow")  # fixes the first two joints
    scene.add(Position("tip", (0.0, 0.0, 2.0)), priority=2, name="reach")
    found = report(scene.solve(), "reach")
    assert "elbow" in found.blocked_by or found.blockers[0].along
    assert ("lock", "joint_1") not in [
        (each.kind, each.name) for each in found.blockers if not each.along
    ]


def test_joints_that_no_task_may_move_are_named() -> None:
    scene = Scene(poise.chain(3, length=0.3))
    scene.posture = [0.1, 0.1, 0.1]
    scene.add(Position("tip", (0.2, 0.0, -0.7)), name="reach", joints="joint_3")
    before = report(scene.solve(), "reach")
    assert set(before.blocked_by) == {"joint_1", "joint_2"}
    assert "joint_1 not among the joints that tasks may move" in before.remarks
    scene.handles["reach"].joints = ["joint_1", "joint_3"]
    assert report(scene.solve(), "reach").error < before.error - 1e-3


def test_what_holds_twice_is_named_together() -> None:
    scene = reaching(poise.chain(3, length=0.3), (0.3, 0.0, 0.75))
    for name in ("ceiling", "roof"):
        scene.add(HalfSpace("link_3", (0, 0, 0.35), normal="-z"), priority=1, name=name)
    before = report(scene.solve(), "reach")
    assert set(before.blocked_by) == {"ceiling", "roof"}
    assert "together with" in before.remarks
    scene.handles["roof"].enabled = False
    assert report(scene.solve(), "reach").error == pytest.approx(before.error, abs=1e-3)
    scene.handles["ceiling"].enabled = False
    assert report(scene.solve(), "reach").error < before.error - 1e-2


def test_nothing_blocks_what_is_met() -> None:
    scene = reaching(poise.chain(4, length=0.25), (0.5, 0.0, 0.5))
    found = report(scene.solve(), "reach")
    assert (found.blocked_by, found.out_of_reach, found.remarks) == ((), False, "")


def test_a_goal_that_is_simply_too_far_is_called_so() -> None:
    scene = reaching(poise.chain(4, length=0.25), (3.0, 0.0, 0.0))
    solution = scene.solve()
    far = report(solution, "reach")
    assert not far.met
    assert far.blocked_by == ()
    assert far.out_of_reach
    words = "out of reach by 2000 mm, with nothing in its way"
    assert far.remarks == f"not found from 17 starts; {words}"
    assert f"reach: not found from 17 starts; {words}\n" in str(solution)
    alone = scene.solve(restarts=0)
    assert report(alone, "reach").remarks == words
    assert str(alone).endswith(f"reach: {words}")


def test_a_solver_that_stopped_early_blames_nobody() -> None:
    scene = reaching(poise.chain(4, length=0.25), (0.2, 0.0, 0.8))
    early = report(scene.solve(max_iterations=1), "reach")
    assert early.blocked_by == ()
    assert early.remarks == "the solver stopped on its way"


def test_a_person_who_leans_too_far_is_told_what_holds_her() -> None:
    scene = Scene(poise.human())
    for foot in ("left_foot", "right_foot"):
        scene.add(Frame(foot), priority=1)
    scene.add(Balance(margin=0.03), priority=2)
    scene.add(Position("right_hand", (1.6, -0.2, 1.0)), priority=3, name="reach")
    solution = scene.solve()
    before = report(solution, "reach")
    assert "balance" in before.blocked_by
    assert "balance (priority 2), which comes before it" in str(solution)
    scene.handles["balance"].enabled = False
    assert report(scene.solve(), "reach").error < before.error - 1e-2


def test_solutions_for_many_targets_know_their_own_blockers() -> None:
    figure = poise.chain(3, length=0.3)
    scene = reaching(figure, (0.3, 0.0, 0.2))
    scene.add(HalfSpace("link_3", (0, 0, 0.35), normal="-z"), priority=1, name="ceiling")
    many = scene.solve_many({"reach": [(0.3, 0, 0.2), (0.3, 0.0, 0.75)]})
    assert [report(each, "reach").blocked_by for each in many] == [(), ("ceiling",)]


def test_a_report_is_about_the_targets_it_was_solved_for() -> None:
    figure = poise.chain(3, length=0.3)
    scene = reaching(figure, (0.3, 0.0, 0.75))
    scene.add(HalfSpace("link_3", (0, 0, 0.35), normal="-z"), priority=1, name="ceiling")
    solution = scene.solve()
    scene.handles["reach"].target = (0.3, 0.0, 0.2)
    assert report(solution, "reach").blocked_by == ("ceiling",)


def test_a_long_list_is_cut_in_the_table_only() -> None:
    scene = reaching(poise.chain(8, length=0.1, limit=0.05), (0.0, 0.0, 0.8))
    found = report(scene.solve(), "reach")
    assert len(found.blocked_by) > 4
    more = len(found.blocked_by) - 4
    assert found.remarks.count(" at its stop") == 4
    assert found.remarks.endswith(f"; {more} more")
