"""Words on pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from poise.pictures.stage import Image, Label

INK, PAPER = "#2b3440", "#f7f8fa"
_HALO = "#f4f5f6"


@cache
def _font(pixels: int) -> Any:
    """DejaVu Sans, which matplotlib brings along."""
    import matplotlib
    from PIL import ImageFont

    path = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return ImageFont.truetype(str(path), pixels)


def write_labels(image: Image, labels: Sequence[tuple[Label, tuple[float, float]]]) -> Image:
    """Write words at pixels, each with a light halo so that it is legible over anything."""
    if not labels:
        return image
    from PIL import Image as Pillow
    from PIL import ImageDraw

    sheet = Pillow.fromarray(image)
    pen = ImageDraw.Draw(sheet)
    em = max(11, round(image.shape[0] / 30))
    for label, (x, y) in labels:
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
