"""How panels become one image and a file, and what is checked before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path

from poise.errors import PoiseError
from poise.pictures.stage import Image, View, view_of

_LEAST, _MOST = 16, 8192


def panel_widths(width: int, count: int) -> list[int]:
    """Widths of panels side by side that make up a whole width."""
    ends = [round(width * i / count) for i in range(count + 1)]
    return [end - start for start, end in pairwise(ends)]


def checked_views(views: Sequence[str | View] | str | View) -> list[View]:
    """The views, at least one."""
    given = [views] if isinstance(views, (str, View)) else list(views)
    if not given:
        raise PoiseError("a picture needs at least one view; the list is empty")
    return [view_of(each) for each in given]


def checked_size(size: object) -> tuple[int, int]:
    """Width and height in pixels, or an error."""
    try:
        width, height = size  # type: ignore[misc]
        whole = int(width) == width and int(height) == height
    except (TypeError, ValueError):
        raise PoiseError(f"the size of a picture must be (width, height), not {size!r}") from None
    if not whole or not (_LEAST <= width <= _MOST and _LEAST <= height <= _MOST):
        raise PoiseError(
            f"the size of a picture must be two whole numbers from {_LEAST} to {_MOST}, "
            f"not {size!r}"
        )
    return int(width), int(height)


def checked_path(path: str | Path | None) -> Path | None:
    """Where to write, or an error before anything is drawn."""
    from poise.documents import check_folder

    if path is None:
        return None
    name = fspath(path) if isinstance(path, (str, PathLike)) else path
    if not isinstance(name, str) or Path(name).suffix.lower() != ".png":
        raise PoiseError(
            "a picture needs the name of a file that ends in .png, such as 'picture.png', "
            f"not {name!r}"
        )
    target = Path(name)
    check_folder(target)
    return target


def save(image: Image, path: Path) -> None:
    """Write a PNG file; a half-written one is never left under the name."""
    from PIL import Image as Pillow

    from poise.documents import write

    content = BytesIO()
    Pillow.fromarray(image).save(content, format="png", optimize=True)
    write(path, content.getvalue())
