"""The stage on which things are drawn: camera, lights, floor with soft shadow, background.

Off screen: needs neither a display nor a graphics card (VTK then uses Mesa's software renderer).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError, unknown_name
from poise.pictures.floor import lay_floor
from poise.pictures.lettering import INK, PAPER, write_labels
from poise.pictures.meshes import Floats, Mesh, joined
from poise.pictures.vtk import new_plotter, poly_data, pyvista, quiet

Image = NDArray[np.uint8]
Point = tuple[float, float, float]

SKY, GROUND = "#e6ecf2", "#f2f1ee"
_GRID = "#7d8894"

_NEARER = -66000.0  # units of depth: before everything else

_SUPERSAMPLING = 2  # every pixel is the mean of this many squared, each of which has 4 samples


@dataclass(frozen=True, eq=False)
class Texture:
    """A picture on a mesh, which multiplies its colour.

    Attributes:
        pixels: (height, width, 3), or 4 with opacity; bytes.
        places: (k, 2), where each point of the mesh is in the picture, from its lower left.
    """

    pixels: Image
    places: Floats


@dataclass(frozen=True, eq=False)
class Item:
    """A mesh to be drawn, in world coordinates.

    `lit` says whether light and shade fall on it; lines and symbols look better without. What
    casts a shadow must be convex; what is not can be made of `hidden` parts that only cast one.
    What is `in_front` is seen through all else; what is `one_sided` only from outside.
    """

    mesh: Mesh
    color: str
    opacity: float = 1.0
    lit: bool = True
    casts_shadow: bool = True
    in_front: bool = False
    gloss: float = 0.18
    hidden: bool = False
    texture: Texture | None = None
    one_sided: bool = False

    @property
    def translucent(self) -> bool:
        """Whether anything behind it is seen through it."""
        return self.opacity < 1 or (self.texture is not None and self.texture.pixels.shape[2] == 4)


@dataclass(frozen=True)
class Label:
    """A word at a point of the world, moved on the picture by `shift` (right, down) ems.

    On a `plate` it is small, and moves aside where another plate is, and from the line between
    two points that it should not cover.
    """

    text: str
    point: Point
    color: str = INK
    shift: tuple[float, float] = (0.0, 0.0)
    plate: bool = False
    beside: tuple[Point, Point] | None = None


@dataclass(frozen=True)
class View:
    """Where the camera looks from, in radians: azimuth from +x towards +y, elevation above it.

    `lens` is the angle of view: a small one is a long lens from far away, with little perspective.
    """

    azimuth: float
    elevation: float = 0.0
    lens: float = float(np.deg2rad(16.0))

    @property
    def axes(self) -> Floats:
        """The picture's axes in the world as rows: right, up, towards the camera."""
        a, e = self.azimuth, self.elevation
        towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        return np.stack([right, np.cross(towards, right), towards])


VIEWS: dict[str, View] = {
    "front": View(0.0, np.deg2rad(5.0)),
    "side": View(-0.5 * np.pi, np.deg2rad(5.0)),
    "back": View(np.pi, np.deg2rad(5.0)),
    "top": View(-0.5 * np.pi, np.deg2rad(89.9)),
    "three-quarter": View(np.deg2rad(-38.0), np.deg2rad(14.0), np.deg2rad(24.0)),
}
"""The views by name. `side` is from the figure's right, so that it looks to the right."""


def view_of(view: str | View) -> View:
    """A view by its name, or as it is."""
    if isinstance(view, View):
        return view
    if view not in VIEWS:
        raise unknown_name("view", view, VIEWS)
    return VIEWS[view]


@dataclass
class Scenery:
    """What stands on the stage."""

    items: list[Item] = field(default_factory=list[Item])
    labels: list[Label] = field(default_factory=list[Label])
    floor: bool = True

    def add(self, items: Iterable[Item]) -> None:
        """Put more on the stage."""
        self.items.extend(items)

    def points(self) -> Floats:
        """All points that the camera must see (k, 3)."""
        return np.concatenate([item.mesh.points for item in self.items])


@dataclass(frozen=True)
class Camera:
    """A camera that sees all of some points: position, target, upward axis, angle of view."""

    position: Floats
    target: Floats
    up: Floats
    angle: float

    @classmethod
    def fitted(cls, points: Floats, view: View, size: tuple[int, int], margin: float) -> Camera:
        """The camera nearest to points (k, 3) that shows them all with a margin round them.

        The margin is a share of the picture's shorter side.
        """
        width, height = size
        axes = view.axes
        local = points @ axes.T
        border = 1.0 - 2.0 * margin * min(size) / np.array([width, height])
        half = np.tan(0.5 * view.lens) * np.array([width / height, 1.0]) * border
        center = 0.5 * (local.min(axis=0) + local.max(axis=0))
        distance = 1.0
        for _ in range(8):
            offset = local - center
            distance = float((np.abs(offset[:, :2]) / half + offset[:, 2:]).max())
            # Perspective shifts the middle: put it back between the outermost sight lines.
            slopes = offset[:, :2] / (distance - offset[:, 2:])
            center[:2] += 0.5 * (slopes.min(axis=0) + slopes.max(axis=0)) * distance
        target = center @ axes
        return cls(target + distance * axes[2], target, axes[1], view.lens)

    def seen(self, point: Sequence[float], size: tuple[int, int]) -> tuple[float, float]:
        """Where a point appears, in pixels from the left and from the top."""
        towards = self.position - self.target
        towards /= np.linalg.norm(towards)
        right = np.cross(self.up, towards)
        offset = np.asarray(point) - self.position
        scale = 0.5 * size[1] / np.tan(0.5 * self.angle) / -float(offset @ towards)
        return (
            0.5 * size[0] + scale * float(offset @ right),
            0.5 * size[1] - scale * float(offset @ self.up),
        )


def render(
    scenery: Scenery,
    view: View,
    size: tuple[int, int],
    *,
    margin: float = 0.06,
    camera: Camera | None = None,
) -> Image:
    """Draw what stands on the stage: an image (height, width, 3).

    Args:
        scenery: what to draw.
        view: where from.
        size: width and height in pixels.
        margin: free room round everything, as a share of the shorter side.
        camera: the camera to use rather than the one that just sees everything.
    """
    if not scenery.items:
        raise PoiseError("there is nothing to draw")
    camera = camera or Camera.fitted(scenery.points(), view, size, margin)
    fine = (size[0] * _SUPERSAMPLING, size[1] * _SUPERSAMPLING)
    translucent = any(item.translucent for item in scenery.items)
    with quiet():
        plotter = new_plotter(fine)
        try:
            if scenery.floor:
                plotter.set_background(GROUND, top=SKY)
            else:
                plotter.set_background(PAPER)
            plotter.renderer.SetDitherGradient(False)  # dots of noise do not compress
            if scenery.floor:
                lay_floor(plotter, scenery.items, sun(view), _GRID)
            _add(plotter, scenery.items)
            _light(plotter, view)
            plotter.camera.position = camera.position.tolist()
            plotter.camera.focal_point = camera.target.tolist()
            plotter.camera.up = camera.up.tolist()
            plotter.camera.view_angle = np.rad2deg(camera.angle)
            plotter.reset_camera_clipping_range()
            if translucent:
                plotter.enable_depth_peeling(number_of_peels=8)
            # Depth peeling draws nothing at all with more than one sample for each pixel.
            plotter.render_window.SetMultiSamples(0 if translucent else 4)
            image = np.asarray(plotter.screenshot(return_img=True))
        finally:
            plotter.close()
    image = _reduced(image, size)
    return write_labels(image, [_seen(each, camera, size) for each in scenery.labels])


def _seen(label: Label, camera: Camera, size: tuple[int, int]) -> tuple[Label, Floats, Floats]:
    """A label, where it appears, and the direction in the picture in which it may step aside."""
    at = np.array(camera.seen(label.point, size))
    if label.beside is None:
        return label, at, np.zeros(2)
    start, end = (np.array(camera.seen(each, size)) for each in label.beside)
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 1.0:
        return label, at, np.array([0.0, -1.0])
    across = np.array([along[1], -along[0]]) / length
    return label, at, across if across[1] < 0 else -across


def _reduced(image: Image, size: tuple[int, int]) -> Image:
    """The mean of each block of samples."""
    width, height = size
    blocks = image[:, :, :3].reshape(height, _SUPERSAMPLING, width, _SUPERSAMPLING, 3)
    return np.rint(blocks.mean(axis=(1, 3))).astype(np.uint8)


def _add(plotter: Any, items: Sequence[Item]) -> None:
    """Add meshes; those of one look together, which is quicker."""
    alike: dict[tuple[object, ...], list[Item]] = {}
    for item in items:
        if not item.hidden:
            alike.setdefault(_look(item), []).append(item)
    for group in alike.values():
        item = group[0]
        data = poly_data(joined([each.mesh for each in group]))
        picture = None
        if item.texture is not None:
            data.active_texture_coordinates = item.texture.places
            picture = pyvista().Texture(item.texture.pixels)
            picture.repeat = True
        actor = plotter.add_mesh(
            data,
            color=item.color,
            texture=picture,
            opacity=item.opacity,
            lighting=item.lit,
            ambient=0.42 if item.lit else 1.0,
            diffuse=0.9 if item.lit else 0.0,
            specular=item.gloss if item.lit else 0.0,
            specular_power=22.0,
            smooth_shading=False,  # the normals are there already
            interpolation="Phong",
            show_scalar_bar=False,
            # With no depth left, the far side of what is in front would show.
            culling="back" if item.in_front or item.one_sided else None,
        )
        if item.in_front:
            actor.mapper.SetResolveCoincidentTopologyToPolygonOffset()
            actor.mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, _NEARER)


def _look(item: Item) -> tuple[object, ...]:
    """What meshes must have in common to be drawn as one; a texture is not shared."""
    texture = None if item.texture is None else id(item)
    return item.color, item.opacity, item.lit, item.gloss, item.in_front, item.one_sided, texture


def _light(plotter: Any, view: View) -> None:
    """A warm key light from above the camera's left, a cool fill, and a rim from behind."""
    pv = pyvista()
    right, up, towards = view.axes
    for place, color, intensity in (
        (sun(view), "#fff3e4", 0.80),
        (0.9 * right + 0.25 * up + 0.6 * towards, "#e3edff", 0.34),
        (0.35 * right + 0.9 * up - 0.8 * towards, "#ffffff", 0.26),
    ):
        light = pv.Light(position=tuple(place), focal_point=(0, 0, 0), color=color)
        light.intensity = intensity
        light.positional = False
        plotter.add_light(light)


def sun(view: View) -> Floats:
    """The direction to the key light: behind the camera's left shoulder, high up."""
    azimuth = view.azimuth - np.deg2rad(48.0)
    elevation = np.deg2rad(56.0)
    level = np.cos(elevation)
    return np.array([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)])
