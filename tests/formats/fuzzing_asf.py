"""Spoilt ASF and AMC files: `python -m tests.formats.fuzzing_asf 50000 1`."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from tests.formats.mutating import fuzz as fuzz_files
from tests.formats.skeletons import MOVES, SKELETON, shuffled

from poise.formats import amc, asf

_ODD = (
    ":root",
    ":bonedata",
    ":hierarchy",
    "begin",
    "end",
    "name",
    "dof",
    "rx",
    "limits",
    "(-1 1)",
    "(",
    "axis",
    "XYZ",
    "length",
    "0",
    "-1",
    "nan",
    "root",
    "head",
    "rad",
)
_ODD_MOVES = (":RADIANS", "1", "root", "lfemur", "head", "nan", "1e99", "-1", ":FULLY-SPECIFIED")


def fuzz(count: int, seed: int, data: Path | None = None) -> tuple[int, int]:
    """Read `count` spoilt files, half skeletons and half motions, ours and real ones."""
    rng = random.Random(seed)
    skeletons = [SKELETON]
    if data is not None:
        skeletons += [
            path.read_text(encoding="latin-1") for path in sorted(data.glob("asf_amc/*.asf"))
        ]
    some = min(count, 500)
    sources = [rng.choice(skeletons).encode() for _ in range(some)]
    sources += [shuffled(rng.choice(skeletons), _ODD, rng).encode() for _ in range(some)]
    first = fuzz_files(lambda path: asf.read(path), sources, ".asf", count - count // 2, seed)
    sources = [MOVES.encode()] * some
    sources += [shuffled(MOVES, _ODD_MOVES, rng).encode() for _ in range(some)]
    with tempfile.TemporaryDirectory() as folder:
        skeleton = Path(folder) / "sound.asf"
        skeleton.write_text(SKELETON, encoding="utf-8")
        second = fuzz_files(
            lambda path: amc.read(path, asf=skeleton), sources, ".amc", count // 2, seed
        )
    return first[0] + second[0], first[1] + second[1]


if __name__ == "__main__":
    _, many, first, *rest = sys.argv
    print(*fuzz(int(many), int(first), *map(Path, rest)))
