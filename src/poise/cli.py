"""The command `poise`."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

import poise
from poise.errors import PoiseError, unknown_name
from poise.reproductions.command import reproduce

if TYPE_CHECKING:
    from poise.figure import Figure
    from poise.formats import Reading
    from poise.scene import Scene, Solution

app = typer.Typer(
    name="poise",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(reproduce)


def main() -> None:
    """Run the command line; what a caller or a file got wrong ends in one message and status 2."""
    try:
        app()
    except PoiseError as error:
        Console(stderr=True).print(f"poise: {error}", style="red", markup=False, soft_wrap=True)
        sys.exit(2)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"poise {poise.__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """Find postures: joint values that put hands, eyes and feet where they should be.

    Start with `poise pose examples/fly_on_the_beam.yaml`; `poise figures` lists
    what there is to pose.
    """


@app.command()
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
            help="How to solve, rather than as the scene says: lex priority nlp projected pinv dls "
            "transpose ccd partition."
        ),
    ] = None,
    restarts: Annotated[
        int | None, typer.Option(help="Other starts to try when tasks are not met.")
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option(help="Give up after so many seconds.")
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print the answer as JSON: degrees and metres, as in scene files."
        ),
    ] = False,
) -> None:
    r"""Find a posture for a scene, and say how each task came out.

    A scene file names a figure and lists what is wanted of it, the most important first:

    \b
    scene:
      figure: human
      tasks:
        - {frame: left_foot, priority: 1}
        - {frame: right_foot, priority: 1}
        - {balance: {margin: 0.02}, priority: 2}
        - {position: {site: right_hand, target: [0.5, -0.2, 1.4]}, priority: 3}

    Nothing that is less important disturbs what is more so, and no joint
    leaves its limits. Of a task that is not met the report says what is in
    its way.

    The exit status is 0 when all tasks are met, 1 when some are not, 2 for a
    wrong call or file.
    """
    from poise.formats.registry import format_of

    scene = poise.Scene.load(file)
    is_scene = output is not None and output.suffix.lower() in (".yaml", ".yml")
    if output is not None and not is_scene:
        format_of(output, "write")  # a wrong name is better said before the work than after it
    for path in (output, picture):
        if path is not None and not path.absolute().parent.is_dir():
            raise PoiseError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
    with Console(stderr=True).status(f"posing {file.name} …"):
        solution = scene.solve(method, restarts=restarts, max_seconds=max_seconds)
    if as_json:
        print(json.dumps(_answer(scene, solution), ensure_ascii=False, indent=2))
    else:
        _print_report(file, scene, solution)
    console = Console(stderr=as_json)
    if output is not None:
        if is_scene:
            scene.postures = solution.postures
            scene.save(output)
        else:
            for note in poise.export(solution, output):
                console.print(f"note: {note}", markup=False, highlight=False, soft_wrap=True)
        what = "scene" if is_scene else "posture"
        console.print(f"{what}: {output}", markup=False, highlight=False, soft_wrap=True)
    if picture is not None:
        with Console(stderr=True).status(f"drawing {picture.name} …"):
            poise.picture(solution, picture)
        console.print(f"picture: {picture}", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(0 if solution.met else 1)


def _print_report(file: Path, scene: Scene, solution: Solution) -> None:
    """The title, why the solver stopped, and a table of all tasks."""
    console = Console()
    title = scene.description or file.name
    console.print(title, style="bold", markup=False, highlight=False, soft_wrap=True)
    steps = f"{solution.iterations} iterations, {1e3 * solution.seconds:.3g} ms"
    console.print(f"{solution.status}: {steps}", highlight=False, soft_wrap=True)
    if solution.note:
        console.print(solution.note, markup=False, highlight=False, soft_wrap=True)
    if not solution.tasks:
        console.print("no tasks")
        return
    table = _table("priority", "task", "error", "", "in its way")
    table.columns[0].justify = table.columns[2].justify = "right"
    table.columns[2].no_wrap = table.columns[3].no_wrap = True
    for report in solution.tasks:
        table.add_row(
            str(report.priority),
            Text(report.name),
            report.sizes,
            "[green]met[/]" if report.met else "[red]not met[/]",
            Text(report.remarks),
        )
    console.print()
    console.print(table)


def _answer(scene: Scene, solution: Solution) -> dict[str, Any]:
    """What a program wants to know, in the units of files."""
    from poise.scene.files.postures import in_file_units

    return {
        "description": scene.description,
        "status": solution.status,
        "met": solution.met,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "note": solution.note,
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
                "note": report.note,
            }
            for report in solution.tasks
        ],
        "postures": {name: in_file_units(each) for name, each in solution.postures.items()},
    }


@app.command()
def warmup(
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Compile a method other than lex too, or `all` of them; may be given several "
            "times.",
        ),
    ] = None,
) -> None:
    """Compile everything now, so that nothing has to wait for it later.

    That is all but the published methods, which `--method` names. Compiled code is kept in your
    cache directory (POISE_CACHE_DIR names another one) until poise, numba or Python changes. A
    second run shows what it costs to load it from there.
    """
    from poise.warmup import exercises, warm_up

    table = Table("doing", "compiled", "seconds", title="warm-up", title_justify="left")
    table.columns[2].justify = "right"
    total = 0.0
    todo = exercises(method or ())
    outcomes = warm_up(todo)
    with Console(stderr=True).status("") as status:
        for exercise in todo:
            status.update(f"{exercise.label} …")
            outcome = next(outcomes)
            total += outcome.seconds
            names = (f"{kernel.name} {kernel.seconds:.1f} s" for kernel in outcome.compiled)
            table.add_row(outcome.label, "\n".join(names) or "–", f"{outcome.seconds:.2f}")
    table.add_section()
    table.add_row("in all", "", f"{total:.2f}")
    Console().print(table)


@app.command()
def figures() -> None:
    """List the ready figures, with their sizes.

    The first column is what builds each in Python. Coordinates are the numbers that make a posture;
    a joint group counts by its parameters.
    """
    from poise.models import catalogue

    table = _table("in Python", "coordinates", "segments", "mass (kg)", "what it is")
    table.columns[0].no_wrap = True
    for column in table.columns[1:4]:
        column.justify = "right"
    for entry in catalogue():
        figure = entry.build()
        table.add_row(
            entry.call,
            str(figure.n),
            str(len(figure.segments)),
            f"{figure.mass:.1f}",
            entry.description,
        )
    Console().print(table)


ReadOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--read",
        metavar="NAME=VALUE",
        help="How to read it, such as up=z or unit=cm for BVH; may be given several times.",
    ),
]


@app.command()
def show(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A figure or scene file (.yaml), or .bvh .asf .amc .urdf .xml .glb .vrm.",
        ),
    ] = None,
    read: ReadOptions = None,
    schema: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Print the JSON Schema of `figure` or `scene` files instead, for editors.",
        ),
    ] = None,
) -> None:
    """Say what a file holds.

    Of a figure: its size, its joints and how far they go, its sites. A range is how far an angle
    goes by itself while the others rest; together they may not go as far. Couplings hold besides.
    Of a scene: its figures, props and tasks. Angles are in degrees, lengths in metres.
    """
    if schema is not None:
        print(json.dumps(_schema(schema), ensure_ascii=False, indent=2))
    elif file is None:
        raise PoiseError("say which file to show: poise show FILE")
    elif _holds_scene(file):
        _show_scene(file, poise.Scene.load(file))
    else:
        _show_figure(file, _options(read, "--read"))


def _schema(kind: str) -> dict[str, Any]:
    from poise.figure.files import figure_schema
    from poise.scene.files import scene_schema

    schemas = {"figure": figure_schema, "scene": scene_schema}
    if kind not in schemas:
        raise unknown_name("kind of file with a schema", kind, schemas)
    return schemas[kind]()


def _holds_scene(file: Path) -> bool:
    """Whether it is a scene file; what cannot be read is left to those who say why."""
    from poise.documents import read
    from poise.scene.files import SUFFIXES

    if file.suffix.lower() not in SUFFIXES:
        return False
    try:
        data = read(file).data
    except PoiseError:
        return False
    return isinstance(data, dict) and "scene" in data


def _show_scene(file: Path, scene: Scene) -> None:
    from poise.figure.placements import counted

    console = Console()
    head = f"{file.name}: {scene.description or 'a scene'}"
    console.print(head, markup=False, highlight=False, soft_wrap=True)
    console.print()
    table = _table("figure or prop", "what it is")
    for name, figure in scene.given.items():
        table.add_row(name, f"{counted(figure.n, 'coordinate')}, {figure.mass:.2f} kg")
    for name, thing in scene.props.items():
        x, y, z = thing.place.position.tolist()
        where = f"held by {thing.site}" if thing.is_held else f"at ({x:.3g}, {y:.3g}, {z:.3g})"
        table.add_row(name, f"{thing.prop.mass:.3g} kg, {where}")
    console.print(table)
    table = _table("priority", "task", "what it wants")
    table.columns[0].justify = "right"
    for handle in sorted(scene.handles.values(), key=lambda each: each.priority or math.inf):
        about = type(handle.wanted).__name__ + ("" if handle.enabled else ", disabled")
        table.add_row(str(handle.priority or "–"), Text(handle.name), about)
    console.print()
    console.print(table)


def _show_figure(file: Path, options: dict[str, Any]) -> None:
    from poise.figure.placements import counted
    from poise.figure.ranges import described
    from poise.formats import read as read_file

    reading = read_file(file, **options)
    figure = reading.figure
    console = Console()
    _say(
        console,
        f"{file.name}: a figure of {counted(figure.n, 'coordinate')}, "
        f"{counted(len(figure.segments), 'segment')}, {counted(len(figure.sites), 'site')}, "
        f"{figure.mass:.2f} kg",
    )
    for note in reading.notes:
        _say(console, f"note: {note}")
    console.print()
    console.print(_joints(figure))
    if figure.couplings:
        console.print()
        console.print(_couplings(figure))
    on: dict[str, list[str]] = {}
    for site in figure.sites.values():
        on.setdefault(site.segment, []).append(site.name)
    if on:
        sites = _table("segment", "sites on it")
        for segment, names in on.items():
            sites.add_row(segment, ", ".join(names))
        console.print()
        console.print(sites)
    _show_rest(console, reading)
    for name, q in figure.postures.items():
        broken = figure.broken_limits(q, tolerance=1e-6)
        if broken:
            what = f"the posture {name!r} breaks limits: {described(figure, broken)}"
            console.print(what, style="red", markup=False, soft_wrap=True)


def _show_rest(console: Console, reading: Reading) -> None:
    """What a file holds besides its figure."""
    if reading.clips:
        motions = _table("motion", "frames", "per second", "seconds")
        for column in motions.columns[1:]:
            column.justify = "right"
        for name, clip in reading.clips.items():
            motions.add_row(name, str(clip.frames), f"{clip.fps:.6g}", f"{clip.seconds:.2f}")
        console.print()
        console.print(motions)
    postures = dict.fromkeys([*reading.figure.postures, *reading.postures])
    if postures:
        console.print()
        _say(console, f"postures: {', '.join(postures)}")
    if reading.skin is not None:
        console.print()
        _say(console, f"skin: {', '.join(each.name for each in reading.skin.surfaces)}")
    for loop in reading.loops:
        console.print()
        _say(console, f"loop: {loop}")


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="What to read.")],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="What to write: .yaml .bvh .urdf .xml .glb .gltf.")
    ],
    read: ReadOptions = None,
    write: Annotated[
        list[str] | None,
        typer.Option(
            "--write",
            metavar="NAME=VALUE",
            help="How to write it, such as unit=m for BVH; may be given several times.",
        ),
    ] = None,
) -> None:
    """Bring a figure with its motions from one format into another.

    Says what it guessed and what the other format cannot hold. `--read names=auto` gives the parts
    of known skeletons our names.
    """
    from poise.formats import export
    from poise.formats import read as read_file

    reading = read_file(source, **_options(read, "--read"))
    notes = export(reading, target, **_options(write, "--write"))
    console = Console()
    for note in (*reading.notes, *notes):
        _say(console, f"note: {note}")
    _say(console, f"{source.name} is now {target}")


def _options(given: list[str] | None, where: str) -> dict[str, Any]:
    """Options as Python has them: numbers, true and false, words."""
    options: dict[str, Any] = {}
    for each in given or ():
        name, equals, text = each.partition("=")
        if not equals or not name:
            raise PoiseError(f"{where} takes NAME=VALUE, not {each!r}")
        if text.lower() in ("true", "false"):
            options[name] = text.lower() == "true"
            continue
        try:
            options[name] = float(text)
        except ValueError:
            options[name] = text
    return options


def _say(console: Console, what: str) -> None:
    """A line as it is, of any length."""
    console.print(what, markup=False, highlight=False, soft_wrap=True)


def _table(*columns: str) -> Table:
    """A table without vertical lines, in which a long word is folded, never cut."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for each in columns:
        table.add_column(each, overflow="fold")
    return table


def _joints(figure: Figure) -> Table:
    """Every joint and joint group with its angles and how far each goes by itself."""
    from poise.figure import Joint
    from poise.figure.clinical import unit_of
    from poise.figure.naming import driver
    from poise.figure.placements import counted

    table = _table("joint", "what moves", "angle", "from", "to")
    for column in (table.columns[0], *table.columns[2:]):
        column.no_wrap = True
    for column in table.columns[3:]:
        column.justify = "right"
    for part in (*figure.groups.values(), *figure.joints.values()):
        group = driver(figure, part.name) if isinstance(part, Joint) else None
        ranges = {} if group else figure.range(part.name)
        if isinstance(part, Joint):
            moves = f"{part.kind.kind}: {part.child} on {part.parent}"
            moves += f", by {group.name}" if group else ""
        else:
            members = {member.partition(".")[0] for member in part.terms}
            moves = f"group: {counted(len(members), 'joint')}"
        units = [unit_of(part, angle, figure.joints) for angle in ranges]
        ends = list(zip(ranges.values(), units, strict=True))
        table.add_row(
            part.name,
            moves,
            "\n".join(ranges),
            "\n".join(_limit(low, unit) for (low, _), unit in ends),
            "\n".join(_limit(high, unit) for (_, high), unit in ends),
        )
    return table


def _couplings(figure: Figure) -> Table:
    """Every coupling as the law that it is."""
    from poise.figure.clinical import unit_of
    from poise.figure.naming import part_of

    table = _table("coupling", "law")
    for coupling in figure.couplings.values():
        units = {
            unit_of(part_of(figure, name), name.partition(".")[2], figure.joints)
            for name in coupling.terms
        }
        unit = units.pop() if len(units) == 1 else ""
        law = ""
        for name, factor in coupling.terms.items():
            sign = "−" if factor < 0 else "+" if law else ""
            times = "" if abs(factor) == 1 else f"{abs(factor):.4g} "
            law += f" {sign} {times}{name}" if law else f"{sign}{times}{name}"
        if coupling.lower == coupling.upper:
            law += f" = {_limit(coupling.lower, unit)}"
        else:
            if not math.isinf(coupling.lower):
                law = f"{_limit(coupling.lower, unit)} ≤ {law}"
            if not math.isinf(coupling.upper):
                law += f" ≤ {_limit(coupling.upper, unit)}"
        table.add_row(coupling.name, law)
    return table


def _limit(value: float, unit: str) -> str:
    if math.isinf(value):
        return "–"
    if unit == "rad":
        return f"{math.degrees(value) + 0.0:.1f}°"
    return f"{value:.3f} m" if unit == "m" else f"{value:.4g}"
