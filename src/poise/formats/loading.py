"""One door for all files that hold a figure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from poise.errors import PoiseError

if TYPE_CHECKING:
    from poise.figure.figure import Figure

READABLE = "figure files (.yaml or .yml, with the top key `figure`)"
"""What can be read, for messages."""


def load(path: str | Path) -> Figure:
    """Read a figure from a file: .yaml or .yml, with the top key `figure`."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".yaml", ".yml"):
        what = f"{suffix} files" if suffix else "files without a suffix"
        raise PoiseError(f"cannot read {str(path)!r}: not {what}, only {READABLE}")
    from poise.documents import read
    from poise.figure.files import figure_from

    document = read(path)
    if isinstance(document.data, dict) and "scene" in document.data:
        raise document.error(("scene",), f"this is a scene; what can be read is {READABLE}")
    return figure_from(document)
