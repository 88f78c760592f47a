"""Small glTF and VRM files, made here without poise's own writer."""

from __future__ import annotations

import copy
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

FLOAT, BYTE, SHORT, LONG = 5126, 5121, 5123, 5125
_DTYPES = {FLOAT: "<f4", BYTE: "<u1", SHORT: "<u2", LONG: "<u4", 5120: "<i1", 5122: "<i2"}
_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Draft:
    """A glTF file on its way: its JSON in `data`, its numbers in one buffer."""

    def __init__(self, **data: Any) -> None:
        self.data: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "accessors": [],
            "bufferViews": [],
            **data,
        }
        self.chunk = b""

    def view(self, content: bytes, **more: Any) -> int:
        self.chunk += b"\0" * (-len(self.chunk) % 4)
        part = {"buffer": 0, "byteOffset": len(self.chunk), "byteLength": len(content), **more}
        self.data["bufferViews"].append(part)
        self.chunk += content
        return len(self.data["bufferViews"]) - 1

    def numbers(self, values: Any, kind: int = FLOAT, **more: Any) -> int:
        rows = np.asarray(values, _DTYPES[kind]).reshape(len(values), -1)
        part = {
            "bufferView": self.view(rows.tobytes()),
            "componentType": kind,
            "count": len(rows),
            "type": _TYPES[rows.shape[1]],
            **more,
        }
        self.data["accessors"].append(part)
        return len(self.data["accessors"]) - 1

    def whole(self) -> dict[str, Any]:
        data = {key: value for key, value in self.data.items() if value != []}
        if self.chunk:
            data["buffers"] = [{"byteLength": len(self.chunk)}]
        return copy.deepcopy(data)

    def glb(self) -> bytes:
        return packed(self.whole(), self.chunk)

    def save(self, path: Path) -> Path:
        path.write_bytes(self.glb())
        return path


def packed(data: Any, chunk: bytes) -> bytes:
    text = json.dumps(data).encode()
    text += b" " * (-len(text) % 4)
    chunk += b"\0" * (-len(chunk) % 4)
    head = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(chunk), len(text), 0x4E4F534A)
    return head + text + struct.pack("<II", len(chunk), 0x004E4942) + chunk


def unpacked(content: bytes) -> tuple[Any, bytes]:
    (size,) = struct.unpack_from("<I", content, 12)
    return json.loads(content[20 : 20 + size]), content[28 + size :]


def quaternion(axis: str, degrees: float) -> list[float]:
    half = 0.5 * np.deg2rad(degrees)
    return [float(np.sin(half)) * (each == axis) for each in "xyz"] + [float(np.cos(half))]


def arm() -> Draft:
    """Two bones along x on a third, a box of skin round them, and a bending animation."""
    draft = Draft(
        scene=0,
        scenes=[{"nodes": [0, 4]}],
        nodes=[
            {"name": "Base", "translation": [0, 1, 0], "children": [1]},
            {"name": "Upper", "rotation": quaternion("y", 20.0), "children": [2]},
            {"name": "Lower", "translation": [0.3, 0, 0], "children": [3]},
            {"name": "Tip", "translation": [0.25, 0, 0]},
            {"name": "Body", "mesh": 0, "skin": 0, "translation": [9, 9, 9]},
        ],
    )
    points = [[x, y, z] for x in (0.0, 0.3, 0.55) for y in (0.95, 1.05) for z in (-0.05, 0.05)]
    weights = [[1, 0, 0, 0]] * 4 + [[0.5, 0.5, 0, 0]] * 4 + [[0, 1, 0, 0]] * 4
    inverse = [np.eye(4), np.eye(4)]
    inverse[0][3, :3] = [0, -1, 0]  # columns first: the last row is the translation
    inverse[1][3, :3] = [-0.3, -1, 0]
    draft.data["skins"] = [
        {"joints": [1, 2], "inverseBindMatrices": draft.numbers([m.ravel() for m in inverse])}
    ]
    draft.data["meshes"] = [
        {
            "name": "Sleeve",
            "primitives": [
                {
                    "attributes": {
                        "POSITION": draft.numbers(points),
                        "JOINTS_0": draft.numbers([[0, 1, 0, 0]] * 12, BYTE),
                        "WEIGHTS_0": draft.numbers(np.array(weights) * 255, BYTE, normalized=True),
                    },
                    "indices": draft.numbers([0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7], SHORT),
                }
            ],
        }
    ]
    turns = [quaternion("z", 0.0), quaternion("z", 45.0), quaternion("z", 90.0)]
    draft.data["animations"] = [
        {
            "name": "bend",
            "channels": [
                {"sampler": 0, "target": {"node": 2, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 1, "path": "translation"}},
            ],
            "samplers": [
                {"input": draft.numbers([0.0, 0.05, 0.1]), "output": draft.numbers(turns)},
                {"input": draft.numbers([0.0, 0.1]), "output": draft.numbers([[0] * 3, [0, 0, 1]])},
            ],
        }
    ]
    return draft


_PERSON: dict[str, tuple[str, list[float]]] = {
    "hips": ("", [0, 1, 0]),
    "spine": ("hips", [0, 0.1, 0]),
    "chest": ("spine", [0, 0.15, 0]),
    "neck": ("chest", [0, 0.22, 0]),
    "head": ("neck", [0, 0.1, 0]),
    "leftEye": ("head", [0.03, 0.07, 0.08]),
    "rightEye": ("head", [-0.03, 0.07, 0.08]),
    "leftShoulder": ("chest", [0.03, 0.18, 0]),
    "leftUpperArm": ("leftShoulder", [0.14, 0, 0]),
    "leftLowerArm": ("leftUpperArm", [0.28, 0, 0]),
    "leftHand": ("leftLowerArm", [0.25, 0, 0]),
    "leftIndexProximal": ("leftHand", [0.09, 0, 0.03]),
    "leftIndexIntermediate": ("leftIndexProximal", [0.04, 0, 0]),
    "leftIndexDistal": ("leftIndexIntermediate", [0.03, 0, 0]),
    "leftThumbMetacarpal": ("leftHand", [0.02, -0.01, 0.03]),
    "leftThumbProximal": ("leftThumbMetacarpal", [0.03, 0, 0.03]),
    "leftThumbDistal": ("leftThumbProximal", [0.02, 0, 0.02]),
    "leftUpperLeg": ("hips", [0.09, -0.05, 0]),
    "leftLowerLeg": ("leftUpperLeg", [0, -0.42, 0]),
    "leftFoot": ("leftLowerLeg", [0, -0.43, 0]),
    "leftToes": ("leftFoot", [0, -0.06, 0.13]),
}


def person(version: int = 1, *, arms: float = 0.0) -> Draft:
    """A VRM person in a T-pose, with arms lowered by so many degrees.

    Nodes are named `Node_…`, and local axes of the bones are turned anyhow.
    """
    sign = 1.0 if version else -1.0  # VRM 0 looks along −z
    bones = dict(_PERSON)
    for name, (parent, offset) in _PERSON.items():
        if name.startswith("left") and name != "leftEye":
            other = parent.replace("left", "right")
            bones[name.replace("left", "right")] = (other, [-offset[0], *offset[1:]])
    names = list(bones)
    turns = {name: _any_turn(i) if version else np.eye(3) for i, name in enumerate(names)}
    worlds: dict[str, np.ndarray] = {}
    nodes: list[dict[str, Any]] = []
    for name, (parent, offset) in bones.items():
        place = np.array(offset, float) * [sign, 1.0, sign]
        if parent:
            side = -1.0 if parent.startswith("right") else 1.0
            if "Arm" in parent or "Hand" in parent or "Index" in parent or "Thumb" in parent:
                angle = -side * sign * np.deg2rad(arms)
                c, s = np.cos(angle), np.sin(angle)
                place = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ place
            worlds[name] = worlds[parent] + place
            outer = turns[parent]
        else:
            worlds[name], outer = place, np.eye(3)
        local = outer.T @ (worlds[name] - (worlds[parent] if parent else 0.0))
        nodes.append(
            {
                "name": f"Node_{name}",
                "translation": local.tolist(),
                "rotation": _quaternion_of(outer.T @ turns[name]),
                "children": [i for i, each in enumerate(names) if bones[each][0] == name],
            }
        )
    for node in nodes:
        if not node["children"]:
            del node["children"]
    numbers = {name: i for i, name in enumerate(names)}
    if version:
        humanoid: Any = {"humanBones": {name: {"node": i} for name, i in numbers.items()}}
        extensions = {"VRMC_vrm": {"specVersion": "1.0", "humanoid": humanoid}}
    else:
        old = {"Metacarpal": "Proximal", "ThumbProximal": "ThumbIntermediate"}
        listed = []
        for name, i in numbers.items():
            for new, called in old.items():
                if "Thumb" in name and new in name:
                    name = name.replace(new, called)
                    break
            listed.append({"bone": name, "node": i, "useDefaultValues": True})
        extensions = {"VRM": {"specVersion": "0.0", "humanoid": {"humanBones": listed}}}
    return Draft(
        scene=0, scenes=[{"nodes": [0]}], nodes=nodes, extensions=extensions, extensionsUsed=[]
    )


def _any_turn(seed: int) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    return Rotation.random(rng=np.random.default_rng(seed)).as_matrix()


def _quaternion_of(matrix: np.ndarray) -> list[float]:
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(matrix).as_quat().tolist()
