"""The command `poise reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from poise.cli.streams import print_json
from poise.errors import WriteError
from poise.reproductions.claims import Claim, Reproduction, Result, Tally

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

    Each claim is printed with the published number, or the paper's words where
    it has no number, with what is found here, and whether the claim holds; of
    one that does not, why. How the example is set up, times beside those of
    other machines, and checks of our own come after it and are not counted.
    Pictures, plots and the table itself (NAME.json) are written to the folder.
    Without a name all examples are listed with what the folder knows of them.

    The exit status is 0 when all holds (times aside), 1 when something does
    not, 2 for a wrong call, 3 when the output could not be written.
    """
    from poise.reproductions.keeping import answer, keep, kept
    from poise.reproductions.registry import REPRODUCTIONS, reproduction

    if name is None:
        known = {each: kept(example, output) for each, example in REPRODUCTIONS.items()}
        if as_json:
            entries = [_entry(each, known[each.name]) for each in REPRODUCTIONS.values()]
            print_json(entries)
        else:
            _print_list(REPRODUCTIONS, known)
        return
    example = reproduction(name)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"cannot make the folder {str(output)!r}: {error.strerror}") from None
    result = _run(example, output)
    kept_as = keep(example, result, output)
    if as_json:
        print_json(answer(example, result))
    else:
        _print_result(example, result)
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


def _entry(example: Reproduction, result: Result | None) -> dict[str, Any]:
    """What the list says of an example; None stands for what is not known."""
    return {
        "name": example.name,
        "paper": example.paper,
        "title": example.title,
        "state": "not run here" if result is None else f"{result.tally} claims hold",
        "held": None if result is None else result.tally.held,
        "claimed": None if result is None else result.tally.claims,
    }


def _print_list(examples: dict[str, Reproduction], known: dict[str, Result | None]) -> None:
    table = Table("example", "what it shows", "claims hold", box=box.SIMPLE, show_edge=False)
    table.columns[0].no_wrap = table.columns[2].no_wrap = True
    paper = ""
    for name, example in examples.items():
        if example.paper != paper:
            paper = example.paper
            table.add_row(Text(paper, style="bold"))
        result = known[name]
        state = "not run here" if result is None else str(result.tally)
        table.add_row(f"  {name}", Text(example.title), state)
    console = Console()
    console.print(table)
    console.print()
    run = [result for result in known.values() if result is not None]
    here = f"in the {len(run)} of {len(examples)} examples that were run here"
    console.print(f"{Tally.of(run)} claims hold {here}", highlight=False, soft_wrap=True)


def _print_result(example: Reproduction, result: Result) -> None:
    console = Console()
    title = f"{example.name}: {example.title}"
    console.print(title, style="bold", markup=False, highlight=False, soft_wrap=True)
    if result.source:
        console.print(f"run on {result.source}", markup=False, highlight=False, soft_wrap=True)
    console.print()
    for head, of_paper in (("claim", True), ("besides", False)):
        rows = [claim for claim in result.claims if claim.of_paper is of_paper]
        if rows:
            console.print(_table(head, rows))
            console.print()
    for claim in result.claims:
        if not claim.holds:
            line = f"“{claim.text}” does not hold: {example.reason(claim)}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(f"{result.tally} claims hold", highlight=False)


def _table(head: str, claims: list[Claim]) -> Table:
    table = Table(head, "published", "ours", "", box=box.SIMPLE, show_edge=False)
    table.columns[3].no_wrap = True
    for claim in claims:
        verdict = "[green]holds[/]" if claim.holds else "[red]does not hold[/]"
        table.add_row(Text(claim.text), Text(claim.said), Text(claim.ours), verdict)
    return table
