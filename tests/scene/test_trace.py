"""`scene.solve(trace=True)`: what each iteration did, and the same result as without."""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import poise
from poise import PoiseError, tasks
from poise.pictures import trace_picture
from poise.scene import Solution, Trace
from poise.scene.tracing import MOST
from poise.solvers import METHODS

FAR = (0.2, -0.5, 2.2)


def reaching(hand: tuple[float, float, float] = FAR) -> poise.Scene:
    """A person: feet (priority 1), balance (3), a hand (5), gaze (7)."""
    scene = poise.Scene(poise.human())
    scene.add(tasks.Frame("left_foot"), priority=1)
    scene.add(tasks.Frame("right_foot"), priority=1)
    scene.add(tasks.Balance(margin=0.02), priority=3)
    scene.add(tasks.Position("right_hand", hand), priority=5, name="reach")
    scene.add(tasks.Aim("eyes", (2.0, 0.0, 0.5)), priority=7)
    return scene


def arm(target: tuple[float, float, float] = (0.3, 0.4, 0.5)) -> poise.Scene:
    scene = poise.Scene(poise.chain(6, 0.2, limit=1.5))
    scene.add(tasks.Position("tip", target), priority=1, name="tip")
    return scene


def trace_of(solution: Solution) -> Trace:
    assert solution.trace is not None
    return solution.trace


def check_same(one: Solution, other: Solution) -> None:
    assert one.q.tobytes() == other.q.tobytes()
    assert (one.status, one.iterations) == (other.status, other.iterations)
    assert one.level_errors == other.level_errors


@pytest.fixture(scope="module")
def solution() -> Solution:
    return reaching().solve(trace=True)


def test_every_iteration_of_lex_is_told_by_the_priorities_of_the_scene(solution: Solution) -> None:
    trace = trace_of(solution)
    assert trace.method == "lex"
    assert trace.priorities == (1, 3, 5, 7)
    assert [each.number for each in trace] == list(range(1, solution.iterations + 1))
    assert {each.phase for each in trace} == {"search", "lower", "criteria"}  # the last: natural
    for each in trace:
        assert each.priority in ((5, 7) if each.phase == "lower" else (None,))
        assert each.step > 0
        assert each.radius > 0
    assert trace[-1].errors == pytest.approx(solution.level_errors, abs=1e-9)
    assert len(trace[2:5]) == 3


def test_a_level_that_cannot_be_met_is_lowered_before_those_below_it(solution: Solution) -> None:
    lowered = [each.priority for each in trace_of(solution) if each.phase == "lower"]
    assert lowered == sorted(lowered, key=lambda priority: priority or 0)


@pytest.mark.parametrize("method", METHODS)
def test_the_result_is_that_of_a_cold_solve_to_the_last_bit(method: str) -> None:
    scene = arm()
    traced = scene.solve(method, trace=True)
    check_same(traced, scene.solve(method, warm=False))
    assert trace_of(traced).method == method


def test_a_traced_solve_is_cold_and_leaves_a_loop_of_warm_solves_as_it_is() -> None:
    with_trace, without = reaching((0.5, -0.3, 1.3)), reaching((0.5, -0.3, 1.3))
    for scene in (with_trace, without):
        scene.posture = scene.solve().posture
        scene.handles["reach"].target = (0.5, -0.29, 1.3)
    traced = with_trace.solve(trace=True)
    check_same(with_trace.solve(), without.solve())
    check_same(traced, without.solve(warm=False))


def test_without_trace_there_is_none() -> None:
    assert arm().solve().trace is None
    assert arm().assess().trace is None


def test_of_several_starts_the_trace_is_that_of_the_result() -> None:
    scene = reaching((0.6, -0.3, 2.2))
    scene.natural = False
    solution = scene.solve(trace=True, restarts=4)
    check_same(solution, scene.solve(warm=False, restarts=4))
    assert solution.q.tobytes() != scene.solve(warm=False).q.tobytes()
    trace = trace_of(solution)
    assert len(trace) == solution.iterations
    assert trace[-1].errors == pytest.approx(solution.level_errors, abs=1e-9)


def test_criteria_are_told_as_such_and_have_no_priority() -> None:
    scene = arm()
    scene.add(tasks.MidRange())
    trace = trace_of(scene.solve(trace=True))
    last = trace[-1]
    assert (last.phase, last.priority, len(last.errors)) == ("criteria", None, 1)


def test_a_trace_of_several_figures_has_the_errors_of_all_together() -> None:
    scene = poise.Scene([poise.chain(4, 0.2), poise.chain(4, 0.2)])
    scene.add(tasks.Position("figure_1/tip", (0.3, 0.3, 0.3)), priority=1)
    scene.add(tasks.Position("figure_2/tip", (0.3, 0.3, 0.4)), priority=1)
    solution = scene.solve(trace=True)
    assert trace_of(solution)[-1].errors == pytest.approx(solution.level_errors, abs=1e-9)


def test_a_table_has_a_line_for_each_iteration(solution: Solution) -> None:
    trace = trace_of(solution)
    head, titles, *lines = str(trace).splitlines()
    assert head.startswith(f"lex, {len(trace)} iterations; ")
    assert titles.split()[:5] == ["iteration", "phase", "priority", "radius", "step"]
    assert titles.endswith("error 7")
    assert len(lines) == len(trace)
    assert len({len(line) for line in (titles, *lines)}) == 1
    assert repr(trace) == f"<Trace of lex: {len(trace)} iterations>"


def test_a_trace_that_is_full_says_so() -> None:
    rows = np.zeros((MOST, 5))
    assert str(Trace("dls", [1], 1e-4, rows)).endswith("no more than 10000 iterations are noted")


def test_what_is_solved_at_the_start_has_an_empty_trace() -> None:
    scene = poise.Scene(poise.chain(3))
    scene.add(tasks.Position("tip"), priority=1)
    trace = trace_of(scene.solve(trace=True))
    assert len(trace) == 0
    assert str(trace) == "lex, 0 iterations"
    with pytest.raises(PoiseError, match="nothing to plot: the solve took no iteration"):
        trace.plot()


def test_one_iteration_is_told_as_one() -> None:
    trace = Trace("dls", [1], 1e-4, np.zeros((1, 5)))
    assert repr(trace) == "<Trace of dls: 1 iteration>"
    assert str(trace).startswith("dls, 1 iteration; ")


@pytest.mark.parametrize("method", ["lex", "transpose"])  # of which one has no radius
def test_a_trace_is_equal_to_that_of_the_same_solve(method: str) -> None:
    one, other = (trace_of(arm().solve(method, trace=True)) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one == pickle.loads(pickle.dumps(one))
    assert one != trace_of(arm((0.3, 0.4, 0.4)).solve(method, trace=True))
    assert one != trace_of(arm().solve(method, trace=True, tolerance=1e-3))
    assert one != list(one)


@pytest.mark.parametrize("path", [5, 1.5, b"errors.png", ["errors.png"]])
def test_a_plot_goes_to_a_file_by_name(path: object, solution: Solution) -> None:
    with pytest.raises(PoiseError, match="a picture needs the name of a file that ends in"):
        trace_of(solution).plot(path)  # type: ignore[arg-type]


def test_a_traced_solution_can_be_pickled_and_copied(solution: Solution) -> None:
    for other in (
        pickle.loads(pickle.dumps(solution)),
        copy.deepcopy(solution),
        copy.copy(solution),
    ):
        assert list(trace_of(other)) == list(trace_of(solution))
        assert str(other.trace) == str(solution.trace)


@pytest.mark.parametrize("wrong", [1, 0, None, "yes", np.True_])
def test_what_is_neither_true_nor_false_is_refused(wrong: object) -> None:
    with pytest.raises(PoiseError, match="trace must be True or False, not "):
        arm().solve(trace=wrong)  # type: ignore[arg-type]


def test_many_solves_and_motions_take_no_trace() -> None:
    targets = {"tip": [(0.3, 0.4, 0.5)]}
    with pytest.raises(PoiseError, match="there is no lex option 'trace'"):
        arm().solve_many(targets, trace=True)
    with pytest.raises(PoiseError, match="there is no lex option 'trace'"):
        arm().animate(targets, trace=True)


def test_a_trace_cannot_be_written(solution: Solution) -> None:
    trace = trace_of(solution)
    with pytest.raises(PoiseError, match="read-only"):
        trace.tolerance = 1.0  # type: ignore[misc]
    with pytest.raises(PoiseError, match="read-only"):
        trace[0].step = 1.0  # type: ignore[misc]


def test_a_plot_is_an_image_and_a_file(solution: Solution, tmp_path: Path) -> None:
    path = tmp_path / "trace.png"
    image = trace_of(solution).plot(path, size=(600, 400))
    assert image.shape == (400, 600, 3)
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 50
    assert path.read_bytes()[:4] == b"\x89PNG"


def test_a_plot_that_cannot_be_drawn_is_refused(
    solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = trace_of(solution)
    with pytest.raises(PoiseError, match=r"must end so"):
        trace.plot("trace.svg")
    with pytest.raises(PoiseError, match="the size of a picture"):
        trace.plot(size=(1, 1))
    with pytest.raises(PoiseError, match="is no trace"):
        trace_picture(solution)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PoiseError, match=r"pip install poise\[pictures\]"):
        trace.plot()


def test_the_worked_example_of_the_documentation_is_what_lex_does() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lex.md").read_text(encoding="utf-8")
    printed = page.split("```text\n")[1].split("```")[0].splitlines()[2:]
    phases = [line.split()[1] for line in printed]
    errors = np.array([[float(each) for each in line.split()[-4:]] for line in printed])
    scene = poise.Scene(poise.human(), natural=False)
    for foot in ("left_foot", "right_foot"):
        scene.add(tasks.Frame(foot), priority=1)
    scene.add(tasks.Balance(margin=0.02), priority=2)
    scene.add(tasks.Position("right_hand", (0.2, -0.5, 2.2)), priority=3)
    scene.add(tasks.Aim("eyes", (2.0, 0.0, 0.5)), priority=4)
    trace = scene.solve(trace=True, restarts=0).trace
    assert trace is not None
    # Later steps depend on the last digits of those before.
    first = [phase for phase in phases if phase == "search"][:5]
    assert [each.phase for each in trace][:5] == first
    found = 1e3 * np.array([each.errors for each in trace])
    np.testing.assert_allclose(found[:5], errors[:5], rtol=0.02, atol=0.1)
    np.testing.assert_allclose(found[-1], errors[-1], atol=1.0)
    assert abs(len(trace) - len(printed)) <= 0.3 * len(printed)
