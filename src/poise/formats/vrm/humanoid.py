"""What a VRM file says of its humanoid: which node is which bone, and where the eyes are.

VRM 0.x has the extension `VRM` and faces −z; VRM 1.0 has `VRMC_vrm` and faces +z.
github.com/vrm-c/vrm-specification, 0.0 and VRMC_vrm-1.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, Strict
from pydantic.alias_generators import to_camel

from poise.formats.gltf.container import Asset
from poise.formats.gltf.schema import Index, checked
from poise.formats.hostile import short
from poise.formats.names import name_map

Floats = NDArray[np.float64]


class _Part(BaseModel):
    model_config = ConfigDict(
        extra="ignore", strict=True, allow_inf_nan=False, alias_generator=to_camel
    )


class _Bone(_Part):
    node: Index


class _NamedBone(_Part):
    bone: str
    node: Annotated[int, Field(ge=-1)]  # −1 is one that is not there


class _Vector(_Part):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class _FirstPerson(_Part):
    first_person_bone_offset: _Vector | None = None


class _OldHumanoid(_Part):
    human_bones: Annotated[list[_NamedBone], Field(max_length=1000)]


class _Old(_Part):
    humanoid: _OldHumanoid
    first_person: _FirstPerson = _FirstPerson()


class _LookAt(_Part):
    offset_from_head_bone: Annotated[tuple[float, float, float], Strict(False)] | None = None


class _NewHumanoid(_Part):
    human_bones: Annotated[dict[str, _Bone], Field(max_length=1000)]


class _New(_Part):
    humanoid: _NewHumanoid
    look_at: _LookAt = _LookAt()


@dataclass(frozen=True, eq=False)
class Humanoid:
    """A VRM humanoid.

    Attributes:
        version: 0 or 1.
        segments: our segments' names by node.
        eyes: from the head's bone to between the eyes, in the file's axes and the unit of the
            file's nodes, if the file says so.
        notes: bones that are not known.
    """

    version: int
    segments: dict[int, str]
    eyes: Floats | None
    notes: tuple[str, ...]

    @property
    def forward(self) -> str:
        """The file's axis to which the figure looks."""
        return "z" if self.version else "-z"


def humanoid_of(asset: Asset) -> Humanoid:
    """The humanoid of a VRM file, checked."""
    extensions = asset.gltf.extensions
    if "VRMC_vrm" in extensions:
        new = checked(_New, extensions["VRMC_vrm"], f"{asset.name}: extensions.VRMC_vrm")
        nodes = {name: bone.node for name, bone in new.humanoid.human_bones.items()}
        offset = new.look_at.offset_from_head_bone
        return _humanoid(asset, 1, nodes, offset and np.array(offset))
    if "VRM" in extensions:
        old = checked(_Old, extensions["VRM"], f"{asset.name}: extensions.VRM")
        nodes = {bone.bone: bone.node for bone in old.humanoid.human_bones if bone.node >= 0}
        eyes = old.first_person.first_person_bone_offset
        return _humanoid(asset, 0, nodes, np.array([eyes.x, eyes.y, eyes.z]) if eyes else None)
    raise asset.error(
        "there is no humanoid in it: neither the extension VRM nor VRMC_vrm; "
        "read it as .glb if it is plain glTF"
    )


def _humanoid(asset: Asset, version: int, nodes: dict[str, int], eyes: Any) -> Humanoid:
    ours = name_map("vrm" if version else "vrm_0").ours
    unknown = [name for name in nodes if name not in ours]
    segments: dict[int, str] = {}
    for name, node in nodes.items():
        if name in unknown:
            continue
        if node >= len(asset.gltf.nodes):
            raise asset.error(
                f"the bone {name!r} is node {node}; there are {len(asset.gltf.nodes)}, "
                "counted from 0"
            )
        if node in segments:
            raise asset.error(f"node {node} is two bones, {segments[node]!r} and {ours[name]!r}")
        segments[node] = ours[name]
    if "pelvis" not in segments.values():
        raise asset.error("its humanoid has no bone 'hips', which every VRM must have")
    notes = [f"bones that are not known: {', '.join(map(short, unknown[:8]))}"] if unknown else []
    return Humanoid(version, segments, eyes, tuple(notes))
