"""`poise show`: what a file holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import poise
from poise.cli.printing import ReadOptions, options
from poise.cli.showing_figures import show_figure, show_ready
from poise.cli.showing_scenes import show_scene
from poise.cli.streams import print_json
from poise.errors import PoiseError, unknown_name


def show(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A figure or scene file (.yaml), or .bvh .asf .amc .urdf .xml .glb .vrm; or the "
            "name of a ready figure, such as human.",
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
    """Say what a file holds, or what a ready figure is.

    Of a figure: its size, its joints and how far they go, its sites and where they are at rest. A
    range is how far an angle
    goes by itself while the others rest; together they may not go as far. Couplings hold besides.
    Of a scene: its figures, props and tasks. Angles are in degrees, lengths in metres.
    """
    if schema is not None:
        print_json(_schema(schema))
    elif file is None:
        raise PoiseError("say which file to show: poise show FILE")
    elif _holds_scene(file):
        show_scene(file, poise.Scene.load(file))
    elif not file.suffix and not file.exists():
        show_ready(str(file), options(read, "--read"))
    else:
        show_figure(file, options(read, "--read"))


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
