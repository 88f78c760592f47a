"""Every method with every task and criterion: it does it, or it says by name that it cannot."""

from __future__ import annotations

import typing
from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import ArrayLike
from tests.kernel.residuals.test_gradients import expected_gradient, gradient_of
from tests.tasks.residual import Residual

import poise
from poise import PoiseError, Scene, tasks
from poise.figure import Ellipsoid, Placements, Posture, Transform
from poise.kernel.residuals import choice, touching
from poise.kernel.residuals.kinds import (
    AVOID,
    CENTER_OF_PART,
    CHOICE,
    EFFORT,
    EQUILIBRIUM,
    MID_SUPPORT,
    NATURAL,
    SPRINGS,
)
from poise.models import chain, human
from poise.solvers import METHODS, solver
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import (
    Aim,
    Any,
    Balance,
    CenterOfMass,
    Comfort,
    Contact,
    Convex,
    Criterion,
    Custom,
    Flexion,
    Frame,
    HalfSpace,
    Inertia,
    Inside,
    Line,
    Loop,
    MidRange,
    Orientation,
    Outside,
    Plane,
    Position,
    Rest,
    Surface,
    Task,
)

PERSON = human()
REST = PERSON.place(PERSON.rest())
HAND = REST["right_hand"].position


def height(posture: Posture, places: Placements) -> ArrayLike:
    return [places["right_hand"].position[2] - 1.1]


def height_rate(posture: Posture, places: Placements) -> ArrayLike:
    return posture.figure.jacobian(posture, "right_hand")[2:3]


NEAR = Convex.box((0.4, -0.2, 1.2), (0.1, 0.1, 0.1))
TURNED = Transform.make((0.3, -0.3, 1.1), rotation=(0.3, -0.4, 0.5))

TASKS: dict[str, Task] = {
    "position": Position("right_hand", (0.3, -0.3, 1.1)),
    "plane of a frame": Position("right_hand", (0.3, -0.3, 1.1), axes="x"),
    "ride": Position("left_hand", (0.1, 0.0, 0.05), frame="right_hand"),
    "gap": Position("left_hand", "right_knee", axes="xz"),
    "orientation": Orientation("right_hand", TURNED.rotation),
    "orientation with a free axis": Orientation("right_hand", TURNED.rotation, free="x"),
    "orientation by vectors": Orientation("right_hand", TURNED.rotation, form="vectors"),
    "orientation as another": Orientation("left_hand", "chest", free="x"),
    "frame": Frame("right_hand", TURNED),
    "aim": Aim("eyes", (1.0, 1.0, 1.0)),
    "aim at a site": Aim("eyes", "right_hand"),
    "line": Line("right_hand", (0.4, -0.2, 1.0), "z"),
    "plane": Plane("right_hand", (0.4, 0.0, 0.0), "x"),
    "half-space": HalfSpace("right_hand", (0.0, 0.0, 1.1)),
    "inside": Inside("right_hand", NEAR, margin=0.02),
    "outside": Outside("right_hand", Convex.box(HAND, (0.3, 0.2, 0.25)), margin=0.02),
    "surface": Surface("right_hand", Ellipsoid((0, 0, 0), (0.3, 0.25, 0.35)), frame="chest"),
    "contact": Contact("right_palm", (0.45, 0.0, 0.0), "-x"),
    "loop": Loop("left_hand", "right_hand", match="both"),
    "centre of mass": CenterOfMass((0.1, 0.05, 0.9)),
    "balance": Balance(margin=0.1),
    "inertia": Inertia("y", 0.38),
    "any": Any([Position("right_hand", (9, 0, 1)), Position("right_hand", (0.3, -0.3, 1.2))]),
    "any of inequalities": Any(
        [HalfSpace("right_hand", (0, 0, 9)), HalfSpace("right_hand", (0, 0, 1.1))]
    ),
    "custom": Custom(height, 1, jacobian=height_rate),
}

CRITERIA: dict[str, Criterion] = {
    "rest": Rest(),
    "mid-range": MidRange(),
    "flexion": Flexion("right_elbow"),
    "comfort": Comfort(),
}


def problem_of(name: str) -> tuple[Problem, np.ndarray]:
    """A task alone, but for the feet that a balance stands on; and where to start."""
    start = PERSON.rest().q
    wishes = [Wish(name, TASKS[name], 1)]
    if name == "balance":
        feet = ("left_foot", "right_foot")
        wishes = [*(Wish(foot, Frame(foot), 1) for foot in feet), *wishes]
        leaning = PERSON.rest()
        leaning.set_angles("spine", flexion=1.2)
        start = PERSON.clamp(leaning).q
    return pack(PERSON, PERSON.rest(), wishes), start


def kinds(problem: Problem) -> Iterable[int]:
    """The kinds of a problem's blocks, also of those among which one is chosen."""
    for head in touching.heads(problem.blocks):
        yield head.kind
        if head.kind == CHOICE:
            yield from (each.kind for each in choice.heads(head))


def potential(problem: Problem, residual: np.ndarray) -> float:
    e = np.where(problem.blocks.inequality == 1, np.minimum(residual, 0.0), residual)
    return float(e @ e)


def test_no_task_no_criterion_and_no_kind_of_block_is_left_out() -> None:
    def classes(of: type) -> set[type]:
        named = (getattr(tasks, name) for name in tasks.__all__)
        return {each for each in named if issubclass(each, of) and each is not of}

    # Equilibrium and Effort need forces (tests/statics), CENTER_OF_PART needs several figures;
    # criteria with rows are in tests/kernel/residuals, Natural and MidSupport in tests/tasks. For
    # bodies that stay apart something must be in the way: tests/scene/test_avoiding.py.
    assert {type(task) for task in TASKS.values()} == classes(Task) - {
        tasks.Avoid,
        tasks.AvoidSelf,
        tasks.Equilibrium,
    }
    assert {type(each) for each in CRITERIA.values()} == classes(Criterion) - {
        tasks.Effort,
        tasks.MidSupport,
        tasks.Natural,
    }
    packed = {kind for name in TASKS for kind in kinds(problem_of(name)[0])}
    elsewhere = {AVOID, CENTER_OF_PART, EQUILIBRIUM, EFFORT, SPRINGS, NATURAL, MID_SUPPORT}
    assert packed | elsewhere == set(range(max(packed | elsewhere) + 1))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_done_or_refused_by_name(method: str, name: str) -> None:
    problem, start = problem_of(name)
    before = potential(problem, Residual(problem)(start))
    assert before > 1e-5  # there is something to do
    run = solver(method)
    if problem.blocks.inequality.any() and not METHODS[method].takes_one_sided:
        words = f"^{method} takes no one-sided tasks, and '{name}' .{type(TASKS[name]).__name__}. "
        with pytest.raises(PoiseError, match=words):
            run(problem, start, tolerance=1e-4, max_iterations=9, max_seconds=None)
        return
    limit = 2000 if method in ("projected", "transpose") else 200
    outcome = run(problem, start, tolerance=1e-3, max_iterations=limit, max_seconds=None)
    assert PERSON.within_limits(PERSON.posture(outcome.q))
    assert outcome.residual == pytest.approx(Residual(problem)(outcome.q), abs=1e-12)
    if method == "transpose":  # its fixed step is slow where the slope is small: some way will do
        assert potential(problem, outcome.residual) < 0.97 * before
    else:
        assert outcome.status == "solved"
        assert problem.met(problem.sizes(outcome.residual), 1e-3).all()


@pytest.mark.parametrize("name", TASKS)
def test_the_gradient_of_a_task_without_its_jacobian_is_the_same(name: str) -> None:
    problem, start = problem_of(name)
    residual, rng = Residual(problem), np.random.default_rng(len(name))
    for _ in range(3):
        q = PERSON.clamp(start + 0.2 * rng.normal(size=start.size)).q
        assert gradient_of(residual, q) == pytest.approx(expected_gradient(residual, q), abs=1e-10)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CRITERIA)
def test_a_criterion_is_obeyed_or_refused_by_name(method: str, name: str) -> None:
    start = PERSON.rest()
    start["right_elbow.flexion"] = 1.5
    start.set_angles("spine", flexion=0.6)
    q = PERSON.clamp(start).q
    held = [Wish("foot", Frame("left_foot"), 1), Wish("hand", Position("right_hand", HAND), 1)]
    problem = pack(PERSON, PERSON.rest(), held, [(CRITERIA[name], 1.0)])
    run = solver(method)
    if not METHODS[method].takes_criteria:
        with pytest.raises(PoiseError, match=f"^{method} takes no criteria; lex, priority, "):
            run(problem, q, tolerance=1e-4, max_iterations=9, max_seconds=None)
        return
    outcome = run(problem, q, tolerance=1e-4, max_iterations=500, max_seconds=None)
    plain = run(
        pack(PERSON, PERSON.rest(), held), q, tolerance=1e-4, max_iterations=500, max_seconds=None
    )
    assert problem.met(problem.sizes(outcome.residual), 1e-4).all()
    assert discomfort(problem, outcome.q) < 0.9 * discomfort(problem, plain.q)
    assert PERSON.within_limits(PERSON.posture(outcome.q))


PIECES: list[tuple[str, dict[str, typing.Any]]] = [
    *((method, {}) for method in METHODS),
    ("priority", {"formulation": "cascaded"}),
    *((method, {"limits": "last"}) for method in ("pinv", "dls", "transpose", "partition")),
]


@pytest.mark.parametrize("criteria", [False, True])
@pytest.mark.parametrize(("method", "own"), PIECES)
def test_a_solve_in_pieces_goes_the_same_way(
    method: str, own: dict[str, typing.Any], criteria: bool
) -> None:
    if criteria and not METHODS[method].takes_criteria:
        pytest.skip(f"{method} takes no criteria")
    figure = chain(6, 0.2, "ball", limit=0.7)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        start = figure.clamp(rng.uniform(-0.5, 0.5, figure.n)).q
        there = figure.place(figure.clamp(rng.uniform(-0.6, 0.6, figure.n)))
        away = rng.normal(size=3) * (0.5 if seed % 2 else 0.0)
        wishes = [
            Wish("middle", Position("link_4", there["link_4"].position), 1),
            Wish("tip", Position("tip", there["tip"].position + away), 2),
        ]
        ends = []
        for seconds in (None, 1e9):  # with a limit of time the solve is in pieces
            problem = pack(figure, figure.rest(), wishes, [(Rest(), 1.0)] if criteria else [])
            run = solver(method, **own)
            ends.append(run(problem, start, tolerance=1e-4, max_iterations=63, max_seconds=seconds))
        whole, pieces = ends
        assert (pieces.status, pieces.iterations) == (whole.status, whole.iterations)
        assert pieces.q == pytest.approx(whole.q, abs=1e-12)
        assert pieces.optimality == pytest.approx(whole.optimality, abs=1e-12)


def discomfort(problem: Problem, q: np.ndarray) -> float:
    """What criteria make small."""
    out = q - np.clip(q, problem.zone_lower, problem.zone_upper)
    out[problem.zone_strength == 0] = 0.0
    springs = problem.pull * (q - problem.rest) ** 2
    return float(springs.sum() + problem.zone_strength @ out**2)


@pytest.mark.parametrize("method", METHODS)
def test_one_figure_among_several_is_balanced_by_itself(method: str) -> None:
    pair = Scene({"one": chain(4, length=0.25), "two": chain(4, length=0.25)})
    pair.postures = {"one": np.full(4, 0.2), "two": np.full(4, 0.3)}
    target = chain(4, length=0.25).center_of_mass(np.full(4, 0.4))
    pair.add(CenterOfMass(target, axes="xz", figure="two"))
    solution = pair.solve(method, tolerance=1e-3, max_iterations=5000)
    assert solution.met
    assert solution.postures["one"].q == pytest.approx(np.full(4, 0.2), abs=1e-12)


OPTIONS: dict[str, dict[str, typing.Any]] = {
    "priority": {"formulation": "cascaded"},
    "nlp": {"update": "bfgs"},
    "projected": {"step": 0.01},
    "lp": {"max_turn": 0.1},
    "lagrange": {"max_turn": 0.1},
    "pinv": {"max_turn": 0.1},
    "dls": {"damping": 0.05},
    "transpose": {"rule": "exact"},
    "ccd": {"max_turn": 0.1},
    "partition": {"max_turn": 0.1},
}


def arm() -> Scene:
    scene = Scene(chain(5, length=0.2))
    scene.posture = np.full(5, 0.2)
    scene.add(Position("tip", (0.6, 0.0, 0.3)), name="tip")
    return scene


@pytest.mark.parametrize("method", [name for name in METHODS if name != "lex"])
def test_a_scene_hands_options_on_for_one_target_and_for_many(method: str) -> None:
    scene = arm()
    scene.options = poise.scene.Options(restarts=0)
    scene.add(Position("link_3", (0.4, 0.0, 0.2)), priority=2, weight=1e-6, name="middle")
    one = scene.solve(method, max_iterations=50, **OPTIONS[method])
    many = scene.solve_many(
        {"tip": [(0.6, 0.0, 0.3), (0.5, 0.0, 0.4)]}, method, max_iterations=50, **OPTIONS[method]
    )
    assert many.q[0] == pytest.approx(one.posture.q, abs=1e-12)
    assert one.posture.q != pytest.approx(scene.solve(method, max_iterations=50).posture.q, abs=0)
    assert many[1].notes == many.notes == one.notes
    assert (one.notes == ()) is METHODS[method].priorities.startswith("strict")
    for call in (scene.solve, lambda *a, **k: scene.solve_many({"tip": [(0.6, 0, 0.3)]}, *a, **k)):
        with pytest.raises(PoiseError, match=f"there is no {method} option 'speed'"):
            call(method, speed=2)


def test_the_method_of_the_scenes_options_takes_options_too() -> None:
    scene = arm()
    scene.options = poise.scene.Options(method="nlp")
    assert scene.solve(update="dfp").met
    with pytest.raises(PoiseError, match="there is no nlp option 'formulation'"):
        scene.solve(formulation="cascaded")
