"""Scenes that are copied, arranged and assessed, as one who edits them needs it."""

import numpy as np
import pytest

import poise
from poise import tasks as t
from poise.errors import PoiseError
from poise.scene import Scene


def standing() -> Scene:
    scene = Scene(poise.human())
    scene.add(t.Frame("left_foot"), name="left")
    scene.add(t.Frame("right_foot"), name="right")
    scene.add(t.Balance(), priority=2)
    scene.add(t.Position("right_hand", (0.4, -0.2, 1.1)), priority=3, name="reach")
    scene.add(t.Rest(), weight=0.1)
    scene.hold(poise.box(0.2, 0.2, 0.2, mass=2.0), "left_hand")
    scene.forces.support("left_foot", ratio=1.0)
    return scene


def test_a_copy_is_the_same_and_goes_its_own_way() -> None:
    scene = standing()
    scene.solve()
    other = scene.copy()
    assert np.array_equal(other.q, scene.q)
    assert list(other.handles) == list(scene.handles)
    assert np.array_equal(other.solve().posture.q, scene.solve().posture.q)
    q = scene.q
    other.posture = other.solve().posture
    other.handles["reach"].target = (0.5, -0.2, 1.2)
    other.handles["balance"].remove()
    other.forces.clear()
    other.release("box")
    assert np.array_equal(scene.q, q)
    assert scene.handles["reach"].target == (0.4, -0.2, 1.1)
    assert "balance" in scene.handles
    assert list(scene.forces.supports) == ["left_foot"]
    assert scene.props["box"].is_held


def test_a_copy_of_a_packed_scene_solves_for_its_own_targets() -> None:
    scene = standing()
    scene.solve()
    other = scene.copy()
    other.handles["reach"].target = (0.3, -0.3, 1.3)
    found = other.solve()
    assert np.allclose(found.places["right_hand"].position, (0.3, -0.3, 1.3), atol=1e-4)
    assert np.allclose(scene.solve().places["right_hand"].position, (0.4, -0.2, 1.1), atol=1e-4)


def test_assessing_moves_nothing_and_says_how_tasks_stand() -> None:
    scene = standing()
    q = scene.q
    found = scene.assess()
    assert np.array_equal(found.posture.q, q)
    assert np.array_equal(scene.q, q)
    assert found.iterations == 0
    reports = {report.name: report for report in found.tasks}
    assert reports["left"].met
    gap = np.linalg.norm(scene.places["right_hand"].position - [0.4, -0.2, 1.1])
    assert reports["reach"].error == pytest.approx(gap)
    assert not found.met
    scene.posture = scene.solve().posture
    assert scene.assess().met
    assert scene.assess().status == "solved"


def test_what_is_assessed_is_told_as_not_solved_and_blames_no_solver() -> None:
    scene = standing()
    found = scene.assess()
    assert str(found).startswith("not solved: as it stands\npriority  task ")
    assert repr(found) == "<Solution: not solved: as it stands, not met>"
    assert "solver" not in str(found)
    assert "iterations" not in str(found)
    assert not any(report.obstruction.is_unfinished for report in found.tasks)
    assert found.tasks["reach"].obstruction.unrest > 0.1
    cut_off = scene.solve(max_iterations=1, restarts=0)
    assert cut_off.tasks["reach"].remarks == "the solver stopped on its way"
    scene.posture = scene.solve().posture
    assert repr(scene.assess()) == "<Solution: not solved: as it stands, met>"


def test_a_goal_that_is_out_of_reach_where_it_is_assessed_is_told_so() -> None:
    scene = Scene(poise.chain(3))
    scene.add(t.Position("tip", (0.0, 0.0, 9.0)), name="far")
    scene.posture = scene.solve().posture
    assert scene.assess().tasks["far"].out_of_reach


def test_a_scene_without_tasks_is_assessed_too() -> None:
    assert Scene(poise.chain(3)).assess().met


def test_all_coordinates_are_set_at_once() -> None:
    pair = Scene({"one": poise.chain(3), "two": poise.chain(2)})
    pair.q = [0.1, 0.2, 0.3, 0.4, 0.5]
    assert pair.postures["two"].q.tolist() == [0.4, 0.5]
    pair.q[0] = 9.0  # a copy
    assert pair.q[0] == 0.1
    with pytest.raises(PoiseError, match="5 numbers"):
        pair.q = [0.1]


def test_tasks_are_arranged() -> None:
    scene = standing()
    scene.arrange(["reach", "left"])
    assert list(scene.handles) == ["reach", "left", "right", "balance", "rest"]
    with pytest.raises(PoiseError, match="task"):
        scene.arrange(["nothing"])


def test_a_task_goes_by_another_name_in_the_same_place() -> None:
    scene = standing()
    handle = scene.handles["right"]
    handle.name = "planted"
    assert list(scene.handles)[:2] == ["left", "planted"]
    assert handle.name == "planted"
    handle.name = "planted"
    assert scene.solve().tasks[1].name == "planted"
    with pytest.raises(PoiseError, match="already"):
        handle.name = "left"
    assert handle.name == "planted"


def test_another_task_takes_a_tasks_place() -> None:
    scene = standing()
    handle = scene.handles["reach"]
    handle.wanted = t.Orientation("right_hand")
    assert handle.priority == 3
    assert np.allclose(handle.target, scene.places["right_hand"].rotation)
    with pytest.raises(PoiseError, match="site"):
        handle.wanted = t.Position("tail")
    with pytest.raises(PoiseError, match="is a task"):
        handle.wanted = t.Rest()
    assert isinstance(handle.wanted, t.Orientation)
    scene.handles["rest"].wanted = t.MidRange()
