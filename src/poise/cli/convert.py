"""`poise convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from poise.cli.printing import ReadOptions, options, say


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

    reading = read_file(source, **options(read, "--read"))
    notes = export(reading, target, **options(write, "--write"))
    console = Console()
    for note in (*reading.notes, *notes):
        say(console, f"note: {note}")
    say(console, f"{source.name} is now {target}")
