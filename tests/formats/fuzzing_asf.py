"""Spoilt ASF files, alone and with an AMC file: `python -m tests.soak piece 'ASF, AMC' 50000 1`."""

from __future__ import annotations

import random
from pathlib import Path

from tests.formats.mutating import Files, partly_whole, spoilt
from tests.formats.mutating import fuzz as fuzz_files
from tests.formats.skeletons import MOVES, SKELETON, shuffled

from poise.formats import read

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
    """Read `count` spoilt skeletons, and motions with a skeleton of which one or other is."""
    pairs, whole = [(SKELETON, MOVES)], list[tuple[str, str]]()
    if data is not None:
        whole += [_real(path) for path in sorted(data.glob("asf_amc/*.amc"))]
        pairs += [(bones, moves[: moves.index("\n3\n") + 1]) for bones, moves in whole]

    def make(rng: random.Random) -> Files:
        skeleton, moves = partly_whole(pairs, whole, rng)
        what = rng.choice(["skeleton", "skeleton", "moves", "pair"])
        if what != "moves":
            if rng.random() < 0.5:
                skeleton = shuffled(skeleton, _ODD, rng)
            content = spoilt(skeleton.encode(), rng)
            if what == "skeleton":
                return {"spoilt.asf": content}
            return {"spoilt_1.amc": moves.encode(), "spoilt.asf": content}
        if rng.random() < 0.5:
            moves = shuffled(moves, _ODD_MOVES, rng)
        return {"spoilt_1.amc": spoilt(moves.encode(), rng), "spoilt.asf": skeleton.encode()}

    sound = [{"a.amc": moves.encode(), "a.asf": bones.encode()} for bones, moves in pairs]
    return fuzz_files(lambda path: read(path, names="auto"), sound, make, count, seed)


def _real(motion: Path) -> tuple[str, str]:
    """A real skeleton, and a motion on it."""
    skeleton = motion.with_name(f"{motion.stem.partition('_')[0]}.asf")
    return skeleton.read_text(encoding="latin-1"), motion.read_text(encoding="latin-1")
