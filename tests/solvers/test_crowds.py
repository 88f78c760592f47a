"""Many figures in one problem: contacts that cannot be, who joins and leaves, unlike figures."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from poise import Scene
from poise.figure import Figure
from poise.models import chain, human, quadruped
from poise.models.published import person_of_63
from poise.reproductions.lpik_2005.scenes import circle
from poise.scene.solution import Solution
from poise.solvers import lex
from poise.tasks import Equilibrium, Frame, Loop, Position

METHODS = ("lex", "lex along contacts", "lp", "lagrange")
PERSON = person_of_63()
ARM = chain(5, 0.25, "ball", limit=1.2)


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a method; lex is asked to go along contacts, or not to."""
    name = str(request.param)
    if name.startswith("lex"):
        along = name != "lex"
        monkeypatch.setattr(lex, "CROWD", (1, 2) if along else (10**9, 2))
    return name.split()[0]


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
    solution = scene.solve(method, max_iterations=500, restarts=0)
    assert not solution.met
    assert solution.status in ("stationary", "stalled")
    errors = {report.name: report.error for report in solution.tasks}
    assert errors["hands"] < before - 0.8
    for name, posture in solution.postures.items():
        assert scene.figures[name].violation(posture) <= 1e-9


def test_somebody_joins_the_ring_and_leaves_again(method: str) -> None:
    scene = circle(4)
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


def arms(*figures: Figure) -> Scene:
    """Arms with roots in one point, a little bent."""
    scene = Scene({f"p{i}": figure for i, figure in enumerate(figures)})
    rng = np.random.default_rng(1)
    scene.postures = {
        name: figure.clamp(rng.uniform(-0.3, 0.3, figure.n)).q
        for name, figure in scene.figures.items()
    }
    return scene


def test_whom_nothing_is_wanted_of_stays(method: str) -> None:
    scene = arms(ARM, ARM, ARM)
    scene.add(Loop("p0/tip", "p2/tip"))
    solution = scene.solve(method)
    check(scene, solution)
    np.testing.assert_array_equal(solution.postures["p1"].q, scene.postures["p1"].q)


@pytest.mark.parametrize("method", METHODS[1:], indirect=True)  # to lex, densely, 1 cm is little
def test_figures_that_do_not_touch_are_none_of_each_others_business(method: str) -> None:
    scene = arms(ARM, ARM, ARM)
    goal = (0.7, 0.3, 0.4)
    scene.add(Position("p0/tip", (0.0, 0.5, 4.0)), name="far")
    for name in ("p1", "p2"):
        scene.add(Position(f"{name}/tip", goal), name=name)
    solution = scene.solve(method)
    assert [report.name for report in solution.tasks if not report.met] == ["far"]
    alone = Scene(ARM)
    alone.posture = scene.postures["p0"].q
    alone.add(Position("tip", (0.0, 0.5, 4.0)), name="far")
    assert solution.tasks[0].error == pytest.approx(alone.solve(method).tasks[0].error, rel=2e-3)


def test_a_figure_may_hold_itself(method: str) -> None:
    scene = arms(*[chain(8, 0.2, "ball")] * 3)
    scene.add(Loop("p0/tip", "p0/link_2"), name="itself")
    scene.add(Loop("p0/link_5", "p1/tip"), name="and another")
    scene.add(Loop("p1/link_4", "p2/tip"), name="and that a third")
    check(scene, scene.solve(method))


@pytest.mark.parametrize("priorities", [(1, 1, 1), (1, 2, 3)])
def test_contacts_that_say_the_same_are_no_contradiction(
    method: str, priorities: tuple[int, int, int]
) -> None:
    scene = arms(*[ARM] * 4)
    for k, priority in enumerate(priorities):
        sites = ("p0/tip", "p1/tip") if k % 2 else ("p1/tip", "p0/tip")
        scene.add(Loop(*sites), priority=priority, name=f"again {k}")
    for i, j in itertools.combinations(range(1, 4), 2):
        scene.add(Loop(f"p{i}/tip", f"p{j}/tip"), name=f"{i} and {j}")
    solution = scene.solve(method)
    assert solution.status == "solved"
    check(scene, solution)


def test_what_is_locked_or_fixed_stays_and_others_come_to_it(method: str) -> None:
    stone, stiff = chain(5, 0.25, "ball"), chain(5, 0.25, "ball", limit=1.2)
    for joint in stone.joints:
        stone.lock(joint)
    stiff.lock("joint_2")
    scene = arms(stone, stiff, ARM)
    scene.add(Loop("p0/tip", "p1/tip"), name="first")
    scene.add(Loop("p0/tip", "p2/tip"), name="second")
    solution = scene.solve(method)
    check(scene, solution)
    np.testing.assert_array_equal(solution.postures["p0"].q, scene.postures["p0"].q)
    locked = [name.startswith("joint_2.") for name in stiff.coordinates]
    assert sum(locked) == 3
    np.testing.assert_array_equal(solution.postures["p1"].q[locked], scene.postures["p1"].q[locked])


def test_free_and_fixed_roots_may_meet(method: str) -> None:
    scene = Scene({"seated": human(root="fixed"), "standing": human(), "dog": quadruped()})
    scene.stand("standing", (0.6, 0.0, 0.0), np.pi)
    scene.stand("dog", (0.3, -0.9, 0.0))
    scene.add(Loop("seated/right_hand", "standing/left_hand"), name="hands")
    scene.add(Loop("standing/right_hand", "dog/nose"), name="nose")
    check(scene, scene.solve(method))


def test_contacts_hold_through_a_motion_of_a_ring(method: str) -> None:
    scene = circle(3)
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
    scene = circle(8)
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


def pushed_ring(count: int) -> Scene:
    """People hand in hand in a circle, each pushed away from its middle with 30 N."""
    scene = circle(count)
    hold(scene, list(scene.figures))
    for name in scene.figures:
        for side in ("left", "right"):
            scene.forces.support(f"{name}/{side}_foot", ratio=0.5)
        away = scene.places[f"{name}/upper_back"].position * [1.0, 1.0, 0.0]
        force = 30.0 * away / np.linalg.norm(away)
        scene.forces.apply(f"{name}/upper_back", force=force, name=f"{name} is pushed")
        scene.add(Equilibrium(figure=name), priority=2, name=f"{name} stands")
    return scene


def test_people_who_are_pushed_stand_in_a_crowd_as_in_a_small_circle() -> None:
    small, crowd = pushed_ring(3), pushed_ring(10)
    assert lex.crowd(small._problem()) is None
    assert lex.crowd(crowd._problem()) is not None
    for scene in (small, crowd):
        solution = scene.solve()
        assert solution.status == "solved"
        moments = [report.error for report in solution.tasks if report.unit == "N·m"]
        assert len(moments) == len(scene.figures)
        assert max(moments) < 0.1


def test_a_pushed_chain_comes_into_equilibrium_by_every_method(method: str) -> None:
    arm = chain(2, 0.3, "ball")
    scene = Scene(arm)
    scene.posture = np.full(arm.n, 0.1)
    scene.forces.support("base")
    scene.forces.apply("tip", force=(1.0, 0.0, 0.0))
    scene.add(Equilibrium())
    solution = scene.solve(method)
    assert solution.status == "solved"
    assert solution.tasks[0].error < 0.01
