"""What a solution hands out: postures and coordinates to be read, and reports by name."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest

from poise import Posture, Scene
from poise.errors import PoiseError
from poise.figure import Figure
from poise.scene import Solution
from poise.tasks import Position


@pytest.fixture
def solution(arm: Figure) -> Solution:
    scene = Scene(arm)
    scene.add(Position("tip", (0.1, 0.0, 0.2)), name="reach")
    scene.add(Position("tip", (0.1, 0.0, 0.3)), priority=2, name="higher")
    return scene.solve()


def test_the_coordinates_of_a_solution_cannot_be_written(solution: Solution) -> None:
    before = solution.q.tolist()
    with pytest.raises(ValueError, match="read-only"):
        solution.q[0] = 5.0
    assert solution.q.tolist() == before
    assert copy.deepcopy(solution.q).flags.writeable


@pytest.mark.parametrize("sent", [False, True], ids=["as solved", "pickled"])
def test_the_posture_of_a_solution_refuses_to_be_written_and_says_to_copy_it(
    solution: Solution, sent: bool
) -> None:
    if sent:
        assert solution.posture  # it goes along
        solution = pickle.loads(pickle.dumps(solution))
    before = solution.q.tolist()
    words = "the posture of a solution is read-only; copy it: posture = solution.posture.copy()"
    for write in (
        lambda: solution.posture.__setitem__("joint_1", 1.0),
        lambda: solution.posture.set_angles("joint_1", angle=1.0),
        lambda: setattr(solution.posture, "q", np.zeros(4)),
    ):
        with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
            write()
    with pytest.raises(ValueError, match="read-only"):
        solution.posture.q[0] = 1.0
    assert solution.posture.q.tolist() == solution.q.tolist() == before


def test_a_copy_of_the_posture_of_a_solution_can_be_written(solution: Solution) -> None:
    for made in (solution.posture.copy(), copy.copy(solution.posture), solution.posture.mirrored()):
        assert type(made) is Posture
        made["joint_1"] = 0.25
        assert made.q[0] == 0.25
    assert solution.posture.q.tolist() == solution.q.tolist()
    assert solution.posture == solution.posture.copy()


def test_a_scene_that_takes_the_posture_of_a_solution_can_change_it(arm: Figure) -> None:
    scene = Scene(arm)
    scene.add(Position("tip", (0.1, 0.0, 0.2)))
    solution = scene.solve()
    scene.posture = solution.posture
    scene.posture["joint_1"] = 0.25
    assert scene.q[0] == 0.25
    assert solution.posture["joint_1"] == solution.q[0] != 0.25


def test_a_report_is_found_by_the_name_of_its_task_as_well(solution: Solution) -> None:
    tasks = solution.tasks
    assert tasks["higher"] is tasks[1]
    assert tasks[:1] == (tasks["reach"],)
    assert [report.name for report in tasks] == ["reach", "higher"]
    assert "reach" in tasks
    assert "reech" not in tasks
    assert tasks[1] in tasks
    words = "the solution: there is no task 'reech'; did you mean 'reach'? There are: reach, higher"
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        assert tasks["reech"]
    again = pickle.loads(pickle.dumps(solution))
    assert again.tasks["higher"].error == tasks["higher"].error
    assert pickle.loads(pickle.dumps(tasks))["higher"].error == tasks["higher"].error
