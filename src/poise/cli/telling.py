"""What the command says on standard error: errors and warnings, each in one line."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console

from poise.errors import PoiseWarning


def tell(what: str, style: str) -> None:
    """Print a line on standard error, as it is."""
    Console(stderr=True).print(
        f"poise: {what}", style=style, markup=False, highlight=False, soft_wrap=True
    )


@contextmanager
def telling_warnings() -> Generator[None]:
    """Show warnings of poise inside by their text alone, each once.

    Python shows them with the line of the code that called poise, which is not the user's here.
    """
    usual, told = warnings.showwarning, set[str]()

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        text = str(message)
        if not issubclass(category, PoiseWarning):
            usual(message, category, filename, lineno, file, line)
        elif text not in told:
            told.add(text)
            tell(f"warning: {text}", "yellow")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
