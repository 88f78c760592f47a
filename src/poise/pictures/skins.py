"""Skins that came with figures as things to draw: coloured triangles, under a picture or not."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import Placements
from poise.figure.skin import Material, Skin, Surface, Visual
from poise.figure.transform import Transform
from poise.pictures.meshes import Mesh
from poise.pictures.stage import Item, Texture

_GLOSS = 0.06  # cloth and painted skin shine less than plain bodies


def worn(skin: Skin, where: Placements) -> list[Item]:
    """All surfaces of a skin, for segments that are where they are told to be."""
    return [item for surface in skin.surfaces for item in _drawn(surface, where)]


def seen(visual: Visual, place: Transform) -> Item:
    """What is drawn of a segment in place of its shapes, at a place, without a shadow."""
    mesh = Mesh(visual.points, visual.normals, visual.triangles).moved(place)
    color, opacity = _color(visual.material)
    return Item(
        mesh,
        color,
        opacity,
        casts_shadow=False,
        gloss=_GLOSS,
        texture=_texture(visual),
        one_sided=not visual.material.double_sided,
    )


def _drawn(surface: Surface, where: Placements) -> list[Item]:
    """A surface, and what casts its shadow: hulls of what follows each segment most."""
    points = surface.placed(where)
    mesh = Mesh(points, surface.placed_normals(where), surface.triangles)
    material = surface.material
    color, opacity = _color(material)
    skin = Item(
        mesh,
        color,
        opacity,
        casts_shadow=False,
        gloss=_GLOSS,
        texture=_texture(surface),
        one_sided=not material.double_sided,
    )
    strongest = surface.weights.argmax(axis=1, keepdims=True)
    follows = np.take_along_axis(surface.influences, strongest, axis=1)[:, 0]
    hulls = [points[follows == number] for number in np.unique(follows)]
    nothing = np.zeros((0, 3), np.int64)
    return [skin, *(Item(Mesh(hull, hull, nothing), color, hidden=True) for hull in hulls)]


def _color(material: Material) -> tuple[str, float]:
    """The colour as it is shown, and the opacity."""
    *linear, opacity = material.color
    shown = np.clip(np.array(linear), 0.0, 1.0)
    # From linear light to what screens take (IEC 61966-2-1).
    shown = np.where(shown <= 0.0031308, 12.92 * shown, 1.055 * shown ** (1 / 2.4) - 0.055)
    red, green, blue = np.rint(255.0 * shown).astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}", opacity if material.alpha == "blend" else 1.0


def _texture(surface: Surface | Visual) -> Texture | None:
    """The picture of a surface, with opacity only where the material heeds it."""
    material = surface.material
    if material.image is None or surface.texture is None:
        return None
    pixels = _pixels(material.image)
    if material.alpha == "opaque":
        pixels = pixels[:, :, :3]
    elif material.alpha == "mask":
        least = material.cutoff / max(material.color[3], 1e-6)
        pixels[:, :, 3] = np.where(pixels[:, :, 3] >= 255.0 * least, 255, 0)
    # Files count rows from the top, VTK from the bottom.
    return Texture(np.ascontiguousarray(pixels), surface.texture * [1.0, -1.0] + [0.0, 1.0])


def _pixels(content: bytes) -> NDArray[np.uint8]:
    """The picture in a file's bytes (height, width, 4)."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content)) as image:
            return np.array(image.convert("RGBA"))
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise PoiseError(f"a picture of the figure's skin cannot be read: {error}") from None
