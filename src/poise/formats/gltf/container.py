"""The bytes of a glTF file: a GLB (JSON and one buffer in one file) or JSON with buffers elsewhere.

What the JSON names is read only from the file itself or from its folder. glTF 2.0 specification,
sections 3.6.1 and 4.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Never
from urllib.parse import unquote

from poise.errors import PoiseError
from poise.formats.gltf.schema import Gltf, checked
from poise.formats.hostile import LARGEST_FILE, contained, decode, read_bytes, short

MOST_VALUES = 2_000_000
"""Values in the JSON of the largest file that is read."""

_MAGIC = b"glTF"
_JSON, _BINARY = 0x4E4F534A, 0x004E4942
_DATA = re.compile(r"data:([\w.+/-]*)(;[\w=.+-]+)*;base64,")


@dataclass(eq=False)
class Asset:
    """A glTF file that was opened: its JSON, checked, and its bytes on demand.

    Attributes:
        name: the file as messages call it.
        folder: where files that it names must lie.
        gltf: its JSON.
        chunk: the buffer within a GLB, if there is one.
    """

    name: str
    folder: Path
    gltf: Gltf
    chunk: bytes | None
    _buffers: dict[int, bytes] = field(default_factory=dict[int, bytes], init=False)
    _held: int = field(default=0, init=False)

    def error(self, message: str) -> PoiseError:
        """An error that names the file."""
        return PoiseError(f"{self.name}: {message}")

    def view(self, index: int, where: str) -> memoryview:
        """The bytes of a buffer view, not copied: views may overlap without measure."""
        if index >= len(self.gltf.buffer_views):
            raise self.error(f"{where}: {_no_such('buffer view', index, self.gltf.buffer_views)}")
        view = self.gltf.buffer_views[index]
        whole = self._buffer(view.buffer, f"bufferViews[{index}]")
        end = view.byte_offset + view.byte_length
        if end > len(whole):
            raise self.error(
                f"bufferViews[{index}] ends at byte {end} of a buffer of {len(whole)} bytes; "
                "perhaps the file was cut off"
            )
        return memoryview(whole)[view.byte_offset : end]

    def linked(self, uri: str, where: str) -> tuple[bytes, str]:
        """What a URI stands for, a file in the folder or base64 in the text; and its media type."""
        match = _DATA.match(uri)
        if match:
            try:
                return base64.b64decode(uri[match.end() :], validate=True), match.group(1)
            except (binascii.Error, ValueError) as error:
                raise self.error(f"{where}: this is not base64: {error}") from None
        if re.match("[a-zA-Z][a-zA-Z0-9+.-]*:", uri):
            raise self.error(
                f"{where}: {short(uri)!r} is not read; only files in the file's folder are"
            )
        path = contained(self.folder, unquote(uri), f"{self.name}: {where}")
        try:
            return read_bytes(path), ""
        except PoiseError as error:
            raise self.error(f"{where}: {error}") from None

    def _buffer(self, index: int, where: str) -> bytes:
        if index >= len(self.gltf.buffers):
            raise self.error(f"{where}: {_no_such('buffer', index, self.gltf.buffers)}")
        if index not in self._buffers:
            buffer = self.gltf.buffers[index]
            if buffer.uri is not None:
                content = self.linked(buffer.uri, f"buffers[{index}].uri")[0]
            elif index == 0 and self.chunk is not None:
                content = self.chunk
            else:
                raise self.error(f"buffers[{index}] has no uri, and the file no bytes for it")
            self._held += len(content)
            if self._held > LARGEST_FILE:
                raise self.error(f"its buffers are more than {LARGEST_FILE // 1_000_000} MB")
            if len(content) < buffer.byte_length:
                raise self.error(
                    f"buffers[{index}] should have {buffer.byte_length} bytes and has "
                    f"{len(content)}; perhaps the file was cut off"
                )
            self._buffers[index] = content[: buffer.byte_length]
        return self._buffers[index]


def open_asset(path: str | Path) -> Asset:
    """Open a .glb, .vrm or .gltf file; which of both it is, its first bytes tell."""
    name, content = str(path), read_bytes(path)
    chunk: bytes | None = None
    if content[:4] == _MAGIC:
        content, chunk = _chunks(content, name)
    data = _parsed(content, name)
    if not isinstance(data, dict):
        raise PoiseError(f"{name}: a glTF file is a JSON object, not {short(repr(data))}")
    version = data.get("asset", {}).get("version") if isinstance(data.get("asset"), dict) else None
    if not isinstance(version, str) or not re.fullmatch(r"2\.\d+", version):
        raise PoiseError(f"{name}: asset.version must be 2.0, not {short(repr(version))}")
    gltf = checked(Gltf, data, name)
    if gltf.asset.min_version not in (None, "2.0"):
        raise PoiseError(
            f"{name}: it needs a reader of glTF {short(str(gltf.asset.min_version))}, "
            "and this one reads 2.0"
        )
    return Asset(name, Path(path).parent, gltf, chunk)


def glb(data: dict[str, Any], chunk: bytes) -> bytes:
    """A GLB of JSON data and a buffer."""
    text = _text(data).encode("utf-8")
    text += b" " * (-len(text) % 4)
    chunk += b"\0" * (-len(chunk) % 4)
    size = 12 + 8 + len(text) + (8 + len(chunk) if chunk else 0)
    parts = [struct.pack("<4sII", _MAGIC, 2, size), struct.pack("<II", len(text), _JSON), text]
    if chunk:
        parts += [struct.pack("<II", len(chunk), _BINARY), chunk]
    return b"".join(parts)


def embedded(data: dict[str, Any], chunk: bytes) -> bytes:
    """JSON text that holds its buffer as base64."""
    if chunk:
        uri = "data:application/octet-stream;base64," + base64.b64encode(chunk).decode("ascii")
        data = {**data, "buffers": [{**data["buffers"][0], "uri": uri}]}
    return _text(data).encode("utf-8")


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _chunks(content: bytes, name: str) -> tuple[bytes, bytes | None]:
    """The JSON and the binary chunk of a GLB."""
    if len(content) < 20:
        raise PoiseError(f"{name} is cut off: a GLB has at least 20 bytes, not {len(content)}")
    version, size = struct.unpack_from("<II", content, 4)
    if version != 2:
        raise PoiseError(f"{name} is a GLB of version {version}; only version 2 is read")
    if size > len(content):
        raise PoiseError(f"{name} is cut off: it should have {size} bytes and has {len(content)}")
    found: dict[int, bytes] = {}
    at = 12
    while at + 8 <= size:
        length, kind = struct.unpack_from("<II", content, at)
        if at + 8 + length > size:
            raise PoiseError(
                f"{name}: the chunk at byte {at} has {length} bytes, more than the file has left"
            )
        if not found and kind != _JSON:
            raise PoiseError(f"{name}: the first chunk of a GLB must be JSON, not {kind:#010x}")
        found.setdefault(kind, content[at + 8 : at + 8 + length])
        at += 8 + length
    return found[_JSON], found.get(_BINARY)


def _parsed(content: bytes, name: str) -> Any:
    # Before anything is made of it: each value costs some hundred bytes.
    if sum(map(content.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise PoiseError(f"{name}: its JSON has more than {MOST_VALUES:,} values")
    text = decode(content, name)
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise PoiseError(
            f"{name}, line {error.lineno}, column {error.colno}: this is not JSON: {error.msg}"
        ) from None
    except RecursionError:
        raise PoiseError(f"{name}: its JSON is nested too deep") from None
    except ValueError as error:
        raise PoiseError(f"{name}: this is not JSON: {short(str(error))}") from None


def _refuse(constant: str) -> Never:
    raise ValueError(f"{constant} is no number")


def _no_such(what: str, index: int, there: list[Any]) -> str:
    return f"there is no {what} {index}; there are {len(there)}, counted from 0"
