"""One smooth skin over the slices of a trunk.

A spine carries a thick ellipsoid on every vertebra. Drawn one by one they show a band wherever
two of them meet, so segments that are joined and carry ellipsoids are drawn as one body: the
surface on which the mean of the distances to all ellipsoids vanishes, the near ones counting
most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poise.figure import Figure, Placements
from poise.figure.parts import WORLD
from poise.figure.shapes import Ellipsoid
from poise.figure.transform import rotation_matrix
from poise.pictures.meshes import Floats, Ints, Mesh
from poise.pictures.vtk import pyvista

_CELLS = 64  # of the grid, along the diagonal of what is blended
_SOFT = 0.28  # over which depth surfaces blend, in distances from one slice to the next
_LEAST, _MOST = 0.05, 0.30  # the same, in radii of a middling slice
_FILL = 0.3  # how far the grooves are filled


@dataclass(frozen=True, eq=False)
class Slice:
    """An ellipsoid in the world: its middle, axes (columns), radii, and what it is coloured."""

    center: Floats
    axes: Floats
    radii: Floats
    color: str

    def distance(self, points: Floats) -> Floats:
        """About the signed distance of points (k, 3): exact on the surface, to first order near."""
        share, slope = np.zeros(len(points)), np.zeros(len(points))
        for axis, radius in zip(self.axes.T, self.radii.tolist(), strict=True):
            # By hand: threads of a matrix library cost more than three products save.
            x, y, z = points.T
            along = axis[0] * x + axis[1] * y + axis[2] * z - float(axis @ self.center)
            square = np.square(along / radius)
            share += square
            slope += square / radius**2
        share, slope = np.sqrt(share), np.sqrt(slope)
        return share * (share - 1.0) / np.maximum(slope, 1e-12)


def sliced(figure: Figure) -> list[list[str]]:
    """Segments whose ellipsoids are slices of one body: joined to each other, two or more."""
    carries = {
        name
        for name, segment in figure.segments.items()
        if any(isinstance(shape, Ellipsoid) for shape in segment.shapes)
    }
    body: dict[str, list[str]] = {}
    for joint in figure.joints.values():
        if joint.parent != WORLD and {joint.parent, joint.child} <= carries:
            one = body.setdefault(joint.parent, [joint.parent])
            other = body.get(joint.child, [joint.child])
            one += other
            body.update(dict.fromkeys(other, one))
    return list({id(names): names for names in body.values()}.values())


def slices(figure: Figure, where: Placements, names: Sequence[str], plain: str) -> list[Slice]:
    """The ellipsoids of some segments where they are; `plain` is the colour of what has none."""
    result: list[Slice] = []
    for name in names:
        segment, place = figure.segments[name], where.segment(name)
        for shape in segment.shapes:
            if isinstance(shape, Ellipsoid):
                axes = place.rotation @ rotation_matrix(shape.rotation)
                middle = place.apply(np.array(shape.center))
                result.append(Slice(middle, axes, np.array(shape.radii), segment.color or plain))
    return result


def blended(body: Sequence[Slice]) -> dict[str, Mesh]:
    """The skin over slices, in pieces by colour, each of which reaches as far as it is nearest."""
    soft = _softness(body)
    skin = _skin(body, soft)
    colors = list(dict.fromkeys(each.color for each in body))
    pieces = dict.fromkeys(colors, skin)
    for color in colors:
        own = [each for each in body if each.color == color]
        for other in colors:
            if other != color and len(pieces[color].triangles):
                others = [each for each in body if each.color == other]
                points = pieces[color].points
                nearer = _depth(own, points, soft) - _depth(others, points, soft)
                pieces[color] = _clipped(pieces[color], nearer)
    return {
        color: _turned_out(replace(mesh, normals=_gradient(body, mesh.points, soft)[1]))
        for color, mesh in pieces.items()
        if len(mesh.triangles)
    }


def _softness(body: Sequence[Slice]) -> float:
    """The depth (m) over which surfaces blend: the farther apart slices are, the more."""
    radius = float(np.median([np.median(each.radii) for each in body]))
    centers = np.array([each.center for each in body])
    apart = np.linalg.norm(centers[:, None] - centers, axis=2)
    np.fill_diagonal(apart, np.inf)
    spacing = float(np.median(apart.min(axis=1)))
    return float(np.clip(_SOFT * spacing, _LEAST * radius, _MOST * radius))


def _turned_out(mesh: Mesh) -> Mesh:
    """The mesh with every triangle facing where its normals point."""
    a, b, c = mesh.points[mesh.triangles].transpose(1, 0, 2)
    outward = mesh.normals[mesh.triangles].sum(axis=1)
    inside_out = (np.cross(b - a, c - a) * outward).sum(axis=1) < 0
    triangles = np.where(inside_out[:, None], mesh.triangles[:, ::-1], mesh.triangles)
    return replace(mesh, triangles=triangles)


def _depth(body: Sequence[Slice], points: Floats, soft: float) -> Floats:
    """A smooth least distance of points (k, 3) to slices.

    Σ wᵢdᵢ with wᵢ ∝ exp(−dᵢ/soft), less a share of soft times the entropy of the wᵢ. All of the
    entropy would give soft·log Σ exp(−dᵢ/soft), the usual smooth minimum, which swells where
    many slices lie in one another.
    """
    distances = np.stack([each.distance(points) for each in body])
    least = distances.min(axis=0)
    weights = np.exp((least - distances) / soft)
    total = weights.sum(axis=0)
    mean = (weights * distances).sum(axis=0) / total
    smooth = least - soft * np.log(total)
    return (1.0 - _FILL) * mean + _FILL * smooth


def _skin(body: Sequence[Slice], soft: float) -> Mesh:
    """The surface where the depth is zero, from a grid; its points are then put right."""
    reach = np.array([np.abs(each.axes) @ each.radii for each in body])
    middle = np.array([each.center for each in body])
    low, high = (middle - reach).min(axis=0), (middle + reach).max(axis=0)
    step = float(np.linalg.norm(high - low)) / _CELLS
    low, high = low - 3.0 * step, high + 3.0 * step
    counts = np.ceil((high - low) / step).astype(int) + 1
    grid = pyvista().ImageData(dimensions=counts, spacing=(step,) * 3, origin=low)
    grid["depth"] = _depth(body, np.asarray(grid.points, np.float64), soft)
    surface = grid.contour([0.0], scalars="depth", compute_normals=False).triangulate()
    points = np.asarray(surface.points, np.float64)
    for _ in range(2):
        depth, normal = _gradient(body, points, soft)
        points = points - depth[:, None] * normal
    return Mesh(points, np.zeros_like(points), surface.regular_faces.astype(np.int64))


def _gradient(body: Sequence[Slice], points: Floats, soft: float) -> tuple[Floats, Floats]:
    """The depth at points (k, 3) and the unit vectors along which it grows."""
    step = 1e-2 * soft
    slope = np.stack(
        [
            _depth(body, points + step * axis, soft) - _depth(body, points - step * axis, soft)
            for axis in np.eye(3)
        ],
        axis=-1,
    )
    length = np.linalg.norm(slope, axis=1, keepdims=True)
    return _depth(body, points, soft), slope / np.maximum(length, 1e-15)


def _clipped(mesh: Mesh, value: Floats) -> Mesh:
    """What is left of a mesh where a value at its points is not positive; without normals."""
    faces = np.hstack([np.full((len(mesh.triangles), 1), 3), mesh.triangles])
    data = pyvista().PolyData(mesh.points, faces.ravel())
    data["value"] = value
    left = data.clip_scalar(scalars="value", value=0.0, invert=True).triangulate()
    points = np.asarray(left.points, np.float64)
    triangles: Ints = left.regular_faces.astype(np.int64)
    return Mesh(points, np.zeros_like(points), triangles)
