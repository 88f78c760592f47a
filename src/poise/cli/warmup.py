"""`poise warmup`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table


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
