"""Other starts: where they begin, when they are tried, and which result is kept."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import poise
from poise import PoiseError, Scene
from poise.figure import Coupling, Figure
from poise.scene import restarts
from poise.scene.options import Options
from poise.scene.restarts import FEW, SHORT
from poise.scene.solving import prepare
from poise.scene.starts import Starts
from poise.scene.threads import cores
from poise.solvers import lex
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem
from poise.solvers.ranking import lexicographically_best
from poise.tasks import Balance, Frame, Position, Rest

Values = NDArray[np.float64]

ON_ITS_LINE = (0.4, 0.0, 0.0)
"""Stretched out and asked to reach a point on its own line, a chain of hinges has no slope."""
FAR = (9.0, 0.0, 0.0)
LOW = (0.4, 0.2, 0.1)
"""For the left hand, and its mirror image for the right."""


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many iterations each solve by lex was allowed, in order."""
    result: list[int] = []
    solve = lex.solve

    def counted(*args: Any, **ending: Any) -> Outcome:
        result.append(ending["max_iterations"])
        return solve(*args, **ending)

    monkeypatch.setattr(lex, "solve", counted)
    return result


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """From rest lex comes to nothing, however good it gets; from elsewhere it is as it is."""
    solve = lex.solve

    def at_rest(problem: Problem, start: Values, **ending: Any) -> Outcome:
        if start.tolist() != problem.figure.rest().q.tolist():
            return solve(problem, start, **ending)
        ending["max_iterations"] = 0
        return solve(problem, start, **ending)._replace(status="stationary", iterations=7)

    monkeypatch.setattr(lex, "solve", at_rest)


def on_threads(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(restarts, "cores", lambda: count)


def on_its_line(figure: Figure) -> Scene:
    scene = Scene(figure)
    scene.add(Position("tip", ON_ITS_LINE), name="reach")
    return scene


def standing(figure: Figure) -> Scene:
    scene = Scene(figure)
    scene.add(Frame("left_foot"), priority=1)
    scene.add(Frame("right_foot"), priority=1)
    scene.add(Balance(margin=0.02), priority=2)
    return scene


def low(figure: Figure, place: tuple[float, float, float] = LOW) -> Scene:
    scene, (x, y, z) = standing(figure), place
    scene.add(Position("left_hand", (x, y, z)), priority=3, name="left")
    scene.add(Position("right_hand", (x, -y, z)), priority=3, name="right")
    return scene


# where they begin ---------------------------------------------------------------------------


def starts_of(scene: Scene) -> Starts:
    prepared = prepare(scene)
    return Starts(prepared.problem, prepared.start, prepared.ensemble.parts)


def test_other_starts_are_valid_always_the_same_and_leave_locked_joints_alone(
    person: Figure,
) -> None:
    scene = standing(person)
    person.lock("left_knee")
    try:
        start = prepare(scene).start
        found = [starts_of(scene)[i] for i in range(10)]
        others = starts_of(scene)
        again = {i: others[i] for i in (5, 0, 9, 3, 7, 1, 4, 8, 2, 6)}
    finally:
        person.unlock()
    knee = person.span("left_knee")
    for i, (name, q) in enumerate(found):
        assert person.within_limits(q)
        assert (name, q.tolist()) == (again[i].name, again[i].q.tolist())
        assert q[knee].tolist() == start[knee].tolist()
        assert np.abs(q - start).max() > 0.1


def test_a_person_begins_in_postures_of_people_then_in_mid_range_then_anywhere(
    person: Figure,
) -> None:
    starts = starts_of(standing(person))
    assert [starts[i].name for i in range(9)] == [
        "knees bent",
        "squatting",
        "sitting",
        "kneeling",
        "a stride",
        "an arm up",
        "the middle of all ranges",
        "sample 1",
        "sample 2",
    ]
    knees = [float(person.posture(starts[i].q).angles("left_knee")["flexion"]) for i in range(2)]
    assert 0.5 < knees[0] < knees[1]


def test_a_persons_starts_are_where_the_person_stands_and_heads(person: Figure) -> None:
    scene = Scene(person)
    scene.stand(person.name, (2.0, -1.0, 0.5), np.deg2rad(70.0))
    scene.add(Position("right_hand", (2.0, -1.0, 1.0)))
    scene.add(Position("left_foot"))
    scene.add(Position("right_foot"))
    before = scene.places
    middle = 0.5 * (before["left_ankle"].position + before["right_ankle"].position)
    for i in range(6):
        name, q = starts_of(scene)[i]
        after = person.place(q)
        feet = 0.5 * (after["left_ankle"].position + after["right_ankle"].position)
        assert feet[:2] == pytest.approx(middle[:2], abs=0.03), name
        lowest = min(after[each].position[2] for each in ("left_foot", "right_foot"))
        assert lowest == pytest.approx(0.5, abs=0.1), name
        forward = after["pelvis"].rotation[:, 0]
        heading = np.rad2deg(np.arctan2(forward[1], forward[0]))
        assert heading == pytest.approx(70.0, abs=12.0), name


def test_a_person_whose_root_is_fixed_takes_the_angles_and_stays() -> None:
    figure = poise.human(root="fixed")
    scene = Scene(figure)
    scene.add(Position("right_foot", (0.3, -0.1, 0.5)))
    name, q = starts_of(scene)[1]
    assert name == "squatting"
    assert figure.posture(q).angles("right_knee")["flexion"] > 1.0
    here, there = scene.places["pelvis"], figure.place(q)["pelvis"]
    assert here.position.tolist() == there.position.tolist()


def test_what_no_task_depends_on_stays_as_it_is(person: Figure) -> None:
    scene = Scene(person)
    posture = person.rest()
    posture.set_angles("left_elbow", flexion=np.deg2rad(77.0))
    scene.posture = posture
    scene.add(Position("right_hand", (0.4, -0.2, 0.1)))
    arm = [person.span(name) for name in ("left_elbow", "left_shoulder_complex", "left_hip")]
    for i in range(FEW):
        q = starts_of(scene)[i].q
        assert all(q[span].tolist() == posture.q[span].tolist() for span in arm)


def test_coordinates_that_are_coupled_to_what_a_task_depends_on_come_along() -> None:
    chain, even = poise.chain(3, 0.3), {"joint_1.angle": 1.0, "joint_3.angle": -1.0}
    figure = Figure(
        "coupled",
        list(chain.segments.values()),
        list(chain.joints.values()),
        couplings=[Coupling("even", even, lower=0.0, upper=0.0)],
    )
    scene = Scene(figure)
    scene.add(Position("link_2", (0.2, 0.0, 0.3)))  # on which the last joint has no effect
    for i in range(1, 5):
        q = starts_of(scene)[i].q
        assert q[0] == pytest.approx(q[2])
        assert np.abs(q[:2]).max() > 0.05


def test_of_several_figures_each_takes_its_own_start(person: Figure, stuck: None) -> None:
    scene = Scene({"anna": person, "robot": poise.chain(4, 0.25)})
    scene.add(Position("anna/right_hand", (0.4, -0.2, 0.1)))
    scene.add(Position("robot/tip", ON_ITS_LINE))
    starts = starts_of(scene)
    assert starts[0].name == "anna knees bent, robot the middle of all ranges"
    assert starts[1].name == "anna squatting, robot sample 1"
    alone = Scene(person)
    alone.add(Position("right_hand", (0.4, -0.2, 0.1)))
    assert starts[1].q[: person.n].tolist() == starts_of(alone)[1].q.tolist()
    assert np.abs(starts[1].q[person.n :]).max() > 0.1
    assert not scene.solve(restarts=0).met
    solution = scene.solve(warm=False)
    assert solution.met
    assert solution.notes[0].startswith("found from another start: anna ")


# when they are tried ------------------------------------------------------------------------


def test_nothing_extra_is_solved_where_the_first_start_meets_all(
    arm: Figure, limits: list[int]
) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.add(Position("tip", (0.5, 0.0, 0.4)))
    solution = scene.solve()
    assert limits == [200]
    assert solution.notes == ()
    assert scene.solve(restarts=3).q.tolist() == scene.solve(restarts=0).q.tolist()


def test_out_of_reach_as_many_are_solved_as_there_are_starts(
    arm: Figure, limits: list[int]
) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.add(Position("tip", FAR))
    solution = scene.solve()
    assert limits == [200] + [SHORT] * FEW
    assert solution.tasks[0].starts == FEW + 1
    del limits[:]
    scene.solve(restarts=3, max_iterations=100, warm=False)
    assert limits == [100] * 4
    del limits[:]
    scene.solve(restarts=0, warm=False)
    assert limits == [200]


def test_a_solve_that_is_cut_after_a_few_iterations_tries_no_others(
    arm: Figure, limits: list[int]
) -> None:
    scene = Scene(arm)
    scene.posture = [0.2, -0.3, 0.4, 0.3]
    scene.add(Position("tip", (-0.4, 0.0, 0.4)))
    assert not scene.solve(max_iterations=1).met
    assert limits == [1]


def test_a_loop_that_leaves_reach_tries_no_others_and_says_so(
    person: Figure, limits: list[int]
) -> None:
    scene = standing(person)
    reach = scene.add(Position("right_hand", (0.5, -0.3, 1.3)), priority=3, name="reach")
    solution = scene.solve()
    scene.posture = solution.posture
    told: list[str] = []
    for x in np.arange(0.5, 1.2, 0.02):
        reach.target = (x, -0.3, 1.3)
        solution = scene.solve()
        told += solution.notes
        scene.posture = solution.posture
    assert not solution.met
    assert SHORT not in limits
    assert told
    assert all("other starts were not tried, as this goes on" in each for each in told)
    assert "not found from" not in str(solution)
    assert "not found from 17 starts" in str(scene.solve(warm=False))


def test_after_another_start_was_kept_a_loop_goes_on_from_there(
    arm: Figure, stuck: None, limits: list[int]
) -> None:
    scene = on_its_line(arm)
    first = scene.solve()
    assert first.notes
    scene.posture = first.posture
    scene.handles["reach"].target = (0.401, 0.0, 0.0)
    del limits[:]
    assert scene.solve().met
    assert limits == [200]


def test_animations_and_their_first_frames_try_none(
    arm: Figure, stuck: None, limits: list[int]
) -> None:
    scene = on_its_line(arm)
    moves = scene.animate({"reach": [ON_ITS_LINE, FAR, FAR]})
    assert not moves.solutions.met.any()
    assert SHORT not in limits
    (note,) = moves.notes
    assert note.startswith("frame 0 and 2 more do not meet every task; other starts were not tried")
    scene.options = Options(restarts=0)
    assert scene.animate({"reach": [ON_ITS_LINE]}).notes == ()


def test_where_nothing_may_move_there_is_nothing_to_try(arm: Figure, limits: list[int]) -> None:
    scene = on_its_line(arm)
    arm.lock(*arm.joints)
    assert not scene.solve().met
    assert limits == [200]


def test_no_other_start_is_made_when_the_time_is_up(
    arm: Figure, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(arm)
    scene.add(Position("tip", FAR))
    made: list[float] = []
    ready = Starts.__getitem__
    clock = [0.0]

    def start(self: Starts, i: int) -> Any:
        clock[0] += 1.0  # a second each
        made.append(clock[0])
        return ready(self, i)

    monkeypatch.setattr(Starts, "__getitem__", start)
    monkeypatch.setattr(restarts, "perf_counter", lambda: clock[0])
    scene.solve(restarts=200, max_seconds=5.0)
    assert 1 <= len(made) <= 5 + cores()
    del made[:]
    solution = scene.solve(max_seconds=3.0, warm=False)
    assert 1 <= len(made) <= 3 + cores()
    assert solution.tasks[0].starts <= 1 + len(made)


# what is kept -------------------------------------------------------------------------------


def test_the_best_outcome_is_that_with_the_smallest_first_level_that_differs(arm: Figure) -> None:
    scene = Scene(arm)
    scene.add(Position("tip", axes="x"), priority=1)
    scene.add(Position("tip", axes="z"), priority=2)
    problem = scene._problem()
    outcomes = [
        Outcome(np.zeros(4), "stationary", i, 0.0, np.array(rows), 0.0)
        for i, rows in enumerate(
            [[0.2, 0.0], [0.1, 0.9], [-0.1 - 1e-6, 0.5], [0.1, 0.5 - 1e-6], [0.3, 0.0]]
        )
    ]
    assert lexicographically_best(problem, outcomes, 1e-4) is outcomes[2]


def test_of_outcomes_that_come_as_near_the_criteria_choose(arm: Figure) -> None:
    scene = Scene(arm)
    scene.add(Position("tip", FAR))
    scene.add(Rest(arm.posture([0.1, 0.1, 0.1, 0.1])))
    problem, rows = scene._problem(), np.array([8.0, 0.0, 0.0])
    postures = ([0.3, 0.0, 0.0, 0.0], [0.1, 0.1, 0.1, 0.0], [0.0, 0.0, 0.0, 0.0])
    outcomes = [Outcome(np.array(q), "stationary", 0, 0.0, rows, 0.0) for q in postures]
    assert lexicographically_best(problem, outcomes, 1e-4) is outcomes[1]


@pytest.mark.parametrize("others", ["auto", 4])
def test_restarts_find_a_way_that_the_first_start_cannot(
    arm: Figure, others: Any, stuck: None
) -> None:
    scene = on_its_line(arm)
    assert not scene.solve(restarts=0).met
    solutions = [scene.solve(restarts=others, warm=False) for _ in range(2)]
    assert all(solution.met for solution in solutions)
    assert solutions[0].posture.q.tolist() == solutions[1].posture.q.tolist()


@pytest.mark.parametrize("place", [LOW, (3.0, 0.2, 1.0)])
def test_one_thread_and_two_give_the_same_bits(
    person: Figure, stuck: None, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = low(person, place)
    found: list[tuple[Any, ...]] = []
    for threads in (1, 2, 5):
        on_threads(monkeypatch, threads)
        solution = scene.solve(warm=False)
        found.append((solution.q.tolist(), solution.notes, solution.iterations))
    assert found[0] == found[1] == found[2]
    assert found[0][1]
    many = scene.solve_many({"left": [(place)]})
    assert many.q[0].tolist() == found[0][0]
    assert many[0].notes == found[0][1]


def test_out_of_reach_the_first_posture_is_left_only_for_a_gain(person: Figure) -> None:
    scene = standing(person)
    scene.add(Position("right_hand", (3.0, -0.2, 1.2)), priority=3)
    alone, solution = scene.solve(restarts=0, warm=False), scene.solve(warm=False)
    gain = alone.level_errors[-1] - solution.level_errors[-1]
    assert gain == 0.0 or gain > 0.01 * alone.level_errors[-1]
    best = scene.solve(restarts=8, warm=False)
    assert best.level_errors[-1] <= solution.level_errors[-1] + 1e-5


def test_what_is_locked_and_what_tasks_may_not_move_stays(person: Figure) -> None:
    scene = standing(person)
    person.lock("spine")
    try:
        scene.add(
            Position("right_hand", (0.5, -0.2, 0.3)), priority=3, name="reach", joints=["neck"]
        )
        scene.handles["left_foot"].joints = scene.handles["right_foot"].joints = ["left_hip"]
        scene.handles["balance"].joints = ["left_hip"]
        before = scene.q
        solution = scene.solve()
    finally:
        person.unlock()
    assert not solution.met
    moved = np.flatnonzero(solution.q != before)
    allowed = {*range(person.n)[person.span("left_hip")], *range(person.n)[person.span("neck")]}
    assert set(moved.tolist()) <= allowed


# what is said -------------------------------------------------------------------------------


def test_the_report_says_from_where_it_was_found(person: Figure, stuck: None) -> None:
    solution = low(person).solve()
    assert solution.met
    assert solution.notes == ("found from another start: knees bent (1 of 16 tried)",)
    assert str(solution).endswith("note: found from another start: knees bent (1 of 16 tried)")
    assert not any(report.remarks for report in solution.tasks)


def test_what_is_not_found_is_said_before_anything_is_blamed(person: Figure) -> None:
    solution = low(person, (3.0, 0.2, 1.0)).solve()
    left = solution.tasks["left"]
    assert left.blocked_by
    assert left.remarks.startswith("not found from 17 starts; ")
    assert solution.notes[0].startswith("not found from 17 starts")
    assert not solution.tasks["left_foot"].remarks
    alone = low(person, (3.0, 0.2, 1.0)).solve(restarts=0)
    assert "not found" not in str(alone)


# files and figures --------------------------------------------------------------------------


def test_files_keep_a_number_and_say_nothing_of_auto(arm: Figure, tmp_path: Path) -> None:
    scene = on_its_line(arm)
    path = tmp_path / "scene.yaml"
    for value, written in (("auto", False), (0, True), (12, True)):
        scene.options = Options(restarts=value)  # type: ignore[arg-type]
        scene.save(path)
        assert ("restarts" in path.read_text(encoding="utf-8")) == written
        assert Scene.load(path).options.restarts == value
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("restarts: 12", "restarts: auto"), encoding="utf-8")
    assert Scene.load(path).options.restarts == "auto"
    for wrong in ("often", "-1", "1.5", "true"):
        path.write_text(text.replace("restarts: 12", f"restarts: {wrong}"), encoding="utf-8")
        with pytest.raises(PoiseError, match="must be auto, or a whole number, at least 0"):
            Scene.load(path)


@pytest.mark.parametrize(("stature", "sex"), [(1.75, "male"), (1.5, "female")])
def test_what_32_starts_find_low_for_both_hands_is_found_by_default(
    stature: float, sex: Any
) -> None:
    scene = low(poise.human(stature=stature, sex=sex))
    missed = 0
    for x, y, z in product((0.2, 0.4, 0.6), (0.12, 0.3), (0.05, 0.25, 0.5)):
        scene.handles["left"].target, scene.handles["right"].target = (x, y, z), (x, -y, z)
        if not scene.solve(warm=False).met:
            missed += scene.solve(restarts=32, warm=False).met
    assert missed == 0


@pytest.mark.parametrize(
    ("file", "least"),
    [("unitree_g1/g1.xml", 0.9), ("franka_emika_panda/panda.xml", 0.85)],
)
@pytest.mark.filterwarnings("ignore::poise.PoiseWarning")
def test_robots_find_most_of_what_they_can_reach(data: Path, file: str, least: float) -> None:
    path = data / "robots" / "menagerie" / file
    if not path.exists():
        pytest.skip(f"needs {path}")
    figure, rng = poise.load(path), np.random.default_rng(12)
    names = [each for each in figure.segments if each not in ("pelvis", "link0")]
    met: list[list[bool]] = []
    for _ in range(60):
        boxed = np.isfinite(figure.lower) & np.isfinite(figure.upper)
        low_, high = np.where(boxed, figure.lower, -0.2), np.where(boxed, figure.upper, 0.2)
        places = figure.place(figure.clamp(rng.uniform(low_, high)))
        scene = Scene(figure)
        for name in rng.choice(names, 3, replace=False).tolist():
            scene.add(Position(name, places[name].position))
        met.append([scene.solve(restarts=0, warm=False).met, scene.solve(warm=False).met])
    alone, all_ = np.mean(met, axis=0)
    assert all_ >= max(least, alone)
