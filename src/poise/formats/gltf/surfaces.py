"""The meshes of a glTF file as surfaces that follow a figure's segments.

A skinned mesh follows the joints of its skin, whatever the place of its own node (glTF 2.0
specification, section 3.7.3.3); any other follows the segment that carries its node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.checking import FARTHEST
from poise.errors import PoiseError
from poise.figure.skin import Material, Skin, Surface
from poise.figure.transform import Transform
from poise.formats.conventions import Convention
from poise.formats.gltf.accessors import Accessors
from poise.formats.gltf.extras import ours
from poise.formats.gltf.schema import Primitive, TextureUse
from poise.formats.gltf.skeleton import Bones, node_name
from poise.formats.gltf.tree import Tree
from poise.formats.hostile import LARGEST_FILE, Names, short

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_POINTS = 5_000_000
"""Points of the surfaces of one file; primitives may share their bytes without measure."""

MOST_SURFACES = 20_000
"""Primitives that are read from one file, each as often as nodes show it."""

_SETS = 4  # of four joints each that may move one point
_ALPHA: dict[str, Literal["opaque", "mask", "blend"]] = {
    "OPAQUE": "opaque",
    "MASK": "mask",
    "BLEND": "blend",
}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_MEDIA = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}


@dataclass(frozen=True, eq=False)
class _Binding:
    """The segments that a mesh follows, and from where it was bound to each of their frames."""

    segments: tuple[str, ...]
    binds: Floats
    skinned: bool


@dataclass(frozen=True, eq=False)
class _Lies:
    """Which of a mesh's coordinates a picture goes by, and how they are changed before.

    Attributes:
        coordinates: the attribute that holds them.
        matrix: (2, 2), applied to them.
        offset: (2,), added then.
    """

    coordinates: str = "TEXCOORD_0"
    matrix: Floats = field(default_factory=lambda: np.eye(2))
    offset: Floats = field(default_factory=lambda: np.zeros(2))

    def placed(self, texture: Floats) -> Floats:
        """Places (k, 2) in the picture for coordinates (k, 2)."""
        return texture @ self.matrix.T + self.offset


@dataclass(eq=False)
class SurfaceReader:
    """Reads all meshes that a file shows.

    Attributes:
        tree: the file's nodes.
        bones: those that are segments.
        frames: where each of these is at rest, in our world.
        convention: from the file's axes and unit to ours.
        accessors: the file's numbers.
        notes: what was left out; filled while reading.
        with_shapes: whether shapes that poise wrote as meshes are read, too.
    """

    tree: Tree
    bones: Bones
    frames: Mapping[int, Transform]
    convention: Convention
    accessors: Accessors
    notes: list[str] = field(default_factory=list[str])
    with_shapes: bool = False
    _bindings: dict[int, _Binding] = field(default_factory=dict[int, _Binding])
    _materials: dict[int, tuple[Material, _Lies]] = field(
        default_factory=dict[int, tuple[Material, "_Lies"]]
    )
    _images: dict[int, tuple[bytes | None, str]] = field(
        default_factory=dict[int, tuple[bytes | None, str]]
    )
    _points: int = 0
    _surfaces: int = 0
    _bytes: int = 0

    def skin(self) -> Skin | None:
        """All surfaces; None where there are none."""
        gltf, names = self.tree.asset.gltf, Names()
        surfaces: list[Surface] = []
        still = 0
        for node in self.tree.order:
            number = gltf.nodes[node].mesh
            if number is None:
                continue
            if number >= len(gltf.meshes):
                raise self._error(f"nodes[{node}]: there is no mesh {number}")
            mesh = gltf.meshes[number]
            if ours(mesh.extras).get("shapes") is True and not self.with_shapes:
                continue  # the figure has them itself
            binding = self._binding(node)
            if binding is None:
                still += 1
                continue
            self._surfaces += len(mesh.primitives)
            if self._surfaces > MOST_SURFACES:
                raise self._error(f"it shows more than {MOST_SURFACES:,} primitives")
            for place, primitive in enumerate(mesh.primitives):
                where = f"meshes[{number}].primitives[{place}]"
                name = names.fresh(mesh.name or node_name(self.tree, node))
                surface = self._surface(name, where, primitive, binding)
                if surface is not None:
                    surfaces.append(surface)
        if still:
            self._note(f"{still} meshes that no segment carries are left out")
        return Skin(tuple(surfaces)) if surfaces else None

    def _error(self, message: str) -> PoiseError:
        return self.tree.asset.error(message)

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def _binding(self, node: int) -> _Binding | None:
        gltf = self.tree.asset.gltf
        number = gltf.nodes[node].skin
        if number is None:
            carrier = node
            while carrier >= 0 and carrier not in self.bones.segments:
                carrier = self.tree.parents[carrier]
            if carrier < 0:
                return None
            bind = self._bind(carrier, self.tree.rest[node])
            return _Binding((self.bones.segments[carrier],), bind[None], False)
        if number >= len(gltf.skins):
            raise self._error(f"nodes[{node}]: there is no skin {number}")
        if number not in self._bindings:
            self._bindings[number] = self._skin_binding(number)
        return self._bindings[number]

    def _skin_binding(self, number: int) -> _Binding:
        skin = self.tree.asset.gltf.skins[number]
        where = f"skins[{number}]"
        hidden = [joint for joint in skin.joints if joint not in self.bones.segments]
        if hidden:
            raise self._error(f"{where}.joints: nodes[{hidden[0]}] is in no scene that is shown")
        inverse = np.broadcast_to(np.eye(4), (len(skin.joints), 4, 4))
        if skin.inverse_bind_matrices is not None:
            flat = self.accessors.floats(
                skin.inverse_bind_matrices, "MAT4", f"{where}.inverseBindMatrices"
            )
            if len(flat) < len(skin.joints):
                raise self._error(
                    f"{where}: {len(skin.joints)} joints need as many inverse bind matrices, "
                    f"not {len(flat)}"
                )
            inverse = flat.reshape(-1, 4, 4).transpose(0, 2, 1)
        binds = np.array(
            [
                self._bind(joint, self.tree.rest[joint] @ matrix)
                for joint, matrix in zip(skin.joints, inverse, strict=False)
            ]
        )
        if not np.isfinite(binds).all():
            raise self._error(f"{where}: its inverse bind matrices are too large")
        return _Binding(tuple(self.bones.segments[joint] for joint in skin.joints), binds, True)

    def _bind(self, bone: int, placed: Floats) -> Floats:
        """From our axes at a place of the file's world to the frame of a segment at rest."""
        whole, axes = np.eye(4), self.convention.axes
        with np.errstate(over="ignore", invalid="ignore"):
            whole[:3, :3] = axes @ placed[:3, :3] @ axes.T
            whole[:3, 3] = self.convention.places(placed[:3, 3])
            back = self.frames[bone].inverse()
            whole[:3] = back.rotation @ whole[:3]
        whole[:3, 3] += back.position
        return whole

    def _surface(
        self, name: str, where: str, primitive: Primitive, binding: _Binding
    ) -> Surface | None:
        attributes = primitive.attributes
        if "KHR_draco_mesh_compression" in primitive.extensions:
            self._note("meshes that are compressed (KHR_draco_mesh_compression) are left out")
            return None
        if primitive.mode not in (_TRIANGLES, _STRIP, _FAN) or "POSITION" not in attributes:
            self._note("points and lines are left out")
            return None
        if primitive.targets:
            self._note("morph targets are left out")
        count = self.accessors.count(attributes["POSITION"], f"{where}: POSITION")
        self._points += count
        if self._points > MOST_POINTS:
            raise self._error(f"its meshes have more than {MOST_POINTS:,} points")
        file_points = self._attribute(attributes["POSITION"], "VEC3", f"{where}: POSITION", count)
        points = self.convention.places(file_points)
        if not np.abs(points).max(initial=0.0) <= FARTHEST:
            raise self._error(f"{where}: a point is farther than {FARTHEST:g} m away")
        triangles = self._triangles(primitive, where, count)
        if "NORMAL" in attributes:
            given = self._attribute(attributes["NORMAL"], "VEC3", f"{where}: NORMAL", count)
            normals = _units(self.convention.directions(given))
        else:
            normals = _normals(points, triangles)
        texture = None
        material, lies = self._material(primitive.material, where)
        if "COLOR_0" in attributes:
            self._note("colours of single points are left out")
        if material.image is not None and lies.coordinates in attributes:
            what = f"{where}: {lies.coordinates}"
            given = self._attribute(attributes[lies.coordinates], "VEC2", what, count)
            texture = lies.placed(given)
        influences, weights = np.zeros((count, 1), np.int64), np.ones((count, 1))
        if binding.skinned:
            influences, weights = self._weights(attributes, where, count, len(binding.segments))
        return Surface(
            name,
            points,
            triangles,
            normals,
            binding.segments,
            binding.binds,
            influences,
            weights,
            material,
            texture,
        )

    def _attribute(self, index: int, kind: str, where: str, count: int) -> Floats:
        values = self.accessors.floats(index, kind, where)
        if len(values) != count:
            raise self._error(f"{where}: {count} points need as many, not {len(values)}")
        return values

    def _triangles(self, primitive: Primitive, where: str, count: int) -> Ints:
        if primitive.indices is None:
            corners = np.arange(count)
        else:
            corners = self.accessors.whole(primitive.indices, "SCALAR", f"{where}: indices")[:, 0]
            if corners.size and corners.max() >= count:
                raise self._error(f"{where}: indices name point {corners.max()} of {count}")
        if primitive.mode == _TRIANGLES:
            return corners[: corners.size // 3 * 3].reshape(-1, 3)
        if corners.size < 3:
            return np.zeros((0, 3), np.int64)
        if primitive.mode == _FAN:
            first = np.full(corners.size - 2, corners[0])
            return np.column_stack([first, corners[1:-1], corners[2:]])
        triangles = np.column_stack([corners[:-2], corners[1:-1], corners[2:]])
        triangles[1::2] = triangles[1::2, [1, 0, 2]]  # every other one is the other way round
        return triangles

    def _weights(
        self, attributes: Mapping[str, int], where: str, count: int, joints: int
    ) -> tuple[Ints, Floats]:
        influences: list[Ints] = []
        weights: list[Floats] = []
        for i in range(_SETS):
            if f"JOINTS_{i}" not in attributes or f"WEIGHTS_{i}" not in attributes:
                break
            who = self.accessors.whole(attributes[f"JOINTS_{i}"], "VEC4", f"{where}: JOINTS_{i}")
            if len(who) != count:
                raise self._error(f"{where}: JOINTS_{i}: {count} points need as many")
            influences.append(who)
            what = f"{where}: WEIGHTS_{i}"
            weights.append(self._attribute(attributes[f"WEIGHTS_{i}"], "VEC4", what, count))
        if not influences:
            raise self._error(f"{where}: a mesh with a skin needs JOINTS_0 and WEIGHTS_0")
        who, much = np.hstack(influences), np.maximum(np.hstack(weights), 0.0)
        who = np.where(much > 0, who, 0)
        if who.size and who.max() >= joints:
            raise self._error(f"{where}: joint {who.max()} of a skin that has {joints}")
        total = much.sum(axis=1, keepdims=True)
        much = np.where(total > 1e-9, much / np.where(total > 1e-9, total, 1.0), 0.0)
        much[total[:, 0] <= 1e-9, 0] = 1.0
        return who, much

    def _material(self, index: int | None, where: str) -> tuple[Material, _Lies]:
        gltf = self.tree.asset.gltf
        if index is None:
            return Material(), _Lies()
        if index >= len(gltf.materials):
            raise self._error(f"{where}: there is no material {index}")
        if index not in self._materials:
            part = gltf.materials[index]
            metal = part.pbr_metallic_roughness
            red, green, blue, opacity = np.clip(metal.base_color_factor, 0.0, 1.0).tolist()
            image, media, lies = None, "image/png", _Lies()
            if metal.base_color_texture is not None:
                image, media = self._image(metal.base_color_texture.index, f"materials[{index}]")
                lies = _lies(metal.base_color_texture)
            if part.alpha_mode not in _ALPHA:
                self._note(f"the alphaMode {short(part.alpha_mode)!r} is not known: opaque")
            self._materials[index] = (
                Material(
                    (red, green, blue, opacity),
                    image,
                    media,
                    part.double_sided,
                    _ALPHA.get(part.alpha_mode, "opaque"),
                    min(part.alpha_cutoff, 1.0),
                ),
                lies,
            )
        return self._materials[index]

    def _image(self, texture: int, where: str) -> tuple[bytes | None, str]:
        gltf = self.tree.asset.gltf
        if texture >= len(gltf.textures):
            raise self._error(f"{where}: there is no texture {texture}")
        source = gltf.textures[texture].source
        if source is None:
            return None, ""
        if source >= len(gltf.images):
            raise self._error(f"textures[{texture}]: there is no image {source}")
        if source not in self._images:
            self._images[source] = self._picture(source)
        return self._images[source]

    def _picture(self, source: int) -> tuple[bytes | None, str]:
        image = self.tree.asset.gltf.images[source]
        content = b""
        try:
            if image.buffer_view is not None:
                content = bytes(self.tree.asset.view(image.buffer_view, f"images[{source}]"))
            elif image.uri is not None:
                content = self.tree.asset.linked(image.uri, f"images[{source}].uri")[0]
        except PoiseError as error:  # a figure does not need its pictures
            self._note(f"a picture is left out: {error}")
            return None, ""
        self._bytes += len(content)
        if self._bytes > LARGEST_FILE:  # they may share their bytes without measure
            raise self._error(f"its pictures are more than {LARGEST_FILE // 1_000_000} MB")
        for head, media in _MEDIA.items():
            if content.startswith(head):
                return content, media
        self._note("pictures that are neither PNG nor JPEG are left out")
        return None, ""


def _lies(texture: TextureUse) -> _Lies:
    """How a texture lies; turned counter-clockwise as one sees it, with its second axis down."""
    given = texture.extensions.transform
    chosen = texture.tex_coord if given.tex_coord is None else given.tex_coord
    cosine, sine = np.cos(given.rotation), np.sin(given.rotation)
    matrix = np.array([[cosine, sine], [-sine, cosine]]) * np.array(given.scale)
    return _Lies(f"TEXCOORD_{chosen}", matrix, np.array(given.offset))


def _units(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    sound = (length > 1e-12) & np.isfinite(length)
    return np.where(sound, vectors / np.where(sound, length, 1.0), [0.0, 0.0, 1.0])


def _normals(points: Floats, triangles: Ints) -> Floats:
    """Of each point the mean of its triangles', the larger ones counting more."""
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    total = np.zeros_like(points)
    for corner in range(3):
        np.add.at(total, triangles[:, corner], across)
    return _units(total)
