"""The skin of a figure: triangles that follow several segments at once.

Linear blend skinning, as glTF has it: a point x of the surface, given where the mesh was bound to
the skeleton, is at Σ wᵢ · Pᵢ · Bᵢ · x, where Pᵢ is where segment i is now, Bᵢ takes the place in
which the mesh was bound into that segment's frame, and the weights wᵢ sum to one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from poise.figure.placements import Placements
from poise.figure.transform import Transform

if TYPE_CHECKING:
    from poise.figure.figure import Figure
    from poise.figure.posture import Posture

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Material:
    """How a surface looks.

    Attributes:
        color: red, green, blue and opacity, 0 to 1, linear as glTF has them.
        image: a picture (PNG or JPEG) that multiplies the colour, if there is one.
        media_type: of the picture, "image/png" or "image/jpeg".
        double_sided: whether its back is seen, too.
        alpha: what opacity does: nothing ("opaque"), hide what has less of it than `cutoff`
            ("mask"), or let what lies behind be seen ("blend").
        cutoff: the least opacity, 0 to 1, that is seen with "mask".
    """

    color: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    image: bytes | None = None
    media_type: str = "image/png"
    double_sided: bool = False
    alpha: Literal["opaque", "mask", "blend"] = "opaque"
    cutoff: float = 0.5


@dataclass(frozen=True)
class Visual:
    """Triangles that move with one segment and are drawn in place of its shapes.

    Two are equal if their content is.

    Attributes:
        points: (k, 3), in the segment's frame (m).
        normals: (k, 3), unit vectors.
        triangles: (m, 3), numbers of points, counter-clockwise as seen from outside.
        material: how it looks.
        texture: (k, 2), where each point is in the material's picture, if there is one.
    """

    points: Floats = field(compare=False, repr=False)
    normals: Floats = field(compare=False, repr=False)
    triangles: Ints = field(compare=False, repr=False)
    material: Material = field(default=Material(), compare=False, repr=False)
    texture: Floats | None = field(default=None, compare=False, repr=False)
    digest: str = field(default="", init=False)
    """Of all that it holds."""

    def __post_init__(self) -> None:
        """Find the digest."""
        found, look = hashlib.sha256(), self.material
        arrays = (self.points, self.normals, self.triangles, self.texture)
        for each in arrays:
            found.update(b"none" if each is None else f"{each.shape}".encode() + each.tobytes())
        told = (look.color, look.media_type, look.double_sided, look.alpha, look.cutoff)
        found.update(repr(told).encode() + (look.image or b""))
        object.__setattr__(self, "digest", found.hexdigest())


@dataclass(frozen=True, eq=False)
class Surface:
    """A mesh of one material that moves with some segments of a figure.

    Attributes:
        name: what it is called.
        points: (k, 3), in metres, where the mesh was bound.
        triangles: (m, 3), numbers of points, counter-clockwise as seen from outside.
        normals: (k, 3), unit vectors where the mesh was bound.
        segments: names of the s segments that it follows.
        binds: (s, 4, 4), from the place where the mesh was bound to each segment's frame.
        influences: (k, w), numbers of segments.
        weights: (k, w), how much each of them counts; rows sum to one.
        material: how it looks.
        texture: (k, 2), where each point is in the material's picture, if there is one.
    """

    name: str
    points: Floats
    triangles: Ints
    normals: Floats
    segments: tuple[str, ...]
    binds: Floats
    influences: Ints
    weights: Floats
    material: Material = Material()
    texture: Floats | None = None

    def placed(self, where: Placements | Mapping[str, Transform]) -> Floats:
        """The points (k, 3) in the world, for segments that are where they are told to be."""
        return self._blended(self._matrices(where), self.points, 1.0)

    def placed_normals(self, where: Placements | Mapping[str, Transform]) -> Floats:
        """The unit normals (k, 3) in the world.

        They are turned as the points are, which is right as long as nothing is scaled unevenly.
        """
        turned = self._blended(self._matrices(where), self.normals, 0.0)
        length = np.linalg.norm(turned, axis=1, keepdims=True)
        return turned / np.where(length > 1e-12, length, 1.0)

    def _matrices(self, where: Placements | Mapping[str, Transform]) -> Floats:
        """(s, 3, 4), from the place where the mesh was bound to the world."""
        result = np.empty((len(self.segments), 3, 4))
        for i, name in enumerate(self.segments):
            place = where.segment(name) if isinstance(where, Placements) else where[name]
            result[i] = place.rotation @ self.binds[i, :3]
            result[i, :, 3] += place.position
        return result

    def _blended(self, matrices: Floats, vectors: Floats, last: float) -> Floats:
        whole = np.column_stack([vectors, np.full(len(vectors), last)])
        result = np.zeros((len(vectors), 3))
        # One influence after the other, so that no array of a matrix for each point is made.
        for influence, weight in zip(self.influences.T, self.weights.T, strict=True):
            for i in np.unique(influence[weight > 0]).tolist():
                chosen = (influence == i) & (weight > 0)
                result[chosen] += weight[chosen, None] * (whole[chosen] @ matrices[i].T)
        return result


@dataclass(frozen=True, eq=False)
class Skin:
    """All surfaces of a figure."""

    surfaces: tuple[Surface, ...]

    def placed(self, figure: Figure, posture: Posture) -> dict[str, Floats]:
        """The points (k, 3) of each surface in the world, by its name."""
        where = figure.place(posture)
        return {surface.name: surface.placed(where) for surface in self.surfaces}

    def __repr__(self) -> str:
        """How much there is."""
        points = sum(len(surface.points) for surface in self.surfaces)
        triangles = sum(len(surface.triangles) for surface in self.surfaces)
        return f"<Skin: {len(self.surfaces)} surfaces, {points} points, {triangles} triangles>"
