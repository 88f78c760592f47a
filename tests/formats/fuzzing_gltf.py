"""Spoilt glTF and VRM files: `python -m tests.soak piece 'glTF, VRM' 50000 1`.

Most are spoilt where it matters, in a value of the JSON or in the numbers of the buffer; a file
with wrong bytes anywhere else is refused too soon to tell much.
"""

from __future__ import annotations

import json
import random
import struct
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from tests.formats.gltf_files import arm, packed, person, unpacked
from tests.formats.mutating import Files, partly_whole, spoilt
from tests.formats.mutating import fuzz as fuzz_files

import poise
from poise.formats import gltf, read
from poise.formats.reading import Reading
from poise.motion import Clip

_ODD: list[Any] = [
    *(None, True, False, -1, 0, 1, 2, 3, 5, 16, 255, 10**6, 10**9, 10**30, 0.5, 1e-30, 1e38, 1e300),
    *("", "x", "SCALAR", "VEC3", "MAT4", "LINEAR", "STEP", "CUBICSPLINE", "rotation", "scale"),
    *(
        "translation",
        "weights",
        "../../etc/passwd",
        "http://x/y",
        "data:;base64,!!",
        "world",
        "a/b",
    ),
    *("x" * 70_000, "a/" * 5_000, "%2e%2e/" * 3_000, "data:;base64," + "A" * 60_000, 10**300),
    *([0.0] * 20_000, [[[[[[]]]]]], {"a" * 5_000: 0}),
    *([], {}, [0], [0, 0, 0, 0], [1, 2, 3], [0] * 16, {"node": 0}, 5120, 5121, 5123, 5125, 5126),
]
_FLOATS = [0.0, -0.0, 1.0, -1.0, 1e-30, 1e30, 3e38, float("inf"), float("nan"), 0.7071]
LARGEST = 300_000
"""Bytes of a real file that is spoilt often; larger ones are seldom, as they only take longer."""

Source = tuple[str, Any, bytes]
"""Suffix, JSON and buffer of a file."""


def sources(data: Path | None) -> tuple[list[Source], list[Source]]:
    """Files to be spoilt often, ours and small real ones, and large ones to be spoilt seldom."""
    files = [(".glb", arm().glb()), (".vrm", person(1).glb()), (".vrm", person(0).glb())]
    chain = poise.chain(3)
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "chain.glb"
        clip = Clip(chain, np.array([[0.0, 0.1, 0.2], [0.3, 0.4, 0.5]]), 30.0)
        gltf.write(Reading(chain, posture=chain.posture(), clips={"wave": clip}), written, detail=8)
        files.append((".glb", written.read_bytes()))
    if data is not None:
        real = [*(data / "meshes").glob("*.glb"), *(data / "meshes").glob("*.vrm")]
        files += [(path.suffix, path.read_bytes()) for path in sorted(real)]
    often, seldom = list[Source](), list[Source]()
    for suffix, content in files:
        (often if len(content) < LARGEST else seldom).append((suffix, *unpacked(content)))
    return often, seldom


def change(data: Any, rng: random.Random) -> Any:
    """The same data but for one value somewhere in it."""
    path: list[tuple[Any, Any]] = []
    here = data
    while isinstance(here, (dict, list)) and here and (not path or rng.random() < 0.9):
        key = rng.choice(list(here)) if isinstance(here, dict) else rng.randrange(len(here))
        path.append((here, key))
        here = here[key]
    if not path:
        return rng.choice(_ODD)
    new: Any = rng.choice(_ODD)
    if isinstance(here, (int, float)) and not isinstance(here, bool) and rng.random() < 0.5:
        new = here + rng.choice([-1, 1, 2, 4, 1000])
    for holder, key in reversed(path):
        copied = holder.copy()
        if rng.random() < 0.1 and holder is path[-1][0]:
            del copied[key]
        else:
            copied[key] = new
        new = copied
    return new


def shaken(chunk: bytes, rng: random.Random) -> bytes:
    """The same numbers but for one, or fewer of them."""
    if not chunk or rng.random() < 0.1:
        return chunk[: rng.randrange(len(chunk) + 1)]
    at = rng.randrange(max(1, len(chunk) // 4)) * 4
    return chunk[:at] + struct.pack("<f", rng.choice(_FLOATS)) + chunk[at + 4 :]


def fuzz(count: int, seed: int, data: Path | None = None) -> tuple[int, int]:
    """Read `count` spoilt files, in one piece or with their numbers in a file beside."""
    often, seldom = sources(data)

    def make(rng: random.Random) -> Files:
        suffix, content, chunk = partly_whole(often, seldom, rng)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            if rng.random() < 0.8:
                content = change(content, rng)
            else:
                chunk = shaken(chunk, rng)
        if suffix == ".glb" and isinstance(content, dict) and rng.random() < 0.3:
            return _apart(content, chunk, rng)
        file = packed(content, chunk)
        return {f"spoilt{suffix}": spoilt(file, rng) if rng.random() < 0.1 else file}

    sound = [{f"sound{suffix}": packed(*parts)} for suffix, *parts in (*often, *seldom)]
    return fuzz_files(lambda path: read(path, names="auto"), sound, make, count, seed)


def _apart(content: dict[str, Any], chunk: bytes, rng: random.Random) -> Files:
    """The same with its numbers in a file of their own, which is sometimes spoilt or missing."""
    uri = rng.choice(["numbers.bin"] * 4 + ["bin/numbers.bin", "../numbers.bin", "numbers%2Ebin"])
    buffer = {"byteLength": len(chunk), "uri": uri}
    text = json.dumps({**content, "buffers": [buffer]}).encode()
    if rng.random() < 0.05:
        return {"spoilt.gltf": text}
    numbers = spoilt(chunk, rng) if rng.random() < 0.2 else chunk
    name = "bin/numbers.bin" if uri.startswith("bin/") else "numbers.bin"
    return {"spoilt.gltf": text, name: numbers}
