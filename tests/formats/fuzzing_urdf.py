"""Spoilt URDF files: `python -m tests.soak piece URDF 50000 1`."""

from __future__ import annotations

from pathlib import Path

from tests.formats.mutating import Files, spoilt_set
from tests.formats.mutating import fuzz as fuzz_files
from tests.formats.robots import URDF_ROBOT

from poise.formats import urdf


def fuzz(count: int, seed: int, data: Path | None = None) -> tuple[int, int]:
    """Read `count` spoilt files, made from ours and from real ones if there are any."""
    contents = [URDF_ROBOT.encode()]
    if data is not None:
        contents += [path.read_bytes() for path in sorted((data / "robots").glob("**/*.urdf"))]
    sound: list[Files] = [{"spoilt.urdf": content} for content in contents]
    return fuzz_files(urdf.read, sound, lambda rng: spoilt_set(rng.choice(sound), rng), count, seed)
