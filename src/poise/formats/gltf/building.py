"""The parts of a glTF file that is being made: its JSON and its one buffer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.formats.gltf.container import embedded, glb

Floats = NDArray[np.float64]

_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_FLOAT, _SHORT, _LONG = 5126, 5123, 5125
_VERTICES, _INDICES = 34962, 34963


class Building:
    """Collects nodes, meshes, animations and the numbers that they need."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.parts: dict[str, list[dict[str, Any]]] = {
            key: []
            for key in (
                "nodes",
                "meshes",
                "skins",
                "materials",
                "textures",
                "images",
                "animations",
                "accessors",
                "bufferViews",
            )
        }
        self._chunk = bytearray()
        self._kept: dict[bytes, int] = {}
        self._pictures: dict[bytes, int] = {}

    def add(self, key: str, part: dict[str, Any]) -> int:
        """Add a node, a mesh and so on; gives its number."""
        self.parts[key].append(part)
        return len(self.parts[key]) - 1

    def view(self, content: bytes, **more: Any) -> int:
        """Add bytes, each view on a boundary of four."""
        self._chunk += b"\0" * (-len(self._chunk) % 4)
        start = len(self._chunk)
        self._chunk += content
        part = {"buffer": 0, "byteOffset": start, "byteLength": len(content), **more}
        return self.add("bufferViews", part)

    def vertices(self, values: Floats) -> int:
        """Add numbers (k, width) for each point of a mesh, as floats."""
        return self._floats(values, target=_VERTICES)

    def floats(self, values: Floats) -> int:
        """Add numbers (k, width) for other uses; what is there already is used again."""
        content = np.ascontiguousarray(values, "<f4").tobytes()
        if content not in self._kept:
            self._kept[content] = self._floats(values)
        return self._kept[content]

    def picture(self, content: bytes, media_type: str) -> int:
        """Add a picture, unless it is there already; gives the number of its texture."""
        if content not in self._pictures:
            image = {"bufferView": self.view(content), "mimeType": media_type}
            self._pictures[content] = self.add("textures", {"source": self.add("images", image)})
        return self._pictures[content]

    def whole(self, values: NDArray[np.int64], *, indices: bool = False) -> int:
        """Add whole numbers (k, width), as short as they may be."""
        wide = values.size and values.max() > 65534  # 65535 restarts a strip
        rows = values.reshape(len(values), -1)
        target = _INDICES if indices else _VERTICES
        content = rows.astype("<u4" if wide else "<u2").tobytes()
        return self.add(
            "accessors",
            {
                "bufferView": self.view(content, target=target),
                "componentType": _LONG if wide else _SHORT,
                "count": len(rows),
                "type": _TYPES[rows.shape[1]],
            },
        )

    def content(self, data: dict[str, Any], *, binary: bool) -> bytes:
        """The file: a GLB, or JSON with its buffer inside."""
        chunk = bytes(self._chunk)
        whole = {**data, **{key: parts for key, parts in self.parts.items() if parts}}
        if chunk:
            whole["buffers"] = [{"byteLength": len(chunk)}]
        return glb(whole, chunk) if binary else embedded(whole, chunk)

    def _floats(self, values: Floats, **more: Any) -> int:
        single = np.ascontiguousarray(values, "<f4")
        return self.add(
            "accessors",
            {
                "bufferView": self.view(single.tobytes(), **more),
                "componentType": _FLOAT,
                "count": len(single),
                "type": _TYPES[single.shape[1]],
                "min": single.min(axis=0).tolist(),
                "max": single.max(axis=0).tolist(),
            },
        )
