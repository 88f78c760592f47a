"""Solving again and again as targets move: when a solve is warm, and what solutions keep."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poise
from poise import PoiseError, Scene
from poise.checking import FARTHEST, place, plain_place, vector
from poise.figure import Transform
from poise.scene import Solution
from poise.scene.handle import Handle
from poise.scene.solving import prepare
from poise.solvers import lex, registry
from poise.solvers.outcome import Outcome
from poise.tasks import Balance, Frame, Orientation, Position, Rest

HOME = np.array([0.35, -0.25, 1.15])


def person(*, criterion: bool = False, props: bool = False) -> tuple[Scene, Handle]:
    """Someone who stands balanced and reaches with the right hand."""
    scene = Scene(poise.human(), natural=False)
    if props:
        scene.place(poise.box(0.8, 1.2, 0.04, name="table"), (0.6, 0.0, 0.7))
    for foot in ("left_foot", "right_foot"):
        scene.add(Frame(foot), priority=1)
    scene.add(Balance(), priority=2)
    scene.add(Position("eyes"), priority=3)
    reach = scene.add(Position("right_hand", HOME), priority=3, name="reach")
    if criterion:
        scene.add(Rest())
    return scene, reach


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each solve by lex has begun warm."""
    calls, solve = list[bool](), lex.solve

    @wraps(solve)
    def noted(*args: Any, warm: bool = False, **given: Any) -> Outcome:
        calls.append(warm)
        return solve(*args, warm=warm, **given)

    monkeypatch.setattr(lex, "solve", noted)
    return calls


# when a solve is warm ------------------------------------------------------------------------


def test_a_solve_is_warm_from_what_the_last_one_found(begun: list[bool]) -> None:
    scene, reach = person()
    for i in range(4):
        reach.target = HOME + [0.0, 0.0, 0.01 * i]
        scene.posture = scene.solve().posture
    assert begun == [False, True, True, True]


@pytest.mark.parametrize(
    "given",
    [
        lambda solution: solution.posture,
        lambda solution: solution.posture.copy(),
        lambda solution: solution.q.copy(),
        lambda solution: solution.q.tolist(),
        lambda solution: pickle.loads(pickle.dumps(solution)).posture,
    ],
    ids=["itself", "a copy", "its coordinates", "as numbers", "from a pickle"],
)
def test_it_matters_what_the_coordinates_are_and_not_whose(
    given: Callable[[Solution], Any], begun: list[bool]
) -> None:
    scene, reach = person()
    scene.posture = given(scene.solve())
    reach.target = HOME + 0.01
    assert scene.solve().met
    assert begun == [False, True]


def _write_in_place(scene: Scene) -> None:
    scene.posture.q[-1] += 1e-12


def _set_another(scene: Scene) -> None:
    scene.posture = scene.figure.rest()


def _weigh(scene: Scene) -> None:
    scene.handles["reach"].weight = 2.0


def _rank(scene: Scene) -> None:
    scene.handles["reach"].priority = 4


def _disable(scene: Scene) -> None:
    scene.handles["eyes"].enabled = False


def _add(scene: Scene) -> None:
    scene.add(Position("left_hand"))


def _stiffen(scene: Scene) -> None:
    scene.figure.stiffness["left_elbow"] = 0.5


def _lock(scene: Scene) -> None:
    scene.figure.lock("left_elbow")


def _hold(scene: Scene) -> None:
    scene.hold(poise.box(0.1, 0.1, 0.1, mass=1.0), "left_hand")


def _jump(scene: Scene) -> None:
    scene.handles["reach"].target = HOME + [0.0, 0.0, 2 * registry.NEAR]


def _assess(scene: Scene) -> None:
    scene.assess()


def _ask_another_method(scene: Scene) -> None:
    scene.posture = scene.solve("nlp").posture


@pytest.mark.parametrize(
    "change",
    [
        _write_in_place,
        _set_another,
        _weigh,
        _rank,
        _disable,
        _add,
        _stiffen,
        _lock,
        _hold,
        _jump,
        _assess,
        _ask_another_method,
    ],
)
def test_a_solve_is_cold_after_anything_else(
    change: Callable[[Scene], None], begun: list[bool]
) -> None:
    scene, _ = person()
    scene.posture = scene.solve().posture
    change(scene)
    del begun[:]
    scene.solve()
    assert begun == [False]


def test_a_copy_and_a_pickled_scene_begin_cold(begun: list[bool]) -> None:
    scene, _ = person()
    scene.posture = scene.solve().posture
    for other in (scene.copy(), copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        del begun[:]
        assert other.solve().met
        assert begun == [False]
    del begun[:]
    scene.solve()
    assert begun == [True]


def test_while_something_cannot_be_met_a_loop_comes_as_near_as_cold_solves_and_moves_less(
    begun: list[bool],
) -> None:
    scene, reach = person()
    scene.options = scene.options.changed(restarts=0)
    turned, turned_alone = [], []
    for i in range(12):
        reach.target = (1.5 + 0.01 * i, -0.2, 1.4)
        before = scene.posture.q
        solution = scene.solve()
        alone = scene.copy().solve()
        assert not solution.met
        errors, cold = np.array(solution.level_errors), np.array(alone.level_errors)
        assert (errors <= 1.01 * cold + scene.options.tolerance).all()
        if i > 0:
            turned.append(np.abs(solution.q - before).max())
            turned_alone.append(np.abs(alone.q - before).max())
        scene.posture = solution.posture
    assert begun[:2] == [False, False]  # the first, and its copy
    assert set(begun[2::3]) == {True}
    assert set(begun[3::3]) == set(begun[4::3]) == {False}
    assert max(turned) <= max(turned_alone) + 1e-6


# a warm loop is not worse than cold solves ------------------------------------------------------


def _ways(rng: np.random.Generator, steps: float, count: int) -> Iterator[np.ndarray]:
    """Points near HOME, each so far from the last."""
    at, farthest = HOME.copy(), 0.2 if steps < 0.1 else 0.45
    for _ in range(count):
        step = np.full(3, np.inf)
        while np.linalg.norm(at + step - HOME) > farthest:
            step = rng.normal(size=3)
            step *= steps / np.linalg.norm(step)
        at = at + step
        yield at


@pytest.mark.parametrize("criterion", [False, True])
@pytest.mark.parametrize("steps", [0.002, 0.01, 0.027])
def test_a_warm_loop_finds_what_cold_solves_find(
    criterion: bool, steps: float, begun: list[bool]
) -> None:
    scene, reach = person(criterion=criterion)
    scene.posture = scene.solve().posture
    del begun[:]
    rest, warm_solves = scene.figure.rest().q, 0
    for target in _ways(np.random.default_rng(3), steps, 60):
        reach.target = target
        cold = scene.copy().solve()
        warm = scene.solve()
        warm_solves += begun[-1]
        assert warm.met
        assert cold.met
        assert warm.status == cold.status == "solved"
        places = warm.places["right_hand"].position, cold.places["right_hand"].position
        assert np.abs(places[0] - places[1]).max() <= 2e-4
        assert scene.figure.within_limits(warm.posture)
        if criterion:  # which says of all postures that meet the tasks which one it is
            apart = [float(np.linalg.norm(each.q[6:] - rest[6:])) for each in (warm, cold)]
            assert apart[0] <= apart[1] + 2e-3
        scene.posture = warm.posture
    assert warm_solves >= 55  # where one does not arrive a cold one follows


@pytest.mark.parametrize("seed", range(3))
def test_a_loop_with_jumps_meets_all_that_cold_solves_meet(seed: int) -> None:
    scene, reach = person()
    rng = np.random.default_rng(seed)
    for i in range(40):
        size = (0.01, 0.02, 0.3, 0.9)[int(rng.integers(4))]
        reach.target = HOME + rng.uniform(-size, size, 3)
        cold, solution = scene.copy().solve(), scene.solve()
        assert solution.met or not cold.met, i
        scene.posture = solution.posture


def test_where_a_warm_solve_does_not_arrive_a_cold_one_takes_its_place(
    begun: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "NEAR", np.inf)  # all jumps are tried warm
    monkeypatch.setattr(registry, "NEAR_SHARE", np.inf)
    scene, reach = person()
    scene.options = scene.options.changed(restarts=0)
    scene.posture = scene.solve().posture
    again = 0
    for target in _ways(np.random.default_rng(1), 0.3, 80):
        reach.target = target
        cold = scene.copy().solve()
        del begun[:]
        solution = scene.solve()
        assert solution.met == cold.met
        if begun == [True, False]:
            again += 1
            assert np.array_equal(solution.q, cold.q)
            assert solution.status == cold.status
            assert solution.iterations > cold.iterations  # those of both
        scene.posture = solution.posture
    assert again > 0


def test_a_cold_solve_after_a_warm_one_has_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene, reach = person()
    scene.posture = scene.solve().posture
    told, solve = list[tuple[bool, float | None]](), lex.solve

    @wraps(solve)
    def slow(*args: Any, max_seconds: float | None, warm: bool = False, **given: Any) -> Outcome:
        told.append((warm, max_seconds))
        outcome = solve(*args, max_seconds=max_seconds, warm=warm, **given)
        unmet = {"status": "stalled", "seconds": 2.0, "residual": outcome.residual + 1.0}
        return outcome._replace(**unmet) if warm else outcome

    monkeypatch.setattr(lex, "solve", slow)
    reach.target = HOME + 0.01
    solution = scene.solve(max_seconds=5.0)
    assert told == [(True, 5.0), (False, 3.0)]
    assert solution.met
    assert solution.seconds > 2.0
    scene.posture = solution.posture
    reach.target = HOME
    del told[:]
    assert scene.solve(max_seconds=1.0).status == "stalled"
    assert told == [(True, 1.0)]


def test_a_limit_of_time_that_is_not_reached_changes_no_bit_of_a_warm_solve() -> None:
    scene, reach = person(criterion=True)
    scene.posture = scene.solve().posture
    most = 0
    for target in _ways(np.random.default_rng(7), 0.025, 25):
        reach.target = target
        plain, limited = scene.copy(), scene.copy()
        solutions: list[Solution] = []
        for each, seconds in ((plain, None), (limited, 1000.0)):
            each.handles["reach"].target = scene.handles["reach"].target
            each.posture = each.solve(max_seconds=seconds).posture
            each.handles["reach"].target = target + 0.01
            solutions.append(each.solve(max_seconds=seconds))
        assert np.array_equal(solutions[0].q, solutions[1].q)
        most = max(most, solutions[0].iterations)
        scene.posture = scene.solve().posture
    assert most > 8  # so many pass before the first look at the clock


def test_arrays_among_the_options_of_a_method_can_be_given_in_a_loop() -> None:
    scene = Scene(poise.chain(6))
    scene.posture = np.full(6, -0.3)  # straight it would be singular
    reach = scene.add(Position("tip", (0.4, 0.0, 0.2)), name="reach")
    for k in range(4):
        reach.target = (0.4, 0.0, 0.2 + 0.005 * k)
        solution = scene.solve("lp", a=np.full(6, 1.0), b=[0.5] * 6)
        assert solution.met
        scene.posture = solution.posture


def test_a_solve_that_is_not_to_be_warm_begins_from_nothing(begun: list[bool]) -> None:
    scene, reach = person()
    scene.posture = scene.solve().posture
    reach.target = HOME + 0.005
    first = scene.solve(warm=False)
    scene.solve()
    again = scene.solve(warm=False)
    assert begun[1] is begun[-1] is False
    assert np.array_equal(first.q, again.q)


@pytest.mark.parametrize("warm", ["no", None, 0, float("nan")])
def test_whether_a_solve_may_be_warm_is_true_or_false(warm: Any) -> None:
    scene, _ = person()
    with pytest.raises(PoiseError, match="warm must be True or False, not"):
        scene.solve(warm=warm)


@pytest.mark.parametrize("length", [0.02, 0.2])
def test_how_far_is_near_goes_by_the_size_of_the_figure(length: float, begun: list[bool]) -> None:
    scene = Scene(poise.chain(8, length, "ball"))
    home = 8 * length * np.array([0.6, 0.2, 0.1])
    reach = scene.add(Position("tip", home), name="reach")
    scene.add(Rest())
    scene.posture = scene.solve().posture
    for share, is_warm in ((0.01, True), (0.05, False)):
        reach.target = home + [0.0, 0.0, share * 7 * length]
        del begun[:]
        solution = scene.solve()
        assert begun[0] is is_warm
        cold = scene.copy().solve()
        assert solution.met
        apart = [float(np.linalg.norm(each.q)) for each in (solution, cold)]
        assert apart[0] <= apart[1] + 0.01
        reach.target = home
        scene.posture = scene.solve().posture


@pytest.mark.parametrize("many", [2**63 - 1, 2**63, 2**64 + 3])
def test_more_iterations_than_numbers_hold_are_refused(many: int) -> None:
    scene, _ = person()
    with pytest.raises(PoiseError, match="max_iterations must be at most 1000000000"):
        scene.solve(max_iterations=many)


def test_animate_finds_the_postures_of_the_loop() -> None:
    scene, reach = person()
    path = list(_ways(np.random.default_rng(5), 0.01, 50))
    moves = scene.animate({"reach": path})
    for i, target in enumerate(path):
        reach.target = target
        solution = scene.solve()
        assert np.array_equal(solution.q, moves.solutions.q[i]), i
        scene.posture = solution.posture


def test_an_animation_meets_what_can_be_met_after_a_jump() -> None:
    scene, reach = person()
    path = list(_ways(np.random.default_rng(1), 0.3, 80))
    found = scene.animate({"reach": path}).solutions
    for i in np.flatnonzero(~found.met):
        scene.q = found.q[i - 1]
        reach.target = path[i]
        assert not scene.copy().solve(restarts=0).met, i


# a solution is a value ---------------------------------------------------------------------------


def _told(solution: Solution) -> dict[str, Any]:
    """All that a solution says, but for the time."""
    return {
        "q": solution.q.tolist(),
        "posture": solution.posture.q.tolist(),
        "status": solution.status,
        "met": solution.met,
        "notes": solution.notes,
        "errors": [[error.value for error in report.errors] for report in solution.tasks],
        "blocked": [report.blocked_by for report in solution.tasks],
        "remarks": [report.remarks for report in solution.tasks],
        "names": [report.name for report in solution.tasks],
        "wanted": {name: repr(task) for name, task in solution.wanted.items()},
        "props": {name: thing.place.position.tolist() for name, thing in solution.props.items()},
        "hand": solution.places["right_hand"].position.tolist(),
    }


def _solve_elsewhere(scene: Scene) -> None:
    for i in range(5):
        scene.handles["reach"].target = HOME + [0.02 * i, 0.0, 0.1]
        scene.posture = scene.solve().posture


def _retarget_a_pin(scene: Scene) -> None:
    scene.handles["left_foot"].target = (0.2, 0.2, 0.1)
    scene.handles["eyes"].target = (0.2, 0.0, 1.4)


def _rename_and_remove(scene: Scene) -> None:
    scene.handles["reach"].name = "grasp"
    scene.handles["eyes"].remove()


def _move_the_table(scene: Scene) -> None:
    scene.place("table", (3.0, 0.0, 0.7))


@pytest.mark.parametrize("far", [False, True], ids=["met", "not met"])
@pytest.mark.parametrize(
    "change",
    [
        _solve_elsewhere,
        _retarget_a_pin,
        _rename_and_remove,
        _move_the_table,
        _weigh,
        _stiffen,
        _lock,
        _write_in_place,
        _ask_another_method,
    ],
)
def test_a_solution_does_not_change_when_the_scene_does(
    change: Callable[[Scene], None], far: bool
) -> None:
    # Two of the same: one is looked at before the change, the other only afterwards.
    told = list[dict[str, Any]]()
    for is_late in (False, True):
        scene, reach = person(props=True)
        if far:
            reach.target = (1.5, -0.2, 1.4)
        solution = scene.solve()
        if not is_late:
            told.append(_told(solution))
        change(scene)
        scene.solve()
        told.append(_told(solution))
    assert told[0] == told[1] == told[2]


def test_the_posture_that_a_scene_was_given_is_a_copy_of_the_solutions() -> None:
    scene, _ = person()
    solution = scene.solve()
    before = solution.q.tolist()
    scene.posture = solution.posture
    scene.posture.q[:] += 0.01
    assert solution.q.tolist() == solution.posture.q.tolist() == before


# targets are checked as before -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ((np.nan, 0.0, 1.0), "must be finite"),
        ((0.0, np.inf, 1.0), "must be finite"),
        (np.array([0.0, 0.0, np.nan]), "must be finite"),
        ((1e7, 0.0, 0.0), "must lie within ±1e\\+06 m"),
        ((0.0, 1.0), "must be 3 numbers, not 2"),
        (np.zeros(2), "must be 3 numbers, not 2"),
        (np.zeros((1, 3)), "must be 3 numbers, not 1 × 3"),
        ((True, 0.0, 1.0), "must be numbers"),
        ((1j, 0.0, 1.0), "must be numbers"),
        (("0", 0.0, 1.0), "must be numbers"),
        (np.zeros(3, complex), "must be numbers"),
        (0.5, "must be 3 numbers"),
        ("left_hand", "cannot be changed"),
    ],
)
@pytest.mark.parametrize("task", ["reach", "left_foot"])
def test_a_bad_target_raises_and_leaves_all_as_it_was(target: Any, words: str, task: str) -> None:
    scene, _ = person()
    handle = scene.handles[task]
    first = scene.solve()
    before = repr(handle.wanted)
    with pytest.raises(PoiseError, match=words):
        handle.target = target
    assert repr(handle.wanted) == before
    again = scene.solve()
    assert np.array_equal(again.q, first.q)
    assert _told(again) == _told(first)


def test_a_target_that_is_warned_of_as_an_error_is_not_taken() -> None:
    scene, reach = person()
    first = scene.solve()
    with pytest.warns(UserWarning, match="reach"):
        reach.target = (300.0, 0.0, 0.0)
    reach.target = HOME
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", _raise)
        with pytest.raises(RuntimeError, match="reach"):
            reach.target = (300.0, 0.0, 0.0)
    assert reach.target == tuple(HOME)
    assert np.array_equal(scene.solve().q, first.q)


def _raise(message: object, *_: object, **__: object) -> None:
    raise RuntimeError(str(message))


@pytest.mark.parametrize(
    "target",
    [
        tuple(HOME.tolist()),
        HOME.tolist(),
        HOME,
        tuple(HOME),
        HOME[None].repeat(2, 0)[1],
        np.stack([HOME, HOME], 1)[:, 0],
        Transform(np.eye(3), HOME),
    ],
    ids=["tuple", "list", "array", "numpy floats", "a row", "a column", "transform"],
)
def test_a_point_may_be_given_in_all_ways_as_before(target: Any) -> None:
    scene, reach = person()
    reach.target = HOME + 0.1
    scene.solve()
    reach.target = target
    assert reach.target == tuple(HOME.tolist())
    assert all(type(each) is float for each in reach.target)
    row = [wish.name for wish in prepare(scene).problem.wishes].index("reach")
    problem = prepare(scene).problem
    start = problem.targets[row][0]
    assert problem.blocks.values[start : start + 3].tolist() == HOME.tolist()


def test_turned_targets_reach_the_packed_problem() -> None:
    scene = Scene(poise.human())
    turn = scene.add(Orientation("right_hand"), name="turn")
    scene.solve()
    there = Transform.make((0.0, 0.0, 0.0), (0.1, 0.2, 0.3)).rotation
    turn.target = there
    problem = prepare(scene).problem
    start = problem.targets[0][0]
    assert problem.blocks.values[start : start + 9].tolist() == there.ravel().tolist()


_NUMBER = st.floats() | st.floats(-2.0, 2.0) | st.integers(-3, 3) | st.booleans()


@settings(max_examples=300)
@given(st.lists(_NUMBER, min_size=2, max_size=4), st.sampled_from([tuple, list, np.array]))
def test_a_place_that_is_right_at_first_sight_is_right_at_a_closer_look(
    numbers: list[Any], kind: Callable[[Any], Any]
) -> None:
    given = kind(numbers)

    def answer(check: Callable[[], Any]) -> Any:
        try:
            return check()
        except PoiseError as error:
            return str(error)

    expected = answer(lambda: vector(given, "it", most=FARTHEST, unit="m"))
    assert answer(lambda: place(given, "it")) == expected
    assert plain_place(given) in (None, expected)


# a motion that is shown stays calm ----------------------------------------------------------------


def test_no_joint_leaps_where_a_hand_goes_out_of_reach_and_back() -> None:
    scene, reach = person()
    out = np.linspace(0.0, 0.9, 181)[:, None] * [0.1, -0.9, 0.0]
    way = HOME + np.vstack([out, out[::-1]])
    moves = scene.animate({reach.name: way})
    assert not moves.solutions.met.all()
    assert moves.solutions.met[-1]
    joints = ~scene.figure.root_coordinates
    turned = np.rad2deg(np.abs(np.diff(moves.solutions.q[:, joints], axis=0)).max(axis=1))
    assert turned.max() < 10.0


def test_coordinates_stay_in_the_window_of_a_warm_solve() -> None:
    scene, reach = person()
    reach.target = HOME
    scene.posture = scene.solve().posture
    reach.target = HOME + [0.02, -0.02, 0.1]
    found: list[Outcome] = []
    for width in (np.inf, 0.03, np.inf):
        prepared = prepare(scene)
        least, most = prepared.start - width, prepared.start + width
        for warm in (False, True):  # what a warm solve goes on from
            found.append(
                lex.solve(
                    prepared.problem,
                    prepared.start,
                    tolerance=1e-4,
                    max_iterations=200 if warm else 0,
                    max_seconds=None,
                    warm=warm,
                    window=(least, most) if warm and width < np.inf else None,
                )
            )
        away = np.abs(found[-1].q - prepared.start).max()
        assert away <= width + 1e-9
        assert away > 0.028
    assert np.array_equal(found[1].q, found[5].q)
    assert np.abs(found[1].q - found[0].q).max() > 0.04
