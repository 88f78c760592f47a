"""Triangles from files: STL, binary or text; OBJ; GLB and glTF."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure.meshes import flat
from poise.figure.skin import Material, Surface, Visual
from poise.figure.transform import Transform
from poise.formats.conventions import Convention
from poise.formats.gltf.accessors import Accessors
from poise.formats.gltf.container import open_asset
from poise.formats.gltf.skeleton import Bones
from poise.formats.gltf.surfaces import SurfaceReader
from poise.formats.gltf.tree import grown
from poise.formats.hostile import decode, number, numbers, read_bytes, short

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SUFFIXES = (".glb", ".gltf", ".obj", ".stl")
MOST_TRIANGLES = 2_000_000
"""Triangles of the largest file that is read."""

_Y_UP = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
_HEAD, _FACET = 84, 50  # bytes of a binary STL: before the first triangle, and of each


def read_visuals(path: Path, unit: float, up: str) -> list[Visual]:
    """All triangles of a file, those of each material together, in our axes and metres.

    Args:
        path: the file, with one of the `SUFFIXES`.
        unit: metres in one unit of the file.
        up: its axis that points up, "y" or "z".
    """
    suffix = path.suffix.lower()
    convention = Convention(_Y_UP if up == "y" else np.eye(3), unit)
    if suffix in (".glb", ".gltf"):
        found = _gltf(path, convention)
    else:
        content = read_bytes(path)
        read = _stl if suffix == ".stl" else _obj
        corners, normals = read(content, str(path))
        found = [_visual(convention.places(corners), convention.directions(normals))]
    found = [visual for visual in found if len(visual.triangles)]
    if not found:
        raise PoiseError(f"{path} has no triangles that have an area")
    return found


def _visual(corners: Floats, normals: Floats) -> Visual:
    """Corners of triangles (3 m, 3) that share none; where a normal is zero, the triangle's own."""
    if not len(corners):
        return Visual(corners, normals, np.zeros((0, 3), np.int64))
    with np.errstate(over="ignore", invalid="ignore"):
        plain = flat(corners, np.arange(len(corners), dtype=np.int64).reshape(-1, 3))
    if len(plain.points) == len(corners) and np.any(normals):
        given = np.linalg.norm(normals, axis=1, keepdims=True)
        turned = normals / np.where(given > 1e-12, given, 1.0)
        smooth = np.where(given > 1e-12, turned, plain.normals)
        return Visual(plain.points, smooth, plain.triangles, Material(double_sided=True))
    return Visual(plain.points, plain.normals, plain.triangles, Material(double_sided=True))


def _check_count(count: int, name: str) -> None:
    if count > MOST_TRIANGLES:
        raise PoiseError(f"{name} has {count:,} triangles, more than {MOST_TRIANGLES:,}")


# STL ---------------------------------------------------------------------------------------


def _stl(content: bytes, name: str) -> tuple[Floats, Floats]:
    """Corners (3 m, 3) of the triangles; their normals are not read."""
    count = struct.unpack_from("<I", content, 80)[0] if len(content) >= _HEAD else -1
    if content[:5].lower() == b"solid" and len(content) != _HEAD + _FACET * count:
        corners = _stl_text(content, name)
    else:
        if count < 0:
            raise PoiseError(
                f"{name} is cut off: a binary STL has at least {_HEAD} bytes, not {len(content)}"
            )
        _check_count(count, name)
        if len(content) < _HEAD + _FACET * count:
            raise PoiseError(
                f"{name} is cut off: {count:,} triangles take {_HEAD + _FACET * count:,} bytes, "
                f"and it has {len(content):,}"
            )
        facet = np.dtype([("numbers", "<f4", 12), ("more", "<u2")])
        read = np.frombuffer(content, facet, count, _HEAD)["numbers"][:, 3:]
        with np.errstate(invalid="ignore"):
            corners = read.astype(np.float64)
        wrong = ~np.isfinite(corners).all(axis=1)
        if wrong.any():
            first = int(wrong.argmax())
            raise PoiseError(
                f"{name}: triangle {first + 1} has the corners {corners[first].tolist()}; "
                "numbers must be finite"
            )
        corners = corners.reshape(-1, 3)
    return corners, np.zeros_like(corners)


def _stl_text(content: bytes, name: str) -> Floats:
    _check_count(content.lower().count(b"endfacet"), name)
    corners: list[list[float]] = []
    for line, text in enumerate(decode(content, name, fallback="latin-1").splitlines(), 1):
        words = text.split(None, 1)
        word = words[0].lower() if words else ""
        if word == "vertex":
            where = f"{name}, line {line}: a vertex"
            corners.append(numbers(words[1] if len(words) > 1 else "", where, 3))
        elif word == "endfacet" and len(corners) % 3:
            raise PoiseError(f"{name}, line {line}: a facet must have three vertices")
        if len(corners) > 3 * MOST_TRIANGLES:
            _check_count(len(corners) // 3, name)
    if len(corners) % 3:
        raise PoiseError(f"{name} is cut off: its last facet has no three vertices")
    return np.array(corners, np.float64).reshape(-1, 3)


# OBJ ---------------------------------------------------------------------------------------


def _obj(content: bytes, name: str) -> tuple[Floats, Floats]:
    """Corners (3 m, 3) and normals at them, zero where the file has none."""
    points: list[list[float]] = []
    normals: list[list[float]] = [[0.0, 0.0, 0.0]]  # the first stands for none
    corners: list[int] = []
    turned: list[int] = []
    for line, text in enumerate(decode(content, name, fallback="latin-1").splitlines(), 1):
        word, _, rest = text.partition("#")[0].strip().partition(" ")
        where = f"{name}, line {line}"
        if word == "v":
            points.append([number(each, f"{where}: v") for each in rest.split()[:3]])
            if len(points[-1]) < 3:
                raise PoiseError(f"{where}: v must be 3 numbers, not {short(rest)!r}")
        elif word == "vn":
            normals.append(numbers(rest, f"{where}: vn", 3))
        elif word == "f":
            face = [_corner(each, len(points), len(normals) - 1, where) for each in rest.split()]
            if len(face) < 3:
                raise PoiseError(f"{where}: a face must have at least three corners")
            for second, third in pairwise(face[1:]):
                for point, normal in (face[0], second, third):
                    corners.append(point)
                    turned.append(normal)
            _check_count(len(corners) // 3, name)
    if not corners:
        return np.zeros((0, 3)), np.zeros((0, 3))
    return np.array(points)[corners], np.array(normals)[turned]


def _corner(text: str, points: int, normals: int, where: str) -> tuple[int, int]:
    """The numbers of a corner's point, from 0, and of its normal, from 1; 0 where it has none."""
    parts = text.split("/")
    point = _index(parts[0], points, "vertex", where)
    normal = 0
    if len(parts) > 2 and parts[2]:
        normal = _index(parts[2], normals, "normal", where) + 1
    return point, normal


def _index(text: str, count: int, what: str, where: str) -> int:
    """A number counted from 1, or from −1 back from the last one."""
    try:
        given = int(text) if text.isascii() and len(text) < 12 else 0
    except ValueError:
        given = 0
    if not (1 <= given <= count or -count <= given <= -1):
        raise PoiseError(
            f"{where}: there is no {what} {short(text)!r}; there are {count} before this line, "
            "counted from 1"
        )
    return given - 1 if given > 0 else count + given


# glTF --------------------------------------------------------------------------------------


def _gltf(path: Path, convention: Convention) -> list[Visual]:
    """All meshes that the file shows, where its nodes put them at rest."""
    asset = open_asset(path)
    tree, _ = grown(asset)
    here = Transform.make()
    # Every node is a segment that stands in the origin, so that all is read in one frame.
    bones = Bones(tree.order, dict.fromkeys(tree.order, -1), dict.fromkeys(tree.order, "mesh"))
    frames = dict.fromkeys(tree.order, here)
    reader = SurfaceReader(tree, bones, frames, convention, Accessors(asset), with_shapes=True)
    skin = reader.skin()
    surfaces = skin.surfaces if skin else ()
    _check_count(sum(len(surface.triangles) for surface in surfaces), str(path))
    if not surfaces and reader.notes:
        raise PoiseError(f"{path} has no triangles: {'; '.join(reader.notes)}")
    return [_still(surface, here) for surface in surfaces]


def _still(surface: Surface, here: Transform) -> Visual:
    where = dict.fromkeys(surface.segments, here)
    points, normals = surface.placed(where), surface.placed_normals(where)
    triangles = surface.triangles
    if len(surface.binds) == 1:
        matrix = surface.binds[0, :3, :3]
        determinant = float(np.linalg.det(matrix))
        if determinant < 0:
            triangles = triangles[:, ::-1].copy()  # mirrored
        if abs(determinant) > 1e-30:
            turned = surface.normals @ np.linalg.inv(matrix)
            size = np.linalg.norm(turned, axis=1, keepdims=True)
            normals = turned / np.where(size > 0.0, size, 1.0)
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    kept = triangles[np.linalg.norm(across, axis=1) > 0.0]
    return Visual(points, normals, kept, surface.material, surface.texture)
