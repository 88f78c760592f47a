"""`poise pose`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

import poise
from poise.cli.printing import say
from poise.cli.printing import table as new_table
from poise.cli.streams import flush, print_json
from poise.errors import WriteError

if TYPE_CHECKING:
    from poise.scene import Scene, Solution

DEEP = 0.005
"""Bodies that are deeper inside each other (m) are told: shapes of a body are no finer."""
MOST_TOLD = 3
"""So many pairs of bodies are named."""

POSE_HELP = """\
Find a posture for a scene, and say how each task came out.

A scene file names a figure and lists what is wanted of it, the most important first:

\b
scene:
  figure: human
  tasks:
    - {frame: left_foot, priority: 1}
    - {frame: right_foot, priority: 1}
    - {balance: {margin: 0.02}, priority: 2}
    - {position: {site: right_hand, target: [0.5, -0.2, 1.4]}, priority: 3}

Nothing that is less important disturbs what is more so, and no joint leaves its limits. Of a task
that is not met the report says what is in its way.

The exit status is 0 when all tasks are met, 1 when some are not, 2 for a wrong call or file, 3
when the output could not be written.
"""


def pose(
    file: Annotated[
        Path, typer.Argument(metavar="SCENE", help="A scene file (.yaml, top key `scene`).")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="Write what was found: a scene file (.yaml) to go on from, or the figures in "
            "their posture (.glb .gltf .bvh .xml .urdf).",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="PNG", help="Draw the posture, the goals and what is missing."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            help="How to solve, rather than as the scene says: lex priority nlp projected lp "
            "lagrange pinv dls transpose ccd partition."
        ),
    ] = None,
    restarts: Annotated[
        str | None,
        typer.Option(
            metavar="auto|K",
            help="Other starts to try when tasks are not met, rather than as the scene says: auto "
            "for sixteen that end early, 0 for none, or how many.",
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(help="Give up after so many seconds; inf for never, whatever the scene says."),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print the answer as JSON: degrees and metres, as in scene files."
        ),
    ] = False,
) -> None:
    """Find a posture for a scene, and say how each task came out."""
    from poise.documents import check_folder
    from poise.formats.registry import format_of
    from poise.pictures.panels import checked_path

    scene = poise.Scene.load(file)
    is_scene = output is not None and output.suffix.lower() in (".yaml", ".yml")
    if output is not None and not is_scene:
        format_of(output, "write")  # a wrong name is better said before the work than after it
    if output is not None:
        check_folder(output)
    if picture is not None:
        checked_path(picture)
    with Console(stderr=True).status(f"posing {file.name} …"):
        is_count = restarts is not None and restarts.removeprefix("-").isdecimal()
        others: Any = int(restarts or 0) if is_count else restarts
        solution = scene.solve(method, restarts=others, max_seconds=max_seconds)
    unwritten: WriteError | None = None
    try:
        if as_json:
            print_json(_answer(scene, solution))
        else:
            _print_report(file, scene, solution)
        flush()
    except WriteError as error:  # files are written all the same
        unwritten = error
    console = Console(stderr=as_json)
    if output is not None:
        if is_scene:
            scene.postures = solution.postures
            scene.save(output)
        else:
            for note in poise.export(solution, output):
                say(console, f"note: {note}")
        what = "scene" if is_scene else "posture"
        say(console, f"{what}: {output}")
    if picture is not None:
        with Console(stderr=True).status(f"drawing {picture.name} …"):
            poise.picture(solution, picture)
        say(console, f"picture: {picture}")
    if unwritten is not None:
        raise unwritten
    raise typer.Exit(0 if solution.met else 1)


def _print_report(file: Path, scene: Scene, solution: Solution) -> None:
    """The title, why the solver stopped, and a table of all tasks."""
    from poise.tasks.task import digits

    console = Console()
    title = scene.description or file.name
    console.print(title, style="bold", markup=False, highlight=False, soft_wrap=True)
    time = f"{digits(1e3 * solution.seconds)} ms"
    say(console, f"{solution.status}: {solution.iterations} iterations, {time}")
    for note in (*solution.notes, *_inside(scene, solution)):
        say(console, f"note: {note}")
    if not solution.tasks:
        console.print("no tasks")
        return
    stopped = any(report.remarks for report in solution.tasks)
    table = new_table("priority", "task", "error", "", *(["in its way"] if stopped else []))
    table.columns[0].justify = table.columns[2].justify = "right"
    table.columns[2].no_wrap = table.columns[3].no_wrap = True
    for report in solution.tasks:
        table.add_row(
            str(report.priority),
            Text(report.name),
            report.sizes,
            "[green]met[/]" if report.met else "[red]not met[/]",
            *([Text(report.remarks)] if stopped else []),
        )
    console.print()
    console.print(table)


def _inside(scene: Scene, solution: Solution) -> list[str]:
    """Notes on bodies that are inside each other, the deepest first."""
    from poise.figure.collision import FLOOR

    deep = [each for each in solution.contacts() if each.depth > DEEP]
    if not any(figure.root_coordinates.any() for figure in scene.figures.values()):
        deep = [each for each in deep if each.second != FLOOR]  # hung up: it knows of no floor
    told = [str(each) for each in deep[:MOST_TOLD]]
    if more := len(deep) - len(told):
        pairs = "1 more pair of bodies is" if more == 1 else f"{more} more pairs of bodies are"
        told.append(f"{pairs} inside each other")
    avoids = any(type(task).__name__.startswith("Avoid") for task in solution.wanted.values())
    if told and not avoids:
        told[-1] += "; avoid: true in the scene keeps bodies apart"
    return told


def _answer(scene: Scene, solution: Solution) -> dict[str, Any]:
    """What a program wants to know, in the units of files."""
    from poise.scene.files.postures import in_file_units

    return {
        "description": scene.description,
        "status": solution.status,
        "met": solution.met,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "notes": list(solution.notes),
        "tasks": [
            {
                "name": report.name,
                "priority": report.priority,
                "met": report.met,
                "errors": [
                    {"value": math.degrees(error.value), "unit": "deg"}
                    if error.unit == "rad"
                    else {"value": error.value, "unit": error.unit}
                    for error in report.errors
                ],
                "blocked_by": [
                    {"kind": blocker.kind, "name": blocker.name} for blocker in report.blockers
                ],
                "out_of_reach": report.out_of_reach,
                "note": report.note,
            }
            for report in solution.tasks
        ],
        "postures": {name: in_file_units(each) for name, each in solution.postures.items()},
    }
