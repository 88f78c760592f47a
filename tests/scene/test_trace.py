"""`scene.solve(trace=True)`: what each iteration did, and the same result as without."""

from __future__ import annotations

import copy
import pickle
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.backends import backend_agg

import poise
from poise import PoiseError, tasks
from poise.pictures import trace_picture
from poise.scene import Solution, Trace
from poise.scene.options import Options
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


def test_a_search_that_gave_up_keeps_its_lines_though_not_its_posture() -> None:
    scene = arm()  # out of reach
    scene.posture = scene.solve(restarts=0).posture
    solution = scene.solve(trace=True, restarts=0)
    trace = trace_of(solution)
    assert np.allclose(solution.q, scene.posture.q, atol=1e-6)
    assert {each.phase for each in trace} == {"search"}
    assert trace[-1].errors[0] > solution.level_errors[0] + 1e-3


def test_priority_notes_restorations_that_it_does_not_count() -> None:
    scene = reaching()
    scene.natural = False
    solution = scene.solve("priority", trace=True, restarts=0, max_iterations=10)
    trace = trace_of(solution)
    count = sum(each.phase == "restoration" for each in trace)
    assert count > 0
    assert len(trace) == solution.iterations + count


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
    words = "^there is no iteration at -1 of this trace; there are none: nothing was to do$"
    with pytest.raises(PoiseError, match=words) as raised:
        assert trace[-1]
    assert isinstance(raised.value, IndexError)
    assert trace[1:] == ()


def test_an_iteration_that_is_not_there_is_named_with_those_that_are() -> None:
    trace = with_errors(0.1)
    with pytest.raises(PoiseError, match=r"at 2 of this trace; there are from 0 to 1$"):
        assert trace[2]
    assert None not in trace
    assert trace.index(trace[1]) == 1


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


@pytest.mark.parametrize(
    "path", [5, 1.5, b"errors.png", ["errors.png"], "", ".png", "x.png ", "trace.svg"]
)
def test_a_plot_goes_to_a_file_by_name(path: object, solution: Solution) -> None:
    words = (
        f"a picture needs the name of a file that ends in .png, such as 'picture.png', not {path!r}"
    )
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        trace_of(solution).plot(path)  # type: ignore[arg-type]


def test_a_path_that_names_no_picture_is_quoted_as_text(solution: Solution) -> None:
    with pytest.raises(PoiseError, match=r"not 'trace\.svg'$"):
        trace_of(solution).plot(Path("trace.svg"))


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
    with pytest.raises(PoiseError, match=r"^solve_many keeps no trace; scene\.solve\(trace=True\)"):
        arm().solve_many(targets, trace=True)
    with pytest.raises(PoiseError, match=r"^animate keeps no trace; scene\.solve\(trace=True\)"):
        arm().animate(targets, trace=True)


def test_the_options_of_a_scene_keep_no_trace() -> None:
    scene, words = arm(), r"'trace'; scene\.solve\(trace=True\) keeps that of one solve$"
    with pytest.raises(PoiseError, match=rf"^an Options: there is no attribute {words}"):
        scene.options.trace = True  # type: ignore[attr-defined]
    with pytest.raises(PoiseError, match=rf"^Options: there is no argument {words}"):
        scene.options = scene.options.changed(trace=True)
    with pytest.raises(PoiseError, match=rf"^Options: there is no argument {words}"):
        Options(trace=True)  # type: ignore[call-arg]


def test_a_trace_is_cold_whatever_warm_is() -> None:
    scene = arm()
    scene.posture = scene.solve().posture
    scene.handles["tip"].target = (0.3, 0.4, 0.51)
    check_same(scene.solve(trace=True, warm=True), scene.solve(trace=True, warm=False))


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


def with_errors(*errors: float) -> Trace:
    """Two iterations of `dls`, both with these errors (m) of priorities 1, 2, …"""
    rows = np.array([[0.0, -1.0, np.nan, 0.1, *errors]] * 2)
    return Trace("dls", range(1, len(errors) + 1), 1e-4, rows)


@pytest.mark.parametrize("count", [9, 17, 25])
def test_no_two_priorities_are_drawn_alike(count: int) -> None:
    between = [1e-3] * (count - 2)
    one, other = with_errors(0.1, *between, 0.01), with_errors(0.01, *between, 0.1)
    assert (one.plot() != other.plot()).any()


def test_sixty_priorities_fit_in_a_plot() -> None:
    assert with_errors(*[1e-3] * 60).plot().shape == (640, 1000, 3)


@pytest.mark.parametrize("iterations", [1, 2, 3, 30])
def test_iterations_are_counted_in_whole_numbers(
    iterations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvases: list[Any] = []

    class Kept(backend_agg.FigureCanvasAgg):
        def __init__(self, figure: Any) -> None:
            super().__init__(figure)
            canvases.append(self)

    monkeypatch.setattr(backend_agg, "FigureCanvasAgg", Kept)
    Trace("dls", [1], 1e-4, np.full((iterations, 5), 1e-3) * [0, 0, 1, 1, 1]).plot()
    below = canvases[0].figure.axes[1]
    low, high = below.get_xlim()
    ticks = [tick for tick in below.get_xticks() if low <= tick <= high]
    assert ticks
    assert all(tick == round(tick) for tick in ticks)


def test_a_size_in_which_a_plot_does_not_fit_is_refused_without_a_warning(
    solution: Solution,
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(
            PoiseError, match=r"^this plot does not fit in 100 × 50 pixels; give a larger"
        ):
            trace_of(solution).plot(size=(100, 50))


def test_a_plot_that_cannot_be_drawn_is_refused(
    solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = trace_of(solution)
    with pytest.raises(PoiseError, match="the size of a picture"):
        trace.plot(size=(1, 1))
    with pytest.raises(PoiseError, match="is no trace"):
        trace_picture(solution)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PoiseError, match=r"pip install poise\[pictures\]"):
        trace.plot()


def test_the_program_of_the_documentation_runs_on_a_scene_that_is_solved_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "methods.md").read_text(encoding="utf-8")
    program = page.split("## What each iteration did")[1].split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    scene = arm((0.3, 0.0, 0.4))
    exec(program, {"scene": scene})
    assert (tmp_path / "trace.png").exists()
    scene.posture = scene.solve().posture
    exec(program, {"scene": scene})
    assert capsys.readouterr().out.endswith("lex, 0 iterations\n")


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
