"""What is read of a glTF file's JSON, checked: types and numbers, not yet what they refer to.

Keys that are not here are left unread: the standard lets anyone add some. glTF 2.0 specification,
section 5.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError
from pydantic.alias_generators import to_camel

from poise.errors import PoiseError
from poise.formats.hostile import LARGEST_FILE, MOST_JOINTS, MOST_NUMBERS, short

_TOLD = 3  # errors in one message; those that follow mostly follow from them

Index = Annotated[int, Field(ge=0)]
_Bytes = Annotated[int, Field(ge=0, le=LARGEST_FILE)]
_Count = Annotated[int, Field(ge=0, le=MOST_NUMBERS)]
_Item = TypeVar("_Item")
_Some = Annotated[list[_Item], Field(max_length=MOST_JOINTS)]
_Bounded = Annotated[float, Field(ge=-1e6, le=1e6)]  # of texture coordinates
_Pair = Annotated[tuple[_Bounded, _Bounded], Strict(False)]
_Triple = Annotated[tuple[float, float, float], Strict(False)]
_Quadruple = Annotated[tuple[float, float, float, float], Strict(False)]

Extension = dict[str, Any]


class _Part(BaseModel):
    model_config = ConfigDict(
        extra="ignore",
        strict=True,
        allow_inf_nan=False,
        alias_generator=to_camel,
        frozen=True,
    )


class Node(_Part):
    """A frame: a matrix, or translation, rotation (x y z w) and scale."""

    name: str = ""
    children: _Some[Index] = []
    matrix: Annotated[list[float], Field(min_length=16, max_length=16)] | None = None
    translation: _Triple = (0.0, 0.0, 0.0)
    rotation: _Quadruple = (0.0, 0.0, 0.0, 1.0)
    scale: _Triple = (1.0, 1.0, 1.0)
    mesh: Index | None = None
    skin: Index | None = None
    extras: Any = None


class SkinPart(_Part):
    """The nodes that a mesh follows."""

    joints: Annotated[list[Index], Field(min_length=1, max_length=MOST_JOINTS)]
    inverse_bind_matrices: Index | None = None


class SparseIndices(_Part):
    """Which elements of an accessor are others than in its buffer."""

    buffer_view: Index
    byte_offset: _Bytes = 0
    component_type: Literal[5121, 5123, 5125]


class SparseValues(_Part):
    """What they are instead."""

    buffer_view: Index
    byte_offset: _Bytes = 0


class Sparse(_Part):
    """Elements of an accessor that are others than in its buffer."""

    count: _Count
    indices: SparseIndices
    values: SparseValues


class Accessor(_Part):
    """Numbers in a buffer: how many, of which kind, from where."""

    buffer_view: Index | None = None
    byte_offset: _Bytes = 0
    component_type: Literal[5120, 5121, 5122, 5123, 5125, 5126]
    normalized: bool = False
    count: _Count
    type: Literal["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"]
    sparse: Sparse | None = None


class BufferView(_Part):
    """A part of a buffer."""

    buffer: Index
    byte_offset: _Bytes = 0
    byte_length: _Bytes
    byte_stride: Annotated[int, Field(ge=1, le=252)] | None = None


class Buffer(_Part):
    """Bytes: those of the GLB, of a file, or written into the JSON."""

    byte_length: _Bytes
    uri: str | None = None


class Primitive(_Part):
    """Triangles (or lines, or points) of one material."""

    attributes: dict[str, Index]
    indices: Index | None = None
    material: Index | None = None
    mode: int = 4
    targets: list[Any] = []
    extensions: Extension = {}


class Mesh(_Part):
    """Several primitives."""

    name: str = ""
    primitives: _Some[Primitive]
    extras: Any = None


class TextureTransform(_Part):
    """Where a texture lies (KHR_texture_transform): scaled, then turned (rad), then shifted."""

    offset: _Pair = (0.0, 0.0)
    rotation: _Bounded = 0.0
    scale: _Pair = (1.0, 1.0)
    tex_coord: Index | None = None


class TextureExtensions(_Part):
    """The one extension of textures in materials that is read."""

    transform: Annotated[TextureTransform, Field(alias="KHR_texture_transform")] = (
        TextureTransform()
    )


class TextureUse(_Part):
    """A texture in a material."""

    index: Index
    tex_coord: Index = 0
    extensions: TextureExtensions = TextureExtensions()


class Metal(_Part):
    """A material's colour; the rest of how it takes light is left unread."""

    base_color_factor: _Quadruple = (1.0, 1.0, 1.0, 1.0)
    base_color_texture: TextureUse | None = None


class MaterialPart(_Part):
    """How a primitive looks."""

    pbr_metallic_roughness: Metal = Metal()
    double_sided: bool = False
    alpha_mode: str = "OPAQUE"
    alpha_cutoff: Annotated[float, Field(ge=0)] = 0.5


class Texture(_Part):
    """Which image a texture is."""

    source: Index | None = None


class Image(_Part):
    """A picture: in a buffer, in a file or in the JSON."""

    uri: str | None = None
    mime_type: str | None = None
    buffer_view: Index | None = None


class Target(_Part):
    """What a channel moves."""

    node: Index | None = None
    path: str


class Channel(_Part):
    """Which sampler moves what."""

    sampler: Index
    target: Target


class Sampler(_Part):
    """Values by time."""

    input: Index
    output: Index
    interpolation: Literal["LINEAR", "STEP", "CUBICSPLINE"] = "LINEAR"


class Animation(_Part):
    """A motion."""

    name: str = ""
    channels: _Some[Channel]
    samplers: _Some[Sampler]
    extras: Any = None


class Scene(_Part):
    """The roots that are shown together."""

    name: str = ""
    nodes: _Some[Index] = []


class AssetPart(_Part):
    """What the file says about itself."""

    version: str
    min_version: str | None = None


class Gltf(_Part):
    """A glTF file."""

    asset: AssetPart
    scene: Index | None = None
    scenes: _Some[Scene] = []
    nodes: _Some[Node] = []
    meshes: _Some[Mesh] = []
    skins: _Some[SkinPart] = []
    accessors: _Some[Accessor] = []
    buffer_views: _Some[BufferView] = []
    buffers: _Some[Buffer] = []
    materials: _Some[MaterialPart] = []
    textures: _Some[Texture] = []
    images: _Some[Image] = []
    animations: _Some[Animation] = []
    extensions_required: list[str] = []
    extensions: Extension = {}
    extras: Any = None


_Model = TypeVar("_Model", bound=BaseModel)


def checked(model: type[_Model], data: Any, where: str) -> _Model:
    """Data as a model, or one error that names the keys that are wrong and what was found.

    Args:
        model: what it should be.
        data: plain data, from JSON.
        where: what messages begin with, such as the file's name.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        wrong = error.errors(include_url=False)
    told = [f"{_path(each['loc'])}: {_complaint(each)}" for each in wrong[:_TOLD]]
    if len(wrong) > _TOLD:
        told.append(f"and {len(wrong) - _TOLD} more")
    raise PoiseError(f"{where}: {'; '.join(told)}")


def _path(keys: tuple[int | str, ...]) -> str:
    text = ""
    for key in keys:
        text += f"[{key}]" if isinstance(key, int) else f".{short(key)}" if text else short(key)
    return text or "the file"


def _complaint(error: Any) -> str:
    if error["type"] == "missing":
        return "it is missing"
    found = short(repr(error["input"]))
    return f"{error['msg'][:1].lower()}{error['msg'][1:]}, not {found}"
