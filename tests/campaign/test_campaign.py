"""A short campaign, and that each of its checks finds what it is there for."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests.campaign import __main__ as campaign
from tests.campaign import checks, limits, task_errors
from tests.campaign.checks import Findings, compared
from tests.campaign.scenes import Case, case

import poise
from poise import tasks
from poise.figure import (
    Angle,
    Ball,
    Builder,
    Figure,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    Swing,
    Twist,
    TwistTable,
)
from poise.figure.transform import rotation_matrix

COUNT = 150


def test_nothing_is_wrong_with_random_scenes_and_little_is_unsettled() -> None:
    found = campaign.run(COUNT, 10_000)
    print(found)
    assert not found.wrong, "\n".join(found.wrong)
    # What says that it is at rest is; rounding elsewhere may tip some over.
    assert len(found.better) + len(found.worse) <= 2
    assert len(found.costly) <= 2
    # And the scenes are worth solving.
    assert found.solved > 0.7 * COUNT
    assert found.tasks > 2 * COUNT
    assert found.rested > 0.3 * COUNT
    assert found.judged > 0.15 * COUNT
    assert len(found.statuses) >= 4


def test_every_kind_of_task_is_among_the_scenes_and_its_error_is_known() -> None:
    made = Counter[type]()
    for seed in range(300):
        made.update(type(handle.wanted) for handle in case(seed).scene.handles.values())
    wanted = {
        each
        for each in vars(tasks).values()
        if isinstance(each, type) and issubclass(each, tasks.Task) and each is not tasks.Task
    }
    # Bodies that stay apart have a campaign of their own: benchmarks/avoiding.py.
    wanted -= {tasks.Avoid, tasks.AvoidSelf}
    assert wanted <= set(task_errors._ERRORS)
    assert wanted <= set(made)


def test_the_same_seed_gives_the_same_scene() -> None:
    for seed in range(20):
        one, other = case(seed), case(seed)
        np.testing.assert_array_equal(one.scene.q, other.scene.q)
        assert one.method == other.method
        assert {name: handle.wanted for name, handle in one.scene.handles.items()}.keys() == {
            name: handle.wanted for name, handle in other.scene.handles.items()
        }.keys()


# that checks find what is wrong ----------------------------------------------------------------


def reaching() -> poise.Scene:
    scene = poise.Scene(poise.chain(5, limit=0.5))
    scene.options = scene.options.changed(restarts=0)
    scene.add(tasks.Position("tip", (0.3, 0.0, 0.1)), priority=1)
    scene.add(tasks.Position("tip", (0.3, 0.0, 0.3)), priority=2)
    return scene


def spoilt(solution: Any, **changes: Any) -> Any:
    solution._outcome = solution._outcome._replace(**changes)
    return solution


def test_a_sound_solution_passes() -> None:
    scene = reaching()
    assert checks.sound(scene, scene.solve()) == []
    assert checks.agreeing(scene.solve()) == []


def test_a_posture_that_is_not_finite_is_found() -> None:
    scene = reaching()
    solution = scene.solve()
    assert checks.sound(scene, spoilt(solution, q=np.full_like(solution.q, np.nan)))


def test_a_posture_outside_limits_is_found() -> None:
    scene = reaching()
    solution = scene.solve()
    assert any(
        "is not from" in each for each in checks.sound(scene, spoilt(solution, q=solution.q + 1))
    )


def test_a_false_status_is_found() -> None:
    scene = reaching()
    assert checks.sound(scene, spoilt(scene.solve(), status="solved"))


def test_a_locked_joint_that_moves_is_found() -> None:
    scene = reaching()
    scene.figures["chain"].lock(scene.figures["chain"].coordinates[0].partition(".")[0])
    assert not checks.sound(scene, scene.solve())
    solution = scene.solve()
    assert any(
        "locked" in each for each in checks.sound(scene, spoilt(solution, q=solution.q + 0.01))
    )


def test_an_error_that_is_not_what_places_tell_is_found() -> None:
    scene = reaching()
    solution = scene.solve()
    assert checks.agreeing(spoilt(solution, residual=solution._outcome.residual * 1.01 + 1e-3))


@pytest.mark.parametrize("fault", ["bits", "error", "warning"])
def test_what_a_solve_does_wrong_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = reaching()
    solve, calls = poise.Scene.solve, []

    def faulty(self: poise.Scene, *arguments: Any, **named: Any) -> Any:
        calls.append(1)
        solution = solve(self, *arguments, **named)
        if fault == "error":
            raise IndexError("list index out of range")
        if fault == "warning":
            np.multiply(1e300, 1e300)
        return spoilt(solution, q=solution.q + 1e-15 * len(calls)) if fault == "bits" else solution

    monkeypatch.setattr(poise.Scene, "solve", faulty)
    assert checks.judge(Case(0, scene, "lex", ())).wrong


def test_levels_are_compared_in_order() -> None:
    assert compared(np.array([1.0, 2.0]), np.array([1.0, 2.0])) == 0
    assert compared(np.array([1.0, 2.0]), np.array([0.9, 3.0])) == -1
    assert compared(np.array([1.0, 2.0]), np.array([1.1, 1.0])) == 1


def test_findings_add_up() -> None:
    one = Findings(cases=1, wrong=["a"], statuses=Counter(solved=1))
    one.add(Findings(cases=2, wrong=["b"], statuses=Counter(solved=1, stalled=1)))
    assert (one.cases, one.wrong, one.statuses) == (3, ["a", "b"], Counter(solved=2, stalled=1))


@pytest.mark.parametrize("arguments", [["many"], ["0"], ["1", "-1"], ["1", "2", "3"]])
def test_a_campaign_of_nonsense_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert campaign.main(arguments) == 2
    assert "usage" in capsys.readouterr().err


# limits by their definitions -------------------------------------------------------------------


def one_joint(kind: Any) -> Figure:
    build = Builder("one")
    build.segment("fixed")
    build.segment("moving")
    build.joint("joint", kind, "fixed", "moving")
    return build.build()


CORNERS = [(0.9, 0.1), (0.3, 0.8), (-0.7, 0.5), (-0.1, 0.0), (-0.6, -0.7), (0.4, -0.9)]
"""Of a polygon that is not convex."""
GRID = (-1.0, 0.0, 1.0)
TABLE = np.linspace(0.2, 1.0, 9).reshape(3, 3)
LIMITED = {
    "ellipse": Swing(swing=(SphericalEllipse(0.9, 0.4, (0.1, 0.0)),)),
    "polygon in the plane": Swing(swing=(PlanarPolygon(CORNERS),)),
    "polygon on the sphere": Swing(
        swing=(SphericalPolygon([rotation_matrix([x, y, 0.0])[:, 2].tolist() for x, y in CORNERS]),)
    ),
    "angle": Ball(chart="swing_twist", angle=Angle(1.1)),
    "angle of a rotation vector": Ball(chart="rotation_vector", angle=Angle(1.1)),
    "twist": Ball(
        swing=(SphericalEllipse(1.0, 1.0),), twist=Twist(-0.4, 0.5, (0.1, 0.2), (0.1, 0.2))
    ),
    "table": Ball(swing=(SphericalEllipse(1.0, 1.0),), twist=TwistTable(GRID, GRID, -TABLE, TABLE)),
    "box": Ball(swing_x=(-0.3, 0.4), swing_y=(-0.5, 0.2), twist=Twist(-0.3, 0.3)),
    "nothing but the stop": Swing(),
}


@pytest.mark.parametrize("name", LIMITED)
def test_limits_told_from_descriptions_are_those_of_the_kernels(name: str) -> None:
    figure = one_joint(LIMITED[name])
    rng = np.random.default_rng(3)
    inside = outside = 0
    for _ in range(1000):
        q = rng.uniform(-1.3, 1.3, figure.n) * (2.0 if name == "nothing but the stop" else 1.0)
        violation = figure.violation(q)
        if abs(violation) < 1e-5:
            continue
        inside, outside = inside + (violation < 0), outside + (violation > 0)
        assert bool(limits.broken(figure, q)) == (violation > 0), (q, violation)
    assert inside > 4
    assert outside > 4
