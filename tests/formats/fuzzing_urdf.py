"""Spoilt URDF files: `python -m tests.formats.fuzzing_urdf 50000 1`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.formats.mutating import fuzz as fuzz_files
from tests.formats.robots import URDF_ROBOT, real_files

from poise.formats import urdf


def fuzz(count: int, seed: int, data: Path | None = None) -> tuple[int, int]:
    """Read `count` spoilt files, made from ours and from real ones if there are any."""
    sources = [URDF_ROBOT.encode(), *real_files(data, "*.urdf")]
    return fuzz_files(urdf.read, sources, ".urdf", count, seed)


if __name__ == "__main__":
    readable, refused = fuzz(int(sys.argv[1]), int(sys.argv[2]), *map(Path, sys.argv[3:]))
    print(f"{readable} read, {refused} refused")
