"""Figure files: a figure as YAML that a person can edit, and back.

Not imported by `import poise.figure`: it loads yaml and pydantic.
"""

from __future__ import annotations

from pathlib import Path

from poise.documents import read, write
from poise.errors import PoiseError
from poise.figure.figure import Figure
from poise.figure.files.parts import figure_schema
from poise.figure.files.reading import figure_from
from poise.figure.files.writing import figure_text

__all__ = ["SUFFIXES", "figure_from", "figure_schema", "figure_text", "load", "save"]

SUFFIXES = (".yaml", ".yml")


def load(path: str | Path) -> Figure:
    """Read a figure file."""
    return figure_from(read(path))


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure file, all of it or nothing."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise PoiseError(f"a figure file is named .yaml or .yml, not {str(path)!r}")
    write(path, figure_text(figure))
