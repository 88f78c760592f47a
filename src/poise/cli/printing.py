"""What the commands share: lines, tables, and options of formats."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from poise.errors import PoiseError

ReadOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--read",
        metavar="NAME=VALUE",
        help="How to read it, such as up=z or unit=cm for BVH; may be given several times.",
    ),
]


def options(given: list[str] | None, where: str) -> dict[str, Any]:
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


def say(console: Console, what: str) -> None:
    """A line as it is, of any length."""
    console.print(what, markup=False, highlight=False, soft_wrap=True)


def table(*columns: str) -> Table:
    """A table without vertical lines, in which a long word is folded, never cut."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for each in columns:
        table.add_column(each, overflow="fold")
    return table
