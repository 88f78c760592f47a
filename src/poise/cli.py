"""The command `poise`."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

import poise
from poise.errors import PoiseError

if TYPE_CHECKING:
    from poise.figure import Figure

app = typer.Typer(
    name="poise",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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

    Start with `poise figures` to see what there is to pose.
    """


@app.command()
def warmup() -> None:
    """Compile everything now, so that nothing has to wait for it later.

    Compiled code is kept in your cache directory (POISE_CACHE_DIR names another one) until poise,
    numba or Python changes. A second run shows what it costs to load it from there.
    """
    from poise.warmup import EXERCISES, warm_up

    table = Table("doing", "compiled", "seconds", title="warm-up", title_justify="left")
    table.columns[2].justify = "right"
    total = 0.0
    outcomes = warm_up()
    with Console(stderr=True).status("") as status:
        for exercise in EXERCISES:
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

    In Python they are functions: `poise.human()` builds the first. Coordinates are the numbers that
    make a posture; a joint group counts by its parameters.
    """
    from poise.models import catalogue

    table = Table("name", "coordinates", "segments", "mass (kg)", "what it is")
    for column in table.columns[1:4]:
        column.justify = "right"
    for entry in catalogue():
        figure = entry.build()
        table.add_row(
            entry.name,
            str(figure.n),
            str(len(figure.segments)),
            f"{figure.mass:.1f}",
            entry.description,
        )
    Console().print(table)


@app.command()
def show(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A figure file (.yaml, top key `figure`).")
    ],
) -> None:
    """Say what a file holds: the figure's size, its joints with their limits, its sites.

    Angles are in degrees, lengths in metres. A limit in the table is the box around what the joint
    may do; an ellipse or a polygon may cut corners off it.
    """
    figure = poise.load(file)
    console = Console()
    console.print(
        f"{file.name}: a figure of {figure.n} coordinates, {len(figure.segments)} segments, "
        f"{len(figure.sites)} sites, {figure.mass:.2f} kg",
        markup=False,
    )
    console.print(_joints(figure))
    on: dict[str, list[str]] = {}
    for site in figure.sites.values():
        on.setdefault(site.segment, []).append(site.name)
    if on:
        sites = Table("segment", "sites on it")
        for segment, names in on.items():
            sites.add_row(segment, ", ".join(names))
        console.print(sites)


def _joints(figure: Figure) -> Table:
    """Every joint and joint group with its coordinates and the box around their limits."""
    table = Table("joint", "kind", "moves", "coordinate", "from", "to")
    for column in table.columns[4:]:
        column.justify = "right"
    limits = dict(
        zip(figure.coordinates, zip(figure.lower, figure.upper, strict=True), strict=True)
    )
    of_joints: set[str] = set()
    for joint in figure.joints.values():
        row = [joint.name, joint.kind.kind, f"{joint.child} on {joint.parent}"]
        own = [each for each in joint.coordinates if each in limits]
        of_joints.update(own)
        if not own:
            table.add_row(*row, "" if not joint.coordinates else "by its group")
        for each in own:
            name = each.rpartition(".")[2]
            is_length = (joint.kind.kind, len(name)) == ("free", 1) or joint.kind.kind == "slider"
            table.add_row(*row, name, *(_limit(value, is_length) for value in limits[each]))
            row = ["", "", ""]
    for each in limits:
        if each not in of_joints:
            group, _, name = each.rpartition(".")
            table.add_row(group, "group", "", name, *(_limit(value) for value in limits[each]))
    return table


def _limit(value: float, is_length: bool = False) -> str:
    if math.isinf(value):
        return "–"
    return f"{value:.3f} m" if is_length else f"{math.degrees(value):.1f}°"
