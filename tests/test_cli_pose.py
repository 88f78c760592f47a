"""The command `poise pose`, and what `poise show` says of scenes."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import poise
import poise.models.prior
from poise import Scene, cli, formats
from poise.figure.files import figure_schema
from poise.scene.files import scene_schema

Invoke = Callable[..., Any]

ROOT = Path(__file__).parents[1]

SCENE = """\
scene:
  description: "[bold] reach"
  figure: {ready: chain, arguments: {n: 3, length: 0.3, limit: 90}}
  props:
    ball: {sphere: 0.1, mass: 2, position: [0.5, 0, 0]}
    cup: {cylinder: {radius: 0.04, height: 0.1}, held: tip}
  tasks:
    - {half_space: {site: link_3, target: [0, 0, 0.35], normal: -z}, name: ceiling}
    - {position: {site: tip, target: TARGET}, name: reach}
    - {orientation: tip, enabled: false}
  criteria: [rest]
"""


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch) -> Invoke:
    monkeypatch.setenv("COLUMNS", "120")
    return lambda *arguments: CliRunner().invoke(
        cli.app, list(map(str, arguments)), catch_exceptions=False
    )


@pytest.fixture
def easy(tmp_path: Path) -> Path:
    path = tmp_path / "easy.yaml"
    path.write_text(SCENE.replace("TARGET", "[0.6, 0, 0.3]"), encoding="utf-8")
    return path


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    path = tmp_path / "hard.yaml"
    path.write_text(SCENE.replace("TARGET", "[0.3, 0, 0.8]"), encoding="utf-8")
    return path


def test_a_scene_whose_tasks_are_met_ends_with_status_0(invoke: Invoke, easy: Path) -> None:
    done = invoke("pose", easy)
    assert done.exit_code == 0
    lines = [line.split() for line in done.output.splitlines()]
    assert done.output.startswith("[bold] reach\nsolved: ")
    assert ["1", "ceiling", "0", "mm", "met"] in lines
    assert any(line[:2] == ["2", "reach"] and line[-2:] == ["mm", "met"] for line in lines)


def test_one_that_is_not_met_ends_with_status_1_and_says_why(invoke: Invoke, hard: Path) -> None:
    done = invoke("pose", hard)
    assert done.exit_code == 1
    (line,) = [line for line in done.output.splitlines() if "reach " in line and "mm" in line]
    assert "not met" in line
    assert line.rstrip().endswith("ceiling (priority 1), which comes before it")


def test_a_method_is_chosen_by_name_and_what_it_made_of_priorities_is_said(
    invoke: Invoke, easy: Path
) -> None:
    easy.write_text(
        easy.read_text(encoding="utf-8").replace("name: reach}", "name: reach, priority: 4}"),
        encoding="utf-8",
    )
    note = "nlp knows no priorities: 1 and 4 were solved as one weighted sum"
    done = invoke("pose", easy, "--method", "nlp")
    assert done.exit_code == 0
    assert f"note: {note}" in done.output.splitlines()
    assert json.loads(invoke("pose", easy, "--method", "nlp", "--json").output)["notes"] == [note]
    assert json.loads(invoke("pose", easy, "--json").output)["notes"] == []


def test_a_wrong_file_ends_with_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text("scene:\n  figure: human\n  tasks:\n    - {frame: left_fot}\n")
    monkeypatch.setattr(sys, "argv", ["poise", "pose", str(path)])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert f"{path}, line 4: scene.tasks[0].frame: there is no site, segment or joint" in error
    assert "did you mean 'left_foot'?" in error


def test_a_warning_is_one_line_with_its_place_in_the_file_and_nothing_of_the_library(
    tmp_path: Path,
) -> None:
    path = tmp_path / "far.yaml"
    path.write_text(
        "scene:\n  figure: {ready: chain, arguments: {n: 2}}\n  tasks:\n"
        "    - {position: {site: tip, target: [600, 0, 300]}, name: reach}\n"
    )
    command = [sys.executable, "-W", "always", "-m", "poise", "show", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == (
        f"poise: warning: {path}, line 4: scene.tasks[0].position: the target of 'reach' is 671 m "
        "away from the nearest figure, for lengths are in metres; did you mean millimetres, "
        "(0.6, 0, 0.3)?\n"
    )
    assert "reach" in done.stdout


def test_the_same_warning_is_told_once_and_others_as_python_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def show(*_: Any) -> None:
        warnings.simplefilter("always")
        for text in ("[bold] one", "[bold] one", "two"):
            warnings.warn(text, poise.PoiseWarning, stacklevel=1)
        warnings.warn("old", DeprecationWarning, stacklevel=1)

    monkeypatch.setattr(cli, "app", show)
    with pytest.warns(DeprecationWarning, match="^old$"):
        cli.main()
    assert capsys.readouterr().err == "poise: warning: [bold] one\npoise: warning: two\n"


def test_a_wrong_call_ends_with_status_2(invoke: Invoke) -> None:
    assert invoke("pose").exit_code == 2


def test_the_answer_as_json_has_degrees_and_metres(invoke: Invoke, hard: Path) -> None:
    done = invoke("pose", hard, "--json")
    answer = json.loads(done.stdout)
    solution = Scene.load(hard).solve()
    assert done.exit_code == 1
    assert (answer["met"], answer["status"]) == (False, solution.status)
    ceiling, reach = answer["tasks"]
    assert (ceiling["name"], ceiling["priority"], ceiling["met"]) == ("ceiling", 1, True)
    assert reach["errors"] == [{"value": pytest.approx(solution.tasks[1].error), "unit": "m"}]
    assert reach["blocked_by"] == [{"kind": "task", "name": "ceiling"}]
    angles = answer["postures"]["chain"]
    assert list(angles) == ["joint_1.angle", "joint_2.angle", "joint_3.angle"]
    assert np.deg2rad(list(angles.values())) == pytest.approx(solution.posture.q)


def test_angles_off_are_told_in_degrees(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "turn.yaml"
    path.write_text(
        "scene:\n  figure: {ready: chain, arguments: {n: 1, limit: 10}}\n"
        "  tasks: [{orientation: {site: tip, target: {rotation: [0, 30, 0]}}}]\n"
    )
    (task,) = json.loads(invoke("pose", path, "--json").stdout)["tasks"]
    assert task["errors"] == [{"value": pytest.approx(20.0), "unit": "deg"}]
    assert task["blocked_by"] == [{"kind": "limit", "name": "joint_1.angle"}]


def test_the_posture_found_can_be_kept_as_a_scene(
    invoke: Invoke, easy: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.yaml"
    done = invoke("pose", easy, "-o", out)
    assert done.output.splitlines()[-1] == f"scene: {out}"
    again = Scene.load(out)
    assert again.posture.q == pytest.approx(Scene.load(easy).solve().posture.q, abs=1e-12)
    assert again.solve().met


def test_or_as_a_figure_in_its_posture_in_any_format(
    invoke: Invoke, easy: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.glb"
    done = invoke("pose", easy, "-o", out)
    assert done.output.splitlines()[-1] == f"posture: {out}"
    reading = formats.read(out)
    assert reading.posture is not None
    expected = Scene.load(easy).solve().places["tip"].position
    places = reading.figure.place(reading.posture)
    (tip,) = [name for name in reading.figure.sites if name.split("/")[-1] == "tip"]
    assert places[tip].position == pytest.approx(expected, abs=1e-6)


def test_what_cannot_be_written_is_said_before_anything_is_solved(
    invoke: Invoke, easy: Path
) -> None:
    with pytest.raises(poise.PoiseError, match=r"cannot write 'out\.doc': not \.doc files"):
        invoke("pose", easy, "-o", "out.doc")


def test_options_of_the_call_count_more_than_the_files(invoke: Invoke, hard: Path) -> None:
    with pytest.raises(poise.PoiseError, match="there is no method 'lexx'; did you mean 'lex'"):
        invoke("pose", hard, "--method", "lexx")
    answer = json.loads(invoke("pose", hard, "--json", "--max-seconds", "1e-9").stdout)
    assert answer["status"] in ("time", "stationary")


def test_a_picture_is_drawn_of_the_solution(
    invoke: Invoke, easy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[Any, Path]] = []
    monkeypatch.setitem(vars(poise), "picture", lambda *given: drawn.append(given))  # pyright: ignore[reportUnknownLambdaType]
    done = invoke("pose", easy, "--picture", tmp_path / "easy.png")
    ((solution, path),) = drawn
    assert solution.met
    assert path == tmp_path / "easy.png"
    assert done.output.splitlines()[-1] == f"picture: {path}"


def test_a_scene_without_tasks_says_so(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text("scene: {figure: {ready: chain, arguments: {n: 2}}}\n")
    done = invoke("pose", path)
    assert done.exit_code == 0
    assert done.output.splitlines()[0] == "empty.yaml"
    assert done.output.splitlines()[-1] == "no tasks"


def test_show_tells_what_a_scene_holds(invoke: Invoke, easy: Path) -> None:
    lines = [line.split() for line in invoke("show", easy).output.splitlines()]
    assert lines[0] == ["easy.yaml:", "[bold]", "reach"]
    mass = f"{Scene.load(easy).given['chain'].mass:.2f}"
    assert ["chain", "3", "coordinates,", mass, "kg"] in lines
    assert ["ball", "2", "kg,", "at", "(0.5,", "0,", "0)"] in lines
    assert ["cup", "1", "kg,", "held", "by", "tip"] in lines
    assert ["2", "reach", "position:", "tip", "(0.6,", "0,", "0.3)", "1"] in lines
    assert [
        "1",
        "ceiling",
        *["half", "space:", "link_3,", "normal", "-z", "(0,", "0,", "0.35)", "1"],
    ] in lines
    assert [
        "3",
        "tip",
        *["orientation:", "tip,", "disabled", "rotation", "(0,", "0,", "0)", "1"],
    ] in lines
    assert ["–", "rest", "rest", "1"] in lines


STANDING = """\
scene:
  version: 2
  figure: human
  tasks:
    - {frame: left_foot}
    - {balance: {supports: left_foot}, priority: 1}
"""


def shown_of_persons(invoke: Invoke, path: Path, text: str) -> str:
    """What `poise show` says at its end, of what the scene adds for persons."""
    path.write_text(text)
    return invoke("show", path).output.splitlines()[-1]


def test_show_tells_that_persons_are_natural_and_how_strongly(
    invoke: Invoke, tmp_path: Path
) -> None:
    path = tmp_path / "standing.yaml"
    told = shown_of_persons(invoke, path, STANDING)
    prior = poise.models.prior.prior_of(poise.human())
    assert prior is not None
    stances = ", ".join(each.name for each in prior.stances)
    assert told.startswith("natural: yes, human drawn to postures that people take")
    assert f"({stances}), weight 0.01" in told
    assert told.endswith("; balanced persons also to the middle of their support")
    told = shown_of_persons(invoke, path, STANDING + "  criteria: [{natural: stand}]\n")
    assert told.startswith("natural: yes, by natural among the criteria; balanced persons")
    off = shown_of_persons(invoke, path, STANDING + "  natural: false\n")
    assert off == "natural: no, persons are not drawn to postures that people take"
    added = "  natural: false\n  criteria: [{natural: stand}]\n"
    assert "only by natural" in shown_of_persons(invoke, path, STANDING + added)
    first = shown_of_persons(invoke, path, STANDING.replace("version: 2", "version: 1"))
    assert first == off, "files of version 1 keep the defaults of then"


def test_show_tells_of_figures_that_are_no_persons_nothing_of_people(
    invoke: Invoke, easy: Path
) -> None:
    assert "natural" not in invoke("show", easy).output


@pytest.mark.parametrize(
    ("given", "told"),
    [("", "margin 20 mm"), (", margin: 0", "margin 0 mm"), (", margin: 0.0125", "margin 12.5 mm")],
)
def test_show_tells_margins_in_millimetres_also_where_the_file_gives_none(
    invoke: Invoke, tmp_path: Path, given: str, told: str
) -> None:
    path = tmp_path / "standing.yaml"
    path.write_text(STANDING.replace("supports: left_foot", f"supports: left_foot{given}"))
    assert told in invoke("show", path).output


def test_the_help_shows_a_scene_as_it_is_written(invoke: Invoke) -> None:
    said = invoke("pose", "--help").output
    assert "\b" not in said
    assert "\\b" not in said
    lines = [line.rstrip() for line in said.splitlines()]
    first = lines.index(" scene:")
    assert lines[first + 1 : first + 3] == ["   figure: human", "   tasks:"]


def test_other_starts_are_tried_as_the_option_says(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "far.yaml"
    path.write_text(
        "scene:\n  figure: {ready: chain, arguments: {n: 3, length: 0.3},"
        " posture: {joint_1.angle: 20}}\n"
        "  tasks: [{position: {site: tip, target: [5, 0, 1]}}]\n  solve: {restarts: 2}\n"
    )
    for given, starts in ((), 3), (("--restarts", "auto"), 17), (("--restarts", "4"), 5):
        notes = json.loads(invoke("pose", path, "--json", *given).stdout)["notes"]
        assert notes[0].startswith(f"not found from {starts} starts")
    assert json.loads(invoke("pose", path, "--json", "--restarts", "0").stdout)["notes"] == []


@pytest.mark.parametrize("value", ["often", "-1", "1.5"])
def test_wrong_numbers_of_other_starts_are_refused(invoke: Invoke, easy: Path, value: str) -> None:
    with pytest.raises(poise.PoiseError, match='must be "auto" or an integer from 0'):
        invoke("pose", easy, f"--restarts={value}")


def test_a_start_outside_limits_is_told(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "bent.yaml"
    path.write_text(
        "scene:\n  version: 2\n  figure: {ready: chain, arguments: {n: 2, limit: 90},"
        " posture: {joint_2.angle: 130}}\n  tasks: [{position: tip}]\n"
    )
    told = "the start broke limits and was brought within them: joint_2.angle by 0.698 rad (40.0°)"
    assert f"note: {told}" in invoke("pose", path).output.splitlines()
    alone = invoke("pose", path, "--json", "--restarts", 0)
    assert json.loads(alone.stdout)["notes"] == [told]
    both = json.loads(invoke("pose", path, "--json").stdout)["notes"]
    assert both == [told, "not found from 17 starts"]


def test_what_can_only_be_seen_when_all_is_there_is_said_with_its_line(
    invoke: Invoke, tmp_path: Path
) -> None:
    path = tmp_path / "floating.yaml"
    path.write_text(
        "scene:\n  figure: human\n  tasks:\n    - position: right_hand\n    - balance\n"
    )
    with pytest.raises(poise.PoiseError) as caught:
        invoke("pose", path)
    assert str(caught.value).startswith(
        f"{path}, line 5: scene.tasks[1].balance: Balance has nothing to stand on: hold a site"
    )


def test_a_goal_too_far_is_called_so(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "far.yaml"
    path.write_text(
        "scene:\n  figure: {ready: chain, arguments: {n: 4, length: 0.25},"
        " posture: {joint_1.angle: 5}}\n"
        "  tasks: [{position: {site: tip, target: [20, 0, 0]}, name: reach}]\n"
    )
    assert "out of reach by 19 m, with nothing in its way" in invoke("pose", path).output
    (task,) = json.loads(invoke("pose", path, "--json").stdout)["tasks"]
    assert (task["out_of_reach"], task["blocked_by"]) == (True, [])


@pytest.mark.parametrize(("kind", "schema"), [("figure", figure_schema), ("scene", scene_schema)])
def test_show_prints_the_schemas(invoke: Invoke, kind: str, schema: Callable[[], Any]) -> None:
    assert json.loads(invoke("show", "--schema", kind).stdout) == schema()


def test_show_needs_a_file_or_a_known_schema(invoke: Invoke) -> None:
    with pytest.raises(poise.PoiseError, match="say which file to show"):
        invoke("show")
    with pytest.raises(poise.PoiseError, match="did you mean 'scene'"):
        invoke("show", "--schema", "sceen")


def test_make_pose_runs_the_example_that_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert (
        "poise pose examples/fly_on_the_beam.yaml --picture build/fly_on_the_beam.png" in makefile
    )
    assert (ROOT / "examples" / "fly_on_the_beam.yaml").exists()


TABLE = """scene:
  version: 2
  figure: human
  avoid: {avoid}
  props:
    table: {{box: [0.8, 1.2, 0.04], position: [0.65, 0, 0.75]}}
  tasks:
    - frame: left_foot
    - frame: right_foot
    - balance
    - position: {{site: right_hand, target: [0.45, -0.2, 0.62]}}
"""


def test_bodies_inside_each_other_are_told_and_kept_apart_where_asked(
    invoke: Invoke, tmp_path: Path
) -> None:
    path = tmp_path / "table.yaml"
    path.write_text(TABLE.format(avoid="false"))
    notes = [each for each in invoke("pose", path).output.splitlines() if "inside" in each]
    assert notes[0].startswith("note: right_forearm is ")
    assert " mm inside table" in notes[0]
    assert notes[-1].endswith("avoid: true in the scene keeps bodies apart")
    path.write_text(TABLE.format(avoid="true"))
    said = invoke("pose", path).output
    assert "inside" not in said
    assert "avoid_self" in said
    again = poise.Scene.load(path)
    assert {"avoid", "avoid_self"} <= set(again.handles)
    assert {each.priority for name, each in again.handles.items() if "avoid" in name} == {1}
