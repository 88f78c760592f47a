"""`poise figures`."""

from __future__ import annotations

from rich.console import Console

from poise.cli.printing import table as new_table


def figures() -> None:
    """List the ready figures, with their sizes.

    The first column is what builds each in Python. Coordinates are the numbers that make a posture;
    a joint group counts by its parameters.
    """
    from poise.models import catalogue

    table = new_table("in Python", "coordinates", "segments", "mass (kg)", "what it is")
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
