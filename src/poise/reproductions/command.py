"""The command `poise reproduce`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from poise.errors import PoiseError
from poise.reproductions.claims import Reproduction, Result

_FOLDER = Path("reproductions")


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The example; without it, all are listed.")
    ] = None,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FOLDER", help="Where pictures and results go."),
    ] = _FOLDER,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Run an example of the papers, and compare what they claim with what comes out.

    Each claim is printed with the published number, the one found here, and
    whether the claim holds. Pictures, plots and the table itself (NAME.json)
    are written to the folder. Without a name all examples are listed with
    what the folder knows of them.

    The exit status is 0 when all claims hold, 1 when one does not, 2 for a
    wrong call.
    """
    from poise.reproductions.keeping import answer, keep, kept
    from poise.reproductions.registry import REPRODUCTIONS, reproduction

    if name is None:
        known = {each: kept(example, output) for each, example in REPRODUCTIONS.items()}
        if as_json:
            print(json.dumps([_entry(each, known) for each in REPRODUCTIONS.values()], indent=2))
        else:
            _print_list(REPRODUCTIONS, known)
        return
    example = reproduction(name)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PoiseError(f"cannot make the folder {str(output)!r}: {error.strerror}") from None
    result = _run(example, output)
    kept_as = keep(example, result, output)
    if as_json:
        print(json.dumps(answer(example, result), ensure_ascii=False, indent=2))
    else:
        _print_claims(example, result)
    console = Console(stderr=as_json)
    for path in (*result.pictures, kept_as):
        console.print(f"written: {path}", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(0 if result.holds else 1)


def _run(example: Reproduction, folder: Path) -> Result:
    """Run it with a bar that shows how far it is."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(example.name, total=1.0)

        def report(doing: str, done: float) -> None:
            progress.update(bar, description=doing, completed=done)

        return example.run(folder, report)


def _state(result: Result | None) -> str:
    """How many claims hold, as far as is known."""
    if result is None:
        return "not run here"
    held = sum(claim.holds for claim in result.claims)
    return f"{held} of {len(result.claims)} claims hold"


def _entry(example: Reproduction, known: dict[str, Result | None]) -> dict[str, Any]:
    return {
        "name": example.name,
        "paper": example.paper,
        "title": example.title,
        "state": _state(known[example.name]),
    }


def _print_list(examples: dict[str, Reproduction], known: dict[str, Result | None]) -> None:
    table = Table("example", "what it shows", "paper", "state", box=box.SIMPLE, show_edge=False)
    table.columns[0].no_wrap = True
    for name, example in examples.items():
        table.add_row(name, Text(example.title), example.paper, _state(known[name]))
    Console().print(table)


def _print_claims(example: Reproduction, result: Result) -> None:
    console = Console()
    title = f"{example.name}: {example.title}"
    console.print(title, style="bold", markup=False, highlight=False, soft_wrap=True)
    console.print()
    table = Table("claim", "published", "ours", "", box=box.SIMPLE, show_edge=False)
    table.columns[3].no_wrap = True
    for claim in result.claims:
        verdict = "[green]holds[/]" if claim.holds else "[red]does not hold[/]"
        table.add_row(Text(claim.text), Text(claim.published), Text(claim.ours), verdict)
    console.print(table)
    console.print()
