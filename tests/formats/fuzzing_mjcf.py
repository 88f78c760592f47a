"""Spoilt MJCF files: `python -m tests.formats.fuzzing_mjcf 50000 1`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.formats.mutating import fuzz as fuzz_files
from tests.formats.robots import MJCF_ROBOT, real_files

from poise.formats import mjcf
from poise.formats.mjcf import compiling
from poise.formats.reading import Reading


def fuzz(count: int, seed: int, data: Path | None = None) -> tuple[int, int]:
    """Read `count` spoilt files, made from ours and from real ones if there are any."""
    sources = [MJCF_ROBOT.encode(), *real_files(data, "*.xml")]
    return fuzz_files(_read, sources, ".xml", count, seed)


def _read(path: Path) -> Reading:
    """As `mjcf.read`, but an accident in MuJoCo is no error that may be."""
    try:
        return mjcf.read(path)
    finally:
        if compiling._broken:
            raise RuntimeError("MuJoCo's parser failed")


if __name__ == "__main__":
    readable, refused = fuzz(int(sys.argv[1]), int(sys.argv[2]), *map(Path, sys.argv[3:]))
    print(f"{readable} read, {refused} refused")
