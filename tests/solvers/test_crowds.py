"""Many figures in one problem: contacts that cannot be, who joins and leaves, unlike figures."""

from __future__ import annotations

import numpy as np
import pytest

from poise import Scene
from poise.models import chain, human, quadruped
from poise.models.published import person_of_63
from poise.scene.solution import Solution
from poise.solvers import lex
from poise.tasks import Frame, Loop, Position

METHODS = ("lex", "lex along contacts", "lp", "lagrange")
PERSON = person_of_63()


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a method; lex is asked to go along contacts, or not to."""
    name = str(request.param)
    if name.startswith("lex"):
        along = name != "lex"
        monkeypatch.setattr(lex, "CROWD", (1, 2) if along else (10**9, 2))
    return name.split()[0]


def ring(count: int, names: list[str] | None = None) -> Scene:
    """Persons in a circle that face its middle, feet on the floor."""
    names = names or [f"p{i}" for i in range(count)]
    scene = Scene(dict.fromkeys(names, PERSON))
    for i, name in enumerate(names):
        turn = 2 * np.pi * i / count
        radius = max(0.45, 0.75 * count / (2 * np.pi))
        scene.stand(name, (radius * np.cos(turn), radius * np.sin(turn), 0.0), turn + np.pi)
        for foot in ("left_foot", "right_foot"):
            scene.add(Position(f"{name}/{foot}"))
    return scene


def hold(scene: Scene, names: list[str]) -> None:
    """Join the hands of neighbours, the last with the first."""
    for one, other in zip(names, [*names[1:], names[0]], strict=True):
        scene.add(Loop(f"{one}/right_hand", f"{other}/left_hand"), name=f"{one} and {other}")


def check(scene: Scene, solution: Solution) -> None:
    """Each contact to 0.1 mm, and every limit."""
    for report in solution.tasks:
        assert report.error <= 1e-4, report
    for name, posture in solution.postures.items():
        assert scene.figures[name].violation(posture) <= 1e-9


def test_contacts_that_contradict_each_other_end_in_the_best_there_is(method: str) -> None:
    arm = chain(4, 0.3, "ball")
    scene = Scene({"one": arm, "two": arm})
    scene.postures = {"one": np.full(arm.n, 0.1), "two": np.full(arm.n, 0.2)}
    scene.add(Position("one/tip", (0.9, 0.1, 0.2)), name="here")
    scene.add(Position("one/tip", (0.9, -0.1, 0.2)), name="there")
    scene.add(Loop("one/tip", "two/tip"), name="contact")
    solution = scene.solve(method)
    assert solution.status == "stationary"
    errors = {report.name: report.error for report in solution.tasks}
    assert errors["contact"] < 1e-3
    # A sum of squares meets in the middle; a sum of absolute values anywhere between.
    assert errors["here"] + errors["there"] == pytest.approx(0.2, abs=2e-3)
    if method != "lp":
        assert errors["here"] == pytest.approx(0.1, abs=2e-3)


def test_hands_too_far_apart_come_as_near_as_they_can(method: str) -> None:
    scene = Scene({"one": PERSON, "two": PERSON})
    scene.stand("two", (0.0, 6.0, 0.0))
    for name in scene.figures:
        for foot in ("left_foot", "right_foot"):
            scene.add(Position(f"{name}/{foot}"), weight=100.0)
    scene.add(Loop("one/left_hand", "two/right_hand"), name="hands")
    before = float(
        np.linalg.norm(
            scene.places["one/left_hand"].position - scene.places["two/right_hand"].position
        )
    )
    solution = scene.solve(method, max_iterations=500)
    assert not solution.met
    assert solution.status in ("stationary", "stalled")
    errors = {report.name: report.error for report in solution.tasks}
    assert errors["hands"] < before - 0.8
    for name, posture in solution.postures.items():
        assert scene.figures[name].violation(posture) <= 1e-9


def test_somebody_joins_the_ring_and_leaves_again(method: str) -> None:
    scene = ring(4)
    hold(scene, ["p0", "p1", "p2"])
    three = scene.solve(method)
    check(scene, three)
    scene.postures = three.postures
    # The fourth steps between the third and the first.
    scene.handles["p2 and p0"].enabled = False
    for one, other in (("p2", "p3"), ("p3", "p0")):
        scene.add(Loop(f"{one}/right_hand", f"{other}/left_hand"), name=f"{one} and {other}")
    four = scene.solve(method)
    check(scene, four)
    assert len(four.tasks) == 2 * 4 + 4
    scene.postures = four.postures
    for name in ("p2 and p3", "p3 and p0"):
        scene.handles[name].remove()
    scene.handles["p2 and p0"].enabled = True
    again = scene.solve(method)
    check(scene, again)
    assert len(again.tasks) == len(three.tasks)
    # Whom nobody holds any more has no reason to move.
    np.testing.assert_allclose(again.postures["p3"].q, four.postures["p3"].q, atol=1e-6)


def test_figures_of_different_kinds_are_one_problem(method: str) -> None:
    arm = chain(5, 0.25, "ball", limit=1.2)
    scene = Scene({"person": human(), "dog": quadruped(), "arm": arm})
    scene.stand("dog", (0.8, -0.4, 0.0))
    for foot in ("left_foot", "right_foot"):
        scene.add(Frame(f"person/{foot}"))
    scene.postures = {"arm": arm.clamp(np.full(arm.n, 0.2)).q}
    scene.add(Loop("person/right_hand", "arm/tip"), name="shaken")
    head = next(name for name in scene.figures["dog"].segments if "head" in name)
    scene.add(Position(f"dog/{head}", scene.places[f"dog/{head}"].position + [0.0, 0.03, 0.02]))
    solution = scene.solve(method)
    assert solution.met
    check(scene, solution)


def test_contacts_hold_through_a_motion_of_a_ring(method: str) -> None:
    scene = ring(3)
    hold(scene, ["p0", "p1", "p2"])
    chest = scene.places["p0/upper_back"].position
    sway = 0.05 * np.sin(np.linspace(0, np.pi, 12))[:, None] * [0.0, 0.0, -1.0]
    moves = scene.animate({"p0/upper_back": chest + sway}, method)
    assert moves.solutions.met.all()
    assert moves.solutions.errors.max() <= 1e-4
    for name, clip in moves.items():
        for posture in clip:
            assert scene.figures[name].violation(posture) <= 1e-9


def test_a_goal_out_of_reach_in_a_crowd_costs_those_above_and_below_nothing() -> None:
    scene = ring(8)
    names = list(scene.figures)
    for one, other in zip(names, [*names[1:], names[0]], strict=True):
        scene.add(Loop(f"{one}/right_hand", f"{other}/left_hand"), priority=2, name=f"hands {one}")
    scene.add(Position("p0/upper_back", (0.0, 0.0, 3.0)), priority=3, name="far")
    low = scene.places["p3/upper_back"].position - [0.0, 0.0, 0.1]
    scene.add(Position("p3/upper_back", low), priority=4, name="low")
    assert lex.crowd(scene._problem()) is not None
    solution = scene.solve()
    assert solution.status == "stationary"
    assert [report.name for report in solution.tasks if not report.met] == ["far"]
    errors = {report.name: report.error for report in solution.tasks}
    assert max(error for name, error in errors.items() if name != "far") <= 1e-4
    for name, posture in solution.postures.items():
        assert scene.figures[name].violation(posture) <= 1e-9
