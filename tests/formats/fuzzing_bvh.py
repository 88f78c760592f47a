"""Spoilt BVH files: `python -m tests.soak piece BVH 50000 1`."""

from __future__ import annotations

import random
from pathlib import Path

from tests.formats.mutating import Files, partly_whole, spoilt
from tests.formats.mutating import fuzz as fuzz_files
from tests.formats.skeletons import PERSON, shuffled

from poise.formats import read

_ODD = (
    "HIERARCHY",
    "ROOT",
    "JOINT",
    "End Site",
    "{",
    "}",
    "OFFSET",
    "CHANNELS",
    "6",
    "Xposition",
    "Yrotation",
    "MOTION",
    "Frames:",
    "Frame Time:",
    "1e-9",
    "-1",
    "nan",
    "99999999",
)


def fuzz(count: int, seed: int, data: Path | None = None) -> tuple[int, int]:
    """Read `count` spoilt files, made from ours and from real ones if there are any."""
    texts, whole = [PERSON], list[str]()
    if data is not None:
        real = sorted((data / "bvh" / "other").glob("*.bvh"))
        texts += [_beginning(_text(path)) for path in real]
        whole += [_text(path) for path in (*real, *sorted((data / "bvh" / "cmu").glob("*.bvh")))]

    def make(rng: random.Random) -> Files:
        text = partly_whole(texts, whole, rng)
        if rng.random() < 0.5:
            text = shuffled(text, _ODD, rng)
        return {"spoilt.bvh": spoilt(text.encode(), rng)}

    sound = [{"sound.bvh": text.encode()} for text in texts]
    return fuzz_files(lambda path: read(path, names="auto"), sound, make, count, seed)


def _text(path: Path) -> str:
    return path.read_text(encoding="latin-1")


def _beginning(text: str) -> str:
    """The same with three frames of its motion, or as many as there are."""
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("Frames"))
    frames = min(3, int(lines[at].split()[1]))
    lines[at] = f"Frames: {frames}"
    return "\n".join(lines[: at + 2 + frames])
