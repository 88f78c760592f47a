"""The floor at z = 0: a soft shadow and a grid, both fading into the background."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poise.pictures.meshes import Floats
from poise.pictures.vtk import pyvista

if TYPE_CHECKING:
    from poise.pictures.stage import Item

_TEXELS = 640
_SHADOW = np.array([44, 54, 68])
_DEPTH = 0.55  # how dark a full shadow is
_SUNS, _SKIES = 24, 56
_ENOUGH, _CORNERS = 200, 32  # points and corners that tell a body's shadow well


def stands(items: Sequence[Item]) -> bool:
    """Whether things are above the floor, or hardly below it, as a foot that sinks in a little."""
    points = np.concatenate([item.mesh.points for item in items])
    return float(points[:, 2].min()) > -0.03 * float(np.linalg.norm(np.ptp(points, axis=0)))


def lay_floor(plotter: Any, items: Sequence[Item], sun: Floats, color: str) -> None:
    """Put a floor under things.

    Args:
        plotter: where to.
        items: what stands on it.
        sun: the direction to the sun, a unit vector.
        color: of the grid's lines.
    """
    points = np.concatenate([item.mesh.points for item in items])
    low, high = points.min(axis=0), points.max(axis=0)
    center = 0.5 * (low + high)[:2]
    reach = float(np.linalg.norm((high - low)[:2])) + float(high[2] - low[2])
    casting = [item.mesh.points for item in items if item.casts_shadow]
    _lay_shadow(plotter, shade(casting, sun, center, 1.1 * reach), center, 1.1 * reach)
    _lay_grid(plotter, center, 1.9 * reach, color)


def shade(bodies: Sequence[Floats], sun: Floats, center: Floats, half: float) -> Floats:
    """How much light is missing (0 to 1) in a square of the floor, rows from far y to near.

    The light is that of a broad sun and of the whole sky, each sampled by a few directions. In
    each one a convex body throws the hull of its projected points.

    Args:
        bodies: points (k, 3) of convex bodies; what is below the floor throws no shadow.
        sun: the direction to the sun, a unit vector.
        center: the middle of the square (2,).
        half: half its width.
    """
    from PIL import Image, ImageDraw
    from scipy.ndimage import gaussian_filter

    directions, weights = _light(sun)
    slopes = directions[:, :2] / directions[:, 2:]
    scale = np.array([1.0, -1.0]) * (0.5 * _TEXELS / half)
    outlines = np.empty((len(bodies), len(slopes), _CORNERS, 2))
    for outline, body in zip(outlines, bodies, strict=True):
        few = body[:: 1 + len(body) // _ENOUGH]
        flat = few[:, :2] - np.maximum(few[:, 2:], 0.0) * slopes[:, None] - center
        outline[:] = 0.5 * _TEXELS + scale * _hulls(flat)
    dark = np.zeros((_TEXELS, _TEXELS))
    for i, weight in enumerate(weights.tolist()):
        sheet = Image.new("L", (_TEXELS, _TEXELS))
        pen = ImageDraw.Draw(sheet)
        for outline in outlines[:, i].reshape(len(bodies), -1).tolist():
            pen.polygon(outline, fill=255)
        dark += (weight / 255.0) * np.asarray(sheet)
    return gaussian_filter(dark, 1.5)  # the edges of single samples


def _hulls(points: Floats) -> Floats:
    """The farthest of points (…, k, 2) in each of a few directions: corners of their hull."""
    angle = np.linspace(0.0, 2.0 * np.pi, _CORNERS, endpoint=False)
    heights = points @ np.stack([np.cos(angle), np.sin(angle)])
    return np.take_along_axis(points, heights.argmax(axis=-2)[..., None], axis=-2)


def _lay_shadow(plotter: Any, dark: Floats, center: Floats, half: float) -> None:
    pv = pyvista()
    pixels = np.empty((*dark.shape, 4), np.uint8)
    pixels[:, :, :3] = _SHADOW
    pixels[:, :, 3] = np.rint(255.0 * _DEPTH * dark)
    plane = pv.Plane(center=(*center, 0.0), direction=(0, 0, 1), i_size=2 * half, j_size=2 * half)
    texture = pv.Texture(pixels)
    texture.interpolate = True
    plotter.add_mesh(plane, texture=texture, lighting=False)


def _light(sun: Floats) -> tuple[Floats, Floats]:
    """Directions (k, 3) to sample the light from, with weights (k,) that sum to one."""
    across = np.cross(sun, [0.0, 0.0, 1.0])
    across /= np.linalg.norm(across)
    disc = 0.09 * _disc(_SUNS)
    suns = sun + disc[:, :1] * across + disc[:, 1:] * np.cross(sun, across)
    # Even on the disc is what a floor sees of an even sky; very low light is left out.
    level = 0.92 * _disc(_SKIES)
    skies = np.column_stack([level, np.sqrt(1.0 - np.square(level).sum(axis=1))])
    weights = np.repeat([0.55 / _SUNS, 0.45 / _SKIES], [_SUNS, _SKIES])
    return np.concatenate([suns, skies]), weights


def _disc(count: int) -> Floats:
    """Points (count, 2) spread evenly over the unit disc."""
    i = np.arange(count)
    angle, radius = i * (np.pi * (3.0 - np.sqrt(5.0))), np.sqrt((i + 0.5) / count)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)


def _lay_grid(plotter: Any, center: Floats, half: float, color: str) -> None:
    """Lines every step, every fifth stronger; the step suits what stands on the floor."""
    pv = pyvista()
    step = 0.1 if half > 1.0 else 0.02
    for every, strength, width in ((1, 0.20, 1.6), (5, 0.42, 2.2)):
        lines: list[Floats] = []
        spacing = step * every
        for axis in range(2):
            first = np.ceil((center[axis] - half) / spacing)
            last = np.floor((center[axis] + half) / spacing)
            for k in np.arange(first, last + 1):
                if every == 1 and k % 5 == 0:
                    continue
                ends = np.full((2, 3), 0.0)
                ends[:, axis] = k * spacing
                ends[:, 1 - axis] = center[1 - axis] - half, center[1 - axis] + half
                lines.append(np.linspace(ends[0], ends[1], 40))
        starts = 40 * np.arange(len(lines))[:, None]
        strips = np.hstack([np.full_like(starts, 40), starts + np.arange(40)])
        grid = pv.PolyData(np.concatenate(lines), lines=strips.ravel())
        far = np.linalg.norm(grid.points[:, :2] - center, axis=1) / half
        fade = np.clip(1.0 - far, 0.0, 1.0) ** 1.5
        plain = np.array(pv.Color(color).int_rgb, np.uint8)
        grid["shade"] = np.column_stack(
            [np.tile(plain, (grid.n_points, 1)), (255 * strength * fade).astype(np.uint8)]
        )
        plotter.add_mesh(grid, scalars="shade", rgb=True, lighting=False, line_width=width)
