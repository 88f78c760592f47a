"""Pictures and plots of reproductions, written to the folder that was asked for."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poise.documents import write as write_file
from poise.errors import PoiseError

if TYPE_CHECKING:
    from poise.pictures.stage import Image
    from poise.scene import Solution

BLUE, ORANGE, GREEN, RED, GREY = "#2563a8", "#c2410c", "#0f8a6d", "#d1242f", "#7b8794"


def side_by_side(panels: Sequence[tuple[Image, str]]) -> Image:
    """Panels of one height in a row, each with a line of words below it."""
    from poise.pictures.lettering import captioned

    return np.concatenate([captioned(image, caption) for image, caption in panels], axis=1)


def write(image: Image, folder: Path, name: str) -> Path:
    """Write an image as NAME.png."""
    from poise.pictures.panels import save

    path = folder / f"{name}.png"
    save(image, path)
    return path


def two_views(
    folder: Path | None, name: str, title: str, solution: Solution, view: str
) -> tuple[Path, ...]:
    """A solution as it is mostly seen, and from "front" or "side"; nothing without a folder."""
    if folder is None:
        return ()
    from poise.pictures import picture

    panels = [
        (picture(solution, size=(480, 640)), title),
        (picture(solution, views=view, size=(480, 640)), f"from the {view}"),
    ]
    return (write(side_by_side(panels), folder, name),)


@contextmanager
def plot(
    folder: Path, name: str, *, columns: int = 1, size: tuple[float, float] = (8.0, 4.0)
) -> Generator[tuple[Path, list[Any]]]:
    """A plot of axes beside each other, written as NAME.png when all has been drawn.

    Args:
        folder: where to.
        name: of the file, without its ending.
        columns: how many axes.
        size: of the whole, in hundreds of pixels.

    Yields:
        The path of the file, and the axes.
    """
    try:
        from matplotlib.figure import Figure as Sheet
    except ImportError:
        raise PoiseError(
            "plots need matplotlib: pip install 'poise[pictures]', or run without a folder"
        ) from None
    sheet = Sheet(figsize=size, dpi=100, layout="constrained")
    axes = list(np.atleast_1d(sheet.subplots(1, columns)))
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
    path = folder / f"{name}.png"
    yield path, axes
    content = BytesIO()
    sheet.savefig(content, format="png")
    write_file(path, content.getvalue())
