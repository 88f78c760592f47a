"""Words on pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from poise.pictures.stage import Image, Label

INK, PAPER = "#2b3440", "#f7f8fa"
_HALO = "#f4f5f6"


Placed = tuple["Label", NDArray[np.float64], NDArray[np.float64]]
"""A label, its pixel, and the direction in which it may step aside; zero for none."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""


@cache
def _font(pixels: int, *, bold: bool = False) -> Any:
    """DejaVu Sans, which matplotlib brings along."""
    import matplotlib
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    path = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name
    return ImageFont.truetype(str(path), pixels)


def write_labels(image: Image, labels: Sequence[Placed]) -> Image:
    """Write words at pixels, each with a light halo or on a plate, to be legible over anything."""
    if not labels:
        return image
    from PIL import Image as Pillow
    from PIL import ImageDraw

    sheet = Pillow.fromarray(image)
    pen = ImageDraw.Draw(sheet)
    em = max(11, round(image.shape[0] / 30))
    _write_plates(sheet, [each for each in labels if each[0].plate], max(10, round(0.56 * em)))
    for label, (x, y), _ in labels:
        if label.plate:
            continue
        at = (x + label.shift[0] * em, y + label.shift[1] * em)
        pen.text(
            at,
            label.text,
            font=_font(em),
            fill=label.color,
            anchor="mm",
            stroke_width=max(1, em // 8),
            stroke_fill=_HALO,
        )
    return np.asarray(sheet)


def _write_plates(sheet: Any, labels: Sequence[Placed], em: int) -> None:
    """Write words on white plates with round corners; none covers another or leaves the sheet."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    font = _font(em, bold=True)
    taken: list[Box] = []
    for label, at, aside in labels:
        half = np.array([0.5 * font.getlength(label.text) + 0.5 * em, 0.85 * em])
        room = np.maximum(np.array(sheet.size) - half - 2.0, half + 2.0)
        clear = (np.abs(aside) @ half + 0.7 * em) * aside
        center = np.clip(at + clear, half + 2.0, room)
        box = _free(center, half, taken, sheet.size[1])
        taken.append(box)
        # Drawn four times as large and reduced, for smooth corners.
        left, top, right, bottom = (round(each) for each in box)
        wide, high = 4 * (right - left), 4 * (bottom - top)
        mask = Pillow.new("L", (wide, high))
        corner = ImageDraw.Draw(mask)
        corner.rounded_rectangle((0, 0, wide - 1, high - 1), radius=1.6 * em, fill=225)
        mask = mask.resize((right - left, bottom - top), Pillow.Resampling.LANCZOS)
        sheet.paste(Pillow.new("RGB", mask.size, "#ffffff"), (left, top), mask)
        middle = (0.5 * (left + right), 0.5 * (top + bottom))
        pen = ImageDraw.Draw(sheet)
        pen.text(middle, label.text, font=font, fill=label.color, anchor="mm")


def _free(center: Any, half: Any, taken: Sequence[Box], height: int) -> Box:
    """The place for a plate nearest to its middle, above or below it, that none has taken."""
    x, y = center
    across, down = half
    step = 2.0 * down + 3.0
    for shift in (0, -1, 1, -2, 2, -3, 3, -4, 4):
        at = y + shift * step
        box = (x - across, at - down, x + across, at + down)
        apart = all(box[0] > t[2] or box[2] < t[0] or box[1] > t[3] or box[3] < t[1] for t in taken)
        if apart and box[1] >= 0 and box[3] <= height:
            return box
    return (x - across, y - down, x + across, y + down)


def captioned(image: Image, caption: str) -> Image:
    """An image with a line of words in a band below it."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    height, width = image.shape[:2]
    em = max(11, round(min(width, height) / 26))
    while em > 9 and _font(em).getlength(caption) > 0.94 * width:
        em -= 1
    band = Pillow.new("RGB", (width, round(2.2 * em)), PAPER)
    ImageDraw.Draw(band).text(
        (0.5 * width, 0.5 * band.height), caption, font=_font(em), fill=INK, anchor="mm"
    )
    return np.concatenate([image, np.asarray(band)])
